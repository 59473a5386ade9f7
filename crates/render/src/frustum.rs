//! What of the world is in the image, as planes.

use glam::{Mat4, Vec3, Vec4};
use sinew_deform::Bounds;

/// The planes that bound what is seen: left, right, bottom, top, near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum([Vec4; 5]);

impl Frustum {
    /// Of a matrix whose depth runs backwards. What is too far is not left out.
    #[must_use]
    pub fn new(clip_from_world: Mat4) -> Self {
        let [x, y, z, w] = [0, 1, 2, 3].map(|row| clip_from_world.row(row));
        Self([w + x, w - x, w + y, w - y, w - z])
    }

    /// Whether any of a box may be seen. Never wrong about what is seen; a box near a corner may be
    /// kept although it is not. An empty box is not seen.
    #[must_use]
    pub fn sees(&self, bounds: Bounds) -> bool {
        if bounds.is_empty() {
            return false;
        }
        let (center, half) = (bounds.center(), bounds.size() * 0.5);
        self.0.iter().all(|plane| {
            let normal = Vec3::new(plane.x, plane.y, plane.z);
            normal.dot(center) + normal.abs().dot(half) + plane.w >= 0.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Camera;

    fn cube(at: Vec3) -> Bounds {
        Bounds { min: at - Vec3::splat(0.5), max: at + Vec3::splat(0.5) }
    }

    #[test]
    fn boxes_ahead_are_seen_and_boxes_behind_or_aside_are_not() {
        // Looks along -Z with a quarter turn: what is as far aside as ahead is at the edge.
        let camera = Camera::look_at(Vec3::ZERO, 10.0 * Vec3::NEG_Z, 90_f32.to_radians());
        let frustum = camera.frustum(1.0);
        assert!(frustum.sees(cube(Vec3::new(0.0, 0.0, -5.0))));
        assert!(frustum.sees(cube(Vec3::new(5.2, 0.0, -5.0))), "half in");
        assert!(!frustum.sees(cube(Vec3::new(7.0, 0.0, -5.0))), "aside");
        assert!(!frustum.sees(cube(Vec3::new(0.0, -7.0, -5.0))), "below");
        assert!(!frustum.sees(cube(Vec3::new(0.0, 0.0, 5.0))), "behind");
        assert!(frustum.sees(cube(Vec3::new(0.0, 0.0, -50_000.0))), "far");
        assert!(!frustum.sees(Bounds::EMPTY));
    }
}
