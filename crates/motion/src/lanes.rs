//! Eight local transforms side by side: the layout that vector instructions want.
//!
//! Lane `i` of block `b` is node `8 b + i`. Lanes past the last node hold the identity.

use sinew_scene::Transform;
use sinew_scene::glam::{Quat, Vec3};

/// How many transforms stand side by side.
pub const LANES: usize = 8;

/// Eight transforms, component by component.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct Lanes {
    /// x, y, z.
    pub translation: [[f32; LANES]; 3],
    /// x, y, z, w.
    pub rotation: [[f32; LANES]; 4],
    /// x, y, z.
    pub scale: [[f32; LANES]; 3],
}

impl Lanes {
    /// Eight times nothing.
    pub const IDENTITY: Self = Self {
        translation: [[0.0; LANES]; 3],
        rotation: [[0.0; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES]],
        scale: [[1.0; LANES]; 3],
    };

    /// The transform in one lane.
    #[must_use]
    #[inline]
    pub fn get(&self, lane: usize) -> Transform {
        let [tx, ty, tz] = &self.translation;
        let [rx, ry, rz, rw] = &self.rotation;
        let [sx, sy, sz] = &self.scale;
        Transform {
            translation: Vec3::new(tx[lane], ty[lane], tz[lane]),
            rotation: Quat::from_xyzw(rx[lane], ry[lane], rz[lane], rw[lane]),
            scale: Vec3::new(sx[lane], sy[lane], sz[lane]),
        }
    }

    /// Puts a transform into one lane.
    #[inline]
    pub fn set(&mut self, lane: usize, transform: Transform) {
        self.set_translation(lane, transform.translation);
        self.set_rotation(lane, transform.rotation);
        self.set_scale(lane, transform.scale);
    }

    /// Moves one lane.
    #[inline]
    pub fn set_translation(&mut self, lane: usize, translation: Vec3) {
        for (row, value) in self.translation.iter_mut().zip(translation.to_array()) {
            row[lane] = value;
        }
    }

    /// Turns one lane.
    #[inline]
    pub fn set_rotation(&mut self, lane: usize, rotation: Quat) {
        for (row, value) in self.rotation.iter_mut().zip(rotation.to_array()) {
            row[lane] = value;
        }
    }

    /// Scales one lane.
    #[inline]
    pub fn set_scale(&mut self, lane: usize, scale: Vec3) {
        for (row, value) in self.scale.iter_mut().zip(scale.to_array()) {
            row[lane] = value;
        }
    }
}
