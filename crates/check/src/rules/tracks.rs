//! Tracks that are too many or too few: `constants`, `partial`.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use sinew_scene::{Clip, ClipId, Curve, JointId};

use crate::facts::Facts;
use crate::finding::counted;
use crate::table::{CONSTANTS, PARTIAL};
use crate::{Finding, Measured, Place};

/// What moves the skin by less is not seen, in metres.
const UNSEEN: f32 = 1e-4;
/// From this share of all keys on it is worth a word.
const SHARE: f32 = 0.1;
/// A clip is of the same figure as another when it drives at least half as many of its joints.
const SAME_FIGURE: f32 = 0.5;
/// A joint that is left out counts from here on, as a share of the model's size.
const LEFT_OUT: f32 = 0.01;

/// So many clips are held against each other.
const MAX_CLIPS: usize = 256;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    constants(facts, found);
    partial(facts, found);
}

/// The values at the keys, without tangents.
fn keys<V: Copy>(curve: &Curve<V>) -> impl Iterator<Item = V> + '_ {
    let each = curve.interpolation().values_per_key();
    curve.values().iter().skip(each / 2).step_by(each).copied()
}

/// How far from `base` a joint's keys take the skin at most, in metres; what the rules on tracks measure.
struct Effect<'a> {
    facts: &'a Facts<'a>,
}

impl Effect<'_> {
    /// What a metre in the joint's parent is in the model.
    fn unit(&self, joint: JointId) -> f32 {
        let parent = self.facts.scene.skeleton().node(joint).parent;
        let axes = parent.map(|parent| self.facts.rest[parent.index()].matrix3);
        axes.map_or(1.0, |axes| {
            axes.x_axis.length().max(axes.y_axis.length()).max(axes.z_axis.length())
        })
    }

    fn translation(&self, joint: JointId, curve: &Curve<Vec3>, base: Option<Vec3>) -> f32 {
        let base = base.or_else(|| keys(curve).next()).unwrap_or_default();
        let far = keys(curve).map(|key| key.distance(base)).fold(0.0, f32::max);
        // What carries nothing moves nothing.
        let carries =
            self.facts.reach[joint.index()] > 0.0 || self.facts.is_weighted[joint.index()];
        if carries { far * self.unit(joint) } else { 0.0 }
    }

    fn rotation(&self, joint: JointId, curve: &Curve<Quat>, base: Option<Quat>) -> f32 {
        let base = base.or_else(|| keys(curve).next()).unwrap_or_default();
        let far = keys(curve).map(|key| key.angle_between(base)).fold(0.0, f32::max);
        2.0 * (far * 0.5).sin() * self.facts.reach[joint.index()]
    }

    fn scale(&self, joint: JointId, curve: &Curve<Vec3>, base: Option<Vec3>) -> f32 {
        let base = base.or_else(|| keys(curve).next()).unwrap_or(Vec3::ONE);
        let ratio =
            |key: Vec3| ((key - base) / base.abs().max(Vec3::splat(1e-6))).abs().max_element();
        keys(curve).map(ratio).fold(0.0, f32::max) * self.facts.reach[joint.index()]
    }
}

fn constants(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let effect = Effect { facts };
    let (mut tracks, mut lost, mut all) = (0, 0, 0);
    let mut first = None;
    for (at, clip) in facts.scene.clips.iter().enumerate() {
        all += clip.key_count();
        let mut add = |joint: JointId, keys: usize, moves: f32| {
            // One key, or one at each end, is how a constant is written.
            if keys > 2 && moves < UNSEEN {
                tracks += 1;
                lost += keys - 1;
                first.get_or_insert((ClipId::new(at), joint));
            }
        };
        for track in &clip.translations {
            add(
                track.joint,
                track.curve.times().len(),
                effect.translation(track.joint, &track.curve, None),
            );
        }
        for track in &clip.rotations {
            add(
                track.joint,
                track.curve.times().len(),
                effect.rotation(track.joint, &track.curve, None),
            );
        }
        for track in &clip.scales {
            add(
                track.joint,
                track.curve.times().len(),
                effect.scale(track.joint, &track.curve, None),
            );
        }
    }
    let share = lost as f32 / all.max(1) as f32;
    let Some((clip, joint)) = first.filter(|_| share > SHARE) else { return };
    let message = format!(
        "{tracks} tracks move the skin by less than 0.1 mm: {lost} of {all} keys, {:.0} %",
        share * 100.0
    );
    let measured = Measured::new(share * 100.0, "%", SHARE * 100.0);
    found.push(
        Finding::new(CONSTANTS, Place::clip(clip).on(joint), measured, message).times(tracks),
    );
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Channel {
    Translation,
    Rotation,
    Scale,
}

/// What a clip drives, and how far from rest it takes the skin.
fn driven(facts: &Facts<'_>, clip: &Clip) -> Driven {
    let effect = Effect { facts };
    let rest = |joint: JointId| facts.scene.skeleton().node(joint).rest;
    // Where the topmost node goes is root motion, and whose business that is, is the engine's.
    let is_top = |joint: JointId| facts.scene.skeleton().node(joint).parent.is_none();
    let below = clip.translations.iter().filter(|track| !is_top(track.joint));
    let moved = below.map(|track| {
        let far =
            effect.translation(track.joint, &track.curve, Some(rest(track.joint).translation));
        ((track.joint, Channel::Translation), far)
    });
    let rotated = clip.rotations.iter().map(|track| {
        let far = effect.rotation(track.joint, &track.curve, Some(rest(track.joint).rotation));
        ((track.joint, Channel::Rotation), far)
    });
    let scaled = clip.scales.iter().map(|track| {
        let far = effect.scale(track.joint, &track.curve, Some(rest(track.joint).scale));
        ((track.joint, Channel::Scale), far)
    });
    moved.chain(rotated).chain(scaled).collect()
}

fn partial(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let clips = facts.scene.clips.iter().take(MAX_CLIPS);
    let clips: Vec<Driven> = clips.map(|clip| driven(facts, clip)).collect();
    let limit = LEFT_OUT * facts.size();
    let mut count = 0;
    let mut worst: Option<(f32, usize, JointId, usize)> = None;
    for at in 0..clips.len() {
        let left = left_out(&clips, at, limit);
        let farthest = left.iter().max_by(|a, b| a.1.total_cmp(b.1));
        let Some(((joint, _), &far)) = farthest else { continue };
        count += 1;
        if worst.is_none_or(|(known, ..)| far > known) {
            worst = Some((far, at, *joint, left.len()));
        }
    }
    let Some((far, at, joint, tracks)) = worst else { return };
    let message = format!(
        "{} tracks that others have, this one {tracks}; another clip leaves the skin up to {} from rest",
        counted(count, "clip lacks", "clips lack"),
        super::size::metres(far)
    );
    let measured = Measured::count(count, "clips", 0);
    let place = Place::clip(ClipId::new(at)).on(joint);
    found.push(Finding::new(PARTIAL, place, measured, message).times(count));
}

type Driven = BTreeMap<(JointId, Channel), f32>;

/// What other clips of the same figure drive far from rest, and this one does not.
fn left_out(clips: &[Driven], at: usize, limit: f32) -> Driven {
    let own = &clips[at];
    let mut left = Driven::new();
    for other in clips.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, other)| other)
    {
        let common = own.keys().filter(|key| other.contains_key(key)).count();
        if own.is_empty() || (common as f32) < SAME_FIGURE * own.len().max(other.len()) as f32 {
            continue;
        }
        for (key, &far) in other.iter().filter(|(key, far)| **far > limit && !own.contains_key(key))
        {
            let known = left.entry(*key).or_insert(0.0);
            *known = known.max(far);
        }
    }
    left
}
