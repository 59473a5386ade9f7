//! `sinew bench`: how fast, measured here and now.

mod clock;
mod crowd_gpu;
pub(crate) mod ecs;
mod import;
mod memory;
mod motion;
mod render;

use crate::args::Bench;
use crate::fault::Fault;

pub(crate) use crowd_gpu::BenchCrowdGpu;
pub(crate) use motion::BenchMotion;
pub(crate) use render::BenchRender;

pub(crate) fn run(bench: &Bench) -> Result<(), Fault> {
    match bench {
        Bench::Import(args) => import::run(args),
        Bench::Motion(args) => motion::run(args),
        Bench::Render(args) => render::run(args),
        Bench::Ecs(args) => ecs::run(args),
        Bench::CrowdGpu(args) => crowd_gpu::run(args),
    }
}
