//! The points that a camera must have in the image, and the eye that just has them all.
//!
//! In:  vertices of everyone over their clips.
//! Out: an eye that fits them exactly: the edges of the image touch the outermost points.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use sinew_deform::{Bounds, Vertices};
use sinew_render::Camera;
use sinew_scene::InstanceId;

use super::{MOMENTS, Member, Stage};

/// Most vertices that are worked out to frame an image; where there are more, boxes must do.
const MOST_VERTICES: usize = 120_000;
/// Fewer moments than this miss too much of a clip.
const FEWEST_MOMENTS: usize = 6;
/// Points of one primitive at one moment.
const POINTS: usize = 1000;
/// What stays free on every side: a share of the image's half.
const MARGIN: f32 = 0.08;
/// From how many sides something is looked at on the way around.
const SIDES: u32 = 24;

/// Points that are to be in the image.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    points: Vec<Vec3>,
}

impl Stage {
    /// The points of everyone over the whole of their clips, without the ground. Time stays as it is.
    #[must_use]
    pub fn outline(&mut self) -> Outline {
        let vertices: usize = self.members.iter().map(vertex_count).sum();
        let duration = self.duration();
        let moments = match (duration > 0.0, MOST_VERTICES / vertices.max(1)) {
            (false, _) => 1,
            (true, most) => most.clamp(1, MOMENTS),
        };
        if moments < FEWEST_MOMENTS && (duration > 0.0 || vertices > MOST_VERTICES) {
            return Outline::of(self.bounds_over_time());
        }
        let time = self.time;
        let mut outline = Outline::default();
        for moment in 0..moments {
            if duration > 0.0 {
                self.seek(duration * moment as f64 / (moments - 1).max(1) as f64);
            }
            self.members.iter().filter(|member| !member.scenery).for_each(|m| outline.add(m));
        }
        if duration > 0.0 {
            self.seek(time);
            self.members.iter().filter(|member| !member.scenery).for_each(|m| outline.add(m));
        }
        outline
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
        let side = |bit: bool, min: f32, max: f32| if bit { max } else { min };
        let corner = |index: u32| {
            Vec3::new(
                side(index & 1 != 0, bounds.min.x, bounds.max.x),
                side(index & 2 != 0, bounds.min.y, bounds.max.y),
                side(index & 4 != 0, bounds.min.z, bounds.max.z),
            )
        };
        let points = if bounds.is_empty() { Vec::new() } else { (0..8).map(corner).collect() };
        Self { points }
    }

    fn add(&mut self, member: &Member) {
        let scene = member.actor.scene();
        let mut vertices = Vertices::default();
        for (index, instance) in scene.instances.iter().enumerate() {
            if member.actor.hides(InstanceId::new(index)) {
                continue;
            }
            for primitive in 0..scene.meshes[instance.mesh.index()].primitives.len() {
                member.actor.skin(InstanceId::new(index), primitive, &mut vertices);
                let step = vertices.positions.len().div_ceil(POINTS).max(1);
                self.points
                    .extend(vertices.positions.iter().step_by(step).filter(|p| p.is_finite()));
            }
        }
        if scene.instances.is_empty() {
            self.points.extend(member.nodes());
            self.points.extend(member.tips());
        }
    }

    /// A box around all points.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        Bounds::of(&self.points)
    }

    /// The eye that looks along `direction` and just has every point in the image.
    ///
    /// For a point `p` and an eye `e`, along the axes right and forward: `|p.r - e.r| ≤ t (p.f - e.f)`. So `e.r - t e.f`
    /// is at least the largest `p.r - t p.f`, and `e.r + t e.f` at most the smallest `p.r + t p.f`.
    #[must_use]
    pub fn seen(&self, direction: Vec3, fov_y: f32, aspect: f32) -> Camera {
        let mut camera = Camera::frame(self.bounds(), direction, fov_y, aspect);
        if self.points.is_empty() || self.bounds().size().length() < 1e-6 {
            // Nothing has a size: about a metre of where it is.
            let middle = if self.points.is_empty() { Vec3::ZERO } else { self.bounds().center() };
            let half = Vec3::splat(0.2);
            return Self::of(Bounds { min: middle - half, max: middle + half })
                .seen(direction, fov_y, aspect);
        }
        let [right, up, forward] = camera.axes();
        let tall = (fov_y * 0.5).tan() * (1.0 - MARGIN);
        let middle = camera.target;
        let fit = |axis: Vec3, tangent: f32| {
            let (mut low, mut high) = (f32::NEG_INFINITY, f32::INFINITY);
            for point in &self.points {
                let (aside, ahead) = ((*point - middle).dot(axis), (*point - middle).dot(forward));
                low = low.max(aside - tangent * ahead);
                high = high.min(aside + tangent * ahead);
            }
            (0.5 * (low + high), (high - low) / (2.0 * tangent))
        };
        let ((aside, wide), (above, high)) = (fit(right, tall * aspect), fit(up, tall));
        let ahead = wide.min(high);
        camera.eye = middle + right * aside + up * above + forward * ahead;
        camera.target = camera.eye - forward * ahead;
        camera.near = self.nearest(camera.eye, forward) * 0.1;
        camera
    }

    /// An eye that can go around the vertical axis through the middle and never loses a point.
    #[must_use]
    pub fn seen_around(&self, direction: Vec3, fov_y: f32, aspect: f32) -> Camera {
        let mut camera = Camera::frame(self.bounds(), direction, fov_y, aspect);
        let tall = (fov_y * 0.5).tan() * (1.0 - MARGIN);
        let mut far = self.bounds().size().length() * 0.5;
        for side in 0..SIDES {
            let rotation = Quat::from_rotation_y(TAU * side as f32 / SIDES as f32);
            let [right, up, forward] = camera.axes().map(|axis| rotation * axis);
            for point in &self.points {
                let p = *point - camera.target;
                let need = (p.dot(right).abs() / (tall * aspect)).max(p.dot(up).abs() / tall);
                far = far.max(need - p.dot(forward));
            }
        }
        camera.eye = camera.target - camera.forward() * far.max(1e-3);
        camera.near = far.max(1e-3) * 0.01;
        camera
    }

    fn nearest(&self, eye: Vec3, forward: Vec3) -> f32 {
        let ahead = self.points.iter().map(|point| (*point - eye).dot(forward));
        ahead.fold(f32::INFINITY, f32::min).max(1e-4)
    }
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
                    let at = camera.project(*point, size).expect("before the eye");
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
        let camera = outline.seen_around(Vec3::NEG_Z, 0.6, 1.0);
        for angle in [0.0, 0.7, 1.6, 3.1, 4.4] {
            let rotation = Quat::from_rotation_y(angle);
            let eye = camera.target + rotation * (camera.eye - camera.target);
            let turned = Camera { eye, ..camera };
            for point in &outline.points {
                let at = turned.project(*point, Vec2::splat(100.0)).expect("before the eye");
                assert!(
                    at.cmpge(Vec2::ZERO).all() && at.cmple(Vec2::splat(100.0)).all(),
                    "{angle}: {at}"
                );
            }
        }
    }
}
