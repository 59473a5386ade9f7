//! Stones: balls, squashed and dented.

use glam::Vec3;
use sinew_scene::Primitive;

use super::facets::{ball, bumps, facets};
use super::linear;

/// A stone about two metres wide, for its place to scale down; stands a little in the ground.
pub(super) fn stone(kind: u32, material: usize) -> Primitive {
    let squash =
        [Vec3::new(1.0, 0.72, 0.84), Vec3::new(0.86, 0.62, 1.05), Vec3::new(0.92, 0.95, 0.80)]
            [kind as usize % 3];
    let dent = |p: Vec3| {
        // A few flat faces, as if split off.
        let cut = p.dot(Vec3::new(0.5, 0.8, 0.3 - 0.4 * kind as f32).normalize_or(Vec3::Y));
        let flat = if cut > 0.78 { 0.78 / cut } else { 1.0 };
        p * flat * (1.0 + 0.17 * bumps(p, kind)) * squash + Vec3::Y * 0.35
    };
    let triangles: Vec<_> = ball(2).into_iter().map(|triangle| triangle.map(dent)).collect();
    facets(&triangles, material, |middle, normal| {
        let grey = linear(0.54, 0.52, 0.50)
            .lerp(linear(0.66, 0.63, 0.58), 0.5 + 0.5 * bumps(middle * 2.0, kind));
        // Moss on top.
        grey.lerp(linear(0.47, 0.52, 0.32), ((normal.y - 0.75) * 2.2).clamp(0.0, 0.55))
    })
}
