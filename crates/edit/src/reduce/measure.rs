//! How far apart two clips put the skin.
//!
//! In:  a clip of a scene, then others.
//! Out: the farthest that any point of the skin is apart at any of them, in metres.

use rayon::prelude::*;
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, Scene};

use crate::SkinPoints;

/// Times that are measured at once.
const TOGETHER: usize = 32;
/// Nodes, over all times, whose places in the clip as it was are kept.
const MAX_KEPT: usize = 1 << 17;

/// A clip as it was, at the times at which others are measured against it.
#[derive(Debug)]
pub(super) struct Source<'a> {
    scene: &'a Scene,
    points: &'a SkinPoints,
    clip: &'a Clip,
    times: Vec<f32>,
    /// Its pose at each time; none where that takes too much memory.
    poses: Vec<Pose>,
}

impl<'a> Source<'a> {
    /// At no more than `most` times.
    pub(super) fn new(
        scene: &'a Scene,
        points: &'a SkinPoints,
        clip: &'a Clip,
        most: usize,
    ) -> Self {
        let times = times(clip, most);
        let mut source = Self { scene, points, clip, times, poses: Vec::new() };
        if source.times.len() * (scene.skeleton().len() + scene.weight_count()) <= MAX_KEPT {
            let runs = source.times.par_chunks(TOGETHER).map(|times| {
                let mut sampler = Sampler::new(scene, clip);
                times.iter().map(|&time| sampler.at(time).clone()).collect::<Vec<Pose>>()
            });
            source.poses = runs.flatten().collect();
        }
        source
    }

    /// How many times there are.
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    /// The farthest that another clip puts the skin from where this one does; stops early once that is more than `enough`.
    pub(super) fn apart(&self, found: &Clip, enough: f32) -> f32 {
        let samplers = || (Sampler::new(self.scene, found), None);
        let runs = self.times.par_chunks(TOGETHER).enumerate();
        let runs = runs.map_init(samplers, |(other, own), (run, times)| {
            let mut worst = 0.0_f32;
            for (at, &time) in times.iter().enumerate() {
                let own = match self.poses.get(run * TOGETHER + at) {
                    Some(pose) => pose,
                    None => own.get_or_insert_with(|| Sampler::new(self.scene, self.clip)).at(time),
                };
                let apart = self.points.apart_beyond(own, other.at(time), worst);
                // What is not a number is as far as can be.
                worst = if apart.is_nan() { f32::INFINITY } else { worst.max(apart) };
                if worst > enough {
                    break;
                }
            }
            worst
        });
        runs.reduce(|| 0.0, f32::max)
    }
}

/// A clip of a scene, posed at one time after another.
struct Sampler<'a> {
    scene: &'a Scene,
    clip: &'a Clip,
    pose: Pose,
    cursor: Cursor,
}

impl<'a> Sampler<'a> {
    fn new(scene: &'a Scene, clip: &'a Clip) -> Self {
        Self { scene, clip, pose: Pose::new(scene), cursor: Cursor::new() }
    }

    fn at(&mut self, time: f32) -> &Pose {
        sample(self.clip, time, &mut self.cursor, &mut self.pose);
        self.pose.to_model(self.scene.skeleton());
        &self.pose
    }
}

/// The times of all keys of a clip and those in the middle between two; at most `most` of them.
fn times(clip: &Clip, most: usize) -> Vec<f32> {
    let mut keys: Vec<f32> = Vec::new();
    let mut last: *const f32 = std::ptr::null();
    for times in clip.all_times() {
        // Most tracks share their times.
        if !std::ptr::eq(times.as_ptr(), last) {
            keys.extend(times);
            last = times.as_ptr();
        }
    }
    keys.retain(|time| (0.0..=clip.duration).contains(time));
    keys.extend([0.0, clip.duration]);
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let middles: Vec<f32> = keys.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    keys.extend(middles);
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let stride = keys.len().div_ceil(most.max(1));
    // Odd strides see keys and middles in turn.
    let stride = if stride > 1 { stride | 1 } else { 1 };
    keys.into_iter().step_by(stride).collect()
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{Curve, Interpolation, JointId, Node, SceneParts, Track, Transform};

    use super::*;

    #[test]
    fn a_left_out_key_is_seen_where_it_was() {
        let clip = |times: &[f32], x: &[f32]| {
            let values = x.iter().map(|&x| x * Vec3::X).collect();
            let curve = Curve::new(times, values, Interpolation::Linear).expect("keys");
            let translations = vec![Track { joint: JointId::new(0), curve }];
            Clip { duration: 2.0, translations, ..Clip::default() }
        };
        let nodes = vec![Node::new("a", None, Transform::IDENTITY)];
        let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a node");
        let points = SkinPoints::new(&scene);
        let [bent, straight] =
            [clip(&[0.0, 1.0, 2.0], &[0.0, 0.3, 0.0]), clip(&[0.0, 2.0], &[0.0, 0.0])];
        assert_eq!(times(&bent, 100), [0.0, 0.5, 1.0, 1.5, 2.0]);
        let mut source = Source::new(&scene, &points, &bent, 100);
        assert_eq!(source.poses.len(), source.len());
        for kept in [true, false] {
            if !kept {
                source.poses.clear();
            }
            let found = source.apart(&straight, 1.0);
            assert!((found - 0.3).abs() < 1e-6, "{found}");
        }
    }
}
