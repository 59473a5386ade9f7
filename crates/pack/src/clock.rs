//! Which frames there are, and when.
//!
//! In:  a time, in seconds.
//! Out: the frame at or before it, and how far it is to the next.
//!
//! Frames are even, or else even in each of many gaps that are as long as each other: more of them where a clip
//! needs more. The first frame may lie before the clip's start by a part of a gap, for keys that begin between frames.

use std::sync::Arc;

/// A frame, and how far it is to the next: from 0 to 1, or less than 0 by a rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) first: usize,
    pub(crate) fraction: f32,
}

impl Place {
    pub(crate) fn second(self, frames: usize) -> usize {
        (self.first + 1).min(frames - 1)
    }
}

/// How many parts of a gap the file tells of where the first frame lies.
pub(crate) const PHASES: f32 = 65536.0;

#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    /// Frames a second, or gaps a second where these are told; zero when there is only one frame.
    pub(crate) rate: f32,
    /// Seconds.
    pub(crate) duration: f32,
    /// At least one.
    pub(crate) frames: usize,
    /// How far before the clip's start the first frame lies, in parts of a gap.
    pub(crate) phase: u16,
    /// The first frame of each gap, then the last frame; none where frames are even.
    starts: Arc<[u32]>,
}

impl Clock {
    /// Frames that are even over a length.
    pub(crate) fn even(rate: f32, phase: u16, duration: f32) -> Self {
        Self::of_frames(rate, phase, duration, gaps(rate, phase, duration) + 1)
    }

    /// Even frames, so many.
    pub(crate) fn of_frames(rate: f32, phase: u16, duration: f32, frames: usize) -> Self {
        Self { rate, duration, frames, phase, starts: Arc::default() }
    }

    /// So many frames in each gap.
    pub(crate) fn uneven(rate: f32, phase: u16, duration: f32, counts: &[u32]) -> Self {
        let starts = counts.iter().scan(0, |next, count| {
            *next += count;
            Some(*next)
        });
        let starts: Arc<[u32]> = [0].into_iter().chain(starts).collect();
        let frames = starts[counts.len()] as usize + 1;
        Self { rate, duration, frames, phase, starts }
    }

    /// Frames a second, over the whole length.
    pub(crate) fn average(&self) -> f32 {
        match self.starts.len() {
            0 => self.rate,
            gaps => self.rate * (self.frames - 1) as f32 / (gaps - 1) as f32,
        }
    }

    pub(crate) fn is_even(&self) -> bool {
        self.starts.is_empty()
    }

    /// How many frames each gap has; none where frames are even.
    pub(crate) fn counts(&self) -> impl Iterator<Item = u32> {
        self.starts.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// Bytes of memory for where gaps begin.
    pub(crate) fn size(&self) -> usize {
        size_of_val(&self.starts[..])
    }

    fn phase(&self) -> f64 {
        f64::from(self.phase) / f64::from(PHASES)
    }

    /// Times outside hold the ends; what is no number is the start.
    #[inline]
    pub(crate) fn place(&self, time: f32) -> Place {
        // In double precision: a thousand frames on, single has only four digits left for the fraction.
        let time = f64::from(time.max(0.0).min(self.duration));
        let at = time * f64::from(self.rate) + self.phase();
        // A key's time, multiplied, may fall short of its frame by a rounding: a jump would be late. What goes
        // straight or smoothly goes so a hair before the frame as well.
        let hair = 3e-7 * at;
        if self.starts.is_empty() {
            let last = self.frames - 1;
            let at = at.min(last as f64);
            let first = ((at + hair) as usize).min(last);
            return Place { first, fraction: (at - first as f64) as f32 };
        }
        let last = self.starts.len() - 2;
        let gap = ((at + hair) as usize).min(last);
        let (from, to) = (self.starts[gap], self.starts[gap + 1]);
        let count = f64::from(to - from);
        let within = ((at - gap as f64) * count).min(count);
        // The last frame of all belongs to the last gap; what holds until the end is the last key's there.
        let most = if gap == last { to - from } else { to - from - 1 };
        let step = ((within + hair * count) as u32).min(most);
        Place { first: (from + step) as usize, fraction: (within - f64::from(step)) as f32 }
    }

    /// The gap of a frame and the next, and its first frame and the next gap's.
    fn gap(&self, frame: usize) -> (usize, u32, u32) {
        let after = self.starts.partition_point(|&start| start as usize <= frame);
        let gap = (after - 1).min(self.starts.len() - 2);
        (gap, self.starts[gap], self.starts[gap + 1])
    }

    /// The gap of a time.
    pub(crate) fn gap_at(&self, time: f32) -> usize {
        self.gap(self.place(time).first).0
    }

    /// Frames a second between a frame and the next.
    pub(crate) fn rate_after(&self, frame: usize) -> f32 {
        if self.starts.is_empty() {
            return self.rate;
        }
        let (_, from, to) = self.gap(frame);
        self.rate * (to - from) as f32
    }

    /// When a frame is; the only one is at the start.
    pub(crate) fn time(&self, frame: usize) -> f32 {
        let at = if self.starts.is_empty() {
            frame as f64
        } else {
            let (gap, from, to) = self.gap(frame);
            gap as f64 + (frame as f64 - f64::from(from)) / f64::from(to - from)
        };
        if self.rate > 0.0 {
            let time = (at - self.phase()) / f64::from(self.rate);
            (time as f32).clamp(0.0, self.duration)
        } else {
            0.0
        }
    }
}

/// How many gaps a length has.
pub(crate) fn gaps(rate: f32, phase: u16, duration: f32) -> usize {
    (duration * rate + f32::from(phase) / PHASES - 0.01).ceil().max(0.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn even(rate: f32, duration: f32, frames: usize) -> Clock {
        Clock::of_frames(rate, 0, duration, frames)
    }

    #[test]
    fn a_time_is_a_frame_and_a_part_of_the_way_to_the_next() {
        let place = |time| even(10.0, 0.25, 4).place(time);
        assert_eq!(place(0.125), Place { first: 1, fraction: 0.25 });
        // 3000.2 is 3000.199_951 in single precision: by ten, that is 0.000_488 short of frame 30002.
        let late = even(10.0, 4000.0, 40_001).place(3000.2);
        assert!(late.first == 30_002 && (late.fraction + 0.000_488).abs() < 1e-6, "{late:?}");
        assert_eq!(place(-1.0), Place { first: 0, fraction: 0.0 });
        assert_eq!(place(f32::NAN), Place { first: 0, fraction: 0.0 });
        // The clip ends between two frames, and holds there.
        assert_eq!(place(9.0), Place { first: 2, fraction: 0.5 });
        assert_eq!(Place { first: 3, fraction: 0.0 }.second(4), 3);
        // 0.7 · 10 is 6.9999995 in some roundings: it is frame 7.
        let short = even(10.0, 1.0, 11).place(0.699_999_9);
        assert!(short.first == 7 && short.fraction < 0.0 && short.fraction > -3e-6, "{short:?}");
    }

    #[test]
    fn a_gap_has_as_many_frames_as_it_needs() {
        // A tenth of a second each: one frame, four, then two.
        let clock = Clock::uneven(10.0, 0, 0.3, &[1, 4, 2]);
        assert_eq!(clock.frames, 8);
        assert_eq!(clock.counts().collect::<Vec<_>>(), [1, 4, 2]);
        let times: Vec<f32> = (0..8).map(|frame| clock.time(frame)).collect();
        for (time, expected) in times.iter().zip([0.0, 0.1, 0.125, 0.15, 0.175, 0.2, 0.25, 0.3]) {
            assert!((time - expected).abs() < 1e-6, "{times:?}");
        }
        for (time, first, fraction) in
            [(0.05, 0, 0.5), (0.13, 2, 0.2), (0.2, 5, 0.0), (0.29, 6, 0.8), (9.0, 7, 0.0)]
        {
            let place = clock.place(time);
            assert!(place.first == first && (place.fraction - fraction).abs() < 1e-5, "{place:?}");
        }
        assert_eq!(clock.place(f32::NAN), Place { first: 0, fraction: 0.0 });
    }

    #[test]
    fn the_first_frame_may_lie_before_the_start() {
        // A quarter of a gap before: frames are at -0.025, 0.075, 0.175 …
        let clock = Clock::even(10.0, 16384, 0.375);
        assert_eq!(clock.frames, 5);
        assert_eq!(clock.place(0.0), Place { first: 0, fraction: 0.25 });
        let place = clock.place(0.125);
        assert!(place.first == 1 && (place.fraction - 0.5).abs() < 1e-6, "{place:?}");
        assert_eq!((clock.time(0), clock.time(4)), (0.0, 0.375));
        assert!((clock.time(2) - 0.175).abs() < 1e-6);
        let uneven = Clock::uneven(10.0, 16384, 0.375, &[1, 2, 1, 1]);
        assert!((uneven.time(2) - 0.125).abs() < 1e-6, "{}", uneven.time(2));
        assert_eq!(uneven.place(0.125).first, 2);
    }
}
