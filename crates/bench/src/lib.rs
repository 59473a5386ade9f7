//! The programs behind `sinew bench`: how fast, measured here and now.
//!
//! In:  the arguments of the command.
//! Out: a table on standard output, for people or as JSON.

mod clock;
mod crowd_gpu;
mod ecs;
mod error;
mod import;
mod memory;
mod motion;
mod output;
mod render;
mod size;
mod speed;

use std::path::PathBuf;

use clap::Subcommand;

pub use crowd_gpu::BenchCrowdGpu;
pub use ecs::BenchEcs;
pub use error::BenchError;
pub use motion::BenchMotion;
pub use render::BenchRender;
pub use size::Size;
pub use speed::BenchSpeed;

/// What `sinew bench` takes.
#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// One of the programs; without, the table of all that must be fast.
    #[command(subcommand)]
    pub what: Option<Bench>,
    /// How the table is made.
    #[command(flatten)]
    pub speed: BenchSpeed,
}
/// What is measured.
#[derive(Debug, Subcommand)]
pub enum Bench {
    /// How fast files are read: best and median milliseconds, MB/s and peak memory of each.
    #[command(after_help = "Example:\n  sinew bench import models/ --runs 20")]
    Import(BenchImport),
    /// How fast characters move: nanoseconds for every operation, beside ozz-animation.
    #[command(
        after_help = "Examples:\n  sinew bench motion\n  sinew bench motion --json | jq '.[] | select(.name == \"sample\")'"
    )]
    Motion(BenchMotion),
    /// What drawing costs with one character and with many: processor and GPU apart, draw calls, bytes.
    #[command(
        after_help = "Examples:\n  sinew bench render\n  sinew bench render --instances 1,1000 --size 1920x1080 --frames 200\n  sinew bench render --json | jq .cpu_us_per_actor"
    )]
    Render(BenchRender),
    /// How long each of the four systems takes for a crowd: animation, node, skinning, render.
    #[command(
        after_help = "Examples:\n  sinew bench ecs\n  sinew bench ecs hero.glb --characters 500 --json"
    )]
    Ecs(ecs::BenchEcs),
    /// How many characters a GPU poses in a millisecond, beside what its memory lets through.
    #[command(
        after_help = "Examples:\n  sinew bench crowd-gpu\n  sinew bench crowd-gpu --counts 1000,1000000 --json\n  sinew bench crowd-gpu --bandwidth 4800 --way far"
    )]
    CrowdGpu(BenchCrowdGpu),
}

/// What `sinew bench import` takes.
#[derive(Debug, clap::Args)]
pub struct BenchImport {
    /// A folder of models, or one model.
    pub path: PathBuf,
    /// How often to read each file.
    #[arg(long, default_value_t = 7)]
    pub runs: usize,
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}

/// Measures what is asked for.
///
/// # Errors
/// When a file cannot be read, a device is missing, or the reader of the output went away.
pub fn run(bench: &BenchArgs) -> Result<(), BenchError> {
    match &bench.what {
        None => speed::run(&bench.speed),
        Some(Bench::Import(args)) => import::run(args),
        Some(Bench::Motion(args)) => motion::run(args),
        Some(Bench::Render(args)) => render::run(args),
        Some(Bench::Ecs(args)) => ecs::run(args),
        Some(Bench::CrowdGpu(args)) => crowd_gpu::run(args),
    }
}
