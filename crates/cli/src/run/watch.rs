//! The last resort against a script that does not come back: the program ends.
//!
//! The limits of a script end every loop that the interpreter can see. What it does between two instructions, such as
//! collecting garbage that was made to be hard to collect, only a clock can see.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any call takes that keeps its limits, files included.
const PATIENCE: Duration = Duration::from_secs(400);

/// Watches over calls into a script.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    /// When the call under way began.
    since: Arc<Mutex<Option<Instant>>>,
}

impl Watch {
    pub(super) fn new(script: &std::path::Path) -> Self {
        let watch = Self { since: Arc::default() };
        let (since, name) = (Arc::clone(&watch.since), script.display().to_string());
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_secs(1));
                let since = *since.lock().unwrap_or_else(PoisonError::into_inner);
                if since.is_some_and(|since| since.elapsed() > PATIENCE) {
                    crate::output::tell!(
                        "sinew: {name}: stopped: a call did not come back in {PATIENCE:?}"
                    );
                    std::process::exit(1);
                }
            }
        });
        watch
    }

    /// Does work under watch.
    pub(super) fn over<T>(&self, work: impl FnOnce() -> T) -> T {
        self.set(Some(Instant::now()));
        let done = work();
        self.set(None);
        done
    }

    fn set(&self, since: Option<Instant>) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }
}
