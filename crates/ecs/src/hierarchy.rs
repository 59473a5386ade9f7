//! The second step: local transforms become world matrices, down the tree, where something moved.
//!
//! In:  [`LocalTransform`], [`Shear`] and the parents of nodes.
//! Out: [`WorldTransform`].
//!
//! Every tree of nodes is kept as a list with parents before children, made again only when nodes come, go or change
//! their parent. Trees are independent of each other, so many are updated at once; one in which nothing changed is
//! skipped.

mod rebuild;
mod tree;

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_tasks::{ComputeTaskPool, ParallelSliceMut, TaskPool};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::{LocalTransform, Shear, WorldTransform};
pub(crate) use rebuild::rebuild;
use tree::{Locals, Tree};

/// Trees that one task updates: enough to be worth the task, few enough to keep all threads busy.
const TREES_PER_TASK: usize = 32;

/// In no tree.
const NOWHERE: u32 = u32::MAX;

/// Where a node is in the hierarchy.
#[derive(Clone, Component, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    tree: u32,
    index: u32,
}

impl Default for Slot {
    fn default() -> Self {
        Self { tree: NOWHERE, index: NOWHERE }
    }
}

/// A node is gone: its tree must be made again.
pub(crate) fn removed(mut world: DeferredWorld<'_>, context: HookContext) {
    let Some(slot) = world.get::<Slot>(context.entity).copied() else { return };
    if let Some(mut hierarchy) = world.get_resource_mut::<Hierarchy>()
        && slot.tree != NOWHERE
    {
        hierarchy.outdated.push(slot.tree);
    }
}

/// All trees of nodes.
#[derive(Debug, Default, Resource)]
pub(crate) struct Hierarchy {
    trees: Vec<Tree>,
    /// Places in `trees` that hold no tree now.
    free: Vec<u32>,
    /// Trees that a node was taken from.
    outdated: Vec<u32>,
    /// Nodes in or below a cycle.
    cyclic: Vec<Entity>,
    /// How often trees were made.
    generation: u64,
}

/// Nodes that somebody moved.
type ChangedNodes = Or<(Changed<LocalTransform>, Changed<Shear>)>;

pub(crate) fn propagate(
    mut hierarchy: ResMut<'_, Hierarchy>,
    locals: Locals<'_, '_>,
    changed: Query<'_, '_, &Slot, ChangedNodes>,
    mut unsheared: RemovedComponents<'_, '_, Shear>,
    mut worlds: Query<'_, '_, (&Slot, &mut WorldTransform)>,
    mut diagnostics: ResMut<'_, Diagnostics>,
) {
    let trees = &mut hierarchy.trees;
    for node in unsheared.read() {
        if let Ok((slot, _)) = worlds.get(node)
            && let Some(tree) = trees.get_mut(slot.tree as usize)
        {
            tree.renew();
        }
    }
    trees.iter_mut().for_each(Tree::begin);
    let known = &*trees;
    changed.par_iter().for_each(|slot| {
        if let Some(tree) = known.get(slot.tree as usize) {
            tree.mark_changed();
        }
    });
    if !trees.iter_mut().any(|tree| tree.is_changed()) {
        return;
    }
    let pool = ComputeTaskPool::get_or_init(TaskPool::default);
    trees.par_chunk_map_mut(pool, TREES_PER_TASK, |_, chunk| {
        chunk.iter_mut().filter(|tree| tree.is_changed()).for_each(|tree| tree.update(&locals));
    });
    let known = &*trees;
    worlds.par_iter_mut().for_each(|(slot, mut world)| {
        let tree = known.get(slot.tree as usize).filter(|tree| tree.is_changed());
        if let Some(now) = tree.and_then(|tree| tree.moved(slot.index)) {
            world.set_if_neq(WorldTransform(now));
        }
    });
    diagnostics.nodes.clear();
    let invalid = trees.iter().flat_map(Tree::invalid);
    diagnostics.nodes.extend(invalid.map(|node| Diagnostic::NotFinite { node }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    #[test]
    fn there_is_a_tree_for_each_copy_and_none_when_all_are_gone() {
        let (mut world, mut schedule) = (World::new(), Schedule::default());
        crate::install(&mut world, &mut schedule);
        let model = Model::new(sinew::demo());
        let roots = [(); 3].map(|()| model.spawn(&mut world));
        let size = |world: &World| {
            let hierarchy = world.resource::<Hierarchy>();
            let nodes: usize = hierarchy.trees.iter().map(|tree| tree.nodes.len()).sum();
            (hierarchy.trees.len() - hierarchy.free.len(), nodes)
        };
        crate::run(&mut world, &mut schedule, 0.0);
        // A root, four nodes, a mesh and a skin each.
        assert_eq!(size(&world), (3, 21));
        world.despawn(roots[1]);
        crate::run(&mut world, &mut schedule, 0.0);
        assert_eq!(size(&world), (2, 14));
        world.despawn(roots[0]);
        world.despawn(roots[2]);
        crate::run(&mut world, &mut schedule, 0.0);
        assert_eq!(size(&world), (0, 0));
        assert_eq!(world.resource::<Hierarchy>().trees.capacity(), 0);
    }
}
