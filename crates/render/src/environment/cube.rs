//! An environment as a cube map whose smaller levels are blurred for rougher surfaces.
//!
//! In:  a colour for every direction.
//! Out: levels of half floats: sharp down to 32 pixels, then 16, 8, 4 and 2, each blurred as a mirror
//! of roughness 0.4, 0.6, 0.8 and 1 would blur it.

use glam::{Vec2, Vec3};

use super::Environment;

/// Levels smaller than 32 pixels.
pub(crate) const LEVELS_BELOW: u32 = 4;
const SHARPEST_BLUR: u32 = 32;

/// All levels of a cube map, from large to small; six faces each.
#[derive(Debug)]
pub(crate) struct CubeLevels {
    pub(crate) size: u32,
    pub(crate) levels: Vec<Vec<Vec3>>,
}

impl CubeLevels {
    pub(crate) fn of(environment: &Environment) -> Self {
        match environment {
            Environment::Sky(sky) => Self::new(SHARPEST_BLUR, |direction| sky.color(direction)),
            Environment::Equirect(image) => {
                let size = (image.width / 4).next_power_of_two().clamp(SHARPEST_BLUR, 512);
                Self::new(size, |direction| image.color(direction))
            }
            Environment::Cube(cube) => {
                let size = cube.size.next_power_of_two().clamp(SHARPEST_BLUR, 1024);
                Self::new(size, |direction| cube_color(cube, direction))
            }
        }
    }

    fn new(size: u32, color: impl Fn(Vec3) -> Vec3) -> Self {
        let sharp = directions(size).map(|direction| color(direction).max(Vec3::ZERO)).collect();
        let mut levels: Vec<Vec<Vec3>> = vec![sharp];
        let mut side = size;
        while side > SHARPEST_BLUR {
            levels.push(halved(levels.last().map_or(&[], Vec::as_slice), side));
            side /= 2;
        }
        let half = halved(levels.last().map_or(&[], Vec::as_slice), side);
        let coarse = halved(&half, side / 2);
        let samples: Vec<_> = directions(8).zip(&coarse).map(|(d, &c)| (d, c)).collect();
        // How sharply a mirror of each roughness sees: a lobe about as wide as that of GGX.
        for power in [20, 4, 2, 1] {
            side /= 2;
            levels.push(directions(side).map(|d| blurred(&samples, d, power)).collect());
        }
        Self { size, levels }
    }

    /// The number of the level 32 pixels wide.
    pub(crate) fn level_32(&self) -> u32 {
        (self.size / SHARPEST_BLUR).trailing_zeros()
    }

    /// Directions and colours of the first blurred level, for a sum over the sphere.
    pub(crate) fn samples(&self) -> impl Iterator<Item = (Vec3, Vec3, f32)> {
        let level = self.level_32() as usize + 1;
        let side = self.size >> level;
        directions(side).zip(&self.levels[level]).map(|(d, &c)| (d, c, solid_angle(d)))
    }
}

/// What a direction sees of the samples, through a lobe.
fn blurred(samples: &[(Vec3, Vec3)], direction: Vec3, power: i32) -> Vec3 {
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    for &(towards, color) in samples {
        let weight = towards.dot(direction).max(0.0).powi(power) * solid_angle(towards);
        sum += color * weight;
        total += weight;
    }
    sum / total.max(1e-6)
}

/// How much of the sphere a texel covers, but for a factor that is the same for all: texels shrink towards
/// a face's corners.
fn solid_angle(direction: Vec3) -> f32 {
    direction.abs().max_element().powi(3)
}

/// The middle of every texel, face after face, row after row; unit length.
fn directions(side: u32) -> impl Iterator<Item = Vec3> {
    let texels = side * side;
    (0..6 * texels).map(move |index| {
        let (face, x, y) = (index / texels, index % texels % side, index % texels / side);
        let place = (Vec2::new(x as f32, y as f32) + 0.5) * 2.0 / side as f32 - 1.0;
        direction(face, place)
    })
}

/// As WebGPU (and everyone) lays out cube maps; `place` runs from -1 to 1, right and down.
fn direction(face: u32, place: Vec2) -> Vec3 {
    let Vec2 { x: u, y: v } = place;
    let along = match face {
        0 => Vec3::new(1.0, -v, -u),
        1 => Vec3::new(-1.0, -v, u),
        2 => Vec3::new(u, 1.0, v),
        3 => Vec3::new(u, -1.0, -v),
        4 => Vec3::new(u, -v, 1.0),
        _ => Vec3::new(-u, -v, -1.0),
    };
    along.normalize()
}

fn cube_color(cube: &super::CubeImage, d: Vec3) -> Vec3 {
    let size = d.abs();
    let (face, u, v) = if size.x >= size.y && size.x >= size.z {
        if d.x > 0.0 { (0, -d.z, -d.y) } else { (1, d.z, -d.y) }
    } else if size.y >= size.z {
        if d.y > 0.0 { (2, d.x, d.z) } else { (3, d.x, -d.z) }
    } else if d.z > 0.0 {
        (4, d.x, -d.y)
    } else {
        (5, -d.x, -d.y)
    };
    let place = Vec2::new(u, v) / size.max_element() * 0.5 + 0.5;
    let last = cube.size.saturating_sub(1) as f32;
    let at = (place * cube.size as f32).clamp(Vec2::ZERO, Vec2::splat(last));
    let index = at.y as usize * cube.size as usize + at.x as usize;
    cube.faces[face].get(index).copied().unwrap_or(Vec3::ZERO)
}

/// Each face at half its size.
fn halved(level: &[Vec3], side: u32) -> Vec<Vec3> {
    let (side, half) = (side as usize, side as usize / 2);
    let mut out = Vec::with_capacity(6 * half * half);
    for face in level.chunks_exact(side * side) {
        for row in 0..half {
            for column in 0..half {
                let at = 2 * row * side + 2 * column;
                let sum = face[at] + face[at + 1] + face[at + side] + face[at + side + 1];
                out.push(sum * 0.25);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CubeImage, Equirect, Sky};

    #[test]
    fn an_even_sky_stays_even_at_every_level() {
        let even =
            Sky { zenith: Vec3::ONE, horizon: Vec3::ONE, ground: Vec3::ONE, ..Sky::default() };
        let cube = CubeLevels::of(&Environment::Sky(even));
        assert_eq!(cube.levels.len(), 5);
        let off = |c: &Vec3| (*c - Vec3::ONE).abs().max_element();
        let worst = cube.levels.iter().flatten().map(off).fold(0.0, f32::max);
        assert!(worst < 1e-4, "{worst}");
    }

    #[test]
    fn an_image_all_around_has_its_middle_along_minus_z_and_its_top_above() {
        let mut pixels = vec![Vec3::ZERO; 64 * 32];
        pixels[16 * 64 + 32] = Vec3::X;
        pixels[..64].fill(Vec3::Y);
        let image = Equirect { width: 64, height: 32, pixels };
        assert!(image.color(Vec3::new(0.05, -0.05, -1.0).normalize()).x > 0.8);
        assert!(image.color(Vec3::Y).y > 0.9);
    }

    #[test]
    fn a_cubes_face_is_found_again_by_its_direction() {
        let mut faces: [Vec<Vec3>; 6] = Default::default();
        for (index, face) in faces.iter_mut().enumerate() {
            *face = (0..16).map(|texel| Vec3::new(index as f32, texel as f32, 0.0)).collect();
        }
        let cube = CubeImage { size: 4, faces };
        for (index, towards) in directions(4).enumerate() {
            let found = cube_color(&cube, towards);
            assert_eq!((found.x as usize, found.y as usize), (index / 16, index % 16));
        }
    }
}
