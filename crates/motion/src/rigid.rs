//! A place and a heading, how they follow each other, and their mean.
//!
//! Double precision, so that a long way made of small steps is the same as one of large ones.
//! The logarithm of a motion is the steady screw that leads there in one unit of time: means are
//! taken of screws, since half of a curve is the curve at half speed, not half of its chord.
//! (Formulas of the exponential map of SE(3): Murray, Li, Sastry 1994, chapter 2.)

use sinew_scene::Transform;
use sinew_scene::glam::{DQuat, DVec3, Quat, Vec3};

/// A translation and a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rigid {
    pub(crate) translation: DVec3,
    pub(crate) rotation: DQuat,
}

/// A steady motion: radians times axis, and metres, per unit of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Screw {
    pub(crate) rotation: DVec3,
    pub(crate) shift: DVec3,
}

impl Rigid {
    pub(crate) const IDENTITY: Self = Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY };

    pub(crate) fn inverse(self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { translation: -(rotation * self.translation), rotation }
    }

    /// First `next`, seen from here: `self · next`.
    pub(crate) fn then(self, next: Self) -> Self {
        Self {
            translation: self.translation + self.rotation * next.translation,
            rotation: (self.rotation * next.rotation).normalize(),
        }
    }

    /// The same again and again; `times` is squared away.
    pub(crate) fn repeat(self, mut times: u32) -> Self {
        let (mut power, mut out) = (self, Self::IDENTITY);
        while times > 0 {
            if times & 1 == 1 {
                out = out.then(power);
            }
            power = power.then(power);
            times >>= 1;
        }
        out
    }

    pub(crate) fn log(self) -> Screw {
        let nearest = if self.rotation.w < 0.0 { -self.rotation } else { self.rotation };
        let rotation = nearest.to_scaled_axis();
        let angle2 = rotation.length_squared();
        // 1/θ² - sin θ / (2 θ (1 - cos θ)), which near zero is 1/12.
        let factor = if angle2 < 1e-8 {
            1.0 / 12.0
        } else {
            let angle = angle2.sqrt();
            1.0 / angle2 - angle.sin() / (2.0 * angle * (1.0 - angle.cos()))
        };
        let cross = rotation.cross(self.translation);
        Screw { rotation, shift: self.translation - cross * 0.5 + rotation.cross(cross) * factor }
    }

    pub(crate) fn to_transform(self) -> Transform {
        let most = f64::from(f32::MAX);
        Transform {
            translation: self.translation.clamp(DVec3::splat(-most), DVec3::splat(most)).as_vec3(),
            rotation: self.rotation.as_quat().normalize(),
            scale: Vec3::ONE,
        }
    }

    pub(crate) fn new(translation: Vec3, rotation: Quat) -> Self {
        Self { translation: translation.as_dvec3(), rotation: rotation.as_dquat().normalize() }
    }
}

impl Screw {
    pub(crate) fn exp(self) -> Rigid {
        let angle2 = self.rotation.length_squared();
        let (a, b) = if angle2 < 1e-8 {
            (0.5, 1.0 / 6.0)
        } else {
            let angle = angle2.sqrt();
            ((1.0 - angle.cos()) / angle2, (angle - angle.sin()) / (angle2 * angle))
        };
        let cross = self.rotation.cross(self.shift);
        Rigid {
            translation: self.shift + cross * a + self.rotation.cross(cross) * b,
            rotation: DQuat::from_scaled_axis(self.rotation),
        }
    }

    pub(crate) fn add(&mut self, other: Self, share: f32) {
        self.rotation += other.rotation * f64::from(share);
        self.shift += other.shift * f64::from(share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Rigid {
        let rotation = DQuat::from_rotation_y(1.2) * DQuat::from_rotation_x(-0.4);
        Rigid { translation: DVec3::new(1.0, -2.0, 3.0), rotation }
    }

    fn close(a: Rigid, b: Rigid) -> bool {
        a.translation.abs_diff_eq(b.translation, 1e-9)
            && a.rotation.dot(b.rotation).abs() > 1.0 - 1e-12
    }

    #[test]
    fn a_screw_leads_where_it_came_from() {
        for motion in
            [some(), some().inverse(), Rigid::IDENTITY, Rigid::new(Vec3::X, Quat::IDENTITY)]
        {
            assert!(close(motion.log().exp(), motion), "{motion:?}");
        }
        let tiny = Rigid { rotation: DQuat::from_rotation_y(1e-6), ..some() };
        assert!(close(tiny.log().exp(), tiny));
    }

    #[test]
    fn half_a_screw_twice_is_the_whole() {
        let mut half = Screw::default();
        half.add(some().log(), 0.5);
        assert!(close(half.exp().then(half.exp()), some()));
    }

    #[test]
    fn a_quarter_circle_is_a_screw_of_its_arc() {
        // One metre ahead and one aside with a rotation of 90° is an arc of radius 1: π/2 metres long.
        let arc = Rigid {
            translation: DVec3::new(1.0, 0.0, 1.0),
            rotation: DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2),
        };
        let shift = arc.log().shift;
        assert!(shift.abs_diff_eq(DVec3::Z * std::f64::consts::FRAC_PI_2, 1e-9), "{shift}");
    }

    #[test]
    fn repeating_is_doing_it_again() {
        let thrice = some().then(some()).then(some());
        assert!(close(some().repeat(3), thrice));
        assert!(close(some().repeat(0), Rigid::IDENTITY));
        assert!(close(some().then(some().inverse()), Rigid::IDENTITY));
    }
}
