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

/// A length in the unit that suits it, four digits.
pub(crate) fn length(metres: f32) -> String {
    let size = metres.abs();
    match () {
        () if size == 0.0 => "0 m".into(),
        () if size < 0.01 => format!("{:.2} mm", metres * 1e3),
        () if size < 1.0 => format!("{:.1} cm", metres * 1e2),
        () if size < 1000.0 => format!("{metres:.2} m"),
        () => format!("{:.2} km", metres * 1e-3),
    }
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

/// Turns about X, then Y, then Z, in radians.
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
    let (minutes, rest) = (thousandths / 60_000, thousandths % 60_000);
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
        assert_eq!(length(1.754), "1.75 m");
        assert_eq!(length(0.123), "12.3 cm");
        assert_eq!(length(-0.0042), "-4.20 mm");
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
