//! What a running window needs of the system that it runs on: files, threads, settings.
//!
//! In a browser there are no threads: what they do is done at once, between two frames.

pub(crate) mod checker;
mod film_maker;
pub(crate) mod filming;
pub(crate) mod image;
pub(crate) mod loader;
pub(crate) mod lost;
pub(crate) mod remember;
pub(crate) mod watch;

/// Does work that takes a while on a thread of its own.
#[cfg(not(target_arch = "wasm32"))]
fn run(work: impl FnOnce() + Send + 'static) {
    std::thread::spawn(work);
}

/// A browser has no threads for us: it is done at once.
#[cfg(target_arch = "wasm32")]
fn run(work: impl FnOnce()) {
    work();
}
