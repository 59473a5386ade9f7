//! A primitive's own vertices, eight to a block: all x, then all y, then all z.
//!
//! In:  positions, normals and tangents, vector after vector.
//! Out: the same in blocks, morphed on request.

use sinew_lanes::{Wide, quads, triples};
use sinew_scene::Primitive;

use super::EIGHT;
use super::morphs::{List, Morphs};
use super::space::MAX_MORPHED_BLOCKS;
use super::walk::load;

/// Eight numbers that one register takes from one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Row(pub(super) [f32; EIGHT]);

impl Row {
    pub(super) const ZERO: Self = Self([0.0; EIGHT]);
}

/// Vectors of `N` numbers in blocks of eight.
#[derive(Clone, Debug)]
pub(super) struct Blocks<const N: usize>(Vec<[Row; N]>);

/// What is skinned.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) positions: Blocks<3>,
    pub(super) normals: Blocks<3>,
    pub(super) tangents: Blocks<4>,
}

impl Shape {
    pub(super) fn new(primitive: &Primitive) -> Self {
        Self {
            positions: Blocks::new(triples(&primitive.positions)),
            normals: Blocks::new(triples(&primitive.normals)),
            tangents: Blocks::new(quads(&primitive.tangents)),
        }
    }
}

impl<const N: usize> Blocks<N> {
    fn new(vectors: &[[f32; N]]) -> Self {
        Self(vectors.chunks(EIGHT).map(transposed).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `count` blocks from block `from` on; morphed ones are written to `space`. Where there are no
    /// blocks at all it is `space` as it is.
    #[inline(always)]
    pub(super) fn read<'a, W: Wide>(
        &'a self,
        from: usize,
        count: usize,
        morphs: Morphs<'_>,
        list: List,
        space: &'a mut [[Row; N]; MAX_MORPHED_BLOCKS],
    ) -> &'a [[Row; N]] {
        if self.is_empty() {
            return &space[..count];
        }
        if !morphs.any() {
            return &self.0[from..from + count];
        }
        for (at, to) in space[..count].iter_mut().enumerate() {
            let numbers = morphs.add(list, from + at, load::<W, N>(&self.0[from + at]));
            for axis in 0..N {
                numbers[axis].store(&mut to[axis].0);
            }
        }
        &space[..count]
    }
}

/// Rows from eight vectors or fewer; zero where there is none.
fn transposed<const N: usize>(vectors: &[[f32; N]]) -> [Row; N] {
    let mut rows = [Row::ZERO; N];
    for (lane, vector) in vectors.iter().enumerate() {
        for (row, &number) in rows.iter_mut().zip(vector) {
            row.0[lane] = number;
        }
    }
    rows
}
