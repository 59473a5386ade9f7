//! One number of a curve between two neighbouring keys, as a cubic Bézier curve.
//!
//! In:  the keys' times, the four control values and, where they are not at thirds, the times of
//!      the inner two.
//! Out: value, slope and bounds on the derivatives at any time between the keys.
//!
//! With control times at thirds the curve is a cubic polynomial in time; any other is solved for
//! its parameter.

/// A control time this near to a third is taken to be there: files keep them in single precision.
const THIRD_ROUNDING: f64 = 2e-6;
/// Below this rate of time over the parameter a curve is too steep for its slope to be of use.
const STEEPEST: f64 = 0.05;

/// A number between two keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    start: f64,
    /// One over its length.
    per_second: f64,
    /// Control values.
    y: [f64; 4],
    /// The inner control times as shares of the span, where they are not at thirds.
    uneven: Option<[f64; 2]>,
}

impl Span {
    /// One value at all times.
    pub(crate) fn held(value: f64) -> Self {
        Self { start: 0.0, per_second: 0.0, y: [value; 4], uneven: None }
    }

    /// A straight line between two values.
    pub(crate) fn straight([from, to]: [f64; 2], [first, last]: [f64; 2]) -> Self {
        let third = (last - first) / 3.0;
        Self::even([from, to], [first, first + third, last - third, last])
    }

    /// A curve with control times at thirds.
    pub(crate) fn even([from, to]: [f64; 2], y: [f64; 4]) -> Self {
        Self { start: from, per_second: 1.0 / (to - from), y, uneven: None }
    }

    /// A curve whose inner control times are these shares of it. Shares outside of it are taken to
    /// its ends, so that time never goes back.
    pub(crate) fn uneven(ends: [f64; 2], y: [f64; 4], shares: [f64; 2]) -> Self {
        let shares = shares.map(|share| share.clamp(0.0, 1.0));
        let off = (shares[0] - 1.0 / 3.0).abs().max((shares[1] - 2.0 / 3.0).abs());
        Self { uneven: (off > THIRD_ROUNDING).then_some(shares), ..Self::even(ends, y) }
    }

    /// Whether all control values are the same.
    pub(crate) fn is_held(&self) -> bool {
        self.y.iter().all(|value| *value == self.y[0])
    }

    /// Whether the span is a straight line, within rounding.
    pub(crate) fn is_straight(&self) -> bool {
        let [a, b, c, d] = self.y;
        let third = (d - a) / 3.0;
        let rounding = 1e-15 * (a.abs() + d.abs());
        self.uneven.is_none()
            && (b - a - third).abs() <= rounding
            && (d - c - third).abs() <= rounding
    }

    /// Whether the span is a polynomial, so that `bends` may be asked for.
    pub(crate) fn is_polynomial(&self) -> bool {
        self.uneven.is_none()
    }

    pub(crate) fn value(&self, time: f64) -> f64 {
        if self.per_second == 0.0 {
            return self.y[0];
        }
        let s = self.parameter(time);
        let r = 1.0 - s;
        let [a, b, c, d] = self.y;
        r * r * (r * a + 3.0 * s * b) + s * s * (3.0 * r * c + s * d)
    }

    /// Per second; `None` where the curve is too steep.
    pub(crate) fn slope(&self, time: f64) -> Option<f64> {
        let s = self.parameter(time);
        let [a, b, c, d] = self.y;
        let rise = rate([a, b, c, d], s) * self.per_second;
        match self.uneven {
            None => Some(rise),
            Some([early, late]) => {
                let pace = rate([0.0, early, late, 1.0], s);
                (pace > STEEPEST).then(|| rise / pace)
            }
        }
    }

    /// The most that the first, second and third derivative can be, per part of `length` seconds.
    pub(crate) fn bends(&self, length: f64) -> [f64; 3] {
        let share = length * self.per_second;
        let [a, b, c, d] = self.y;
        let first = 3.0 * (b - a).abs().max((c - b).abs()).max((d - c).abs());
        let second = 6.0 * (a - 2.0 * b + c).abs().max((b - 2.0 * c + d).abs());
        let third = 6.0 * (d - 3.0 * c + 3.0 * b - a).abs();
        [first * share, second * share * share, third * share * share * share]
    }

    /// Where on the curve, from 0 to 1, a time is.
    fn parameter(&self, time: f64) -> f64 {
        let share = (time - self.start) * self.per_second;
        match self.uneven {
            None => share,
            Some([early, late]) => solve(early, late, share.clamp(0.0, 1.0)),
        }
    }
}

/// The derivative of a Bézier curve with these control values.
fn rate([a, b, c, d]: [f64; 4], s: f64) -> f64 {
    let r = 1.0 - s;
    3.0 * (r * r * (b - a) + 2.0 * r * s * (c - b) + s * s * (d - c))
}

/// Where a curve from 0 to 1 with these inner control values is `share`. They lie between 0 and 1, so
/// it never falls: Newton's steps, held between two bounds, find the place.
fn solve(early: f64, late: f64, share: f64) -> f64 {
    let mut low = 0.0;
    let mut high = 1.0;
    let mut s = share;
    for _ in 0..60 {
        let r = 1.0 - s;
        let over = 3.0 * r * s * (r * early + s * late) + s * s * s - share;
        if over.abs() < 1e-13 {
            break;
        }
        if over < 0.0 {
            low = s;
        } else {
            high = s;
        }
        let newton = s - over / rate([0.0, early, late, 1.0], s);
        s = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_with_control_times_at_thirds_is_its_polynomial() {
        // 6 (3 s² - 2 s³) at s = 1/4: 6 (3/16 - 2/64); its slope 36 (s - s²) / 3 a second.
        let span = Span::uneven([0.0, 3.0], [0.0, 0.0, 6.0, 6.0], [1.0 / 3.0, 0.666_667]);
        assert!(span.is_polynomial());
        assert!((span.value(0.75) - 0.9375).abs() < 1e-12);
        assert!((span.slope(0.75).expect("even") - 2.25).abs() < 1e-12);
    }

    #[test]
    fn the_time_of_an_uneven_curve_is_solved_for() {
        // Control times 0 and 0: time is 3 s³, value 6 (3 s² - 2 s³). At s = 1/2 time is 3/8, the value
        // 3 and its slope 9 over 9/4.
        let span = Span::uneven([0.0, 3.0], [0.0, 0.0, 6.0, 6.0], [0.0, 0.0]);
        assert!((span.value(0.375) - 3.0).abs() < 1e-9, "{}", span.value(0.375));
        assert!((span.slope(0.375).expect("not steep") - 4.0).abs() < 1e-9);
        assert_eq!(span.slope(0.0), None);
    }

    #[test]
    fn control_times_beyond_the_keys_do_not_turn_time_back() {
        let span = Span::uneven([0.0, 3.0], [0.0, 0.0, 6.0, 6.0], [6.0, -3.0]);
        // Held to the keys, the times are 0, 3, 0, 3: by symmetry the middle is the middle.
        assert!((span.value(1.5) - 3.0).abs() < 1e-4, "{}", span.value(1.5));
        let values: Vec<f64> = (0..=30).map(|step| span.value(f64::from(step) / 10.0)).collect();
        assert!(values.is_sorted(), "{values:?}");
    }

    #[test]
    fn straight_is_what_goes_from_end_to_end() {
        assert!(Span::straight([0.1, 0.7], [1.0 / 3.0, -1e6]).is_straight());
        assert!(Span::held(0.3).is_straight());
        assert!(!Span::even([0.0, 1.0], [0.0, 1.0, 2.0 + 1e-9, 3.0]).is_straight());
        assert!(!Span::uneven([0.0, 1.0], [0.0, 1.0, 2.0, 3.0], [0.1, 0.9]).is_straight());
    }

    #[test]
    fn bends_bound_the_derivatives() {
        // t² over a span of 2: control values 0, 0, 4/3, 4. At most 4 a second and 2; over half of it
        // 4, 2 and none.
        let span = Span::even([0.0, 2.0], [0.0, 0.0, 4.0 / 3.0, 4.0]);
        let [first, second, third] = span.bends(1.0);
        assert!((first - 4.0).abs() < 1e-12 && (second - 2.0).abs() < 1e-12 && third < 1e-12);
    }
}
