//! Lights, by `KHR_lights_punctual`.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::Vec3;
use sinew_scene::{Light, LightKind};

use super::json::Object;
use super::note::Notes;

/// By how much the colour is divided, and the intensity multiplied, to have it from zero to one.
pub(super) fn color_scale(light: &Light) -> f32 {
    light.color.max_element().max(1.0)
}

pub(super) fn write(light: &Light, notes: &mut Notes) -> Object {
    let scale = color_scale(light);
    if light.color.min_element() < 0.0 || light.intensity < 0.0 {
        notes.add("a light takes light away, which glTF does not have: it gives none");
    }
    let object = Object::new()
        .filled("name", light.name.as_str())
        .unless("color", (light.color / scale).max(Vec3::ZERO), Vec3::ONE)
        .unless("intensity", (light.intensity * scale).max(0.0), 1.0)
        .some("range", light.range.filter(|&range| range > 0.0));
    match light.kind {
        LightKind::Directional => object.with("type", "directional"),
        LightKind::Point => object.with("type", "point"),
        LightKind::Spot { inner, outer } => {
            object.with("type", "spot").with("spot", cone(inner, outer, notes))
        }
    }
}

/// glTF wants `0 ≤ inner < outer ≤ 90°`.
fn cone(inner: f32, outer: f32, notes: &mut Notes) -> Object {
    let wide = outer.clamp(f32::MIN_POSITIVE, FRAC_PI_2);
    let narrow = inner.clamp(0.0, wide.next_down());
    // A sharp edge is within rounding of what the file has.
    if wide != outer || (narrow - inner).abs() > 1e-6 {
        notes.add("a spot light's angles are not 0 ≤ inner < outer ≤ 90°: they are made so");
    }
    Object::new().unless("innerConeAngle", narrow, 0.0).unless("outerConeAngle", wide, FRAC_PI_4)
}
