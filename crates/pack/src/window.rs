//! Which frames a time lies between, and how much of each it is.
//!
//! In:  a time, in seconds, and how frames lie.
//! Out: two frames and how far between, or four frames and their shares.
//!
//! Straight clips mix two frames. Smooth ones lay a cubic through four (Catmull and Rom): slopes at frames are
//! those of their neighbours, and beyond the ends the motion goes on as a parabola does.

/// A frame, and how far it is to the next: from 0 to 1, or less than 0 by a rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) first: usize,
    pub(crate) fraction: f32,
}

impl Place {
    /// Times outside hold the ends; what is no number is the start.
    #[inline]
    pub(crate) fn new(time: f32, rate: f32, duration: f32, frames: usize) -> Self {
        let last = frames - 1;
        // In double precision: a thousand frames on, single has only four digits left for the fraction.
        let time = f64::from(time.max(0.0).min(duration));
        let at = (time * f64::from(rate)).min(last as f64);
        // A key's time, multiplied, may fall short of its frame by a rounding: a jump would be late. What goes
        // straight or smoothly goes so a hair before the frame as well.
        let first = ((at + 3e-7 * at) as usize).min(last);
        Self { first, fraction: (at - first as f64) as f32 }
    }

    pub(crate) fn second(self, frames: usize) -> usize {
        (self.first + 1).min(frames - 1)
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
pub(crate) const LEAST_SMOOTH: usize = 4;

impl Window {
    #[inline]
    pub(crate) fn new(place: Place, frames: usize) -> Self {
        let Place { first, fraction: s } = place;
        let before = ((2.0 - s) * s - 1.0) * s * 0.5;
        let from = ((3.0 * s - 5.0) * s * s + 2.0) * 0.5;
        let to = ((4.0 - 3.0 * s) * s + 1.0) * s * 0.5;
        let after = (s - 1.0) * s * s * 0.5;
        let start = first.saturating_sub(1).min(frames - 4);
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
    fn a_time_is_a_frame_and_a_part_of_the_way_to_the_next() {
        let place = |time| Place::new(time, 10.0, 0.25, 4);
        assert_eq!(place(0.125), Place { first: 1, fraction: 0.25 });
        // 3000.2 is 3000.199_951 in single precision: by ten, that is 0.000_488 short of frame 30002.
        let late = Place::new(3000.2, 10.0, 4000.0, 40_001);
        assert!(late.first == 30_002 && (late.fraction + 0.000_488).abs() < 1e-6, "{late:?}");
        assert_eq!(place(-1.0), Place { first: 0, fraction: 0.0 });
        assert_eq!(place(f32::NAN), Place { first: 0, fraction: 0.0 });
        // The clip ends between two frames, and holds there.
        assert_eq!(place(9.0), Place { first: 2, fraction: 0.5 });
        assert_eq!(Place { first: 3, fraction: 0.0 }.second(4), 3);
        // 0.7 · 10 is 6.9999995 in some roundings: it is frame 7.
        let short = Place::new(0.699_999_9, 10.0, 1.0, 11);
        assert!(short.first == 7 && short.fraction < 0.0 && short.fraction > -3e-6, "{short:?}");
    }

    #[test]
    fn a_parabola_is_followed_exactly_from_end_to_end() {
        let value = |at: f32| 2.0 + 3.0 * at - 0.5 * at * at;
        for step in 0..=50 {
            let at = step as f32 * 0.1;
            let first = (at as usize).min(5);
            let window = Window::new(Place { first, fraction: at - first as f32 }, 6);
            let sum: f32 =
                (0..4).map(|k| window.shares[k] * value((window.start + k) as f32)).sum();
            assert!((sum - value(at)).abs() < 1e-5, "{sum} at {at}");
            assert_eq!(window.start + window.held, first);
            assert_eq!(window.holding()[window.held], 1.0);
        }
    }

    #[test]
    fn half_way_is_nine_sixteenths_of_both_neighbours() {
        let window = Window::new(Place { first: 2, fraction: 0.5 }, 9);
        assert_eq!((window.start, window.held), (1, 1));
        assert_eq!(window.shares, [-0.0625, 0.5625, 0.5625, -0.0625]);
        // At the end: -1/16 of (3 · last - 3 · the one before + the one before that).
        let window = Window::new(Place { first: 7, fraction: 0.5 }, 9);
        assert_eq!((window.start, window.held), (5, 2));
        assert_eq!(window.shares, [0.0, -0.125, 0.75, 0.375]);
    }
}
