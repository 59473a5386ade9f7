//! Nanoseconds of one small piece of work, on a machine that others use too.
//!
//! Neighbours make work slow, never fast: so many short batches, and the fastest of them.

use std::time::{Duration, Instant};

/// A batch is about so long: far above the clock's grain, far below a time slice.
const BATCH: Duration = Duration::from_micros(60);

/// Nanoseconds of one call of `work`, in the fastest batch of about `budget`.
pub(super) fn best(budget: Duration, mut work: impl FnMut()) -> f64 {
    let mut calls = 1_u32;
    // Until a batch is long enough; this also warms caches and branches.
    while time(calls, &mut work) < BATCH && calls < 1 << 24 {
        calls *= 2;
    }
    let begin = Instant::now();
    let mut fastest = Duration::MAX;
    while begin.elapsed() < budget {
        fastest = fastest.min(time(calls, &mut work));
    }
    fastest.as_secs_f64() * 1e9 / f64::from(calls)
}

fn time(calls: u32, work: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        work();
    }
    start.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_times_the_work_takes_about_ten_times_as_long() {
        let spin = |rounds: u32| {
            move || {
                for round in 0..rounds {
                    std::hint::black_box(round);
                }
            }
        };
        let budget = Duration::from_millis(20);
        let ratio = best(budget, spin(10_000)) / best(budget, spin(1_000));
        assert!(ratio > 3.0 && ratio < 30.0, "{ratio}");
    }
}
