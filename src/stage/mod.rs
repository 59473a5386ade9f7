//! A stage: several models in one place, with light, sky, fog and a camera.
//!
//! In:  a model, or a scene file (TOML) that places several; seconds as they pass.
//! Out: a [`Frame`] for a renderer, and boxes to point a camera at.
//!
//! One time drives everyone: at stage time `t` a member's clip stands at `start + speed · t`.
//!
//! ```no_run
//! use sinew::render::{Gpu, Renderer, Target};
//! let gpu = Gpu::headless()?;
//! let mut renderer = Renderer::new(&gpu);
//! let mut stage = sinew::Stage::open("walk.toml")?;
//! stage.upload(&renderer)?;
//! let target = Target::new(&gpu, 640, 480)?;
//! let camera = stage.camera_for(target.aspect());
//! let mut frame = stage.frame(camera);
//! stage.advance(0.5);
//! stage.fill(&mut frame);
//! renderer.draw(&mut frame, &target)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bones;
mod buffers;
mod color;
mod dress;
mod environment;
mod file;
mod framing;
mod ground;
mod heat;
mod landmarks;
mod mannequin;
mod member;
mod number;
mod open;
mod outline;
mod place;
mod shot;
mod studio;
mod subject;
mod surroundings;
#[cfg(test)]
mod tests;
mod trail;
mod variant;
mod words;

use std::path::Path;
use std::sync::Arc;

use sinew_deform::Bounds;
use sinew_import::{Files, ImportError, Options};
use sinew_render::{Camera, Frame, GpuScene, MissingImages, Renderer, UploadOptions};
#[cfg(not(target_arch = "wasm32"))]
use sinew_render::{Gpu, Image, Target};
use sinew_scene::Scene;

use crate::{Model, Transition};

pub use bones::bones;
pub use buffers::Buffers;
pub use color::{Color, ColorError};
pub use dress::{dress, lights};
pub use environment::{open_environment, read_environment};
pub use framing::Framing;
pub use ground::{Ground, Shape};
pub use heat::heat_color;
pub use landmarks::Landmarks;
pub use mannequin::{Mannequin, MannequinPose};
pub use member::{Lights, Member};
pub use outline::Outline;
pub use shot::{Follow, FollowError, Shot, ShotError, Subject, SubjectError};
pub use studio::{Theme, ThemeError};
pub use surroundings::{CameraSetup, Surroundings};
pub use trail::{Trail, walker};
pub use variant::VariantError;

/// How often a clip is looked at to find the space that it takes.
const MOMENTS: usize = 32;
/// The camera's vertical angle where nobody chose one: that of a short portrait lens.
const FOV: f32 = 0.55;

/// Models in one place.
#[derive(Debug, Default)]
pub struct Stage {
    /// Who and what stands on it.
    pub members: Vec<Member>,
    /// Light, sky, fog, floor.
    pub surroundings: Surroundings,
    /// The camera that the scene file asks for.
    pub camera_setup: Option<CameraSetup>,
    /// What had to be mended, in words.
    pub notes: Vec<String>,
    /// What is drawn in place of images that cannot be had.
    pub missing: MissingImages,
    time: f64,
}

impl Stage {
    /// One model, playing its first clip that moves, where it has any.
    #[must_use]
    pub fn of(model: impl Into<Model>) -> Self {
        let mut stage = Self::default();
        stage.add(model);
        if let Some(Member { actor, .. }) = stage.members.first_mut()
            && let Some(clip) = actor.scene().first_moving_clip()
        {
            actor.start(clip, Transition::Cut);
        }
        stage
    }

    /// Opens a scene file, or a model as a stage of its own.
    ///
    /// # Errors
    /// When it, or a file that it names, cannot be used; the error names file, line and field.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ImportError> {
        Self::open_with(path.as_ref(), &Options::default())
    }

    /// The same with other options for the models.
    ///
    /// # Errors
    /// When it, or a file that it names, cannot be used; the error names file, line and field.
    pub fn open_with(path: &Path, options: &Options) -> Result<Self, ImportError> {
        if is_scene_file(path) {
            open::open(path, options)
        } else {
            Model::open_with(path, options).map(Self::of)
        }
    }

    /// Reads a scene file's text; `files` fetches what it names.
    ///
    /// # Errors
    /// When it, or a file that it names, cannot be used.
    pub fn read(text: &str, files: &dyn Files, options: &Options) -> Result<Self, ImportError> {
        open::read(text, files, options)
    }

    /// Puts one more model on the stage, in its rest pose at the origin.
    pub fn add(&mut self, model: impl Into<Model>) -> &mut Member {
        let model = model.into();
        self.notes.extend(model.notes.iter().map(ToString::to_string));
        self.push(Member::new(model.name, model.scene))
    }

    /// Puts one more member on the stage.
    pub fn push(&mut self, member: Member) -> &mut Member {
        let place = self.members.len();
        self.members.push(member);
        let time = self.time;
        let member = &mut self.members[place];
        member.seek(time);
        member
    }

    /// Seconds since the beginning.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Lets seconds pass.
    pub fn advance(&mut self, seconds: f64) {
        self.seek(self.time + seconds);
    }

    /// Jumps to a time.
    pub fn seek(&mut self, time: f64) {
        self.time = if time.is_finite() { time } else { 0.0 };
        for member in &mut self.members {
            member.seek(self.time);
        }
    }

    /// How long the longest clip takes, at its member's speed; 0 when nothing moves.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.members.iter().map(Member::duration).fold(0.0, f64::max)
    }

    /// A box around everyone as they are now, without the ground.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let actors = self.members.iter().filter(|member| !member.scenery);
        actors.map(Member::bounds).fold(Bounds::EMPTY, Bounds::union)
    }

    /// A box around everyone over the whole of their clips, without the ground. Time stays as it is.
    #[must_use]
    pub fn bounds_over_time(&mut self) -> Bounds {
        let (time, duration) = (self.time, self.duration());
        let mut bounds = self.bounds();
        if duration > 0.0 {
            for moment in 0..=MOMENTS {
                self.seek(duration * moment as f64 / MOMENTS as f64);
                bounds = bounds.union(self.bounds());
            }
            self.seek(time);
        }
        bounds
    }

    /// The camera: as the scene file has it, or one that has everyone in the image over the whole of their clips.
    #[must_use]
    pub fn camera_for(&mut self, aspect: f32) -> Camera {
        if let Some(CameraSetup::Exact { position, look_at, fov_y }) = self.camera_setup {
            return Camera::look_at(position, look_at, fov_y);
        }
        let duration = self.duration();
        let moments = if duration > 0.0 { MOMENTS } else { 0 };
        let mut times: Vec<f64> =
            (0..moments).map(|moment| duration * moment as f64 / (MOMENTS - 1) as f64).collect();
        times.push(self.time);
        let shot = Shot { follow: Follow::None, ..self.shot() };
        let framing = self.frame_shot(&shot, &times, aspect);
        framing.map_or_else(
            |_| Camera::frame(self.bounds(), shot.view.direction(), shot.fov_y, aspect),
            |framing| framing.camera(self.time, 0.0),
        )
    }

    /// What the scene file asks a camera to show, or what is usual.
    #[must_use]
    pub fn shot(&self) -> Shot {
        match self.camera_setup {
            Some(CameraSetup::View { view, fov_y }) => Shot { view, fov_y, ..Shot::default() },
            _ => Shot::default(),
        }
    }

    /// Uploads every model once, however many members share it; gives what could not be shown as filed.
    ///
    /// # Errors
    /// When the device cannot hold them or is lost.
    pub fn upload(
        &mut self,
        renderer: &Renderer,
    ) -> Result<Vec<String>, sinew_render::RenderError> {
        self.upload_with(renderer, upload_options(self.missing))
    }

    /// Uploads what has come since the last time, to the same renderer.
    ///
    /// # Errors
    /// When the device cannot hold them or is lost.
    pub fn upload_new(
        &mut self,
        renderer: &Renderer,
    ) -> Result<Vec<String>, sinew_render::RenderError> {
        self.upload_missing(renderer, upload_options(self.missing))
    }

    /// [`upload`](Self::upload) with other options: whoever decodes images elsewhere hands them in here.
    ///
    /// # Errors
    /// When the device cannot hold them or is lost.
    pub fn upload_with(
        &mut self,
        renderer: &Renderer,
        options: UploadOptions<'_>,
    ) -> Result<Vec<String>, sinew_render::RenderError> {
        self.members.iter_mut().for_each(|member| member.uploaded = None);
        self.upload_missing(renderer, options)
    }

    fn upload_missing(
        &mut self,
        renderer: &Renderer,
        options: UploadOptions<'_>,
    ) -> Result<Vec<String>, sinew_render::RenderError> {
        let mut notes = Vec::new();
        if self.members.iter().all(|member| member.uploaded.is_some()) {
            return Ok(notes);
        }
        let uploaded = |m: &Member| Some((Arc::clone(m.drawn()), m.uploaded.clone()?));
        let mut known: Vec<(Arc<Scene>, GpuScene)> =
            self.members.iter().filter_map(uploaded).collect();
        for member in self.members.iter_mut().filter(|member| member.uploaded.is_none()) {
            let scene = member.drawn();
            let found = known.iter().find(|(other, _)| Arc::ptr_eq(other, scene));
            let uploaded = match found {
                Some((_, uploaded)) => uploaded.clone(),
                None => {
                    let uploaded = renderer.upload_with(scene, options)?;
                    notes.extend(uploaded.notes().iter().cloned());
                    known.push((Arc::clone(scene), uploaded.clone()));
                    uploaded
                }
            };
            member.uploaded = Some(match member.variant() {
                None => uploaded,
                variant => uploaded.in_variant(variant),
            });
        }
        Ok(notes)
    }

    /// An empty frame in these surroundings, seen by this camera; for [`fill`](Self::fill).
    #[must_use]
    pub fn frame(&self, camera: Camera) -> Frame {
        let mut frame = Frame::new(camera);
        self.surroundings.apply(&mut frame);
        frame
    }

    /// The same with the floor under what these bounds hold, and shadows that reach as far.
    #[must_use]
    pub fn frame_on_floor(&self, camera: Camera, bounds: Bounds) -> Frame {
        let mut frame = self.frame(camera);
        frame.floor = self.surroundings.floor_under(bounds);
        let size = if bounds.is_empty() { 1.0 } else { bounds.size().length() };
        frame.shadows.reach = frame.shadows.reach.max(size * 2.0);
        frame
    }

    /// Fills a frame with everyone as they are now. Members that are not shown or were not uploaded are left out.
    pub fn fill(&self, frame: &mut Frame) {
        frame.clear();
        frame.lights.clear();
        frame.lights.extend_from_slice(&self.surroundings.lights);
        for member in self.members.iter().filter(|member| member.shown) {
            member.light(&mut frame.lights);
            if let Some(uploaded) = &member.uploaded {
                member.draw(uploaded, frame);
            }
        }
    }

    /// An image of everyone as they are now, without a window: on a GPU of its own, textures decoded. For many
    /// images keep a [`Renderer`] and use [`upload`](Self::upload), [`frame`](Self::frame) and [`fill`](Self::fill).
    ///
    /// ```no_run
    /// let mut stage = sinew::Stage::open("hero.glb")?;
    /// stage.seek(0.5);
    /// let image = stage.render_image(640, 480)?;
    /// assert_eq!(image.rgba.len(), 640 * 480 * 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is no GPU, or it cannot hold the models or the image.
    #[doc(alias = "screenshot")]
    #[doc(alias = "headless")]
    #[cfg(not(target_arch = "wasm32"))]
    pub fn render_image(
        &mut self,
        width: u32,
        height: u32,
    ) -> Result<Image, sinew_render::RenderError> {
        let gpu = Gpu::headless()?;
        let mut renderer = Renderer::new(&gpu);
        let target = Target::new(&gpu, width, height)?;
        self.upload(&renderer)?;
        self.dress(&gpu);
        let camera = self.camera_now(target.aspect());
        let mut frame = self.frame_on_floor(camera, self.bounds());
        self.fill(&mut frame);
        renderer.draw(&mut frame, &target)?;
        // What is uploaded belongs to the GPU that ends here.
        self.members.iter_mut().for_each(|member| member.uploaded = None);
        target.read(&gpu)
    }

    /// Gives animated materials the values of now; needs no call where no clip drives one.
    pub fn dress(&self, gpu: &sinew_render::Gpu) {
        for member in &self.members {
            if let Some(uploaded) = &member.uploaded {
                dress::dress(gpu, &member.actor, uploaded);
            }
        }
    }
}

/// Whether a file is a scene file, by its name.
#[must_use]
pub fn is_scene_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

fn upload_options(missing: MissingImages) -> UploadOptions<'static> {
    #[cfg(feature = "images")]
    return UploadOptions { decode: Some(&decode), missing, ..UploadOptions::default() };
    #[cfg(not(feature = "images"))]
    return UploadOptions { missing, ..UploadOptions::default() };
}

#[cfg(feature = "images")]
fn decode(bytes: &[u8]) -> Result<(u32, u32, Vec<u8>), String> {
    sinew_import::image::decode(bytes).map(|pixels| (pixels.width, pixels.height, pixels.rgba))
}
