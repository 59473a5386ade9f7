//! What every pass reads, laid out as globals.wgsl has it; a test compares the two.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};
use sinew_scene::LightKind;

use crate::environment::{Environment, HARMONICS};
use crate::{Background, Fog, Frame, Lens, Light};

/// How often a shader looks for a shadow around a place. Said here and not there, so that no driver makes a copy of its code for each.
const TAPS: u32 = 16;
/// As many lights as a shader goes through.
pub(crate) const MOST_LIGHTS: usize = 16;

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LightUniform {
    pub(crate) position: Vec4,
    pub(crate) direction: Vec4,
    pub(crate) color: Vec4,
    pub(crate) cone: Vec4,
}

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Globals {
    pub(crate) clip_from_world: Mat4,
    pub(crate) shadow_from_world: Mat4,
    pub(crate) camera_position: Vec4,
    pub(crate) forward: Vec4,
    pub(crate) right: Vec4,
    pub(crate) up: Vec4,
    pub(crate) viewport: Vec4,
    pub(crate) fog_color: Vec4,
    pub(crate) fog: Vec4,
    pub(crate) zenith: Vec4,
    pub(crate) horizon: Vec4,
    pub(crate) ground: Vec4,
    pub(crate) sun: Vec4,
    pub(crate) sun_color: Vec4,
    pub(crate) ambient: Vec4,
    pub(crate) environment: Vec4,
    pub(crate) environment_turn: Vec4,
    pub(crate) shadow: Vec4,
    pub(crate) shadow_soft: Vec4,
    pub(crate) counts: [u32; 4],
    pub(crate) floor: Vec4,
    pub(crate) floor_color: Vec4,
    pub(crate) floor_middle: Vec4,
    pub(crate) backdrop_middle: Vec4,
    pub(crate) backdrop_edge: Vec4,
    pub(crate) harmonics: [Vec4; HARMONICS],
    pub(crate) lights: [LightUniform; MOST_LIGHTS],
}

/// The main light's shadow, as fitted for this frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShadowFit {
    pub(crate) shadow_from_world: Mat4,
    /// A texel of the map, in metres.
    pub(crate) texel: f32,
    pub(crate) map_size: u32,
    /// From the map's nearest depth to its farthest, in widths of the map.
    pub(crate) depth: f32,
}

/// What the renderer knows beside the frame.
#[derive(Debug)]
pub(crate) struct Around {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) shadow: Option<ShadowFit>,
    pub(crate) harmonics: [Vec4; HARMONICS],
}

impl Globals {
    pub(crate) fn new(frame: &Frame, around: &Around) -> Self {
        let camera = &frame.camera;
        let (width, height) = (around.width as f32, around.height as f32);
        let aspect = width / height;
        let [right, up, forward] = camera.axes();
        let (tall, flat) = match camera.lens {
            Lens::Perspective { fov_y } => ((fov_y * 0.5).tan(), 0.0),
            Lens::Orthographic { .. } => (0.0, 1.0),
        };
        let mut globals = Self {
            clip_from_world: camera.clip_from_world(aspect),
            camera_position: camera.position.extend(frame.exposure),
            forward: forward.extend(flat),
            right: (right * (tall * aspect)).extend(0.0),
            up: (up * tall.max(1e-6)).extend(0.0),
            viewport: Vec4::new(width, height, 1.0 / width, 1.0 / height),
            ambient: frame.ambient.extend(frame.environment_strength),
            harmonics: around.harmonics,
            ..Self::zeroed()
        };
        globals.set_shadow(frame, around.shadow);
        globals.set_fog(frame.fog);
        globals.set_environment(frame);
        globals.set_floor(frame);
        globals.set_lights(&frame.lights);
        globals
    }

    fn set_shadow(&mut self, frame: &Frame, fit: Option<ShadowFit>) {
        let Some(fit) = fit else { return };
        self.shadow_from_world = fit.shadow_from_world;
        let texel = 1.0 / fit.map_size as f32;
        self.shadow = Vec4::new(1.0, texel, fit.texel, frame.shadows.strength.clamp(0.0, 1.0));
        let softness = frame.shadows.softness.clamp(0.0, 1.0);
        self.shadow_soft = Vec4::new(softness * fit.depth * 0.5, 0.0, 0.0, 0.0);
    }

    fn set_fog(&mut self, fog: Fog) {
        let (color, kind, values) = match fog {
            Fog::None => (Vec3::ZERO, 0.0, Vec4::ZERO),
            Fog::Linear { color, start, end } => (color, 1.0, Vec4::new(start, end, 0.0, 0.0)),
            Fog::Exponential { color, density } => (color, 2.0, Vec4::new(0.0, 0.0, density, 0.0)),
            Fog::ExponentialSquared { color, density } => {
                (color, 3.0, Vec4::new(0.0, 0.0, density, 0.0))
            }
        };
        self.fog_color = color.extend(kind);
        self.fog = values;
    }

    fn set_environment(&mut self, frame: &Frame) {
        let brightness = match frame.background {
            Background::Sky(brightness) => brightness,
            _ => 1.0,
        };
        self.environment = Vec4::new(0.0, brightness, 0.0, 0.0);
        let (sin, cos) = frame.environment_rotation.sin_cos();
        self.environment_turn = Vec4::new(cos, sin, 0.0, 0.0);
        match &frame.environment {
            Environment::Sky(sky) => {
                self.zenith = sky.zenith.extend(0.0);
                self.horizon = sky.horizon.extend(0.0);
                self.ground = sky.ground.extend(0.0);
                self.sun = sky.sun.normalize_or(Vec3::Y).extend(sky.sun_size.cos());
                self.sun_color = sky.sun_color.extend(0.0);
            }
            _ => self.zenith.w = 1.0,
        }
    }

    fn set_floor(&mut self, frame: &Frame) {
        let floor = &frame.floor;
        let grid = f32::from(u8::from(floor.grid));
        self.floor = Vec4::new(floor.height, floor.cell.max(1e-6), floor.radius.max(1e-6), grid);
        self.floor_color = floor.color;
        self.floor_middle = frame.camera.target.extend(floor.pool);
        if let Background::Backdrop { middle, edge } = frame.background {
            let has_pool = f32::from(u8::from(frame.pool_is_behind()));
            self.backdrop_middle = middle.extend(has_pool);
            self.backdrop_edge = edge.extend(0.0);
        }
        self.backdrop_edge.w = floor.reflection;
    }

    fn set_lights(&mut self, lights: &[Light]) {
        // The one that casts shadows comes first.
        let main = lights.iter().position(|light| light.kind == LightKind::Directional);
        let order = main.into_iter().chain((0..lights.len()).filter(|&index| Some(index) != main));
        let count = lights.len().min(MOST_LIGHTS);
        for (slot, index) in self.lights.iter_mut().zip(order) {
            *slot = uniform(&lights[index]);
        }
        self.counts[0] = count as u32;
        self.counts[1] = TAPS;
        if main.is_none() {
            self.shadow.x = 0.0;
        }
    }
}

fn uniform(light: &Light) -> LightUniform {
    let (kind, cone) = match light.kind {
        LightKind::Directional => (0.0, Vec4::ZERO),
        LightKind::Point => (1.0, Vec4::ZERO),
        LightKind::Spot { inner, outer } => {
            // KHR_lights_punctual.
            let scale = 1.0 / (inner.cos() - outer.cos()).max(1e-3);
            (2.0, Vec4::new(scale, -outer.cos() * scale, 0.0, 0.0))
        }
    };
    let range = light.range.filter(|range| *range > 0.0).map_or(0.0, |range| 1.0 / range);
    LightUniform {
        position: light.position.extend(range),
        direction: light.direction.extend(kind),
        color: (light.color * light.intensity).extend(0.0),
        cone,
    }
}
