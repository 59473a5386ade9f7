//! How far a surface point can stray from where its neighbours carry it, when joints rotate.
//!
//! In:  where the joints of a skin are in mesh space, and which is whose parent.
//! Out: a bound of the distance between a vertex and what stands for it on another surface, in any pose.
//!
//! A joint's matrix is its parent's after a rotation about its pivot. A sum of matrices times points is then the sum over
//! joints of that rotation's change of all that hangs on it and below, and no rotation changes a vector by more than twice
//! its length.

use glam::Vec3;
use sinew_scene::{Influence, Skeleton, Skin};

/// Where the joints of a skin are.
#[derive(Clone, Debug)]
pub struct Pivots {
    joints: Vec<Pivot>,
}

#[derive(Clone, Copy, Debug)]
struct Pivot {
    at: Vec3,
    /// The nearest ancestor in the skin, plus one; 0 for none.
    parent: u32,
    depth: u32,
}

/// What hangs on a joint: points times weights, and the sum of the weights.
#[derive(Clone, Copy, Debug)]
struct Hanging {
    /// A joint plus one; 0 for what carries all joints.
    joint: u32,
    points: Vec3,
    weight: f32,
}

impl Pivots {
    /// Of a skin, in the space of its mesh.
    #[must_use]
    pub fn new(skin: &Skin, skeleton: &Skeleton) -> Self {
        let parents = skeleton.parents();
        let mut own = vec![0; parents.len()];
        for (index, joint) in skin.joints.iter().enumerate() {
            own[joint.index()] = index as u32 + 1;
        }
        let mut depths = vec![0_u32; parents.len()];
        for (node, parent) in parents.iter().enumerate() {
            depths[node] = parent.map_or(1, |parent| depths[parent.index()] + 1);
        }
        let pivot = |(joint, bind): (&sinew_scene::JointId, &glam::Affine3A)| {
            let mut above = parents[joint.index()];
            while let Some(node) = above.filter(|node| own[node.index()] == 0) {
                above = parents[node.index()];
            }
            let at = Vec3::from(bind.inverse().translation);
            Pivot {
                at: if at.is_finite() { at } else { Vec3::ZERO },
                parent: above.map_or(0, |node| own[node.index()]),
                depth: depths[joint.index()],
            }
        };
        Self { joints: skin.joints.iter().zip(&skin.joint_from_mesh).map(pivot).collect() }
    }

    /// Half of the weight that differs between two vertices, each times how far from `at` its joint is: an estimate, for choosing.
    pub(crate) fn lever(&self, at: Vec3, a: &[Influence], b: &[Influence]) -> f32 {
        let weight = |list: &[Influence], joint: u32| {
            list.iter().find(|one| one.joint == joint).map_or(0.0, |one| one.weight)
        };
        let lever =
            |joint: u32| self.joints.get(joint as usize).map_or(0.0, |pivot| pivot.at.distance(at));
        let mut sum = 0.0;
        for one in a {
            sum += (one.weight - weight(b, one.joint)).abs() * lever(one.joint);
        }
        for one in b.iter().filter(|one| a.iter().all(|own| own.joint != one.joint)) {
            sum += one.weight.abs() * lever(one.joint);
        }
        sum * 0.5
    }

    /// How far apart a vertex and what stands for it can get beside their distance at rest. `parts` are both: points times their
    /// share, above zero for the vertex and below for what stands for it, each with its influences.
    pub(crate) fn strain<'a>(
        &self,
        parts: impl Iterator<Item = (Vec3, f32, &'a [Influence])>,
    ) -> f32 {
        let mut hanging: Vec<Hanging> = Vec::with_capacity(16);
        for (point, share, influences) in parts {
            for influence in influences {
                let weight = influence.weight * share;
                add(
                    &mut hanging,
                    Hanging { joint: influence.joint + 1, points: point * weight, weight },
                );
            }
            if influences.is_empty() {
                add(&mut hanging, Hanging { joint: 0, points: point * share, weight: share });
            }
        }
        let mut sum = 0.0;
        // From the leaves up to the joint that carries all of it.
        while hanging.len() > 1 {
            let deepest = (0..hanging.len()).max_by_key(|&at| self.depth(hanging[at].joint));
            let Some(deepest) = deepest else { break };
            let one = hanging.swap_remove(deepest);
            if one.joint == 0 {
                break;
            }
            let pivot = self.pivot(one.joint);
            sum += 2.0 * (one.points - pivot.at * one.weight).length();
            add(&mut hanging, Hanging { joint: pivot.parent, ..one });
        }
        sum
    }

    fn pivot(&self, joint: u32) -> Pivot {
        let none = Pivot { at: Vec3::ZERO, parent: 0, depth: 1 };
        self.joints.get(joint as usize - 1).copied().unwrap_or(none)
    }

    fn depth(&self, joint: u32) -> u32 {
        if joint == 0 { 0 } else { self.pivot(joint).depth }
    }
}

fn add(hanging: &mut Vec<Hanging>, one: Hanging) {
    match hanging.iter_mut().find(|known| known.joint == one.joint) {
        Some(known) => {
            known.points += one.points;
            known.weight += one.weight;
        }
        None => hanging.push(one),
    }
}
