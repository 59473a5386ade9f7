//! What a person may ask of `sinew render`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use sinew::film;
use sinew::glam::Vec3;
use sinew::render::{Background, MissingImages, Occlusion, Tone, View};
use sinew::stage::{Color, Follow, Subject, Theme};

use super::pass::Pass;
use crate::args::Model;

#[derive(Debug, clap::Args)]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) model: Model,
    /// Where to write: `.png`, `.apng`, `.gif` or `.mp4`; `-` for standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) out: PathBuf,
    /// What to write where the name does not tell.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Kind>,
    /// The clip, by number (from 0) or name; `none` for the rest pose. Without it, the first.
    #[arg(long, value_name = "NAME|INDEX")]
    pub(crate) clip: Option<String>,
    /// Play a graph instead of a clip: a .toml, .ron or .json file. Without --seconds, four of them.
    #[arg(long, value_name = "FILE", conflicts_with = "clip")]
    pub(crate) graph: Option<PathBuf>,
    /// Set a parameter of the graph: a number, true or false. May be given several times.
    #[arg(long, value_name = "NAME=VALUE", requires = "graph")]
    pub(crate) set: Vec<String>,
    /// Seconds from the clip's start; where a moving image begins.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = finite)]
    pub(crate) at: Option<f64>,
    /// Width and height in pixels; of one cell where there is a sheet. 640x480 without it.
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    pub(crate) size: Option<Size>,
    /// Frames a second: 30 without it, 25 for a GIF.
    #[arg(long, value_parser = above_zero)]
    pub(crate) fps: Option<f64>,
    /// How long a moving image or a sheet lasts: the whole clip without it.
    #[arg(long, value_parser = above_zero)]
    pub(crate) seconds: Option<f64>,
    /// Go once around the model.
    #[arg(long)]
    pub(crate) turntable: bool,
    /// A contact sheet over time: columns and rows.
    #[arg(long, value_name = "COLUMNSxROWS")]
    pub(crate) sheet: Option<Size>,
    /// From where to look: front, side, back, top, three-quarter, or own (the file's camera); and at what: full,
    /// portrait, hands, joint:NAME. Both with a comma: front,portrait.
    #[arg(long, value_name = "VIEW|SUBJECT", conflicts_with = "eye")]
    pub(crate) camera: Option<CameraChoice>,
    /// Whether the camera goes along with the character in a film or a sheet: auto, hips or none.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub(crate) follow: Follow,
    /// Where the camera is, in metres.
    #[arg(long, value_name = "X,Y,Z", requires = "look_at", allow_hyphen_values = true)]
    pub(crate) eye: Option<Point>,
    /// What the camera looks at, in metres.
    #[arg(long, value_name = "X,Y,Z", requires = "eye", allow_hyphen_values = true)]
    pub(crate) look_at: Option<Point>,
    /// The camera's vertical angle.
    #[arg(long, value_name = "DEGREES", value_parser = angle)]
    pub(crate) fov: Option<f32>,
    /// The studio: dark or light. Without it, dark; a scene file may have a place of its own.
    #[arg(long, value_name = "THEME")]
    pub(crate) theme: Option<Theme>,
    /// A colour (a name or #rrggbb), `transparent` or `sky`.
    #[arg(long)]
    pub(crate) background: Option<Behind>,
    /// What to draw over the model: skeleton, axes, names, path, path:JOINT, weights:JOINT, wireframe,
    /// normals, bounds, grid.
    #[arg(long, value_name = "WHAT,…", value_delimiter = ',')]
    pub(crate) show: Vec<Show>,
    /// Numbers instead of colours, as .png or .exr: depth, normal, id or weights:JOINT.
    #[arg(long, value_name = "WHAT")]
    pub(crate) pass: Option<Pass>,
    /// Motion blur: how long the shutter is open, in degrees of a frame; 180 is usual for films.
    #[arg(long, value_name = "DEGREES", value_parser = shutter)]
    pub(crate) shutter: Option<f64>,
    /// Images that are mixed into one frame while the shutter is open.
    #[arg(long, value_name = "COUNT", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) samples: u32,
    /// Draw so many times larger, then make it smaller: smoother edges.
    #[arg(long, value_name = "TIMES", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub(crate) supersample: u32,
    /// What is drawn where an image is missing: a quiet surface, or a loud one.
    #[arg(long, value_enum, default_value_t = Missing::Neutral)]
    pub(crate) missing: Missing,
    /// Which of the file's material variants is drawn, by name; `sinew info` lists them.
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
    /// One more model that stands still. May be given several times.
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    /// Which lamps shine: our own, those in the file, both or none. Without it our own, and none with --environment.
    #[arg(long, value_enum)]
    pub(crate) lights: Option<Lights>,
    /// Light from an image all around: a Radiance .hdr, an .exr, or any image. It is seen where the background is sky.
    #[arg(long, value_name = "FILE")]
    pub(crate) environment: Option<PathBuf>,
    /// How far the environment is turned about the vertical, in degrees.
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true, value_parser = finite, requires = "environment")]
    pub(crate) environment_rotation: Option<f64>,
    /// Times all light: 1 without it.
    #[arg(long, value_parser = above_zero)]
    pub(crate) exposure: Option<f64>,
    /// How bright light becomes what a screen can show: none (cut at white), neutral, aces or agx. Without it, neutral.
    #[arg(long, value_name = "CURVE")]
    pub(crate) tone: Option<Tone>,
    /// How finely parts of a scene hide the environment's light from each other: off, draft, normal or high. Without it, normal; half of that in the studio.
    #[arg(long, value_name = "QUALITY")]
    pub(crate) occlusion: Option<Occlusion>,
    /// How much of a mirror the floor is, from 0 to 1. Without it the studio's is faint, and there is none elsewhere.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) reflection: Option<f32>,
    /// How dark the shadows of the main lamp are, from 0 for none to 1. Without it, as the studio or the scene file has it.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) shadows: Option<f32>,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Png,
    Apng,
    Gif,
    Mp4,
}

impl Kind {
    /// As a film; a film of PNGs is an APNG.
    pub(crate) fn of_film(self) -> film::Kind {
        match self {
            Self::Png | Self::Apng => film::Kind::Apng,
            Self::Gif => film::Kind::Gif,
            Self::Mp4 => film::Kind::Mp4,
        }
    }
}

/// From where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Viewpoint {
    Front,
    Side,
    Back,
    Top,
    ThreeQuarter,
    /// The first camera in the file.
    Own,
}

impl Viewpoint {
    /// The standard view; `None` for the file's own.
    pub(crate) fn view(self) -> Option<View> {
        match self {
            Self::Front => Some(View::Front),
            Self::Side => Some(View::Side),
            Self::Back => Some(View::Back),
            Self::Top => Some(View::Top),
            Self::ThreeQuarter => Some(View::ThreeQuarter),
            Self::Own => None,
        }
    }
}

/// From where to look, and at what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CameraChoice {
    pub(crate) viewpoint: Option<Viewpoint>,
    pub(crate) subject: Subject,
}

impl FromStr for CameraChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut choice = Self::default();
        // The name of a joint may have commas of its own, so it comes last.
        let (words, joint) = match text.find("joint:") {
            Some(at) => (&text[..at], Some(&text[at..])),
            None => (text, None),
        };
        for word in words.split(',').chain(joint).map(str::trim).filter(|word| !word.is_empty()) {
            match Viewpoint::from_str(word, true) {
                Ok(viewpoint) => choice.viewpoint = Some(viewpoint),
                Err(_) => {
                    choice.subject = word.parse().map_err(|_| {
                        format!(
                            "expected front, side, back, top, three-quarter or own, and full, portrait, hands or joint:NAME, found \"{word}\""
                        )
                    })?;
                }
            }
        }
        Ok(choice)
    }
}

/// Which lights shine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lights {
    Studio,
    Own,
    Both,
    None,
}

/// What is drawn where an image is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Missing {
    /// The material's own colour.
    Neutral,
    /// Magenta and black.
    Checker,
}

impl Missing {
    pub(crate) fn images(self) -> MissingImages {
        match self {
            Self::Neutral => MissingImages::Neutral,
            Self::Checker => MissingImages::Checker,
        }
    }
}

/// Width and height, or columns and rows; neither is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once(['x', 'X', '×']);
        let sides = sides.and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        match sides {
            Some((0, _) | (_, 0)) => Err("expected neither number to be 0".into()),
            Some((width, height)) => Ok(Self { width, height }),
            None => Err("expected two numbers with an x between them, like 640x480".into()),
        }
    }
}

/// A place in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point(pub(crate) Vec3);

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<f32>> = text
            .split(',')
            .map(|part| part.trim().parse().ok().filter(|n: &f32| n.is_finite()))
            .collect();
        match numbers.as_deref() {
            Some(&[x, y, z]) => Ok(Self(Vec3::new(x, y, z))),
            _ => Err("expected three numbers with commas between them, like 0,1.5,-4".into()),
        }
    }
}

/// What is behind everything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Behind(pub(crate) Background);

impl FromStr for Behind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "sky" => Ok(Self(Background::Sky(1.0))),
            "transparent" | "none" => Ok(Self(Background::Transparent)),
            color => match color.parse() {
                Ok(Color(color)) => Ok(Self(Background::Color(color))),
                Err(error) => Err(format!("{error}, sky or transparent")),
            },
        }
    }
}

/// What is drawn over a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    Skeleton,
    Axes,
    Names,
    /// The way of a joint over the floor; of the root where none is named.
    Path(Option<String>),
    Weights(String),
    Wireframe,
    Normals,
    Bounds,
    Grid,
}

impl FromStr for Show {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "skeleton" => Ok(Self::Skeleton),
            "axes" => Ok(Self::Axes),
            "names" => Ok(Self::Names),
            "path" => Ok(Self::Path(None)),
            "wireframe" => Ok(Self::Wireframe),
            "normals" => Ok(Self::Normals),
            "bounds" => Ok(Self::Bounds),
            "grid" => Ok(Self::Grid),
            other => match other.split_once(':') {
                Some(("weights", joint)) if !joint.is_empty() => {
                    Ok(Self::Weights(joint.to_owned()))
                }
                Some(("path", joint)) if !joint.is_empty() => {
                    Ok(Self::Path(Some(joint.to_owned())))
                }
                _ => Err(
                    "expected skeleton, axes, names, path, path:JOINT, weights:JOINT, wireframe, normals, bounds or grid"
                        .into(),
                ),
            },
        }
    }
}

fn finite(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "expected a number of seconds".into())
}

pub(crate) fn above_zero(text: &str) -> Result<f64, String> {
    finite(text)
        .ok()
        .filter(|number| *number > 0.0)
        .ok_or_else(|| "expected a number above 0".into())
}

fn shutter(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|degrees: &f64| (0.0..=360.0).contains(degrees));
    number.ok_or_else(|| "expected degrees from 0 to 360".into())
}

fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|share: &f32| (0.0..=1.0).contains(share));
    number.ok_or_else(|| "expected a number from 0 to 1".into())
}

fn angle(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|degrees: &f32| *degrees > 0.0 && *degrees < 180.0);
    number.ok_or_else(|| "expected degrees between 0 and 180".into())
}
