//! Edges of a surface collapsed onto one of their ends, the cheapest first.
//!
//! In:  vertices in several poses, and triangles; how many triangles are wanted.
//! Out: the triangles that are left, between vertices that were there.
//!
//! What is checked before each collapse keeps the surface whole: every vertex of the place that goes has one vertex to go to (so seams go
//! along themselves), borders go along borders, the two ends have no neighbours in common but those across the edge's triangles, and no
//! triangle turns over. An edge costs the sum of its errors in all poses (A. Mohr and M. Gleicher, "Deformation sensitive decimation",
//! 2003).

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use crate::corners::Corners;
use crate::quadric::Quadric;

/// How much more than a surface's own planes those count that hold borders and seams, for each square of their length.
const BORDER_WEIGHT: f64 = 4.0;
const SEAM_WEIGHT: f64 = 0.5;
/// The cosine of the most that a triangle may turn.
const LEAST_TURN: f32 = 0.2;

/// An edge in one of its triangles: which vertices its two places are there, and the triangle.
type Side = ([u32; 2], usize);

/// A surface that loses edges.
#[derive(Debug)]
pub(crate) struct Collapse<'a> {
    corners: &'a Corners,
    triangles: Vec<Option<[u32; 3]>>,
    left: usize,
    /// Of each place; may hold some that are gone.
    around: Vec<Vec<u32>>,
    /// By pose and place.
    quadrics: Vec<Vec<Quadric>>,
    /// Where what was at each place has gone.
    gone_to: Vec<u32>,
    /// How often each place has changed.
    changes: Vec<u32>,
    heap: BinaryHeap<Candidate>,
}

/// An edge that may collapse, and what both ends were like when that was thought of.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    cost: f32,
    from: u32,
    to: u32,
    changes: [u32; 2],
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Candidate {}
impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Candidate {
    /// The cheapest is the greatest; ties by place, so that levels are the same everywhere.
    fn cmp(&self, other: &Self) -> Ordering {
        let tie = (other.from, other.to).cmp(&(self.from, self.to));
        other.cost.total_cmp(&self.cost).then(tie)
    }
}

impl<'a> Collapse<'a> {
    pub(crate) fn new(corners: &'a Corners) -> Self {
        let places = corners.positions.first().map_or(0, Vec::len);
        let mut all = Self {
            corners,
            triangles: corners.triangles.iter().copied().map(Some).collect(),
            left: corners.triangles.len(),
            around: vec![Vec::new(); places],
            quadrics: vec![vec![Quadric::default(); places]; corners.positions.len()],
            gone_to: (0..places as u32).collect(),
            changes: vec![0; places],
            heap: BinaryHeap::new(),
        };
        for (index, three) in (0..).zip(&corners.triangles) {
            for place in corners.places(*three) {
                all.around[place as usize].push(index);
            }
        }
        all.add_planes();
        all.fill();
        all
    }

    /// The planes of all triangles, and those that are upright on borders and seams, in every pose.
    fn add_planes(&mut self) {
        let corners = self.corners;
        let mut edges: HashMap<(u32, u32), Vec<Side>> = HashMap::new();
        for (index, three) in corners.triangles.iter().enumerate() {
            let places = corners.places(*three);
            for side in 0..3 {
                let ends = [three[side], three[(side + 1) % 3]];
                let [p, q] = [places[side], places[(side + 1) % 3]];
                let ends = if p < q { ends } else { [ends[1], ends[0]] };
                edges.entry((p.min(q), p.max(q))).or_default().push((ends, index));
            }
        }
        for (positions, quadrics) in corners.positions.iter().zip(&mut self.quadrics) {
            let across = |three: [u32; 3]| {
                let [a, b, c] = corners.places(three).map(|place| positions[place as usize]);
                (b - a).cross(c - a)
            };
            for three in &corners.triangles {
                let places = corners.places(*three);
                let across = across(*three);
                let weight = f64::from(across.length()) * 0.5;
                let point = positions[places[0] as usize];
                let plane = Quadric::plane(point, across.normalize_or_zero(), weight);
                places.iter().for_each(|place| quadrics[*place as usize].add(&plane));
            }
            for ((p, q), sides) in &edges {
                let weight = match sides.as_slice() {
                    [_] => BORDER_WEIGHT,
                    [(first, _), (second, _)] if first == second => continue,
                    _ => SEAM_WEIGHT,
                };
                let normal = across(corners.triangles[sides[0].1]).normalize_or_zero();
                let [from, to] = [p, q].map(|place| positions[*place as usize]);
                let upright = (to - from).cross(normal).normalize_or_zero();
                let weight = weight * f64::from((to - from).length_squared());
                let plane = Quadric::plane(from, upright, weight);
                [p, q].iter().for_each(|place| quadrics[**place as usize].add(&plane));
            }
        }
    }

    /// All edges that are there.
    fn fill(&mut self) {
        self.heap.clear();
        for place in 0..self.around.len() as u32 {
            for other in self.neighbours(place) {
                self.consider(place, other.0);
            }
        }
    }

    /// The places that share a triangle with one, each with how many triangles.
    fn neighbours(&self, place: u32) -> Vec<(u32, u32)> {
        let mut found: Vec<(u32, u32)> = Vec::with_capacity(8);
        for other in self.fan(place).flat_map(|(_, three)| self.corners.places(three)) {
            match found.iter_mut().find(|(known, _)| *known == other) {
                _ if other == place => {}
                Some((_, count)) => *count += 1,
                None => found.push((other, 1)),
            }
        }
        found
    }

    /// The triangles around a place.
    fn fan(&self, place: u32) -> impl Iterator<Item = (u32, [u32; 3])> + '_ {
        let around = &self.around[place as usize];
        around.iter().filter_map(|&index| Some((index, self.triangles[index as usize]?)))
    }

    fn consider(&mut self, from: u32, to: u32) {
        let mut cost = 0.0;
        for (positions, quadrics) in self.corners.positions.iter().zip(&self.quadrics) {
            let mut quadric = quadrics[from as usize];
            quadric.add(&quadrics[to as usize]);
            cost += quadric.at(positions[to as usize]);
        }
        let changes = [from, to].map(|place| self.changes[place as usize]);
        self.heap.push(Candidate { cost, from, to, changes });
    }

    /// Collapses edges until so many triangles are left, or none can collapse.
    pub(crate) fn reduce_to(&mut self, wanted: usize) {
        let mut before = self.left + 1;
        while self.left > wanted && self.left < before {
            before = self.left;
            while self.left > wanted
                && let Some(next) = self.heap.pop()
            {
                let is_now = |place: u32, then: u32| self.changes[place as usize] == then;
                if is_now(next.from, next.changes[0]) && is_now(next.to, next.changes[1]) {
                    self.try_collapse(next.from, next.to);
                }
            }
            // What could not collapse then may be able to now.
            if self.left > wanted {
                self.fill();
            }
        }
    }

    /// The triangles that are left.
    pub(crate) fn triangles(&self) -> Vec<[u32; 3]> {
        self.triangles.iter().flatten().copied().collect()
    }

    /// By place: where what was there is now.
    pub(crate) fn stand_ins(&self) -> Vec<u32> {
        let last = |mut place: u32| {
            while self.gone_to[place as usize] != place {
                place = self.gone_to[place as usize];
            }
            place
        };
        (0..self.gone_to.len() as u32).map(last).collect()
    }

    fn try_collapse(&mut self, from: u32, to: u32) {
        let Some(goes_to) = self.targets(from, to) else { return };
        if !self.stays_whole(from, to) || self.turns_over(from, to) {
            return;
        }
        for quadrics in &mut self.quadrics {
            let quadric = quadrics[from as usize];
            quadrics[to as usize].add(&quadric);
        }
        self.gone_to[from as usize] = to;
        let place_of = &self.corners.place_of;
        for index in std::mem::take(&mut self.around[from as usize]) {
            let Some(three) = &mut self.triangles[index as usize] else { continue };
            if three.iter().any(|vertex| place_of[*vertex as usize] == to) {
                self.triangles[index as usize] = None;
                self.left -= 1;
                continue;
            }
            for vertex in three.iter_mut() {
                if let Some((_, other)) = goes_to.iter().find(|(own, _)| own == vertex) {
                    *vertex = *other;
                }
            }
            self.around[to as usize].push(index);
        }
        let triangles = &self.triangles;
        self.around[to as usize].retain(|index| triangles[*index as usize].is_some());
        self.changes[from as usize] += 1;
        self.changes[to as usize] += 1;
        for (other, _) in self.neighbours(to) {
            self.consider(other, to);
            self.consider(to, other);
        }
    }

    /// For each vertex of a place, the vertex of the other that it becomes; `None` where one has none, or more than one.
    fn targets(&self, from: u32, to: u32) -> Option<Vec<(u32, u32)>> {
        let place_of = &self.corners.place_of;
        let in_place = |three: [u32; 3], place: u32| {
            three.into_iter().find(|vertex| place_of[*vertex as usize] == place)
        };
        let mut found: Vec<(u32, u32)> = Vec::with_capacity(2);
        for (_, three) in self.fan(from) {
            let Some(other) = in_place(three, to) else { continue };
            let own = in_place(three, from)?;
            match found.iter().find(|(known, _)| *known == own) {
                Some((_, known)) if *known != other => return None,
                Some(_) => {}
                None => found.push((own, other)),
            }
        }
        let is_known = |own: u32| found.iter().any(|(known, _)| *known == own);
        let all = self.fan(from).all(|(_, three)| in_place(three, from).is_some_and(is_known));
        (all && !found.is_empty()).then_some(found)
    }

    /// Whether the surface around an edge stays one surface.
    fn stays_whole(&self, from: u32, to: u32) -> bool {
        let around = self.neighbours(from);
        let is_border = around.iter().any(|(_, count)| *count == 1);
        let shared = around.iter().find(|(other, _)| *other == to).map_or(0, |(_, count)| *count);
        let expected = if is_border { 1 } else { 2 };
        if shared != expected || around.iter().any(|(_, count)| *count > 2) {
            return false;
        }
        let others = self.neighbours(to);
        let common = around.iter().filter(|(a, _)| others.iter().any(|(b, _)| a == b)).count();
        common == shared as usize
    }

    /// Whether a triangle would turn over, at rest.
    fn turns_over(&self, from: u32, to: u32) -> bool {
        let Some(positions) = self.corners.positions.first() else { return false };
        self.fan(from).any(|(_, three)| {
            let places = self.corners.places(three);
            if places.contains(&to) {
                return false;
            }
            let normal = |places: [u32; 3]| {
                let [a, b, c] = places.map(|place| positions[place as usize]);
                (b - a).cross(c - a)
            };
            let before = normal(places);
            let after = normal(places.map(|place| if place == from { to } else { place }));
            let least = LEAST_TURN * before.length() * after.length();
            before.length_squared() > 0.0 && before.dot(after) <= least
        })
    }
}
