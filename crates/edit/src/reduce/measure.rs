//! How far apart two clips put the skin.
//!
//! In:  two clips of a scene, and times.
//! Out: the farthest that any point of the skin is apart at any of them, in metres.

use rayon::prelude::*;
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, Scene};

use crate::SkinPoints;

/// Times that are measured at once.
const TOGETHER: usize = 32;

/// The farthest that two clips are apart at these times; stops early once that is more than `enough`.
pub(super) fn apart(
    scene: &Scene,
    points: &SkinPoints,
    clips: [&Clip; 2],
    times: &[f32],
    enough: f32,
) -> f32 {
    let chunks = times.par_chunks(TOGETHER).map(|times| {
        let [mut a, mut b] = [(); 2].map(|()| (Pose::new(scene), Cursor::new()));
        let mut worst = 0.0_f32;
        for &time in times {
            for (clip, (pose, cursor)) in clips.iter().zip([&mut a, &mut b]) {
                sample(clip, time, cursor, pose);
                pose.to_model(scene.skeleton());
            }
            let apart = points.apart(&a.0, &b.0);
            // What is not a number is as far as can be.
            worst = if apart.is_nan() { f32::INFINITY } else { worst.max(apart) };
            if worst > enough {
                break;
            }
        }
        worst
    });
    chunks.reduce(|| 0.0, f32::max)
}

/// The times of all keys of a clip and those in the middle between two; at most `most` of them.
pub(super) fn times(clip: &Clip, most: usize) -> Vec<f32> {
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
        let times = times(&bent, 100);
        assert_eq!(times, [0.0, 0.5, 1.0, 1.5, 2.0]);
        let found = apart(&scene, &points, [&bent, &straight], &times, 1.0);
        assert!((found - 0.3).abs() < 1e-6, "{found}");
    }
}
