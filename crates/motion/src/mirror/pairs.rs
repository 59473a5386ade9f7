//! Which joint is whose counterpart on the other side.
//!
//! In:  a skeleton.
//! Out: for each joint its partner; itself when it is in the middle; none when it is alone.
//!
//! Parents come first and partners have partners for parents, so a joint only looks for its own among
//! the children of its parent's.

use std::collections::HashMap;

use sinew_scene::glam::{Affine3A, Vec3A};
use sinew_scene::{JointId, Skeleton};

use super::Plane;
use super::names::other_side;

/// Which joint is whose counterpart on the other side.
///
/// ```
/// use sinew_motion::Pairs;
/// # use sinew_scene::{JointId, Node, Scene, SceneParts, Transform};
/// # let nodes = ["hips", "leg.L", "leg.R"].map(|name| Node::new(name, (name != "hips").then(|| JointId::new(0)), Transform::IDENTITY));
/// # let scene = Scene::new(SceneParts { nodes: nodes.to_vec(), ..SceneParts::default() })?;
/// let skeleton = scene.skeleton();
/// let pairs = Pairs::find(skeleton);
/// let leg = |name| skeleton.find(name).unwrap();
/// assert_eq!(pairs.partner(leg("leg.L")), Some(leg("leg.R")));
/// assert_eq!(pairs.partner(leg("hips")), Some(leg("hips")));
/// # Ok::<(), sinew_scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairs {
    partners: Vec<Option<JointId>>,
}

impl Pairs {
    /// Found by names (`Left`/`Right`, `L`/`R`, in any common spelling), below paired joints also by
    /// equal names or mirrored places. What has no partner below the middle is the middle.
    #[must_use]
    pub fn find(skeleton: &Skeleton) -> Self {
        let mut pairs = Self { partners: vec![None; skeleton.len()] };
        let mut named: HashMap<&str, Vec<JointId>> = HashMap::new();
        for joint in skeleton.ids() {
            named.entry(&skeleton.node(joint).name).or_default().push(joint);
        }
        let mut done = vec![false; skeleton.len()];
        for joint in skeleton.ids() {
            if done[joint.index()] {
                continue;
            }
            let partner = pairs.by_name(skeleton, joint, &named, &done);
            pairs.settle(skeleton, joint, partner, &mut done);
        }
        pairs.by_place(skeleton);
        pairs
    }

    /// The counterpart: itself in the middle, none when it is left as it is.
    #[must_use]
    pub fn partner(&self, joint: JointId) -> Option<JointId> {
        self.partners[joint.index()]
    }

    /// Makes two joints counterparts, or puts one in the middle when both are the same. What they
    /// were paired with before is alone then.
    pub fn set(&mut self, a: JointId, b: JointId) {
        self.clear(a);
        self.clear(b);
        self.partners[a.index()] = Some(b);
        self.partners[b.index()] = Some(a);
    }

    /// Leaves a joint, and its counterpart, as they are when the rest is mirrored.
    pub fn clear(&mut self, joint: JointId) {
        if let Some(partner) = self.partners[joint.index()].take() {
            self.partners[partner.index()] = None;
        }
    }

    /// Every pair once, in the order of the skeleton; without the middle.
    pub fn iter(&self) -> impl Iterator<Item = (JointId, JointId)> + '_ {
        let pairs = self.partners.iter().enumerate();
        pairs.filter_map(|(index, partner)| {
            let joint = JointId::new(index);
            partner.filter(|partner| joint < *partner).map(|partner| (joint, partner))
        })
    }

    /// Where a joint's partner would hang: below its parent's.
    fn home(&self, skeleton: &Skeleton, joint: JointId) -> Option<Option<JointId>> {
        match skeleton.node(joint).parent {
            None => Some(None),
            Some(parent) => self.partner(parent).map(Some),
        }
    }

    fn by_name(
        &self,
        skeleton: &Skeleton,
        joint: JointId,
        named: &HashMap<&str, Vec<JointId>>,
        done: &[bool],
    ) -> Option<JointId> {
        let home = self.home(skeleton, joint)?;
        let fits = |other: &&JointId| {
            **other != joint && !done[other.index()] && skeleton.node(**other).parent == home
        };
        let name = &skeleton.node(joint).name;
        let sides = other_side(name);
        let same = (!name.is_empty() && home != skeleton.node(joint).parent).then_some(name);
        let names = sides.iter().chain(same);
        names.filter_map(|name| named.get(name.as_str())).flatten().find(fits).copied()
    }

    fn settle(
        &mut self,
        skeleton: &Skeleton,
        joint: JointId,
        partner: Option<JointId>,
        done: &mut [bool],
    ) {
        let middle = self.home(skeleton, joint) == Some(skeleton.node(joint).parent);
        match partner {
            Some(partner) => {
                self.set(joint, partner);
                done[partner.index()] = true;
            }
            None if middle => self.partners[joint.index()] = Some(joint),
            None => {}
        }
        done[joint.index()] = true;
    }

    /// Joints below a pair that no name pairs: those whose places are each other's mirror image.
    fn by_place(&mut self, skeleton: &Skeleton) {
        let rest = rest(skeleton);
        let plane = Plane::find(self, &rest);
        let near = 0.02 * size(&rest);
        for joint in skeleton.ids() {
            let Some(Some(home)) = self.home(skeleton, joint) else { continue };
            if self.partner(joint).is_some() || Some(home) == skeleton.node(joint).parent {
                continue;
            }
            let wanted = plane.reflect(rest[joint.index()].translation);
            let away = |other: &JointId| rest[other.index()].translation.distance(wanted);
            let partner = skeleton
                .ids()
                .filter(|other| skeleton.node(*other).parent == Some(home))
                .filter(|other| self.partner(*other).is_none() && away(other) < near)
                .min_by(|a, b| away(a).total_cmp(&away(b)));
            if let Some(partner) = partner {
                self.set(joint, partner);
            }
        }
    }
}

/// Where every joint stands in the model at rest.
pub(crate) fn rest(skeleton: &Skeleton) -> Vec<Affine3A> {
    let mut model_from_joint: Vec<Affine3A> = Vec::with_capacity(skeleton.len());
    for node in skeleton.nodes() {
        let parent = node.parent.map_or(Affine3A::IDENTITY, |up| model_from_joint[up.index()]);
        model_from_joint.push(parent * node.parent_from_node());
    }
    model_from_joint
}

/// The longest side of a box around all joints.
pub(super) fn size(model_from_joint: &[Affine3A]) -> f32 {
    let places = || model_from_joint.iter().map(|matrix| matrix.translation);
    let least = places().fold(Vec3A::splat(f32::MAX), Vec3A::min);
    let most = places().fold(Vec3A::splat(f32::MIN), Vec3A::max);
    (most - least).max_element().max(0.0)
}
