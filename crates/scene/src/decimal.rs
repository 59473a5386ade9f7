//! Numbers in sentences: seven digits, which is as much as single precision tells apart.
//!
//! The standard library writes every digit that a number has. What that takes is larger than most of a page's program,
//! which reads scenes too; a sentence needs less.

use std::fmt;

/// A number as a sentence shows it: `0.1`, `-2.5`, `1e20`.
#[derive(Clone, Copy, Debug)]
pub struct Decimal(pub f64);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value = self.0.abs();
        if self.0.is_nan() {
            return f.write_str("NaN");
        }
        if self.0 < 0.0 {
            f.write_str("-")?;
        }
        if value == 0.0 || value.is_infinite() {
            return f.write_str(if value == 0.0 { "0" } else { "inf" });
        }
        // `value · 10^power`, with as many digits before the point as are shown.
        let (least, most) = (1e6, 1e7);
        let mut power = 0;
        while value >= most {
            value /= 10.0;
            power += 1;
        }
        while value < least {
            value *= 10.0;
            power -= 1;
        }
        let mut digits = value.round() as u64;
        while digits.is_multiple_of(10) {
            digits /= 10;
            power += 1;
        }
        match power {
            0..10 => write!(f, "{}", digits * 10_u64.pow(power as u32)),
            -12..0 => {
                let unit = 10_u64.pow(-power as u32);
                let places = -power as usize;
                write!(f, "{}.{:0places$}", digits / unit, digits % unit)
            }
            _ => write!(f, "{digits}e{power}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn numbers_are_written_as_people_write_them() {
        let said = |value: f64| Decimal(value).to_string();
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (0.1_f32.into(), "0.1"),
            (0.001, "0.001"),
            (123_456.0, "123456"),
            (1_000_000.0, "1000000"),
            (9_999_999.6, "10000000"),
            (0.123_456_7, "0.1234567"),
            (0.099_999_999_9, "0.1"),
            (1e20, "1e20"),
            (1.5e-20, "15e-21"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "NaN"),
        ];
        for (value, text) in cases {
            assert_eq!(said(value), text);
        }
    }
}
