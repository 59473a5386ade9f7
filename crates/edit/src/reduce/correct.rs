//! Rotations that make up for what those above them are off.
//!
//! In:  thinned tracks of a clip, and the tracks that they were made of.
//! Out: the same with rotation keys turned so that each joint points where it did, though its parents are rounded; rounded
//! themselves where they are to be.
//!
//! Rounded on their own, rotations are off by their sum along a chain of joints, and a hand by that times its distance from each. Made
//! up for, a joint is off by its own rounding alone: by that times the length of its bone.

use sinew_scene::glam::DQuat;
use sinew_scene::{Clip, Interpolation, Scene};

use super::tracks::{Place, Prepared, round};
use crate::keys::Keys;

/// Rotations that are held in memory at most: joints by times.
const MAX_ROTATIONS: usize = 1 << 20;
/// What is off by more than this is no rounding, and is left as it is; what is off by less is none at all. The sine of half an angle.
const MAX_SINE: f64 = 0.01;
const MIN_SINE: f64 = 1e-8;

/// The nodes of a scene, as rotations see them, and a clip as it is filed.
#[derive(Debug)]
pub(super) struct Chain {
    parents: Vec<Option<usize>>,
    rest: Vec<DQuat>,
    filed: Filed,
}

/// Where each node points in a clip as it is filed; nothing for one that no track turns.
#[derive(Clone, Debug, Default)]
struct Filed {
    times: Vec<f32>,
    points: Vec<Option<Vec<DQuat>>>,
}

impl Chain {
    pub(super) fn new(scene: &Scene, clip: &Clip, all: &[Prepared]) -> Self {
        let skeleton = scene.skeleton();
        let parents = skeleton.parents().iter().map(|parent| parent.map(|it| it.index()));
        let rest = skeleton.ids().map(|joint| scene[joint].rest.rotation.as_dquat().normalize());
        let mut chain =
            Self { parents: parents.collect(), rest: rest.collect(), filed: Filed::default() };
        // Keys that are made are at samples of some track.
        let samples = rotations(all).map(|track| &track.samples.times);
        let times = united(samples);
        if times.len() * chain.parents.len() <= MAX_ROTATIONS {
            chain.filed = chain.filed_at(clip, all, times);
        }
        chain
    }

    /// Where each node points at these times, as filed.
    fn filed_at(&self, clip: &Clip, all: &[Prepared], times: Vec<f32>) -> Filed {
        let mut tracks: Vec<Option<&Keys>> = vec![None; self.parents.len()];
        for track in all {
            if let Place::Rotation(at) = track.place {
                tracks[clip.rotations[at].joint.index()] = Some(&track.samples.keys);
            }
        }
        let mut points: Vec<Option<Vec<DQuat>>> = Vec::with_capacity(tracks.len());
        for (node, track) in tracks.iter().enumerate() {
            let above = self.parents[node].and_then(|parent| points[parent].as_ref());
            points.push(match (above, track) {
                (None, None) => None,
                (None, Some(_)) => Some(self.rotations(node, *track, &times)),
                (Some(above), _) => Some(down(above, &self.rotations(node, *track, &times))),
            });
        }
        Filed { times, points }
    }

    /// Corrects and rounds the rotation tracks in `found`.
    pub(super) fn correct(&self, clip: &Clip, all: &[Prepared], found: &mut [(Place, Keys)]) {
        let turned = found.iter().filter(|(place, _)| matches!(place, Place::Rotation(_)));
        let times = united(turned.map(|(_, keys)| &keys.times));
        if times.len() * self.parents.len() > MAX_ROTATIONS {
            return found.iter_mut().for_each(|(place, keys)| round_track(all, *place, keys));
        }
        let is_known = self.filed.points.len() == self.parents.len();
        let known = if is_known { self.filed.places_of(&times) } else { None };
        let other = known.is_none().then(|| self.filed_at(clip, all, times.clone()));
        let filed = other.as_ref().unwrap_or(&self.filed);
        let places = known.unwrap_or_else(|| (0..times.len()).collect());
        let mut made: Vec<Option<usize>> = vec![None; self.parents.len()];
        for (at, (place, keys)) in found.iter_mut().enumerate() {
            match place {
                Place::Rotation(track) => made[clip.rotations[*track].joint.index()] = Some(at),
                _ => round_track(all, *place, keys),
            }
        }
        // Where each node points as made. Parents come first; what nothing hangs from needs not be known.
        let mut has_below = vec![false; self.parents.len()];
        for node in (0..self.parents.len()).rev() {
            if let Some(parent) = self.parents[node] {
                has_below[parent] |= has_below[node] || made[node].is_some();
            }
        }
        let mut points: Vec<Option<Vec<DQuat>>> = vec![None; self.parents.len()];
        for node in 0..self.parents.len() {
            let parent = self.parents[node];
            let above = parent.and_then(|parent| points[parent].as_ref());
            if let Some((place, keys)) = made[node].map(|at| &mut found[at]) {
                let above_filed = parent.and_then(|parent| filed.points[parent].as_ref());
                if let (Some(filed), Some(made)) = (above_filed, above) {
                    let off = |at: usize| made[at].conjugate() * filed[places[at]];
                    turn_keys(keys, &times, off);
                }
                round_track(all, *place, keys);
            }
            if filed.points[node].is_none() || !has_below[node] {
                continue;
            }
            let own = self.rotations(node, made[node].map(|at| &found[at].1), &times);
            points[node] = Some(match above {
                Some(above) => down(above, &own),
                None => own,
            });
        }
    }

    /// A node's own rotation at all times.
    fn rotations(&self, node: usize, keys: Option<&Keys>, times: &[f32]) -> Vec<DQuat> {
        let Some(keys) = keys else { return vec![self.rest[node]; times.len()] };
        let mut value = [0.0; 4];
        let mut after = 0;
        let at = |&time: &f32| {
            keys.at_next(&mut after, time, &mut value);
            DQuat::from_array(value).normalize()
        };
        times.iter().map(at).collect()
    }
}

impl Filed {
    /// Where these times are among those that are known; nothing where one is not.
    fn places_of(&self, times: &[f32]) -> Option<Vec<usize>> {
        let mut at = 0;
        let place = |time: &f32| {
            while self.times.get(at)? < time {
                at += 1;
            }
            (self.times[at] == *time).then_some(at)
        };
        times.iter().map(place).collect()
    }
}

/// The tracks that turn nodes.
fn rotations(all: &[Prepared]) -> impl Iterator<Item = &Prepared> {
    all.iter().filter(|track| matches!(track.place, Place::Rotation(_)))
}

fn down(above: &[DQuat], own: &[DQuat]) -> Vec<DQuat> {
    above.iter().zip(own).map(|(above, own)| *above * *own).collect()
}

/// All of these times, in order, each once.
fn united<'a>(lists: impl Iterator<Item = &'a Vec<f32>>) -> Vec<f32> {
    let mut times: Vec<f32> = Vec::new();
    for list in lists {
        // Most have the same times.
        if !times.ends_with(list) {
            times.extend(list);
        }
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// Turns each key by what its parent is off at its time. Cubic ones stay, and so do values that are held all along.
fn turn_keys(keys: &mut Keys, times: &[f32], off: impl Fn(usize) -> DQuat) {
    if keys.interpolation == Interpolation::Cubic || keys.len() < 2 {
        return;
    }
    let mut at = 0;
    for (time, value) in keys.times.iter().zip(keys.values.chunks_exact_mut(4)) {
        while times.get(at).is_some_and(|known| known < time) {
            at += 1;
        }
        if times.get(at) != Some(time) {
            continue;
        }
        let off = off(at);
        let sine = off.xyz().length();
        if (MIN_SINE..MAX_SINE).contains(&sine) {
            let off = if off.w < 0.0 { -off } else { off };
            let own = DQuat::from_slice(value);
            value.copy_from_slice(&(off * own).to_array());
        }
    }
}

fn round_track(all: &[Prepared], place: Place, keys: &mut Keys) {
    let track = all.iter().find(|track| track.place == place);
    let short = track.filter(|track| track.is_short).and_then(|track| track.short);
    if let Some(short) = short.filter(|_| keys.interpolation != Interpolation::Cubic) {
        round(keys, short.parts);
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::{Quat, Vec3};
    use sinew_scene::{Curve, JointId, Node, SceneParts, Track, Transform};

    use super::super::{ReduceOptions, reduce};
    use crate::SkinPoints;

    use super::*;

    /// Ten bones of 0.2 m that bend about an axis of their own.
    fn tail() -> Scene {
        let nodes: Vec<Node> = (0..10)
            .map(|at: usize| {
                let parent = at.checked_sub(1).map(JointId::new);
                Node::new("bone", parent, Transform::from_translation(0.2 * Vec3::Y))
            })
            .collect();
        let times: Vec<f32> = (0..30).map(|key| key as f32 / 30.0).collect();
        let track = |at: usize| {
            let axis = Vec3::new(1.0, 0.3 * at as f32, 2.0).normalize();
            let value =
                |key: usize| Quat::from_axis_angle(axis, (0.37 * (key * key + at) as f32).sin());
            let curve =
                Curve::new(times.as_slice(), (0..30).map(value).collect(), Interpolation::Linear);
            Track { joint: JointId::new(at), curve: curve.expect("keys") }
        };
        let rotations = (0..10).map(track).collect();
        let clip = Clip { duration: 29.0 / 30.0, rotations, ..Clip::default() };
        Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() })
            .expect("a tail")
    }

    #[test]
    fn a_chain_of_rounded_rotations_is_off_by_its_last_alone() {
        let scene = tail();
        let points = SkinPoints::new(&scene);
        let options = ReduceOptions { error: 8e-5, short_values: true };
        let reduced = reduce(&scene, &points, &scene.clips[0], &options);
        let is_short = |number: f32| (number * 32_767.0).round() / 32_767.0 == number;
        for track in &reduced.clip.rotations {
            let mut numbers = track.curve.values().iter().flat_map(|value| value.to_array());
            assert!(numbers.all(is_short), "{:?}", track.joint);
        }
        assert!(reduced.error < 8e-5, "{}", reduced.error);
    }
}
