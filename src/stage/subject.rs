//! Which points of which members a camera must have in the image.
//!
//! In:  a stage, and what is to be shown of it.
//! Out: for each member concerned its vertices, or those that the wanted joints carry.

use glam::Vec3;
use sinew_deform::{Bounds, Vertices};
use sinew_scene::{InstanceId, JointId, Scene};

use super::{Member, ShotError, Stage, Subject};

/// Points of one primitive at one moment.
const POINTS: usize = 1000;
/// A vertex belongs to the joints that have this share of it.
const SHARE: f32 = 0.5;

/// What is shown of one member.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its index on the stage.
    pub(super) member: usize,
    /// Which joints' vertices count; all where there are none.
    pub(super) joints: Option<Vec<bool>>,
    /// The joints that the camera goes along with.
    anchors: Vec<JointId>,
    /// What is added below, as a share of the height: shoulders below a head.
    below: f32,
}

/// The parts of a stage that a subject is.
pub(super) fn parts_of(stage: &Stage, subject: &Subject) -> Result<Vec<Part>, ShotError> {
    let members = stage.members.iter().enumerate().filter(|(_, member)| !member.scenery);
    let parts: Vec<Part> =
        members.filter_map(|(index, member)| part_of(index, member, subject)).collect();
    match subject {
        Subject::Full => Ok(parts),
        _ if !parts.is_empty() => Ok(parts),
        Subject::Portrait => Err(ShotError::NoPart("head")),
        Subject::Hands => Err(ShotError::NoPart("hands")),
        Subject::Joint(name) => Err(ShotError::NoJoint(name.clone())),
    }
}

fn part_of(index: usize, member: &Member, subject: &Subject) -> Option<Part> {
    let scene = member.actor.scene();
    let landmarks = member.landmarks();
    let below = |roots: Vec<JointId>, below: f32| {
        let joints = Some(descendants(scene, &roots));
        (!roots.is_empty()).then_some(Part { member: index, joints, anchors: roots, below })
    };
    match subject {
        Subject::Full => {
            let anchors = landmarks.hips().into_iter().collect();
            Some(Part { member: index, joints: None, anchors, below: 0.0 })
        }
        Subject::Portrait => below(landmarks.head().into_iter().collect(), 0.55),
        Subject::Hands => below(landmarks.hands(), 0.0),
        Subject::Joint(name) => below(find_joint(scene, name).into_iter().collect(), 0.0),
    }
}

/// A joint by its name, or else its number.
pub(super) fn find_joint(scene: &Scene, wanted: &str) -> Option<JointId> {
    let skeleton = scene.skeleton();
    let number = || wanted.parse().ok().filter(|index| *index < skeleton.len()).map(JointId::new);
    skeleton.find(wanted).or_else(number)
}

fn descendants(scene: &Scene, roots: &[JointId]) -> Vec<bool> {
    let mut below = vec![false; scene.skeleton().len()];
    for (joint, parent) in scene.skeleton().parents().iter().enumerate() {
        below[joint] = roots.contains(&JointId::new(joint))
            || parent.is_some_and(|parent| below[parent.index()]);
    }
    below
}

impl Part {
    /// What a camera that goes along goes along with.
    pub(super) fn anchor(&self, member: &Member) -> Vec3 {
        let at = |joint: &JointId| member.world_from_joint(*joint).translation.into();
        let places: Vec<Vec3> = self.anchors.iter().map(at).collect();
        match (places.len(), member.bounds()) {
            (0, bounds) if bounds.is_empty() => Vec3::ZERO,
            (0, bounds) => bounds.center(),
            (count, _) => places.iter().sum::<Vec3>() / count as f32,
        }
    }

    /// Its points as they are now; `exact` looks at vertices rather than at boxes.
    pub(super) fn points(&self, member: &Member, exact: bool) -> Vec<Vec3> {
        let mut points = match (&self.joints, exact) {
            (Some(joints), _) => member.points(Some(joints)),
            (None, true) => member.points(None),
            (None, false) => super::outline::box_corners(member.bounds()),
        };
        if points.is_empty()
            && let Some(joints) = &self.joints
        {
            points = around_joints(member, joints);
        }
        let bounds = Bounds::of(&points);
        if self.below > 0.0 && !bounds.is_empty() {
            let lower = bounds.min.y - self.below * bounds.size().y;
            points.push(bounds.center().with_y(lower));
        }
        points
    }
}

/// Joints that carry no vertex: a small space around each.
fn around_joints(member: &Member, joints: &[bool]) -> Vec<Vec3> {
    let bounds = member.bounds();
    let room = if bounds.is_empty() { 0.2 } else { 0.06 * bounds.size().length() };
    let wanted = joints.iter().enumerate().filter(|(_, wanted)| **wanted);
    let spread = |(joint, _): (usize, &bool)| {
        let at = Vec3::from(member.world_from_joint(JointId::new(joint)).translation);
        [Vec3::X, Vec3::Y, Vec3::Z]
            .into_iter()
            .flat_map(move |axis| [at + axis * room, at - axis * room])
    };
    wanted.flat_map(spread).collect()
}

impl Member {
    /// Places on its surface now; of those joints alone, where some are named.
    pub(super) fn points(&self, joints: Option<&[bool]>) -> Vec<Vec3> {
        let scene = self.actor.scene();
        let mut vertices = Vertices::default();
        let mut points = Vec::new();
        for (index, instance) in scene.instances.iter().enumerate() {
            if self.actor.hides(InstanceId::new(index)) {
                continue;
            }
            for primitive in 0..scene.meshes[instance.mesh.index()].primitives.len() {
                let chosen = joints.map(|joints| held(scene, index, primitive, joints));
                if chosen.as_ref().is_some_and(Vec::is_empty) {
                    continue;
                }
                self.actor.skin(InstanceId::new(index), primitive, &mut vertices);
                let all = &vertices.positions;
                let count = chosen.as_ref().map_or(all.len(), Vec::len);
                let step = count.div_ceil(POINTS).max(1);
                let pick = |at: usize| all[chosen.as_ref().map_or(at, |chosen| chosen[at])];
                points.extend((0..count).step_by(step).map(pick).filter(|p| p.is_finite()));
            }
        }
        if let Some((mannequin, pose)) = self.mannequin_pose() {
            points.extend(mannequin.points(&pose, joints).filter(|point| point.is_finite()));
        }
        points
    }
}

/// The vertices of a primitive that these joints have most of.
fn held(scene: &Scene, instance: usize, primitive: usize, joints: &[bool]) -> Vec<usize> {
    let instance = &scene.instances[instance];
    let primitive = &scene.meshes[instance.mesh.index()].primitives[primitive];
    let Some(skin) = instance.skin.map(|skin| &scene.skins[skin.index()]) else {
        let all = joints[instance.joint.index()];
        return if all { (0..primitive.positions.len()).collect() } else { Vec::new() };
    };
    let share = |vertex: &usize| {
        let influences = primitive.influences.of(*vertex).iter();
        let of = |joint: u32| skin.joints.get(joint as usize).is_some_and(|j| joints[j.index()]);
        influences.filter(|influence| of(influence.joint)).map(|i| i.weight).sum::<f32>()
    };
    let count = primitive.influences.len().min(primitive.positions.len());
    (0..count).filter(|vertex| share(vertex) >= SHARE).collect()
}
