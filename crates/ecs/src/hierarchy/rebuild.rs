//! Trees are made again where nodes came, went or changed their parent.
//!
//! A node without a parent that is a node is a root, and everything that can be reached from a root is a tree. What
//! cannot be reached from any root is in a cycle, or below one.

use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::prelude::*;

use super::tree::Tree;
use super::{Hierarchy, NOWHERE, Slot};
use crate::LocalTransform;
use crate::diagnostic::{Diagnostic, Diagnostics};

/// Parents and children, of nodes alone.
type Relations<'w, 's> =
    Query<'w, 's, (Option<&'static ChildOf>, Option<&'static Children>), With<LocalTransform>>;

/// Where each node is.
type Slots<'w, 's> = Query<'w, 's, &'static mut Slot>;

/// Nodes that are new, or have another parent.
type New = (With<LocalTransform>, Or<(Added<LocalTransform>, Changed<ChildOf>)>);

pub(crate) fn rebuild(
    mut hierarchy: ResMut<'_, Hierarchy>,
    relations: Relations<'_, '_>,
    mut slots: Slots<'_, '_>,
    new: Query<'_, '_, Entity, New>,
    mut unparented: RemovedComponents<'_, '_, ChildOf>,
    mut diagnostics: ResMut<'_, Diagnostics>,
) {
    let mut unplaced: Vec<Entity> = new.iter().chain(unparented.read()).collect();
    if unplaced.is_empty() && hierarchy.outdated.is_empty() {
        return;
    }
    unplaced.append(&mut hierarchy.cyclic);
    for node in &unplaced {
        if let Ok(slot) = slots.get(*node)
            && slot.tree != NOWHERE
        {
            hierarchy.outdated.push(slot.tree);
        }
    }
    hierarchy.generation += 1;
    let mut rebuilding =
        Rebuild { hierarchy: &mut hierarchy, relations, slots: &mut slots, unplaced };
    diagnostics.cycles.clear();
    rebuilding.run(&mut diagnostics.cycles);
}

struct Rebuild<'a, 'w, 's> {
    hierarchy: &'a mut Hierarchy,
    relations: Relations<'a, 'a>,
    slots: &'a mut Slots<'w, 's>,
    /// Nodes that are in no tree yet, or may be in a wrong one.
    unplaced: Vec<Entity>,
}

impl Rebuild<'_, '_, '_> {
    /// A tree may take nodes over from another, which is outdated then; so until none is.
    fn run(&mut self, cycles: &mut Vec<Diagnostic>) {
        let mut cyclic = EntityHashSet::default();
        while !(self.unplaced.is_empty() && self.hierarchy.outdated.is_empty()) {
            self.take_apart();
            let mut unplaced = std::mem::take(&mut self.unplaced);
            // An entity that is gone, or is no node any more, has no place.
            unplaced.retain(|node| self.relations.contains(*node));
            for node in &unplaced {
                if self.parent(*node).is_none() {
                    self.make(*node);
                }
            }
            for node in unplaced {
                if !self.is_placed(node)
                    && let Some(root) = self.root_of(node, &mut cyclic, cycles)
                {
                    self.make(root);
                }
            }
        }
        self.hierarchy.cyclic = cyclic.into_iter().collect();
        if self.hierarchy.free.len() == self.hierarchy.trees.len() {
            self.hierarchy.trees = Vec::new();
            self.hierarchy.free = Vec::new();
        }
    }

    /// Takes outdated trees apart; their nodes are unplaced then.
    fn take_apart(&mut self) {
        let mut outdated = std::mem::take(&mut self.hierarchy.outdated);
        outdated.sort_unstable();
        outdated.dedup();
        for place in outdated {
            let tree = &mut self.hierarchy.trees[place as usize];
            if tree.made == self.hierarchy.generation || tree.nodes.is_empty() {
                continue;
            }
            let tree = std::mem::take(tree);
            self.hierarchy.free.push(place);
            for node in tree.nodes {
                if let Ok(mut slot) = self.slots.get_mut(node)
                    && slot.tree == place
                {
                    *slot = Slot::default();
                    self.unplaced.push(node);
                }
            }
        }
    }

    fn parent(&self, node: Entity) -> Option<Entity> {
        let (parent, _) = self.relations.get(node).ok()?;
        parent.map(ChildOf::parent).filter(|parent| self.relations.contains(*parent))
    }

    /// Whether the node is in a tree of this generation.
    fn is_placed(&self, node: Entity) -> bool {
        let Ok(slot) = self.slots.get(node) else { return false };
        let tree = self.hierarchy.trees.get(slot.tree as usize);
        tree.is_some_and(|tree| tree.made == self.hierarchy.generation)
    }

    /// The root above a node; `None` when the parents form a cycle.
    fn root_of(
        &self,
        node: Entity,
        cyclic: &mut EntityHashSet,
        cycles: &mut Vec<Diagnostic>,
    ) -> Option<Entity> {
        let mut passed = EntityHashSet::default();
        let mut top = node;
        while let Some(parent) = self.parent(top) {
            if !passed.insert(top) || cyclic.contains(&top) {
                if !cyclic.contains(&top) {
                    cycles.push(Diagnostic::Cycle { node: self.first_of_cycle(top) });
                }
                cyclic.extend(passed);
                return None;
            }
            top = parent;
        }
        Some(top)
    }

    /// The same node for a cycle, whichever of its nodes one starts with.
    fn first_of_cycle(&self, start: Entity) -> Entity {
        let around = std::iter::successors(self.parent(start), |node| self.parent(*node));
        let all = around.take_while(|node| *node != start);
        all.fold(start, |a, b| if b.index_u32() < a.index_u32() { b } else { a })
    }

    /// Makes the tree below a root, level after level.
    fn make(&mut self, root: Entity) {
        if self.is_placed(root) {
            return;
        }
        let generation = self.hierarchy.generation;
        let own = self.slots.get(root).map_or(NOWHERE, |slot| slot.tree);
        let place = if own != NOWHERE {
            own
        } else {
            self.hierarchy.free.pop().unwrap_or_else(|| {
                self.hierarchy.trees.push(Tree::default());
                self.hierarchy.trees.len() as u32 - 1
            })
        };
        let mut tree = Tree::new(root, generation);
        let mut next = 0;
        while next < tree.nodes.len() {
            let node = tree.nodes[next];
            self.place(node, Slot { tree: place, index: next as u32 });
            let children = self.relations.get(node).ok().and_then(|(_, children)| children);
            for child in
                children.into_iter().flatten().filter(|child| self.relations.contains(**child))
            {
                tree.nodes.push(*child);
                tree.parents.push(next as u32);
            }
            next += 1;
        }
        tree.ready();
        self.hierarchy.trees[place as usize] = tree;
    }

    fn place(&mut self, node: Entity, here: Slot) {
        let Ok(mut slot) = self.slots.get_mut(node) else { return };
        if slot.tree != NOWHERE && slot.tree != here.tree {
            self.hierarchy.outdated.push(slot.tree);
        }
        *slot = here;
    }
}
