//! What a person may ask of `sinew crowd`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use sinew::crowd::Detail;

use crate::args::Model;
use crate::pack::length;
use crate::render::Size;

pub(crate) const EXAMPLES: &str = "\
Levels of detail: --detail 2:10cm poses a character every second frame and leaves joints at rest from which no bone
reaches 10 cm. Characters stand in line by their distance from the camera, and each level, the full one first, gets as many
of them. The error of a level is stated for any time, and measured over 60 frames beside a crowd at full detail.

Examples:
  sinew crowd -o crowd.png                              a thousand of the built-in character
  sinew crowd hero.glb --anim run.fbx -o heroes.png --count 5000 --size 1920x1080
  sinew crowd hero.glb --on cpu --detail 2:10cm --detail 4:30cm    what levels of detail cost and spare
  sinew crowd hero.glb --deterministic                  a checksum to compare with another machine's
  sinew crowd --count 100000 --json | jq .pose_ms";

#[derive(Debug, clap::Args)]
pub(crate) struct Crowd {
    /// The model: a file, `-` for standard input, or built in: `ossi`, `demo`. Ossi without it.
    file: Option<PathBuf>,
    /// Where to draw the crowd: a `.png`, or `-` for standard output. Without it nothing is drawn.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) out: Option<PathBuf>,
    /// How many characters.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: u64,
    /// Who poses them. The GPU without it; the processor where levels of detail or the same bits are asked for.
    #[arg(long, value_enum)]
    pub(crate) on: Option<On>,
    /// Let so many seconds pass first.
    #[arg(long, value_name = "SECONDS", default_value = "0", allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) time: f32,
    /// How far, in pixels, a mesh drawn with fewer triangles may be from the whole one; 0 draws whole meshes alone.
    #[arg(long, value_name = "PIXELS", default_value = "1", value_parser = pixels)]
    pub(crate) pixel_error: f32,
    /// Width and height of the image in pixels.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x540")]
    pub(crate) size: Size,
    /// How far the sampled clips may stray from the clips: a length with its unit, as 0.1mm.
    #[arg(long, value_name = "LENGTH", default_value = "0.1mm", value_parser = length)]
    pub(crate) error: f32,
    /// One more level of detail, for who is farther from the camera: posed once in so many frames, without joints that
    /// reach less far. May be given several times.
    #[arg(long, value_name = "EVERY:REACH")]
    pub(crate) detail: Vec<Level>,
    /// The same bits on every machine; prints a checksum of all matrices.
    #[arg(long)]
    pub(crate) deterministic: bool,
    /// As JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Add the clips of another file, bound to joints by name, or retargeted where names do not bind. May be given several times.
    #[arg(long, value_name = "FILE")]
    anim: Vec<PathBuf>,
    /// Retarget the clips of --anim by this joint map, as `sinew retarget` writes it.
    #[arg(long, value_name = "FILE", requires = "anim", conflicts_with = "no_retarget")]
    map: Option<PathBuf>,
    /// Bind the clips of --anim by name or not at all.
    #[arg(long, requires = "anim")]
    no_retarget: bool,
    /// Which of a glTF file's scenes to take, counted from 0.
    #[arg(long, value_name = "INDEX")]
    scene: Option<usize>,
    /// A folder outside of the model's own that it may read companions from. May be given several times.
    #[arg(long, value_name = "DIR")]
    allow: Vec<PathBuf>,
    /// What one unit of the file is: m, cm, mm, in, ft, or a number of metres; in place of what the file says or its size suggests.
    #[arg(long, value_name = "UNIT", value_parser = crate::args::unit)]
    unit: Option<f32>,
}

impl Crowd {
    pub(crate) fn model(&self) -> Model {
        Model {
            file: self.file.clone().unwrap_or_else(|| "ossi".into()),
            anim: self.anim.clone(),
            map: self.map.clone(),
            no_retarget: self.no_retarget,
            scene: self.scene,
            allow: self.allow.clone(),
            unit: self.unit,
        }
    }
}

/// Who poses a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum On {
    Gpu,
    Cpu,
}

/// A level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Level(pub(crate) Detail);

/// More frames than this between two poses are no level of detail.
const RAREST: u32 = 1000;

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once([':', ',']);
        let found = parts.and_then(|(every, reach)| {
            let every = every.trim().parse().ok().filter(|every| (1..=RAREST).contains(every))?;
            let reach = match reach.trim() {
                "0" => 0.0,
                reach => length(reach).ok()?,
            };
            Some(Self(Detail { every, reach }))
        });
        found.ok_or_else(|| {
            format!(
                "expected frames (1 to {RAREST}) and a length, as 2:10cm, or 2:0 for every joint"
            )
        })
    }
}

fn pixels(text: &str) -> Result<f32, String> {
    let found = text.parse().ok().filter(|number: &f32| (0.0..=1000.0).contains(number));
    found.ok_or_else(|| "expected a number of pixels from 0 to 1000".to_owned())
}

fn seconds(text: &str) -> Result<f32, String> {
    let found = text.trim().parse().ok().filter(|seconds: &f32| seconds.is_finite());
    found.ok_or_else(|| "expected a number of seconds".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_frames_and_a_length() {
        let level = |every, reach| Ok(Level(Detail { every, reach }));
        assert_eq!("2:10cm".parse(), level(2, 0.1));
        assert_eq!("4, 0.3m".parse(), level(4, 0.3));
        assert_eq!("3:0".parse(), level(3, 0.0));
        for bad in ["", "2", ":", "0:1cm", "1001:1cm", "-1:1cm", "2:1", "2:-1cm", "2:nanm", "x:1m"]
        {
            assert!(bad.parse::<Level>().is_err(), "{bad}");
        }
    }
}
