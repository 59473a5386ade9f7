//! Draco streams, decoded by `draco-core`, which answers damaged streams with errors: nothing here catches a panic.
//!
//! In:  a stream and the unique ids of the attributes wanted. Out: a checked [`Primitive`].

use draco_core::{
    DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute, PointIndex,
};

use super::{Attribute, Component, Primitive};

/// Draco has more types than glTF.
fn component_of(data_type: DataType) -> Option<Component> {
    match data_type {
        DataType::Int8 => Some(Component::I8),
        DataType::Uint8 | DataType::Bool => Some(Component::U8),
        DataType::Int16 => Some(Component::I16),
        DataType::Uint16 => Some(Component::U16),
        DataType::Int32 => Some(Component::I32),
        DataType::Uint32 => Some(Component::U32),
        DataType::Float32 => Some(Component::F32),
        _ => None,
    }
}

/// Decodes the triangles of `source` and the attributes with the unique ids of `wanted`.
pub(crate) fn decode(source: &[u8], wanted: &[u32]) -> Result<Primitive, String> {
    check_header(source)?;
    let mut mesh = Mesh::new();
    let mut buffer = DecoderBuffer::new(source).with_limits(limits(source.len()));
    MeshDecoder::new()
        .decode(&mut buffer, &mut mesh)
        .map_err(|error| format!("draco stream of {} bytes: {error}", source.len()))?;

    let vertices = mesh.num_points();
    let indices: Vec<u32> = mesh.faces().as_flattened().iter().map(|point| point.0).collect();
    if let Some(index) = indices.iter().find(|&&index| index as usize >= vertices) {
        return Err(format!("draco triangle names vertex {index}, but there are {vertices}"));
    }
    let attributes = wanted.iter().map(|&id| attribute(&mesh, id));
    Ok(Primitive { vertices, indices, attributes: attributes.collect::<Result<_, _>>()? })
}

/// The header names what follows; only triangles are allowed in glTF.
fn check_header(source: &[u8]) -> Result<(), String> {
    let Some((header, _)) = source.split_first_chunk::<11>() else {
        return Err(format!("draco stream must have a header of 11 bytes, found {}", source.len()));
    };
    if !header.starts_with(b"DRACO") {
        return Err("draco stream must begin with DRACO".into());
    }
    match header[7] {
        1 => Ok(()),
        0 => Err("draco stream must hold triangles, found a point cloud".into()),
        other => Err(format!("draco stream must hold triangles, found geometry of type {other}")),
    }
}

/// A constant attribute takes no bytes at all however many vertices share it, so the length of a
/// stream bounds nothing; these ceilings do. They are generous: a rigged figure
/// with normals and weights decodes to about 6 bytes for each byte.
fn limits(source: usize) -> DecodeLimits {
    let source = source as u64;
    DecodeLimits::default()
        .with_max_points(65_536 + 64 * source)
        .with_max_faces(65_536 + 64 * source)
        .with_max_decoded_bytes((1024 * source + (4 << 20)).min(1 << 30))
}

fn attribute(mesh: &Mesh, id: u32) -> Result<Attribute, String> {
    let attribute = mesh.attribute_by_unique_id(id).ok_or_else(|| {
        let ids = (0..mesh.num_attributes()).map(|at| mesh.attribute(at).unique_id());
        let ids: Vec<u32> = ids.collect();
        format!("draco stream has no attribute {id}, only {ids:?}")
    })?;
    let data_type = attribute.data_type();
    let component = component_of(data_type).ok_or_else(|| {
        format!("draco attribute {id} has components of {data_type:?}, unknown to glTF")
    })?;
    let components = usize::from(attribute.num_components());
    if !(1..=4).contains(&components) {
        return Err(format!(
            "draco attribute {id} must have 1 to 4 components, found {components}"
        ));
    }
    let bytes = values(attribute, mesh.num_points(), component.size() * components)
        .map_err(|vertex| format!("draco attribute {id} has no value for vertex {vertex}"))?;
    Ok(Attribute { component, normalized: attribute.normalized(), components, bytes })
}

/// The values in vertex order; the error is the first vertex without one.
fn values(attribute: &PointAttribute, vertices: usize, size: usize) -> Result<Vec<u8>, u32> {
    let data = attribute.buffer().data();
    let stride = usize::try_from(attribute.byte_stride()).unwrap_or(size);
    let mut bytes = Vec::with_capacity(vertices * size);
    for vertex in 0..vertices as u32 {
        let at = attribute.mapped_index(PointIndex(vertex)).0 as usize;
        let value = at
            .checked_mul(stride)
            .filter(|_| at < attribute.size())
            .and_then(|begin| data.get(begin..begin.checked_add(size)?));
        bytes.extend_from_slice(value.ok_or(vertex)?);
    }
    Ok(bytes)
}
