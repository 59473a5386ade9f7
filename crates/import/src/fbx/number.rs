//! From the numbers of ufbx to ours: doubles to singles, once, at the very end.

use glam::{Affine3A, DQuat, DVec3, Quat, Vec2, Vec3, Vec3A, Vec4};
use sinew_scene::Transform;

use crate::fit::unit_rotation;

pub(super) fn vec2(v: ufbx::Vec2) -> Vec2 {
    Vec2::new(v.x as f32, v.y as f32)
}

pub(super) fn vec3(v: ufbx::Vec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

pub(super) fn vec4(v: ufbx::Vec4) -> Vec4 {
    Vec4::new(v.x as f32, v.y as f32, v.z as f32, v.w as f32)
}

pub(super) fn dvec3(v: ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

pub(super) fn dquat(q: ufbx::Quat) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}

pub(super) fn affine(m: &ufbx::Matrix) -> Affine3A {
    let column = |x: f64, y: f64, z: f64| Vec3A::new(x as f32, y as f32, z as f32);
    Affine3A::from_cols(
        column(m.m00, m.m10, m.m20),
        column(m.m01, m.m11, m.m21),
        column(m.m02, m.m12, m.m22),
        column(m.m03, m.m13, m.m23),
    )
}

/// A transform in singles; a part that is not finite becomes the identity's, and the flag is then `false`.
pub(super) fn transform(translation: DVec3, rotation: DQuat, scale: DVec3) -> (Transform, bool) {
    let translation = translation.as_vec3();
    let scale = scale.as_vec3();
    let rotation = unit_rotation(rotation);
    let good = translation.is_finite() && scale.is_finite() && rotation.is_some();
    let found = Transform {
        translation: if translation.is_finite() { translation } else { Vec3::ZERO },
        rotation: rotation.unwrap_or(Quat::IDENTITY),
        scale: if scale.is_finite() { scale } else { Vec3::ONE },
    };
    (found, good)
}
