//! The threads that long work runs on.
//!
//! A forked process has its parent's memory but none of its threads: a pool that the parent made would be waited for
//! without end. So every process makes its own, the first time that it needs one.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Runs a job on the pool of this process: as many threads as `RAYON_NUM_THREADS` says, or one per core.
pub(crate) fn install<T: Send>(job: impl FnOnce() -> T + Send) -> T {
    match current() {
        Some(pool) => pool.install(job),
        None => job(),
    }
}

fn current() -> Option<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, pool)) = pool.as_ref().filter(|(owner, _)| *owner == process) {
        return Some(Arc::clone(pool));
    }
    let made = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    let before = pool.replace((process, Arc::clone(&made)));
    // The parent's: its threads are not here, and dropping it would wait for them.
    std::mem::forget(before);
    Some(made)
}
