//! Where a time lies among a track's keys.
//!
//! Play mostly goes forward by less than a key, so a [`Cursor`] remembers where each track was
//! last and looks there first; any other time costs one binary search. A cursor is a hint alone:
//! a stale one, or one of another clip, gives the same answer.

/// The part of a curve that a time falls in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The key at or before the time; the first or the last when the time is outside.
    pub key: usize,
    /// From 0 at that key to 1 at the next; 0 outside the keys.
    pub fraction: f32,
    /// Seconds to the next key; 0 outside the keys.
    pub length: f32,
}

impl Span {
    fn at_key(key: usize) -> Self {
        Self { key, fraction: 0.0, length: 0.0 }
    }
}

/// Remembers where each track of a clip was last.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    hints: Vec<u32>,
}

impl Cursor {
    /// Remembers nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With room for so many tracks, so that sampling a clip with as many allocates nothing.
    #[must_use]
    pub fn with_capacity(tracks: usize) -> Self {
        Self { hints: vec![0; tracks] }
    }

    /// Ready to look for `time` in the tracks of a clip with so many.
    pub(crate) fn at(&mut self, time: f32, tracks: usize) -> Finder<'_> {
        if self.hints.len() < tracks {
            self.hints.resize(tracks, 0);
        }
        Finder { hints: self.hints.iter_mut(), time, last: (std::ptr::null(), Span::at_key(0)) }
    }
}

/// Looks for one time in track after track.
pub(crate) struct Finder<'a> {
    hints: std::slice::IterMut<'a, u32>,
    time: f32,
    /// Most tracks of a clip share their times: what was found for one holds for the next.
    last: (*const f32, Span),
}

impl Finder<'_> {
    /// Where the time falls in the next track's `times`, which must not be empty.
    #[inline(always)]
    pub(crate) fn next(&mut self, times: &[f32]) -> Span {
        let hint = self.hints.next();
        if std::ptr::eq(self.last.0, times.as_ptr()) {
            return self.last.1;
        }
        self.look(times, hint)
    }

    /// The same for so many tracks with these times, one at least.
    #[inline(always)]
    pub(crate) fn next_of(&mut self, times: &[f32], tracks: usize) -> Span {
        let span = self.next(times);
        if tracks > 1 {
            self.hints.nth(tracks - 2);
        }
        span
    }

    #[inline(never)]
    fn look(&mut self, times: &[f32], hint: Option<&mut u32>) -> Span {
        let from = hint.as_ref().map_or(0, |hint| **hint as usize);
        let span = find_from(times, self.time, from);
        if let Some(hint) = hint {
            *hint = span.key as u32;
        }
        self.last = (times.as_ptr(), span);
        span
    }
}

/// Where a time falls, for who remembers nothing.
pub(crate) fn find(times: &[f32], time: f32) -> Span {
    find_from(times, time, 0)
}

/// Two keys at one time are a jump: at that time the later one holds. A time that is not a number
/// is before everything.
#[inline]
pub(crate) fn find_from(times: &[f32], time: f32, hint: usize) -> Span {
    let last = times.len() - 1;
    if time.is_nan() || time < times[0] {
        return Span::at_key(0);
    }
    if time >= times[last] {
        return Span::at_key(last);
    }
    let within = |key: usize| key < last && times[key] <= time && time < times[key + 1];
    let key = if within(hint) {
        hint
    } else if within(hint + 1) {
        hint + 1
    } else {
        times.partition_point(|&key| key <= time) - 1
    };
    let length = times[key + 1] - times[key];
    Span { key, fraction: (time - times[key]) / length, length }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_outside_the_keys_clamp_to_the_ends() {
        let times = [1.0, 2.0, 4.0];
        assert_eq!(find_from(&times, 0.0, 0), Span::at_key(0));
        assert_eq!(find_from(&times, f32::NEG_INFINITY, 2), Span::at_key(0));
        assert_eq!(find_from(&times, 4.0, 0), Span::at_key(2));
        assert_eq!(find_from(&times, f32::INFINITY, 0), Span::at_key(2));
        assert_eq!(find_from(&times, f32::NAN, 1), Span::at_key(0));
    }

    #[test]
    fn a_time_between_keys_is_a_fraction_of_their_distance() {
        let span = find_from(&[1.0, 2.0, 4.0], 3.5, 0);
        assert_eq!(span, Span { key: 1, fraction: 0.75, length: 2.0 });
    }

    #[test]
    fn at_a_time_that_two_keys_share_the_later_holds() {
        let times = [0.0, 1.0, 1.0, 2.0];
        assert_eq!(find_from(&times, 1.0, 0).key, 2);
        assert_eq!(find_from(&[0.0, 0.0, 1.0], 0.0, 0).key, 1);
        assert_eq!(find_from(&[3.0, 3.0], 3.0, 0).key, 1);
    }

    #[test]
    fn a_hint_never_changes_the_answer() {
        let times = [0.0, 0.5, 0.5, 1.0, 7.0, 7.0, 9.0];
        for step in -10..200 {
            let time = step as f32 * 0.05;
            let plain = find_from(&times, time, 0);
            for hint in 0..9 {
                assert_eq!(find_from(&times, time, hint), plain, "{time} s from {hint}");
            }
        }
    }
}
