//! How much is tried before a clip is said to be out of reach: so much for each joint at each measured time.
//!
//! What is counted is what a try may cost at most, not what it took or how long, so that a clip is packed the same on any machine.

use std::sync::atomic::{AtomicU64, Ordering};

/// How often all joints may be placed at all measured times.
const MAX_TRIALS: u64 = 4000;

#[derive(Debug)]
pub(crate) struct Effort {
    spent: AtomicU64,
    most: u64,
}

impl Effort {
    /// For so many joints and measured times.
    pub(crate) fn new(joints: usize, times: usize) -> Self {
        let most = MAX_TRIALS.saturating_mul((joints as u64).saturating_mul(times as u64));
        Self { spent: AtomicU64::new(0), most }
    }

    /// So many joints are placed at so many times.
    pub(crate) fn spend(&self, joints: usize, times: usize) {
        self.spent.fetch_add(joints as u64 * times as u64, Ordering::Relaxed);
    }

    /// Whether a share of all that may be is spent.
    pub(crate) fn is_spent(&self, share: f64) -> bool {
        self.spent.load(Ordering::Relaxed) as f64 >= share * self.most as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_passes_over_all_joints_and_times_are_all_that_may_be() {
        let effort = Effort::new(10, 100);
        (0..MAX_TRIALS / 2).for_each(|_| effort.spend(5, 200));
        assert!(effort.is_spent(0.5) && !effort.is_spent(0.51));
        effort.spend(10, 100 * MAX_TRIALS as usize / 2);
        assert!(effort.is_spent(1.0));
    }
}
