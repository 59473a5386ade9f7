//! How a clip goes from frame to frame: which four frames a time is mixed of, and how much of each it is.
//!
//! In:  a frame, and how far it is to the next.
//! Out: four frames and their shares.
//!
//! Straight clips mix two frames. Smooth ones lay a cubic through four (Catmull and Rom): slopes at frames are
//! those of their neighbours, and beyond the ends the motion goes on as a parabola does. Spans lay a cubic through four
//! frames as well (Lagrange), but the same for all three gaps between them, and the next begins where it ends.

use crate::clock::Place;
use crate::layout::{SMOOTH, SPANS};

/// How a clip goes from frame to frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Course {
    /// Straight; rotations at an even pace by the short way.
    #[default]
    Straight,
    /// A cubic through four frames for each gap, without corners.
    Smooth,
    /// A cubic through four frames for each three gaps, with corners where they meet: curves of keys that are three
    /// frames apart.
    Spans,
}

impl Course {
    /// As the file has it.
    pub(crate) fn flags(self) -> u16 {
        match self {
            Self::Straight => 0,
            Self::Smooth => SMOOTH,
            Self::Spans => SPANS,
        }
    }

    /// Of how many frames a gap has a multiple.
    pub(crate) fn each(self) -> u32 {
        if self == Self::Spans { 3 } else { 1 }
    }

    pub(crate) fn of_flags(flags: u16) -> Self {
        match flags & (SMOOTH | SPANS) {
            SMOOTH => Self::Smooth,
            SPANS => Self::Spans,
            _ => Self::Straight,
        }
    }
}

/// Four frames after each other, of a clip that has as many, and their shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    pub(crate) start: usize,
    pub(crate) shares: [f32; 4],
    /// Which of the four holds until the next.
    pub(crate) held: usize,
}

/// The fewest frames that a cubic goes through.
pub(crate) const LEAST_CUBIC: usize = 4;

impl Window {
    #[inline]
    pub(crate) fn new(place: Place, frames: usize, course: Course) -> Self {
        if course == Course::Spans {
            Self::span(place, frames)
        } else {
            Self::smooth(place, frames)
        }
    }

    /// Where the span begins that a frame and the gap after it belong to.
    pub(crate) fn span_start(first: usize, frames: usize) -> usize {
        (first / 3 * 3).min(frames - LEAST_CUBIC)
    }

    #[inline]
    fn span(Place { first, fraction }: Place, frames: usize) -> Self {
        let start = Self::span_start(first, frames);
        let s = (first - start) as f32 + fraction;
        let [b, c, d] = [1.0, 2.0, 3.0].map(|frame| s - frame);
        let shares = [b * c * d / -6.0, s * c * d / 2.0, s * b * d / -2.0, s * b * c / 6.0];
        Self { start, shares, held: first - start }
    }

    #[inline]
    fn smooth(Place { first, fraction: s }: Place, frames: usize) -> Self {
        let before = ((2.0 - s) * s - 1.0) * s * 0.5;
        let from = ((3.0 * s - 5.0) * s * s + 2.0) * 0.5;
        let to = ((4.0 - 3.0 * s) * s + 1.0) * s * 0.5;
        let after = (s - 1.0) * s * s * 0.5;
        let start = first.saturating_sub(1).min(frames - LEAST_CUBIC);
        // A frame that is not there goes on as a parabola: 3 · nearest - 3 · next + the one after.
        let shares = match first - start {
            0 => [from + 3.0 * before, to - 3.0 * before, after + before, 0.0],
            1 => [before, from, to, after],
            2 => [0.0, before + after, from - 3.0 * after, to + 3.0 * after],
            _ => [0.0, 0.0, 0.0, 1.0],
        };
        Self { start, shares, held: first - start }
    }

    /// The shares of what holds until the next frame.
    pub(crate) fn holding(&self) -> [f32; 4] {
        let mut shares = [0.0; 4];
        shares[self.held] = 1.0;
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_followed_exactly_from_end_to_end() {
        let value = |at: f32| 2.0 + 3.0 * at - 0.5 * at * at;
        for step in 0..=50 {
            let at = step as f32 * 0.1;
            let first = (at as usize).min(5);
            let window = Window::smooth(Place { first, fraction: at - first as f32 }, 6);
            let sum: f32 =
                (0..4).map(|k| window.shares[k] * value((window.start + k) as f32)).sum();
            assert!((sum - value(at)).abs() < 1e-5, "{sum} at {at}");
            assert_eq!(window.start + window.held, first);
            assert_eq!(window.holding()[window.held], 1.0);
        }
    }

    #[test]
    fn half_way_is_nine_sixteenths_of_both_neighbours() {
        let window = Window::smooth(Place { first: 2, fraction: 0.5 }, 9);
        assert_eq!((window.start, window.held), (1, 1));
        assert_eq!(window.shares, [-0.0625, 0.5625, 0.5625, -0.0625]);
        // At the end: -1/16 of (3 · last - 3 · the one before + the one before that).
        let window = Window::smooth(Place { first: 7, fraction: 0.5 }, 9);
        assert_eq!((window.start, window.held), (5, 2));
        assert_eq!(window.shares, [0.0, -0.125, 0.75, 0.375]);
    }

    #[test]
    fn a_cubic_of_three_gaps_is_followed_exactly_and_may_have_corners_at_both_ends() {
        // Eight frames: two whole spans, and a last one that is told by the last four frames.
        let value = |at: f32| match at {
            at if at <= 3.0 => at * at * at,
            at => 27.0 - (at - 3.0) * (at - 5.0),
        };
        for step in 0..=70 {
            let at = step as f32 * 0.1;
            let first = (at as usize).min(6);
            let window = Window::span(Place { first, fraction: at - first as f32 }, 8);
            let sum: f32 =
                (0..4).map(|k| window.shares[k] * value((window.start + k) as f32)).sum();
            assert!((sum - value(at)).abs() < 2e-5, "{sum} at {at}");
            assert_eq!(window.start + window.held, first);
        }
        let starts: Vec<usize> = (0..8).map(|first| Window::span_start(first, 8)).collect();
        assert_eq!(starts, [0, 0, 0, 3, 3, 3, 4, 4]);
    }
}
