//! Light, sky, fog and floor of a stage, and the camera that a scene file asks for.

use glam::Vec3;
use sinew_render::{Background, Environment, Floor, Fog, Frame, Light, Occlusion, Tone, View};

use super::Theme;

/// What is around the members of a stage.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Beside those of the models' own files. The first directional one casts shadows.
    pub lights: Vec<Light>,
    /// Light from everywhere, linear.
    pub ambient: Vec3,
    /// Sky or image all around.
    pub environment: Environment,
    /// How much of the environment's light is used.
    pub environment_strength: f32,
    /// How far the environment is turned about Y, in radians.
    pub environment_rotation: f32,
    /// What is seen where nothing is.
    pub background: Background,
    /// What hides the distance.
    pub fog: Fog,
    /// Times all light.
    pub exposure: f32,
    /// How light becomes what a screen can show.
    pub tone: Tone,
    /// Whether parts of the stage hide the environment's light from each other.
    pub occlusion: Occlusion,
    /// The plane under everything; `None` leaves the choice to whoever shows the stage.
    pub floor: Option<Floor>,
    /// How much of a mirror the floor is, from 0 to 1; `None` for a faint reflection in a studio, and none elsewhere.
    pub reflection: Option<f32>,
    /// How dark the main light's shadows are, from 0 for none to 1.
    pub shadow_strength: f32,
    /// Which studio it is, where it is one.
    pub theme: Option<Theme>,
}

impl Default for Surroundings {
    /// A dark studio.
    fn default() -> Self {
        Self::studio(Theme::Dark)
    }
}

impl Surroundings {
    /// Plain daylight in front of a plain colour.
    #[must_use]
    pub fn daylight() -> Self {
        Self {
            lights: vec![Light::default()],
            ambient: Vec3::ZERO,
            environment: Environment::default(),
            environment_strength: 1.0,
            environment_rotation: 0.0,
            background: Background::default(),
            fog: Fog::None,
            exposure: 1.0,
            tone: Tone::default(),
            occlusion: Occlusion::NORMAL,
            floor: None,
            reflection: None,
            shadow_strength: 1.0,
            theme: None,
        }
    }

    /// Gives a frame this light, sky, fog and floor.
    pub fn apply(&self, frame: &mut Frame) {
        frame.lights.clone_from(&self.lights);
        frame.ambient = self.ambient;
        frame.environment = self.environment.clone();
        frame.environment_strength = self.environment_strength;
        frame.environment_rotation = self.environment_rotation;
        frame.background = self.background;
        frame.fog = self.fog;
        frame.exposure = self.exposure;
        frame.tone = self.tone;
        frame.occlusion = self.occlusion;
        frame.floor = self.floor.unwrap_or(Floor::NONE);
        frame.floor.reflection = self.reflection.unwrap_or(frame.floor.reflection);
        frame.shadows.on = self.shadow_strength > 0.0;
        frame.shadows.strength = self.shadow_strength;
    }
}

/// The camera of a scene file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraSetup {
    /// At a place, looking at another.
    Exact {
        /// In metres.
        position: Vec3,
        /// In metres.
        look_at: Vec3,
        /// The vertical angle, in radians.
        fov_y: f32,
    },
    /// From a side, with everyone in the image.
    View {
        /// From where.
        view: View,
        /// The vertical angle, in radians.
        fov_y: f32,
    },
}
