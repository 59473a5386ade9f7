//! Ossi's colours: clay, darker bands at the joints, a bright marker on the left of the chest.
//!
//! In:  the skin.
//! Out: texture coordinates, an image that turns them into colour, and vertex colours that
//! darken what is hidden from the sky.
//!
//! The image is a map of two distances: u from the nearest band, v from the nearest marker, both
//! signed and half-way at the edge. They vary evenly over a triangle, so edges are sharp
//! however coarse the mesh, and there is no seam.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use sinew_scene::{
    Filter, Image, ImageData, ImageId, Material, Sampler, Texture, TextureId, TextureUse,
    UvTransform, Wrap,
};

use super::body::Body;
use super::cells::Map;
use super::skeleton::{FOOT, FOREARM, HAND, SHIN, Side, UPPER_ARM, hang, on, places};
use super::surface::Surface;

/// The image's edge, in pixels.
const SIZE: u32 = 256;
/// The distance from the left edge of the image to the right, in metres.
const SPAN: f32 = 0.12;

// sRGB.
const CLAY: Vec3 = Vec3::new(0.835, 0.475, 0.330);
const BAND: Vec3 = Vec3::new(0.235, 0.165, 0.160);
const MARK: Vec3 = Vec3::new(0.270, 0.890, 0.830);

// Roughness.
const CLAY_ROUGH: f32 = 0.72;
const BAND_ROUGH: f32 = 0.45;
const MARK_ROUGH: f32 = 0.35;

/// A ring around a limb: between two planes, and near enough.
fn ring(p: Vec3, center: Vec3, along: Vec3, half: f32, reach: f32) -> f32 {
    let aside = (p - center).dot(along.normalize_or(Vec3::Y)).abs() - half;
    aside.max(p.distance(center) - reach)
}

/// Where bands and markers are: joints of the left side.
struct Markers {
    upper_arm: Vec3,
    forearm: Vec3,
    hand: Vec3,
    shin: Vec3,
    foot: Vec3,
    /// Along the arm.
    arm: Vec3,
}

impl Markers {
    fn new() -> Self {
        let places = places();
        let joint = |joint: usize| places[on(Side::Left, joint)];
        Self {
            upper_arm: joint(UPPER_ARM),
            forearm: joint(FOREARM),
            hand: joint(HAND),
            shin: joint(SHIN),
            foot: joint(FOOT),
            arm: hang().inverse() * Vec3::NEG_Y,
        }
    }

    /// How far a point of the skin is from the nearest dark band; negative within.
    fn to_band(&self, p: Vec3) -> f32 {
        let q = Vec3::new(p.x.abs(), p.y, p.z);
        let visor = {
            let aside = Vec2::new((q.x - 0.036).max(0.0), q.y - 1.652).length() - 0.029;
            aside.max(0.02 - q.z)
        };
        [
            ring(q, self.forearm, self.arm, 0.019, 0.08),
            ring(q, self.hand + self.arm * -0.004, self.arm, 0.009, 0.06),
            ring(q, self.shin, Vec3::Y, 0.024, 0.09),
            ring(q, self.foot + Vec3::Y * 0.03, Vec3::Y, 0.013, 0.07),
            ring(q, Vec3::new(0.0, 1.485, -0.012), Vec3::new(0.0, 1.0, 0.25), 0.014, 0.10),
            ring(q, Vec3::new(0.0, 1.035, 0.0), Vec3::Y, 0.017, 0.3),
            visor,
            // Soles.
            q.y - 0.016,
        ]
        .into_iter()
        .fold(SPAN, f32::min)
    }

    /// How far a point of the skin is from the nearest bright marker; negative within.
    fn to_mark(&self, p: Vec3) -> f32 {
        let chest = (p - Vec3::new(0.066, 1.345, 0.1)).truncate().length() - 0.021;
        let eye = {
            let aside = Vec2::new((p.x.abs() - 0.031) / 0.0095, (p.y - 1.652) / 0.0145);
            ((aside.length() - 1.0) * 0.012).max(0.05 - p.z)
        };
        let armband = ring(p, self.upper_arm + self.arm * 0.12, self.arm, 0.018, 0.08);
        chest.max(0.02 - p.z).min(eye).min(armband).min(SPAN)
    }
}

fn to_texture(distance: f32) -> f32 {
    (0.5 + distance / SPAN).clamp(0.0, 1.0)
}

/// How much of the sky a point of the skin sees, roughly, from zero to one.
fn open_sky(body: &Body, near: &[u16], p: Vec3, normal: Vec3) -> f32 {
    let seen = [0.03, 0.08]
        .map(|step| (body.far(near, p + normal * step).distance / step).clamp(0.0, 1.0));
    (0.5 * (seen[0] + seen[1])).powf(0.8)
}

/// Texture coordinates and vertex colours.
pub(super) fn paint(body: &Body, skin: &Surface) -> (Vec<Vec2>, Vec<Vec4>) {
    let markers = Markers::new();
    let mut around: Map<(i32, i32, i32), Vec<u16>> = Map::default();
    let all = body.all();
    let uvs = skin
        .positions
        .iter()
        .map(|&p| Vec2::new(to_texture(markers.to_band(p)), to_texture(markers.to_mark(p))));
    let colors = skin.positions.iter().zip(&skin.normals).map(|(&p, &normal)| {
        // Blocks of 10 cm; half a diagonal and the longest look are 17 cm.
        let block = (p * 10.0).floor().as_ivec3();
        let near = around
            .entry((block.x.max(-block.x - 1), block.y, block.z))
            .or_insert_with(|| body.near(&all, (block.as_vec3() + 0.5) * 0.1, 0.17).0);
        let sky = open_sky(body, near, p, normal);
        // Light that is thrown back within a fold of clay is warm.
        Vec3::new(0.55, 0.42, 0.38).lerp(Vec3::ONE, sky).extend(1.0)
    });
    (uvs.collect(), colors.collect())
}

/// What is at a place of the image: 1 past the edge, 0 before it, soft over two pixels.
fn past(pixel: u32) -> f32 {
    (pixel as f32 + 0.5 - SIZE as f32 / 2.0).clamp(-1.0, 1.0) * 0.5 + 0.5
}

fn image(name: &str, band: Vec3, marker: Vec3, clay: Vec3) -> Image {
    let mut rgba = Vec::with_capacity((SIZE * SIZE * 4) as usize);
    for v in 0..SIZE {
        for u in 0..SIZE {
            let color = marker.lerp(band.lerp(clay, past(u)), past(v));
            let bytes = (color * 255.0).round();
            rgba.extend([bytes.x as u8, bytes.y as u8, bytes.z as u8, 255]);
        }
    }
    let rgba: Arc<[u8]> = rgba.into();
    Image { name: name.into(), data: ImageData::Pixels { width: SIZE, height: SIZE, rgba } }
}

/// Roughness in green, no metal in blue.
fn rough(roughness: f32) -> Vec3 {
    Vec3::new(1.0, roughness, 0.0)
}

pub(super) fn images() -> Vec<Image> {
    vec![
        image("ossi colour", BAND, MARK, CLAY),
        image("ossi roughness", rough(BAND_ROUGH), rough(MARK_ROUGH), rough(CLAY_ROUGH)),
    ]
}

pub(super) fn textures() -> Vec<Texture> {
    let sampler = Sampler {
        wrap_u: Wrap::Clamp,
        wrap_v: Wrap::Clamp,
        mipmap: Some(Filter::Linear),
        ..Sampler::default()
    };
    [0, 1]
        .map(|image| Texture { name: String::new(), image: Some(ImageId::new(image)), sampler })
        .to_vec()
}

pub(super) fn material() -> Material {
    let texture = |texture: usize| {
        let transform = UvTransform::default();
        Some(TextureUse { texture: TextureId::new(texture), uv_set: 0, transform })
    };
    Material {
        name: "clay".into(),
        base_color_texture: texture(0),
        metallic: 0.0,
        roughness: 1.0,
        metallic_roughness_texture: texture(1),
        ..Material::default()
    }
}
