//! Where images are taken: device, renderer, target and frame, set up once and used for every moment.

use sinew::film;
use sinew::render::{Camera, Frame, Gpu, Image, Renderer, Target};
use sinew::stage::{Buffers, Stage};

use super::args::{Show, Size};
use super::cache::Cache;
use super::camera::Cameras;
use super::laps::Laps;
use super::pass::Pass;
use super::plan::Moment;
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
    /// Seconds that the shutter is open, and images meanwhile.
    pub(crate) shutter: Option<(f64, u32)>,
    /// How many times larger than asked for it is drawn.
    pub(crate) supersample: u32,
    /// Numbers instead of colours.
    pub(crate) pass: Option<&'a Pass>,
}

impl Set<'_> {
    /// What a pass sees at a moment.
    pub(crate) fn buffers(&mut self, pass: &Pass, moment: Moment, size: Size) -> Buffers {
        self.stage.seek(moment.time);
        pass.buffers(self.stage, &self.cameras.at(moment), size)
    }
}

impl Studio {
    pub(crate) fn new(gpu: Gpu) -> Self {
        let cache = Cache::open(&gpu.name());
        let renderer = Renderer::with_cache(&gpu, cache.bytes());
        Self { gpu, renderer, cache }
    }

    /// The same, with what every image of a model needs made already.
    pub(crate) fn warm(gpu: Gpu) -> Self {
        let mut studio = Self::new(gpu);
        studio.renderer.warm_up();
        studio
    }

    /// The device in words.
    pub(crate) fn name(&self) -> String {
        self.gpu.name()
    }

    /// Uploads the models; gives what could not be shown as filed.
    pub(crate) fn upload(&self, stage: &mut Stage) -> Result<Vec<String>, Fault> {
        Ok(stage.upload(&self.renderer)?)
    }

    pub(crate) fn target(&self, size: Size) -> Result<Target, Fault> {
        Ok(Target::new(&self.gpu, size.width, size.height)?)
    }

    /// The stage at one moment, or over the time that the shutter is open.
    pub(crate) fn image(
        &mut self,
        set: &mut Set<'_>,
        moment: Moment,
        laps: &mut Laps,
    ) -> Result<Image, Fault> {
        if let Some(pass) = set.pass {
            let (width, height) = set.target.size();
            let size = Size { width: width / set.supersample, height: height / set.supersample };
            return Ok(pass.image(&set.buffers(pass, moment, size)));
        }
        let Some((open, samples)) = set.shutter else {
            return self.instant(set, moment, laps);
        };
        let mut average = film::Average::default();
        for sample in 0..samples {
            // About the moment, so that a film with blur is not late.
            let part = (f64::from(sample) + 0.5) / f64::from(samples) - 0.5;
            let time = moment.time + open * part;
            average.add(&self.instant(set, Moment { time, ..moment }, laps)?);
        }
        Ok(average.finish())
    }

    fn instant(
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
        Ok(film::shrunk(&image, set.supersample))
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
