//! Draws frames: uploads what changed, fits the shadow, runs the passes.
//!
//! In:  a [`Frame`] and a [`Target`].
//! Out: the image in the target, and numbers about the work.
//!
//! Everything is made when first needed and then kept; a frame like the last one allocates nothing here.

mod passes;

use passes::MainPart;
use sinew_scene::{AlphaMode, SkinMethod};

use crate::floor::FloorParts;
use crate::frame::{Batches, Borrowed, Sight};
use crate::globals::{Around, Globals};
use crate::mirror::Mirror;
use crate::pass::bones::Shapes;
use crate::pass::{Stream, mesh, shadow};
use crate::pipelines::{Cull, Key, Pipelines};
use crate::shaders::{OVERLAYS, Shader, Vertices};
use crate::skin::Skinner;
use crate::surroundings::Surroundings;
use crate::target::SAMPLES;
use crate::texels::{Texels, WIDE};
use crate::timing::Stopwatch;
use crate::upload::{GpuScene, Layouts, UploadOptions, Uploader, material};
use crate::{
    Background, Fog, Frame, Gpu, RenderError, Target, dfg, maps, occlusion, pipeline_cache,
};

/// What drawing a frame took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Characters in the image.
    pub seen: u32,
    /// Characters that are not.
    pub culled: u32,
    /// Draw calls of all passes.
    pub draws: u32,
    /// Triangles of all passes.
    pub triangles: u64,
    /// Bytes sent to the GPU.
    pub uploaded: u64,
}

/// Draws frames.
#[derive(Debug)]
pub struct Renderer {
    gpu: Gpu,
    layouts: Layouts,
    pipelines: Pipelines,
    globals: wgpu::Buffer,
    texels: Texels,
    #[cfg(not(target_arch = "wasm32"))]
    staging: crate::staging::Staging,
    globals_group: wgpu::BindGroup,
    surroundings: Option<Surroundings>,
    /// What the floor mirrors; made when first needed.
    mirror: Option<Mirror>,
    rows: Stream,
    lines: Stream,
    bones: Stream,
    all_bones: Vec<crate::Bone>,
    /// Those of the overlay, then those of its words.
    all_lines: Vec<crate::Line>,
    /// Where words stand already.
    words: Vec<[glam::Vec2; 2]>,
    shapes: Option<Shapes>,
    sight: Sight,
    batches: Batches,
    /// Where vertices are put in their poses once.
    skinner: Option<Skinner>,
    /// Of the frame being drawn.
    triangles: u64,
    plain: bool,
    encoded: bool,
    stopwatch: Option<Stopwatch>,
}

impl Renderer {
    /// Ready to draw. Pipelines are made when frames need them.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Self {
        Self::with_cache(gpu, None)
    }

    /// The same with what [`cache`](Self::cache) gave in an earlier run; any bytes will do, good ones save time.
    #[must_use]
    pub fn with_cache(gpu: &Gpu, cache: Option<&[u8]>) -> Self {
        let device = &gpu.device;
        let layouts = Layouts::new(device);
        let globals = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let texels = Texels::new(device, "palettes and morph weights of a frame", 1);
        let globals_group = bind(device, &layouts, &globals, &texels.view);
        Self {
            pipelines: Pipelines::new(device, pipeline_cache::open(gpu, cache)),
            globals,
            texels,
            #[cfg(not(target_arch = "wasm32"))]
            staging: Default::default(),
            globals_group,
            surroundings: None,
            mirror: None,
            rows: Stream::with(device, row_usage(&layouts)),
            lines: Stream::new(device),
            bones: Stream::new(device),
            all_bones: Vec::new(),
            all_lines: Vec::new(),
            words: Vec::new(),
            shapes: None,
            sight: Sight::default(),
            batches: Batches::default(),
            skinner: Skinner::new(gpu, &layouts),
            triangles: 0,
            plain: false,
            encoded: false,
            stopwatch: None,
            layouts,
            gpu: gpu.clone(),
        }
    }

    /// Makes what no scene changes, for a [`Target`] with smooth edges: pipelines of backdrop, floor and depth. A frame makes what it misses; this is
    /// for those who have time before they know what to draw.
    pub fn warm_up(&mut self) {
        dfg::table();
        let floor = [Shader::Backdrop, Shader::FloorShadow, Shader::Reflection];
        let vertices = if self.skinner.is_some() { Vertices::Skinned } else { Vertices::AtRest };
        let depth = Key { vertices, ..Key::new(Shader::Shadow, 1) };
        let depths = [depth, Key { cull: Cull::Back, ..depth }];
        for key in floor.map(|shader| Key::new(shader, SAMPLES)).into_iter().chain(depths) {
            self.pipelines.get(&self.layouts, key);
        }
        if let Some(skinner) = &mut self.skinner {
            skinner.warm_up(&self.layouts);
        }
    }

    /// Makes the pipelines of a scene's surfaces for a plain frame, before the scene is uploaded: the driver translates them meanwhile. For a
    /// [`Target::onto`] where the frame fits that, else for one with smooth edges.
    pub fn prepare(&mut self, scene: &sinew_scene::Scene, frame: &Frame) {
        let maps = material::maps_of(&self.gpu, scene, &mut Vec::new());
        let layers = material::layers_of(scene);
        if !maps::are_plain(layers) {
            return;
        }
        let dual = scene.skins.iter().any(|skin| skin.method != SkinMethod::Linear);
        let (tone, fog) = (frame.tone.number(), frame.fog != Fog::None);
        let encoded = self.fits_onto(frame);
        let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        for primitive in primitives.filter(|primitive| !primitive.indices.is_empty()) {
            // Surfaces without a material are solid, and seen from both sides.
            let material = primitive.material.map(|id| &scene.materials[id.index()]);
            let alpha = material.map_or(AlphaMode::Opaque, |material| material.alpha_mode);
            let double_sided = material.is_none_or(|material| material.double_sided);
            let key = Key {
                dual,
                maps,
                layers,
                tone,
                fog,
                encoded,
                sun: frame.has_sun_alone(),
                ..mesh::key_of((Shader::Plain, SAMPLES), (alpha, double_sided), primitive.topology)
            };
            if !key.blend {
                self.pipelines.get(&self.layouts, key);
            }
        }
    }

    /// Whether a frame can be drawn on a [`Target::onto`]: a plain one with surfaces and nothing else.
    #[must_use]
    pub fn fits_onto(&self, frame: &Frame) -> bool {
        is_plain(frame)
            && frame.background == Background::Transparent
            && !(frame.floor.grid || frame.floor.pool > 0.0 || frame.wireframe)
            && frame.overlay.is_empty()
    }

    /// Compiled pipelines, to be handed to [`with_cache`](Self::with_cache) in a later run; `None`
    /// where the driver keeps none.
    #[must_use]
    pub fn cache(&self) -> Option<Vec<u8>> {
        self.pipelines.cache().and_then(pipeline_cache::sealed)
    }

    /// The device that it draws with.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Uploads a scene.
    ///
    /// # Errors
    /// When the device cannot hold it or is lost.
    pub fn upload(&self, scene: &sinew_scene::Scene) -> Result<GpuScene, RenderError> {
        self.upload_with(scene, UploadOptions::default())
    }

    /// Uploads a scene, with a way to unpack its images.
    ///
    /// # Errors
    /// When the device cannot hold it or is lost.
    pub fn upload_with(
        &self,
        scene: &sinew_scene::Scene,
        options: UploadOptions<'_>,
    ) -> Result<GpuScene, RenderError> {
        self.gpu.health().check()?;
        GpuScene::new(&self.gpu, &self.layouts, scene, options)
    }

    /// Uploads for this renderer from elsewhere: another thread, while this one draws.
    #[must_use]
    pub fn uploader(&self) -> Uploader {
        Uploader { gpu: self.gpu.clone(), layouts: self.layouts.clone() }
    }

    /// From now on puts vertices in their poses in each pass that draws them, as is done where there is no compute: for comparing.
    pub fn skin_each_pass(&mut self) {
        self.skinner = None;
    }

    /// From now on measures how long the GPU takes; `false` where it cannot tell.
    pub fn measure(&mut self) -> bool {
        if self.stopwatch.is_none() {
            self.stopwatch = Stopwatch::new(&self.gpu.device);
        }
        self.stopwatch.is_some()
    }

    /// How long the GPU took for the last frame; waits for it. `None` when nobody measures.
    ///
    /// # Errors
    /// When the device is lost.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn timings(&self) -> Result<Option<crate::Timings>, RenderError> {
        self.stopwatch.as_ref().map(|watch| watch.read(&self.gpu)).transpose()
    }

    /// Draws a frame. A target without a pixel is left alone.
    ///
    /// # Errors
    /// When the device is lost, or there are more joints than it can hold.
    pub fn draw(&mut self, frame: &mut Frame, target: &Target) -> Result<Stats, RenderError> {
        self.gpu.health().check()?;
        let (width, height) = target.size();
        let Some(attachments) = target.attachments() else { return Ok(Stats::default()) };
        self.sight.look(frame, (width, height));
        self.plain = is_plain(frame);
        self.encoded = target.is_encoded();
        let is_shaded = frame.surfaces && !self.plain;
        let fit = if is_shaded { shadow::fit(frame, &self.sight.seen) } else { None };
        let map_size = if fit.is_some() { frame.shadows.map_size } else { 1 };
        self.surround(frame, map_size);
        let Some(around) = &self.surroundings else { return Ok(Stats::default()) };
        let hidden =
            if is_shaded { occlusion::fit(frame, &around.parts, &self.sight.seen) } else { None };
        let maps = hidden.as_ref().map_or(&[][..], |fit| &fit.map_from_world);
        let shadow_from_world = fit.map(|fit| fit.shadow_from_world);
        if !self.plain {
            around.write_occlusion(&self.gpu.queue, hidden.as_ref().map(|fit| &*fit.uniform));
            around.write_views(&self.gpu.queue, shadow_from_world.unwrap_or_default(), maps);
        }
        let harmonics = around.harmonics;
        self.sight.rank(frame, shadow_from_world, maps);
        // One pass alone draws a plain image: it puts vertices in their poses itself.
        let skinner = self.skinner.as_ref().filter(|_| !self.plain);
        let room = skinner.map_or(0, Skinner::room);
        self.batches.fill(frame, &self.sight, room);
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut uploaded = self.upload_frame(&mut encoder, frame, (width, height))?;
        let globals = Globals::new(frame, &Around { width, height, shadow: fit, harmonics });
        self.gpu.queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(&globals));
        uploaded += size_of::<Globals>() as u64;
        self.triangles = 0;
        let is_skinned = self.skin(&mut encoder, frame);
        let has_overlay = OVERLAYS && !frame.overlay.is_empty();
        let mut draws = 0;
        if fit.is_some() {
            draws += self.shadow_pass(&mut encoder, frame);
        }
        if !maps.is_empty() {
            draws += self.occlusion_pass(&mut encoder, frame, maps.len());
        }
        let floor = FloorParts::of(frame, &self.sight.seen, fit.as_ref(), [width, height]);
        if floor.mirrors.is_some() {
            draws += self.mirror_pass(&mut encoder, frame, [width, height]);
        }
        draws += self.main_passes(&mut encoder, frame, target, floor, has_overlay);
        if has_overlay {
            draws += self.overlay_pass(&mut encoder, frame, target.samples(), attachments);
        }
        if let Some(watch) = timed(&self.stopwatch) {
            let mirrors = floor.mirrors.is_some();
            let done = [is_skinned, fit.is_some(), !maps.is_empty(), mirrors, true, has_overlay];
            watch.resolve(&mut encoder, done);
        }
        self.gpu.queue.submit([encoder.finish()]);
        #[cfg(not(target_arch = "wasm32"))]
        self.staging.recall();
        self.gpu.health().check()?;
        let seen = self.sight.seen.iter().filter(|seen| **seen).count() as u32;
        let culled = self.sight.seen.len() as u32 - seen;
        Ok(Stats { seen, culled, draws, triangles: self.triangles, uploaded })
    }

    /// The image but for overlays: at once, or with what is behind glass kept between.
    fn main_passes(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame,
        target: &Target,
        floor: FloorParts,
        has_overlay: bool,
    ) -> u32 {
        let Some(attachments) = target.attachments() else { return 0 };
        let samples = target.samples();
        let glass = target.texture().filter(|_| self.batches.has_glass && frame.surfaces);
        let Some(image) = glass else {
            let whole = MainPart::whole(floor, has_overlay);
            return self.main_pass(encoder, frame, samples, attachments, whole);
        };
        if let Some(around) = &mut self.surroundings {
            around.fit_behind(&self.gpu, &self.layouts, [image.width(), image.height()]);
        }
        let part = MainPart::solid(floor);
        let solid = self.main_pass(encoder, frame, samples, attachments, part);
        if let Some(around) = &self.surroundings {
            around.keep_behind(encoder, image);
        }
        let rest = MainPart::see_through(floor, has_overlay);
        solid + self.main_pass(encoder, frame, samples, attachments, rest)
    }

    /// Puts vertices in their poses once, where the device can; whether there were any.
    fn skin(&mut self, encoder: &mut wgpu::CommandEncoder, frame: &Frame) -> bool {
        let Some(skinner) = &mut self.skinner else { return false };
        if self.batches.skinned_vertices == 0 || !frame.surfaces {
            return false;
        }
        let times = timed(&self.stopwatch).map(Stopwatch::skin_writes);
        let on_gpu = (self.rows.buffer(), &self.texels.view);
        skinner.encode(encoder, &self.layouts, (frame, &self.batches), on_gpu, times);
        true
    }

    fn surround(&mut self, frame: &Frame, map_size: u32) {
        let (gpu, layouts) = (&self.gpu, &self.layouts);
        match &mut self.surroundings {
            Some(known) => known.update(gpu, layouts, frame, (map_size, self.plain)),
            none => *none = Some(Surroundings::new(gpu, layouts, frame, (map_size, self.plain))),
        }
    }

    /// Texels, rows and what lies over the image; gives back how many bytes.
    fn upload_frame(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &mut Frame,
        size: (u32, u32),
    ) -> Result<u64, RenderError> {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        let more = frame.borrowed.iter().map(Borrowed::rows).sum();
        if self.texels.fit(device, &mut frame.texels, more)? {
            self.globals_group = bind(device, &self.layouts, &self.globals, &self.texels.view);
        }
        let mut bytes = frame.texels.len() as u64 * 16;
        bytes += self.rows.write(device, queue, &self.batches.rows);
        if OVERLAYS {
            bytes += self.upload_overlay(frame, size);
        }
        self.upload_texels(encoder, &frame.texels);
        self.texels.borrow(encoder, &frame.borrowed, frame.texels.len() / WIDE);
        Ok(bytes)
    }

    /// Lines, words and bones; gives back how many bytes.
    fn upload_overlay(&mut self, frame: &Frame, (width, height): (u32, u32)) -> u64 {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        self.all_lines.clear();
        self.all_lines.extend_from_slice(&frame.overlay.lines);
        let size = glam::Vec2::new(width as f32, height as f32);
        frame.overlay.labels.write(&frame.camera, size, &mut self.words, &mut self.all_lines);
        let lines = self.lines.write(device, queue, &self.all_lines);
        self.all_bones.clear();
        self.all_bones.extend_from_slice(&frame.overlay.bones);
        self.all_bones.extend_from_slice(&frame.overlay.balls);
        if !self.all_bones.is_empty() {
            self.shapes.get_or_insert_with(|| Shapes::new(device));
        }
        lines + self.bones.write(device, queue, &self.all_bones)
    }

    /// All palettes and weights of everyone, in one go.
    #[cfg(not(target_arch = "wasm32"))]
    fn upload_texels(&mut self, encoder: &mut wgpu::CommandEncoder, texels: &[[f32; 4]]) {
        if !texels.is_empty() {
            let bytes = bytemuck::cast_slice(texels);
            self.staging.write(&self.gpu.device, encoder, self.texels.texture(), bytes);
        }
    }

    /// All palettes and weights of everyone, in one go. A browser maps memory too late for the next frame.
    #[cfg(target_arch = "wasm32")]
    fn upload_texels(&mut self, _: &mut wgpu::CommandEncoder, texels: &[[f32; 4]]) {
        self.texels.write(&self.gpu.queue, texels);
    }
}

/// Whether everything in a frame can be drawn with as little as it asks for.
fn is_plain(frame: &Frame) -> bool {
    frame.plain
        && !matches!(frame.background, Background::Sky(_))
        && frame.floor.reflection == 0.0
        && frame.groups.iter().all(|group| maps::are_plain(group.scene.layers()))
}

/// What measures times; nobody can read them on the web.
fn timed(watch: &Option<Stopwatch>) -> Option<&Stopwatch> {
    watch.as_ref().filter(|_| cfg!(not(target_arch = "wasm32")))
}

/// Rows are read by vertex shaders, and by the compute shader where there is one.
fn row_usage(layouts: &Layouts) -> wgpu::BufferUsages {
    match layouts.skinned {
        Some(_) => wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE,
        None => wgpu::BufferUsages::VERTEX,
    }
}

fn bind(
    device: &wgpu::Device,
    layouts: &Layouts,
    globals: &wgpu::Buffer,
    texels: &wgpu::TextureView,
) -> wgpu::BindGroup {
    let texels = wgpu::BindingResource::TextureView(texels);
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("globals"),
        layout: &layouts.globals,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: globals.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: texels },
        ],
    })
}
