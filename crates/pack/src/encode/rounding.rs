//! What single precision adds to an error that was measured with it.
//!
//! In:  a clip at its frames.
//! Out: metres.
//!
//! A clip and its packed clip are both measured as they are sampled, in single precision. Who decodes them in double
//! precision finds every joint a few last places away from there: `docs/decisions.md` counts them, and a test of
//! `tests/checked.rs` sees them. Roundings of different joints know nothing of each other, so along a chain of bones
//! they add up as squares.

use sinew_scene::{Clip, Interpolation, Scene, Track};

use super::samples::Samples;
use super::tracks::{Reach, angle, most};

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
    let mut add = |node: usize, part: f32, curve: Interpolation, metres: f32| {
        let part = if curve == Interpolation::Cubic { part + CUBIC } else { part };
        own[node] += (part * metres) * (part * metres);
    };
    for Track { joint, curve } in &clip.rotations {
        let pairs = samples.node(joint.index()).windows(2);
        let widest = most(pairs.map(|pair| angle(pair[0].rotation, pair[1].rotation)));
        let part = ROTATION + ROTATION_A_RADIAN * widest;
        add(joint.index(), part, curve.interpolation(), reach.metres[joint.index()]);
    }
    for Track { joint, curve } in &clip.scales {
        add(joint.index(), VECTOR, curve.interpolation(), reach.metres[joint.index()]);
    }
    for Track { joint, curve } in &clip.translations {
        let locals = samples.node(joint.index()).iter();
        let longest = most(locals.map(|local| local.translation.length()));
        let metres = longest * reach.above[joint.index()];
        add(joint.index(), VECTOR, curve.interpolation(), metres);
    }
    for (node, parent) in scene.skeleton().parents().iter().enumerate() {
        own[node] += parent.map_or(0.0, |parent| own[parent.index()]);
    }
    most(own.into_iter()).sqrt().max(LEAST)
}
