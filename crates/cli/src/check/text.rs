//! Findings as text: one screen for a model, one line each for many.

use std::collections::BTreeMap;
use std::io::{self, Write};

use sinew::check::{Rule, Severity};

use super::{Checked, Outcome, Said};
use crate::args::Talk;

/// For one model, so many findings of a rule are spelt out; the rest is a number.
const OF_ONE_RULE: usize = 3;

pub(super) fn write(out: &mut Vec<u8>, all: &[Outcome], talk: Talk) -> io::Result<()> {
    for outcome in all {
        match outcome {
            Err((_, error)) => writeln!(out, "unreadable  {error}")?,
            Ok(checked) if all.len() == 1 => one(out, checked, talk)?,
            Ok(checked) => row(out, checked, talk)?,
        }
    }
    if all.len() > 1 {
        summary(out, all)?;
    }
    Ok(())
}

fn one(out: &mut Vec<u8>, checked: &Checked, talk: Talk) -> io::Result<()> {
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    let most = if talk >= Talk::Verbose { usize::MAX } else { OF_ONE_RULE };
    for said in checked.said() {
        let count = shown.entry(said.finding.code()).or_default();
        *count += 1;
        if *count <= most {
            let first = *count == 1;
            finding(out, &said, first)?;
        }
    }
    for (code, count) in shown.iter().filter(|(_, count)| **count > most) {
        writeln!(out, "          {} more of {code}: --verbose shows them", count - most)?;
    }
    let known =
        if checked.known > 0 { format!(", {} known", checked.known) } else { String::new() };
    writeln!(out, "{}: {}{known}", checked.path.display(), counts(checked))
}

fn finding(out: &mut Vec<u8>, said: &Said<'_>, first: bool) -> io::Result<()> {
    let finding = said.finding;
    writeln!(out, "{:8}  {}: {}", finding.severity, finding.code(), finding.message)?;
    if !said.place.is_empty() {
        writeln!(out, "          at {}", said.place)?;
    }
    if first {
        writeln!(out, "          {}", finding.rule.why)?;
        writeln!(out, "          mend ({}): {}", finding.rule.mend.word(), finding.rule.how)?;
    }
    Ok(())
}

fn counts(checked: &Checked) -> String {
    let of = |severity, one: &str, many: &str| {
        let count = checked.count(severity);
        format!("{count} {}", if count == 1 { one } else { many })
    };
    if checked.findings.is_empty() {
        return "nothing found".into();
    }
    [
        of(Severity::Error, "error", "errors"),
        of(Severity::Warning, "warning", "warnings"),
        of(Severity::Info, "info", "infos"),
    ]
    .join(", ")
}

/// One line for a file: what is wrong, by code.
fn row(out: &mut Vec<u8>, checked: &Checked, talk: Talk) -> io::Result<()> {
    let least = if talk >= Talk::Verbose { Severity::Info } else { Severity::Warning };
    let mut codes: Vec<String> = Vec::new();
    for rule in Rule::all() {
        let of = checked.findings.iter().filter(|one| one.rule == rule && one.severity >= least);
        match of.count() {
            0 => {}
            1 => codes.push(rule.code.to_owned()),
            count => codes.push(format!("{}×{count}", rule.code)),
        }
    }
    let worst = checked.findings.first().map_or("ok", |finding| match finding.severity {
        Severity::Info => "ok",
        severity => severity.word(),
    });
    writeln!(out, "{worst:10}  {}  {}", checked.path.display(), codes.join(" "))
}

fn summary(out: &mut Vec<u8>, all: &[Outcome]) -> io::Result<()> {
    let good: Vec<&Checked> = all.iter().flatten().collect();
    writeln!(out)?;
    for rule in Rule::all() {
        let files = good.iter().filter(|one| one.findings.iter().any(|found| found.rule == rule));
        let files = files.count();
        if files > 0 {
            let word = if files == 1 { "file" } else { "files" };
            writeln!(
                out,
                "{files:6} {word:5}  {:14} {:8} {}",
                rule.code, rule.severity, rule.title
            )?;
        }
    }
    let with = |least: Severity| {
        let has = |one: &&&Checked| one.findings.iter().any(|found| found.severity >= least);
        good.iter().filter(has).count()
    };
    let errors = with(Severity::Error);
    writeln!(
        out,
        "{} checked: {errors} with errors, {} with warnings alone, {} unreadable",
        all.len(),
        with(Severity::Warning) - errors,
        all.len() - good.len()
    )
}
