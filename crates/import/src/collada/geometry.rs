//! Geometries: meshes with any number of primitive elements and inputs.
//!
//! In:  a `<geometry>`.
//! Out: one [`Part`] per primitive element, in mesh space, with the place of every vertex in the
//! POSITION source, which is what skins and morphs count in.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::color;
use super::faces;
use super::join::Join;
use super::source::{Floats, Sources};
use super::xml::{self, Tag, Xml};
use crate::note::Notes;
use crate::{ImportError, Place};

/// One primitive element, joined.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// What all meshes of it share.
    pub(super) shape: Arc<sinew_scene::Geometry>,
    /// The `set` number of each of the shape's texture coordinates.
    pub(super) uv_sets: Vec<usize>,
    /// Where each vertex is in the POSITION source.
    pub(super) rows: Vec<u32>,
    /// The vertex's first corner, counted through the element.
    pub(super) first_corners: Vec<u32>,
    /// The vertex of each corner.
    pub(super) corners: Vec<u32>,
    /// The material's symbol, to be bound where the geometry is used.
    pub(super) symbol: String,
}

/// A geometry, joined.
#[derive(Debug)]
pub(super) struct Geometry {
    pub(super) name: String,
    pub(super) parts: Vec<Part>,
}

/// A reference to a source from a primitive, a controller or a sampler.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'a> {
    pub(super) semantic: &'a str,
    pub(super) reference: &'a str,
    pub(super) offset: usize,
    pub(super) set: usize,
}

/// The inputs of an element.
pub(super) fn inputs<'a>(tag: Tag<'a>) -> impl Iterator<Item = Input<'a>> {
    xml::children(tag, "input").map(|input| Input {
        semantic: input.attribute("semantic").unwrap_or_default(),
        reference: input.attribute("source").unwrap_or_default(),
        offset: xml::count(input, "offset", 0),
        set: xml::count(input, "set", 0),
    })
}

/// What the indices of a corner mean.
struct Layout {
    /// Indices per corner.
    stride: usize,
    streams: Vec<Stream>,
}

struct Stream {
    semantic: Semantic,
    /// Which of a corner's indices.
    offset: usize,
    set: usize,
    source: Floats,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Semantic {
    Position,
    Normal,
    Uv,
    Color,
}

impl Semantic {
    fn of(word: &str) -> Option<Self> {
        match word {
            "POSITION" => Some(Self::Position),
            "NORMAL" => Some(Self::Normal),
            "TEXCOORD" | "UV" => Some(Self::Uv),
            "COLOR" => Some(Self::Color),
            _ => None,
        }
    }

    fn width(self) -> usize {
        match self {
            Self::Uv => 2,
            _ => 3,
        }
    }
}

/// Reads a geometry; one without a mesh has no parts.
pub(super) fn read(
    xml: &Xml<'_>,
    tag: Tag<'_>,
    sources: &mut Sources,
    notes: &mut Notes,
) -> Result<Geometry, ImportError> {
    let mut parts = Vec::new();
    match xml::child(tag, "mesh") {
        Some(mesh) => {
            let elements = mesh.children().filter(|part| faces::is_primitive(xml::name(*part)));
            for element in elements {
                parts.extend(read_part(xml, element, sources, notes)?);
            }
        }
        None => notes.add(xml.place(tag), "a geometry that is not a mesh is left out"),
    }
    Ok(Geometry { name: xml::label(tag).to_owned(), parts })
}

/// The positions of a geometry alone, in file order: for morph targets without primitives.
pub(super) fn positions(
    xml: &Xml<'_>,
    tag: Tag<'_>,
    sources: &mut Sources,
    notes: &mut Notes,
) -> Result<Option<Floats>, ImportError> {
    let Some(vertices) = xml::descend(tag, &["mesh", "vertices"]) else { return Ok(None) };
    let input = inputs(vertices).find(|input| input.semantic == "POSITION");
    let source = input.and_then(|input| xml.find_near(vertices, "source", input.reference));
    source.map(|source| sources.floats(xml, source, 3, notes)).transpose()
}

fn read_part(
    xml: &Xml<'_>,
    tag: Tag<'_>,
    sources: &mut Sources,
    notes: &mut Notes,
) -> Result<Option<Part>, ImportError> {
    let layout = Layout::read(xml, tag, sources, notes)?;
    if !layout.streams.iter().any(|stream| stream.semantic == Semantic::Position) {
        notes.add(xml.place(tag), "a primitive without positions is left out");
        return Ok(None);
    }
    let faces = faces::read(xml, tag, layout.stride, notes)?;
    if faces.indices.is_empty() {
        return Ok(None);
    }
    let place = || xml.place(tag);
    let (vertices, join, offsets) = layout.join(&faces.indices, &place, notes)?;
    let (mut shape, uv_sets, rows) = layout.shape(&join, &offsets);
    shape.topology = faces.topology;
    shape.indices = faces.join(&vertices, &shape.positions);
    if shape.indices.is_empty() {
        return Ok(None);
    }
    Ok(Some(Part {
        shape: Arc::new(shape),
        uv_sets,
        rows,
        first_corners: join.first_corners,
        corners: vertices,
        symbol: tag.attribute("material").unwrap_or_default().to_owned(),
    }))
}

impl Layout {
    /// Inputs inside `<vertices>` share the offset of the VERTEX input that leads there.
    fn read(
        xml: &Xml<'_>,
        tag: Tag<'_>,
        sources: &mut Sources,
        notes: &mut Notes,
    ) -> Result<Self, ImportError> {
        let mut layout = Self { stride: 1, streams: Vec::new() };
        for input in inputs(tag) {
            if input.offset > 255 {
                let text = format!("expected an offset below 256, found {}", input.offset);
                return Err(ImportError::out_of_range(xml.place(tag), text));
            }
            layout.stride = layout.stride.max(input.offset + 1);
            if input.semantic != "VERTEX" {
                layout.add(xml, tag, input, sources, notes)?;
                continue;
            }
            let Some(vertices) = xml.find_near(tag, "vertices", input.reference) else { continue };
            for inner in inputs(vertices) {
                let set = if inner.set == 0 { input.set } else { inner.set };
                let inner = Input { offset: input.offset, set, ..inner };
                layout.add(xml, vertices, inner, sources, notes)?;
            }
        }
        layout.streams.sort_by_key(|stream| stream.set);
        Ok(layout)
    }

    fn add(
        &mut self,
        xml: &Xml<'_>,
        tag: Tag<'_>,
        input: Input<'_>,
        sources: &mut Sources,
        notes: &mut Notes,
    ) -> Result<(), ImportError> {
        let Some(semantic) = Semantic::of(input.semantic) else { return Ok(()) };
        let Some(source) = xml.find_near(tag, "source", input.reference) else {
            notes.add(xml.place(tag), format!("the source of a {} is missing", input.semantic));
            return Ok(());
        };
        let once = matches!(semantic, Semantic::Position | Semantic::Normal);
        if once && self.streams.iter().any(|stream| stream.semantic == semantic) {
            return Ok(());
        }
        let source = sources.floats(xml, source, semantic.width(), notes)?;
        if source.count > 0 || semantic == Semantic::Position {
            self.streams.push(Stream { semantic, offset: input.offset, set: input.set, source });
        }
        Ok(())
    }

    /// The vertex of each corner, the vertices, and which of a corner's indices they keep.
    fn join(
        &self,
        indices: &[i32],
        place: &dyn Fn() -> Place,
        notes: &mut Notes,
    ) -> Result<(Vec<u32>, Join, Vec<usize>), ImportError> {
        let mut offsets: Vec<usize> = self.streams.iter().map(|stream| stream.offset).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let mut join = Join::new(offsets.len(), indices.len() / self.stride);
        let corners = indices.chunks_exact(self.stride);
        // A negative index is past every end.
        let vertices = match offsets[..] {
            [a] => self.join_by(corners, |c| [c[a] as u32], &mut join, place, notes)?,
            [a, b] => {
                self.join_by(corners, |c| [c[a] as u32, c[b] as u32], &mut join, place, notes)?
            }
            [a, b, c] => {
                let key = |of: &[i32]| [of[a] as u32, of[b] as u32, of[c] as u32];
                self.join_by(corners, key, &mut join, place, notes)?
            }
            [a, b, c, d] => {
                let key = |of: &[i32]| [of[a] as u32, of[b] as u32, of[c] as u32, of[d] as u32];
                self.join_by(corners, key, &mut join, place, notes)?
            }
            _ => {
                let key = |corner: &[i32]| -> Vec<u32> {
                    offsets.iter().map(|&offset| corner[offset] as u32).collect()
                };
                self.join_by(corners, key, &mut join, place, notes)?
            }
        };
        Ok((vertices, join, offsets))
    }

    /// The vertex of each corner, by those of its indices that `key` gives.
    fn join_by<'i, K: AsRef<[u32]>>(
        &self,
        corners: impl ExactSizeIterator<Item = &'i [i32]>,
        key: impl Fn(&[i32]) -> K,
        join: &mut Join,
        place: &dyn Fn() -> Place,
        notes: &mut Notes,
    ) -> Result<Vec<u32>, ImportError> {
        let mut vertices = Vec::with_capacity(corners.len());
        for (at, corner) in corners.enumerate() {
            let (vertex, new) = join.vertex(key(corner).as_ref(), at);
            if new {
                self.check(corner, place, notes)?;
            }
            vertices.push(vertex);
        }
        Ok(vertices)
    }

    /// A position must be there; anything else that is not is zero.
    fn check(
        &self,
        corner: &[i32],
        place: &dyn Fn() -> Place,
        notes: &mut Notes,
    ) -> Result<(), ImportError> {
        for stream in &self.streams {
            let index = corner[stream.offset];
            if (index as u32 as usize) < stream.source.count {
                continue;
            }
            if stream.semantic == Semantic::Position {
                let count = stream.source.count;
                let text = format!("expected the index of a position below {count}, found {index}");
                return Err(ImportError::out_of_range(place(), text));
            }
            notes.add(place(), "a normal, texture coordinate or colour that is not there is zero");
        }
        Ok(())
    }

    /// The vertices, the set of each of their texture coordinates, and where each is in the POSITION source.
    fn shape(
        &self,
        join: &Join,
        offsets: &[usize],
    ) -> (sinew_scene::Geometry, Vec<usize>, Vec<u32>) {
        let mut shape = sinew_scene::Geometry::default();
        let (mut uv_sets, mut positions) = (Vec::new(), Vec::new());
        for stream in &self.streams {
            let slot = offsets.iter().position(|&offset| offset == stream.offset).unwrap_or(0);
            let rows = (0..join.len()).map(|vertex| join.key(vertex)[slot] as usize);
            let source = &stream.source;
            match stream.semantic {
                Semantic::Position => {
                    positions = rows.clone().map(|row| row as u32).collect();
                    shape.positions = rows.map(|row| source.vec3(row)).collect();
                }
                Semantic::Normal => {
                    shape.normals = rows.map(|row| unit(source.vec3(row))).collect();
                }
                Semantic::Uv => {
                    shape.uvs.push(rows.map(|row| flip(source.vec2(row))).collect());
                    uv_sets.push(stream.set);
                }
                Semantic::Color => {
                    let colors = rows.map(|row| color::linear(source.color(row)));
                    shape.colors.push(colors.collect());
                }
            }
        }
        (shape, uv_sets, positions)
    }
}

pub(super) fn unit(normal: Vec3) -> Vec3 {
    normal.normalize_or(Vec3::Y)
}

/// COLLADA's images begin at the bottom left, Sinew's at the top left.
fn flip(uv: Vec2) -> Vec2 {
    Vec2::new(uv.x, 1.0 - uv.y)
}
