//! How far off a level of detail may be: a bound, not a sample.
//!
//! In:  the sampled clips and which of them are blended, how late a pose may be, and which joints are left at rest.
//! Out: metres, at any point within 10 cm of a joint.
//!
//! Who is late by so many seconds is off by no more than each joint travels in that time, and this adds up along
//! the tree with the lengths below. For given lengths that sum is linear in what the joints travel and only grows with it,
//! so a blend of two sampled clips is no farther off than the worse of the two: all that is looked for is the worst
//! moment of each sampled clip alone. What a blend of rotations can add to that is a factor ([`Blends`]).

mod blends;
mod travel;

use std::sync::Arc;

use sinew_motion::{LANES, SampledClip};

pub(crate) use blends::Blends;
use travel::JointTravel;

use crate::bones::{Bones, NONE};

/// Metres around each joint within which its skin is taken to be.
const SHELL: f32 = 0.1;
/// Of what is computed in single precision, for each metre from the root.
const ROUNDING: f32 = 2e-6;

/// What is asked.
pub(crate) struct Question<'a> {
    pub(crate) bones: &'a Bones,
    pub(crate) sampled_clips: &'a [Arc<SampledClip>],
    /// Which of them anybody plays.
    pub(crate) played: &'a [bool],
    /// Which two sampled clips anybody blends.
    pub(crate) pairs: &'a [(u16, u16)],
    /// How many seconds of a sampled clip at most that a pose may be late.
    pub(crate) late: f32,
    /// Which blocks of eight joints are not left at rest.
    pub(crate) moving: &'a [bool],
}

/// What holds for one joint at any time of any sampled clip.
#[derive(Clone, Copy, Debug)]
struct Largest {
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
    let travels: Vec<Vec<JointTravel>> = sampled_clips
        .iter()
        .map(|sampled| {
            (0..bones.len()).map(|joint| JointTravel::new(sampled, joint, bones)).collect()
        })
        .collect();
    let largests: Vec<Largest> =
        (0..bones.len()).map(|joint| largest(bones, &travels, joint)).collect();
    let blends = Blends::new(&travels, question.pairs);
    let mut farthest = 0.0_f32;
    let mut tree = vec![Off::default(); bones.len()];
    for (at, (sampled, travels)) in sampled_clips.iter().zip(&travels).enumerate() {
        if !played[at] {
            continue;
        }
        for moment in travel::moments(sampled, *late) {
            for joint in 0..bones.len() {
                let own = if moving[joint / LANES] {
                    travels[joint].within(moment, *late)
                } else {
                    travels[joint].off_rest(moment, *late)
                };
                let own = blends.worse(joint, own);
                tree[joint] = below(bones, &tree, &largests[joint], joint, own);
                let off = &tree[joint];
                farthest =
                    farthest.max(off.translation + SHELL * off.linear + ROUNDING * off.reach);
            }
        }
    }
    farthest
}

/// How far a joint can be off in its parent, or how far it travels there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Local {
    /// In radians.
    pub(crate) rotation: f32,
    pub(crate) translation: f32,
    pub(crate) scale: f32,
}

/// How far a joint can be off in the model.
#[derive(Clone, Copy, Debug, Default)]
struct Off {
    translation: f32,
    /// Of its matrix: what it makes of a metre.
    linear: f32,
    /// The most that its matrix makes of a metre.
    scale: f32,
    /// The longest path from the root, and the shell.
    reach: f32,
}

/// `A B - A' B' = (A - A') B + A' (B - B')`, for the translations and for the matrices.
fn below(bones: &Bones, tree: &[Off], largest: &Largest, joint: usize, own: Local) -> Off {
    let above = match bones.parents[joint] {
        NONE => Off { scale: 1.0, reach: SHELL, ..Off::default() },
        parent => tree[parent as usize],
    };
    // No rotation is farther from another than its opposite.
    let linear = (own.rotation.min(2.0) * largest.scale + own.scale) * largest.shear;
    let scale = largest.scale * largest.shear;
    Off {
        translation: above.translation
            + above.linear * largest.length
            + above.scale * own.translation,
        linear: above.linear * scale + above.scale * linear,
        scale: above.scale * scale,
        reach: above.reach + above.scale * largest.length,
    }
}

fn largest(bones: &Bones, travels: &[Vec<JointTravel>], joint: usize) -> Largest {
    let rest = &bones.locals[joint];
    let start = Largest {
        length: rest.translation.length(),
        scale: rest.scale.abs().max_element(),
        shear: bones.shears[joint].map_or(1.0, |shear| {
            shear.to_cols_array().iter().map(|number| number * number).sum::<f32>().sqrt()
        }),
    };
    travels.iter().map(|travels| &travels[joint]).fold(start, |so_far, travel| Largest {
        length: so_far.length.max(travel.longest),
        scale: so_far.scale.max(travel.largest),
        ..so_far
    })
}
