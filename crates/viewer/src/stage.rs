//! The viewer's state, drawn: models, place, light and overlays into one image.
//!
//! In:  the [`State`], read only, and a size in pixels.
//! Out: an image to show, and what it cost.

mod air;
mod overlays;
mod path;
mod seen;

use std::collections::HashMap;

use sinew::glam::Affine3A;
use sinew::render::{
    Frame, Gpu, GpuScene, PendingImage, RenderError, Renderer, RestPose, Stats, Target,
    UploadOptions, wgpu,
};
use sinew::stage::Trail;
use sinew::{ClipId, JointId, Vertices};

use self::seen::Seen;
use crate::composite::Shown;
use crate::model::Model;
use crate::state::State;

/// Most pixels of an image: with samples and depth that is about 1.3 GB.
const MAX_PIXELS: f64 = 33_554_432.0;

/// A model's id, its clip, and the joint whose path is wanted; the root's where there is none.
type PathOf = (u64, ClipId, Option<JointId>);

/// Draws.
#[derive(Debug)]
pub(crate) struct Stage {
    /// Of the window's pixels.
    format: wgpu::TextureFormat,
    /// What was drawn last, and what it took.
    last: Option<(Seen, Stats)>,
    gpu: Gpu,
    renderer: Renderer,
    target: Target,
    /// Edges are smooth in the target.
    smooth: bool,
    /// A processor draws: what moves is drawn with less care.
    slow: bool,
    shown: Shown,
    frame: Frame,
    uploaded: HashMap<u64, GpuScene>,
    place: Option<(usize, GpuScene, RestPose)>,
    vertices: Vertices,
    joints: Vec<Affine3A>,
    /// Paths over the floor: of which model, clip and joint.
    paths: Vec<(PathOf, JointId, Trail)>,
    /// It draws beside another one.
    apart: bool,
}

impl Stage {
    pub(crate) fn new(gpu: Gpu, format: wgpu::TextureFormat) -> Result<Self, RenderError> {
        Ok(Self {
            format,
            last: None,
            shown: Shown::new(&gpu, format),
            renderer: Renderer::new(&gpu),
            target: Target::new(&gpu, 0, 0)?,
            smooth: true,
            slow: gpu.device.adapter_info().device_type == wgpu::DeviceType::Cpu,
            frame: Frame::new(crate::orbit::Orbit::default().camera()),
            uploaded: HashMap::new(),
            place: None,
            vertices: Vertices::default(),
            joints: Vec::new(),
            paths: Vec::new(),
            apart: false,
            gpu,
        })
    }

    /// Another one on the same device, with what is uploaded already: for what draws beside the window.
    pub(crate) fn beside(&self, state: &State) -> Result<Self, RenderError> {
        let mut other = Self { apart: true, ..Self::new(self.gpu.clone(), self.format)? };
        // What a clip drives is in the uploaded materials; two times at once need two of them.
        let plain = |model: &&Model| model.scene().properties.is_empty();
        for model in state.models.iter().filter(plain) {
            if let Some(uploaded) = self.uploaded.get(&model.id) {
                other.uploaded.insert(model.id, uploaded.clone());
            }
        }
        Ok(other)
    }

    /// Whether the device still works.
    pub(crate) fn health(&self) -> &sinew::render::Health {
        self.gpu.health()
    }

    /// Gives the device up, as a driver may at any time.
    pub(crate) fn lose(&self) {
        self.gpu.device.destroy();
        let _ = self.gpu.device.poll(wgpu::PollType::Poll);
    }

    /// Uploads from a thread.
    pub(crate) fn uploader(&self) -> sinew::render::Uploader {
        self.renderer.uploader()
    }

    /// The image as it was drawn last.
    pub(crate) fn shown(&self) -> &Shown {
        &self.shown
    }

    /// The pixels of the image as it was drawn last; waits for them, which a browser cannot.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn read(&self) -> Result<sinew::render::Image, RenderError> {
        self.target.read(&self.gpu)
    }

    /// The same, to be looked for in later frames; `None` where there is not one pixel.
    pub(crate) fn read_later(&self) -> Option<PendingImage> {
        self.target.read_later(&self.gpu)
    }

    /// The device in words.
    pub(crate) fn device(&self) -> String {
        self.gpu.name()
    }

    /// Draws what there is to be seen, in pixels.
    pub(crate) fn draw(
        &mut self,
        state: &State,
        width: u32,
        height: u32,
    ) -> Result<Stats, RenderError> {
        let (width, height) = fitting(width, height, self.gpu.longest_side());
        let smooth = !self.slow || !state.is_lively();
        let seen = Seen::new(state, (width, height), smooth);
        if let Some((last, stats)) = &self.last
            && *last == seen
        {
            self.gpu.health().check()?;
            return Ok(*stats);
        }
        self.last = None;
        if self.target.size() != (width, height) || self.smooth != smooth {
            self.target = if smooth {
                Target::new(&self.gpu, width, height)?
            } else {
                Target::plain(&self.gpu, width, height)?
            };
            self.smooth = smooth;
            self.shown.take(&self.gpu, &self.target);
        }
        if self.target.view().is_none() {
            return Ok(Stats::default());
        }
        self.upload(state)?;
        self.frame.clear();
        self.surround(state);
        for (index, model) in state.models.iter().enumerate() {
            self.add(state, model, index == state.active);
        }
        let stats = self.renderer.draw(&mut self.frame, &self.target)?;
        self.last = Some((seen, stats));
        Ok(stats)
    }

    fn upload(&mut self, state: &State) -> Result<(), RenderError> {
        let open = |id: u64| state.models.iter().any(|model| model.id == id);
        self.uploaded.retain(|id, _| open(*id));
        self.paths.retain(|((id, ..), ..)| open(*id));
        let options = upload_options();
        for model in &state.models {
            if !self.uploaded.contains_key(&model.id) {
                let driven = !model.scene().properties.is_empty();
                let own = (driven && self.apart) || model.mannequin.is_some();
                let uploaded = match model.uploaded.clone().filter(|_| !own) {
                    Some(uploaded) => uploaded,
                    None => self.renderer.upload_with(model.drawn(), options)?,
                };
                self.uploaded.insert(model.id, uploaded);
            }
        }
        match &state.place {
            None => self.place = None,
            Some(place) => {
                let address = std::sync::Arc::as_ptr(place) as usize;
                if self.place.as_ref().is_none_or(|known| known.0 != address) {
                    let uploaded = self.renderer.upload_with(place, options)?;
                    self.place = Some((address, uploaded, RestPose::new(place)));
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, state: &State, model: &Model, active: bool) {
        let Some(uploaded) = self.uploaded.get(&model.id) else { return };
        let joint = state.joint().filter(|_| active);
        if let Some(pose) = model.mannequin_pose() {
            self.frame.add(uploaded, &pose.view());
        } else {
            let mut view = model.actor.view();
            view.heat = joint.filter(|_| state.modes.heat);
            sinew::stage::dress(&self.gpu, &model.actor, uploaded);
            self.frame.add(uploaded, &view);
        }
        self.overlays(state, model, active);
    }
}

/// How images in files are decoded.
pub(crate) fn upload_options() -> UploadOptions<'static> {
    UploadOptions { decode: Some(&decode), ..UploadOptions::default() }
}

fn decode(bytes: &[u8]) -> Result<(u32, u32, Vec<u8>), String> {
    sinew::import::image::decode(bytes).map(|made| (made.width, made.height, made.rgba))
}

/// Width and height that a device can draw and memory holds: a window may be larger.
fn fitting(width: u32, height: u32, limit: u32) -> (u32, u32) {
    let width = width.min(limit);
    let height = height.min(limit);
    let pixels = f64::from(width) * f64::from(height);
    if pixels <= MAX_PIXELS {
        return (width, height);
    }
    let less = (MAX_PIXELS / pixels).sqrt();
    ((f64::from(width) * less) as u32, (f64::from(height) * less) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage() -> Stage {
        let gpu = Gpu::headless().expect("a driver");
        Stage::new(gpu, wgpu::TextureFormat::Rgba8Unorm).expect("a stage")
    }

    #[test]
    fn a_window_without_a_pixel_is_no_error_and_can_grow_again() {
        let mut stage = stage();
        let models = vec![Model::built_in("demo", sinew::demo())];
        let state = State { models, ..State::default() };
        for (width, height) in [(0, 0), (0, 40), (40, 0), (1, 1), (48, 32)] {
            stage.draw(&state, width, height).expect("no error");
        }
        assert_eq!(stage.read().expect("an image").rgba.len(), 48 * 32 * 4);
    }

    #[test]
    fn a_window_of_20_000_pixels_is_drawn_as_large_as_the_device_can() {
        assert_eq!(fitting(20_000, 100, 16_384), (16_384, 100));
        assert_eq!(fitting(1280, 800, 16_384), (1280, 800));
        let (width, height) = fitting(20_000, 20_000, 16_384);
        assert_eq!((width, height), (5792, 5792));
        assert_eq!(fitting(0, 20_000, 16_384), (0, 16_384));
    }

    #[test]
    fn a_lost_device_is_an_error_that_says_so() {
        let mut stage = stage();
        let models = vec![Model::built_in("demo", sinew::demo())];
        let state = State { models, ..State::default() };
        stage.draw(&state, 16, 16).expect("it draws");
        for _ in 0..200 {
            stage.lose();
            if stage.health().check().is_err() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let lost = |result: Result<Stats, RenderError>| {
            assert!(matches!(result, Err(RenderError::DeviceLost(_))), "{result:?}");
        };
        lost(stage.draw(&state, 16, 16));
        lost(stage.draw(&state, 20, 16));
    }

    #[test]
    fn names_of_joints_are_in_the_image() {
        let mut stage = stage();
        let models = vec![Model::built_in("demo", sinew::demo())];
        let mut state = State { models, playing: false, ..State::default() };
        state.orbit.frame(state.bounds(), 1.5);
        let mut shoot = |state: &State| {
            stage.draw(state, 96, 64).expect("it draws");
            stage.read().expect("an image")
        };
        let before = shoot(&state);
        state.modes.names = true;
        let after = shoot(&state);
        let changed = before.rgba.chunks(4).zip(after.rgba.chunks(4)).filter(|(a, b)| a != b);
        assert!(changed.count() > 50);
    }
}
