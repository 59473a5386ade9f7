//! Sets of corners that share a normal (union-find).
//!
//! In:  pairs of corners. Out: for each corner the first of its set.

/// Sets of corners.
pub(super) struct Fans(Vec<u32>);

impl Fans {
    pub(super) fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    fn root(&mut self, mut corner: u32) -> u32 {
        while self.0[corner as usize] != corner {
            let above = self.0[self.0[corner as usize] as usize];
            self.0[corner as usize] = above;
            corner = above;
        }
        corner
    }

    /// The root of each corner. A corner's parent is never after it, so that parents are done before.
    pub(super) fn roots(mut self) -> Vec<u32> {
        for corner in 0..self.0.len() {
            self.0[corner] = self.0[self.0[corner] as usize];
        }
        self.0
    }

    /// The lower root stays, so that a set's number does not depend on the order of joining.
    pub(super) fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other) as usize] = one.min(other);
    }
}
