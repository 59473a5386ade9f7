//! The matrices of eight vertices: each the weighted sum of its joints', then turned over.
//!
//! In:  a run's pulls and the table of matrices.
//! Out: columns, each as x, y and z of eight vertices.
//!
//! A matrix fills two registers, so sums are made vertex by vertex. What limits them is how many
//! loads a core can do, so four joints are read as one number.

use sinew_lanes::Wide;

use super::EIGHT;
use super::table::{Matrix, Table};

/// The four columns of eight vertices' matrices.
pub(super) type Columns<W> = [[W; 3]; 4];

/// The pulls of a run. A trait and no closures: only what is inlined for sure is compiled for the
/// instructions of the path.
pub(super) trait Pulls: Copy {
    /// One vertex's matrix: columns x and y, and z and the move.
    fn sum<W: Wide>(self, block: usize, vertex: usize, table: &Table) -> [W; 2];
}

/// One pull a vertex: no weights.
#[derive(Clone, Copy)]
pub(super) struct One<'a>(pub(super) &'a [[u8; EIGHT]]);

impl Pulls for One<'_> {
    #[inline(always)]
    fn sum<W: Wide>(self, block: usize, vertex: usize, table: &Table) -> [W; 2] {
        let Matrix([xy, zw]) = table.matrix(self.0[block][vertex]);
        [W::load(xy), W::load(zw)]
    }
}

/// Two pulls a vertex.
#[derive(Clone, Copy)]
pub(super) struct Two<'a> {
    pub(super) joints: &'a [[[u8; 2]; EIGHT]],
    pub(super) weights: &'a [[[f32; 2]; EIGHT]],
}

impl Pulls for Two<'_> {
    #[inline(always)]
    fn sum<W: Wide>(self, block: usize, vertex: usize, table: &Table) -> [W; 2] {
        let [a, b] = self.joints[block][vertex];
        let [first, second] = self.weights[block][vertex];
        add(table.matrix(b), second, scaled(table.matrix(a), first))
    }
}

/// Four pulls a vertex.
#[derive(Clone, Copy)]
pub(super) struct Four<'a> {
    pub(super) joints: &'a [[[u8; 4]; EIGHT]],
    pub(super) weights: &'a [[[f32; 4]; EIGHT]],
}

impl Pulls for Four<'_> {
    #[inline(always)]
    fn sum<W: Wide>(self, block: usize, vertex: usize, table: &Table) -> [W; 2] {
        four(self.joints[block][vertex], &self.weights[block][vertex], table)
    }
}

/// Four pulls a vertex, and four more, and so on.
#[derive(Clone, Copy)]
pub(super) struct Fours<'a> {
    /// How many times four.
    pub(super) times: usize,
    pub(super) joints: &'a [[u8; 4]],
    pub(super) weights: &'a [[f32; 4]],
}

impl Pulls for Fours<'_> {
    #[inline(always)]
    fn sum<W: Wide>(self, block: usize, vertex: usize, table: &Table) -> [W; 2] {
        let from = (block * EIGHT + vertex) * self.times;
        let joints = &self.joints[from..from + self.times];
        let weights = &self.weights[from..from + self.times];
        let mut sum = four(joints[0], &weights[0], table);
        for at in 1..self.times {
            let mut numbers = u32::from_le_bytes(joints[at]);
            for weight in weights[at] {
                sum = add(table.matrix(numbers as u8), weight, sum);
                numbers >>= 8;
            }
        }
        sum
    }
}

/// Any number of pulls a vertex, one after the other: what the others do at once. No weights
/// stand for one pull.
#[derive(Clone, Copy)]
pub(super) struct Any<'a> {
    pub(super) slots: usize,
    pub(super) joints: &'a [u8],
    pub(super) weights: &'a [f32],
}

impl Pulls for Any<'_> {
    #[inline(always)]
    fn sum<W: Wide>(self, block: usize, vertex: usize, table: &Table) -> [W; 2] {
        let from = (block * EIGHT + vertex) * self.slots;
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
fn four<W: Wide>(joints: [u8; 4], weights: &[f32; 4], table: &Table) -> [W; 2] {
    let numbers = u32::from_le_bytes(joints);
    let sum = scaled(table.matrix(numbers as u8), weights[0]);
    let sum = add(table.matrix((numbers >> 8) as u8), weights[1], sum);
    let sum = add(table.matrix((numbers >> 16) as u8), weights[2], sum);
    add(table.matrix((numbers >> 24) as u8), weights[3], sum)
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

/// The matrices of one block.
#[inline(always)]
pub(super) fn blend<W: Wide, P: Pulls>(pulls: P, block: usize, table: &Table) -> Columns<W> {
    let [ax, ay, az, cx, cy, cz] = half::<W, P>(pulls, block, 0, table);
    let [ex, ey, ez, gx, gy, gz] = half::<W, P>(pulls, block, 4, table);
    [
        [ax.first_halves(ex), ay.first_halves(ey), az.first_halves(ez)],
        [ax.second_halves(ex), ay.second_halves(ey), az.second_halves(ez)],
        [cx.first_halves(gx), cy.first_halves(gy), cz.first_halves(gz)],
        [cx.second_halves(gx), cy.second_halves(gy), cz.second_halves(gz)],
    ]
}

/// x, y and z of four vertices' first columns, in first halves, and second columns, in second
/// ones; and the same of third and fourth columns.
#[inline(always)]
fn half<W: Wide, P: Pulls>(pulls: P, block: usize, from: usize, table: &Table) -> [W; 6] {
    let [a, e] = pulls.sum::<W>(block, from, table);
    let [b, f] = pulls.sum::<W>(block, from + 1, table);
    let [c, g] = pulls.sum::<W>(block, from + 2, table);
    let [d, h] = pulls.sum::<W>(block, from + 3, table);
    let [x, y, z, _] = W::transpose([a, b, c, d]);
    let [u, v, w, _] = W::transpose([e, f, g, h]);
    [x, y, z, u, v, w]
}
