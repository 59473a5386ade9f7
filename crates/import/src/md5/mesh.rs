//! `.md5mesh`: joints in the pose they were bound in, and meshes whose vertices are weighted sums.
//!
//! A vertex is filed as weights, each with a point in its joint's own space. In the bind pose the
//! points of a vertex fall together; that is where the vertex stands.

use glam::{Affine3A, DAffine3, DVec3, Vec2};
use sinew_scene::{
    Influence, Influences, Instance, JointId, Mesh, MeshId, Node, Primitive, SceneParts, Skin,
    SkinId, Transform,
};

use super::joints::{self, Joint, Pose};
use super::shader::Shaders;
use super::words::Words;
use super::{check_count, check_version};
use crate::open::Context;
use crate::{Error, Place};

/// More than any model has; beyond it a file is an attack on the clock.
const MOST_WEIGHTS: usize = 1024;

/// A vertex as filed.
#[derive(Clone, Copy)]
struct Vertex {
    uv: Vec2,
    /// Which weights are its own.
    first: usize,
    count: usize,
}

/// A joint's pull on a vertex.
#[derive(Clone, Copy)]
struct Weight {
    joint: usize,
    bias: f64,
    /// In the joint's own space.
    point: DVec3,
}

/// A `mesh` block as filed.
#[derive(Default)]
struct Shape {
    shader: String,
    vertices: Vec<Option<Vertex>>,
    triangles: Vec<Option<[u32; 3]>>,
    weights: Vec<Option<Weight>>,
}

pub(super) fn read(words: &mut Words<'_>, context: &mut Context<'_>) -> Result<SceneParts, Error> {
    check_version(words)?;
    let (mut joint_count, mut mesh_count) = (None, None);
    let (mut joints, mut bind) = (Vec::new(), Vec::new());
    let mut shapes = Vec::new();
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().as_slice() {
            b"numjoints" => joint_count = Some(words.count("a number of joints")?),
            b"nummeshes" => mesh_count = Some(words.count("a number of meshes")?),
            b"commandline" => words.skip_line(),
            b"joints" => (joints, bind) = read_joints(words)?,
            b"mesh" => shapes.push(read_shape(words, context)?),
            _ => return Err(words.unexpected("joints or mesh", Some(word))),
        }
    }
    if joint_count.is_none() && joints.is_empty() {
        return Err(words.unexpected("joints", None));
    }
    check_count("joints", joint_count, joints.len(), context);
    check_count("meshes", mesh_count, shapes.len(), context);
    words.tell(context);
    build(joints, &bind, shapes, context)
}

fn read_joints(words: &mut Words<'_>) -> Result<(Vec<Joint>, Vec<Pose>), Error> {
    words.expect(b"{")?;
    let (mut joints, mut bind) = (Vec::new(), Vec::new());
    while !words.passes(b'}') {
        let name = words.name("a joint's name or }")?;
        joints.push(Joint { name, parent: joints::parent(words)? });
        bind.push(Pose::read(words)?);
    }
    Ok((joints, bind))
}

fn read_shape(words: &mut Words<'_>, context: &mut Context<'_>) -> Result<Shape, Error> {
    words.expect(b"{")?;
    let mut shape = Shape::default();
    while !words.passes(b'}') {
        let word = words.next();
        match word.map(<[u8]>::to_ascii_lowercase).as_deref() {
            Some(b"shader") => shape.shader = words.name("a shader's name")?,
            Some(b"numverts") => shape.vertices = room(words, context)?,
            Some(b"numtris") => shape.triangles = room(words, context)?,
            Some(b"numweights") => shape.weights = room(words, context)?,
            Some(b"vert") => {
                let at = words.index("a vertex number", shape.vertices.len())?;
                shape.vertices[at] = Some(Vertex::read(words)?);
            }
            Some(b"tri") => {
                let at = words.index("a triangle number", shape.triangles.len())?;
                shape.triangles[at] = Some(triangle(words, shape.vertices.len())?);
            }
            Some(b"weight") => {
                let at = words.index("a weight number", shape.weights.len())?;
                shape.weights[at] = Some(Weight::read(words)?);
            }
            _ => return Err(words.unexpected("vert, tri, weight or }", word)),
        }
    }
    Ok(shape)
}

/// Room for as many entries as the file says will follow.
fn room<T: Copy>(
    words: &mut Words<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Option<T>>, Error> {
    let count = words.entries("a number of entries")?;
    context.budget.take(count, size_of::<Option<T>>(), &words.place())?;
    Ok(vec![None; count])
}

impl Vertex {
    fn read(words: &mut Words<'_>) -> Result<Self, Error> {
        let [u, v] = words.numbers()?;
        let first = words.count("a first weight")?;
        let count = words.count("a number of weights")?;
        Ok(Self { uv: glam::DVec2::new(u, v).as_vec2(), first, count })
    }
}

impl Weight {
    fn read(words: &mut Words<'_>) -> Result<Self, Error> {
        let joint = words.count("a joint's number")?;
        Ok(Self { joint, bias: words.number()?, point: words.vector()? })
    }
}

/// Filed clockwise as seen from the front; turned over here.
fn triangle(words: &mut Words<'_>, vertices: usize) -> Result<[u32; 3], Error> {
    let mut corner = || {
        let index = words.index("a vertex of a triangle", vertices)?;
        u32::try_from(index)
            .map_err(|_| Error::out_of_range(Place::Whole, "a mesh has too many vertices"))
    };
    let [a, b, c] = [corner()?, corner()?, corner()?];
    Ok([a, c, b])
}

fn build(
    joints: Vec<Joint>,
    bind: &[Pose],
    shapes: Vec<Shape>,
    context: &mut Context<'_>,
) -> Result<SceneParts, Error> {
    let parents: Vec<_> = joints.iter().map(|joint| joint.parent).collect();
    let parent_from_joint = |joint: usize| match parents[joint].and_then(|at| bind.get(at)) {
        Some(parent) => bind[joint].seen_from(*parent),
        None => bind[joint],
    };
    let (mut nodes, node_of) = joints::nodes(joints, parent_from_joint)?;
    // A skinned mesh goes where its joints go; it only needs some node to hang on.
    if nodes.is_empty() {
        nodes.push(Node::new("model", None, Transform::IDENTITY));
    }
    let joint_from_mesh = bind.iter().map(|pose| inverse(*pose)).collect();
    let skin = Skin { joints: node_of, joint_from_mesh, ..Skin::default() };
    let mut parts = SceneParts { nodes, skins: vec![skin], ..SceneParts::default() };
    let mut shaders = Shaders::default();
    let mut troubles = Troubles::default();
    for (at, shape) in shapes.into_iter().enumerate() {
        let place = Place::part(format!("mesh {at}"));
        let mut primitive = primitive(&shape, bind, &place, &mut troubles, context)?;
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
    troubles.tell(context);
    shaders.give(&mut parts);
    Ok(parts)
}

fn inverse(pose: Pose) -> Affine3A {
    let inverse = DAffine3::from_rotation_translation(pose.rotation, pose.translation).inverse();
    Affine3A::from_mat3_translation(inverse.matrix3.as_mat3(), inverse.translation.as_vec3())
}

/// What is told once for all vertices.
#[derive(Default)]
struct Troubles {
    sums: usize,
    none: usize,
    apart: usize,
}

impl Troubles {
    fn tell(&self, context: &mut Context<'_>) {
        let mut say = |count: usize, what: &str| {
            if count > 0 {
                context.notes.add(Place::Whole, format!("{count} vertices {what}"));
            }
        };
        say(self.sums, "have weights that do not sum to one: they are made to");
        say(self.none, "have no weight: they stand at the origin");
        say(self.apart, "have weights that disagree on where they stand: the middle is used");
    }
}

fn primitive(
    shape: &Shape,
    bind: &[Pose],
    place: &Place,
    troubles: &mut Troubles,
    context: &mut Context<'_>,
) -> Result<Primitive, Error> {
    let vertices: Vec<Vertex> = complete(&shape.vertices, "verts", place)?;
    let weights: Vec<Weight> = complete(&shape.weights, "weights", place)?;
    let triangles: Vec<[u32; 3]> = complete(&shape.triangles, "tris", place)?;
    if let Some(weight) = weights.iter().find(|weight| weight.joint >= bind.len()) {
        let text = format!("expected a joint below {}, found {}", bind.len(), weight.joint);
        return Err(Error::out_of_range(place.clone(), text));
    }
    let mut positions = Vec::with_capacity(vertices.len());
    let mut influences = Influences::with_capacity(vertices.len(), 2);
    for vertex in &vertices {
        let end = vertex.first.saturating_add(vertex.count);
        let Some(own) = weights.get(vertex.first..end) else {
            let text = format!("expected weights up to {}, found up to {end}", weights.len());
            return Err(Error::out_of_range(place.clone(), text));
        };
        if own.len() > MOST_WEIGHTS {
            let text =
                format!("expected at most {MOST_WEIGHTS} weights a vertex, found {}", own.len());
            return Err(Error::out_of_range(place.clone(), text));
        }
        context.budget.take(own.len(), size_of::<Influence>(), place)?;
        positions.push(place_vertex(own, bind, &mut influences, troubles).as_vec3());
    }
    Ok(Primitive {
        indices: triangles.into_flattened(),
        positions,
        uvs: vec![vertices.iter().map(|vertex| vertex.uv).collect()],
        influences,
        ..Primitive::default()
    })
}

/// Where a vertex stands in the bind pose; its pulls are added to `influences`.
fn place_vertex(
    weights: &[Weight],
    bind: &[Pose],
    influences: &mut Influences,
    troubles: &mut Troubles,
) -> DVec3 {
    let usable = weights.iter().any(|weight| weight.bias > 0.0);
    // With no weight above zero the first pulls alone.
    let own = if usable { weights } else { &weights[..weights.len().min(1)] };
    let bias = |weight: &Weight| if usable { weight.bias.max(0.0) } else { 1.0 };
    #[allow(clippy::cast_possible_truncation, reason = "rounding is meant; joints are checked")]
    let sum = influences.push(
        own.iter()
            .map(|weight| Influence { joint: weight.joint as u32, weight: bias(weight) as f32 }),
    );
    if own.is_empty() {
        troubles.none += 1;
        return DVec3::ZERO;
    }
    // Exporters write few digits: a sum within a thousandth is what they meant by one.
    troubles.sums += usize::from(!usable || (sum - 1.0).abs() > 1e-3);
    let total: f64 = own.iter().map(bias).sum();
    let point = |weight: &Weight| bind[weight.joint].point(weight.point);
    let middle = own.iter().map(|weight| point(weight) * (bias(weight) / total)).sum::<DVec3>();
    let reach = 1e-3 * (1.0 + middle.abs().max_element());
    let is_apart = |weight: &Weight| {
        bias(weight) > 0.0 && (point(weight) - middle).abs().max_element() > reach
    };
    troubles.apart += usize::from(own.iter().any(is_apart));
    middle
}

fn complete<T: Copy>(found: &[Option<T>], what: &str, place: &Place) -> Result<Vec<T>, Error> {
    let all: Vec<T> = found.iter().flatten().copied().collect();
    if all.len() == found.len() {
        return Ok(all);
    }
    let text = format!("expected {} {what}, found {}", found.len(), all.len());
    Err(Error::truncated(place.clone(), text))
}
