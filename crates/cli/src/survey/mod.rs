//! `sinew survey DIR`: everything below a folder is opened, sampled, skinned and read again, each file in a process of
//! its own with limits on time and memory.
//!
//! In:  a folder of anybody's files.
//! Out: one table: what broke, what was refused and why, what was slow, numbers that are not finite, notes by kind.

mod child;
mod find;
mod one;
mod table;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

pub(crate) use self::find::models;

use crate::args::Talk;
use crate::fault::Fault;
use crate::output;
use crate::render::Progress;

pub(crate) const EXAMPLES: &str = "Examples:
  sinew survey models/                        one table of everything below a folder
  sinew survey models/ --json > survey.json   a row for every file
  sinew survey models/ --time 10 --memory 2048 --slow 500";

#[derive(Debug, clap::Args)]
pub(crate) struct Survey {
    /// A folder, or one file.
    pub(crate) path: PathBuf,
    /// Seconds that one file may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) time: u64,
    /// MiB of address space that one file may take.
    #[arg(long, value_name = "MIB", default_value_t = 8192)]
    pub(crate) memory: u64,
    /// Milliseconds from which a file counts as slow to open.
    #[arg(long, value_name = "MS", default_value_t = 1000.0)]
    pub(crate) slow: f64,
    /// How many files at a time; all cores if not said.
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// A row for every file, as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// What the process of one file does.
    #[arg(long, hide = true)]
    pub(crate) one: bool,
}

pub(crate) fn run(args: &Survey, talk: Talk) -> Result<(), Fault> {
    if args.one {
        return one::run(&args.path);
    }
    let files = models(&args.path)
        .map_err(|error| Fault::Work(format!("cannot read {}: {error}", args.path.display())))?;
    if files.is_empty() {
        return Err(Fault::Work(format!("there is no model file in {}", args.path.display())));
    }
    let limits = child::Limits { time: Duration::from_secs(args.time), memory_mib: args.memory };
    let mut rows = survey(&files, &args.path, limits, args.jobs, talk)?;
    rows.sort_by(|a, b| a.file.cmp(&b.file));
    output::write(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, &rows)?;
            out.push(b'\n');
            return Ok(());
        }
        table::write(out, &rows, args.slow)
    })?;
    let broken = rows.iter().filter(|row| row.is_defect()).count();
    if broken > 0 {
        return Err(Fault::Work(format!("{broken} of {} files broke something", rows.len())));
    }
    Ok(())
}

fn survey(
    files: &[PathBuf],
    root: &Path,
    limits: child::Limits,
    jobs: Option<usize>,
    talk: Talk,
) -> Result<Vec<table::Row>, Fault> {
    let program = std::env::current_exe()
        .map_err(|error| Fault::Work(format!("cannot find this program: {error}")))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let queue: Mutex<VecDeque<&PathBuf>> = Mutex::new(files.iter().collect());
    let (report, reports) = mpsc::channel();
    let mut rows = Vec::with_capacity(files.len());
    let mut progress = Progress::new(files.len(), talk == Talk::Quiet);
    std::thread::scope(|scope| {
        for _ in 0..jobs.unwrap_or(cores).clamp(1, 256) {
            let (queue, report, program) = (&queue, report.clone(), &program);
            scope.spawn(move || {
                let next = || queue.lock().ok()?.pop_front();
                while let Some(file) = next() {
                    let outcome = child::run(program, file, limits);
                    let name = file.strip_prefix(root).unwrap_or(file);
                    let row = table::Row::new(name.display().to_string(), outcome);
                    if report.send(row).is_err() {
                        break;
                    }
                }
            });
        }
        drop(report);
        for row in reports {
            rows.push(row);
            progress.show(rows.len());
        }
    });
    Ok(rows)
}
