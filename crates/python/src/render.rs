//! Images of a model, without a window.
//!
//! In:  a scene, a clip, moments and a size.
//! Out: RGBA, or the bytes of a PNG, APNG or GIF.
//!
//! The device is opened once for each process: it takes longer than many images.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use sinew::film::{Film, FilmSettings, Kind, Palette, still};
use sinew::render::{Background, BoneStyle, Floor, Frame, Gpu, Image, Renderer, Target};
use sinew::stage::{Follow, Member, Shot, Stage};
use sinew::{Scene, Transition};

use crate::error::bad;

/// The longest film that a notebook shows, in seconds, and its frames a second.
const SHOWN_SECONDS: f32 = 4.0;
const SHOWN_RATE: f32 = 12.0;

/// Device and renderer of one process.
struct Studio {
    process: u32,
    gpu: Gpu,
    renderer: Renderer,
}

static STUDIO: Mutex<Option<Studio>> = Mutex::new(None);

/// How a model is shown.
pub(crate) struct Look {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) background: Option<Background>,
    pub(crate) floor: bool,
    pub(crate) follow: Follow,
    pub(crate) skeleton: bool,
}

impl Look {
    pub(crate) fn of_size(width: u32, height: u32) -> Self {
        Self { width, height, background: None, floor: true, follow: Follow::Auto, skeleton: false }
    }
}

fn failed(error: impl std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

fn studio() -> PyResult<MutexGuard<'static, Option<Studio>>> {
    let mut studio = STUDIO.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if studio.as_ref().is_none_or(|studio| studio.process != process) {
        let gpu = Gpu::headless().map_err(failed)?;
        let renderer = Renderer::new(&gpu);
        // Of a forked process's parent: its driver's threads are not here to end it.
        std::mem::forget(studio.replace(Studio { process, gpu, renderer }));
    }
    Ok(studio)
}

/// A stage with one model that plays one of its clips, or rests.
fn stage_of(scene: &Arc<Scene>, clip: Option<&sinew::Clip>) -> PyResult<Stage> {
    let scene = match clip {
        None => Arc::clone(scene),
        Some(clip) => {
            let mut parts = Scene::clone(scene).into_parts();
            parts.clips = vec![clip.clone()];
            Arc::new(Scene::new(parts).map_err(bad)?)
        }
    };
    let mut member = Member::new("model", Arc::clone(&scene));
    member.looped = false;
    if let Some(clip) = scene.clip_ids().next().filter(|_| clip.is_some()) {
        member.actor.start(clip, Transition::Cut);
    }
    let mut stage = Stage::default();
    stage.push(member);
    Ok(stage)
}

/// Images of a model at many moments; `each` takes them one by one.
pub(crate) fn images(
    scene: &Arc<Scene>,
    clip: Option<&sinew::Clip>,
    times: &[f32],
    look: &Look,
    mut each: impl FnMut(Image) -> PyResult<()>,
) -> PyResult<()> {
    let mut stage = stage_of(scene, clip)?;
    let mut studio = studio()?;
    let Some(Studio { gpu, renderer, .. }) = studio.as_mut() else {
        return Err(failed("the graphics driver failed"));
    };
    let target = Target::new(gpu, look.width, look.height).map_err(failed)?;
    stage.upload(renderer).map_err(failed)?;
    if let Some(background) = look.background {
        stage.surroundings.background = background;
    }
    if !look.floor {
        stage.surroundings.floor = Some(Floor::NONE);
        stage.surroundings.reflection = Some(0.0);
    }
    let shot = Shot { follow: look.follow, ..stage.shot() };
    let moments: Vec<f64> = times.iter().copied().map(f64::from).collect();
    let framing = stage.frame_shot(&shot, &moments, target.aspect()).map_err(failed)?;
    let mut frame = stage.frame_on_floor(framing.camera(0.0, 0.0), framing.bounds());
    for time in moments {
        stage.seek(time);
        frame.camera = framing.camera(time, 0.0);
        stage.dress(gpu);
        stage.fill(&mut frame);
        if look.skeleton || scene.instances.is_empty() {
            stage.members.iter().for_each(|member| skeleton(member, &mut frame));
        }
        renderer.draw(&mut frame, &target).map_err(failed)?;
        each(target.read(gpu).map_err(failed)?)?;
    }
    Ok(())
}

fn skeleton(member: &Member, frame: &mut Frame) {
    let style = BoneStyle { shown: &member.bones, ..BoneStyle::default() };
    let joints = member.actor.pose().model_from_joint();
    frame.overlay.skeleton(member.actor.scene().skeleton(), joints, &style);
}

/// A model at rest as the bytes of a PNG.
pub(crate) fn png_of(scene: &Arc<Scene>, width: u32, height: u32) -> PyResult<Vec<u8>> {
    let mut png = Vec::new();
    images(scene, None, &[0.0], &Look::of_size(width, height), |image| {
        png = still(&image).map_err(failed)?;
        Ok(())
    })?;
    Ok(png)
}

/// The first seconds of a clip as the bytes of an APNG.
pub(crate) fn film_of(
    scene: &Arc<Scene>,
    clip: &sinew::Clip,
    width: u32,
    height: u32,
) -> PyResult<Vec<u8>> {
    let frames = (clip.duration.min(SHOWN_SECONDS) * SHOWN_RATE) as usize + 1;
    let times: Vec<f32> = (0..frames).map(|frame| frame as f32 / SHOWN_RATE).collect();
    film(scene, clip, &times, f64::from(SHOWN_RATE), Kind::Apng, &Look::of_size(width, height))
}

/// A clip at these moments as the bytes of a film.
pub(crate) fn film(
    scene: &Arc<Scene>,
    clip: &sinew::Clip,
    times: &[f32],
    fps: f64,
    kind: Kind,
    look: &Look,
) -> PyResult<Vec<u8>> {
    let mut shot = Vec::with_capacity(times.len());
    images(scene, Some(clip), times, look, |image| {
        shot.push(image);
        Ok(())
    })?;
    let (width, height) = (look.width, look.height);
    let transparent = matches!(look.background, Some(Background::Transparent));
    let settings = FilmSettings { kind, width, height, frames: shot.len(), fps, transparent };
    let mut film = Film::new(settings, Palette::of(shot.iter())).map_err(failed)?;
    for image in &shot {
        film.add(image).map_err(failed)?;
    }
    film.finish().map_err(failed)
}
