//! How long each part of the work took, for whoever asked with `-v`.

use std::time::Instant;

/// A stopwatch that speaks only when asked to.
#[derive(Debug)]
pub(crate) struct Laps {
    last: Instant,
    tells: bool,
}

impl Laps {
    pub(crate) fn new(tells: bool) -> Self {
        Self { last: Instant::now(), tells }
    }

    /// A part is done.
    pub(crate) fn lap(&mut self, what: &str) {
        let now = Instant::now();
        if self.tells {
            crate::output::tell!(
                "{:8.1} ms  {what}",
                now.duration_since(self.last).as_secs_f64() * 1e3
            );
        }
        self.last = now;
    }
}
