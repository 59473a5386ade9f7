//! Poses of a whole skeleton, and questions about its tree.
//!
//! Rotations are taken from model matrices, so that scales above a joint do not matter.

use glam::{Affine3A, Mat3, Quat, Vec3};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{JointId, Scene, Skeleton};

/// Where every node is in the model, at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Stand {
    pub(crate) places: Vec<Vec3>,
    pub(crate) rotations: Vec<Quat>,
}

impl Stand {
    pub(crate) fn of(model_from_joint: &[Affine3A]) -> Self {
        Self {
            places: model_from_joint
                .iter()
                .map(|matrix| finite(matrix.translation.into()))
                .collect(),
            rotations: model_from_joint.iter().map(|&matrix| rotation_of(matrix)).collect(),
        }
    }

    pub(crate) fn rest(scene: &Scene) -> Self {
        Self::of(Pose::new(scene).model_from_joint())
    }

    /// The pose that a mesh was bound in, where there is a skin; joints of none stand as at rest.
    pub(crate) fn bound(scene: &Scene) -> Option<Self> {
        let skeleton = scene.skeleton();
        let rest = Pose::new(scene);
        let mut known: Vec<Option<Affine3A>> = vec![None; skeleton.len()];
        let worn = scene.instances.iter().filter_map(|one| Some((one.joint, one.skin?)));
        for (node, skin) in worn {
            let model_from_mesh = rest.model_from_joint()[node.index()];
            let skin = &scene.skins[skin.index()];
            for (&joint, joint_from_mesh) in skin.joints.iter().zip(&skin.joint_from_mesh) {
                let bound = model_from_mesh * joint_from_mesh.inverse();
                if known[joint.index()].is_none() && bound.is_finite() {
                    known[joint.index()] = Some(bound);
                }
            }
        }
        known.iter().any(Option::is_some).then(|| {
            let mut all: Vec<Affine3A> = Vec::with_capacity(skeleton.len());
            for (node, bound) in skeleton.nodes().iter().zip(known) {
                let parent = node.parent.map_or(Affine3A::IDENTITY, |parent| all[parent.index()]);
                all.push(bound.unwrap_or(parent * node.parent_from_node()));
            }
            Self::of(&all)
        })
    }

    /// A clip of the scene at a time.
    pub(crate) fn at(clip: &sinew_scene::Clip, scene: &Scene, time: f32) -> Self {
        let mut pose = Pose::new(scene);
        sample(clip, time, &mut Cursor::new(), &mut pose);
        pose.to_model(scene.skeleton());
        Self::of(pose.model_from_joint())
    }

    pub(crate) fn place(&self, joint: JointId) -> Vec3 {
        self.places[joint.index()]
    }

    pub(crate) fn rotation(&self, joint: JointId) -> Quat {
        self.rotations[joint.index()]
    }

    /// From one joint to another.
    pub(crate) fn way(&self, from: JointId, to: JointId) -> Vec3 {
        self.place(to) - self.place(from)
    }
}

fn finite(place: Vec3) -> Vec3 {
    if place.is_finite() { place } else { Vec3::ZERO }
}

/// The rotation in a matrix; none where it is flat.
pub(crate) fn rotation_of(matrix: Affine3A) -> Quat {
    let linear = Mat3::from(matrix.matrix3);
    let x = linear.x_axis.try_normalize().unwrap_or(Vec3::X);
    let y = (linear.y_axis - x * x.dot(linear.y_axis)).try_normalize();
    let y = y.unwrap_or_else(|| x.any_orthonormal_vector());
    let z = x.cross(y);
    // A mirrored matrix looks along the other Z; its rotation is that of what it mirrors.
    let rotation = Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize();
    if rotation.is_finite() { rotation } else { Quat::IDENTITY }
}

/// The shortest rotation from one unit vector to another. Exact for the smallest angles too, where
/// [`Quat::from_rotation_arc`] gives none: a foot would tremble by half a millimetre.
pub(crate) fn arc(from: Vec3, to: Vec3) -> Quat {
    let (across, along) = (from.cross(to), 1.0 + from.dot(to));
    if along < 1e-5 {
        return Quat::from_rotation_arc(from, to);
    }
    Quat::from_xyzw(across.x, across.y, across.z, along).normalize()
}

/// Whether `joint` is `above` or hangs below it.
pub(crate) fn is_below(skeleton: &Skeleton, joint: JointId, above: JointId) -> bool {
    let mut at = Some(joint);
    while let Some(here) = at {
        if here == above {
            return true;
        }
        at = skeleton.node(here).parent;
    }
    false
}

/// From the root down to `joint`, both included.
pub(crate) fn line(skeleton: &Skeleton, joint: JointId) -> Vec<JointId> {
    let mut line = vec![joint];
    while let Some(parent) = skeleton.node(line[line.len() - 1]).parent {
        line.push(parent);
    }
    line.reverse();
    line
}

/// The lowest node that both hang below.
pub(crate) fn meet(skeleton: &Skeleton, a: JointId, b: JointId) -> Option<JointId> {
    let (a, b) = (line(skeleton, a), line(skeleton, b));
    a.iter().zip(&b).take_while(|(a, b)| a == b).last().map(|(&a, _)| a)
}

/// The nodes strictly between `above` and `below`, which hangs below it; none where both are one.
pub(crate) fn between(skeleton: &Skeleton, above: JointId, below: JointId) -> Vec<JointId> {
    let line = line(skeleton, below);
    let above = line.iter().position(|&joint| joint == above);
    let inner = above.and_then(|at| line.get(at + 1..line.len() - 1));
    inner.unwrap_or_default().to_vec()
}

/// The children of every node.
pub(crate) fn children(skeleton: &Skeleton) -> Vec<Vec<JointId>> {
    let mut all = vec![Vec::new(); skeleton.len()];
    for id in skeleton.ids() {
        if let Some(parent) = skeleton.node(id).parent {
            all[parent.index()].push(id);
        }
    }
    all
}
