//! Left for right: a pose or a clip as a mirror shows it.
//!
//! In:  a skeleton, once: which joints are [`Pairs`], in which [`Plane`], against which reference pose.
//! Out: mirrored poses and clips. Mirrored twice is the original.
//!
//! A joint's turn is compared with the reference pose in model space, mirrored there, and given to
//! its partner against the partner's reference; so left and right bones may have any axes. All of
//! that folds into one factor on either side of the local rotation, made once.

mod clip;
mod names;
mod pairs;
mod plane;
mod reflection;

use std::fmt;

use sinew_scene::glam::{Affine3A, Mat3A, Vec3A};
use sinew_scene::{InstanceId, JointId, Scene, Skeleton};

pub use pairs::Pairs;
pub(crate) use pairs::rest;
pub use plane::Plane;
use reflection::Reflection;

use crate::Pose;
use crate::lanes::{LANES, Lanes};

/// Swaps left and right.
#[derive(Clone, Debug)]
pub struct Mirror {
    pairs: Pairs,
    plane: Plane,
    /// A joint, its partner, and what each makes of the other's transform.
    twins: Vec<(JointId, JointId, Reflection, Reflection)>,
    /// The joints in the middle.
    middle: Vec<(JointId, Reflection)>,
    /// Morph targets that swap: instance, one, other.
    morphs: Vec<(InstanceId, usize, usize)>,
    doubts: Vec<(JointId, JointId, f32)>,
}

/// Two joints that cannot be each other's mirror image.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MirrorError {
    joints: [String; 2],
    parents: [String; 2],
}

impl fmt::Display for MirrorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([a, b], [up_a, up_b]) = (&self.joints, &self.parents);
        write!(
            f,
            "{a:?} and {b:?} cannot be a pair: expected their parents to be one, found {up_a:?} and {up_b:?}"
        )
    }
}

impl std::error::Error for MirrorError {}

impl Mirror {
    /// Pairs by name, the plane between them, and the rest pose for reference.
    #[must_use]
    pub fn new(skeleton: &Skeleton) -> Self {
        let (pairs, rest) = (Pairs::find(skeleton), pairs::rest(skeleton));
        let plane = Plane::find(&pairs, &rest);
        Self::build(skeleton, pairs, plane, &rest)
    }

    /// As [`new`](Self::new), and knows more: where the bind pose of a skin is more even than the
    /// rest pose, that is the reference; and morph targets swap by name too.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        let skeleton = scene.skeleton();
        let (pairs, rest) = (Pairs::find(skeleton), pairs::rest(skeleton));
        let bind = bind(scene, &rest);
        let uneven = |pose: &[Affine3A]| uneven(&pairs, Plane::find(&pairs, pose), pose);
        let reference = if uneven(&bind) < 0.5 * uneven(&rest) { &bind } else { &rest };
        let plane = Plane::find(&pairs, reference);
        let mut mirror = Self::build(skeleton, pairs, plane, reference);
        mirror.morphs = morphs(scene);
        mirror
    }

    /// With pairs, plane and reference pose (model matrices) of one's own.
    ///
    /// # Errors
    /// When two joints are paired whose parents are not.
    ///
    /// # Panics
    /// When pairs or reference are not for this skeleton.
    pub fn with(
        skeleton: &Skeleton,
        pairs: Pairs,
        plane: Plane,
        model_from_joint: &[Affine3A],
    ) -> Result<Self, MirrorError> {
        assert_eq!(model_from_joint.len(), skeleton.len(), "one matrix per joint");
        let name = |joint: Option<JointId>| {
            joint.map_or_else(String::new, |joint| skeleton.node(joint).name.clone())
        };
        for joint in skeleton.ids() {
            let Some(partner) = pairs.partner(joint) else { continue };
            let [up, other] = [joint, partner].map(|joint| skeleton.node(joint).parent);
            if up.map(|up| pairs.partner(up)) != other.map(Some) {
                return Err(MirrorError {
                    joints: [name(Some(joint)), name(Some(partner))],
                    parents: [name(up), name(other)],
                });
            }
        }
        Ok(Self::build(skeleton, pairs, plane, model_from_joint))
    }

    fn build(skeleton: &Skeleton, pairs: Pairs, plane: Plane, reference: &[Affine3A]) -> Self {
        let reflect = reflection::maker(skeleton, plane, reference);
        let twins = pairs.iter().map(|(a, b)| (a, b, reflect(a, b), reflect(b, a))).collect();
        let alone = |joint: &JointId| pairs.partner(*joint) == Some(*joint);
        let middle = skeleton.ids().filter(alone).map(|joint| (joint, reflect(joint, joint)));
        let middle = middle.collect();
        let allowed = 0.05 * pairs::size(reference);
        let apart = pairs.iter().map(|(a, b)| (a, b, apart(plane, reference, a, b)));
        let doubts = apart.filter(|(.., apart)| *apart > allowed).collect();
        Self { twins, middle, morphs: Vec::new(), doubts, plane, pairs }
    }

    /// Who is whose counterpart.
    #[must_use]
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// The plane of the mirror.
    #[must_use]
    pub fn plane(&self) -> Plane {
        self.plane
    }

    /// Pairs by name that do not stand where a mirror would have them, and by how many metres:
    /// further than a twentieth of the whole. Empty for an even skeleton.
    #[must_use]
    pub fn doubts(&self) -> &[(JointId, JointId, f32)] {
        &self.doubts
    }

    /// Mirrors a pose, model matrices included.
    ///
    /// # Panics
    /// When the pose has other joints than the skeleton.
    pub fn apply(&self, pose: &mut Pose, skeleton: &Skeleton) {
        self.apply_locals(pose.locals_mut());
        for &(instance, a, b) in &self.morphs {
            pose.weights_mut(instance).swap(a, b);
        }
        pose.to_model(skeleton);
    }

    /// Mirrors local transforms alone.
    ///
    /// # Panics
    /// When there are fewer than the skeleton has.
    pub fn apply_locals(&self, locals: &mut [Lanes]) {
        let get = |locals: &[Lanes], joint: JointId| {
            locals[joint.index() / LANES].get(joint.index() % LANES)
        };
        for (a, b, from_b, from_a) in &self.twins {
            let (at_a, at_b) = (get(locals, *a), get(locals, *b));
            locals[a.index() / LANES].set(a.index() % LANES, from_b.transform(at_b));
            locals[b.index() / LANES].set(b.index() % LANES, from_a.transform(at_a));
        }
        for (joint, reflection) in &self.middle {
            let mirrored = reflection.transform(get(locals, *joint));
            locals[joint.index() / LANES].set(joint.index() % LANES, mirrored);
        }
    }

    /// What a joint takes its mirrored transform from, and how.
    fn source(&self, joint: JointId) -> Option<(JointId, &Reflection)> {
        let twin = self.twins.iter().find_map(|(a, b, from_b, from_a)| match joint {
            joint if joint == *a => Some((*b, from_b)),
            joint if joint == *b => Some((*a, from_a)),
            _ => None,
        });
        let middle = || self.middle.iter().find(|(middle, _)| *middle == joint);
        twin.or_else(|| middle().map(|(joint, reflection)| (*joint, reflection)))
    }
}

fn apart(plane: Plane, reference: &[Affine3A], a: JointId, b: JointId) -> f32 {
    let [a, b] = [a, b].map(|joint| reference[joint.index()].translation);
    plane.reflect(a).distance(b)
}

/// How far a pose is from its mirror image, in all.
fn uneven(pairs: &Pairs, plane: Plane, pose: &[Affine3A]) -> f32 {
    pairs.iter().map(|(a, b)| apart(plane, pose, a, b)).sum()
}

/// The pose in which the skins were bound; at rest where no skin binds it.
fn bind(scene: &Scene, rest: &[Affine3A]) -> Vec<Affine3A> {
    let skeleton = scene.skeleton();
    let mut bound: Vec<Option<Affine3A>> = vec![None; rest.len()];
    for skin in &scene.skins {
        for (joint, joint_from_mesh) in skin.joints.iter().zip(&skin.joint_from_mesh) {
            let model_from_joint = joint_from_mesh.inverse();
            if model_from_joint.is_finite() {
                bound[joint.index()].get_or_insert(model_from_joint);
            }
        }
    }
    let mut bind: Vec<Affine3A> = Vec::with_capacity(rest.len());
    for (index, node) in skeleton.nodes().iter().enumerate() {
        let parent = node.parent.map_or(Affine3A::IDENTITY, |up| bind[up.index()]);
        bind.push(bound[index].unwrap_or(parent * node.parent_from_node()));
    }
    bind
}

fn morphs(scene: &Scene) -> Vec<(InstanceId, usize, usize)> {
    let mut found = Vec::new();
    for (index, instance) in scene.instances.iter().enumerate() {
        let names = &scene.meshes[instance.mesh.index()].morph_names;
        for (target, name) in names.iter().enumerate() {
            let others = names::other_side(name);
            let other = names.iter().position(|name| others.contains(name));
            if let Some(other) = other.filter(|other| target < *other) {
                found.push((InstanceId::new(index), target, other));
            }
        }
    }
    found
}

/// The linear part of a matrix, or the identity when it is too flat to lead back.
fn solid(matrix: &Mat3A) -> Mat3A {
    let volume = matrix.determinant().abs();
    let size = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3A::length);
    let flat = volume <= 1e-6 * size[0] * size[1] * size[2] || !matrix.inverse().is_finite();
    if flat { Mat3A::IDENTITY } else { *matrix }
}
