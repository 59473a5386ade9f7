//! Edges of a mesh by one of their ends, without hashing.
//!
//! In:  pairs, each under a number.
//! Out: the pairs of each number, in the order in which they were put there.

/// Pairs by a number, in two passes over the pairs.
pub(super) struct Buckets {
    /// Where each bucket ends; while they are filled, where its next pair goes.
    ends: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

impl Buckets {
    /// Room for a pair under each of these numbers, which are below `limit`.
    pub(super) fn new(limit: usize, numbers: impl Iterator<Item = u32>) -> Self {
        let (mut ends, mut count) = (vec![0; limit], 0);
        for number in numbers {
            ends[number as usize] += 1;
            count += 1;
        }
        let mut start = 0;
        for end in &mut ends {
            let size = std::mem::replace(end, start);
            start += size;
        }
        Self { ends, pairs: vec![(0, 0); count] }
    }

    pub(super) fn put(&mut self, number: u32, pair: (u32, u32)) {
        let next = &mut self.ends[number as usize];
        self.pairs[*next as usize] = pair;
        *next += 1;
    }

    /// Each bucket, when all are full.
    pub(super) fn each(&mut self) -> impl Iterator<Item = &mut [(u32, u32)]> {
        let mut rest = &mut self.pairs[..];
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let (bucket, others) = std::mem::take(&mut rest).split_at_mut((end - start) as usize);
            (rest, start) = (others, end);
            bucket
        })
    }
}
