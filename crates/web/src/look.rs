//! How things look: background, light, shadow, and what is drawn over the model.

use std::sync::Arc;

use sinew::glam::Vec4;
use sinew::render::{Background, BoneStyle, Environment, Equirect, Floor, Shadows};
use sinew::scene::{ClipId, JointId};
use sinew::stage::{Color, Trail, walker};
use wasm_bindgen::prelude::*;

use crate::Viewer;

/// What the tag asked for.
#[derive(Debug, Default)]
pub(crate) struct Look {
    pub(crate) shadows: Shadows,
    floor_shadow: bool,
    grid: bool,
    bones: bool,
    names: bool,
    axes: bool,
    bounds: bool,
    path: bool,
    /// The joint whose influence is shown, and that is chosen among the bones.
    chosen: Option<JointId>,
    weights: bool,
    /// The path of a clip, made once.
    trail: Option<(ClipId, JointId, Trail)>,
}

#[wasm_bindgen]
impl Viewer {
    /// Times all light.
    #[wasm_bindgen(js_name = setExposure)]
    pub fn set_exposure(&mut self, exposure: f32) {
        let exposure = if exposure.is_finite() { exposure.clamp(0.0, 64.0) } else { 1.0 };
        self.stage.surroundings.exposure = exposure;
    }

    /// The shadow on the floor: 0 for none, 1 for a full one.
    #[wasm_bindgen(js_name = setShadow)]
    pub fn set_shadow(&mut self, intensity: f32) {
        let intensity = if intensity.is_finite() { intensity.clamp(0.0, 1.0) } else { 0.0 };
        // What a model casts on itself stays where the floor shows none.
        self.look.shadows.strength = if intensity > 0.0 { intensity } else { 1.0 };
        self.look.floor_shadow = intensity > 0.0;
        self.look_changed();
    }

    /// A grid on the floor.
    #[wasm_bindgen(js_name = setGrid)]
    pub fn set_grid(&mut self, on: bool) {
        self.look.grid = on;
        self.look_changed();
    }

    /// `transparent`, `sky`, or a colour: a name or `#rrggbb`.
    ///
    /// # Errors
    /// When it is none of these.
    #[wasm_bindgen(js_name = setBackground)]
    pub fn set_background(&mut self, word: &str) -> Result<(), JsError> {
        self.stage.surroundings.background = match word {
            "" | "transparent" => Background::Transparent,
            "sky" => Background::Sky(1.0),
            color => Background::Color(color.parse::<Color>()?.0),
        };
        Ok(())
    }

    /// An image all around, as light, from sRGB pixels; without pixels the default sky.
    ///
    /// # Errors
    /// When the numbers do not fit.
    #[wasm_bindgen(js_name = setEnvironment)]
    pub fn set_environment(
        &mut self,
        width: u32,
        height: u32,
        rgba: Vec<u8>,
    ) -> Result<(), JsError> {
        self.stage.surroundings.environment = if rgba.is_empty() {
            Environment::default()
        } else {
            let image = Equirect::from_srgb(width, height, &rgba);
            let image =
                image.ok_or_else(|| JsError::new("the environment's image has no pixels"))?;
            Environment::Equirect(Arc::new(image))
        };
        Ok(())
    }

    /// What is drawn over the model: any of `bones names axes weights bounds path`; for `weights`, those of the chosen joint.
    pub fn show(&mut self, words: &str) {
        let has = |word: &str| words.split_whitespace().any(|known| known == word);
        self.look.bones = has("bones");
        self.look.names = has("names");
        self.look.axes = has("axes");
        self.look.bounds = has("bounds");
        self.look.path = has("path");
        self.look.weights = has("weights");
        self.show_weights();
    }

    /// Chooses a joint by its number.
    pub fn choose(&mut self, joint: Option<usize>) {
        let joints = self.actor().scene().skeleton().len();
        self.look.chosen = joint.filter(|joint| *joint < joints).map(JointId::new);
        self.show_weights();
    }
}

impl Viewer {
    pub(crate) fn look_changed(&mut self) {
        let bounds = self.orbit.bounds();
        let Look { floor_shadow: shadow, grid, .. } = self.look;
        let floor = Floor { grid, shadow, height: bounds.min.y, ..Floor::under(bounds) };
        self.stage.surroundings.floor = Some(floor);
        let shadows = &mut self.look.shadows;
        shadows.reach = shadows.reach.max(bounds.size().length() * 2.0);
    }

    fn show_weights(&mut self) {
        let first =
            self.actor().scene().skins.first().and_then(|skin| skin.joints.first().copied());
        let heat = if self.look.weights { self.look.chosen.or(first) } else { None };
        self.member_mut().heat = heat;
    }

    pub(crate) fn draw_overlays(&mut self) {
        self.find_trail();
        let Self { stage, frame, look, .. } = self;
        let member = &stage.members[0];
        let actor = &member.actor;
        let scene = actor.scene();
        let bare = member.is_bare();
        let any = look.bones || look.names || look.axes || look.bounds || look.path || bare;
        if !any {
            return;
        }
        let world = actor.world_from_model();
        let joints: Vec<_> =
            actor.pose().model_from_joint().iter().map(|joint| world * *joint).collect();
        let style = BoneStyle { chosen: look.chosen, shown: &member.bones, ..BoneStyle::default() };
        let overlay = &mut frame.overlay;
        let bounds = member.bounds();
        let size = if bounds.is_empty() { 1.0 } else { bounds.size().length() };
        // A file without a surface, such as a BVH, is its skeleton.
        if look.bones || bare {
            overlay.skeleton(scene.skeleton(), &joints, &style);
        }
        if look.names {
            overlay.names(scene.skeleton(), &joints, &style);
        }
        if look.axes {
            let shown = joints.iter().zip(&member.bones).filter(|(_, shown)| **shown);
            shown.for_each(|(joint, _)| overlay.axes(*joint, size * 0.03));
        }
        if look.bounds {
            overlay.bounds(bounds, Vec4::new(0.9, 0.6, 0.1, 1.0));
        }
        if let Some((_, joint, trail)) = look.trail.as_ref().filter(|_| look.path) {
            let floor = stage.surroundings.floor.map_or(0.0, |floor| floor.height);
            let now = joints[joint.index()].translation.into();
            trail.draw(world, floor, size, Some(now), overlay);
        }
    }

    /// The path of the clip that plays, where it is shown.
    fn find_trail(&mut self) {
        let actor = self.actor();
        let clip = actor.clip_id().filter(|_| self.look.path);
        let Some(clip) = clip else { return };
        if self.look.trail.as_ref().is_some_and(|(known, ..)| *known == clip) {
            return;
        }
        let scene = actor.scene();
        let found = walker(scene, clip.index());
        let trail = found.map(|joint| (clip, joint, Trail::of_clip(scene, clip.index(), joint)));
        self.look.trail = trail;
    }
}
