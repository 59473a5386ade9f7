//! Scattered points of the plane into triangles: Delaunay's, by a sweep and flips.
//!
//! In:  distinct points.
//! Out: triangles that cover their hull without overlap, counter-clockwise; and the hull's edges.
//!
//! Points on one line give no triangles, and the pieces of the line as edges. Coordinates are
//! single precision widened to double: differences are exact, and signs of areas nearly always.

use sinew_scene::glam::DVec2;

/// Triangles and hull edges, by the numbers of their points.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mesh {
    pub(crate) triangles: Vec<[usize; 3]>,
    pub(crate) edges: Vec<[usize; 2]>,
}

/// Twice the area of a triangle; above zero when it is counter-clockwise.
pub(crate) fn area(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

pub(crate) fn triangulate(points: &[DVec2]) -> Mesh {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| {
        points[a].x.total_cmp(&points[b].x).then(points[a].y.total_cmp(&points[b].y))
    });
    let aside = (2..order.len())
        .find(|&at| area(points[order[0]], points[order[1]], points[order[at]]) != 0.0);
    let Some(aside) = aside else {
        let edges = order.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        return Mesh { triangles: Vec::new(), edges };
    };
    let mut sweep = Sweep::start(points, &order[..aside], order[aside]);
    for &point in &order[aside + 1..] {
        sweep.reach(point);
    }
    let Sweep { mut triangles, hull, .. } = sweep;
    flip(points, &mut triangles);
    let next = hull.iter().cycle().skip(1);
    Mesh { edges: hull.iter().zip(next).map(|(&a, &b)| [a, b]).collect(), triangles }
}

/// Points from left to right: each sees some edges of the hull so far and is joined to them.
struct Sweep<'a> {
    points: &'a [DVec2],
    triangles: Vec<[usize; 3]>,
    /// Counter-clockwise.
    hull: Vec<usize>,
}

impl<'a> Sweep<'a> {
    /// A line of points and the first one beside it.
    fn start(points: &'a [DVec2], line: &[usize], aside: usize) -> Self {
        let left = area(points[line[0]], points[line[1]], points[aside]) > 0.0;
        let mut hull = line.to_vec();
        if !left {
            hull.reverse();
        }
        let triangles = hull.windows(2).map(|pair| [pair[0], pair[1], aside]).collect();
        hull.push(aside);
        Self { points, triangles, hull }
    }

    fn reach(&mut self, point: usize) {
        let (count, place) = (self.hull.len(), self.points[point]);
        let edge = |at: usize| (self.hull[at % count], self.hull[(at + 1) % count]);
        let seen = |at: usize| {
            let (a, b) = edge(at);
            area(self.points[a], self.points[b], place) < 0.0
        };
        // The edges seen are neighbours: begin at the first of them.
        let Some(first) = (0..count).find(|&at| seen(at) && !seen(at + count - 1)) else {
            return;
        };
        let many = (0..count).take_while(|&further| seen(first + further)).count();
        for further in 0..many {
            let (a, b) = edge(first + further);
            self.triangles.push([b, a, point]);
        }
        let stay = (0..=count - many).map(|at| self.hull[(first + many + at) % count]);
        self.hull = stay.chain([point]).collect();
    }
}

/// Flips the common edge of two triangles until no point lies within another triangle's circle.
fn flip(points: &[DVec2], triangles: &mut [[usize; 3]]) {
    // Each flip lowers a sum, so this ends; the bound is for rounding.
    for _ in 0..points.len() * points.len() {
        if !flip_one(points, triangles) {
            return;
        }
    }
}

fn flip_one(points: &[DVec2], triangles: &mut [[usize; 3]]) -> bool {
    for one in 0..triangles.len() {
        for corner in 0..3 {
            let [a, b, c] = turned(triangles[one], corner);
            let other = (0..triangles.len()).find_map(|at| {
                let found = (0..3).map(|corner| turned(triangles[at], corner));
                Some((at, found.into_iter().find(|other| other[0] == b && other[1] == a)?[2]))
            });
            let Some((other, d)) = other else { continue };
            let [pa, pb, pc, pd] = [a, b, c, d].map(|point| points[point]);
            if within_circle(pa, pb, pc, pd) && area(pa, pd, pc) > 0.0 && area(pd, pb, pc) > 0.0 {
                triangles[one] = [a, d, c];
                triangles[other] = [d, b, c];
                return true;
            }
        }
    }
    false
}

fn turned(triangle: [usize; 3], by: usize) -> [usize; 3] {
    [0, 1, 2].map(|corner| triangle[(corner + by) % 3])
}

/// Whether `d` is clearly inside the circle through the counter-clockwise `a`, `b`, `c`.
fn within_circle(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let [a, b, c] = [a - d, b - d, c - d];
    let [a2, b2, c2] = [a, b, c].map(DVec2::length_squared);
    let terms = [a2 * b.perp_dot(c), b2 * c.perp_dot(a), c2 * a.perp_dot(b)];
    let size: f64 = terms.iter().map(|term| term.abs()).sum();
    terms.iter().sum::<f64>() > 1e-12 * size
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(width: usize, height: usize) -> Vec<DVec2> {
        (0..width * height).map(|at| DVec2::new((at % width) as f64, (at / width) as f64)).collect()
    }

    fn covered(points: &[DVec2], mesh: &Mesh) -> f64 {
        mesh.triangles.iter().map(|t| area(points[t[0]], points[t[1]], points[t[2]]) / 2.0).sum()
    }

    #[test]
    fn a_grid_is_covered_once_though_all_its_circles_are_shared() {
        let points = grid(4, 3);
        let mesh = triangulate(&points);
        assert_eq!(mesh.triangles.len(), 12);
        assert_eq!(covered(&points, &mesh), 6.0);
        assert_eq!(mesh.edges.len(), 10);
    }

    #[test]
    fn a_thin_quad_is_cut_along_its_short_diagonal() {
        let points = [(0.0, 0.0), (4.0, 0.5), (8.0, 0.0), (4.0, -0.5)].map(DVec2::from);
        let mesh = triangulate(&points);
        assert!(mesh.triangles.iter().all(|t| t.contains(&1) && t.contains(&3)), "{mesh:?}");
    }

    #[test]
    fn a_quad_that_the_sweep_cuts_the_long_way_is_cut_anew() {
        let points = [(-0.5, 0.0), (0.5, 0.0), (-0.1, -4.0), (0.1, 4.0)].map(DVec2::from);
        let mesh = triangulate(&points);
        assert_eq!(mesh.triangles.len(), 2);
        assert!(mesh.triangles.iter().all(|t| t.contains(&0) && t.contains(&1)), "{mesh:?}");
    }

    #[test]
    fn points_on_a_line_give_its_pieces() {
        let points = [(2.0, 2.0), (0.0, 0.0), (1.0, 1.0)].map(DVec2::from);
        let mesh = triangulate(&points);
        assert_eq!(mesh, Mesh { triangles: vec![], edges: vec![[1, 2], [2, 0]] });
        assert_eq!(triangulate(&points[..1]), Mesh::default());
    }
}
