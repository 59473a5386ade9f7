//! Many distances in little memory: the worst, the mean square, and any share of them.
//!
//! Distances fall into bins by the leading bits of their numbers, 128 to a doubling, so a share is known to within
//! 0.8 %; the largest distance is kept as it is.

/// Bits of a number that a bin does not look at: all but sign, exponent and the first seven of the fraction.
const DROPPED_BITS: u32 = 52 - 7;
/// The smallest distance that is told from 0: 2⁻⁴⁰ m, a picometre.
const LEAST: f64 = 1.0 / (1_u64 << 40) as f64;
/// The largest that is told from larger ones: 2²⁴ m.
const LARGEST: f64 = (1 << 24) as f64;

/// Distances in metres.
#[derive(Clone, Debug)]
pub(crate) struct Distribution {
    /// Bin 0 is for distances that are as good as 0. None before the first distance.
    bins: Vec<u64>,
    count: u64,
    squares: f64,
    worst: f64,
}

impl Distribution {
    pub(crate) fn new() -> Self {
        Self { bins: Vec::new(), count: 0, squares: 0.0, worst: 0.0 }
    }

    pub(crate) fn add(&mut self, distance: f64) {
        let bin = bin(distance);
        match self.bins.get_mut(bin) {
            Some(count) => *count += 1,
            None => self.begin(bin),
        }
        self.count += 1;
        self.squares += distance * distance;
        self.worst = self.worst.max(distance);
    }

    #[cold]
    fn begin(&mut self, first: usize) {
        self.bins = vec![0; bin(LARGEST) + 1];
        self.bins[first] = 1;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        match self.bins.is_empty() {
            true => self.bins.clone_from(&other.bins),
            false => self.bins.iter_mut().zip(&other.bins).for_each(|(own, more)| *own += more),
        }
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

/// Bin 0 is for what is as good as 0.
fn bin(distance: f64) -> usize {
    if distance < LEAST {
        return 0;
    }
    let bits = |number: f64| (number.to_bits() >> DROPPED_BITS) as usize;
    // Numbers above zero are in the order of their bits.
    bits(distance.min(LARGEST)) - bits(LEAST) + 1
}

fn upper_edge(bin: usize) -> f64 {
    if bin == 0 {
        return 0.0;
    }
    f64::from_bits(((LEAST.to_bits() >> DROPPED_BITS) + bin as u64) << DROPPED_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_hundred_distances_99_percent_are_up_to_the_99th() {
        let mut distances = Distribution::new();
        (1..=100).for_each(|millimetre| distances.add(f64::from(millimetre) * 1e-3));
        let found = distances.share(0.99);
        assert!((0.099..0.099 * 1.008).contains(&found), "{found}");
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
