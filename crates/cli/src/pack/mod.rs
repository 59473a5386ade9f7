//! `sinew pack`: clips made small, with a stated error at the skin.
//!
//! In:  a model, and which of its clips; or a folder of models.
//! Out: a file for each, or none at all; sizes and measured errors on standard output.

mod folder;
mod names;
mod report;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use sinew::pack::{Options, Packed, pack};
use sinew::{Clip, Note, Scene, off_at_skin};

pub(crate) use self::names::outs;
pub(crate) use self::report::Frames;
use self::report::Row;
use crate::args::{Model, Talk};
use crate::eval::find_clip;
use crate::fault::Fault;
use crate::render::{Progress, save};
use crate::{model, output};

/// Times at which every vertex is compared.
const MOMENTS: usize = 100;
/// Notes that are told unasked.
const NOTES: usize = 12;
/// Words of notes that are about looks alone: told only with `-v`, for no clip is other for them.
const LOOKS: [&str; 6] = ["picture", "texture", "image", "bump map", "a material", "KHR_materials"];

#[derive(Debug, clap::Args)]
pub(crate) struct Pack {
    #[command(flatten)]
    model: Model,
    /// Where to write. With several clips, `{clip}` stands for the name of each; for a folder of models, a folder.
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
    /// Frames a second: the nearest rate that ends with the clip. Without it the rate of the clip's own keys where they
    /// lie on a grid, else 30. What the clip does between samples is measured and said.
    #[arg(long, value_name = "HZ", value_parser = rate, allow_negative_numbers = true, alias = "sampled")]
    rate: Option<f32>,
    /// Follow the clip's curves between samples as well, within the error: frames are where they are needed, and the
    /// file is larger.
    #[arg(long, conflicts_with = "rate")]
    exact_curves: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// A length with its unit, in metres.
pub(crate) fn length(text: &str) -> Result<f32, String> {
    let units = [("um", 1e-6), ("mm", 1e-3), ("cm", 1e-2), ("m", 1.0)];
    let found = units.iter().find_map(|(unit, metres)| {
        let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        Some((number * metres) as f32)
    });
    found
        .filter(|length| *length > 0.0 && length.is_finite())
        .ok_or_else(|| "expected a length above zero with its unit, as 0.1mm, 1cm or 0.001m".into())
}

/// Frames a second.
fn rate(text: &str) -> Result<f32, String> {
    let found = text.trim().parse().ok().filter(|rate| *rate > 0.0 && *rate <= 1000.0);
    found.ok_or_else(|| "expected frames a second, above 0 and up to 1000".into())
}

pub(crate) fn run(args: &Pack, talk: Talk) -> Result<(), Fault> {
    if args.model.file.is_dir() {
        return folder::run(args, talk);
    }
    let imported = model::open(&args.model, Talk::Quiet)?;
    tell(&imported.notes, talk);
    let scene = Arc::new(imported.scene);
    let chosen: Vec<usize> = match &args.clip {
        Some(wanted) => vec![find_clip(&scene, wanted)?.index()],
        None => (0..scene.clips.len()).collect(),
    };
    if chosen.is_empty() {
        let file = model::shown(&args.model.file).display();
        return Err(Fault::Work(format!(
            "{file} has no clips to pack; --anim FILE adds those of another file"
        )));
    }
    let outs = names::outs(&args.output, &scene, &chosen)?;
    let read = args.model.anim.iter().chain([&args.model.file]);
    if let Some(file) = read.into_iter().find(|file| outs.iter().any(|out| same(out, file))) {
        return Err(Fault::Usage(format!(
            "{} is read, and cannot be written as well: expected another OUT",
            file.display()
        )));
    }
    outs.iter().try_for_each(|out| save::check(out))?;
    let options = args.options();
    let mut made = Vec::new();
    for (&at, out) in chosen.iter().zip(&outs) {
        made.push(one(&scene, &scene.clips[at], &options, out, talk)?);
    }
    // All is made before anything is written: a clip that cannot be packed leaves no files of the others.
    for ((_, packed), out) in made.iter().zip(&outs) {
        save::save(out, packed.bytes())?;
    }
    let mut result = Vec::new();
    for (row, _) in &made {
        if args.json { report::json(&mut result, row) } else { report::text(&mut result, row) }?;
    }
    match outs.iter().any(|out| out == Path::new("-")) {
        // The clip itself is on standard output.
        true if talk == Talk::Quiet => {}
        true => crate::output::to_stderr(&String::from_utf8_lossy(&result)),
        false => output::write(|out| std::io::Write::write_all(out, &result))?,
    }
    Ok(())
}

impl Pack {
    fn options(&self) -> Options {
        let (error, shell, rate) = (self.error, self.shell, self.rate);
        Options { error, shell, rate, exact_curves: self.exact_curves }
    }
}

/// What was mended or left out: a packed clip keeps no trace of it.
fn tell(notes: &[Note], talk: Talk) {
    let looks = |note: &Note| {
        note.is_about_missing_files() || LOOKS.iter().any(|word| note.text.contains(word))
    };
    let told = notes.iter().filter(|note| talk >= Talk::Verbose || !looks(note));
    let (all, most) = match talk {
        Talk::Quiet => return,
        Talk::Normal => (told.clone().count(), NOTES),
        Talk::Verbose => (0, usize::MAX),
    };
    for note in told.take(most) {
        crate::output::tell!("note: {note}");
    }
    if all > most {
        crate::output::tell!("note: … and {} more (-v shows all)", all - most);
    }
}

/// Whether two names are of one file that there is.
pub(crate) fn same(out: &Path, file: &Path) -> bool {
    let found = |path: &Path| std::fs::canonicalize(path).ok();
    found(out).is_some_and(|out| found(file) == Some(out))
}

/// Packs a clip, and measures it.
fn one(
    scene: &Arc<Scene>,
    clip: &Clip,
    options: &Options,
    out: &Path,
    talk: Talk,
) -> Result<(Row, Packed<Vec<u8>>), Fault> {
    let progress = Mutex::new(Progress::new(100, talk == Talk::Quiet));
    let show = |share: f32| {
        if let Ok(mut progress) = progress.lock() {
            progress.show((share * 100.0) as usize);
        }
    };
    let (packed, report) = pack(scene, clip, options, &show)
        .map_err(|error| Fault::Work(format!("clip {:?}: {error}", clip.name)))?;
    let skin = off_at_skin(scene, clip, &packed, MOMENTS);
    Ok((Row::new(out, &packed, report, skin), packed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_has_a_unit() {
        assert_eq!(length("0.1mm"), Ok(1e-4));
        assert_eq!(length("10 cm"), Ok(0.1));
        assert_eq!(length("2m"), Ok(2.0));
        for bad in ["0.1", "mm", "-1mm", "0mm", "nanmm", "infm", "1km", "1e-60m", "1e60m", ""] {
            assert!(length(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_rate_is_above_0_and_up_to_1000() {
        assert_eq!((rate("30"), rate("1000")), (Ok(30.0), Ok(1000.0)));
        for bad in ["0", "-30", "1000.1", "nan", "inf", "30Hz", ""] {
            assert!(rate(bad).is_err(), "{bad}");
        }
    }
}
