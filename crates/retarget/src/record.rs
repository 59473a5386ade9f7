//! What the clip's skeleton does: the rotations of its joints and the paths of its feet, at given times.
//!
//! Everything is in the model's axes and metres as filed; nothing is fitted yet.

use glam::{Quat, Vec3};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, Interpolation, JointId, Scene, Track};

use crate::body::Body;
use crate::slot::{BodyPart, Side, Slot};
use crate::tree::rotation_of;

/// More moments than this are not kept; then keys are made at a lower rate.
const MAX_MOMENTS: usize = 40_000;
/// Keys further apart than this get others between, in seconds.
const SPARSE: f32 = 1.0 / 30.0;
/// Keys nearer than this are one.
const DENSE: f32 = 1.0 / 250.0;

/// A clip, seen at many times.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) times: Vec<f32>,
    /// Time after time, of each joint asked for.
    rotations: Vec<Quat>,
    places: Vec<Vec3>,
    width: usize,
    /// Where each node of the skeleton is in a row.
    columns: Vec<Option<usize>>,
}

impl Record {
    pub(crate) fn new(clip: &Clip, scene: &Scene, body: &Body, times: Vec<f32>) -> Self {
        let joints: Vec<JointId> =
            body.slots().flat_map(|slot| body.joints(slot).iter().copied()).collect();
        let mut columns = vec![None; scene.skeleton().len()];
        for (column, joint) in joints.iter().enumerate().rev() {
            columns[joint.index()] = Some(column);
        }
        let (moments, width) = (times.len(), joints.len());
        let mut record = Self {
            times,
            rotations: Vec::with_capacity(moments * width),
            places: Vec::with_capacity(moments * width),
            width,
            columns,
        };
        let mut pose = Pose::new(scene);
        let mut cursor = Cursor::with_capacity(clip.track_count());
        for &time in &record.times {
            sample(clip, time, &mut cursor, &mut pose);
            pose.to_model(scene.skeleton());
            let all = pose.model_from_joint();
            for joint in &joints {
                let matrix = all[joint.index()];
                let place = Vec3::from(matrix.translation);
                record.rotations.push(rotation_of(matrix));
                record.places.push(if place.is_finite() { place } else { Vec3::ZERO });
            }
        }
        record
    }

    pub(crate) fn len(&self) -> usize {
        self.times.len()
    }

    /// Where a joint is in a row.
    pub(crate) fn column(&self, joint: JointId) -> Option<usize> {
        self.columns.get(joint.index()).copied().flatten()
    }

    /// The rotations of all joints at a time.
    pub(crate) fn rotations(&self, at: usize) -> &[Quat] {
        &self.rotations[at * self.width..(at + 1) * self.width]
    }

    /// The places of all joints at a time.
    pub(crate) fn places(&self, at: usize) -> &[Vec3] {
        &self.places[at * self.width..(at + 1) * self.width]
    }

    /// The path of a joint; nothing where it was not asked for.
    pub(crate) fn way(&self, joint: JointId) -> Vec<Vec3> {
        let column = self.column(joint);
        let place = |column: usize| (0..self.len()).map(|at| self.places(at)[column]).collect();
        column.map_or(Vec::new(), place)
    }

    /// The middle of the pelvis: between the thighs.
    pub(crate) fn pelvis(&self, body: &Body) -> Vec<Vec3> {
        let thigh =
            |side| body.on(side, BodyPart::Thigh).map_or(Vec::new(), |joint| self.way(joint));
        let (left, right) = (thigh(Side::Left), thigh(Side::Right));
        left.iter().zip(&right).map(|(left, right)| (left + right) / 2.0).collect()
    }
}

/// The joints of a body and all above them.
fn matters(scene: &Scene, body: &Body) -> Vec<bool> {
    let skeleton = scene.skeleton();
    let mut matters = vec![false; skeleton.len()];
    for slot in Slot::all() {
        for &joint in body.joints(slot) {
            matters[joint.index()] = true;
        }
    }
    for id in skeleton.ids().rev() {
        if let (true, Some(parent)) = (matters[id.index()], skeleton.node(id).parent) {
            matters[parent.index()] = true;
        }
    }
    matters
}

/// When the clip has keys on the body: at its own keys, with others between where they are far apart. Also
/// whether the keys could not all be kept. `None` where nothing of the body moves.
pub(crate) fn key_times(clip: &Clip, scene: &Scene, body: &Body) -> Option<(Vec<f32>, bool)> {
    let matters = matters(scene, body);
    let mut times: Vec<f32> = vec![0.0, clip.duration];
    let rotations = collect(&clip.rotations, &matters, &mut times);
    let moves = collect(&clip.translations, &matters, &mut times);
    if !rotations && !moves {
        return None;
    }
    times.retain(|time| (0.0..=clip.duration).contains(time));
    times.sort_by(f32::total_cmp);
    let mut kept: Vec<f32> = Vec::new();
    for time in times {
        match kept.last() {
            // A jump keeps both its sides; see `collect`.
            Some(last) if time - last < DENSE && time - last > 2.0 * JUMP => {}
            Some(last) if time - last <= 0.0 => {}
            _ => kept.push(time),
        }
    }
    // The end is a key whatever lies shortly before it.
    if let Some(last) = kept.last_mut()
        && clip.duration - *last < DENSE
    {
        *last = clip.duration;
    }
    let filled = fill(&kept, SPARSE);
    if filled.len() <= MAX_MOMENTS {
        return Some((filled, false));
    }
    let step = clip.duration / (MAX_MOMENTS - 1) as f32;
    Some(((0..MAX_MOMENTS).map(|at| at as f32 * step).collect(), true))
}

/// A held value jumps at its next key: a moment before it, it still holds.
const JUMP: f32 = 1e-4;

fn collect<V: PartialEq>(tracks: &[Track<V>], matters: &[bool], times: &mut Vec<f32>) -> bool {
    let mut any = false;
    let mut seen: Vec<*const f32> = Vec::new();
    for track in tracks.iter().filter(|track| matters[track.joint.index()]) {
        any = true;
        let (own, values) = (track.curve.times(), track.curve.values());
        if track.curve.interpolation() == Interpolation::Step {
            let changes = (1..values.len()).filter(|&key| values[key] != values[key - 1]);
            times.extend(changes.flat_map(|key| [own[key] - JUMP, own[key]]));
        } else if !seen.contains(&own.as_ptr()) {
            seen.push(own.as_ptr());
            times.extend_from_slice(own);
        }
        if times.len() > 64 * MAX_MOMENTS {
            times.sort_by(f32::total_cmp);
            times.dedup();
        }
    }
    any
}

/// No two further apart than `most`.
fn fill(times: &[f32], most: f32) -> Vec<f32> {
    let mut filled = Vec::with_capacity(times.len());
    for two in times.windows(2) {
        let steps =
            (((two[1] - two[0]) / most - 1e-3).ceil().max(1.0) as usize).min(4 * MAX_MOMENTS);
        let step = (two[1] - two[0]) / steps as f32;
        filled.extend((0..steps).map(|at| two[0] + at as f32 * step));
        if filled.len() > 4 * MAX_MOMENTS {
            break;
        }
    }
    filled.extend(times.last());
    filled
}

/// Moments at an even rate, from the start to the end. No more than can be kept.
pub(crate) fn even_times(duration: f32, rate: f32) -> Vec<f32> {
    let steps = (f64::from(duration) * f64::from(rate) - 1e-3).ceil().max(0.0);
    let steps = (steps as usize).min(MAX_MOMENTS - 1);
    let step = duration / steps.max(1) as f32;
    let even = f64::from(rate) * f64::from(duration) <= steps as f64 + 1e-3;
    let time = |at: usize| if even { at as f32 / rate } else { at as f32 * step };
    let mut times: Vec<f32> = (0..=steps).map(|at| time(at).min(duration)).collect();
    if let Some(last) = times.last_mut() {
        *last = duration;
    }
    times
}

/// The same with a moment between any two.
pub(crate) fn doubled(times: &[f32]) -> Vec<f32> {
    let mut all = Vec::with_capacity(times.len() * 2);
    for two in times.windows(2) {
        all.extend([two[0], (two[0] + two[1]) / 2.0]);
    }
    all.extend(times.last());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_are_far_apart_get_others_between() {
        assert_eq!(fill(&[0.0, 1.0], 0.4), [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]);
        assert_eq!(doubled(&[0.0, 1.0, 3.0]), [0.0, 0.5, 1.0, 2.0, 3.0]);
        assert_eq!(doubled(&[0.0]), [0.0]);
    }

    #[test]
    fn an_even_rate_has_the_end_as_its_last_moment() {
        assert_eq!(even_times(1.0, 4.0), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(even_times(0.9, 4.0), [0.0, 0.25, 0.5, 0.75, 0.9]);
        assert_eq!(even_times(0.0, 30.0), [0.0]);
        assert_eq!(even_times(1e9, 120.0).len(), MAX_MOMENTS);
    }
}
