//! Sinew from Lua.
mod api;
mod edit;
mod error;
mod limits;
mod log;
mod paint;
mod pattern;
mod sandbox;
mod script;
mod world;

pub use error::Error;
pub use limits::Limits;
pub use paint::Painter;
pub use script::{Options, Script};
