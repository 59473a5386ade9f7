//! What is kept of a clip: tracks as whole steps at every frame, and what is stored once.
//!
//! In:  steps that were found.
//! Out: what is written into a file.

use sinew_scene::Scene;
use sinew_scene::glam::Vec3;

use super::basis::three;
use super::search::Search;
use super::tracks::{NodeTracks, RotationTrack, VectorTrack, vector_steps};
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

fn singles(vector: Vec3) -> Vec<u8> {
    vector.to_array().into_iter().flat_map(f32::to_le_bytes).collect()
}

impl Search<'_> {
    /// All tracks that are not at rest.
    pub(crate) fn stored(&mut self, scene: &Scene) -> Vec<Track> {
        let mut stored = Vec::new();
        for (index, node) in scene.skeleton().nodes().iter().enumerate() {
            let NodeTracks { rotation, translation, scale } = self.tracks[index];
            let [turns, moves, scales] = self.rounded(index);
            let mut put = |kind, code, own, steps| {
                stored.push(Track { kind, index, code, own, steps });
            };
            match rotation {
                RotationTrack::Fixed(value) if value == node.rest.rotation => {}
                RotationTrack::Fixed(value) => {
                    put(Kind::ConstantRotation, 0, singles(three(value).into()), Vec::new());
                }
                RotationTrack::Moving { frame: basis, code } => {
                    let sides = basis.bytes.as_flattened().iter().map(|byte| *byte as u8);
                    put(Kind::Rotation, code, sides.collect(), turns);
                }
            }
            for (kinds, track, rest, steps) in [
                (
                    [Kind::Translation, Kind::ConstantTranslation],
                    translation,
                    node.rest.translation,
                    moves,
                ),
                ([Kind::Scale, Kind::ConstantScale], scale, node.rest.scale, scales),
            ] {
                match track {
                    VectorTrack::Fixed(value) if value == rest => {}
                    VectorTrack::Fixed(value) => put(kinds[1], 0, singles(value), Vec::new()),
                    VectorTrack::Moving { frame, code } => {
                        put(kinds[0], code, singles(frame), steps);
                    }
                }
            }
        }
        stored
    }

    /// The whole steps of a node's rotation, translation and scale at every frame; none of what does not move.
    fn rounded(&mut self, node: usize) -> [Vec<[i32; 3]>; 3] {
        let (count, parent) = (self.samples.frames(), self.parents[node]);
        let rounding = self.rounding(node);
        let NodeTracks { rotation, translation, scale } = rounding.tracks;
        let moving = [rotation.is_moving(), translation.is_moving(), scale.is_moving()];
        let mut found = moving.map(|moving| Vec::with_capacity(if moving { count } else { 0 }));
        for frame in 0..count {
            let at = node * count + frame;
            let above =
                parent.map(|parent| (parent * count + frame, self.states[parent * count + frame]));
            let (state, _, turn, place) = rounding.round(at, above);
            self.states[at] = state;
            let size = match scale {
                VectorTrack::Fixed(_) => Vec3::ZERO,
                VectorTrack::Moving { frame, code } => {
                    vector_steps(frame, code, self.samples.locals[at].scale)
                }
            };
            for (which, steps) in [turn, place, size].into_iter().enumerate() {
                if moving[which] {
                    found[which].push(steps.to_array().map(|number| number as i32));
                }
            }
        }
        found
    }
}
