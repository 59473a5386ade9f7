//! The plane that left and right are mirrored in.

use sinew_scene::Transform;
use sinew_scene::glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

use super::Pairs;

/// The plane that left and right are mirrored in, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    normal: Vec3A,
    offset: f32,
}

impl Plane {
    /// Between the left and the right of whatever faces along Z or Y: x = 0.
    pub const X: Self = Self { normal: Vec3A::X, offset: 0.0 };

    /// Through `place`, upright on `normal`. `None` when that has no length or is not finite.
    #[must_use]
    pub fn new(normal: Vec3, place: Vec3) -> Option<Self> {
        let normal = Vec3A::from(normal).try_normalize()?;
        let offset = normal.dot(place.into());
        offset.is_finite().then_some(Self { normal, offset })
    }

    /// Half way between the places of all pairs; x = 0 when there are none. An axis, if it is
    /// within 25° of one, as odd rest poses tilt it.
    #[must_use]
    pub fn find(pairs: &Pairs, model_from_joint: &[Affine3A]) -> Self {
        let place = |joint: sinew_scene::JointId| model_from_joint[joint.index()].translation;
        let between = || pairs.iter().map(|(a, b)| place(a) - place(b));
        // Whichever is longest says on which side the others are.
        let longest = between().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        let along = longest.unwrap_or(Vec3A::X);
        let sum: Vec3A = between().map(|line| line * line.dot(along).signum()).sum();
        let Some(mut normal) = sum.try_normalize() else { return Self::X };
        for axis in [Vec3A::X, Vec3A::Y, Vec3A::Z] {
            if normal.dot(axis).abs() > 25_f32.to_radians().cos() {
                normal = axis;
            }
        }
        let middles = pairs.iter().map(|(a, b)| normal.dot(place(a) + place(b)) / 2.0);
        let count = pairs.iter().count().max(1) as f32;
        Self { normal, offset: middles.sum::<f32>() / count }
    }

    /// Upright on the plane; unit.
    #[must_use]
    pub fn normal(&self) -> Vec3 {
        self.normal.into()
    }

    /// How far the plane is from the origin, along its normal, in metres.
    #[must_use]
    pub fn offset(&self) -> f32 {
        self.offset
    }

    /// A change of place, such as root motion, as the mirror shows it.
    ///
    /// ```
    /// use sinew_motion::Plane;
    /// use sinew_scene::{Transform, glam::Vec3};
    /// let to_the_left = Transform::from_translation(Vec3::new(0.25, 0.5, 1.0));
    /// let seen = Plane::X.mirrored(to_the_left);
    /// assert_eq!(seen.translation, Vec3::new(-0.25, 0.5, 1.0));
    /// ```
    #[must_use]
    pub fn mirrored(&self, delta: Transform) -> Transform {
        let origin = Vec3::from(self.reflect(Vec3A::ZERO));
        let moved = delta.rotation * origin + delta.translation;
        Transform {
            translation: self.reflect(moved.into()).into(),
            rotation: self.rotation(delta.rotation),
            scale: delta.scale,
        }
    }

    pub(super) fn reflect(&self, place: Vec3A) -> Vec3A {
        place - self.normal * (2.0 * (self.normal.dot(place) - self.offset))
    }

    /// The reflection without its shift.
    pub(super) fn matrix(&self) -> Mat3A {
        let n = self.normal;
        Mat3A::IDENTITY - Mat3A::from_cols(n * n.x, n * n.y, n * n.z) * 2.0
    }

    /// A rotation as the mirror shows it: its axis is mirrored and it goes in the other direction.
    pub(super) fn rotation(&self, rotation: Quat) -> Quat {
        let axis = Vec3A::new(rotation.x, rotation.y, rotation.z);
        let seen = self.normal * (2.0 * self.normal.dot(axis)) - axis;
        Quat::from_xyzw(seen.x, seen.y, seen.z, rotation.w)
    }
}
