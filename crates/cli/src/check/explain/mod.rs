//! `sinew check --explain CODE`: half a page on one rule, with a image where one is asked for; or a line on each.

mod body;
mod clips;
mod draw;
mod half;
mod rotations;
mod surfaces;
mod weights;

use std::io::Write;
use std::path::Path;

use sinew::check::Rule;

use super::args;
use crate::fault::Fault;
use crate::output;

use self::half::Half;

pub(super) fn run(code: &str, image: Option<&Path>) -> Result<(), Fault> {
    if code.is_empty() {
        return match image {
            None => list(),
            Some(_) => Err(Fault::Usage("--explain -o: expected the code of a rule".into())),
        };
    }
    let rule = args::rule(code)?;
    page(rule)?;
    image.map_or(Ok(()), |out| draw::run(rule, halves(rule.code), out))
}

/// A healthy figure, and one that has the fault of a rule.
fn halves(code: &str) -> [Half; 2] {
    let found = body::halves(code)
        .or_else(|| weights::halves(code))
        .or_else(|| rotations::halves(code))
        .or_else(|| clips::halves(code));
    found.unwrap_or_else(|| surfaces::halves(code))
}

fn page(rule: &Rule) -> Result<(), Fault> {
    output::write(|out| {
        writeln!(out, "{} ({}): {}\n", rule.code, rule.severity, rule.title)?;
        writeln!(out, "{}", rule.explanation.trim_end())?;
        writeln!(out, "\nWhy it matters: {}.", rule.why)?;
        writeln!(out, "Mended: {}; {}.", rule.mend.word(), rule.how)?;
        if !rule.validator.is_empty() {
            writeln!(out, "glTF Validator: {}", rule.validator.join(", "))?;
        }
        if !rule.aliases.is_empty() {
            writeln!(out, "Also called: {}", rule.aliases.join(", "))?;
        }
        Ok(())
    })
}

fn list() -> Result<(), Fault> {
    output::write(|out| {
        for rule in Rule::all() {
            writeln!(
                out,
                "{:14} {:8} {:11} {}",
                rule.code,
                rule.severity,
                rule.mend.word(),
                rule.title
            )?;
        }
        Ok(())
    })
}
