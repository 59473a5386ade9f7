//! The points that a camera must have in the image, and the camera that just has them all.
//!
//! In:  points of everyone, and of their shadows.
//! Out: a camera that fits them exactly: the edges of the image touch the outermost points.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use sinew_deform::Bounds;
use sinew_render::Camera;

use super::subject::Part;
use super::{MOMENTS, Member, Stage};

/// Most vertices that are worked out to frame an image; where there are more, boxes must do.
const MOST_VERTICES: usize = 120_000;
/// Fewer moments than this miss too much of a clip.
const FEWEST_MOMENTS: usize = 6;
/// What stays free on every side: a share of the image's half.
const MARGIN: f32 = 0.08;
/// The same for a shadow, which may go nearer to the edge.
const SHADOW_MARGIN: f32 = 0.02;
/// From how many sides something is looked at on the way around.
const SIDES: u32 = 24;

/// Points that are to be in the image.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    points: Vec<Vec3>,
}

impl Stage {
    /// How many moments of a clip are looked at to frame it.
    pub(super) fn look_count(&self) -> usize {
        match MOST_VERTICES / self.vertex_count().max(1) {
            few if few < FEWEST_MOMENTS => MOMENTS,
            most => most.min(MOMENTS),
        }
    }

    fn vertex_count(&self) -> usize {
        self.members.iter().filter(|member| !member.scenery).map(vertex_count).sum()
    }

    /// The points of some parts as they are now; `once` may take longer than for one of many.
    pub(super) fn outline_now(&self, parts: &[Part], once: bool) -> Outline {
        let looks = if once { 1 } else { FEWEST_MOMENTS };
        let exact = self.vertex_count() * looks <= MOST_VERTICES;
        let points = |part: &Part| part.points(&self.members[part.member], exact);
        Outline { points: parts.iter().flat_map(points).collect() }
    }
}

fn vertex_count(member: &Member) -> usize {
    let scene = member.actor.scene();
    let of = |mesh: usize| scene.meshes[mesh].primitives.iter().map(|p| p.positions.len());
    scene.instances.iter().flat_map(|instance| of(instance.mesh.index())).sum()
}

impl Outline {
    /// The corners of a box.
    #[must_use]
    pub fn of(bounds: Bounds) -> Self {
        Self { points: box_corners(bounds) }
    }

    /// Takes in all points of another, moved.
    pub(super) fn extend(&mut self, other: &Self, way: Vec3) {
        self.points.extend(other.points.iter().map(|point| *point + way));
    }

    /// Where the shadows of its points fall on a floor, up to a reach from the point's own place.
    pub(super) fn shadow(&self, light: Vec3, floor: f32, reach: f32) -> Self {
        let level = light.with_y(0.0) / -light.y.min(-1e-3);
        let cast = |point: &Vec3| {
            let aside = level * (point.y - floor).max(0.0);
            point.with_y(floor) + aside.clamp_length_max(reach)
        };
        Self { points: self.points.iter().map(cast).collect() }
    }

    /// How large it is: the diagonal of its box, in metres.
    pub(super) fn size(&self) -> f32 {
        if self.points.is_empty() { 1.0 } else { self.bounds().size().length() }
    }

    /// A box around all points.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        Bounds::of(&self.points)
    }

    /// The camera that looks along `direction` and just has every point in the image.
    #[must_use]
    pub fn seen(&self, direction: Vec3, fov_y: f32, aspect: f32) -> Camera {
        self.seen_with(&Self::default(), direction, fov_y, aspect)
    }

    /// The same with a shadow, which needs less room.
    ///
    /// For a point `p` and a camera at `e`, along the axes right and forward: `|p.r - e.r| ≤ t (p.f - e.f)`. So
    /// `e.r - t e.f` is at least the largest `p.r - t p.f`, and `e.r + t e.f` at most the smallest `p.r + t p.f`.
    #[must_use]
    pub fn seen_with(&self, shadow: &Self, direction: Vec3, fov_y: f32, aspect: f32) -> Camera {
        let mut camera = Camera::frame(self.bounds(), direction, fov_y, aspect);
        if self.points.is_empty() || self.bounds().size().length() < 1e-6 {
            // Nothing has a size: about a metre of where it is.
            let middle = if self.points.is_empty() { Vec3::ZERO } else { self.bounds().center() };
            let half = Vec3::splat(0.2);
            return Self::of(Bounds { min: middle - half, max: middle + half })
                .seen(direction, fov_y, aspect);
        }
        let [right, up, forward] = camera.axes();
        let tall = (fov_y * 0.5).tan();
        let middle = camera.target;
        let fit = |axis: Vec3, half: f32| {
            // Of all bounds on where the camera is, those of the point that asks for the largest distance.
            let tangent = half * (1.0 - MARGIN);
            let bounds_of = |points: &[Vec3], half: f32| {
                points.iter().fold((f32::NEG_INFINITY, f32::INFINITY), |(low, high), point| {
                    let (aside, ahead) =
                        ((*point - middle).dot(axis), (*point - middle).dot(forward));
                    (low.max(aside - half * ahead), high.min(aside + half * ahead))
                })
            };
            let (low, high) = bounds_of(&self.points, tangent);
            let own = (0.5 * (low + high), (high - low) / (2.0 * tangent));
            let wider = half * (1.0 - SHADOW_MARGIN);
            let (low, high) = bounds_of(&shadow.points, wider);
            let (of_body_low, of_body_high) = bounds_of(&self.points, wider);
            let (low, high) = (low.max(of_body_low), high.min(of_body_high));
            let both = (0.5 * (low + high), (high - low) / (2.0 * wider));
            if both.1 < own.1 { both } else { own }
        };
        let ((aside, wide), (above, high)) = (fit(right, tall * aspect), fit(up, tall));
        let ahead = wide.min(high);
        camera.position = middle + right * aside + up * above + forward * ahead;
        camera.target = camera.position - forward * ahead;
        camera.near = self.nearest(camera.position, forward) * 0.1;
        camera
    }

    /// A camera that can go around a vertical axis and never loses a point: through the middle, or where said.
    #[must_use]
    pub fn seen_around(
        &self,
        direction: Vec3,
        fov_y: f32,
        aspect: f32,
        axis: Option<Vec3>,
    ) -> Camera {
        let mut camera = Camera::frame(self.bounds(), direction, fov_y, aspect);
        if let Some(axis) = axis.filter(|_| !self.points.is_empty()) {
            camera.target = axis.with_y(self.bounds().center().y);
        }
        let forward = direction.normalize_or(Vec3::NEG_Z);
        let [right, up, _] = camera_axes(forward);
        let tall = (fov_y * 0.5).tan() * (1.0 - MARGIN);
        let mut far = self.bounds().size().length() * 0.5;
        for side in 0..SIDES {
            let rotation = Quat::from_rotation_y(TAU * side as f32 / SIDES as f32);
            let [right, up, forward] = [right, up, forward].map(|axis| rotation * axis);
            for point in &self.points {
                let p = *point - camera.target;
                let need = (p.dot(right).abs() / (tall * aspect)).max(p.dot(up).abs() / tall);
                far = far.max(need - p.dot(forward));
            }
        }
        let far = if far.is_finite() { far.max(1e-3) } else { 1.0 };
        camera.position = camera.target - forward * far;
        camera.near = far * 0.01;
        camera
    }

    fn nearest(&self, position: Vec3, forward: Vec3) -> f32 {
        let ahead = self.points.iter().map(|point| (*point - position).dot(forward));
        ahead.fold(f32::INFINITY, f32::min).max(1e-4)
    }
}

/// Right, up and forward of a camera that looks along a direction.
fn camera_axes(forward: Vec3) -> [Vec3; 3] {
    Camera::look_at(Vec3::ZERO, forward, 0.5).axes()
}

/// The corners of a box; none where it is empty.
pub(super) fn box_corners(bounds: Bounds) -> Vec<Vec3> {
    let side = |bit: bool, min: f32, max: f32| if bit { max } else { min };
    let corner = |index: u32| {
        Vec3::new(
            side(index & 1 != 0, bounds.min.x, bounds.max.x),
            side(index & 2 != 0, bounds.min.y, bounds.max.y),
            side(index & 4 != 0, bounds.min.z, bounds.max.z),
        )
    };
    if bounds.is_empty() { Vec::new() } else { (0..8).map(corner).collect() }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;

    #[test]
    fn the_outermost_points_touch_the_margin_and_none_is_outside() {
        let points =
            vec![Vec3::new(-0.5, 0.0, 0.2), Vec3::new(0.3, 1.8, -0.4), Vec3::new(0.6, 0.9, 0.3)];
        let outline = Outline { points };
        for direction in [Vec3::NEG_Z, Vec3::new(-0.5, -0.3, -0.8), Vec3::NEG_Y] {
            for size in [Vec2::new(640.0, 480.0), Vec2::new(100.0, 900.0)] {
                let camera = outline.seen(direction, 0.6, size.x / size.y);
                let mut widest = Vec2::ZERO;
                for point in &outline.points {
                    let at = camera.project(*point, size).expect("before the camera");
                    widest = widest.max((at / size * 2.0 - 1.0).abs());
                }
                let edge = widest.max_element();
                assert!((edge - (1.0 - MARGIN)).abs() < 0.005, "{direction} {size}: {edge}");
            }
        }
    }

    #[test]
    fn nothing_leaves_the_image_on_the_way_around() {
        let outline =
            Outline::of(Bounds { min: Vec3::new(-2.0, 0.0, -0.1), max: Vec3::new(1.0, 1.0, 0.3) });
        let camera = outline.seen_around(Vec3::NEG_Z, 0.6, 1.0, None);
        for angle in [0.0, 0.7, 1.6, 3.1, 4.4] {
            let rotation = Quat::from_rotation_y(angle);
            let position = camera.target + rotation * (camera.position - camera.target);
            let turned = Camera { position, ..camera };
            for point in &outline.points {
                let at = turned.project(*point, Vec2::splat(100.0)).expect("before the camera");
                assert!(
                    at.cmpge(Vec2::ZERO).all() && at.cmple(Vec2::splat(100.0)).all(),
                    "{angle}: {at}"
                );
            }
        }
    }
}
