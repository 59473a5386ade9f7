//! Trees made anew where nodes came, went or moved to another parent.
//!
//! A node without a parent that is a node is a root, and everything that can be reached from a root is a tree. What
//! cannot be reached from any root is in a circle, or hangs below one.

use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::prelude::*;

use super::branch::Branch;
use super::{Forest, NOWHERE, Slot};
use crate::LocalTransform;
use crate::diagnostic::{Diagnostic, Diagnostics};

/// Parents and children, of nodes alone.
type Kin<'w, 's> =
    Query<'w, 's, (Option<&'static ChildOf>, Option<&'static Children>), With<LocalTransform>>;

/// Where each node is.
type Slots<'w, 's> = Query<'w, 's, &'static mut Slot>;

/// Nodes that are new, or have another parent.
type Arrived = (With<LocalTransform>, Or<(Added<LocalTransform>, Changed<ChildOf>)>);

pub(crate) fn plant(
    mut forest: ResMut<'_, Forest>,
    kin: Kin<'_, '_>,
    mut slots: Slots<'_, '_>,
    arrived: Query<'_, '_, Entity, Arrived>,
    mut orphaned: RemovedComponents<'_, '_, ChildOf>,
    mut diagnostics: ResMut<'_, Diagnostics>,
) {
    let mut loose: Vec<Entity> = arrived.iter().chain(orphaned.read()).collect();
    if loose.is_empty() && forest.torn.is_empty() {
        return;
    }
    loose.append(&mut forest.lost);
    for node in &loose {
        if let Ok(slot) = slots.get(*node)
            && slot.branch != NOWHERE
        {
            forest.torn.push(slot.branch);
        }
    }
    forest.season += 1;
    let mut planting = Planting { forest: &mut forest, kin, slots: &mut slots, loose };
    diagnostics.cycles.clear();
    planting.run(&mut diagnostics.cycles);
}

struct Planting<'a, 'w, 's> {
    forest: &'a mut Forest,
    kin: Kin<'a, 'a>,
    slots: &'a mut Slots<'w, 's>,
    /// Nodes that are in no tree yet, or may be in a wrong one.
    loose: Vec<Entity>,
}

impl Planting<'_, '_, '_> {
    /// A tree may take nodes over from another, which is torn then; so until none is.
    fn run(&mut self, cycles: &mut Vec<Diagnostic>) {
        let mut lost = EntityHashSet::default();
        while !(self.loose.is_empty() && self.forest.torn.is_empty()) {
            self.fell();
            let mut loose = std::mem::take(&mut self.loose);
            // Who is gone, or is no node any more, is nobody's business here.
            loose.retain(|node| self.kin.contains(*node));
            for node in &loose {
                if self.parent(*node).is_none() {
                    self.make(*node);
                }
            }
            for node in loose {
                if !self.is_placed(node)
                    && let Some(root) = self.root_of(node, &mut lost, cycles)
                {
                    self.make(root);
                }
            }
        }
        self.forest.lost = lost.into_iter().collect();
        if self.forest.free.len() == self.forest.branches.len() {
            self.forest.branches = Vec::new();
            self.forest.free = Vec::new();
        }
    }

    /// Takes torn trees apart; their nodes are loose then.
    fn fell(&mut self) {
        let mut torn = std::mem::take(&mut self.forest.torn);
        torn.sort_unstable();
        torn.dedup();
        for place in torn {
            let branch = &mut self.forest.branches[place as usize];
            if branch.made == self.forest.season || branch.nodes.is_empty() {
                continue;
            }
            let branch = std::mem::take(branch);
            self.forest.free.push(place);
            for node in branch.nodes {
                if let Ok(mut slot) = self.slots.get_mut(node)
                    && slot.branch == place
                {
                    *slot = Slot::default();
                    self.loose.push(node);
                }
            }
        }
    }

    fn parent(&self, node: Entity) -> Option<Entity> {
        let (parent, _) = self.kin.get(node).ok()?;
        parent.map(ChildOf::parent).filter(|parent| self.kin.contains(*parent))
    }

    /// Whether the node is in a tree of this season.
    fn is_placed(&self, node: Entity) -> bool {
        let Ok(slot) = self.slots.get(node) else { return false };
        let branch = self.forest.branches.get(slot.branch as usize);
        branch.is_some_and(|branch| branch.made == self.forest.season)
    }

    /// The root above a node; `None` when the way up goes round.
    fn root_of(
        &self,
        node: Entity,
        lost: &mut EntityHashSet,
        cycles: &mut Vec<Diagnostic>,
    ) -> Option<Entity> {
        let mut passed = EntityHashSet::default();
        let mut top = node;
        while let Some(parent) = self.parent(top) {
            if !passed.insert(top) || lost.contains(&top) {
                if !lost.contains(&top) {
                    cycles.push(Diagnostic::Cycle { node: self.least_in_circle(top) });
                }
                lost.extend(passed);
                return None;
            }
            top = parent;
        }
        Some(top)
    }

    /// The same name for a circle, wherever one enters it.
    fn least_in_circle(&self, start: Entity) -> Entity {
        let around = std::iter::successors(self.parent(start), |node| self.parent(*node));
        let all = around.take_while(|node| *node != start);
        all.fold(start, |a, b| if b.index_u32() < a.index_u32() { b } else { a })
    }

    /// Makes the tree below a root, level after level.
    fn make(&mut self, root: Entity) {
        if self.is_placed(root) {
            return;
        }
        let season = self.forest.season;
        let own = self.slots.get(root).map_or(NOWHERE, |slot| slot.branch);
        let place = if own != NOWHERE {
            own
        } else {
            self.forest.free.pop().unwrap_or_else(|| {
                self.forest.branches.push(Branch::default());
                self.forest.branches.len() as u32 - 1
            })
        };
        let mut branch = Branch::new(root, season);
        let mut next = 0;
        while next < branch.nodes.len() {
            let node = branch.nodes[next];
            self.place(node, Slot { branch: place, index: next as u32 });
            let children = self.kin.get(node).ok().and_then(|(_, children)| children);
            for child in children.into_iter().flatten().filter(|child| self.kin.contains(**child)) {
                branch.nodes.push(*child);
                branch.parents.push(next as u32);
            }
            next += 1;
        }
        branch.ready();
        self.forest.branches[place as usize] = branch;
    }

    fn place(&mut self, node: Entity, here: Slot) {
        let Ok(mut slot) = self.slots.get_mut(node) else { return };
        if slot.branch != NOWHERE && slot.branch != here.branch {
            self.forest.torn.push(slot.branch);
        }
        *slot = here;
    }
}
