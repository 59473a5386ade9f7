//! Which two frames a time falls between.

use super::SampledClip;

/// Two frames, and how far from the first to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Between {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) fraction: f32,
}

impl SampledClip {
    /// Outside the clip its ends hold; what is not a number is its start.
    #[inline]
    pub(super) fn between(&self, time: f32) -> Between {
        let last = self.frames - 1;
        // The end itself, also for what holds from frame to frame.
        if time >= self.duration {
            return Between { first: last, second: last, fraction: 0.0 };
        }
        // Not a number is not above zero.
        let at = if time > 0.0 { time * self.rate } else { 0.0 };
        let first = (at as usize).min(last);
        let second = (first + 1).min(last);
        let mut fraction = at - first as f32;
        // The last frame is the clip's end, which may come sooner than a whole frame.
        if second == last {
            fraction *= self.hurry();
        }
        Between { first, second, fraction: fraction.clamp(0.0, 1.0) }
    }

    /// How much sooner the end comes than a whole frame after the last but one: a factor from one up.
    #[must_use]
    pub fn hurry(&self) -> f32 {
        let rest = self.duration * self.rate - self.frames.saturating_sub(2) as f32;
        if rest > 1e-3 { 1.0 / rest } else { 1.0 }
    }

    /// When a frame is.
    pub(super) fn time_of(&self, frame: usize) -> f32 {
        if self.rate > 0.0 { (frame as f32 / self.rate).min(self.duration) } else { 0.0 }
    }
}
