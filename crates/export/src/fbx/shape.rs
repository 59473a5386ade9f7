//! Morph targets as blend shapes: a channel for each, with its weight in percent.
//!
//! In:  the morph targets of a mesh and the weights of an instance.
//! Out: a `BlendShape` deformer of the geometry; the channels, in the order of the targets, for takes to drive.
//!
//! A shape lists the points it moves. FBX has no tangents in it.

use sinew_scene::Mesh;
use sinew_scene::glam::Vec3;

use super::document::{Document, Id};
use super::model::name_or;
use super::properties::Properties;
use super::surface::{Surface, offset};

pub(super) fn shapes(
    mesh: &Mesh,
    weights: &[f32],
    surface: &Surface,
    geometry: Id,
    per_metre: f64,
    document: &mut Document,
) -> Vec<Id> {
    if mesh.morph_count() == 0 {
        return Vec::new();
    }
    let (deformer, node) = document.start("Deformer", &mesh.name, "Deformer", "BlendShape");
    document.add(node.field("Version", 100));
    document.connect(deformer, geometry);
    let mut channels = Vec::with_capacity(weights.len());
    for (number, &weight) in weights.iter().enumerate() {
        let name = name_or(&mesh.morph_names[number], "shape", number);
        let percent = f64::from(weight) * 100.0;
        let (channel, node) = document.start("Deformer", &name, "SubDeformer", "BlendShapeChannel");
        let properties = Properties::default().animatable("DeformPercent", percent);
        document.add(
            node.field("Version", 100)
                .field("DeformPercent", percent)
                .field("FullWeights", vec![100.0])
                .child(properties.node()),
        );
        document.connect(channel, deformer);
        let shape = shape(mesh, number, &name, surface, per_metre, document);
        document.connect(shape, channel);
        channels.push(channel);
    }
    channels
}

fn shape(
    mesh: &Mesh,
    number: usize,
    name: &str,
    surface: &Surface,
    per_metre: f64,
    document: &mut Document,
) -> Id {
    let (mut points, mut moves, mut normals) = (Vec::new(), Vec::new(), Vec::new());
    for (point, &(part, vertex)) in surface.points.iter().enumerate() {
        let target = &mesh.primitives[part].morphs[number];
        let (by, turned) = (offset(&target.positions, vertex), offset(&target.normals, vertex));
        if by != Vec3::ZERO || turned != Vec3::ZERO {
            points.push(point as i32);
            moves.extend((by.as_dvec3() * per_metre).to_array());
            normals.extend(turned.as_dvec3().to_array());
        }
    }
    // Some readers want at least one point.
    if points.is_empty() {
        points.push(0);
        moves.extend([0.0; 3]);
        normals.extend([0.0; 3]);
    }
    let (id, node) = document.start("Geometry", name, "Geometry", "Shape");
    document.add(
        node.field("Version", 100)
            .field("Indexes", points)
            .field("Vertices", moves)
            .field("Normals", normals),
    );
    id
}
