//! Curves in time that clips are made of: all smooth, all closed where a clip must loop.

use std::f32::consts::TAU;

/// From zero at `from` to one at `to`, level at both ends.
pub(super) fn ease(from: f32, to: f32, at: f32) -> f32 {
    let t = ((at - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The same with level slopes that also begin evenly.
pub(super) fn ease_long(from: f32, to: f32, at: f32) -> f32 {
    let t = ((at - from) / (to - from)).clamp(0.0, 1.0);
    t * t * t * (t * (6.0 * t - 15.0) + 10.0)
}

/// A full turn for each unit of `phase`.
pub(super) fn wave(phase: f32) -> f32 {
    (TAU * phase).sin()
}

/// The same, from its top.
pub(super) fn top(phase: f32) -> f32 {
    (TAU * phase).cos()
}

/// Through keys (time, value), over and over with this period; level wherever a key is the
/// highest or lowest among its neighbours, so that nothing overshoots.
pub(super) fn through(period: f32, keys: &[(f32, f32)], at: f32) -> f32 {
    let count = keys.len();
    let at = at.rem_euclid(period);
    let key = |index: isize| {
        let turns = index.div_euclid(count as isize);
        let (time, value) = keys[index.rem_euclid(count as isize) as usize];
        (time + turns as f32 * period, value)
    };
    let after = keys.iter().filter(|key| key.0 <= at).count() as isize;
    let slope = |index: isize| {
        let ((t0, v0), (t1, v1), (t2, v2)) = (key(index - 1), key(index), key(index + 1));
        if (v1 - v0) * (v2 - v1) <= 0.0 {
            return 0.0;
        }
        let (before, behind) = ((v1 - v0) / (t1 - t0), (v2 - v1) / (t2 - t1));
        // The harmonic mean keeps a curve that rises rising.
        2.0 * before * behind / (before + behind)
    };
    let ((t0, v0), (t1, v1)) = (key(after - 1), key(after));
    hermite((t0, v0, slope(after - 1)), (t1, v1, slope(after)), at)
}

/// A cubic from one key (time, value, slope) to the next.
pub(super) fn hermite(from: (f32, f32, f32), to: (f32, f32, f32), at: f32) -> f32 {
    let span = (to.0 - from.0).max(1e-6);
    let t = ((at - from.0) / span).clamp(0.0, 1.0);
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * from.1
        + (t3 - 2.0 * t2 + t) * span * from.2
        + (3.0 * t2 - 2.0 * t3) * to.1
        + (t3 - t2) * span * to.2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_meets_its_keys_and_comes_round() {
        let keys = [(0.0, 1.0), (0.5, 3.0), (1.0, -1.0)];
        for (time, value) in keys {
            assert!((through(2.0, &keys, time) - value).abs() < 1e-5, "at {time}");
        }
        assert!((through(2.0, &keys, 1.999) - 1.0).abs() < 1e-2);
        assert!((through(2.0, &keys, 2.5) - 3.0).abs() < 1e-5);
        // Nothing is higher than the highest key.
        assert!((0..200).all(|step| through(2.0, &keys, step as f32 / 100.0) <= 3.0 + 1e-5));
    }

    #[test]
    fn a_cubic_leaves_with_its_slope() {
        let (from, to) = ((1.0, 2.0, 4.0), (3.0, 5.0, 0.0));
        let step = (hermite(from, to, 1.001) - hermite(from, to, 1.0)) / 0.001;
        assert!((step - 4.0).abs() < 0.02, "{step}");
        assert_eq!(hermite(from, to, 3.0), 5.0);
    }
}
