//! `sinew diff`: two models against each other, clip by clip.
//!
//! In:  two files of any formats, or two folders.
//! Out: a table, JSON, a JUnit report, and a heat map as an image or a film; the exit code says whether all is within
//! the limits.

mod args;
mod folder;
mod heat;
mod json;
mod junit;
mod legend;
mod open;
mod text;
mod verdict;

use std::path::Path;

use sinew::Scene;
use sinew::compare::{Comparer, Comparison};

pub(crate) use self::args::{Diff, EXAMPLES};
use self::verdict::{Limits, Over};
use crate::args::Talk;
use crate::fault::Fault;
use crate::model::shown;
use crate::output;
use crate::render::save;

/// What came of two files.
struct Outcome {
    found: Comparison,
    over: Vec<Over>,
}

pub(crate) fn run(args: &Diff, talk: Talk) -> Result<(), Fault> {
    for out in args.out.iter().chain(&args.junit) {
        save::check(out)?;
    }
    if crate::folder::is_many(&args.a) || crate::folder::is_many(&args.b) {
        return folder::run(args, talk);
    }
    if let Some(out) = &args.out {
        heat::check(args, out)?;
    }
    let names = [&args.a, &args.b].map(|file| shown(file).display().to_string());
    let names = [&names[0][..], &names[1][..]];
    let scenes = open::models(args, &args.a, &args.b).map_err(unreadable)?;
    let outcome = with(args, &scenes, |comparer, outcome| {
        if let Some(out) = &args.out {
            heat::run(args, out, &scenes[0], comparer, &outcome.found, talk)?;
        }
        Ok(outcome)
    })?;
    let Outcome { found, over } = &outcome;
    if let Some(file) = &args.junit {
        let mut report = junit::Report::default();
        report.add(&title(names), found, over);
        save::save(file, report.finish().as_bytes())?;
    }
    output::write(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, &json::value(names, found, over))?;
            out.push(b'\n');
        } else {
            let said = text::write(names, found, over, talk >= Talk::Verbose);
            out.extend(said.as_bytes());
        }
        Ok(())
    })?;
    match over.len() {
        0 => Ok(()),
        1 => Err(Fault::Work("1 difference is over the limits".into())),
        count => Err(Fault::Work(format!("{count} differences are over the limits"))),
    }
}

/// Compares two models; `then` may ask for more of them.
fn with<R>(
    args: &Diff,
    scenes: &[Scene; 2],
    then: impl FnOnce(&Comparer<'_>, Outcome) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let [a, b] = scenes;
    let options = args.options(open::map(args, [a, b]).map_err(unreadable)?);
    let comparer =
        Comparer::new(a, b, &options).map_err(|error| Fault::Unreadable(error.to_string()))?;
    let found = comparer.compare();
    let limits = Limits::new(args);
    limits.check(&found)?;
    let over = limits.over(&found);
    then(&comparer, Outcome { found, over })
}

/// Two files by name, without models.
fn outcome(args: &Diff, a: &Path, b: &Path) -> Result<Outcome, Fault> {
    let scenes = open::models(args, a, b)?;
    with(args, &scenes, |_, outcome| Ok(outcome))
}

fn title(names: [&str; 2]) -> String {
    format!("{} - {}", names[0], names[1])
}

/// What cannot be read is not a difference.
fn unreadable(fault: Fault) -> Fault {
    match fault {
        Fault::Work(message) => Fault::Unreadable(message),
        other => other,
    }
}
