//! How one node is rounded to whole steps, given where its parent came out.
//!
//! In:  a node's sample, and its parent's as it was rounded.
//! Out: where the node comes out, and how far its shell is off.
//!
//! A node aims at where it should be in the model, so that what its parent is off it makes good.

use sinew_scene::glam::{Quat, Vec3, Vec3A};

use super::samples::Samples;
use super::tracks::{NodeTracks, RotationTrack, VectorTrack, angle, vector_steps};
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

/// How one node is rounded.
pub(crate) struct Rounding<'a> {
    pub(crate) samples: &'a Samples,
    pub(crate) tracks: NodeTracks,
    /// Metres from the node to its shell, and the size of its parent's space.
    pub(crate) radius: f32,
    pub(crate) above: f32,
}

impl Rounding<'_> {
    /// Where the node comes out, how far its shell is off, and the whole steps that are stored. `above` is where its
    /// parent's sample is, and where the parent came out.
    #[inline]
    pub(crate) fn round(
        &self,
        at: usize,
        above: Option<(usize, State)>,
    ) -> (State, f32, Vec3, Vec3) {
        let Samples { locals, rotations, positions, .. } = self.samples;
        let local = locals[at];
        let (parent, exact_above, place_above) = match above {
            Some((at, state)) => (state, rotations[at], positions[at]),
            None => (State::EXACT, Quat::IDENTITY, Vec3::ZERO),
        };
        let (parent_rotation, parent_off) =
            (Quat::from_array(parent.rotation), Vec3A::from(parent.off));
        // What the parent's error does to the way from it to here.
        let bone = Vec3A::from(positions[at] - place_above);
        let turned = parent_rotation * exact_above.conjugate();
        let (moved, translation) = match self.tracks.translation {
            VectorTrack::Fixed(value) => (value - local.translation, Vec3::ZERO),
            VectorTrack::Moving { frame: origin, code } => {
                let aim = turned.conjugate() * (bone - parent_off) - bone;
                let aim =
                    local.translation + Vec3::from(exact_above.conjugate() * aim) / self.above;
                let steps = vector_steps(origin, code, aim);
                (origin + steps * step(code) - local.translation, steps)
            }
        };
        let moved = exact_above * Vec3A::from(moved) * self.above;
        let off = parent_off + turned * (bone + moved) - bone;
        let (rotation, steps) = self.rotation(at, parent_rotation);
        let error = off.length() + self.radius * angle(rotation, rotations[at]);
        (State { rotation: rotation.to_array(), off: off.into() }, error, steps, translation)
    }

    #[inline]
    fn rotation(&self, at: usize, parent: Quat) -> (Quat, Vec3) {
        match self.tracks.rotation {
            RotationTrack::Fixed(value) => (parent * value, Vec3::ZERO),
            RotationTrack::Moving { frame: basis, code } => {
                let aim = parent.conjugate() * self.samples.rotations[at];
                let steps = (basis.stored(aim) / step(code)).round();
                (parent * basis.rotation(steps * step(code)), steps.into())
            }
        }
    }
}
