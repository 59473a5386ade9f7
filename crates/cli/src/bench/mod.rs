//! `sinew bench`: how fast, measured here and now.

mod import;
mod memory;
mod motion;

pub(crate) use motion::BenchMotion;

use crate::args::Bench;
use crate::fault::Fault;

pub(crate) fn run(bench: &Bench) -> Result<(), Fault> {
    match bench {
        Bench::Import(args) => import::run(args),
        Bench::Motion(args) => motion::run(args),
    }
}
