//! Still time at the ends of a clip, taken off.
//!
//! In:  a clip of a scene, and how far the skin may be from where it stands at the end.
//! Out: the part of it that moves.

use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, Scene};

use crate::{SkinPoints, cut};

/// Times a second at which stillness is looked for.
const RATE: f64 = 60.0;
/// The most times of a clip; longer ones are looked at less often.
const MAX_LOOKS: f64 = 20_000.0;

/// The clip without the time at its start and end in which no point of the skin is farther than `still` metres from where it
/// starts or ends; with the seconds that were taken off both. A clip in which nothing moves stays as it is.
#[must_use]
pub fn trim(scene: &Scene, points: &SkinPoints, clip: &Clip, still: f32) -> (Clip, [f32; 2]) {
    let looks = (f64::from(clip.duration) * RATE).ceil().clamp(1.0, MAX_LOOKS) as usize;
    let time = |look: usize| (f64::from(clip.duration) * look as f64 / looks as f64) as f32;
    let (mut cursor, mut end, mut pose) = (Cursor::new(), Pose::new(scene), Pose::new(scene));
    let mut pose_at = |look: usize, pose: &mut Pose| {
        sample(clip, time(look), &mut cursor, pose);
        pose.to_model(scene.skeleton());
    };
    let mut still_until = |from: usize, looks: &mut dyn Iterator<Item = usize>| {
        pose_at(from, &mut end);
        let mut last = from;
        for look in looks {
            pose_at(look, &mut pose);
            if points.apart(&end, &pose) > still {
                return Some(last);
            }
            last = look;
        }
        None
    };
    let first = still_until(0, &mut (1..=looks));
    let last = still_until(looks, &mut (0..looks).rev());
    let (Some(first), Some(last)) = (first, last) else { return (clip.clone(), [0.0; 2]) };
    if first >= last || (first == 0 && last == looks) {
        return (clip.clone(), [0.0; 2]);
    }
    let [from, to] = [time(first), time(last).min(clip.duration)];
    match cut(clip, from, to) {
        Ok(part) => (part, [from, clip.duration - to]),
        Err(_) => (clip.clone(), [0.0; 2]),
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{Curve, Interpolation, JointId, Node, SceneParts, Track, Transform};

    use super::*;

    fn scene(times: &[f32], x: &[f32]) -> Scene {
        let values = x.iter().map(|&x| x * Vec3::X).collect();
        let curve = Curve::new(times, values, Interpolation::Linear).expect("keys");
        let translations = vec![Track { joint: JointId::new(0), curve }];
        let duration = times[times.len() - 1];
        let clips = vec![Clip { duration, translations, ..Clip::default() }];
        let nodes = vec![Node::new("a", None, Transform::IDENTITY)];
        Scene::new(SceneParts { nodes, clips, ..SceneParts::default() }).expect("the parts fit")
    }

    #[test]
    fn what_moves_is_left_to_a_sixtieth_of_a_second() {
        // Still for half a second, then a metre in one, then still for two.
        let scene = scene(&[0.0, 0.5, 1.5, 3.5], &[0.0, 0.0, 1.0, 1.0]);
        let points = SkinPoints::new(&scene);
        let (part, [start, end]) = trim(&scene, &points, &scene.clips[0], 1e-4);
        assert!((start - 0.5).abs() < 0.018 && (end - 2.0).abs() < 0.018, "{start} {end}");
        assert!((part.duration - 1.0).abs() < 0.035, "{}", part.duration);
    }

    #[test]
    fn a_still_clip_and_one_that_moves_to_its_ends_stay() {
        for x in [[2.0, 2.0, 2.0], [0.0, 1.0, 0.0]] {
            let scene = scene(&[0.0, 1.0, 2.0], &x);
            let (part, off) = trim(&scene, &SkinPoints::new(&scene), &scene.clips[0], 1e-4);
            assert_eq!((part, off), (scene.clips[0].clone(), [0.0; 2]));
        }
    }
}
