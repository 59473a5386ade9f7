//! What the viewer knows: models, selection, time, eye, switches. No window, no GPU, no files.
//!
//! In:  actions, what has been loaded, seconds that pass.
//! Out: what panels show, and [`Request`]s for whoever has the window and the files.

mod opening;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use sinew::{Bounds, JointId, Mode, Scene};

use crate::browser::Browser;
use crate::film::Wish;
use crate::load::Diagnostic;
use crate::model::Model;
use crate::modes::{Look, Modes, Panels};
use crate::orbit::Orbit;
use crate::outline::{Folded, Item};
use crate::set::Set;

/// Seconds in which one clip changes to the next, where nobody chose.
pub(crate) const FADE: f32 = 0.25;

/// What somebody with a window and files is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Open(Vec<PathBuf>, How),
    Reload,
    Screenshot,
    /// A film of the clip, as was wished for.
    Film,
    StopFilm,
    FullScreen,
    Quit,
}

/// What becomes of opened files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Models take the place of what is open; files of clips alone are attached.
    Replace,
    /// Models stand beside what is open.
    Add,
    /// The clips are attached to the model, whatever else the file has.
    Clips,
}

/// What drawing took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cost {
    pub(crate) frames_a_second: f32,
    pub(crate) draws: u32,
    pub(crate) uploaded: u64,
    pub(crate) seen: u32,
    pub(crate) culled: u32,
}

/// A sentence that goes by itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Toast {
    pub(crate) text: String,
    /// Seconds left.
    pub(crate) left: f32,
}

/// What the viewer knows.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) models: Vec<Model>,
    /// Whose clip the timeline shows.
    pub(crate) active: usize,
    /// What surrounds the built-in character.
    pub(crate) place: Option<Arc<Scene>>,
    pub(crate) show_place: bool,
    /// Of an open scene file.
    pub(crate) set: Option<Set>,
    pub(crate) selection: Option<Item>,
    pub(crate) modes: Modes,
    /// As they were before the built-in scene set its own.
    pub(crate) own_modes: Option<(Modes, Look)>,
    pub(crate) panels: Panels,
    pub(crate) look: Look,
    pub(crate) orbit: Orbit,
    pub(crate) goal: Option<Orbit>,
    /// Seconds left in which the picture counts as moved by a hand.
    pub(crate) handled: f32,
    /// Width over height of the picture.
    pub(crate) aspect: f32,
    /// Pixels for each point.
    pub(crate) scale: f32,
    /// Everything is to be framed once the picture has a size.
    pub(crate) frame_soon: bool,
    pub(crate) search: String,
    pub(crate) focus_search: bool,
    pub(crate) folded: Folded,
    /// The tree goes to the selection.
    pub(crate) reveal: bool,
    pub(crate) playing: bool,
    /// The head is held by a hand.
    pub(crate) scrubbing: bool,
    pub(crate) speed: f32,
    /// Seconds in which one clip changes to the next; 0 changes at once.
    pub(crate) fade: f32,
    /// The target that a hand holds, by its place among those of the active model.
    pub(crate) held_target: Option<usize>,
    pub(crate) mode: Mode,
    pub(crate) help: bool,
    pub(crate) show_notes: bool,
    pub(crate) browser: Option<Browser>,
    /// The window that asks how a film is to be is open.
    pub(crate) ask_film: bool,
    pub(crate) wish: Wish,
    /// Pictures made, of how many.
    pub(crate) filming: Option<(usize, usize)>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) toast: Option<Toast>,
    /// What is being read, in words.
    pub(crate) loading: Option<String>,
    pub(crate) cost: Cost,
    pub(crate) device: String,
    pub(crate) requests: Vec<Request>,
    /// Key times of the selected joint in the clip: for whom, and when.
    pub(crate) selected_keys: (Option<(u64, usize, JointId)>, Vec<f32>),
}

impl Default for State {
    fn default() -> Self {
        Self {
            models: Vec::new(),
            active: 0,
            place: None,
            show_place: true,
            set: None,
            selection: None,
            modes: Modes::default(),
            own_modes: None,
            panels: Panels::default(),
            look: Look::default(),
            orbit: Orbit::default(),
            goal: None,
            handled: 0.0,
            aspect: 1.5,
            scale: 1.0,
            frame_soon: true,
            search: String::new(),
            focus_search: false,
            folded: HashSet::new(),
            reveal: false,
            playing: true,
            scrubbing: false,
            speed: 1.0,
            fade: FADE,
            held_target: None,
            mode: Mode::Loop,
            help: false,
            show_notes: false,
            browser: None,
            ask_film: false,
            wish: Wish::default(),
            filming: None,
            diagnostics: Vec::new(),
            toast: None,
            loading: None,
            cost: Cost::default(),
            device: String::new(),
            requests: Vec::new(),
            selected_keys: (None, Vec::new()),
        }
    }
}

impl State {
    /// What a picture depends on, at rest: for whoever draws elsewhere.
    pub(crate) fn snapshot(&self) -> Self {
        Self {
            models: self.models.clone(),
            active: self.active,
            place: self.place.clone(),
            show_place: self.show_place,
            set: self.set.clone(),
            selection: self.selection,
            modes: self.modes,
            look: self.look,
            orbit: self.goal.unwrap_or(self.orbit),
            aspect: self.aspect,
            speed: self.speed,
            mode: self.mode,
            wish: self.wish,
            playing: false,
            frame_soon: false,
            ..Self::default()
        }
    }

    pub(crate) fn model(&self) -> Option<&Model> {
        self.models.get(self.active)
    }

    pub(crate) fn model_mut(&mut self) -> Option<&mut Model> {
        self.models.get_mut(self.active)
    }

    /// The selected joint, or the node that carries the selected mesh.
    pub(crate) fn joint(&self) -> Option<JointId> {
        match self.selection? {
            Item::Joint(joint) => Some(joint),
            Item::Mesh(_) | Item::Model => None,
        }
    }

    pub(crate) fn select(&mut self, model: usize, item: Option<Item>) {
        if model < self.models.len() {
            self.active = model;
        }
        self.selection = item;
        self.reveal = true;
        self.find_selected_keys();
    }

    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.toast = Some(Toast { text: text.into(), left: 4.0 });
    }

    /// Around all models, over their clips; the ground counts only where there is nothing else.
    pub(crate) fn bounds(&self) -> Bounds {
        let around = |scenery: bool| {
            let some = self.models.iter().filter(|model| model.scenery == scenery);
            some.map(|model| model.bounds).fold(Bounds::EMPTY, Bounds::union)
        };
        let actors = around(false);
        if actors.is_empty() { around(true) } else { actors }
    }

    /// Around what is selected as it is now; everything, where nothing is.
    pub(crate) fn selected_bounds(&self) -> Bounds {
        let (Some(model), Some(item)) = (self.model(), self.selection) else {
            return self.bounds();
        };
        match item {
            Item::Model => model.bounds,
            Item::Mesh(instance) => model.actor.bounds_of(instance),
            Item::Joint(joint) => {
                let mut bounds = Bounds::EMPTY;
                for below in model.below(joint) {
                    bounds.add(model.world_from_joint(below).translation.into());
                }
                // A single joint has no size; a twentieth of the model shows what is around it.
                let room = model.bounds.size().length() * 0.05;
                let room = if room.is_finite() { room.max(1e-3) } else { 0.1 };
                Bounds { min: bounds.min - room, max: bounds.max + room }
            }
        }
    }

    /// Lets time pass.
    pub(crate) fn advance(&mut self, seconds: f32) {
        for (index, model) in self.models.iter_mut().enumerate() {
            let held = self.scrubbing && index == self.active;
            let player = model.actor.player_mut();
            if player.mode() != self.mode {
                player.set_mode(self.mode);
            }
            player.set_speed(self.speed * model.pace);
            let rests = !self.playing || held;
            if rests {
                player.pause();
            } else if !player.is_playing() && (self.mode != Mode::Once || !at_end(player)) {
                player.resume();
            }
            // A graph has no playhead; its time is ours.
            let speed = if model.graph.is_some() { self.speed * model.pace } else { 1.0 };
            model.advance(if rests { 0.0 } else { seconds * speed });
        }
        self.stop_at_the_end();
        self.move_eye(seconds);
        self.handled = (self.handled - seconds).max(0.0);
        if let Some(toast) = &mut self.toast {
            toast.left -= seconds;
            if toast.left <= 0.0 {
                self.toast = None;
            }
        }
    }

    fn stop_at_the_end(&mut self) {
        let Some(model) = self.models.get_mut(self.active) else { return };
        if self.mode == Mode::Once && model.clip.is_some() && at_end(model.actor.player()) {
            self.playing = false;
            model.end_fade();
        }
    }

    fn move_eye(&mut self, seconds: f32) {
        let Some(goal) = self.goal else { return };
        // Nine tenths of the way in a quarter of a second, whatever the frame rate.
        let part = 1.0 - 0.1_f32.powf(seconds.max(0.0) / 0.18);
        let next = self.orbit.towards(&goal, part);
        let near = next.target.distance(goal.target) < goal.distance * 1e-3
            && (next.distance / goal.distance - 1.0).abs() < 1e-3
            && next.forward().dot(goal.forward()) > 1.0 - 1e-6;
        self.orbit = if near { goal } else { next };
        if near {
            self.goal = None;
        }
    }

    /// Whether the picture changes by itself.
    pub(crate) fn is_lively(&self) -> bool {
        let plays = self.playing && self.models.iter().any(Model::plays);
        plays
            || self.held_target.is_some()
            || self.handled > 0.0
            || self.goal.is_some()
            || self.toast.is_some()
            || self.frame_soon
    }

    pub(crate) fn find_selected_keys(&mut self) {
        let wanted = self.model().and_then(|model| Some((model.id, model.clip?, self.joint()?)));
        if self.selected_keys.0 == wanted {
            return;
        }
        let keys = match (wanted, self.model()) {
            (Some((_, clip, joint)), Some(model)) => {
                crate::timeline::keys_of(&model.scene().clips[clip], joint)
            }
            _ => Vec::new(),
        };
        self.selected_keys = (wanted, keys);
    }
}

fn at_end(player: &sinew::Player) -> bool {
    let forward = player.speed() >= 0.0;
    if forward { player.time() >= player.duration() } else { player.time() <= 0.0 }
}
