//! What is kept of a clip: tracks as whole steps at every frame, and what is stored once.
//!
//! In:  steps that were found.
//! Out: what is written into a file.

use sinew_scene::Scene;
use sinew_scene::glam::Vec3;

use super::basis::three;
use super::search::Search;
use super::tracks::NodeTracks;
use crate::format::kind::Kind;

/// A track as it is written.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) kind: Kind,
    pub(crate) index: usize,
    pub(crate) code: u8,
    /// What it has for all frames: *left* and *right*, its origin, or its constant.
    pub(crate) own: Vec<u8>,
    /// As many of each three as the kind has numbers; nothing of constants.
    pub(crate) steps: Vec<[i32; 3]>,
}

impl Search<'_> {
    /// All tracks that are not at rest.
    pub(crate) fn stored(&self, scene: &Scene) -> Vec<Track> {
        let mut stored = Vec::new();
        for (index, node) in scene.skeleton().nodes().iter().enumerate() {
            let NodeTracks { rotation, translation, scale } = self.tracks[index];
            let sizes = self.samples.node(index).iter().map(|local| scale.steps(local.scale));
            let steps = self.steps(index).zip(sizes);
            let rounded: Vec<[Vec3; 3]> =
                steps.map(|([turn, place], size)| [turn, place, size]).collect();
            // Which kind it is where it moves, and where it is constant.
            let mut put = |kinds: [Kind; 2], part: usize, code: Option<u8>, own: Vec<u8>| {
                let whole = |steps: &[Vec3; 3]| steps[part].to_array().map(|number| number as i32);
                let steps = rounded.iter().filter(|_| code.is_some()).map(whole).collect();
                let (kind, code) = (kinds[usize::from(code.is_none())], code.unwrap_or(0));
                stored.push(Track { kind, index, code, own, steps });
            };
            let kinds = [Kind::Rotation, Kind::ConstantRotation];
            if rotation.code.is_some() {
                put(kinds, 0, rotation.code, rotation.basis.bytes.map(|byte| byte as u8).into());
            } else if rotation.fixed != node.rest.rotation {
                put(kinds, 0, None, singles(three(rotation.fixed).into()));
            }
            let kinds = [Kind::Translation, Kind::ConstantTranslation];
            if translation.code.is_some() || translation.origin != node.rest.translation {
                put(kinds, 1, translation.code, singles(translation.origin));
            }
            let kinds = [Kind::Scale, Kind::ConstantScale];
            if scale.code.is_some() || scale.origin != node.rest.scale {
                put(kinds, 2, scale.code, singles(scale.origin));
            }
        }
        stored
    }
}

fn singles(vector: Vec3) -> Vec<u8> {
    vector.to_array().into_iter().flat_map(f32::to_le_bytes).collect()
}
