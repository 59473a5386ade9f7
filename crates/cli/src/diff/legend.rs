//! Colours of a heat map, and the scale beside it.
//!
//! In:  a share of the largest difference.
//! Out: a colour: deep blue, cyan, green, yellow, red; and a bar that says what they mean.

use sinew::glam::{Vec2, Vec3, Vec4};
use sinew::render::{Camera, Overlay};

use crate::render::screen::Screen;

/// Pieces of the bar.
const PIECES: usize = 48;
const WHITE: Vec4 = Vec4::new(0.8, 0.82, 0.85, 1.0);

/// Of what is not compared.
const GREY: Vec3 = Vec3::new(0.12, 0.12, 0.13);

/// The colour of a share from 0 to 1, linear, the same as where weights are shown; grey for what is not a number.
pub(super) fn color(share: f32) -> Vec3 {
    if share.is_nan() {
        return GREY;
    }
    let share = share.clamp(0.0, 1.0);
    let t = share * 4.0;
    let warm = Vec3::new(t - 2.0, t.min(4.0 - t), 2.0 - t).clamp(Vec3::ZERO, Vec3::ONE);
    Vec3::new(0.01, 0.02, 0.12).lerp(warm * warm, (share * 20.0).min(1.0))
}

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
        screen.line(overlay, ends, 16.0, color(share).extend(1.0));
    }
    overlay.labels.height = (size.y / 60.0).clamp(7.0, 14.0);
    screen.text(overlay, Vec2::new(x + 6.0, bottom), ends[0], WHITE);
    screen.text(overlay, Vec2::new(x + 6.0, top), ends[1], WHITE);
    screen.text(overlay, Vec2::new(x - 16.0, 28.0), title, WHITE);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cold_is_blue_and_what_is_hot_is_red() {
        let [cold, warm, hot] = [0.0, 0.5, 1.0].map(color);
        assert!(cold.z > cold.x && cold.z > cold.y);
        assert_eq!(warm, Vec3::new(0.0, 1.0, 0.0));
        assert_eq!(hot, Vec3::X);
        assert_eq!((color(7.0), color(-1.0)), (hot, cold));
        assert_eq!(color(f32::NAN), GREY);
    }
}
