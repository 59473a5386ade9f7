//! What came of converting a file, to people and to programs.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use sinew::{Clip, Scene};

use super::prove::Proof;
use crate::info::thousands;

/// How much of everything there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Counts {
    pub(super) bytes: u64,
    pub(super) clips: usize,
    pub(super) keys: usize,
    pub(super) nodes: usize,
}

impl Counts {
    pub(super) fn of(scene: &Scene, bytes: u64) -> Self {
        Self {
            bytes,
            clips: scene.clips.len(),
            keys: scene.clips.iter().map(Clip::key_count).sum(),
            nodes: scene.skeleton().len(),
        }
    }
}

/// What came of a file.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub(super) file: String,
    pub(super) output: String,
    pub(super) before: Counts,
    pub(super) after: Counts,
    /// Millimetres at the skin, or at the joints where there is none.
    pub(super) error_mm: f64,
    pub(super) at_skin: bool,
    pub(super) worst: String,
    pub(super) bound_mm: Option<f64>,
    pub(super) notes: Vec<String>,
}

impl Row {
    pub(super) fn new(file: &Path, out: &Path, counts: [Counts; 2], proof: &Proof) -> Self {
        Self {
            file: file.display().to_string(),
            output: out.display().to_string(),
            before: counts[0],
            after: counts[1],
            error_mm: shown_mm(proof.metres),
            at_skin: proof.at_skin,
            worst: proof.place.clone(),
            bound_mm: None,
            notes: Vec::new(),
        }
    }
}

/// Millimetres with as many digits as count.
pub(super) fn shown_mm(metres: f64) -> f64 {
    format!("{:.3e}", metres * 1e3).parse().unwrap_or(metres * 1e3)
}

pub(super) fn text(out: &mut Vec<u8>, row: &Row) -> io::Result<()> {
    let Row { before, after, .. } = row;
    writeln!(out, "{} → {}", row.file, row.output)?;
    let share = 100.0 * after.bytes as f64 / before.bytes.max(1) as f64;
    let bytes = [before.bytes, after.bytes].map(thousands);
    match before.bytes {
        0 => writeln!(out, "  bytes   {}", bytes[1])?,
        _ => writeln!(out, "  bytes   {} → {} ({share:.0} %)", bytes[0], bytes[1])?,
    }
    for (what, from, to) in [
        ("clips", before.clips, after.clips),
        ("keys", before.keys, after.keys),
        ("joints", before.nodes, after.nodes),
    ] {
        let [from, to] = [from, to].map(|count| thousands(count as u64));
        match from == to {
            true => writeln!(out, "  {what:<7} {to}")?,
            false => writeln!(out, "  {what:<7} {from} → {to}")?,
        }
    }
    let place = if row.at_skin { "skin" } else { "joints" };
    write!(out, "  error   {} mm at the {place}", row.error_mm)?;
    if row.error_mm > 0.0 {
        write!(out, ", {}", row.worst)?;
    }
    match row.bound_mm {
        Some(bound) => writeln!(out, " (bound {bound} mm)"),
        None => writeln!(out),
    }
}

pub(super) fn json(out: &mut Vec<u8>, row: &Row) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    out.push(b'\n');
    Ok(())
}

/// The table of many files, and what all of them came to.
pub(super) fn table(out: &mut Vec<u8>, rows: &[Row]) -> io::Result<()> {
    let width = rows.iter().map(|row| row.file.chars().count()).max().unwrap_or(0).clamp(4, 60);
    writeln!(
        out,
        "{:width$}  {:>13}  {:>13}  {:>9}  {:>9}  {:>9}",
        "file", "bytes", "now", "keys", "now", "mm"
    )?;
    for row in rows {
        let skip = row.file.chars().count().saturating_sub(width);
        let name: String = row.file.chars().skip(skip).collect();
        writeln!(
            out,
            "{name:width$}  {:>13}  {:>13}  {:>9}  {:>9}  {:>9}",
            thousands(row.before.bytes),
            thousands(row.after.bytes),
            thousands(row.before.keys as u64),
            thousands(row.after.keys as u64),
            row.error_mm
        )?;
    }
    let sum = |count: fn(&Row) -> u64| thousands(rows.iter().map(count).sum());
    let worst = rows.iter().map(|row| row.error_mm).fold(0.0, f64::max);
    writeln!(
        out,
        "{:width$}  {:>13}  {:>13}  {:>9}  {:>9}  {:>9}",
        format!("{} in all", rows.len()),
        sum(|row| row.before.bytes),
        sum(|row| row.after.bytes),
        sum(|row| row.before.keys as u64),
        sum(|row| row.after.keys as u64),
        worst
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn before_and_after_are_on_one_line() {
        let counts = |bytes, keys| Counts { bytes, clips: 2, keys, nodes: 30 };
        let proof = Proof {
            metres: 0.000_071,
            place: "clip \"walk\" at 0.500 s, joint \"hand\"".into(),
            at_skin: true,
            ..Proof::default()
        };
        let mut row = Row::new(
            Path::new("a.fbx"),
            Path::new("a.glb"),
            [counts(2000, 900), counts(500, 100)],
            &proof,
        );
        row.bound_mm = Some(0.1);
        let mut out = Vec::new();
        text(&mut out, &row).expect("memory");
        let expected = "a.fbx → a.glb\n  bytes   2,000 → 500 (25 %)\n  clips   2\n  keys    900 → 100\n  joints  30\n  error   0.071 mm at the skin, clip \"walk\" at 0.500 s, joint \"hand\" (bound 0.1 mm)\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }
}
