//! What was written, read again and measured against what it should be.
//!
//! In:  the scene that was asked for, and the bytes that were made of it.
//! Out: how far off the skin is at most, where and when.

use sinew::Scene;
use sinew::compare::{CompareError, CompareOptions, Comparer, Comparison, Measure};
use sinew::import::{InMemory, Normals, Options, Tangents};

use super::write::Written;
use crate::fault::Fault;

/// Times a second at which both are measured, besides every key of both: straight tracks differ most at keys.
const RATE: f64 = 15.0;

/// How far off a file is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Proof {
    /// The farthest, in metres.
    pub(super) metres: f64,
    /// Where and when.
    pub(super) place: String,
    /// Whether vertices were measured, or joints alone.
    pub(super) at_skin: bool,
    /// Nodes of what was read.
    pub(super) nodes: usize,
    /// Keys of what was read.
    pub(super) keys: usize,
    /// Clips that are missing.
    pub(super) missing: Vec<String>,
    /// The clips that are farther off than the bound, by their numbers in what was asked for, and how far.
    pub(super) over: Vec<(usize, f64)>,
}

/// Reads a file again and measures it; of clips within the bound only the worst of all.
pub(super) fn prove(
    wanted: &Scene,
    written: &Written,
    one_clip: Option<usize>,
    bound: f64,
) -> Result<Proof, Fault> {
    // What is measured is where vertices are; of what they look like it is seen that it is there.
    let options = Options {
        normals: Normals::Keep,
        tangents: Tangents::Keep,
        surfaces: false,
        ..Options::default()
    };
    let files = InMemory { files: written.files.iter().cloned().collect(), own_name: None };
    let back = options.read(&written.bytes, &files).map_err(|error| {
        Fault::Work(format!("what was written cannot be read again, so it is not kept: {error}"))
    })?;
    let keys = back.scene.clips.iter().map(sinew::Clip::key_count).sum();
    let mut proof = Proof { nodes: back.scene.skeleton().len(), keys, ..Proof::default() };
    if wanted.skeleton().is_empty() {
        return Ok(proof);
    }
    let mut asked = CompareOptions {
        rate: RATE,
        worst_only: true,
        worst_of_all_below: bound,
        ..CompareOptions::default()
    };
    if let (Some(clip), Some(found)) = (one_clip, back.scene.clips.first()) {
        asked.clips = vec![(wanted.clips[clip].name.clone(), found.name.clone())];
    }
    let cannot = |error: CompareError| {
        Fault::Work(format!("what was written cannot be measured, so it is not kept: {error}"))
    };
    let comparer = Comparer::new(wanted, &back.scene, &asked).map_err(cannot)?;
    let found = comparer.compare();
    proof.take(&found, bound, |clip| comparer.clip_of_a(clip).index());
    Ok(proof)
}

impl Proof {
    fn take(&mut self, found: &Comparison, bound: f64, number: impl Fn(usize) -> usize) {
        self.missing.clone_from(&found.structure.clips.a);
        self.see(&found.rest, "at rest");
        for (at, clip) in found.clips.iter().enumerate() {
            let mut own = Self::default();
            own.see(&clip.measure, &format!("clip {:?}", clip.a));
            if own.metres > bound {
                self.over.push((number(at), own.metres));
            }
            self.at_skin |= own.at_skin;
            self.at(own.metres, || own.place);
        }
    }

    fn see(&mut self, measure: &Measure, clip: &str) {
        if let Some(skin) = &measure.skin {
            self.at_skin = true;
            self.at(skin.worst.metres, || {
                format!("{clip} at {:.3} s, joint {:?}", skin.worst.time, skin.worst.joint)
            });
        }
        if let Some(worst) = &measure.joints.worst {
            self.at(worst.metres, || {
                format!("{clip} at {:.3} s, joint {:?}", worst.time, worst.joint)
            });
        }
    }

    fn at(&mut self, metres: f64, place: impl FnOnce() -> String) {
        if metres > self.metres || metres.is_nan() {
            self.metres = if metres.is_nan() { f64::INFINITY } else { metres };
            self.place = place();
        }
    }
}
