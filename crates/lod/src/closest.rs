//! The nearest point of a surface, by a grid of cells over its triangles.

use glam::Vec3;

/// Cells on a side, at most.
const MAX_SIDE: i32 = 64;

/// A cell by its column, row and layer.
type Cell = [i32; 3];

/// Triangles, and which of them each cell of a grid touches.
#[derive(Debug)]
pub(crate) struct Surface<'a> {
    triangles: &'a [[Vec3; 3]],
    low: Vec3,
    cell: f32,
    /// Cells along each axis.
    size: Cell,
    /// Where each cell's triangles end in `held`.
    ends: Vec<u32>,
    held: Vec<u32>,
}

/// A point of a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    pub(crate) triangle: usize,
    /// Of its three corners.
    pub(crate) shares: [f32; 3],
    pub(crate) distance: f32,
}

impl<'a> Surface<'a> {
    pub(crate) fn new(triangles: &'a [[Vec3; 3]]) -> Self {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for corner in triangles.iter().flatten() {
            low = low.min(*corner);
            high = high.max(*corner);
        }
        let extent = (high - low).max(Vec3::splat(1e-9));
        let wanted = (2.0 * triangles.len() as f32).sqrt().clamp(1.0, MAX_SIDE as f32);
        let cell = extent.max_element() / wanted;
        let size =
            (extent / cell).ceil().to_array().map(|side| (side as i32).clamp(1, MAX_SIDE + 1));
        let cells = size.iter().product::<i32>() as usize;
        let mut surface =
            Self { triangles, low, cell, size, ends: vec![0; cells], held: Vec::new() };
        surface.each_cell(|ends, _, cell, _| ends[cell] += 1);
        let mut sum = 0;
        for end in &mut surface.ends {
            sum += *end;
            *end = sum - *end;
        }
        surface.held = vec![0; sum as usize];
        surface.each_cell(|ends, held, cell, triangle| {
            held[ends[cell] as usize] = triangle;
            ends[cell] += 1;
        });
        surface
    }

    /// Calls `each` with every cell that the box of a triangle touches.
    fn each_cell(&mut self, mut each: impl FnMut(&mut [u32], &mut [u32], usize, u32)) {
        for (index, [a, b, c]) in (0..).zip(self.triangles) {
            let low = self.cell_of(a.min(*b).min(*c));
            let high = self.cell_of(a.max(*b).max(*c));
            for z in low[2]..=high[2] {
                for y in low[1]..=high[1] {
                    for x in low[0]..=high[0] {
                        let cell = self.number([x, y, z]);
                        each(&mut self.ends, &mut self.held, cell, index);
                    }
                }
            }
        }
    }

    fn cell_of(&self, point: Vec3) -> Cell {
        let cell = ((point - self.low) / self.cell).floor().to_array();
        std::array::from_fn(|axis| (cell[axis] as i32).clamp(0, self.size[axis] - 1))
    }

    fn number(&self, cell: Cell) -> usize {
        ((cell[2] * self.size[1] + cell[1]) * self.size[0] + cell[0]) as usize
    }

    /// The nearest point to another; `None` when there is no triangle.
    #[cfg(test)]
    pub(crate) fn nearest(&self, point: Vec3) -> Option<Nearest> {
        self.nearest_beyond(point, 0.0)
    }

    /// The nearest point to another, or any that is not farther than `enough`.
    pub(crate) fn nearest_beyond(&self, point: Vec3, enough: f32) -> Option<Nearest> {
        let middle = self.cell_of(point);
        let mut best: Option<Nearest> = None;
        // Outside of the grid, the first cell is that much farther.
        let high = self.low + Vec3::from(self.size.map(|side| side as f32)) * self.cell;
        let outside = (self.low - point).max(point - high);
        let outside = outside.max(Vec3::ZERO).length();
        let rings = self.size.into_iter().max().unwrap_or(0);
        for ring in 0..=rings {
            let reached = enough.max(outside).max((ring - 1) as f32 * self.cell);
            if best.is_some_and(|best| best.distance <= reached) {
                break;
            }
            self.ring(middle, ring, |triangle| {
                let found = on_triangle(point, &self.triangles[triangle], triangle);
                if best.is_none_or(|best| found.distance < best.distance) {
                    best = Some(found);
                }
            });
        }
        best
    }

    /// Calls `each` with the triangles of all cells so many away, along the farthest axis.
    fn ring(&self, middle: Cell, ring: i32, mut each: impl FnMut(usize)) {
        let low = middle.map(|at| (at - ring).max(0));
        let high: Cell = std::array::from_fn(|axis| (middle[axis] + ring).min(self.size[axis] - 1));
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                let is_side = (z - middle[2]).abs() == ring || (y - middle[1]).abs() == ring;
                let step = if is_side || ring == 0 { 1 } else { 2 * ring as usize };
                let first = if is_side { low[0] } else { middle[0] - ring };
                for x in (first..=high[0]).step_by(step).filter(|x| *x >= 0) {
                    let cell = self.number([x, y, z]);
                    let from = if cell == 0 { 0 } else { self.ends[cell - 1] };
                    let held = &self.held[from as usize..self.ends[cell] as usize];
                    held.iter().for_each(|triangle| each(*triangle as usize));
                }
            }
        }
    }
}

/// C. Ericson, "Real-time collision detection" (2005), 5.1.5.
pub(crate) fn on_triangle(point: Vec3, corners: &[Vec3; 3], triangle: usize) -> Nearest {
    // In double precision: triangles may be a thousand times longer than wide.
    let [a, b, c] = corners.map(Vec3::as_dvec3);
    let p = point.as_dvec3();
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    let (bp, cp) = (p - b, p - c);
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    let part = |of: f64, whole: f64| if whole > 0.0 { (of / whole).clamp(0.0, 1.0) } else { 0.0 };
    let shares = if d1 <= 0.0 && d2 <= 0.0 {
        [1.0, 0.0, 0.0]
    } else if d3 >= 0.0 && d4 <= d3 {
        [0.0, 1.0, 0.0]
    } else if d6 >= 0.0 && d5 <= d6 {
        [0.0, 0.0, 1.0]
    } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = part(d1, d1 - d3);
        [1.0 - t, t, 0.0]
    } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = part(d2, d2 - d6);
        [1.0 - t, 0.0, t]
    } else if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = part(d4 - d3, (d4 - d3) + (d5 - d6));
        [0.0, 1.0 - t, t]
    } else {
        let sum = va + vb + vc;
        let (v, w) = (part(vb, sum), part(vc, sum));
        [1.0 - v - w, v, w]
    };
    let at = a * shares[0] + b * shares[1] + c * shares[2];
    Nearest { triangle, shares: shares.map(|x| x as f32), distance: at.distance(p) as f32 }
}
