//! A scene file as it is written: tables, keys and their types, nothing worked out yet.
//!
//! Unknown keys are errors, so that a slip of the pen is found; every key but a model's `file` may be left out.

use serde::Deserialize;
use toml::Spanned;

use super::Color;
use super::number::{Amount, Angle, Finite, Positive, Share};

/// Three numbers.
pub(super) type Triple = [Finite; 3];

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SceneFile {
    #[serde(default)]
    pub(super) model: Vec<Model>,
    #[serde(default)]
    pub(super) light: Vec<Light>,
    pub(super) ambient: Option<Ambient>,
    pub(super) sky: Option<Sky>,
    pub(super) theme: Option<Spanned<String>>,
    pub(super) environment: Option<Environment>,
    pub(super) background: Option<Spanned<String>>,
    pub(super) fog: Option<Fog>,
    pub(super) terrain: Option<Terrain>,
    pub(super) floor: Option<Floor>,
    pub(super) camera: Option<Spanned<Camera>>,
    pub(super) exposure: Option<Positive>,
    pub(super) tone: Option<Spanned<String>>,
    pub(super) occlusion: Option<Spanned<String>>,
    pub(super) reflection: Option<Share>,
    pub(super) shadows: Option<Share>,
}

/// `[[model]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    pub(super) file: Spanned<String>,
    #[serde(default)]
    pub(super) anim: Vec<Spanned<String>>,
    pub(super) name: Option<String>,
    pub(super) clip: Option<Spanned<Clip>>,
    pub(super) variant: Option<Spanned<String>>,
    pub(super) start: Option<Finite>,
    pub(super) speed: Option<Finite>,
    #[serde(default)]
    pub(super) lights: bool,
    #[serde(default)]
    pub(super) scenery: bool,
    pub(super) position: Option<Triple>,
    pub(super) rotation: Option<Triple>,
    pub(super) scale: Option<Scale>,
}

/// A clip, by number or name.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a clip's name or number")]
pub(super) enum Clip {
    Number(usize),
    Name(String),
}

/// The same for all directions, or one for each.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number, or three, none of them 0")]
pub(super) enum Scale {
    Even(Finite),
    Each(Triple),
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum LightKind {
    #[serde(alias = "sun")]
    Directional,
    Point,
    Spot,
}

/// `[[light]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Light {
    pub(super) kind: LightKind,
    pub(super) direction: Option<Triple>,
    pub(super) position: Option<Triple>,
    pub(super) color: Option<Color>,
    pub(super) intensity: Option<Amount>,
    pub(super) range: Option<Positive>,
    pub(super) inner: Option<Angle>,
    pub(super) outer: Option<Angle>,
}

/// `[ambient]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ambient {
    pub(super) color: Option<Color>,
    pub(super) strength: Option<Amount>,
}

/// `[sky]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sky {
    #[serde(alias = "picture")]
    pub(super) image: Option<Spanned<String>>,
    pub(super) zenith: Option<Color>,
    pub(super) horizon: Option<Color>,
    pub(super) ground: Option<Color>,
    pub(super) sun: Option<Triple>,
    pub(super) sun_color: Option<Color>,
    pub(super) strength: Option<Amount>,
}

/// `[environment]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Environment {
    pub(super) file: Spanned<String>,
    pub(super) strength: Option<Amount>,
    /// In degrees about Y.
    pub(super) rotation: Option<Finite>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FogKind {
    Linear,
    Exponential,
    ExponentialSquared,
}

/// `[fog]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fog {
    pub(super) kind: FogKind,
    pub(super) color: Option<Color>,
    pub(super) start: Option<Amount>,
    pub(super) end: Option<Positive>,
    pub(super) density: Option<Amount>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shape {
    Flat,
    Hills,
    Dunes,
}

/// `[terrain]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Terrain {
    pub(super) file: Option<Spanned<String>>,
    pub(super) shape: Option<Shape>,
    pub(super) size: Option<Positive>,
    pub(super) height: Option<Amount>,
    pub(super) color: Option<Color>,
    pub(super) position: Option<Triple>,
    pub(super) rotation: Option<Triple>,
    pub(super) scale: Option<Scale>,
}

/// `[floor]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Floor {
    #[serde(default)]
    pub(super) grid: bool,
    #[serde(default)]
    pub(super) shadow: bool,
    pub(super) height: Option<Finite>,
    pub(super) cell: Option<Positive>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum View {
    ThreeQuarter,
    Front,
    Side,
    Back,
    Top,
}

/// `[camera]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Camera {
    pub(super) view: Option<View>,
    #[serde(alias = "eye")]
    pub(super) position: Option<Triple>,
    pub(super) look_at: Option<Triple>,
    pub(super) fov: Option<Angle>,
}
