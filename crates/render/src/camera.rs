//! The camera: where it stands, what it looks at, and what of the world it sees.
//!
//! Depth runs backwards, 1 near and 0 far, which spreads a float's precision evenly.

use glam::camera::rh::proj::directx::{orthographic, perspective, perspective_infinite_reverse};
use glam::camera::rh::view::look_to_mat4;
use glam::{Affine3A, Mat4, Quat, Vec2, Vec3, Vec4Swizzles};
use sinew_deform::Bounds;
use sinew_scene::Projection;

use crate::Frustum;

/// How the camera sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// What is far is small.
    Perspective {
        /// The whole vertical angle, in radians.
        fov_y: f32,
    },
    /// What is far is as large as what is near.
    Orthographic {
        /// Half the height seen, in metres.
        half_height: f32,
    },
}

/// Standard views of a model that faces +Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// From the front, a little from the model's left and from above.
    ThreeQuarter,
    /// From +Z.
    Front,
    /// From +X, the model's left.
    Side,
    /// From -Z.
    Back,
    /// From +Y.
    Top,
}

impl View {
    /// Where the camera looks along.
    #[must_use]
    pub fn direction(self) -> Vec3 {
        match self {
            Self::ThreeQuarter => Vec3::new(-0.52, -0.26, -0.81).normalize(),
            Self::Front => Vec3::NEG_Z,
            Self::Side => Vec3::NEG_X,
            Self::Back => Vec3::Z,
            Self::Top => Vec3::NEG_Y,
        }
    }

    /// The same of a model that faces elsewhere: `facing` is level.
    #[must_use]
    pub fn direction_of(self, facing: Vec3) -> Vec3 {
        if self == Self::Top {
            return self.direction();
        }
        Quat::from_rotation_y(facing.x.atan2(facing.z)) * self.direction()
    }
}

/// Where the camera is and how it sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// In the world.
    pub position: Vec3,
    /// What is in the middle of the image; also where grid and shadows are sharpest.
    pub target: Vec3,
    /// What is up in the image; not along the view.
    pub up: Vec3,
    /// How it sees.
    pub lens: Lens,
    /// Nearest distance drawn, in metres.
    pub near: f32,
    /// Farthest distance drawn; a perspective may see to infinity.
    pub far: Option<f32>,
}

impl Camera {
    /// A perspective camera at a place, looking at another; `fov_y` in radians.
    #[must_use]
    pub fn look_at(position: Vec3, target: Vec3, fov_y: f32) -> Self {
        let gap = position.distance(target).max(1e-4);
        let up = up_for((target - position) / gap);
        Self {
            position,
            target,
            up,
            lens: Lens::Perspective { fov_y },
            near: gap * 0.01,
            far: None,
        }
    }

    /// A perspective camera that looks along `direction` and has the whole of `bounds` in the image, with a margin.
    ///
    /// ```
    /// use sinew_render::{Camera, View};
    /// # use sinew_render::wgpu; use glam::{Vec2, Vec3};
    /// let bounds = sinew_deform::Bounds { min: Vec3::ZERO, max: Vec3::new(1.0, 2.0, 1.0) };
    /// let camera = Camera::frame(bounds, View::Front.direction(), 0.6, 4.0 / 3.0);
    /// let head = camera.project(Vec3::new(0.5, 2.0, 0.5), Vec2::new(640.0, 480.0)).unwrap();
    /// assert!(head.y > 0.0 && head.y < 60.0);
    /// ```
    #[must_use]
    pub fn frame(bounds: Bounds, direction: Vec3, fov_y: f32, aspect: f32) -> Self {
        let bounds = if bounds.is_empty() {
            Bounds { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) }
        } else {
            bounds
        };
        let direction = direction.normalize_or(Vec3::NEG_Z);
        let up = up_for(direction);
        let right = direction.cross(up).normalize();
        let up = right.cross(direction);
        let center = bounds.center();
        // A twentieth of the image stays free on every side.
        let tall = (fov_y * 0.5).tan() / 1.1;
        let wide = tall * aspect;
        let mut away = 0_f32;
        for corner in corners(bounds) {
            let from_center = corner - center;
            let side = from_center.dot(right).abs() / wide;
            let height = from_center.dot(up).abs() / tall;
            away = away.max(side.max(height) - from_center.dot(direction));
        }
        let away = away.max(bounds.size().length() * 0.5).max(1e-3);
        Self {
            position: center - direction * away,
            target: center,
            up,
            lens: Lens::Perspective { fov_y },
            near: away * 0.01,
            far: None,
        }
    }

    /// The same view without perspective: what is at `target` keeps its size.
    #[must_use]
    pub fn orthographic(self) -> Self {
        let gap = self.position.distance(self.target);
        let Lens::Perspective { fov_y } = self.lens else { return self };
        let lens = Lens::Orthographic { half_height: gap * (fov_y * 0.5).tan() };
        Self { lens, near: -20.0 * gap, far: Some(20.0 * gap), ..self }
    }

    /// A file's own camera, as its node stands in the world.
    #[must_use]
    pub fn from_scene(camera: &sinew_scene::Camera, world_from_node: Affine3A) -> Self {
        let position = Vec3::from(world_from_node.translation);
        let forward = world_from_node.transform_vector3(Vec3::NEG_Z).normalize_or(Vec3::NEG_Z);
        let up = world_from_node.transform_vector3(Vec3::Y).normalize_or(Vec3::Y);
        let (lens, near, far) = match camera.projection {
            Projection::Perspective { fov_y, near, far, .. } => {
                (Lens::Perspective { fov_y }, near, far)
            }
            Projection::Orthographic { half_height, near, far, .. } => {
                (Lens::Orthographic { half_height }, near, Some(far))
            }
        };
        let target = position + forward * (near * 100.0).max(1.0);
        Self { position, target, up, lens, near, far }
    }

    /// Where the camera looks along; unit length.
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        (self.target - self.position).normalize_or(Vec3::NEG_Z)
    }

    /// Right, up and forward; unit length, square to each other.
    #[must_use]
    pub fn axes(&self) -> [Vec3; 3] {
        let forward = self.forward();
        let right = forward.cross(self.up);
        let right = right.normalize_or(forward.cross(up_for(forward)).normalize_or(Vec3::X));
        [right, right.cross(forward), forward]
    }

    /// From the world to clip space; `aspect` is width over height.
    #[must_use]
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        let [_, up, forward] = self.axes();
        let eye_from_world = look_to_mat4(self.position, forward, up);
        let clip_from_eye = match (self.lens, self.far) {
            (Lens::Perspective { fov_y }, None) => {
                perspective_infinite_reverse(fov_y, aspect, self.near.max(1e-5))
            }
            // Near and far change places: depth runs backwards.
            (Lens::Perspective { fov_y }, Some(far)) => {
                let near = self.near.max(1e-5);
                perspective(fov_y, aspect, far.max(near * 1.001), near)
            }
            (Lens::Orthographic { half_height }, far) => {
                let half = half_height.max(1e-5);
                let far = far.unwrap_or(self.near + 1000.0);
                orthographic(-half * aspect, half * aspect, -half, half, far, self.near)
            }
        };
        clip_from_eye * eye_from_world
    }

    /// What of the world is in the image.
    #[must_use]
    pub fn frustum(&self, aspect: f32) -> Frustum {
        Frustum::new(self.clip_from_world(aspect))
    }

    /// The pixel, from the top left, where a point of the world is seen in an image of `size`;
    /// `None` behind the camera.
    #[must_use]
    pub fn project(&self, point: Vec3, size: Vec2) -> Option<Vec2> {
        let clip = self.clip_from_world(size.x / size.y) * point.extend(1.0);
        let ahead = clip.w > 0.0 && clip.z <= clip.w;
        let place = clip.xy() / clip.w;
        ahead.then(|| Vec2::new(place.x * 0.5 + 0.5, 0.5 - place.y * 0.5) * size)
    }

    /// The ray through a pixel: where it starts, and its direction.
    #[must_use]
    pub fn ray(&self, pixel: Vec2, size: Vec2) -> (Vec3, Vec3) {
        let place = Vec2::new(pixel.x / size.x * 2.0 - 1.0, 1.0 - pixel.y / size.y * 2.0);
        let [right, up, forward] = self.axes();
        let aspect = size.x / size.y;
        match self.lens {
            Lens::Perspective { fov_y } => {
                let tall = (fov_y * 0.5).tan();
                let aside = right * (place.x * tall * aspect) + up * (place.y * tall);
                (self.position, (forward + aside).normalize())
            }
            Lens::Orthographic { half_height } => {
                let aside = right * (place.x * half_height * aspect) + up * (place.y * half_height);
                (self.position + aside, forward)
            }
        }
    }
}

/// Y, but for a camera that looks straight up or down.
fn up_for(direction: Vec3) -> Vec3 {
    if direction.y.abs() > 0.999 { Vec3::NEG_Z } else { Vec3::Y }
}

/// The eight corners of a box.
pub(crate) fn corners(bounds: Bounds) -> impl Iterator<Item = Vec3> {
    (0..8).map(move |index| {
        Vec3::new(
            if index & 1 == 0 { bounds.min.x } else { bounds.max.x },
            if index & 2 == 0 { bounds.min.y } else { bounds.max.y },
            if index & 4 == 0 { bounds.min.z } else { bounds.max.z },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person() -> Bounds {
        Bounds { min: Vec3::new(-0.4, 0.0, -0.3), max: Vec3::new(0.4, 1.8, 0.3) }
    }

    #[test]
    fn every_view_has_the_whole_model_in_the_image_and_fills_most_of_it() {
        for view in [View::ThreeQuarter, View::Front, View::Side, View::Back, View::Top] {
            for size in [Vec2::new(640.0, 480.0), Vec2::new(200.0, 900.0)] {
                let camera = Camera::frame(person(), view.direction(), 0.6, size.x / size.y);
                let mut seen = (Vec2::INFINITY, Vec2::NEG_INFINITY);
                for corner in corners(person()) {
                    let at = camera.project(corner, size).expect("in front of the camera");
                    seen = (seen.0.min(at), seen.1.max(at));
                }
                let all = seen.0.cmpge(Vec2::ZERO).all() && seen.1.cmple(size).all();
                assert!(all, "{view:?} {size}: {seen:?}");
                let share = (seen.1 - seen.0) / size;
                assert!(share.max_element() > 0.7, "{view:?} {size}: {share}");
            }
        }
    }

    #[test]
    fn a_ray_through_a_points_pixel_meets_the_point() {
        let size = Vec2::new(640.0, 480.0);
        let point = Vec3::new(0.3, 1.1, -0.2);
        let camera = Camera::frame(person(), View::ThreeQuarter.direction(), 0.6, 4.0 / 3.0);
        for camera in [camera, camera.orthographic()] {
            let (from, along) = camera.ray(camera.project(point, size).expect("seen"), size);
            let gap = (point - from).cross(along).length();
            assert!(gap < 1e-4, "{gap}");
        }
    }

    #[test]
    fn depth_runs_from_one_at_the_near_plane_towards_zero() {
        let camera = Camera::look_at(Vec3::ZERO, Vec3::NEG_Z, 1.0);
        let depth = |away: f32| {
            let clip = camera.clip_from_world(1.0) * Vec3::new(0.0, 0.0, -away).extend(1.0);
            clip.z / clip.w
        };
        assert!((depth(camera.near) - 1.0).abs() < 1e-5);
        assert!(depth(1000.0) > 0.0 && depth(1000.0) < 1e-4);
    }

    #[test]
    fn a_point_behind_the_eye_has_no_pixel() {
        let camera = Camera::look_at(Vec3::ZERO, Vec3::NEG_Z, 1.0);
        assert_eq!(camera.project(Vec3::Z, Vec2::splat(100.0)), None);
    }
}
