//! Colours: the file's are sRGB, as every exporter writes what its colour picker shows.

use glam::{Vec3, Vec4};

/// From sRGB to linear light; alpha stays. IEC 61966-2-1.
pub(super) fn linear(color: Vec4) -> Vec4 {
    linear3(color.truncate()).extend(color.w.clamp(0.0, 1.0))
}

/// From sRGB to linear light. Values above one, as some write for bright lights, stay as they are.
pub(super) fn linear3(color: Vec3) -> Vec3 {
    Vec3::from_array(color.to_array().map(channel))
}

fn channel(value: f32) -> f32 {
    match value {
        value if value <= 0.0 => 0.0,
        value if value <= 0.040_45 => value / 12.92,
        value if value < 1.0 => ((value + 0.055) / 1.055).powf(2.4),
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middle_grey_is_a_fifth_of_the_light() {
        let found = linear(Vec4::new(0.5, 0.0, 1.0, 0.5));
        assert!(found.abs_diff_eq(Vec4::new(0.214_04, 0.0, 1.0, 0.5), 1e-4), "{found}");
    }
}
