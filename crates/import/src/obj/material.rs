//! From the surfaces of `.mtl` libraries to materials.
//!
//! MTL describes a surface by its highlight, Sinew by its roughness: a highlight of exponent n is
//! as wide as that of roughness ∜(2 / (n + 2)) (B. Karis, "Specular BRDF Reference", 2013).

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use sinew_scene::{
    AlphaMode, Material, MaterialId, Sampler, SceneParts, TextureId, TextureUse, UvTransform, Wrap,
};

use super::mtl::{self, Map, Surface};
use crate::Place;
use crate::files::{base_name, fetch, shorten};
use crate::open::Context;
use crate::textures::Textures;

/// All surfaces that the libraries have, and the materials made of them.
#[derive(Default)]
pub(super) struct Materials {
    surfaces: HashMap<String, Surface>,
    materials: Vec<Material>,
    textures: Textures,
}

impl Materials {
    /// Reads every library that `mtllib` lines name.
    pub(super) fn read(lines: &[String], context: &mut Context<'_>) -> Self {
        let mut materials = Self::default();
        for line in lines {
            // A name may have spaces, and a line may have several names.
            if line.trim().is_empty() || materials.read_one(line, context) {
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            let mut missing = words.clone();
            if words.len() > 1 {
                missing.retain(|word| !materials.read_one(word, context));
            }
            // Where none is there, nobody knows whether they were several.
            let missing = if missing.len() == words.len() { vec![line.as_str()] } else { missing };
            missing.iter().for_each(|name| context.missing.add(name));
        }
        materials
    }

    fn read_one(&mut self, name: &str, context: &mut Context<'_>) -> bool {
        let place = Place::part("mtllib");
        let own = fetch(context.files, name, &place);
        let Ok(bytes) = own.or_else(|_| fetch(context.files, base_name(name), &place)) else {
            return false;
        };
        context.budget.add_file(bytes.len());
        for surface in mtl::read(&bytes) {
            self.surfaces.entry(surface.name.clone()).or_insert(surface);
        }
        true
    }

    /// The material of this name; a plain one where no library has it.
    pub(super) fn make(&mut self, name: &str, context: &mut Context<'_>) -> MaterialId {
        let surface = self.surfaces.get(name).cloned().unwrap_or_else(|| {
            let place = Place::part(format!("usemtl {}", shorten(name)));
            context.notes.add(place, "a material is in no library: a plain one is used");
            Surface { name: name.to_owned(), ..Surface::default() }
        });
        let material = self.material(&surface, context);
        self.materials.push(material);
        MaterialId::new(self.materials.len() - 1)
    }

    pub(super) fn give(self, parts: &mut SceneParts) {
        parts.materials = self.materials;
        self.textures.give(parts);
    }

    fn material(&mut self, surface: &Surface, context: &mut Context<'_>) -> Material {
        let mut texture = |map: &Option<Map>| self.texture(map.as_ref()?, context);
        let mut material = Material {
            name: surface.name.clone(),
            base_color: linear(diffuse(surface)).extend(opacity(surface)),
            base_color_texture: texture(&surface.color_map),
            metallic: surface.metallic.unwrap_or(0.0).clamp(0.0, 1.0),
            roughness: roughness(surface),
            normal_texture: texture(&surface.normal_map),
            normal_scale: surface.normal_map.as_ref().map_or(1.0, |map| map.strength),
            emissive: linear(emissive(surface)),
            emissive_texture: texture(&surface.emissive_map),
            ..Material::default()
        };
        material.metallic_roughness_texture = match (&surface.roughness_map, &surface.metallic_map)
        {
            // Roughness is read from green, metallic from blue: a grey image serves one of them.
            (Some(rough), metal) if metal.as_ref().is_none_or(|metal| metal.file == rough.file) => {
                texture(&surface.roughness_map)
            }
            (None, None) => None,
            _ => {
                let note = "roughness and metallic in two images: they are left out";
                context.notes.add(Place::part(surface.name.clone()), note);
                None
            }
        };
        if material.base_color.w < 1.0 {
            material.alpha_mode = AlphaMode::Blend;
        }
        if let Some(alpha) = &surface.alpha_map {
            if surface.color_map.as_ref().is_some_and(|color| color.file == alpha.file) {
                material.alpha_mode = AlphaMode::Blend;
            } else {
                let note = "transparency in an image of its own: it is left out";
                context.notes.add(Place::part(surface.name.clone()), note);
            }
        }
        material
    }

    fn texture(&mut self, map: &Map, context: &mut Context<'_>) -> Option<TextureUse> {
        let wrap = if map.clamp { Wrap::Clamp } else { Wrap::Repeat };
        let sampler = Sampler { wrap_u: wrap, wrap_v: wrap, ..Sampler::default() };
        let names = [map.file.clone(), base_name(&map.file).to_owned()];
        let texture: TextureId = self
            .textures
            .find(names, sampler, context)
            .unwrap_or_else(|| self.textures.missing(&map.file, sampler, context));
        // Filed for coordinates from the bottom up: with w = 1 - v, s·v + o is 1 - (s·w + 1 - s - o).
        let offset = Vec2::new(map.offset.x, 1.0 - map.scale.y - map.offset.y);
        let transform = UvTransform { offset, rotation: 0.0, scale: map.scale };
        Some(TextureUse { texture, uv_set: 0, transform })
    }
}

/// Many programs write black beside an image and mean the image.
fn diffuse(surface: &Surface) -> Vec3 {
    match (surface.diffuse, &surface.color_map) {
        (Some(Vec3::ZERO) | None, Some(_)) => Vec3::ONE,
        (None, None) => Vec3::splat(0.8),
        (Some(color), _) => color,
    }
}

fn emissive(surface: &Surface) -> Vec3 {
    match (surface.emissive, &surface.emissive_map) {
        (Some(Vec3::ZERO) | None, Some(_)) => Vec3::ONE,
        (color, _) => color.unwrap_or(Vec3::ZERO),
    }
}

fn opacity(surface: &Surface) -> f32 {
    let opacity = surface.opacity.or(surface.transparency.map(|through| 1.0 - through));
    opacity.unwrap_or(1.0).clamp(0.0, 1.0)
}

fn roughness(surface: &Surface) -> f32 {
    if let Some(roughness) = surface.roughness {
        return roughness.clamp(0.0, 1.0);
    }
    match (surface.shininess, surface.specular) {
        (_, Some(Vec3::ZERO)) | (None, _) => 1.0,
        (Some(exponent), _) => (2.0 / (exponent.max(0.0) + 2.0)).sqrt().sqrt(),
    }
}

/// From sRGB, in which programs write colours as they show them.
pub(super) fn linear(color: Vec3) -> Vec3 {
    let channel = |c: f32| {
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    let color = color.clamp(Vec3::ZERO, Vec3::splat(1e6));
    Vec3::new(channel(color.x), channel(color.y), channel(color.z))
}
