//! What each action does to the viewer's state.

use sinew::{ClipId, LoopMode};

use crate::keys::Action;
use crate::modes::Switch;
use crate::outline::Item;
use crate::state::{Request, State};

impl State {
    /// Does what a person asked for.
    pub(crate) fn act(&mut self, action: Action) {
        match action {
            Action::Play => self.play(),
            Action::Step(frames) => self.jump(|line, time| line.stepped(time, frames)),
            Action::NextKey => self.jump(|line, time| line.next_key(time)),
            Action::PreviousKey => self.jump(|line, time| line.previous_key(time)),
            Action::First => self.jump(|_, _| 0.0),
            Action::Last => self.jump(|line, _| line.duration),
            Action::NextClip => self.other_clip(1),
            Action::PreviousClip => self.other_clip(-1),
            Action::Slower => self.speed = (self.speed * 0.5).max(1.0 / 64.0),
            Action::Faster => self.speed = (self.speed * 2.0).min(16.0),
            Action::PlainSpeed => self.speed = 1.0,
            Action::LoopMode => {
                self.loop_mode = match self.loop_mode {
                    LoopMode::Loop => LoopMode::PingPong,
                    LoopMode::PingPong => LoopMode::Once,
                    LoopMode::Once => LoopMode::Loop,
                };
            }
            Action::Look(view) => {
                let facing = self.facing();
                self.move_to(|orbit| orbit.look(view, facing));
            }
            Action::Frame => self.frame(false),
            Action::FrameAll => self.frame(true),
            Action::Flat => self.orbit.flat ^= true,
            Action::Switch(switch) => self.switch(switch),
            Action::Place => self.show_place ^= true,
            Action::Reach => self.reach(),
            Action::Deselect => self.close_one(),
            Action::Parent => self.select_parent(),
            Action::HidePanels => self.panels.hidden ^= true,
            Action::Tree => show(&mut self.panels.hidden, &mut self.panels.tree),
            Action::Inspector => show(&mut self.panels.hidden, &mut self.panels.inspector),
            Action::Timeline => show(&mut self.panels.hidden, &mut self.panels.timeline),
            Action::Search => {
                self.panels.tree = true;
                self.panels.hidden = false;
                self.focus_search = true;
            }
            Action::Open => self.browse(false),
            Action::Check if self.findings.is_some() => self.findings = None,
            Action::Check => self.requests.push(Request::Check),
            Action::Compare if self.diff.is_some() => self.end_diff(),
            Action::Compare => self.browse(true),
            Action::Reload => self.requests.push(Request::Reload),
            Action::Screenshot => self.requests.push(Request::Screenshot),
            Action::Film => self.ask_film ^= self.filming.is_none(),
            Action::Help => self.help ^= true,
            Action::FullScreen => self.requests.push(Request::FullScreen),
            Action::Quit => self.requests.push(Request::Quit),
        }
    }

    fn play(&mut self) {
        self.playing ^= true;
        if self.playing
            && let Some(model) = self.model_mut()
        {
            // At the end of a clip that plays once, this starts over.
            model.actor.resume();
        }
    }

    /// Pauses and goes elsewhere in the clip.
    fn jump(&mut self, to: impl Fn(&crate::timeline::Timeline, f32) -> f32) {
        self.playing = false;
        let Some(model) = self.model_mut() else { return };
        // A graph has neither frames nor an end: it begins anew.
        let time = model.timeline().map_or(0.0, |line| to(line, model.actor.time()));
        model.seek(time);
    }

    fn other_clip(&mut self, step: isize) {
        let Some(model) = self.model_mut() else { return };
        let count = model.scene().clips.len() as isize;
        if count > 0 {
            let now = model.clip().map_or(-1, |clip| clip.index() as isize);
            let next = (now + step).rem_euclid(count) as usize;
            self.choose_clip(Some(ClipId::new(next)));
        }
    }

    /// Plays another clip from its start, or shows the rest pose.
    pub(crate) fn choose_clip(&mut self, clip: Option<ClipId>) {
        let transition = self.transition();
        if let Some(model) = self.model_mut() {
            model.start(clip, transition);
            let name = clip.map(|clip| model.scene()[clip].name.clone());
            self.say(name.map_or("rest pose".to_owned(), |name| format!("clip \"{name}\"")));
        }
        self.find_selected_keys();
    }

    fn switch(&mut self, switch: Switch) {
        let value = self.modes.at(switch);
        *value ^= true;
        if switch == Switch::Heat && *value && self.joint().is_none() {
            self.say("select a joint to see how strongly it influences");
        }
    }

    /// Moves the camera smoothly to another place.
    pub(crate) fn move_to(&mut self, change: impl FnOnce(&mut crate::orbit::Orbit)) {
        let mut goal = self.goal.unwrap_or(self.orbit);
        change(&mut goal);
        self.goal = Some(goal);
    }

    fn frame(&mut self, all: bool) {
        let bounds = if all { self.bounds() } else { self.selected_bounds() };
        let aspect = self.aspect;
        self.move_to(|orbit| orbit.frame(bounds, aspect));
    }

    /// Closes what lies on top; where nothing does, drops the selection.
    fn close_one(&mut self) {
        if self.help {
            self.help = false;
        } else if self.browser.is_some() {
            self.browser = None;
        } else if self.ask_film {
            self.ask_film = false;
        } else if self.diagnostics.pop().is_some() {
        } else if self.filming.is_some() {
            self.requests.push(Request::StopFilm);
        } else if self.findings.take().is_some() {
        } else if self.diff.is_some() {
            self.end_diff();
        } else {
            self.show_notes = false;
            self.select(self.active, None);
        }
    }

    fn select_parent(&mut self) {
        let Some(model) = self.model() else { return };
        let up = match self.selection {
            Some(Item::Joint(joint)) => match model.scene().skeleton().parents()[joint.index()] {
                Some(parent) => Item::Joint(parent),
                None => Item::Model,
            },
            Some(Item::Mesh(instance)) => {
                Item::Joint(model.scene().instances[instance.index()].joint)
            }
            Some(Item::Model) | None => return,
        };
        self.select(self.active, Some(up));
    }

    /// Lists folders to choose a file from.
    #[cfg(not(target_arch = "wasm32"))]
    fn browse(&mut self, compares: bool) {
        let beside = self.model().and_then(|model| model.source.file.as_deref()?.parent());
        let browser = crate::browser::Browser::new(beside.map(std::path::Path::to_owned));
        self.browser = Some(crate::browser::Browser { compares, ..browser });
    }

    /// A browser has a window of its own for that.
    #[cfg(target_arch = "wasm32")]
    fn browse(&mut self, compares: bool) {
        use crate::state::How;
        crate::web::choose(if compares { How::Compare } else { How::Replace });
    }
}

fn show(hidden: &mut bool, panel: &mut bool) {
    // With all panels folded away, one key brings one back.
    *panel = *hidden || !*panel;
    *hidden = false;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use sinew::{JointId, Scene};

    fn state() -> State {
        let models = vec![Model::built_in("demo", sinew::demo())];
        State { models, ..State::default() }
    }

    fn time(state: &State) -> f32 {
        state.model().map_or(0.0, |model| model.actor.time())
    }

    #[test]
    fn space_stops_time_and_lets_it_go_on() {
        let mut state = state();
        state.advance(0.1);
        let then = time(&state);
        assert!(then > 0.05, "{then}");
        state.act(Action::Play);
        state.advance(0.1);
        assert_eq!(time(&state), then);
        state.act(Action::Play);
        state.advance(0.1);
        assert!(time(&state) > then);
    }

    #[test]
    fn a_step_pauses_and_moves_by_one_frame() {
        let mut state = state();
        state.act(Action::First);
        state.act(Action::Step(1));
        let rate = state.model().and_then(Model::timeline).expect("a clip").rate;
        assert!(!state.playing && (time(&state) - 1.0 / rate).abs() < 1e-6);
        state.act(Action::Last);
        let end = time(&state);
        state.act(Action::Step(1));
        assert_eq!(time(&state), end);
    }

    #[test]
    fn a_clip_that_plays_once_stops_at_its_end_and_starts_over_when_played_again() {
        let mut state = state();
        state.loop_mode = LoopMode::Once;
        state.advance(100.0);
        assert!(!state.playing);
        let end = time(&state);
        assert_eq!(end, state.model().expect("one").facts.timelines[0].duration);
        state.advance(0.1);
        assert_eq!(time(&state), end, "it stays");
        state.act(Action::Play);
        state.advance(0.1);
        assert!(time(&state) < end && state.playing, "{}", time(&state));
    }

    #[test]
    fn nothing_to_play_is_no_error() {
        let mut empty = State::default();
        let mut bare = State {
            models: vec![Model::built_in("nothing", Scene::default())],
            ..State::default()
        };
        for state in [&mut empty, &mut bare] {
            for entry in crate::keys::KEYS {
                if !matches!(entry.action, Action::Open | Action::Compare) {
                    state.act(entry.action);
                    state.advance(0.02);
                }
            }
        }
    }

    #[test]
    fn the_parent_of_a_root_is_the_model() {
        let mut state = state();
        state.select(0, Some(Item::Joint(JointId::new(1))));
        state.act(Action::Parent);
        assert_eq!(state.selection, Some(Item::Joint(JointId::new(0))));
        state.act(Action::Parent);
        assert_eq!(state.selection, Some(Item::Model));
        state.act(Action::Deselect);
        assert_eq!(state.selection, None);
    }

    #[test]
    fn one_key_brings_a_panel_back_when_all_are_hidden() {
        let mut state = state();
        state.act(Action::HidePanels);
        state.act(Action::Tree);
        assert!(!state.panels.hidden && state.panels.tree);
    }

    #[test]
    fn a_framed_camera_arrives_and_rests() {
        let mut state = state();
        state.act(Action::FrameAll);
        for _ in 0..100 {
            state.advance(0.02);
        }
        assert_eq!(state.goal, None);
        let mut expected = state.orbit;
        expected.frame(state.bounds(), state.aspect);
        assert!((state.orbit.distance - expected.distance).abs() < 1e-3);
    }
}
