//! The scale beside a heat map: a bar of its colours that says what they mean.

use sinew::glam::{Vec2, Vec4};
use sinew::render::{Camera, Overlay};
use sinew::stage::heat_color;

use crate::render::screen::Screen;

/// Pieces of the bar.
const PIECES: usize = 48;
const WHITE: Vec4 = Vec4::new(0.8, 0.82, 0.85, 1.0);

/// Draws the bar at the left edge, with what its ends mean, and a title above.
pub(super) fn draw(
    overlay: &mut Overlay,
    camera: &Camera,
    size: Vec2,
    ends: [&str; 2],
    title: &str,
) {
    let screen = Screen::new(camera, size);
    let (x, top, bottom) = (28.0, 0.25 * size.y, 0.75 * size.y);
    let height = |piece: usize| bottom + (top - bottom) * piece as f32 / PIECES as f32;
    for piece in 0..PIECES {
        let ends = [piece, piece + 1].map(|end| Vec2::new(x, height(end)));
        let share = (piece as f32 + 0.5) / PIECES as f32;
        screen.line(overlay, ends, 16.0, heat_color(share).extend(1.0));
    }
    overlay.labels.height = (size.y / 60.0).clamp(7.0, 14.0);
    screen.text(overlay, Vec2::new(x + 6.0, bottom), ends[0], WHITE);
    screen.text(overlay, Vec2::new(x + 6.0, top), ends[1], WHITE);
    screen.text(overlay, Vec2::new(x - 16.0, 28.0), title, WHITE);
}
