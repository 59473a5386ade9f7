//! What a clip says exactly: at the frames that will be kept, and at the times that are measured.

use rayon::prelude::*;
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::glam::{Affine3A, Quat};
use sinew_scene::{Clip, JointId, Scene, Transform};

use crate::clock::{Clock, Place};
use crate::sphere::above;
use crate::{Course, PackError};

/// How often a second the error is measured, beside all key times; less often where that is too much.
const MEASURED: [f32; 3] = [240.0, 120.0, 60.0];
/// Joints times measured times: what is much, and what is more than memory should hold.
const MANY: usize = 1 << 20;
const TOO_MANY: usize = 1 << 24;
/// Frames that are no farther from each other than this, in seconds, are measured between them as well, and where.
pub(crate) const DENSE: f32 = 1.0 / 120.0;
const WITHIN: [f32; 3] = [0.21, 0.5, 0.79];
/// Where between two of these it is measured as well: on no even grid.
const BETWEEN: f32 = 0.382;
/// Seconds between two times that are as good as the same.
pub(crate) const NEAR: f32 = 2e-5;

/// The exact model matrices at the times that are measured.
#[derive(Clone, Debug)]
pub(crate) struct Truth {
    pub(crate) times: Vec<f32>,
    /// Time after time.
    pub(crate) models: Vec<Affine3A>,
    /// Morph weights, then numbers of driven values, time after time.
    pub(crate) numbers: Vec<f32>,
}

/// The exact frames.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) clock: Clock,
    pub(crate) course: Course,
    /// Frame after frame, as all below.
    pub(crate) locals: Vec<Transform>,
    pub(crate) models: Vec<Affine3A>,
    /// Where each node is turned to in the model, scales left out.
    pub(crate) turns: Vec<Quat>,
    /// Morph weights, then numbers of driven values.
    pub(crate) numbers: Vec<f32>,
}

/// All key times, in order, each once.
pub(crate) fn key_times(clip: &Clip) -> Vec<f32> {
    let mut times: Vec<f32> = clip.all_times().flatten().copied().collect();
    times.retain(|&time| time >= 0.0 && time <= clip.duration);
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// The nearest key's time, when it is as good as the same.
fn snapped(time: f32, keys: &[f32]) -> f32 {
    let after = keys.partition_point(|&key| key < time);
    let near = |key: &&f32| (**key - time).abs() < NEAR;
    keys.get(after)
        .filter(near)
        .or(after.checked_sub(1).and_then(|at| keys.get(at)).filter(near))
        .copied()
        .unwrap_or(time)
}

/// The clip at many times, in parallel.
fn at_times<T: Send>(
    scene: &Scene,
    clip: &Clip,
    times: &[f32],
    keep: impl Fn(&Pose) -> T + Sync,
) -> Vec<T> {
    let empty = vec![(); times.len()];
    let rows = empty.into_par_iter();
    each_time(scene, clip, times, rows, |pose, ()| keep(pose))
}

/// The clip at many times, in parallel, each with a row of what is to be filled.
fn each_time<R: Send, T: Send>(
    scene: &Scene,
    clip: &Clip,
    times: &[f32],
    rows: impl IndexedParallelIterator<Item = R>,
    fill: impl Fn(&Pose, R) -> T + Sync,
) -> Vec<T> {
    let start = || (Pose::new(scene), Cursor::new());
    let rows = times.par_iter().zip(rows);
    let each = rows.map_init(start, |(pose, cursor), (&time, row)| {
        sample(clip, time, cursor, pose);
        pose.to_model(scene.skeleton());
        fill(pose, row)
    });
    each.collect()
}

/// The times at which a clip is measured: even ones, keys, and some between.
fn measured_times(clip: &Clip, keys: &[f32], rate: f32) -> Vec<f32> {
    let steps = (clip.duration * rate).ceil() as usize;
    let even = (0..=steps).map(|step| (step as f32 / rate).min(clip.duration));
    let mut times: Vec<f32> =
        even.map(|time| snapped(time, keys)).chain(keys.iter().copied()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let between: Vec<f32> =
        times.windows(2).map(|pair| pair[0] + (pair[1] - pair[0]) * BETWEEN).collect();
    times.extend(between);
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

impl Truth {
    pub(crate) fn new(scene: &Scene, clip: &Clip, keys: &[f32]) -> Result<Self, PackError> {
        let joints = scene.skeleton().len();
        // Stops at the largest number, which comes soon where addresses have 32 bits.
        let all = |rate: f32| {
            ((clip.duration * rate) as usize).saturating_add(keys.len()).saturating_mul(joints)
        };
        let few = |rate: f32| all(rate).saturating_mul(2) <= MANY;
        let rate = MEASURED.into_iter().find(|&rate| few(rate)).unwrap_or(60.0);
        if all(rate) > TOO_MANY {
            return Err(PackError::TooLong { seconds: clip.duration, joints });
        }
        let truth = Self::at(scene, clip, measured_times(clip, keys, rate));
        truth.check(scene, clip)?;
        Ok(truth)
    }

    pub(crate) fn at(scene: &Scene, clip: &Clip, times: Vec<f32>) -> Self {
        let joints = scene.skeleton().len();
        let mut models = vec![Affine3A::IDENTITY; times.len() * joints];
        let numbers = each_time(scene, clip, &times, models.par_chunks_mut(joints), |pose, row| {
            row.copy_from_slice(pose.model_from_joint());
            numbers(pose)
        });
        Self { times, models, numbers: numbers.concat() }
    }

    /// The same and more, where frames are so dense that measured times are few between them; `None` where none are,
    /// or where it would be too much.
    pub(crate) fn denser(&self, scene: &Scene, clip: &Clip, clock: &Clock) -> Option<Self> {
        let times = (0..clock.frames).map(|frame| clock.time(frame));
        let pairs = times.clone().zip(times.skip(1)).filter(|(from, to)| to - from < 1.01 * DENSE);
        let between = |(from, to): (f32, f32)| WITHIN.map(|part| from + (to - from) * part);
        let more: Vec<f32> = pairs.flat_map(between).collect();
        let all = self.times.len() + more.len();
        if more.is_empty() || all.saturating_mul(scene.skeleton().len()) > TOO_MANY / 4 {
            return None;
        }
        let mut times: Vec<f32> = self.times.iter().copied().chain(more).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        Some(Self::at(scene, clip, times))
    }

    /// Keeps the times that are good.
    pub(crate) fn retain(&mut self, good: &[bool]) {
        fn rows<T: Clone>(all: &[T], good: &[bool]) -> Vec<T> {
            let rows = all.chunks((all.len() / good.len()).max(1)).zip(good);
            rows.filter(|(_, good)| **good).flat_map(|(row, _)| row).cloned().collect()
        }
        self.times = rows(&self.times, good);
        self.models = rows(&self.models, good);
        self.numbers = rows(&self.numbers, good);
    }

    fn check(&self, scene: &Scene, clip: &Clip) -> Result<(), PackError> {
        let joints = scene.skeleton().len();
        let error = |at: usize, what: String| {
            Err(PackError::NotFinite { clip: clip.name.clone(), time: self.times[at], what })
        };
        if let Some(at) = self.models.iter().position(|model| !model.is_finite()) {
            let node = scene.skeleton().node(JointId::new(at % joints));
            return error(at / joints, format!("node {:?}", node.name));
        }
        let count = scene.weight_count() + 4 * scene.properties.len();
        match self.numbers.iter().position(|number| !number.is_finite()) {
            Some(at) if at % count < scene.weight_count() => {
                error(at / count, format!("morph weight {}", at % count))
            }
            Some(at) => {
                let value = (at % count - scene.weight_count()) / 4;
                error(at / count, format!("driven value {value}"))
            }
            None => Ok(()),
        }
    }

    /// How far the clip takes any joint's shell from one time in single precision to the next.
    pub(crate) fn grain(&self, scene: &Scene, clip: &Clip, shells: &[f32]) -> f32 {
        let next: Vec<f32> = self.times.iter().map(|time| time.next_up()).collect();
        let rows = at_times(scene, clip, &next, |pose| pose.model_from_joint().to_vec());
        let pairs = self.models.iter().zip(rows.iter().flatten()).zip(shells.iter().cycle());
        pairs.fold(0.0, |most, ((exact, next), &shell)| {
            above(exact, next, shell, most).unwrap_or(most)
        })
    }

    /// What decides whether rounded frames are good: the frames themselves, a time in the middle between
    /// two, and those at which even unrounded ones are off by more than `much`.
    pub(crate) fn deciding(&self, source: &Source, off: &[f32], much: f32) -> Self {
        let joints = self.models.len() / self.times.len();
        let mut found: Vec<(f32, &[Affine3A])> = (0..source.clock.frames)
            .map(|frame| (source.clock.time(frame), frame))
            // One beyond the end has the end's time: a step there is left out with it.
            .filter(|(time, frame)| {
                source.clock.place(*time).first == *frame
                    || self.times.binary_search_by(|known| known.total_cmp(time)).is_ok()
            })
            .map(|(time, frame)| (time, &source.models[frame * joints..(frame + 1) * joints]))
            .collect();
        let places: Vec<Place> = self.times.iter().map(|&time| source.clock.place(time)).collect();
        let mut middles: Vec<Option<usize>> = vec![None; source.clock.frames];
        for (at, place) in places.iter().enumerate() {
            let far = |at: usize| (places[at].fraction - 0.5).abs();
            let middle = &mut middles[place.first];
            if far(at) < middle.map_or(0.4, far) {
                *middle = Some(at);
            }
        }
        for (at, &time) in self.times.iter().enumerate() {
            if off[at] > much || middles[places[at].first] == Some(at) {
                found.push((time, &self.models[at * joints..(at + 1) * joints]));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut models = vec![Affine3A::IDENTITY; found.len() * joints];
        let rows = models.par_chunks_mut(joints).zip(&found);
        rows.for_each(|(row, (_, models))| row.copy_from_slice(models));
        let times = found.iter().map(|(time, _)| *time).collect();
        Self { times, models, numbers: Vec::new() }
    }
}

/// Morph weights, then numbers of driven values.
fn numbers(pose: &Pose) -> Vec<f32> {
    pose.all_weights().iter().chain(pose.properties().as_flattened()).copied().collect()
}

impl Source {
    pub(crate) fn new(scene: &Scene, clip: &Clip, keys: &[f32], clock: Clock) -> Self {
        let time = |frame: usize| snapped(clock.time(frame), keys);
        let times: Vec<f32> = (0..clock.frames).map(time).collect();
        let parents = scene.skeleton().parents();
        let count = times.len() * parents.len();
        let mut source = Self {
            clock,
            course: Course::Straight,
            locals: vec![Transform::IDENTITY; count],
            models: vec![Affine3A::IDENTITY; count],
            turns: vec![Quat::IDENTITY; count],
            numbers: Vec::new(),
        };
        let rows = source.locals.par_chunks_mut(parents.len());
        let rows = rows.zip(source.models.par_chunks_mut(parents.len()));
        let rows = rows.zip(source.turns.par_chunks_mut(parents.len()));
        let numbers = each_time(scene, clip, &times, rows, |pose, ((locals, models), turns)| {
            models.copy_from_slice(pose.model_from_joint());
            for (joint, parent) in parents.iter().enumerate() {
                locals[joint] = pose.local(JointId::new(joint));
                turns[joint] = match parent {
                    Some(parent) => (turns[parent.index()] * locals[joint].rotation).normalize(),
                    None => locals[joint].rotation,
                };
            }
            numbers(pose)
        });
        source.numbers = numbers.concat();
        source.join_signs(parents.len());
        source
    }
}

impl Source {
    /// A rotation and its negative are the same; of both, the one nearer to the frame before.
    fn join_signs(&mut self, joints: usize) {
        for at in joints..self.locals.len() {
            let before = self.locals[at - joints].rotation;
            let rotation = &mut self.locals[at].rotation;
            if before.dot(*rotation) < 0.0 {
                *rotation = -*rotation;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_a_rounding_away_from_a_key_is_the_keys() {
        let keys = [0.0, 0.1, 0.2];
        assert_eq!(snapped(0.100_001, &keys), 0.1);
        assert_eq!(snapped(0.199_999, &keys), 0.2);
        assert_eq!(snapped(0.15, &keys), 0.15);
    }

    #[test]
    fn it_is_measured_off_every_grid() {
        let clip = Clip { duration: 0.1, ..Clip::default() };
        let times = measured_times(&clip, &[0.0, 0.05, 0.1], 60.0);
        // Even ones: 0, 1/60 … 6/60; a key falls on one; six lie between.
        assert_eq!(times.len(), 7 + 6);
        assert!((times[1] - 0.382 / 60.0).abs() < 1e-6, "{times:?}");
    }

    #[test]
    fn frames_middles_and_what_is_far_off_decide() {
        let clip = Clip { duration: 1.0, ..Clip::default() };
        let nodes = vec![sinew_scene::Node::new("", None, Transform::IDENTITY)];
        let parts = sinew_scene::SceneParts { nodes, ..sinew_scene::SceneParts::default() };
        let scene = Scene::new(parts).expect("one node");
        let source = Source::new(&scene, &clip, &[], Clock::even(2.0, 0, 1.0));
        let times = vec![0.0, 0.1, 0.2, 0.3, 0.6, 0.7];
        let models = vec![Affine3A::IDENTITY; times.len()];
        let truth = Truth { times, models, numbers: Vec::new() };
        // Frames at 0, 0.5 and 1; the middles are nearest to 0.25 and 0.75; 0.6 alone is off.
        let found = truth.deciding(&source, &[0.0, 0.1, 0.0, 0.0, 0.2, 0.0], 0.15);
        assert_eq!(found.times, [0.0, 0.2, 0.5, 0.6, 0.7, 1.0]);
        assert_eq!(found.models.len(), 6);
    }
}
