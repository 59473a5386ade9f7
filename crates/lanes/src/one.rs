//! One vector or quaternion at a time, with the same bits on every machine.
//!
//! In:  glam's own types.
//! Out: what glam's methods of these names give, within rounding.
//!
//! glam adds a quaternion's products up in an order of each machine's own, and on 64-bit ARM joins
//! some multiplications with additions. So whatever [`SimdLevel::Deterministic`](crate::SimdLevel) promises
//! uses these where it works on one thing alone. glam's sums, differences and products of a number
//! or a matrix are the same everywhere.

use glam::{Quat, Vec3A, Vec3Swizzles};

/// The product number by number, added up in pairs, as kernels do.
///
/// ```
/// use sinew_lanes::one;
/// # use glam::Quat;
/// let (a, b) = (Quat::from_xyzw(1.0, 2.0, 3.0, 4.0), Quat::from_xyzw(5.0, 6.0, 7.0, 8.0));
/// assert_eq!(one::dot(a, b), 70.0);
/// ```
#[must_use]
#[inline]
pub fn dot(a: Quat, b: Quat) -> f32 {
    (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w)
}

/// Of unit length; what has no length gives no numbers.
#[must_use]
#[inline]
pub fn unit(rotation: Quat) -> Quat {
    rotation * (1.0 / dot(rotation, rotation).sqrt())
}

/// `b` first, then `a`.
#[must_use]
#[inline]
pub fn product(a: Quat, b: Quat) -> Quat {
    Quat::from_xyzw(
        (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
        (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
        (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x),
        (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z),
    )
}

/// Square to both.
#[must_use]
#[inline]
pub fn cross(a: Vec3A, b: Vec3A) -> Vec3A {
    a.yzx() * b.zxy() - a.zxy() * b.yzx()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_glam_has_within_rounding() {
        let a = Quat::from_xyzw(0.1, -0.7, 0.3, 0.6);
        let b = Quat::from_xyzw(-0.4, 0.2, 0.9, -0.3);
        assert!((dot(a, b) - a.dot(b)).abs() < 1e-6);
        assert!(product(a, b).abs_diff_eq(a * b, 1e-6));
        assert!(unit(b).abs_diff_eq(b.normalize(), 1e-6));
        let (u, v) = (Vec3A::new(0.1, -0.7, 0.3), Vec3A::new(-0.4, 0.2, 0.9));
        assert!(cross(u, v).abs_diff_eq(u.cross(v), 1e-6));
    }

    #[test]
    fn sums_are_rounded_in_pairs() {
        // 2^24 swallows a one, but not two: from left to right, and with 1 + 3 and 2 + 4 in pairs, it comes to 2^24.
        let a = Quat::from_xyzw(16_777_216.0, 0.0, 1.0, 1.0);
        let ones = Quat::from_xyzw(1.0, 1.0, 1.0, 1.0);
        assert_eq!(dot(a, ones), 16_777_218.0);
    }

    #[test]
    fn a_cross_product_is_not_joined() {
        // 1.1² rounds to 1.21, so the difference is nothing; joined it is that rounding.
        let (a, b) = (Vec3A::new(0.0, 1.1, 1.1), Vec3A::new(0.0, 1.1, 1.1));
        assert_eq!(cross(a, b), Vec3A::ZERO);
    }
}
