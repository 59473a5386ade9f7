//! `sinew batch`: a whole folder tree taken through one task, on all cores.
//!
//! In:  a folder, a task with its options, and where results go.
//! Out: results in a tree of the same shape; a table on standard output, or JSON; bad files listed.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use sinew::batch::{Batch as Job, BatchFormat, BatchReport, BatchStatus, BatchTask};
use sinew::check::Engine;

use crate::args::Talk;
use crate::fault::Fault;
use crate::output;
use crate::pack::length;
use crate::render::{Progress, Size};

pub(crate) const EXAMPLES: &str = "Examples:
  sinew batch convert mocap -o glb --to glb                every file below mocap, as a .glb
  sinew batch retarget mocap -o hero --onto hero.glb --rate 30
  sinew batch check models --for godot --report findings.parquet
  sinew batch pack models -o packed --error 0.1mm
  sinew batch render models -o images --size 640x480
  sinew batch sample mocap -o arrays --rate 30             a .npz for each clip, for numpy

A batch that was stopped goes on where it was: what is done is skipped while its input and the options are the same. Results
and the manifest are in the output folder.";

#[derive(Debug, clap::Args)]
pub(crate) struct Batch {
    /// What is done with each file.
    #[arg(value_enum)]
    task: Task,
    /// The folder; it and all below it.
    folder: PathBuf,
    /// Where results go. A check needs none: its manifest is then beside the folder.
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What to write: glb, fbx, bvh or skeleton_anim.
    #[arg(long, value_name = "FORMAT", default_value = "glb", value_parser = format)]
    to: BatchFormat,
    /// The character that clips are retargeted onto.
    #[arg(long, value_name = "CHARACTER")]
    onto: Option<PathBuf>,
    /// Frames a second. Without it, those of each clip; of samples, 30.
    #[arg(long, value_name = "HZ", value_parser = rate)]
    rate: Option<f32>,
    /// Leave the feet where the joints put them.
    #[arg(long)]
    no_plant: bool,
    /// The engine that models are checked for.
    #[arg(long = "for", value_name = "ENGINE", value_parser = engine)]
    engine: Option<Engine>,
    /// The largest error of packed clips at the skin: a length with its unit, as 0.1mm.
    #[arg(long, value_name = "LENGTH", default_value = "0.1mm", value_parser = length)]
    error: f32,
    /// The size of images.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "640x480")]
    size: Size,
    /// Do all of it again, whatever is done already.
    #[arg(long)]
    again: bool,
    /// Write the report to a file, by its ending as JSON, CSV or Parquet.
    #[arg(long, value_name = "FILE", value_parser = report_file)]
    report: Option<PathBuf>,
    /// The report on standard output, as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Task {
    /// Written in another format.
    Convert,
    /// Their clips onto a character.
    Retarget,
    /// What is wrong with them, counted.
    Check,
    /// Their clips made small.
    Pack,
    /// An image of each.
    Render,
    /// Their clips as arrays: a .npz each.
    Sample,
}

fn format(text: &str) -> Result<BatchFormat, String> {
    BatchFormat::named(text).ok_or_else(|| "expected glb, fbx, bvh or skeleton_anim".into())
}

fn rate(text: &str) -> Result<f32, String> {
    let found = text.trim().parse().ok().filter(|rate| *rate > 0.0 && *rate <= 1000.0);
    found.ok_or_else(|| "expected frames a second, above 0 and up to 1000".into())
}

fn engine(text: &str) -> Result<Engine, String> {
    let known: Vec<&str> = Engine::ALL.iter().map(|engine| engine.name()).collect();
    Engine::named(text).ok_or_else(|| format!("expected one of {}", known.join(", ")))
}

pub(crate) fn run(args: &Batch, talk: Talk) -> Result<(), Fault> {
    crate::render::driver::hush();
    let job = Job { again: args.again, ..Job::new(&args.folder, out(args)?, task(args)?) };
    let bar = Mutex::new(None);
    let report = job.run(&|progress| {
        if let Ok(mut bar) = bar.lock() {
            let bar = bar.get_or_insert_with(|| Progress::new(progress.total, talk == Talk::Quiet));
            if progress.row.status == BatchStatus::Failed && talk >= Talk::Verbose {
                crate::output::tell!("failed: {}: {}", progress.row.file, progress.row.message);
            }
            bar.show(progress.finished);
        }
        true
    });
    drop(bar);
    let report = report.map_err(|error| Fault::Work(error.to_string()))?;
    if let Some(file) = &args.report {
        save(file, &report)?;
    }
    output::write(|out| {
        use std::io::Write;
        match args.json {
            true => writeln!(out, "{}", report.to_json()),
            false => writeln!(out, "{report}"),
        }
    })
}

fn save(file: &Path, report: &BatchReport) -> Result<(), Fault> {
    let bytes = match ending(file).as_str() {
        "parquet" => report.to_parquet(),
        "csv" => report.to_csv().into_bytes(),
        _ => report.to_json().into_bytes(),
    };
    std::fs::write(file, bytes)
        .map_err(|error| Fault::Work(format!("cannot write {}: {error}", file.display())))
}

fn ending(file: &Path) -> String {
    file.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Before the work is done, not after it.
fn report_file(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    let known = ["json", "csv", "parquet"].contains(&ending(&file).as_str());
    known
        .then_some(file)
        .ok_or_else(|| "expected a name that ends in .json, .csv or .parquet".into())
}

fn out(args: &Batch) -> Result<PathBuf, Fault> {
    match (&args.out, args.task) {
        (Some(out), _) => Ok(out.clone()),
        (None, Task::Check) => {
            let mut name = args.folder.as_os_str().to_owned();
            name.push(".checked");
            Ok(name.into())
        }
        (None, _) => Err(Fault::Usage("expected -o DIR: where results go".into())),
    }
}

fn task(args: &Batch) -> Result<BatchTask, Fault> {
    Ok(match args.task {
        Task::Convert => BatchTask::Convert { format: args.to, rate: args.rate },
        Task::Retarget => {
            let onto = args.onto.clone();
            let onto = onto.ok_or_else(|| {
                Fault::Usage("expected --onto CHARACTER: who the clips are for".into())
            })?;
            let plant_feet = !args.no_plant;
            BatchTask::Retarget { onto, format: args.to, rate: args.rate, plant_feet }
        }
        Task::Check => BatchTask::Check { engine: args.engine },
        Task::Pack => BatchTask::Pack { error: args.error },
        Task::Render => BatchTask::Render { width: args.size.width, height: args.size.height },
        Task::Sample => BatchTask::Sample { rate: args.rate.unwrap_or(30.0) },
    })
}
