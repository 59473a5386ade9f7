//! A film of what is shown: how large, how long, and which moments.
//!
//! In:  what a person chose, and how the clip is played.
//! Out: moments, each a time of the clip and how far the camera has gone around.
//!
//! A whole clip is stretched to whole frames, so that its loop closes.

use std::f32::consts::TAU;

use sinew::LoopMode;

use crate::model::Model;
use crate::state::State;

/// Most frames of a film.
pub(crate) const MAX_FRAMES: usize = 1500;
/// Once around something that does not move, in seconds.
const TURNTABLE_SECONDS: f32 = 4.0;
/// Of a graph, which has no end, in seconds.
const GRAPH_SECONDS: f32 = 4.0;

/// What a person chose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FilmOptions {
    /// Of the image, in pixels; its height follows from the window.
    pub(crate) width: u32,
    /// Frames a second.
    pub(crate) fps: f32,
    /// The camera goes once around.
    pub(crate) turntable: bool,
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self { width: 480, fps: 25.0, turntable: false }
    }
}

/// One moment of a film.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    /// Seconds that the clip has played, at its own speed.
    pub(crate) played: f32,
    /// How far the camera has gone around, in radians.
    pub(crate) yaw: f32,
}

/// A film to be made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FilmPlan {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) fps: f32,
    pub(crate) moments: Vec<Moment>,
}

impl FilmPlan {
    /// How long it is, in seconds.
    pub(crate) fn seconds(&self) -> f32 {
        self.moments.len() as f32 / self.fps
    }
}

/// The film of what is shown now: the clip of the active model, once.
pub(crate) fn plan(state: &State) -> FilmPlan {
    let options = state.film;
    let width = options.width.clamp(16, 2048);
    let height = ((width as f32 / state.aspect.clamp(0.05, 20.0)).round() as u32).clamp(16, 2048);
    let fps = options.fps.clamp(1.0, 50.0);
    let once = state.model().map_or(0.0, |model| length(model, state.loop_mode));
    let speed = if state.speed == 0.0 { 1.0 } else { state.speed };
    let shown = once / speed.abs();
    // Something that does not move is worth a film only from all sides.
    let turntable = options.turntable || once == 0.0;
    let loops =
        if turntable && once > 0.0 { (TURNTABLE_SECONDS / shown).ceil().max(1.0) } else { 1.0 };
    let seconds = if once > 0.0 { shown * loops } else { TURNTABLE_SECONDS };
    let count = ((seconds * fps).round() as usize).clamp(1, MAX_FRAMES);
    let moment = |index: usize| {
        let share = index as f32 / count as f32;
        Moment {
            played: once * loops * share * speed.signum(),
            yaw: if turntable { TAU * share } else { 0.0 },
        }
    };
    FilmPlan { width, height, fps, moments: (0..count).map(moment).collect() }
}

/// Seconds until a clip begins anew, at its own speed.
fn length(model: &Model, mode: LoopMode) -> f32 {
    if model.graph.is_some() {
        return GRAPH_SECONDS;
    }
    let duration = model.timeline().map_or(0.0, |line| line.duration);
    if mode == LoopMode::PingPong { duration * 2.0 } else { duration }
}

/// Puts every model to a moment; `start` are their times when the film began.
pub(crate) fn seek(state: &mut State, moment: Moment, start: &[f32]) {
    let mode = state.loop_mode;
    for (model, start) in state.models.iter_mut().zip(start) {
        let played = moment.played * model.placement.speed;
        let time = match model.timeline() {
            Some(line) => folded(start + played, line.duration, mode),
            None => played,
        };
        model.seek(time);
    }
}

/// When each model is when a film begins: the active one at its clip's start, the others as far as they are.
pub(crate) fn starts(state: &State) -> Vec<f32> {
    let now = |model: &Model| model.actor.time();
    let active = state.model().map_or(0.0, now);
    let of = |(index, model): (usize, &Model)| {
        if index == state.active { 0.0 } else { now(model) - active }
    };
    state.models.iter().enumerate().map(of).collect()
}

/// A time that runs on, as a time of the clip.
fn folded(time: f32, duration: f32, mode: LoopMode) -> f32 {
    if duration <= 0.0 {
        return 0.0;
    }
    match mode {
        LoopMode::PingPong => {
            let there = time.rem_euclid(duration * 2.0);
            if there > duration { duration * 2.0 - there } else { there }
        }
        _ if (0.0..=duration).contains(&time) => time,
        _ => time.rem_euclid(duration),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::Scene;

    fn demo() -> State {
        let models = vec![Model::built_in("demo", sinew::demo())];
        State { models, aspect: 1.5, ..State::default() }
    }

    #[test]
    fn a_film_shows_the_whole_clip_once_and_its_loop_closes() {
        let mut state = demo();
        let duration = state.models[0].facts.timelines[0].duration;
        let film = plan(&state);
        assert_eq!((film.width, film.height), (480, 320));
        assert_eq!(film.moments.len(), (duration * 25.0).round() as usize);
        assert_eq!(film.moments[0], Moment { played: 0.0, yaw: 0.0 });
        let step = film.moments[1].played;
        let last = film.moments[film.moments.len() - 1].played;
        assert!((last + step - duration).abs() < 1e-4, "{last} + {step} is not {duration}");
        state.speed = 2.0;
        assert_eq!(plan(&state).moments.len(), (duration * 12.5).round() as usize);
        state.loop_mode = LoopMode::PingPong;
        assert_eq!(plan(&state).moments.len(), (duration * 25.0).round() as usize);
    }

    #[test]
    fn what_does_not_move_is_shown_from_all_sides() {
        let models = vec![Model::built_in("nothing", Scene::default())];
        let film = plan(&State { models, ..State::default() });
        assert_eq!(film.moments.len(), 100);
        assert_eq!(film.moments[50], Moment { played: 0.0, yaw: TAU / 2.0 });
    }

    #[test]
    fn no_options_lead_to_a_film_without_end_or_size() {
        for film in [
            FilmOptions { width: 0, fps: 0.0, turntable: true },
            FilmOptions { width: u32::MAX, fps: f32::MAX, turntable: false },
        ] {
            for (speed, aspect) in [(0.0, 1.0), (1e-6, 1e-9), (-8.0, 1e9)] {
                let film = plan(&State { film, speed, aspect, ..demo() });
                assert!((1..=MAX_FRAMES).contains(&film.moments.len()));
                assert!((16..=2048).contains(&film.width) && (16..=2048).contains(&film.height));
            }
        }
    }

    #[test]
    fn time_that_runs_on_comes_back_into_the_clip() {
        assert_eq!(folded(2.5, 2.0, LoopMode::Loop), 0.5);
        assert_eq!(folded(2.0, 2.0, LoopMode::Loop), 2.0);
        assert_eq!(folded(-0.5, 2.0, LoopMode::Loop), 1.5);
        assert_eq!(folded(2.5, 2.0, LoopMode::PingPong), 1.5);
        assert_eq!(folded(1.0, 0.0, LoopMode::Once), 0.0);
    }
}
