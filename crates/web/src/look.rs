//! How things look: background, light, shadow.

use std::sync::Arc;

use sinew::render::{Background, Environment, Equirect, Floor, Shadows};
use sinew::scene::VariantId;
use sinew::stage::{Color, Surroundings, Theme};
use wasm_bindgen::prelude::*;

use crate::Viewer;

/// What the tag asked for.
#[derive(Debug, Default)]
pub(crate) struct Look {
    pub(crate) shadows: Shadows,
    floor_shadow: bool,
    grid: bool,
    /// Whether the studio's backdrop and floor are seen, not only its light.
    pub(crate) studio: bool,
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

    /// A colour behind the model, `0xrrggbb` of sRGB; none is transparent.
    #[wasm_bindgen(js_name = setBackground)]
    pub fn set_background(&mut self, color: Option<u32>) {
        self.leave_studio();
        let color = color.map(|color| Background::Color(Color::srgb(color).0));
        self.stage.surroundings.background = color.unwrap_or(Background::Transparent);
    }

    /// The environment behind the model.
    #[wasm_bindgen(js_name = setSky)]
    pub fn set_sky(&mut self) {
        self.leave_studio();
        self.stage.surroundings.background = Background::Sky(1.0);
    }

    /// The studio behind the model and under it, dark or light.
    #[wasm_bindgen(js_name = setStudio)]
    pub fn set_studio(&mut self, light: bool) {
        self.enter(if light { Theme::Light } else { Theme::Dark });
        self.look.studio = true;
        self.look_changed();
    }

    /// Shows one of the file's material variants by its number; none shows the materials as filed.
    #[wasm_bindgen(js_name = setVariant)]
    pub fn set_variant(&mut self, variant: Option<usize>) {
        let variants = self.actor().scene().variants.len();
        let variant = variant.filter(|variant| *variant < variants).map(VariantId::new);
        self.member_mut().set_variant(variant);
    }

    /// The default light all around.
    #[wasm_bindgen(js_name = setDefaultEnvironment)]
    pub fn set_default_environment(&mut self) {
        let theme = self.stage.surroundings.theme.unwrap_or_default();
        self.stage.surroundings.environment = Surroundings::studio(theme).environment;
    }

    /// An image all around, as light, from sRGB pixels.
    ///
    /// # Errors
    /// When the numbers do not fit.
    #[wasm_bindgen(js_name = setEnvironment)]
    pub fn set_environment(&mut self, width: u32, height: u32, rgba: &[u8]) -> Result<(), JsError> {
        self.light_from(Equirect::from_srgb(width, height, rgba))
    }

    /// The same from linear pixels: red, green and blue.
    ///
    /// # Errors
    /// When the numbers do not fit.
    #[wasm_bindgen(js_name = setLinearEnvironment)]
    pub fn set_linear_environment(
        &mut self,
        width: u32,
        height: u32,
        rgb: &[f32],
    ) -> Result<(), JsError> {
        self.light_from(Equirect::from_linear(width, height, rgb))
    }
}

impl Viewer {
    fn light_from(&mut self, image: Option<Equirect>) -> Result<(), JsError> {
        let image = image.ok_or_else(|| JsError::new("the environment's image has no pixels"))?;
        self.stage.surroundings.environment = Environment::Equirect(Arc::new(image));
        Ok(())
    }

    /// The light of a studio; that of an image all around stays.
    fn enter(&mut self, theme: Theme) {
        let around = &mut self.stage.surroundings;
        let known = around.theme.map(|theme| Surroundings::studio(theme).environment);
        let own = (known.as_ref() != Some(&around.environment)).then(|| around.environment.clone());
        *around = Surroundings { exposure: around.exposure, ..Surroundings::studio(theme) };
        around.environment = own.unwrap_or_else(|| around.environment.clone());
    }

    fn leave_studio(&mut self) {
        if std::mem::take(&mut self.look.studio) {
            self.enter(Theme::default());
            self.look_changed();
        }
    }

    pub(crate) fn look_changed(&mut self) {
        let bounds = self.orbit.bounds();
        let Look { floor_shadow: shadow, grid, studio, .. } = self.look;
        let floor = Floor { grid, shadow, height: bounds.min.y, ..Floor::under(bounds) };
        let around = &mut self.stage.surroundings;
        around.floor = None;
        around.floor = Some(if studio { around.floor_under(bounds) } else { floor });
        let shadows = &mut self.look.shadows;
        shadows.reach = shadows.reach.max(bounds.size().length() * 2.0);
    }
}
