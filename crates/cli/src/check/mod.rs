//! `sinew check`: what is wrong with a rigged model, on one screen.
//!
//! In:  files, folders or patterns.
//! Out: findings as text, JSON or SARIF, a picture of them, a mended model; and an exit code for scripts.
//!
//! A file that cannot be read is reported and never stops the others.

mod args;
mod baseline;
mod explain;
mod json;
mod mend;
mod sarif;
mod sheet;
mod text;

use std::path::{Path, PathBuf};

use sinew::Imported;
use sinew::check::{CheckOptions, Finding, Severity};

pub(crate) use self::args::{Check, EXAMPLES};
use crate::args::Talk;
use crate::fault::Fault;
use crate::{folder, output};

/// What came of one file.
struct Checked {
    /// As people named it.
    path: PathBuf,
    model: Imported,
    findings: Vec<Finding>,
    /// How many more the baseline knows.
    known: usize,
}

/// A finding in words: what every kind of output says.
struct Said<'a> {
    finding: &'a Finding,
    place: String,
}

impl Checked {
    fn said(&self) -> impl Iterator<Item = Said<'_>> {
        let words = |finding: &Finding| finding.place.words(&self.model.scene);
        self.findings.iter().map(move |finding| Said { finding, place: words(finding) })
    }

    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

type Outcome = Result<Checked, (PathBuf, String)>;

pub(crate) fn run(args: &Check, talk: Talk) -> Result<(), Fault> {
    if let Some(code) = &args.explain {
        return explain::run(code, args.out.as_deref());
    }
    let options = args.options()?;
    let files = files(&args.files)?;
    if files.len() != 1 && (args.out.is_some() || args.mend.is_some()) {
        return Err(Fault::Usage("-o and --mend are for one model, not for several".into()));
    }
    let known = args.baseline.as_deref().map(baseline::read).transpose()?;
    let mut all: Vec<Outcome> = folder::each(&files, talk, |path| Ok(one(path, args, &options)))
        .into_iter()
        .zip(&files)
        .map(|(made, path)| made.unwrap_or_else(|error| Err((path.clone(), error))))
        .collect();
    if let Some(file) = &args.write_baseline {
        baseline::write(file, &all)?;
    }
    if let Some(known) = &known {
        all.iter_mut().flatten().for_each(|checked| known.leave_out(checked));
    }
    if let Some(file) = &args.sarif {
        crate::render::save::save(file, &sarif::write(&all)?)?;
    }
    output::write(|out| match args.json {
        true => json::write(out, &all),
        false => text::write(out, &all, talk),
    })?;
    if let Some(Ok(checked)) = all.first() {
        if let Some(out) = &args.out {
            sheet::run(checked, out, talk)?;
        }
        if let Some(out) = &args.mend {
            mend::run(checked, args, out, talk)?;
        }
    }
    verdict(&all, args.strict)
}

/// Every file that is meant, in order.
fn files(given: &[PathBuf]) -> Result<Vec<PathBuf>, Fault> {
    let mut files = Vec::new();
    for path in given {
        if folder::is_many(path) {
            files.extend(
                folder::find(path).map_err(unreadable)?.into_iter().map(|found| found.path),
            );
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn unreadable(fault: Fault) -> Fault {
    match fault {
        Fault::Work(message) => Fault::Unreadable(message),
        other => other,
    }
}

fn one(path: &Path, args: &Check, options: &CheckOptions) -> Outcome {
    let failed = |error: String| (path.to_owned(), error);
    let built_in = path.to_str().filter(|_| !path.exists()).and_then(sinew::built_in);
    let model = match built_in {
        Some(scene) => Imported::from(scene),
        None => args.import_options().open(path).map_err(|error| failed(error.to_string()))?,
    };
    let findings = sinew::check::check(&model, options);
    Ok(Checked { path: path.to_owned(), model, findings, known: 0 })
}

/// The exit code, as a fault that has been reported already.
fn verdict(all: &[Outcome], strict: bool) -> Result<(), Fault> {
    if all.iter().any(Result::is_err) {
        return Err(Fault::Silent(2));
    }
    let least = if strict { Severity::Warning } else { Severity::Error };
    let found = all.iter().flatten().flat_map(|checked| &checked.findings);
    match found.map(|finding| finding.severity).max() {
        Some(worst) if worst >= least => Err(Fault::Silent(1)),
        _ => Ok(()),
    }
}
