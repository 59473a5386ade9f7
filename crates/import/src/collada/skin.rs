//! Skins: which joints influence each position, how much, and from which pose.
//!
//! In:  a `<skin>`.
//! Out: its joints' words, their matrices, and the influences on each row of the POSITION source. An influence
//! whose joint or weight is not there is left out with a note; joint -1 is the bind shape itself.

use glam::DAffine3;
use sinew_scene::{Influence, Influences};

use super::geometry::inputs;
use super::source::{self, Names, Sources};
use super::step::{self, Kind, Step};
use super::xml::{self, Tag, Xml};
use crate::note::{Notes, counted};
use crate::{ImportError, NoteCode};

/// A skin, not yet bound to a skeleton.
#[derive(Debug)]
pub(super) struct SkinData {
    pub(super) joints: Names,
    /// From bind space to joint space, for each joint.
    pub(super) joint_from_bind: Vec<DAffine3>,
    pub(super) bind_from_mesh: DAffine3,
    /// Where each position's influences end.
    ends: Vec<usize>,
    influences: Vec<BindInfluence>,
}

#[derive(Clone, Copy, Debug)]
struct BindInfluence {
    /// `None` for the bind shape.
    joint: Option<u32>,
    weight: f32,
}

pub(super) fn read(
    xml: &Xml<'_>,
    skin: Tag<'_>,
    sources: &mut Sources,
    notes: &mut Notes,
) -> Result<SkinData, ImportError> {
    let bind_from_mesh = match xml::child(skin, "bind_shape_matrix") {
        Some(tag) => xml.floats(tag, notes)?,
        None => Vec::new(),
    };
    let joints = xml::child(skin, "joints");
    let input = |semantic: &str| {
        let found = inputs(joints?).find(|input| input.semantic == semantic)?;
        xml.find_near(skin, "source", found.reference)
    };
    let names = input("JOINT").map(|source| source::names(xml, source)).unwrap_or_default();
    let mut joint_from_bind = Vec::new();
    if let Some(source) = input("INV_BIND_MATRIX") {
        let rows = sources.floats(xml, source, 16, notes)?;
        let row = |at: usize| (0..16).map(|c| rows.at(at, c).unwrap_or(0.0)).collect::<Vec<_>>();
        joint_from_bind = (0..rows.count).map(|at| matrix(&row(at))).collect();
    }
    let mut data = SkinData {
        joints: names,
        joint_from_bind,
        bind_from_mesh: matrix(&bind_from_mesh),
        ends: Vec::new(),
        influences: Vec::new(),
    };
    if let Some(weights) = xml::child(skin, "vertex_weights") {
        data.read_influences(xml, weights, sources, notes)?;
    }
    Ok(data)
}

fn matrix(numbers: &[f32]) -> DAffine3 {
    if numbers.len() < 16 {
        return DAffine3::IDENTITY;
    }
    let numbers: Vec<f64> = numbers.iter().copied().map(f64::from).collect();
    step::matrix(Kind::Matrix, &Step::of(Kind::Matrix, &numbers).rest)
}

/// Vertices whose weights do not sum to one.
#[derive(Default)]
pub(super) struct Uneven {
    pub(super) count: usize,
    /// The largest difference from one.
    pub(super) worst: f32,
}

impl Uneven {
    fn add(&mut self, sum: f32) {
        let off = (sum - 1.0).abs();
        if off > 1e-3 {
            self.count += 1;
            self.worst = self.worst.max(off);
        }
    }
}

/// What fills up the influences of a vertex that has fewer than four.
const NONE: Influence = Influence { joint: 0, weight: 0.0 };

impl SkinData {
    fn read_influences(
        &mut self,
        xml: &Xml<'_>,
        tag: Tag<'_>,
        sources: &mut Sources,
        notes: &mut Notes,
    ) -> Result<(), ImportError> {
        let find = |semantic: &str| inputs(tag).find(|input| input.semantic == semantic);
        let (Some(joint), Some(weight)) = (find("JOINT"), find("WEIGHT")) else { return Ok(()) };
        let stride = inputs(tag).map(|input| input.offset.min(255) + 1).max().unwrap_or(1);
        let joint_at = joint.offset.min(255);
        let weight_at = weight.offset.min(255);
        let Some(source) = xml.find_near(tag, "source", weight.reference) else { return Ok(()) };
        let weights = sources.floats(xml, source, 1, notes)?;
        let integers = |name: &str| match xml::child(tag, name) {
            Some(list) => xml.integers(list),
            None => Ok(Vec::new()),
        };
        let counts = integers("vcount")?;
        let indices = integers("v")?;
        let mut rows = indices.chunks_exact(stride);
        self.influences.reserve(indices.len() / stride);
        let mut lost = 0;
        for &count in &counts {
            let count = usize::try_from(count).unwrap_or(0);
            if count > rows.len() {
                let found = rows.len();
                let expected = counted(count, "more weight", "more weights");
                let text = format!("expected {expected} in <v>, found {found}");
                return Err(ImportError::truncated(xml.place(tag), text));
            }
            for row in rows.by_ref().take(count) {
                match (self.joint(row[joint_at]), weights.at(row[weight_at] as u32 as usize, 0)) {
                    (Some(joint), Some(weight)) => {
                        self.influences.push(BindInfluence { joint, weight });
                    }
                    _ => lost += 1,
                }
            }
            self.ends.push(self.influences.len());
        }
        if lost > 0 {
            let weights = counted(lost, "weight", "weights");
            let text = format!("left out: {weights} of joints that are not there");
            notes.add_as(NoteCode::JointOutOfRange, xml.place(tag), text);
        }
        Ok(())
    }

    /// Which joint an index means; the inner `None` is the bind shape.
    fn joint(&self, index: i32) -> Option<Option<u32>> {
        match u32::try_from(index) {
            Ok(joint) => ((joint as usize) < self.joints.words.len()).then_some(Some(joint)),
            Err(_) => (index == -1).then_some(None),
        }
    }

    fn of(&self, row: usize) -> &[BindInfluence] {
        let Some(&end) = self.ends.get(row) else { return &[] };
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.influences[start..end]
    }

    /// The influences on the vertices with these rows. A vertex without any stays with the bind
    /// shape, which is joint `bind_shape`; also says whether that joint is in use, and whether
    /// some weights do not sum to one.
    pub(super) fn influences(&self, rows: &[u32], bind_shape: u32) -> (Influences, bool, Uneven) {
        let mut influences = Influences::with_capacity(rows.len(), 4);
        let mut uses_bind_shape = false;
        let mut uneven = Uneven::default();
        let whole = [BindInfluence { joint: None, weight: 1.0 }];
        for &row in rows {
            let mut found = self.of(row as usize);
            if !found.iter().any(|influence| influence.weight > 0.0) {
                found = &whole;
            }
            let of_scene = |influence: &BindInfluence| Influence {
                joint: influence.joint.unwrap_or(bind_shape),
                weight: influence.weight,
            };
            uses_bind_shape |= found.iter().any(|one| one.joint.is_none() && one.weight > 0.0);
            let sum = match *found {
                [a] => influences.push_four([of_scene(&a), NONE, NONE, NONE]),
                [a, b] => influences.push_four([of_scene(&a), of_scene(&b), NONE, NONE]),
                [a, b, c] => influences.push_four([of_scene(&a), of_scene(&b), of_scene(&c), NONE]),
                [a, b, c, d] => influences.push_four([a, b, c, d].map(|one| of_scene(&one))),
                _ => influences.push(found.iter().map(of_scene)),
            };
            uneven.add(sum);
        }
        influences.shrink_to_fit();
        (influences, uses_bind_shape, uneven)
    }
}
