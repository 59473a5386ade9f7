//! What a clip says exactly: at the frames that will be kept, and at the times that are measured.

use rayon::prelude::*;
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::glam::{Affine3A, Quat};
use sinew_scene::{Clip, JointId, Scene, Transform};

use crate::PackError;

/// How often a second the error is measured, beside all key times.
const MEASURED: f32 = 60.0;
/// The most frames a second.
const FASTEST: f32 = 240.0;

/// The exact model matrices at the times that are measured.
#[derive(Debug)]
pub(crate) struct Truth {
    pub(crate) times: Vec<f32>,
    /// Time after time.
    pub(crate) models: Vec<Affine3A>,
}

/// The exact frames.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) frames: usize,
    /// Frames a second; zero when there is only one.
    pub(crate) rate: f32,
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
    let near = |key: &&f32| (**key - time).abs() < 2e-5;
    keys.get(after)
        .filter(near)
        .or(after.checked_sub(1).and_then(|at| keys.get(at)).filter(near))
        .copied()
        .unwrap_or(time)
}

/// How many frames a second may do, few first: the keys' own rate and its halves, then more.
pub(crate) fn rates(clip: &Clip, keys: &[f32]) -> Vec<f32> {
    if clip.duration <= 0.0 {
        return vec![0.0];
    }
    let gaps = keys.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > 1e-3);
    let least = gaps.fold(f32::INFINITY, f32::min).min(clip.duration);
    let own = (1.0 / least).min(FASTEST);
    let mut rates = vec![own / 4.0, own / 3.0, own / 2.0, own, 30.0, 60.0, 120.0, FASTEST];
    rates.sort_by(f32::total_cmp);
    // In whole frames over the clip's length.
    for rate in &mut rates {
        *rate = (clip.duration * *rate).round().max(1.0) / clip.duration;
    }
    rates.dedup();
    rates
}

/// The clip at many times, in parallel: locals, models and numbers of each.
fn at_times<T: Send>(
    scene: &Scene,
    clip: &Clip,
    times: &[f32],
    keep: impl Fn(&Pose) -> T + Sync,
) -> Vec<T> {
    let start = || (Pose::new(scene), Cursor::new());
    times
        .par_iter()
        .map_init(start, |(pose, cursor), &time| {
            sample(clip, time, cursor, pose);
            pose.to_model(scene.skeleton());
            keep(pose)
        })
        .collect()
}

impl Truth {
    pub(crate) fn new(scene: &Scene, clip: &Clip, keys: &[f32]) -> Result<Self, PackError> {
        let steps = (clip.duration * MEASURED).ceil() as usize;
        let even = (0..=steps).map(|step| (step as f32 / MEASURED).min(clip.duration));
        let mut times: Vec<f32> =
            even.map(|time| snapped(time, keys)).chain(keys.iter().copied()).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let models = at_times(scene, clip, &times, |pose| pose.model_from_joint().to_vec());
        let bad = |models: &Vec<Affine3A>| models.iter().position(|model| !model.is_finite());
        let found = models.iter().enumerate().find_map(|(at, row)| Some((at, bad(row)?)));
        if let Some((at, joint)) = found {
            return Err(PackError::NotFinite {
                clip: clip.name.clone(),
                time: times[at],
                joint: scene.skeleton().node(JointId::new(joint)).name.clone(),
            });
        }
        Ok(Self { times, models: models.concat() })
    }
}

impl Source {
    pub(crate) fn new(scene: &Scene, clip: &Clip, keys: &[f32], rate: f32) -> Self {
        let frames = (clip.duration * rate).round() as usize + 1;
        let time = |frame: usize| if rate > 0.0 { frame as f32 / rate } else { 0.0 };
        let times: Vec<f32> =
            (0..frames).map(|frame| snapped(time(frame).min(clip.duration), keys)).collect();
        let parents = scene.skeleton().parents();
        let rows = at_times(scene, clip, &times, |pose| {
            let locals: Vec<_> = scene.skeleton().ids().map(|joint| pose.local(joint)).collect();
            let mut turns: Vec<Quat> = Vec::with_capacity(locals.len());
            for (local, parent) in locals.iter().zip(parents) {
                turns.push(match parent {
                    Some(parent) => (turns[parent.index()] * local.rotation).normalize(),
                    None => local.rotation,
                });
            }
            let values = pose.properties().as_flattened();
            let numbers: Vec<f32> = pose.all_weights().iter().chain(values).copied().collect();
            (locals, pose.model_from_joint().to_vec(), turns, numbers)
        });
        let mut source = Self {
            frames,
            rate,
            locals: Vec::new(),
            models: Vec::new(),
            turns: Vec::new(),
            numbers: Vec::new(),
        };
        for (locals, models, turns, numbers) in rows {
            source.locals.extend(locals);
            source.models.extend(models);
            source.turns.extend(turns);
            source.numbers.extend(numbers);
        }
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
    fn the_keys_own_rate_is_among_the_rates_and_frames_are_whole() {
        let clip = Clip { duration: 1.3, ..Clip::default() };
        let keys: Vec<f32> = (0..40).map(|key| key as f32 / 30.0).collect();
        let rates = rates(&clip, &keys);
        assert!(rates.iter().any(|rate| (rate - 30.0).abs() < 1e-3), "{rates:?}");
        assert!(rates.iter().all(|rate| ((rate * 1.3).round() - rate * 1.3).abs() < 1e-3));
    }
}
