//! Root motion: what happens to the motion of a character's root joint.
//!
//! In:  the joint, and the steps of clips.
//! Out: how far each step moves the character, and poses that stay in place.

use sinew_motion::{Pose, Root, RootMode, RootTracks, Step};
use sinew_scene::{JointId, Scene, Transform};

use super::motion::Motion;

/// What happens to the motion of the root joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RootMotionPolicy {
    /// It stays in the pose, as the clip has it.
    #[default]
    Leave,
    /// It is taken out of the pose: the character moves on the spot.
    /// [`root_motion`](crate::Animator::root_motion) reports how far it would have gone.
    Remove,
    /// It is taken out of the pose and moves the character in the world.
    Apply,
}

/// The root joint, with the tracks of every clip that move it.
#[derive(Clone, Debug)]
pub(super) struct RootJoint {
    root: Root,
    mode: RootMode,
    tracks: Vec<RootTracks>,
    /// For motions that are known by their poses alone.
    scratch: Pose,
}

impl RootJoint {
    pub(super) fn new(scene: &Scene, joint: JointId, mode: RootMode) -> Self {
        let root = Root::new(scene, joint, mode);
        let tracks = scene.clips.iter().map(|clip| root.tracks(clip)).collect();
        Self { root, mode, tracks, scratch: Pose::new(scene) }
    }

    pub(super) fn joint(&self) -> JointId {
        self.root.joint()
    }

    pub(super) fn mode(&self) -> RootMode {
        self.mode
    }

    /// How far a step of a motion moves the character, seen from where it was.
    pub(super) fn delta(&mut self, motion: &Motion, step: &Step, scene: &Scene) -> Transform {
        match motion {
            Motion::Clip(clip) => self.root.delta(&scene[*clip], &self.tracks[clip.index()], step),
            Motion::Packed(clip) => {
                self.root.delta_by(step, &mut self.scratch, |time, pose| clip.sample(time, pose))
            }
            Motion::Rest | Motion::Graph(_) => Transform::IDENTITY,
        }
    }

    /// Takes the root motion out of a pose.
    pub(super) fn hold(&self, pose: &mut Pose) {
        self.root.hold(pose);
    }
}

/// The same change for another span of time: `share` times as far, at the same pace.
pub(super) fn scaled(delta: Transform, share: f32) -> Transform {
    Transform {
        translation: delta.translation * share,
        rotation: glam::Quat::from_scaled_axis(delta.rotation.to_scaled_axis() * share),
        ..Transform::IDENTITY
    }
}
