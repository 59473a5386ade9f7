//! What a person may ask of `sinew diff`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use sinew::compare::{Alignment, CompareOptions, Placement};

use crate::render::Size;
use crate::render::args::Viewpoint;

pub(crate) const EXAMPLES: &str = "\
Examples:
  sinew diff before.fbx after.glb                           every clip: at the skin, joints, root, speed
  sinew diff before.glb after.glb --max 0.5mm               exit code 1 where the skin is farther off
  sinew diff before.glb after.glb --clip walk=Walk --max-angle 1deg --max-joint '*Hand*=0.2mm'
  sinew diff hero.glb walk.sinewclip                        a packed clip, on the model it was packed from
  sinew diff walk.bvh hero.glb --map hero.toml --align root,scale
  sinew diff before.glb after.glb -o heat.png               where it differs, on the model
  sinew diff before.glb after.glb -o heat.mp4               and when
  sinew diff old/ new/ --max 0.1mm --junit diff.xml         every file of two folders

Exit code: 0 within the limits, 1 over, 2 not readable or wrong usage. Without --max, --max-angle and --max-joint the limit
is 0.1 mm at the skin, or at the joints of models without a skin.";

#[derive(Debug, clap::Args)]
pub(crate) struct Diff {
    /// The reference: a file, a folder, a pattern like 'old/**/*.fbx', or built in: `ossi`, `demo`.
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// What is compared with it. A packed clip is played on the model of A.
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// Compare this clip alone: a name, a number (from 0), or two of them as A=B. May be given several times.
    #[arg(long, value_name = "A=B")]
    pub(crate) clip: Vec<Pair>,
    /// Pair joints whose names differ: A=B, or a file with such lines or with the map that `sinew retarget` writes. May be given several times.
    #[arg(long, value_name = "A=B|FILE")]
    pub(crate) map: Vec<String>,
    /// The most that a vertex may be off, with its unit, as 0.5mm; a joint, where not both have meshes.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    pub(crate) max: Option<f64>,
    /// The most that a joint may be rotated off, as 1deg.
    #[arg(long, value_name = "ANGLE", value_parser = angle)]
    pub(crate) max_angle: Option<f64>,
    /// The most that some joints may be off, as 'Hand*=0.2mm'. May be given several times.
    #[arg(long, value_name = "JOINTS=LENGTH")]
    pub(crate) max_joint: Vec<JointLimit>,
    /// Which differences of structure count: none, clips and meshes that are lost and lengths of clips, or any.
    #[arg(long, value_enum, default_value_t = Structural::Lost)]
    pub(crate) structure: Structural,
    /// Move B first: its root onto that of A all the time, or at the start; scale it to the size of A.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "none")]
    pub(crate) align: Vec<Align>,
    /// Samples a second, besides all keys.
    #[arg(long, value_name = "HZ", default_value_t = 60.0)]
    pub(crate) rate: f64,
    /// Draw the differences on the model of A: a .png of the worst moment, or a film: .gif, .apng, .mp4. The hottest colour is the limit of --max, or else the worst that there is.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) out: Option<PathBuf>,
    /// Width and height of that image in pixels.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x720")]
    pub(crate) size: Size,
    /// From where to look.
    #[arg(long, value_enum, value_name = "VIEW", default_value = "three-quarter")]
    pub(crate) camera: Viewpoint,
    /// Add the clips of another file to A. May be given several times.
    #[arg(long, value_name = "FILE")]
    pub(crate) anim_a: Vec<PathBuf>,
    /// Add the clips of another file to B. May be given several times.
    #[arg(long, value_name = "FILE")]
    pub(crate) anim_b: Vec<PathBuf>,
    /// A folder outside of a model's own that it may read companions from. May be given several times.
    #[arg(long, value_name = "DIR")]
    pub(crate) allow: Vec<PathBuf>,
    /// As JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a JUnit report as well: a test case for every clip.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

impl Diff {
    /// What is asked of the library.
    pub(crate) fn options(
        &self,
        clips: Vec<(String, String)>,
        joints: Vec<(String, String)>,
    ) -> CompareOptions {
        let placement = if self.align.contains(&Align::Root) {
            Placement::Root
        } else if self.align.contains(&Align::Start) {
            Placement::Start
        } else {
            Placement::None
        };
        CompareOptions {
            rate: self.rate,
            clips,
            joints,
            align: Alignment { placement, scale: self.align.contains(&Align::Scale) },
            keep_vertices: self.out.is_some(),
            worst_only: false,
            worst_of_all_below: 0.0,
        }
    }
}

/// What is made equal first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Align {
    None,
    Root,
    Start,
    Scale,
}

/// Which differences of structure count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Structural {
    None,
    Lost,
    Any,
}

/// Two names, or one for both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) a: String,
    pub(crate) b: String,
}

impl FromStr for Pair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (a, b) = text.split_once('=').unwrap_or((text, text));
        if a.is_empty() || b.is_empty() {
            return Err("expected a name, or two with = between them".into());
        }
        Ok(Self { a: a.to_owned(), b: b.to_owned() })
    }
}

/// How far joints of some names may be off.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointLimit {
    pub(crate) joints: String,
    /// In metres.
    pub(crate) most: f64,
}

impl FromStr for JointLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (joints, most) =
            text.rsplit_once('=').ok_or("expected joints and a length, as 'Hand*=0.2mm'")?;
        Ok(Self { joints: joints.to_owned(), most: length(most)? })
    }
}

/// A length with its unit, in metres; 0 needs none.
fn length(text: &str) -> Result<f64, String> {
    let units = [("um", 1e-6), ("mm", 1e-3), ("cm", 1e-2), ("m", 1.0)];
    number(text, &units)
        .ok_or_else(|| "expected a length with its unit, as 0.5mm, 1cm, 0.001m or 0".into())
}

/// An angle with its unit, in degrees; 0 needs none.
fn angle(text: &str) -> Result<f64, String> {
    let units = [("deg", 1.0), ("°", 1.0), ("rad", 180.0 / std::f64::consts::PI)];
    number(text, &units).ok_or_else(|| "expected an angle with its unit, as 1deg or 0.01rad".into())
}

fn number(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    let found = units.iter().find_map(|(unit, worth)| {
        let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        Some(number * worth)
    });
    let found = found.or_else(|| text.parse().ok().filter(|number: &f64| *number == 0.0));
    found.filter(|found| *found >= 0.0 && found.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_angles_have_units() {
        assert_eq!((length("0.5mm"), length("2 cm"), length("0")), (Ok(5e-4), Ok(0.02), Ok(0.0)));
        assert_eq!((angle("1deg"), angle("2°")), (Ok(1.0), Ok(2.0)));
        assert!((angle("0.1rad").expect("an angle") - 5.729_577_951).abs() < 1e-6);
        for bad in ["", "1", "mm", "-1mm", "nanmm", "infm", "1km", "1deg"] {
            assert!(length(bad).is_err(), "{bad}");
        }
        for bad in ["", "1", "deg", "-1deg", "1mm"] {
            assert!(angle(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn joints_have_a_limit_after_the_last_equals_sign() {
        let limit: JointLimit = "a=b*=0.2mm".parse().expect("a limit");
        assert_eq!((&limit.joints[..], limit.most), ("a=b*", 2e-4));
        assert!("Hand*".parse::<JointLimit>().is_err());
        assert!("Hand*=2".parse::<JointLimit>().is_err());
    }

    #[test]
    fn a_clip_alone_is_the_same_in_both() {
        let pair = |text: &str| text.parse::<Pair>().map(|pair| (pair.a, pair.b));
        assert_eq!(pair("walk=Walk"), Ok(("walk".into(), "Walk".into())));
        assert_eq!(pair("walk"), Ok(("walk".into(), "walk".into())));
        assert!(pair("=walk").is_err());
    }
}
