//! One tag's model: what it shows, from where, and how its time runs.
//!
//! In:  a file that was read. Out: a frame for the engine.

use std::sync::Arc;

use sinew::render::{
    Background, Frame, Gpu, Occlusion, RenderError, Renderer, Shadows, UploadOptions,
};
use sinew::scene::SkinMethod;
use sinew::stage::Member;
#[cfg(feature = "full")]
use sinew::{Fit, Options};
use sinew::{Model, Scene, Stage};
use wasm_bindgen::prelude::*;

use crate::camera::Orbit;
use crate::hotspots::Hotspot;
use crate::joints::Change;
#[cfg(feature = "full")]
use crate::joints::Reaching;
use crate::look::Look;
use crate::motion::Playing;
#[cfg(feature = "full")]
use crate::overlays::Overlays;
use crate::pictures::Pictures;
use crate::{Loader, facts};

/// One tag's model.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Viewer {
    /// Without its scene, which the stage has.
    model: Model,
    pub(crate) stage: Stage,
    pub(crate) frame: Frame,
    pub(crate) orbit: Orbit,
    pub(crate) look: Look,
    #[cfg(feature = "full")]
    pub(crate) overlays: Overlays,
    pub(crate) playing: Playing,
    pub(crate) changes: Vec<Change>,
    #[cfg(feature = "full")]
    pub(crate) reaching: Vec<Reaching>,
    pub(crate) hotspots: Vec<Hotspot>,
    pictures: Pictures,
}

#[wasm_bindgen]
impl Viewer {
    /// The model of a file that was read; `skinning` is `linear`, `dual-quaternion`, or empty for the file's own.
    ///
    /// # Errors
    /// When the file was not read to its end.
    #[wasm_bindgen(constructor)]
    pub fn new(loader: &mut Loader, skinning: &str) -> Result<Viewer, JsError> {
        let model = loader.take().ok_or_else(|| JsError::new("the file was not read"))?;
        Self::of(model, skinning)
    }

    /// A model that is made by code: `ossi`, `ossi_place`, `demo`.
    ///
    /// # Errors
    /// When there is none of this name.
    #[cfg(feature = "full")]
    #[wasm_bindgen(js_name = builtIn)]
    pub fn built_in(name: &str, skinning: &str) -> Result<Viewer, JsError> {
        let unknown =
            || JsError::new(&format!("expected ossi, ossi_place or demo, found \"{name}\""));
        Self::of(Loader::built_in(name).ok_or_else(unknown)?, skinning)
    }

    /// Adds the clips of another file: bound by names, or retargeted. What plays goes on.
    ///
    /// # Errors
    /// When it has none, or nothing fits; the model stays as it was.
    #[cfg(feature = "full")]
    #[wasm_bindgen(js_name = addClips)]
    pub fn add_clips(&mut self, loader: &mut Loader) -> Result<(), JsError> {
        self.model.scene = Scene::clone(self.actor().scene());
        let added = match loader.take() {
            Some(from) => self.model.add_model(&loader.name, from, Fit::Best),
            None => self.model.read_clips(
                &loader.name,
                &loader.bytes,
                &loader.files,
                &Options::default(),
                Fit::Best,
            ),
        };
        let scene = std::mem::take(&mut self.model.scene);
        added?;
        self.member_mut().set_clips(scene);
        self.reaching.clear();
        Ok(())
    }

    /// What there is to know about the model: clips, joints, morph targets, cameras, notes.
    pub fn facts(&self) -> JsValue {
        facts::facts(&self.model, self.actor().scene())
    }

    /// Whether the model is a skeleton without a surface.
    #[wasm_bindgen(getter)]
    pub fn bare(&self) -> bool {
        self.stage.members[0].is_bare()
    }

    /// The images that the page has to decode before [`Engine::upload`](crate::Engine::upload).
    pub fn images(&self) -> JsValue {
        Pictures::encoded(self.actor().scene())
    }

    /// The pixels of one of them: RGBA, alpha not premultiplied, rows from the top.
    #[wasm_bindgen(js_name = setImage)]
    pub fn set_image(&mut self, index: usize, width: u32, height: u32, rgba: Vec<u8>) {
        self.pictures.set(index, (width, height, rgba));
    }
}

impl Viewer {
    fn of(mut model: Model, skinning: &str) -> Result<Self, JsError> {
        if let Some(method) = skin_method(skinning)? {
            let mut parts = std::mem::take(&mut model.scene).into_parts();
            parts.skins.iter_mut().for_each(|skin| skin.method = method);
            model.scene = Scene::new(parts)?;
        }
        let scene = Arc::new(std::mem::take(&mut model.scene));
        let mut stage = Stage::default();
        // A skeleton without a surface is opened with the whole build, which gives it one.
        #[cfg(feature = "full")]
        stage.push(Member::new(model.name.clone(), scene));
        #[cfg(not(feature = "full"))]
        stage.push(Member::without_mannequin(model.name.clone(), scene));
        let orbit = Orbit::around(stage.bounds());
        let mut viewer = Self {
            model,
            frame: Frame::new(orbit.camera(1.0)),
            stage,
            orbit,
            look: Look::default(),
            #[cfg(feature = "full")]
            overlays: Overlays::default(),
            playing: Playing::default(),
            changes: Vec::new(),
            #[cfg(feature = "full")]
            reaching: Vec::new(),
            hotspots: Vec::new(),
            pictures: Pictures::default(),
        };
        viewer.stage.surroundings.background = Background::Transparent;
        viewer.look_changed();
        Ok(viewer)
    }

    pub(crate) fn member_mut(&mut self) -> &mut Member {
        // `of` has put one on the stage, and nobody takes it away.
        &mut self.stage.members[0]
    }

    pub(crate) fn actor(&self) -> &sinew::Actor {
        &self.stage.members[0].actor
    }

    pub(crate) fn actor_mut(&mut self) -> &mut sinew::Actor {
        &mut self.member_mut().actor
    }

    pub(crate) fn upload(&mut self, renderer: &Renderer) -> Result<Vec<String>, RenderError> {
        let scene = Arc::clone(self.actor().scene());
        let pictures = std::mem::take(&mut self.pictures);
        let decode = |bytes: &[u8]| pictures.decode(&scene, bytes);
        let options = UploadOptions { decode: Some(&decode), ..UploadOptions::default() };
        let notes = self.stage.upload_with(renderer, options);
        self.pictures.clear();
        notes
    }

    /// Has the driver translate what the first image needs.
    pub(crate) fn prepare(&mut self, renderer: &mut Renderer) {
        self.stage.surroundings.apply(&mut self.frame);
        self.frame.plain = true;
        renderer.prepare(self.actor().scene(), &self.frame);
    }

    /// Everything as it is now, for an image of this shape, to be drawn with this much care.
    pub(crate) fn frame(&mut self, gpu: &Gpu, aspect: f32, care: u32) -> &mut Frame {
        self.stage.dress(gpu);
        let camera = self.camera(aspect);
        self.stage.surroundings.face_camera(&camera);
        self.stage.surroundings.apply(&mut self.frame);
        self.stage.fill(&mut self.frame);
        self.frame.plain = care == 0;
        if self.frame.plain {
            self.frame.floor.reflection = 0.0;
        }
        let strength = self.look.shadows.strength * self.stage.surroundings.shadow_strength;
        let on = self.look.shadows.on && care > 0;
        self.frame.shadows = Shadows { on, strength, ..self.look.shadows };
        match care {
            0 => self.frame.occlusion = Occlusion::OFF,
            1 => self.frame.occlusion = Occlusion::DRAFT,
            _ => {}
        }
        self.frame.camera = camera;
        self.frame.overlay.clear();
        #[cfg(feature = "full")]
        self.draw_overlays();
        &mut self.frame
    }
}

fn skin_method(word: &str) -> Result<Option<SkinMethod>, JsError> {
    match word {
        "" | "auto" => Ok(None),
        "linear" => Ok(Some(SkinMethod::Linear)),
        "dual-quaternion" => Ok(Some(SkinMethod::DualQuaternion)),
        other => Err(JsError::new(&format!(
            "skinning: expected linear or dual-quaternion, found \"{other}\""
        ))),
    }
}
