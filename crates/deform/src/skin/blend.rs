//! The matrices of eight vertices: each the weighted sum of its joints', then transposed.
//!
//! In:  a run's influences and the table of matrices.
//! Out: columns, each as x, y and z of eight vertices.
//!
//! A matrix fills two registers, so sums are made vertex by vertex. What limits them is how many
//! loads a core can do, so four joints are read as one number.

use sinew_lanes::Wide;

use super::EIGHT;
use super::table::{Matrix, Table};

/// The four columns of eight vertices' matrices.
pub(super) type Columns<W> = [[W; 3]; 4];

/// The matrices of two vertices, each as columns x and y, and z and the translation.
pub(super) type Pair<W> = [[W; 2]; 2];

/// The influences of a run. A trait and no closures: only what is inlined for sure is compiled for the
/// instructions of the `SimdLevel`.
pub(super) trait Influences: Copy {
    /// The matrices of vertices `first` and `first + 1` of a block. A slot of one, then of the other:
    /// each sum is a chain of waiting, and two of them side by side wait half as long.
    fn pair<W: Wide>(self, block: usize, first: usize, table: &Table) -> Pair<W>;

    /// Those of the first blocks: what the compiler sees here it need not ask for every block.
    fn cut(self, blocks: usize) -> Self;
}

/// One influence a vertex: no weights.
#[derive(Clone, Copy)]
pub(super) struct One<'a>(pub(super) &'a [[u8; EIGHT]]);

impl Influences for One<'_> {
    #[inline(always)]
    fn pair<W: Wide>(self, block: usize, first: usize, table: &Table) -> Pair<W> {
        let Matrix([xy, zw]) = table.matrix(self.0[block][first]);
        let Matrix([other_xy, other_zw]) = table.matrix(self.0[block][first + 1]);
        [[W::load(xy), W::load(zw)], [W::load(other_xy), W::load(other_zw)]]
    }

    #[inline(always)]
    fn cut(self, blocks: usize) -> Self {
        Self(&self.0[..blocks])
    }
}

/// Two influences a vertex.
#[derive(Clone, Copy)]
pub(super) struct Two<'a> {
    pub(super) joints: &'a [[[u8; 2]; EIGHT]],
    pub(super) weights: &'a [[[f32; 2]; EIGHT]],
}

impl Influences for Two<'_> {
    #[inline(always)]
    fn pair<W: Wide>(self, block: usize, first: usize, table: &Table) -> Pair<W> {
        let ([a, b], [c, d]) = (self.joints[block][first], self.joints[block][first + 1]);
        let (one, other) = (self.weights[block][first], self.weights[block][first + 1]);
        let sums = [scaled(table.matrix(a), one[0]), scaled(table.matrix(c), other[0])];
        [add(table.matrix(b), one[1], sums[0]), add(table.matrix(d), other[1], sums[1])]
    }

    #[inline(always)]
    fn cut(self, blocks: usize) -> Self {
        Self { joints: &self.joints[..blocks], weights: &self.weights[..blocks] }
    }
}

/// Four influences a vertex.
#[derive(Clone, Copy)]
pub(super) struct Four<'a> {
    pub(super) joints: &'a [[[u8; 4]; EIGHT]],
    pub(super) weights: &'a [[[f32; 4]; EIGHT]],
}

impl Influences for Four<'_> {
    #[inline(always)]
    fn pair<W: Wide>(self, block: usize, first: usize, table: &Table) -> Pair<W> {
        let (joints, weights) = (&self.joints[block], &self.weights[block]);
        four([joints[first], joints[first + 1]], [&weights[first], &weights[first + 1]], table)
    }

    #[inline(always)]
    fn cut(self, blocks: usize) -> Self {
        Self { joints: &self.joints[..blocks], weights: &self.weights[..blocks] }
    }
}

/// Four influences a vertex, and four more, and so on.
#[derive(Clone, Copy)]
pub(super) struct Fours<'a> {
    /// How many times four.
    pub(super) times: usize,
    pub(super) joints: &'a [[u8; 4]],
    pub(super) weights: &'a [[f32; 4]],
}

impl Influences for Fours<'_> {
    #[inline(always)]
    #[allow(clippy::needless_range_loop)]
    fn pair<W: Wide>(self, block: usize, first: usize, table: &Table) -> Pair<W> {
        let from = (block * EIGHT + first) * self.times;
        let joints = &self.joints[from..from + 2 * self.times];
        let weights = &self.weights[from..from + 2 * self.times];
        let (one, other) = (0, self.times);
        let mut sums = four([joints[one], joints[other]], [&weights[one], &weights[other]], table);
        for at in 1..self.times {
            let mut numbers = [one, other].map(|from| u32::from_le_bytes(joints[from + at]));
            for slot in 0..4 {
                for (vertex, from) in [one, other].into_iter().enumerate() {
                    let matrix = table.matrix(numbers[vertex] as u8);
                    sums[vertex] = add(matrix, weights[from + at][slot], sums[vertex]);
                    numbers[vertex] >>= 8;
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn cut(self, blocks: usize) -> Self {
        let whole = blocks * EIGHT * self.times;
        Self { joints: &self.joints[..whole], weights: &self.weights[..whole], ..self }
    }
}

/// Any number of influences a vertex, one after the other: what the others do at once. Without weights
/// there is one influence.
#[derive(Clone, Copy)]
pub(super) struct Any<'a> {
    pub(super) slots: usize,
    pub(super) joints: &'a [u8],
    pub(super) weights: &'a [f32],
}

impl Influences for Any<'_> {
    #[inline(always)]
    fn pair<W: Wide>(self, block: usize, first: usize, table: &Table) -> Pair<W> {
        let from = block * EIGHT + first;
        [self.sum(from, table), self.sum(from + 1, table)]
    }

    #[inline(always)]
    fn cut(self, _blocks: usize) -> Self {
        self
    }
}

impl Any<'_> {
    #[inline(always)]
    fn sum<W: Wide>(self, vertex: usize, table: &Table) -> [W; 2] {
        let from = vertex * self.slots;
        let joints = &self.joints[from..from + self.slots];
        let Some(weights) = self.weights.get(from..from + self.slots) else {
            return scaled(table.matrix(joints[0]), 1.0);
        };
        let mut sum = scaled(table.matrix(joints[0]), weights[0]);
        for slot in 1..self.slots {
            sum = add(table.matrix(joints[slot]), weights[slot], sum);
        }
        sum
    }
}

#[inline(always)]
#[allow(clippy::needless_range_loop)]
fn four<W: Wide>(joints: [[u8; 4]; 2], weights: [&[f32; 4]; 2], table: &Table) -> Pair<W> {
    let (one, other) = (u32::from_le_bytes(joints[0]), u32::from_le_bytes(joints[1]));
    let mut sums = [
        scaled(table.matrix(one as u8), weights[0][0]),
        scaled(table.matrix(other as u8), weights[1][0]),
    ];
    for slot in 1..4 {
        let (one, other) = (one >> (8 * slot), other >> (8 * slot));
        sums[0] = add(table.matrix(one as u8), weights[0][slot], sums[0]);
        sums[1] = add(table.matrix(other as u8), weights[1][slot], sums[1]);
    }
    sums
}

#[inline(always)]
fn scaled<W: Wide>(Matrix([xy, zw]): &Matrix, weight: f32) -> [W; 2] {
    let weight = W::splat(weight);
    [W::load(xy) * weight, W::load(zw) * weight]
}

#[inline(always)]
fn add<W: Wide>(Matrix([xy, zw]): &Matrix, weight: f32, sum: [W; 2]) -> [W; 2] {
    let weight = W::splat(weight);
    [W::load(xy).mul_add(weight, sum[0]), W::load(zw).mul_add(weight, sum[1])]
}

/// Of four vertices: x, y and z of first columns, in first halves, and of second ones, in second
/// halves; and the same of third and fourth columns.
pub(super) type Half<W> = [W; 6];

/// The matrices of a block.
#[inline(always)]
pub(super) fn blend<W: Wide, P: Influences>(
    influences: P,
    block: usize,
    table: &Table,
) -> Columns<W> {
    let first = half(influences.pair::<W>(block, 0, table), influences.pair(block, 2, table));
    whole(first, half(influences.pair(block, 4, table), influences.pair(block, 6, table)))
}

/// Two pairs, transposed.
#[inline(always)]
pub(super) fn half<W: Wide>([[a, e], [b, f]]: Pair<W>, [[c, g], [d, h]]: Pair<W>) -> Half<W> {
    let [x, y, z, _] = W::transpose([a, b, c, d]);
    let [u, v, w, _] = W::transpose([e, f, g, h]);
    [x, y, z, u, v, w]
}

/// Two halves of a block, put together.
#[inline(always)]
pub(super) fn whole<W: Wide>(first: Half<W>, second: Half<W>) -> Columns<W> {
    let [ax, ay, az, cx, cy, cz] = first;
    let [ex, ey, ez, gx, gy, gz] = second;
    [
        [ax.first_halves(ex), ay.first_halves(ey), az.first_halves(ez)],
        [ax.second_halves(ex), ay.second_halves(ey), az.second_halves(ez)],
        [cx.first_halves(gx), cy.first_halves(gy), cz.first_halves(gz)],
        [cx.second_halves(gx), cy.second_halves(gy), cz.second_halves(gz)],
    ]
}
