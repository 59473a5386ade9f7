//! From one state to another over some seconds.
//!
//! In:  seconds that pass.
//! Out: the share of the new state, from zero to one; and its mean over a step, for what adds up
//! over time (root motion), so that the sum does not depend on how time is cut.

/// How a fade goes from nothing to all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Ease {
    /// At an even pace.
    Linear,
    /// Slow at both ends: `3 x² - 2 x³`.
    #[default]
    Smooth,
    /// Slow at the beginning: `x²`.
    In,
    /// Slow at the end: `1 - (1 - x)²`.
    Out,
}

impl Ease {
    /// The share at `x` of the way; held at zero and one outside.
    #[must_use]
    pub fn at(self, x: f32) -> f32 {
        let x = if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) };
        match self {
            Self::Linear => x,
            Self::Smooth => x * x * (3.0 - 2.0 * x),
            Self::In => x * x,
            Self::Out => x * (2.0 - x),
        }
    }

    /// The integral of the share from 0 to `x`; beyond one the share is one.
    fn area(self, x: f64) -> f64 {
        let inside = x.clamp(0.0, 1.0);
        let cube = inside * inside * inside;
        let area = match self {
            Self::Linear => inside * inside / 2.0,
            Self::Smooth => cube - cube * inside / 2.0,
            Self::In => cube / 3.0,
            Self::Out => inside * inside - cube / 3.0,
        };
        area + (x - 1.0).max(0.0)
    }
}

/// How far a change from one state to another has come.
///
/// ```
/// use sinew_motion::{Ease, Fade};
/// let mut fade = Fade::new(0.4, Ease::Smooth);
/// assert_eq!(fade.advance(0.2), 0.5);
/// assert_eq!(fade.advance(9.0), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fade {
    pub(crate) elapsed: f32,
    pub(crate) seconds: f32,
    pub(crate) ease: Ease,
}

impl Fade {
    /// At its beginning. One of no length, or of a length that is not a number, is at its end.
    #[must_use]
    pub fn new(seconds: f32, ease: Ease) -> Self {
        let seconds = if seconds.is_nan() { 0.0 } else { seconds.clamp(0.0, f32::MAX) };
        Self { elapsed: 0.0, seconds, ease }
    }

    /// At its end.
    #[must_use]
    pub fn done() -> Self {
        Self::new(0.0, Ease::Linear)
    }

    /// Lets `seconds` pass and gives the share of the new state. Steps below zero and such as are
    /// not numbers pass nothing.
    pub fn advance(&mut self, seconds: f32) -> f32 {
        self.elapsed = (self.elapsed + whole(seconds)).min(self.seconds);
        self.share()
    }

    /// The share of the new state.
    #[must_use]
    pub fn share(&self) -> f32 {
        if self.is_done() { 1.0 } else { self.ease.at(self.elapsed / self.seconds) }
    }

    /// The mean share over the next `seconds`.
    #[must_use]
    pub fn mean(&self, seconds: f32) -> f32 {
        let step = f64::from(whole(seconds));
        if self.is_done() || step == 0.0 {
            return self.share();
        }
        let (length, from) = (f64::from(self.seconds), f64::from(self.elapsed));
        let area = self.ease.area((from + step) / length) - self.ease.area(from / length);
        (area * length / step).clamp(0.0, 1.0) as f32
    }

    /// Seconds until its end.
    #[must_use]
    pub fn left(&self) -> f32 {
        self.seconds - self.elapsed
    }

    /// Whether the new state is all there is.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.elapsed >= self.seconds
    }
}

/// Seconds that can pass: from zero up, and finite.
pub(crate) fn whole(seconds: f32) -> f32 {
    if seconds.is_finite() { seconds.max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Ease; 4] = [Ease::Linear, Ease::Smooth, Ease::In, Ease::Out];

    #[test]
    fn eases_start_at_nothing_end_at_all_and_never_fall() {
        for ease in ALL {
            assert_eq!([ease.at(-1.0), ease.at(0.0), ease.at(1.0), ease.at(7.0)], [0., 0., 1., 1.]);
            assert_eq!(ease.at(f32::NAN), 0.0);
            for step in 0..100 {
                assert!(ease.at(step as f32 / 100.0) < ease.at((step + 1) as f32 / 100.0));
            }
        }
        let quarter = [0.25, 0.156_25, 0.0625, 0.4375];
        assert_eq!(ALL.map(|ease| ease.at(0.25)), quarter);
    }

    #[test]
    fn the_mean_over_a_step_is_that_of_many_small_ones() {
        for ease in ALL {
            let mut fade = Fade::new(2.0, ease);
            fade.advance(0.3);
            let coarse = fade.mean(2.5);
            let mut sum = 0.0;
            for _ in 0..2500 {
                sum += fade.mean(0.001);
                fade.advance(0.001);
            }
            assert!((sum / 2500.0 - coarse).abs() < 1e-4, "{ease:?}: {} {coarse}", sum / 2500.0);
        }
        // Half a second of rise to one, then half a second of one.
        assert_eq!(Fade::new(0.5, Ease::Linear).mean(1.0), 0.75);
    }

    #[test]
    fn a_fade_of_no_length_is_done_and_no_step_breaks_one() {
        for seconds in [0.0, -1.0, f32::NAN] {
            assert_eq!(Fade::new(seconds, Ease::In).share(), 1.0);
        }
        let mut fade = Fade::new(1.0, Ease::Linear);
        for step in [f32::NAN, f32::INFINITY, -3.0] {
            assert_eq!(fade.advance(step), 0.0, "{step}");
        }
        assert_eq!(Fade::new(f32::INFINITY, Ease::Linear).advance(1.0), 1.0 / f32::MAX);
    }
}
