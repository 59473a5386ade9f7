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
            let NodeTracks { rotation, translation, scale, .. } = self.tracks[index];
            let sizes = self.samples.node(index).iter().map(|local| scale.steps(local.scale));
            let steps = self.steps(index).zip(sizes);
            let rounded: Vec<[Vec3; 3]> =
                steps.map(|([turn, place], size)| [turn, place, size]).collect();
            let turned = match rotation.code {
                Some(_) => rotation.basis.bytes.map(|byte| byte as u8).into(),
                None => singles(three(rotation.fixed).into()),
            };
            let (rest, [moved, sized]) =
                (node.rest, [translation, scale].map(|track| track.origin));
            // Which kind it is where it moves, and where it is constant.
            let parts = [
                (Kind::Rotation, Kind::ConstantRotation, rotation.code, turned),
                (Kind::Translation, Kind::ConstantTranslation, translation.code, singles(moved)),
                (Kind::Scale, Kind::ConstantScale, scale.code, singles(sized)),
            ];
            let rests =
                [rotation.fixed == rest.rotation, moved == rest.translation, sized == rest.scale];
            for (part, (moving, constant, code, own)) in parts.into_iter().enumerate() {
                let whole = |steps: &[Vec3; 3]| steps[part].to_array().map(|number| number as i32);
                let (kind, steps) = match code {
                    Some(_) => (moving, rounded.iter().map(whole).collect()),
                    None if rests[part] => continue,
                    None => (constant, Vec::new()),
                };
                stored.push(Track { kind, index, code: code.unwrap_or(0), own, steps });
            }
        }
        stored
    }
}

fn singles(vector: Vec3) -> Vec<u8> {
    vector.to_array().into_iter().flat_map(f32::to_le_bytes).collect()
}
