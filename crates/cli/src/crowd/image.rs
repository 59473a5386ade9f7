//! The crowd as an image.
//!
//! In:  everyone posed, on either processor, and where they stand.
//! Out: pixels, and what drawing them took.

use std::path::Path;
use std::sync::Arc;

use sinew::crowd::Crowd;
use sinew::glam::{Affine3A, Vec3, Vec4};
use sinew::render::{
    ActorView, Background, BoneStyle, Camera, Frame, Gpu, GpuScene, Image, Renderer, Stats, Target,
    UploadOptions,
};
use sinew::{JointId, Scene, crowd, stage};

use super::cast::{Cast, Measure};
use crate::fault::Fault;
use crate::render::Size;
use crate::render::cache::Cache;

/// Linear.
const HAZE: Vec3 = Vec3::new(0.16, 0.19, 0.26);
/// Of bones where there is nothing else: well apart from the haze.
const BONES: Vec4 = Vec4::new(0.90, 0.55, 0.22, 1.0);

/// Where images are taken.
pub(crate) struct Studio<'a> {
    gpu: &'a Gpu,
    renderer: Renderer,
    cache: Cache,
    target: Target,
    model: GpuScene,
    scene: &'a Scene,
    /// Which nodes are bones worth drawing.
    bones: Vec<bool>,
    frame: Frame,
}

/// What an image must be called.
pub(crate) fn check_name(out: &Path) -> Result<(), Fault> {
    let named = out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    match named || out == Path::new("-") {
        true => Ok(()),
        false => Err(Fault::Usage(format!(
            "cannot draw a crowd to \"{}\": expected a .png, or - for standard output",
            out.display()
        ))),
    }
}

impl<'a> Studio<'a> {
    pub(crate) fn new(
        gpu: &'a Gpu,
        scene: &'a Arc<Scene>,
        size: Size,
        camera: Camera,
        pixel_error: f32,
    ) -> Result<Self, Fault> {
        let cache = Cache::open(&gpu.name());
        let renderer = Renderer::with_cache(gpu, cache.bytes());
        let target = Target::new(gpu, size.width, size.height)?;
        let levels = if pixel_error > 0.0 { sinew::levels(scene) } else { Vec::new() };
        let options = UploadOptions { levels: &levels, ..UploadOptions::default() };
        let model = renderer.upload_with(scene, options)?;
        let mut frame = Frame::new(camera);
        frame.background = Background::Color(HAZE);
        frame.pixel_error = pixel_error;
        let bones = stage::bones(scene);
        Ok(Self { gpu, renderer, cache, target, model, scene, bones, frame })
    }

    pub(crate) fn notes(&self) -> &[String] {
        self.model.notes()
    }

    /// Everyone from palettes on the GPU, which are of the models so far.
    pub(crate) fn add_device(
        &mut self,
        crowd: &mut crowd::gpu::Crowd,
        cast: &Cast,
    ) -> Result<(), Fault> {
        let places: Vec<Affine3A> = cast.standing.iter().map(|one| one.world_from_model).collect();
        crowd.place(&places)?;
        crowd.run()?;
        if self.scene.instances.is_empty() {
            for world in crowd.read()?.chunks(crowd.matrices().max(1)) {
                self.skeleton(world);
            }
            return Ok(());
        }
        self.frame.add_crowd(&self.model, &crowd.palettes(), &cast.standing);
        Ok(())
    }

    /// Everyone from the processor's matrices.
    pub(crate) fn add_processor(&mut self, crowd: &Crowd, cast: &Cast) {
        let all = self.scene.instances.iter().flat_map(|instance| &instance.weights);
        let weights: Vec<f32> = all.copied().collect();
        let mut joints: Vec<Affine3A> = Vec::new();
        for (at, one) in cast.standing.iter().enumerate() {
            let ids = (0..self.scene.skeleton().len()).map(JointId::new);
            joints.clear();
            joints.extend(ids.map(|joint| crowd.model_from_joint(at, joint)));
            if self.scene.instances.is_empty() {
                joints.iter_mut().for_each(|joint| *joint = one.world_from_model * *joint);
                self.skeleton(&joints);
                continue;
            }
            let posed = ActorView {
                model_from_joint: &joints,
                world_from_model: one.world_from_model,
                palettes: None,
                weights: &weights,
                hidden: &[],
                bounds: one.bounds,
                heat: None,
            };
            self.frame.add(&self.model, &posed);
        }
    }

    /// Bones of one who has no surfaces.
    fn skeleton(&mut self, world: &[Affine3A]) {
        let style = BoneStyle { shown: &self.bones, color: BONES, ..BoneStyle::default() };
        self.frame.overlay.skeleton(self.scene.skeleton(), world, &style);
    }

    pub(crate) fn draw(&mut self, measure: &Measure, cast: &Cast) -> Result<(Image, Stats), Fault> {
        measure.dress(&mut self.frame, cast.parts.len(), HAZE);
        let stats = self.renderer.draw(&mut self.frame, &self.target)?;
        let image = self.target.read(self.gpu)?;
        self.cache.keep(self.renderer.cache());
        Ok((image, stats))
    }
}
