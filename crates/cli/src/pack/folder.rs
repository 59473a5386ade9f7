//! A folder of models packed on all cores: every clip of every model below it.
//!
//! In:  a folder to read, and one to write.
//! Out: `OUT/model/clip.sinewclip` for each clip, and a row for each; what cannot be packed is said, and the rest goes on.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use sinew::pack::Packed;

use super::report::{self, Row};
use super::{Pack, names, one};
use crate::args::Talk;
use crate::fault::Fault;
use crate::output;
use crate::render::{Progress, save};

/// What came of one clip, or of a model that could not be read.
type Made = Result<(PathBuf, Row, Packed<Vec<u8>>), String>;

pub(super) fn run(args: &Pack, talk: Talk) -> Result<(), Fault> {
    let folder = &args.model.file;
    if !args.model.anim.is_empty() || args.clip.is_some() {
        return Err(Fault::Usage("--anim and --clip are for one model, not for a folder".into()));
    }
    let mut files = Vec::new();
    find(folder, &mut files)
        .map_err(|error| Fault::Work(format!("cannot read {}: {error}", folder.display())))?;
    let progress = Mutex::new((Progress::new(files.len(), talk == Talk::Quiet), 0));
    let made = files.par_iter().flat_map_iter(|file| {
        let made = model(args, file);
        if let Ok(mut progress) = progress.lock() {
            progress.1 += 1;
            let done = progress.1;
            progress.0.show(done);
        }
        made
    });
    let made: Vec<Made> = made.collect();
    drop(progress);
    let (mut result, mut failed) = (Vec::new(), 0);
    for made in &made {
        let written = made.as_ref().map_err(Clone::clone).and_then(|(out, row, packed)| {
            write(out, packed.bytes())?;
            let said = if args.json {
                report::json(&mut result, row)
            } else {
                report::text(&mut result, row)
            };
            said.map_err(|error| error.to_string())
        });
        if let Err(error) = written {
            failed += 1;
            eprintln!("sinew: {error}");
        }
    }
    output::write(|out| std::io::Write::write_all(out, &result))?;
    match (made.len(), failed) {
        (0, _) => Err(Fault::Work(format!("{} has no model with clips to pack", folder.display()))),
        (_, 0) => Ok(()),
        (all, failed) => Err(Fault::Work(format!("{failed} of {all} could not be packed"))),
    }
}

fn write(out: &Path, bytes: &[u8]) -> Result<(), String> {
    let parent = out.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent)
        .map_err(|error| format!("cannot make the folder {}: {error}", parent.display()))?;
    save::save(out, bytes).map_err(Fault::into_message)
}

/// Every file below a folder, in order.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // Links are not followed: they may lead in circles.
        paths.push((entry.path(), entry.file_type()?));
    }
    paths.sort_by(|a, b| a.0.cmp(&b.0));
    for (path, kind) in paths {
        if kind.is_dir() {
            find(&path, files)?;
        } else if kind.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// All clips of a file; none where it is no model or has none.
fn model(args: &Pack, file: &Path) -> Vec<Made> {
    let options = args.model.options();
    if matches!(sinew::open_packed(file), Ok(Some(_))) {
        return Vec::new();
    }
    let imported = match options.open(file) {
        Ok(imported) => imported,
        Err(error) if error.kind == sinew::import::ErrorKind::Unrecognised => return Vec::new(),
        Err(error) => return vec![Err(error.to_string())],
    };
    let scene = Arc::new(imported.scene);
    let chosen: Vec<usize> = (0..scene.clips.len()).collect();
    let relative = file.strip_prefix(&args.model.file).unwrap_or(file).with_extension("");
    let pattern = args.output.join(relative).join("{clip}.sinewclip");
    let outs = match names::outs(&pattern, &scene, &chosen) {
        Ok(outs) => outs,
        Err(fault) => return vec![Err(fault.into_message())],
    };
    let clips = chosen.into_iter().zip(outs).map(|(at, out)| {
        let made = one(&scene, &scene.clips[at], &args.options(), &out, Talk::Quiet);
        let (row, packed) =
            made.map_err(|fault| format!("{}: {}", file.display(), fault.into_message()))?;
        Ok((out, row, packed))
    });
    clips.collect()
}
