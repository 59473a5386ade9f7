//! `sinew bench`: how fast, measured here and now.

pub(crate) mod ecs;
mod import;
mod memory;

use crate::args::Bench;
use crate::fault::Fault;

pub(crate) fn run(bench: &Bench) -> Result<(), Fault> {
    match bench {
        Bench::Import(args) => import::run(args),
        Bench::Ecs(args) => ecs::run(args),
    }
}
