//! What is kept of a clip: tracks as whole steps at every frame, and what is stored once.
//!
//! In:  steps that were found.
//! Out: what is written into a file.

use sinew_scene::Scene;
use sinew_scene::glam::{Quat, Vec3};

use super::round::whole;
use super::search::Search;
use super::tracks::{NodeTracks, RotationTrack, VectorTrack, vector_steps};
use crate::format::kind::Kind;

/// A track that is stored at every frame.
#[derive(Clone, Debug)]
pub(crate) struct Moving {
    pub(crate) kind: Kind,
    pub(crate) index: usize,
    pub(crate) code: u8,
    pub(crate) extra: Extra,
    /// As many of each four as the kind has components.
    pub(crate) steps: Vec<[i32; 4]>,
}

/// What a track has besides.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extra {
    Nothing,
    /// *Left* and *right*.
    Basis([[i8; 4]; 2]),
    Origin([f32; 3]),
}

/// What is kept of a clip.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stored {
    /// In order of kind and index when they are written.
    pub(crate) moving: Vec<Moving>,
    /// What is stored once, and of which node.
    pub(crate) rotations: Vec<(usize, Quat)>,
    pub(crate) translations: Vec<(usize, Vec3)>,
    pub(crate) scales: Vec<(usize, Vec3)>,
}

impl Stored {
    /// Adds a translation or scale, if it is not at rest.
    pub(crate) fn vector(
        &mut self,
        kind: Kind,
        index: usize,
        track: VectorTrack,
        rest: Vec3,
        steps: impl FnOnce() -> Vec<[i32; 4]>,
    ) {
        match track {
            VectorTrack::Fixed(value) if value == rest => {}
            VectorTrack::Fixed(value) if kind == Kind::Scale => self.scales.push((index, value)),
            VectorTrack::Fixed(value) => self.translations.push((index, value)),
            VectorTrack::Moving { frame, code } => {
                let extra = Extra::Origin(frame.to_array());
                self.moving.push(Moving { kind, index, code, extra, steps: steps() });
            }
        }
    }

    /// How many tracks are stored once.
    pub(crate) fn constants(&self) -> usize {
        self.rotations.len() + self.translations.len() + self.scales.len()
    }
}

impl Search<'_> {
    /// All tracks as whole steps, and those that are kept once.
    pub(crate) fn stored(&mut self, scene: &Scene) -> Stored {
        let mut stored = Stored::default();
        for (node, entry) in scene.skeleton().nodes().iter().enumerate() {
            let NodeTracks { rotation, translation, scale } = self.tracks[node];
            let [rotations, translations] = self.rounded(node);
            match rotation {
                RotationTrack::Fixed(value) if value == entry.rest.rotation => {}
                RotationTrack::Fixed(value) => stored.rotations.push((node, value)),
                RotationTrack::Moving { frame, code } => {
                    let (kind, extra) = match frame {
                        Some(basis) => (Kind::Rotation, Extra::Basis(basis.bytes)),
                        None => (Kind::FullRotation, Extra::Nothing),
                    };
                    stored.moving.push(Moving { kind, index: node, code, extra, steps: rotations });
                }
            }
            stored.vector(Kind::Translation, node, translation, entry.rest.translation, || {
                translations
            });
            stored.vector(Kind::Scale, node, scale, entry.rest.scale, || self.scales(node, scale));
        }
        stored
    }

    /// The whole steps of a node's rotation and translation at every frame; none of what does not move.
    fn rounded(&mut self, node: usize) -> [Vec<[i32; 4]>; 2] {
        let (count, parent) = (self.samples.frames(), self.parents[node]);
        let rounding = self.rounding(node);
        let tracks = rounding.tracks;
        let moving = [tracks.rotation.is_moving(), tracks.translation.is_moving()];
        let [mut rotations, mut translations] =
            moving.map(|moving| Vec::with_capacity(if moving { count } else { 0 }));
        for frame in 0..count {
            let above =
                parent.map(|parent| (parent * count + frame, self.states[parent * count + frame]));
            let (state, _, rotation, translation) = rounding.round(node * count + frame, above);
            self.states[node * count + frame] = state;
            if moving[0] {
                rotations.push(whole(rotation));
            }
            if moving[1] {
                translations.push(whole(translation.extend(0.0)));
            }
        }
        [rotations, translations]
    }

    fn scales(&self, node: usize, track: VectorTrack) -> Vec<[i32; 4]> {
        let VectorTrack::Moving { frame, code } = track else { return Vec::new() };
        let count = self.samples.frames();
        let locals = self.samples.locals[node * count..][..count].iter();
        locals.map(|local| whole(vector_steps(frame, code, local.scale).extend(0.0))).collect()
    }
}
