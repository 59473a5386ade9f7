//! Images and how they are read. A scene keeps images as bytes; nobody needs a GPU to open a file.

use std::sync::Arc;

use crate::ImageId;

/// An image with a way to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// As the file has it; may be empty.
    pub name: String,
    /// `None` when the file names no image that could be used; drawn as a checker.
    pub image: Option<ImageId>,
    /// How it is read.
    pub sampler: Sampler,
}

/// How a texture is read between and beyond its pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampler {
    /// Beyond the left and right edge.
    pub wrap_u: Wrap,
    /// Beyond the top and bottom edge.
    pub wrap_v: Wrap,
    /// When the texture is seen from near.
    pub magnify: Filter,
    /// When it is seen from afar.
    pub minify: Filter,
    /// Between two mip levels; `None` uses the full image alone.
    pub mipmap: Option<Filter>,
}

/// What lies beyond a texture's edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// The image again.
    #[default]
    Repeat,
    /// The image, every other time mirrored.
    Mirror,
    /// The pixels of the edge.
    Clamp,
}

/// How neighbours are mixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// The nearest alone.
    Nearest,
    /// By distance.
    #[default]
    Linear,
}

/// An image.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// The file's name for it or the name of its file; may be empty.
    pub name: String,
    /// The image itself.
    pub data: ImageData,
}

/// An image's bytes.
#[derive(Clone, PartialEq)]
pub enum ImageData {
    /// As filed, still packed.
    Encoded {
        /// Such as `image/png`; empty when unknown.
        media_type: String,
        /// The image file.
        bytes: Arc<[u8]>,
    },
    /// Unpacked.
    Pixels {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
        /// Four bytes a pixel, rows from the top.
        rgba: Arc<[u8]>,
    },
    /// Named by the file but not to be had; drawn as a checker.
    Missing,
}

impl std::fmt::Debug for ImageData {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Encoded { media_type, bytes } => {
                write!(f, "Encoded({media_type:?}, {} bytes)", bytes.len())
            }
            Self::Pixels { width, height, .. } => write!(f, "Pixels({width}x{height})"),
            Self::Missing => f.write_str("Missing"),
        }
    }
}
