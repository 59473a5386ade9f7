//! A place that follows a joint: a sword in a hand, a hat on a head, a lamp.
//!
//! In:  a pose whose model matrices are up to date.
//! Out: where the socket is in the model, of the same frame: there is nothing that could lag.

use sinew_scene::JointId;
use sinew_scene::glam::{Affine3A, Mat3A};

use crate::Pose;
use crate::ik::rotation_of;

/// What a socket does with the scale of its joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SocketScale {
    /// What hangs there is stretched as the joint is.
    #[default]
    Follow,
    /// It grows as the joint does, evenly; never sheared, flat or mirrored.
    Even,
    /// It keeps its own size; its place still follows.
    Ignore,
}

/// A place that follows a joint.
///
/// ```
/// use sinew_motion::{Pose, Socket, SocketScale};
/// # use sinew_scene::{JointId, Node, Scene, SceneParts, Transform, glam::{Quat, Vec3}};
/// # let rest = Transform { scale: Vec3::splat(2.0), ..Transform::from_translation(Vec3::Y) };
/// # let scene = Scene::new(SceneParts { nodes: vec![Node::new("hand", None, rest)], ..SceneParts::default() })?;
/// let hand = scene.skeleton().find("hand").unwrap();
/// let sword = Socket::new(hand, Transform::from_translation(Vec3::X));
/// let pose = Pose::new(&scene);
/// let model_from_sword = Socket { scale: SocketScale::Ignore, ..sword }.model_from_socket(&pose);
/// assert_eq!(Vec3::from(model_from_sword.translation), Vec3::new(2.0, 1.0, 0.0));
/// assert_eq!(model_from_sword.matrix3.x_axis.x, 1.0);
/// # Ok::<(), sinew_scene::SceneError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Socket {
    /// What it follows.
    pub joint: JointId,
    /// Where it is in the joint.
    pub joint_from_socket: Affine3A,
    /// What becomes of the joint's scale.
    pub scale: SocketScale,
}

impl Socket {
    /// At a place in a joint, stretched as that is.
    #[must_use]
    pub fn new(joint: JointId, joint_from_socket: sinew_scene::Transform) -> Self {
        let joint_from_socket = joint_from_socket.to_affine();
        Self { joint, joint_from_socket, scale: SocketScale::Follow }
    }

    /// Where the socket is in the model. A joint that is flat, and so has no rotation of its own, turns
    /// nothing where its scale is not followed.
    ///
    /// # Panics
    /// When the pose has no such joint.
    #[must_use]
    pub fn model_from_socket(&self, pose: &Pose) -> Affine3A {
        let model_from_joint = &pose.model_from_joint()[self.joint.index()];
        let whole = *model_from_joint * self.joint_from_socket;
        let matrix = &model_from_joint.matrix3;
        let factor = match self.scale {
            SocketScale::Follow => return whole,
            SocketScale::Even => matrix.determinant().abs().cbrt(),
            SocketScale::Ignore => 1.0,
        };
        let rotation = rotation_of(matrix).map_or(Mat3A::IDENTITY, Mat3A::from_quat);
        Affine3A { matrix3: rotation * factor * self.joint_from_socket.matrix3, ..whole }
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::{Quat, Vec3};
    use sinew_scene::{Node, Scene, SceneParts, Transform};

    use super::*;

    fn socket(scale: Vec3, kind: SocketScale) -> Affine3A {
        let rest = Transform { scale, ..Transform::from_rotation(Quat::from_rotation_z(0.5)) };
        let nodes = vec![Node::new("hand", None, rest)];
        let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a hand");
        let socket = Socket::new(JointId::new(0), Transform::from_translation(Vec3::X));
        Socket { scale: kind, ..socket }.model_from_socket(&Pose::new(&scene))
    }

    #[test]
    fn what_hangs_there_keeps_its_size_or_takes_the_joints() {
        let stretched = Vec3::new(4.0, 2.0, 1.0);
        let turned = Mat3A::from_rotation_z(0.5);
        let at = Vec3::from(turned.x_axis * 4.0);
        for (kind, expected) in [
            (SocketScale::Follow, turned * Mat3A::from_diagonal(stretched)),
            (SocketScale::Even, turned * 2.0),
            (SocketScale::Ignore, turned),
        ] {
            let found = socket(stretched, kind);
            assert!(found.matrix3.abs_diff_eq(expected, 1e-5), "{kind:?}: {found}");
            assert!(Vec3::from(found.translation).abs_diff_eq(at, 1e-5), "{kind:?}: {found}");
        }
    }

    #[test]
    fn a_flat_or_mirrored_joint_gives_a_finite_socket() {
        for scale in [Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0), Vec3::new(-1.0, 1.0, 1.0)] {
            for kind in [SocketScale::Follow, SocketScale::Even, SocketScale::Ignore] {
                assert!(socket(scale, kind).is_finite(), "{scale} {kind:?}");
            }
            let kept = socket(scale, SocketScale::Ignore);
            assert!((kept.matrix3.determinant() - 1.0).abs() < 1e-5, "{scale}: {kept}");
        }
    }
}
