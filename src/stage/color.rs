//! Colours as people write them: a name, `#rrggbb`, or three linear numbers.

use std::fmt;
use std::str::FromStr;

use glam::Vec3;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};

use super::number::Finite;

/// A linear colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color(pub Vec3);

/// Not a colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorError(String);

impl fmt::Display for ColorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        write!(
            f,
            "expected a colour (#rrggbb or one of {}), found \"{}\"",
            names.join(", "),
            self.0
        )
    }
}

impl std::error::Error for ColorError {}

/// The basic colours of CSS, as sRGB.
const NAMES: &[(&str, u32)] = &[
    ("black", 0x00_0000),
    ("gray", 0x80_8080),
    ("silver", 0xc0_c0c0),
    ("white", 0xff_ffff),
    ("red", 0xff_0000),
    ("maroon", 0x80_0000),
    ("orange", 0xff_a500),
    ("yellow", 0xff_ff00),
    ("olive", 0x80_8000),
    ("lime", 0x00_ff00),
    ("green", 0x00_8000),
    ("aqua", 0x00_ffff),
    ("teal", 0x00_8080),
    ("blue", 0x00_00ff),
    ("navy", 0x00_0080),
    ("fuchsia", 0xff_00ff),
    ("purple", 0x80_0080),
];

impl Color {
    /// From sRGB, as `0xrrggbb`.
    #[must_use]
    pub fn srgb(hex: u32) -> Self {
        let channel = |shift: u32| linear(((hex >> shift) & 0xff) as f32 / 255.0);
        Self(Vec3::new(channel(16), channel(8), channel(0)))
    }
}

/// Light from an sRGB number, both from 0 to 1 (IEC 61966-2-1).
fn linear(value: f32) -> f32 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

impl FromStr for Color {
    type Err = ColorError;

    fn from_str(text: &str) -> Result<Self, ColorError> {
        let word = text.trim().to_ascii_lowercase().replace("grey", "gray");
        let named = NAMES.iter().find(|(name, _)| *name == word).map(|(_, hex)| *hex);
        let hex = named.or_else(|| from_hex(word.strip_prefix('#').unwrap_or(&word)));
        hex.map(Self::srgb).ok_or_else(|| ColorError(text.chars().take(40).collect()))
    }
}

/// `rrggbb`, or `rgb` with each digit meant twice.
fn from_hex(digits: &str) -> Option<u32> {
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    match digits.len() {
        6 => Some(value),
        3 => Some(((value & 0xf00) << 8 | (value & 0xf0) << 4 | (value & 0xf)) * 0x11),
        _ => None,
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Color;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a colour: a name, \"#rrggbb\", or three linear numbers")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Color, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Color, A::Error> {
        let mut channels = [0.0; 3];
        for (index, channel) in channels.iter_mut().enumerate() {
            let number: Finite =
                list.next_element()?.ok_or_else(|| de::Error::invalid_length(index, &self))?;
            if number.0 < 0.0 {
                return Err(de::Error::custom("expected a colour's numbers to be 0 or more"));
            }
            *channel = number.0;
        }
        if list.next_element::<de::IgnoredAny>()?.is_some() {
            return Err(de::Error::invalid_length(4, &self));
        }
        Ok(Color(Vec3::from_array(channels)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_hex_digits_are_linear_colours() {
        let parse = |text: &str| text.parse::<Color>().map(|color| color.0);
        assert_eq!(parse("white"), Ok(Vec3::ONE));
        assert_eq!(parse("#F00"), Ok(Vec3::X));
        assert_eq!(parse("00ff00"), Ok(Vec3::Y));
        // (188 / 255 + 0.055) / 1.055 to the power of 2.4 is 0.5029.
        let half = parse("#bcbcbc").expect("a colour");
        assert!(half.abs_diff_eq(Vec3::splat(0.5029), 1e-4), "{half}");
        assert_eq!(parse("Grey"), parse("#808080"));
    }

    #[test]
    fn what_is_no_colour_is_said_with_what_would_be() {
        for text in ["", "#12345", "reddish", "#12345é", "#-12345"] {
            let error = text.parse::<Color>().expect_err(text).to_string();
            assert!(error.contains("#rrggbb") && error.contains(text), "{error}");
        }
    }
}
