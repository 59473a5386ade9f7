//! A track with as few keys as a bound allows.
//!
//! In:  the samples of a track, how far it goes from where it rests, and how far off it may be, in metres at the skin.
//! Out: nothing where it stays at rest, one value where it does not move, else which samples are keys, and what is between them.
//!
//! From each key the next is as far away as the bound allows. Values of keys are those of the curve; `refine` moves them.

use sinew_scene::Interpolation;

use super::samples::Samples;
use crate::keys::Keys;

/// What became of a track.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fitted {
    /// It stays at rest: no track is needed.
    AtRest,
    /// It has this value all the time.
    Held(Vec<f64>),
    /// These samples are keys.
    Keys { knots: Vec<usize>, interpolation: Interpolation },
}

/// The fewest bytes for a track within `metres` of its samples, that go so far from where it rests and from the first of them.
pub(super) fn fit(samples: &Samples, [from_rest, from_first]: [f64; 2], metres: f64) -> Fitted {
    if from_rest <= metres {
        return Fitted::AtRest;
    }
    if from_first <= metres {
        return Fitted::Held(samples.value(0).to_vec());
    }
    match samples.keys.interpolation {
        Interpolation::Step => {
            Fitted::Keys { knots: jumps(samples, metres), interpolation: Interpolation::Step }
        }
        Interpolation::Linear => {
            let knots = knots(samples, |from, to| samples.is_straight(from, to, metres));
            Fitted::Keys { knots, interpolation: Interpolation::Linear }
        }
        Interpolation::Cubic => {
            let straight = knots(samples, |from, to| samples.is_straight(from, to, metres));
            let cubic = knots(samples, |from, to| samples.is_cubic(from, to, metres));
            let bytes =
                |knots: &[usize], values: usize| knots.len() * (values * samples.width() + 1);
            if bytes(&straight, 1) <= bytes(&cubic, 3) && follows(samples, &straight, metres) {
                Fitted::Keys { knots: straight, interpolation: Interpolation::Linear }
            } else {
                Fitted::Keys { knots: cubic, interpolation: Interpolation::Cubic }
            }
        }
    }
}

/// Whether lines through these knots follow a bent curve between its samples, too: a piece may bend there.
fn follows(samples: &Samples, knots: &[usize], metres: f64) -> bool {
    let line = made(samples, knots, Interpolation::Linear);
    let [mut exact, mut found] = [(); 2].map(|()| vec![0.0; samples.width()]);
    samples.times.windows(2).all(|pair| {
        let time = 0.5 * (pair[0] + pair[1]);
        samples.keys.at(time, &mut exact);
        line.at(time, &mut found);
        samples.weighting.apart(&exact, &found) <= metres
    })
}

/// The samples at which a held value changes.
fn jumps(samples: &Samples, metres: f64) -> Vec<usize> {
    let mut kept = vec![0];
    for at in 1..samples.len() {
        let last = kept[kept.len() - 1];
        if samples.weighting.apart(samples.value(last), samples.value(at)) > 0.1 * metres {
            kept.push(at);
        }
    }
    kept
}

/// From each knot on as far as `holds` says that one piece will do. Jumps have knots on both sides.
pub(super) fn knots(samples: &Samples, holds: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut knots = vec![0];
    let mut length = 1;
    let mut from = 0;
    let last = samples.len().saturating_sub(1);
    let jump_from = |from: usize| (from..last).find(|&at| samples.jumps(at)).unwrap_or(last);
    let mut end = jump_from(0);
    while from < last {
        if end == from {
            from += 1;
            knots.push(from);
            end = jump_from(from);
            continue;
        }
        let to = farthest(from, end, length, &holds);
        length = to - from;
        from = to;
        knots.push(from);
    }
    knots
}

/// The farthest sample up to `end` that one piece reaches; `guess` is how far the last one did.
fn farthest(from: usize, end: usize, guess: usize, holds: impl Fn(usize, usize) -> bool) -> usize {
    let mut good = from + 1;
    let mut bad = end + 1;
    let mut step = guess.max(1);
    // Farther and farther, as long as it holds.
    while good < end {
        let next = (good + step).min(end);
        if holds(from, next) {
            good = next;
            step *= 2;
        } else {
            bad = next;
            break;
        }
    }
    while bad > good + 1 {
        let middle = good + (bad - good) / 2;
        if holds(from, middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}

/// The keys at some of the samples.
pub(super) fn made(samples: &Samples, knots: &[usize], interpolation: Interpolation) -> Keys {
    let mut keys = samples.keys.empty(interpolation);
    for &knot in knots {
        keys.times.push(samples.times[knot]);
        if interpolation == Interpolation::Cubic {
            keys.values.extend_from_slice(samples.rate(knot, 0));
        }
        keys.values.extend_from_slice(samples.value(knot));
        if interpolation == Interpolation::Cubic {
            keys.values.extend_from_slice(samples.rate(knot, 1));
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::super::samples::Weighting;
    use super::*;

    fn samples(times: &[f32], values: &[f64], interpolation: Interpolation) -> Samples {
        let (times, values) = (times.to_vec(), values.to_vec());
        let keys = Keys { times, values, width: 1, interpolation, rotates: false };
        Samples::new(keys, Weighting::Each(vec![1.0]))
    }

    fn fit_from(samples: &Samples, rest: f64, metres: f64) -> Fitted {
        fit(samples, [samples.goes(&[rest]), samples.goes(samples.value(0))], metres)
    }

    fn found(fitted: Fitted) -> Vec<usize> {
        match fitted {
            Fitted::Keys { knots, .. } => knots,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn keys_on_a_line_are_left_out_and_a_bend_stays() {
        let times: Vec<f32> = (0..9).map(|key| key as f32).collect();
        let bend = [0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.0];
        let samples = samples(&times, &bend, Interpolation::Linear);
        assert_eq!(found(fit_from(&samples, 9.0, 1e-6)), [0, 4, 8]);
        // A bound of 4 leaves a line: all are within 4 of the first value, even.
        assert_eq!(fit_from(&samples, 9.0, 4.0), Fitted::Held(vec![0.0]));
        assert_eq!(fit_from(&samples, 1.0, 4.0), Fitted::AtRest);
    }

    #[test]
    fn a_jump_keeps_both_of_its_keys() {
        let samples = samples(
            &[0.0, 1.0, 2.0, 2.0, 3.0, 4.0],
            &[0.0, 1.0, 2.0, 7.0, 7.0, 7.0],
            Interpolation::Linear,
        );
        assert_eq!(found(fit_from(&samples, 9.0, 1e-6)), [0, 2, 3, 5]);
    }

    #[test]
    fn held_values_that_repeat_are_one_key() {
        let samples = samples(&[0.0, 1.0, 2.0, 3.0], &[0.0, 0.0, 1.0, 1.0], Interpolation::Step);
        assert_eq!(found(fit_from(&samples, 9.0, 1e-6)), [0, 2]);
    }

    #[test]
    fn one_cubic_in_many_pieces_is_one_piece() {
        // x = t³ with keys at whole seconds: in-tangent, value, out-tangent.
        let cube: Vec<f64> =
            (0..5).map(f64::from).flat_map(|t| [3.0 * t * t, t * t * t, 3.0 * t * t]).collect();
        let samples = samples(&[0.0, 1.0, 2.0, 3.0, 4.0], &cube, Interpolation::Cubic);
        let fitted = fit_from(&samples, -9.0, 1e-6);
        let knots = found(fitted.clone());
        assert_eq!((samples.times[knots[0]], samples.times[knots[1]], knots.len()), (0.0, 4.0, 2));
        assert!(matches!(fitted, Fitted::Keys { interpolation: Interpolation::Cubic, .. }));
    }

    #[test]
    fn a_cubic_that_is_straight_becomes_a_line() {
        let line: Vec<f64> = (0..5).map(f64::from).flat_map(|t| [2.0, 2.0 * t, 2.0]).collect();
        let samples = samples(&[0.0, 1.0, 2.0, 3.0, 4.0], &line, Interpolation::Cubic);
        let fitted = fit_from(&samples, -9.0, 1e-6);
        assert!(
            matches!(fitted, Fitted::Keys { interpolation: Interpolation::Linear, ref knots } if knots.len() == 2),
            "{fitted:?}"
        );
    }
}
