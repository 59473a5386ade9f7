//! The joints by which a camera finds its way about a character: hips, head, hands, left and right.
//!
//! In:  a scene, and where its joints are.
//! Out: which way the character faces, and which joint is which part of its body.
//!
//! A humanoid is found as for retargeting, by names and shape; any other rig has the sides that its names have.

use glam::{Affine3A, Vec3};
use sinew_motion::Pairs;
use sinew_retarget::{Body, BodyPart, Side, Slot};
use sinew_scene::{JointId, Scene};

/// Parts whose left and right show where a body faces: hips first, then shoulders.
const SIDES: [BodyPart; 3] = [BodyPart::Thigh, BodyPart::UpperArm, BodyPart::Clavicle];
/// A facing this near to an axis of the world is that axis: hips sway, cameras do not.
const SWAY: f32 = 25.0;
/// So many named pairs tell where a rig faces: a few may be named as the viewer sees them.
const PAIRS: usize = 4;

/// The joints that a camera looks for.
#[derive(Clone, Debug, Default)]
pub struct Landmarks {
    /// Left, right.
    pairs: Vec<(JointId, JointId)>,
    body: Option<Body>,
}

impl Landmarks {
    /// Finds them in a scene.
    ///
    /// ```
    /// use sinew::{glam::Vec3, stage::Landmarks};
    /// let ossi = sinew::Actor::new(sinew::ossi());
    /// let landmarks = Landmarks::find(ossi.scene());
    /// assert_eq!(landmarks.facing(ossi.pose().model_from_joint()), Some(Vec3::Z));
    /// ```
    #[must_use]
    pub fn find(scene: &Scene) -> Self {
        let body = Body::find(scene).ok();
        let on = |body: &Body, side: Side, part: BodyPart| body.joint(Slot::of(side, part));
        let of_body = |body: &Body| {
            let pair = |part| Some((on(body, Side::Left, part)?, on(body, Side::Right, part)?));
            SIDES.into_iter().filter_map(pair).collect()
        };
        let pairs = body.as_ref().map_or_else(|| named_pairs(scene), of_body);
        Self { pairs, body }
    }

    /// The humanoid, where there is one.
    #[must_use]
    pub fn body(&self) -> Option<&Body> {
        self.body.as_ref()
    }

    /// What carries the body.
    #[must_use]
    pub fn hips(&self) -> Option<JointId> {
        self.body.as_ref()?.joint(Slot::middle(BodyPart::Hips))
    }

    /// The head.
    #[must_use]
    pub fn head(&self) -> Option<JointId> {
        self.body.as_ref()?.joint(Slot::middle(BodyPart::Head))
    }

    /// Both hands, or one, or none.
    #[must_use]
    pub fn hands(&self) -> Vec<JointId> {
        let Some(body) = &self.body else { return Vec::new() };
        let hand = |side| body.joint(Slot::of(side, BodyPart::Hand));
        Side::BOTH.into_iter().filter_map(hand).collect()
    }

    /// Where the character faces, level and of unit length; `None` where no joint tells. Within a sway of an axis it
    /// is that axis.
    #[must_use]
    pub fn facing(&self, world_from_joint: &[Affine3A]) -> Option<Vec3> {
        let at = |joint: JointId| Vec3::from(world_from_joint[joint.index()].translation);
        let across = |&(left, right): &(JointId, JointId)| {
            (at(left) - at(right)).with_y(0.0).normalize_or_zero()
        };
        let left: Vec3 = self.pairs.iter().map(across).sum();
        let facing = left.cross(Vec3::Y).try_normalize()?;
        Some(steadied(facing))
    }
}

/// The nearest axis of the world, where one is near.
pub(super) fn steadied(facing: Vec3) -> Vec3 {
    let near = |axis: &Vec3| axis.dot(facing) > SWAY.to_radians().cos();
    [Vec3::Z, Vec3::NEG_Z, Vec3::X, Vec3::NEG_X].into_iter().find(near).unwrap_or(facing)
}

/// Left and right by their names.
fn named_pairs(scene: &Scene) -> Vec<(JointId, JointId)> {
    let skeleton = scene.skeleton();
    let left = |joint: JointId| is_left(&skeleton.node(joint).name);
    let pairs = Pairs::find(skeleton);
    let sided: Vec<_> = pairs
        .iter()
        .filter_map(|(a, b)| match (left(a), left(b)) {
            (true, false) => Some((a, b)),
            (false, true) => Some((b, a)),
            _ => None,
        })
        .collect();
    if sided.len() < PAIRS { Vec::new() } else { sided }
}

/// `LeftFoot`, `foot_L`, `foot.l`, `L_Foot`, `lFoot` and the like.
fn is_left(name: &str) -> bool {
    if name.to_ascii_lowercase().contains("left") {
        return true;
    }
    let apart = name.split(|c: char| !c.is_ascii_alphanumeric());
    let camel = name.starts_with('l') && name[1..].starts_with(|c: char| c.is_ascii_uppercase());
    camel || apart.into_iter().any(|word| matches!(word, "l" | "L" | "Lf" | "lf" | "LF"))
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::Actor;

    fn facing_of(actor: &Actor) -> Option<Vec3> {
        let world = actor.world_from_model();
        let joints = actor.pose().model_from_joint().iter().map(|joint| world * *joint);
        Landmarks::find(actor.scene()).facing(&joints.collect::<Vec<_>>())
    }

    #[test]
    fn a_character_turned_about_faces_where_it_was_turned_to() {
        let mut ossi = Actor::new(sinew_ossi::ossi());
        for (degrees, expected) in [(0.0, Vec3::Z), (180.0, Vec3::NEG_Z), (100.0, Vec3::X)] {
            let rotation = Quat::from_rotation_y(f32::to_radians(degrees));
            ossi.place(Affine3A::from_quat(rotation));
            assert_eq!(facing_of(&ossi), Some(expected), "{degrees}°");
        }
        ossi.place(Affine3A::from_rotation_y(45_f32.to_radians()));
        let facing = facing_of(&ossi).expect("it faces somewhere");
        assert!(facing.abs_diff_eq(Vec3::new(0.5, 0.0, 0.5).normalize(), 1e-3), "{facing}");
    }

    #[test]
    fn a_rig_without_sides_faces_nowhere() {
        assert_eq!(facing_of(&Actor::new(sinew_ossi::demo())), None);
    }

    #[test]
    fn left_is_left_in_every_common_spelling() {
        for name in ["LeftFoot", "mixamorig:LeftUpLeg", "foot_L", "foot.l", "L_Foot", "lFoot"] {
            assert!(is_left(name), "{name}");
        }
        for name in ["RightFoot", "ball", "lower_leg", "hips", "foot_R", "Lid", ""] {
            assert!(!is_left(name), "{name}");
        }
    }
}
