//! A skeleton as chains: runs of joints, each the parent of the next.
//!
//! In:  a [`Skeleton`].
//! Out: slots for its joints, chain after chain; and the chains, rank after rank.
//!
//! A joint's chain goes on with the child that has most below it; the other children begin chains
//! of the next rank. One thread goes down a chain without waiting for anyone, and threads wait for each other only
//! between ranks. Where several children have far to go the chain ends, and all of them set out together.

use std::cmp::Reverse;

use bytemuck::{Pod, Zeroable};
use sinew_scene::{JointId, Skeleton};

/// Slots from `first` to before `end`, the first hanging on a branch (none for roots). As in common.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Chain {
    pub(super) branch: u32,
    pub(super) first: u32,
    pub(super) end: u32,
}

/// A skeleton, in the order in which a GPU walks it.
#[derive(Debug, Default)]
pub(super) struct Chains {
    /// The joint in each slot; chains begin at even ones, so some are empty.
    pub(super) joints: Vec<Option<JointId>>,
    /// The slot of each joint.
    pub(super) slots: Vec<u32>,
    /// Which chains each rank has, then the chains.
    pub(super) list: Vec<Chain>,
    /// The slots on which chains hang.
    pub(super) branches: Vec<u32>,
    pub(super) ranks: u32,
}

impl Chains {
    pub(super) fn new(skeleton: &Skeleton) -> Self {
        let parents = skeleton.parents();
        let heirs = heirs(parents);
        let mut ranks = vec![0_u32; parents.len()];
        let mut starts = Vec::new();
        for joint in skeleton.ids() {
            let at = joint.index();
            match parents[at] {
                Some(parent) if heirs.next[parent.index()] == Some(joint) => {
                    ranks[at] = ranks[parent.index()];
                }
                parent => {
                    ranks[at] = parent.map_or(0, |parent| ranks[parent.index()] + 1);
                    starts.push(joint);
                }
            }
        }
        // Long ones first: neighbouring threads have about as far to go.
        starts.sort_by_key(|joint| (ranks[joint.index()], Reverse(heirs.below[joint.index()])));
        let count = starts.last().map_or(0, |joint| ranks[joint.index()] + 1);
        let mut all = Self { slots: vec![0; parents.len()], ranks: count, ..Self::default() };
        for rank in 0..count {
            let before = |limit: u32| {
                count + starts.partition_point(|joint| ranks[joint.index()] < limit) as u32
            };
            all.list.push(Chain { branch: 0, first: before(rank), end: before(rank + 1) });
        }
        for start in starts {
            all.add(parents[start.index()], start, &heirs);
        }
        all
    }

    fn add(&mut self, parent: Option<JointId>, start: JointId, heirs: &Heirs) {
        let first = self.joints.len() as u32;
        let down = std::iter::successors(Some(start), |joint| heirs.next[joint.index()]);
        for joint in down {
            self.slots[joint.index()] = self.joints.len() as u32;
            self.joints.push(Some(joint));
        }
        let end = self.joints.len() as u32;
        self.joints.resize(self.joints.len().next_multiple_of(2), None);
        let branch = parent.map_or(0, |parent| self.branch(self.slots[parent.index()]));
        self.list.push(Chain { branch, first, end });
    }

    /// How many chains a rank has at most.
    pub(super) fn widest(&self) -> u32 {
        let ranks = &self.list[..self.ranks as usize];
        ranks.iter().map(|rank| rank.end - rank.first).max().unwrap_or(0)
    }

    /// A slot's number among branches.
    fn branch(&mut self, slot: u32) -> u32 {
        let found = self.branches.iter().position(|branch| *branch == slot);
        found.unwrap_or_else(|| {
            self.branches.push(slot);
            self.branches.len() - 1
        }) as u32
    }
}

struct Heirs {
    /// The child that goes on with the chain.
    next: Vec<Option<JointId>>,
    /// How many joints the longest path down has.
    below: Vec<u32>,
}

/// From so many joints on, a side branch does not wait for the rest of the chain that it hangs on: the chain ends there,
/// and all that hangs on it goes on at once. To wait for everyone takes about as long as three joints.
const MIN_LONG_JOINTS: u32 = 3;

fn heirs(parents: &[Option<JointId>]) -> Heirs {
    let mut heirs = Heirs { next: vec![None; parents.len()], below: vec![0; parents.len()] };
    let mut second = vec![0; parents.len()];
    for (at, parent) in parents.iter().enumerate().rev() {
        let Some(parent) = parent.map(JointId::index) else { continue };
        let depth = heirs.below[at] + 1;
        // Of equals the first, which comes last here.
        if depth >= heirs.below[parent] {
            second[parent] = heirs.below[parent];
            heirs.below[parent] = depth;
            heirs.next[parent] = Some(JointId::new(at));
        } else {
            second[parent] = second[parent].max(depth);
        }
    }
    for (next, second) in heirs.next.iter_mut().zip(second) {
        *next = next.filter(|_| second < MIN_LONG_JOINTS);
    }
    heirs
}

#[cfg(test)]
mod tests {
    use sinew_scene::{Node, Scene, SceneParts, Transform};

    use super::*;

    fn chains(parents: &[Option<usize>]) -> Chains {
        let nodes = parents
            .iter()
            .map(|parent| Node::new("", parent.map(JointId::new), Transform::IDENTITY))
            .collect();
        let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a tree");
        Chains::new(scene.skeleton())
    }

    fn order(found: &Chains) -> Vec<Option<usize>> {
        found.joints.iter().map(|joint| joint.map(JointId::index)).collect()
    }

    #[test]
    fn short_side_branches_wait_for_the_chain_that_they_hang_on() {
        // An arm of two (0, 1), a finger of one (2), one of two (3, 4), one of two (5, 6).
        let found = chains(&[None, Some(0), Some(1), Some(1), Some(3), Some(1), Some(5)]);
        assert_eq!((found.ranks, found.widest()), (2, 2));
        let slots = [0, 1, 3, 4, 5, 6, 2].map(Some);
        assert_eq!(order(&found), [&slots[..], &[None]].concat());
        assert_eq!(found.slots, [0, 1, 6, 2, 3, 4, 5]);
        let chain = |branch, first, end| Chain { branch, first, end };
        let ranks = [chain(0, 2, 3), chain(0, 3, 5)];
        assert_eq!(found.list[..2], ranks);
        assert_eq!(found.list[2..], [chain(0, 0, 4), chain(0, 4, 6), chain(0, 6, 7)]);
        assert_eq!(found.branches, [1]);
    }

    #[test]
    fn long_side_branches_set_out_together_from_even_slots() {
        // A hip (0), and two legs of three (1, 2, 3 and 4, 5, 6).
        let found = chains(&[None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(5)]);
        assert_eq!((found.ranks, found.widest()), (2, 2));
        let slots =
            [Some(0), None, Some(1), Some(2), Some(3), None, Some(4), Some(5), Some(6), None];
        assert_eq!(order(&found), slots);
        let chain = |branch, first, end| Chain { branch, first, end };
        assert_eq!(found.list[2..], [chain(0, 0, 1), chain(0, 2, 5), chain(0, 6, 9)]);
    }

    #[test]
    fn every_root_begins_a_chain_and_every_joint_has_a_slot_after_its_parent() {
        let parents = [None, None, Some(0), Some(1), Some(1), Some(4), Some(2), Some(2)];
        let found = chains(&parents);
        assert_eq!(found.list[0], Chain { branch: 0, first: 2, end: 4 });
        let mut seen: Vec<_> = order(&found).into_iter().flatten().collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..8).collect::<Vec<_>>());
        for (joint, parent) in parents.iter().enumerate() {
            assert_eq!(order(&found)[found.slots[joint] as usize], Some(joint));
            assert!(parent.is_none_or(|parent| found.slots[parent] < found.slots[joint]));
        }
    }
}
