//! Shader names as materials, with the images beside the file.

use std::collections::HashMap;

use sinew_scene::{Material, MaterialId, Sampler, SceneParts, TextureId, TextureUse, UvTransform};

use crate::files::base_name;
use crate::open::Context;
use crate::textures::Textures;

const EXTENSIONS: [&str; 7] = ["tga", "png", "jpg", "jpeg", "bmp", "webp", "dds"];

/// One material per shader name.
#[derive(Default)]
pub(super) struct Shaders {
    materials: Vec<Material>,
    known: HashMap<String, MaterialId>,
    textures: Textures,
}

impl Shaders {
    pub(super) fn material(&mut self, shader: &str, context: &mut Context<'_>) -> MaterialId {
        if let Some(known) = self.known.get(shader) {
            return *known;
        }
        let material = self.make(shader, context);
        self.materials.push(material);
        let id = MaterialId::new(self.materials.len() - 1);
        self.known.insert(shader.to_owned(), id);
        id
    }

    pub(super) fn give(self, parts: &mut SceneParts) {
        parts.materials = self.materials;
        self.textures.give(parts);
    }

    fn make(&mut self, shader: &str, context: &mut Context<'_>) -> Material {
        let mut material =
            Material { name: shader.to_owned(), metallic: 0.0, ..Material::default() };
        if shader.is_empty() {
            return material;
        }
        let sampler = Sampler::default();
        // Doom 3's materials name their images by these endings.
        let color = self.textures.find(names(shader, &["", "_d", "_diffuse"]), sampler, context);
        let color = color.unwrap_or_else(|| self.textures.missing(shader, sampler, context));
        material.base_color_texture = Some(whole(color));
        let normals = names(shader, &["_local", "_n", "_normal"]);
        material.normal_texture = self.textures.find(normals, sampler, context).map(whole);
        material
    }
}

fn whole(texture: TextureId) -> TextureUse {
    TextureUse { texture, uv_set: 0, transform: UvTransform::default() }
}

/// The files that may hold a shader's image: under its whole path, then right beside the model.
fn names(shader: &str, endings: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    let base = base_name(shader);
    let paths = if base == shader { vec![shader] } else { vec![shader, base] };
    for path in paths {
        let (stem, extension) = match path.rsplit_once('.') {
            Some((stem, extension)) if is_image(extension) => (stem, Some(extension)),
            _ => (path, None),
        };
        for ending in endings {
            let own = extension.map(|extension| format!("{stem}{ending}.{extension}"));
            names.extend(own);
            names.extend(EXTENSIONS.iter().map(|extension| format!("{stem}{ending}.{extension}")));
        }
    }
    names
}

fn is_image(extension: &str) -> bool {
    EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
}
