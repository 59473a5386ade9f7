//! Sinew in Python: the module `sinew._sinew`, which the package `sinew` makes its own.
//!
//! In:  paths, bytes, names and numpy arrays.
//! Out: numpy arrays that are not copied, and exceptions with the sentences of the command.
//!
//! Classes are thin: each holds a shared scene. Everything long runs without the interpreter's lock (`error::work`).

mod arrays;
mod axes;
mod batch;
mod blend;
mod clip;
mod error;
mod form;
mod ik;
mod joints;
mod made;
mod model;
mod motion;
mod pool;
mod poses;
mod render;
mod report;
mod retarget;
mod sample;
mod show;
mod skeleton;
mod skin;
mod write;

use pyo3::prelude::*;

#[pymodule]
mod _sinew {
    #[pymodule_export]
    use super::batch::run_batch;
    #[pymodule_export]
    use super::blend::{blend, play};
    #[pymodule_export]
    use super::clip::Clip;
    #[pymodule_export]
    use super::error::{InternalError, ReadError, RetargetError, finish};
    #[pymodule_export]
    use super::model::{Clips, Model, open, set_deterministic};
    #[pymodule_export]
    use super::report::{check, diff};
    #[pymodule_export]
    use super::retarget::{joint_map, retarget};
    #[pymodule_export]
    use super::show::{film, render};
    #[pymodule_export]
    use super::skeleton::Skeleton;

    #[pymodule_export]
    const __VERSION__: &str = env!("CARGO_PKG_VERSION");
}
