//! What is drawn into: a device, a target without a window, and what is around everyone.

use bevy_ecs::prelude::*;
use sinew::render::{Camera, Frame, Gpu, Image, RenderError, Renderer, Stats, Target};
use sinew::stage::Surroundings;

use super::models::Models;

/// An image that the render step draws; insert it as a resource to have one.
#[derive(Debug, Resource)]
pub struct Screen {
    /// Light, sky, fog and floor; lights that are entities come on top. Without a floor of its own, one that suits
    /// what is on it is drawn.
    pub surroundings: Surroundings,
    pub(super) renderer: Renderer,
    pub(super) frame: Frame,
    pub(super) models: Models,
    target: Target,
    stats: Stats,
}

impl Screen {
    /// With a device of its own: hardware where there is, else a software driver.
    ///
    /// # Errors
    /// When there is no driver, or the image is too large for it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn headless(width: u32, height: u32) -> Result<Self, RenderError> {
        Self::new(&Gpu::headless()?, width, height)
    }

    /// With a device that there is already.
    ///
    /// # Errors
    /// When the image is too large for it, or it is lost.
    pub fn new(gpu: &Gpu, width: u32, height: u32) -> Result<Self, RenderError> {
        Ok(Self {
            surroundings: Surroundings::default(),
            renderer: Renderer::new(gpu),
            frame: Frame::new(Camera::look_at(
                sinew::glam::Vec3::Z,
                sinew::glam::Vec3::ZERO,
                super::FOV,
            )),
            models: Models::default(),
            target: Target::new(gpu, width, height)?,
            stats: Stats::default(),
        })
    }

    /// The device it is drawn with.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        self.renderer.gpu()
    }

    /// What is drawn into: for a window to show.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Takes another size.
    ///
    /// # Errors
    /// When a side is longer than the device can draw; the size stays as it was.
    pub fn resize(&mut self, width: u32, height: u32) -> Result<(), RenderError> {
        self.target.resize(self.renderer.gpu(), width, height)
    }

    /// The frame, to change shadows, wireframe, or whether surfaces are drawn at all. Who is in it, in what light and
    /// seen by whom, is written again with every run.
    pub fn frame_mut(&mut self) -> &mut Frame {
        &mut self.frame
    }

    /// The last image's pixels.
    ///
    /// # Errors
    /// When the device is lost.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read(&self) -> Result<Image, RenderError> {
        self.target.read(self.renderer.gpu())
    }

    /// What drawing the last image took.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// How many models are on the GPU.
    #[must_use]
    pub fn model_count(&self) -> usize {
        self.models.len()
    }

    pub(super) fn begin(&mut self) {
        self.frame.clear();
        if self.models.forget() {
            // A frame keeps the lists of whoever was in it last; once more, and it lets go of them.
            self.frame.clear();
        }
        self.surroundings.apply(&mut self.frame);
    }

    pub(super) fn finish(&mut self) -> Result<(), RenderError> {
        self.stats = Stats::default();
        self.stats = self.renderer.draw(&mut self.frame, &self.target)?;
        Ok(())
    }
}
