//! `sinew check --mend OUT.glb`: the model without what can be mended, read again and measured against the source.

use std::path::Path;

use sinew::Scene;
use sinew::check::{Rule, mend};
use sinew::compare::{CompareOptions, compare};
use sinew::export::{GltfOptions, glb};
use sinew::import::NoFiles;

use super::args::{self, Check};
use super::{Checked, one};
use crate::args::Talk;
use crate::fault::Fault;
use crate::render::save;

pub(super) fn run(checked: &Checked, asked: &Check, out: &Path, talk: Talk) -> Result<(), Fault> {
    save::check(out)?;
    let also = also(&asked.also)?;
    let source = source(checked, asked)?;
    let made = mend(source.clone(), &also)
        .map_err(|error| Fault::Work(format!("mending made no scene: {error}")))?;
    let written = glb(&made.scene, &GltfOptions::default())
        .map_err(|error| Fault::Work(format!("cannot write {}: {error}", out.display())))?;
    save::save(out, &written.bytes)?;
    if talk == Talk::Quiet {
        return Ok(());
    }
    for (code, sentence) in &made.done {
        crate::output::tell!("mended {code}: {sentence}");
    }
    for note in &written.notes {
        crate::output::tell!("note: {note}");
    }
    crate::output::tell!("{}: {}", out.display(), measured(&source, &made.scene, &written.bytes)?);
    left(out, asked)
}

/// What is asked for, where it can be mended.
fn also(codes: &[String]) -> Result<Vec<&'static str>, Fault> {
    let known: Vec<&str> = sinew::check::on_request().collect();
    codes
        .iter()
        .map(|code| {
            let rule: &Rule = args::rule(code)?;
            if known.contains(&rule.code) {
                return Ok(rule.code);
            }
            let list = known.join(", ");
            Err(Fault::Usage(format!("--also {}: expected one of {list}", rule.code)))
        })
        .collect()
}

/// The model with everything that reading makes for it, tangents too.
fn source(checked: &Checked, asked: &Check) -> Result<Scene, Fault> {
    if !checked.path.exists() {
        return Ok(checked.model.scene.clone());
    }
    let tangents = sinew::import::Tangents::WhereNeeded;
    let options = sinew::Options { tangents, ..asked.import_options() };
    Ok(options.open(&checked.path)?.scene)
}

/// What mending changed, and what writing and reading again added to it.
fn measured(source: &Scene, mended: &Scene, bytes: &[u8]) -> Result<String, Fault> {
    let back = sinew::read(bytes, &NoFiles)?.scene;
    let words = |worst: Option<(f64, String)>| match worst {
        Some((metres, clip)) => format!("{:.3} mm at most, in clip \"{clip}\"", metres * 1000.0),
        None => "nothing, without clips".to_owned(),
    };
    let by_mending = words(worst(source, mended)?);
    let by_writing = words(worst(mended, &back)?);
    Ok(format!("mending moved the skin by {by_mending}; writing by {by_writing}"))
}

/// The farthest that any clip is off, and which; clips are compared from their own starts.
fn worst(a: &Scene, b: &Scene) -> Result<Option<(f64, String)>, Fault> {
    let found = compare(a, b, &CompareOptions::default())
        .map_err(|error| Fault::Work(format!("cannot measure what was mended: {error}")))?;
    let of_clip = found.clips.iter().filter_map(|clip| {
        let skin = clip.measure.skin.as_ref().map(|skin| skin.worst.metres);
        let joints = clip.measure.joints.worst.as_ref().map(|at| at.metres);
        Some((skin.or(joints)?, clip.a.clone()))
    });
    Ok(of_clip.max_by(|a, b| a.0.total_cmp(&b.0)))
}

/// What the written file still has.
fn left(out: &Path, asked: &Check) -> Result<(), Fault> {
    let again = one(out, asked, &asked.options()?).map_err(|(_, error)| Fault::Work(error))?;
    let mut codes: Vec<&str> = again.findings.iter().map(|finding| finding.code()).collect();
    codes.dedup();
    if codes.is_empty() {
        crate::output::tell!("nothing is left");
    } else {
        crate::output::tell!("left: {}", codes.join(", "));
    }
    Ok(())
}
