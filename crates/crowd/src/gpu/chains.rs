//! A skeleton as chains: runs of joints, each the parent of the next.
//!
//! In:  a [`Skeleton`].
//! Out: slots for its joints, chain after chain; and the chains, rank after rank.
//!
//! A joint's chain goes on with the child that has most below it; the other children begin chains
//! of the next rank. One thread goes down a chain without waiting for anyone, and threads wait for each other only
//! between ranks: a hand with five fingers is two ranks, however many joints lead there.

use std::cmp::Reverse;

use bytemuck::{Pod, Zeroable};
use sinew_scene::{JointId, Skeleton};

/// Slots from `first` to before `end`; a root is its own chain's parent. As in common.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Chain {
    pub(super) parent: u32,
    pub(super) first: u32,
    pub(super) end: u32,
}

/// A skeleton, in the order in which a GPU walks it.
#[derive(Debug)]
pub(super) struct Chains {
    /// The joint in each slot.
    pub(super) joints: Vec<JointId>,
    /// The slot of each joint.
    pub(super) slots: Vec<u32>,
    /// Which chains each rank has, then the chains.
    pub(super) list: Vec<Chain>,
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
        let mut all =
            Self { joints: Vec::new(), slots: vec![0; parents.len()], list: vec![], ranks: count };
        for rank in 0..count {
            let before = |limit: u32| {
                count + starts.partition_point(|joint| ranks[joint.index()] < limit) as u32
            };
            all.list.push(Chain { parent: 0, first: before(rank), end: before(rank + 1) });
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
            self.joints.push(joint);
        }
        let end = self.joints.len() as u32;
        self.list.push(match parent {
            Some(parent) => Chain { parent: self.slots[parent.index()], first, end },
            None => Chain { parent: first, first: first + 1, end },
        });
    }
}

struct Heirs {
    /// The child that goes on with the chain.
    next: Vec<Option<JointId>>,
    /// How many joints the longest way down has.
    below: Vec<u32>,
}

fn heirs(parents: &[Option<JointId>]) -> Heirs {
    let mut heirs = Heirs { next: vec![None; parents.len()], below: vec![0; parents.len()] };
    for (at, parent) in parents.iter().enumerate().rev() {
        let Some(parent) = parent else { continue };
        let way = heirs.below[at] + 1;
        // Of equals the first, which comes last here.
        if way >= heirs.below[parent.index()] {
            heirs.below[parent.index()] = way;
            heirs.next[parent.index()] = Some(JointId::new(at));
        }
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

    #[test]
    fn a_hand_is_two_ranks() {
        // An arm of two (0, 1), a finger of one (2), one of two (3, 4), one of two (5, 6).
        let found = chains(&[None, Some(0), Some(1), Some(1), Some(3), Some(1), Some(5)]);
        assert_eq!(found.ranks, 2);
        let order: Vec<_> = found.joints.iter().map(|joint| joint.index()).collect();
        assert_eq!(order, [0, 1, 3, 4, 5, 6, 2]);
        assert_eq!(found.slots, [0, 1, 6, 2, 3, 4, 5]);
        let chain = |parent, first, end| Chain { parent, first, end };
        let ranks = [chain(0, 2, 3), chain(0, 3, 5)];
        assert_eq!(found.list[..2], ranks);
        assert_eq!(found.list[2..], [chain(0, 1, 4), chain(1, 4, 6), chain(1, 6, 7)]);
    }

    #[test]
    fn every_root_begins_a_chain_and_every_joint_has_a_slot_after_its_parent() {
        let parents = [None, None, Some(0), Some(1), Some(1), Some(4), Some(2), Some(2)];
        let found = chains(&parents);
        assert_eq!(found.list[0], Chain { parent: 0, first: 2, end: 4 });
        let mut seen = found.slots.clone();
        seen.sort_unstable();
        assert_eq!(seen, (0..8).collect::<Vec<_>>());
        for (joint, parent) in parents.iter().enumerate() {
            assert!(parent.is_none_or(|parent| found.slots[parent] < found.slots[joint]));
        }
    }
}
