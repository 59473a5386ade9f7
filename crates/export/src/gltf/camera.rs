//! Cameras.

use sinew_scene::{Camera, Projection};

use super::json::Object;
use super::note::Notes;

/// The nearest distance that is written for a camera that has none above zero, in metres.
const LEAST_NEAR: f32 = 1e-3;

pub(super) fn write(camera: &Camera, notes: &mut Notes) -> Object {
    let object = Object::new().filled("name", camera.name.as_str());
    match camera.projection {
        Projection::Perspective { fov_y, aspect, near, far } => {
            let good_near = if near > 0.0 { near } else { LEAST_NEAR };
            let good_far = far.filter(|&far| far > good_near);
            let good_fov = if fov_y > 0.0 { fov_y } else { std::f32::consts::FRAC_PI_4 };
            if good_near != near || good_far != far || good_fov != fov_y {
                notes.add(
                    "a camera's numbers are not those of a perspective: the others are made up",
                );
            }
            let perspective = Object::new()
                .some("aspectRatio", aspect.filter(|&aspect| aspect > 0.0))
                .with("yfov", good_fov)
                .with("znear", good_near)
                .some("zfar", good_far);
            object.with("type", "perspective").with("perspective", perspective)
        }
        Projection::Orthographic { half_width, half_height, near, far } => {
            let good_near = near.max(0.0);
            let good_far = if far > good_near { far } else { good_near + 1.0 };
            let size = |half: f32| if half == 0.0 { LEAST_NEAR } else { half };
            if good_near != near || good_far != far || half_width * half_height == 0.0 {
                notes.add(
                    "a camera's numbers are not those of a projection: the others are made up",
                );
            }
            let orthographic = Object::new()
                .with("xmag", size(half_width))
                .with("ymag", size(half_height))
                .with("znear", good_near)
                .with("zfar", good_far);
            object.with("type", "orthographic").with("orthographic", orthographic)
        }
    }
}
