//! A primitive's own vertices, eight to a block: all x, then all y, then all z.

use sinew_lanes::{Wide, quads, triples};
use sinew_scene::Primitive;

use super::EIGHT;
use super::morphs::{List, Morphs};
use super::packed::{Words, from_signed, signed};
use super::space::LONGEST;

/// Eight numbers that one register takes from one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Row(pub(super) [f32; EIGHT]);

impl Row {
    pub(super) const ZERO: Self = Self([0.0; EIGHT]);
}

/// Vectors of `N` numbers in blocks of eight.
#[derive(Clone, Debug)]
pub(super) enum Blocks<const N: usize> {
    Exact(Vec<[Row; N]>),
    Packed(Vec<[Words; N]>),
}

/// What is skinned.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) positions: Blocks<3>,
    pub(super) normals: Blocks<3>,
    pub(super) tangents: Blocks<4>,
}

impl Shape {
    /// Positions stay exact; directions become two bytes a number when `packed`.
    pub(super) fn new(primitive: &Primitive, packed: bool) -> Self {
        Self {
            positions: Blocks::new(triples(&primitive.positions), false),
            normals: Blocks::new(triples(&primitive.normals), packed),
            tangents: Blocks::new(quads(&primitive.tangents), packed),
        }
    }

    /// Whether everything there must be is there, and can be read as it is.
    pub(super) fn is_ready(&self) -> bool {
        let exact = matches!(self.tangents, Blocks::Exact(_));
        exact && matches!(&self.normals, Blocks::Exact(normals) if !normals.is_empty())
    }
}

impl<const N: usize> Blocks<N> {
    fn new(vectors: &[[f32; N]], packed: bool) -> Self {
        let blocks = vectors.chunks(EIGHT).map(turned_over);
        match packed {
            false => Self::Exact(blocks.map(|rows| rows.map(Row)).collect()),
            true => Self::Packed(blocks.map(|rows| rows.map(|row| signed(&row))).collect()),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn len(&self) -> usize {
        match self {
            Self::Exact(blocks) => blocks.len(),
            Self::Packed(blocks) => blocks.len(),
        }
    }

    /// So many blocks from a place on, morphed and as numbers; what is not so yet is made so in
    /// `space`. Where there are none at all it is `space` as it is.
    #[inline(always)]
    pub(super) fn read<'a, W: Wide>(
        &'a self,
        from: usize,
        count: usize,
        morphs: Morphs<'_>,
        list: List,
        space: &'a mut [[Row; N]; LONGEST],
    ) -> &'a [[Row; N]] {
        if self.is_empty() {
            return &space[..count];
        }
        if let (Self::Exact(blocks), false) = (self, morphs.any()) {
            return &blocks[from..from + count];
        }
        for (at, to) in space[..count].iter_mut().enumerate() {
            let numbers = morphs.add(list, from + at, self.block::<W>(from + at));
            for axis in 0..N {
                numbers[axis].store(&mut to[axis].0);
            }
        }
        &space[..count]
    }

    #[inline(always)]
    fn block<W: Wide>(&self, at: usize) -> [W; N] {
        let mut out = [W::splat(0.0); N];
        for axis in 0..N {
            out[axis] = match self {
                Self::Exact(blocks) => W::load(&blocks[at][axis].0),
                Self::Packed(blocks) => from_signed(&blocks[at][axis]),
            };
        }
        out
    }
}

/// Rows from eight vectors or fewer; nothing where there is none.
fn turned_over<const N: usize>(vectors: &[[f32; N]]) -> [[f32; EIGHT]; N] {
    let mut rows = [[0.0; EIGHT]; N];
    for (lane, vector) in vectors.iter().enumerate() {
        for (row, &number) in rows.iter_mut().zip(vector) {
            row[lane] = number;
        }
    }
    rows
}
