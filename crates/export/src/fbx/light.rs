//! Cameras and lights: what they are, and how a model must be rotated to carry one.
//!
//! Ours look along -Z with +Y up. FBX cameras look along +X with +Y up, and lights shine along -Y.

use std::f32::consts::FRAC_PI_2;

use sinew_scene::glam::Quat;
use sinew_scene::{Camera, Light, LightKind, Projection};

use super::document::{Document, Id};
use super::properties::Properties;

/// From a node that a camera looks along -Z of to one that it looks along +X of.
pub(super) fn camera_aim() -> Quat {
    Quat::from_rotation_y(FRAC_PI_2)
}

/// The same for lights, from -Z to -Y.
pub(super) fn light_aim() -> Quat {
    Quat::from_rotation_x(FRAC_PI_2)
}

/// An inch in millimetres: film backs are measured in inches.
const INCH: f64 = 25.4;
/// The height of the film that fields of view are told for.
const FILM_HEIGHT: f64 = 24.0 / INCH;
/// What an endless view ends at, in metres.
const FAR: f32 = 10_000.0;

pub(super) fn camera(camera: &Camera, model: Id, per_metre: f64, document: &mut Document) {
    let (id, node) = document.start("NodeAttribute", &camera.name, "NodeAttribute", "Camera");
    let length = |metres: f32| f64::from(metres) * per_metre;
    let properties = Properties::default();
    let properties = match camera.projection {
        Projection::Perspective { fov_y, aspect, near, far } => {
            let aspect = f64::from(aspect.unwrap_or(16.0 / 9.0)).max(1e-6);
            let half = (0.5 * f64::from(fov_y)).tan().max(1e-9);
            properties
                .choice("CameraProjectionType", 0)
                .number("FilmHeight", FILM_HEIGHT)
                .number("FilmWidth", FILM_HEIGHT * aspect)
                .number("FilmAspectRatio", aspect)
                .number("AspectWidth", aspect)
                .number("AspectHeight", 1.0)
                // Fixed ratio, and the vertical angle is the one that counts.
                .choice("AspectRatioMode", 2)
                .choice("ApertureMode", 2)
                .own("FieldOfView", &[f64::from(fov_y).to_degrees()])
                .animatable("FocalLength", 0.5 * FILM_HEIGHT * INCH / half)
                .number("NearPlane", length(near))
                .number("FarPlane", length(far.unwrap_or(FAR.max(near * 2.0))))
        }
        Projection::Orthographic { half_width, half_height, near, far } => properties
            .choice("CameraProjectionType", 1)
            .number("OrthoZoom", 2.0 * length(half_height))
            .choice("AspectRatioMode", 2)
            .number("AspectWidth", f64::from(half_width / half_height.max(1e-9)).abs())
            .number("AspectHeight", 1.0)
            .number("NearPlane", length(near))
            .number("FarPlane", length(far)),
    };
    document.add(
        node.child(properties.node()).field("TypeFlags", "Camera").field("GeometryVersion", 124),
    );
    document.connect(id, model);
}

pub(super) fn light(light: &Light, model: Id, per_metre: f64, document: &mut Document) {
    let (id, node) = document.start("NodeAttribute", &light.name, "NodeAttribute", "Light");
    let kind = match light.kind {
        LightKind::Point => 0,
        LightKind::Directional => 1,
        LightKind::Spot { .. } => 2,
    };
    let mut properties = Properties::default()
        .choice("LightType", kind)
        .color("Color", light.color.as_dvec3().to_array())
        // In percent.
        .animatable("Intensity", f64::from(light.intensity) * 100.0)
        .bool("CastShadows", true)
        // Light falls off by the square of the distance, but not that of the sun.
        .choice("DecayType", if kind == 1 { 0 } else { 2 });
    if let LightKind::Spot { inner, outer } = light.kind {
        properties = properties
            .animatable("InnerAngle", 2.0 * f64::from(inner).to_degrees())
            .animatable("OuterAngle", 2.0 * f64::from(outer).to_degrees());
    }
    if let Some(range) = light.range {
        properties = properties
            .bool("EnableFarAttenuation", true)
            .number("FarAttenuationEnd", f64::from(range) * per_metre);
    }
    document.add(
        node.child(properties.node()).field("TypeFlags", "Light").field("GeometryVersion", 124),
    );
    document.connect(id, model);
}
