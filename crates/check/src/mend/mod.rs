//! Mends: from a scene with a fault to one without.
//!
//! In:  a scene as read, and the codes of what is to be mended beside what is safe.
//! Out: the scene, and one sentence for each thing that was done.
//!
//! Much is mended by reading alone: weights, lengths of quaternions, keys that are no numbers, missing tangents. What is here
//! changes as little as it can: what is safe leaves the skin where it was, but for one that was never bound, and a comparison can hold it to
//! that.

mod bind;
mod clip;
mod feet;
mod material;
mod mesh;
mod mirror;
mod names;
mod root;
mod shear;
mod size;
mod skeleton;
mod split;
mod steps;
mod stretch;
mod tracks;
mod weights;

use sinew_scene::{Scene, SceneError, SceneParts};

use crate::Rule;
use crate::rule::Mend;

/// A mended scene.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Mended {
    /// The scene.
    pub scene: Scene,
    /// What was done: the rule's code, and a sentence.
    pub done: Vec<(&'static str, String)>,
}

/// Changes a scene's parts; gives a sentence where it changed something.
type Step = fn(&mut SceneParts) -> Option<String>;

/// Every mend there is, in the order in which they are made.
const STEPS: &[(&str, Step)] = &[
    ("up-axis", size::stand_up),
    ("scale", size::person),
    ("mirrored", mirror::flip),
    ("shear", shear::straighten),
    ("armature", skeleton::bake_armature),
    ("binds", bind::bind_again),
    ("rest-bind", bind::rest_as_bound),
    ("stance", bind::arms_as_bound),
    ("weight-none", weights::fill),
    ("influences", weights::limit),
    ("joint-limit", skeleton::keep_weighted),
    ("joint-unused", skeleton::leave_out_unused),
    ("quat-sign", tracks::flip_signs),
    ("spike", tracks::smooth_spikes),
    ("rotation-180", tracks::add_middle_keys),
    ("take", clip::with_length),
    ("speed", clip::usual_speed),
    ("late", clip::start_at_zero),
    ("tail", clip::cut_tail),
    ("loop", clip::close),
    ("culled", clip::keep_in_place),
    ("one-take", clip::split_takes),
    ("feet", feet::plant),
    ("root-in-hips", root::add),
    ("partial", tracks::fill_in),
    ("constants", tracks::thin_constants),
    ("names", names::unique),
    ("name-reserved", names::plain),
    ("morphs", names::of_morphs),
    ("alpha", material::opaque_or_mask),
];

/// What more can be asked for where a mend is made anyway, after it.
const MORE: &[(&str, Step)] = &[("joint-limit", split::split_skins)];

/// The codes that [`mend`] can be asked for beside what it does anyway.
pub fn on_request() -> impl Iterator<Item = &'static str> {
    let steps = STEPS.iter().map(|(code, _)| *code);
    let is_asked = |code: &&str| {
        let is_more = MORE.iter().any(|(more, _)| more == code);
        is_more || Rule::named(code).is_some_and(|rule| rule.mend == Mend::OnRequest)
    };
    steps.filter(is_asked)
}

/// Mends what is safe, and what is asked for by code.
///
/// ```
/// let scene = sinew_ossi::ossi();
/// let mended = sinew_check::mend(scene, &["loop"])?;
/// for (code, sentence) in &mended.done {
///     println!("{code}: {sentence}");
/// }
/// # Ok::<(), sinew_scene::SceneError>(())
/// ```
///
/// # Errors
/// When the parts do not make a scene again, which would be a fault of a mend.
pub fn mend(scene: Scene, also: &[&str]) -> Result<Mended, SceneError> {
    let mut parts = scene.into_parts();
    let mut done = Vec::new();
    for (code, step) in STEPS {
        let automatic = Rule::named(code).is_some_and(|rule| rule.mend == Mend::Automatic);
        if automatic || also.contains(code) {
            done.extend(step(&mut parts).map(|sentence| (*code, sentence)));
        }
        let more = MORE.iter().find(|(more, _)| more == code && also.contains(code));
        if let Some((_, step)) = more {
            done.extend(step(&mut parts).map(|sentence| (*code, sentence)));
        }
    }
    Ok(Mended { scene: Scene::new(parts)?, done })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What reading and writing alone take away.
    const BY_READING: &[&str] = &[
        "weight-sum",
        "quat-unit",
        "skin-node",
        "joint-scene",
        "unbound",
        "nan",
        "textures",
        "tangents",
        "required",
        "joint-index",
        "two-tracks",
        "key-order",
        "two-parents",
    ];

    #[test]
    fn what_the_table_says_can_be_mended_is() {
        for rule in Rule::all() {
            let is_step = STEPS.iter().any(|(code, _)| *code == rule.code);
            let by_reading = BY_READING.contains(&rule.code);
            assert_eq!(rule.mend != Mend::Never, is_step || by_reading, "{}", rule.code);
        }
    }
}
