//! Shapes with flat facets: triangles that share no vertex, and balls made of twenty of them.

use glam::{Vec3, Vec4};
use sinew_scene::{MaterialId, Primitive};

/// A primitive in which every triangle has its own three vertices and one normal. The colour is
/// told by the middle of a triangle and its normal.
pub(super) fn facets(
    triangles: &[[Vec3; 3]],
    material: usize,
    color: impl Fn(Vec3, Vec3) -> Vec3,
) -> Primitive {
    let mut primitive =
        Primitive { material: Some(MaterialId::new(material)), ..Primitive::default() };
    let mut colors: Vec<Vec4> = Vec::with_capacity(triangles.len() * 3);
    for &[a, b, c] in triangles {
        let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
        primitive.positions.extend([a, b, c]);
        primitive.normals.extend([normal; 3]);
        colors.extend([color((a + b + c) / 3.0, normal).extend(1.0); 3]);
    }
    primitive.indices = (0..primitive.positions.len() as u32).collect();
    primitive.colors = vec![colors];
    primitive
}

/// A ball of radius one: an icosahedron, each side split in four so many times.
pub(super) fn ball(splits: u32) -> Vec<[Vec3; 3]> {
    let mut triangles = icosahedron();
    for _ in 0..splits {
        triangles = triangles.iter().flat_map(|&triangle| split(triangle)).collect();
    }
    triangles
}

fn split([a, b, c]: [Vec3; 3]) -> [[Vec3; 3]; 4] {
    let [ab, bc, ca] = [a + b, b + c, c + a].map(|sum| sum.normalize_or(Vec3::Y));
    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
}

/// A pole, a ring of five, a ring of five turned by half a step, a pole.
fn icosahedron() -> Vec<[Vec3; 3]> {
    // The rings of an icosahedron are at latitude atan(1/2).
    let (sin, cos) = 0.5_f32.atan().sin_cos();
    let at = |step: usize, height: f32, half: f32| {
        let angle = (step as f32 + half) * std::f32::consts::TAU / 5.0;
        Vec3::new(cos * angle.sin(), height, cos * angle.cos())
    };
    (0..5)
        .flat_map(|step| {
            let (up, next_up) = (at(step, sin, 0.0), at(step + 1, sin, 0.0));
            let (low, next_low) = (at(step, -sin, 0.5), at(step + 1, -sin, 0.5));
            [
                [Vec3::Y, up, next_up],
                [up, low, next_up],
                [next_up, low, next_low],
                [Vec3::NEG_Y, next_low, low],
            ]
        })
        .collect()
}

/// A bump field that is smooth and never repeats nearby, from about -1 to 1.
pub(super) fn bumps(p: Vec3, seed: u32) -> f32 {
    let shift = Vec3::new(1.7, 4.3, 2.9) * (seed as f32 + 1.0);
    let wave = |p: Vec3| (p.x + (p.y * 1.3).sin()).sin() * (p.z + (p.x * 0.7).cos()).cos();
    0.6 * wave(p * 2.1 + shift) + 0.4 * wave(Vec3::new(p.z, p.x, p.y) * 4.3 - shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_split_once_has_eighty_facets_at_radius_one_facing_out() {
        let ball = ball(1);
        assert_eq!(ball.len(), 80);
        for [a, b, c] in ball {
            assert!((a.length() - 1.0).abs() < 1e-5);
            assert!((b - a).cross(c - a).dot(a + b + c) > 0.0);
        }
    }
}
