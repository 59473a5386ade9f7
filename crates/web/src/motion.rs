//! What plays: clips, layers and graphs, and what happened meanwhile.
//!
//! In:  names, seconds. Out: events, each once, as arrays that begin with their kind.

#[cfg(feature = "full")]
use sinew::graph::Node;
#[cfg(feature = "full")]
use sinew::motion::RootMode;
#[cfg(feature = "full")]
use sinew::stage::walker;
use sinew::{ClipId, LoopMode, Motion, Transition};
#[cfg(feature = "full")]
use sinew::{Mirror, Modifier, ModifierId, RootMotionPolicy};
use wasm_bindgen::prelude::*;

use crate::{Viewer, js};

/// Steps longer than this are cut: a page that slept does not leap.
const MAX_STEP: f32 = 10.0;

/// What the tag asked for beside the clip itself.
#[derive(Debug, Default)]
pub(crate) struct Playing {
    /// Ends still to be passed; `None` for no end.
    ends_left: Option<u32>,
    #[cfg(feature = "full")]
    mirror: Option<ModifierId>,
    /// Of the graph that plays: the state of each machine that is watched.
    states: Vec<(String, String)>,
    /// Machines of the graph.
    machines: Vec<String>,
    loops: u32,
}

impl Playing {
    /// Something else plays: nothing of the last clip or graph counts any more.
    pub(crate) fn forget(&mut self) {
        self.machines.clear();
        self.states.clear();
        self.ends_left = None;
        self.loops = 0;
    }
}

#[wasm_bindgen]
impl Viewer {
    /// Plays a clip by its number, in a cross-fade of some seconds; what is no clip is the rest pose.
    pub fn play(&mut self, clip: Option<usize>, fade: f32) {
        let clips = self.actor().scene().clips.len();
        let motion = match clip.filter(|clip| *clip < clips) {
            Some(clip) => Motion::Clip(ClipId::new(clip)),
            None => Motion::Rest,
        };
        let how = if fade > 0.0 { Transition::fade(fade) } else { Transition::Cut };
        let ends_left = self.playing.ends_left;
        self.playing.forget();
        self.playing.ends_left = ends_left;
        self.actor_mut().start(motion, how);
    }

    /// How often a clip plays: zero for ever, and whether it turns round at its ends.
    #[wasm_bindgen(js_name = setRepetitions)]
    pub fn set_repetitions(&mut self, repetitions: u32, ping_pong: bool) {
        let mode = match (repetitions, ping_pong) {
            (1, _) => LoopMode::Once,
            (_, true) => LoopMode::PingPong,
            (_, false) => LoopMode::Loop,
        };
        self.playing.ends_left = (repetitions > 1).then_some(repetitions);
        self.playing.loops = 0;
        self.actor_mut().set_loop_mode(mode);
    }

    /// Lets time run, or stops it.
    #[wasm_bindgen(js_name = setPaused)]
    pub fn set_paused(&mut self, paused: bool) {
        if paused {
            self.actor_mut().pause();
        } else {
            self.actor_mut().resume();
        }
    }

    /// How fast time runs.
    #[wasm_bindgen(js_name = setSpeed)]
    pub fn set_speed(&mut self, speed: f32) {
        self.actor_mut().set_speed(speed);
    }

    /// Jumps to a time of what plays.
    pub fn seek(&mut self, time: f32) {
        self.actor_mut().seek(time);
        self.apply_changes();
    }

    /// Seconds from the start of what plays.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> f32 {
        self.actor().time()
    }

    /// The length of the clip that plays; zero for graphs and at rest.
    #[wasm_bindgen(getter)]
    pub fn duration(&self) -> f32 {
        self.actor().duration()
    }

    /// Whether time runs.
    #[wasm_bindgen(getter)]
    pub fn playing(&self) -> bool {
        let at_rest = matches!(self.actor().motion(), Motion::Rest);
        (self.actor().is_playing() && !at_rest) || self.actor().in_transition()
    }

    /// Lets seconds pass. Gives what happened: `["marker", name, time, clip, weight]`, `["loop", count]`, `["finished"]`,
    /// `["transition", machine, from, to]`.
    pub fn advance(&mut self, seconds: f32) -> js_sys::Array {
        let events = js_sys::Array::new();
        let mut left = if seconds.is_finite() { seconds.clamp(0.0, MAX_STEP) } else { 0.0 };
        loop {
            let step = left.min(self.piece());
            self.step(step, &events);
            left -= step;
            if left <= 0.0 {
                self.apply_changes();
                return events;
            }
        }
    }

    /// Joints are mirrored, left for right.
    #[cfg(feature = "full")]
    #[wasm_bindgen(js_name = setMirror)]
    pub fn set_mirror(&mut self, on: bool) {
        if let Some(known) = self.playing.mirror.take() {
            self.actor_mut().modifiers_mut().remove(known);
        }
        if on {
            let mirror = Modifier::Mirror(Mirror::of(self.actor().scene()));
            self.playing.mirror = Some(self.actor_mut().modifiers_mut().insert(0, mirror));
        }
        self.refresh();
    }

    /// What becomes of root motion: `apply` moves the character, `remove` keeps it in place, else it is as filed.
    #[cfg(feature = "full")]
    #[wasm_bindgen(js_name = setRootMotion)]
    pub fn set_root_motion(&mut self, word: &str) {
        let policy = match word {
            "apply" => RootMotionPolicy::Apply,
            "remove" => RootMotionPolicy::Remove,
            _ => RootMotionPolicy::Leave,
        };
        let scene = std::sync::Arc::clone(self.actor().scene());
        let clip = self.actor().clip_id().map_or(0, |clip| clip.index());
        let joint = if scene.clips.is_empty() { None } else { walker(&scene, clip) };
        let actor = self.actor_mut();
        if policy != RootMotionPolicy::Apply {
            actor.place(Default::default());
        }
        actor.set_root_motion(joint, RootMode::Floor, policy);
    }

    /// Plays a graph of a file: `.json` or `.toml`.
    ///
    /// # Errors
    /// When it is no graph, or does not fit the model.
    #[cfg(feature = "full")]
    #[wasm_bindgen(js_name = playGraph)]
    pub fn play_graph(&mut self, name: &str, text: &str, fade: f32) -> Result<(), JsError> {
        use sinew::graph::{Format, read};
        let format = Format::of(name).unwrap_or(Format::Json);
        let graph =
            read(text, format).map_err(|error| JsError::new(&format!("{name}: {error}")))?;
        let how = if fade > 0.0 { Transition::fade(fade) } else { Transition::Cut };
        self.actor_mut().start_graph(&graph, how)?;
        let machines = graph.nodes.iter().filter(|(_, node)| matches!(node, Node::States { .. }));
        self.playing.machines = machines.map(|(name, _)| name.clone()).collect();
        self.playing.ends_left = None;
        self.playing.states = self.states_now();
        Ok(())
    }

    /// Sets a parameter of the graph that plays; a trigger is fired by 1.
    ///
    /// # Errors
    /// When there is none of this name.
    #[cfg(feature = "full")]
    #[wasm_bindgen(js_name = setParameter)]
    pub fn set_parameter(&mut self, name: &str, value: f32) -> Result<(), JsError> {
        Ok(self.actor_mut().set_parameter(name, value)?)
    }

    /// The graph that plays, with its states and times, as bytes; nothing where none plays.
    #[cfg(feature = "full")]
    #[wasm_bindgen(js_name = saveGraph)]
    pub fn save_graph(&mut self) -> Vec<u8> {
        let mut block = Vec::new();
        if let Some(graph) = self.actor_mut().graph_mut() {
            graph.save(&mut block);
        }
        block
    }

    /// Puts the graph that plays where another of the same kind was.
    ///
    /// # Errors
    /// When the bytes are of another graph.
    #[cfg(feature = "full")]
    #[wasm_bindgen(js_name = restoreGraph)]
    pub fn restore_graph(&mut self, block: &[u8]) -> Result<(), JsError> {
        if let Some(graph) = self.actor_mut().graph_mut() {
            graph.restore(block)?;
        }
        self.playing.states = self.states_now();
        self.refresh();
        Ok(())
    }

    /// The parameters of the graph that plays, each with its value.
    #[cfg(feature = "full")]
    pub fn parameters(&self) -> JsValue {
        let graph = self.actor().graph();
        js::array(graph.into_iter().flat_map(|graph| {
            graph.compiled().parameters().map(|(name, _)| {
                let value = graph.value(name).unwrap_or(0.0);
                js::array([name.into(), value.into()])
            })
        }))
    }
}

impl Viewer {
    fn step(&mut self, seconds: f32, events: &js_sys::Array) {
        let progress = self.actor_mut().advance(seconds);
        let scene = self.actor().scene();
        for event in self.actor().events() {
            events.push(&js::array([
                "marker".into(),
                event.name.into(),
                event.time.into(),
                scene[event.clip].name.as_str().into(),
                event.weight.into(),
            ]));
        }
        if progress.loops > 0 {
            self.playing.loops += progress.loops;
            let left = self.playing.ends_left.map(|ends| ends.saturating_sub(self.playing.loops));
            if left == Some(0) {
                self.finish();
                events.push(&js::array(["finished".into()]));
            } else {
                events.push(&js::array(["loop".into(), self.playing.loops.into()]));
            }
            // The last repetition is played once: nothing of another is passed, markers least of all.
            if left == Some(1) && self.actor().loop_mode() == LoopMode::Loop {
                self.playing.ends_left = None;
                self.actor_mut().set_loop_mode(LoopMode::Once);
            }
        }
        if progress.ended {
            events.push(&js::array(["finished".into()]));
        }
        let states = self.states_now();
        for ((machine, now), (_, before)) in states.iter().zip(&self.playing.states) {
            if now != before {
                let words = ["transition", machine, before, now].map(JsValue::from);
                events.push(&js::array(words));
            }
        }
        self.playing.states = states;
    }

    /// How many seconds may pass at once, so that one end is passed at most, and a last turn ends at its end.
    fn piece(&self) -> f32 {
        let actor = self.actor();
        let speed = actor.speed().abs().max(1e-6);
        let lap = actor.duration() / speed;
        let Some(ends) = self.playing.ends_left.filter(|_| lap > 1e-3) else { return MAX_STEP };
        if actor.loop_mode() == LoopMode::PingPong && self.playing.loops + 1 == ends {
            let outward = self.playing.loops.is_multiple_of(2) == (actor.speed() >= 0.0);
            let to_end = if outward { actor.duration() - actor.time() } else { actor.time() };
            return (to_end / speed).max(1e-4);
        }
        lap
    }

    /// The last repetition is over: the pose of its end holds.
    fn finish(&mut self) {
        let ends = self.playing.ends_left.take().unwrap_or(1);
        let actor = self.actor_mut();
        let back = actor.loop_mode() == LoopMode::PingPong && ends.is_multiple_of(2);
        let forward = (actor.speed() >= 0.0) != back;
        let end = if forward { actor.duration() } else { 0.0 };
        actor.set_loop_mode(LoopMode::Once);
        actor.seek(end);
        actor.pause();
    }

    fn states_now(&self) -> Vec<(String, String)> {
        let graph = self.actor().graph();
        let state = |machine: &String| {
            let state = graph.and_then(|graph| graph.state(machine)).unwrap_or_default();
            (machine.clone(), state.to_owned())
        };
        self.playing.machines.iter().map(state).collect()
    }
}
