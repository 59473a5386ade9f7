//! Which of many points is nearest: a k-d tree in one list.
//!
//! The middle of a range of the list splits it along X, Y and Z in turn, so the tree needs no links.

use sinew_scene::glam::Vec3;

/// The most points at one place that are looked at.
const MAX_SAME: usize = 32;

/// Points that can be asked which of them is nearest.
#[derive(Debug)]
pub(crate) struct KdTree<'a> {
    points: &'a [Vec3],
    order: Vec<u32>,
}

impl<'a> KdTree<'a> {
    pub(crate) fn new(points: &'a [Vec3]) -> Self {
        let mut order: Vec<u32> = (0..points.len() as u32).collect();
        split(points, &mut order, 0);
        Self { points, order }
    }

    /// The nearest point, and how far it is; `None` where there is none.
    pub(crate) fn nearest(&self, to: Vec3) -> Option<(u32, f32)> {
        let mut best = None;
        let mut limit = f32::INFINITY;
        self.visit(&self.order, 0, to, &mut limit, &mut |point, distance| {
            best = Some((point, distance));
            distance
        });
        best
    }

    /// Points up to a distance, some of them where there are many.
    pub(crate) fn within(&self, to: Vec3, distance: f32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut limit = distance.next_up();
        self.visit(&self.order, 0, to, &mut limit, &mut |point, _| {
            found.push(point);
            if found.len() < MAX_SAME { distance.next_up() } else { 0.0 }
        });
        found
    }

    /// Shows every point nearer than `limit`; what comes back is the new limit.
    fn visit(
        &self,
        order: &[u32],
        axis: usize,
        to: Vec3,
        limit: &mut f32,
        take: &mut impl FnMut(u32, f32) -> f32,
    ) {
        let middle = order.len() / 2;
        let Some(&point) = order.get(middle) else { return };
        let place = self.points[point as usize];
        let distance = place.distance(to);
        if distance < *limit {
            *limit = take(point, distance);
        }
        let (below, above) = (&order[..middle], &order[middle + 1..]);
        let across = to[axis] - place[axis];
        let next = (axis + 1) % 3;
        let (near, far) = if across < 0.0 { (below, above) } else { (above, below) };
        self.visit(near, next, to, limit, take);
        if across.abs() < *limit {
            self.visit(far, next, to, limit, take);
        }
    }
}

/// Puts the middle of a range where it belongs along an axis, then both halves.
fn split(points: &[Vec3], order: &mut [u32], axis: usize) {
    if order.len() < 2 {
        return;
    }
    let middle = order.len() / 2;
    let by = |a: &u32, b: &u32| points[*a as usize][axis].total_cmp(&points[*b as usize][axis]);
    let (below, _, above) = order.select_nth_unstable_by(middle, by);
    split(points, below, (axis + 1) % 3);
    split(points, above, (axis + 1) % 3);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of chance, the same every time.
    fn points(count: u32) -> Vec<Vec3> {
        let number = |seed: u32| (seed.wrapping_mul(2_654_435_761) >> 8) as f32 / 16_777_216.0;
        (0..count).map(|at| Vec3::from([0, 1, 2].map(|axis| number(3 * at + axis)))).collect()
    }

    #[test]
    fn the_nearest_is_the_one_that_a_search_of_all_finds() {
        let points = points(300);
        let tree = KdTree::new(&points);
        for step in 0..200 {
            let to = Vec3::new(step as f32 * 0.005, 0.5, 1.0 - step as f32 * 0.004);
            let distances = points.iter().map(|point| point.distance(to));
            let expected = distances.fold(f32::INFINITY, f32::min);
            assert_eq!(tree.nearest(to).map(|(_, distance)| distance), Some(expected));
        }
    }

    #[test]
    fn points_at_one_place_are_all_within_it() {
        let tree_of = [Vec3::ONE, Vec3::ZERO, Vec3::ONE, 2.0 * Vec3::ONE];
        let tree = KdTree::new(&tree_of);
        let mut found = tree.within(Vec3::ONE, 0.0);
        found.sort_unstable();
        assert_eq!(found, [0, 2]);
        assert_eq!(KdTree::new(&[]).nearest(Vec3::ZERO), None);
    }

    #[test]
    fn a_million_points_at_one_place_are_not_all_looked_at() {
        let many = vec![Vec3::ONE; 10_000];
        assert_eq!(KdTree::new(&many).within(Vec3::ONE, 0.0).len(), MAX_SAME);
    }
}
