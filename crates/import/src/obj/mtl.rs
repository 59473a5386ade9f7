//! The statements of an `.mtl` library.
//!
//! In:  the text. Out: surfaces by name, with the images they name, as filed.

use glam::{Vec2, Vec3};

use crate::text::{Text, name};

/// A surface as filed; what the file leaves out is `None`.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    pub(super) name: String,
    pub(super) diffuse: Option<Vec3>,
    pub(super) specular: Option<Vec3>,
    pub(super) shininess: Option<f32>,
    pub(super) opacity: Option<f32>,
    pub(super) transparency: Option<f32>,
    pub(super) emissive: Option<Vec3>,
    pub(super) roughness: Option<f32>,
    pub(super) metallic: Option<f32>,
    pub(super) color_map: Option<Map>,
    pub(super) alpha_map: Option<Map>,
    pub(super) emissive_map: Option<Map>,
    pub(super) normal_map: Option<Map>,
    pub(super) roughness_map: Option<Map>,
    pub(super) metallic_map: Option<Map>,
}

/// A image as a surface uses it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Map {
    pub(super) file: String,
    pub(super) offset: Vec2,
    pub(super) scale: Vec2,
    pub(super) clamp: bool,
    /// How strong a bump is.
    pub(super) strength: f32,
}

pub(super) fn read(bytes: &[u8]) -> Vec<Surface> {
    let mut text = Text::new(bytes);
    let mut surfaces: Vec<Surface> = Vec::new();
    loop {
        text.skip_space();
        if text.peek().is_none() {
            return surfaces;
        }
        let mut line = Text::new(text.line());
        let word = line.word().unwrap_or_default().to_ascii_lowercase();
        if word == b"newmtl" {
            surfaces.push(Surface { name: name(line.line()), ..Surface::default() });
        } else if let Some(surface) = surfaces.last_mut() {
            statement(surface, &word, &mut line);
        }
    }
}

fn statement(surface: &mut Surface, word: &[u8], line: &mut Text<'_>) {
    let s = surface;
    match word {
        b"kd" => s.diffuse = color(line),
        b"ks" => s.specular = color(line),
        b"ke" => s.emissive = color(line),
        b"ns" => s.shininess = number(line),
        b"d" => s.opacity = number(line),
        b"tr" => s.transparency = number(line),
        b"pr" => s.roughness = number(line),
        b"pm" => s.metallic = number(line),
        b"map_kd" => s.color_map = map(line),
        b"map_d" | b"map_tr" => s.alpha_map = map(line),
        b"map_ke" => s.emissive_map = map(line),
        b"norm" | b"map_kn" => s.normal_map = map(line),
        // A true normal map is the better of the two.
        b"bump" | b"map_bump" => s.normal_map = s.normal_map.take().or_else(|| map(line)),
        b"map_pr" => s.roughness_map = map(line),
        b"map_pm" => s.metallic_map = map(line),
        _ => {}
    }
}

/// The first number, after options such as `-halo`.
fn number(line: &mut Text<'_>) -> Option<f32> {
    line.skip_space();
    if line.peek() == Some(b'-') && line.clone().number().is_none() {
        line.word();
    }
    line.number().filter(|number| number.is_finite())
}

/// Three numbers, or one for all three.
fn color(line: &mut Text<'_>) -> Option<Vec3> {
    let red = number(line)?;
    let green = number(line).unwrap_or(red);
    let blue = number(line).unwrap_or(green);
    Some(Vec3::new(red, green, blue))
}

/// Options, then the name of a file, which may have spaces.
fn map(line: &mut Text<'_>) -> Option<Map> {
    let mut map = Map {
        file: String::new(),
        offset: Vec2::ZERO,
        scale: Vec2::ONE,
        clamp: false,
        strength: 1.0,
    };
    loop {
        line.skip_space();
        let before = line.clone();
        match line.word().map(<[u8]>::to_ascii_lowercase).as_deref() {
            Some(b"-o") => map.offset = pair(line, map.offset),
            Some(b"-s") => map.scale = pair(line, map.scale),
            Some(b"-t") => {
                pair(line, Vec2::ZERO);
            }
            Some(b"-bm") => map.strength = number(line).unwrap_or(1.0),
            Some(b"-clamp") => map.clamp = line.word() == Some(b"on"),
            Some(b"-mm") => {
                number(line);
                number(line);
            }
            Some(
                b"-blendu" | b"-blendv" | b"-cc" | b"-imfchan" | b"-boost" | b"-texres" | b"-type",
            ) => {
                line.word();
            }
            _ => {
                *line = before;
                break;
            }
        }
    }
    map.file = name(line.line());
    (!map.file.is_empty()).then_some(map)
}

/// One to three numbers, of which two are of use.
fn pair(line: &mut Text<'_>, usual: Vec2) -> Vec2 {
    let finite = |number: f32, usual: f32| if number.is_finite() { number } else { usual };
    let x = line.number().map_or(usual.x, |x| finite(x, usual.x));
    let y = line.number().map_or(usual.y, |y| finite(y, usual.y));
    line.number();
    Vec2::new(x, y)
}
