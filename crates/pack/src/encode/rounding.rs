//! What single precision adds to an error that was measured with it.
//!
//! In:  a clip at its frames.
//! Out: metres.
//!
//! A clip and its packed clip are both measured as they are sampled, in single precision. Who decodes them in double
//! precision finds every joint a few last places away from there: `docs/decisions.md` counts them, and a test of
//! `tests/checked.rs` sees them. Roundings of different joints know nothing of each other, so along a chain of bones
//! they add up as squares.

use sinew_scene::{Clip, Interpolation, Scene};

use super::samples::Samples;
use super::tracks::{Reach, angle};

/// Half of the last place of 1.
const LAST_PLACE: f32 = 1.0 / (1 << 24) as f32;
/// Parts of a translation or scale that it is off: five roundings.
const VECTOR: f32 = 5.0 * LAST_PLACE;
/// Radians that a rotation is off, and for every radian between its frames.
const ROTATION: f32 = 6.0 * LAST_PLACE;
const ROTATION_A_RADIAN: f32 = 2.0 * LAST_PLACE;
/// What is more for a cubic curve: the weights of its four values are rounded as well.
const CUBIC: f32 = 8.0 * LAST_PLACE;
/// Metres below which nobody measures.
const LEAST: f32 = 1e-9;

/// Metres that any shell may be farther off than it was measured.
pub(crate) fn rounding(scene: &Scene, clip: &Clip, samples: &Samples, reach: &Reach) -> f32 {
    // What is not driven is at rest, to the last bit.
    let mut own = vec![0.0; reach.metres.len()];
    let more = |curve: Interpolation| if curve == Interpolation::Cubic { CUBIC } else { 0.0 };
    for track in &clip.rotations {
        let node = track.joint.index();
        let locals = samples.node(node).windows(2);
        let angles = locals.map(|pair| angle(pair[0].rotation, pair[1].rotation));
        let widest: f32 = angles.fold(0.0, f32::max);
        let radians = ROTATION + ROTATION_A_RADIAN * widest + more(track.curve.interpolation());
        own[node] += square(radians * reach.metres[node]);
    }
    for track in &clip.scales {
        let part = VECTOR + more(track.curve.interpolation());
        own[track.joint.index()] += square(part * reach.metres[track.joint.index()]);
    }
    for track in &clip.translations {
        let node = track.joint.index();
        let lengths = samples.node(node).iter().map(|local| local.translation.length());
        let part = VECTOR + more(track.curve.interpolation());
        own[node] += square(part * lengths.fold(0.0, f32::max) * reach.above[node]);
    }
    for (node, parent) in scene.skeleton().parents().iter().enumerate() {
        own[node] += parent.map_or(0.0, |parent| own[parent.index()]);
    }
    own.into_iter().fold(0.0, f32::max).sqrt().max(LEAST)
}

fn square(number: f32) -> f32 {
    number * number
}
