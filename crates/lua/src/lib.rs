#![doc = include_str!("../../../docs/lua.md")]
//!
//! # Inside
//!
//! `sandbox` has the interpreter without doors, `limits` what stops it, `pattern` Lua's patterns with every step counted,
//! `api` what Sinew adds, `world` what a script has built with it, and `script` calls `Awake` and `Update`.

mod api;
mod edit;
mod error;
mod fading;
mod goal;
mod graphs;
mod limits;
mod log;
mod paint;
mod part;
mod pattern;
mod sandbox;
mod script;
mod world;

pub use error::Error;
pub use limits::Limits;
pub use paint::Painter;
pub use script::{Options, Say, Script};
