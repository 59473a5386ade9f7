#![doc = include_str!("../../../docs/lua.md")]
//!
//! # Inside
//!
//! `sandbox` has the interpreter without access to the system, `limits` what stops it, `pattern` Lua's patterns with every
//! step counted, `api` what Sinew adds, `world` what a script has built with it, and `script` calls `Awake` and `Update`.

mod actor_state;
mod angles;
mod api;
mod error;
mod graphs;
mod limits;
mod log;
mod paint;
mod pattern;
mod sandbox;
mod script;
mod world;

pub use error::ScriptError;
pub use limits::Limits;
pub use paint::Painter;
pub use script::{Options, Say, Script};
