//! Materials: the common profile's constant, lambert, phong and blinn, as metallic-roughness.
//!
//! In:  a `<material>` and its effect.
//! Out: a [`Material`]; each is made once for every binding of its textures to coordinates.

use std::collections::HashMap;

use glam::{Vec3, Vec4};
use sinew_scene::{AlphaMode, Material, MaterialId, TextureUse};

use super::color;
use super::texture::{Textures, parameter};
use super::xml::{self, ElementId, Tag, Xml};
use crate::ImportError;
use crate::open::Context;

#[derive(Default)]
pub(super) struct Materials {
    pub(super) materials: Vec<Material>,
    pub(super) textures: Textures,
    known: HashMap<(ElementId, Vec<u32>), MaterialId>,
}

/// A colour or a texture.
#[derive(Clone, Copy, Debug, Default)]
struct Slot<'a> {
    color: Option<Vec4>,
    texture: Option<Tag<'a>>,
}

impl Materials {
    /// A material as an instance binds it; `uv_of` says which set of coordinates a word means.
    pub(super) fn material(
        &mut self,
        xml: &Xml<'_>,
        tag: Tag<'_>,
        uv_of: &dyn Fn(&str) -> u32,
        context: &mut Context<'_>,
    ) -> Result<MaterialId, ImportError> {
        let effect = xml::child(tag, "instance_effect")
            .and_then(|instance| xml.follow(instance, "url", "effect", &mut context.notes));
        let words = effect.into_iter().flat_map(|effect| effect.descendants());
        let words = words.filter_map(|tag| tag.attribute("texcoord"));
        let key = (tag.id(), words.map(uv_of).collect());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let mut material =
            Material { name: xml::label(tag).to_owned(), metallic: 0.0, ..Material::default() };
        let profile = effect.and_then(|effect| xml::child(effect, "profile_COMMON"));
        if let Some((effect, profile)) = effect.zip(profile) {
            let mut reading =
                Reading { xml, profile, uv_of, textures: &mut self.textures, context };
            reading.effect(effect, &mut material)?;
        }
        let id = MaterialId::new(self.materials.len());
        self.materials.push(material);
        self.known.insert(key, id);
        Ok(id)
    }
}

struct Reading<'a, 'b, 'c> {
    xml: &'b Xml<'a>,
    profile: Tag<'a>,
    uv_of: &'b dyn Fn(&str) -> u32,
    textures: &'b mut Textures,
    context: &'b mut Context<'c>,
}

impl<'a> Reading<'a, '_, '_> {
    fn effect(&mut self, effect: Tag<'a>, material: &mut Material) -> Result<(), ImportError> {
        let technique = xml::child(self.profile, "technique").unwrap_or(self.profile);
        let kinds = ["phong", "blinn", "lambert", "constant"];
        let Some(shader) = kinds.iter().find_map(|kind| xml::child(technique, kind)) else {
            return Ok(());
        };
        let emission = self.slot(shader, "emission")?;
        let mut diffuse = self.slot(shader, "diffuse")?;
        material.unlit = xml::name(shader) == "constant";
        if material.unlit && diffuse.color.is_none() && diffuse.texture.is_none() {
            diffuse = emission;
        } else {
            material.emissive_texture = self.texture(emission);
            let own = emission.color.unwrap_or(Vec4::ZERO);
            let color = if material.emissive_texture.is_some() { Vec4::ONE } else { own };
            material.emissive = color::linear3(color.truncate());
        }
        material.base_color_texture = self.texture(diffuse);
        let color = match material.base_color_texture {
            Some(_) => Vec4::ONE,
            None => diffuse.color.unwrap_or(Vec4::ONE),
        };
        material.base_color = color::linear3(color.truncate()).extend(1.0);
        self.transparency(shader, diffuse, material)?;
        material.roughness = self.roughness(shader)?;
        self.extras(effect, material);
        Ok(())
    }

    /// A `<color>`, a `<texture>` or a parameter with either.
    fn slot(&mut self, shader: Tag<'a>, name: &str) -> Result<Slot<'a>, ImportError> {
        let Some(tag) = xml::child(shader, name) else { return Ok(Slot::default()) };
        let texture = xml::child(tag, "texture");
        let named = xml::child(tag, "param").and_then(|param| param.attribute("ref"));
        let param = named.and_then(|sid| parameter(self.profile, sid));
        let value = xml::child(tag, "color").or_else(|| {
            let param = param?;
            xml::child(param, "float4").or_else(|| xml::child(param, "float3"))
        });
        let color = match value {
            Some(value) => match self.xml.floats(value, &mut self.context.notes)?.as_slice() {
                [r, g, b, a, ..] => Some(Vec4::new(*r, *g, *b, *a)),
                [r, g, b] => Some(Vec4::new(*r, *g, *b, 1.0)),
                _ => None,
            },
            None => None,
        };
        Ok(Slot { color, texture })
    }

    fn number(&mut self, shader: Tag<'a>, name: &str) -> Result<Option<f32>, ImportError> {
        let Some(tag) = xml::child(shader, name) else { return Ok(None) };
        let named = xml::child(tag, "param").and_then(|param| param.attribute("ref"));
        let holder = named.and_then(|sid| parameter(self.profile, sid)).unwrap_or(tag);
        let Some(value) = xml::child(holder, "float") else { return Ok(None) };
        Ok(self.xml.floats(value, &mut self.context.notes)?.first().copied())
    }

    fn texture(&mut self, slot: Slot<'_>) -> Option<TextureUse> {
        let tag = slot.texture?;
        let uv_set = tag.attribute("texcoord").map_or(0, self.uv_of);
        self.textures.texture(self.xml, self.profile, tag, uv_set, self.context)
    }

    /// How much is seen through, by the four rules of COLLADA.
    fn transparency(
        &mut self,
        shader: Tag<'a>,
        diffuse: Slot<'a>,
        material: &mut Material,
    ) -> Result<(), ImportError> {
        let Some(transparent) = xml::child(shader, "transparent") else {
            if let Some(alpha) = self.number(shader, "transparency")? {
                self.set_alpha(shader, alpha, material);
            }
            return Ok(());
        };
        let slot = self.slot(shader, "transparent")?;
        let amount = self.number(shader, "transparency")?.unwrap_or(1.0);
        if let Some(texture) = slot.texture {
            let same = diffuse.texture.and_then(|tag| tag.attribute("texture"));
            if same == texture.attribute("texture") {
                material.alpha_mode = AlphaMode::Blend;
            } else {
                let text = "a transparency image apart from the colour's is left out";
                self.context.notes.add(self.xml.place(texture), text);
            }
            return Ok(());
        }
        let color = slot.color.unwrap_or(Vec4::ONE);
        // ITU-R BT.709, as the specification has it.
        let light = color.truncate().dot(Vec3::new(0.212_671, 0.715_16, 0.072_169));
        let alpha = match transparent.attribute("opaque") {
            Some("RGB_ZERO") => 1.0 - light * amount,
            Some("RGB_ONE") => light * amount,
            Some("A_ZERO") => 1.0 - color.w * amount,
            _ => color.w * amount,
        };
        self.set_alpha(shader, alpha, material);
        Ok(())
    }

    /// Exporters disagree on which end is which; nobody means a surface that cannot be seen.
    fn set_alpha(&mut self, shader: Tag<'_>, alpha: f32, material: &mut Material) {
        if alpha <= 0.0 {
            let text = "a material that could not be seen at all is taken as opaque";
            self.context.notes.add(self.xml.place(shader), text);
        } else if alpha < 1.0 {
            material.base_color.w = alpha;
            material.alpha_mode = AlphaMode::Blend;
        }
    }

    /// The roughness whose highlight is as wide as Phong's: n = 2 / r² - 2 (Walter and others 2007).
    fn roughness(&mut self, shader: Tag<'a>) -> Result<f32, ImportError> {
        let dull = self.slot(shader, "specular")?.color.is_some_and(|c| c.truncate() == Vec3::ZERO);
        let Some(shininess) = self.number(shader, "shininess")?.filter(|_| !dull) else {
            return Ok(1.0);
        };
        // Some write the exponent, some a part of 128.
        let exponent = if shininess <= 1.0 { shininess * 128.0 } else { shininess };
        Ok((2.0 / (exponent.max(0.0) + 2.0)).sqrt().clamp(0.05, 1.0))
    }

    /// What exporters add beside the common profile: normal maps, and backs that are drawn.
    fn extras(&mut self, effect: Tag<'a>, material: &mut Material) {
        for tag in effect.descendants() {
            match xml::name(tag) {
                "double_sided" => {
                    let word = tag.text();
                    material.double_sided |= matches!(word.trim(), "1" | "true" | "1.0");
                }
                "bump" | "normal" if material.normal_texture.is_none() => {
                    let Some(texture) = xml::child(tag, "texture") else { continue };
                    let kind = tag.attribute("bumptype").unwrap_or("HEIGHTFIELD");
                    if kind == "NORMALMAP" || xml::name(tag) == "normal" {
                        let slot = Slot { color: None, texture: Some(texture) };
                        material.normal_texture = self.texture(slot);
                    } else {
                        let text = "a bump map of heights is left out";
                        self.context.notes.add(self.xml.place(tag), text);
                    }
                }
                _ => {}
            }
        }
    }
}
