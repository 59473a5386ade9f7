//! What happens to the state when files have been read: models come, go, or take the place of older ones.

use std::sync::Arc;

use sinew::glam::Vec3;
use sinew::{ClipId, Transition};

use super::State;
use crate::load::Outcome;
use crate::model::Model;
use crate::modes::{Look, Modes};
use crate::outline::Item;
use crate::set::Set;

impl State {
    /// Opens the built-in character in its place, with light of its own.
    pub(crate) fn open_built_in(&mut self) {
        let mut ossi = Model::built_in("Ossi", sinew::ossi());
        let dance = ossi.scene().find_clip("dance");
        ossi.start(dance.or(ossi.clip()), Transition::Cut);
        self.place = Some(Arc::new(sinew::ossi_place()));
        self.own_modes = Some((self.modes, self.look));
        self.modes = Modes { grid: false, sky: true, fog: true, ..self.modes };
        self.look = Look {
            sun_yaw: 62.0,
            sun_height: 24.0,
            sun_strength: 3.4,
            sky_strength: 0.8,
            ..self.look
        };
        self.models = vec![ossi];
        self.opened();
    }

    /// Takes in what has been read.
    pub(crate) fn receive(&mut self, outcome: Outcome) {
        self.loading = None;
        let Outcome {
            models,
            updated,
            replace,
            diagnostics,
            message,
            set,
            graphs,
            diff,
            environment,
        } = outcome;
        self.diagnostics.extend(diagnostics);
        if let Some(message) = message {
            self.say(message);
        }
        if let Some(environment) = environment {
            self.say(format!("light from {}", environment.0));
            self.environment = Some(environment);
        }
        if let Some(diff) = diff {
            self.begin_diff(diff, models);
            return;
        }
        for (id, model, clip) in updated {
            self.exchange(id, model, clip);
        }
        // What was just opened has nothing to fade from.
        let transition = if models.is_empty() { self.transition() } else { Transition::Cut };
        if !models.is_empty() {
            self.take_in(models, replace, set);
        }
        for (file, graph) in graphs {
            self.play_graph(file, graph, transition);
        }
    }

    fn take_in(&mut self, models: Vec<Model>, replace: bool, set: Option<Set>) {
        // The same scene file again: its text has changed, the camera stays.
        let file = set.as_ref().map(|set| set.file.clone());
        let again = file.is_some() && self.set.as_ref().map(|set| set.file.clone()) == file;
        // Another model is not what was compared.
        if self.diff.is_some() {
            self.end_diff();
        }
        if replace {
            self.leave_place();
            self.models.clear();
            if let Some(set) = set {
                self.own_modes = Some((self.modes, self.look));
                self.modes = set.modes(self.modes);
                self.set = Some(set);
            }
        }
        let first = self.models.len();
        self.models.extend(models);
        // What moves is more interesting than the ground.
        let lead = self.models[first..].iter().position(|model| !model.placement.scenery);
        self.active = first + lead.unwrap_or(0);
        let playing = self.playing;
        self.opened();
        if again {
            self.frame_soon = false;
            self.playing = playing;
        }
    }

    /// A model with its successor: clips were added, or its file has changed. Camera, time and selection stay.
    pub(crate) fn exchange(&mut self, id: u64, mut model: Model, clip: Option<ClipId>) {
        let Some(place) = self.models.iter().position(|known| known.id == id) else { return };
        let old = &self.models[place];
        let name = |item: Item| match item {
            Item::Joint(joint) => Some(old.scene().skeleton().node(joint).name.clone()),
            _ => None,
        };
        let selected = self.selection.filter(|_| place == self.active).and_then(name);
        let same = old.actor.clip().and_then(|clip| model.scene().find_clip(&clip.name));
        let time = old.actor.time();
        let targets = old.targets_by_name();
        let graph = old.graph.clone().zip(old.actor.graph().cloned());
        model.actor.place(old.actor.world_from_model());
        model.placement.fixed = old.placement.fixed;
        model.placement.speed = old.placement.speed;
        model.start(clip.or(same).or(model.clip()), Transition::Cut);
        if clip.is_none() {
            model.seek(time);
        }
        model.take_targets(targets);
        let joint = selected.and_then(|name| model.scene().skeleton().find(&name));
        self.models[place] = model;
        if let Some((graph, player)) = graph.filter(|_| clip.is_none()) {
            self.play_graph_again(place, graph, &player);
        }
        if place == self.active {
            self.selection = joint.map(Item::Joint);
        }
        self.find_selected_keys();
        if clip.is_some() {
            // Another clip may lead elsewhere.
            self.act(crate::keys::Action::FrameAll);
        }
    }

    fn leave_place(&mut self) {
        self.place = None;
        self.set = None;
        if let Some((modes, look)) = self.own_modes.take() {
            self.modes = modes;
            self.look = look;
        }
    }

    /// What is done whenever something was opened.
    pub(crate) fn opened(&mut self) {
        self.selection = None;
        self.folded.clear();
        self.search.clear();
        self.put_side_by_side();
        self.frame_soon = true;
        self.goal = None;
        // What is opened moves, also where something before it was held.
        self.playing = true;
        self.find_selected_keys();
    }

    /// Models that move are put side by side; those that do not stay where their file puts them.
    fn put_side_by_side(&mut self) {
        let mut edge: Option<f32> = None;
        for model in
            self.models.iter_mut().filter(|model| model.can_move() && !model.placement.fixed)
        {
            model.place(Vec3::ZERO);
            let bounds = model.bounds;
            if bounds.is_empty() {
                continue;
            }
            if let Some(edge) = edge {
                model.place(Vec3::X * (edge - bounds.min.x + bounds.size().x * 0.25));
            }
            edge = Some(model.bounds.max.x);
        }
    }
}
