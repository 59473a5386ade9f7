//! Meshes in the form of `KHR_draco_mesh_compression`.
//!
//! In:  the attributes and triangles of a primitive. Out: its bytes, and the numbers by which attributes are found in them.
//!
//! Vertices and triangles keep their order, so that whatever counts them still holds. Floating-point numbers are rounded to so many steps
//! of their range; whole numbers stay as they are.

use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, Mesh, MeshEncoder,
    PointAttribute,
};

use super::elements::{Component, Elements};
use crate::ExportError;

/// Bits of positions: off by up to a 131,072nd of the mesh's size.
const POSITION_BITS: i32 = 16;
/// Bits of each of the two numbers that a direction is told by: off by up to 0.1°.
const NORMAL_BITS: i32 = 10;
/// Bits of everything else.
const OTHER_BITS: i32 = 14;
/// The method that keeps vertices in their order.
const SEQUENTIAL: i32 = 0;

/// A primitive's bytes, and each attribute's number.
pub(super) struct Packed {
    pub(super) bytes: Vec<u8>,
    pub(super) attributes: Vec<(String, usize)>,
}

pub(super) fn packed(
    vertices: usize,
    indices: &[u32],
    attributes: &[(String, Elements<'_>)],
) -> Result<Packed, ExportError> {
    let mut mesh = Mesh::new();
    let mut options = EncoderOptions::new();
    options.set_encoding_method(SEQUENTIAL);
    mesh.set_num_points(vertices);
    mesh.set_num_faces(indices.len() / 3);
    mesh.set_faces_from_flat_indices(indices);
    let mut numbers = Vec::new();
    for (name, elements) in attributes {
        let id = mesh.add_attribute(attribute(name, elements));
        if elements.component() == Component::F32 {
            options.set_attribute_quantization(id, bits(name));
        }
        numbers.push((name.clone(), mesh.attribute(id).unique_id() as usize));
    }
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut out = EncoderBuffer::new();
    encoder
        .encode(&options, &mut out)
        .map_err(|why| ExportError::Invalid(format!("the Draco encoder refuses a mesh: {why}")))?;
    Ok(Packed { bytes: out.data().to_vec(), attributes: numbers })
}

fn attribute(name: &str, elements: &Elements<'_>) -> PointAttribute {
    let mut attribute = PointAttribute::new();
    let (width, count) = (elements.width(), elements.count());
    let kind = data_type(elements.component());
    attribute.init(meaning(name, elements), width as u8, kind, elements.is_normalized(), count);
    let length = width * kind.byte_length();
    for (at, element) in elements.rows().enumerate() {
        attribute.buffer_mut().write(at * length, &element[..length]);
    }
    attribute
}

/// What Draco makes of an attribute. Directions of whole numbers are plain numbers to it, and so are tangents, which have four.
fn meaning(name: &str, elements: &Elements<'_>) -> GeometryAttributeType {
    match name {
        "POSITION" => GeometryAttributeType::Position,
        "NORMAL" if elements.component() == Component::F32 => GeometryAttributeType::Normal,
        _ if name.starts_with("TEXCOORD_") => GeometryAttributeType::TexCoord,
        _ if name.starts_with("COLOR_") => GeometryAttributeType::Color,
        _ => GeometryAttributeType::Generic,
    }
}

fn bits(name: &str) -> i32 {
    match name {
        "POSITION" => POSITION_BITS,
        "NORMAL" => NORMAL_BITS,
        _ => OTHER_BITS,
    }
}

fn data_type(component: Component) -> DataType {
    match component {
        Component::I8 => DataType::Int8,
        Component::U8 => DataType::Uint8,
        Component::I16 => DataType::Int16,
        Component::U16 => DataType::Uint16,
        Component::U32 => DataType::Uint32,
        Component::F32 => DataType::Float32,
    }
}
