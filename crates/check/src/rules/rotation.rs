//! Rotation keys: `quat-sign`, `quat-unit`, `rotation-180`, `spike`.

use glam::Quat;
use sinew_import::{Format, NoteCode};
use sinew_scene::{Clip, ClipId, Curve, Interpolation};

use crate::facts::Facts;
use crate::finding::counted;
use crate::table::{QUAT_SIGN, QUAT_UNIT, ROTATION_180, SPIKE};
use crate::{Finding, Measured, Place, Severity};

/// From key to key, in degrees: past this the short way round is a matter of rounding.
const HALF_TURN: f32 = 170.0;
/// The product of quaternions of opposite signs; nearer to zero they are half a turn apart, and no sign is the right one.
const OTHER_SIGN: f32 = -0.087;
/// A spike is at least so large, comes back within so much, and is over within two frames of 24 a second.
const FLUNG: f32 = 60.0;
const BACK: f32 = 25.0;
const TWO_FRAMES: f32 = 2.0 / 24.0 + 1e-3;
/// A quaternion's length may be off by so much; the glTF Validator allows more for the sake of single bytes.
const UNIT: f32 = 1e-4;
const UNIT_VISIBLE: f32 = 0.005;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    unit(facts, found);
    // Other formats have angles or matrices: signs are made while reading.
    let signs_as_filed = matches!(facts.model.format, Format::Gltf | Format::Demo);
    for (at, clip) in facts.scene.clips.iter().enumerate() {
        let id = ClipId::new(at);
        if signs_as_filed {
            sign(id, clip, found);
        }
        half_turn(facts, id, clip, found);
        spike(facts, id, clip, found);
    }
}

/// The values at the keys, without tangents.
fn keys(curve: &Curve<Quat>) -> impl Iterator<Item = (f32, Quat)> + Clone + '_ {
    let each = curve.interpolation().values_per_key();
    let values = curve.values().iter().skip(each / 2).step_by(each).copied();
    curve.times().iter().copied().zip(values)
}

fn unit(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for note in facts.details(NoteCode::RotationNotUnit) {
        let off = note.measured.filter(|off| off.is_finite()).unwrap_or(1.0);
        let message = format!("{}: off by up to {:.2} %", note.text, off * 100.0);
        let place = Place::file(note.place.to_string());
        let finding = Finding::new(QUAT_UNIT, place, Measured::new(off, "", UNIT), message);
        let severity = if off > UNIT_VISIBLE { Severity::Error } else { Severity::Info };
        found.push(finding.severity(severity).times(note.count));
    }
}

fn sign(id: ClipId, clip: &Clip, found: &mut Vec<Finding>) {
    let (mut count, mut tracks) = (0, 0);
    let mut worst: Option<(f32, sinew_scene::JointId, f32)> = None;
    for track in &clip.rotations {
        if track.curve.interpolation() == Interpolation::Step {
            continue;
        }
        let before = count;
        let pairs = keys(&track.curve).zip(keys(&track.curve).skip(1));
        for ((_, one), (time, other)) in pairs {
            let dot = one.dot(other);
            if dot < OTHER_SIGN {
                count += 1;
                if worst.is_none_or(|(known, ..)| dot < known) {
                    worst = Some((dot, track.joint, time));
                }
            }
        }
        tracks += usize::from(count > before);
    }
    let Some((dot, joint, time)) = worst else { return };
    let (keys, tracks) = (counted(count, "key", "keys"), counted(tracks, "track", "tracks"));
    let message = format!("{keys} of {tracks} with the other sign than the key before");
    let place = Place::clip(id).on(joint).at(time);
    found.push(Finding::new(QUAT_SIGN, place, Measured::new(dot, "", 0.0), message).times(count));
}

fn angle(one: Quat, other: Quat) -> f32 {
    one.angle_between(other).to_degrees()
}

/// Whether the short way round from one key to the next is a matter of rounding.
pub(crate) fn is_half_turn(one: Quat, other: Quat) -> bool {
    angle(one, other) > HALF_TURN
}

fn half_turn(facts: &Facts<'_>, id: ClipId, clip: &Clip, found: &mut Vec<Finding>) {
    let (mut count, mut worst) = (0, (0.0, None));
    for track in &clip.rotations {
        if track.curve.interpolation() != Interpolation::Linear
            || facts.reach[track.joint.index()] <= 0.0
        {
            continue;
        }
        for ((_, one), (time, other)) in keys(&track.curve).zip(keys(&track.curve).skip(1)) {
            let by = angle(one, other);
            if by > HALF_TURN {
                count += 1;
                if by > worst.0 {
                    worst = (by, Some((track.joint, time)));
                }
            }
        }
    }
    let (by, Some((joint, time))) = worst else { return };
    let message = format!(
        "{} by more than {HALF_TURN:.0}° from the one before, up to {by:.1}°",
        counted(count, "key is rotated", "keys are rotated")
    );
    let place = Place::clip(id).on(joint).at(time);
    found.push(
        Finding::new(ROTATION_180, place, Measured::new(by, "°", HALF_TURN), message).times(count),
    );
}

fn spike(facts: &Facts<'_>, id: ClipId, clip: &Clip, found: &mut Vec<Finding>) {
    let (mut count, mut worst) = (0, (0.0, None));
    for track in &clip.rotations {
        if facts.reach[track.joint.index()] <= 0.0 {
            continue;
        }
        let all: Vec<(f32, Quat)> = keys(&track.curve).collect();
        let mut at = 1;
        while at + 1 < all.len() {
            if let Some((by, width)) = flung(&all[at - 1..]) {
                count += 1;
                if by > worst.0 {
                    worst = (by, Some((track.joint, all[at].0)));
                }
                at += width;
            }
            at += 1;
        }
    }
    let (by, Some((joint, time))) = worst else { return };
    let message = format!(
        "{} and comes back within two frames, by up to {by:.0}°",
        counted(count, "time a joint jumps away", "times a joint jumps away")
    );
    let place = Place::clip(id).on(joint).at(time);
    found.push(Finding::new(SPIKE, place, Measured::new(by, "°", FLUNG), message).times(count));
}

/// Whether the second of these keys, or the second and third, are far from both neighbours, which agree: by how
/// much, and how many keys.
fn flung(keys: &[(f32, Quat)]) -> Option<(f32, usize)> {
    (1..=2).find_map(|width| {
        let few = keys.get(..width + 2)?;
        let times: Vec<f32> = few.iter().map(|key| key.0).collect();
        let values: Vec<Quat> = few.iter().map(|key| key.1).collect();
        is_spike(&times, &values).then(|| (angle(values[0], values[1]), width))
    })
}

/// Whether all but the first and the last of these keys are far from those two, which agree, and all of it takes no
/// longer than a spike does.
pub(crate) fn is_spike(times: &[f32], values: &[Quat]) -> bool {
    let last = values.len() - 1;
    let away = angle(values[0], values[1]).min(angle(values[last - 1], values[last]));
    // Hardly any time may pass at the far end, and the way there and back is a frame each.
    let frame = TWO_FRAMES * 0.5 + 1e-3;
    let gaps = [times[1] - times[0], times[last - 1] - times[1], times[last] - times[last - 1]];
    let short = gaps.into_iter().all(|gap| gap <= frame);
    short && angle(values[0], values[last]) < BACK && away > FLUNG
}
