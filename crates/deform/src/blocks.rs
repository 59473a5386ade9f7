//! A primitive's pulls, eight vertices to a block, ready for vector instructions.
//!
//! Every vertex of a block has as many slots as the block's busiest, so a block is skinned without
//! asking anything; empty slots weigh nothing. Made once for a primitive.

use sinew_scene::Influences;

/// How many vertices stand side by side.
pub(crate) const EIGHT: usize = 8;

/// How a block's weights are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// As they are: four bytes each.
    #[default]
    Exact,
    /// In 65535 parts: two bytes each, off by less than 8e-6 of the weight's whole. Skins of more
    /// than 255 joints keep them exact.
    Packed,
}

/// The pulls on every vertex of a primitive, in blocks.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    vertices: usize,
    /// One past the highest joint named; the vertices without pulls name this one.
    joints: usize,
    /// Slots of each block.
    counts: Vec<u8>,
    /// Slot after slot, block after block.
    slots: Slots,
}

#[derive(Clone, Debug)]
pub(crate) enum Slots {
    Exact(Vec<Slot<[f32; EIGHT], u8>>),
    Packed(Vec<Slot<[u16; EIGHT], u8>>),
    /// For more joints than a byte can tell.
    Many(Vec<Slot<[f32; EIGHT], u16>>),
}

impl Default for Slots {
    fn default() -> Self {
        Self::Exact(Vec::new())
    }
}

/// One pull on each of eight vertices.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Slot<W, I> {
    pub(crate) weights: W,
    pub(crate) joints: [I; EIGHT],
}

impl Blocks {
    /// The blocks of a primitive's pulls; `None` when a vertex has more than 255 of them or a
    /// joint's number does not fit in 16 bits: [`deform`](crate::deform) takes those.
    #[must_use]
    pub fn new(influences: &Influences, weights: Weights) -> Option<Self> {
        let joints = influences.all().iter().map(|pull| pull.joint as usize + 1).max().unwrap_or(0);
        if joints > usize::from(u16::MAX) || influences.most() > 255 {
            return None;
        }
        let all: Vec<_> = influences.iter().collect();
        let mut counts = Vec::with_capacity(all.len().div_ceil(EIGHT));
        let mut slots = Vec::new();
        for block in all.chunks(EIGHT) {
            let count = block.iter().map(|pulls| pulls.len()).max().unwrap_or(0).max(1);
            counts.push(count as u8);
            for slot in 0..count {
                let mut out = Slot { weights: [0.0; EIGHT], joints: [joints as u16; EIGHT] };
                for (lane, pulls) in block.iter().enumerate() {
                    if let Some(pull) = pulls.get(slot) {
                        (out.weights[lane], out.joints[lane]) = (pull.weight, pull.joint as u16);
                    } else if let Some(first) = pulls.first() {
                        // Near in memory, and never the node's own matrix.
                        out.joints[lane] = first.joint as u16;
                    } else if slot == 0 {
                        out.weights[lane] = 1.0;
                    }
                }
                slots.push(out);
            }
        }
        let small = |slot: &Slot<_, u16>| Slot {
            weights: slot.weights,
            joints: slot.joints.map(|joint| joint as u8),
        };
        let slots = match weights {
            _ if joints > 255 => Slots::Many(slots),
            Weights::Exact => Slots::Exact(slots.iter().map(small).collect()),
            Weights::Packed => Slots::Packed(pack(&counts, &slots)),
        };
        Some(Self { vertices: all.len(), joints, counts, slots })
    }

    /// How many vertices there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.vertices
    }

    /// Whether there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vertices == 0
    }

    /// One past the highest joint that pulls.
    pub(crate) fn joints(&self) -> usize {
        self.joints
    }

    pub(crate) fn counts(&self) -> &[u8] {
        &self.counts
    }

    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }
}

/// Weights in 65535 parts that add up to 65535: what rounding leaves over goes to the largest.
fn pack(counts: &[u8], slots: &[Slot<[f32; EIGHT], u16>]) -> Vec<Slot<[u16; EIGHT], u8>> {
    let mut packed = Vec::with_capacity(slots.len());
    let mut rest = slots;
    for &count in counts {
        let (block, after) = rest.split_at(usize::from(count));
        rest = after;
        let from = packed.len();
        packed.extend(block.iter().map(|slot| Slot {
            weights: slot.weights.map(|weight| (weight * 65535.0).round() as u16),
            joints: slot.joints.map(|joint| joint as u8),
        }));
        for lane in 0..EIGHT {
            let lanes = &mut packed[from..];
            let sum: i32 = lanes.iter().map(|slot| i32::from(slot.weights[lane])).sum();
            let largest = lanes.iter_mut().max_by_key(|slot| slot.weights[lane]);
            if let Some(slot) = largest.filter(|_| sum > 0) {
                let mended = i32::from(slot.weights[lane]) + 65535 - sum;
                slot.weights[lane] = mended.clamp(0, 65535) as u16;
            }
        }
    }
    packed
}

#[cfg(test)]
mod tests {
    use sinew_scene::Influence;

    use super::*;

    #[test]
    fn packed_weights_add_up_to_the_whole() {
        let mut influences = Influences::default();
        for _ in 0..3 {
            influences.push((0..3).map(|joint| Influence { joint, weight: 1.0 / 3.0 }));
        }
        influences.push([]);
        let blocks = Blocks::new(&influences, Weights::Packed).expect("few joints");
        let Slots::Packed(slots) = blocks.slots() else { panic!("not packed") };
        assert_eq!(blocks.counts(), [3]);
        let sum = |lane: usize| slots.iter().map(|slot| u32::from(slot.weights[lane])).sum::<u32>();
        assert_eq!([sum(0), sum(2), sum(3), sum(4)], [65535, 65535, 65535, 0]);
        // A vertex without pulls goes with the matrix after the last joint's.
        assert_eq!((slots[0].joints[3], slots[0].weights[3]), (3, 65535));
    }
}
