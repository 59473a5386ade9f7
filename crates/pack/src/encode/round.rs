//! How one node is rounded to whole steps, given where its parent came out.
//!
//! In:  a node's sample, and its parent's as it was rounded.
//! Out: where the node comes out, and how far its shell is off.
//!
//! A node aims at where it should be in the model, so that what its parent is off it makes good.

use sinew_scene::glam::{Quat, Vec3, Vec3A};

use super::samples::Samples;
use super::tracks::{NodeTracks, RotationTrack, angle};
use crate::format::code::step;

/// Where a node came out: its rotation in the model, and how far its position is off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    rotation: [f32; 4],
    off: Vec3,
}

impl State {
    pub(crate) const EXACT: Self = Self { rotation: [0.0, 0.0, 0.0, 1.0], off: Vec3::ZERO };
}

/// A node at a frame: where it comes out, how far its shell is off, and whole steps of its rotation and translation.
pub(crate) struct Rounded {
    pub(crate) state: State,
    pub(crate) error: f32,
    pub(crate) steps: [Vec3; 2],
}

impl NodeTracks {
    /// Rounds the node at a frame, under its parent as it came out.
    #[inline]
    pub(crate) fn round(&self, samples: &Samples, frame: usize, states: &[State]) -> Rounded {
        let Samples { locals, rotations, positions, .. } = samples;
        let at = self.node * samples.frames() + frame;
        let local = locals[at];
        let (parent, exact_above, place_above) = match self.parent {
            Some(parent) => {
                let at = parent * samples.frames() + frame;
                (states[at], rotations[at], positions[at])
            }
            None => (State::EXACT, Quat::IDENTITY, Vec3::ZERO),
        };
        let (parent_rotation, parent_off) =
            (Quat::from_array(parent.rotation), Vec3A::from(parent.off));
        // What the parent's error does to the way from it to here.
        let bone = Vec3A::from(positions[at] - place_above);
        let turned = parent_rotation * exact_above.conjugate();
        let translation = self.translation;
        let place = translation.code.map_or(Vec3::ZERO, |_| {
            let aim = exact_above.conjugate() * (turned.conjugate() * (bone - parent_off) - bone);
            translation.steps(local.translation + Vec3::from(aim) / self.above)
        });
        let moved = translation.value(place) - local.translation;
        let moved = exact_above * Vec3A::from(moved) * self.above;
        let off = parent_off + turned * (bone + moved) - bone;
        let RotationTrack { fixed, basis, code } = self.rotation;
        let (rotation, turn) = match code {
            None => (parent_rotation * fixed, Vec3A::ZERO),
            Some(code) => {
                let aim = parent_rotation.conjugate() * rotations[at];
                let steps = (basis.stored(aim) / step(code)).round();
                (parent_rotation * basis.rotation(steps * step(code)), steps)
            }
        };
        Rounded {
            state: State { rotation: rotation.to_array(), off: off.into() },
            error: off.length() + self.radius * angle(rotation, rotations[at]),
            steps: [turn.into(), place],
        }
    }
}
