//! A bar for long work: only on a terminal, only after half a second, gone when the work is.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_millis(500);
const BETWEEN: Duration = Duration::from_millis(100);
const WIDTH: usize = 30;

/// A bar on standard error.
#[derive(Debug)]
pub(crate) struct Progress {
    begun: Instant,
    drawn: Option<Instant>,
    total: usize,
    watched: bool,
}

impl Progress {
    /// Of so many steps; `quiet` shows nothing.
    pub(crate) fn new(total: usize, quiet: bool) -> Self {
        let plain = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let watched = !quiet && !plain && std::io::stderr().is_terminal();
        Self { begun: Instant::now(), drawn: None, total, watched }
    }

    /// So many steps are done.
    pub(crate) fn show(&mut self, done: usize) {
        let now = Instant::now();
        let due = self.drawn.map_or(self.begun + PATIENCE, |drawn| drawn + BETWEEN);
        if self.watched && now >= due {
            self.drawn = Some(now);
            crate::output::to_stderr(&format!("\r{}", line(done, self.total, now - self.begun)));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            crate::output::to_stderr(&format!("\r{:60}\r", ""));
        }
    }
}

fn line(done: usize, total: usize, passed: Duration) -> String {
    let share = if total == 0 { 1.0 } else { done as f64 / total as f64 };
    let full = ((share * WIDTH as f64) as usize).min(WIDTH);
    let bar = format!("{}{}", "#".repeat(full), "-".repeat(WIDTH - full));
    let left = if done > 0 { passed.as_secs_f64() * (1.0 / share - 1.0) } else { 0.0 };
    format!("[{bar}] {done}/{total}  {left:.0} s left ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_done_in_three_seconds_leaves_three() {
        let line = line(5, 10, Duration::from_secs(3));
        assert_eq!(line, "[###############---------------] 5/10  3 s left ");
    }
}
