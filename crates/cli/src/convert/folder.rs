//! A folder or a pattern of models converted on all cores.
//!
//! In:  files to read, and a folder to write to.
//! Out: a file for each, under its name below the folder, and a table; what fails is said, and the rest goes on.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::args::{Convert, Target};
use super::job::Job;
use super::report::{self, Row};
use super::write::save_all;
use crate::args::Talk;
use crate::fault::Fault;
use crate::folder::{Found, each, find};
use crate::output;

pub(super) fn run(args: &Convert, talk: Talk) -> Result<(), Fault> {
    let Some(target) = args.to else {
        return Err(Fault::Usage(
            "many files are converted at once: expected --to glb, gltf, fbx, bvh or skeleton_anim"
                .into(),
        ));
    };
    if args.output.exists() && !args.output.is_dir() {
        return Err(Fault::Usage(format!(
            "{} is a file: expected a folder",
            args.output.display()
        )));
    }
    let job = Job::new(args, target)?;
    let found = find(&args.model.file)?;
    let outs = outs(&found, &args.output, target);
    let items: Vec<(&Found, &PathBuf)> = found.iter().zip(&outs).collect();
    let made =
        each(&items, talk, |(found, out)| one(&job, &found.path, out).map_err(Fault::into_message));
    let mut rows: Vec<Row> = Vec::new();
    let mut failed = 0;
    for ((found, _), made) in items.iter().zip(made) {
        match made {
            Ok(of_file) => rows.extend(of_file),
            Err(why) => {
                failed += 1;
                let name = found.path.display().to_string();
                let place = if why.contains(&name) { String::new() } else { format!("{name}: ") };
                crate::output::tell!("sinew: {place}{why}");
            }
        }
    }
    if talk >= Talk::Verbose {
        for row in &rows {
            row.notes.iter().for_each(|note| crate::output::tell!("note: {}: {note}", row.file));
        }
    }
    output::write(|out| match args.json {
        true => rows.iter().try_for_each(|row| report::json(out, row)),
        false => report::table(out, &rows),
    })?;
    match failed {
        0 => Ok(()),
        _ => Err(Fault::Work(format!("{failed} of {} could not be converted", found.len()))),
    }
}

/// Where each goes: under its own name below the folder; with its old ending in front of the new where two would meet.
fn outs(found: &[Found], folder: &Path, target: Target) -> Vec<PathBuf> {
    let ending = match target.is_one_clip() {
        true => format!("{{clip}}.{}", target.ending()),
        false => target.ending().to_owned(),
    };
    let plain = |name: &Path| {
        let stem = name.with_extension("");
        // A clip's file is named after its model too.
        let text =
            format!("{}{}{ending}", stem.display(), if target.is_one_clip() { " " } else { "." });
        PathBuf::from(text)
    };
    let mut counts: HashMap<String, usize> = HashMap::new();
    for found in found {
        *counts.entry(plain(&found.name).to_string_lossy().to_lowercase()).or_default() += 1;
    }
    let out = |found: &Found| {
        let name = plain(&found.name);
        let alone = counts[&name.to_string_lossy().to_lowercase()] == 1;
        let whole = || plain(Path::new(&format!("{}.x", found.name.display())));
        folder.join(if alone { name } else { whole() })
    };
    found.iter().map(out).collect()
}

fn one(job: &Job<'_>, file: &Path, out: &Path) -> Result<Vec<Row>, Fault> {
    let mut made = job.convert(file, out, Talk::Quiet)?;
    for (out, written, _) in &mut made {
        let folder = out.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(|error| {
            Fault::Work(format!("cannot make the folder {}: {error}", folder.display()))
        })?;
        save_all(out, written)?;
    }
    Ok(made.into_iter().map(|(_, _, row)| row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_files_of_one_stem_go_to_two_files() {
        let found = |name: &str| Found { path: name.into(), name: name.into() };
        let all = [found("a/hero.fbx"), found("a/Hero.glb"), found("b/hero.fbx")];
        let made = outs(&all, Path::new("out"), Target::Glb);
        let names: Vec<String> =
            made.iter().map(|out| out.display().to_string().replace('\\', "/")).collect();
        assert_eq!(names, ["out/a/hero.fbx.glb", "out/a/Hero.glb.glb", "out/b/hero.glb"]);
    }
}
