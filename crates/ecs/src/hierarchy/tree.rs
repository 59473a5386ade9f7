//! One tree of nodes as a list, parents before children.
//!
//! Level after level: all children of the root, then all of theirs.

use std::sync::atomic::{AtomicBool, Ordering};

use bevy_ecs::prelude::*;
use sinew::glam::Affine3A;

use crate::{LocalTransform, Shear};

const MOVED: u8 = 1;
const INVALID: u8 = 2;

/// What an update reads of a node.
pub(super) type Locals<'w, 's> =
    Query<'w, 's, (Ref<'static, LocalTransform>, Option<Ref<'static, Shear>>)>;

/// One tree.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Entity>,
    /// Of each node, in `nodes`; the root's is itself.
    pub(super) parents: Vec<u32>,
    worlds: Vec<Affine3A>,
    flags: Vec<u8>,
    /// Whether anything in it moved; set by many at once.
    changed: AtomicBool,
    /// Just made: every node counts as moved.
    fresh: bool,
    /// Whether the matrix of any node is not finite.
    any_invalid: bool,
    /// The hierarchy's generation when it was made.
    pub(super) made: u64,
}

impl Tree {
    pub(super) fn new(root: Entity, generation: u64) -> Self {
        Self { nodes: vec![root], parents: vec![0], made: generation, ..Self::default() }
    }

    /// Once all nodes are in.
    pub(super) fn ready(&mut self) {
        self.worlds = vec![Affine3A::IDENTITY; self.nodes.len()];
        self.flags = vec![0; self.nodes.len()];
        self.fresh = true;
    }

    /// Everything is to be worked out again.
    pub(super) fn renew(&mut self) {
        self.fresh = true;
    }

    /// Nothing has moved yet in this run.
    pub(super) fn begin(&mut self) {
        *self.changed.get_mut() = self.fresh;
    }

    pub(super) fn mark_changed(&self) {
        self.changed.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_changed(&self) -> bool {
        self.changed.load(Ordering::Relaxed)
    }

    /// Works out what moved, and all below it.
    pub(super) fn update(&mut self, locals: &Locals<'_, '_>) {
        self.any_invalid = false;
        for index in 0..self.nodes.len() {
            let parent = self.parents[index] as usize;
            // The root is its own parent, and its flag is of the update before.
            let parent_moved = parent != index && self.flags[parent] & MOVED != 0;
            let Ok((local, shear)) = locals.get(self.nodes[index]) else { continue };
            let changed = local.is_changed() || shear.as_ref().is_some_and(Ref::is_changed);
            if !(self.fresh || parent_moved || changed) {
                self.flags[index] &= !MOVED;
                self.any_invalid |= self.flags[index] & INVALID != 0;
                continue;
            }
            let own = local.to_affine(shear.as_deref());
            let world = if parent == index { own } else { self.worlds[parent] * own };
            self.flags[index] = MOVED;
            if world.is_finite() {
                self.worlds[index] = world;
            } else {
                self.flags[index] |= INVALID;
                self.any_invalid = true;
            }
        }
        self.fresh = false;
    }

    /// Where a node is now, if it moved in this run.
    pub(super) fn moved(&self, index: u32) -> Option<Affine3A> {
        let index = index as usize;
        (self.flags.get(index)? & MOVED != 0).then(|| self.worlds[index])
    }

    /// Nodes whose matrix is not finite.
    pub(super) fn invalid(&self) -> impl Iterator<Item = Entity> {
        let nodes = self.any_invalid.then(|| self.nodes.iter().zip(&self.flags));
        nodes
            .into_iter()
            .flatten()
            .filter(|(_, flags)| **flags & INVALID != 0)
            .map(|(node, _)| *node)
    }
}
