//! From polygons to triangles.
//!
//! In:  the corners of a polygon in space, nearly flat, and where its holes begin.
//! Out: triangles as indices into those corners, wound as the polygon is.
//!
//! Every step takes a corner away, so it always ends; and it takes time in proportion to the
//! corners at worst, because the search for good ears is bounded.

mod bridge;
mod ears;
#[cfg(test)]
mod tests;

use glam::{DVec2, Vec3};

use ears::Ears;

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
        4 if holes.is_empty() => {
            out.extend(quad([points[0], points[1], points[2], points[3]]));
        }
        _ => polygon(points, outer, holes, out),
    }
}

/// The triangles of four corners: cut from 0 to 2, unless that cut lies outside the quad.
#[inline(always)]
pub(crate) fn quad(points: [Vec3; 4]) -> [[u32; 3]; 2] {
    let point = |at: usize| points[at].as_dvec3();
    let normal = |a: usize, b: usize, c: usize| (point(b) - point(a)).cross(point(c) - point(a));
    let outside = |one: glam::DVec3, other: glam::DVec3| one.dot(other) < 0.0;
    let cut_02_fails = outside(normal(0, 1, 2), normal(0, 2, 3));
    if cut_02_fails && !outside(normal(1, 2, 3), normal(1, 3, 0)) {
        [[1, 2, 3], [1, 3, 0]]
    } else {
        [[0, 1, 2], [0, 2, 3]]
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
fn area(a: DVec2, b: DVec2, c: DVec2) -> f64 {
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
