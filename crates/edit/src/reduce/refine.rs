//! Keys moved off the curve a little, so that the lines between them are nearer to it.
//!
//! In:  the samples of a track, and those of them that are keys with lines between.
//! Out: values of keys that are nearest to all samples by the sum of squares; ends and jumps stay.
//!
//! A line through two points of an arc is on one side of it all the way. Moved towards the arc by a third of its height, it is off by
//! two thirds as much: so fewer keys keep the same bound. What is no nearer at the worst sample is not taken.

use super::samples::Samples;
use crate::keys::Keys;
use crate::segment;

/// Moves the values of straight keys at these samples.
pub(super) fn refine(samples: &Samples, knots: &[usize], keys: &mut Keys) {
    if knots.len() == samples.len() {
        return;
    }
    let mut first = 0;
    while first + 1 < knots.len() {
        let is_jump = |at: &usize| samples.jumps(knots[*at]);
        let last = (first..knots.len() - 1).find(is_jump).unwrap_or(knots.len() - 1);
        if last > first + 1 {
            refine_run(samples, &knots[first..=last], first, keys);
        }
        first = last + 1;
    }
}

/// The same for knots without a jump between them; `first` is the key of the first of them.
fn refine_run(samples: &Samples, knots: &[usize], first: usize, keys: &mut Keys) {
    let width = samples.width();
    let before = keys.values[first * width..(first + knots.len()) * width].to_vec();
    let mut values = solved(samples, knots);
    if samples.keys.rotates {
        values.chunks_mut(width).for_each(segment::normalize);
    }
    if worst(samples, knots, &values) < worst(samples, knots, &before) {
        keys.values[first * width..][..values.len()].copy_from_slice(&values);
    }
}

/// The share of the way to the next knot at which a sample is.
fn share(samples: &Samples, [from, to]: [usize; 2], at: usize) -> f64 {
    let [start, end, time] = [from, to, at].map(|at| f64::from(samples.times[at]));
    (time - start) / (end - start)
}

/// The values with the least sum of squares. Each knot meets its neighbours alone: three diagonals.
fn solved(samples: &Samples, knots: &[usize]) -> Vec<f64> {
    let (count, width) = (knots.len(), samples.width());
    let mut diagonal = vec![0.0; count];
    let mut beside = vec![0.0; count];
    let mut right = vec![0.0; count * width];
    for (piece, pair) in knots.windows(2).enumerate() {
        for at in pair[0]..pair[1] {
            let to = share(samples, [pair[0], pair[1]], at);
            let from = 1.0 - to;
            diagonal[piece] += from * from;
            diagonal[piece + 1] += to * to;
            beside[piece] += from * to;
            for (axis, number) in samples.value(at).iter().enumerate() {
                right[piece * width + axis] += from * number;
                right[(piece + 1) * width + axis] += to * number;
            }
        }
    }
    // Both ends stay where the curve is.
    let ends = [samples.value(knots[0]), samples.value(knots[count - 1])];
    for axis in 0..width {
        right[width + axis] -= beside[0] * ends[0][axis];
        right[(count - 2) * width + axis] -= beside[count - 2] * ends[1][axis];
    }
    for at in 2..count - 1 {
        let factor = beside[at - 1] / diagonal[at - 1];
        diagonal[at] -= factor * beside[at - 1];
        for axis in 0..width {
            right[at * width + axis] -= factor * right[(at - 1) * width + axis];
        }
    }
    let mut values = vec![0.0; count * width];
    values[..width].copy_from_slice(ends[0]);
    values[(count - 1) * width..].copy_from_slice(ends[1]);
    for at in (1..count - 1).rev() {
        for axis in 0..width {
            let next = if at == count - 2 { 0.0 } else { values[(at + 1) * width + axis] };
            values[at * width + axis] =
                (right[at * width + axis] - beside[at] * next) / diagonal[at];
        }
    }
    values
}

/// The farthest that any sample is from the lines through these values, in metres.
fn worst(samples: &Samples, knots: &[usize], values: &[f64]) -> f64 {
    let width = samples.width();
    let mut found = vec![0.0; width];
    let mut worst = 0.0_f64;
    for (pair, rows) in knots.windows(2).zip(values.windows(2 * width).step_by(width)) {
        let (a, b) = rows.split_at(width);
        let arc = samples.keys.rotates.then(|| segment::Arc::new(a, b));
        for at in pair[0]..pair[1] {
            let share = share(samples, [pair[0], pair[1]], at);
            let [from, to] = arc.map_or([1.0 - share, share], |arc| arc.weights(share));
            for (found, (a, b)) in found.iter_mut().zip(a.iter().zip(b)) {
                *found = a * from + b * to;
            }
            let apart = samples.weighting.apart(samples.value(at), &found);
            worst = if apart.is_nan() { f64::INFINITY } else { worst.max(apart) };
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use sinew_scene::Interpolation;

    use super::super::fit::made;
    use super::super::samples::Weighting;
    use super::*;

    #[test]
    fn lines_through_an_arc_come_nearer_and_its_ends_stay() {
        // x = t² at 0…24 with keys every 8: lines are off by 16 in their middle.
        let keys = Keys {
            times: (0..25).map(|key| key as f32).collect(),
            values: (0..25).map(|key| f64::from(key * key)).collect(),
            width: 1,
            interpolation: Interpolation::Linear,
            rotates: false,
        };
        let samples = Samples::new(keys, Weighting::Each(vec![1.0]));
        let knots = [0, 8, 16, 24];
        let mut keys = made(&samples, &knots, Interpolation::Linear);
        assert_eq!(worst(&samples, &knots, &keys.values), 16.0);
        refine(&samples, &knots, &mut keys);
        assert_eq!((keys.values[0], keys.values[3]), (0.0, 576.0));
        let after = worst(&samples, &knots, &keys.values);
        // Both inner keys are moved down by 12.56.
        assert!((after - 12.56).abs() < 0.01, "{after}: {:?}", keys.values);
        assert!(keys.values[1] < 64.0 && keys.values[2] < 256.0, "{:?}", keys.values);
    }
}
