//! The image that turns two distances into colour, and its material.
//!
//! Out: an atlas of one tile for each garment. Along u a tile goes from trim to cloth, along v from mark to all else, each
//! half-way at the edge; so every edge is sharp however coarse the mesh.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use sinew_scene::{
    Filter, Image, ImageData, ImageId, Material, Sampler, Texture, TextureId, TextureUse,
    UvTransform, Wrap,
};

/// What Ossi wears, from top to bottom: one tile of the atlas each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Garment {
    /// Face, with cap and neckerchief.
    Head,
    Jacket,
    Gloves,
    Trousers,
    Boots,
}

/// A surface: sRGB colour, roughness, metal.
#[derive(Clone, Copy)]
struct Cloth {
    color: Vec3,
    roughness: f32,
    metallic: f32,
}

const fn cloth(red: f32, green: f32, blue: f32, roughness: f32) -> Cloth {
    Cloth { color: Vec3::new(red, green, blue), roughness, metallic: 0.0 }
}

const SKIN: Cloth = cloth(0.890, 0.650, 0.505, 0.55);
const CORAL: Cloth = cloth(0.925, 0.340, 0.220, 0.85);
const TEAL: Cloth = cloth(0.110, 0.400, 0.430, 0.80);
const SAND: Cloth = cloth(0.760, 0.640, 0.450, 0.90);
const CREAM: Cloth = cloth(0.935, 0.890, 0.790, 0.70);
const LEATHER: Cloth = cloth(0.800, 0.270, 0.170, 0.45);
const RUBBER: Cloth = cloth(0.130, 0.135, 0.160, 0.50);
const EYE: Cloth = cloth(0.095, 0.070, 0.075, 0.25);
const BRASS: Cloth =
    Cloth { color: Vec3::new(0.910, 0.770, 0.470), roughness: 0.30, metallic: 1.0 };

impl Garment {
    const ALL: [Self; 5] = [Self::Head, Self::Jacket, Self::Gloves, Self::Trousers, Self::Boots];

    /// Cloth, trim, mark.
    fn swatches(self) -> [Cloth; 3] {
        match self {
            Self::Head => [SKIN, CORAL, EYE],
            Self::Jacket => [TEAL, RUBBER, CORAL],
            Self::Gloves => [CREAM, RUBBER, CORAL],
            Self::Trousers => [SAND, RUBBER, BRASS],
            Self::Boots => [LEATHER, RUBBER, CREAM],
        }
    }

    fn tile(self) -> u32 {
        Self::ALL.iter().position(|garment| *garment == self).unwrap_or(0) as u32
    }
}

/// A tile's edge, in pixels.
const TILE: u32 = 128;
/// Tiles beside each other, and above each other.
const TILES: (u32, u32) = (4, 2);
/// The distance from one edge of a tile to the other, in metres.
pub(super) const SPAN: f32 = 0.12;
/// Room at the edge of a tile that smaller images of it may mix up, as a share.
const EDGE: f32 = 0.06;

/// The place in the atlas of a point so far from the trim and from the mark; negative within.
pub(super) fn place(garment: Garment, to_trim: f32, to_mark: f32) -> Vec2 {
    let within = |distance: f32| (0.5 + distance / SPAN).clamp(EDGE, 1.0 - EDGE);
    let tile = garment.tile();
    let corner = Vec2::new((tile % TILES.0) as f32, (tile / TILES.0) as f32);
    let tiles = Vec2::new(TILES.0 as f32, TILES.1 as f32);
    (corner + Vec2::new(within(to_trim), within(to_mark))) / tiles
}

/// 1 past the middle of a tile, 0 before it, soft over two pixels.
fn past(pixel: u32) -> f32 {
    (pixel as f32 + 0.5 - TILE as f32 / 2.0).clamp(-1.0, 1.0) * 0.5 + 0.5
}

fn image(name: &str, value: impl Fn(Cloth) -> Vec3) -> Image {
    let (width, height) = (TILES.0 * TILE, TILES.1 * TILE);
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    for y in 0..height {
        for x in 0..width {
            let tile = (y / TILE * TILES.0 + x / TILE) as usize;
            let garment = Garment::ALL.get(tile).copied().unwrap_or(Garment::Head);
            let [cloth, trim, mark] = garment.swatches().map(&value);
            let color = mark.lerp(trim.lerp(cloth, past(x % TILE)), past(y % TILE));
            let bytes = (color * 255.0).round();
            rgba.extend([bytes.x as u8, bytes.y as u8, bytes.z as u8, 255]);
        }
    }
    let rgba: Arc<[u8]> = rgba.into();
    Image { name: name.into(), data: ImageData::Pixels { width, height, rgba } }
}

pub(super) fn images() -> Vec<Image> {
    vec![
        image("ossi colour", |cloth| cloth.color),
        // Roughness in green, metal in blue.
        image("ossi roughness", |cloth| Vec3::new(1.0, cloth.roughness, cloth.metallic)),
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
        name: "ossi".into(),
        base_color_texture: texture(0),
        metallic: 1.0,
        roughness: 1.0,
        metallic_roughness_texture: texture(1),
        ..Material::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garments_have_tiles_of_their_own_and_distances_stay_within() {
        let jacket = place(Garment::Jacket, 1.0, -1.0);
        assert!(jacket.abs_diff_eq(Vec2::new((1.0 + 0.94) / 4.0, 0.06 / 2.0), 1e-6), "{jacket}");
        let boots = place(Garment::Boots, 0.0, 0.0);
        assert!(boots.abs_diff_eq(Vec2::new(0.125, 0.75), 1e-6), "{boots}");
    }
}
