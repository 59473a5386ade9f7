//! `sinew bench`: how fast, measured here and now.

mod clock;
mod import;
mod memory;
mod render;

use crate::args::Bench;
use crate::fault::Fault;

pub(crate) use render::BenchRender;

pub(crate) fn run(bench: &Bench) -> Result<(), Fault> {
    match bench {
        Bench::Import(args) => import::run(args),
        Bench::Render(args) => render::run(args),
    }
}
