//! Textures and their images, in the file or beside it.
//!
//! In:  textures as materials use them.
//! Out: a `Texture` for each use that differs, and a `Video` with the image for each image.
//!
//! File names are made of the images' names, safe for any disk and each once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::DVec2;
use sinew_scene::{ImageData, ImageId, Scene, TextureUse, UvTransform, Wrap};

use super::FbxTextures;
use super::document::{Document, Id};
use super::layer::uv_name;
use super::model::name_or;
use super::properties::Properties;
use crate::ExportedFile;
use crate::png::png;

/// The textures of the file by how they are used.
pub(super) struct Textures(Vec<(TextureUse, Id)>);

impl Textures {
    /// The texture as a material uses it; `None` when there is no image behind it.
    pub(super) fn of(&self, used: TextureUse) -> Option<Id> {
        self.0.iter().find(|(known, _)| *known == used).map(|&(_, id)| id)
    }
}

/// An image in the file.
struct Video {
    id: Id,
    file_name: String,
}

pub(super) fn textures(
    scene: &Scene,
    place: FbxTextures,
    files: &mut Vec<ExportedFile>,
    document: &mut Document,
) -> Textures {
    let mut videos: HashMap<ImageId, Video> = HashMap::new();
    let mut names = HashSet::new();
    let mut textures = Textures(Vec::new());
    let mut missing = 0;
    let mut stretched = 0;
    for used in scene.materials.iter().flat_map(|material| material.textures()) {
        if textures.of(used).is_some() {
            continue;
        }
        let Some(image) = scene[used.texture].image else {
            missing += 1;
            continue;
        };
        if let std::collections::hash_map::Entry::Vacant(free) = videos.entry(image) {
            let Some((bytes, extension)) = content(&scene[image].data) else {
                missing += 1;
                continue;
            };
            let file_name = file_name(&scene[image].name, image.index(), extension, &mut names);
            free.insert(video(file_name, bytes, place, files, document));
        }
        let video = &videos[&image];
        let uv = used.transform;
        stretched += usize::from(uv.rotation != 0.0 && uv.scale.x != uv.scale.y);
        let id = texture(scene, used, video, document);
        textures.0.push((used, id));
    }
    if missing > 0 {
        let text = crate::exported::counted(missing, "texture without", "textures without");
        document.notes.push(format!("{text} an image left out"));
    }
    if stretched > 0 {
        let text = crate::exported::counted(stretched, "texture is", "textures are");
        document.notes.push(format!("{text} rotated and stretched, which FBX holds only nearly"));
    }
    textures
}

fn texture(scene: &Scene, used: TextureUse, video: &Video, document: &mut Document) -> Id {
    let from = &scene[used.texture];
    let name = name_or(&from.name, "texture", used.texture.index());
    let (id, node) = document.start("Texture", &name, "Texture", "");
    let wrap = |wrap: Wrap| i32::from(wrap == Wrap::Clamp);
    let mut properties = Properties::default()
        .property("CurrentTextureBlendMode", "enum", "", "", [0.into()])
        .text("UVSet", &uv_name(used.uv_set as usize))
        .bool("UseMaterial", true)
        .choice("WrapModeU", wrap(from.sampler.wrap_u))
        .choice("WrapModeV", wrap(from.sampler.wrap_v));
    if let Some([translation, rotation, scaling]) = placement(used.transform) {
        properties = properties
            .property("Translation", "Vector", "", "A", translation.map(Into::into))
            .property("Rotation", "Vector", "", "A", rotation.map(Into::into))
            .property("Scaling", "Vector", "", "A", scaling.map(Into::into));
    }
    let full = format!("{name}\0\u{1}Texture");
    document.add(
        node.field("Type", "TextureVideoClip")
            .field("Version", 202)
            .field("TextureName", full)
            .field("Media", format!("{}\0\u{1}Video", video.file_name))
            .field("FileName", video.file_name.as_str())
            .field("RelativeFilename", video.file_name.as_str())
            .child(properties.node())
            .field("Texture_Alpha_Source", "None"),
    );
    document.connect(video.id, id);
    id
}

/// Translation, rotation in degrees and scale of a texture as FBX has them: from the image to the surface, with v from the bottom up.
///
/// With ours as `u' = R(θ) S u + t` in those coordinates, they are of the inverse, `S⁻¹ R(-θ) (u' - t)`. That is a scale after a rotation
/// and FBX's come the other way round, so an image that is both rotated and stretched is only nearly kept. `None` leaves it as it is.
fn placement(transform: UvTransform) -> Option<[[f64; 3]; 3]> {
    let [wide, high] = transform.scale.as_dvec2().to_array();
    if transform == UvTransform::default() || wide == 0.0 || high == 0.0 {
        return None;
    }
    let (sin, cos) = f64::from(transform.rotation).sin_cos();
    let offset = transform.offset.as_dvec2();
    let moved = DVec2::new(offset.x + high * sin, 1.0 - high * cos - offset.y);
    let back = DVec2::new(cos * moved.x + sin * moved.y, cos * moved.y - sin * moved.x);
    Some([
        [-back.x / wide, -back.y / high, 0.0],
        [0.0, 0.0, -f64::from(transform.rotation).to_degrees()],
        [1.0 / wide, 1.0 / high, 1.0],
    ])
}

fn video(
    file_name: String,
    bytes: Arc<[u8]>,
    place: FbxTextures,
    files: &mut Vec<ExportedFile>,
    document: &mut Document,
) -> Video {
    let (id, node) = document.start("Video", &file_name, "Video", "Clip");
    let path = Properties::default().property(
        "Path",
        "KString",
        "XRefUrl",
        "",
        [file_name.as_str().into()],
    );
    let mut node = node
        .field("Type", "Clip")
        .child(path.node())
        .field("UseMipMap", 0)
        .field("Filename", file_name.as_str())
        .field("RelativeFilename", file_name.as_str());
    match place {
        FbxTextures::Embedded => node = node.field("Content", bytes),
        FbxTextures::External => {
            files.push(ExportedFile { name: file_name.clone(), bytes: bytes.to_vec() });
        }
    }
    document.add(node);
    Video { id, file_name }
}

/// The bytes of an image file and what such files end in; `None` when there are none.
fn content(data: &ImageData) -> Option<(Arc<[u8]>, &'static str)> {
    match data {
        ImageData::Encoded { media_type, bytes } => {
            let extension = match media_type.as_str() {
                "image/jpeg" => "jpg",
                "image/webp" => "webp",
                "image/ktx2" => "ktx2",
                "image/bmp" => "bmp",
                "image/tiff" => "tif",
                "image/gif" => "gif",
                "image/vnd-ms.dds" => "dds",
                "image/x-tga" | "image/tga" => "tga",
                _ => "png",
            };
            Some((bytes.clone(), extension))
        }
        ImageData::Pixels { width, height, rgba } => {
            Some((png(*width, *height, rgba).ok()?.into(), "png"))
        }
        ImageData::Missing => None,
    }
}

/// A name for a file that no other has: plain signs only, with the extension of its kind.
fn file_name(name: &str, number: usize, extension: &str, taken: &mut HashSet<String>) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let plain = |sign: char| sign.is_alphanumeric() || "-_ .()".contains(sign);
    let stem: String = stem.chars().map(|sign| if plain(sign) { sign } else { '_' }).collect();
    let stem: String = stem.trim_matches([' ', '.']).chars().take(100).collect();
    let stem = if stem.is_empty() { format!("image_{number}") } else { stem };
    let mut unique = format!("{stem}.{extension}");
    let mut copy = 2;
    // Some disks do not tell large letters from small ones.
    while !taken.insert(unique.to_lowercase()) {
        unique = format!("{stem}_{copy}.{extension}");
        copy += 1;
    }
    unique
}
