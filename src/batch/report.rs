//! What a batch did: a row for every file, for people and for programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::files::Input;
use super::parquet::{Column, parquet};

/// How a file fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum BatchStatus {
    /// Its results are there.
    Done,
    /// They were there already.
    Skipped,
    /// It cannot be used; the message says why.
    Failed,
}

impl BatchStatus {
    /// In one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
        }
    }
}

/// One file of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BatchRow {
    /// In the tree, with `/` between folders.
    pub file: String,
    /// How it fared.
    pub status: BatchStatus,
    /// Why it cannot be used; empty where it can.
    pub message: String,
    /// How long it took.
    pub seconds: f64,
    /// How many clips it has.
    pub clips: usize,
    /// How many frames its clips have, at their own rate.
    pub frames: usize,
    /// What was written, in the output folder.
    pub outputs: Vec<String>,
    /// What was measured: metres, metres a second, degrees, bytes, counts.
    pub figures: BTreeMap<String, f64>,
    /// What its task was, to know whether the same is asked for again.
    pub options: String,
    /// The file's size in bytes.
    pub size: u64,
    /// When the file was changed, in nanoseconds since 1970.
    pub modified: u64,
}

impl BatchRow {
    pub(super) fn new(input: &Input, options: &str) -> Self {
        Self {
            file: input.name.clone(),
            status: BatchStatus::Done,
            message: String::new(),
            seconds: 0.0,
            clips: 0,
            frames: 0,
            outputs: Vec::new(),
            figures: BTreeMap::new(),
            options: options.to_owned(),
            size: input.size,
            modified: input.modified,
        }
    }
}

/// What a batch did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BatchReport {
    /// Which task it was.
    pub task: String,
    /// A row for every file, in order of their names.
    pub rows: Vec<BatchRow>,
    /// How many files were not begun, since the batch was stopped.
    pub unfinished: usize,
    /// How long it took.
    pub seconds: f64,
}

impl BatchReport {
    fn count(&self, status: BatchStatus) -> usize {
        self.rows.iter().filter(|row| row.status == status).count()
    }

    /// How many files were done now.
    #[must_use]
    pub fn done(&self) -> usize {
        self.count(BatchStatus::Done)
    }

    /// How many were done before.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.count(BatchStatus::Skipped)
    }

    /// How many cannot be used.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.count(BatchStatus::Failed)
    }

    /// The whole as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The rows as a table with a column for every figure, as Parquet: for pandas, polars, DuckDB or Spark.
    #[must_use]
    pub fn to_parquet(&self) -> Vec<u8> {
        let rows = &self.rows;
        let texts = |text: fn(&BatchRow) -> &str| Column::Texts(rows.iter().map(text).collect());
        let wholes = |whole: fn(&BatchRow) -> i64| Column::Wholes(rows.iter().map(whole).collect());
        let mut columns = vec![
            ("file", texts(|row| &row.file)),
            ("status", texts(|row| row.status.name())),
            ("message", texts(|row| &row.message)),
            ("seconds", Column::Numbers(rows.iter().map(|row| Some(row.seconds)).collect())),
            ("clips", wholes(|row| row.clips as i64)),
            ("frames", wholes(|row| row.frames as i64)),
            ("outputs", Column::Lists(rows.iter().map(|row| &row.outputs[..]).collect())),
            ("size", wholes(|row| row.size as i64)),
        ];
        for name in self.figure_names() {
            let figures = rows.iter().map(|row| row.figures.get(name).copied());
            columns.push((name, Column::Numbers(figures.collect())));
        }
        parquet(rows.len(), &columns)
    }

    /// The same table as comma-separated values.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let names: Vec<&str> = self.figure_names().into_iter().collect();
        let mut csv = "file,status,message,seconds,clips,frames,outputs,size".to_owned();
        names.iter().for_each(|name| csv += &format!(",{}", quoted(name)));
        csv.push('\n');
        for row in &self.rows {
            let (file, message) = (quoted(&row.file), quoted(&row.message));
            let (status, outputs) = (row.status.name(), quoted(&row.outputs.join(";")));
            let BatchRow { seconds, clips, frames, size, .. } = row;
            csv +=
                &format!("{file},{status},{message},{seconds},{clips},{frames},{outputs},{size}");
            for name in &names {
                let figure = row.figures.get(*name).map(f64::to_string);
                csv += &format!(",{}", figure.unwrap_or_default());
            }
            csv.push('\n');
        }
        csv
    }

    fn figure_names(&self) -> BTreeSet<&str> {
        self.rows.iter().flat_map(|row| row.figures.keys()).map(String::as_str).collect()
    }
}

impl fmt::Display for BatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failed = self.rows.iter().filter(|row| row.status == BatchStatus::Failed);
        for row in failed {
            writeln!(f, "failed   {}: {}", row.file, row.message)?;
        }
        for (name, figures) in self.figures() {
            writeln!(f, "{name:28} {figures}")?;
        }
        let now = self.rows.iter().filter(|row| row.status == BatchStatus::Done);
        let frames: usize = now.map(|row| row.frames).sum();
        write!(
            f,
            "{}: {} done, {} skipped, {} failed of {} in {:.1} s",
            self.task,
            self.done(),
            self.skipped(),
            self.failed(),
            self.rows.len() + self.unfinished,
            self.seconds
        )?;
        if self.seconds > 0.0 && self.done() > 0 {
            let files = self.done() as f64 / self.seconds;
            write!(
                f,
                "; {files:.1} files and {:.0} frames a second",
                frames as f64 / self.seconds
            )?;
        }
        Ok(())
    }
}

impl BatchReport {
    /// Median and worst of every figure.
    fn figures(&self) -> BTreeMap<&str, String> {
        let mut all: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (name, value) in self.rows.iter().flat_map(|row| &row.figures) {
            all.entry(name).or_default().push(*value);
        }
        let words = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            let last = values.len() - 1;
            format!("median {:<12.5} most {:.5}", values[last / 2], values[last])
        };
        all.into_iter().map(|(name, values)| (name, words(values))).collect()
    }
}
