//! A model that follows a graph: where it was read, what can be set, which parts are at work.
//!
//! In:  a graph file and what a person sets. Out: an actor that follows it, and what its panel shows.
//!
//! The playing graph is the actor's own; only what the file said is kept beside it.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sinew::glam::Vec3;
use sinew::graph::{Format, Graph, Node, Parameter, Value};
use sinew::{CompiledGraph, GraphPlayer, JointId, Pose};

use crate::load::{Diagnostic, title};
use crate::model::Model;
use crate::state::State;
use crate::walk::Walk;

/// Steps in which a graph is played to a time.
const STEP: f32 = 1.0 / 60.0;
/// What a person may do about a graph that does not work.
const ADVICE: &str =
    "Mend the graph file and save it: examples/graphs/ossi.toml is one with most kinds of nodes.";

/// The graph that a model follows, as it was read.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    pub(crate) file: PathBuf,
    pub(crate) graph: Graph,
    /// From where to where each number goes on its slider.
    pub(crate) ranges: BTreeMap<String, RangeInclusive<f32>>,
}

/// Whether a file is a graph: by its ending, and where scenes have the same one, by what is in it.
pub(crate) fn is_graph(path: &Path) -> bool {
    match Format::of(&path.to_string_lossy()) {
        Some(Format::Toml) => std::fs::read_to_string(path).is_ok_and(|text| has_nodes(&text)),
        other => other.is_some(),
    }
}

fn has_nodes(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        let word = |word: &str| line.strip_prefix(word).is_some_and(ends_word);
        line.starts_with("[nodes") || word("nodes") || word("output")
    })
}

fn ends_word(rest: &str) -> bool {
    rest.trim_start().starts_with('=')
}

/// Reads a graph file.
pub(crate) fn read(path: &Path) -> Result<Graph, Diagnostic> {
    let Some(format) = Format::of(&path.to_string_lossy()) else {
        return Err(trouble(path, "expected a .toml, .ron or .json file"));
    };
    let text = std::fs::read_to_string(path).map_err(|error| trouble(path, &error.to_string()))?;
    sinew::graph::read(&text, format).map_err(|error| trouble(path, &error))
}

fn trouble(path: &Path, why: &str) -> Diagnostic {
    let mut letters = why.trim().chars();
    let first = letters.next().map(|letter| letter.to_uppercase().collect::<String>());
    Diagnostic {
        title: format!("{} could not be used", title(path)),
        sentence: format!(
            "{}{}.",
            first.unwrap_or_default(),
            letters.as_str().trim_end_matches('.')
        ),
        advice: ADVICE.to_owned(),
    }
}

impl Followed {
    fn new(file: PathBuf, graph: Graph) -> Self {
        let names = graph.parameters.keys();
        let ranges = names.map(|name| (name.clone(), range(&graph, name))).collect();
        Self { file, graph, ranges }
    }

    /// The nodes of states, by name.
    pub(crate) fn machines(&self) -> impl Iterator<Item = &str> {
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
                let conditions = transitions.iter().flat_map(|way| &way.when);
                let own = conditions.filter(|words| words.split_whitespace().next() == Some(name));
                all.extend(
                    own.filter_map(|words| words.split_whitespace().last()?.parse::<f32>().ok()),
                );
            }
            _ => {}
        }
    }
    let all = all.into_iter().filter(|number: &f32| number.is_finite());
    all.fold(0.0..=1.0, |range, number| number.min(*range.start())..=number.max(*range.end()))
}

impl Model {
    /// Follows a graph from its beginning; parameters that `before` has too keep their values.
    ///
    /// # Errors
    /// When the graph does not fit; the model goes on as it was.
    fn follow(&mut self, followed: Followed, before: Option<&GraphPlayer>) -> Result<(), String> {
        let plan = CompiledGraph::new(&followed.graph, Arc::clone(self.scene()));
        let mut playback = GraphPlayer::new(plan.map_err(|error| error.to_string())?);
        for (name, parameter) in
            before.into_iter().flat_map(|before| before.compiled().parameters())
        {
            let value = before.and_then(|before| before.value(name));
            if let (Some(value), false) = (value, matches!(parameter, Parameter::Trigger(_))) {
                // A parameter that is gone has no value to keep.
                let _ = playback.set(name, value);
            }
        }
        self.choose(None);
        self.actor.follow(playback);
        self.graph = Some(followed);
        self.walk = Walk::default();
        self.moved += 1;
        self.hold();
        Ok(())
    }

    /// The graph begins anew; parameters stay.
    pub(crate) fn restart_graph(&mut self) {
        self.replay(0.0);
    }

    /// The graph, played from its beginning for some seconds.
    pub(crate) fn replay(&mut self, seconds: f32) {
        let carrier = self.carrier_joint();
        let Some(playback) = self.actor.graph_mut() else { return };
        playback.restart();
        self.walk = Walk::default();
        let steps = (seconds / STEP).clamp(0.0, 1e5);
        for _ in 0..steps as usize {
            let way = playback.advance(STEP).root;
            self.walk.step(way, place(playback.pose(), carrier), STEP);
        }
        let rest = steps.fract() * STEP;
        self.actor.advance(rest);
        self.walk.step(self.actor.root_motion(), self.carrier(self.actor.pose()), rest);
        self.moved += 1;
        self.hold();
    }
}

impl Model {
    /// Whose way is the model's: the joint that the graph says carries it, or else the topmost bone.
    fn carrier_joint(&self) -> JointId {
        let root = self.graph.as_ref().and_then(|followed| followed.graph.root.as_ref());
        let named = root.and_then(|root| self.scene().skeleton().find(&root.joint));
        let top = || self.bones.iter().position(|bone| *bone).map(JointId::new);
        named.or_else(top).unwrap_or(JointId::new(0))
    }

    /// Where that joint stands in a pose.
    pub(crate) fn carrier(&self, pose: &Pose) -> Vec3 {
        place(pose, self.carrier_joint())
    }
}

fn place(pose: &Pose, joint: JointId) -> Vec3 {
    pose.model_from_joint().get(joint.index()).map_or(Vec3::ZERO, |at| at.translation.into())
}

impl State {
    /// The active model follows a graph that was read; what does not fit is a trouble.
    pub(crate) fn follow(&mut self, file: PathBuf, graph: Graph) {
        let place = self.active;
        let Some(model) = self.models.get(place) else { return };
        let same = model.graph.as_ref().is_some_and(|old| old.file == file);
        let before = model.actor.graph().filter(|_| same).cloned();
        let name = title(&file);
        if self.try_follow(place, Followed::new(file, graph), before.as_ref()) {
            self.say(format!("graph \"{name}\""));
            self.panels.inspector = true;
        }
    }

    /// The same graph on a model that was read anew.
    pub(crate) fn follow_again(&mut self, place: usize, graph: Followed, before: &GraphPlayer) {
        self.try_follow(place, graph, Some(before));
    }

    fn try_follow(&mut self, place: usize, graph: Followed, before: Option<&GraphPlayer>) -> bool {
        let file = graph.file.clone();
        let followed = self.models[place].follow(graph, before);
        self.find_selected_keys();
        if let Err(why) = &followed {
            self.diagnostics.push(trouble(&file, why));
        }
        followed.is_ok()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const GAIT: &str = "output = \"legs\"\n[parameters]\nspeed = 0.0\nwaving = false\njump = \"trigger\"\n\
        [nodes.idle.clip]\nname = \"idle\"\n[nodes.walk.clip]\nname = \"walk\"\n[nodes.run.clip]\nname = \"run\"\n\
        [nodes.gait.blend_space]\nby = [\"speed\"]\npoints = [{ at = [1.4], node = \"walk\" }, { at = [3.2], node = \"run\" }]\n\
        [nodes.legs.states]\nstart = \"stand\"\nstates = { stand = \"idle\", go = \"gait\" }\n\
        transitions = [{ from = \"stand\", to = \"go\", when = [\"speed > 0.1\"], seconds = 0.1 }, \
        { from = \"go\", to = \"stand\", when = [\"jump\"], seconds = 0.1 }]\n";

    /// Ossi, who follows a graph.
    pub(crate) fn gait() -> State {
        let mut state =
            State { models: vec![Model::built_in("Ossi", sinew::ossi())], ..State::default() };
        let graph = sinew::graph::read(GAIT, Format::Toml).expect("a graph");
        state.follow("gait.toml".into(), graph);
        state
    }

    fn state_of(state: &State) -> Option<String> {
        state.models[0].actor.graph()?.state("legs").map(str::to_owned)
    }

    /// How much of the gait is seen.
    fn going(state: &State) -> f32 {
        let graph = state.models[0].actor.graph().expect("followed");
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
        assert!(state.diagnostics.is_empty() && state.models[0].clip.is_none());
        assert_eq!(state_of(&state).as_deref(), Some("stand"));
        let graph = state.models[0].actor.graph_mut().expect("followed");
        graph.set("speed", 2.0).expect("a parameter");
        state.playing = false;
        state.advance(1.0);
        assert_eq!(going(&state), 0.0, "time stands still");
        state.playing = true;
        state.advance(0.1);
        state.advance(0.1);
        assert_eq!(going(&state), 1.0);
        assert_eq!(state_of(&state).as_deref(), Some("go"));
        assert!(state.is_lively());
        state.choose_clip(Some(0));
        assert!(state.models[0].graph.is_none() && state.models[0].actor.graph().is_none());
    }

    #[test]
    fn a_graph_read_again_keeps_what_was_set_and_one_that_does_not_fit_is_a_trouble() {
        let mut state = gait();
        state.models[0].actor.graph_mut().expect("one").set("speed", 2.0).expect("set");
        let graph = sinew::graph::read(GAIT, Format::Toml).expect("a graph");
        state.follow("gait.toml".into(), graph);
        assert_eq!(state.models[0].actor.graph().expect("one").value("speed"), Some(2.0));
        let wrong = GAIT.replace("\"run\"\n[nodes.gait", "\"gallop\"\n[nodes.gait");
        let wrong = sinew::graph::read(&wrong, Format::Toml).expect("it reads");
        state.follow("wrong.toml".into(), wrong);
        let [trouble] = &state.diagnostics[..] else { panic!("{:?}", state.diagnostics) };
        assert!(trouble.sentence.contains("gallop"), "{}", trouble.sentence);
        assert_eq!(state.models[0].graph.as_ref().expect("kept").file, Path::new("gait.toml"));
    }

    #[test]
    fn where_a_graph_has_carried_its_model_is_known_and_forgotten_when_it_begins_anew() {
        let mut state = gait();
        let text = format!("{GAIT}[root]\njoint = \"root\"\n");
        state.follow("root.toml".into(), sinew::graph::read(&text, Format::Toml).expect("a graph"));
        let model = &mut state.models[0];
        model.actor.graph_mut().expect("one").set("speed", 1.4).expect("set");
        for _ in 0..120 {
            model.advance(1.0 / 60.0);
        }
        // Two seconds at 1.4 m/s, less what the change from standing takes.
        let first = model.walk.trail().points()[0];
        assert!(first.z < -2.6 && first.z > -2.8 && first.x.abs() < 1e-3, "{first}");
        model.replay(1.0);
        let first = model.walk.trail().points()[0];
        assert!(first.z < -1.2 && first.z > -1.4, "{first}");
        model.restart_graph();
        assert!(model.walk.trail().points().iter().all(|point| point.length() < 1e-3));
    }

    #[test]
    fn scenes_and_graphs_of_one_ending_are_told_apart_by_what_is_in_them() {
        assert!(
            has_nodes(GAIT) && has_nodes("nodes = {}") && !has_nodes("[[model]]\nfile = \"a\"")
        );
        assert!(is_graph(Path::new("any.json")) && !is_graph(Path::new("hero.glb")));
    }

    #[test]
    fn a_replay_is_the_same_however_it_came_about() {
        let mut state = gait();
        state.models[0].actor.graph_mut().expect("one").set("speed", 2.0).expect("set");
        state.models[0].replay(0.51);
        let once = state.models[0].actor.pose().model_from_joint().to_vec();
        state.models[0].replay(0.3);
        assert_ne!(state.models[0].actor.pose().model_from_joint(), once);
        state.models[0].replay(0.51);
        assert_eq!(state.models[0].actor.pose().model_from_joint(), once);
    }
}
