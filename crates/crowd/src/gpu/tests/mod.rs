//! Tests that need a device: a software driver will do.

mod draw;
mod faults;
mod same;
mod shaders;
mod stage;
