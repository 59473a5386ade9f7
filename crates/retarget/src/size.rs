//! How large the two bodies are, and where their ground is.
//!
//! In:  postures of both, and the paths of the clip's feet.
//! Out: one ratio of leg lengths, and the heights of flat feet.
//!
//! Ways are transferred between the middles of the pelvises, at the ratio of the legs: so a straight leg stays
//! straight, wherever a rig has its hips joint.

use glam::Vec3;
use sinew_scene::JointId;

use crate::body::Body;
use crate::figure::Figure;
use crate::posture::Posture;
use crate::record::Record;
use crate::slot::{BodyPart, Side};
use crate::stance::{Flat, Stance};
use crate::tree::{self, Stand};

/// From hip to ankle along the bones, the mean of both legs.
pub(crate) fn leg(body: &Body, stand: &Stand) -> f32 {
    let of = |side| {
        let on = |part| body.on(side, part);
        let (thigh, shin, foot) = (on(BodyPart::Thigh)?, on(BodyPart::Shin)?, on(BodyPart::Foot)?);
        Some(stand.way(thigh, shin).length() + stand.way(shin, foot).length())
    };
    let legs: Vec<f32> = Side::BOTH.into_iter().filter_map(of).collect();
    legs.iter().sum::<f32>() / legs.len().max(1) as f32
}

/// What stands on the ground: the balls of the feet, or the ankles where a body has no toes.
pub(crate) fn pivots(body: &Body) -> [JointId; 2] {
    let of = |side| body.on(side, BodyPart::Toes).or_else(|| body.on(side, BodyPart::Foot));
    [of(Side::Left), of(Side::Right)].map(|joint| joint.unwrap_or(body.hips()))
}

fn ankles(body: &Body) -> [JointId; 2] {
    [Side::Left, Side::Right].map(|side| body.on(side, BodyPart::Foot).unwrap_or(body.hips()))
}

fn mean_height(joints: [JointId; 2], stand: &Stand) -> f32 {
    (stand.place(joints[0]).y + stand.place(joints[1]).y) / 2.0
}

/// The height that the lower of two feet does not fall below for most of the time.
fn low(record: &Record, joints: [JointId; 2]) -> f32 {
    let ways = joints.map(|joint| record.way(joint));
    let lower = ways[0].iter().zip(&ways[1]).map(|(a, b)| a.y.min(b.y));
    let mut heights: Vec<f32> = lower.collect();
    heights.sort_by(f32::total_cmp);
    heights.get(heights.len() / 10).copied().unwrap_or(0.0)
}

/// Whether the posture is in the model's axes, Y up.
fn is_upright(posture: &Posture) -> bool {
    (posture.pose_from_body * Vec3::Y).y > 0.9
}

/// How the clip's feet are when they are flat, by what they do.
pub(crate) fn source_flat(body: &Body, posture: &Posture, record: &Record, leg: f32) -> Flat {
    let seen = Flat { ankle: low(record, ankles(body)), toes: low(record, pivots(body)) };
    if !posture.stands || !is_upright(posture) {
        return seen;
    }
    let ankle = mean_height(ankles(body), &posture.stand);
    let toes = mean_height(pivots(body), &posture.stand);
    // A file that rests on its floor means it, even where a clip never touches it.
    let on_floor = toes.abs() < 0.1 * leg;
    let never = (seen.toes - toes).abs() > 0.08 * leg;
    let toes_flat = if on_floor && never { toes } else { seen.toes };
    Flat { ankle: toes_flat + ankle - toes, toes: toes_flat }
}

/// How the character's feet are when they are flat, on its own floor.
pub(crate) fn target_flat(
    body: &Body,
    posture: &Posture,
    stance: &Stance,
    figure: &mut Figure<'_>,
    skeleton: &sinew_scene::Skeleton,
) -> Flat {
    if posture.stands && is_upright(posture) {
        return Flat {
            ankle: mean_height(ankles(body), &posture.stand),
            toes: mean_height(pivots(body), &posture.stand),
        };
    }
    // In a T-pose of our own, what is lowest of the feet is on the floor.
    for (&joint, &rotation) in &stance.rotations {
        figure.want(joint, stance.model_from_body * rotation);
    }
    figure.stand();
    let feet = ankles(body);
    let below =
        skeleton.ids().filter(|&id| feet.iter().any(|&foot| tree::is_below(skeleton, id, foot)));
    let floor = below.map(|id| figure.place(id).y).fold(f32::INFINITY, f32::min);
    let height = |joints: [JointId; 2]| {
        let mean = (figure.place(joints[0]).y + figure.place(joints[1]).y) / 2.0;
        if floor.is_finite() { mean - floor } else { 0.0 }
    };
    Flat { ankle: height(ankles(body)), toes: height(pivots(body)) }
}

/// The middle of the pelvis in a posture, in the body's axes; level alone. Nothing where its axes are others.
pub(crate) fn pelvis(body: &Body, posture: &Posture) -> Vec3 {
    let (Some(left), Some(right)) =
        (body.on(Side::Left, BodyPart::Thigh), body.on(Side::Right, BodyPart::Thigh))
    else {
        return Vec3::ZERO;
    };
    let middle = (posture.stand.place(left) + posture.stand.place(right)) / 2.0;
    let middle = posture.pose_from_body.inverse() * middle;
    if is_upright(posture) { Vec3::new(middle.x, 0.0, middle.z) } else { Vec3::ZERO }
}
