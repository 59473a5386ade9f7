//! A folder tree of files, each taken through one task, on all cores: convert, retarget, check, pack, render or sample.
//!
//! In:  a folder, where results go, and a task.
//! Out: files in a tree of the same shape, and a [`BatchReport`] with a row for every file.
//!
//! A manifest in the output folder has a line for every file that is done. What is in it with the same input and the same
//! task is not done again, so a batch that was stopped goes on where it was. A bad file is a row, never the end.
//!
//! ```no_run
//! use sinew::batch::{Batch, BatchFormat, BatchTask};
//! let task = BatchTask::Convert { format: BatchFormat::Glb, rate: None };
//! let report = Batch::new("mocap", "mocap_glb", task).run(&|_| true)?;
//! println!("{} done, {} failed", report.done(), report.failed());
//! # Ok::<(), sinew::batch::BatchError>(())
//! ```

mod files;
mod manifest;
mod npz;
mod parquet;
mod report;
mod task;
mod thrift;
mod write;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

pub use report::{BatchReport, BatchRow, BatchStatus};
pub use task::{BatchFormat, BatchTask};

use files::Input;
use manifest::Manifest;
use task::Worker;

/// Why a batch could not begin or go on. What is wrong with one file is in its row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchError {
    /// What, where, expected and found.
    pub message: String,
}

impl BatchError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }

    fn at(path: &Path, what: &str, error: &std::io::Error) -> Self {
        Self::new(format!("cannot {what} {}: {error}", path.display()))
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BatchError {}

/// How far a batch is, and the row that was just finished.
#[derive(Clone, Copy, Debug)]
pub struct BatchProgress<'a> {
    /// Files that are finished, this one included.
    pub finished: usize,
    /// All files.
    pub total: usize,
    /// The one that was just finished.
    pub row: &'a BatchRow,
}

/// A folder, a task, and where results go.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Where the files are; it and all below it.
    pub folder: PathBuf,
    /// Where results go, with the manifest.
    pub out: PathBuf,
    /// What is done with each.
    pub task: BatchTask,
    /// Does all of it again, whatever the manifest says.
    pub again: bool,
}

impl Batch {
    /// With what is done already left as it is.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>, out: impl Into<PathBuf>, task: BatchTask) -> Self {
        Self { folder: folder.into(), out: out.into(), task, again: false }
    }

    /// Does it, on all of rayon's threads. `each` hears of every file; where it says `false`, no further file is begun.
    ///
    /// # Errors
    /// When the folder cannot be read, results cannot be written, or what the task needs cannot be opened.
    pub fn run(
        &self,
        each: &(dyn Fn(BatchProgress<'_>) -> bool + Sync),
    ) -> Result<BatchReport, BatchError> {
        let begun = Instant::now();
        let inputs = files::inputs(&self.folder, &self.out)?;
        std::fs::create_dir_all(&self.out)
            .map_err(|error| BatchError::at(&self.out, "make", &error))?;
        let options = self.task.fingerprint();
        let manifest = Manifest::open(&self.out)?;
        let worker = Worker::new(&self.task)?;
        let (finished, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let failed: Mutex<Option<BatchError>> = Mutex::new(None);
        let one = |input: &Input| {
            if stopped.load(Ordering::Relaxed) {
                return None;
            }
            let known = manifest.done(input, &options, &self.out).filter(|_| !self.again);
            let row = known.unwrap_or_else(|| {
                let row = self.row(&worker, input, &options);
                if let Err(error) = manifest.add(&row) {
                    stopped.store(true, Ordering::Relaxed);
                    failed.lock().map(|mut failed| failed.get_or_insert(error).message.len()).ok();
                }
                row
            });
            let finished = finished.fetch_add(1, Ordering::Relaxed) + 1;
            if !each(BatchProgress { finished, total: inputs.len(), row: &row }) {
                stopped.store(true, Ordering::Relaxed);
            }
            Some(row)
        };
        let rows: Vec<Option<BatchRow>> = inputs.par_iter().with_max_len(1).map(one).collect();
        if let Some(error) = failed.into_inner().ok().flatten() {
            return Err(error);
        }
        let unfinished = rows.iter().filter(|row| row.is_none()).count();
        let rows = rows.into_iter().flatten().collect();
        let seconds = begun.elapsed().as_secs_f64();
        Ok(BatchReport { task: self.task.name().to_owned(), rows, unfinished, seconds })
    }

    /// One file, whatever happens.
    fn row(&self, worker: &Worker<'_>, input: &Input, options: &str) -> BatchRow {
        let begun = Instant::now();
        let mut row = BatchRow::new(input, options);
        let done = catch_unwind(AssertUnwindSafe(|| worker.run(input, &self.out, &mut row)));
        let failed = match done {
            Ok(Ok(())) => None,
            Ok(Err(message)) => Some(message),
            Err(_) => Some("a fault of Sinew itself; please report it with this file".to_owned()),
        };
        if let Some(message) = failed {
            row.status = BatchStatus::Failed;
            row.message = message;
        }
        row.seconds = begun.elapsed().as_secs_f64();
        row
    }
}

#[cfg(test)]
mod tests;
