//! Lights and cameras, each under a node that rotates it as FBX means it.
//!
//! FBX lights shine along the node's -Y and cameras look along its +X with +Y up; ours both look
//! along -Z with +Y up.

use glam::{Quat, Vec3};
use sinew_scene::{Camera, JointId, Light, LightKind, Node, Projection, Transform};

use super::number::vec3;
use crate::Place;
use crate::open::Context;

pub(super) fn light(
    from: &ufbx::Light,
    name: &str,
    under: JointId,
    nodes: &mut Vec<Node>,
    context: &mut Context<'_>,
) -> Light {
    let place = Place::part(format!("light \"{name}\""));
    let inner = half_angle(from.inner_angle);
    let outer = half_angle(from.outer_angle).max(1e-3);
    let kind = match from.type_ {
        ufbx::LightType::Point => LightKind::Point,
        ufbx::LightType::Directional => LightKind::Directional,
        ufbx::LightType::Spot => LightKind::Spot { inner: inner.min(outer), outer },
        ufbx::LightType::Area | ufbx::LightType::Volume => {
            context.notes.add(place, "an area or volume light is kept as a point");
            LightKind::Point
        }
    };
    let direction = vec3(from.local_direction).normalize_or(Vec3::NEG_Y);
    let rotation = Quat::from_rotation_arc(Vec3::NEG_Z, direction);
    let (color, intensity) = (vec3(from.color), from.intensity as f32);
    Light {
        name: name.to_owned(),
        joint: rotated(nodes, format!("{name} (light)"), under, rotation),
        kind,
        color: if color.is_finite() { color } else { Vec3::ONE },
        intensity: if intensity.is_finite() { intensity.max(0.0) } else { 1.0 },
        range: None,
    }
}

fn half_angle(degrees: f64) -> f32 {
    let half = (degrees as f32 * 0.5).to_radians();
    if half.is_finite() { half.clamp(0.0, std::f32::consts::FRAC_PI_2) } else { 0.0 }
}

pub(super) fn camera(
    from: &ufbx::Camera,
    name: &str,
    under: JointId,
    nodes: &mut Vec<Node>,
) -> Camera {
    let positive = |number: f64, otherwise: f32| {
        let number = number as f32;
        if number > 0.0 && number.is_finite() { number } else { otherwise }
    };
    let near = positive(from.near_plane, 0.1);
    let far = positive(from.far_plane, 0.0);
    let projection = match from.projection_mode {
        ufbx::ProjectionMode::Perspective => Projection::Perspective {
            fov_y: positive(from.field_of_view_deg.y, 45.0).min(175.0).to_radians(),
            aspect: Some(positive(from.aspect_ratio, 0.0)).filter(|&aspect| aspect > 0.0),
            near,
            far: (far > near).then_some(far),
        },
        ufbx::ProjectionMode::Orthographic => Projection::Orthographic {
            half_width: 0.5 * positive(from.orthographic_size.x, 2.0),
            half_height: 0.5 * positive(from.orthographic_size.y, 2.0),
            near,
            far: if far > near { far } else { near + 1000.0 },
        },
    };
    let rotation = Quat::from_rotation_y(-std::f32::consts::FRAC_PI_2);
    Camera {
        name: name.to_owned(),
        joint: rotated(nodes, format!("{name} (camera)"), under, rotation),
        projection,
    }
}

fn rotated(nodes: &mut Vec<Node>, name: String, under: JointId, rotation: Quat) -> JointId {
    nodes.push(Node::new(name, Some(under), Transform::from_rotation(rotation)));
    JointId::new(nodes.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_camera_looks_along_x_with_y_up() {
        let rotation = Quat::from_rotation_y(-std::f32::consts::FRAC_PI_2);
        assert!((rotation * Vec3::NEG_Z).abs_diff_eq(Vec3::X, 1e-6));
        assert!((rotation * Vec3::Y).abs_diff_eq(Vec3::Y, 1e-6));
    }
}
