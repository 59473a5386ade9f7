//! The rules, one file for each group. A rule looks at the facts and adds what it finds.

mod body;
mod clip;
mod file;
mod material;
mod morphs;
mod names;
mod rotation;
mod size;
mod skin;
mod tracks;
mod transform;
mod weights;

use sinew_scene::ClipId;

pub(crate) use body::{ground_speed, off_floor, proportion, sole, standing};
pub(crate) use clip::{FAR_SHARE, LATE_BY, first_key, rests_between, tail_begin};
pub(crate) use rotation::{is_half_turn, is_spike};
pub(crate) use size::spine;
pub(crate) use transform::{UNEVEN, is_quarter_turn, unevenness};

use crate::Finding;
use crate::facts::Facts;

/// So many clips of a file are sampled.
const MAX_CLIPS: usize = 1000;

/// What all rules find.
pub(crate) fn all(facts: &Facts<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    size::check(facts, &mut found);
    transform::check(facts, &mut found);
    weights::check(facts, &mut found);
    skin::check(facts, &mut found);
    rotation::check(facts, &mut found);
    names::check(facts, &mut found);
    tracks::check(facts, &mut found);
    body::check(facts, &mut found);
    morphs::check(facts, &mut found);
    material::check(facts, &mut found);
    file::check(facts, &mut found);
    for (at, clip) in facts.scene.clips.iter().enumerate().take(MAX_CLIPS) {
        let motion = facts.motion(clip);
        let id = ClipId::new(at);
        clip::check(facts, id, &motion, &mut found);
        body::check_clip(facts, id, &motion, &mut found);
    }
    found
}
