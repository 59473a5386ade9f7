//! Many distances in little memory: the worst, the mean square, and any share of them.
//!
//! Distances fall into bins of equal ratio, 128 to a doubling, so a share is known to within 0.6 %; the largest
//! distance is kept as it is.

/// Bins to a doubling.
const PER_OCTAVE: f64 = 128.0;
/// Doublings from the smallest distance that is told from 0, 2⁻⁴⁰ m (a picometre), to the largest, 2²⁴ m.
const OCTAVES: f64 = 64.0;
const LEAST_LOG: f64 = -40.0;

/// Distances in metres.
#[derive(Clone, Debug)]
pub(crate) struct Distribution {
    /// Bin 0 is for distances that are as good as 0.
    bins: Vec<u64>,
    count: u64,
    squares: f64,
    worst: f64,
}

impl Distribution {
    pub(crate) fn new() -> Self {
        let bins = vec![0; (PER_OCTAVE * OCTAVES) as usize + 1];
        Self { bins, count: 0, squares: 0.0, worst: 0.0 }
    }

    pub(crate) fn add(&mut self, distance: f64) {
        self.bins[bin(distance)] += 1;
        self.count += 1;
        self.squares += distance * distance;
        self.worst = self.worst.max(distance);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.bins.iter_mut().zip(&other.bins).for_each(|(own, more)| *own += more);
        self.count += other.count;
        self.squares += other.squares;
        self.worst = self.worst.max(other.worst);
    }

    /// The root of the mean square.
    pub(crate) fn rms(&self) -> f64 {
        if self.count == 0 { 0.0 } else { (self.squares / self.count as f64).sqrt() }
    }

    /// What this share of the distances does not exceed.
    pub(crate) fn share(&self, share: f64) -> f64 {
        let wanted = (share * self.count as f64).ceil() as u64;
        let mut seen = 0;
        for (bin, count) in self.bins.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return upper_edge(bin).min(self.worst);
            }
        }
        self.worst
    }
}

fn bin(distance: f64) -> usize {
    let at = (distance.log2() - LEAST_LOG) * PER_OCTAVE;
    // Not finite for 0, and not a number for nothing that is squared and rooted.
    if at > 0.0 { (at.ceil() as usize).min((PER_OCTAVE * OCTAVES) as usize) } else { 0 }
}

fn upper_edge(bin: usize) -> f64 {
    if bin == 0 { 0.0 } else { (bin as f64 / PER_OCTAVE + LEAST_LOG).exp2() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_hundred_distances_99_percent_are_up_to_the_99th() {
        let mut distances = Distribution::new();
        (1..=100).for_each(|millimetre| distances.add(f64::from(millimetre) * 1e-3));
        let found = distances.share(0.99);
        assert!((0.099..0.099 * 1.006).contains(&found), "{found}");
        // (1² + … + 100²) / 100 = 3383.5.
        assert!((distances.rms() - 3383.5_f64.sqrt() * 1e-3).abs() < 1e-12);
        assert_eq!(distances.share(1.0), 0.1);
    }

    #[test]
    fn what_is_always_the_same_is_exactly_that() {
        let mut distances = Distribution::new();
        (0..10).for_each(|_| distances.add(0.010));
        assert_eq!(distances.share(0.99), 0.010);
        assert!((distances.rms() - 0.010).abs() < 1e-15);
        let mut none = Distribution::new();
        none.add(0.0);
        assert_eq!((none.share(0.99), none.rms()), (0.0, 0.0));
    }

    #[test]
    fn two_halves_are_the_whole() {
        let [mut whole, mut first, mut second] = [(); 3].map(|()| Distribution::new());
        for step in 0..50 {
            let distance = f64::from(step * step) * 1e-4;
            whole.add(distance);
            if step % 3 == 0 { first.add(distance) } else { second.add(distance) }
        }
        first.merge(&second);
        assert_eq!(first.share(0.5), whole.share(0.5));
        assert!((first.rms() - whole.rms()).abs() < 1e-15);
    }
}
