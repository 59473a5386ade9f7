//! `.md5mesh`: joints in the pose they were bound in, and meshes whose vertices are weighted sums.
//!
//! In:  the text of the file.
//! Out: a node per joint, one skin and a mesh per `mesh` block; [`super::binding`] has the sums.

use glam::Vec2;
use sinew_scene::{
    Geometry, Influences, Instance, JointId, Mesh, MeshId, Node, Primitive, SceneParts, SkinId,
    Transform,
};

use super::binding::{Binding, Weight};
use super::joints::{self, Joint, Pose};
use super::shader::Shaders;
use super::words::{Words, keyword};
use super::{check_count, check_version};
use crate::open::Context;
use crate::{ImportError, Place};

/// A vertex as filed.
#[derive(Clone, Copy)]
struct Vertex {
    uv: Vec2,
    /// Which weights are its own.
    first: usize,
    count: usize,
}

/// A `mesh` block as filed.
#[derive(Default)]
struct Shape {
    shader: String,
    vertices: Vec<Option<Vertex>>,
    triangles: Vec<Option<[u32; 3]>>,
    weights: Vec<Option<Weight>>,
}

/// What has been read so far.
#[derive(Default)]
struct File {
    joint_count: Option<usize>,
    mesh_count: Option<usize>,
    joints: Vec<Joint>,
    bind: Vec<Pose>,
    shapes: Vec<Shape>,
}

pub(super) fn read(
    words: &mut Words<'_>,
    context: &mut Context<'_>,
) -> Result<SceneParts, ImportError> {
    check_version(words, context)?;
    let mut file = File::default();
    while let Some(word) = words.next() {
        let whole = file.mesh_count.is_some_and(|count| file.shapes.len() >= count);
        match keyword(word).as_slice() {
            b"numjoints" => file.joint_count = Some(words.count("a number of joints")?),
            b"nummeshes" => file.mesh_count = Some(words.count("a number of meshes")?),
            b"commandline" => words.skip_line(),
            b"joints" => (file.joints, file.bind) = read_joints(words)?,
            b"mesh" => file.shapes.push(read_shape(words, context)?),
            _ if whole && !file.joints.is_empty() => {
                words.leave_tail("the last mesh", word, context);
                break;
            }
            _ => return Err(words.unexpected("joints or mesh", Some(word))),
        }
    }
    if file.joint_count.is_none() && file.joints.is_empty() {
        return Err(words.unexpected("joints", None));
    }
    check_count("joints", file.joint_count, file.joints.len(), context);
    check_count("meshes", file.mesh_count, file.shapes.len(), context);
    words.report(context);
    build(file, context)
}

fn read_joints(words: &mut Words<'_>) -> Result<(Vec<Joint>, Vec<Pose>), ImportError> {
    words.expect(b"{")?;
    let (mut joints, mut bind) = (Vec::new(), Vec::new());
    while !words.passes(b'}') {
        let name = words.name("a joint's name or }")?;
        joints.push(Joint { name, parent: joints::parent(words)? });
        bind.push(Pose::read(words)?);
    }
    Ok((joints, bind))
}

fn read_shape(words: &mut Words<'_>, context: &mut Context<'_>) -> Result<Shape, ImportError> {
    words.expect(b"{")?;
    let mut shape = Shape::default();
    while !words.passes(b'}') {
        let Some(word) = words.next() else {
            return Err(words.unexpected("vert, tri, weight or }", None));
        };
        match keyword(word).as_slice() {
            b"shader" => shape.shader = words.name("a shader's name")?,
            b"numverts" => shape.vertices = room(words, context)?,
            b"numtris" => shape.triangles = room(words, context)?,
            b"numweights" => shape.weights = room(words, context)?,
            b"vert" => {
                let at = words.index("a vertex number", shape.vertices.len())?;
                shape.vertices[at] = Some(Vertex::read(words)?);
            }
            b"tri" => {
                let at = words.index("a triangle number", shape.triangles.len())?;
                shape.triangles[at] = Some(triangle(words, shape.vertices.len())?);
            }
            b"weight" => {
                let at = words.index("a weight number", shape.weights.len())?;
                shape.weights[at] = Some(Weight::read(words)?);
            }
            _ => return Err(words.unexpected("vert, tri, weight or }", Some(word))),
        }
    }
    Ok(shape)
}

/// Room for as many entries as the file says will follow.
fn room<T: Copy>(
    words: &mut Words<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Option<T>>, ImportError> {
    let count = words.entries("a number of entries")?;
    context.budget.take(count, size_of::<Option<T>>(), &words.place())?;
    Ok(vec![None; count])
}

impl Vertex {
    fn read(words: &mut Words<'_>) -> Result<Self, ImportError> {
        let [u, v] = words.numbers()?;
        let first = words.count("a first weight")?;
        let count = words.count("a number of weights")?;
        Ok(Self { uv: glam::DVec2::new(u, v).as_vec2(), first, count })
    }
}

/// Filed clockwise as seen from the front; its order is reversed here.
fn triangle(words: &mut Words<'_>, vertices: usize) -> Result<[u32; 3], ImportError> {
    let mut corner = || {
        let index = words.index("a vertex of a triangle", vertices)?;
        u32::try_from(index)
            .map_err(|_| ImportError::out_of_range(Place::Whole, "a mesh has too many vertices"))
    };
    let [a, b, c] = [corner()?, corner()?, corner()?];
    Ok([a, c, b])
}

fn build(file: File, context: &mut Context<'_>) -> Result<SceneParts, ImportError> {
    let bind = &file.bind;
    let parents: Vec<_> = file.joints.iter().map(|joint| joint.parent).collect();
    let parent_from_joint = |joint: usize| match parents[joint].and_then(|at| bind.get(at)) {
        Some(parent) => bind[joint].seen_from(*parent),
        None => bind[joint],
    };
    let (mut nodes, node_of) = joints::nodes(file.joints, parent_from_joint)?;
    // A skinned mesh goes where its joints go; it only needs some node to hang on.
    if nodes.is_empty() {
        nodes.push(Node::new("model", None, Transform::IDENTITY));
    }
    let mut binding = Binding::new(bind, node_of);
    let mut parts = SceneParts::default();
    let mut shaders = Shaders::default();
    for (at, shape) in file.shapes.into_iter().enumerate() {
        let place = Place::part(format!("mesh {at}"));
        let mut primitive = primitive(&shape, &mut binding, &place, context)?;
        primitive.material = Some(shaders.material(&shape.shader, context));
        parts.meshes.push(Mesh {
            name: shape.shader,
            primitives: vec![primitive],
            ..Mesh::default()
        });
        parts.instances.push(Instance {
            joint: JointId::new(0),
            mesh: MeshId::new(at),
            skin: Some(SkinId::new(0)),
            weights: Vec::new(),
        });
    }
    binding.report(context);
    parts.skins.push(binding.into_skin(&mut nodes));
    parts.nodes = nodes;
    shaders.give(&mut parts);
    Ok(parts)
}

fn primitive(
    shape: &Shape,
    binding: &mut Binding<'_>,
    place: &Place,
    context: &mut Context<'_>,
) -> Result<Primitive, ImportError> {
    let vertices: Vec<Vertex> = complete(&shape.vertices, "verts", place)?;
    let weights: Vec<Weight> = complete(&shape.weights, "weights", place)?;
    let triangles: Vec<[u32; 3]> = complete(&shape.triangles, "tris", place)?;
    binding.open(&weights, place)?;
    let mut positions = Vec::with_capacity(vertices.len());
    let mut influences = Influences::with_capacity(vertices.len(), 2);
    for vertex in &vertices {
        let end = vertex.first.saturating_add(vertex.count);
        if end > weights.len() {
            let text = format!("expected weights up to {}, found up to {end}", weights.len());
            return Err(ImportError::out_of_range(place.clone(), text));
        }
        let own = vertex.first..end;
        positions.push(binding.vertex(&weights, own, &mut influences, place, context)?);
    }
    influences.shrink_to_fit();
    Ok(Primitive::from(Geometry {
        indices: triangles.into_flattened(),
        positions,
        uvs: vec![vertices.iter().map(|vertex| vertex.uv).collect()],
        influences,
        ..Geometry::default()
    }))
}

fn complete<T: Copy>(
    found: &[Option<T>],
    what: &str,
    place: &Place,
) -> Result<Vec<T>, ImportError> {
    let all: Vec<T> = found.iter().flatten().copied().collect();
    if all.len() == found.len() {
        return Ok(all);
    }
    let text = format!("expected {} {what}, found {}", found.len(), all.len());
    Err(ImportError::truncated(place.clone(), text))
}
