//! The manifest: a line of JSON for every file that is done, added as it is done.
//!
//! A line that was cut short, as by a power failure, is passed over: its file is done again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::files::Input;
use super::{BatchError, BatchRow, BatchStatus};

/// What the file is called, in the output folder.
const NAME: &str = "sinew-batch.jsonl";

#[derive(Debug)]
pub(super) struct Manifest {
    known: HashMap<String, BatchRow>,
    file: Mutex<File>,
}

impl Manifest {
    /// Reads what is there; further lines are added to it.
    pub(super) fn open(folder: &Path) -> Result<Self, BatchError> {
        let path = folder.join(NAME);
        let text = std::fs::read(&path).unwrap_or_default();
        let lines = text.split(|byte| *byte == b'\n');
        let rows = lines.filter_map(|line| serde_json::from_slice::<BatchRow>(line).ok());
        let known = rows.map(|row| (row.file.clone(), row)).collect();
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|error| BatchError::at(&path, "write", &error))?;
        if text.last().is_some_and(|last| *last != b'\n') {
            file.write_all(b"\n").map_err(|error| BatchError::at(&path, "write", &error))?;
        }
        Ok(Self { known, file: Mutex::new(file) })
    }

    /// The row of a file whose results are there, of the same input and the same task. A file that could not be used
    /// then cannot now.
    pub(super) fn done(&self, input: &Input, options: &str, out: &Path) -> Option<BatchRow> {
        let row = self.known.get(&input.name)?;
        let same = row.size == input.size && row.modified == input.modified;
        let whole = row.outputs.iter().all(|output| out.join(output).is_file());
        if !(same && whole && row.options == options) {
            return None;
        }
        let status = match row.status {
            BatchStatus::Failed => BatchStatus::Failed,
            _ => BatchStatus::Skipped,
        };
        Some(BatchRow { status, ..row.clone() })
    }

    pub(super) fn add(&self, row: &BatchRow) -> Result<(), BatchError> {
        let mut line =
            serde_json::to_vec(row).map_err(|error| BatchError::new(error.to_string()))?;
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line).map_err(|error| BatchError::at(Path::new(NAME), "write", &error))
    }
}
