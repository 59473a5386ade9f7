//! How far a level is from the mesh it was made of, in all poses.
//!
//! In:  the mesh, the level's triangles, and which place stands for each that is gone.
//! Out: the largest distance found between the two surfaces.

use glam::Vec3;

use crate::closest::{Nearest, Surface, on_triangle};
use crate::corners::Corners;

/// The largest distance at the samples.
pub(crate) fn error(corners: &Corners, level: &[[u32; 3]], stand_ins: &[u32]) -> f32 {
    let level: Vec<[u32; 3]> = level.iter().map(|three| corners.places(*three)).collect();
    let Some(rest) = corners.positions.first() else { return 0.0 };
    let hosts = Hosts::new(&level, rest);
    let mut largest = 0.0_f32;
    for (place, &stand_in) in stand_ins.iter().enumerate() {
        let Some(near) = hosts.nearest(rest[place], stand_in) else { continue };
        let three = level[near.triangle];
        for positions in &corners.positions {
            let there = |(place, share): (&u32, f32)| positions[*place as usize] * share;
            let there: Vec3 = three.iter().zip(near.shares).map(there).sum();
            largest = largest.max(positions[place].distance(there));
        }
    }
    between(corners, &level, rest, largest)
}

/// The other way: a level's vertices lie on the mesh, what is between them may not. The larger of what is found and `so_far`.
fn between(corners: &Corners, level: &[[u32; 3]], rest: &[Vec3], so_far: f32) -> f32 {
    let at = |three: [u32; 3]| three.map(|place| rest[place as usize]);
    let fine: Vec<[Vec3; 3]> =
        corners.triangles.iter().map(|three| at(corners.places(*three))).collect();
    let surface = Surface::new(&fine);
    let mut largest = so_far;
    for [a, b, c] in level.iter().map(|three| at(*three)) {
        for sample in [(a + b + c) / 3.0, (a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5] {
            let near = surface.nearest_beyond(sample, largest);
            largest = near.map_or(largest, |near| largest.max(near.distance));
        }
    }
    largest
}

/// The triangles of a level by their places.
struct Hosts<'a> {
    level: &'a [[u32; 3]],
    rest: &'a [Vec3],
    /// By place.
    around: Vec<Vec<u32>>,
}

impl<'a> Hosts<'a> {
    fn new(level: &'a [[u32; 3]], rest: &'a [Vec3]) -> Self {
        let mut around = vec![Vec::new(); rest.len()];
        for (index, three) in (0..).zip(level) {
            three.iter().for_each(|place| around[*place as usize].push(index));
        }
        Self { level, rest, around }
    }

    /// The nearest point of the triangles at a place and beside them: of the same limb, whatever else is near by.
    fn nearest(&self, point: Vec3, place: u32) -> Option<Nearest> {
        let own = &self.around[place as usize];
        let beside = own.iter().flat_map(|index| self.level[*index as usize]);
        let all = beside.flat_map(|place| &self.around[place as usize]);
        let found = all.map(|&index| {
            let corners = self.level[index as usize].map(|place| self.rest[place as usize]);
            on_triangle(point, &corners, index as usize)
        });
        found.min_by(|a, b| a.distance.total_cmp(&b.distance))
    }
}
