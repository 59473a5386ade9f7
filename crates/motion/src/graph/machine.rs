//! Where a state machine is: its state, and those that still fade out under it.
//!
//! A stack: each state fades in over all that are below it, so a change may begin while another is
//! under way and nothing jumps.

use crate::{Ease, Fade};

/// So many changes may be under way at once; a further one waits.
pub(crate) const DEEP: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Running {
    pub(crate) state: usize,
    /// How far it has come in over what is below.
    pub(crate) fade: Fade,
    /// Whether another change may begin meanwhile.
    pub(crate) interrupt: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    /// The oldest first.
    pub(crate) stack: [Running; DEEP],
    pub(crate) count: usize,
}

impl Standing {
    pub(crate) fn at(state: usize) -> Self {
        let only = Running { state, fade: Fade::new(0.0, Ease::Linear), interrupt: false };
        Self { stack: [only; DEEP], count: 1 }
    }

    pub(crate) fn top(&self) -> &Running {
        &self.stack[self.count - 1]
    }

    /// Whether a further change may begin now.
    pub(crate) fn may_change(&self) -> bool {
        let top = self.top();
        top.fade.is_done() || (top.interrupt && self.count < DEEP)
    }

    /// Whether a state is shown, be it fading.
    pub(crate) fn shows(&self, state: usize) -> bool {
        self.stack[..self.count].iter().any(|running| running.state == state)
    }

    pub(crate) fn push(&mut self, running: Running) {
        self.stack[self.count] = running;
        self.count += 1;
        self.drop_covered();
    }

    /// The share of each state, with `share` telling how far a fade counts.
    pub(crate) fn shares(&self, share: impl Fn(&Fade) -> f32, out: &mut [f32]) {
        out.fill(0.0);
        let mut rest = 1.0;
        for (at, running) in self.stack[..self.count].iter().enumerate().rev() {
            let own = if at == 0 { 1.0 } else { share(&running.fade) };
            out[running.state] += rest * own;
            rest *= 1.0 - own;
        }
    }

    /// For how much of the next `seconds` a state is shown.
    pub(crate) fn seconds(&self, state: usize, seconds: f32) -> f32 {
        let (mut left, mut most) = (seconds, 0.0_f32);
        for running in self.stack[..self.count].iter().rev() {
            if running.state == state {
                most = most.max(left);
            }
            left = left.min(running.fade.left());
        }
        most
    }

    pub(crate) fn advance(&mut self, seconds: f32) {
        for running in &mut self.stack[..self.count] {
            running.fade.advance(seconds);
        }
        self.drop_covered();
    }

    /// What lies under a fade that is done is not seen again.
    fn drop_covered(&mut self) {
        let done = self.stack[..self.count].iter().rposition(|running| running.fade.is_done());
        let from = done.unwrap_or(0);
        self.stack.copy_within(from..self.count, 0);
        self.count -= from;
    }
}
