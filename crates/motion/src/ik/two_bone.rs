//! An arm or a leg: two bones turned so that the end of the second is where it should be.
//!
//! In:  upper, middle and end joint, a target, and a pole that says in which direction the middle bends.
//! Out: new local rotations of the upper and the middle joint.
//!
//! The middle joint rotates about one axis only, as an elbow does, so that it never twists. No angle
//! is worked out: cosines come from the three lengths, and rotations become unit at the end.

use sinew_scene::glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use sinew_scene::{JointId, Skeleton};

use super::{Above, IkError, Outcome, chain, unit_or};
use crate::Pose;
use crate::interpolate::slerp;

/// The direction in which the middle joint bends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Pole {
    /// As the pose has it.
    #[default]
    Keep,
    /// In this direction of the model.
    Toward(Vec3),
    /// Towards this place in the model.
    At(Vec3),
}

/// An arm or a leg that reaches for a place.
///
/// ```
/// use sinew_motion::{Pose, ik::TwoBone};
/// # use sinew_scene::{JointId, Node, Scene, SceneParts, Transform, glam::Vec3};
/// # let at = |x, y| Transform::from_translation(Vec3::new(x, y, 0.0));
/// # let nodes = vec![
/// #     Node::new("shoulder", None, Transform::IDENTITY),
/// #     Node::new("elbow", Some(JointId::new(0)), at(1.0, 0.1)),
/// #     Node::new("hand", Some(JointId::new(1)), at(1.0, -0.1)),
/// # ];
/// # let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() })?;
/// let skeleton = scene.skeleton();
/// let hand = skeleton.find("hand").unwrap();
/// let arm = TwoBone::new(skeleton, hand).unwrap();
/// let mut pose = Pose::new(&scene);
/// let target = Vec3::new(0.5, 1.0, 0.2);
/// assert!(arm.apply(&mut pose, skeleton, target).reached());
/// let found = Vec3::from(pose.model_from_joint()[hand.index()].translation);
/// assert!(found.distance(target) < 1e-5);
/// # Ok::<(), sinew_scene::SceneError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "two-bone IK")]
#[doc(alias = "inverse kinematics")]
pub struct TwoBone {
    /// The shoulder or the hip.
    pub upper: JointId,
    /// The elbow or the knee, somewhere below `upper`.
    pub middle: JointId,
    /// The hand or the foot, somewhere below `middle`.
    pub end: JointId,
    /// The direction in which the middle bends. A pole that says nothing (zero, not finite, in line with the
    /// target) is as [`Pole::Keep`].
    pub pole: Pole,
    /// The direction in which the middle bends when the limb is straight and the pole says nothing: a direction
    /// in the upper joint's own space. Zero, or in line with the limb: some direction, always the same.
    pub bend: Vec3,
    /// The last part of the whole length, 0 to 1, over which the limb slows down instead of
    /// snapping straight; 0 reaches as far as it can. 0.02 to 0.1 look good.
    pub softness: f32,
    /// Rotates the limb further about the line from its root to the target, in radians.
    pub twist: f32,
    /// How much of it to do, 0 to 1.
    pub weight: f32,
}

/// What a [`TwoBone`] found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneOutcome {
    /// The new rotation of the upper joint in its parent.
    pub upper: Quat,
    /// The new rotation of the middle joint in its parent.
    pub middle: Quat,
    /// Whether the end gets there.
    pub outcome: Outcome,
}

/// A limb as the solver sees it: in the model, or in its parent.
struct View<'a> {
    places: [Vec3A; 3],
    upper: Above,
    middle: Above,
    /// From the model into this space.
    back: Option<&'a Mat3A>,
}

impl View<'_> {
    #[inline]
    fn seen(&self, model: Vec3A) -> Vec3A {
        self.back.map_or(model, |back| *back * model)
    }
}

/// Below this part of a limb's length two places are one.
const SAME: f32 = 1e-6;
/// A limb whose sine of the bend is below this is straight.
const STRAIGHT: f32 = 1e-3;

impl TwoBone {
    /// The limb that ends at `end`: its parent and grandparent bend.
    ///
    /// Set the fields for limbs with other joints between. The direction in which it bends is taken from the rest pose.
    ///
    /// # Errors
    /// When `end` has no parent or no grandparent.
    pub fn new(skeleton: &Skeleton, end: JointId) -> Result<Self, IkError> {
        let [upper, middle] = chain::limb(skeleton, end)?;
        let below = skeleton.node(middle).parent_from_node();
        let to_middle = below.translation;
        let to_end = below.transform_point3a(skeleton.node(end).rest.translation.into());
        let along = to_end.normalize_or_zero();
        let bend = to_middle - along * to_middle.dot(along);
        let straight = bend.length() < STRAIGHT * to_middle.length();
        Ok(Self {
            upper,
            middle,
            end,
            pole: Pole::Keep,
            bend: if straight { Vec3::ZERO } else { bend.normalize_or_zero().into() },
            softness: 0.0,
            twist: 0.0,
            weight: 1.0,
        })
    }

    /// Bends the limb so that its end is at `target`, in model space, and brings all below its
    /// upper joint up to date.
    ///
    /// Out of reach, the limb stretches towards the target ([`Outcome::Short`]). A target that is
    /// not finite, or a limb with a bone of no length, changes nothing ([`Outcome::Unchanged`]). Where the
    /// upper or the middle joint is itself scaled unevenly, bones change their length as they turn:
    /// the solver then goes a few rounds and keeps the best.
    pub fn apply(&self, pose: &mut Pose, skeleton: &Skeleton, target: Vec3) -> Outcome {
        let before = [pose.rotation(self.upper), pose.rotation(self.middle)];
        let mut outcome = Outcome::Unchanged;
        let (mut best, mut best_off) = (before, f32::MAX);
        for _ in 0..8 {
            let bent = self.solve(pose, skeleton, target);
            if bent.outcome == Outcome::Unchanged {
                break;
            }
            pose.set_rotation(self.upper, bent.upper);
            pose.set_rotation(self.middle, bent.middle);
            pose.to_model_between(skeleton, self.upper, self.end);
            let [a, b, c] = self.places(pose);
            let missing = if let Outcome::Short(by) = bent.outcome { by } else { 0.0 };
            let off = (c.distance(target.into()) - missing).abs();
            if off < best_off {
                (best, best_off, outcome) = ([bent.upper, bent.middle], off, bent.outcome);
            }
            // The twist counts from where the limb is: once is enough.
            if off <= 2e-5 * (a.distance(b) + b.distance(c)) || self.twist != 0.0 {
                break;
            }
        }
        if outcome != Outcome::Unchanged {
            let weight = clean_weight(self.weight);
            pose.set_rotation(self.upper, slerp(before[0], best[0], weight));
            pose.set_rotation(self.middle, slerp(before[1], best[1], weight));
            pose.to_model_from(skeleton, self.upper);
        }
        outcome
    }

    fn places(&self, pose: &Pose) -> [Vec3A; 3] {
        [self.upper, self.middle, self.end]
            .map(|joint| pose.model_from_joint()[joint.index()].translation)
    }

    /// The rotations that bring the end to `target`, at full weight, without writing them. Exact
    /// where neither the upper nor the middle joint is scaled unevenly.
    #[must_use]
    #[inline]
    pub fn solve(&self, pose: &Pose, skeleton: &Skeleton, target: Vec3) -> TwoBoneOutcome {
        let matrix = |joint: JointId| &pose.model_from_joint()[joint.index()];
        let [upper_parent, middle_parent] =
            [self.upper, self.middle].map(|joint| skeleton.parents()[joint.index()].map(matrix));
        let upper = Above::new(upper_parent);
        let Above::Uneven(back) = upper else {
            let view = View {
                places: self.places(pose),
                upper,
                middle: Above::new(middle_parent),
                back: None,
            };
            return self.solve_in(pose, &view, target.into());
        };
        // Only the parent knows what a rotation is: there the limb is solved.
        let target = back * Vec3A::from(target);
        let into = Affine3A { matrix3: back, translation: Vec3A::ZERO };
        let view = View {
            places: self.places(pose).map(|place| back * place),
            upper: Above::Even(Mat3A::IDENTITY),
            middle: Above::new(middle_parent.map(|parent| into * *parent).as_ref()),
            back: Some(&back),
        };
        let mut bent = self.solve_in(pose, &view, target);
        if let (Outcome::Short(by), Some(parent)) = (&mut bent.outcome, upper_parent) {
            let line = (target - view.places[0]).normalize_or_zero();
            *by *= (parent.matrix3 * line).length();
        }
        bent
    }

    #[inline]
    fn solve_in(&self, pose: &Pose, view: &View<'_>, target: Vec3A) -> TwoBoneOutcome {
        let [upper, middle] = [pose.rotation(self.upper), pose.rotation(self.middle)];
        let [a, b, c] = view.places;
        let (first, second, target) = (b - a, c - b, target - a);
        let [l1, l2, far] = [first.length(), second.length(), target.length()];
        let whole = l1 + l2;
        // Also false for what is not a number.
        if !(l1 > SAME * whole && l2 > SAME * whole && whole > 1e-12 && whole < 1e12 && far < 1e15)
        {
            return TwoBoneOutcome { upper, middle, outcome: Outcome::Unchanged };
        }
        let reach = self.reach(l1, l2, far);
        // What the middle rotates about, and how far the second bone rotates from the first's line: now,
        // then, and between.
        let product = 1.0 / (l1 * l2);
        let cross = first.cross(second);
        let crossed = cross.length();
        let (sine, cosine) = (crossed * product, first.dot(second) * product);
        let to_cosine = ((reach * reach - l1 * l1 - l2 * l2) * 0.5 * product).clamp(-1.0, 1.0);
        let to_sine = ((1.0 - to_cosine) * (1.0 + to_cosine)).sqrt();
        let bent = sine > STRAIGHT;
        let axis =
            if bent { cross * (1.0 / crossed) } else { self.straight_axis(pose, view, first) };
        let sine = if bent { sine } else { cross.dot(axis) * product };
        let by_cosine = to_cosine * cosine + to_sine * sine;
        let by_sine = to_sine * cosine - to_cosine * sine;
        let bend = rotation_by(axis, by_cosine, by_sine);
        let mut along = first + second * by_cosine + axis.cross(second) * by_sine;
        if !bent {
            along += axis * (axis.dot(second) * (1.0 - by_cosine));
        }

        // Unit directions: where the end is then, and where it should be. A limb that is folded
        // flat has its end at its root, and then its first bone counts.
        let along = if reach > 0.05 * whole {
            along * (1.0 / reach)
        } else {
            along.try_normalize().unwrap_or(first * (1.0 / l1))
        };
        let toward = if far > SAME * whole { target * (1.0 / far) } else { along };
        let swing = match 1.0 + along.dot(toward) {
            w if w > 1e-6 => {
                let cross = along.cross(toward);
                Quat::from_xyzw(cross.x, cross.y, cross.z, w)
            }
            _ => Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0),
        };
        let rotation = self.roll(view, toward, swing * axis) * swing;
        let missing = (far - reach).abs();
        TwoBoneOutcome {
            upper: unit_or(view.upper.seen(rotation) * upper, upper),
            middle: unit_or(view.middle.seen(bend) * middle, middle),
            outcome: if missing > 1e-5 * whole {
                Outcome::Short(missing)
            } else {
                Outcome::Reached
            },
        }
    }

    /// How far from its root the end will be.
    #[inline]
    fn reach(&self, l1: f32, l2: f32, far: f32) -> f32 {
        let whole = l1 + l2;
        let soft = self.softness.clamp(0.0, 1.0) * whole;
        let hard = whole - soft;
        // A softness that is not a number is none: the comparison fails.
        let far = if soft > 0.0 && far > hard {
            // Slows down from a slope of one, and never arrives.
            hard + soft * (1.0 - (-(far - hard) / soft).exp())
        } else {
            far
        };
        far.clamp((l1 - l2).abs(), whole)
    }

    /// What the middle of a straight limb rotates about: a positive rotation bends it further. Unit.
    #[cold]
    fn straight_axis(&self, pose: &Pose, view: &View<'_>, first: Vec3A) -> Vec3A {
        let upper = &pose.model_from_joint()[self.upper.index()];
        let side = view.seen(upper.matrix3 * Vec3A::from(self.bend));
        let cross = side.cross(first);
        let squared = cross.length_squared();
        match squared > 1e-12 * side.length_squared() * first.length_squared() {
            true if squared.is_finite() => cross * squared.sqrt().recip(),
            _ => first.normalize_or(Vec3A::X).any_orthonormal_vector(),
        }
    }

    /// Rotates the limb about the line (unit) to its target, until it bends towards the pole. Need not
    /// be unit, nor need `axis`.
    #[inline]
    fn roll(&self, view: &View<'_>, line: Vec3A, axis: Vec3A) -> Quat {
        let wanted = match self.pole {
            Pole::Keep => return self.twisted(line, Quat::IDENTITY),
            Pole::Toward(direction) => view.seen(direction.into()),
            Pole::At(place) => view.seen(place.into()) - view.places[0],
        };
        let mut long = wanted.length_squared();
        let mut wanted = wanted;
        // Only what is very long or short need be made unit.
        if !(1e-12..1e12).contains(&long) {
            (wanted, long) = (wanted * (1.0 / long.sqrt()), if long < 1e30 { 1.0 } else { 0.0 });
        }
        let across = wanted - line * wanted.dot(line);
        let squared = across.length_squared();
        // Also false for what is not a number.
        if !(long > 1e-20 && squared > 1e-9 * long) {
            return self.twisted(line, Quat::IDENTITY);
        }
        let side = line.cross(axis);
        let lengths = (side.length_squared() * squared).sqrt();
        let (w, cross) = (lengths + side.dot(across), side.cross(across));
        let roll = match w > 1e-6 * lengths {
            true => Quat::from_xyzw(cross.x, cross.y, cross.z, w),
            false => Quat::from_xyzw(line.x, line.y, line.z, 0.0),
        };
        self.twisted(line, roll)
    }

    #[inline]
    fn twisted(&self, line: Vec3A, roll: Quat) -> Quat {
        if self.twist == 0.0 || !self.twist.is_finite() {
            return roll;
        }
        Quat::from_axis_angle(line.normalize_or(Vec3A::X).into(), self.twist) * roll
    }
}

/// A weight from 0 to 1; none when it is not a number.
pub(super) fn clean_weight(weight: f32) -> f32 {
    if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) }
}

/// The rotation about a unit axis by an angle with this cosine and sine; not of unit length. Half the
/// angle comes from whichever is large, without a root.
#[inline]
fn rotation_by(axis: Vec3A, cosine: f32, sine: f32) -> Quat {
    let (w, s) = if cosine >= 0.0 { (1.0 + cosine, sine) } else { (sine, 1.0 - cosine) };
    Quat::from_xyzw(axis.x * s, axis.y * s, axis.z * s, w)
}
