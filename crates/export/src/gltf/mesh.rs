//! Meshes: attributes, indices and morph targets.
//!
//! In:  a mesh of the scene and the form it is used in. Out: a mesh of the document; every attribute that the scene has is in it.
//!
//! Vertices that are drawn one after the other need no indices, and a primitive that draws nothing is left out.

use glam::Vec3;
use sinew_scene::{Mesh, Primitive, Scene, Topology};

use super::buffer::{Buffers, Elements, Use, index_list};
use super::json::Object;
use super::layout::{DocMesh, Form, is_drawn};
use super::note::Notes;
use super::precision::GltfPrecision;
use super::{influence, morph, surface};
use crate::ExportError;

pub(super) fn write(
    scene: &Scene,
    placed: &DocMesh,
    precision: GltfPrecision,
    buffers: &mut Buffers,
    notes: &mut Notes,
) -> Result<Object, ExportError> {
    let mesh = &scene[placed.mesh];
    let mut writer = Writer { scene, form: placed.form, precision, buffers, notes };
    let mut primitives = Vec::new();
    for primitive in &mesh.primitives {
        if is_drawn(primitive) {
            primitives.push(writer.primitive(primitive)?);
        } else {
            writer.notes.add("a primitive draws nothing: it is left out");
        }
    }
    let object = Object::new()
        .filled("name", mesh.name.as_str())
        .with("primitives", primitives)
        .filled("weights", placed.weights.clone())
        .filled("extras", extras(mesh));
    Ok(object)
}

/// By custom the names of morph targets are here.
fn extras(mesh: &Mesh) -> Object {
    let named = mesh.morph_names.iter().any(|name| !name.is_empty());
    let names = if named { mesh.morph_names.clone() } else { Vec::new() };
    Object::new().filled("targetNames", names)
}

struct Writer<'a> {
    scene: &'a Scene,
    form: Form,
    precision: GltfPrecision,
    buffers: &'a mut Buffers,
    notes: &'a mut Notes,
}

impl Writer<'_> {
    fn primitive(&mut self, primitive: &Primitive) -> Result<Object, ExportError> {
        let mut attributes = Object::new();
        attributes.set("POSITION", self.buffers.add(positions(&primitive.positions)));
        let material = primitive.material.map(|material| &self.scene[material]);
        for (name, elements) in surface::attributes(primitive, material, self.precision, self.notes)
        {
            attributes.set(&name, self.buffers.add(elements));
        }
        for (name, elements) in self.influences(primitive)? {
            attributes.set(&name, self.buffers.add(elements));
        }
        if !primitive.dual_weights.is_empty() {
            let weights = Elements::floats(Use::Vertex, 1, &primitive.dual_weights);
            attributes.set("_DUAL_WEIGHT", self.buffers.add(weights));
        }
        let mode = match primitive.topology {
            Topology::Points => 0_usize,
            Topology::Lines => 1,
            Topology::Triangles => 4,
        };
        Ok(Object::new()
            .with("attributes", attributes)
            .some("indices", indices(primitive, self.buffers))
            .some("material", primitive.material.map(|material| material.index()))
            .unless("mode", mode, 4)
            .filled("targets", morph::write(primitive, self.buffers)))
    }

    fn influences(
        &mut self,
        primitive: &Primitive,
    ) -> Result<Vec<(String, Elements)>, ExportError> {
        match self.form {
            Form::Skinned(follower) => {
                influence::attributes(primitive, follower, self.precision, self.notes)
            }
            Form::Rigid => {
                let unused = usize::from(!primitive.influences.is_empty());
                let text = "a mesh has weights but is drawn without a skin: they are left out";
                self.notes.add_times(text, unused);
                Ok(Vec::new())
            }
        }
    }
}

fn positions(positions: &[Vec3]) -> Elements {
    let flat = flat3(positions);
    Elements::floats(Use::Vertex, 3, &flat).bounded(&flat)
}

pub(super) fn flat3(vectors: &[Vec3]) -> Vec<f32> {
    vectors.iter().flat_map(|vector| vector.to_array()).collect()
}

/// Left out where vertices are drawn one after the other.
fn indices(primitive: &Primitive, buffers: &mut Buffers) -> Option<usize> {
    let count = primitive.positions.len();
    let in_order = primitive.indices.len() == count
        && primitive.indices.iter().zip(0_u32..).all(|(&index, at)| index == at);
    if in_order {
        return None;
    }
    let most = primitive.indices.iter().max().map_or(0, |&most| most as usize + 1);
    Some(buffers.add(index_list(Use::Index, &primitive.indices, most)))
}
