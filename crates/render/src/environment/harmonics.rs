//! Light from all sides, as nine numbers a channel.
//!
//! After R. Ramamoorthi and P. Hanrahan, "An efficient representation for irradiance environment maps" (2001).
//! The factors of the basis are folded in; a shader multiplies with plain polynomials of the normal.

use glam::{Vec3, Vec4};

use super::CubeLevels;

/// Irradiance over π: what a white wall with this normal would look like.
pub(crate) fn harmonics(cube: &CubeLevels) -> [Vec4; 9] {
    let mut sums = [Vec3::ZERO; 9];
    let mut sphere = 0.0;
    for (towards, color, angle) in cube.samples() {
        sphere += angle;
        for (sum, value) in sums.iter_mut().zip(basis(towards)) {
            *sum += color * (value * angle);
        }
    }
    let whole = 4.0 * std::f32::consts::PI / sphere;
    // The square of each basis function's factor, times the cosine lobe's 1, 2/3, 1/4.
    const FACTORS: [f32; 9] = [
        0.079_577_47,
        0.238_732_41 * 2.0 / 3.0,
        0.238_732_41 * 2.0 / 3.0,
        0.238_732_41 * 2.0 / 3.0,
        1.193_662 / 4.0,
        1.193_662 / 4.0,
        0.099_471_84 / 4.0,
        1.193_662 / 4.0,
        0.298_415_5 / 4.0,
    ];
    std::array::from_fn(|index| (sums[index] * (whole * FACTORS[index])).extend(0.0))
}

fn basis(n: Vec3) -> [f32; 9] {
    [
        1.0,
        n.y,
        n.z,
        n.x,
        n.x * n.y,
        n.y * n.z,
        3.0 * n.z * n.z - 1.0,
        n.x * n.z,
        n.x * n.x - n.y * n.y,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Environment, Sky};

    fn around(sky: Sky, normal: Vec3) -> Vec3 {
        let coefficients = harmonics(&CubeLevels::of(&Environment::Sky(sky)));
        let terms = coefficients.iter().zip(basis(normal)).map(|(c, b)| c.truncate() * b);
        terms.sum()
    }

    #[test]
    fn a_white_wall_under_an_even_sky_is_as_bright_as_the_sky() {
        let even =
            Sky { zenith: Vec3::ONE, horizon: Vec3::ONE, ground: Vec3::ONE, ..Sky::default() };
        for normal in [Vec3::X, Vec3::NEG_Y, Vec3::new(1.0, 2.0, -2.0) / 3.0] {
            let found = around(even, normal);
            assert!(found.abs_diff_eq(Vec3::ONE, 0.01), "{normal}: {found}");
        }
    }

    #[test]
    fn half_a_white_sky_lights_a_wall_half_and_a_floor_wholly() {
        let half =
            Sky { zenith: Vec3::ONE, horizon: Vec3::ONE, ground: Vec3::ZERO, ..Sky::default() };
        // The ground begins a little below the horizon, so a little more than half.
        let wall = around(half, Vec3::X).x;
        assert!((0.5..0.6).contains(&wall), "{wall}");
        let floor = around(half, Vec3::Y).x;
        assert!((0.95..1.06).contains(&floor), "{floor}");
        assert!(around(half, Vec3::NEG_Y).x < 0.12);
    }
}
