//! Surfaces: `textures`, `tangents`, `colour`, `alpha`.

use std::collections::BTreeMap;

use sinew_import::NoteCode;
#[cfg(feature = "images")]
use sinew_scene::AlphaMode;
use sinew_scene::{ImageData, ImageId, InstanceId, Material, MaterialId, TextureUse, Topology};

use crate::facts::Facts;
use crate::finding::counted;
use crate::table::{COLOUR, TANGENTS, TEXTURES};
use crate::{Finding, Measured, Place};
#[cfg(feature = "images")]
use crate::{Severity, table::ALPHA};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    textures(facts, found);
    tangents(facts, found);
    mixed_use(facts, found);
    looked_into(facts, found);
}

fn image_of(facts: &Facts<'_>, used: Option<TextureUse>) -> Option<ImageId> {
    facts.scene[used?.texture].image
}

fn textures(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let missing =
        facts.scene.images.iter().filter(|image| matches!(image.data, ImageData::Missing));
    let names: Vec<&str> = missing.map(|image| image.name.as_str()).collect();
    if !names.is_empty() {
        let few: Vec<String> = names.iter().take(4).map(|name| format!("{name:?}")).collect();
        let more = if names.len() > few.len() { " and more" } else { "" };
        let message = format!(
            "{} cannot be had: {}{more}",
            counted(names.len(), "image", "images"),
            few.join(", ")
        );
        let measured = Measured::count(names.len(), "images", 0);
        found.push(Finding::new(TEXTURES, Place::whole(), measured, message).times(names.len()));
    } else {
        for note in facts.notes(NoteCode::FileMissing) {
            let measured = Measured::count(note.count, "files", 0);
            found.push(Finding::new(TEXTURES, Place::whole(), measured, note.text.clone()));
        }
    }
    for note in facts.notes(NoteCode::ImageUnreadable) {
        let measured = Measured::count(note.count, "images", 0);
        let place = Place::file(note.place.to_string());
        found.push(Finding::new(TEXTURES, place, measured, note.text.clone()).times(note.count));
    }
    let Some(engine) = facts.engine else { return };
    for image in &facts.scene.images {
        let ImageData::Encoded { media_type, bytes } = &image.data else { continue };
        let side = sinew_import::image::size(bytes).map_or(0, |(width, height)| width.max(height));
        if !media_type.is_empty() && !engine.images.contains(&media_type.as_str()) {
            let message = format!(
                "the image {:?} is {media_type}, which {} does not read",
                image.name, engine.title
            );
            found.push(Finding::new(
                TEXTURES,
                Place::whole(),
                Measured::count(1, "images", 0),
                message,
            ));
        } else if side > engine.image_side {
            let message = format!(
                "the image {:?} is {side} pixels wide or high; {} takes {}",
                image.name, engine.title, engine.image_side
            );
            let measured = Measured::new(side, "pixels", engine.image_side);
            found.push(Finding::new(TEXTURES, Place::whole(), measured, message));
        }
    }
}

fn tangents(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let mut worst: BTreeMap<MaterialId, (InstanceId, usize)> = BTreeMap::new();
    for (at, instance) in facts.scene.instances.iter().enumerate() {
        for primitive in &facts.scene[instance.mesh].primitives {
            let Some(id) = primitive.material else { continue };
            let lacks = primitive.tangents.is_empty() && primitive.topology == Topology::Triangles;
            let mapped = facts.scene[id].normal_texture.is_some() && !facts.scene[id].unlit;
            if mapped && lacks && mirrors_uvs(primitive, &facts.scene[id]) {
                worst.entry(id).or_insert((InstanceId::new(at), 0)).1 += primitive.positions.len();
            }
        }
    }
    for (material, (instance, vertices)) in worst {
        let message = format!(
            "{} no tangents under a normal map, and mirrored texture coordinates",
            counted(vertices, "vertex has", "vertices have")
        );
        let mut place = Place::material(material);
        place.instance = Some(instance);
        found.push(Finding::new(
            TANGENTS,
            place,
            Measured::count(vertices, "vertices", 0),
            message,
        ));
    }
}

/// Whether some triangles have their texture coordinates the other way round than others: only there do programs
/// that make tangents differently show seams.
fn mirrors_uvs(primitive: &sinew_scene::Primitive, material: &Material) -> bool {
    let set = material.normal_texture.map_or(0, |used| used.uv_set as usize);
    let Some(uvs) = primitive.uvs.get(set).filter(|uvs| !uvs.is_empty()) else { return true };
    let mut sides = [false; 2];
    for triangle in primitive.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| uvs[triangle[corner] as usize]);
        let area = (b - a).perp_dot(c - a);
        if area.abs() > 1e-12 {
            sides[usize::from(area > 0.0)] = true;
        }
    }
    sides == [true, true]
}

/// One image as colour and as data.
fn mixed_use(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let mut uses: BTreeMap<ImageId, (Option<MaterialId>, Option<MaterialId>)> = BTreeMap::new();
    for (at, material) in facts.scene.materials.iter().enumerate() {
        let id = MaterialId::new(at);
        for used in [material.base_color_texture, material.emissive_texture] {
            if let Some(image) = image_of(facts, used) {
                uses.entry(image).or_default().0.get_or_insert(id);
            }
        }
        let data = [
            material.normal_texture,
            material.metallic_roughness_texture,
            material.occlusion_texture,
        ];
        for used in data {
            if let Some(image) = image_of(facts, used) {
                uses.entry(image).or_default().1.get_or_insert(id);
            }
        }
    }
    for (image, used) in uses {
        let (Some(_), Some(data)) = used else { continue };
        let message =
            format!("the image {:?} is used as colour and as data", facts.scene[image].name);
        found.push(Finding::new(
            COLOUR,
            Place::material(data),
            Measured::count(1, "images", 0),
            message,
        ));
    }
}

#[cfg(not(feature = "images"))]
fn looked_into(_: &Facts<'_>, _: &mut Vec<Finding>) {}

#[cfg(feature = "images")]
fn looked_into(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let mut looked = Looked::default();
    let mut seen = Vec::new();
    for (at, material) in facts.scene.materials.iter().enumerate() {
        let id = MaterialId::new(at);
        if let Some(image) = image_of(facts, material.normal_texture)
            && !seen.contains(&image)
        {
            seen.push(image);
            normal_map(facts, id, image, &mut looked, found);
        }
        if material.alpha_mode == AlphaMode::Blend {
            blended(facts, id, material, &mut looked, found);
        }
    }
}

/// Images that have been looked into: many materials may share one.
#[cfg(feature = "images")]
#[derive(Default)]
struct Looked(BTreeMap<ImageId, Option<Vec<[u8; 4]>>>);

#[cfg(feature = "images")]
impl Looked {
    fn pixels(&mut self, facts: &Facts<'_>, image: ImageId) -> Option<&Vec<[u8; 4]>> {
        self.0.entry(image).or_insert_with(|| pixels(facts, image)).as_ref()
    }
}

/// The pixels of an image, a few thousand of them; `None` where it is not to be had, or too large to look into.
#[cfg(feature = "images")]
fn pixels(facts: &Facts<'_>, image: ImageId) -> Option<Vec<[u8; 4]>> {
    const LARGEST: u32 = 2048;
    const FEW: usize = 40_000;
    let few = |rgba: &[u8]| {
        let step = (rgba.len() / 4).div_ceil(FEW).max(1);
        rgba.chunks_exact(4).step_by(step).map(|p| [p[0], p[1], p[2], p[3]]).collect()
    };
    match &facts.scene[image].data {
        ImageData::Pixels { rgba, .. } => Some(few(rgba)),
        ImageData::Encoded { bytes, .. } => {
            let (width, height) = sinew_import::image::size(bytes)?;
            (width.max(height) <= LARGEST)
                .then(|| sinew_import::image::decode(bytes).ok())?
                .map(|all| few(&all.rgba))
        }
        ImageData::Missing => None,
    }
}

/// A normal map is blue, and its directions lean to no side on the whole.
#[cfg(feature = "images")]
fn normal_map(
    facts: &Facts<'_>,
    id: MaterialId,
    image: ImageId,
    looked: &mut Looked,
    found: &mut Vec<Finding>,
) {
    const OFF: f32 = 0.25;
    let Some(pixels) = looked.pixels(facts, image).filter(|pixels| !pixels.is_empty()) else {
        return;
    };
    let mean = [0, 1, 2].map(|channel| {
        let sum: f64 = pixels.iter().map(|pixel| f64::from(pixel[channel])).sum();
        (sum / pixels.len() as f64 / 255.0) as f32
    });
    // Two-channel maps leave blue at zero or one.
    let off = (mean[0] - 0.5).abs().max((mean[1] - 0.5).abs());
    let dark = mean[2] < 0.45 && mean[2] > 0.02;
    if off <= OFF && !dark {
        return;
    }
    let message = format!(
        "the normal map {:?} has a mean colour of {:.2} {:.2} {:.2}; expected about 0.50 0.50 and above",
        facts.scene[image].name, mean[0], mean[1], mean[2]
    );
    let measured = Measured::new(off.max(0.5 - mean[2]), "", OFF);
    found.push(Finding::new(COLOUR, Place::material(id), measured, message));
}

#[cfg(feature = "images")]
fn blended(
    facts: &Facts<'_>,
    id: MaterialId,
    material: &Material,
    looked: &mut Looked,
    found: &mut Vec<Finding>,
) {
    let animated = facts
        .scene
        .properties
        .iter()
        .any(|entry| entry.property == sinew_scene::Property::BaseColor(id));
    let vertex_alpha =
        facts.scene.meshes.iter().flat_map(|mesh| &mesh.primitives).any(|primitive| {
            let colors = primitive.colors.iter().flatten();
            primitive.material == Some(id) && colors.clone().any(|color| color.w < 0.995)
        });
    if animated || vertex_alpha || material.base_color.w < 0.995 {
        return;
    }
    let alphas: Vec<u8> = match image_of(facts, material.base_color_texture) {
        None => vec![255],
        Some(image) => match looked.pixels(facts, image) {
            Some(pixels) => pixels.iter().map(|pixel| pixel[3]).collect(),
            None => return,
        },
    };
    let between = alphas.iter().filter(|alpha| (8..248).contains(*alpha)).count();
    let clear = alphas.iter().filter(|alpha| **alpha < 8).count();
    let (share, limit) = (between as f32 / alphas.len() as f32, 0.01);
    if share > limit {
        return;
    }
    let what = if clear == 0 { "opaque everywhere" } else { "either clear or opaque" };
    let message = format!("the material blends, but its alpha is {what}");
    let finding = Finding::new(
        ALPHA,
        Place::material(id),
        Measured::new(share * 100.0, "%", limit * 100.0),
        message,
    );
    let severity = if between == 0 { Severity::Warning } else { Severity::Info };
    found.push(finding.severity(severity));
}
