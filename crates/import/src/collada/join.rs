//! From corners to vertices: corners with the same indices are one vertex.
//!
//! In:  corners, a fixed number of indices each.
//! Out: a vertex number for each corner, and each vertex's indices.
//!
//! A table with open addressing over the indices themselves: no allocation per corner.

/// Vertices found so far.
pub(super) struct Join {
    /// Indices per vertex.
    width: usize,
    /// The indices of every vertex, one after the other.
    keys: Vec<u32>,
    /// The corner at which each vertex was met first.
    pub(super) first_corners: Vec<u32>,
    /// Vertex number plus one; zero for an empty place. Never more than half full.
    table: Vec<u32>,
}

impl Join {
    pub(super) fn new(width: usize, corners: usize) -> Self {
        let places = (corners * 2).next_power_of_two().max(8);
        Self { width, keys: Vec::new(), first_corners: Vec::new(), table: vec![0; places] }
    }

    /// The vertex of a corner with these indices, and whether it is new. Call once per corner.
    #[inline(always)]
    pub(super) fn vertex(&mut self, key: &[u32], corner: usize) -> (u32, bool) {
        let mask = self.table.len() - 1;
        let mut place = hash(key) & mask;
        loop {
            match self.table[place] {
                0 => {
                    let vertex = self.first_corners.len() as u32;
                    self.table[place] = vertex + 1;
                    self.keys.extend_from_slice(key);
                    self.first_corners.push(corner as u32);
                    return (vertex, true);
                }
                // Of the length that the caller knows at compile time, mostly.
                known if is_same(&self.keys[(known as usize - 1) * key.len()..], key) => {
                    return (known - 1, false);
                }
                _ => place = (place + 1) & mask,
            }
        }
    }

    /// The indices of a vertex.
    pub(super) fn key(&self, vertex: usize) -> &[u32] {
        &self.keys[vertex * self.width..][..self.width]
    }

    pub(super) fn len(&self) -> usize {
        self.first_corners.len()
    }
}

/// Whether two keys are the same; they are so short that a call takes longer than this.
#[inline]
fn is_same(one: &[u32], other: &[u32]) -> bool {
    let mut same = true;
    for (one, other) in one.iter().zip(other) {
        same &= one == other;
    }
    same
}

#[inline]
fn hash(key: &[u32]) -> usize {
    let mut hash = 0_u64;
    for &index in key {
        hash = (hash.rotate_left(23) ^ u64::from(index)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (hash >> 29) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_with_the_same_indices_are_one_vertex() {
        let mut join = Join::new(2, 4);
        let found: Vec<_> = [[0, 0], [1, 0], [0, 0], [0, 1]]
            .iter()
            .enumerate()
            .map(|(corner, key)| join.vertex(key, corner))
            .collect();
        assert_eq!(found, [(0, true), (1, true), (0, false), (2, true)]);
        assert_eq!(join.key(2), [0, 1]);
        assert_eq!(join.first_corners, [0, 1, 3]);
    }

    #[test]
    fn many_vertices_keep_apart() {
        let mut join = Join::new(3, 5000);
        for at in 0..5000_u32 {
            assert_eq!(join.vertex(&[at % 7, at % 11, at], at as usize), (at, true));
        }
    }
}
