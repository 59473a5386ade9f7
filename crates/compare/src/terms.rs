//! Pairs of vertices as sums over pairs of joints.
//!
//! In:  two surfaces whose joints and vertices are paired.
//! Out: for each pair of vertices, by how much each pair of joints influences it: by A's weight, and by how much more B's is.
//!
//! A vertex is a mean of where its joints take it. With p and q its places in the two meshes, v and w its weights, A and B
//! the matrices of its joints: `Σ vⱼ Aⱼ p - Σ wⱼ Bⱼ q = Σ vⱼ (Aⱼ - Bⱼ) p + Σ vⱼ Bⱼ (p - q) - Σ (wⱼ - vⱼ) Bⱼ q`. Each sum is as small as what is
//! measured, so that single precision is enough where two skinned places, subtracted, would leave nothing but rounding.

use rayon::prelude::*;
use sinew_scene::glam::{DAffine3, Vec3};
use sinew_scene::{JointId, SkinMethod};

use crate::pairs::joints::JointPairs;
use crate::posed::double;
use crate::surface::{Part, Surface};

/// Pairs of vertices that are looked at together.
const CHUNK: usize = 8_192;
/// In place of a handle of A, where B's joint has no partner.
pub(crate) const NONE: u32 = u32::MAX;

/// What carries vertices: a node, and where the mesh is seen from it.
pub(crate) type Handle = (usize, DAffine3);

/// How a pair of handles influences a pair of vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) pair: u32,
    /// A's weight.
    pub(crate) weight: f32,
    /// How much more B's is.
    pub(crate) more: f32,
}

/// All pairs of vertices.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    pub(crate) handles: [Vec<Handle>; 2],
    /// A handle of A, or [`NONE`], with its partner of B.
    pub(crate) pairs: Vec<[u32; 2]>,
    /// Where the terms of each pair of vertices end.
    pub(crate) ends: Vec<u32>,
    pub(crate) terms: Vec<Term>,
    /// Where each vertex is at bind, in A and in B.
    pub(crate) places: Vec<[Vec3; 2]>,
}

impl Terms {
    /// What can be said of these pairs of vertices; nothing where a mesh morphs, is not skinned linearly, or follows a joint
    /// that has no partner.
    pub(crate) fn new(
        surfaces: [&Surface<'_>; 2],
        joints: &JointPairs,
        vertices: &[(u32, u32)],
    ) -> Option<Self> {
        if surfaces.iter().any(|surface| !is_linear(surface)) {
            return None;
        }
        let mut meetings = Meetings { list: Vec::new(), pairs: Vec::new() };
        let runs = runs(surfaces, vertices, &mut |a, b| meetings.number(surfaces, joints, a, b));
        let all = Gatherer { surfaces, vertices, meetings: &meetings };
        let chunks: Option<Vec<Self>> = runs.par_iter().map(|run| all.gather(run)).collect();
        let chunks = chunks?;
        let mut terms = Self::default();
        terms.ends.reserve_exact(vertices.len());
        terms.places.reserve_exact(vertices.len());
        terms.terms.reserve_exact(chunks.iter().map(|chunk| chunk.terms.len()).sum());
        for chunk in chunks {
            let first = terms.terms.len() as u32;
            terms.ends.extend(chunk.ends.iter().map(|end| first + end));
            terms.terms.extend(chunk.terms);
            terms.places.extend(chunk.places);
        }
        terms.keep_used(surfaces, &meetings.pairs);
        Some(terms)
    }

    /// Numbers the pairs that some term has, and their handles.
    fn keep_used(&mut self, surfaces: [&Surface<'_>; 2], pairs: &[[Slot; 2]]) {
        let mut now = vec![NONE; pairs.len()];
        let mut numbers = [(); 2].map(|()| std::collections::HashMap::new());
        for term in &mut self.terms {
            let known = &mut now[term.pair as usize];
            if *known == NONE {
                *known = self.pairs.len() as u32;
                let slots = pairs[term.pair as usize];
                let pair = [0, 1].map(|side| {
                    let Some((instance, slot)) = slots[side] else { return NONE };
                    *numbers[side].entry((instance, slot)).or_insert_with(|| {
                        self.handles[side].push(handle(surfaces[side], instance, slot));
                        self.handles[side].len() as u32 - 1
                    })
                });
                self.pairs.push(pair);
            }
            term.pair = *known;
        }
    }
}

/// An instance, and a joint of its skin: zero is the node that carries it, the joints follow.
type Slot = Option<(usize, usize)>;

fn handle(surface: &Surface<'_>, instance: usize, slot: usize) -> Handle {
    match surface.skin(instance).zip(slot.checked_sub(1)) {
        Some((skin, slot)) => (skin.joints[slot].index(), double(&skin.joint_from_mesh[slot])),
        None => (surface.instance(instance).joint.index(), DAffine3::IDENTITY),
    }
}

/// Vertices of one primitive of A whose partners are all in one primitive of B.
struct Run {
    from: usize,
    to: usize,
    parts: [Part; 2],
    meeting: usize,
}

/// The runs of all pairs of vertices.
fn runs(
    surfaces: [&Surface<'_>; 2],
    vertices: &[(u32, u32)],
    meeting: &mut impl FnMut(usize, usize) -> usize,
) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let within = |surface: &Surface<'_>, part: &Part, vertex: usize| {
        vertex.checked_sub(part.first).is_some_and(|at| at < surface.shape(part).1.positions.len())
    };
    for (at, &(a, b)) in vertices.iter().enumerate() {
        let numbers = [a as usize, b as usize];
        if let Some(run) = runs.last_mut()
            && run.to - run.from < CHUNK
            && (0..2).all(|side| within(surfaces[side], &run.parts[side], numbers[side]))
        {
            run.to = at + 1;
            continue;
        }
        let parts = [0, 1].map(|side| surfaces[side].find(numbers[side]).0);
        let meeting = meeting(parts[0].instance, parts[1].instance);
        runs.push(Run { from: at, to: at + 1, parts, meeting });
    }
    runs
}

/// An instance of A some of whose vertices have partners in an instance of B.
struct Meeting {
    instances: [usize; 2],
    /// For each slot of A, its pair and the slot of B in it; nothing for a joint without a partner.
    of_a: Vec<Option<(u32, usize)>>,
    /// For each slot of B, the pair for where no slot of A goes with it.
    first_only_b: u32,
}

struct Meetings {
    list: Vec<Meeting>,
    pairs: Vec<[Slot; 2]>,
}

impl Meetings {
    fn number(
        &mut self,
        surfaces: [&Surface<'_>; 2],
        joints: &JointPairs,
        a: usize,
        b: usize,
    ) -> usize {
        if let Some(known) = self.list.iter().rposition(|known| known.instances == [a, b]) {
            return known;
        }
        let slots = |side: usize, instance: usize| {
            1 + surfaces[side].skin(instance).map_or(0, |skin| skin.joints.len())
        };
        let of_a = (0..slots(0, a)).map(|slot| {
            let node = JointId::new(handle(surfaces[0], a, slot).0);
            let other = partner(surfaces[1], b, joints.partner(node)?)?;
            self.pairs.push([Some((a, slot)), Some((b, other))]);
            Some((self.pairs.len() as u32 - 1, other))
        });
        let of_a = of_a.collect();
        let first_only_b = self.pairs.len() as u32;
        self.pairs.extend((0..slots(1, b)).map(|slot| [None, Some((b, slot))]));
        self.list.push(Meeting { instances: [a, b], of_a, first_only_b });
        self.list.len() - 1
    }
}

/// A node among the joints of the skin of an instance, or as what carries it.
fn partner(surface: &Surface<'_>, instance: usize, node: JointId) -> Option<usize> {
    let slot =
        surface.skin(instance).and_then(|skin| skin.joints.iter().position(|at| *at == node));
    match slot {
        Some(slot) => Some(slot + 1),
        None => (surface.instance(instance).joint == node).then_some(0),
    }
}

struct Gatherer<'a> {
    surfaces: [&'a Surface<'a>; 2],
    vertices: &'a [(u32, u32)],
    meetings: &'a Meetings,
}

impl Gatherer<'_> {
    /// The terms of a run.
    fn gather(&self, run: &Run) -> Option<Terms> {
        let meeting = &self.meetings.list[run.meeting];
        let mut found = Terms::default();
        // Slots of B, with what of them is left once A's weights are taken away.
        let mut left: Vec<(usize, Term)> = Vec::new();
        for &(a, b) in &self.vertices[run.from..run.to] {
            let numbers = [a as usize - run.parts[0].first, b as usize - run.parts[1].first];
            left.clear();
            for (slot, weight) in self.influences(0, run, numbers[0]) {
                let (pair, other) = meeting.of_a[slot]?;
                left.push((other, Term { pair, weight, more: -weight }));
            }
            for (slot, weight) in self.influences(1, run, numbers[1]) {
                match left.iter_mut().find(|(known, _)| *known == slot) {
                    Some((_, term)) => term.more += weight,
                    None => {
                        let pair = meeting.first_only_b + slot as u32;
                        left.push((slot, Term { pair, weight: 0.0, more: weight }));
                    }
                }
            }
            found.terms.extend(left.iter().map(|(_, term)| *term));
            found.ends.push(found.terms.len() as u32);
            let place = |side: usize| {
                let (_, primitive) = self.surfaces[side].shape(&run.parts[side]);
                primitive.positions[numbers[side]]
            };
            found.places.push([place(0), place(1)]);
        }
        Some(found)
    }

    /// The slots that influence a vertex of a run, and how much: the node that carries it where no joint does.
    fn influences(
        &self,
        side: usize,
        run: &Run,
        vertex: usize,
    ) -> impl Iterator<Item = (usize, f32)> {
        let part = &run.parts[side];
        let (instance, primitive) = self.surfaces[side].shape(part);
        let skinned = instance.skin.is_some() && vertex < primitive.influences.len();
        let influences = if skinned { primitive.influences.of(vertex) } else { &[] };
        let rigid = influences.is_empty().then_some((0, 1.0));
        rigid.into_iter().chain(influences.iter().map(|it| (it.joint as usize + 1, it.weight)))
    }
}

/// Whether every vertex is a mean of where its joints take it.
fn is_linear(surface: &Surface<'_>) -> bool {
    surface.parts().iter().all(|part| {
        let linear =
            surface.skin(part.instance).is_none_or(|skin| skin.method == SkinMethod::Linear);
        linear && surface.shape(part).1.morphs.is_empty()
    })
}
