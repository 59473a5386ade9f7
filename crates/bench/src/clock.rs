//! Time that this thread has spent on a processor, where the system tells (Linux): waiting, or being put aside by a
//! busy machine, does not lengthen it.

use std::fs;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// Since some moment of the past. Where the system does not tell, all time that passes.
pub(super) fn worked() -> Duration {
    // The count is brought up to date when the scheduler runs, so it is asked to.
    thread::yield_now();
    scheduled().unwrap_or_else(|| {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    })
}

/// The first number of this file: nanoseconds on a processor (Documentation/scheduler/sched-stats.rst of Linux).
fn scheduled() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_counts_and_waiting_does_not() {
        if scheduled().is_none() {
            return;
        }
        let start = worked();
        thread::sleep(Duration::from_millis(60));
        let waited = worked() - start;
        assert!(waited < Duration::from_millis(20), "{waited:?}");
        let (begun, start) = (Instant::now(), worked());
        let mut sum = 0_u64;
        while worked() - start < Duration::from_millis(20) {
            sum = (0..10_000).fold(sum, |sum, n| std::hint::black_box(sum ^ n));
            assert!(begun.elapsed() < Duration::from_secs(60), "work is not counted");
        }
    }
}
