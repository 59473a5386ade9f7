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
mod sentences;
mod text;
mod verdict;

use std::path::Path;

use sinew::compare::{Comparer, Comparison};

pub(crate) use self::args::{Diff, EXAMPLES};
use self::open::Opened;
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
    // Exit code 1 is for differences alone.
    let over = compare(args, talk).map_err(unreadable)?;
    match over {
        0 => Ok(()),
        1 => Err(Fault::Work("1 difference is over the limits".into())),
        count => Err(Fault::Work(format!("{count} differences are over the limits"))),
    }
}

/// Compares, reports, and says how many differences are over the limits.
fn compare(args: &Diff, talk: Talk) -> Result<usize, Fault> {
    for out in args.out.iter().chain(&args.junit) {
        save::check(out)?;
    }
    if crate::folder::is_many(&args.a) || crate::folder::is_many(&args.b) {
        return folder::compare(args, talk);
    }
    if let Some(out) = &args.out {
        heat::check(args, out)?;
    }
    let names = [&args.a, &args.b].map(|file| shown(file).display().to_string());
    let names = [&names[0][..], &names[1][..]];
    let opened = open::models(args, &args.a, &args.b)?;
    let comparer = comparer(args, &opened)?;
    let Outcome { found, over } = judged(args, &comparer)?;
    if let Some(file) = &args.junit {
        let mut report = junit::Report::default();
        report.add(&title(names), &found, &over);
        save::save(file, report.finish().as_bytes())?;
    }
    output::write(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, &json::value(names, &found, &over))?;
            out.push(b'\n');
        } else {
            let said = text::write(names, &found, &over, talk >= Talk::Verbose);
            out.extend(said.as_bytes());
        }
        Ok(())
    })?;
    if let Some(out) = &args.out {
        heat::run(args, out, &opened.scenes[0], &comparer, &found, talk)?;
    }
    Ok(over.len())
}

/// Two models, paired.
fn comparer<'a>(args: &Diff, opened: &'a Opened) -> Result<Comparer<'a>, Fault> {
    let [a, b] = &opened.scenes;
    let options = args.options(open::clips(args, opened), open::map(args, [a, b])?);
    Comparer::new(a, b, &options).map_err(|error| Fault::Unreadable(error.to_string()))
}

fn judged(args: &Diff, comparer: &Comparer<'_>) -> Result<Outcome, Fault> {
    let found = comparer.compare();
    let limits = Limits::new(args);
    limits.check(&found)?;
    let over = limits.over(&found);
    Ok(Outcome { found, over })
}

/// Two files by name.
fn outcome(args: &Diff, a: &Path, b: &Path) -> Result<Outcome, Fault> {
    let opened = open::models(args, a, b)?;
    judged(args, &comparer(args, &opened)?)
}

fn title(names: [&str; 2]) -> String {
    format!("{} - {}", names[0], names[1])
}

/// What cannot be read, drawn or written is not a difference.
fn unreadable(fault: Fault) -> Fault {
    match fault {
        Fault::Work(message) => Fault::Unreadable(message),
        other => other,
    }
}
