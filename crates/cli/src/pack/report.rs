//! What is told of a packed clip, to people and to programs.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use sinew::pack::Report;

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
    rate: f32,
    frames: usize,
    smooth: bool,
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
            rate: report.rate,
            frames: report.frames,
            smooth: report.smooth,
            segment: report.segment,
            moving: report.moving,
            constant: report.constant,
        }
    }
}

pub(crate) fn text(out: &mut Vec<u8>, row: &Row) -> io::Result<()> {
    let Row { bytes, raw_bytes, error_mm, rate, frames, segment, moving, constant, .. } = row;
    let way = if row.smooth { ", a cubic through them" } else { "" };
    writeln!(out, "{}: {}", crate::info::named(&row.clip), row.file)?;
    write!(out, "  size      {bytes} bytes, ")?;
    match *raw_bytes as f64 / *bytes as f64 {
        times if times >= 1.0 => writeln!(out, "{times:.1} times smaller than {raw_bytes} raw")?,
        _ => writeln!(out, "more than {raw_bytes} raw: so little is not worth packing")?,
    }
    writeln!(out, "  error     {error_mm:.4} mm at the skin, at node {:?}", row.worst_node)?;
    if let Some(skin) = row.skin_mm {
        writeln!(out, "  skin      {skin:.4} mm at the worst vertex")?;
    }
    match frames {
        1 => writeln!(out, "  frames    1, for the whole clip")?,
        _ => writeln!(
            out,
            "  frames    {frames} at {rate:.2} a second{way}, in segments of {segment}"
        )?,
    }
    writeln!(out, "  tracks    {moving} moving, {constant} constant, the others at rest")
}

pub(crate) fn json(out: &mut Vec<u8>, row: &Row) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    out.push(b'\n');
    Ok(())
}
