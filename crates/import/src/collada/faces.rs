//! Faces: what COLLADA's seven kinds of primitives make of their corners.
//!
//! In:  a primitive element such as `<polylist>`.
//! Out: the indices of all corners, and how corners are joined, then triangles or lines.

use glam::Vec3;
use sinew_scene::Topology;

use super::xml::{self, Tag, Xml};
use crate::finish::triangulate::{quad, triangulate};
use crate::note::{Notes, counted};
use crate::{ImportError, Place};

/// How one run of corners is joined.
#[derive(Debug, PartialEq)]
enum Shape {
    /// Corners in threes.
    Triangles,
    /// One polygon; the corner, counted in the run, at which each hole begins.
    Polygon(Vec<usize>),
    Strip,
    Fan,
    /// Corners in twos.
    Lines,
    LineStrip,
}

#[derive(Debug)]
struct Run {
    corners: usize,
    shape: Shape,
}

/// The corners of a primitive element.
#[derive(Debug)]
pub(super) struct Faces {
    /// `stride` indices for each corner.
    pub(super) indices: Vec<i32>,
    pub(super) topology: Topology,
    runs: Vec<Run>,
    /// Corners in one polygon each, as a `<polylist>` counts them; they come after all runs.
    counts: Vec<i32>,
}

/// Whether an element is a primitive.
pub(super) fn is_primitive(kind: &str) -> bool {
    matches!(
        kind,
        "triangles" | "polylist" | "polygons" | "tristrips" | "trifans" | "lines" | "linestrips"
    )
}

pub(super) fn read(
    xml: &Xml<'_>,
    tag: Tag<'_>,
    stride: usize,
    notes: &mut Notes,
) -> Result<Faces, ImportError> {
    let kind = xml::name(tag);
    let topology = if kind.starts_with("line") { Topology::Lines } else { Topology::Triangles };
    let mut faces = Faces { indices: Vec::new(), topology, runs: Vec::new(), counts: Vec::new() };
    for part in tag.children() {
        match (xml::name(part), kind) {
            ("p", "polylist") => {
                faces.add(xml, part, stride, notes)?;
            }
            ("vcount", "polylist") => faces.counts = xml.integers(part)?,
            ("p", _) => {
                let corners = faces.add(xml, part, stride, notes)?;
                let shape = shape_of(kind);
                faces.runs.push(Run { corners, shape });
            }
            ("ph", "polygons") => faces.add_with_holes(xml, part, stride, notes)?,
            _ => {}
        }
    }
    faces.check_counts(stride, &|| xml.place(tag))?;
    Ok(faces)
}

fn shape_of(kind: &str) -> Shape {
    match kind {
        "polygons" => Shape::Polygon(Vec::new()),
        "tristrips" => Shape::Strip,
        "trifans" => Shape::Fan,
        "lines" => Shape::Lines,
        "linestrips" => Shape::LineStrip,
        _ => Shape::Triangles,
    }
}

impl Faces {
    /// Adds the corners of a list of indices and says how many they are.
    fn add(
        &mut self,
        xml: &Xml<'_>,
        list: Tag<'_>,
        stride: usize,
        notes: &mut Notes,
    ) -> Result<usize, ImportError> {
        let mut found = xml.integers(list)?;
        let corners = found.len() / stride;
        if !found.len().is_multiple_of(stride) {
            notes.add(xml.place(list), "a list of indices ends within a corner, which is left out");
            found.truncate(corners * stride);
        }
        if self.indices.is_empty() {
            self.indices = found;
        } else {
            self.indices.append(&mut found);
        }
        Ok(corners)
    }

    fn add_with_holes(
        &mut self,
        xml: &Xml<'_>,
        tag: Tag<'_>,
        stride: usize,
        notes: &mut Notes,
    ) -> Result<(), ImportError> {
        let mut corners = 0;
        let mut holes = Vec::new();
        if let Some(outer) = xml::child(tag, "p") {
            corners += self.add(xml, outer, stride, notes)?;
        }
        for hole in xml::children(tag, "h") {
            holes.push(corners);
            corners += self.add(xml, hole, stride, notes)?;
        }
        self.runs.push(Run { corners, shape: Shape::Polygon(holes) });
        Ok(())
    }

    fn check_counts(&self, stride: usize, place: &dyn Fn() -> Place) -> Result<(), ImportError> {
        if let Some(negative) = self.counts.iter().find(|&&count| count < 0) {
            let text = format!("expected a number of corners in <vcount>, found {negative}");
            return Err(ImportError::malformed(place(), text));
        }
        let expected: usize = self.counts.iter().map(|&count| count as usize).sum();
        let found = self.indices.len() / stride;
        if self.counts.is_empty() || found >= expected {
            return Ok(());
        }
        let expected = counted(expected, "corner", "corners");
        let text = format!("expected {expected} as <vcount> has them, found {found}");
        Err(ImportError::truncated(place(), text))
    }

    /// Triangles or lines, by vertex. `vertices` has one for each corner.
    pub(super) fn join(&self, vertices: &[u32], positions: &[Vec3]) -> Vec<u32> {
        let mut out = Vec::with_capacity(vertices.len() * 3 / 2);
        let mut polygons = Polygons { positions, points: Vec::new(), triangles: Vec::new() };
        let mut rest = vertices;
        for run in &self.runs {
            let (corners, after) = rest.split_at(run.corners.min(rest.len()));
            rest = after;
            run.join(corners, &mut polygons, &mut out);
        }
        for &count in &self.counts {
            let (corners, after) = rest.split_at((count as usize).min(rest.len()));
            rest = after;
            polygons.cut(corners, &[], &mut out);
        }
        out
    }
}

impl Run {
    fn join(&self, corners: &[u32], polygons: &mut Polygons<'_>, out: &mut Vec<u32>) {
        match &self.shape {
            Shape::Triangles => out.extend_from_slice(&corners[..corners.len() / 3 * 3]),
            Shape::Lines => out.extend_from_slice(&corners[..corners.len() / 2 * 2]),
            Shape::Polygon(holes) => polygons.cut(corners, holes, out),
            Shape::LineStrip => out.extend(corners.windows(2).flatten()),
            Shape::Fan => {
                let Some((&hub, rim)) = corners.split_first() else { return };
                out.extend(rim.windows(2).flat_map(|edge| [hub, edge[0], edge[1]]));
            }
            Shape::Strip => {
                for (at, three) in corners.windows(3).enumerate() {
                    // Every other triangle of a strip has the opposite winding.
                    let swap = at % 2;
                    out.extend([three[swap], three[1 - swap], three[2]]);
                }
            }
        }
    }
}

/// Cuts polygons into triangles, with room that is used again.
struct Polygons<'a> {
    positions: &'a [Vec3],
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Polygons<'_> {
    fn cut(&mut self, corners: &[u32], holes: &[usize], out: &mut Vec<u32>) {
        if corners.len() == 3 && holes.is_empty() {
            out.extend_from_slice(corners);
            return;
        }
        if let (&[a, b, c, d], []) = (corners, holes) {
            let point = |vertex: u32| self.positions[vertex as usize];
            let [one, other] = quad([point(a), point(b), point(c), point(d)]);
            let vertex = |corner: u32| corners[corner as usize];
            out.extend_from_slice(&[
                vertex(one[0]),
                vertex(one[1]),
                vertex(one[2]),
                vertex(other[0]),
                vertex(other[1]),
                vertex(other[2]),
            ]);
            return;
        }
        self.points.clear();
        self.triangles.clear();
        self.points.extend(corners.iter().map(|&vertex| self.positions[vertex as usize]));
        triangulate(&self.points, holes, &mut self.triangles);
        out.extend(self.triangles.iter().flatten().map(|&corner| corners[corner as usize]));
    }
}
