//! `sinew bench import DIR`: how fast files are read, file by file and format by format.
//!
//! The file is in memory; its companions are read from disk each time, as they would be. Noisy
//! machines make slow runs, never fast ones: compare best times.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use sinew::Options;
use sinew::import::{Beside, Format};

use super::memory;
use crate::BenchError;
use crate::BenchImport;
use crate::output;

#[derive(Debug, Serialize)]
struct Row {
    file: String,
    format: String,
    bytes: usize,
    best_ms: f64,
    median_ms: f64,
    /// Of the file itself, at the best time.
    mb_per_s: f64,
    /// What reading added to the process, at its peak.
    peak_bytes: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Table {
    runs: usize,
    files: Vec<Row>,
    failed: Vec<String>,
}

pub(crate) fn run(args: &BenchImport) -> Result<(), BenchError> {
    let mut files = Vec::new();
    gather(&args.path, &mut files).map_err(|error| {
        BenchError::Work(format!("cannot read {}: {error}", args.path.display()))
    })?;
    files.sort();
    let mut table = Table { runs: args.runs.max(1), files: Vec::new(), failed: Vec::new() };
    for file in &files {
        let Ok(bytes) = fs::read(file) else { continue };
        let Some(format) = Format::detect(&bytes, file.to_str()) else { continue };
        match measure(file, &bytes, format, table.runs) {
            Ok(row) => table.files.push(row),
            Err(error) => table.failed.push(format!("{}: {error}", file.display())),
        }
    }
    if table.files.is_empty() {
        return Err(BenchError::Work(format!(
            "{} has no model that can be read",
            args.path.display()
        )));
    }
    output::write(|out| match args.json {
        true => Ok(serde_json::to_writer_pretty(out, &table)?),
        false => print(out, &table),
    })
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut folders = vec![path.to_owned()];
    if path.is_file() {
        files.push(path.to_owned());
        folders.clear();
    }
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    Ok(())
}

fn measure(
    file: &Path,
    bytes: &[u8],
    format: Format,
    runs: usize,
) -> Result<Row, sinew::ImportError> {
    let options = Options::default();
    let files = Beside::new(file);
    let before = memory::now();
    memory::reset_peak();
    drop(options.read_as(format, bytes, &files)?);
    let peak_bytes = memory::peak().zip(before).map(|(peak, before)| peak.saturating_sub(before));
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            let imported = options.read_as(format, bytes, &files);
            let time = start.elapsed();
            drop(imported);
            time
        })
        .collect();
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let best = times.first().copied().unwrap_or_default();
    Ok(Row {
        file: file.display().to_string(),
        format: format.to_string(),
        bytes: bytes.len(),
        best_ms: ms(best),
        median_ms: ms(times[times.len() / 2]),
        mb_per_s: bytes.len() as f64 / 1e6 / best.as_secs_f64().max(1e-9),
        peak_bytes,
    })
}

fn print(out: &mut Vec<u8>, table: &Table) -> io::Result<()> {
    writeln!(out, "   best ms  median ms      MB/s   peak MB  file ({} runs each)", table.runs)?;
    for row in &table.files {
        let peak = row.peak_bytes.map_or("-".into(), |peak| format!("{:.1}", peak as f64 / 1e6));
        writeln!(
            out,
            "{:>10.2} {:>10.2} {:>9.1} {peak:>9}  {}",
            row.best_ms, row.median_ms, row.mb_per_s, row.file
        )?;
    }
    writeln!(out)?;
    let mut formats: Vec<&str> = table.files.iter().map(|row| row.format.as_str()).collect();
    formats.sort_unstable();
    formats.dedup();
    for format in formats {
        let rows = || table.files.iter().filter(|row| row.format == format);
        let bytes: usize = rows().map(|row| row.bytes).sum();
        let best: f64 = rows().map(|row| row.best_ms).sum();
        let median: f64 = rows().map(|row| row.median_ms).sum();
        let rate = bytes as f64 / 1e3 / best.max(1e-9);
        let count = rows().count();
        writeln!(
            out,
            "{best:>10.2} {median:>10.2} {rate:>9.1} {:>9}  {format}, {count} files",
            ""
        )?;
    }
    for failure in &table.failed {
        writeln!(out, "not read: {failure}")?;
    }
    Ok(())
}
