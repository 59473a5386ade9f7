//! An animation: tracks, each with what it drives.
//!
//! Keys are exact as filed, with their own times. Tracks hold ids, bound once when the file is
//! read, so that nobody looks for a name while the clip plays.

use glam::{Quat, Vec3};

use crate::{Curve, InstanceId, JointId, PropertyId, Rows};

/// A named animation of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// As the file has it; may be empty.
    pub name: String,
    /// Where the clip begins on the file's own clock, in seconds. Key times count from here.
    pub start: f64,
    /// Length in seconds; zero for a single pose.
    pub duration: f32,
    /// What moves nodes.
    pub translations: Vec<Track<Vec3>>,
    /// What turns nodes; keys are unit quaternions (tangents are not).
    pub rotations: Vec<Track<Quat>>,
    /// What scales nodes.
    pub scales: Vec<Track<Vec3>>,
    /// What drives morph targets.
    pub weights: Vec<WeightTrack>,
    /// What drives materials, lights and cameras.
    pub properties: Vec<PropertyTrack>,
    /// Named moments, in order of time: footsteps, a sword's hit.
    pub markers: Vec<Marker>,
}

/// A named moment of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// What happens; need not be unique.
    pub name: String,
    /// Seconds from the clip's start, within the clip.
    pub time: f32,
}

impl Marker {
    /// A moment by name.
    #[must_use]
    pub fn new(name: impl Into<String>, time: f32) -> Self {
        Self { name: name.into(), time }
    }
}

/// A curve and the node that follows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Track<V> {
    /// The node that follows.
    pub joint: JointId,
    /// What it follows.
    pub curve: Curve<V>,
}

/// All morph weights of a mesh instance over time.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightTrack {
    /// Whose weights.
    pub instance: InstanceId,
    /// One row per key, one number per morph target.
    pub rows: Rows,
}

/// A material's, light's or camera's value over time.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyTrack {
    /// Which value.
    pub property: PropertyId,
    /// One row per key.
    pub rows: Rows,
}

impl Clip {
    /// How many tracks there are, of every kind.
    #[must_use]
    pub fn track_count(&self) -> usize {
        self.translations.len()
            + self.rotations.len()
            + self.scales.len()
            + self.weights.len()
            + self.properties.len()
    }

    /// How many keys there are, over all tracks.
    #[must_use]
    pub fn key_count(&self) -> usize {
        self.all_times().map(<[f32]>::len).sum()
    }

    /// The key times of every track.
    pub fn all_times(&self) -> impl Iterator<Item = &[f32]> {
        let moves = self.translations.iter().map(|track| &track.curve.times()[..]);
        let turns = self.rotations.iter().map(|track| &track.curve.times()[..]);
        let scales = self.scales.iter().map(|track| &track.curve.times()[..]);
        let weights = self.weights.iter().map(|track| &track.rows.times()[..]);
        let values = self.properties.iter().map(|track| &track.rows.times()[..]);
        moves.chain(turns).chain(scales).chain(weights).chain(values)
    }

    /// The time of the last key of any track; zero when there is none.
    #[must_use]
    pub fn last_key(&self) -> f32 {
        self.all_times().filter_map(|times| times.last().copied()).fold(0.0, f32::max)
    }
}
