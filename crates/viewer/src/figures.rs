//! Numbers as people read them: with units, and as wide now as a moment later.

use sinew::glam::{EulerRot, Quat};

/// With a mark every three digits: `12,288`.
pub(crate) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `12,288 vertices`, `1 vertex`.
pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// Three lengths in the unit that suits the longest: `1.90 × 1.84 × 0.85 m`.
pub(crate) fn sides(metres: [f32; 3]) -> String {
    let longest = metres.iter().fold(0.0_f32, |longest, side| longest.max(side.abs()));
    let (factor, unit) = match () {
        () if longest < 0.01 => (1e3, "mm"),
        () if longest < 1.0 => (1e2, "cm"),
        () if longest < 1000.0 => (1.0, "m"),
        () => (1e-3, "km"),
    };
    let decimals = if longest * factor < 10.0 { 2 } else { 1 };
    let [x, y, z] = metres.map(|side| format!("{:.decimals$}", side * factor));
    format!("{x} × {y} × {z} {unit}")
}

/// Three decimals and room for a sign: never wider or narrower from frame to frame.
pub(crate) fn metre(value: f32) -> String {
    format!("{value:8.3}")
}

/// One decimal and room for a sign.
pub(crate) fn degree(radians: f32) -> String {
    // Minus zero would flicker.
    format!("{:7.1}", radians.to_degrees() + 0.0)
}

/// Rotations about X, then Y, then Z, in radians.
pub(crate) fn euler(rotation: Quat) -> [f32; 3] {
    let (z, y, x) = rotation.to_euler(EulerRot::ZYX);
    [x, y, z]
}

/// `1.2 MB`.
pub(crate) fn bytes(number: u64) -> String {
    match number {
        0..1000 => format!("{number} B"),
        1000..1_000_000 => format!("{:.1} kB", number as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", number as f64 / 1e6),
        _ => format!("{:.2} GB", number as f64 / 1e9),
    }
}

/// Minutes where there are, seconds and thousandths: `0:01.250`.
pub(crate) fn clock(seconds: f32) -> String {
    let thousandths = (f64::from(seconds.max(0.0)) * 1000.0).round() as u64;
    let minutes = thousandths / 60_000;
    let rest = thousandths % 60_000;
    format!("{minutes}:{:02}.{:03}", rest / 1000, rest % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_marks_and_units() {
        assert_eq!(count(7), "7");
        assert_eq!(count(12_288), "12,288");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "vertex", "vertices"), "1 vertex");
        assert_eq!(sides([1.904, 1.84, 0.846]), "1.90 × 1.84 × 0.85 m");
        assert_eq!(sides([237.76, 199.74, 0.0]), "237.8 × 199.7 × 0.0 m");
        assert_eq!(sides([0.3, 0.02, 0.1]), "30.0 × 2.0 × 10.0 cm");
        assert_eq!(bytes(12_288), "12.3 kB");
        assert_eq!(clock(61.25), "1:01.250");
    }

    #[test]
    fn a_number_that_changes_keeps_its_width() {
        let widths: Vec<usize> =
            [0.0, -0.5, 12.3456, -123.4].iter().map(|value| metre(*value).len()).collect();
        assert_eq!(widths, [8, 8, 8, 8]);
        assert_eq!(degree(-0.0), "    0.0");
        assert_eq!(degree(-std::f32::consts::PI), " -180.0");
    }

    #[test]
    fn angles_are_those_that_made_the_rotation() {
        let made =
            Quat::from_rotation_z(0.3) * Quat::from_rotation_y(-0.4) * Quat::from_rotation_x(1.2);
        let [x, y, z] = euler(made);
        assert!((x - 1.2).abs() < 1e-5 && (y + 0.4).abs() < 1e-5 && (z - 0.3).abs() < 1e-5);
    }
}
