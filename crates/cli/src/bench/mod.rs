//! `sinew bench`: how fast, measured here and now.

mod clock;
pub(crate) mod crowd_gpu;
pub(crate) mod ecs;
mod import;
mod memory;
mod motion;
mod render;
mod speed;

use crate::args::{Bench, BenchArgs};
use crate::fault::Fault;

pub(crate) use crowd_gpu::BenchCrowdGpu;
pub(crate) use motion::BenchMotion;
pub(crate) use render::BenchRender;
pub(crate) use speed::BenchSpeed;

pub(crate) fn run(bench: &BenchArgs) -> Result<(), Fault> {
    match &bench.what {
        None => speed::run(&bench.speed),
        Some(Bench::Import(args)) => import::run(args),
        Some(Bench::Motion(args)) => motion::run(args),
        Some(Bench::Render(args)) => render::run(args),
        Some(Bench::Ecs(args)) => ecs::run(args),
        Some(Bench::CrowdGpu(args)) => crowd_gpu::run(args),
    }
}
