//! What a running window needs of the system that it runs on: files, threads, settings.
//!
//! In a browser there are no threads: what they do is done at once, between two frames.

pub(crate) mod checker;
pub(crate) mod filming;
pub(crate) mod image;
pub(crate) mod loader;
pub(crate) mod lost;
pub(crate) mod remember;
pub(crate) mod watch;
