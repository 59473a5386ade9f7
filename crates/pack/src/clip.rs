//! A packed clip as a plain one again: a key for every frame.
//!
//! What holds until the next frame has keys that do; of a smooth clip the keys have the slopes that
//! its cubic has at frames.

use std::ops::{Add, Mul};
use std::sync::Arc;

use sinew_motion::Pose;
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{
    Clip, Curve, InstanceId, Interpolation, JointId, PropertyId, PropertyTrack, Rows, Scene, Track,
    Transform, WeightTrack,
};

use crate::clock::Clock;
use crate::group::{Group, Kind};
use crate::step::HOLDS;
use crate::window::Window;
use crate::{Course, Packed};

impl<B: AsRef<[u8]>> Packed<B> {
    /// The clip with a key for every frame, for whatever works on keys. `None` when it was packed
    /// against another skeleton.
    pub fn to_clip(&self, scene: &Scene) -> Option<Clip> {
        if !self.fits(scene) {
            return None;
        }
        let times: Arc<[f32]> = (0..self.frames()).map(|frame| self.clock().time(frame)).collect();
        let poses: Vec<Pose> = times
            .iter()
            .map(|&time| {
                let mut pose = Pose::new(scene);
                self.sample(time, &mut pose);
                pose
            })
            .collect();
        let clock = self.clock().clone();
        let keys = Keys { times, clock, course: self.course(), held: self.held(), poses };
        let mut clip = Clip {
            name: self.name().to_owned(),
            start: self.start(),
            duration: self.duration(),
            ..Clip::default()
        };
        for (joint, node) in scene.skeleton().ids().zip(scene.skeleton().nodes()) {
            let index = joint.index();
            let (kinds, rest) = ([Kind::Turn, Kind::Spin], node.rest.rotation);
            let curve = keys.curve(&keys.rotations(joint), rest, kinds.map(|kind| (kind, index)));
            clip.rotations.extend(curve.map(|curve| Track { joint, curve }));
            let (kinds, rest) = ([(Kind::Translation, index); 2], node.rest.translation);
            let curve = keys.curve(&keys.locals(joint, |local| local.translation), rest, kinds);
            clip.translations.extend(curve.map(|curve| Track { joint, curve }));
            let (kinds, rest) = ([(Kind::Scale, index); 2], node.rest.scale);
            let curve = keys.curve(&keys.locals(joint, |local| local.scale), rest, kinds);
            clip.scales.extend(curve.map(|curve| Track { joint, curve }));
        }
        for (at, instance) in scene.instances.iter().enumerate() {
            let id = InstanceId::new(at);
            let first = (Kind::Weight, scene.weight_range(id).start);
            let rows = keys.rows(|pose| pose.weights(id), &instance.weights, first);
            clip.weights.extend(rows.map(|rows| WeightTrack { instance: id, rows }));
        }
        for (at, entry) in scene.properties.iter().enumerate() {
            let (id, width) = (PropertyId::new(at), entry.property.width());
            let first = (Kind::Property, 4 * at);
            let rows = keys.rows(|pose| &pose.property(id)[..width], &entry.rest[..width], first);
            clip.properties.extend(rows.map(|rows| PropertyTrack { property: id, rows }));
        }
        Some(clip)
    }

    /// The tracks that hold until the next frame.
    fn held(&self) -> Vec<(Kind, usize)> {
        let mut held = Vec::new();
        let mut at = self.fixed();
        for group in self.groups().iter().filter_map(|group| Group::read(*group)) {
            let lanes = (0..8).filter(|lane| group.mask >> lane & 1 == 1);
            for (track, lane) in lanes.enumerate() {
                if self.bytes()[at + group.tracks() + track] & HOLDS != 0 {
                    held.push((group.kind, usize::from(group.block) * 8 + lane));
                }
            }
            at += group.tracks() * group.kind.fixed();
        }
        held
    }
}

/// Every frame, and how to go from one to the next.
struct Keys {
    times: Arc<[f32]>,
    clock: Clock,
    course: Course,
    held: Vec<(Kind, usize)>,
    poses: Vec<Pose>,
}

impl Keys {
    fn locals<V>(&self, joint: JointId, value: fn(Transform) -> V) -> Vec<V> {
        self.poses.iter().map(|pose| value(pose.local(joint))).collect()
    }

    /// Each with the sign that is nearer to the one before.
    fn rotations(&self, joint: JointId) -> Vec<Quat> {
        let mut turns = self.locals(joint, |local| local.rotation);
        for at in 1..turns.len() {
            if turns[at].dot(turns[at - 1]) < 0.0 {
                turns[at] = -turns[at];
            }
        }
        turns
    }

    fn interpolation(&self, tracks: [(Kind, usize); 2]) -> Interpolation {
        if tracks.iter().any(|track| self.held.contains(track)) {
            Interpolation::Step
        } else if self.course == Course::Straight {
            Interpolation::Linear
        } else {
            Interpolation::Cubic
        }
    }

    /// A curve through these values; none where they are all at rest.
    fn curve<V: Number>(
        &self,
        values: &[V],
        rest: V,
        tracks: [(Kind, usize); 2],
    ) -> Option<Curve<V>> {
        if values.iter().all(|value| *value == rest) {
            return None;
        }
        let interpolation = self.interpolation(tracks);
        Curve::new(self.times.clone(), self.keys(values, interpolation), interpolation).ok()
    }

    /// The same for numbers that go together; the first says how.
    fn rows(
        &self,
        row: impl Fn(&Pose) -> &[f32],
        rest: &[f32],
        first: (Kind, usize),
    ) -> Option<Rows> {
        if rest.is_empty() || self.poses.iter().all(|pose| row(pose) == rest) {
            return None;
        }
        let all = (0..rest.len()).map(|at| (first.0, first.1 + at));
        let holds = all.clone().any(|track| self.held.contains(&track));
        let interpolation = match self.interpolation([first; 2]) {
            _ if holds => Interpolation::Step,
            other => other,
        };
        let columns: Vec<Vec<f32>> = (0..rest.len())
            .map(|at| self.poses.iter().map(|pose| row(pose)[at]).collect::<Vec<f32>>())
            .map(|values| self.keys(&values, interpolation))
            .collect();
        let count = columns[0].len();
        let values = (0..count).flat_map(|at| columns.iter().map(move |column| column[at]));
        Rows::new(self.times.clone(), values.collect(), rest.len(), interpolation).ok()
    }

    /// Values as keys have them: with a slope on both sides where they are smooth.
    fn keys<V: Number>(&self, values: &[V], interpolation: Interpolation) -> Vec<V> {
        if interpolation != Interpolation::Cubic {
            return values.to_vec();
        }
        let key = |at: usize| {
            let [before, after] = [at.saturating_sub(1), at].map(|first| {
                let slope = match self.course {
                    Course::Spans => span_slope(values, first, at),
                    _ => slope(values, at),
                };
                slope * self.clock.rate_after(first)
            });
            [before, values[at], after]
        };
        (0..values.len()).flat_map(key).collect()
    }
}

/// How fast a smooth clip changes at a frame, per frame; beyond the ends as a parabola goes on.
fn slope<V: Number>(values: &[V], at: usize) -> V {
    let last = values.len() - 1;
    match at {
        0 => values[0] * -1.5 + values[1] * 2.0 + values[2] * -0.5,
        _ if at == last => values[last] * 1.5 + values[last - 1] * -2.0 + values[last - 2] * 0.5,
        _ => values[at + 1] * 0.5 + values[at - 1] * -0.5,
    }
}

/// How fast the span of a frame and the next changes at a frame, per frame.
fn span_slope<V: Number>(values: &[V], first: usize, at: usize) -> V {
    let start = Window::span_start(first, values.len());
    let shares = match at - start {
        0 => [-11.0, 18.0, -9.0, 2.0],
        1 => [-2.0, -3.0, 6.0, -1.0],
        2 => [1.0, -6.0, 3.0, 2.0],
        _ => [-2.0, 9.0, -18.0, 11.0],
    };
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| values[start + k] * (shares[k] / 6.0));
    a + b + c + d
}

/// What keys are made of.
trait Number: Copy + PartialEq + Add<Output = Self> + Mul<f32, Output = Self> {}

impl Number for f32 {}
impl Number for Vec3 {}
impl Number for Quat {}
