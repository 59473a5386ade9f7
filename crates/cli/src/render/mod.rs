//! `sinew render`: a model or a scene file as an image, a contact sheet or a film.
//!
//! In:  what the person asked for.
//! Out: one file, whole or not at all.
//!
//! The device starts in a thread of its own while the model is read: each takes about as long.

pub(crate) mod args;
pub(crate) mod cache;
mod camera;
pub(crate) mod driver;
mod laps;
mod pass;
pub(crate) mod plan;
pub(crate) mod progress;
pub(crate) mod save;
pub(crate) mod screen;
pub(crate) mod sheet;
mod show;
pub(crate) mod studio;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread;

use clap::{Args, FromArgMatches};
use sinew::film::{self, Film, FilmSettings, Palette};
use sinew::render::{Background, Environment, Gpu, Image, Occlusion};
use sinew::stage::{self, Stage, Surroundings};
use sinew::{ImportError, Model, Options, Transition};

use self::args::{Kind, Lights};
pub(crate) use self::args::{Render, Size};
use self::laps::Laps;
use self::plan::{Form, Plan};
pub(crate) use self::progress::Progress;
use self::studio::{Set, Studio};
use crate::args::Talk;
use crate::fault::Fault;
use crate::{eval, mixed, model};

/// Seconds of a graph, where nobody said.
const GRAPH: f64 = 4.0;
/// The longest side of an image that half of the usual shadow map is fine enough for, in pixels.
const SMALL: u32 = 800;
/// How many images a GIF takes its colours from.
const PALETTE_IMAGES: usize = 6;

pub(crate) fn run(args: &Render, talk: Talk) -> Result<(), Fault> {
    run_on(args, talk, || open(args, talk))
}

/// The usual image of a model at hand: a contact sheet, or a film of its first clip.
pub(crate) fn look(imported: Model, out: &Path, talk: Talk) -> Result<(), Fault> {
    let command = Render::augment_args(clap::Command::new("look"));
    let mut words = vec!["look".into(), imported.name.clone().into(), "-o".into(), out.into()];
    if out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")) {
        words.extend(["--sheet".into(), "4x2".into()]);
    }
    let words: Vec<OsString> = words;
    let told = command.try_get_matches_from(words).and_then(|told| Render::from_arg_matches(&told));
    let args = told.map_err(|error| Fault::Usage(error.to_string()))?;
    run_on(&args, talk, || {
        let mut stage = Stage::of(imported);
        stage.seek(0.0);
        Ok(stage)
    })
}

fn run_on(
    args: &Render,
    talk: Talk,
    open: impl FnOnce() -> Result<Stage, Fault>,
) -> Result<(), Fault> {
    driver::hush();
    let mut laps = Laps::new(talk >= Talk::Verbose);
    let exr = pass::is_exr(&args.out);
    if exr && args.pass.is_none() {
        return Err(Fault::Usage("an EXR holds numbers: expected --pass, or .png".into()));
    }
    let kind = if exr { Kind::Png } else { plan::kind(args.format, &args.out)? };
    save::check(&args.out)?;
    let studio = thread::spawn(|| Gpu::headless().map(Studio::warm));
    let file = args.environment.clone();
    let theme = (!stage::is_scene_file(&args.model.file)).then(|| args.theme.unwrap_or_default());
    let environment = thread::spawn(move || match (file, theme) {
        (Some(file), _) => open_environment(file).map(Some),
        (None, Some(theme)) => {
            Surroundings::studio(theme).environment.prepare_with(&cache::Environments::new());
            Ok(None)
        }
        (None, None) => Ok(None),
    });
    let mut stage = open()?;
    laps.lap("model read");
    let duration = if args.graph.is_some() { graph_seconds(args) } else { stage.duration() };
    let plan = plan::plan(args, kind, duration)?;
    let environment = environment.join();
    let environment = environment.map_err(|_| Fault::Work("the environment failed".into()))??;
    prepare(args, &plan, &mut stage, environment)?;
    let studio = studio.join();
    let mut studio = studio.map_err(|_| Fault::Work("the graphics driver failed".into()))??;
    laps.lap(&format!("device: {}", studio.name()));
    for note in studio.upload(&mut stage)? {
        if talk >= Talk::Verbose {
            crate::output::tell!("note: {note}");
        }
    }
    laps.lap("upload");
    let mut set = set(args, &plan, &studio, &mut stage)?;
    laps.lap("framing");
    let bytes = match &args.pass {
        Some(pass) if plan.form == Form::Still => {
            pass.file(&set.buffers(pass, plan.moments[0], plan.size), exr)?
        }
        Some(_) if exr => {
            return Err(Fault::Usage("an EXR is one image: expected no --sheet".into()));
        }
        _ => take(&plan, &mut studio, &mut set, talk, &mut laps)?,
    };
    laps.lap("encoded");
    save::save(&args.out, &bytes)?;
    laps.lap("written");
    studio.keep_cache();
    laps.lap("pipelines kept");
    Ok(())
}

/// Reads an image all around and prepares it, while others start the device and read the model.
fn open_environment(file: PathBuf) -> Result<Environment, ImportError> {
    let environment = stage::open_environment(file)?;
    environment.prepare_with(&cache::Environments::new());
    Ok(environment)
}

fn open(args: &Render, talk: Talk) -> Result<Stage, Fault> {
    let options = Options { decode_images: true, ..args.model.options() };
    let mut stage = if stage::is_scene_file(&args.model.file) {
        if !args.model.anim.is_empty() || args.clip.is_some() || args.graph.is_some() {
            return Err(Fault::Usage(
                "--anim, --clip and --graph are for a model: a scene file has its own".into(),
            ));
        }
        Stage::open_with(&args.model.file, &options)?
    } else {
        one(args, &options, talk)?
    };
    for file in &args.with {
        stage.add(model::open_one(file, &options)?);
    }
    if talk >= Talk::Verbose {
        for note in &stage.notes {
            crate::output::tell!("note: {note}");
        }
    }
    Ok(stage)
}

fn one(args: &Render, options: &Options, talk: Talk) -> Result<Stage, Fault> {
    let mut imported = model::open_with(&args.model, options, Talk::Quiet.min(talk))?;
    let notes = std::mem::take(&mut imported.notes);
    for note in notes.iter().filter(|note| note.changes_the_image()) {
        if talk == Talk::Normal {
            crate::output::tell!("note: {note}");
        }
    }
    let mut stage = Stage::of(imported);
    stage.notes.extend(notes.iter().map(ToString::to_string));
    if let Some(member) = stage.members.first_mut() {
        let actor = &mut member.actor;
        match args.clip.as_deref() {
            None => {}
            Some("none") => actor.stop(),
            Some(wanted) => {
                let clip = eval::find_clip(actor.scene(), wanted)?;
                actor.start(clip, Transition::Cut);
            }
        }
        if let Some(file) = &args.graph {
            let playback = mixed::playback(file, &args.set, actor.scene())?;
            member.follow(playback, args.at.unwrap_or(0.0).max(0.0) + graph_seconds(args));
        }
    }
    stage.seek(0.0);
    Ok(stage)
}

/// How long a graph is shown: it has no end of its own.
fn graph_seconds(args: &Render) -> f64 {
    args.seconds.unwrap_or(GRAPH)
}

/// Light, background and what is shown, as asked for.
fn prepare(
    args: &Render,
    plan: &Plan,
    stage: &mut Stage,
    environment: Option<Environment>,
) -> Result<(), Fault> {
    let around = &mut stage.surroundings;
    if let Some(theme) = args.theme {
        *around = Surroundings::studio(theme);
    }
    if let Some(behind) = args.background {
        around.background = behind.0;
    }
    if around.background == Background::Transparent && plan.kind == Kind::Mp4 {
        return Err(Fault::Usage(
            "an MP4 has no transparency: expected another --background, or .apng".into(),
        ));
    }
    if let Some(environment) = environment {
        around.environment = environment;
        around.environment_strength = 1.0;
        around.occlusion = Occlusion::NORMAL;
        let turn = args.environment_rotation.unwrap_or(0.0);
        around.environment_rotation = (turn as f32).to_radians();
    }
    if let Some(exposure) = args.exposure {
        around.exposure = exposure as f32;
    }
    around.tone = args.tone.unwrap_or(around.tone);
    around.occlusion = args.occlusion.unwrap_or(around.occlusion);
    around.reflection = args.reflection.or(around.reflection);
    around.shadow_strength = args.shadows.unwrap_or(around.shadow_strength);
    let usual = if args.environment.is_some() { Lights::None } else { Lights::Studio };
    let lights = args.lights.unwrap_or(usual);
    if matches!(lights, Lights::Own | Lights::None) {
        around.lights.clear();
    }
    if let (Some(variant), Some(member)) = (&args.variant, stage.members.first_mut()) {
        let shown = member.show_variant(variant);
        shown.map_err(|error| Fault::Work(format!("--variant: {error}")))?;
    }
    for member in &mut stage.members {
        if lights == Lights::None {
            member.lights = stage::Lights::Off;
        } else if lights != Lights::Studio {
            member.lights = stage::Lights::On;
        }
        // One moment of a clip, not one of its loops: the end is the last key.
        member.looped &= plan.form != Form::Still || stage::is_scene_file(&args.model.file);
    }
    stage.missing = args.missing.images();
    show::choose(&args.show, stage)
}

fn set<'a>(
    args: &'a Render,
    plan: &Plan,
    studio: &Studio,
    stage: &'a mut Stage,
) -> Result<Set<'a>, Fault> {
    if let Some(pass) = &args.pass {
        pass.check(stage)?;
    }
    let large = Size {
        width: plan.size.width.saturating_mul(args.supersample),
        height: plan.size.height.saturating_mul(args.supersample),
    };
    let target = studio.target(large)?;
    let times: Vec<f64> = plan.moments.iter().map(|moment| moment.time).collect();
    let shot = camera::shot(args, stage);
    let framing = stage.frame_shot(&shot, &times, target.aspect());
    let framing = framing.map_err(|error| Fault::Work(format!("--camera: {error}")))?;
    let bounds = framing.bounds();
    let cameras = match camera::fixed(args, stage)? {
        Some(camera) => {
            stage.surroundings.face_camera(&camera);
            camera::Cameras::Fixed(camera)
        }
        None => camera::Cameras::Framed(framing),
    };
    let mut frame = stage.frame_on_floor(cameras.at(plan.moments[0]), bounds);
    frame.floor.grid |= args.show.contains(&args::Show::Grid);
    let size = if bounds.is_empty() { 1.0 } else { bounds.size().length() };
    if large.width.max(large.height) <= SMALL {
        // A texel is about as large as a pixel then.
        frame.shadows.map_size = 1024;
    }
    Ok(Set {
        stage,
        cameras,
        show: &args.show,
        frame,
        target,
        size,
        shutter: shutter(args, plan),
        supersample: args.supersample,
        pass: args.pass.as_ref(),
    })
}

/// For how many seconds the shutter is open for each frame, and how many images are taken meanwhile.
fn shutter(args: &Render, plan: &Plan) -> Option<(f64, u32)> {
    let degrees = args.shutter.filter(|degrees| *degrees > 0.0)?;
    let frame = match plan.form {
        Form::Film(fps) => 1.0 / fps,
        Form::Still | Form::Sheet(_) => 1.0 / args.fps.unwrap_or(30.0),
    };
    Some((frame * degrees / 360.0, args.samples))
}

/// Draws every moment and gives the bytes of the file.
fn take(
    plan: &Plan,
    studio: &mut Studio,
    set: &mut Set<'_>,
    talk: Talk,
    laps: &mut Laps,
) -> Result<Vec<u8>, Fault> {
    let mut progress = Progress::new(plan.moments.len(), talk == Talk::Quiet);
    let mut quiet = Laps::new(false);
    match plan.form {
        Form::Still => {
            let image = studio.image(set, plan.moments[0], laps)?;
            Ok(film::still(&image)?)
        }
        Form::Sheet(grid) => {
            let mut sheet = sheet::Sheet::new(grid, plan.size);
            for (done, moment) in plan.moments.iter().enumerate() {
                progress.show(done);
                sheet.add(&studio.image(set, *moment, &mut quiet)?);
            }
            Ok(film::still(&sheet.finish())?)
        }
        Form::Film(fps) => {
            let palette = palette(plan, studio, set)?;
            let mut film = Film::new(settings(plan, fps, set), palette)?;
            for (done, moment) in plan.moments.iter().enumerate() {
                progress.show(done);
                film.add(&studio.image(set, *moment, &mut quiet)?)?;
            }
            Ok(film.finish()?)
        }
    }
}

fn settings(plan: &Plan, fps: f64, set: &Set<'_>) -> FilmSettings {
    let transparent = set.stage.surroundings.background == Background::Transparent;
    let kind = plan.kind.of_film();
    let Size { width, height } = plan.size;
    FilmSettings { kind, width, height, frames: plan.moments.len(), fps, transparent }
}

/// The colours of a few moments, well apart; none for what has colours enough.
fn palette(plan: &Plan, studio: &mut Studio, set: &mut Set<'_>) -> Result<Palette, Fault> {
    if plan.kind != Kind::Gif {
        return Ok(Palette::default());
    }
    let count = plan.moments.len().min(PALETTE_IMAGES);
    let mut quiet = Laps::new(false);
    let mut images: Vec<Image> = Vec::with_capacity(count);
    for index in 0..count {
        let moment = plan.moments[index * plan.moments.len() / count];
        images.push(studio.image(set, moment, &mut quiet)?);
    }
    Ok(Palette::of(images.iter()))
}
