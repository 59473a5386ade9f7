//! Holes of polygons: each is joined to the outer ring by a bridge that is walked there and back.
//!
//! In:  an outer ring, seen flat and counter-clockwise, and the rings of its holes.
//! Out: one ring that goes around all of it; the two ends of a bridge are in it twice.
//!
//! Bridges are found as David Eberly has it, "Triangulation by Ear Clipping".

use glam::DVec2;

use super::area;

/// How many corners may be looked at for each corner there is; holes past that stay filled.
const LOOKS_PER_CORNER: usize = 2000;

pub(super) fn join_holes(ring: &mut Vec<u32>, flat: &[DVec2], holes: &[usize]) {
    let mut rings: Vec<Vec<u32>> = Vec::new();
    for (at, &start) in holes.iter().enumerate() {
        let end = holes.get(at + 1).copied().unwrap_or(flat.len());
        rings.extend(hole(flat, start, end));
    }
    // From the right, so that a ray to the right can only meet what is joined already.
    let rightmost = |ring: &[u32]| flat[ring[0] as usize].x;
    rings.sort_by(|one, other| rightmost(other).total_cmp(&rightmost(one)));
    let mut looks = flat.len().saturating_mul(LOOKS_PER_CORNER);
    for hole in rings {
        if looks < ring.len() {
            return;
        }
        looks -= ring.len();
        if let Some(at) = seen_from(flat[hole[0] as usize], ring, flat) {
            // … at, hole…, hole[0], at, …
            let back = [hole[0], ring[at]];
            ring.splice(at + 1..at + 1, hole.into_iter().chain(back));
        }
    }
}

/// A hole's corners, clockwise, from its rightmost one; `None` for what is no ring.
fn hole(flat: &[DVec2], start: usize, end: usize) -> Option<Vec<u32>> {
    let points = flat.get(start..end).filter(|points| points.len() >= 3)?;
    let mut ring: Vec<u32> = (start as u32..end as u32).collect();
    let twice: f64 =
        (1..points.len() - 1).map(|at| area(points[0], points[at], points[at + 1])).sum();
    if twice > 0.0 {
        ring.reverse();
    }
    let x = |corner: u32| flat[corner as usize].x;
    let first = (0..ring.len()).max_by(|&a, &b| x(ring[a]).total_cmp(&x(ring[b])))?;
    ring.rotate_left(first);
    Some(ring)
}

/// The place in `ring` of a corner that can be seen from `viewpoint`, which lies inside.
fn seen_from(viewpoint: DVec2, ring: &[u32], flat: &[DVec2]) -> Option<usize> {
    let point = |at: usize| flat[ring[at % ring.len()] as usize];
    // The nearest edge that a ray to the right meets from within: such an edge rises.
    let mut nearest: Option<(f64, usize)> = None;
    for at in 0..ring.len() {
        let (a, b) = (point(at), point(at + 1));
        if !(a.y <= viewpoint.y && viewpoint.y <= b.y && a.y < b.y) {
            continue;
        }
        let x = a.x + (viewpoint.y - a.y) / (b.y - a.y) * (b.x - a.x);
        if x >= viewpoint.x && nearest.is_none_or(|(known, _)| x < known) {
            let end = if a.x > b.x { at } else { (at + 1) % ring.len() };
            nearest = Some((x, end));
        }
    }
    let (x, end) = nearest?;
    let (hit, corner) = (DVec2::new(x, viewpoint.y), point(end));
    if hit == corner {
        return Some(facing(end, viewpoint, ring, flat));
    }
    // What lies between the viewpoint and that edge's end is nearer in angle to the ray.
    let (b, c) = if corner.y < viewpoint.y { (corner, hit) } else { (hit, corner) };
    let mut best = (slope(viewpoint, corner), corner.distance_squared(viewpoint), end);
    for at in 0..ring.len() {
        let p = point(at);
        let inside =
            area(viewpoint, b, p) >= 0.0 && area(b, c, p) >= 0.0 && area(c, viewpoint, p) >= 0.0;
        if !inside || p.x <= viewpoint.x {
            continue;
        }
        let found = (slope(viewpoint, p), p.distance_squared(viewpoint), at);
        if (found.0, found.1) < (best.0, best.1) {
            best = found;
        }
    }
    Some(facing(best.2, viewpoint, ring, flat))
}

fn slope(viewpoint: DVec2, p: DVec2) -> f64 {
    ((p.y - viewpoint.y) / (p.x - viewpoint.x)).abs()
}

/// A point that bridges have used is in the ring several times: the one whose inside the viewpoint
/// looks into.
fn facing(at: usize, viewpoint: DVec2, ring: &[u32], flat: &[DVec2]) -> usize {
    let count = ring.len();
    let point = |at: usize| flat[ring[at % count] as usize];
    let looks_in = |at: usize| {
        let (a, b, c) = (point(at + count - 1), point(at), point(at + 1));
        let left_of_both = [area(a, b, viewpoint) >= 0.0, area(b, c, viewpoint) >= 0.0];
        if area(a, b, c) >= 0.0 {
            left_of_both == [true, true]
        } else {
            left_of_both != [false, false]
        }
    };
    let twins = (0..count).filter(|&other| point(other) == point(at));
    twins.into_iter().find(|&other| looks_in(other)).unwrap_or(at)
}
