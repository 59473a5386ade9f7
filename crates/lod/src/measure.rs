//! How far a level is from the mesh it was made of.
//!
//! In:  the mesh, and the level's triangles.
//! Out: the largest distance found between the two surfaces, at rest, under joints that rotate, and under morph targets.

use glam::Vec3;

use crate::Pivots;
use crate::closest::{Nearest, Surface};
use crate::corners::Corners;

/// The largest distance at the samples.
pub(crate) fn error(corners: &Corners<'_>, level: &[[u32; 3]], pivots: Option<&Pivots>) -> f32 {
    let place = |three: &[u32; 3]| three.map(|vertex| corners.position(vertex));
    let coarse: Vec<[Vec3; 3]> = level.iter().map(place).collect();
    let fine: Vec<[Vec3; 3]> = corners.triangles.iter().map(place).collect();
    let surface = Surface::new(&coarse);
    let mut used = vec![false; corners.positions.len()];
    for vertex in corners.triangles.iter().flatten() {
        used[corners.place_of[*vertex as usize] as usize] = true;
    }
    let mut largest = 0.0_f32;
    for (place, _) in used.iter().enumerate().filter(|(_, used)| **used) {
        let Some(near) = surface.nearest(corners.positions[place]) else { continue };
        let vertex = corners.vertex_of[place];
        let moved = strain(corners, pivots, vertex, level[near.triangle], &near);
        largest = largest.max(near.distance + moved);
    }
    // The other way: a level's vertices lie on the mesh, what is between them may not.
    let surface = Surface::new(&fine);
    for [a, b, c] in &coarse {
        let samples = [(*a + *b + *c) / 3.0, (*a + *b) * 0.5, (*b + *c) * 0.5, (*c + *a) * 0.5];
        for sample in samples {
            largest = surface.nearest(sample).map_or(largest, |near| largest.max(near.distance));
        }
    }
    largest
}

/// How much farther a vertex can get from the point that stands for it.
fn strain(
    corners: &Corners<'_>,
    pivots: Option<&Pivots>,
    vertex: u32,
    hosts: [u32; 3],
    near: &Nearest,
) -> f32 {
    let own = corners.position(vertex);
    let stand_in = hosts.iter().zip(near.shares);
    let bent = pivots.map_or(0.0, |pivots| {
        let hosts = stand_in
            .clone()
            .filter(|(_, share)| *share > 0.0)
            .map(|(&host, share)| (corners.position(host), -share, corners.influences(host)));
        let first = (own, 1.0, corners.influences(vertex));
        pivots.strain(std::iter::once(first).chain(hosts))
    });
    let morphed = (0..corners.morph_count()).map(|target| {
        let there: Vec3 =
            stand_in.clone().map(|(&host, share)| corners.morph(host, target) * share).sum();
        corners.morph(vertex, target).distance(there)
    });
    bent + morphed.fold(0.0, f32::max)
}
