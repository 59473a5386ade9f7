//! From polygons to triangles.
//!
//! In:  the corners of a polygon in space, nearly flat, and where its holes begin.
//! Out: triangles as indices into those corners, wound as the polygon is.
//!
//! Every step takes a corner away, so it always ends; and it takes time in proportion to the
//! corners at worst, because the search for good ears is bounded.

use glam::{DVec2, Vec3};

use super::bridge;

/// Triangulates one polygon and adds its triangles to `out`.
///
/// `points` holds the outer ring, then each hole; `holes` says where each hole begins and is empty
/// for most polygons. A ring of n corners gives n - 2 triangles, fewer where corners repeat or lie
/// in a line. A ring of fewer than three gives none.
#[allow(dead_code, reason = "not every format has polygons")]
pub(crate) fn triangulate(points: &[Vec3], holes: &[usize], out: &mut Vec<[u32; 3]>) {
    let outer = holes.first().map_or(points.len(), |&start| start.min(points.len()));
    match outer {
        0..=2 => {}
        3 if holes.is_empty() => out.push([0, 1, 2]),
        4 if holes.is_empty() => quad(points, out),
        _ => polygon(points, outer, holes, out),
    }
}

/// Cut from 0 to 2, unless that cut lies outside the quad.
fn quad(points: &[Vec3], out: &mut Vec<[u32; 3]>) {
    let p = |at: usize| points[at].as_dvec3();
    let normal = |a, b, c| (p(b) - p(a)).cross(p(c) - p(a));
    let outside = |one: glam::DVec3, other: glam::DVec3| one.dot(other) < 0.0;
    let cut_02_fails = outside(normal(0, 1, 2), normal(0, 2, 3));
    if cut_02_fails && !outside(normal(1, 2, 3), normal(1, 3, 0)) {
        out.extend([[1, 2, 3], [1, 3, 0]]);
    } else {
        out.extend([[0, 1, 2], [0, 2, 3]]);
    }
}

fn polygon(points: &[Vec3], outer: usize, holes: &[usize], out: &mut Vec<[u32; 3]>) {
    let Some(flat) = flatten(points, outer) else {
        fan(outer, out);
        return;
    };
    if holes.is_empty() && is_convex(&flat) {
        fan(outer, out);
        return;
    }
    let mut ring: Vec<u32> = (0..outer as u32).collect();
    bridge::join_holes(&mut ring, &flat, holes);
    Ears::new(&ring, &flat).clip(out);
}

fn fan(count: usize, out: &mut Vec<[u32; 3]>) {
    out.extend((1..count as u32 - 1).map(|at| [0, at, at + 1]));
}

/// The points seen along the polygon's normal, the outer ring counter-clockwise. `None` when the
/// ring has no area.
fn flatten(points: &[Vec3], outer: usize) -> Option<Vec<DVec2>> {
    // Newell's sum: twice the area of the ring's shadow along each axis.
    let origin = points[0].as_dvec3();
    let mut area = glam::DVec3::ZERO;
    for at in 0..outer {
        let a = points[at].as_dvec3() - origin;
        let b = points[(at + 1) % outer].as_dvec3() - origin;
        area += a.cross(b);
    }
    let size = area.abs();
    if !size.is_finite() || size.max_element() <= 0.0 {
        return None;
    }
    // Leaving out the axis that the normal is nearest to rounds nothing.
    let project: fn(Vec3) -> Vec3 = if size.x >= size.y && size.x >= size.z {
        |p| Vec3::new(p.y, p.z, p.x)
    } else if size.y >= size.z {
        |p| Vec3::new(p.z, p.x, p.y)
    } else {
        |p| p
    };
    let side = f64::from(project(area.as_vec3()).z).signum();
    Some(
        points
            .iter()
            .map(|&p| project(p).as_dvec3())
            .map(|p| DVec2::new(p.x * side, p.y))
            .collect(),
    )
}

/// Twice the area of a triangle; above zero when it is counter-clockwise.
pub(super) fn area(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// Whether the ring only turns left, once around, and a fan from its first corner has no empty
/// triangle.
fn is_convex(flat: &[DVec2]) -> bool {
    let count = flat.len();
    let turns_left =
        |at: usize| area(flat[at], flat[(at + 1) % count], flat[(at + 2) % count]) >= 0.0;
    (1..count - 1).all(|at| area(flat[0], flat[at], flat[at + 1]) > 0.0)
        && (0..count).all(turns_left)
}

/// A ring of corners from which ears are cut until it is used up.
struct Ears<'a> {
    flat: &'a [DVec2],
    /// The point of each corner; bridges to holes use a point twice.
    ring: &'a [u32],
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Corners that may lie in another's ear: those that do not turn left, or once did not.
    blunt: Vec<u32>,
    is_blunt: Vec<bool>,
    gone: Vec<bool>,
}

/// How many looks at corners are allowed for each corner of the ring. Drawn shapes need a few
/// dozen; past this, what is left becomes a fan.
const LOOKS_PER_CORNER: usize = 2000;

impl<'a> Ears<'a> {
    fn new(ring: &'a [u32], flat: &'a [DVec2]) -> Self {
        let count = ring.len() as u32;
        let mut ears = Self {
            flat,
            ring,
            next: (0..count).map(|at| (at + 1) % count).collect(),
            previous: (0..count).map(|at| (at + count - 1) % count).collect(),
            blunt: Vec::new(),
            is_blunt: vec![false; ring.len()],
            gone: vec![false; ring.len()],
        };
        for corner in 0..count {
            ears.list_if_blunt(corner);
        }
        ears
    }

    fn point(&self, corner: u32) -> DVec2 {
        self.flat[self.ring[corner as usize] as usize]
    }

    fn around(&self, corner: u32) -> [u32; 3] {
        [self.previous[corner as usize], corner, self.next[corner as usize]]
    }

    fn turn(&self, corner: u32) -> f64 {
        let [a, b, c] = self.around(corner).map(|corner| self.point(corner));
        area(a, b, c)
    }

    fn list_if_blunt(&mut self, corner: u32) {
        let turns_left = self.turn(corner) > 0.0;
        if !turns_left && !self.is_blunt[corner as usize] {
            self.is_blunt[corner as usize] = true;
            self.blunt.push(corner);
        }
    }

    fn clip(mut self, out: &mut Vec<[u32; 3]>) {
        let mut left = self.ring.len();
        let mut looks = left * LOOKS_PER_CORNER;
        let (mut at, mut since_last) = (0, 0);
        while left > 3 && looks > 0 {
            looks -= 1;
            let ear = self.turn(at) > 0.0 && self.is_empty(at, &mut looks);
            if !ear && since_last < left {
                since_last += 1;
                at = self.next[at as usize];
                continue;
            }
            let corner = if ear { at } else { self.least_bad(at, left) };
            if self.turn(corner) != 0.0 {
                out.push(self.triangle(corner));
            }
            at = self.remove(corner);
            left -= 1;
            since_last = 0;
        }
        for _ in 2..left {
            if self.turn(at) != 0.0 {
                out.push(self.triangle(at));
            }
            let [before, ..] = self.around(at);
            self.remove(at);
            at = self.next[before as usize];
        }
    }

    fn triangle(&self, corner: u32) -> [u32; 3] {
        self.around(corner).map(|corner| self.ring[corner as usize])
    }

    /// Where no ear is left, the ring touches or crosses itself: take what covers nothing, else
    /// what turns the right way.
    fn least_bad(&self, from: u32, left: usize) -> u32 {
        let mut best = (from, 2);
        let mut at = from;
        for _ in 0..left {
            let rank = match self.turn(at) {
                turn if turn == 0.0 => return at,
                turn if turn > 0.0 => 1,
                _ => 2,
            };
            if rank < best.1 {
                best = (at, rank);
            }
            at = self.next[at as usize];
        }
        best.0
    }

    /// Takes a corner out; gives the one after the next, so that cuts do not all meet in one point.
    fn remove(&mut self, corner: u32) -> u32 {
        let [before, _, after] = self.around(corner);
        self.next[before as usize] = after;
        self.previous[after as usize] = before;
        self.gone[corner as usize] = true;
        self.list_if_blunt(before);
        self.list_if_blunt(after);
        self.next[after as usize]
    }

    /// Whether no other corner lies in or on the ear.
    fn is_empty(&mut self, corner: u32, looks: &mut usize) -> bool {
        let around = self.around(corner);
        let [a, b, c] = around.map(|corner| self.point(corner));
        let mut at = 0;
        while at < self.blunt.len() && *looks > 0 {
            let other = self.blunt[at];
            if self.gone[other as usize] {
                self.blunt.swap_remove(at);
                continue;
            }
            *looks -= 1;
            at += 1;
            let p = self.point(other);
            if area(a, b, p) >= 0.0
                && area(b, c, p) >= 0.0
                && area(c, a, p) >= 0.0
                && p != a
                && p != b
                && p != c
            {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(points: &[[f32; 2]]) -> Vec<Vec3> {
        points.iter().map(|&[x, y]| Vec3::new(x, y, 0.0)).collect()
    }

    fn cut(points: &[Vec3], holes: &[usize]) -> Vec<[u32; 3]> {
        let mut out = Vec::new();
        triangulate(points, holes, &mut out);
        out
    }

    /// Twice the signed area of each triangle, seen from +Z.
    fn areas(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<f32> {
        triangles
            .iter()
            .map(|t| t.map(|at| points[at as usize]))
            .map(|[a, b, c]| (b - a).cross(c - a).z)
            .collect()
    }

    #[track_caller]
    fn covers(points: &[Vec3], holes: &[usize], count: usize, twice_area: f32) {
        let triangles = cut(points, holes);
        let areas = areas(points, &triangles);
        assert_eq!(triangles.len(), count, "{triangles:?}");
        assert!(areas.iter().all(|&area| area > 0.0), "{triangles:?} {areas:?}");
        let sum: f32 = areas.iter().sum();
        assert!((sum - twice_area).abs() < 1e-4, "{sum} is not {twice_area}: {triangles:?}");
    }

    #[test]
    fn a_concave_quad_is_cut_at_its_dent() {
        let dart = flat(&[[0.0, 0.0], [2.0, -1.0], [0.5, 0.0], [2.0, 1.0]]);
        assert_eq!(cut(&dart, &[]), [[0, 1, 2], [0, 2, 3]]);
        let turned = flat(&[[2.0, -1.0], [0.5, 0.0], [2.0, 1.0], [0.0, 0.0]]);
        assert_eq!(cut(&turned, &[]), [[1, 2, 3], [1, 3, 0]]);
    }

    #[test]
    fn a_convex_polygon_becomes_a_fan() {
        let house = flat(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 2.0], [0.0, 1.0]]);
        assert_eq!(cut(&house, &[]), [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    }

    #[test]
    fn an_l_is_covered_once_and_nothing_beside_it() {
        let l = flat(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]]);
        covers(&l, &[], 4, 6.0);
    }

    #[test]
    fn winding_follows_the_polygon_whichever_way_it_faces() {
        let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        for place in [
            |x, y| Vec3::new(0.0, x, y),
            |x, y| Vec3::new(y, 0.0, x),
            |x, y| Vec3::new(x, y, 0.0),
            |x, y| Vec3::new(0.0, y, x),
            |x, y| Vec3::new(x, 0.0, y),
            |x, y| Vec3::new(y, x, 0.0),
        ] as [fn(f32, f32) -> Vec3; 6]
        {
            let points: Vec<Vec3> = l.iter().map(|&[x, y]| place(x, y)).collect();
            let normal = (points[1] - points[0]).cross(points[2] - points[1]).normalize();
            let sum: Vec3 = cut(&points, &[])
                .iter()
                .map(|t| t.map(|at| points[at as usize]))
                .map(|[a, b, c]| (b - a).cross(c - a))
                .inspect(|area| assert!(area.dot(normal) > 0.0, "{area} against {normal}"))
                .sum();
            assert!(sum.abs_diff_eq(6.0 * normal, 1e-5), "{sum}");
        }
    }

    #[test]
    fn a_corner_in_the_middle_of_an_edge_is_used() {
        covers(&flat(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), &[], 3, 3.0);
    }

    #[test]
    fn a_square_with_a_square_hole_leaves_the_hole_open() {
        let mut points = flat(&[[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]]);
        let hole = flat(&[[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]]);
        points.extend(&hole);
        covers(&points, &[4], 8, 2.0 * 8.0);
        points[4..].reverse();
        covers(&points, &[4], 8, 2.0 * 8.0);
    }

    #[test]
    fn four_holes_in_a_row_and_column_stay_open() {
        let mut points = flat(&[[0.0, 0.0], [5.0, 0.0], [5.0, 5.0], [0.0, 5.0]]);
        let mut holes = Vec::new();
        for [x, y] in [[1.0, 1.0], [3.0, 1.0], [1.0, 3.0], [3.0, 3.0]] {
            holes.push(points.len());
            points.extend(flat(&[[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]]));
        }
        // 20 corners, 4 bridges: 20 + 2·4 - 2 triangles.
        covers(&points, &holes, 26, 2.0 * (25.0 - 4.0));
    }

    #[test]
    fn degenerate_rings_end_and_give_at_most_two_fewer_triangles_than_corners() {
        let line = flat(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0]]);
        let point = vec![Vec3::ONE; 7];
        let spike = flat(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 5.0], [1.0, 1.0], [0.0, 1.0]]);
        let bow = flat(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.5]]);
        let star = flat(&[[0.0, 1.0], [-0.6, -0.8], [0.9, 0.3], [-0.9, 0.3], [0.6, -0.8]]);
        let wild = vec![Vec3::NAN, Vec3::X, Vec3::Y, Vec3::Z, Vec3::INFINITY, Vec3::MAX];
        let huge = vec![Vec3::MAX, Vec3::MIN, Vec3::X * f32::MAX, Vec3::Y * f32::MIN, Vec3::ZERO];
        for points in [line, point, spike, bow, star, wild, huge] {
            let triangles = cut(&points, &[]);
            assert!(triangles.len() <= points.len() - 2, "{triangles:?}");
            assert!(triangles.iter().flatten().all(|&at| (at as usize) < points.len()));
        }
        assert!(cut(&[], &[]).is_empty() && cut(&[Vec3::X, Vec3::Y], &[]).is_empty());
        for holes in [&[9][..], &[0], &[3, 2], &[4, 4, 5, 99], &[1]] {
            cut(&flat(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]]), holes);
        }
    }

    #[test]
    fn a_comb_of_many_teeth_is_covered_in_linear_time() {
        let teeth = 2000;
        let mut comb = vec![[0.0, 0.0], [teeth as f32, 0.0]];
        for tooth in (0..teeth).rev() {
            let x = tooth as f32;
            comb.extend([[x + 0.75, 2.0], [x + 0.5, 1.0]]);
        }
        let points = flat(&comb);
        let triangles = cut(&points, &[]);
        assert_eq!(triangles.len(), points.len() - 2);
        let all_turn_left = areas(&points, &triangles).iter().all(|&area| area >= 0.0);
        assert!(all_turn_left);
    }
}
