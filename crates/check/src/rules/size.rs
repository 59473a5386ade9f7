//! How large the model is and how it stands: `scale`, `armature`, `up-axis`.

use glam::Vec3;
use sinew_import::{Format, Imported};
use sinew_motion::{Cursor, Pose, sample};
use sinew_retarget::{BodyPart, Side};
use sinew_scene::JointId;

use crate::facts::Facts;
use crate::table::{ARMATURE, SCALE, UP_AXIS};
use crate::{CheckOptions, Finding, Measured, Place, Severity};

/// Nobody is smaller or taller than this, in metres: a doll and a giant of a game are still inside.
const SHORTEST: f32 = 0.3;
const TALLEST: f32 = 5.0;
/// From this angle off the vertical a figure lies.
const LYING: f32 = 60.0;
/// A node above the root joint is the identity within this: degrees, and a share of one.
const ANGLE: f32 = 0.1;
const RATIO: f32 = 1e-3;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    height(facts, found);
    above_root(facts, found);
    up_axis(facts, found);
}

/// Hips, head and the middle between the feet, at rest.
fn figure(facts: &Facts<'_>) -> Option<(Vec3, Vec3, Vec3)> {
    let hips = facts.position(facts.part(None, BodyPart::Hips)?);
    let head = facts.position(facts.part(None, BodyPart::Head)?);
    let foot = |side| facts.part(Some(side), BodyPart::Foot).map(|foot| facts.position(foot));
    let feet = (foot(Side::Left)? + foot(Side::Right)?) * 0.5;
    Some((hips, head, feet))
}

fn height(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let Some((hips, head, feet)) = figure(facts) else { return };
    // Along the body, so that one who lies is as tall. A head is an eighth of a person above its joint.
    let tall = (head.distance(hips) + hips.distance(feet)) * 1.12;
    if tall <= 0.0 || (SHORTEST..=TALLEST).contains(&tall) {
        return;
    }
    let limit = if tall < SHORTEST { SHORTEST } else { TALLEST };
    let message =
        format!("the figure is {} tall; expected {SHORTEST} to {TALLEST} m", metres(tall));
    let finding = Finding::new(SCALE, Place::whole(), Measured::new(tall, "m", limit), message);
    // These formats have no unit: the size is as good as any, and `--unit` sets it.
    let unitless =
        [Format::Md5Mesh, Format::Md5Anim, Format::SkeletonMesh, Format::SkeletonAnim, Format::Obj];
    let known = !unitless.contains(&facts.model.format);
    found.push(finding.severity(if known { Severity::Warning } else { Severity::Info }));
}

/// A length as people say it.
pub(super) fn metres(length: f32) -> String {
    match length {
        long if long >= 100.0 => format!("{long:.0} m"),
        long if long >= 1.0 => format!("{long:.2} m"),
        long if long >= 0.1 => format!("{:.1} cm", long * 100.0),
        short => format!("{:.2} mm", short * 1000.0),
    }
}

/// The node above a root joint that is farthest from the identity.
fn above_root(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let mut worst: Option<(f32, JointId)> = None;
    for node in facts.above_skeletons() {
        let rest = facts.scene.skeleton().node(node).rest;
        let angle = rest.rotation.angle_between(glam::Quat::IDENTITY).to_degrees();
        let ratio =
            rest.scale.abs().max_element().max(1.0 / rest.scale.abs().min_element().max(1e-9));
        let off = (angle / ANGLE).max((ratio - 1.0) / RATIO);
        if off > 1.0 && worst.is_none_or(|(known, _)| off > known) {
            worst = Some((off, node));
        }
    }
    let Some((_, node)) = worst else { return };
    let rest = facts.scene.skeleton().node(node).rest;
    let angle = rest.rotation.angle_between(glam::Quat::IDENTITY).to_degrees();
    let scale = rest.scale;
    let message = format!(
        "the node above the root joint is rotated by {angle:.1}° and scaled by {:.4} × {:.4} × {:.4}",
        scale.x, scale.y, scale.z
    );
    let measured = if angle > ANGLE {
        Measured::new(angle, "°", ANGLE)
    } else {
        Measured::new(scale.max_element(), "", 1.0 + RATIO)
    };
    found.push(Finding::new(ARMATURE, Place::joint(node), measured, message));
    let uniform = (scale.max_element() - scale.min_element()).abs() < 0.01 * scale.max_element();
    let near = |target: f32| (scale.x / target - 1.0).abs() < 0.02;
    if uniform && (near(0.01) || near(100.0)) && found.iter().all(|one| one.rule != SCALE) {
        let message = format!(
            "a node above the skeleton is scaled by {:.4}: centimetres inside metres",
            scale.x
        );
        let measured = Measured::new(scale.x, "", 1.0);
        let finding = Finding::new(SCALE, Place::joint(node), measured, message);
        found.push(finding.severity(Severity::Info));
    }
}

fn up_axis(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let Some((hips, head, feet)) = figure(facts) else { return };
    let off = |direction: Vec3| direction.angle_between(Vec3::Y).to_degrees();
    let (spine, legs) = (off(head - hips), off(hips - feet));
    // Four-legged animals have a level spine, but legs that stand.
    if spine <= LYING || legs <= LYING || !spine.is_finite() || !legs.is_finite() {
        return;
    }
    // Where all limbs spread one way, it is a hand or a spider, and neither lies.
    let straight = (head - hips).angle_between(hips - feet).to_degrees() < 90.0;
    if !straight || stands_in_clip(facts) {
        return;
    }
    let message = format!(
        "the line from hips to head is {spine:.0}° off the vertical, and so are the legs by {legs:.0}°"
    );
    found.push(Finding::new(UP_AXIS, Place::whole(), Measured::new(spine, "°", LYING), message));
}

/// From the hips of a figure to its head, at rest.
pub(crate) fn spine(model: &Imported) -> Option<Vec3> {
    let (hips, head, _) = figure(&Facts::new(model, &CheckOptions::default()))?;
    Some(head - hips)
}

/// Whether the figure stands in the middle of its first clip: some files lie at rest alone.
fn stands_in_clip(facts: &Facts<'_>) -> bool {
    let Some(clip) = facts.scene.clips.first() else { return false };
    let part = |part| facts.part(None, part);
    let (Some(hips), Some(head)) = (part(BodyPart::Hips), part(BodyPart::Head)) else {
        return false;
    };
    let mut pose = Pose::new(facts.scene);
    sample(clip, clip.duration * 0.5, &mut Cursor::new(), &mut pose);
    pose.to_model(facts.scene.skeleton());
    let at = |joint: JointId| Vec3::from(pose.model_from_joint()[joint.index()].translation);
    (at(head) - at(hips)).angle_between(Vec3::Y).to_degrees() <= LYING
}
