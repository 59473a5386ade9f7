//! What is told of a packed clip, to people and to programs.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use sinew::pack::{Packed, Report};

use crate::info::millimetres;

/// How many frames a packed clip has, and when.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Frames {
    pub(crate) frames: usize,
    /// Frames a second; on average where they are not uniform.
    pub(crate) rate: f32,
    pub(crate) uniform: bool,
}

impl Frames {
    pub(crate) fn of<B: AsRef<[u8]>>(packed: &Packed<B>) -> Self {
        Self { frames: packed.frames(), rate: packed.rate(), uniform: packed.is_uniform() }
    }

    /// What follows the number of frames in a sentence.
    pub(crate) fn text(&self) -> String {
        match (self.frames, self.uniform) {
            (1, _) => ", for the whole clip".into(),
            // Two frames are evenly apart, whatever they are chosen from.
            (2, _) | (_, true) => format!(" at {:.2} Hz", self.rate),
            (_, false) => {
                format!(" at {:.2} Hz on average, denser where more is needed", self.rate)
            }
        }
    }
}

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
    /// Against the clip itself, which may move between samples.
    loss_mm: f64,
    /// How many samples were taken of the clip; 0 where the error is of its curves.
    samples: usize,
    #[serde(flatten)]
    frames: Frames,
    segment: usize,
    moving: usize,
    constant: usize,
}

impl Row {
    pub(crate) fn new(
        file: &Path,
        packed: &Packed<Vec<u8>>,
        report: Report,
        skin: Option<f32>,
    ) -> Self {
        Self {
            clip: packed.name().to_owned(),
            file: file.display().to_string(),
            bytes: packed.bytes().len(),
            raw_bytes: report.raw,
            error_mm: millimetres(report.error),
            skin_mm: skin.map(millimetres),
            worst_node: report.joint,
            loss_mm: millimetres(report.loss),
            samples: packed.samples(),
            frames: Frames::of(packed),
            segment: packed.segment(),
            moving: report.moving,
            constant: report.constant,
        }
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
    if row.loss_mm > 1.05 * error_mm {
        writeln!(
            out,
            "  loss      between samples the clip itself is up to {:.4} mm away; --exact-curves follows it",
            row.loss_mm
        )?;
    }
    if let Some(skin) = row.skin_mm {
        writeln!(out, "  skin      {skin:.4} mm from the clip itself at the worst vertex")?;
    }
    writeln!(out, "  frames    {}{}, in segments of {segment}", frames.frames, frames.text())?;
    if row.samples > frames.frames {
        writeln!(out, "  samples   {} are within the error of these frames", row.samples)?;
    }
    writeln!(out, "  tracks    {moving} moving, {constant} constant, the others at rest")
}

pub(crate) fn json(out: &mut Vec<u8>, row: &Row) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    out.push(b'\n');
    Ok(())
}
