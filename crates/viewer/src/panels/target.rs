//! Rings over the image: what joints reach for, to be dragged.
//!
//! A ring moves in the plane that faces the camera, so that it stays under the pointer.

use eframe::egui::{Painter, PointerButton, Pos2, Rect, Response, Stroke};
use sinew::glam::{Vec2, Vec3};

use super::viewport::project;
use crate::state::State;
use crate::theme;

/// Of a ring, in points.
const RADIUS: f32 = 9.0;
/// How near a pointer must be to take a ring, in points.
const NEAR: f32 = 16.0;

/// Takes a ring, moves it, lets it go. True while a ring is held.
pub(super) fn drag(response: &Response, state: &mut State, rect: Rect) -> bool {
    let primary = response.dragged_by(PointerButton::Primary);
    if response.drag_started_by(PointerButton::Primary) {
        // Where the button went down, not where the pointer has come since.
        let from = response.ctx.input(|input| input.pointer.press_origin());
        state.held_target = from.and_then(|at| under(state, rect, at));
    }
    let Some(place) = state.held_target else { return false };
    match response.interact_pointer_pos().filter(|_| primary) {
        Some(at) => move_ring(state, rect, place, at),
        None => state.held_target = None,
    }
    state.held_target.is_some()
}

/// The ring under a pointer.
fn under(state: &State, rect: Rect, at: Pos2) -> Option<usize> {
    let near = |(place, target): (usize, &crate::reach::ReachTarget)| {
        let gap = project(state, rect, target.position)?.distance(at);
        (gap < NEAR).then_some((gap, place))
    };
    let rings = state.model()?.targets.iter().enumerate().filter_map(near);
    rings.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, place)| place)
}

fn move_ring(state: &mut State, rect: Rect, place: usize, at: Pos2) {
    let Some(old) = state.model().and_then(|model| model.targets.get(place)) else { return };
    let camera = state.orbit.camera();
    let size = Vec2::new(rect.width().max(1.0), rect.height().max(1.0));
    let (from, along) = camera.ray(Vec2::new(at.x - rect.left(), at.y - rect.top()), size);
    if let Some(next) = facing(from, along, old.position, camera.forward()) {
        state.move_target(place, next);
    }
}

/// Where a ray meets the plane through a place that faces the camera.
fn facing(from: Vec3, along: Vec3, place: Vec3, forward: Vec3) -> Option<Vec3> {
    let steep = along.dot(forward);
    let far = (place - from).dot(forward) / steep;
    (steep > 1e-6 && far.is_finite() && far > 0.0).then(|| from + along * far)
}

/// Rings, each with a line to the joint that reaches for it.
pub(super) fn draw(painter: &Painter, state: &State, rect: Rect) {
    let Some(model) = state.model() else { return };
    for (place, target) in model.targets.iter().enumerate() {
        let Some(at) = project(state, rect, target.position) else { continue };
        let color = if state.held_target == Some(place) { theme::YELLOW } else { theme::ACCENT };
        let joint = Vec3::from(model.world_from_joint(target.joint).translation);
        if let Some(joint) = project(state, rect, joint).filter(|joint| joint.distance(at) > RADIUS)
        {
            let edge = at + (joint - at).normalized() * RADIUS;
            painter.line_segment([edge, joint], Stroke::new(1.0, color.gamma_multiply(0.6)));
        }
        painter.circle_stroke(at, RADIUS, Stroke::new(4.0, theme::SUNKEN.gamma_multiply(0.7)));
        painter.circle_stroke(at, RADIUS, Stroke::new(2.0, color));
        painter.circle_filled(at, 2.5, color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_stays_as_far_from_the_camera_as_it_is() {
        let place = Vec3::new(0.0, 1.0, -4.0);
        let found = facing(Vec3::ZERO, Vec3::new(0.5, 0.0, -1.0).normalize(), place, Vec3::NEG_Z);
        let found = found.expect("it meets");
        assert!(found.abs_diff_eq(Vec3::new(2.0, 0.0, -4.0), 1e-5), "{found}");
        assert_eq!(facing(Vec3::ZERO, Vec3::X, place, Vec3::NEG_Z), None, "beside");
        assert_eq!(facing(Vec3::ZERO, Vec3::Z, place, Vec3::NEG_Z), None, "behind");
    }
}
