//! What single precision adds to an error that was measured with it.
//!
//! In:  a clip at its frames.
//! Out: metres.
//!
//! A clip and its packed clip are both measured as they are sampled, in single precision. Who decodes them in double
//! precision finds every joint a few last places away from there: `docs/decisions.md` counts them, and a test of
//! `tests/checked.rs` sees them. Roundings of different joints know nothing of each other, so along a chain of bones
//! they add up as squares.

use sinew_scene::{Clip, Scene};

use super::samples::Samples;
use super::tracks::{Reach, angle};

/// Half of the last place of 1.
const LAST_PLACE: f32 = 1.0 / (1 << 24) as f32;
/// Last places that a translation is off, of its length: five roundings.
const TRANSLATION: f32 = 5.0 * LAST_PLACE;
/// Radians that a rotation is off, and for every radian between its frames.
const ROTATION: f32 = 8.0 * LAST_PLACE;
const ROTATION_A_RADIAN: f32 = 2.0 * LAST_PLACE;

/// Metres below which nobody measures.
const LEAST: f32 = 1e-9;

/// Metres that any shell may be farther off than it was measured.
pub(crate) fn rounding(scene: &Scene, clip: &Clip, samples: &Samples, reach: &Reach) -> f32 {
    let mut driven = vec![false; reach.metres.len()];
    clip.rotations.iter().for_each(|track| driven[track.joint.index()] = true);
    let vectors = clip.translations.iter().chain(&clip.scales);
    vectors.for_each(|track| driven[track.joint.index()] = true);
    let mut squares: Vec<f32> = Vec::with_capacity(reach.metres.len());
    let nodes = samples.locals.chunks(samples.frames()).zip(scene.skeleton().nodes());
    for (node, (locals, entry)) in nodes.enumerate() {
        let angles = locals.windows(2).map(|pair| angle(pair[0].rotation, pair[1].rotation));
        let widest: f32 = angles.fold(0.0, f32::max);
        let longest = locals.iter().map(|local| local.translation.length()).fold(0.0, f32::max);
        let (size, before) = entry
            .parent
            .map_or((1.0, 0.0), |parent| (reach.sizes[parent.index()], squares[parent.index()]));
        // What is not driven is at rest, to the last bit.
        if !driven[node] {
            squares.push(before);
            continue;
        }
        let turned = (ROTATION + ROTATION_A_RADIAN * widest) * reach.metres[node];
        let moved = TRANSLATION * longest * size;
        squares.push(before + turned * turned + moved * moved);
    }
    squares.into_iter().fold(0.0, f32::max).sqrt().max(LEAST)
}
