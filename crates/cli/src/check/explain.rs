//! `sinew check --explain CODE`: half a page on one rule, or a line on each.

use std::io::Write;

use sinew::check::Rule;

use super::args;
use crate::fault::Fault;
use crate::output;

pub(super) fn run(code: &str) -> Result<(), Fault> {
    if code.is_empty() {
        return list();
    }
    let rule = args::rule(code)?;
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
