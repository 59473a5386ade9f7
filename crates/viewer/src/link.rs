//! All of a view as the end of an address: whoever opens the link sees the same.
//!
//! In:  the state. Out: names and values such as `animation=walk`, `time=0.5`, `camera-orbit=30deg 75deg 2m`; and back.
//!
//! The names are those of the tag `<sinew-viewer>`, so a link of its `state` opens here too. What is as by default is left out, and
//! what cannot be read, or names something that the model lacks, is passed over. Which files are open is the page's own business.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sinew::glam::Vec3;
use sinew::graph::Parameter;
use sinew::{InstanceId, LoopMode};

use crate::model::Model;
use crate::modes::{Look, Modes, Panels, Switch};
use crate::orbit::Orbit;
use crate::outline::Item;
use crate::state::State;

/// Names with their values, as the end of an address has them.
pub(crate) type Link = Vec<(String, String)>;

/// A switch, by the tag's word for it.
fn word(switch: Switch) -> &'static str {
    match switch {
        Switch::Surfaces => "surfaces",
        Switch::Skeleton => "bones",
        Switch::Axes => "axes",
        Switch::Names => "names",
        Switch::Path => "path",
        Switch::Heat => "weights",
        Switch::Wireframe => "wireframe",
        Switch::Normals => "normals",
        Switch::Bounds => "bounds",
        Switch::Grid => "grid",
        Switch::Shadows => "shadows",
        Switch::Sky => "sky",
        Switch::Fog => "fog",
        Switch::Occlusion => "occlusion",
        Switch::Follow => "follow",
        Switch::Lights => "lights",
    }
}

impl State {
    /// The view, as it is.
    pub(crate) fn link(&self) -> Link {
        let mut link = Writer(Vec::new());
        if let Some(model) = self.model() {
            link.motion(model);
        }
        if self.active > 0 {
            link.text("model", &self.active.to_string());
        }
        link.flag("paused", !self.playing);
        link.number("speed", self.speed, 1.0);
        let modes = [(LoopMode::Once, "once"), (LoopMode::PingPong, "ping-pong")];
        for (mode, name) in modes {
            if self.loop_mode == mode {
                link.text("loop", name);
            }
        }
        link.camera(&self.goal.unwrap_or(self.orbit));
        link.switches(self.modes);
        if let (Some(model), Some(joint)) = (self.model(), self.joint()) {
            link.text("selected-joint", &model.scene().skeleton().node(joint).name);
        }
        if self.look != Look::default() {
            link.data("look", &self.look);
        }
        if self.panels != Panels::default() {
            link.data("panels", &self.panels);
        }
        link.0
    }

    /// Goes to the view of a link, at once.
    pub(crate) fn follow_link(&mut self, link: &Link) {
        let link = Reader(link);
        if let Some(index) = link.get("model").and_then(|index| index.parse().ok())
            && index < self.models.len()
        {
            self.active = index;
        }
        if let Some(model) = self.model_mut() {
            link.move_model(model);
        }
        if link.has("time") || link.has("paused") {
            self.playing = !link.has("paused");
        }
        self.speed = link.number("speed").filter(|speed| speed.abs() <= 100.0).unwrap_or(1.0);
        self.loop_mode = match link.get("loop") {
            Some("once") => LoopMode::Once,
            Some("ping-pong") => LoopMode::PingPong,
            _ => LoopMode::Loop,
        };
        if let Some(orbit) = link.camera(self.orbit) {
            self.orbit = orbit;
            self.goal = None;
            self.frame_soon = false;
        }
        if link.has("show") || link.has("hide") {
            self.modes = link.switches();
        }
        if let Some(joint) = link.get("selected-joint") {
            let found = self.model().and_then(|model| model.scene().skeleton().find(joint));
            self.select(self.active, found.map(Item::Joint));
        }
        if let Some(look) = link.data::<Look>("look").filter(Look::is_finite) {
            self.look = look;
        }
        if let Some(panels) = link.data("panels") {
            self.panels = panels;
        }
        self.find_selected_keys();
    }
}

struct Writer(Link);

impl Writer {
    fn text(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    fn flag(&mut self, name: &str, on: bool) {
        if on {
            self.text(name, "");
        }
    }

    fn number(&mut self, name: &str, value: f32, default: f32) {
        if value != default {
            self.text(name, &short(value));
        }
    }

    fn data(&mut self, name: &str, value: &impl Serialize) {
        if let Ok(text) = serde_json::to_string(value) {
            self.text(name, &text);
        }
    }

    /// What a model plays, and what is held by hand.
    fn motion(&mut self, model: &Model) {
        if let Some(clip) = model.clip() {
            self.text("animation", &model.scene()[clip].name);
        }
        self.text("time", &short(model.actor.time()));
        if let Some(player) = model.actor.graph() {
            let values = player.compiled().parameters();
            let values = values.filter(|(_, kind)| !matches!(kind, Parameter::Trigger(_)));
            let values: BTreeMap<&str, f32> =
                values.filter_map(|(name, _)| Some((name, player.value(name)?))).collect();
            self.data("parameters", &values);
        }
        let instances = (0..model.scene().instances.len()).map(InstanceId::new);
        let mut weights = Vec::new();
        for instance in instances {
            for target in 0..model.actor.pose().weights(instance).len() {
                let held = model.held_weight(instance, target);
                weights.extend(held.map(|weight| (instance.index(), target, weight)));
            }
        }
        if !weights.is_empty() {
            self.data("weights", &weights);
        }
        let targets = model.targets_by_name();
        if !targets.is_empty() {
            let places = targets.iter().map(|(joint, at)| (joint, at.to_array()));
            self.data("targets", &places.collect::<Vec<_>>());
        }
    }

    /// As the tag and others say it: the second angle is down from straight above.
    fn camera(&mut self, orbit: &Orbit) {
        let around = short(orbit.yaw.to_degrees());
        let down = short(90.0 - orbit.pitch.to_degrees());
        self.text("camera-orbit", &format!("{around}deg {down}deg {}m", short(orbit.distance)));
        let target = orbit.target.to_array().map(|number| short(number) + "m");
        self.text("camera-target", &target.join(" "));
        self.text("field-of-view", &(short(orbit.fov_y.to_degrees()) + "deg"));
        self.flag("orthographic", orbit.flat);
    }

    /// `show` and `hide` name what is not as by default.
    fn switches(&mut self, mut modes: Modes) {
        let mut plain = Modes::default();
        for (name, on) in [("show", true), ("hide", false)] {
            let changed = |switch: &Switch| *modes.at(*switch) == on && *plain.at(*switch) != on;
            let words: Vec<_> = Switch::ALL.into_iter().filter(changed).map(word).collect();
            if on || !words.is_empty() {
                self.text(name, &words.join(" "));
            }
        }
    }
}

/// Four decimals are a tenth of a millimetre; nothing that is seen.
fn short(number: f32) -> String {
    let number = (f64::from(number) * 1e4).round() / 1e4;
    // No minus before a zero.
    (number + 0.0).to_string()
}

struct Reader<'a>(&'a Link);

impl Reader<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &value[..])
    }

    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    fn number(&self, name: &str) -> Option<f32> {
        self.get(name)?.parse().ok().filter(|number: &f32| number.is_finite())
    }

    fn data<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_str(self.get(name)?).ok()
    }

    fn move_model(&self, model: &mut Model) {
        let clip = self.get("animation").and_then(|name| model.scene().find_clip(name));
        if clip.is_some() && clip != model.clip() {
            model.start(clip, sinew::Transition::Cut);
        }
        let values: BTreeMap<String, f32> = self.data("parameters").unwrap_or_default();
        for (name, value) in values.into_iter().filter(|(_, value)| value.is_finite()) {
            // A graph that has changed since may lack it.
            let _ = model.actor.set_parameter(&name, value);
        }
        let weights: Vec<(usize, usize, f32)> = self.data("weights").unwrap_or_default();
        for (instance, target, weight) in weights {
            let instances = model.scene().instances.len();
            let known = instance < instances
                && target < model.actor.pose().weights(InstanceId::new(instance)).len();
            if known && weight.is_finite() {
                model.hold_weight(InstanceId::new(instance), target, Some(weight));
            }
        }
        let targets: Vec<(String, [f32; 3])> = self.data("targets").unwrap_or_default();
        let targets = targets.into_iter().map(|(joint, at)| (joint, Vec3::from_array(at)));
        model.take_targets(targets.filter(|(_, at)| at.is_finite()).collect());
        // Last: a graph is played anew up to a time, with what was set.
        if let Some(time) = self.number("time").filter(|time| (0.0..=86_400.0).contains(time)) {
            model.seek(time);
        }
    }

    fn camera(&self, now: Orbit) -> Option<Orbit> {
        let [around, down, distance] = measures(self.get("camera-orbit")?, ["deg", "deg", "m"])?;
        let target = self.get("camera-target").and_then(|text| measures(text, ["m", "m", "m"]));
        let opening = self.get("field-of-view").and_then(|text| measures(text, ["deg"]));
        let fov_y = opening.map_or(now.fov_y, |[angle]| angle.clamp(1.0, 150.0).to_radians());
        (1e-4..=1e6).contains(&distance).then_some(Orbit {
            target: target.map_or(now.target, Vec3::from_array),
            yaw: around.to_radians(),
            pitch: (90.0 - down).clamp(-90.0, 90.0).to_radians(),
            distance,
            fov_y,
            flat: self.has("orthographic"),
        })
    }

    fn switches(&self) -> Modes {
        let mut modes = Modes::default();
        for (name, on) in [("show", true), ("hide", false)] {
            let words: Vec<_> = self.get(name).unwrap_or_default().split_whitespace().collect();
            for switch in Switch::ALL.into_iter().filter(|switch| words.contains(&word(*switch))) {
                *modes.at(switch) = on;
            }
        }
        modes
    }
}

/// Numbers with their units, in this order.
fn measures<const N: usize>(text: &str, units: [&str; N]) -> Option<[f32; N]> {
    let mut words = text.split_whitespace();
    let mut numbers = [0.0_f32; N];
    for (number, unit) in numbers.iter_mut().zip(units) {
        *number = words.next()?.strip_suffix(unit)?.parse().ok()?;
    }
    numbers.iter().all(|number| number.is_finite()).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Action;

    fn ossi() -> State {
        State { models: vec![Model::built_in("Ossi", sinew::ossi())], ..State::default() }
    }

    #[test]
    fn a_link_leads_to_the_same_view() {
        let mut state = ossi();
        let run = state.models[0].scene().find_clip("run");
        state.choose_clip(run);
        state.act(Action::Step(3));
        state.act(Action::Switch(Switch::Skeleton));
        state.act(Action::Switch(Switch::Grid));
        state.select(0, state.models[0].scene().skeleton().find("hand.L").map(Item::Joint));
        state.orbit = Orbit {
            target: Vec3::new(0.5, 1.25, -0.125),
            yaw: -2.0,
            pitch: 0.5,
            distance: 3.5,
            fov_y: 0.75,
            flat: true,
        };
        state.goal = None;
        state.speed = 0.5;
        state.loop_mode = LoopMode::PingPong;
        state.look.exposure = 1.5;
        state.panels.tree = false;
        let mut other = ossi();
        other.follow_link(&state.link());
        assert_eq!(other.link(), state.link());
        assert_eq!(other.models[0].clip(), run);
        assert!((other.models[0].actor.time() - state.models[0].actor.time()).abs() < 1e-4);
        assert!(other.modes.skeleton && !other.modes.grid && !other.playing && !other.frame_soon);
        assert!(other.joint().is_some() && other.joint() == state.joint());
        assert!((other.orbit.yaw - state.orbit.yaw).abs() < 1e-5 && other.orbit.flat);
    }

    #[test]
    fn held_weights_and_targets_come_along() {
        let demo =
            || State { models: vec![Model::built_in("demo", sinew::demo())], ..State::default() };
        let mut state = demo();
        let mut instances = (0..state.models[0].scene().instances.len()).map(InstanceId::new);
        let has_morphs = |of: &InstanceId| !state.models[0].actor.pose().weights(*of).is_empty();
        let instance = instances.find(has_morphs).expect("a mesh with morph targets");
        state.models[0].hold_weight(instance, 0, Some(0.5));
        let mut other = demo();
        other.follow_link(&state.link());
        assert_eq!(other.models[0].held_weight(instance, 0), Some(0.5));
    }

    #[test]
    fn a_link_of_the_tag_is_understood() {
        let link = [("animation", "walk"), ("time", "0.5"), ("camera-orbit", "30deg 75deg 2m")];
        let mut state = ossi();
        state.follow_link(&link.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec());
        assert_eq!(state.models[0].clip(), state.models[0].scene().find_clip("walk"));
        assert!((state.orbit.pitch.to_degrees() - 15.0).abs() < 1e-4 && state.playing);
        assert_eq!(state.modes, Modes::default());
    }

    #[test]
    fn nonsense_is_passed_over() {
        let names = [
            "animation",
            "time",
            "model",
            "speed",
            "loop",
            "camera-orbit",
            "camera-target",
            "field-of-view",
            "selected-joint",
            "look",
            "panels",
            "weights",
            "targets",
            "parameters",
        ];
        let values =
            ["", "nan", "-1e39", "NaNdeg 1deg 1m", "[[9,9,1]]", "{}", "inf", "[[\"no\",[1,2,3]]]"];
        for value in values {
            let mut state = ossi();
            let clip = state.models[0].clip();
            state.follow_link(&names.map(|name| (name.to_owned(), value.to_owned())).to_vec());
            assert_eq!(state.models[0].clip(), clip, "{value}");
            assert!(
                state.speed.is_finite() && state.orbit.target.is_finite() && state.look.is_finite()
            );
            state.advance(0.1);
        }
    }
}
