//! The frames of a clip as a BVH file tells them, and how far that is from the clip.
//!
//! In:  a scene, a clip, and the joints of the file.
//! Out: for every frame and joint a position in its parent and a rotation away from rest.
//!
//! A joint's rotation is that part of `world now · world at rest⁻¹` which rotates. With positions every joint is where the clip has
//! it; without, it stays at its offset, and what that costs is measured at the joints, at the frames and between them.

use glam::{DMat3, DQuat, DVec3};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, Scene};

use super::joints::BvhJoint;
use super::{BvhOptions, BvhPositions};
use crate::ExportError;
use crate::exported::counted;
use crate::rate::frame_rate;

/// More numbers than this make a file of some gigabytes.
const MAX_NUMBERS: f64 = 2e8;
/// A joint that leaves its offset by more than this share of the skeleton's size gets positions.
const STAYS: f64 = 2e-5;
/// For keys that lie on no rate.
const USUAL_RATE: f64 = 60.0;

/// Where a joint is at one frame.
#[derive(Clone, Copy)]
pub(super) struct Local {
    /// In the parent joint, whose axes are the world's at rest; metres.
    pub(super) position: DVec3,
    pub(super) rotation: DQuat,
}

pub(super) struct Motion {
    /// Frames per second.
    pub(super) rate: f64,
    /// Which joints have positions.
    pub(super) moves: Vec<bool>,
    pub(super) frames: Vec<Vec<Local>>,
}

/// Where the joints are in the world.
struct Moment {
    places: Vec<DVec3>,
    rotations: Vec<DQuat>,
    /// The largest change of size of a joint since rest, as a factor from one up, and whose.
    scaled: (f64, usize),
}

pub(super) fn record(
    scene: &Scene,
    clip: &Clip,
    joints: &[BvhJoint],
    options: &BvhOptions,
    notes: &mut Vec<String>,
) -> Result<Motion, ExportError> {
    let rate = rate(clip, options)?;
    // A little less, so that a clip of whole frames does not get one more for its rounding.
    let count = (f64::from(clip.duration) * rate - 1e-3).ceil().max(0.0) + 1.0;
    if count * 6.0 * joints.len() as f64 > MAX_NUMBERS {
        let most = (MAX_NUMBERS / (6.0 * joints.len() as f64)) as usize;
        return Err(ExportError::TooMany { what: "frames", most, found: count as usize });
    }
    let mut sampler =
        Sampler { scene, clip, joints, pose: Pose::new(scene), cursor: Cursor::new() };
    let mut truth: Vec<Moment> = Vec::with_capacity(count as usize);
    for frame in 0..count as usize {
        let moment = sampler.at(frame as f64 / rate, truth.last());
        truth.push(moment);
    }
    let moves = moving(joints, &truth, options.positions);
    let frames: Vec<_> = truth.iter().map(|moment| locals(joints, moment, &moves)).collect();
    let motion = Motion { rate, moves, frames };
    measure(&mut sampler, &motion, &truth, notes);
    Ok(motion)
}

fn rate(clip: &Clip, options: &BvhOptions) -> Result<f64, ExportError> {
    if let Some(rate) = options.frame_rate {
        if rate > 0.0 && rate.is_finite() {
            return Ok(f64::from(rate));
        }
        let text = format!("expected a frame rate above zero, found {rate}");
        return Err(ExportError::Invalid(text));
    }
    Ok(frame_rate(clip).unwrap_or(USUAL_RATE))
}

struct Sampler<'a> {
    scene: &'a Scene,
    clip: &'a Clip,
    joints: &'a [BvhJoint],
    pose: Pose,
    cursor: Cursor,
}

impl Sampler<'_> {
    fn at(&mut self, time: f64, before: Option<&Moment>) -> Moment {
        sample(self.clip, time as f32, &mut self.cursor, &mut self.pose);
        self.pose.to_model(self.scene.skeleton());
        let mut moment = Moment { places: vec![], rotations: vec![], scaled: (1.0, 0) };
        for (number, joint) in self.joints.iter().enumerate() {
            let now = self.pose.model_from_joint()[joint.id.index()].as_daffine3();
            let change = now.matrix3 * joint.world_at_rest.matrix3.inverse();
            let scale = change.determinant().abs().cbrt();
            let factor = scale.max(1.0 / scale);
            // The topmost of joints that are scaled alike.
            if factor > moment.scaled.0 + 1e-6 {
                moment.scaled = (factor, number);
            }
            // A joint that is scaled to nothing keeps its last rotation.
            let held = before.map_or(DQuat::IDENTITY, |before| before.rotations[number]);
            moment.rotations.push(rotation_of(change).unwrap_or(held));
            moment.places.push(now.translation);
        }
        moment
    }
}

/// The nearest rotation to a matrix, by Newton's way to its polar decomposition; `None` when it is flat.
fn rotation_of(matrix: DMat3) -> Option<DQuat> {
    let size = matrix.determinant().abs().cbrt();
    if !(size > 1e-9 && size.is_finite()) {
        return None;
    }
    let mut near = matrix * (1.0 / size);
    for _ in 0..32 {
        let next = (near + near.inverse().transpose()) * 0.5;
        let done = next.abs_diff_eq(near, 1e-14);
        near = next;
        if done {
            break;
        }
    }
    if near.determinant() < 0.0 {
        near *= -1.0;
    }
    let rotation = DQuat::from_mat3(&near).normalize();
    rotation.is_finite().then_some(rotation)
}

/// Which joints need positions in every frame.
fn moving(joints: &[BvhJoint], truth: &[Moment], positions: BvhPositions) -> Vec<bool> {
    let size: f64 = joints.iter().map(|joint| joint.offset.length()).fold(0.0, f64::max);
    joints
        .iter()
        .enumerate()
        .map(|(number, joint)| match (joint.parent, positions) {
            (None, _) | (_, BvhPositions::All) => true,
            (_, BvhPositions::Root) => false,
            (Some(parent), BvhPositions::Needed) => truth.iter().any(|moment| {
                let found = moment.rotations[parent].inverse()
                    * (moment.places[number] - moment.places[parent]);
                (found - joint.offset).length() > STAYS * size
            }),
        })
        .collect()
}

/// What the file says of one moment: positions are from where the file itself puts the parent.
fn locals(joints: &[BvhJoint], moment: &Moment, moves: &[bool]) -> Vec<Local> {
    let mut places: Vec<DVec3> = Vec::with_capacity(joints.len());
    let mut all = Vec::with_capacity(joints.len());
    for (number, joint) in joints.iter().enumerate() {
        let (place, turned) = match joint.parent {
            Some(parent) => (places[parent], moment.rotations[parent]),
            None => (DVec3::ZERO, DQuat::IDENTITY),
        };
        let position = if moves[number] {
            turned.inverse() * (moment.places[number] - place)
        } else {
            joint.offset
        };
        places.push(place + turned * position);
        all.push(Local { position, rotation: turned.inverse() * moment.rotations[number] });
    }
    all
}

/// Where the file puts the joints: forward through the tree.
fn places(joints: &[BvhJoint], locals: impl Fn(usize) -> Local) -> Vec<DVec3> {
    let mut world: Vec<Local> = Vec::with_capacity(joints.len());
    for (number, joint) in joints.iter().enumerate() {
        let local = locals(number);
        let up = joint
            .parent
            .map_or(Local { position: DVec3::ZERO, rotation: DQuat::IDENTITY }, |parent| {
                world[parent]
            });
        world.push(Local {
            position: up.position + up.rotation * local.position,
            rotation: up.rotation * local.rotation,
        });
    }
    world.into_iter().map(|local| local.position).collect()
}

/// Says how far the file's joints are from the clip's, and what it does not hold at all.
fn measure(sampler: &mut Sampler<'_>, motion: &Motion, truth: &[Moment], notes: &mut Vec<String>) {
    let joints = sampler.joints;
    let mut worst = (0.0, 0, 0.0);
    let mut compare = |found: Vec<DVec3>, truth: &Moment, time: f64| {
        for (number, (found, truth)) in found.iter().zip(&truth.places).enumerate() {
            let off = found.distance(*truth);
            if off > worst.0 {
                worst = (off, number, time);
            }
        }
    };
    for (number, frame) in motion.frames.iter().enumerate() {
        let time = number as f64 / motion.rate;
        compare(places(joints, |joint| frame[joint]), &truth[number], time);
        let Some(next) = motion.frames.get(number + 1) else { continue };
        let time = (number as f64 + 0.5) / motion.rate;
        let between = |joint: usize| Local {
            position: frame[joint].position.midpoint(next[joint].position),
            rotation: frame[joint].rotation.slerp(next[joint].rotation, 0.5),
        };
        let truth = sampler.at(time, Some(&truth[number]));
        compare(places(joints, between), &truth, time);
    }
    if worst.0 > 1e-4 {
        let (off, number, time) = worst;
        notes.push(format!(
            "joints are up to {:.2} mm from the clip's, at \"{}\" at {time:.3} s",
            off * 1e3,
            joints[number].name
        ));
    }
    let moved = motion.moves.iter().skip(1).filter(|moves| **moves).count();
    if moved > 0 {
        let joints = counted(moved, "joint beside the root has", "joints beside the root have");
        notes.push(format!("{joints} positions in every frame"));
    }
    let scaled = truth
        .iter()
        .map(|moment| moment.scaled)
        .fold((1.0, 0), |most, one| if one.0 > most.0 + 1e-6 { one } else { most });
    if scaled.0 > 1.001 {
        notes.push(format!(
            "BVH has no scale: the size of \"{}\" changes by a factor of {:.3} in the clip and not in the file",
            joints[scaled.1].name, scaled.0
        ));
    }
    if !sampler.clip.weights.is_empty() {
        notes.push("BVH has no morph weights: the clip's are left out".into());
    }
}
