//! Tests of the curve fitter, with motions whose values are known.

use super::*;

/// One number that is the sine of `rate` times time, and how often it was asked for.
struct Sine {
    rate: f64,
    asked: usize,
}

impl Source for Sine {
    fn width(&self) -> usize {
        1
    }

    fn open(&mut self, _: f64, _: f64) {}

    fn value(&mut self, time: f64, out: &mut [f64]) {
        self.asked += 1;
        out[0] = (self.rate * time).sin();
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        distance(a, b) / 1e-6
    }

    fn is_continuous(&self) -> bool {
        true
    }
}

fn fitted(rate: f64, knots: &[f64]) -> (Pieces, usize) {
    let mut source = Sine { rate, asked: 0 };
    let pieces = fit(&mut source, knots, &Clock::new(0.0), &mut Budget::for_file(0));
    (pieces.expect("within the budget"), source.asked)
}

#[test]
fn pieces_follow_to_within_the_tolerance_and_join_without_a_gap() {
    for rate in [0.1, 1.0, 10.0, 100.0] {
        let (pieces, _) = fitted(rate, &[0.0, 0.5, 2.0]);
        let mut end = 0.0;
        for (at, [from, to]) in pieces.times.iter().copied().enumerate() {
            assert_eq!(from, end);
            end = to;
            let piece = &pieces.values[at * 4..][..4];
            for step in 0..=20 {
                let share = f64::from(step) / 20.0;
                let mut found = [0.0];
                hermite(piece, share, &mut found);
                let off = (found[0] - (rate * (from + (to - from) * share)).sin()).abs();
                assert!(off < 1e-6, "{rate}: {off} at {share} of {from} to {to}");
            }
        }
        assert_eq!(end, 2.0);
    }
}

#[test]
fn a_stretch_that_needs_many_pieces_is_not_asked_for_all_halves_before_them() {
    // Each piece takes five or six answers; the rest is for what was too long.
    let (pieces, asked) = fitted(10.0, &[0.0, 1.0]);
    assert!(pieces.times.len() > 8, "{}", pieces.times.len());
    assert!(asked < pieces.times.len() * 7, "{asked} for {}", pieces.times.len());
}

#[test]
fn an_error_asks_for_parts_by_its_fourth_root() {
    assert_eq!(parts(0.71), 2);
    assert_eq!(parts(0.35 * 80.0), 3);
    assert_eq!(parts(0.35 * 82.0), 4);
    assert_eq!([parts(1e9), parts(f64::INFINITY), parts(f64::NAN)], [MAX_PARTS; 3]);
}
