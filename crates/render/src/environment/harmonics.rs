//! Light from all sides, as eighteen numbers a channel.
//!
//! After R. Ramamoorthi and P. Hanrahan, "An efficient representation for irradiance environment maps" (2001), with the
//! fourth order beside the first three: what is left out is below 1 % for any environment. The third order is 0 for a matt surface.
//! The factors of the basis are folded in; a shader multiplies with plain polynomials of the normal.

use glam::{Vec3, Vec4};

use super::CubeLevels;

/// How many coefficients there are.
pub(crate) const HARMONICS: usize = 18;
/// Texels on a side of the faces that are summed up.
pub(super) const SIDE: u32 = 32;

/// The square of each basis function's factor, times what a cosine lobe leaves of its order: 1, 2/3, 1/4, -1/24.
const FACTORS: [f32; HARMONICS] = [
    0.079_577_47,
    0.238_732_41 * 2.0 / 3.0,
    0.238_732_41 * 2.0 / 3.0,
    0.238_732_41 * 2.0 / 3.0,
    1.193_662 / 4.0,
    1.193_662 / 4.0,
    0.099_471_84 / 4.0,
    1.193_662 / 4.0,
    0.298_415_5 / 4.0,
    6.266_726 / -24.0,
    3.133_363 / -24.0,
    0.895_246_55 / -24.0,
    0.447_623_28 / -24.0,
    0.011_190_582 / -24.0,
    0.447_623_28 / -24.0,
    0.223_811_64 / -24.0,
    3.133_363 / -24.0,
    0.391_670_37 / -24.0,
];

/// Irradiance over π: what a white wall with this normal would look like.
pub(crate) fn harmonics(cube: &CubeLevels) -> [Vec4; HARMONICS] {
    let mut sums = [Vec3::ZERO; HARMONICS];
    let mut sphere = 0.0;
    for (towards, color, angle) in cube.samples(SIDE) {
        sphere += angle;
        for (sum, value) in sums.iter_mut().zip(basis(towards)) {
            *sum += color * (value * angle);
        }
    }
    let whole = 4.0 * std::f32::consts::PI / sphere;
    std::array::from_fn(|index| (sums[index] * (whole * FACTORS[index])).extend(0.0))
}

/// A sum of the coefficients for one normal. The twin of `irradiance` in light.wgsl.
pub(crate) fn irradiance(coefficients: &[Vec4; HARMONICS], normal: Vec3) -> Vec3 {
    let terms = coefficients.iter().zip(basis(normal)).map(|(c, b)| c.truncate() * b);
    terms.sum::<Vec3>().max(Vec3::ZERO)
}

fn basis(n: Vec3) -> [f32; HARMONICS] {
    let Vec3 { x, y, z } = n;
    let (xx, yy, zz) = (x * x, y * y, z * z);
    [
        1.0,
        y,
        z,
        x,
        x * y,
        y * z,
        3.0 * zz - 1.0,
        x * z,
        xx - yy,
        x * y * (xx - yy),
        y * z * (3.0 * xx - yy),
        x * y * (7.0 * zz - 1.0),
        y * z * (7.0 * zz - 3.0),
        35.0 * zz * zz - 30.0 * zz + 3.0,
        x * z * (7.0 * zz - 3.0),
        (xx - yy) * (7.0 * zz - 1.0),
        x * z * (xx - 3.0 * yy),
        xx * xx - 6.0 * xx * yy + yy * yy,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Environment, Equirect, Sky};

    fn around(sky: Sky, normal: Vec3) -> Vec3 {
        irradiance(&harmonics(&CubeLevels::of(&Environment::Sky(sky))), normal)
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
        assert!((0.97..1.03).contains(&floor), "{floor}");
        assert!(around(half, Vec3::NEG_Y).x < 0.08);
    }

    #[test]
    fn a_lamp_gives_every_normal_its_cosine() {
        // A lamp of 45° about the pole; against a sum over all of its texels.
        let mut pixels = vec![Vec3::ZERO; 128 * 64];
        pixels[..128 * 16].fill(Vec3::splat(4.0));
        let image = Equirect { width: 128, height: 64, pixels };
        let cube = CubeLevels::of(&Environment::Equirect(std::sync::Arc::new(image)));
        let coefficients = harmonics(&cube);
        for step in 0..=12 {
            let angle = step as f32 * std::f32::consts::PI / 12.0;
            let normal = Vec3::new(angle.sin() * 0.6, angle.cos(), angle.sin() * 0.8);
            let exact: f32 = cube
                .samples(64)
                .map(|(towards, color, angle)| color.x * towards.dot(normal).max(0.0) * angle)
                .sum::<f32>()
                / std::f32::consts::PI;
            let found = irradiance(&coefficients, normal).x;
            assert!((found - exact).abs() < 0.03, "{step}: {found} for {exact}");
        }
    }
}
