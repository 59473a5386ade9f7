//! How far off a level of detail may be: a bound, not a sample.
//!
//! In:  the sampled clips and which of them are blended, how late a pose may be, and which joints are left at rest.
//! Out: metres, at any point within 10 cm of a joint.
//!
//! Who is late by so many seconds is off by no more than the way that each joint makes in that time, and ways add up along
//! the tree with the lengths below them. For given lengths that sum is linear in the joints' ways and only grows with them,
//! so a blend of two sampled clips is no farther off than the worse of the two: all that is looked for is the worst
//! moment of each sampled clip alone. What a blend of turns can add to that is a factor ([`Blends`]).

mod blends;
mod way;

use std::sync::Arc;

use sinew_motion::{LANES, SampledClip};

pub(crate) use blends::Blends;
use way::Ways;

use crate::bones::{Bones, NONE};

/// Metres around each joint within which its skin is taken to be.
const SHELL: f32 = 0.1;
/// Of what is computed in single precision, for each metre on the way.
const ROUNDING: f32 = 2e-6;

/// What is asked.
pub(crate) struct Question<'a> {
    pub(crate) bones: &'a Bones,
    pub(crate) sampled_clips: &'a [Arc<SampledClip>],
    /// Which of them anybody plays.
    pub(crate) played: &'a [bool],
    /// Which two sampled clips anybody blends.
    pub(crate) pairs: &'a [(u16, u16)],
    /// The most seconds of a sampled clip that a pose may be late.
    pub(crate) late: f32,
    /// Which blocks of eight joints are not left at rest.
    pub(crate) moving: &'a [bool],
}

/// What holds for one joint at any time of any sampled clip.
#[derive(Clone, Copy, Debug)]
struct Most {
    /// From its parent, in metres of the parent.
    length: f32,
    /// Of its scale.
    scale: f32,
    shear: f32,
}

/// The most that a point near a joint can be off.
pub(crate) fn bound(question: &Question<'_>) -> f32 {
    let Question { bones, sampled_clips, played, moving, late, .. } = question;
    if *late <= 0.0 && moving.iter().all(|moving| *moving) {
        return 0.0;
    }
    let ways: Vec<Vec<Ways>> = sampled_clips
        .iter()
        .map(|sampled| (0..bones.len()).map(|joint| Ways::new(sampled, joint, bones)).collect())
        .collect();
    let most: Vec<Most> = (0..bones.len()).map(|joint| most(bones, &ways, joint)).collect();
    let blends = Blends::new(&ways, question.pairs);
    let mut farthest = 0.0_f32;
    let mut tree = vec![Off::default(); bones.len()];
    for (at, (sampled, ways)) in sampled_clips.iter().zip(&ways).enumerate() {
        if !played[at] {
            continue;
        }
        for moment in way::moments(sampled, *late) {
            for joint in 0..bones.len() {
                let own = match moving[joint / LANES] {
                    true => ways[joint].within(moment, *late),
                    false => ways[joint].off_rest(moment, *late),
                };
                let own = blends.worse(joint, own);
                tree[joint] = below(bones, &tree, &most[joint], joint, own);
                let off = &tree[joint];
                farthest = farthest.max(off.place + SHELL * off.turn + ROUNDING * off.reach);
            }
        }
    }
    farthest
}

/// How far a joint can be off in its parent, or the way it makes there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Local {
    /// In radians.
    pub(crate) turn: f32,
    pub(crate) place: f32,
    pub(crate) scale: f32,
}

/// How far a joint can be off in the model.
#[derive(Clone, Copy, Debug, Default)]
struct Off {
    place: f32,
    /// Of its matrix: what it makes of a metre.
    turn: f32,
    /// The most that its matrix makes of a metre.
    scale: f32,
    /// The longest way from the root, and the shell.
    reach: f32,
}

/// `A B - A' B' = (A - A') B + A' (B - B')`, for the places and for the matrices.
fn below(bones: &Bones, tree: &[Off], most: &Most, joint: usize, own: Local) -> Off {
    let above = match bones.parents[joint] {
        NONE => Off { scale: 1.0, reach: SHELL, ..Off::default() },
        parent => tree[parent as usize],
    };
    // No turn is farther from another than its opposite.
    let linear = (own.turn.min(2.0) * most.scale + own.scale) * most.shear;
    let scale = most.scale * most.shear;
    Off {
        place: above.place + above.turn * most.length + above.scale * own.place,
        turn: above.turn * scale + above.scale * linear,
        scale: above.scale * scale,
        reach: above.reach + above.scale * most.length,
    }
}

fn most(bones: &Bones, ways: &[Vec<Ways>], joint: usize) -> Most {
    let rest = &bones.locals[joint];
    let start = Most {
        length: rest.translation.length(),
        scale: rest.scale.abs().max_element(),
        shear: bones.shears[joint].map_or(1.0, |shear| {
            shear.to_cols_array().iter().map(|number| number * number).sum::<f32>().sqrt()
        }),
    };
    ways.iter().map(|ways| &ways[joint]).fold(start, |most, ways| Most {
        length: most.length.max(ways.longest),
        scale: most.scale.max(ways.largest),
        ..most
    })
}
