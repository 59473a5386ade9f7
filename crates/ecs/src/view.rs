//! Cameras and lights, each of which moves with its node.
//!
//! Both look along the node's -Z. A clip may drive their values.

use bevy_ecs::prelude::*;
use sinew::glam::Vec3;
use sinew::scene::{CameraId, LightId, LightKind, Projection, Property};

/// A camera under a node. The first that is on draws the image; where none is, everything is in view.
#[derive(Clone, Copy, Component, Debug, PartialEq)]
pub struct Camera {
    /// How it sees.
    pub projection: Projection,
    /// Whether it draws. Cameras of a file are off.
    pub on: bool,
}

/// A light under a node. The first directional one casts shadows.
#[derive(Clone, Copy, Component, Debug, PartialEq)]
pub struct Light {
    /// Its shape.
    pub kind: LightKind,
    /// Linear.
    pub color: Vec3,
    /// In lux or candela.
    pub intensity: f32,
    /// In metres; `None` reaches everywhere.
    pub range: Option<f32>,
    /// Whether it shines. Lights of a file are off: files differ in what they mean by a light's strength.
    pub on: bool,
}

impl Camera {
    /// A perspective that sees `fov_y` radians from top to bottom, on.
    #[must_use]
    pub fn perspective(fov_y: f32) -> Self {
        let projection = Projection::Perspective { fov_y, aspect: None, near: 0.05, far: None };
        Self { projection, on: true }
    }

    /// Takes a value that a clip drives, where it is this camera's.
    pub(crate) fn drive(&mut self, own: CameraId, property: Property, [value, ..]: [f32; 4]) {
        match (property, &mut self.projection) {
            (Property::FovY(id), Projection::Perspective { fov_y, .. }) if id == own => {
                *fov_y = value;
            }
            (Property::Aspect(id), Projection::Perspective { aspect, .. }) if id == own => {
                *aspect = Some(value);
            }
            (Property::Near(id), Projection::Perspective { near, .. }) if id == own => {
                *near = value;
            }
            (Property::Near(id), Projection::Orthographic { near, .. }) if id == own => {
                *near = value;
            }
            (Property::Far(id), Projection::Perspective { far, .. }) if id == own => {
                *far = Some(value);
            }
            (Property::Far(id), Projection::Orthographic { far, .. }) if id == own => *far = value,
            (Property::HalfWidth(id), Projection::Orthographic { half_width, .. }) if id == own => {
                *half_width = value;
            }
            (Property::HalfHeight(id), Projection::Orthographic { half_height, .. })
                if id == own =>
            {
                *half_height = value;
            }
            _ => {}
        }
    }
}

impl Light {
    /// Parallel light of this many lux, on.
    #[must_use]
    pub fn directional(color: Vec3, intensity: f32) -> Self {
        Self { kind: LightKind::Directional, color, intensity, range: None, on: true }
    }

    /// Takes a value that a clip drives, where it is this light's.
    pub(crate) fn drive(&mut self, own: LightId, property: Property, [x, y, z, _]: [f32; 4]) {
        match (property, &mut self.kind) {
            (Property::LightColor(id), _) if id == own => self.color = Vec3::new(x, y, z),
            (Property::LightIntensity(id), _) if id == own => self.intensity = x,
            (Property::LightRange(id), _) if id == own => self.range = Some(x),
            (Property::SpotInner(id), LightKind::Spot { inner, .. }) if id == own => *inner = x,
            (Property::SpotOuter(id), LightKind::Spot { outer, .. }) if id == own => *outer = x,
            _ => {}
        }
    }
}
