//! Feet: planted where they stand, and figures on the floor.

use glam::{Affine3A, Quat, Vec3};
use sinew_edit::root_joint;
use sinew_import::Imported;
use sinew_motion::ik::TwoBone;
use sinew_motion::{Cursor, Pose, sample};
use sinew_retarget::{BodyPart, Side};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Scene, SceneParts, Track};

use super::steps;
use crate::facts::Facts;
use crate::finding::counted;
use crate::motion::median_gap;
use crate::rules::{off_floor, proportion, sole};
use crate::{CheckOptions, check};

/// The most frames of a clip.
const MAX_FRAMES: f32 = 40_000.0;
/// Of the length of a leg, what it is stretched to at most.
const STRAIGHT: f32 = 0.998;

pub(super) fn plant(parts: &mut SceneParts) -> Option<String> {
    let model = Imported::from(Scene::new(parts.clone()).ok()?);
    let options = CheckOptions { only: vec!["feet"], ..CheckOptions::default() };
    let slide = |finding: &crate::Finding| finding.measured.unit == "m/s";
    let found = check(&model, &options);
    let sliding = found.iter().filter(|one| slide(one)).filter_map(|one| one.place.clip);
    let mut planted = 0;
    let facts = Facts::new(&model, &CheckOptions::default());
    for clip in sliding {
        if let Some(new) = planted_clip(&facts, &model.scene[clip]) {
            parts.clips[clip.index()] = new;
            planted += 1;
        }
    }
    let model = Imported::from(Scene::new(parts.clone()).ok()?);
    let facts = Facts::new(&model, &CheckOptions::default());
    let mut lowered = 0;
    for (clip, own) in parts.clips.iter_mut().zip(&model.scene.clips) {
        let off = off_floor(&facts, &facts.motion(own));
        lowered += usize::from(off.is_some_and(|(off, _)| lift(&facts, clip, -off)));
    }
    let planted_words = counted(planted, "clip has", "clips have");
    let lowered_words = counted(lowered, "clip is", "clips are");
    (planted + lowered > 0)
        .then(|| format!("{planted_words} planted feet, {lowered_words} put on the floor"))
}

/// A leg that bends, and what of it stands on the ground.
struct Leg {
    limb: TwoBone,
    sole: JointId,
}

fn leg(facts: &Facts<'_>, side: Side) -> Option<Leg> {
    let part = |part| facts.part(Some(side), part);
    let foot = part(BodyPart::Foot)?;
    let (upper, middle) = (part(BodyPart::Thigh)?, part(BodyPart::Shin)?);
    let hangs = facts.above(foot).any(|joint| joint == middle)
        && facts.above(middle).any(|joint| joint == upper);
    let limb = TwoBone::new(facts.scene.skeleton(), foot).ok().filter(|_| hangs)?;
    Some(Leg { limb: TwoBone { upper, middle, ..limb }, sole: sole(facts, side)? })
}

/// The clip with feet held where they stand: legs bend, and the hips come down where a leg would not reach.
fn planted_clip(facts: &Facts<'_>, clip: &Clip) -> Option<Clip> {
    let legs = [leg(facts, Side::Left)?, leg(facts, Side::Right)?];
    let hips = facts.part(None, BodyPart::Hips)?;
    let size = proportion(facts)?;
    let times = times(clip);
    let mut sampler = Sampler { facts, clip, pose: Pose::new(facts.scene), cursor: Cursor::new() };
    let mut paths = [Vec::new(), Vec::new()];
    for &time in &times {
        sampler.at(time, 0.0, hips);
        for (path, leg) in paths.iter_mut().zip(&legs) {
            path.push(sampler.place(leg.sole));
        }
    }
    let shifts = steps::plan(&times, &paths, size)?;
    let mut drops = vec![0.0_f32; times.len()];
    for (at, &time) in times.iter().enumerate() {
        sampler.at(time, 0.0, hips);
        for (leg, shifts) in legs.iter().zip(&shifts) {
            drops[at] = drops[at].max(sampler.drop(&leg.limb, shifts[at]).min(0.1 * size));
        }
    }
    let drops = steps::smooth(&times, &drops);
    let mut made = Made::default();
    for (at, &time) in times.iter().enumerate() {
        sampler.at(time, 0.0, hips);
        let goals = legs.each_ref().map(|leg| sampler.place(leg.limb.end));
        let feet = legs.each_ref().map(|leg| sampler.rotation(leg.limb.end));
        sampler.at(time, drops[at], hips);
        for (side, leg) in legs.iter().enumerate() {
            sampler.reach(&leg.limb, goals[side] + shifts[side][at], feet[side]);
            made.take(side, &leg.limb, &sampler.pose);
        }
        made.hips.push(sampler.pose.local(hips).translation);
    }
    let mut new = clip.clone();
    for (leg, keys) in legs.iter().zip(made.legs) {
        let joints = [leg.limb.upper, leg.limb.middle, leg.limb.end];
        for (joint, keys) in joints.into_iter().zip(keys) {
            replace(&mut new.rotations, joint, &times, keys);
        }
    }
    if drops.iter().any(|drop| *drop > 0.0) {
        replace(&mut new.translations, hips, &times, made.hips);
    }
    Some(new)
}

/// Frames of the clip, at no less than 24 and no more than 60 a second.
fn times(clip: &Clip) -> Vec<f32> {
    let gap = median_gap(clip).unwrap_or(1.0 / 30.0).clamp(1.0 / 60.0, 1.0 / 24.0);
    let steps = (clip.duration / gap).round().clamp(1.0, MAX_FRAMES) as usize;
    (0..=steps).map(|at| clip.duration * at as f32 / steps as f32).collect()
}

/// Keys of both legs, joint by joint from the thigh down, and of the hips.
#[derive(Default)]
struct Made {
    legs: [[Vec<Quat>; 3]; 2],
    hips: Vec<Vec3>,
}

impl Made {
    fn take(&mut self, side: usize, limb: &TwoBone, pose: &Pose) {
        for (keys, joint) in self.legs[side].iter_mut().zip([limb.upper, limb.middle, limb.end]) {
            let new = pose.local(joint).rotation;
            let near = keys.last().is_none_or(|last: &Quat| last.dot(new) >= 0.0);
            keys.push(if near { new } else { -new });
        }
    }
}

/// The figure at one time after another.
struct Sampler<'a> {
    facts: &'a Facts<'a>,
    clip: &'a Clip,
    pose: Pose,
    cursor: Cursor,
}

impl Sampler<'_> {
    /// Poses the figure, with its hips so much further down.
    fn at(&mut self, time: f32, drop: f32, hips: JointId) {
        let skeleton = self.facts.scene.skeleton();
        sample(self.clip, time, &mut self.cursor, &mut self.pose);
        self.pose.to_model(skeleton);
        if drop > 0.0 {
            let parent = skeleton.node(hips).parent;
            let parent = parent.map_or(Affine3A::IDENTITY, |at| self.model(at));
            let mut local = self.pose.local(hips);
            local.translation -= parent.inverse().transform_vector3(Vec3::Y * drop);
            self.pose.set_local(hips, local);
            self.pose.to_model(skeleton);
        }
    }

    fn model(&self, joint: JointId) -> Affine3A {
        self.pose.model_from_joint()[joint.index()]
    }

    fn place(&self, joint: JointId) -> Vec3 {
        self.model(joint).translation.into()
    }

    fn rotation(&self, joint: JointId) -> Quat {
        self.model(joint).to_scale_rotation_translation().1
    }

    /// How far the hips have to come down for a leg to reach its goal.
    fn drop(&self, limb: &TwoBone, shift: Vec3) -> f32 {
        let [hip, knee, ankle] = [limb.upper, limb.middle, limb.end].map(|joint| self.place(joint));
        let reach = STRAIGHT * (hip.distance(knee) + knee.distance(ankle));
        let way = ankle + shift - hip;
        let level = way.with_y(0.0).length();
        (-way.y - (reach * reach - level * level).max(0.0).sqrt()).max(0.0)
    }

    /// Bends a leg to a goal, with its foot turned as it was.
    fn reach(&mut self, limb: &TwoBone, goal: Vec3, foot: Quat) {
        let skeleton = self.facts.scene.skeleton();
        limb.apply(&mut self.pose, skeleton, goal);
        if let Some(parent) = skeleton.node(limb.end).parent {
            let local = (self.rotation(parent).inverse() * foot).normalize();
            self.pose.set_rotation(limb.end, local);
            self.pose.to_model(skeleton);
        }
    }
}

fn replace<V>(tracks: &mut Vec<Track<V>>, joint: JointId, times: &[f32], values: Vec<V>) {
    let Ok(curve) = Curve::new(times, values, Interpolation::Linear) else { return };
    tracks.retain(|track| track.joint != joint);
    tracks.push(Track { joint, curve });
    tracks.sort_by_key(|track| track.joint);
}

/// Moves a clip up by so many metres, by the joint that moves it; not where something above that turns.
fn lift(facts: &Facts<'_>, clip: &mut Clip, by: f32) -> bool {
    let hips = facts.part(None, BodyPart::Hips);
    let Some(joint) = root_joint(facts.scene, clip).or(hips) else { return false };
    let above: Vec<JointId> = facts.above(joint).collect();
    let scaled = clip.scales.iter().map(|track| track.joint);
    let mut turned = clip.rotations.iter().map(|track| track.joint).chain(scaled);
    if turned.any(|joint| above.contains(&joint)) {
        return false;
    }
    let parent = above.first().map_or(Affine3A::IDENTITY, |parent| facts.rest[parent.index()]);
    let by = parent.inverse().transform_vector3(Vec3::Y * by);
    if !by.is_finite() {
        return false;
    }
    if let Some(track) = clip.translations.iter_mut().find(|track| track.joint == joint) {
        let each = track.curve.interpolation().values_per_key();
        let keys = track.curve.values_mut().iter_mut().skip(each / 2).step_by(each);
        keys.for_each(|value| *value += by);
    } else {
        let rest = facts.scene.skeleton().node(joint).rest.translation;
        clip.translations.push(Track { joint, curve: Curve::constant(rest + by) });
    }
    true
}
