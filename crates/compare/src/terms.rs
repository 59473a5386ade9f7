//! Pairs of vertices as sums over pairs of joints.
//!
//! In:  two surfaces whose joints and vertices are paired.
//! Out: for any pair of vertices, by how much each pair of joints influences it: by A's weight, and by how much more B's is.
//!
//! A vertex is a mean of where its joints take it. With p and q its places in the two meshes, v and w its weights, A and B
//! the matrices of its joints: `Σ vⱼ Aⱼ p - Σ wⱼ Bⱼ q = Σ vⱼ (Aⱼ - Bⱼ) p + Σ vⱼ Bⱼ (p - q) - Σ (wⱼ - vⱼ) Bⱼ q`. Each sum is as small as what is
//! measured, so that single precision is enough where two skinned places, subtracted, would leave nothing but rounding.
//!
//! Vertices stay where they are in the two scenes: a [`Run`] says which two primitives its pairs are of, and terms are worked out whenever
//! they are asked for.

use sinew_scene::glam::{DAffine3, Vec3};
use sinew_scene::{Influence, JointId, Primitive, SkinMethod};

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
pub(crate) struct Terms<'a> {
    pub(crate) handles: [Vec<Handle>; 2],
    /// A handle of A, or [`NONE`], with its partner of B.
    pub(crate) pairs: Vec<[u32; 2]>,
    pub(crate) runs: Vec<Run<'a>>,
    meetings: Vec<Meeting>,
}

/// Vertices of one primitive of A whose partners are all in one primitive of B.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    /// The numbers of its pairs of vertices.
    pub(crate) from: usize,
    pub(crate) to: usize,
    primitives: [&'a Primitive; 2],
    /// Whether joints move the vertices of each.
    skinned: [bool; 2],
    /// Which vertices of the primitives: both in order from here on, or those of the list.
    first: [usize; 2],
    listed: Option<Vec<[u32; 2]>>,
    meeting: usize,
}

impl<'a> Terms<'a> {
    /// What can be said of these pairs of vertices; nothing where a mesh morphs or is not skinned linearly.
    pub(crate) fn new(
        surfaces: [&Surface<'a>; 2],
        joints: &JointPairs,
        vertices: &[(u32, u32)],
    ) -> Option<Self> {
        if surfaces.iter().any(|surface| !is_linear(surface)) {
            return None;
        }
        let mut terms = Self::default();
        let mut slots = Vec::new();
        terms.runs = runs(surfaces, vertices, &mut |a, b| {
            meeting(&mut terms.meetings, &mut slots, surfaces, joints, [a, b])
        });
        let mut numbers = [(); 2].map(|()| std::collections::HashMap::new());
        for pair in slots {
            let pair = [0, 1].map(|side| {
                let Some((instance, slot)) = pair[side] else { return NONE };
                *numbers[side].entry((instance, slot)).or_insert_with(|| {
                    terms.handles[side].push(handle(surfaces[side], instance, slot));
                    terms.handles[side].len() as u32 - 1
                })
            });
            terms.pairs.push(pair);
        }
        Some(terms)
    }

    /// The terms of a pair of vertices of a run, and where both are at bind; nothing where it follows a joint that has no partner.
    #[inline]
    pub(crate) fn gather(
        &self,
        run: &Run<'_>,
        number: usize,
        terms: &mut Vec<Term>,
    ) -> Option<[Vec3; 2]> {
        let meeting = &self.meetings[run.meeting];
        let vertices = run.vertices(number);
        terms.clear();
        if let Some(influences) = run.influences(0, vertices[0]) {
            for influence in influences {
                let pair = meeting.of_a[influence.joint as usize + 1]?;
                terms.push(Term { pair, weight: influence.weight, more: -influence.weight });
            }
        } else {
            terms.push(Term { pair: meeting.of_a[0]?, weight: 1.0, more: -1.0 });
        }
        let mut see = |slot: usize, weight: f32| {
            let [with_a, alone] = meeting.of_b[slot];
            match terms.iter_mut().find(|term| term.pair == with_a) {
                Some(term) => term.more += weight,
                None => terms.push(Term { pair: alone, weight: 0.0, more: weight }),
            }
        };
        match run.influences(1, vertices[1]) {
            Some(all) => all.iter().for_each(|it| see(it.joint as usize + 1, it.weight)),
            None => see(0, 1.0),
        }
        let place = |side: usize| run.primitives[side].positions[vertices[side]];
        Some([place(0), place(1)])
    }

    /// Leaves out the pairs that no term has.
    pub(crate) fn keep(&mut self, used: &[bool]) -> Vec<u32> {
        let mut now = vec![NONE; self.pairs.len()];
        let mut kept = Vec::new();
        for (pair, _) in used.iter().enumerate().filter(|(_, used)| **used) {
            now[pair] = kept.len() as u32;
            kept.push(self.pairs[pair]);
        }
        self.pairs = kept;
        let moved = |pair: &mut u32| *pair = if *pair == NONE { NONE } else { now[*pair as usize] };
        for meeting in &mut self.meetings {
            meeting.of_a.iter_mut().flatten().for_each(moved);
            meeting.of_b.iter_mut().flatten().for_each(moved);
        }
        now
    }
}

impl Run<'_> {
    fn vertices(&self, number: usize) -> [usize; 2] {
        let at = number - self.from;
        match &self.listed {
            Some(list) => [list[at][0] as usize, list[at][1] as usize],
            None => [self.first[0] + at, self.first[1] + at],
        }
    }

    /// The joints that influence a vertex; nothing for one that goes with the node that carries it.
    fn influences(&self, side: usize, vertex: usize) -> Option<&[Influence]> {
        let influences = &self.primitives[side].influences;
        let is_skinned = self.skinned[side] && vertex < influences.len();
        is_skinned.then(|| influences.of(vertex)).filter(|all| !all.is_empty())
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

/// The runs of all pairs of vertices.
fn runs<'a>(
    surfaces: [&Surface<'a>; 2],
    vertices: &[(u32, u32)],
    meeting: &mut impl FnMut(usize, usize) -> usize,
) -> Vec<Run<'a>> {
    let mut runs: Vec<Run<'a>> = Vec::new();
    let mut from = 0;
    while let Some(&(a, b)) = vertices.get(from) {
        let parts = [0, 1].map(|side| surfaces[side].find([a, b][side] as usize).0);
        let shapes = [0, 1].map(|side| surfaces[side].shape(&parts[side]));
        let within = |side: usize, vertex: u32| {
            let Part { first, .. } = parts[side];
            (first..first + shapes[side].1.positions.len()).contains(&(vertex as usize))
        };
        let rest = vertices[from..].iter().take(CHUNK);
        let count = rest.take_while(|(a, b)| within(0, *a) && within(1, *b)).count().max(1);
        let own = &vertices[from..from + count];
        let in_order = own.iter().zip(0..).all(|(pair, at)| *pair == (a + at, b + at));
        let [of_a, of_b] = parts.map(|part| part.first as u32);
        runs.push(Run {
            from,
            to: from + count,
            primitives: shapes.map(|(_, primitive)| primitive),
            skinned: shapes.map(|(instance, _)| instance.skin.is_some()),
            first: [(a - of_a) as usize, (b - of_b) as usize],
            listed: (!in_order).then(|| own.iter().map(|(a, b)| [a - of_a, b - of_b]).collect()),
            meeting: meeting(parts[0].instance, parts[1].instance),
        });
        from += count;
    }
    runs
}

/// An instance of A some of whose vertices have partners in an instance of B.
#[derive(Debug)]
struct Meeting {
    instances: [usize; 2],
    /// For each slot of A, its pair; nothing for a joint without a partner.
    of_a: Vec<Option<u32>>,
    /// For each slot of B, its pair with a slot of A, or [`NONE`], and the pair for where no such slot goes with it.
    of_b: Vec<[u32; 2]>,
}

fn meeting(
    known: &mut Vec<Meeting>,
    pairs: &mut Vec<[Slot; 2]>,
    surfaces: [&Surface<'_>; 2],
    joints: &JointPairs,
    [a, b]: [usize; 2],
) -> usize {
    if let Some(known) = known.iter().rposition(|known| known.instances == [a, b]) {
        return known;
    }
    let slots = [(0, a), (1, b)].map(|(side, instance)| {
        1 + surfaces[side].skin(instance).map_or(0, |skin| skin.joints.len())
    });
    let mut of_b = vec![[NONE; 2]; slots[1]];
    let of_a = (0..slots[0]).map(|slot| {
        let node = JointId::new(handle(surfaces[0], a, slot).0);
        let other = partner(surfaces[1], b, joints.partner(node)?)?;
        pairs.push([Some((a, slot)), Some((b, other))]);
        let pair = pairs.len() as u32 - 1;
        of_b[other][0] = pair;
        Some(pair)
    });
    let of_a = of_a.collect();
    for (slot, of_b) in of_b.iter_mut().enumerate() {
        of_b[1] = pairs.len() as u32;
        pairs.push([None, Some((b, slot))]);
    }
    known.push(Meeting { instances: [a, b], of_a, of_b });
    known.len() - 1
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

/// Whether every vertex is a mean of where its joints take it.
fn is_linear(surface: &Surface<'_>) -> bool {
    surface.parts().iter().all(|part| {
        let linear =
            surface.skin(part.instance).is_none_or(|skin| skin.method == SkinMethod::Linear);
        linear && surface.shape(part).1.morphs.is_empty()
    })
}
