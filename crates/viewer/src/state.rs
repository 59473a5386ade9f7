//! The viewer's state: models, selection, time, camera, switches. No window, no GPU, no files.
//!
//! In:  actions, what has been loaded, seconds that pass.
//! Out: what panels show, and [`Request`]s for the part that has the window and the files.

mod follow;
mod opening;
mod view;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use sinew::render::Environment;
use sinew::{ClipId, JointId, LoopMode, Scene, Transition};

use crate::browser::Browser;
use crate::diff::Diff;
use crate::film::FilmOptions;
use crate::findings::Findings;
use crate::load::Diagnostic;
use crate::model::Model;
use crate::modes::{Look, Modes, Panels};
use crate::orbit::Orbit;
use crate::outline::{Folded, Item};
use crate::set::Set;
use crate::state::follow::Followed;

/// Seconds of a cross-fade, where nothing else was chosen.
pub(crate) const FADE: f32 = 0.25;

/// What the part with the window and the files is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Open(Vec<PathBuf>, How),
    /// The active model's findings.
    Check,
    Reload,
    Screenshot,
    /// A film of the clip, by the options that were chosen.
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
    /// Models are put beside what is open.
    Add,
    /// The clips are attached to the model, whatever else the file has.
    Clips,
    /// The model that is open is compared with that of the file, and both are shown in one place.
    Compare,
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

/// The viewer's state.
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
    /// Seconds left in which the image counts as moved by hand.
    pub(crate) handled: f32,
    /// Width over height of the image.
    pub(crate) aspect: f32,
    /// Pixels for each point.
    pub(crate) scale: f32,
    /// Everything is to be framed once the image has a size.
    pub(crate) frame_soon: bool,
    pub(crate) search: String,
    pub(crate) focus_search: bool,
    pub(crate) folded: Folded,
    /// The tree goes to the selection.
    pub(crate) reveal: bool,
    pub(crate) playing: bool,
    /// The playhead is held by hand.
    pub(crate) scrubbing: bool,
    pub(crate) speed: f32,
    /// Seconds of a cross-fade to the next motion; 0 changes at once.
    pub(crate) fade: f32,
    /// The target that is being dragged, by its index among those of the active model.
    pub(crate) held_target: Option<usize>,
    pub(crate) loop_mode: LoopMode,
    pub(crate) help: bool,
    pub(crate) show_notes: bool,
    /// What is wrong with the active model, while it is shown.
    pub(crate) findings: Option<Findings>,
    /// What is being compared, while that is shown.
    pub(crate) diff: Option<Diff>,
    /// Light from an image all around, with the name of its file.
    pub(crate) environment: Option<(String, Environment)>,
    /// How far the camera has gone along with the model.
    pub(crate) followed: Option<Followed>,
    pub(crate) browser: Option<Browser>,
    /// The window that asks how a film is to be is open.
    pub(crate) ask_film: bool,
    pub(crate) film: FilmOptions,
    /// Frames made, of how many.
    pub(crate) filming: Option<(usize, usize)>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) toast: Option<Toast>,
    /// What is being read, in words.
    pub(crate) loading: Option<String>,
    pub(crate) cost: Cost,
    pub(crate) device: String,
    pub(crate) requests: Vec<Request>,
    /// Key times of the selected joint in the clip: of which model, clip and joint, and when.
    pub(crate) selected_keys: (Option<(u64, ClipId, JointId)>, Vec<f32>),
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
            loop_mode: LoopMode::Loop,
            help: false,
            show_notes: false,
            findings: None,
            diff: None,
            environment: None,
            followed: None,
            browser: None,
            ask_film: false,
            film: FilmOptions::default(),
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
    /// What an image depends on, at rest: for another thread that draws.
    pub(crate) fn snapshot(&self) -> Self {
        Self {
            models: self.models.clone(),
            active: self.active,
            place: self.place.clone(),
            show_place: self.show_place,
            set: self.set.clone(),
            environment: self.environment.clone(),
            selection: self.selection,
            modes: self.modes,
            look: self.look,
            orbit: self.goal.unwrap_or(self.orbit),
            aspect: self.aspect,
            speed: self.speed,
            loop_mode: self.loop_mode,
            film: self.film,
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

    /// The selected joint.
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

    /// Lets time pass.
    pub(crate) fn advance(&mut self, seconds: f32) {
        for (index, model) in self.models.iter_mut().enumerate() {
            let scrubbed = self.scrubbing && index == self.active;
            model.set_time(self.loop_mode, self.speed, self.playing && !scrubbed);
            model.advance(seconds);
        }
        self.stop_at_the_end();
        self.keep_together();
        self.follow(seconds);
        self.move_camera(seconds);
        self.handled = (self.handled - seconds).max(0.0);
        if let Some(toast) = &mut self.toast {
            toast.left -= seconds;
            if toast.left <= 0.0 {
                self.toast = None;
            }
        }
    }

    /// A clip that plays once stops at its end, with nothing else in its last pose.
    fn stop_at_the_end(&mut self) {
        let Some(model) = self.models.get_mut(self.active) else { return };
        if model.actor.is_finished() {
            self.playing = false;
            if model.actor.in_transition() {
                model.seek(model.actor.time());
            }
        }
    }

    /// How one motion changes to the next: at once where time is held still, so that what is seen is
    /// what was filed.
    pub(crate) fn transition(&self) -> Transition {
        if self.playing && !self.scrubbing && self.fade > 0.0 {
            Transition::fade(self.fade)
        } else {
            Transition::Cut
        }
    }

    /// Whether the image changes by itself.
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
        let wanted = self.model().and_then(|model| Some((model.id, model.clip()?, self.joint()?)));
        if self.selected_keys.0 == wanted {
            return;
        }
        let keys = match (wanted, self.model()) {
            (Some((_, clip, joint)), Some(model)) => {
                crate::timeline::keys_of(&model.scene()[clip], joint)
            }
            _ => Vec::new(),
        };
        self.selected_keys = (wanted, keys);
    }
}
