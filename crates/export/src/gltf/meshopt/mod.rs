//! The codecs of `EXT_meshopt_compression`, without loss.
//!
//! In:  the bytes of one view: elements of a stride, or the corners of triangles. Out: fewer bytes, or nothing where they would not
//! be fewer.
//!
//! Vertices and triangles keep their order. A triangle may begin with another of its corners; the way round stays.

mod triangles;
mod vertices;

/// What a reader must do to have a view's bytes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Attributes,
    Triangles,
}

impl Mode {
    /// The extension's own word.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Attributes => "ATTRIBUTES",
            Self::Triangles => "TRIANGLES",
        }
    }
}

/// A view in fewer bytes; `None` where the codec does not take its stride, or gains nothing.
pub(super) fn compressed(mode: Mode, stride: usize, bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.is_empty() || !bytes.len().is_multiple_of(stride) {
        return None;
    }
    let packed = match (mode, stride) {
        (Mode::Attributes, 4..=256) if stride.is_multiple_of(4) => vertices::encode(stride, bytes),
        (Mode::Triangles, 2) => {
            let corner = |pair: &[u8; 2]| u32::from(u16::from_le_bytes(*pair));
            triangles::encode(&bytes.as_chunks().0.iter().map(corner).collect::<Vec<u32>>())
        }
        (Mode::Triangles, 4) => {
            let corner = |four: &[u8; 4]| u32::from_le_bytes(*four);
            triangles::encode(&bytes.as_chunks().0.iter().map(corner).collect::<Vec<u32>>())
        }
        _ => return None,
    };
    (packed.len() < bytes.len()).then_some(packed)
}
