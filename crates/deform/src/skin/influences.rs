//! A primitive's influences, eight vertices to a block, in the order in which they are read.
//!
//! In:  the influences of every vertex.
//! Out: parts, each with joints, weights, and the order of its table of matrices.
//!
//! Every vertex of a block has as many slots as the vertex with the most influences needs: 1, 2, or a multiple of four;
//! empty slots have no weight. Neighbours with the same count make a run, which is skinned without
//! branches. Vertices stay in their order, so that they are read and written in line. Joints
//! are numbers of a byte into a table of 256; a mesh with more is cut into parts, each with its own. A large mesh
//! is cut anyway, so that threads can share it, and vertices at its end that fill no block are a part of their own.

use sinew_scene::{Influence, Influences};

use super::space::front;
use super::table::Whose;
use super::{EIGHT, SkinError};

/// Up to so many vertices there is one part, if a table has room for their joints: to wake another thread takes half
/// as long as to skin them all.
const MAX_UNDIVIDED_VERTICES: usize = 16384;

/// How many blocks a part has at most where there are more vertices: ten microseconds' work for a thread, a hundred times what
/// it takes to fill a table.
const MAX_BLOCKS_OF_PART: usize = 512;

/// The influences on every vertex of a primitive.
#[derive(Clone, Debug, Default)]
pub(super) struct InfluenceBlocks {
    parts: Vec<Kept>,
}

/// Blocks that share a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    blocks: usize,
    order: Vec<Whose>,
    runs: Vec<Run>,
    joints: Vec<u8>,
    weights: Vec<f32>,
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

/// Influences, block after block, vertex after vertex, slot after slot. Blocks with one slot have no weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots<'a> {
    pub(super) joints: &'a [u8],
    pub(super) weights: &'a [f32],
}

impl<'a> Slots<'a> {
    /// Takes a run's weights off the front.
    #[inline(always)]
    pub(super) fn take_weights(&mut self, run: Run) -> &'a [f32] {
        if run.slots == 1 {
            return &[];
        }
        front(&mut self.weights, EIGHT * run.blocks * run.slots)
    }
}

impl InfluenceBlocks {
    pub(super) fn new(influences: &Influences, vertices: usize) -> Result<Self, SkinError> {
        let mut made = Self::default();
        let mut numbers = Numbers::new(influences);
        let longest =
            if vertices > MAX_UNDIVIDED_VERTICES { MAX_BLOCKS_OF_PART } else { usize::MAX };
        let of = |vertex| if influences.is_empty() { &[] } else { influences.of(vertex) };
        for first in (0..vertices).step_by(EIGHT) {
            // Idle vertices behind the last repeat the last.
            let block: [&[Influence]; EIGHT] =
                std::array::from_fn(|lane| of((first + lane).min(vertices - 1)));
            let full = made.parts.last().is_none_or(|part| part.blocks == longest);
            if full || first + EIGHT > vertices || !numbers.add(&block) {
                made.close(&mut numbers);
                made.parts.push(Kept::default());
                if !numbers.add(&block) {
                    return Err(SkinError::TooManyJoints { vertex: first });
                }
            }
            if let Some(part) = made.parts.last_mut() {
                part.push(&block, &numbers);
            }
        }
        made.close(&mut numbers);
        Ok(made)
    }

    /// The last part is whole: what its table holds is known.
    fn close(&mut self, numbers: &mut Numbers) {
        if let Some(part) = self.parts.last_mut() {
            part.order = numbers.take();
        }
    }

    pub(super) fn parts(&self) -> &[Kept] {
        &self.parts
    }
}

impl Kept {
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    pub(super) fn part(&self) -> Part<'_> {
        Part {
            order: &self.order,
            runs: &self.runs,
            slots: Slots { joints: &self.joints, weights: &self.weights },
        }
    }

    fn push(&mut self, block: &[&[Influence]; EIGHT], numbers: &Numbers) {
        let most = block.iter().map(|influences| influences.len()).max().unwrap_or(0);
        let count = if most <= 2 { most.max(1) } else { most.next_multiple_of(4) };
        self.blocks += 1;
        match self.runs.last_mut() {
            Some(run) if run.slots == count => run.blocks += 1,
            _ => self.runs.push(Run { blocks: 1, slots: count }),
        }
        for influences in block {
            // Empty slots name the first joint: near in memory, and needed anyway.
            let first = numbers.of(influences.first());
            let other = |slot| {
                if slot < influences.len() { numbers.of(influences.get(slot)) } else { first }
            };
            self.joints.extend((0..count).map(other));
        }
        if count == 1 {
            return;
        }
        for influences in block {
            self.weights.extend((0..count).map(|slot| weight(influences, slot)));
        }
    }
}

/// The weight of a vertex's slot: 1 for a lone influence and for the node.
fn weight(influences: &[Influence], slot: usize) -> f32 {
    match (influences, slot) {
        ([] | [_], 0) => 1.0,
        _ => influences.get(slot).map_or(0.0, |influence| influence.weight),
    }
}

/// Which place of the table each joint has so far.
struct Numbers {
    /// The node's first, then the joints'.
    places: Vec<Option<u8>>,
    order: Vec<Whose>,
}

impl Numbers {
    fn new(influences: &Influences) -> Self {
        let joints = influences.all().iter().map(|influence| influence.joint as usize + 1).max();
        Self { places: vec![None; 1 + joints.unwrap_or(0)], order: Vec::new() }
    }

    /// Gives a place to every joint of a block; `false` when there is no room for them all.
    fn add(&mut self, block: &[&[Influence]; EIGHT]) -> bool {
        block.iter().all(|influences| {
            let mut joints = influences.iter().map(|influence| Whose::Joint(influence.joint));
            if influences.is_empty() {
                self.place(Whose::Node)
            } else {
                joints.all(|j| self.place(j))
            }
        })
    }

    fn place(&mut self, whose: Whose) -> bool {
        let place = &mut self.places[index(whose)];
        if place.is_none() {
            let Ok(number) = u8::try_from(self.order.len()) else { return false };
            *place = Some(number);
            self.order.push(whose);
        }
        true
    }

    fn of(&self, influence: Option<&Influence>) -> u8 {
        let whose = influence.map_or(Whose::Node, |influence| Whose::Joint(influence.joint));
        self.places[index(whose)].unwrap_or(0)
    }

    /// The order so far; everything is forgotten.
    fn take(&mut self) -> Vec<Whose> {
        for &whose in &self.order {
            self.places[index(whose)] = None;
        }
        std::mem::take(&mut self.order)
    }
}

fn index(whose: Whose) -> usize {
    match whose {
        Whose::Node => 0,
        Whose::Joint(joint) => 1 + joint as usize,
    }
}
