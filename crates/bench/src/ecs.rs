//! `sinew bench ecs`: how long each of the four systems takes for a crowd.
//!
//! Stopwatches are systems too, placed between the steps as a user's own would be.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use bevy_ecs::prelude::*;
use serde::Serialize;
use sinew::glam::{Quat, Vec3};
use sinew::{ClipId, Transform, Transition};
use sinew_ecs::{AnimationPlayer, Camera, Diagnostics, LocalTransform, Model, Screen, Step};

use crate::BenchError;
use crate::output;

/// What is run before anything is measured.
const WARM_UP: usize = 3;
/// Between two characters, in metres.
const GAP: f32 = 1.2;

/// What `sinew bench ecs` takes.
#[derive(Debug, clap::Args)]
pub struct BenchEcs {
    /// The model of which the crowd is made: a file, or built in: `ossi`, `demo`.
    #[arg(default_value = "ossi")]
    file: PathBuf,
    /// How many characters.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    characters: u32,
    /// How many frames are measured.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,
    /// Leave the render system out.
    #[arg(long)]
    no_render: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// When each step of the frame began; the last is the end.
#[derive(Default, Resource)]
struct Laps(Vec<Instant>);

fn lap(mut laps: ResMut<'_, Laps>) {
    laps.0.push(Instant::now());
}

#[derive(Debug, Serialize)]
struct Row {
    system: &'static str,
    best_ms: f64,
    median_ms: f64,
}

#[derive(Debug, Serialize)]
struct Table {
    model: String,
    characters: u32,
    nodes_each: usize,
    joints_each: usize,
    frames: u32,
    threads: usize,
    spawn_ms: f64,
    /// The device that draws; none when nothing is drawn.
    device: Option<String>,
    /// Characters in the image.
    seen: u32,
    systems: Vec<Row>,
}

pub(crate) fn run(args: &BenchEcs) -> Result<(), BenchError> {
    let imported = sinew::Model::open(&args.file)?;
    let crowd = Model::new(imported.scene);
    let scene = crowd.scene();
    let mut world = World::new();
    let mut schedule = Schedule::default();
    sinew_ecs::install(&mut world, &mut schedule);
    world.init_resource::<Laps>();
    schedule.add_systems((
        lap.before(Step::Animation),
        lap.after(Step::Animation).before(Step::Node),
        lap.after(Step::Node).before(Step::Skinning),
        lap.after(Step::Skinning).before(Step::Render),
        lap.after(Step::Render),
    ));
    let start = Instant::now();
    spawn(&mut world, &crowd, args.characters);
    let spawn_ms = start.elapsed().as_secs_f64() * 1e3;
    let device = (!args.no_render).then(|| show(&mut world)).flatten();
    let frames = measure(&mut world, &mut schedule, args.frames as usize);
    if let Some(diagnostic) = world.resource::<Diagnostics>().iter().next() {
        return Err(BenchError::Work(diagnostic.to_string()));
    }
    let table = Table {
        model: imported.name,
        characters: args.characters,
        nodes_each: scene.skeleton().len(),
        joints_each: scene.skins.iter().map(|skin| skin.joints.len()).sum(),
        frames: args.frames,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        spawn_ms,
        seen: world.get_resource::<Screen>().map_or(0, |screen| screen.stats().seen),
        systems: rows(&frames, device.is_some()),
        device,
    };
    output::write(|out| {
        if args.json { Ok(serde_json::to_writer_pretty(out, &table)?) } else { print(out, &table) }
    })
}

/// A square of characters, each at its own moment of its own clip.
fn spawn(world: &mut World, crowd: &Model, characters: u32) {
    let side = f64::from(characters).sqrt().ceil() as u32;
    let scene = crowd.scene();
    let moving: Vec<ClipId> =
        scene.clip_ids().filter(|clip| scene[*clip].track_count() > 0).collect();
    for index in 0..characters {
        let root = crowd.spawn(world);
        let place = Vec3::new((index % side) as f32, 0.0, (index / side) as f32) * GAP;
        world.entity_mut(root).insert(LocalTransform(Transform::from_translation(place)));
        if let Some(mut player) = world.get_mut::<AnimationPlayer>(root)
            && let Some(clip) = moving.get(index as usize % moving.len().max(1))
        {
            player.start(*clip, Transition::Cut);
            // The golden ratio spreads the moments evenly, however many there are.
            let share = (f64::from(index) * 0.618_034).fract() as f32;
            let time = player.duration() * share;
            player.seek(time);
        }
    }
}

/// A screen, and a camera in the corner that looks along two sides of the square; gives the device's name.
fn show(world: &mut World) -> Option<String> {
    let mut screen = match Screen::headless(320, 180) {
        Ok(screen) => screen,
        Err(error) => {
            eprintln!("the render system is left out: {error}");
            return None;
        }
    };
    screen.frame_mut().shadows.on = false;
    let name = screen.gpu().name();
    world.insert_resource(screen);
    let from = Transform {
        translation: Vec3::new(GAP * 5.0, 1.6, GAP * 5.0),
        rotation: Quat::from_rotation_y(0.25 * std::f32::consts::PI),
        ..Transform::IDENTITY
    };
    world.spawn((Camera::perspective(0.8), LocalTransform(from)));
    Some(name)
}

/// Milliseconds of each step, frame by frame.
fn measure(world: &mut World, schedule: &mut Schedule, frames: usize) -> Vec<[f64; 4]> {
    let mut all = Vec::with_capacity(frames);
    for frame in 0..WARM_UP + frames {
        world.resource_mut::<Laps>().0.clear();
        sinew_ecs::run(world, schedule, 1.0 / 60.0);
        let laps = &world.resource::<Laps>().0;
        if frame >= WARM_UP && laps.len() == 5 {
            let ms = |step: usize| (laps[step + 1] - laps[step]).as_secs_f64() * 1e3;
            all.push(std::array::from_fn(ms));
        }
    }
    all
}

fn rows(frames: &[[f64; 4]], drawn: bool) -> Vec<Row> {
    let row = |system, ms: &dyn Fn(&[f64; 4]) -> f64| {
        let mut times: Vec<f64> = frames.iter().map(ms).collect();
        times.sort_by(f64::total_cmp);
        let best_ms = times.first().copied().unwrap_or_default();
        Row { system, best_ms, median_ms: times.get(times.len() / 2).copied().unwrap_or_default() }
    };
    let names = ["animation", "node", "skinning", "render"];
    let measured = if drawn { 4 } else { 3 };
    let mut rows: Vec<Row> = (0..measured).map(|step| row(names[step], &|f| f[step])).collect();
    rows.push(row("all", &|frame| frame[..measured].iter().sum()));
    rows
}

fn print(out: &mut Vec<u8>, table: &Table) -> io::Result<()> {
    writeln!(
        out,
        "{} × {} ({} nodes, {} joints each), {} frames, {} threads, spawned in {:.0} ms",
        table.characters,
        table.model,
        table.nodes_each,
        table.joints_each,
        table.frames,
        table.threads,
        table.spawn_ms
    )?;
    writeln!(out, "   best ms  median ms  ns a character  system")?;
    for row in &table.systems {
        let each = row.best_ms * 1e6 / f64::from(table.characters);
        let note = match (&table.device, row.system) {
            (Some(device), "render") => format!(", {} in the image, {device}", table.seen),
            _ => String::new(),
        };
        let (best, median) = (row.best_ms, row.median_ms);
        writeln!(out, "{best:>10.2} {median:>10.2} {each:>15.0}  {}{note}", row.system)?;
    }
    Ok(())
}
