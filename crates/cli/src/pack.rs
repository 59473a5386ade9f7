//! `sinew pack`: clips made small, with a stated error at the skin.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use sinew::motion::evenly;
use sinew::pack::{Course, Options, Report, pack};
use sinew::{Clip, Scene, off_at_skin};

use crate::args::{Model, Talk};
use crate::eval::find_clip;
use crate::fault::Fault;
use crate::render::{Progress, save};
use crate::{model, output};

/// Times at which every vertex is compared.
const MOMENTS: usize = 100;

#[derive(Debug, clap::Args)]
pub(crate) struct Pack {
    #[command(flatten)]
    model: Model,
    /// Where to write. With several clips, `{clip}` stands for the name of each.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// The largest error at the skin: a length with its unit, as 0.1mm.
    #[arg(long, value_name = "LENGTH", default_value = "0.1mm", value_parser = length)]
    error: f32,
    /// Which clip, by number (from 0) or name; without it, all of them.
    #[arg(long, value_name = "NAME|INDEX")]
    clip: Option<String>,
    /// Measure so far from every joint, as 10cm, instead of where its vertices are.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    shell: Option<f32>,
    /// Frames a second; without it as few as the error allows.
    #[arg(long, value_name = "HZ")]
    rate: Option<f32>,
    /// Take the clip as it is at so many frames a second, straight between them, as other programs do: curves that move
    /// between frames are not followed there, and the file is far smaller.
    #[arg(long, value_name = "HZ")]
    sampled: Option<f32>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// A length with its unit, in metres.
fn length(text: &str) -> Result<f32, String> {
    let units = [("um", 1e-6), ("mm", 1e-3), ("cm", 1e-2), ("m", 1.0)];
    let found = units.iter().find_map(|(unit, metres)| {
        let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        Some((number * metres) as f32)
    });
    found
        .filter(|length| *length > 0.0 && length.is_finite())
        .ok_or_else(|| "expected a length above zero with its unit, as 0.1mm, 1cm or 0.001m".into())
}

pub(crate) fn run(args: &Pack, talk: Talk) -> Result<(), Fault> {
    for (name, rate) in [("--rate", args.rate), ("--sampled", args.sampled)] {
        if rate.is_some_and(|rate| !(rate > 0.0 && rate <= 1000.0)) {
            let expected = "expected between 0 and 1000 frames a second";
            return Err(Fault::Usage(format!("{name}: {expected}")));
        }
    }
    let scene = Arc::new(model::open(&args.model, talk)?.scene);
    let chosen: Vec<&Clip> = match &args.clip {
        Some(wanted) => vec![&scene.clips[find_clip(&scene, wanted)?]],
        None => scene.clips.iter().collect(),
    };
    if chosen.is_empty() {
        return Err(Fault::Work("the file has no clips to pack".into()));
    }
    let pattern = args.output.to_string_lossy().into_owned();
    if chosen.len() > 1 && !pattern.contains("{clip}") {
        return Err(Fault::Usage(format!(
            "the file has {} clips: choose one with --clip, or put {{clip}} in the name, as -o '{{clip}}.sinewclip'",
            chosen.len()
        )));
    }
    let options = Options { error: args.error, shell: args.shell, rate: args.rate };
    let mut rows = Vec::new();
    for (at, clip) in chosen.iter().enumerate() {
        let name = file_name(clip, at);
        let out = PathBuf::from(pattern.replace("{clip}", &name));
        let sampled = args.sampled.map(|rate| evenly(clip, rate));
        let clip = sampled.as_ref().unwrap_or(clip);
        rows.push((name, one(&scene, clip, &options, &out, talk)?));
    }
    output::write(|out| {
        for (name, row) in &rows {
            if args.json {
                json(out, name, row)?;
            } else {
                text(out, name, row)?;
            }
        }
        Ok(())
    })
}

/// The clip's name as a part of a file's; its number where it has none.
fn file_name(clip: &Clip, at: usize) -> String {
    let plain = |letter: char| {
        if letter.is_alphanumeric() || " -_.".contains(letter) { letter } else { '_' }
    };
    let name: String = clip.name.chars().map(plain).collect();
    if name.trim_matches(['.', ' ']).is_empty() { at.to_string() } else { name }
}

/// What is told of a clip: what came of packing it, and how far off its worst vertex is, in metres.
struct Row {
    report: Report,
    skin: Option<f32>,
}

fn one(
    scene: &Arc<Scene>,
    clip: &Clip,
    options: &Options,
    out: &Path,
    talk: Talk,
) -> Result<Row, Fault> {
    save::check(out)?;
    let progress = Mutex::new(Progress::new(100, talk == Talk::Quiet));
    let show = |share: f32| {
        if let Ok(mut progress) = progress.lock() {
            progress.show((share * 100.0) as usize);
        }
    };
    let (packed, report) = pack(scene, clip, options, &show)
        .map_err(|error| Fault::Work(format!("clip \"{}\": {error}", clip.name)))?;
    save::save(out, packed.bytes())?;
    let skin = off_at_skin(scene, clip, &packed, MOMENTS);
    Ok(Row { report, skin })
}

fn text(out: &mut Vec<u8>, name: &str, Row { report, skin }: &Row) -> std::io::Result<()> {
    let Report { bytes, raw, error, joint, rate, frames, segment, moving, constant, .. } = report;
    let way = match report.course {
        Course::Straight => "",
        Course::Smooth => ", a cubic through them",
        Course::Spans => ", a cubic through each four",
    };
    writeln!(out, "{name}")?;
    write!(out, "  size      {bytes} bytes, ")?;
    match *raw as f64 / *bytes as f64 {
        times if times >= 1.0 => writeln!(out, "{times:.1} times smaller than {raw} raw")?,
        _ => writeln!(out, "more than {raw} raw: so little is not worth packing")?,
    }
    writeln!(out, "  error     {:.4} mm at the skin, at node {joint:?}", error * 1000.0)?;
    if let Some(skin) = skin {
        writeln!(out, "  skin      {:.4} mm at the worst vertex", skin * 1000.0)?;
    }
    let even = if report.even { "" } else { " on average, denser where it moves more" };
    writeln!(
        out,
        "  frames    {frames} at {rate:.2} a second{even}{way}, in segments of {segment}"
    )?;
    writeln!(out, "  tracks    {moving} move, {constant} are constant, the others at rest")
}

fn json(out: &mut Vec<u8>, name: &str, Row { report, skin }: &Row) -> std::io::Result<()> {
    let value = serde_json::json!({
        "clip": name,
        "bytes": report.bytes,
        "raw_bytes": report.raw,
        "error_mm": report.error * 1000.0,
        "skin_mm": skin.map(|skin| skin * 1000.0),
        "worst_node": report.joint,
        "rate": report.rate,
        "frames": report.frames,
        "even": report.even,
        "course": match report.course {
            Course::Straight => "straight",
            Course::Smooth => "smooth",
            Course::Spans => "spans",
        },
        "segment": report.segment,
        "moving": report.moving,
        "constant": report.constant,
    });
    writeln!(out, "{value}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_has_a_unit() {
        assert_eq!(length("0.1mm"), Ok(1e-4));
        assert_eq!(length("10 cm"), Ok(0.1));
        assert_eq!(length("2m"), Ok(2.0));
        for bad in ["0.1", "mm", "-1mm", "0mm", "nanmm", "1km"] {
            assert!(length(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_clips_name_makes_a_files() {
        let named = |name: &str| Clip { name: name.into(), ..Clip::default() };
        assert_eq!(file_name(&named("Armature|Walk 1"), 3), "Armature_Walk 1");
        assert_eq!(file_name(&named(".."), 3), "3");
    }
}
