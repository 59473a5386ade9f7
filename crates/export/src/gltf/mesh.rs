//! Meshes: attributes, indices and morph targets.
//!
//! In:  a mesh of the scene and the form it is used in. Out: a mesh of the document; every attribute that the scene has is in it.
//!
//! Vertices that are drawn one after the other need no indices, and a primitive that draws nothing is left out.

use glam::Vec3;
use sinew_scene::{Influences, Mesh, Primitive, Scene, Topology};

use super::buffer::Buffers;
#[cfg(feature = "draco")]
use super::elements::index_list;
use super::elements::{Component, Elements, Use};
use super::grid::Grid;
use super::json::Object;
use super::layout::{DocMesh, Form, is_drawn};
use super::note::Notes;
use super::{GltfCompression, GltfOptions, GltfPrecision, influence, morph, surface, variant};
use crate::ExportError;

pub(super) fn write<'a>(
    scene: &'a Scene,
    placed: &DocMesh,
    grid: Option<Grid>,
    options: &GltfOptions,
    buffers: &mut Buffers<'a>,
    notes: &mut Notes,
) -> Result<Object, ExportError> {
    let mesh = &scene[placed.mesh];
    let others = options.influences.iter().filter(|others| others.0 == placed.mesh.index());
    let others = others.map(|(_, primitive, influences)| (*primitive, influences)).collect();
    let mut writer = Writer { scene, form: placed.form, grid, options, others, buffers, notes };
    let mut primitives = Vec::new();
    for (number, primitive) in mesh.primitives.iter().enumerate() {
        if is_drawn(primitive) {
            primitives.push(writer.primitive(primitive, number)?);
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

struct Writer<'w, 'a> {
    scene: &'a Scene,
    form: Form,
    grid: Option<Grid>,
    options: &'w GltfOptions,
    /// Influences in place of those of some of the mesh's primitives.
    others: Vec<(usize, &'w Influences)>,
    buffers: &'w mut Buffers<'a>,
    notes: &'w mut Notes,
}

impl<'a> Writer<'_, 'a> {
    fn primitive(
        &mut self,
        primitive: &'a Primitive,
        number: usize,
    ) -> Result<Object, ExportError> {
        let all = self.attributes(primitive, number)?;
        let mode = match primitive.topology {
            Topology::Points => 0_usize,
            Topology::Lines => 1,
            Topology::Triangles => 4,
        };
        let compressed = self.options.compression == GltfCompression::Draco && mode == 4;
        let object =
            if compressed { self.packed(primitive, all)? } else { self.plain(primitive, all) };
        let object = match variant::mappings(primitive) {
            Some(mappings) => object.extension(super::extension::VARIANTS, mappings),
            None => object,
        };
        Ok(object
            .some("material", primitive.material.map(|material| material.index()))
            .unless("mode", mode, 4)
            .filled("targets", morph::write(primitive, self.grid, self.options, self.buffers)))
    }

    /// Attributes and indices, each with an accessor of its own bytes.
    fn plain(&mut self, primitive: &'a Primitive, all: Vec<(String, Elements<'a>)>) -> Object {
        let mut attributes = Object::new();
        for (name, elements) in all {
            attributes.set(&name, self.buffers.add(elements));
        }
        Object::new()
            .with("attributes", attributes)
            .some("indices", indices(primitive, self.buffers))
    }

    /// Attributes and indices in one view; their accessors say what is in it.
    #[cfg(feature = "draco")]
    fn packed(
        &mut self,
        primitive: &Primitive,
        all: Vec<(String, Elements<'_>)>,
    ) -> Result<Object, ExportError> {
        let made = super::draco::packed(primitive.positions.len(), &primitive.indices, &all)?;
        let (mut attributes, mut numbers) = (Object::new(), Object::new());
        for ((name, elements), (_, number)) in all.iter().zip(&made.attributes) {
            attributes.set(name, self.buffers.add_outside(elements));
            numbers.set(name, *number);
        }
        let most = primitive.indices.iter().max().map_or(0, |&most| most as usize + 1);
        let indices = index_list(Use::Triangles, &primitive.indices, most);
        let how = Object::new()
            .with("bufferView", self.buffers.add_whole(super::bin::Bytes::Own(made.bytes)))
            .with("attributes", numbers);
        Ok(Object::new()
            .with("attributes", attributes)
            .with("indices", self.buffers.add_outside(&indices))
            .extension(super::extension::DRACO, how))
    }

    #[cfg(not(feature = "draco"))]
    fn packed(
        &mut self,
        _: &Primitive,
        _: Vec<(String, Elements<'_>)>,
    ) -> Result<Object, ExportError> {
        Err(ExportError::Invalid("expected a build with the feature draco, found none".into()))
    }

    fn attributes(
        &mut self,
        primitive: &'a Primitive,
        number: usize,
    ) -> Result<Vec<(String, Elements<'a>)>, ExportError> {
        let mut all = vec![("POSITION".to_owned(), positions(&primitive.positions, self.grid))];
        let material = primitive.material.map(|material| &self.scene[material]);
        all.extend(surface::attributes(primitive, material, self.options.precision, self.notes));
        all.extend(self.influences(primitive, number)?);
        if !primitive.dual_weights.is_empty() {
            let weights = Elements::scene_floats(Use::Vertex, 1, &primitive.dual_weights);
            all.push(("_DUAL_WEIGHT".to_owned(), weights));
        }
        Ok(all)
    }

    fn influences(
        &mut self,
        primitive: &Primitive,
        number: usize,
    ) -> Result<Vec<(String, Elements<'static>)>, ExportError> {
        match self.form {
            Form::Skinned(follower) => {
                let own = &primitive.influences;
                let others = self.others.iter().find(|(at, _)| *at == number);
                let influences = others.map_or(own, |(_, others)| others);
                let vertices = primitive.positions.len();
                if !influences.is_empty() && influences.len() != vertices {
                    let found = influences.len();
                    let text = format!("expected influences of {vertices} vertices, found {found}");
                    return Err(ExportError::Invalid(text));
                }
                let rounds = self.options.precision >= GltfPrecision::Rounded
                    || self.options.rounded_weights;
                let source = influence::Source { vertices, influences, follower, rounds };
                influence::attributes(&source, self.notes)
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

fn positions(positions: &[Vec3], grid: Option<Grid>) -> Elements<'_> {
    if let Some(grid) = grid {
        let steps: Vec<[i16; 3]> = positions.iter().map(|&position| grid.steps(position)).collect();
        return Elements::steps(Use::Vertex, Component::I16, &steps);
    }
    let flat = bytemuck::cast_slice(positions);
    Elements::scene_floats(Use::Vertex, 3, flat).bounded(flat)
}

pub(super) fn flat3(vectors: &[Vec3]) -> Vec<f32> {
    vectors.iter().flat_map(|vector| vector.to_array()).collect()
}

/// Left out where vertices are drawn one after the other.
fn indices<'a>(primitive: &'a Primitive, buffers: &mut Buffers<'a>) -> Option<usize> {
    let count = primitive.positions.len();
    let in_order = primitive.indices.len() == count
        && primitive.indices.iter().zip(0_u32..).all(|(&index, at)| index == at);
    if in_order {
        return None;
    }
    let most = primitive.indices.iter().max().map_or(0, |&most| most as usize + 1);
    let purpose = match primitive.topology {
        Topology::Triangles => Use::Triangles,
        _ => Use::Index,
    };
    Some(buffers.add_indices(purpose, &primitive.indices, most))
}
