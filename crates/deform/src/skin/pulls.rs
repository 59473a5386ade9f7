//! A primitive's pulls, eight vertices to a block, in the order in which they are read.
//!
//! Every vertex of a block has as many slots as the block's busiest: 1, 2, or a multiple of four;
//! empty slots weigh nothing. Neighbours with the same count make a run, which is skinned without
//! asking anything. Vertices stay in their order, so that they are read and written in line. Joints
//! are numbers of a byte into a table of 256; a mesh with more is cut into parts, each with its own.

use sinew_scene::{Influence, Influences};

use super::packed::{Words, parts};
use super::table::Whose;
use super::{EIGHT, SkinError};

/// As many joints as a byte can tell apart.
const TABLE: usize = 256;

/// Blocks of more slots keep exact weights.
pub(super) const MOST_PACKED: usize = 8;

/// The pulls on every vertex of a primitive.
#[derive(Clone, Debug, Default)]
pub(super) struct Pulls {
    parts: Vec<Kept>,
}

/// Blocks that share a table.
#[derive(Clone, Debug, Default)]
struct Kept {
    order: Vec<Whose>,
    runs: Vec<Run>,
    joints: Vec<u8>,
    exact: Vec<f32>,
    packed: Vec<Words>,
}

/// Blocks that share a table, to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    /// What the table holds.
    pub(super) order: &'a [Whose],
    pub(super) runs: &'a [Run],
    pub(super) slots: Slots<'a>,
}

/// Neighbouring blocks with the same count of slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) blocks: usize,
    pub(super) slots: usize,
}

impl Run {
    /// The run in pieces of so many blocks at most.
    pub(super) fn pieces(self, longest: usize) -> impl Iterator<Item = Run> {
        (0..self.blocks)
            .step_by(longest)
            .map(move |from| Run { blocks: longest.min(self.blocks - from), ..self })
    }
}

/// Pulls, block after block, vertex after vertex, slot after slot. Blocks with one slot have no
/// weights; those of others are in one list or the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots<'a> {
    pub(super) joints: &'a [u8],
    pub(super) exact: &'a [f32],
    pub(super) packed: &'a [Words],
}

impl Pulls {
    pub(super) fn new(
        influences: &Influences,
        vertices: usize,
        packed: bool,
    ) -> Result<Self, SkinError> {
        let mut pulls = Self::default();
        let of = |vertex| if influences.is_empty() { &[] } else { influences.of(vertex) };
        for first in (0..vertices).step_by(EIGHT) {
            let last = vertices.min(first + EIGHT);
            let block: Vec<_> = (first..last).map(of).collect();
            let wanted = whose(&block);
            if wanted.len() > TABLE {
                return Err(SkinError::TooManyJoints { vertex: first });
            }
            if pulls.parts.last().is_none_or(|part| !part.has_room(&wanted)) {
                pulls.parts.push(Kept::default());
            }
            if let Some(part) = pulls.parts.last_mut() {
                part.push(&block, &wanted, packed);
            }
        }
        Ok(pulls)
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.parts.iter().map(|part| Part {
            order: &part.order,
            runs: &part.runs,
            slots: Slots { joints: &part.joints, exact: &part.exact, packed: &part.packed },
        })
    }
}

/// Whose matrices a block needs, each once.
fn whose(block: &[&[Influence]]) -> Vec<Whose> {
    let mut wanted: Vec<_> = block
        .iter()
        .flat_map(|pulls| {
            let joints = pulls.iter().map(|pull| Whose::Joint(pull.joint));
            joints.chain(pulls.is_empty().then_some(Whose::Node))
        })
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

impl Kept {
    fn has_room(&self, wanted: &[Whose]) -> bool {
        let new = wanted.iter().filter(|whose| !self.order.contains(whose)).count();
        self.order.len() + new <= TABLE
    }

    fn push(&mut self, block: &[&[Influence]], wanted: &[Whose], packed: bool) {
        for whose in wanted {
            if !self.order.contains(whose) {
                self.order.push(*whose);
            }
        }
        let most = block.iter().map(|pulls| pulls.len()).max().unwrap_or(0);
        let count = if most <= 2 { most.max(1) } else { most.next_multiple_of(4) };
        match self.runs.last_mut() {
            Some(run) if run.slots == count => run.blocks += 1,
            _ => self.runs.push(Run { blocks: 1, slots: count }),
        }
        let mut words = Vec::new();
        for lane in 0..EIGHT {
            // Idle vertices behind the last do as the first one.
            let pulls = block.get(lane).unwrap_or(&block[0]);
            let mut joints = pulls.iter().map(|pull| Whose::Joint(pull.joint));
            let first = joints.next().unwrap_or(Whose::Node);
            let mut numbers = vec![self.number(first); count];
            for (number, whose) in numbers[1..].iter_mut().zip(joints) {
                *number = self.number(whose);
            }
            self.joints.extend(numbers);
            let weights = weights(pulls, count);
            match count {
                1 => {}
                _ if packed && count <= MOST_PACKED => words.extend(parts(&weights)),
                _ => self.exact.extend(weights),
            }
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.packed.extend(bytes.as_chunks().0);
    }

    fn number(&self, whose: Whose) -> u8 {
        self.order.iter().position(|known| *known == whose).unwrap_or(0) as u8
    }
}

/// A vertex's weights; those of empty slots are nothing, and a lone one is the whole.
fn weights(pulls: &[Influence], count: usize) -> Vec<f32> {
    let mut weights = vec![0.0; count];
    weights[0] = 1.0;
    if pulls.len() > 1 {
        for (weight, pull) in weights.iter_mut().zip(pulls) {
            *weight = pull.weight;
        }
    }
    weights
}
