//! `info` of a packed clip: what it holds, what it needs, and how far off it is.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use sinew::pack::{Packed, ReadError};

use super::text::{bytes_text, count, named};
use crate::pack::Frames;

/// The same for people and for `--json`, under the names that other files' facts have.
#[derive(Debug, Serialize)]
pub(crate) struct Facts {
    file: String,
    format: &'static str,
    bytes: usize,
    version: u16,
    /// The one there is.
    clips: [Clip; 1],
    needs: Needs,
}

#[derive(Debug, Serialize)]
struct Clip {
    name: String,
    start: f64,
    seconds: f32,
    #[serde(flatten)]
    frames: Frames,
    /// Millimetres at the skin that were allowed, and that were measured.
    bound_mm: f64,
    error_mm: f64,
    /// Against the clip itself, which may have moved between the samples that were packed.
    loss_mm: f64,
}

/// What a model must have.
#[derive(Debug, Serialize)]
struct Needs {
    nodes: usize,
    morph_weights: usize,
    driven_values: usize,
}

pub(crate) fn gather(file: &Path, bytes: &[u8]) -> Result<Facts, ReadError> {
    let packed = Packed::read(bytes)?;
    let (nodes, morph_weights, driven_values) = packed.counts();
    let (bound, measured) = packed.error();
    Ok(Facts {
        file: file.display().to_string(),
        format: "sinewclip",
        bytes: bytes.len(),
        version: packed.version(),
        clips: [Clip {
            name: packed.name().to_owned(),
            start: packed.start(),
            seconds: packed.duration(),
            frames: Frames::of(&packed),
            bound_mm: millimetres(bound),
            error_mm: millimetres(measured),
            loss_mm: millimetres(packed.loss()),
        }],
        needs: Needs { nodes, morph_weights, driven_values },
    })
}

/// Six digits of a length in metres: 0.1 mm is told as it was asked for, not as single precision keeps it.
pub(crate) fn millimetres(metres: f32) -> f64 {
    format!("{:.5e}", f64::from(metres) * 1e3).parse().unwrap_or_default()
}

pub(crate) fn write(out: &mut Vec<u8>, facts: &Facts) -> io::Result<()> {
    let Facts { file, format, bytes, version, clips: [clip], needs } = facts;
    writeln!(out, "{file}: {format}, {}", bytes_text(*bytes as u64))?;
    let start = match clip.start {
        0.0 => String::new(),
        start => format!(", starts at {start:.3} s"),
    };
    let name = named(&clip.name);
    writeln!(out, "  a packed clip of version {version}: {name}, {:.3} s{start}", clip.seconds)?;
    let Clip { frames, bound_mm, error_mm, loss_mm, .. } = clip;
    writeln!(out, "  {}{}", count(frames.frames, "frame"), frames.text())?;
    writeln!(out, "  at the skin at most {bound_mm} mm off, {error_mm:.4} mm measured")?;
    if *loss_mm > 1.05 * error_mm {
        writeln!(out, "  between samples the clip itself was up to {loss_mm:.4} mm away")?;
    }
    writeln!(
        out,
        "  needs its model: {}, {}, {}",
        count(needs.nodes, "node"),
        count(needs.morph_weights, "morph weight"),
        count(needs.driven_values, "driven value"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_told_as_it_was_asked_for() {
        for (metres, told) in [(1e-4, "0.1"), (0.005, "5"), (1e-10, "0.0000001"), (0.0, "0")] {
            assert_eq!(millimetres(metres).to_string(), told);
        }
    }
}
