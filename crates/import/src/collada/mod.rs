//! COLLADA 1.4 and 1.5: XML text with meshes, skins, morphs and animations.
//!
//! In:  the bytes of a `.dae` file.
//! Out: parts in the file's own space, and its unit and axes.
//!
//! The document is read in the order in which things need each other: animations first, since
//! what they drive decides how a node's transforms are split; then nodes; then meshes, lights and cameras.

mod animation;
mod bind;
mod clip;
mod color;
mod controller;
mod curve;
mod document;
mod driven;
mod encoding;
mod faces;
mod geometry;
mod graph;
mod instance;
mod join;
mod light_camera;
mod material;
mod matrix;
mod mesh;
mod morph;
mod motion;
mod numbers;
mod skin;
mod source;
mod stack;
mod step;
#[cfg(test)]
mod tests;
mod texture;
mod track;
mod trs;
mod xml;

use glam::Mat3;
use sinew_scene::SceneParts;

use crate::axes::WorldFromFile;
use crate::open::{Context, Raw};
use crate::{ImportError, Place};

use clip::Stage;
use document::Document;
use instance::Instances;
use source::Sources;
use xml::Xml;

pub(crate) fn read(bytes: &[u8], context: &mut Context<'_>) -> Result<Raw, ImportError> {
    let text = encoding::decode(bytes, &mut context.notes)?;
    let document = Document::parse(&text)?;
    let xml = Xml::new(&document, &mut context.notes);
    if xml::name(xml.root) != "COLLADA" {
        let found = crate::files::shorten(xml::name(xml.root));
        let text = format!("expected <COLLADA>, found <{found}>");
        return Err(ImportError::malformed(xml.place(xml.root), text));
    }
    let mut sources = Sources::default();
    let channels = animation::read(&xml, &mut sources, &mut context.notes)?;
    let graph = graph::read(&xml, &channels, context)?;
    let mut instances = Instances::default();
    let mut parts = SceneParts::default();
    for (joint, tag) in &graph.uses {
        match xml::name(*tag) {
            "instance_light" => {
                parts.lights.extend(light_camera::light(&xml, *joint, *tag, &mut context.notes)?);
            }
            "instance_camera" => {
                parts.cameras.extend(light_camera::camera(&xml, *joint, *tag, &mut context.notes)?);
            }
            _ => instances.add(&xml, &graph, *joint, *tag, &mut sources, context)?,
        }
    }
    parts.meshes = instances.take_meshes();
    let weights: Vec<Vec<f32>> =
        instances.instances.iter().map(|instance| instance.weights.clone()).collect();
    let stage = Stage {
        xml: &xml,
        channels: &channels,
        moving: &graph.moving,
        morphed: &instances.morphed,
        weights: &weights,
    };
    parts.clips = clip::read(&stage, context)?;
    parts.nodes = graph.nodes;
    parts.skins = instances.skins;
    parts.instances = instances.instances;
    parts.materials = instances.materials.materials;
    parts.textures = instances.materials.textures.textures;
    parts.images = instances.materials.textures.images;
    Ok(Raw::new(parts, world_from_file(&xml, context)))
}

/// The file's unit and axes; what cannot be used is taken as metres and Y up.
fn world_from_file(xml: &Xml<'_>, context: &mut Context<'_>) -> WorldFromFile {
    let asset = xml::child(xml.root, "asset");
    let up = asset.and_then(|asset| xml::child(asset, "up_axis"));
    let up = up.map(|tag| tag.text().trim().to_owned());
    let axes = match up.as_deref() {
        Some("X_UP") => WorldFromFile::X_UP,
        Some("Z_UP") => WorldFromFile::Z_UP,
        _ => Mat3::IDENTITY,
    };
    let unit = asset.and_then(|asset| xml::child(asset, "unit"));
    let metres = unit.and_then(|unit| unit.attribute("meter"));
    let metres = metres.map_or(Some(1.0), |text| text.trim().replace(',', ".").parse().ok());
    WorldFromFile::new(metres.unwrap_or(0.0), axes).unwrap_or_else(|| {
        context
            .notes
            .add(Place::Whole, "the file's unit is no number of metres; it is taken as one");
        WorldFromFile::new(1.0, axes).unwrap_or(WorldFromFile::SAME)
    })
}
