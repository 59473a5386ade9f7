//! Which pose of a skeleton shows how it is built: the one that is most like standing.
//!
//! In:  the pose that the skin was bound in, the pose that the file rests in, moments of a clip.
//! Out: the best of them, how far it is from standing, and the direction in which the body looks.
//!
//! Files rest in a T-pose, an A-pose, in the middle of a step, or in no pose that anybody could
//! hold; only bones that point where a standing body's do can be compared.

use glam::{Mat3, Quat, Vec3};
use sinew_scene::{Clip, JointId, Scene};

use crate::body::Body;
use crate::find::moments;
use crate::slot::{BodyPart, Side, Slot};
use crate::tree::{Stand, arc};

/// A pose, and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Posture {
    pub(crate) stand: Stand,
    /// From the body's own axes (X left, Y up, Z forward) to those the pose is in.
    pub(crate) pose_from_body: Quat,
    /// The same to the model's axes, upright: those of a skin's bind pose may be others.
    pub(crate) model_from_body: Quat,
    /// It stands: feet are flat, back and neck are straight.
    pub(crate) stands: bool,
}

/// Further from standing than this, a pose is one of some motion; degrees, on average over bones.
const STANDING: f32 = 12.0;

/// The pose most like standing.
pub(crate) fn choose(scene: &Scene, body: &Body, clip: Option<&Clip>) -> Posture {
    let rest = Stand::rest(scene);
    let at_rest = facing(body, &rest);
    let mut best: Option<(f32, Posture)> = None;
    let mut offer = |stand: Stand, malus: f32| {
        let pose_from_body = facing(body, &stand);
        let cost = cost(body, &stand, pose_from_body);
        let stands = cost < STANDING && malus < 5.0;
        let model_from_body = in_model(pose_from_body, at_rest);
        let posture = Posture { stand, pose_from_body, model_from_body, stands };
        if best.as_ref().is_none_or(|(known, _)| cost + malus < *known) {
            best = Some((cost + malus, posture));
        }
    };
    if let Some(bound) = Stand::bound(scene) {
        offer(bound, 0.0);
    }
    offer(rest.clone(), 1.0);
    if let Some(clip) = clip {
        for time in moments(clip) {
            offer(Stand::at(clip, scene, time), 10.0);
        }
    }
    best.map_or_else(
        || {
            let rotation = Quat::IDENTITY;
            Posture {
                stand: rest,
                pose_from_body: rotation,
                model_from_body: rotation,
                stands: false,
            }
        },
        |(_, posture)| posture,
    )
}

/// The model stands on its floor, Y up, and looks about where it looks at rest.
fn in_model(pose_from_body: Quat, at_rest: Quat) -> Quat {
    let upright = |rotation: Quat| (arc(rotation * Vec3::Y, Vec3::Y) * rotation).normalize();
    let (rotation, rest) = (upright(pose_from_body), upright(at_rest));
    // A step may twist the hips so far, but no further.
    let near = (pose_from_body * Vec3::Y).y > 0.9 && (rotation * Vec3::X).dot(rest * Vec3::X) > 0.6;
    if near { rotation } else { rest }
}

/// Both joints of a part.
fn both(body: &Body, part: BodyPart) -> Option<[JointId; 2]> {
    Some([body.on(Side::Left, part)?, body.on(Side::Right, part)?])
}

/// The directions that are left, up and forward to the body.
pub(crate) fn facing(body: &Body, stand: &Stand) -> Quat {
    let middle = |pair: [JointId; 2]| (stand.place(pair[0]) + stand.place(pair[1])) / 2.0;
    let across = |pair: [JointId; 2]| stand.way(pair[1], pair[0]).normalize_or_zero();
    let Some(thighs) = both(body, BodyPart::Thigh) else { return Quat::IDENTITY };
    let arms = both(body, BodyPart::UpperArm);
    let head = body.joint(Slot::middle(BodyPart::Head));
    let top = arms.map(middle).or(head.map(|head| stand.place(head)));
    let up = top.map_or(Vec3::Y, |top| top - middle(thighs)).try_normalize().unwrap_or(Vec3::Y);
    let up = straightened(up);
    let left = 2.0 * across(thighs) + arms.map_or(Vec3::ZERO, across);
    let left = (left - up * up.dot(left)).try_normalize();
    let left = left.unwrap_or_else(|| up.any_orthonormal_vector());
    Quat::from_mat3(&Mat3::from_cols(left, up, left.cross(up))).normalize()
}

/// Nobody is built at a slant: an axis nearby is what was meant.
fn straightened(up: Vec3) -> Vec3 {
    let axes = [Vec3::Y, Vec3::Z, Vec3::X, Vec3::NEG_Y, Vec3::NEG_Z, Vec3::NEG_X];
    axes.into_iter().find(|axis| axis.dot(up) > 20_f32.to_radians().cos()).unwrap_or(up)
}

/// How many degrees bones point away from where a standing body's do, on average. Arms may be
/// anywhere between hanging and level, in the plane of the body.
fn cost(body: &Body, stand: &Stand, pose_from_body: Quat) -> f32 {
    let body_from_pose = pose_from_body.inverse();
    let way = |side, from, to| {
        let (from, to) = (body.on(side, from)?, body.on(side, to)?);
        (body_from_pose * stand.way(from, to)).try_normalize()
    };
    let (mut sum, mut count) = (0.0, 0.0_f32);
    let mut add = |angle: f32| {
        sum += if angle.is_finite() { angle.to_degrees() } else { 180.0 };
        count += 1.0;
    };
    for side in Side::BOTH {
        let down = |way: Option<Vec3>| way.map(|way| way.angle_between(Vec3::NEG_Y));
        let legs =
            [way(side, BodyPart::Thigh, BodyPart::Shin), way(side, BodyPart::Shin, BodyPart::Foot)];
        legs.into_iter().filter_map(down).for_each(&mut add);
        let upper = way(side, BodyPart::UpperArm, BodyPart::Forearm);
        let fore = way(side, BodyPart::Forearm, BodyPart::Hand);
        if let (Some(upper), Some(fore)) = (upper, fore) {
            add(upper.angle_between(fore));
            add(upper.z.abs().min(1.0).asin());
            // Neither across the body nor over the head.
            add((-side.sign() * upper.x).clamp(0.0, 1.0).asin() + upper.y.clamp(0.0, 1.0).asin());
        }
    }
    let spine = body.joint(Slot::middle(BodyPart::Head)).map(|head| stand.way(body.hips(), head));
    if let Some(spine) = spine.and_then(Vec3::try_normalize) {
        add((body_from_pose * spine).angle_between(Vec3::Y));
    }
    // A slant that no axis explains is one of a motion.
    let slant = straightened(pose_from_body * Vec3::Y) != pose_from_body * Vec3::Y;
    sum / count.max(1.0) + if slant && !near_axis(pose_from_body * Vec3::Y) { 10.0 } else { 0.0 }
}

fn near_axis(up: Vec3) -> bool {
    up.abs().max_element() > 0.9999
}

/// Whether it stands on hands and feet, as it is bound and as it rests: legs that hang under a level back, and hands as low
/// as the feet.
pub(crate) fn on_all_fours(scene: &Scene, body: &Body) -> bool {
    let stands = [Stand::bound(scene), Some(Stand::rest(scene))];
    let seen: Vec<bool> =
        stands.iter().flatten().filter_map(|stand| is_on_all_fours(body, stand)).collect();
    // One pose of somebody who crawls is not yet an animal.
    !seen.is_empty() && seen.iter().all(|fours| *fours)
}

/// `None` where legs do not hang: a pose in other axes, or of a motion, says nothing.
fn is_on_all_fours(body: &Body, stand: &Stand) -> Option<bool> {
    let middle = |part| {
        let [left, right] = both(body, part)?;
        Some((stand.place(left) + stand.place(right)) / 2.0)
    };
    let (hip, knee, foot) =
        (middle(BodyPart::Thigh)?, middle(BodyPart::Shin)?, middle(BodyPart::Foot)?);
    let (shoulder, hand) = (middle(BodyPart::UpperArm)?, middle(BodyPart::Hand)?);
    let (drop, back) = (hip.y - foot.y, shoulder - hip);
    if drop < 0.6 * (hip.distance(knee) + knee.distance(foot)) {
        return None;
    }
    let level = back.y.abs() < 0.5 * back.length();
    Some(level && hand.y - foot.y < 0.4 * drop)
}

/// Whether the toes point backward, so that left is right.
pub(crate) fn toes_point_back(body: &Body, stand: &Stand) -> bool {
    let pose_from_body = facing(body, stand);
    let toes = |side| {
        let (foot, toes) = (body.on(side, BodyPart::Foot)?, body.on(side, BodyPart::Toes)?);
        let way = pose_from_body.inverse() * stand.way(foot, toes);
        // Toes that hang straight down say nothing.
        (way.z.abs() > 0.3 * way.length()).then_some(way.z)
    };
    let told: Vec<f32> = Side::BOTH.into_iter().filter_map(toes).collect();
    !told.is_empty() && told.iter().all(|&forward| forward < 0.0)
}
