//! Uploads scenes wherever somebody has time for it: a thread that reads files, while the renderer draws.

use sinew_scene::Scene;

use super::{GpuScene, Layouts, UploadOptions};
use crate::{Gpu, RenderError};

/// Uploads scenes for a renderer. Cheap to clone; may be sent to another thread.
#[derive(Clone, Debug)]
pub struct Uploader {
    pub(crate) gpu: Gpu,
    pub(crate) layouts: Layouts,
}

impl Uploader {
    /// Uploads a scene, with a way to unpack its images.
    ///
    /// # Errors
    /// When the device cannot hold it or is lost.
    pub fn upload(
        &self,
        scene: &Scene,
        options: UploadOptions<'_>,
    ) -> Result<GpuScene, RenderError> {
        self.gpu.health().check()?;
        GpuScene::new(&self.gpu, &self.layouts, scene, options)
    }
}
