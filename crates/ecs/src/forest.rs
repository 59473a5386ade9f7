//! The second step: local transforms become world matrices, down the tree, where something moved.
//!
//! In:  [`LocalTransform`], [`Shear`] and who hangs below whom.
//! Out: [`WorldTransform`].
//!
//! The forest keeps every tree of nodes as a list with parents before children, made anew only when its hierarchy
//! changes. Trees know nothing of each other, so many are walked at once; one that nothing stirred is passed over.

mod branch;
mod plant;

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_tasks::{ComputeTaskPool, ParallelSliceMut, TaskPool};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::{LocalTransform, Shear, WorldTransform};
use branch::{Branch, Locals};
pub(crate) use plant::plant;

/// Trees that one task walks: enough to be worth the task, few enough to share out.
const TREES_A_TASK: usize = 32;

/// In no tree.
const NOWHERE: u32 = u32::MAX;

/// Where a node is in the forest.
#[derive(Clone, Component, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    branch: u32,
    index: u32,
}

impl Default for Slot {
    fn default() -> Self {
        Self { branch: NOWHERE, index: NOWHERE }
    }
}

/// A node is gone: its tree must be made anew.
pub(crate) fn left(mut world: DeferredWorld<'_>, context: HookContext) {
    let Some(slot) = world.get::<Slot>(context.entity).copied() else { return };
    if let Some(mut forest) = world.get_resource_mut::<Forest>()
        && slot.branch != NOWHERE
    {
        forest.torn.push(slot.branch);
    }
}

/// All trees of nodes.
#[derive(Debug, Default, Resource)]
pub(crate) struct Forest {
    branches: Vec<Branch>,
    /// Branches that hold no tree now.
    free: Vec<u32>,
    /// Branches that a node was taken from.
    torn: Vec<u32>,
    /// Nodes in or below a circle.
    lost: Vec<Entity>,
    /// How often trees were made.
    season: u64,
}

/// Nodes that somebody moved.
type Stirred = Or<(Changed<LocalTransform>, Changed<Shear>)>;

pub(crate) fn grow(
    mut forest: ResMut<'_, Forest>,
    locals: Locals<'_, '_>,
    stirred: Query<'_, '_, &Slot, Stirred>,
    mut straightened: RemovedComponents<'_, '_, Shear>,
    mut worlds: Query<'_, '_, (&Slot, &mut WorldTransform)>,
    mut diagnostics: ResMut<'_, Diagnostics>,
) {
    let branches = &mut forest.branches;
    for node in straightened.read() {
        if let Ok((slot, _)) = worlds.get(node)
            && let Some(branch) = branches.get_mut(slot.branch as usize)
        {
            branch.renew();
        }
    }
    branches.iter_mut().for_each(Branch::rest);
    let known = &*branches;
    stirred.par_iter().for_each(|slot| {
        if let Some(branch) = known.get(slot.branch as usize) {
            branch.stir();
        }
    });
    if !branches.iter_mut().any(|branch| branch.is_stirred()) {
        return;
    }
    let pool = ComputeTaskPool::get_or_init(TaskPool::default);
    branches.par_chunk_map_mut(pool, TREES_A_TASK, |_, chunk| {
        chunk.iter_mut().filter(|branch| branch.is_stirred()).for_each(|b| b.walk(&locals));
    });
    let known = &*branches;
    worlds.par_iter_mut().for_each(|(slot, mut world)| {
        let branch = known.get(slot.branch as usize).filter(|branch| branch.is_stirred());
        if let Some(now) = branch.and_then(|branch| branch.moved(slot.index)) {
            world.set_if_neq(WorldTransform(now));
        }
    });
    diagnostics.nodes.clear();
    let bad = branches.iter().flat_map(Branch::bad);
    diagnostics.nodes.extend(bad.map(|node| Diagnostic::NotFinite { node }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    #[test]
    fn the_forest_has_a_tree_for_each_copy_and_none_when_all_are_gone() {
        let (mut world, mut schedule) = (World::new(), Schedule::default());
        crate::install(&mut world, &mut schedule);
        let model = Model::new(sinew::demo());
        let roots = [(); 3].map(|()| model.spawn(&mut world));
        let size = |world: &World| {
            let forest = world.resource::<Forest>();
            let nodes: usize = forest.branches.iter().map(|branch| branch.nodes.len()).sum();
            (forest.branches.len() - forest.free.len(), nodes)
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
        assert_eq!(world.resource::<Forest>().branches.capacity(), 0);
    }
}
