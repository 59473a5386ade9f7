//! From statements to meshes: vertices are joined where all their numbers agree.
//!
//! A primitive holds what one object draws with one material and one kind of element; faces whose
//! normals are known are kept apart from those whose normals are yet to be made.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec4};
use sinew_scene::{
    Geometry, Instance, JointId, MaterialId, Mesh, MeshId, Node, Primitive, SceneParts, Topology,
    Transform,
};

use super::corner::Corner;
use super::material::Materials;
use super::normals::{Normals, face_normal, has_normals};
use super::statements::{Element, Kind, Model, Smoothing};
use crate::files::own_stem;
use crate::finish::triangulate::triangulate;
use crate::note::counted;
use crate::open::Context;
use crate::{ImportError, Place};

/// What makes a primitive one.
type Draw = (usize, Option<usize>, Kind, bool);
/// What makes two corners one vertex: position, texture coordinate, and a normal of the file, a
/// smoothing group or a face.
type Vertex = (i64, i64, NormalOf);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum NormalOf {
    None,
    File(i64),
    Group(u32),
    Face(usize),
}

#[derive(Default)]
struct Builder {
    made: Geometry,
    vertices: HashMap<Vertex, u32>,
    has_uvs: bool,
}

pub(super) fn scene(
    model: &Model,
    bytes: &[u8],
    context: &mut Context<'_>,
) -> Result<SceneParts, ImportError> {
    let mut faces = Faces::new(model);
    for (at, element) in model.elements.iter().enumerate() {
        faces.add(at, element).map_err(|(kind, text)| {
            let before = &bytes[..element.at.min(bytes.len())];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            ImportError::new(kind, Place::Line(line), text)
        })?;
    }
    faces.report(context);
    let mut materials = Materials::read(&model.libraries, context);
    let mut parts = SceneParts::default();
    let mut made: Vec<Option<MaterialId>> = vec![None; model.materials.len()];
    let mut meshes: Vec<Vec<Primitive>> = model.parts.iter().map(|_| Vec::new()).collect();
    for ((part, material, ..), builder) in faces.draws {
        let mut primitive = builder.finish(model);
        primitive.material = material.map(|at| {
            *made[at].get_or_insert_with(|| materials.make(&model.materials[at], context))
        });
        meshes[part].push(primitive);
    }
    let plain = own_stem(context.files).unwrap_or("model");
    for (name, primitives) in model.parts.iter().zip(meshes) {
        if primitives.is_empty() {
            continue;
        }
        let name = if name.is_empty() { plain } else { name };
        add_mesh(&mut parts, name, primitives);
    }
    materials.give(&mut parts);
    if parts.meshes.is_empty() {
        context.notes.add(Place::Whole, "the file has no faces, lines or points");
    }
    Ok(parts)
}

fn add_mesh(parts: &mut SceneParts, name: &str, primitives: Vec<Primitive>) {
    let (joint, mesh) = (JointId::new(parts.nodes.len()), MeshId::new(parts.meshes.len()));
    parts.nodes.push(Node::new(name, None, Transform::IDENTITY));
    parts.meshes.push(Mesh { name: name.to_owned(), primitives, ..Mesh::default() });
    parts.instances.push(Instance { joint, mesh, skin: None, weights: Vec::new() });
}

/// Elements as they are put into primitives.
struct Faces<'m> {
    model: &'m Model,
    normals: Normals,
    draws: Vec<(Draw, Builder)>,
    place_of: HashMap<Draw, usize>,
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    thin: usize,
    dropped: usize,
}

type Wrong = (crate::ErrorKind, String);

impl<'m> Faces<'m> {
    fn new(model: &'m Model) -> Self {
        Self {
            model,
            normals: Normals::new(model),
            draws: Vec::new(),
            place_of: HashMap::new(),
            points: Vec::new(),
            triangles: Vec::new(),
            thin: 0,
            dropped: 0,
        }
    }

    fn report(&self, context: &mut Context<'_>) {
        let mut say = |count: usize, one: &str, many: &str, what: &str| {
            if count > 0 {
                let note = format!("{} {what}", counted(count, one, many));
                context.notes.add(Place::Whole, note);
            }
        };
        say(self.thin, "face or line", "faces or lines", "with too few corners: left out");
        let (one, many) = ("texture coordinate", "texture coordinates");
        say(self.dropped, one, many, "named by faces and not there");
    }

    fn add(&mut self, at: usize, element: &Element) -> Result<(), Wrong> {
        let corners = &self.model.corners[element.corners.clone()];
        let least = match element.kind {
            Kind::Face => 3,
            Kind::Line => 2,
            Kind::Point => 1,
        };
        if corners.len() < least {
            self.thin += 1;
            return Ok(());
        }
        self.points.clear();
        for corner in corners {
            self.points.push(position(self.model, corner)?);
        }
        let own = has_normals(self.model, element);
        let known = own || element.smoothing != Smoothing::Unknown;
        let draw = (element.part, element.material, element.kind, known);
        let next = self.draws.len();
        let place = *self.place_of.entry(draw).or_insert(next);
        if place == next {
            self.draws.push((draw, Builder::new(element.kind)));
        }
        let normal_of = |corner: &Corner| match element.smoothing {
            _ if element.kind != Kind::Face => NormalOf::None,
            _ if own => NormalOf::File(corner.normal),
            Smoothing::Unknown => NormalOf::None,
            Smoothing::Off => NormalOf::Face(at),
            Smoothing::Group(group) => NormalOf::Group(group),
        };
        let face = face_normal(&self.points);
        let builder = &mut self.draws[place].1;
        let mut ids = Vec::with_capacity(corners.len());
        for (corner, point) in corners.iter().zip(&self.points) {
            let normal_of = normal_of(corner);
            let normal = match normal_of {
                NormalOf::None => None,
                NormalOf::File(at) => usize::try_from(at).ok().map(|at| self.model.normals[at]),
                NormalOf::Group(group) => Some(self.normals.at(corner.position, group)),
                NormalOf::Face(_) => Some(face),
            };
            let uv = uv(self.model, corner, &mut self.dropped);
            ids.push(builder.vertex(self.model, corner, normal_of, *point, uv, normal));
        }
        let indices = &mut builder.made.indices;
        match element.kind {
            Kind::Face => {
                self.triangles.clear();
                triangulate(&self.points, &[], &mut self.triangles);
                indices.extend(self.triangles.iter().flatten().map(|&at| ids[at as usize]));
            }
            Kind::Line => indices.extend(ids.windows(2).flatten()),
            Kind::Point => indices.extend(ids),
        }
        Ok(())
    }
}

fn position(model: &Model, corner: &Corner) -> Result<Vec3, Wrong> {
    let found = usize::try_from(corner.position).ok().and_then(|at| model.positions.get(at));
    found.copied().ok_or_else(|| {
        let count = model.positions.len();
        let text = format!("expected a vertex from 1 to {count} (or -1 to -{count})");
        let found = match corner.position {
            i64::MAX => ", found 0 or one before the first".to_owned(),
            index => format!(", found {}", index + 1),
        };
        (crate::ErrorKind::OutOfRange, text + &found)
    })
}

fn uv(model: &Model, corner: &Corner, dropped: &mut usize) -> Option<Vec2> {
    let found = usize::try_from(corner.uv).ok().and_then(|at| model.uvs.get(at));
    *dropped += usize::from(found.is_none() && corner.uv >= 0);
    found.copied()
}

impl Builder {
    fn new(kind: Kind) -> Self {
        let topology = match kind {
            Kind::Face => Topology::Triangles,
            Kind::Line => Topology::Lines,
            Kind::Point => Topology::Points,
        };
        let made = Geometry { topology, uvs: vec![Vec::new()], ..Geometry::default() };
        Self { made, ..Self::default() }
    }

    fn vertex(
        &mut self,
        model: &Model,
        corner: &Corner,
        normal_of: NormalOf,
        point: Vec3,
        uv: Option<Vec2>,
        normal: Option<Vec3>,
    ) -> u32 {
        let key = (corner.position, if uv.is_some() { corner.uv } else { -1 }, normal_of);
        let made = &mut self.made;
        *self.vertices.entry(key).or_insert_with(|| {
            let id = made.positions.len();
            made.positions.push(point);
            made.uvs[0].push(uv.unwrap_or_default());
            self.has_uvs |= uv.is_some();
            made.normals.extend(normal.map(|normal| normal.normalize_or(Vec3::Y)));
            if !model.colors.is_empty() {
                let at = usize::try_from(corner.position).unwrap_or(usize::MAX);
                let color = model.colors.get(at).copied().unwrap_or(Vec3::ONE);
                if made.colors.is_empty() {
                    made.colors.push(Vec::new());
                }
                made.colors[0].push(linear(color));
            }
            u32::try_from(id).unwrap_or(u32::MAX)
        })
    }

    /// Lists that say nothing are left out.
    fn finish(self, model: &Model) -> Primitive {
        let mut made = self.made;
        if !self.has_uvs {
            made.uvs.clear();
        }
        if model.colors.is_empty() || made.colors.iter().flatten().all(|c| *c == Vec4::ONE) {
            made.colors.clear();
        }
        made.into()
    }
}

/// Programs write vertex colours as they show them: in sRGB.
fn linear(color: Vec3) -> Vec4 {
    super::material::linear(color).extend(1.0)
}
