//! Trees: a trunk, and a crown of dented balls or of cones.

use std::f32::consts::TAU;

use glam::Vec3;
use sinew_scene::Primitive;

use super::facets::{ball, bumps, facets};
use super::{chance, linear};

/// The side of a cone between two rings; a ring of radius zero is a tip.
fn mantle(sides: usize, low: (Vec3, f32), high: (Vec3, f32)) -> Vec<[Vec3; 3]> {
    let at = |(center, radius): (Vec3, f32), step: usize, half: f32| {
        let (sin, cos) = ((step as f32 + half) / sides as f32 * TAU).sin_cos();
        center + Vec3::new(sin, 0.0, cos) * radius
    };
    (0..sides)
        .flat_map(|step| {
            let [a, b] = [at(low, step, 0.0), at(low, step + 1, 0.0)];
            let [c, d] = [at(high, step, 0.5), at(high, step + 1, 0.5)];
            [[a, b, c], [b, d, c]]
        })
        .filter(|[a, b, c]| (*b - *a).cross(*c - *a).length() > 1e-8)
        .collect()
}

fn trunk(height: f32, thick: f32, lean: Vec3, material: usize) -> Primitive {
    let rings = [(0.0, 1.7), (0.12, 1.05), (0.55, 0.85), (1.0, 0.5)];
    let ring = |(share, width): (f32, f32)| {
        (Vec3::Y * (height * share) + lean * (share * share), thick * width)
    };
    let triangles: Vec<_> =
        rings.windows(2).flat_map(|pair| mantle(7, ring(pair[0]), ring(pair[1]))).collect();
    facets(&triangles, material, |middle, _| {
        linear(0.40, 0.31, 0.25).lerp(linear(0.50, 0.39, 0.30), middle.y / height)
    })
}

/// Leaves in balls that overlap.
pub(super) fn round(kind: u32, bark: usize, leaf: usize) -> Vec<Primitive> {
    let lean = Vec3::new(0.25, 0.0, -0.15) * (1.0 - 2.0 * kind as f32);
    let top = 2.3 + 0.4 * kind as f32;
    let mut triangles = Vec::new();
    for at in 0..5_u32 {
        let seed = 10 * kind + at;
        let angle = (at as f32 / 4.0 + 0.1 * chance(seed)) * TAU;
        let (center, size) = match at {
            4 => (Vec3::Y * 0.75, 1.0),
            _ => (
                Vec3::new(angle.sin(), 0.3 * chance(seed + 7), angle.cos()) * 0.72,
                0.78 + 0.2 * chance(seed + 3),
            ),
        };
        let place = |p: Vec3| {
            let dented = p * (1.0 + 0.16 * bumps(p * 1.4, seed));
            center + lean + Vec3::Y * (top + 0.3) + dented * Vec3::new(1.0, 0.82, 1.0) * size
        };
        triangles.extend(ball(1).into_iter().map(|triangle| triangle.map(place)));
    }
    let crown = facets(&triangles, leaf, |middle, normal| {
        let up = ((middle.y - top) / 2.2).clamp(0.0, 1.0) * 0.7 + 0.3 * (0.5 + 0.5 * normal.y);
        linear(0.30, 0.40, 0.24).lerp(linear(0.60, 0.66, 0.34), up)
    });
    vec![trunk(top + 0.3, 0.15, lean, bark), crown]
}

/// Skirts of needles, each smaller than the one below.
pub(super) fn fir(kind: u32, bark: usize, leaf: usize) -> Vec<Primitive> {
    let (tall, layers) = (4.2 + 0.9 * kind as f32, 4 + kind as usize);
    let mut triangles = Vec::new();
    for layer in 0..layers {
        let share = layer as f32 / layers as f32;
        let low = 0.7 + share * (tall - 1.4);
        let width = 1.30 * (1.0 - share).powf(0.8) + 0.22;
        let high = low + 1.25 - 0.35 * share;
        let shift = Vec3::new(
            chance(kind * 20 + layer as u32) - 0.5,
            0.0,
            chance(kind * 20 + layer as u32 + 9) - 0.5,
        ) * 0.12;
        let skirt = (Vec3::Y * low + shift, width);
        triangles.extend(mantle(9, skirt, (Vec3::Y * high, 0.04)));
        // Its underside.
        triangles.extend(mantle(9, (Vec3::Y * (low + 0.22), 0.05), skirt));
    }
    let crown = facets(&triangles, leaf, |middle, normal| {
        let up = (middle.y / tall).clamp(0.0, 1.0) * 0.75 + 0.25 * normal.y.max(0.0);
        linear(0.20, 0.31, 0.25).lerp(linear(0.43, 0.55, 0.36), up)
    });
    vec![trunk(1.4, 0.13, Vec3::ZERO, bark), crown]
}
