//! The renderer's image under egui's panels.

use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui_wgpu::{CallbackResources, CallbackTrait};
use sinew::render::{Blit, Gpu, Target, wgpu};

/// The image in egui's own pass. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Shown(Arc<Mutex<Blit>>);

impl Shown {
    /// For a window whose pixels have this format.
    pub(crate) fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        Self(Arc::new(Mutex::new(Blit::new(gpu, format))))
    }

    /// Shows the image of this target from now on; to be called again after a resize.
    pub(crate) fn take(&self, gpu: &Gpu, target: &Target) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take(gpu, target);
    }
}

impl CallbackTrait for Shown {
    fn paint(
        &self,
        _: eframe::egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        _: &CallbackResources,
    ) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).draw(pass);
    }
}
