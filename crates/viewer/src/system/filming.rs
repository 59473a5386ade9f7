//! A film of the view is made on a thread of its own, so that the window stays alive.
//!
//! In:  the state when it was asked for, and a stage of its own on the same device.
//! Out: the bytes of a GIF, a frame at a time; it can be stopped at every one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use eframe::egui::Context;
use sinew::film::{Film, FilmSettings, Kind, Palette};
use sinew::render::Image;

use crate::film::{self, FilmPlan, Moment};
use crate::stage::Stage;
use crate::state::State;

/// How many frames the colours are taken from.
const PALETTE_FRAMES: usize = 6;

/// A film being made. Dropped, it stops.
#[derive(Debug)]
pub(crate) struct Filming {
    result: Receiver<Result<Vec<u8>, String>>,
    shared: Arc<Shared>,
    frames: usize,
}

#[derive(Debug, Default)]
struct Shared {
    done: AtomicUsize,
    stopped: AtomicBool,
}

/// How far it is.
#[derive(Debug)]
pub(crate) enum Progress {
    /// Frames made, of how many.
    Working(usize, usize),
    Done(Result<Vec<u8>, String>),
}

impl Filming {
    /// Begins; the window is woken at every frame.
    pub(crate) fn start(mut state: State, mut stage: Stage, context: &Context) -> Self {
        let (sender, result) = channel();
        let shared = Arc::new(Shared::default());
        let progress = shared.clone();
        let context = context.clone();
        let plan = film::plan(&state);
        let frames = plan.moments.len();
        let work = move || {
            let report = |done: usize| {
                progress.done.store(done, Ordering::Relaxed);
                context.request_repaint();
                !progress.stopped.load(Ordering::Relaxed)
            };
            if let Some(made) = make(&plan, &mut state, &mut stage, &report).transpose() {
                let _ = sender.send(made);
            }
            context.request_repaint();
        };
        super::run(work);
        Self { result, shared, frames }
    }

    /// How far it is.
    pub(crate) fn look(&self) -> Progress {
        match self.result.try_recv() {
            Ok(result) => Progress::Done(result),
            Err(TryRecvError::Empty) => {
                Progress::Working(self.shared.done.load(Ordering::Relaxed), self.frames)
            }
            Err(TryRecvError::Disconnected) => {
                Progress::Done(Err("making it came to an unexpected end".to_owned()))
            }
        }
    }
}

impl Drop for Filming {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
    }
}

/// The whole film; `None` when `report` said to stop.
fn make(
    plan: &FilmPlan,
    state: &mut State,
    stage: &mut Stage,
    report: &dyn Fn(usize) -> bool,
) -> Result<Option<Vec<u8>>, String> {
    let start = film::starts(state);
    let camera = state.orbit;
    let mut shoot = |moment: Moment| -> Result<Image, String> {
        film::seek(state, moment, &start);
        state.orbit = camera;
        state.orbit.yaw += moment.yaw;
        let drawn = stage.draw(state, plan.width, plan.height);
        drawn.and_then(|_| stage.read()).map_err(|error| error.to_string())
    };
    let count = plan.moments.len().min(PALETTE_FRAMES);
    let mut some = Vec::with_capacity(count);
    for index in 0..count {
        if !report(0) {
            return Ok(None);
        }
        some.push(shoot(plan.moments[index * plan.moments.len() / count])?);
    }
    let settings = FilmSettings {
        kind: Kind::Gif,
        width: plan.width,
        height: plan.height,
        frames: plan.moments.len(),
        fps: f64::from(plan.fps),
        transparent: false,
    };
    let words = |error: sinew::film::FilmError| error.to_string();
    let mut film = Film::new(settings, Palette::of(some.iter())).map_err(words)?;
    for (done, moment) in plan.moments.iter().enumerate() {
        if !report(done) {
            return Ok(None);
        }
        film.add(&shoot(*moment)?).map_err(words)?;
    }
    film.finish().map(Some).map_err(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use sinew::render::{Gpu, wgpu};

    fn studio() -> (State, Stage) {
        let models = vec![Model::built_in("demo", sinew::demo())];
        let mut state = State { models, aspect: 2.0, frame_soon: false, ..State::default() };
        state.film = crate::film::FilmOptions { width: 32, fps: 5.0, turntable: false };
        let gpu = Gpu::headless().expect("a driver");
        let stage = Stage::new(gpu, wgpu::TextureFormat::Rgba8Unorm).expect("a stage");
        (state, stage)
    }

    #[test]
    fn a_film_is_a_gif_of_every_moment() {
        let (mut state, mut stage) = studio();
        let plan = film::plan(&state);
        let bytes = make(&plan, &mut state, &mut stage, &|_| true).expect("made").expect("whole");
        assert!(bytes.starts_with(b"GIF89a"));
        assert_eq!(bytes[6..10], [32, 0, 16, 0]);
        // Each frame has a graphic control: 21 f9 04.
        let frames = bytes.windows(3).filter(|bytes| *bytes == [0x21, 0xf9, 4]).count();
        assert_eq!(frames, plan.moments.len());
    }

    #[test]
    fn a_film_that_is_stopped_gives_nothing() {
        let (mut state, mut stage) = studio();
        let plan = film::plan(&state);
        let made = make(&plan, &mut state, &mut stage, &|done| done < 2).expect("no error");
        assert!(made.is_none());
    }
}
