//! What the viewer knows, drawn: models, place, light and overlays into one picture.
//!
//! In:  the [`State`], read only, and a size in pixels.
//! Out: a picture to show, and what it cost.

mod air;
mod seen;
mod ways;

use std::collections::HashMap;

use sinew::glam::{Affine3A, Vec4};
use sinew::render::{
    BoneStyle, Error, Frame, Gpu, GpuScene, Image, Renderer, RestPose, Stats, Target,
    UploadOptions, wgpu,
};
use sinew::stage::Trail;
use sinew::{InstanceId, JointId, Vertices};

use self::seen::Seen;
use crate::composite::Shown;
use crate::model::Model;
use crate::outline::Item;
use crate::state::State;

/// More vertices than this make a carpet of normals, not a picture.
const MOST_NORMALS: usize = 60_000;

/// Most pixels of a picture: with samples and depth that is about 1.3 GB.
const MOST_PIXELS: f64 = 33_554_432.0;

/// A model's id, its clip, and the joint whose way is wanted; the root's where there is none.
type Walked = (u64, usize, Option<JointId>);

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
    /// Ways over the floor: of which model, clip and joint.
    paths: Vec<(Walked, JointId, Trail)>,
    /// It draws beside another one.
    apart: bool,
}

impl Stage {
    pub(crate) fn new(gpu: Gpu, format: wgpu::TextureFormat) -> Result<Self, Error> {
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

    /// Another one on the same device, with what is uploaded already: for whoever draws beside the window.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn beside(&self, state: &State) -> Result<Self, Error> {
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
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn lose(&self) {
        self.gpu.device.destroy();
        let _ = self.gpu.device.poll(wgpu::PollType::Poll);
    }

    /// Uploads from a thread.
    pub(crate) fn uploader(&self) -> sinew::render::Uploader {
        self.renderer.uploader()
    }

    /// The picture as it was drawn last.
    pub(crate) fn shown(&self) -> &Shown {
        &self.shown
    }

    /// The pixels of the picture as it was drawn last.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn read(&self) -> Result<Image, Error> {
        self.target.read(&self.gpu)
    }

    /// The device in words.
    pub(crate) fn device(&self) -> String {
        self.gpu.name()
    }

    /// Draws what there is to be seen, in pixels.
    pub(crate) fn draw(&mut self, state: &State, width: u32, height: u32) -> Result<Stats, Error> {
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
            self.target = match smooth {
                true => Target::new(&self.gpu, width, height)?,
                false => Target::plain(&self.gpu, width, height)?,
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

    fn upload(&mut self, state: &State) -> Result<(), Error> {
        let open = |id: u64| state.models.iter().any(|model| model.id == id);
        self.uploaded.retain(|id, _| open(*id));
        self.paths.retain(|((id, ..), ..)| open(*id));
        let options = upload_options();
        for model in &state.models {
            if !self.uploaded.contains_key(&model.id) {
                let driven = !model.scene().properties.is_empty();
                let uploaded = match model.uploaded.clone().filter(|_| !(driven && self.apart)) {
                    Some(uploaded) => uploaded,
                    None => self.renderer.upload_with(model.scene(), options)?,
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
        let selected = state.selection.filter(|_| active);
        let joint = state.joint().filter(|_| active);
        let mut posed = model.actor.view();
        posed.heat = joint.filter(|_| state.modes.heat);
        sinew::stage::dress(&self.gpu, &model.actor, uploaded);
        self.frame.add(uploaded, &posed);
        self.joints.clear();
        let world_from_model = model.actor.world_from_model();
        let joints = model.actor.pose().model_from_joint();
        self.joints.extend(joints.iter().map(|joint| world_from_model * *joint));
        let overlay = &mut self.frame.overlay;
        let skeleton = model.scene().skeleton();
        let style = BoneStyle { chosen: joint, shown: &model.bones, ..BoneStyle::default() };
        if state.modes.names && !model.scenery {
            overlay.names(skeleton, &self.joints, &style);
        }
        if state.modes.skeleton && !model.scenery {
            overlay.skeleton(skeleton, &self.joints, &style);
        } else if let Some(joint) = joint {
            let mut shown = vec![false; skeleton.len()];
            model.below(joint).iter().for_each(|below| shown[below.index()] = true);
            let style = BoneStyle { chosen: Some(joint), shown: &shown, ..BoneStyle::default() };
            overlay.skeleton(skeleton, &self.joints, &style);
        }
        let size = model.bounds.size().length();
        let length = if size.is_finite() { size * 0.022 } else { 0.05 };
        if state.modes.axes && !model.scenery {
            for (joint, shown) in self.joints.iter().zip(&model.bones) {
                if *shown {
                    overlay.axes(*joint, length);
                }
            }
        } else if let Some(joint) = joint {
            overlay.axes(self.joints[joint.index()], length * 2.0);
        }
        for index in 0..model.scene().instances.len() {
            let instance = InstanceId::new(index);
            let chosen = selected == Some(Item::Mesh(instance));
            if state.modes.bounds || chosen {
                let color = if chosen { ACCENT } else { Vec4::new(0.35, 0.38, 0.45, 0.9) };
                overlay.bounds(model.actor.bounds_of(instance), color);
            }
        }
        if state.modes.path && !model.scenery {
            self.path(model, joint);
        }
        if state.modes.normals && model.totals.vertices <= MOST_NORMALS {
            self.normals(model, length * 0.5);
        }
    }
}

/// How pictures in files are unpacked.
pub(crate) fn upload_options() -> UploadOptions<'static> {
    UploadOptions { decode: Some(&decode), ..UploadOptions::default() }
}

fn decode(bytes: &[u8]) -> Result<(u32, u32, Vec<u8>), String> {
    sinew::import::image::decode(bytes).map(|made| (made.width, made.height, made.rgba))
}

/// Width and height that a device can draw and memory holds: a window may be larger.
fn fitting(width: u32, height: u32, limit: u32) -> (u32, u32) {
    let (width, height) = (width.min(limit), height.min(limit));
    let pixels = f64::from(width) * f64::from(height);
    if pixels <= MOST_PIXELS {
        return (width, height);
    }
    let less = (MOST_PIXELS / pixels).sqrt();
    ((f64::from(width) * less) as u32, (f64::from(height) * less) as u32)
}

/// The accent colour as light.
const ACCENT: Vec4 = Vec4::new(1.0, 0.35, 0.08, 1.0);

#[cfg(test)]
mod tests {
    use super::*;

    fn stage() -> Stage {
        let gpu = Gpu::headless().expect("a driver");
        Stage::new(gpu, wgpu::TextureFormat::Rgba8Unorm).expect("a stage")
    }

    #[test]
    fn a_window_without_a_pixel_is_no_trouble_and_can_grow_again() {
        let mut stage = stage();
        let models = vec![Model::built_in("demo", sinew::demo())];
        let state = State { models, ..State::default() };
        for (width, height) in [(0, 0), (0, 40), (40, 0), (1, 1), (48, 32)] {
            stage.draw(&state, width, height).expect("no trouble");
        }
        assert_eq!(stage.read().expect("a picture").rgba.len(), 48 * 32 * 4);
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
        let lost = |result: Result<Stats, Error>| {
            assert!(matches!(result, Err(Error::DeviceLost(_))), "{result:?}");
        };
        lost(stage.draw(&state, 16, 16));
        lost(stage.draw(&state, 20, 16));
    }

    #[test]
    fn names_of_joints_are_in_the_picture() {
        let mut stage = stage();
        let models = vec![Model::built_in("demo", sinew::demo())];
        let mut state = State { models, playing: false, ..State::default() };
        state.orbit.frame(state.bounds(), 1.5);
        let mut shoot = |state: &State| {
            stage.draw(state, 96, 64).expect("it draws");
            stage.read().expect("a picture")
        };
        let before = shoot(&state);
        state.modes.names = true;
        let after = shoot(&state);
        let changed = before.rgba.chunks(4).zip(after.rgba.chunks(4)).filter(|(a, b)| a != b);
        assert!(changed.count() > 50);
    }
}
