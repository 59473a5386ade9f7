//! Graphs by hand: where states change and where they do not, whose way counts, what a snapshot keeps.

mod common;

use common::*;
use sinew_motion::graph::{
    Change, CompiledGraph, Graph, GraphMarker, GraphPlayer, Input, Node, Parameter, RootMotion,
    Transition,
};
use sinew_motion::{Ease, MaskPart, RootMode};
use sinew_scene::Transform;
use sinew_scene::glam::Vec3;

fn graph(output: &str, nodes: &[(&str, Node)]) -> Graph {
    let parameters = [("x", Parameter::Float(0.0)), ("on", Parameter::Bool(false))];
    Graph {
        output: output.into(),
        parameters: parameters.map(|(name, value)| (name.to_owned(), value)).into(),
        nodes: nodes.iter().map(|(name, node)| ((*name).to_owned(), node.clone())).collect(),
        ..Graph::default()
    }
}

fn play(graph: &Graph) -> GraphPlayer {
    GraphPlayer::new(CompiledGraph::new(graph, scene()).expect("a sound graph"))
}

fn way(from: &str, to: &str, when: &str, seconds: f32) -> Transition {
    Transition {
        from: from.into(),
        to: to.into(),
        when: vec![when.into()],
        seconds,
        ease: Ease::Linear,
        ..Transition::default()
    }
}

/// Two states, walk (1 m/s) and run (4 m/s).
fn gaits(transitions: Vec<Transition>) -> Graph {
    let states = ["walk", "run"].map(|name| (name.to_owned(), name.to_owned()));
    let machine = Node::States { start: "walk".into(), states: states.into(), transitions };
    graph("m", &[("walk", Node::clip("walk")), ("run", Node::clip("run")), ("m", machine)])
}

fn set(playback: &mut GraphPlayer, name: &str, value: f32) {
    playback.set(name, value).expect("a parameter");
}

fn z(playback: &GraphPlayer) -> f32 {
    playback.pose().local(ROOT).translation.z
}

/// How far one frame carries the character, with the root as the joint that carries.
fn root_motion(mut graph: Graph, seconds: f32) -> Transform {
    graph.root = Some(RootMotion { joint: "root".into(), mode: RootMode::Floor });
    play(&graph).advance(seconds).root
}

#[test]
fn a_number_at_its_very_bound_is_not_below_and_not_above_it() {
    for (when, goes) in
        [("x < 0.5", false), ("x <= 0.5", true), ("x > 0.5", false), ("x >= 0.5", true)]
    {
        let mut playback = play(&gaits(vec![way("walk", "run", when, 0.0)]));
        // It begins at 0, which is below: so once more from the beginning, at the bound.
        set(&mut playback, "x", 0.5);
        playback.restart();
        playback.advance(0.1);
        let expected = if goes { "run" } else { "walk" };
        assert_eq!(playback.state("m"), Some(expected), "{when}");
    }
}

#[test]
fn any_number_but_zero_puts_a_switch_on() {
    let mut playback = play(&gaits(vec![way("walk", "run", "on", 0.0)]));
    set(&mut playback, "on", -2.0);
    assert_eq!(playback.value("on"), Some(1.0));
    set(&mut playback, "on", f32::INFINITY);
    assert_eq!(playback.value("on"), Some(1.0), "what is not finite changes nothing");
    set(&mut playback, "on", -0.0);
    assert_eq!(playback.value("on"), Some(0.0));
}

#[test]
fn from_any_state_does_not_mean_from_the_state_itself() {
    let again = Transition { kind: Change::Inertialization, ..way("*", "run", "on", 0.0) };
    let mut playback = play(&gaits(vec![again]));
    set(&mut playback, "on", 1.0);
    playback.advance(0.1);
    playback.advance(0.1);
    // 0.2 s at 4 m/s: it did not start over.
    assert!(close(z(&playback), 0.8, 1e-5), "{}", z(&playback));
}

#[test]
fn a_state_that_is_still_seen_goes_on_when_it_is_entered_again() {
    let ways = [way("walk", "run", "on", 1.0), way("run", "walk", "not on", 1.0)];
    let ways = ways.map(|way| Transition { interrupt: true, ..way });
    let mut playback = play(&gaits(ways.into()));
    playback.advance(0.25);
    set(&mut playback, "on", 1.0);
    playback.advance(0.25);
    // Walk at 0.5 m for three quarters, run at 1 m for one.
    assert!(close(z(&playback), 0.625, 1e-5), "{}", z(&playback));
    set(&mut playback, "on", 0.0);
    playback.advance(0.0);
    assert_eq!(playback.state("m"), Some("walk"));
    assert!(close(z(&playback), 0.625, 1e-5), "{}", z(&playback));
}

#[test]
fn more_changes_than_fit_wait_for_their_turn() {
    let ways = [way("walk", "run", "on", 10.0), way("run", "walk", "not on", 10.0)];
    let ways = ways.map(|way| Transition { interrupt: true, ..way });
    let mut playback = play(&gaits(ways.into()));
    let mut changes = 0;
    for frame in 0..12 {
        let before = playback.state("m").map(str::to_owned);
        set(&mut playback, "on", f32::from(frame % 2 == 0));
        playback.advance(0.01);
        assert_sound(playback.pose());
        changes += usize::from(playback.state("m") != before.as_deref());
    }
    // One state below, and four that fade in over each other.
    assert_eq!(changes, 4);
    let mut shares = playback.shares().filter(|(name, _)| *name != "m").map(|(_, share)| share);
    assert!(close(shares.by_ref().sum::<f32>(), 1.0, 1e-5));
}

#[test]
fn who_joins_a_group_joins_its_step() {
    let clip = |name: &str| Node::Clip {
        name: name.into(),
        speed: 1.0.into(),
        looped: true,
        sync: Some("feet".into()),
        start: 0.0,
    };
    let mut graph = gaits(vec![way("walk", "run", "on", 1.0)]);
    graph.nodes.extend(["walk", "run"].map(|name| (name.to_owned(), clip(name))));
    graph.sync.insert("feet".into(), vec![]);
    let mut playback = play(&graph);
    playback.advance(0.5);
    set(&mut playback, "on", 1.0);
    playback.advance(0.0);
    assert_eq!(playback.state("m"), Some("run"));
    assert!(close(z(&playback), 0.5, 1e-5), "{}", z(&playback));
    // Half of the fade: a cycle lasts (0.75 · 1 + 0.25 · 0.5) s on the mean, and 0.5 / 0.875 of one go by.
    playback.advance(0.5);
    let phase = 0.5 + 0.5 / 0.875 - 1.0;
    let expected = 0.5 * phase + 0.5 * 2.0 * phase;
    assert!(close(z(&playback), expected, 1e-4), "{} is not {expected}", z(&playback));
}

#[test]
fn a_clip_that_runs_backward_begins_at_its_end() {
    let back = |start: f32, looped: bool| Node::Clip {
        name: "walk".into(),
        speed: (-1.0).into(),
        looped,
        sync: None,
        start,
    };
    for (start, z_after) in [(0.0, 0.75), (0.5, 0.25)] {
        let mut playback = play(&graph("a", &[("a", back(start, false))]));
        playback.advance(0.25);
        assert!(close(z(&playback), z_after, 1e-6), "{}", z(&playback));
    }
}

#[test]
fn a_layer_carries_as_far_as_its_mask_has_the_root() {
    let layer = |mask: Vec<MaskPart>| {
        let over =
            Node::Layer { base: "walk".into(), over: "run".into(), weight: 0.5.into(), mask };
        graph("l", &[("walk", Node::clip("walk")), ("run", Node::clip("run")), ("l", over)])
    };
    let half = MaskPart { weight: 0.5, ..MaskPart::new("root") };
    // Walk 1 m/s, run 4 m/s, over it with half the weight: none of it, all of it, half of it at the root.
    for (mask, metres) in [
        (vec![MaskPart::new("spine")], 0.5),
        (vec![], 1.25),
        (vec![MaskPart::new("root")], 1.25),
        (vec![half], 0.875),
    ] {
        let found = root_motion(layer(mask.clone()), 0.5).translation;
        assert!(found.abs_diff_eq(Vec3::Z * metres, 1e-5), "{mask:?}: {found}");
    }
}

#[test]
fn of_a_mask_node_whoever_has_the_root_carries() {
    let masked = |part: &str, other: Option<&str>| {
        let mask = Node::Mask {
            input: "run".into(),
            parts: vec![MaskPart::new(part)],
            other: other.map(Into::into),
        };
        let mut nodes = vec![("run", Node::clip("run")), ("m", mask)];
        nodes.extend(other.map(|name| (name, Node::clip(name))));
        graph("m", &nodes)
    };
    for (part, other, metres) in
        [("spine", Some("walk"), 0.5), ("root", Some("walk"), 2.0), ("spine", None, 0.0)]
    {
        let found = root_motion(masked(part, other), 0.5).translation;
        assert!(found.abs_diff_eq(Vec3::Z * metres, 1e-5), "{part} {other:?}: {found}");
    }
}

#[test]
fn in_a_mirror_a_way_to_the_left_is_one_to_the_right() {
    let mirror = Node::Mirror { input: "turn".into() };
    let found = root_motion(graph("m", &[("turn", Node::clip("turn")), ("m", mirror)]), 2.0);
    assert!(found.translation.abs_diff_eq(Vec3::new(-1.0, 0.0, 1.0), 1e-5), "{found:?}");
    assert!(same_rotation(found.rotation, yaw(-90.0), 0.01), "{found:?}");
}

#[test]
fn a_restored_graph_tells_no_mark_twice() {
    let mut graph = graph("walk", &[("walk", Node::clip("walk"))]);
    graph.markers.insert("walk".into(), vec![GraphMarker { name: "step".into(), time: 0.5 }]);
    let mut playback = play(&graph);
    assert_eq!(playback.advance(0.5).events().count(), 1);
    let mut block = Vec::new();
    playback.save(&mut block);
    // A fresh one has told nothing yet, not even what is where it stands.
    let mut other = play(&graph);
    other.restore(&block).expect("a block of the same graph");
    assert_eq!(other.advance(0.25).events().count(), 0);
    assert_eq!(other.advance(0.75).events().count(), 1);
}

#[test]
fn weights_of_a_blend_need_not_sum_to_one_and_none_at_all_is_rest() {
    let blend = |weights: [f32; 2]| {
        let inputs = [("walk", weights[0]), ("run", weights[1])];
        let inputs =
            inputs.map(|(node, weight)| Input { node: node.into(), weight: weight.into() });
        let blend = Node::Blend { inputs: inputs.into(), in_step: false };
        graph("b", &[("walk", Node::clip("walk")), ("run", Node::clip("run")), ("b", blend)])
    };
    for (weights, metres) in [([5.0, 5.0], 1.25), ([0.0, 0.0], 0.0), ([-1.0, -2.0], 0.0)] {
        let found = root_motion(blend(weights), 0.5).translation.z;
        assert!(close(found, metres, 1e-5), "{weights:?}: {found}");
    }
}
