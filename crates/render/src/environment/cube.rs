//! An environment as a cube map whose smaller levels are blurred for rougher surfaces.
//!
//! In:  a colour for every direction.
//! Out: six levels of six faces, each half as wide as the one before, seen through the lobe of GGX at the roughness that
//! [`ROUGHNESS`] has for it.
//!
//! A blurred texel is the mean of some reflections of a camera straight above it, each read from a copy of the
//! environment that is as coarse as the gap between them: B. Karis, "Real shading in Unreal Engine 4" (2013), and J. Křivánek and
//! M. Colbert, "Real-time shading with filtered importance sampling" (2008).

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use super::{Environment, Keep};

/// The roughness of each level. The twin of `environment_level` in light.wgsl.
pub(crate) const ROUGHNESS: [f32; 6] = [0.0, 0.15, 0.3, 0.5, 0.75, 1.0];
/// How many reflections make a texel of each level.
const SAMPLES: [usize; 6] = [1, 24, 48, 96, 160, 256];
/// Of a procedural sky, which is smooth, and of the smallest image.
const SMALLEST: u32 = 64;
/// Of the largest image.
const LARGEST: u32 = 512;

/// All levels of a cube map, from large to small; six faces each.
#[derive(Debug)]
pub(crate) struct CubeLevels {
    pub(crate) size: u32,
    pub(crate) levels: Vec<Vec<Vec3>>,
    /// The environment itself at half, a quarter and so on of its size, down to one texel a face; the first is level 0.
    coarser: Vec<Vec<Vec3>>,
}

impl CubeLevels {
    pub(crate) fn of(environment: &Environment) -> Self {
        let mut cube = Self::sharp(environment, LARGEST);
        cube.blur();
        cube
    }

    /// The same, with blurred levels of an earlier run where they were kept.
    pub(super) fn of_kept(environment: &Environment, keep: &dyn Keep) -> Self {
        let mut cube = Self::sharp(environment, LARGEST);
        cube.blur_with(keep);
        cube
    }

    /// Without any blurred level, and with no more than `largest` texels on a side of a face.
    pub(crate) fn sharp(environment: &Environment, largest: u32) -> Self {
        let side = match environment {
            Environment::Sky(_) => SMALLEST,
            Environment::Equirect(image) => image.width / 2,
            Environment::Cube(cube) => cube.size,
        };
        let size = side.next_power_of_two().clamp(SMALLEST, LARGEST).min(largest);
        match environment {
            Environment::Sky(sky) => Self::new(size, |direction| sky.color(direction)),
            Environment::Equirect(image) => {
                let fitted = image.fitted(size * 4);
                Self::new(size, |direction| fitted.color(direction))
            }
            Environment::Cube(cube) => Self::new(size, |direction| cube_color(cube, direction)),
        }
    }

    fn new(size: u32, color: impl Fn(Vec3) -> Vec3 + Sync) -> Self {
        let mut coarser = vec![each_texel(size, |direction| color(direction).max(Vec3::ZERO))];
        let mut side = size;
        while side > 1 {
            coarser.push(halved(&coarser[coarser.len() - 1], side));
            side /= 2;
        }
        Self { size, levels: vec![coarser[0].clone()], coarser }
    }

    pub(super) fn blur(&mut self) {
        for level in 1..ROUGHNESS.len() {
            let lobe = lobe(ROUGHNESS[level], SAMPLES[level], self.size);
            let side = self.size >> level;
            let blurred = each_texel(side, |direction| self.blurred(direction, &lobe));
            self.levels.push(blurred);
        }
    }

    /// Directions, colours and solid angles (steradians) of a copy with `side` texels a face, or all where there are fewer.
    pub(crate) fn samples(&self, side: u32) -> impl Iterator<Item = (Vec3, Vec3, f32)> {
        let level = (self.size / side).max(1).trailing_zeros();
        let side = self.size >> level;
        let texel = 4.0 / (side * side) as f32;
        let colors = &self.coarser[level as usize];
        directions(side).zip(colors).map(move |(d, &c)| (d, c, solid_angle(d) * texel))
    }

    fn blurred(&self, normal: Vec3, lobe: &[Reflection]) -> Vec3 {
        let (aside, ahead) = normal.any_orthonormal_pair();
        let mut sum = Vec3::ZERO;
        let mut total = 0.0;
        for one in lobe {
            let Vec3 { x, y, z } = one.towards;
            let towards = aside * x + ahead * y + normal * z;
            sum += self.at(towards, one.level) * z;
            total += z;
        }
        sum / total.max(1e-6)
    }

    /// The environment, as coarse as `level` says.
    fn at(&self, direction: Vec3, level: f32) -> Vec3 {
        let last = self.coarser.len() - 1;
        let low = (level as usize).min(last);
        let fine = self.bilinear(direction, low);
        if low == last {
            return fine;
        }
        fine.lerp(self.bilinear(direction, low + 1), level - low as f32)
    }

    fn bilinear(&self, direction: Vec3, level: usize) -> Vec3 {
        let side = (self.size >> level) as usize;
        let (face, place) = face_of(direction);
        let last = (side - 1) as f32;
        let at = (place * side as f32 - 0.5).clamp(Vec2::ZERO, Vec2::splat(last));
        let low = at.floor();
        let part = at - low;
        let (x, y) = (low.x as usize, low.y as usize);
        let (right, below) = ((x + 1).min(side - 1), (y + 1).min(side - 1));
        let texels = &self.coarser[level][face * side * side..(face + 1) * side * side];
        let above = texels[y * side + x].lerp(texels[y * side + right], part.x);
        above.lerp(texels[below * side + x].lerp(texels[below * side + right], part.x), part.y)
    }
}

/// One reflection of a camera straight above a surface.
struct Reflection {
    /// Z away from the surface.
    towards: Vec3,
    /// How coarse the environment is seen by it.
    level: f32,
}

/// Reflections spread as GGX spreads them.
fn lobe(roughness: f32, count: usize, size: u32) -> Vec<Reflection> {
    let alpha = roughness * roughness;
    let square = alpha * alpha;
    let texel = 4.0 * PI / (6 * size * size) as f32;
    let reflection = |index: usize| {
        let share = (index as f32 + 0.5) / count as f32;
        let angle = TAU * radical_inverse(index as u32);
        let cos = ((1.0 - share) / (1.0 + (square - 1.0) * share)).sqrt();
        let sin = (1.0 - cos * cos).max(0.0).sqrt();
        let half = Vec3::new(sin * angle.cos(), sin * angle.sin(), cos);
        let towards = 2.0 * cos * half - Vec3::Z;
        let spread = cos * cos * (square - 1.0) + 1.0;
        // The camera is along the normal, so that what is left of the density is D / 4.
        let density = square / (PI * spread * spread) * 0.25;
        let level = 0.5 * (1.0 / (count as f32 * density * texel)).max(1.0).log2() + 0.5;
        Reflection { towards, level }
    };
    (0..count).map(reflection).filter(|one| one.towards.z > 0.0).collect()
}

/// The bits of a number in reverse, as a fraction.
fn radical_inverse(bits: u32) -> f32 {
    bits.reverse_bits() as f32 / 4_294_967_296.0
}

/// How much of the sphere a texel covers beside one in the middle of a face: texels shrink towards its corners.
fn solid_angle(direction: Vec3) -> f32 {
    direction.abs().max_element().powi(3)
}

/// A colour for the middle of every texel, on all cores.
fn each_texel(side: u32, color: impl Fn(Vec3) -> Vec3 + Sync) -> Vec<Vec3> {
    let count = 6 * (side * side) as usize;
    let mut out = vec![Vec3::ZERO; count];
    #[cfg(not(target_arch = "wasm32"))]
    {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let share = count.div_ceil(cores).max(1024);
        std::thread::scope(|scope| {
            for (index, part) in out.chunks_mut(share).enumerate() {
                let color = &color;
                scope.spawn(move || {
                    let first = index * share;
                    for (offset, texel) in part.iter_mut().enumerate() {
                        *texel = color(texel_direction(side, (first + offset) as u32));
                    }
                });
            }
        });
    }
    #[cfg(target_arch = "wasm32")]
    for (index, texel) in out.iter_mut().enumerate() {
        *texel = color(texel_direction(side, index as u32));
    }
    out
}

/// The middle of every texel, face after face, row after row; unit length.
fn directions(side: u32) -> impl Iterator<Item = Vec3> {
    (0..6 * side * side).map(move |index| texel_direction(side, index))
}

fn texel_direction(side: u32, index: u32) -> Vec3 {
    let texels = side * side;
    let (face, x, y) = (index / texels, index % texels % side, index % texels / side);
    let place = (Vec2::new(x as f32, y as f32) + 0.5) * 2.0 / side as f32 - 1.0;
    direction(face, place)
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

/// The face that a direction meets, and where: from 0 to 1, right and down.
fn face_of(d: Vec3) -> (usize, Vec2) {
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
    (face, Vec2::new(u, v) / size.max_element().max(1e-12) * 0.5 + 0.5)
}

fn cube_color(cube: &super::CubeImage, d: Vec3) -> Vec3 {
    let (face, place) = face_of(d);
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
        assert_eq!(cube.levels.len(), 6);
        let off = |c: &Vec3| (*c - Vec3::ONE).abs().max_element();
        let worst = cube.levels.iter().flatten().map(off).fold(0.0, f32::max);
        assert!(worst < 1e-4, "{worst}");
        let sphere: f32 = cube.samples(16).map(|(.., angle)| angle).sum();
        assert!((sphere - 4.0 * PI).abs() < 0.02, "{sphere}");
    }

    #[test]
    fn an_image_all_around_has_its_middle_along_x_its_right_quarter_along_z_and_its_top_above() {
        let mut pixels = vec![Vec3::ZERO; 64 * 32];
        pixels[16 * 64 + 32] = Vec3::X;
        pixels[16 * 64 + 48] = Vec3::Z;
        pixels[..64].fill(Vec3::Y);
        let image = Equirect { width: 64, height: 32, pixels };
        assert!(image.color(Vec3::new(1.0, -0.05, 0.05).normalize()).x > 0.8);
        assert!(image.color(Vec3::new(-0.05, -0.05, 1.0).normalize()).z > 0.8);
        assert!(image.color(Vec3::Y).y > 0.9);
    }

    #[test]
    fn a_rough_mirror_sees_a_lamp_as_wide_as_ggx_spreads_it() {
        // A small lamp above, seen by a surface that faces it: at roughness 1 GGX is as bright everywhere half-way, so the
        // lamp's light falls off with the cosine alone, and the mean of the level over the sphere is a quarter of its top.
        let mut pixels = vec![Vec3::ZERO; 256 * 128];
        pixels[..256 * 4].fill(Vec3::splat(100.0));
        let image = Equirect { width: 256, height: 128, pixels };
        let cube = CubeLevels::of(&Environment::Equirect(std::sync::Arc::new(image)));
        let sharp: f32 = cube.coarser[0].iter().map(|c| c.x).fold(0.0, f32::max);
        let mut before = sharp;
        for level in &cube.levels[1..] {
            let top = level.iter().map(|c| c.x).fold(0.0, f32::max);
            assert!(top < before, "{top} after {before}");
            before = top;
        }
    }

    #[test]
    fn a_cubes_face_is_found_again_by_its_direction() {
        let mut faces: [Vec<Vec3>; 6] = Default::default();
        for (index, face) in faces.iter_mut().enumerate() {
            *face = (0..16).map(|texel| Vec3::new(index as f32, texel as f32, 0.0)).collect();
        }
        let cube = CubeImage { size: 4, faces };
        for (index, direction) in directions(4).enumerate() {
            let expected = Vec3::new((index / 16) as f32, (index % 16) as f32, 0.0);
            assert_eq!(cube_color(&cube, direction), expected, "{direction}");
        }
    }
}
