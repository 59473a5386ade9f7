//! What only a figure with legs has: `root-in-hips`, `feet`, `stance`.

use glam::Vec3;
use sinew_import::NoteCode;
use sinew_retarget::{BodyPart, Side};
use sinew_scene::{ClipId, JointId};

use crate::facts::{Facts, skinned};
use crate::motion::{Motion, median};
use crate::table::{FEET, ROOT_IN_HIPS, STANCE};
use crate::{Finding, Measured, Place, Severity};

/// Hips that are so far from where they began have travelled, in metres for a leg of 0.9 m.
const TRAVEL: f32 = 0.3;
/// A planted foot may slide so fast, in metres a second, and be so far off the floor, in metres.
const SLIDE: f32 = 0.1;
const OFF_FLOOR: f32 = 0.02;
/// A foot is planted within this of its lowest, in metres, when it hardly rises or falls.
const PLANTED: f32 = 0.025;
const RISES: f32 = 0.15;
/// A leg of this length has those limits; others in proportion.
const USUAL_LEG: f32 = 0.9;
/// Arms of two poses may differ by so much, in degrees.
const ARMS: f32 = 15.0;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    stance(facts, found);
}

pub(super) fn check_clip(facts: &Facts<'_>, id: ClipId, motion: &Motion, found: &mut Vec<Finding>) {
    if facts.scene[id].duration <= 0.0 {
        return;
    }
    root_in_hips(facts, id, motion, found);
    feet(facts, id, motion, found);
}

/// The length of a leg over a usual one.
pub(crate) fn proportion(facts: &Facts<'_>) -> Option<f32> {
    let hips = facts.position(facts.part(None, BodyPart::Hips)?);
    let foot = facts.position(facts.part(Some(Side::Left), BodyPart::Foot)?);
    let leg = hips.distance(foot);
    (leg > 1e-6).then_some(leg / USUAL_LEG)
}

fn root_in_hips(facts: &Facts<'_>, id: ClipId, motion: &Motion, found: &mut Vec<Finding>) {
    let Some(hips) = facts.part(None, BodyPart::Hips) else { return };
    let Some(proportion) = proportion(facts) else { return };
    let clip = &facts.scene[id];
    let moves = |joint: JointId| clip.translations.iter().any(|track| track.joint == joint);
    if !moves(hips) || facts.above(hips).any(moves) {
        return;
    }
    let at = |moment: usize| motion.node(hips, moment).map(|matrix| Vec3::from(matrix.translation));
    let (Some(first), Some(last)) = (at(0), at(motion.len() - 1)) else { return };
    let travel = (last - first).with_y(0.0).length();
    let limit = TRAVEL * proportion;
    if travel <= limit {
        return;
    }
    let message =
        format!("the hips travel {} and no joint above them moves", super::size::metres(travel));
    let place = Place::clip(id).on(hips).at(clip.duration);
    found.push(Finding::new(ROOT_IN_HIPS, place, Measured::new(travel, "m", limit), message));
}

/// The lowest joint of a leg: toes, or the foot.
pub(crate) fn sole(facts: &Facts<'_>, side: Side) -> Option<JointId> {
    facts.part(Some(side), BodyPart::Toes).or_else(|| facts.part(Some(side), BodyPart::Foot))
}

fn feet(facts: &Facts<'_>, id: ClipId, motion: &Motion, found: &mut Vec<Finding>) {
    let Some(proportion) = proportion(facts) else { return };
    let mut planted: Vec<(Vec3, f32, JointId)> = Vec::new();
    for joint in Side::BOTH.into_iter().filter_map(|side| sole(facts, side)) {
        let path: Vec<Vec3> = (0..motion.len())
            .filter_map(|moment| motion.node(joint, moment))
            .map(|matrix| matrix.translation.into())
            .collect();
        let stands = standing(&path, &motion.times, proportion).into_iter().zip(&motion.times);
        planted.extend(stands.filter_map(|(speed, time)| Some((speed?, *time, joint))));
    }
    slide(facts, id, &planted, proportion, found);
    floor(facts, id, motion, proportion, found);
}

/// The level speed of a foot at each moment at which it is planted.
pub(crate) fn standing(path: &[Vec3], times: &[f32], proportion: f32) -> Vec<Option<Vec3>> {
    let lowest = path.iter().map(|at| at.y).fold(f32::MAX, f32::min);
    let speed = |at: usize| {
        let passed = times[at + 1] - times[at - 1];
        let speed = (path[at + 1] - path[at - 1]) / passed.max(1e-6);
        let is_planted =
            path[at].y < lowest + PLANTED * proportion && speed.y.abs() < RISES * proportion;
        is_planted.then_some(speed.with_y(0.0))
    };
    let inner = |at: usize| at > 0 && at + 1 < path.len();
    (0..path.len()).map(|at| if inner(at) { speed(at) } else { None }).collect()
}

/// How fast the ground moves under planted feet: a figure that walks in place has one that does.
pub(crate) fn ground_speed(speeds: &[Vec3], proportion: f32) -> Vec3 {
    let middle = |pick: fn(&Vec3) -> f32| median(speeds.iter().map(pick).collect()).unwrap_or(0.0);
    let common = Vec3::new(middle(|v| v.x), 0.0, middle(|v| v.z));
    if common.length() > 0.4 * proportion { common } else { Vec3::ZERO }
}

fn slide(
    facts: &Facts<'_>,
    id: ClipId,
    planted: &[(Vec3, f32, JointId)],
    proportion: f32,
    found: &mut Vec<Finding>,
) {
    const FEWEST: usize = 8;
    if planted.len() < FEWEST {
        return;
    }
    let speeds: Vec<Vec3> = planted.iter().map(|(speed, ..)| *speed).collect();
    let ground = ground_speed(&speeds, proportion);
    let speeds = planted.iter().map(|(speed, ..)| speed.distance(ground));
    let Some(speed) = median(speeds.collect()) else { return };
    let limit = SLIDE * proportion;
    if speed <= limit {
        return;
    }
    let worst = planted.iter().max_by(|a, b| a.0.distance(ground).total_cmp(&b.0.distance(ground)));
    let Some((_, time, joint)) = worst else { return };
    let message = format!("planted feet slide at {speed:.2} m/s, half of the time or more");
    let place = Place::clip(id).on(*joint).at(*time);
    debug_assert!(joint.index() < facts.rest.len(), "a joint of the scene");
    found.push(Finding::new(FEET, place, Measured::new(speed, "m/s", limit), message));
}

/// How far above the floor of the rest pose the lowest point of the skin is over a clip, and at which moment; for figures that stand on the
/// floor at rest, where it is too far.
pub(crate) fn off_floor(facts: &Facts<'_>, motion: &Motion) -> Option<(f32, usize)> {
    let limit = OFF_FLOOR * proportion(facts)?;
    let at_rest = facts.bounds.min.y;
    if facts.scene.instances.is_empty() || at_rest.abs() > limit {
        return None;
    }
    let low =
        |moment: usize| motion.points(moment).iter().map(|point| point.y).fold(f32::MAX, f32::min);
    let lows = (0..motion.len()).map(|moment| (low(moment), moment));
    let (lowest, moment) = lows.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let off = lowest - at_rest;
    (off.abs() > limit).then_some((off, moment))
}

fn floor(
    facts: &Facts<'_>,
    id: ClipId,
    motion: &Motion,
    proportion: f32,
    found: &mut Vec<Finding>,
) {
    let Some((off, moment)) = off_floor(facts, motion) else { return };
    let limit = OFF_FLOOR * proportion;
    let side = if off > 0.0 { "above" } else { "below" };
    let message = format!(
        "the lowest point of the clip is {} {side} the floor of the rest pose",
        super::size::metres(off.abs())
    );
    let place = Place::clip(id).at(motion.times[moment]);
    found.push(Finding::new(FEET, place, Measured::new(off.abs(), "m", limit), message));
}

/// How far arms hang from the line of the spine, in degrees: 90 for a T-pose.
fn arm_angle(shoulder: Vec3, elbow: Vec3, hips: Vec3, head: Vec3) -> f32 {
    (elbow - shoulder).angle_between(hips - head).to_degrees()
}

fn stance(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for note in facts.notes(NoteCode::RestDiffers) {
        let measured = Measured::count(note.count, "files", 0);
        found.push(Finding::new(STANCE, Place::whole(), measured, note.text.clone()));
    }
    let part = |side, part| facts.part(side, part);
    let (Some(hips), Some(head)) = (part(None, BodyPart::Hips), part(None, BodyPart::Head)) else {
        return;
    };
    let mut worst = (0.0_f32, hips, 0.0, 0.0);
    for side in Side::BOTH {
        let arm = part(Some(side), BodyPart::UpperArm).zip(part(Some(side), BodyPart::Forearm));
        let Some((shoulder, elbow)) = arm else { continue };
        let Some(bound) = bind_positions(facts, [shoulder, elbow, hips, head]) else { continue };
        let [a, b, c, d] = [shoulder, elbow, hips, head].map(|joint| facts.position(joint));
        let rest = arm_angle(a, b, c, d);
        let bind = arm_angle(bound[0], bound[1], bound[2], bound[3]);
        let differ = (rest - bind).abs();
        if differ > worst.0 && differ.is_finite() {
            worst = (differ, shoulder, rest, bind);
        }
    }
    let (differ, joint, rest, bind) = worst;
    if differ <= ARMS {
        return;
    }
    let message =
        format!("the arm hangs at {rest:.0}° at rest and at {bind:.0}° where the skin was bound");
    let measured = Measured::new(differ, "°", ARMS);
    let finding = Finding::new(STANCE, Place::joint(joint), measured, message);
    // The model's own clips are made for it; those of other files are not.
    found.push(finding.severity(Severity::Info));
}

/// Where joints were when the skin was bound, in the mesh's space; `None` when one skin does not have them all.
fn bind_positions(facts: &Facts<'_>, joints: [JointId; 4]) -> Option<[Vec3; 4]> {
    skinned(facts.scene).find_map(|(_, _, skin)| {
        let mut found = [Vec3::ZERO; 4];
        for (out, joint) in found.iter_mut().zip(joints) {
            let at = skin.joints.iter().position(|known| *known == joint)?;
            *out = skin.joint_from_mesh[at].inverse().translation.into();
        }
        found.iter().all(|position| position.is_finite()).then_some(found)
    })
}
