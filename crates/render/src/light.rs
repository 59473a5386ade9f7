//! Lights in the world.

use glam::{Affine3A, Vec3};
use sinew_scene::LightKind;

/// A light in the world. The first directional one of a frame casts shadows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Its shape.
    pub kind: LightKind,
    /// Where it is; of no matter for a directional one.
    pub position: Vec3,
    /// Where it shines along; unit length, of no matter for a point.
    pub direction: Vec3,
    /// Linear.
    pub color: Vec3,
    /// In lux or candela; a white wall under π lux is as bright as white gets at exposure 1.
    pub intensity: f32,
    /// In metres; `None` skin_bounds everywhere.
    pub range: Option<f32>,
}

impl Light {
    /// From infinitely far.
    #[must_use]
    pub fn directional(direction: Vec3, color: Vec3, intensity: f32) -> Self {
        let direction = direction.normalize_or(Vec3::NEG_Y);
        let kind = LightKind::Directional;
        Self { kind, position: Vec3::ZERO, direction, color, intensity, range: None }
    }

    /// From a point to all sides.
    #[must_use]
    pub fn point(position: Vec3, color: Vec3, intensity: f32) -> Self {
        let kind = LightKind::Point;
        Self { kind, position, direction: Vec3::NEG_Y, color, intensity, range: None }
    }

    /// From a point in a cone; the half angles are in radians.
    #[must_use]
    pub fn spot(position: Vec3, direction: Vec3, angles: [f32; 2], intensity: f32) -> Self {
        let kind = LightKind::Spot { inner: angles[0], outer: angles[1] };
        let direction = direction.normalize_or(Vec3::NEG_Y);
        Self { kind, position, direction, color: Vec3::ONE, intensity, range: None }
    }

    /// A file's own light, as its node stands in the world.
    #[must_use]
    pub fn from_scene(light: &sinew_scene::Light, world_from_node: Affine3A) -> Self {
        Self {
            kind: light.kind,
            position: world_from_node.translation.into(),
            direction: world_from_node.transform_vector3(Vec3::NEG_Z).normalize_or(Vec3::NEG_Z),
            color: light.color,
            intensity: light.intensity,
            range: light.range,
        }
    }
}

impl Default for Light {
    /// A warm key light from the front, above, and the model's right.
    fn default() -> Self {
        let color = Vec3::new(1.0, 0.95, 0.88);
        Self::directional(Vec3::new(0.42, -0.78, -0.47), color, 3.0)
    }
}
