//! What is told of a crowd, to people and to programs.

use std::io::{self, Write};

use serde::Serialize;

use crate::info::{bytes_text, named};

/// A clip as it is played.
#[derive(Debug, Serialize)]
pub(crate) struct ReelRow {
    pub(crate) clip: String,
    pub(crate) seconds: f32,
    /// Frames a second.
    pub(crate) rate: f32,
    pub(crate) bytes: usize,
    pub(crate) error_mm: f64,
}

/// How far the GPU's numbers are from the processor's.
#[derive(Debug, Serialize)]
pub(crate) struct Difference {
    pub(crate) most: f32,
    pub(crate) bound: f32,
    /// So many characters were compared.
    pub(crate) of: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Drawn {
    pub(crate) file: String,
    pub(crate) seen: u32,
    pub(crate) culled: u32,
    pub(crate) draw_calls: u32,
    /// Of all passes.
    pub(crate) triangles: u64,
    /// To the renderer, for the whole image.
    pub(crate) uploaded_bytes: u64,
}

/// A level of detail.
#[derive(Debug, Serialize)]
pub(crate) struct LevelRow {
    pub(crate) every: u32,
    pub(crate) reach: f32,
    pub(crate) characters: usize,
    pub(crate) joints_moved: usize,
    /// As stated.
    pub(crate) error_mm: f64,
    /// The largest seen.
    pub(crate) measured_mm: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) characters: usize,
    pub(crate) joints: usize,
    pub(crate) on: &'static str,
    /// Who poses.
    pub(crate) device: String,
    pub(crate) sampled_clips: Vec<ReelRow>,
    /// Of the processor's memory for each character, where it poses them.
    pub(crate) cpu_bytes_each: usize,
    /// Of the GPU's.
    pub(crate) gpu_bytes_each: Option<u64>,
    /// Sampled clips and skeleton there.
    pub(crate) gpu_bytes_shared: Option<u64>,
    /// To the GPU for each character in each frame.
    pub(crate) sent_bytes_each: Option<usize>,
    pub(crate) pose_ms: f64,
    pub(crate) clock: &'static str,
    pub(crate) off_by: Option<Difference>,
    pub(crate) levels: Vec<LevelRow>,
    pub(crate) checksum: Option<String>,
    pub(crate) image: Option<Drawn>,
    pub(crate) notes: Vec<String>,
}

impl Report {
    pub(crate) fn write(&self, out: &mut Vec<u8>, json: bool) -> io::Result<()> {
        if json {
            serde_json::to_writer_pretty(&mut *out, self)?;
            return writeln!(out);
        }
        writeln!(out, "characters  {} of {} joints", self.characters, self.joints)?;
        writeln!(out, "posed by    {}", self.device)?;
        self.sampled_clips(out)?;
        self.memory(out)?;
        let each = self.pose_ms * 1e6 / self.characters as f64;
        writeln!(out, "pose        {:.3} ms, {each:.0} ns each ({})", self.pose_ms, self.clock)?;
        if let Some(Difference { most, bound, of }) = &self.off_by {
            writeln!(
                out,
                "exact       within {most:.1e} of the processor's numbers, {of} characters compared; {bound:.1e} allowed"
            )?;
        }
        self.levels(out)?;
        if let Some(sum) = &self.checksum {
            writeln!(out, "checksum    {sum} of all matrices")?;
        }
        if let Some(drawn) = &self.image {
            let Drawn { file, seen, culled, draw_calls, triangles, uploaded_bytes } = drawn;
            writeln!(
                out,
                "image     {file}: {seen} seen, {culled} not in it, {draw_calls} draw calls, {triangles} triangles, {} sent",
                bytes_text(*uploaded_bytes)
            )?;
        }
        Ok(())
    }

    fn sampled_clips(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let wide =
            self.sampled_clips.iter().map(|sampled| named(&sampled.clip).chars().count()).max();
        let wide = wide.unwrap_or(0).min(40);
        for (at, sampled) in self.sampled_clips.iter().enumerate() {
            let label = if at == 0 { "sampled_clips" } else { "" };
            writeln!(
                out,
                "{label:<11} {:<wide$} {:>7.2} s {:>6.1} frames a second {:>8.1} KB   off by {:.4} mm",
                named(&sampled.clip),
                sampled.seconds,
                sampled.rate,
                sampled.bytes as f64 / 1024.0,
                sampled.error_mm
            )?;
        }
        Ok(())
    }

    fn memory(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let all = |each: u64| bytes_text(each * self.characters as u64);
        let cpu = self.cpu_bytes_each;
        write!(out, "memory      on the processor {cpu} bytes each")?;
        match (self.gpu_bytes_each, self.gpu_bytes_shared, self.sent_bytes_each) {
            (Some(gpu), Some(shared), Some(sent)) => {
                writeln!(out, ", {}", all(cpu as u64))?;
                writeln!(
                    out,
                    "            on the GPU {gpu} bytes each, {}, and {} for all; {sent} bytes each are sent in a frame",
                    all(gpu),
                    bytes_text(shared)
                )
            }
            _ => writeln!(out, ", {}", all(cpu as u64)),
        }
    }

    fn levels(&self, out: &mut Vec<u8>) -> io::Result<()> {
        for (at, level) in self.levels.iter().enumerate() {
            let label = if at == 0 { "detail" } else { "" };
            let LevelRow { every, reach, characters, joints_moved, error_mm, measured_mm } = level;
            let often = match every {
                1 => "every frame".to_owned(),
                2 => "every 2nd".to_owned(),
                3 => "every 3rd".to_owned(),
                every => format!("every {every}th"),
            };
            writeln!(
                out,
                "{label:<11} {often:<11} reach {:>5.1} cm  {characters:>7} characters  {joints_moved:>4} joints moved   within {error_mm:>8.2} mm; seen {measured_mm:>8.2} mm",
                reach * 100.0
            )?;
        }
        if !self.levels.is_empty() {
            writeln!(
                out,
                "            (10 cm from joints, at 60 frames a second, over {} frames)",
                60
            )?;
        }
        Ok(())
    }
}
