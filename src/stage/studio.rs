//! The studio: the light, backdrop and floor that a stage has where nothing else is asked for.
//!
//! In:  a theme, and from where the camera looks.
//! Out: [`Surroundings`] with an environment made by code (soft boxes in a dim or a bright room), a key light that casts
//! the shadow, a backdrop and a floor that fades into it.
//!
//! Everything is placed as seen from the camera, as a photographer places lamps: key from the left, fill from the right,
//! two rims from behind.

use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use glam::{Mat3, Quat, Vec3};
use sinew_deform::Bounds;
use sinew_render::{Background, Camera, Environment, Equirect, Floor, Light, Occlusion};

use super::{Color, Surroundings};

/// A dark studio or a bright one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The model is the brightest thing in the image.
    #[default]
    Dark,
    /// For pages that are white.
    Light,
}

impl FromStr for Theme {
    type Err = ThemeError;

    fn from_str(text: &str) -> Result<Self, ThemeError> {
        match text.trim() {
            "dark" => Ok(Self::Dark),
            "light" => Ok(Self::Light),
            other => Err(ThemeError(other.chars().take(40).collect())),
        }
    }
}

/// No theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemeError(String);

impl std::fmt::Display for ThemeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "expected dark or light, found \"{}\"", self.0)
    }
}

impl std::error::Error for ThemeError {}

/// Width of the environment's image, in pixels; twice its height. Soft boxes have no sharp edges to lose.
const WIDTH: u32 = 128;
/// The room is smooth, so fewer directions do than [`Occlusion::NORMAL`] has.
const OCCLUSION: Occlusion = Occlusion { directions: 32, map_size: 192 };
/// Where the key light is: degrees to the right of the camera, and above the horizon.
const KEY: (f32, f32) = (-38.0, 52.0);

/// Where a soft box's edge ends, as a share of its half width and height.
const SOFT: f32 = 1.25;

/// A lamp behind a cloth: a rectangle of light with soft edges.
struct SoftBox {
    /// Degrees to the right of the camera, and above the horizon.
    at: (f32, f32),
    /// Half of its width and height, in degrees.
    half: (f32, f32),
    /// How far ahead of its turn a direction of unit length is at least where it adds anything; a test has the exact number.
    ahead: f32,
    /// Radiance.
    light: Vec3,
}

const fn soft_box(at: (f32, f32), half: (f32, f32), ahead: f32, light: [f32; 3]) -> SoftBox {
    SoftBox { at, half, ahead, light: Vec3::from_array(light) }
}

const BOXES: [SoftBox; 5] = [
    // Key, fill, two rims, and a cloth under the ceiling.
    soft_box(KEY, (26.0, 20.0), 0.764, [6.2, 5.7, 5.0]),
    soft_box((62.0, 14.0), (30.0, 34.0), 0.584, [0.95, 1.10, 1.30]),
    soft_box((150.0, 30.0), (12.0, 38.0), 0.652, [5.2, 6.0, 7.4]),
    soft_box((-148.0, 26.0), (10.0, 42.0), 0.594, [5.6, 4.6, 3.6]),
    soft_box((0.0, 88.0), (60.0, 30.0), 0.205, [1.7, 1.7, 1.75]),
];

impl SoftBox {
    /// From the room to what is straight before it.
    fn turn(&self) -> Mat3 {
        let turn = Quat::from_rotation_y(self.at.0.to_radians())
            * Quat::from_rotation_x(-self.at.1.to_radians());
        Mat3::from_quat(turn.inverse())
    }

    /// What it adds in a direction of unit length, for its [`turn`](Self::turn).
    fn seen(&self, turn: Mat3, direction: Vec3) -> Vec3 {
        let local = turn * direction;
        if local.z <= self.ahead {
            return Vec3::ZERO;
        }
        let aside = local.x.atan2(local.z).to_degrees().abs() / self.half.0;
        let above = local.y.asin().to_degrees().abs() / self.half.1;
        let edge = |share: f32| {
            let t = ((SOFT - share) / 0.5).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        };
        self.light * edge(aside) * edge(above)
    }
}

/// What a studio is lit by: everything a theme changes.
struct Room {
    /// Radiance of floor, walls and ceiling.
    ground: Vec3,
    walls: Vec3,
    ceiling: Vec3,
    /// How much of the soft boxes' light there is.
    boxes: f32,
    key: f32,
    /// sRGB: behind the model, and at the edges of the image.
    middle: u32,
    edge: u32,
    /// Light on the floor about the model, from 0 to 1.
    pool: f32,
    /// Of the shadow.
    shadow: f32,
    /// How much of a mirror the floor is.
    reflection: f32,
}

impl Theme {
    fn room(self) -> Room {
        match self {
            Self::Dark => Room {
                ground: Vec3::new(0.040, 0.042, 0.046),
                walls: Vec3::new(0.068, 0.074, 0.088),
                ceiling: Vec3::new(0.13, 0.14, 0.15),
                boxes: 0.5,
                key: 1.8,
                middle: 0x46_4c55,
                edge: 0x1b_1d22,
                pool: 0.035,
                shadow: 0.85,
                reflection: 0.7,
            },
            Self::Light => Room {
                ground: Vec3::new(0.38, 0.37, 0.36),
                walls: Vec3::new(0.50, 0.51, 0.52),
                ceiling: Vec3::new(0.67, 0.68, 0.70),
                boxes: 0.4,
                key: 1.3,
                middle: 0xf5_f3f0,
                edge: 0xcd_cfd4,
                pool: 0.5,
                shadow: 0.55,
                reflection: 0.7,
            },
        }
    }

    /// Made once, so that a renderer prepares it once.
    fn environment(self) -> Environment {
        static MADE: [OnceLock<Arc<Equirect>>; 2] = [OnceLock::new(), OnceLock::new()];
        let made = MADE[self as usize].get_or_init(|| Arc::new(image(&self.room())));
        Environment::Equirect(Arc::clone(made))
    }
}

/// The room as seen from its middle; its front is +Z.
fn image(room: &Room) -> Equirect {
    use std::f32::consts::{PI, TAU};
    let height = WIDTH / 2;
    let turns = BOXES.each_ref().map(SoftBox::turn);
    let pixel = |index: u32| {
        let turn = ((index % WIDTH) as f32 + 0.5) / WIDTH as f32 * TAU - PI;
        let rise = PI * (0.5 - ((index / WIDTH) as f32 + 0.5) / height as f32);
        let level = rise.cos();
        let direction = Vec3::new(turn.cos() * level, rise.sin(), turn.sin() * level);
        let around = if direction.y < 0.0 {
            room.walls.lerp(room.ground, (-direction.y * 3.0).min(1.0))
        } else {
            room.walls.lerp(room.ceiling, direction.y)
        };
        let boxes = BOXES.iter().zip(turns).map(|(soft, turn)| soft.seen(turn, direction));
        around + boxes.sum::<Vec3>() * room.boxes
    };
    Equirect { width: WIDTH, height, pixels: (0..WIDTH * height).map(pixel).collect() }
}

/// The direction of a lamp: degrees to the right of +Z, and above the horizon.
fn towards((right, above): (f32, f32)) -> Vec3 {
    let (sin, cos) = right.to_radians().sin_cos();
    let (rise, level) = above.to_radians().sin_cos();
    Vec3::new(sin * level, rise, cos * level)
}

impl Surroundings {
    /// A studio, for a camera on +Z.
    ///
    /// ```
    /// use sinew::stage::{Surroundings, Theme};
    /// let mut stage = sinew::Stage::of(sinew::ossi());
    /// stage.surroundings = Surroundings::studio(Theme::Light);
    /// ```
    #[must_use]
    pub fn studio(theme: Theme) -> Self {
        let room = theme.room();
        let color = |hex: u32| Color::srgb(hex).0;
        let key = Light::directional(-towards(KEY), Vec3::new(1.0, 0.955, 0.90), room.key);
        Self {
            lights: vec![key],
            environment: theme.environment(),
            background: Background::Backdrop { middle: color(room.middle), edge: color(room.edge) },
            shadow_strength: room.shadow,
            occlusion: OCCLUSION,
            theme: Some(theme),
            ..Self::daylight()
        }
    }

    /// Puts the lamps of a studio about a camera that looks along `direction`; other light stays where it is.
    pub fn face(&mut self, direction: Vec3) {
        let own = self.theme.is_some_and(|theme| self.environment == theme.environment());
        let Some(level) = direction.with_y(0.0).try_normalize().filter(|_| own) else { return };
        let key = |turn: f32| Quat::from_rotation_y(turn) * -towards(KEY);
        let before = key(self.environment_rotation);
        self.environment_rotation = (-level.x).atan2(-level.z);
        if let Some(lamp) = self.lights.first_mut()
            && lamp.direction.abs_diff_eq(before, 1e-4)
        {
            lamp.direction = key(self.environment_rotation);
        }
    }

    /// The same for a camera that is known already.
    pub fn face_camera(&mut self, camera: &Camera) {
        self.face(camera.forward());
    }

    /// The floor: its own, or one for what stands on it, in the pool of light of a studio.
    #[must_use]
    pub fn floor_under(&self, bounds: Bounds) -> Floor {
        let height = if bounds.is_empty() { 0.0 } else { bounds.min.y };
        let shadow = self.background != Background::Transparent;
        let floor = self.floor.unwrap_or_else(|| Floor {
            height,
            shadow,
            grid: false,
            ..Floor::under(bounds)
        });
        let lit = matches!(self.background, Background::Backdrop { .. });
        let room = self.theme.filter(|_| lit).map(Theme::room);
        let pool = room.as_ref().map_or(0.0, |room| room.pool);
        let usual = room.map_or(0.0, |room| room.reflection);
        Floor { pool, reflection: self.reflection.unwrap_or(usual), ..floor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_soft_box_adds_nothing_farther_aside_than_it_says() {
        for soft in &BOXES {
            let cos = |half: f32| (half * SOFT).to_radians().cos();
            let exact = cos(soft.half.0) * cos(soft.half.1);
            let gap = exact - soft.ahead;
            assert!((0.0..0.001).contains(&gap), "{} for {exact}", soft.ahead);
        }
    }

    #[test]
    fn the_key_is_the_brightest_in_front_and_stands_to_the_left_of_the_camera() {
        let room = image(&Theme::Dark.room());
        // The right half of the image is what is on the camera's side.
        let brightest = (0..room.pixels.len())
            .filter(|index| *index as u32 % WIDTH >= WIDTH / 2)
            .max_by(|a, b| room.pixels[*a].element_sum().total_cmp(&room.pixels[*b].element_sum()))
            .expect("pixels") as u32;
        // u = 0.5 + atan2(z, x) / 2π: +Z is at three quarters, +X at a half.
        let u = (brightest % WIDTH) as f32 / WIDTH as f32;
        assert!((0.75..1.0).contains(&u), "towards -X from +Z: {u}");
    }

    #[test]
    fn lamps_go_around_with_the_camera_and_other_light_does_not() {
        let mut around = Surroundings::studio(Theme::Dark);
        around.face(Vec3::NEG_Z);
        assert!(around.lights[0].direction.abs_diff_eq(-towards(KEY), 1e-5));
        around.face(Vec3::NEG_X);
        // From +X, left is +Z.
        assert!(around.lights[0].direction.z < 0.0 && around.lights[0].direction.x < 0.0);
        let mut day = Surroundings::daylight();
        let before = day.lights[0].direction;
        day.face(Vec3::NEG_X);
        assert_eq!(day.lights[0].direction, before);
    }

    #[test]
    fn the_floor_mirrors_before_a_backdrop_and_elsewhere_only_where_asked() {
        let bounds = Bounds { min: Vec3::ZERO, max: Vec3::ONE };
        let mut around = Surroundings::studio(Theme::Light);
        assert_eq!(around.floor_under(bounds).reflection, Theme::Light.room().reflection);
        around.background = Background::Color(Vec3::ONE);
        assert_eq!(around.floor_under(bounds).reflection, 0.0);
        around.reflection = Some(0.3);
        assert_eq!(around.floor_under(bounds).reflection, 0.3);
        assert_eq!(Surroundings::daylight().floor_under(bounds).reflection, 0.0);
    }

    #[test]
    fn a_room_is_made_once() {
        assert_eq!(Theme::Light.environment(), Theme::Light.environment());
        assert_ne!(Theme::Light.environment(), Theme::Dark.environment());
        assert!("sepia".parse::<Theme>().is_err());
    }
}
