//! A model that plays a graph: the file it was read from, and what can be set.
//!
//! In:  a graph that was read, and what a person sets.
//! Out: an actor that plays it, and what its panel shows.
//!
//! The playing graph is the actor's own; only what the file said is kept beside it.

mod file;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use sinew::glam::Vec3;
use sinew::graph::{Graph, Node, Parameter, Value};
use sinew::{CompiledGraph, GraphPlayer, JointId, Transition};

pub(crate) use self::file::{is_graph, read};
use crate::load::title;
use crate::model::Model;
use crate::root_path::{self, RootPath};
use crate::state::State;

/// The graph that a model plays, as it was read.
#[derive(Clone, Debug)]
pub(crate) struct LoadedGraph {
    pub(crate) file: PathBuf,
    pub(crate) graph: Graph,
    /// From where to where each number goes on its slider.
    pub(crate) ranges: BTreeMap<String, RangeInclusive<f32>>,
}

impl LoadedGraph {
    fn new(file: PathBuf, graph: Graph) -> Self {
        let names = graph.parameters.keys();
        let ranges = names.map(|name| (name.clone(), range(&graph, name))).collect();
        Self { file, graph, ranges }
    }

    /// The state machines, by name.
    pub(crate) fn state_machines(&self) -> impl Iterator<Item = &str> {
        let nodes = self.graph.nodes.iter();
        nodes.filter(|(_, node)| matches!(node, Node::States { .. })).map(|(name, _)| &name[..])
    }
}

/// Every number that a graph holds beside a parameter, and 0 and 1, lie on its slider.
fn range(graph: &Graph, name: &str) -> RangeInclusive<f32> {
    let mut all = vec![0.0, 1.0];
    if let Some(Parameter::Float(start)) = graph.parameters.get(name) {
        all.push(*start);
    }
    for node in graph.nodes.values() {
        match node {
            Node::BlendSpace { by, points, .. } => {
                let is = |value: &Value| matches!(value, Value::Parameter(known) if known == name);
                for axis in (0..by.len()).filter(|axis| is(&by[*axis])) {
                    all.extend(points.iter().filter_map(|point| point.at.get(axis)));
                }
            }
            Node::States { transitions, .. } => {
                let conditions = transitions.iter().flat_map(|transition| &transition.when);
                let own = conditions
                    .filter(|condition| condition.split_whitespace().next() == Some(name));
                all.extend(own.filter_map(|condition| {
                    condition.split_whitespace().last()?.parse::<f32>().ok()
                }));
            }
            _ => {}
        }
    }
    let all = all.into_iter().filter(|number: &f32| number.is_finite());
    all.fold(0.0..=1.0, |range, number| number.min(*range.start())..=number.max(*range.end()))
}

impl Model {
    /// Plays a graph from its beginning; parameters that `before` has too keep their values.
    ///
    /// # Errors
    /// When the graph does not fit; the model goes on as it was.
    fn play_graph(
        &mut self,
        loaded: LoadedGraph,
        before: Option<&GraphPlayer>,
        transition: Transition,
    ) -> Result<(), String> {
        let compiled = CompiledGraph::new(&loaded.graph, Arc::clone(self.scene()));
        let mut player = GraphPlayer::new(compiled.map_err(|error| error.to_string())?);
        if let Some(before) = before {
            keep_parameters(before, &mut player);
        }
        self.actor.start(player, transition);
        self.graph = Some(loaded);
        self.root_path = RootPath::default();
        self.update_bounds();
        Ok(())
    }

    /// The joint whose path is the model's: the graph's root joint, or else the topmost bone.
    pub(crate) fn root_joint(&self) -> JointId {
        let root = self.graph.as_ref().and_then(|loaded| loaded.graph.root.as_ref());
        let named = root.and_then(|root| self.scene().skeleton().find(&root.joint));
        let top = || self.facts.bones.iter().position(|bone| *bone).map(JointId::new);
        named.or_else(top).unwrap_or(JointId::new(0))
    }

    /// Where that joint is in the model.
    pub(crate) fn root_position(&self) -> Vec3 {
        root_path::position(self.actor.pose(), self.root_joint())
    }
}

/// Parameters of the same name keep their values; triggers do not fire again.
fn keep_parameters(before: &GraphPlayer, player: &mut GraphPlayer) {
    for (name, parameter) in before.compiled().parameters() {
        if let Some(value) = before.value(name)
            && !matches!(parameter, Parameter::Trigger(_))
        {
            // A parameter that is gone has no value to keep.
            let _ = player.set(name, value);
        }
    }
}

impl State {
    /// The active model plays a graph that was read; one that does not fit is a diagnostic.
    pub(crate) fn play_graph(&mut self, file: PathBuf, graph: Graph, transition: Transition) {
        let index = self.active;
        let Some(model) = self.models.get(index) else { return };
        let same = model.graph.as_ref().is_some_and(|old| old.file == file);
        let before = model.actor.graph().filter(|_| same).cloned();
        let name = title(&file);
        if self.try_graph(index, LoadedGraph::new(file, graph), before.as_ref(), transition) {
            self.say(format!("graph \"{name}\""));
            self.panels.inspector = true;
        }
    }

    /// The same graph on a model that was read anew.
    pub(crate) fn play_graph_again(
        &mut self,
        index: usize,
        graph: LoadedGraph,
        before: &GraphPlayer,
    ) {
        self.try_graph(index, graph, Some(before), Transition::Cut);
    }

    fn try_graph(
        &mut self,
        index: usize,
        graph: LoadedGraph,
        before: Option<&GraphPlayer>,
        transition: Transition,
    ) -> bool {
        let file = graph.file.clone();
        let played = self.models[index].play_graph(graph, before, transition);
        self.find_selected_keys();
        if let Err(reason) = &played {
            self.diagnostics.push(file::unusable(&file, reason));
        }
        played.is_ok()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use sinew::ClipId;
    use sinew::graph::Format;
    use std::path::Path;

    pub(crate) const GAIT: &str = "output = \"legs\"\n[parameters]\nspeed = 0.0\nwaving = false\njump = \"trigger\"\n\
        [nodes.idle.clip]\nname = \"idle\"\n[nodes.walk.clip]\nname = \"walk\"\n[nodes.run.clip]\nname = \"run\"\n\
        [nodes.gait.blend_space]\nby = [\"speed\"]\npoints = [{ at = [1.4], node = \"walk\" }, { at = [3.2], node = \"run\" }]\n\
        [nodes.legs.states]\nstart = \"stand\"\nstates = { stand = \"idle\", go = \"gait\" }\n\
        transitions = [{ from = \"stand\", to = \"go\", when = [\"speed > 0.1\"], seconds = 0.1 }, \
        { from = \"go\", to = \"stand\", when = [\"jump\"], seconds = 0.1 }]\n";

    /// Ossi, who plays a graph.
    pub(crate) fn gait() -> State {
        let mut state =
            State { models: vec![Model::built_in("Ossi", sinew::ossi())], ..State::default() };
        let graph = sinew::graph::read(GAIT, Format::Toml).expect("a graph");
        state.play_graph("gait.toml".into(), graph, Transition::Cut);
        state
    }

    fn state_of(state: &State) -> Option<String> {
        state.models[0].actor.graph()?.state("legs").map(str::to_owned)
    }

    /// How much of the gait is seen.
    fn going(state: &State) -> f32 {
        let graph = state.models[0].actor.graph().expect("it plays");
        graph.shares().find(|(name, _)| *name == "gait").expect("a gait").1
    }

    #[test]
    fn a_slider_holds_every_number_that_the_graph_has_for_it() {
        let graph = sinew::graph::read(GAIT, Format::Toml).expect("a graph");
        assert_eq!(range(&graph, "speed"), 0.0..=3.2);
        assert_eq!(range(&graph, "waving"), 0.0..=1.0);
    }

    #[test]
    fn a_graph_plays_pauses_and_ends_when_a_clip_is_chosen() {
        let mut state = gait();
        assert!(state.diagnostics.is_empty() && state.models[0].clip().is_none());
        assert_eq!(state_of(&state).as_deref(), Some("stand"));
        let graph = state.models[0].actor.graph_mut().expect("it plays");
        graph.set("speed", 2.0).expect("a parameter");
        state.playing = false;
        state.advance(1.0);
        assert_eq!(going(&state), 0.0, "time is paused");
        state.playing = true;
        state.advance(0.1);
        state.advance(0.1);
        assert_eq!(going(&state), 1.0);
        assert_eq!(state_of(&state).as_deref(), Some("go"));
        assert!(state.is_lively());
        state.choose_clip(Some(ClipId::new(0)));
        assert!(state.models[0].graph.is_none() && state.models[0].actor.graph().is_none());
    }

    #[test]
    fn a_graph_read_again_keeps_what_was_set_and_one_that_does_not_fit_is_a_diagnostic() {
        let mut state = gait();
        state.models[0].actor.graph_mut().expect("one").set("speed", 2.0).expect("set");
        let graph = sinew::graph::read(GAIT, Format::Toml).expect("a graph");
        state.play_graph("gait.toml".into(), graph, Transition::Cut);
        assert_eq!(state.models[0].actor.graph().expect("one").value("speed"), Some(2.0));
        let wrong = GAIT.replace("\"run\"\n[nodes.gait", "\"gallop\"\n[nodes.gait");
        let wrong = sinew::graph::read(&wrong, Format::Toml).expect("it reads");
        state.play_graph("wrong.toml".into(), wrong, Transition::Cut);
        let [diagnostic] = &state.diagnostics[..] else { panic!("{:?}", state.diagnostics) };
        assert!(diagnostic.sentence.contains("gallop"), "{}", diagnostic.sentence);
        assert_eq!(state.models[0].graph.as_ref().expect("kept").file, Path::new("gait.toml"));
    }

    #[test]
    fn the_root_motion_of_a_graph_is_a_path_also_after_a_jump_and_none_at_its_start() {
        let mut state = gait();
        let text = format!("{GAIT}[root]\njoint = \"root\"\n");
        let graph = sinew::graph::read(&text, Format::Toml).expect("a graph");
        state.play_graph("root.toml".into(), graph, Transition::Cut);
        let model = &mut state.models[0];
        model.actor.graph_mut().expect("one").set("speed", 1.4).expect("set");
        for _ in 0..120 {
            model.advance(1.0 / 60.0);
        }
        // Two seconds at 1.4 m/s, less what the transition from standing takes.
        let first = model.root_path.trail().points()[0];
        assert!(first.z < -2.6 && first.z > -2.8 && first.x.abs() < 1e-3, "{first}");
        model.seek(1.0);
        let first = model.root_path.trail().points()[0];
        assert!(first.z < -1.2 && first.z > -1.4, "{first}");
        model.seek(0.0);
        assert!(model.root_path.trail().points().iter().all(|point| point.length() < 1e-3));
    }

    #[test]
    fn a_jump_in_a_graph_leads_to_the_same_pose_whatever_was_shown_before() {
        let mut state = gait();
        state.models[0].actor.graph_mut().expect("one").set("speed", 2.0).expect("set");
        state.models[0].seek(0.51);
        let once = state.models[0].actor.pose().model_from_joint().to_vec();
        state.models[0].seek(0.3);
        assert_ne!(state.models[0].actor.pose().model_from_joint(), once);
        state.models[0].seek(0.51);
        assert_eq!(state.models[0].actor.pose().model_from_joint(), once);
    }
}
