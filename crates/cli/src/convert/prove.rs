//! What was written, read again and measured against what it should be.
//!
//! In:  the scene that was asked for, and the bytes that were made of it.
//! Out: how far off the skin is at most, where and when.

use sinew::Scene;
use sinew::compare::{CompareOptions, Comparison, Measure, compare};
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
}

/// Reads a file again and measures it.
pub(super) fn prove(
    wanted: &Scene,
    written: &Written,
    one_clip: Option<usize>,
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
    let mut asked = CompareOptions { rate: RATE, worst_only: true, ..CompareOptions::default() };
    if let (Some(clip), Some(found)) = (one_clip, back.scene.clips.first()) {
        asked.clips = vec![(wanted.clips[clip].name.clone(), found.name.clone())];
    }
    let found = compare(wanted, &back.scene, &asked).map_err(|error| {
        Fault::Work(format!("what was written cannot be measured, so it is not kept: {error}"))
    })?;
    proof.take(&found);
    Ok(proof)
}

impl Proof {
    fn take(&mut self, found: &Comparison) {
        self.missing.clone_from(&found.structure.clips.a);
        self.see(&found.rest, "at rest");
        for clip in &found.clips {
            self.see(&clip.measure, &format!("clip {:?}", clip.a));
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
