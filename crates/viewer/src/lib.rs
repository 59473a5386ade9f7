//! A window on a scene: clock, camera, panels.
//!
//! In:  files, and what a person does with mouse and keyboard.
//! Out: what they see.
//!
//! The viewer's state (`State`) is apart from how it is shown (panels, stage) and from what a desktop alone has
//! (`native`): the same code runs on the web.
//!
//! ```no_run
//! sinew_viewer::run(sinew_viewer::Options::default())?;
//! # Ok::<(), sinew_viewer::ViewerError>(())
//! ```

mod act;
mod app;
mod browser;
mod composite;
mod device;
mod diff;
mod disk;
mod error;
mod figures;
mod film;
mod findings;
mod graph;
mod keys;
// For the page alone; a window has no address.
#[cfg(any(test, target_arch = "wasm32"))]
mod link;
mod load;
mod model;
mod modes;
#[cfg(not(target_arch = "wasm32"))]
mod native;
mod options;
mod orbit;
mod outline;
mod panels;
mod reach;
mod root_path;
mod set;
mod stage;
mod state;
mod system;
mod theme;
mod timeline;
#[cfg(target_arch = "wasm32")]
mod web;

pub use error::ViewerError;
#[cfg(not(target_arch = "wasm32"))]
pub use native::run;
#[cfg(not(target_arch = "wasm32"))]
pub use native::show::{Drawn, show};
pub use options::{Open, Options};
#[cfg(target_arch = "wasm32")]
pub use web::{follow_link, open_files, put_file, start};
