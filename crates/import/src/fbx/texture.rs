//! Textures and images: embedded in the file, or beside it.
//!
//! In:  file textures with the paths of the machine that wrote them.
//! Out: images as bytes. A path that leads nowhere is looked for by its last name beside the
//!      file; what cannot be had is a note and a missing image.

use std::collections::HashMap;

use glam::Vec2;
use sinew_scene::{
    Image, ImageData, ImageId, Sampler, Texture, TextureId, TextureUse, UvTransform, Wrap,
};

use crate::open::Context;
use crate::{Place, files};

/// Every texture and image in use so far.
#[derive(Default)]
pub(super) struct Images {
    pub(super) textures: Vec<Texture>,
    pub(super) images: Vec<Image>,
    /// By ufbx's number.
    known_textures: HashMap<u32, TextureId>,
    known_images: HashMap<u32, ImageId>,
}

impl Images {
    /// The texture as the material uses it; `None` when no image is behind it.
    pub(super) fn texture_use(
        &mut self,
        scene: &ufbx::Scene,
        material: &ufbx::Material,
        texture: &ufbx::Texture,
        context: &mut Context<'_>,
    ) -> Option<TextureUse> {
        let place = || Place::part(format!("texture \"{}\"", texture.element.name));
        let Some(file) = texture.file_textures.iter().next() else {
            context.notes.add(place(), "a texture without an image is left out");
            return None;
        };
        if texture.file_textures.len() > 1 {
            context.notes.add(place(), "of a layered texture only the lowest layer is kept");
        }
        let (transform, good) = uv_transform(file);
        if !good {
            context
                .notes
                .add(place(), "a texture's transform is sheared or not finite; it is simplified");
        }
        Some(TextureUse {
            texture: self.texture(file, context),
            uv_set: uv_set(scene, material, file),
            transform,
        })
    }

    fn texture(&mut self, file: &ufbx::Texture, context: &mut Context<'_>) -> TextureId {
        if let Some(&known) = self.known_textures.get(&file.element.typed_id) {
            return known;
        }
        let wrap = |mode: ufbx::WrapMode| match mode {
            ufbx::WrapMode::Repeat => Wrap::Repeat,
            ufbx::WrapMode::Clamp => Wrap::Clamp,
        };
        let sampler = Sampler {
            wrap_u: wrap(file.wrap_u),
            wrap_v: wrap(file.wrap_v),
            mipmap: Some(sinew_scene::Filter::Linear),
            ..Sampler::default()
        };
        let image = Some(self.image(file, context));
        self.textures.push(Texture { name: file.element.name.to_string(), image, sampler });
        let id = TextureId::new(self.textures.len() - 1);
        self.known_textures.insert(file.element.typed_id, id);
        id
    }

    fn image(&mut self, file: &ufbx::Texture, context: &mut Context<'_>) -> ImageId {
        if file.has_file
            && let Some(&known) = self.known_images.get(&file.file_index)
        {
            return known;
        }
        let name = last_name(best_path(file)).to_owned();
        let data = match embedded(file) {
            Some(bytes) => encoded(bytes.to_vec()),
            None => beside(file, context),
        };
        self.images.push(Image { name, data });
        let id = ImageId::new(self.images.len() - 1);
        if file.has_file {
            self.known_images.insert(file.file_index, id);
        }
        id
    }
}

fn embedded(file: &ufbx::Texture) -> Option<&[u8]> {
    let video = file.video.as_deref().map(|video| &*video.content);
    [Some(&*file.content), video].into_iter().flatten().find(|bytes| !bytes.is_empty())
}

fn best_path(file: &ufbx::Texture) -> &str {
    let paths = [&file.relative_filename, &file.filename, &file.absolute_filename];
    paths.into_iter().map(|path| &**path).find(|path| !path.is_empty()).unwrap_or_default()
}

fn last_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Looks for the image where the file says it is, then beside the file.
fn beside(file: &ufbx::Texture, context: &mut Context<'_>) -> ImageData {
    let path = best_path(file);
    let place = Place::part(format!("texture \"{}\"", file.element.name));
    let name = last_name(path);
    if name.is_empty() {
        context.notes.add(place, "a texture names no image");
        return ImageData::Missing;
    }
    let own = context.files.own_name().unwrap_or_default();
    let media = format!("{}.fbm/{name}", own.rsplit_once('.').map_or(own, |(stem, _)| stem));
    for try_it in [path, name, &media, &format!("textures/{name}")] {
        if let Ok(bytes) = files::fetch(context.files, try_it, &place) {
            context.budget.add_file(bytes.len());
            return encoded(bytes);
        }
    }
    context.missing.add(path);
    ImageData::Missing
}

fn encoded(bytes: Vec<u8>) -> ImageData {
    let media_type = match &bytes[..] {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [b'B', b'M', ..] => "image/bmp",
        [b'D', b'D', b'S', b' ', ..] => "image/vnd-ms.dds",
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => "image/tiff",
        _ => "",
    };
    ImageData::Encoded { media_type: media_type.to_owned(), bytes: bytes.into() }
}

/// Which of the meshes' sets the texture names; the first when they have none of that name.
fn uv_set(scene: &ufbx::Scene, material: &ufbx::Material, file: &ufbx::Texture) -> u32 {
    if file.uv_set.is_empty() {
        return 0;
    }
    let number = material.element.typed_id;
    let of_material = scene
        .meshes
        .iter()
        .filter(|mesh| mesh.materials.iter().any(|known| known.element.typed_id == number));
    let mut sets = of_material.filter_map(|mesh| {
        mesh.uv_sets.iter().position(|set| set.name.as_ref() == file.uv_set.as_ref())
    });
    sets.next().map_or(0, |set| set as u32)
}

/// From ufbx's matrix, whose v points up, to ours, whose v points down: `v' = 1 - v` on both sides.
fn uv_transform(file: &ufbx::Texture) -> (UvTransform, bool) {
    if !file.has_uv_transform {
        return (UvTransform::default(), true);
    }
    let m = &file.uv_to_texture;
    let x = Vec2::new(m.m00 as f32, -m.m10 as f32);
    let y = Vec2::new(-m.m01 as f32, m.m11 as f32);
    let offset = Vec2::new((m.m01 + m.m03) as f32, (1.0 - m.m11 - m.m13) as f32);
    let wide = x.length();
    if !(wide > 1e-12 && wide.is_finite() && y.is_finite() && offset.is_finite()) {
        return (UvTransform::default(), false);
    }
    let high = x.perp_dot(y) / wide;
    let straight = x.dot(y).abs() <= 1e-4 * wide * y.length().max(1e-12);
    let rotation = f32::atan2(-x.y, x.x);
    (UvTransform { offset, rotation, scale: Vec2::new(wide, high) }, straight)
}
