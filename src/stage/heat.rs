//! The colours of a heat map, the same wherever one is drawn.

use glam::Vec3;

/// Of what has no value.
const GREY: Vec3 = Vec3::new(0.12, 0.12, 0.13);

/// The colour of a share from 0 to 1, linear: deep blue, cyan, green, yellow, red, as where weights are shown; grey for what
/// is not a number.
///
/// ```
/// use sinew::stage::heat_color;
/// assert_eq!(heat_color(1.0), sinew::glam::Vec3::X); // red
/// ```
#[must_use]
pub fn heat_color(share: f32) -> Vec3 {
    if share.is_nan() {
        return GREY;
    }
    let share = share.clamp(0.0, 1.0);
    let t = share * 4.0;
    let warm = Vec3::new(t - 2.0, t.min(4.0 - t), 2.0 - t).clamp(Vec3::ZERO, Vec3::ONE);
    Vec3::new(0.01, 0.02, 0.12).lerp(warm * warm, (share * 20.0).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cold_is_blue_and_what_is_hot_is_red() {
        let [cold, warm, hot] = [0.0, 0.5, 1.0].map(heat_color);
        assert!(cold.z > cold.x && cold.z > cold.y);
        assert_eq!(warm, Vec3::new(0.0, 1.0, 0.0));
        assert_eq!(hot, Vec3::X);
        assert_eq!((heat_color(7.0), heat_color(-1.0)), (hot, cold));
        assert_eq!(heat_color(f32::NAN), GREY);
    }
}
