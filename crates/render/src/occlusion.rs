//! Which parts of a scene hide the environment from each other: depth maps seen from where its light comes from.
//!
//! In:  an environment; later each frame's characters and camera.
//! Out: directions with the light of the part of the environment around each, and where in the world their maps lie.
//!
//! Bright parts are split finely, dark ones coarsely, each by half of its weight (P. Debevec, "A median cut algorithm for light
//! probe sampling", 2005). A surface looks up in every map whether that direction is free: light that is
//! hidden is replaced by light that what hides it sends on.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};
use sinew_deform::Bounds;

use crate::environment::{CubeLevels, HARMONICS, irradiance};
use crate::{Frame, Lens};

/// The most directions that a shader goes through.
pub(crate) const MAX_DIRECTIONS: usize = 128;
/// Texels on a side of the faces that are split.
const SIDE: u32 = 32;

/// Whether parts of a scene hide the environment from each other.
///
/// The cost is one draw of everyone's depth for each direction, and one look-up for each direction and pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occlusion {
    /// How many directions the environment is split into: a power of two of at most 128; 0 for none.
    pub directions: u32,
    /// Pixels on a side of each direction's map.
    pub map_size: u32,
}

impl Occlusion {
    /// Nothing hides anything.
    pub const OFF: Self = Self { directions: 0, map_size: 0 };
    /// For windows: soft edges show steps.
    pub const DRAFT: Self = Self { directions: 16, map_size: 128 };
    /// For images.
    pub const NORMAL: Self = Self { directions: 64, map_size: 256 };
    /// For large images.
    pub const HIGH: Self = Self { directions: 128, map_size: 512 };

    /// Every kind, by the name that people write.
    pub const ALL: [(&'static str, Self); 4] = [
        ("off", Self::OFF),
        ("draft", Self::DRAFT),
        ("normal", Self::NORMAL),
        ("high", Self::HIGH),
    ];

    /// Tiles in a row of the atlas.
    pub(crate) fn columns(self) -> u32 {
        (self.count() as f32).sqrt().ceil() as u32
    }

    /// How many directions there are.
    pub(crate) fn count(self) -> u32 {
        if self.map_size == 0 { 0 } else { self.directions.min(MAX_DIRECTIONS as u32) }
    }

    /// Pixels on a side of the atlas.
    pub(crate) fn atlas_size(self) -> u32 {
        (self.columns() * self.map_size).max(1)
    }
}

impl std::str::FromStr for Occlusion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        let expected = || format!("expected off, draft, normal or high, found \"{text}\"");
        found.map(|(_, kind)| *kind).ok_or_else(expected)
    }
}

impl Default for Occlusion {
    fn default() -> Self {
        Self::NORMAL
    }
}

/// A part of the environment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Towards its middle; unit length.
    pub(crate) towards: Vec3,
    /// Radiance times solid angle, over π.
    pub(crate) light: Vec3,
    /// Steradians.
    pub(crate) angle: f32,
    /// What a white wall that faces away from it would look like: the light of what may hide it.
    pub(crate) behind: Vec3,
}

/// Splits an environment into so many parts.
pub(crate) fn split(cube: &CubeLevels, harmonics: &[Vec4; HARMONICS], count: usize) -> Vec<Part> {
    let mut samples: Vec<Sample> = cube.samples(SIDE).map(Sample::new).collect();
    let bright: f32 = samples.iter().map(|sample| sample.weight * sample.angle).sum();
    let sphere: f32 = samples.iter().map(|sample| sample.angle).sum();
    // Half by light, half by size: what is dark hides too, and is seen by mirrors.
    for sample in &mut samples {
        sample.weight = sample.angle * (sample.weight / bright.max(1e-12) + 1.0 / sphere);
    }
    let mut parts = Vec::with_capacity(count);
    halve(&mut samples, count, &mut parts);
    for part in &mut parts {
        part.behind = irradiance(harmonics, -part.towards);
    }
    parts
}

#[derive(Clone, Copy)]
struct Sample {
    towards: Vec3,
    color: Vec3,
    angle: f32,
    weight: f32,
}

impl Sample {
    fn new((towards, color, angle): (Vec3, Vec3, f32)) -> Self {
        let weight = color.dot(Vec3::new(0.2126, 0.7152, 0.0722));
        Self { towards, color, angle, weight }
    }
}

fn halve(samples: &mut [Sample], count: usize, parts: &mut Vec<Part>) {
    if samples.is_empty() {
        return;
    }
    if count <= 1 {
        parts.push(whole(samples));
        return;
    }
    let middle = samples.iter().map(|s| s.towards * s.weight).sum::<Vec3>();
    let total: f32 = samples.iter().map(|sample| sample.weight).sum();
    let middle = middle / total.max(1e-12);
    let mut spread = Vec3::ZERO;
    for sample in samples.iter() {
        spread += (sample.towards - middle) * (sample.towards - middle) * sample.weight;
    }
    let axis = spread.max_position();
    // Stable: many lie at one height, and every build must cut them the same way.
    samples.sort_by(|a, b| a.towards[axis].total_cmp(&b.towards[axis]));
    let mut sum = 0.0;
    let cut = samples.iter().position(|sample| {
        sum += sample.weight;
        sum >= total * 0.5
    });
    let cut = cut.map_or(samples.len() / 2, |cut| cut + 1).min(samples.len() - 1);
    let (low, high) = samples.split_at_mut(cut);
    halve(low, count / 2, parts);
    halve(high, count - count / 2, parts);
}

fn whole(samples: &[Sample]) -> Part {
    let sum = |value: &dyn Fn(&Sample) -> Vec3| samples.iter().map(value).sum::<Vec3>();
    let towards = sum(&|sample| sample.towards * sample.weight).normalize_or(Vec3::Y);
    let light = sum(&|sample| sample.color * sample.angle) / std::f32::consts::PI;
    let angle = samples.iter().map(|sample| sample.angle).sum();
    Part { towards, light, angle, behind: Vec3::ZERO }
}

/// One direction as occlusion.wgsl reads it; a test compares the two.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct DirectionUniform {
    pub(crate) towards: Vec3,
    /// Shares, two in each number: light and solid angle, then the light behind.
    pub(crate) light_rg: u32,
    pub(crate) light_b: u32,
    pub(crate) behind_rg: u32,
    pub(crate) behind_b: u32,
    /// What the shares of the light behind are of; the same for all.
    pub(crate) scale: f32,
}

/// Two shares from 0 to 1 in one number, as `unpack2x16unorm` reads them.
fn shares(low: f32, high: f32) -> u32 {
    let share = |value: f32| (value.clamp(0.0, 1.0) * 65_535.0 + 0.5) as u32;
    share(low) | share(high) << 16
}

/// All of them.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct OcclusionUniform {
    pub(crate) sphere: Vec4,
    pub(crate) sizes: Vec4,
    pub(crate) directions: [DirectionUniform; MAX_DIRECTIONS],
}

/// The maps of one frame.
#[derive(Debug)]
pub(crate) struct OcclusionFit {
    pub(crate) uniform: Box<OcclusionUniform>,
    /// From the world to each map.
    pub(crate) map_from_world: Vec<Mat4>,
}

/// Fits the maps around what is seen; `None` when nothing hides anything.
pub(crate) fn fit(frame: &Frame, parts: &[Part], seen: &[bool]) -> Option<OcclusionFit> {
    let occlusion = frame.occlusion;
    if occlusion.count() == 0 || frame.environment_strength <= 0.0 || parts.is_empty() {
        return None;
    }
    let (middle, radius) = sphere(frame, seen)?;
    let mut uniform: Box<OcclusionUniform> = bytemuck::zeroed_box();
    uniform.sphere = middle.extend(radius);
    let tile = 1.0 / occlusion.columns() as f32;
    let texel = 2.0 * radius / occlusion.map_size as f32;
    uniform.sizes = Vec4::new(parts.len() as f32, tile, texel, 1.0 / occlusion.map_size as f32);
    let turn = glam::Quat::from_rotation_y(frame.environment_rotation);
    // Of the light only proportions count.
    let brightest = parts.iter().map(|part| part.light.max_element()).fold(1e-12, f32::max);
    let scale = parts.iter().map(|part| part.behind.max_element()).fold(1e-12, f32::max);
    let mut map_from_world = Vec::with_capacity(parts.len());
    for (part, slot) in parts.iter().zip(&mut uniform.directions) {
        let towards = turn * part.towards;
        let (aside, above) = towards.any_orthonormal_pair();
        slot.towards = towards;
        let light = part.light / brightest;
        let behind = part.behind / scale;
        slot.light_rg = shares(light.x, light.y);
        slot.light_b = shares(light.z, part.angle / (4.0 * std::f32::consts::PI));
        slot.behind_rg = shares(behind.x, behind.y);
        slot.behind_b = shares(behind.z, 0.0);
        slot.scale = scale;
        map_from_world.push(map(middle, radius, [aside, above, towards]));
    }
    Some(OcclusionFit { uniform, map_from_world })
}

/// Around everyone seen, as far as the camera sees at its target.
fn sphere(frame: &Frame, seen: &[bool]) -> Option<(Vec3, f32)> {
    let camera = &frame.camera;
    let gap = camera.position.distance(camera.target);
    let half_height = match camera.lens {
        Lens::Perspective { fov_y } => gap * (fov_y * 0.5).tan(),
        Lens::Orthographic { half_height } => half_height,
    };
    let view = half_height * 2.0;
    let mut bounds = Bounds::EMPTY;
    for (own, seen) in frame.characters.iter().zip(seen) {
        if *seen {
            let limit = Vec3::splat(view);
            let own =
                own.unwrap_or(Bounds { min: camera.target - limit, max: camera.target + limit });
            bounds = bounds.union(own);
        }
    }
    if bounds.is_empty() {
        return None;
    }
    let radius = bounds.size().length() * 0.5;
    if radius <= view * 1.2 {
        Some((bounds.center(), radius.max(1e-4)))
    } else {
        Some((camera.target, view))
    }
}

/// From the world to a map that looks from far along `towards` at the sphere; depth from 0 near the light to 1.
fn map(middle: Vec3, radius: f32, [aside, above, towards]: [Vec3; 3]) -> Mat4 {
    let scale = 1.0 / radius;
    let row = |axis: Vec3, scale: f32, offset: f32| {
        (axis * scale).extend(offset - axis.dot(middle) * scale)
    };
    Mat4::from_cols(
        row(aside, scale, 0.0),
        row(above, scale, 0.0),
        row(towards, -0.5 * scale, 0.5),
        Vec4::W,
    )
    .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::harmonics;
    use crate::{Environment, Equirect};

    fn lamp() -> CubeLevels {
        let mut pixels = vec![Vec3::splat(0.2); 128 * 64];
        pixels[..128 * 8].fill(Vec3::splat(50.0));
        let image = Equirect { width: 128, height: 64, pixels };
        CubeLevels::of(&Environment::Equirect(std::sync::Arc::new(image)))
    }

    #[test]
    fn parts_hold_all_the_light_and_the_whole_sphere() {
        let cube = lamp();
        let parts = split(&cube, &harmonics(&cube), 64);
        assert_eq!(parts.len(), 64);
        let angle: f32 = parts.iter().map(|part| part.angle).sum();
        assert!((angle - 4.0 * std::f32::consts::PI).abs() < 0.02, "{angle}");
        let light: Vec3 = parts.iter().map(|part| part.light).sum();
        let all: Vec3 = cube.samples(SIDE).map(|(_, color, angle)| color * angle).sum();
        assert!((light * std::f32::consts::PI - all).abs().max_element() < 1e-3 * all.x);
    }

    #[test]
    fn a_lamp_has_more_parts_than_its_size_alone_would_give_it() {
        let cube = lamp();
        let parts = split(&cube, &harmonics(&cube), 64);
        let bright = parts.iter().filter(|part| part.light.x / part.angle > 5.0).count();
        // Above 67.5° there is less than a twentieth of the sphere.
        assert!(bright >= 20, "{bright}");
    }

    #[test]
    fn a_map_has_what_is_nearer_to_its_light_at_less_depth() {
        let towards = Vec3::new(0.6, 0.8, 0.0);
        let (aside, above) = towards.any_orthonormal_pair();
        let matrix = map(Vec3::new(1.0, 2.0, 3.0), 2.0, [aside, above, towards]);
        let at = |point: Vec3| matrix.project_point3(point);
        let middle = at(Vec3::new(1.0, 2.0, 3.0));
        assert!(middle.abs_diff_eq(Vec3::new(0.0, 0.0, 0.5), 1e-5), "{middle}");
        assert!(at(Vec3::new(1.0, 2.0, 3.0) + towards).z < 0.5);
        assert!((at(Vec3::new(1.0, 2.0, 3.0) + aside * 2.0).x - 1.0).abs() < 1e-5);
    }
}
