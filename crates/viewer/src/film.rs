//! A film of what is shown: how large, how long, and which moments.
//!
//! In:  what a person wants, and how the clip is played.
//! Out: moments, each a time of the clip and how far the eye has gone around.
//!
//! A whole clip is stretched to whole frames, so that its loop closes.

use std::f32::consts::TAU;

use sinew::LoopMode;

use crate::model::Model;
use crate::state::State;

/// Most frames of a film.
pub(crate) const MOST_FRAMES: usize = 1500;
/// A turn around something that does not move, in seconds.
const TURN: f32 = 4.0;
/// Of a graph, which has no end, in seconds.
const GRAPH: f32 = 4.0;

/// What a person wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wish {
    /// Of the picture, in pixels; its height follows from the window.
    pub(crate) width: u32,
    /// Frames a second.
    pub(crate) fps: f32,
    /// Go once around.
    pub(crate) turn: bool,
}

impl Default for Wish {
    fn default() -> Self {
        Self { width: 480, fps: 25.0, turn: false }
    }
}

/// One moment of a film.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    /// Seconds that the clip has played, at its own speed.
    pub(crate) played: f32,
    /// How far the eye has gone around, in radians.
    pub(crate) turn: f32,
}

/// A film to be made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) fps: f32,
    pub(crate) moments: Vec<Moment>,
}

impl Plan {
    /// How long it is, in seconds.
    pub(crate) fn seconds(&self) -> f32 {
        self.moments.len() as f32 / self.fps
    }
}

/// The film of what is shown now: the clip of the active model, once.
pub(crate) fn plan(state: &State) -> Plan {
    let wish = state.wish;
    let width = wish.width.clamp(16, 2048);
    let height = ((width as f32 / state.aspect.clamp(0.05, 20.0)).round() as u32).clamp(16, 2048);
    let fps = wish.fps.clamp(1.0, 50.0);
    let once = state.model().map_or(0.0, |model| length(model, state.mode));
    let speed = if state.speed == 0.0 { 1.0 } else { state.speed };
    let shown = once / speed.abs();
    // Something that stands still is worth a film only from all sides.
    let turn = wish.turn || once == 0.0;
    let loops = if turn && once > 0.0 { (TURN / shown).ceil().max(1.0) } else { 1.0 };
    let seconds = if once > 0.0 { shown * loops } else { TURN };
    let count = ((seconds * fps).round() as usize).clamp(1, MOST_FRAMES);
    let moment = |index: usize| {
        let share = index as f32 / count as f32;
        Moment {
            played: once * loops * share * speed.signum(),
            turn: if turn { TAU * share } else { 0.0 },
        }
    };
    Plan { width, height, fps, moments: (0..count).map(moment).collect() }
}

/// Seconds until a clip begins anew, at its own speed.
fn length(model: &Model, mode: Mode) -> f32 {
    if model.graph.is_some() {
        return GRAPH;
    }
    let duration = model.timeline().map_or(0.0, |line| line.duration);
    if mode == Mode::PingPong { duration * 2.0 } else { duration }
}

/// Has every model stand as at a moment; `start` are their times when the film began.
pub(crate) fn stand(state: &mut State, moment: Moment, start: &[f32]) {
    let mode = state.mode;
    for (model, start) in state.models.iter_mut().zip(start) {
        if model.graph.is_some() {
            model.replay(moment.played * model.pace);
            continue;
        }
        let duration = model.timeline().map_or(0.0, |line| line.duration);
        let time = start + moment.played * model.pace;
        model.seek(folded(time, duration, mode));
    }
}

/// When each model is when a film begins: the active one at its clip's start, the others as far as they are.
pub(crate) fn starts(state: &State) -> Vec<f32> {
    let now = |model: &Model| model.actor.player().time();
    let active = state.model().map_or(0.0, now);
    let of = |(index, model): (usize, &Model)| {
        if index == state.active { 0.0 } else { now(model) - active }
    };
    state.models.iter().enumerate().map(of).collect()
}

/// A time that runs on, as a time of the clip.
fn folded(time: f32, duration: f32, mode: Mode) -> f32 {
    if duration <= 0.0 {
        return 0.0;
    }
    match mode {
        Mode::PingPong => {
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
        let duration = state.models[0].timelines[0].duration;
        let film = plan(&state);
        assert_eq!((film.width, film.height), (480, 320));
        assert_eq!(film.moments.len(), (duration * 25.0).round() as usize);
        assert_eq!(film.moments[0], Moment { played: 0.0, turn: 0.0 });
        let step = film.moments[1].played;
        let last = film.moments[film.moments.len() - 1].played;
        assert!((last + step - duration).abs() < 1e-4, "{last} + {step} is not {duration}");
        state.speed = 2.0;
        assert_eq!(plan(&state).moments.len(), (duration * 12.5).round() as usize);
        state.mode = Mode::PingPong;
        assert_eq!(plan(&state).moments.len(), (duration * 25.0).round() as usize);
    }

    #[test]
    fn what_stands_still_is_shown_from_all_sides() {
        let models = vec![Model::built_in("nothing", Scene::default())];
        let film = plan(&State { models, ..State::default() });
        assert_eq!(film.moments.len(), 100);
        assert_eq!(film.moments[50], Moment { played: 0.0, turn: TAU / 2.0 });
    }

    #[test]
    fn no_wish_leads_to_a_film_without_end_or_size() {
        for wish in [
            Wish { width: 0, fps: 0.0, turn: true },
            Wish { width: u32::MAX, fps: f32::MAX, turn: false },
        ] {
            for (speed, aspect) in [(0.0, 1.0), (1e-6, 1e-9), (-8.0, 1e9)] {
                let film = plan(&State { wish, speed, aspect, ..demo() });
                assert!((1..=MOST_FRAMES).contains(&film.moments.len()));
                assert!((16..=2048).contains(&film.width) && (16..=2048).contains(&film.height));
            }
        }
    }

    #[test]
    fn time_that_runs_on_comes_back_into_the_clip() {
        assert_eq!(folded(2.5, 2.0, Mode::Loop), 0.5);
        assert_eq!(folded(2.0, 2.0, Mode::Loop), 2.0);
        assert_eq!(folded(-0.5, 2.0, Mode::Loop), 1.5);
        assert_eq!(folded(2.5, 2.0, Mode::PingPong), 1.5);
        assert_eq!(folded(1.0, 0.0, Mode::Once), 0.0);
    }
}
