//! The ground: a disc that is flat in the middle and rolls softly farther out.

use std::f32::consts::TAU;

use glam::{Vec3, Vec4};
use sinew_scene::{MaterialId, Primitive};

use super::linear;

/// Flat within this many metres.
const FLAT: f32 = 3.2;
const RADIUS: f32 = 46.0;
const RINGS: usize = 52;
const SPOKES: usize = 110;

fn ease(from: f32, to: f32, at: f32) -> f32 {
    let t = ((at - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Soft waves in all directions, from about -1 to 1.
fn roll(x: f32, z: f32) -> f32 {
    let wave = |angle: f32, length: f32, shift: f32| {
        let along = x * angle.cos() + z * angle.sin();
        (along * TAU / length + shift).sin()
    };
    0.5 * wave(0.4, 19.0, 0.3) + 0.3 * wave(1.9, 12.5, 1.1) + 0.2 * wave(2.9, 8.3, 2.0)
}

/// How high the ground is, in metres.
pub(super) fn height(x: f32, z: f32) -> f32 {
    let away = (x * x + z * z).sqrt();
    // Hills rise towards the edge, so that the horizon is never bare.
    let hills = 2.6 * ease(14.0, RADIUS, away);
    ease(FLAT, 11.0, away) * (0.55 * roll(x, z) + 0.12)
        + hills * (0.75 + 0.5 * roll(z * 0.6, x * 0.6))
}

fn normal(x: f32, z: f32) -> Vec3 {
    let step = 0.05;
    let slope_x = (height(x + step, z) - height(x - step, z)) / (2.0 * step);
    let slope_z = (height(x, z + step) - height(x, z - step)) / (2.0 * step);
    Vec3::new(-slope_x, 1.0, -slope_z).normalize_or(Vec3::Y)
}

/// Bare earth where Ossi walks, then grass of two kinds.
fn color(x: f32, z: f32) -> Vec4 {
    let patch = roll(x * 3.1 + 5.0, z * 3.1 - 2.0);
    let away = (x * x + z * z).sqrt() + 0.7 * patch;
    let earth = linear(0.70, 0.61, 0.48);
    let grass = linear(0.52, 0.58, 0.34).lerp(linear(0.40, 0.50, 0.29), 0.5 + 0.5 * patch);
    earth.lerp(grass, ease(1.8, 5.2, away)).extend(1.0)
}

pub(super) fn ground(material: usize) -> Primitive {
    let mut primitive =
        Primitive { material: Some(MaterialId::new(material)), ..Primitive::default() };
    let mut colors = Vec::new();
    let mut vertex = |x: f32, z: f32| {
        primitive.positions.push(Vec3::new(x, height(x, z), z));
        primitive.normals.push(normal(x, z));
        colors.push(color(x, z));
    };
    vertex(0.0, 0.0);
    for ring in 1..=RINGS {
        // Closer together in the middle.
        let away = RADIUS * (ring as f32 / RINGS as f32).powf(1.7);
        for spoke in 0..SPOKES {
            let (sin, cos) = (spoke as f32 / SPOKES as f32 * TAU).sin_cos();
            vertex(sin * away, cos * away);
        }
    }
    primitive.colors = vec![colors];
    primitive.indices = indices();
    primitive
}

fn indices() -> Vec<u32> {
    let at = |ring: usize, spoke: usize| (1 + ring * SPOKES + spoke % SPOKES) as u32;
    let mut indices = Vec::with_capacity(RINGS * SPOKES * 6);
    for spoke in 0..SPOKES {
        indices.extend([0, at(0, spoke), at(0, spoke + 1)]);
        for ring in 0..RINGS - 1 {
            let [a, b] = [at(ring, spoke), at(ring, spoke + 1)];
            let [c, d] = [at(ring + 1, spoke), at(ring + 1, spoke + 1)];
            indices.extend([a, c, b, b, c, d]);
        }
    }
    indices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_is_flat_within_three_metres() {
        for step in 0..60 {
            let (sin, cos) = (step as f32 / 60.0 * TAU).sin_cos();
            assert_eq!(height(3.0 * sin, 3.0 * cos), 0.0);
        }
        assert!((0..60).any(|step| height(step as f32, 5.0).abs() > 0.2));
    }
}
