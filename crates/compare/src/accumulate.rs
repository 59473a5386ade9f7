//! What is known so far, over some moments; two of them make one.
//!
//! Of equal errors the earliest stands, whatever the order in which threads come back.

use crate::bound::Look;
use crate::distribution::Distribution;

/// An error, when it is, and which pair has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Worst {
    pub(crate) error: f64,
    pub(crate) time: f32,
    pub(crate) pair: usize,
}

impl Worst {
    /// The larger error; of equal ones the earlier, then that of the first pair.
    pub(crate) fn take(&mut self, other: Self) {
        let earlier = (other.time, other.pair) < (self.time, self.pair);
        if other.error > self.error || (other.error == self.error && earlier) {
            *self = other;
        }
    }
}

/// What is known of one kind of pairs: vertices, or joints.
#[derive(Clone, Debug)]
pub(crate) struct Distances {
    pub(crate) all: Distribution,
    pub(crate) worst: Option<Worst>,
    /// The largest difference of speeds, with the time from which it is.
    pub(crate) speed: Option<(Worst, f32)>,
}

impl Distances {
    fn new() -> Self {
        Self { all: Distribution::new(), worst: None, speed: None }
    }

    pub(crate) fn add(&mut self, found: Worst) {
        self.all.add(found.error);
        self.worst.get_or_insert(found).take(found);
    }

    pub(crate) fn add_speed(&mut self, found: Worst, from: f32) {
        let known = self.speed.get_or_insert((found, from));
        known.0.take(found);
        if known.0 == found {
            known.1 = from;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.all.merge(&other.all);
        if let Some(found) = other.worst {
            self.worst.get_or_insert(found).take(found);
        }
        if let Some((found, from)) = other.speed {
            self.add_speed(found, from);
        }
    }
}

/// What is known so far.
#[derive(Clone, Debug)]
pub(crate) struct Accumulator {
    pub(crate) skin: Distances,
    pub(crate) joints: Distances,
    /// For each pair of joints, the worst distance, the worst angle, and the worst angle of its rotation from rest.
    pub(crate) each: Vec<[Worst; 3]>,
    /// How far the root strays.
    pub(crate) root: Worst,
    /// The worst of each vertex of A, where that is asked for; not a number for one without a partner.
    pub(crate) vertices: Vec<f32>,
    /// Moments whose skin may have the worst pair of vertices; where that is asked for.
    pub(crate) looks: Vec<Look>,
}

impl Accumulator {
    pub(crate) fn new(joints: usize, vertices: usize) -> Self {
        Self {
            skin: Distances::new(),
            joints: Distances::new(),
            each: vec![[Worst { time: f32::INFINITY, ..Worst::default() }; 3]; joints],
            root: Worst { time: f32::INFINITY, ..Worst::default() },
            vertices: vec![f32::NAN; vertices],
            looks: Vec::new(),
        }
    }

    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.skin.merge(&other.skin);
        self.joints.merge(&other.joints);
        for (own, more) in self.each.iter_mut().zip(&other.each) {
            own.iter_mut().zip(more).for_each(|(own, more)| own.take(*more));
        }
        self.root.take(other.root);
        self.looks.extend(other.looks);
        for (own, more) in self.vertices.iter_mut().zip(&other.vertices) {
            *own = own.max(*more);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_errors_the_earliest_stands_in_any_order() {
        let worst = |error: f64, time: f32, pair: usize| Worst { error, time, pair };
        let all = [worst(1.0, 0.5, 0), worst(2.0, 0.7, 3), worst(2.0, 0.2, 4), worst(2.0, 0.2, 1)];
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let mut known = all[order[0]];
            order.iter().for_each(|at| known.take(all[*at]));
            assert_eq!(known, worst(2.0, 0.2, 1));
        }
    }
}
