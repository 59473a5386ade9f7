//! Morph targets, added to eight vertices before they are skinned.

use sinew_lanes::{Wide, triples};
use sinew_scene::glam::Vec3;
use sinew_scene::{MorphTarget, Primitive};

use super::EIGHT;

/// The targets of a primitive with their weights; none when no weight is on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Morphs<'a> {
    targets: &'a [MorphTarget],
    weights: &'a [f32],
}

/// What of a target is meant.
#[derive(Clone, Copy, Debug)]
pub(super) enum List {
    Positions,
    Normals,
    Tangents,
}

impl<'a> Morphs<'a> {
    pub(super) fn new(primitive: &'a Primitive, weights: &'a [f32]) -> Self {
        let on = weights.iter().any(|&weight| weight != 0.0);
        Self { targets: &primitive.morphs, weights: if on { weights } else { &[] } }
    }

    /// Whether anything is on.
    pub(super) fn any(self) -> bool {
        !self.weights.is_empty()
    }

    /// Adds every target's change of a block, times its weight; a fourth number stays.
    #[inline(always)]
    pub(super) fn add<W: Wide, const N: usize>(
        self,
        list: List,
        block: usize,
        mut to: [W; N],
    ) -> [W; N] {
        for (target, &weight) in self.targets.iter().zip(self.weights) {
            if weight == 0.0 {
                continue;
            }
            let Some(change) = eight::<W>(list.of(target), block) else { continue };
            for axis in 0..3 {
                to[axis] = change[axis].mul_add(W::splat(weight), to[axis]);
            }
        }
        to
    }
}

impl List {
    fn of(self, target: &MorphTarget) -> &[Vec3] {
        match self {
            Self::Positions => &target.positions,
            Self::Normals => &target.normals,
            Self::Tangents => &target.tangents,
        }
    }
}

/// One block of a list, with nothing behind its end.
#[inline(always)]
fn eight<W: Wide>(list: &[Vec3], block: usize) -> Option<[W; 3]> {
    let vectors = triples(list).get(block * EIGHT..)?;
    if let Some(whole) = vectors.first_chunk() {
        return Some(W::load3(whole));
    }
    let mut some = [[0.0; 3]; EIGHT];
    some[..vectors.len()].copy_from_slice(vectors);
    Some(W::load3(&some))
}
