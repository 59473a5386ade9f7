//! A clip whose end meets its start.
//!
//! In:  a clip of a scene, and the joint that root motion comes from.
//! Out: a clip whose last pose is its first one, but for how far the root has gone over the floor.
//!
//! A clip that ends one frame short gets that frame. One whose ends are farther apart is led over to its first pose in its last
//! quarter, or half a second where that is less.

use sinew_motion::{Cursor, Pose, Root, RootMode, sample};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Interpolation, JointId, Scene};

use crate::keys::{Keyed, Keys, SharedTimes, edit_tracks};
use crate::{SkinPoints, segment};

/// Steps of a frame that the ends may be apart and still count as a frame short.
const FRAME_SHORT: f32 = 3.0;
/// Metres at the skin below which ends meet.
const MEETS: f32 = 1e-4;
/// How far a root goes over the floor at least, in metres, to count as travelling.
const TRAVELS: f32 = 0.05;
/// The longest that a clip is led over to its start, in seconds, and the share of its length.
const LONGEST: f32 = 0.5;
const SHARE: f32 = 0.25;
/// Frames of which the usual step is taken.
const MAX_STEPS: usize = 64;

/// What was done to close a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Closed {
    /// Its ends meet already.
    Already,
    /// A frame was added that shows the first pose again.
    Frame {
        /// How far apart the ends were at the skin, in metres.
        gap: f32,
        /// How long the frame is, in seconds.
        seconds: f32,
    },
    /// Its last part was led over to the first pose.
    Blended {
        /// How far apart the ends were at the skin, in metres.
        gap: f32,
        /// How long that part is, in seconds.
        seconds: f32,
    },
}

/// The clip with its end made to meet its start; `root` may go on over the floor.
#[must_use]
pub fn close_loop(
    scene: &Scene,
    points: &SkinPoints,
    clip: &Clip,
    root: Option<JointId>,
) -> (Clip, Closed) {
    let frame = frame(clip);
    let mut ends = Ends::new(scene, points, clip, root);
    let gap = ends.gap();
    if gap <= MEETS || clip.duration <= 0.0 {
        return (clip.clone(), Closed::Already);
    }
    let travel = ends.travel().filter(|travel| travel.length() > TRAVELS);
    let ahead = travel.and(root);
    if gap <= FRAME_SHORT * ends.step(frame) {
        let mut closed = clip.clone();
        edit_tracks(&mut closed, |keys| with_first_again(keys, clip.duration, frame));
        if let Some(joint) = ahead {
            go_on(&mut closed, clip, joint, frame);
        }
        closed.duration = clip.duration + frame;
        return (closed, Closed::Frame { gap, seconds: frame });
    }
    let seconds = LONGEST.min(SHARE * clip.duration);
    let mut closed = clip.clone();
    let from = clip.duration - seconds;
    edit_tracks(&mut closed, |keys| led_over(keys, from, clip.duration, frame));
    if let Some(joint) = ahead {
        keep_floor(&mut closed, clip, joint);
    }
    (closed, Closed::Blended { gap, seconds })
}

/// The usual gap between keys.
fn frame(clip: &Clip) -> f32 {
    let densest = clip.all_times().max_by_key(|times| times.len()).unwrap_or(&[]);
    let mut gaps: Vec<f32> = densest.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort_by(f32::total_cmp);
    let usual = gaps.get(gaps.len() / 2).copied().unwrap_or(1.0 / 30.0);
    usual.clamp(1.0 / 120.0, 1.0 / 15.0).min(clip.duration.max(1.0 / 120.0))
}

/// Looks at poses of a clip without its root motion.
struct Ends<'a> {
    scene: &'a Scene,
    points: &'a SkinPoints,
    clip: &'a Clip,
    root: Option<Root>,
    cursor: Cursor,
    poses: [Pose; 2],
}

impl<'a> Ends<'a> {
    fn new(
        scene: &'a Scene,
        points: &'a SkinPoints,
        clip: &'a Clip,
        root: Option<JointId>,
    ) -> Self {
        Self {
            scene,
            points,
            clip,
            root: root.map(|joint| Root::new(scene, joint, RootMode::Floor)),
            cursor: Cursor::new(),
            poses: [(); 2].map(|()| Pose::new(scene)),
        }
    }

    fn apart(&mut self, times: [f32; 2]) -> f32 {
        for (pose, time) in self.poses.iter_mut().zip(times) {
            sample(self.clip, time, &mut self.cursor, pose);
            if let Some(root) = &self.root {
                root.hold(pose);
            }
            pose.to_model(self.scene.skeleton());
        }
        self.points.apart(&self.poses[0], &self.poses[1])
    }

    fn gap(&mut self) -> f32 {
        self.apart([0.0, self.clip.duration])
    }

    /// The usual step of a frame at the skin.
    fn step(&mut self, frame: f32) -> f32 {
        let frames = (self.clip.duration / frame).round().max(1.0) as usize;
        let stride = frames.div_ceil(MAX_STEPS);
        let mut steps: Vec<f32> = (0..frames)
            .step_by(stride)
            .map(|at| self.apart([at, at + 1].map(|at| at as f32 * frame)))
            .collect();
        steps.sort_by(f32::total_cmp);
        steps.get(steps.len() / 2).copied().unwrap_or(0.0)
    }

    /// How far the root goes over the floor.
    fn travel(&mut self) -> Option<Vec3> {
        let joint = self.root.as_ref()?.joint();
        let place = |time: f32, pose: &mut Pose, cursor: &mut Cursor| {
            sample(self.clip, time, cursor, pose);
            pose.to_model(self.scene.skeleton());
            Vec3::from(pose.model_from_joint()[joint.index()].translation)
        };
        let start = place(0.0, &mut self.poses[0], &mut self.cursor);
        let end = place(self.clip.duration, &mut self.poses[0], &mut self.cursor);
        Some((end - start) * Vec3::new(1.0, 0.0, 1.0))
    }
}

/// The keys, and a frame after the end the first value again.
fn with_first_again(mut keys: Keys, end: f32, frame: f32) -> Keys {
    let last = keys.len() - 1;
    if last == 0 {
        return keys;
    }
    let first = keys.value(0).to_vec();
    let mut rate = vec![0.0; keys.width];
    if keys.interpolation == Interpolation::Cubic {
        rate.copy_from_slice(keys.part(0, 2));
        // The last key leaves straight towards the first.
        let gap = f64::from(end + frame - keys.times[last]);
        let value = keys.value(last).to_vec();
        let sign = if keys.rotates && segment::dot(&first, &value) < 0.0 { -1.0 } else { 1.0 };
        let out = (3 * last + 2) * keys.width;
        for (at, number) in keys.values[out..][..first.len()].iter_mut().enumerate() {
            *number = (sign * first[at] - value[at]) / gap;
        }
        let again: Vec<f64> = first.iter().map(|number| sign * number).collect();
        rate.iter_mut().for_each(|number| *number *= sign);
        keys.push(end + frame, &again, &rate);
    } else {
        keys.push(end + frame, &first, &rate);
    }
    keys
}

/// The keys, led over to the first value from `from` to `end`.
fn led_over(keys: Keys, from: f32, end: f32, frame: f32) -> Keys {
    if keys.len() == 1 {
        return keys;
    }
    if keys.interpolation == Interpolation::Step {
        let mut keys = keys;
        let first = keys.value(0).to_vec();
        keys.push(end.max(keys.times[keys.len() - 1]), &first, &[]);
        return keys;
    }
    let mut made = keys.empty(Interpolation::Linear);
    let mut value = vec![0.0; keys.width];
    for time in times_to(&keys, from, end, frame) {
        keys.at(time, &mut value);
        if time > from {
            let share = f64::from((time - from) / (end - from)).min(1.0);
            lead(&keys, share * share * (3.0 - 2.0 * share), &mut value, end);
        }
        made.push(time, &value, &[]);
    }
    made
}

/// Moves a value by a share of what leads the last value to the first.
fn lead(keys: &Keys, share: f64, value: &mut [f64], end: f32) {
    let first = keys.value(0);
    let mut last = vec![0.0; keys.width];
    keys.at(end, &mut last);
    if !keys.rotates {
        for (at, number) in value.iter_mut().enumerate() {
            *number += share * (first[at] - last[at]);
        }
        return;
    }
    let quat =
        |row: &[f64]| Quat::from_xyzw(row[0] as f32, row[1] as f32, row[2] as f32, row[3] as f32);
    let back = (quat(last.as_slice()).conjugate() * quat(first)).normalize();
    let back = if back.w < 0.0 { -back } else { back };
    let led = (quat(value) * Quat::IDENTITY.slerp(back, share as f32)).normalize();
    for (number, led) in value.iter_mut().zip(led.to_array()) {
        *number = f64::from(led);
    }
}

/// The times of keys until `from`; from there, and on a cubic curve everywhere, one every frame.
fn times_to(keys: &Keys, from: f32, end: f32, frame: f32) -> Vec<f32> {
    let dense_from = if keys.interpolation == Interpolation::Cubic { 0.0 } else { from };
    let count = ((end - dense_from) / frame).round().max(1.0) as usize;
    let even = (0..=count).map(|at| dense_from + (end - dense_from) * at as f32 / count as f32);
    let mut times: Vec<f32> =
        keys.times.iter().copied().filter(|time| *time < end).chain(even).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// The root goes on over the floor as it went in the last frame; its height is that of the start.
fn go_on(closed: &mut Clip, clip: &Clip, joint: JointId, frame: f32) {
    edit_floor(closed, joint, |keys| {
        let own = clip.translations.iter().find(|track| track.joint == joint);
        let Some(own) = own.map(|track| track.curve.keys()) else { return };
        let [mut before, mut last] = [[0.0; 3]; 2];
        own.at(clip.duration - frame, &mut before);
        own.at(clip.duration, &mut last);
        let each = keys.interpolation.values_per_key();
        let place = keys.values.len() - (each - each / 2) * 3;
        for axis in [0, 2] {
            keys.values[place + axis] = last[axis] + (last[axis] - before[axis]);
        }
    });
}

/// The root keeps its path over the floor; its height is led over.
fn keep_floor(closed: &mut Clip, clip: &Clip, joint: JointId) {
    edit_floor(closed, joint, |keys| {
        let own = clip.translations.iter().find(|track| track.joint == joint);
        let Some(own) = own.map(|track| track.curve.keys()) else { return };
        let mut value = [0.0; 3];
        for key in 0..keys.len() {
            own.at(keys.times[key], &mut value);
            let place = keys.values.len() / keys.len() * key;
            keys.values[place] = value[0];
            keys.values[place + 2] = value[2];
        }
    });
}

fn edit_floor(clip: &mut Clip, joint: JointId, edit: impl Fn(&mut Keys)) {
    let mut times = SharedTimes::default();
    for track in clip.translations.iter_mut().filter(|track| track.joint == joint) {
        let mut keys = track.curve.keys();
        edit(&mut keys);
        if let Some(curve) = Keyed::from_keys(keys, &mut times) {
            track.curve = curve;
        }
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::{Curve, Node, SceneParts, Track, Transform};

    use super::*;

    /// A node at heights `y`, 0.1 s apart, that goes `z` metres over the floor.
    fn scene(y: &[f32], z: f32) -> Scene {
        let last = (y.len() - 1) as f32;
        let times: Vec<f32> = (0..y.len()).map(|key| key as f32 * 0.05).collect();
        let values = y.iter().enumerate().map(|(key, y)| Vec3::new(0.0, *y, z * key as f32 / last));
        let curve = Curve::new(times, values.collect(), Interpolation::Linear).expect("keys");
        let translations = vec![Track { joint: JointId::new(0), curve }];
        let duration = last * 0.05;
        let clips = vec![Clip { duration, translations, ..Clip::default() }];
        let nodes = vec![Node::new("a", None, Transform::IDENTITY)];
        Scene::new(SceneParts { nodes, clips, ..SceneParts::default() }).expect("the parts fit")
    }

    fn closed(scene: &Scene) -> (Clip, Closed) {
        let points = SkinPoints::new(scene);
        close_loop(scene, &points, &scene.clips[0], Some(JointId::new(0)))
    }

    fn last(clip: &Clip) -> (f32, Vec3) {
        let curve = &clip.translations[0].curve;
        (curve.times()[curve.times().len() - 1], curve.values()[curve.values().len() - 1])
    }

    #[test]
    fn a_clip_that_is_a_frame_short_gets_that_frame() {
        let scene = scene(&[0.0, 0.1, 0.2, 0.2, 0.1], 0.0);
        let (clip, how) = closed(&scene);
        assert!(
            matches!(how, Closed::Frame { gap, seconds } if (gap - 0.1).abs() < 1e-6 && seconds == 0.05),
            "{how:?}"
        );
        assert_eq!(last(&clip), (0.25, Vec3::ZERO));
        assert_eq!(clip.duration, 0.25);
    }

    #[test]
    fn a_walk_goes_on_over_the_floor() {
        let scene = scene(&[0.0, 0.1, 0.2, 0.2, 0.1], 0.4);
        let (clip, _) = closed(&scene);
        let (_, end) = last(&clip);
        assert!(end.abs_diff_eq(Vec3::new(0.0, 0.0, 0.5), 1e-5), "{end}");
    }

    #[test]
    fn ends_that_are_far_apart_are_led_over() {
        let scene = scene(&[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], 0.0);
        let (clip, how) = closed(&scene);
        assert!(matches!(how, Closed::Blended { .. }), "{how:?}");
        let (time, end) = last(&clip);
        assert!((time - 0.4).abs() < 1e-6 && end.abs_diff_eq(Vec3::ZERO, 1e-6), "{end} at {time}");
        // The first three quarters are as they were.
        let mut found = [0.0; 3];
        clip.translations[0].curve.keys().at(0.25, &mut found);
        assert!((found[1] - 0.5).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn ends_that_meet_stay() {
        let scene = scene(&[0.0, 0.1, 0.0], 0.0);
        assert_eq!(closed(&scene), (scene.clips[0].clone(), Closed::Already));
    }
}
