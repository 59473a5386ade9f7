//! What a survey found, as one table.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::child::Outcome;

/// What is listed of each kind, at most.
const MAX_LISTED: usize = 40;

/// One file.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) file: String,
    /// `opened`, `refused`, `crashed` or `timed out`.
    pub(super) outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<String>,
    pub(super) format: String,
    pub(super) open_ms: f64,
    pub(super) nodes: usize,
    pub(super) clips: usize,
    pub(super) vertices: usize,
    pub(super) not_finite: Vec<String>,
    pub(super) differs_when_read_again: bool,
    pub(super) notes: Vec<String>,
}

impl Row {
    pub(super) fn new(file: String, outcome: Outcome) -> Self {
        let mut row = Self {
            file,
            outcome: "opened",
            why: None,
            kind: None,
            format: String::new(),
            open_ms: 0.0,
            nodes: 0,
            clips: 0,
            vertices: 0,
            not_finite: Vec::new(),
            differs_when_read_again: false,
            notes: Vec::new(),
        };
        match outcome {
            Outcome::TimedOut => row.outcome = "timed out",
            Outcome::Crashed(why) => {
                row.outcome = "crashed";
                row.why = Some(why);
            }
            Outcome::Found(found) => {
                if found.refused.is_some() {
                    row.outcome = "refused";
                }
                row.why = found.refused;
                row.kind = found.refusal;
                row.format = found.format;
                row.open_ms = found.open_ms;
                row.nodes = found.nodes;
                row.clips = found.clips;
                row.vertices = found.vertices;
                row.not_finite = found.not_finite;
                row.differs_when_read_again = found.differs;
                row.notes = found.notes;
            }
        }
        row
    }

    /// Whether this is a fault of ours, whatever the file.
    pub(super) fn is_defect(&self) -> bool {
        matches!(self.outcome, "crashed" | "timed out")
            || !self.not_finite.is_empty()
            || self.differs_when_read_again
    }
}

/// Writes the table.
pub(super) fn write(out: &mut Vec<u8>, rows: &[Row], slow_ms: f64) -> io::Result<()> {
    let count = |outcome: &str| rows.iter().filter(|row| row.outcome == outcome).count();
    writeln!(
        out,
        "{} files: {} opened, {} refused, {} crashed, {} timed out",
        rows.len(),
        count("opened"),
        count("refused"),
        count("crashed"),
        count("timed out")
    )?;
    let broken = |row: &&Row| matches!(row.outcome, "crashed" | "timed out");
    section(out, "Broke", rows.iter().filter(broken), |row| {
        row.why.clone().unwrap_or_else(|| row.outcome.to_owned())
    })?;
    let odd = |row: &&Row| !row.not_finite.is_empty();
    section(out, "Numbers that are not finite", rows.iter().filter(odd), |row| {
        row.not_finite.join("; ")
    })?;
    let differs = |row: &&Row| row.differs_when_read_again;
    section(out, "Another scene when read again", rows.iter().filter(differs), |_| String::new())?;
    let slow = |row: &&Row| row.open_ms >= slow_ms;
    let mut slow: Vec<&Row> = rows.iter().filter(slow).collect();
    slow.sort_by(|a, b| b.open_ms.total_cmp(&a.open_ms));
    section(out, "Slow to open", slow.into_iter(), |row| format!("{:.0} ms", row.open_ms))?;
    let refused = |row: &&Row| row.outcome == "refused";
    section(out, "Refused", rows.iter().filter(refused), |row| {
        row.why.clone().unwrap_or_default()
    })?;
    kinds(out, "Refusals by kind", rows.iter().filter_map(|row| row.kind.clone()))?;
    kinds(out, "Notes by kind", rows.iter().flat_map(|row| &row.notes).map(|note| kind(note)))
}

fn section<'a>(
    out: &mut Vec<u8>,
    title: &str,
    rows: impl Iterator<Item = &'a Row>,
    say: impl Fn(&Row) -> String,
) -> io::Result<()> {
    let rows: Vec<&Row> = rows.collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}: {}", rows.len())?;
    for row in rows.iter().take(MAX_LISTED) {
        writeln!(out, "  {}: {}", row.file, say(row))?;
    }
    if rows.len() > MAX_LISTED {
        writeln!(out, "  … and {} more; --json has them all", rows.len() - MAX_LISTED)?;
    }
    Ok(())
}

fn kinds(out: &mut Vec<u8>, title: &str, all: impl Iterator<Item = String>) -> io::Result<()> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for kind in all {
        *counts.entry(kind).or_default() += 1;
    }
    if counts.is_empty() {
        return Ok(());
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    writeln!(out, "\n{title}:")?;
    for (kind, count) in counts.iter().take(MAX_LISTED) {
        writeln!(out, "{count:7}  {kind}")?;
    }
    Ok(())
}

/// A note without its names and numbers, so that notes of one kind are counted together.
fn kind(note: &str) -> String {
    let mut kind = String::new();
    let mut quoted = false;
    for c in note.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                kind.push_str(if quoted { "\"…" } else { "\"" });
            }
            _ if quoted => {}
            '0'..='9' | '.' if kind.ends_with('#') => {}
            '0'..='9' => kind.push('#'),
            _ => kind.push(c),
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_one_kind_differ_in_names_and_numbers_alone() {
        let a = kind("3 weights of mesh \"hair (2)\" sum to 0.98");
        assert_eq!(a, kind("17 weights of mesh \"coat\" sum to 1.5"));
        assert_eq!(a, "# weights of mesh \"…\" sum to #");
    }

    #[test]
    fn what_is_the_files_fault_is_no_defect() {
        let row = |outcome| Row::new("a.glb".into(), outcome);
        let refused = super::super::one::Found { refused: Some("no".into()), ..Default::default() };
        assert!(!row(Outcome::Found(Box::new(refused))).is_defect());
        assert!(row(Outcome::TimedOut).is_defect());
        let odd = super::super::one::Found { not_finite: vec!["x".into()], ..Default::default() };
        assert!(row(Outcome::Found(Box::new(odd))).is_defect());
    }
}
