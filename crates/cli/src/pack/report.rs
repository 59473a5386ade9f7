//! What is told of a packed clip, to people and to programs.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use sinew::pack::Report;

use super::Frames;
use crate::info::millimetres;

/// What came of packing a clip.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    clip: String,
    file: String,
    bytes: usize,
    raw_bytes: usize,
    error_mm: f64,
    /// At the worst vertex, where there are any.
    skin_mm: Option<f64>,
    worst_node: String,
    /// Of a clip that was sampled: how far nodes are from where the clip itself has them, between samples too.
    #[serde(skip_serializing_if = "Option::is_none")]
    between_mm: Option<f64>,
    /// Between how many frames and the next it jumps, which the error leaves out.
    jumps: usize,
    #[serde(flatten)]
    frames: Frames,
    segment: usize,
    moving: usize,
    constant: usize,
}

impl Row {
    pub(crate) fn new(clip: &str, file: &Path, report: Report, skin: Option<f32>) -> Self {
        Self {
            clip: clip.to_owned(),
            file: file.display().to_string(),
            bytes: report.bytes,
            raw_bytes: report.raw,
            error_mm: millimetres(report.error),
            skin_mm: skin.map(millimetres),
            worst_node: report.joint,
            between_mm: None,
            jumps: report.jumps,
            frames: Frames::new(report.frames, report.rate, report.even, report.course),
            segment: report.segment,
            moving: report.moving,
            constant: report.constant,
        }
    }

    /// The clip was sampled, and is so many metres off between.
    pub(crate) fn set_between(&mut self, off: f32) {
        self.between_mm = Some(millimetres(off));
    }
}

pub(crate) fn text(out: &mut Vec<u8>, row: &Row) -> io::Result<()> {
    let Row { bytes, raw_bytes, error_mm, frames, segment, moving, constant, .. } = row;
    writeln!(out, "{}: {}", crate::info::named(&row.clip), row.file)?;
    write!(out, "  size      {bytes} bytes, ")?;
    match *raw_bytes as f64 / *bytes as f64 {
        times if times >= 1.0 => writeln!(out, "{times:.1} times smaller than {raw_bytes} raw")?,
        _ => writeln!(out, "more than {raw_bytes} raw: so little is not worth packing")?,
    }
    writeln!(out, "  error     {error_mm:.4} mm at the skin, at node {:?}", row.worst_node)?;
    if let Some(off) = row.between_mm {
        writeln!(out, "  sampled   the clip itself is up to {off:.4} mm away between samples")?;
    }
    if row.jumps > 0 {
        writeln!(out, "  jumps     {}, each within 8 ms, which the error leaves out", row.jumps)?;
    }
    if let Some(skin) = row.skin_mm {
        writeln!(out, "  skin      {skin:.4} mm at the worst vertex")?;
    }
    writeln!(out, "  frames    {}{}, in segments of {segment}", frames.frames, frames.text())?;
    writeln!(out, "  tracks    {moving} moving, {constant} constant, the others at rest")
}

pub(crate) fn json(out: &mut Vec<u8>, row: &Row) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    out.push(b'\n');
    Ok(())
}
