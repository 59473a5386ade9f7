//! What surrounds a scene: sky, background, fog.
//!
//! Colours are linear. An environment gives a background and ambient light from all sides; the sun's own
//! light is a [`Light`](crate::Light), so that it is not counted twice.

mod cube;
mod harmonics;
mod kept;
mod known;
mod tone;

use std::sync::Arc;

use glam::{Vec2, Vec3};

pub(crate) use cube::CubeLevels;
pub use kept::Keep;
use known::Known;

use harmonics::SIDE;
pub(crate) use harmonics::{HARMONICS, harmonics, irradiance};
pub use tone::Tone;

/// A sky made of three colours and a sun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sky {
    /// Straight up.
    pub zenith: Vec3,
    /// At eye level.
    pub horizon: Vec3,
    /// Below.
    pub ground: Vec3,
    /// Towards the sun; unit length.
    pub sun: Vec3,
    /// Of the disc and the glow around it; zero for none.
    pub sun_color: Vec3,
    /// Radius of the disc, in radians.
    pub sun_size: f32,
}

impl Default for Sky {
    /// A clear day with little colour, so that a model's own colours show.
    fn default() -> Self {
        Self {
            zenith: Vec3::new(0.30, 0.45, 0.78),
            horizon: Vec3::new(0.70, 0.79, 0.92),
            ground: Vec3::new(0.30, 0.28, 0.26),
            sun: Vec3::new(-0.42, 0.78, 0.47).normalize(),
            sun_color: Vec3::new(1.0, 0.93, 0.82),
            sun_size: 0.02,
        }
    }
}

impl Sky {
    /// The colour in a direction of unit length, without the sun.
    #[must_use]
    pub fn color(&self, direction: Vec3) -> Vec3 {
        let height = direction.y;
        let above = self.horizon.lerp(self.zenith, 1.0 - (-3.0 * height.max(0.0)).exp());
        let down = (-height / 0.12).clamp(0.0, 1.0);
        above.lerp(self.ground, down * down * (3.0 - 2.0 * down))
    }
}

/// An image of everything around (equirectangular), with Y up: its middle is seen along +X, its right quarter along +Z, its left
/// quarter along -Z and both edges along -X, as three.js reads it. For a direction of unit length
/// `u = 0.5 + atan2(z, x) / 2π`, `v = 0.5 - asin(y) / π`, `u` from the left and `v` from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Equirect {
    /// In pixels; usually twice the height.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Linear, rows from the top.
    pub pixels: Vec<Vec3>,
}

impl Equirect {
    /// From 8-bit sRGB pixels with alpha, rows from the top; `None` when there are not `width · height`.
    #[must_use]
    pub fn from_srgb(width: u32, height: u32, rgba: &[u8]) -> Option<Self> {
        let whole = width > 0 && height > 0 && rgba.len() == (width * height * 4) as usize;
        let linear = |value: u8| crate::readback::linear_from_srgb(f32::from(value) / 255.0);
        let pixel = |p: &[u8]| Vec3::new(linear(p[0]), linear(p[1]), linear(p[2]));
        whole.then(|| Self { width, height, pixels: rgba.chunks_exact(4).map(pixel).collect() })
    }

    /// From linear red, green and blue, three numbers a pixel, rows from the top; `None` when there are not `width · height`.
    #[must_use]
    pub fn from_linear(width: u32, height: u32, rgb: &[f32]) -> Option<Self> {
        let count = width as usize * height as usize * 3;
        let whole = count > 0 && rgb.len() == count;
        let pixel = |p: &[f32]| Vec3::new(p[0], p[1], p[2]);
        whole.then(|| Self { width, height, pixels: rgb.chunks_exact(3).map(pixel).collect() })
    }

    /// At half its size as often as it takes to be no wider than `width`.
    fn fitted(&self, width: u32) -> std::borrow::Cow<'_, Self> {
        let mut fitted = std::borrow::Cow::Borrowed(self);
        while fitted.width > width && fitted.height > 1 {
            fitted = std::borrow::Cow::Owned(fitted.halved());
        }
        fitted
    }

    fn halved(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let at = |x: u32, y: u32| self.pixels[(y * self.width + x) as usize];
        let mean = |index: u32| {
            let (x, y) = (index % width * 2, index / width * 2);
            (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) * 0.25
        };
        Self { width, height, pixels: (0..width * height).map(mean).collect() }
    }

    fn color(&self, direction: Vec3) -> Vec3 {
        use std::f32::consts::{PI, TAU};
        let u = 0.5 + direction.z.atan2(direction.x) / TAU;
        let v = direction.y.clamp(-1.0, 1.0).acos() / PI;
        let size = Vec2::new(self.width as f32, self.height as f32);
        let at = Vec2::new(u, v) * size - 0.5;
        let (low, part) = (at.floor(), at - at.floor());
        let read = |x: f32, y: f32| {
            let column = (low.x + x).rem_euclid(size.x) as usize;
            let row = (low.y + y).clamp(0.0, size.y - 1.0) as usize;
            self.pixels[row * self.width as usize + column.min(self.width as usize - 1)]
        };
        let above = read(0.0, 0.0).lerp(read(1.0, 0.0), part.x);
        above.lerp(read(0.0, 1.0).lerp(read(1.0, 1.0), part.x), part.y)
    }
}

/// Six square images: +X, -X, +Y, -Y, +Z, -Z, as graphics libraries order and turn them.
#[derive(Clone, Debug, PartialEq)]
pub struct CubeImage {
    /// Of each face, in pixels.
    pub size: u32,
    /// Linear, rows from the top.
    pub faces: [Vec<Vec3>; 6],
}

static KNOWN_IMAGES: Known<Equirect> = Known::new();
static KNOWN_CUBES: Known<CubeImage> = Known::new();

/// What surrounds a scene. Images are shared and known by their address: the same `Arc` is prepared once.
#[derive(Clone, Debug)]
pub enum Environment {
    /// Made of a few colours.
    Sky(Sky),
    /// One image all around.
    Equirect(Arc<Equirect>),
    /// Six images.
    Cube(Arc<CubeImage>),
}

impl Environment {
    /// An image all around, from linear red, green and blue: three numbers a pixel, rows from the top. See [`Equirect`] for
    /// which part of it is seen where; `None` when there are not `width · height` pixels.
    ///
    /// ```
    /// use sinew_render::Environment;
    /// let white = Environment::from_equirect(2, 1, &[1.0; 6]);
    /// assert!(white.is_some());
    /// assert!(Environment::from_equirect(2, 1, &[1.0; 5]).is_none());
    /// ```
    #[must_use]
    pub fn from_equirect(width: u32, height: u32, rgb: &[f32]) -> Option<Self> {
        Equirect::from_linear(width, height, rgb).map(|image| Self::Equirect(Arc::new(image)))
    }

    /// Prepares an image for drawing, on all cores: otherwise the first frame with it does. The result is kept as long as the
    /// image is, for every renderer; a thread may call it while others open files or devices.
    pub fn prepare(&self) {
        let _ = self.levels();
    }

    /// The same, with the slow part of it kept between runs.
    pub fn prepare_with(&self, keep: &dyn Keep) {
        let make = || CubeLevels::of_kept(self, keep);
        match self {
            Self::Sky(_) => {}
            Self::Equirect(image) => drop(KNOWN_IMAGES.get(image, make)),
            Self::Cube(image) => drop(KNOWN_CUBES.get(image, make)),
        }
    }

    /// No more of it than its harmonics are made of, made anew.
    pub(crate) fn coarse_level(&self) -> Arc<CubeLevels> {
        Arc::new(CubeLevels::sharp(self, SIDE))
    }

    /// Its cube map, made once for each image.
    pub(crate) fn levels(&self) -> Arc<CubeLevels> {
        match self {
            Self::Sky(_) => Arc::new(CubeLevels::of(self)),
            Self::Equirect(image) => KNOWN_IMAGES.get(image, || CubeLevels::of(self)),
            Self::Cube(image) => KNOWN_CUBES.get(image, || CubeLevels::of(self)),
        }
    }
}

impl Default for Environment {
    fn default() -> Self {
        Self::Sky(Sky::default())
    }
}

impl PartialEq for Environment {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Sky(a), Self::Sky(b)) => a == b,
            (Self::Equirect(a), Self::Equirect(b)) => Arc::ptr_eq(a, b),
            (Self::Cube(a), Self::Cube(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// What is seen where nothing is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Background {
    /// One colour, linear; shown as it is, without exposure.
    Color(Vec3),
    /// Nothing: the image keeps its alpha.
    Transparent,
    /// The environment, this bright (1 as it is).
    Sky(f32),
    /// A cloth behind everything: lighter behind the middle of the image. Shown as it is, without exposure.
    Backdrop {
        /// Linear.
        middle: Vec3,
        /// Linear.
        edge: Vec3,
    },
}

impl Background {
    /// One colour, as people write it: `#rrggbb`.
    #[must_use]
    pub fn srgb(red: u8, green: u8, blue: u8) -> Self {
        let linear = |value: u8| crate::readback::linear_from_srgb(f32::from(value) / 255.0);
        Self::Color(Vec3::new(linear(red), linear(green), linear(blue)))
    }
}

impl Default for Background {
    fn default() -> Self {
        Self::srgb(0x2b, 0x2e, 0x33)
    }
}

/// What hides the distance. Colours are linear and shown as they are, without exposure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Fog {
    /// Clear air.
    #[default]
    None,
    /// From nothing at `start` to everything at `end`, in metres.
    Linear {
        /// Of the fog.
        color: Vec3,
        /// Where it begins.
        start: f32,
        /// Where nothing else is left.
        end: f32,
    },
    /// What is seen falls to 1/e every `1 / density` metres.
    Exponential {
        /// Of the fog.
        color: Vec3,
        /// Per metre.
        density: f32,
    },
    /// Clear near by, then thick: exponential in the square of the distance.
    ExponentialSquared {
        /// Of the fog.
        color: Vec3,
        /// Per metre.
        density: f32,
    },
}
