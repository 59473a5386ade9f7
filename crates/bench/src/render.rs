//! `sinew bench render`: what a frame costs with one character and with many.
//!
//! In:  how many, how large an image, how many frames.
//! Out: for each count the first frame and a steady one: the processor's time for poses, and beside them for filling and drawing
//!      a frame; the GPU's own time by its timestamps, pass by pass; draw calls, triangles and bytes.
//!
//! The processor's time is what this thread worked, so that waiting does not count; each frame waits for the GPU, so
//! that the two do not meet. A busy machine makes some frames slow and none fast: the best of them is shown.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use sinew::glam::{Affine3A, Vec3};
use sinew::render::{
    Camera, Frame, Gpu, GpuScene, Renderer, Stats, Target, Timings, UploadOptions,
};
use sinew::{Actor, ClipId, Scene, Transition};

use super::clock::worked;
use crate::BenchError;
use crate::Size;
use crate::output;

/// After this long a count needs no more frames, if it has [`FEWEST`].
const ENOUGH: Duration = Duration::from_secs(4);
const FEWEST: usize = 2;
const STEP: f32 = 1.0 / 60.0;
/// So many are posed and then put into the frame together: what was written last is still near the processor.
const GROUP: usize = 128;

/// What `sinew bench render` takes.
#[derive(Debug, Args)]
pub struct BenchRender {
    /// How many characters, one count after the other.
    #[arg(long, value_name = "COUNTS", value_delimiter = ',', default_values_t = [1, 100, 1000, 10_000])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    instances: Vec<u32>,
    /// Width and height of the image.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720")]
    size: Size,
    /// Most frames of each count; a count that takes long gets fewer, but at least two.
    #[arg(long, default_value_t = 60)]
    frames: usize,
    /// The character: a file, or built in.
    #[arg(long, value_name = "FILE", default_value = "ossi")]
    model: std::path::PathBuf,
    /// How far, in pixels, a mesh drawn with fewer triangles may be from the whole one; 0 draws whole meshes alone.
    #[arg(long, value_name = "PIXELS", default_value_t = 1.0)]
    pixel_error: f32,
    /// Put vertices in their poses in each pass, as where there are no compute shaders.
    #[arg(long)]
    skin_each_pass: bool,
    /// Without the shadow map.
    #[arg(long)]
    no_shadows: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Table {
    device: String,
    model: String,
    width: u32,
    height: u32,
    samples: u32,
    joints: usize,
    vertices: usize,
    /// Making the levels of detail, once for a model.
    levels_ms: f64,
    levels: Vec<LevelRow>,
    rows: Vec<Row>,
    /// Growth of the processor's time beside poses, from the least to the most characters.
    cpu_us_per_actor: Option<f64>,
}

/// A level of detail of the model.
#[derive(Debug, Serialize)]
struct LevelRow {
    mesh: usize,
    triangles: usize,
    error_mm: f32,
}

/// The best frame of one count, each number for itself.
#[derive(Debug, Serialize)]
struct Row {
    instances: u32,
    seen: u32,
    frames: usize,
    /// The first frame from its poses until the GPU is done, with pipelines and buffers made, by the clock on the wall.
    first_ms: f64,
    /// The best of the others, likewise.
    steady_ms: f64,
    /// Sampling, hierarchy and palettes of everyone.
    pose_ms: f64,
    /// Bounds of everyone, and their palettes into the frame.
    fill_ms: f64,
    /// Culling, batches, upload, draw calls.
    draw_ms: f64,
    /// `fill_ms` and `draw_ms` of the same frame.
    cpu_ms: f64,
    /// By timestamps; nothing where the device has none.
    gpu_skin_ms: Option<f64>,
    gpu_shadow_ms: Option<f64>,
    gpu_main_ms: Option<f64>,
    gpu_ms: Option<f64>,
    draw_calls: u32,
    triangles: u64,
    uploaded_bytes: u64,
}

/// One frame.
#[derive(Clone, Copy, Debug)]
struct Lap {
    wall: f64,
    pose: f64,
    fill: f64,
    draw: f64,
    gpu: Option<Timings>,
    stats: Stats,
}

pub(crate) fn run(args: &BenchRender) -> Result<(), BenchError> {
    let name = args.model.to_string_lossy().into_owned();
    let scene = match sinew::built_in(&name) {
        Some(scene) => scene,
        None => sinew::open(&args.model)?.scene,
    };
    let scene = Arc::new(scene);
    let gpu = Gpu::headless()?;
    let mut renderer = Renderer::new(&gpu);
    renderer.measure();
    if args.skin_each_pass {
        renderer.skin_each_pass();
    }
    let start = Instant::now();
    let levels = if args.pixel_error > 0.0 { sinew::levels(&scene) } else { Vec::new() };
    let levels_ms = start.elapsed().as_secs_f64() * 1e3;
    let target = Target::new(&gpu, args.size.width, args.size.height)?;
    let options = UploadOptions { levels: &levels, ..UploadOptions::default() };
    let model = renderer.upload_with(&scene, options)?;
    let mut table = Table {
        device: gpu.name(),
        model: name,
        width: args.size.width,
        height: args.size.height,
        samples: target.samples(),
        joints: scene.skins.iter().map(|skin| skin.joints.len()).sum(),
        vertices: model.vertex_count(),
        levels_ms,
        levels: level_rows(&levels),
        rows: Vec::new(),
        cpu_us_per_actor: None,
    };
    for &count in &args.instances {
        let mut crowd = Crowd::new(&scene, count, args);
        table.rows.push(crowd.measure(&mut renderer, &model, &target, args.frames)?);
    }
    table.cpu_us_per_actor = growth(&table.rows);
    output::write(|out| match args.json {
        true => Ok(serde_json::to_writer_pretty(out, &table)?),
        false => print(out, &table),
    })
}

/// Characters in a square, each at its own time of one of the clips, all in the image.
struct Crowd {
    actors: Vec<Actor>,
    frame: Frame,
}

impl Crowd {
    fn new(scene: &Arc<Scene>, count: u32, args: &BenchRender) -> Self {
        let side = f64::from(count).sqrt().ceil() as u32;
        let wide = side as f32;
        let first = Actor::new(Arc::clone(scene));
        let space = first.bounds().size().max_element();
        let space = if space.is_finite() { space.max(1e-3) } else { 1.0 };
        let mut actors = vec![first; count as usize];
        for (index, actor) in (0_u32..).zip(&mut actors) {
            let (column, row) = ((index % side) as f32, (index / side) as f32);
            let place = Vec3::new(column - (wide - 1.0) * 0.5, 0.0, -row) * space;
            actor.place(Affine3A::from_translation(place));
            if !scene.clips.is_empty() {
                actor.start(ClipId::new(index as usize % scene.clips.len()), Transition::Cut);
                actor.seek(index as f32 * 0.37 % actor.duration().max(STEP));
            }
        }
        let bounds = actors.iter().map(Actor::bounds);
        let bounds = bounds.fold(sinew::Bounds::EMPTY, sinew::Bounds::union);
        let aspect = args.size.width as f32 / args.size.height as f32;
        let camera = Camera::frame(bounds, Vec3::new(-0.3, -0.5, -0.8), 0.7, aspect);
        let mut frame = Frame::new(camera);
        frame.shadows.on = !args.no_shadows;
        frame.pixel_error = args.pixel_error;
        frame.shadows.reach = bounds.size().length();
        Self { actors, frame }
    }

    fn measure(
        &mut self,
        renderer: &mut Renderer,
        model: &GpuScene,
        target: &Target,
        frames: usize,
    ) -> Result<Row, BenchError> {
        let first = self.lap(renderer, model, target)?;
        let (start, mut laps) = (Instant::now(), Vec::new());
        while laps.len() < frames.max(1) && (laps.len() < FEWEST || start.elapsed() < ENOUGH) {
            laps.push(self.lap(renderer, model, target)?);
        }
        let gpu = |time: fn(Timings) -> f64| best(laps.iter().filter_map(|lap| lap.gpu).map(time));
        let of = |time: fn(&Lap) -> f64| best(laps.iter().map(time)).unwrap_or(0.0);
        let stats = laps.last().map(|lap| lap.stats).unwrap_or_default();
        Ok(Row {
            instances: self.actors.len() as u32,
            seen: stats.seen,
            frames: laps.len(),
            first_ms: first.wall,
            steady_ms: of(|lap| lap.wall),
            pose_ms: of(|lap| lap.pose),
            fill_ms: of(|lap| lap.fill),
            draw_ms: of(|lap| lap.draw),
            cpu_ms: of(|lap| lap.fill + lap.draw),
            gpu_skin_ms: gpu(|times| times.skin),
            gpu_shadow_ms: gpu(|times| times.shadow),
            gpu_main_ms: gpu(|times| times.main + times.overlay),
            gpu_ms: gpu(|times| times.all()),
            draw_calls: stats.draws,
            triangles: stats.triangles,
            uploaded_bytes: stats.uploaded,
        })
    }

    fn lap(
        &mut self,
        renderer: &mut Renderer,
        model: &GpuScene,
        target: &Target,
    ) -> Result<Lap, BenchError> {
        let start = Instant::now();
        let (mut pose, mut fill) = (0.0, 0.0);
        let ms = |from: Duration, to: Duration| to.saturating_sub(from).as_secs_f64() * 1e3;
        self.frame.clear();
        for group in self.actors.chunks_mut(GROUP) {
            let idle = worked();
            for actor in &mut *group {
                actor.advance(STEP);
            }
            let posed = worked();
            for actor in &*group {
                self.frame.add(model, &actor.view());
            }
            pose += ms(idle, posed);
            fill += ms(posed, worked());
        }
        let filled = worked();
        let stats = renderer.draw(&mut self.frame, target)?;
        let drawn = worked();
        // Waits for the GPU, also where it cannot tell the time.
        let gpu = renderer.timings()?;
        if gpu.is_none() {
            renderer.gpu().wait()?;
        }
        let wall = start.elapsed().as_secs_f64() * 1e3;
        Ok(Lap { wall, pose, fill, draw: ms(filled, drawn), gpu, stats })
    }
}

fn level_rows(levels: &[Vec<sinew::lod::Level>]) -> Vec<LevelRow> {
    let row = |mesh: usize, level: &sinew::lod::Level| LevelRow {
        mesh,
        triangles: level.triangles(),
        error_mm: level.error * 1e3,
    };
    let all = levels.iter().enumerate();
    all.flat_map(|(mesh, levels)| levels.iter().map(move |level| row(mesh, level))).collect()
}

fn best(times: impl Iterator<Item = f64>) -> Option<f64> {
    times.min_by(f64::total_cmp)
}

fn growth(rows: &[Row]) -> Option<f64> {
    let least = rows.iter().min_by_key(|row| row.instances)?;
    let most = rows.iter().max_by_key(|row| row.instances)?;
    let more = most.instances - least.instances;
    (more > 0).then(|| (most.cpu_ms - least.cpu_ms) * 1e3 / f64::from(more))
}

fn print(out: &mut Vec<u8>, table: &Table) -> io::Result<()> {
    let Table { device, model, width, height, samples, joints, vertices, .. } = table;
    writeln!(out, "{model} ({joints} joints, {vertices} vertices) on {device}")?;
    if !table.levels.is_empty() {
        let of = |row: &LevelRow| format!("{} ({:.0} mm)", row.triangles, row.error_mm);
        let levels: Vec<String> = table.levels.iter().map(of).collect();
        let ms = table.levels_ms;
        writeln!(
            out,
            "levels of detail, triangles and error: {}; made in {ms:.0} ms",
            levels.join(", ")
        )?;
    }
    writeln!(
        out,
        "{width} × {height}, {samples} samples; the first frame and the best of the others, in milliseconds\n"
    )?;
    writeln!(
        out,
        "instances    seen |   first    steady |     pose      fill      draw   CPU beside pose |     skin    shadow      main       GPU | draws  triangles    uploaded"
    )?;
    for row in &table.rows {
        let gpu = [row.gpu_skin_ms, row.gpu_shadow_ms, row.gpu_main_ms, row.gpu_ms].iter().fold(
            String::new(),
            |mut text, time| {
                let _ = match time {
                    Some(time) => write!(text, "{time:>9.3} "),
                    None => write!(text, "{:>9} ", "-"),
                };
                text
            },
        );
        writeln!(
            out,
            "{:>9} {:>7} |{:>8.2} {:>9.2} |{:>9.3} {:>9.3} {:>9.3} {:>17.3} |{gpu}| {:>5} {:>10} {:>8.1} KB",
            row.instances,
            row.seen,
            row.first_ms,
            row.steady_ms,
            row.pose_ms,
            row.fill_ms,
            row.draw_ms,
            row.cpu_ms,
            row.draw_calls,
            row.triangles,
            row.uploaded_bytes as f64 / 1e3,
        )?;
    }
    if let Some(growth) = table.cpu_us_per_actor {
        writeln!(
            out,
            "\nbeside its pose, one more character costs the processor {growth:.3} µs a frame"
        )?;
    }
    Ok(())
}
