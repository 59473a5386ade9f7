//! One joint that looks at a place: a head, an eye, a turret.
//!
//! In:  a joint, which of its axes looks, from where, and a target.
//! Out: a new local rotation of that joint.
//!
//! The line of sight need not start at the joint. The point on it that is as far from the joint as
//! the target is turned onto the target, and then the line goes through it.

use sinew_scene::glam::{Affine3A, Quat, Vec3, Vec3A};
use sinew_scene::{JointId, Skeleton};

use super::two_bone::clean_weight;
use super::{Above, Outcome, unit_or};
use crate::Pose;
use crate::interpolate::slerp;

/// A joint that looks at a place.
///
/// ```
/// use sinew_motion::{Pose, ik::Aim};
/// # use sinew_scene::{JointId, Node, Scene, SceneParts, Transform, glam::Vec3};
/// # let nodes = vec![Node::new("head", None, Transform::IDENTITY)];
/// # let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() })?;
/// let head = scene.skeleton().find("head").unwrap();
/// let mut pose = Pose::new(&scene);
/// Aim::new(head, Vec3::Z).apply(&mut pose, scene.skeleton(), Vec3::new(3.0, 0.0, 0.0));
/// let forward = pose.model_from_joint()[head.index()].transform_vector3(Vec3::Z);
/// assert!(forward.abs_diff_eq(Vec3::X, 1e-6));
/// # Ok::<(), sinew_scene::SceneError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// Who looks.
    pub joint: JointId,
    /// The direction in which it looks, in its own space.
    pub forward: Vec3,
    /// Where it looks from, in its own space: the eyes of a head.
    pub offset: Vec3,
    /// What to hold upright, if anything: a direction of the joint, and the direction of the model
    /// that it leans to as far as the line of sight lets it. A pair that says nothing (zero, not
    /// finite, in line with the sight) is ignored.
    pub upright: Option<(Vec3, Vec3)>,
    /// Turns it further about the line of sight, in radians.
    pub twist: f32,
    /// The most it may rotate from how the pose has it, in radians; half a turn is no limit.
    pub most: f32,
    /// How much of it to do, 0 to 1.
    pub weight: f32,
}

/// What an [`Aim`] found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimOutcome {
    /// The new rotation of the joint in its parent.
    pub rotation: Quat,
    /// Whether it looks there.
    pub outcome: Outcome,
}

impl Aim {
    /// Looks along `forward`, from the joint itself, without limit.
    #[must_use]
    pub fn new(joint: JointId, forward: Vec3) -> Self {
        Self {
            joint,
            forward,
            offset: Vec3::ZERO,
            upright: None,
            twist: 0.0,
            most: std::f32::consts::PI,
            weight: 1.0,
        }
    }

    /// Rotates the joint so that it looks at `target`, in model space, and brings all below it up to date.
    ///
    /// A target nearer than the eyes' offset cannot be looked at: the joint then turns as if it
    /// looked from its own place, and the outcome is short. A target that is not finite or at the
    /// joint itself, or a forward of no length, changes nothing.
    pub fn apply(&self, pose: &mut Pose, skeleton: &Skeleton, target: Vec3) -> Outcome {
        let aimed = self.solve(pose, skeleton, target);
        if aimed.outcome != Outcome::Unchanged {
            let before = pose.rotation(self.joint);
            let weight = clean_weight(self.weight);
            pose.set_rotation(self.joint, slerp(before, aimed.rotation, weight));
            pose.to_model_from(skeleton, self.joint);
        }
        aimed.outcome
    }

    /// The rotation that looks at `target`, at full weight, without writing it.
    #[must_use]
    #[inline]
    pub fn solve(&self, pose: &Pose, skeleton: &Skeleton, target: Vec3) -> AimOutcome {
        let rotation = pose.rotation(self.joint);
        let matrices = pose.model_from_joint();
        let parent = skeleton.parents()[self.joint.index()];
        let above = Above::new(parent.map(|parent| &matrices[parent.index()]));
        let Affine3A { mut matrix3, translation } = matrices[self.joint.index()];
        let mut to = Vec3A::from(target) - translation;
        if let Above::Uneven(back) = above {
            (matrix3, to) = (back * matrix3, back * to);
        }
        let forward = matrix3 * Vec3A::from(self.forward);
        let (far, long) = (to.length_squared(), forward.length_squared());
        if !(far > 1e-20 && far < 1e30 && long > 1e-30 && long < 1e30) {
            return AimOutcome { rotation, outcome: Outcome::Unchanged };
        }
        let (from, mut missing) = self.from(matrix3 * Vec3A::from(self.offset), forward, far);
        let to = to * far.sqrt().recip();
        // Not yet unit: one root at the end is enough.
        let cross = from.cross(to);
        let w = from.length() + from.dot(to);
        let mut swing = Quat::from_xyzw(cross.x, cross.y, cross.z, w);
        if swing.length_squared() <= 1e-12 * from.length_squared() {
            let spare = from.normalize_or(Vec3A::X).any_orthonormal_vector();
            swing = Quat::from_xyzw(spare.x, spare.y, spare.z, 0.0);
        }
        if let Some((up, wanted)) = self.upright {
            let wanted = match above {
                Above::Uneven(back) => back * Vec3A::from(wanted),
                _ => wanted.into(),
            };
            swing = roll(to, swing * (matrix3 * Vec3A::from(up)), wanted) * swing;
        }
        if self.twist != 0.0 && self.twist.is_finite() {
            swing = Quat::from_axis_angle(to.into(), self.twist) * swing;
        }
        if self.most < std::f32::consts::PI {
            swing = unit_or(swing, Quat::IDENTITY);
            missing += limit(&mut swing, self.most);
        }
        let change = if let Above::Uneven(_) = above { swing } else { above.seen(swing) };
        AimOutcome {
            rotation: unit_or(change * rotation, rotation),
            outcome: if missing > 0.0 { Outcome::Short(missing) } else { Outcome::Reached },
        }
    }

    /// Which direction of the line of sight a target so far away (squared) would be, seen from the
    /// joint; and by what angle that is wrong.
    #[inline]
    fn from(&self, offset: Vec3A, forward: Vec3A, far: f32) -> (Vec3A, f32) {
        let away = offset.length_squared();
        if !(away > 1e-14 * far && away < 1e30) {
            return (forward, 0.0);
        }
        let (along, long) = (offset.dot(forward), forward.length_squared());
        let squared = along * along + long * (far - away);
        let reach = squared.sqrt() - along;
        if squared > 0.0 && reach > 0.0 {
            return ((offset + forward * (reach / long)) * far.sqrt().recip(), 0.0);
        }
        // As seen from its own place the target is straight ahead; the eyes miss it by up to this.
        (forward, (away / far).sqrt().min(1.0).asin())
    }
}

/// Turns about `line` until `up` leans to `wanted` as far as it can. No length need be one.
#[inline]
fn roll(line: Vec3A, up: Vec3A, wanted: Vec3A) -> Quat {
    // What is across the line, turned a quarter about it: the angle between both is the same.
    let (long, side) = (line.length_squared(), line.cross(up));
    let other = line.cross(wanted);
    let (s, o) = (side.length_squared(), other.length_squared());
    let enough = s > 1e-9 * long * up.length_squared() && o > 1e-9 * long * wanted.length_squared();
    if !(enough && s < 1e18 && o < 1e18) {
        return Quat::IDENTITY;
    }
    let lengths = (s * o).sqrt();
    let (w, cross) = (lengths + side.dot(other), side.cross(other));
    match w > 1e-6 * lengths {
        true => Quat::from_xyzw(cross.x, cross.y, cross.z, w) * lengths.recip(),
        false => {
            let line = line * long.sqrt().recip();
            Quat::from_xyzw(line.x, line.y, line.z, 0.0)
        }
    }
}

/// Shortens a rotation to `most` radians; says by how much.
fn limit(rotation: &mut Quat, most: f32) -> f32 {
    // A limit that is not a number lets nothing turn, as a negative one does.
    let most = most.max(0.0);
    let angle =
        2.0 * f32::atan2(Vec3A::new(rotation.x, rotation.y, rotation.z).length(), rotation.w.abs());
    if angle <= most {
        return 0.0;
    }
    *rotation = super::part_of(*rotation, most / angle);
    angle - most
}
