//! Which joints influence each vertex: any number of `JOINTS_n` / `WEIGHTS_n` sets.
//!
//! In:  the sets of a primitive. Out: influences above zero that sum to one.
//!
//! Weights are divided by their sum, so the same file works whether its bytes are marked as
//! normalised or not.

use glam::Vec4;
use sinew_scene::{Geometry, Influence, Influences};

use super::accessor::Elements;
use super::attribute::Attributes;
use super::component::Component;
use crate::open::Context;
use crate::{ImportError, NoteCode, Place};

type Set = (Vec<[u32; 4]>, Vec<[f32; 4]>);

pub(super) fn read(
    attributes: &Attributes<'_>,
    vertices: usize,
    context: &mut Context<'_>,
) -> Result<Influences, ImportError> {
    if let Some(influences) = read_packed(attributes, vertices, context)? {
        return Ok(influences);
    }
    if let Some(influences) = read_plain(attributes, vertices, context)? {
        return Ok(influences);
    }
    let mut sets: Vec<Set> = Vec::new();
    while let Some(set) = read_set(attributes, sets.len(), vertices, context)? {
        sets.push(set);
    }
    if sets.is_empty() {
        return Ok(Influences::default());
    }
    let place = attributes.place();
    let mut influences = room(vertices, sets.len() * 4, &place, context)?;
    let mut sums = Sums::default();
    for vertex in 0..vertices {
        let sum = match &sets[..] {
            [one] => influences.push_four(of_vertex(one, vertex)),
            sets => influences.push(sets.iter().flat_map(|set| of_vertex(set, vertex))),
        };
        sums.add(sum, influences.of(vertex).len());
    }
    Ok(sums.done(influences, &place, context))
}

fn room(
    vertices: usize,
    each: usize,
    place: &Place,
    context: &mut Context<'_>,
) -> Result<Influences, ImportError> {
    context.budget.take(vertices, each * size_of::<Influence>() + 4, place)?;
    if vertices.saturating_mul(each) > u32::MAX as usize {
        let text = "expected fewer than 2^32 weights";
        return Err(ImportError::out_of_range(place.clone(), text));
    }
    Ok(Influences::with_capacity(vertices, each))
}

/// The influences of nearly every file, straight from its bytes, since this is where the time of reading a
/// character goes: one set, with weights that are floats. `None` for any other.
fn read_packed(
    attributes: &Attributes<'_>,
    vertices: usize,
    context: &mut Context<'_>,
) -> Result<Option<Influences>, ImportError> {
    let Some([joints, weights]) = only_set(attributes, vertices, context)? else { return Ok(None) };
    let Some(floats) = weights.packed_fours().filter(|_| weights.component == Component::F32)
    else {
        return Ok(None);
    };
    let place = attributes.place();
    let bytes = joints.packed_fours().filter(|_| joints.component == Component::U8);
    let shorts = joints.packed_fours::<8>().filter(|_| joints.component == Component::U16);
    let joint_of = |short: [u8; 2]| u32::from(u16::from_le_bytes(short));
    let mut influences = match (bytes, shorts) {
        (None, None) => return Ok(None),
        _ => room(vertices, 4, &place, context)?,
    };
    let mut sums = Sums::default();
    if let Some(bytes) = bytes {
        let joints = bytes.iter().map(|four: &[u8; 4]| four.map(u32::from));
        push_all(joints, floats, &mut influences, &mut sums);
    } else if let Some(shorts) = shorts {
        let four = |four: &[u8; 8]| {
            let [a, b, c, d, e, f, g, h] = *four;
            [[a, b], [c, d], [e, f], [g, h]].map(joint_of)
        };
        push_all(shorts.iter().map(four), floats, &mut influences, &mut sums);
    }
    Ok(Some(sums.done(influences, &place, context)))
}

fn push_all(
    joints: impl Iterator<Item = [u32; 4]>,
    weights: &[[u8; 16]],
    influences: &mut Influences,
    sums: &mut Sums,
) {
    for (vertex, (joints, weights)) in joints.zip(weights).enumerate() {
        let (weights, _) = weights.as_chunks::<4>();
        let weight = |at: usize| f32::from_le_bytes(weights[at]);
        let four = std::array::from_fn(|at| Influence { joint: joints[at], weight: weight(at) });
        let sum = influences.push_four(four);
        sums.add(sum, influences.of(vertex).len());
    }
}

/// Vertices whose joints and weights are read together.
const CHUNK: usize = 2_048;

/// One set of joints in whole numbers, with weights of any kind: read piece by piece, so that nothing of it is held twice.
fn read_plain(
    attributes: &Attributes<'_>,
    vertices: usize,
    context: &mut Context<'_>,
) -> Result<Option<Influences>, ImportError> {
    let Some([joints, weights]) = only_set(attributes, vertices, context)? else { return Ok(None) };
    if !joints.component.is_unsigned() || !joints.is_plain() || !weights.is_plain() {
        return Ok(None);
    }
    let place = attributes.place();
    let full = weights.component.full(weights.normalized);
    let mut influences = room(vertices, 4, &place, context)?;
    let mut sums = Sums::default();
    for from in (0..vertices).step_by(CHUNK) {
        let [joints, weights] = [&joints, &weights].map(|all| all.part(from, CHUNK));
        let joints: Vec<[u32; 4]> = joints.wholes(&mut context.budget)?;
        let weights = weights
            .floats(&mut context.budget, |four: [f32; 4]| (Vec4::from(four) / full).to_array())?;
        for (vertex, (joints, weights)) in (from..).zip(joints.iter().zip(&weights)) {
            let four = |at: usize| Influence { joint: joints[at], weight: weights[at] };
            let sum = influences.push_four(std::array::from_fn(four));
            sums.add(sum, influences.of(vertex).len());
        }
    }
    Ok(Some(sums.done(influences, &place, context)))
}

/// Joints and weights of a primitive that has one set of both.
fn only_set<'a>(
    attributes: &Attributes<'a>,
    vertices: usize,
    context: &mut Context<'_>,
) -> Result<Option<[Elements<'a>; 2]>, ImportError> {
    let has = |name: &str| attributes.list.get(name).is_some();
    if attributes.may_differ || has("JOINTS_1") || has("WEIGHTS_1") {
        return Ok(None);
    }
    let joints = attributes.get("JOINTS_0", vertices, context)?;
    let weights = attributes.get("WEIGHTS_0", vertices, context)?;
    Ok(joints.zip(weights).map(|(joints, weights)| [joints, weights]))
}

fn of_vertex((joints, weights): &Set, vertex: usize) -> [Influence; 4] {
    let (joints, weights) = (joints[vertex], weights[vertex]);
    std::array::from_fn(|at| Influence { joint: joints[at], weight: weights[at] })
}

/// What the weights of vertices sum to, as filed.
#[derive(Default)]
struct Sums {
    /// Vertices off by more than single bytes can be by rounding, and off by more than single precision rounds.
    far_off: usize,
    off: usize,
    /// The largest difference from one.
    worst: f32,
    none: usize,
}

impl Sums {
    fn add(&mut self, sum: f32, influences: usize) {
        if sum == 0.0 {
            self.none += 1;
            return;
        }
        let off = (sum - 1.0).abs();
        // Single bytes cannot do better than a few 255ths.
        self.far_off += usize::from(off > 0.02);
        // What the glTF Validator allows, and the rounding of our own sum.
        self.off += usize::from(off > 4e-7 * influences as f32 + 1e-6);
        self.worst = self.worst.max(off);
    }

    /// Reports what was found, when all vertices are there. Few have as many influences as there was room for.
    fn done(
        &self,
        mut influences: Influences,
        place: &Place,
        context: &mut Context<'_>,
    ) -> Influences {
        influences.shrink_to_fit();
        self.report(place, context);
        influences
    }

    fn report(&self, place: &Place, context: &mut Context<'_>) {
        let notes = &mut context.notes;
        if self.far_off > 0 {
            let text =
                "the weights of some vertices do not sum to one: they are divided by their sum";
            notes.add_as(NoteCode::WeightSum, place.clone(), text);
        }
        if self.none > 0 {
            let text = "some vertices of a skinned mesh have no weights";
            notes.add_as(NoteCode::WeightNone, place.clone(), text);
        }
        let text = "weights do not sum to one";
        notes.detail(NoteCode::WeightSum, place.clone(), self.off, self.worst, text);
        notes.detail(
            NoteCode::WeightNone,
            place.clone(),
            self.none,
            0.0,
            "vertices without weights",
        );
    }
}

fn read_set(
    attributes: &Attributes<'_>,
    set: usize,
    vertices: usize,
    context: &mut Context<'_>,
) -> Result<Option<Set>, ImportError> {
    let joints = attributes.get(&format!("JOINTS_{set}"), vertices, context)?;
    let weights = attributes.get(&format!("WEIGHTS_{set}"), vertices, context)?;
    match (joints, weights) {
        (Some(joints), Some(weights)) => {
            let full = match weights.quantized {
                Some(_) => 1.0,
                None => weights.component.full(weights.normalized),
            };
            let mut weights = weights.floats(&mut context.budget, |four: [f32; 4]| {
                (Vec4::from(four) / full).to_array()
            })?;
            let whole = joints.component.is_unsigned() && joints.quantized.is_none();
            let joints = match whole {
                true => joints.wholes(&mut context.budget)?,
                false => rounded(joints, &mut weights, context)?,
            };
            Ok(Some((joints, weights)))
        }
        (None, None) => Ok(None),
        _ => {
            let text = "a primitive has joints without weights or weights without joints: they are left out";
            context.notes.add_as(NoteCode::WeightsIncomplete, attributes.place(), text);
            Ok(None)
        }
    }
}

/// Joint numbers that are stored as floats or with a sign. What is no number of a joint has no weight.
fn rounded(
    mut joints: Elements<'_>,
    weights: &mut [[f32; 4]],
    context: &mut Context<'_>,
) -> Result<Vec<[u32; 4]>, ImportError> {
    let text = format!("joint numbers are stored as {:?}: they are rounded", joints.component);
    context.notes.add(joints.place.clone(), text);
    joints.normalized = false;
    let filed = joints.floats(&mut context.budget, |four: [f32; 4]| four)?;
    // Up to here single precision holds every whole number.
    let is_joint = |number: f32| (-0.5..16_777_216.0).contains(&number);
    for (four, weights) in filed.iter().zip(weights) {
        for (&number, weight) in four.iter().zip(weights) {
            if !is_joint(number) {
                *weight = 0.0;
            }
        }
    }
    let whole = |number: f32| if is_joint(number) { number.round().max(0.0) as u32 } else { 0 };
    Ok(filed.into_iter().map(|four| four.map(whole)).collect())
}

/// The same influences without those of joints from `joints` on.
pub(super) fn below(influences: &Influences, joints: usize) -> Influences {
    let mut kept = Influences::with_capacity(influences.len(), 4);
    for of_vertex in influences.iter() {
        kept.push(of_vertex.iter().copied().filter(|one| (one.joint as usize) < joints));
    }
    kept
}

/// How many bytes a copy of a primitive takes.
pub(super) fn size(geometry: &Geometry) -> usize {
    let morphs = geometry.morphs.iter().map(|morph| {
        size_of_val(&morph.positions[..])
            + size_of_val(&morph.normals[..])
            + size_of_val(&morph.tangents[..])
            + size_of_val(morph)
    });
    let uvs = geometry.uvs.iter().map(|set| size_of_val(&set[..]));
    let colors = geometry.colors.iter().map(|set| size_of_val(&set[..]));
    size_of_val(&geometry.positions[..])
        + size_of_val(&geometry.normals[..])
        + size_of_val(&geometry.tangents[..])
        + size_of_val(&geometry.indices[..])
        + size_of_val(geometry.influences.all())
        + geometry.influences.len() * 4
        + morphs.chain(uvs).chain(colors).sum::<usize>()
        + size_of_val(geometry)
}
