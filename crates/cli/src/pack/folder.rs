//! A folder of models packed on all cores: every clip of every model below it.
//!
//! In:  a folder to read, and one to write.
//! Out: `OUT/model/clip.sinewclip` for each clip as soon as it is packed, and at the end a row for each; what cannot be
//! packed is said, and the rest goes on.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::report::{self, Row};
use super::{Pack, names, one};
use crate::args::Talk;
use crate::fault::Fault;
use crate::folder::models;
use crate::output;
use crate::render::{Progress, save};

/// What came of one clip, or of a model that could not be read.
type Made = Result<Row, String>;

pub(super) fn run(args: &Pack, talk: Talk) -> Result<(), Fault> {
    let folder = &args.model.file;
    if !args.model.anim.is_empty() || args.clip.is_some() {
        return Err(Fault::Usage("--anim and --clip are for one model, not for a folder".into()));
    }
    let files = models(folder)
        .map_err(|error| Fault::Work(format!("cannot read {}: {error}", folder.display())))?;
    let progress = Mutex::new((Progress::new(files.len(), talk == Talk::Quiet), 0));
    // One file at a time for each core: files are of very different sizes.
    let work = files.par_iter().zip(folders(folder, &files)).with_max_len(1);
    let made = work.flat_map_iter(|(file, folder)| {
        let made = model(args, file, &folder);
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
        match made {
            Ok(row) if args.json => report::json(&mut result, row)?,
            Ok(row) => report::text(&mut result, row)?,
            Err(error) => {
                failed += 1;
                crate::output::tell!("sinew: {error}");
            }
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

/// The folder that each model's clips go to: its name without the ending, or with it where that is another's too.
fn folders(root: &Path, files: &[PathBuf]) -> Vec<PathBuf> {
    let names = || files.iter().map(|file| file.strip_prefix(root).unwrap_or(file));
    let mut count: HashMap<PathBuf, usize> = HashMap::new();
    names().for_each(|name| *count.entry(name.with_extension("")).or_default() += 1);
    let folder = |name: &Path| match name.with_extension("") {
        short if count[&short] > 1 => name.to_owned(),
        short => short,
    };
    names().map(folder).collect()
}

/// Packs and writes all clips of a file; none where it is no model or has none.
fn model(args: &Pack, file: &Path, folder: &Path) -> Vec<Made> {
    let imported = match args.model.options().open(file) {
        Ok(imported) => imported,
        Err(error) if error.kind == sinew::import::ErrorKind::Unrecognised => return Vec::new(),
        Err(error) => return vec![Err(error.to_string())],
    };
    let scene = Arc::new(imported.scene);
    let chosen: Vec<usize> = (0..scene.clips.len()).collect();
    let pattern = args.output.join(folder).join("{clip}.sinewclip");
    let outs = match names::outs(&pattern, &scene, &chosen) {
        Ok(outs) => outs,
        Err(fault) => return vec![Err(fault.into_message())],
    };
    let clips = chosen.into_iter().zip(outs).map(|(at, out)| {
        let made = one(&scene, &scene.clips[at], &args.options(), &out, Talk::Quiet);
        let (row, packed) =
            made.map_err(|fault| format!("{}: {}", file.display(), fault.into_message()))?;
        write(&out, packed.bytes())?;
        Ok(row)
    });
    clips.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_one_name_go_to_folders_of_their_own() {
        let files = ["in/a.glb", "in/a.fbx", "in/b.glb", "in/c/a.glb"].map(PathBuf::from);
        let expected = ["a.glb", "a.fbx", "b", "c/a"].map(PathBuf::from);
        assert_eq!(folders(Path::new("in"), &files), expected);
    }
}
