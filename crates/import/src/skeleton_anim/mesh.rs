//! `.mesh`: vertices with colour and texture coordinates, and triangles; a `.weight` of the same
//! stem skins it.

use glam::{Affine3A, DVec3, Vec2, Vec3, Vec4};
use sinew_scene::{
    Geometry, Instance, JointId, Material, MaterialId, Mesh, MeshId, Node, Primitive, SceneParts,
    Skin, SkinId, Transform,
};

use super::file::{File, floats};
use super::weight;
use crate::files::own_stem;
use crate::open::Context;
use crate::text::name;
use crate::{ImportError, Place};

/// Position, colour, texture coordinates.
const VERTEX: usize = 9 * 4;
/// The name in the longer of the two heads, padded with zeros.
const NAME: usize = 32;

pub(super) fn read(bytes: &[u8], context: &mut Context<'_>) -> Result<SceneParts, ImportError> {
    let mut file = File::new(bytes);
    let filed_name = head(&mut file)?;
    let (vertex_count, index_count) = (file.number()?, file.number()?);
    let vertices = file.take(vertex_count * VERTEX)?;
    let indices = file.take(index_count * 2)?;
    if file.left() > 0 {
        let note = format!("{} bytes after the last index are left out", file.left());
        context.notes.add(file.place(), note);
    }
    let mut primitive = Primitive {
        material: Some(MaterialId::new(0)),
        ..Primitive::from(Geometry {
            indices: triangles(indices, vertex_count, context)?,
            ..Geometry::default()
        })
    };
    read_vertices(vertices, &mut primitive, context);
    face_outward(&mut primitive);
    let stem = own_stem(context.files).map(str::to_owned);
    let bones = add_weights(stem.as_deref(), &mut primitive, context)?;
    let name = filed_name.or(stem).unwrap_or_else(|| "mesh".into());
    Ok(assemble(name, primitive, bones))
}

/// The name, if the head has one.
fn head(file: &mut File<'_>) -> Result<Option<String>, ImportError> {
    match file.take(4)? {
        b"mesh" => Ok(None),
        b"Mesh" => {
            let field = file.take(NAME)?;
            let end = field.iter().position(|&byte| byte == 0).unwrap_or(NAME);
            Ok((end > 0).then(|| name(&field[..end])))
        }
        found => {
            let found = name(found);
            let text = format!("expected \"mesh\" first, found \"{}\"", found.escape_debug());
            Err(ImportError::malformed(Place::Byte(0), text))
        }
    }
}

/// Exporters of this format that swap y and z mirror the mesh and leave its triangles inside out;
/// others do not. What a mesh encloses decides: the volume of one that is inside out is negative.
fn face_outward(geometry: &mut Geometry) {
    let count = geometry.positions.len().max(1) as f64;
    let middle = geometry.positions.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / count;
    let corner = |index: u32| geometry.positions[index as usize].as_dvec3() - middle;
    let (mut volume, mut all) = (0.0, 0.0);
    for &[a, b, c] in geometry.indices.as_chunks::<3>().0 {
        let part = corner(a).dot(corner(b).cross(corner(c)));
        volume += part;
        all += part.abs();
    }
    // An open sheet encloses nothing that decides.
    if volume < -0.05 * all {
        geometry.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
}

fn triangles(
    bytes: &[u8],
    vertices: usize,
    context: &mut Context<'_>,
) -> Result<Vec<u32>, ImportError> {
    let pairs = bytes.as_chunks::<2>().0;
    let mut indices: Vec<u32> =
        pairs.iter().map(|pair| u32::from(u16::from_le_bytes(*pair))).collect();
    if let Some(index) = indices.iter().find(|&&index| index as usize >= vertices) {
        let text = format!("expected an index below {vertices}, found {index}");
        return Err(ImportError::out_of_range(Place::part("indices"), text));
    }
    let over = indices.len() % 3;
    if over > 0 {
        let note = format!("{over} indices after the last whole triangle are left out");
        context.notes.add(Place::part("indices"), note);
        indices.truncate(indices.len() - over);
    }
    Ok(indices)
}

fn read_vertices(bytes: &[u8], geometry: &mut Geometry, context: &mut Context<'_>) {
    let (mut uvs, mut colors) = (Vec::new(), Vec::new());
    let mut unusable = 0_usize;
    for vertex in bytes.chunks_exact(VERTEX) {
        let mut v = [0.0; 9];
        for (value, number) in v.iter_mut().zip(floats(vertex)) {
            unusable += usize::from(!number.is_finite());
            *value = if number.is_finite() { number } else { 0.0 };
        }
        geometry.positions.push(Vec3::new(v[0], v[1], v[2]));
        colors.push(Vec4::new(v[3], v[4], v[5], v[6]));
        // Filed from the bottom of the image up.
        uvs.push(Vec2::new(v[7], 1.0 - v[8]));
    }
    if unusable > 0 {
        let numbers = crate::note::counted(unusable, "number is", "numbers are");
        let note = format!("{numbers} not finite: taken as zero");
        context.notes.add(Place::part("vertices"), note);
    }
    geometry.uvs.push(uvs);
    // White says nothing.
    if colors.iter().any(|&color| color != Vec4::ONE) {
        geometry.colors.push(colors);
    }
}

/// Skins the mesh with the `.weight` beside it, if there is one; gives the number of bones.
fn add_weights(
    stem: Option<&str>,
    geometry: &mut Geometry,
    context: &mut Context<'_>,
) -> Result<usize, ImportError> {
    let Some(stem) = stem else { return Ok(0) };
    let Ok(bytes) = context.files.fetch(&format!("{stem}.weight")) else { return Ok(0) };
    context.budget.add_file(bytes.len());
    let (influences, bones) = weight::read(&bytes, geometry.positions.len(), context)?;
    if bones > 0 {
        geometry.influences = influences;
    }
    Ok(bones)
}

/// Bones that are only known by number are at the origin and do nothing, until a
/// `.skeleton_anim` comes.
fn assemble(name: String, primitive: Primitive, bones: usize) -> SceneParts {
    let placeholder = |bone| Node::new(format!("bone {bone}"), None, Transform::IDENTITY);
    let mut nodes: Vec<Node> = (0..bones).map(placeholder).collect();
    nodes.push(Node::new(name.clone(), None, Transform::IDENTITY));
    let skin = Skin {
        name: "bones".into(),
        joints: (0..bones).map(JointId::new).collect(),
        joint_from_mesh: vec![Affine3A::IDENTITY; bones],
        ..Skin::default()
    };
    let instance = Instance {
        joint: JointId::new(bones),
        mesh: MeshId::new(0),
        skin: (bones > 0).then(|| SkinId::new(0)),
        weights: Vec::new(),
    };
    SceneParts {
        nodes,
        instances: vec![instance],
        meshes: vec![Mesh { name, primitives: vec![primitive], ..Mesh::default() }],
        skins: if bones > 0 { vec![skin] } else { Vec::new() },
        materials: vec![Material { metallic: 0.0, ..Material::default() }],
        ..SceneParts::default()
    }
}
