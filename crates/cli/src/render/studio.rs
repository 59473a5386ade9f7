//! Where images are taken: device, renderer, target and frame, set up once and used for every moment.

use sinew::render::{Camera, Frame, Gpu, Image, Renderer, Target};
use sinew::stage::Stage;

use super::args::{Show, Size};
use super::cache::Cache;
use super::laps::Laps;
use super::plan::Moment;
use super::eye::Cameras;
use super::show;
use crate::fault::Fault;

#[derive(Debug)]
pub(crate) struct Studio {
    gpu: Gpu,
    renderer: Renderer,
    cache: Cache,
}

/// How a stage is shown.
#[derive(Debug)]
pub(crate) struct Set<'a> {
    pub(crate) stage: &'a mut Stage,
    pub(crate) cameras: Cameras,
    pub(crate) show: &'a [Show],
    pub(crate) frame: Frame,
    pub(crate) target: Target,
    /// Of everything, in metres.
    pub(crate) size: f32,
}

impl Studio {
    pub(crate) fn new(gpu: Gpu) -> Self {
        let cache = Cache::open(&gpu.name());
        let renderer = Renderer::with_cache(&gpu, cache.bytes());
        Self { gpu, renderer, cache }
    }

    /// Uploads the models; gives what could not be shown as filed.
    pub(crate) fn upload(&self, stage: &mut Stage) -> Result<Vec<String>, Fault> {
        Ok(stage.upload(&self.renderer)?)
    }

    pub(crate) fn target(&self, size: Size) -> Result<Target, Fault> {
        Ok(Target::new(&self.gpu, size.width, size.height)?)
    }

    /// The stage at one moment.
    pub(crate) fn image(
        &mut self,
        set: &mut Set<'_>,
        moment: Moment,
        laps: &mut Laps,
    ) -> Result<Image, Fault> {
        set.stage.seek(moment.time);
        set.stage.dress(&self.gpu);
        set.frame.camera = set.cameras.at(moment);
        set.stage.fill(&mut set.frame);
        show::draw(set.show, set.stage, set.size, &mut set.frame);
        self.renderer.draw(&mut set.frame, &set.target)?;
        laps.lap("pipelines and draw calls");
        let image = set.target.read(&self.gpu)?;
        laps.lap("pixels drawn and read back");
        Ok(image)
    }

    /// The stage as it is, seen by a camera, with something drawn over it.
    pub(crate) fn marked(
        &mut self,
        stage: &mut Stage,
        camera: Camera,
        target: &Target,
        mark: impl FnOnce(&mut Frame),
    ) -> Result<Image, Fault> {
        stage.dress(&self.gpu);
        let mut frame = stage.frame(camera);
        stage.fill(&mut frame);
        mark(&mut frame);
        self.shoot(&mut frame, target)
    }

    /// A frame that is filled already.
    pub(crate) fn shoot(&mut self, frame: &mut Frame, target: &Target) -> Result<Image, Fault> {
        self.renderer.draw(frame, target)?;
        Ok(target.read(&self.gpu)?)
    }

    /// Keeps compiled pipelines for the next run.
    pub(crate) fn keep_cache(&self) {
        self.cache.keep(self.renderer.cache());
    }
}
