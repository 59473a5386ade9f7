//! Graphs: every node by hand, state machines, and what is refused.

mod common;

use std::sync::Arc;

use common::*;
use sinew_motion::graph::{
    Chain, Change, CompiledGraph, Graph, GraphMarker, GraphPlayer, Input, Node, Parameter, Point,
    Reference, RootMotion, Transition, Trigger,
};
use sinew_motion::{MaskPart, RootMode};
use sinew_scene::glam::Vec3;

fn graph(output: &str, nodes: &[(&str, Node)]) -> Graph {
    let parameters = [
        ("x", Parameter::Float(0.0)),
        ("y", Parameter::Float(0.0)),
        ("on", Parameter::Bool(false)),
        ("go", Parameter::Trigger(Trigger::Trigger)),
    ];
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

fn refused(graph: &Graph) -> String {
    CompiledGraph::new(graph, scene()).expect_err("a graph that does not fit").to_string()
}

fn point(at: &[f32], node: &str) -> Point {
    Point { at: at.to_vec(), node: node.into() }
}

fn way(from: &str, to: &str, when: &str, seconds: f32) -> Transition {
    let ease = sinew_motion::Ease::Linear;
    let when = if when.is_empty() { vec![] } else { vec![when.into()] };
    Transition { from: from.into(), to: to.into(), when, seconds, ease, ..Transition::default() }
}

fn states(transitions: Vec<Transition>) -> Graph {
    let states = ["walk", "run", "pose"].map(|name| (name.to_owned(), name.to_owned()));
    let machine = Node::States { start: "walk".into(), states: states.into(), transitions };
    let once =
        Node::Clip { name: "run".into(), speed: 1.0.into(), looped: false, sync: None, start: 0.0 };
    graph(
        "m",
        &[
            ("walk", Node::clip("walk")),
            ("run", once),
            ("pose", Node::clip("pose")),
            ("m", machine),
        ],
    )
}

fn z(playback: &GraphPlayer) -> f32 {
    playback.pose().local(ROOT).translation.z
}

fn lean(playback: &GraphPlayer) -> f32 {
    let q = playback.pose().local(SPINE).rotation;
    (2.0 * f32::atan2(q.x, q.w)).to_degrees()
}

#[test]
fn a_clip_plays_and_a_blend_is_the_mean_of_its_inputs() {
    let inputs = [("walk", 1.0), ("run", 3.0)];
    let inputs = inputs.map(|(node, weight)| Input { node: node.into(), weight: weight.into() });
    let blend = Node::Blend { inputs: inputs.into(), in_step: false };
    let mut playback = play(&graph(
        "b",
        &[("walk", Node::clip("walk")), ("run", Node::clip("run")), ("b", blend)],
    ));
    playback.advance(0.25);
    // Walk is at 0.25 m, run at 1 m: (0.25 + 3) / 4.
    assert!(close(z(&playback), 0.8125, 1e-5), "{}", z(&playback));
    assert!(close(lean(&playback), 25.0, 0.1), "{}", lean(&playback));
}

#[test]
fn a_blend_space_keeps_its_clips_in_step() {
    let points = vec![point(&[0.0], "walk"), point(&[1.0], "run")];
    let space = Node::BlendSpace { by: vec!["x".into()], points, in_step: true };
    let nodes = [("walk", Node::clip("walk")), ("run", Node::clip("run")), ("s", space)];
    let mut playback = play(&graph("s", &nodes));
    playback.set("x", 0.5).expect("a parameter");
    // A cycle of 0.75 s: after half of it, walk is at 0.5 m and run at 1 m.
    playback.advance(0.375);
    assert!(close(z(&playback), 0.75, 1e-5), "{}", z(&playback));
    playback.set("x", 99.0).expect("a parameter");
    playback.advance(0.125);
    assert!(close(z(&playback), 1.5, 1e-5), "{}", z(&playback));
    playback.set("x", f32::NAN).expect("a parameter");
    assert_eq!(playback.value("x"), Some(99.0));
    assert!(playback.set("speed", 1.0).expect_err("no such").to_string().contains("\"go\""));
}

#[test]
fn a_layer_covers_its_mask_with_feathered_weight() {
    let mask = vec![MaskPart { feather: 1, ..MaskPart::new("spine") }];
    let over = Node::Layer { base: "walk".into(), over: "pose".into(), weight: "x".into(), mask };
    let nodes = [("walk", Node::clip("walk")), ("pose", Node::clip("pose")), ("l", over)];
    let mut playback = play(&graph("l", &nodes));
    playback.set("x", 1.0).expect("a parameter");
    playback.advance(0.5);
    // Half of the pose's 45° on the spine, over walk's 10°; the root is walk's.
    assert!(close(lean(&playback), 27.5, 0.1), "{}", lean(&playback));
    assert!(close(z(&playback), 0.5, 1e-6));
    playback.set("x", 0.5).expect("a parameter");
    playback.advance(0.0);
    assert!(close(lean(&playback), 18.75, 0.1), "{}", lean(&playback));
}

#[test]
fn an_additive_node_adds_what_is_more_than_its_reference() {
    let add = |reference| Node::Additive {
        base: "walk".into(),
        add: "pose".into(),
        weight: 1.0.into(),
        reference,
        mask: vec![],
    };
    for (reference, degrees) in
        [(Reference::Rest, 55.0), (Reference::Clip { name: "run".into(), at: 0.0 }, 25.0)]
    {
        let nodes =
            [("walk", Node::clip("walk")), ("pose", Node::clip("pose")), ("a", add(reference))];
        let mut playback = play(&graph("a", &nodes));
        playback.advance(0.5);
        assert!(close(lean(&playback), degrees, 0.01), "{}", lean(&playback));
    }
}

#[test]
fn a_mask_node_shows_the_rest_pose_or_another_node_elsewhere() {
    let mask = |other: Option<&str>| Node::Mask {
        input: "run".into(),
        parts: vec![MaskPart::new("spine")],
        other: other.map(Into::into),
    };
    let clips = [("run", Node::clip("run")), ("walk", Node::clip("walk"))];
    let mut playback = play(&graph("m", &[&clips[..], &[("m", mask(None))]].concat()));
    playback.advance(0.25);
    assert!(close(lean(&playback), 30.0, 1e-3) && z(&playback) == 0.0);
    let mut playback = play(&graph("m", &[&clips[..], &[("m", mask(Some("walk")))]].concat()));
    playback.advance(0.25);
    assert!(close(lean(&playback), 30.0, 1e-3) && z(&playback) == 0.25);
}

#[test]
fn a_cache_is_worked_out_once_and_used_by_many() {
    let mirror = Node::Mirror { input: "kept".into() };
    let inputs = ["kept", "mirror"].map(|node| Input { node: node.into(), weight: 1.0.into() });
    let blend = Node::Blend { inputs: inputs.into(), in_step: false };
    let nodes = [
        ("turn", Node::clip("turn")),
        ("kept", Node::Cache { input: "turn".into() }),
        ("mirror", mirror),
        ("b", blend),
    ];
    let mut playback = play(&graph("b", &nodes));
    playback.advance(1.0);
    // At 1 s the root is at (0.2, 0, 0.7), turned by 45°; its mirror image is at (-0.2, 0, 0.7), by -45°.
    let root = playback.pose().local(ROOT);
    assert!(root.translation.abs_diff_eq(Vec3::Z * 0.7, 1e-5), "{root:?}");
    assert!(same_rotation(root.rotation, yaw(0.0), 0.01), "{root:?}");
}

#[test]
fn a_limb_reaches_and_a_head_looks() {
    let reach = Node::Ik {
        input: "rest".into(),
        chain: Chain::TwoBone { end: "head".into(), pole: Some([0.0, 0.0, 1.0]), softness: 0.0 },
        target: ["x".into(), 1.5.into(), 0.3.into()],
        weight: 1.0.into(),
    };
    let mut playback = play(&graph("ik", &[("rest", Node::clip("empty")), ("ik", reach.clone())]));
    playback.set("x", 0.4).expect("a parameter");
    playback.advance(0.1);
    let head = Vec3::from(playback.pose().model_from_joint()[HEAD.index()].translation);
    assert!(head.abs_diff_eq(Vec3::new(0.4, 1.5, 0.3), 1e-4), "{head}");
    let look = Node::Ik {
        input: "rest".into(),
        chain: Chain::LookAt {
            joints: vec!["head".into()],
            forward: [0.0, 0.0, 1.0],
            up: [0.0, 1.0, 0.0],
            half_life: 0.0,
        },
        target: [5.0.into(), 2.0.into(), 5.0.into()],
        weight: "y".into(),
    };
    let mut playback = play(&graph("ik", &[("rest", Node::clip("empty")), ("ik", look)]));
    playback.advance(0.1);
    assert!(same_rotation(playback.pose().local(HEAD).rotation, yaw(0.0), 0.1));
    playback.set("y", 1.0).expect("a parameter");
    playback.advance(0.1);
    let turned = playback.pose().local(HEAD).rotation;
    assert!(same_rotation(turned, yaw(45.0), 0.1), "{turned}");
    let short = graph("ik", &[("rest", Node::clip("empty")), ("ik", reach)]);
    let text = format!("{short:?}").replace("\"head\"", "\"hips\"");
    assert!(text.contains("hips"));
}

#[test]
fn a_condition_starts_a_fade_and_a_trigger_is_used_up() {
    let back = way("run", "walk", "not on", 0.0);
    let mut playback = play(&states(vec![way("walk", "run", "go", 0.5), back]));
    playback.set("on", 1.0).expect("a switch");
    playback.advance(0.25);
    assert_eq!(playback.state("m"), Some("walk"));
    playback.set("go", 1.0).expect("a trigger");
    playback.advance(0.25);
    assert_eq!((playback.state("m"), playback.value("go")), (Some("run"), Some(0.0)));
    // Half of the fade: walk at 0.5 m, run at 1 m.
    assert!(close(z(&playback), 0.75, 1e-5), "{}", z(&playback));
    playback.advance(0.25);
    assert!(close(z(&playback), 2.0, 1e-5), "{}", z(&playback));
    playback.set("on", 0.0).expect("a switch");
    playback.advance(0.25);
    assert_eq!(playback.state("m"), Some("walk"));
    assert!(close(z(&playback), 0.25, 1e-5), "it starts over: {}", z(&playback));
}

#[test]
fn at_an_exit_time_the_new_state_gets_the_rest_of_the_frame() {
    let leave = Transition { exit: Some(1.0), ..way("run", "walk", "", 0.2) };
    let mut playback = play(&states(vec![way("walk", "run", "go", 0.0), leave]));
    playback.set("go", 1.0).expect("a trigger");
    playback.advance(0.4);
    assert_eq!(playback.state("m"), Some("run"));
    // The end is 0.1 s from here: 0.15 s later the fade has gone on for 0.05 s of 0.2 s.
    playback.advance(0.15);
    assert_eq!(playback.state("m"), Some("walk"));
    let expected = 0.75 * 2.0 + 0.25 * 0.05;
    assert!(close(z(&playback), expected, 1e-4), "{} is not {expected}", z(&playback));
}

#[test]
fn only_what_may_be_interrupted_is() {
    for interrupt in [false, true] {
        let first = Transition { interrupt, ..way("walk", "run", "on", 1.0) };
        let mut playback = play(&states(vec![first, way("run", "pose", "x > 0.5", 1.0)]));
        playback.set("on", 1.0).expect("a switch");
        playback.advance(0.5);
        let before = z(&playback);
        playback.set("x", 1.0).expect("a number");
        playback.advance(0.0);
        assert_eq!(playback.state("m"), Some(if interrupt { "pose" } else { "run" }));
        assert!(close(z(&playback), before, 1e-6), "nothing jumps");
        playback.advance(0.5);
        // Walk at 1 m and run at 2 m, run all in by now; half of it covered by the pose.
        let expected = if interrupt { 1.0 } else { 2.0 };
        assert!(close(z(&playback), expected, 1e-4), "{}", z(&playback));
    }
}

#[test]
fn by_inertia_the_old_state_is_not_played_and_nothing_jumps() {
    let change = Transition { kind: Change::Inertialization, ..way("walk", "pose", "on", 0.4) };
    let mut playback = play(&states(vec![change]));
    for _ in 0..10 {
        playback.advance(0.01);
    }
    let before = z(&playback);
    playback.set("on", 1.0).expect("a switch");
    playback.advance(0.01);
    let after = z(&playback);
    assert!(after > 0.09 && (after - before).abs() < 0.02, "{before} to {after}");
    playback.advance(0.5);
    assert_eq!(z(&playback), 0.0);
}

#[test]
fn events_come_with_their_weight_and_a_long_frame_loses_none() {
    let mut graph = states(vec![way("walk", "run", "on", 0.5)]);
    let marker = |name: &str, time| GraphMarker { name: name.into(), time };
    graph.markers.insert("walk".into(), vec![marker("step", 0.9), marker("late", 0.3)]);
    graph.markers.insert("run".into(), vec![marker("end", 0.5)]);
    let mut playback = play(&graph);
    let update = playback.advance(0.35);
    let names: Vec<_> = update.events().map(|event| (event.name, event.weight)).collect();
    assert_eq!(names, [("late", 1.0)]);
    playback.set("on", 1.0).expect("a switch");
    // The old state goes on for half a second more, to 0.85 s: not as far as its step at 0.9 s.
    let update = playback.advance(10.0);
    let events: Vec<_> = update.events().map(|event| (event.name, event.clip)).collect();
    assert_eq!(events, [("end", sinew_scene::ClipId::new(1))]);
    let mut playback = play(&graph);
    playback.advance(0.5);
    playback.set("on", 1.0).expect("a switch");
    let update = playback.advance(1.0);
    let events: Vec<_> = update.events().map(|event| (event.name, event.weight)).collect();
    // As much as each is seen while it is: half on average, and half for half of the time, then all.
    assert_eq!(events, [("end", 0.75), ("step", 0.5)]);
}

#[test]
fn root_motion_comes_out_of_blends_and_the_pose_stays() {
    let inputs = [("walk", 1.0), ("run", 1.0)];
    let inputs = inputs.map(|(node, weight)| Input { node: node.into(), weight: weight.into() });
    let blend = Node::Blend { inputs: inputs.into(), in_step: false };
    let mut graph =
        graph("b", &[("walk", Node::clip("walk")), ("run", Node::clip("run")), ("b", blend)]);
    graph.root = Some(RootMotion { joint: "root".into(), mode: RootMode::Floor });
    let mut playback = play(&graph);
    let update = playback.advance(1.5);
    // Half of 1 m/s and half of 4 m/s.
    assert!(update.root.translation.abs_diff_eq(Vec3::Z * 3.75, 1e-5), "{:?}", update.root);
    assert!(close(z(&playback), 0.0, 1e-6));
    graph.root = Some(RootMotion { joint: "tail".into(), mode: RootMode::Floor });
    assert_eq!(refused(&graph), "root: there is no joint \"tail\" among the 5");
}

#[test]
fn a_graph_that_does_not_fit_names_the_node() {
    let cache = |input: &str| Node::Cache { input: input.into() };
    let message = refused(&graph("a", &[("a", cache("b")), ("b", cache("a"))]));
    assert_eq!(message, "node \"a\": it is made from itself: a → b → a");
    let message = refused(&graph("a", &[("a", cache("b"))]));
    assert_eq!(message, "node \"a\": there is no node \"b\": there are [\"a\"]");
    assert_eq!(refused(&graph("z", &[])), "output: there is no node \"z\": there are []");
    let message = refused(&graph("a", &[("a", Node::clip("fly"))]));
    assert!(message.starts_with("node \"a\": there is no clip \"fly\": there are [\"walk\""));
    let message = refused(&graph("a", &[("a", Node::Blend { inputs: vec![], in_step: true })]));
    assert_eq!(message, "node \"a\": expected at least one input, found none");
    let twice = ["walk", "walk"].map(|node| Input { node: node.into(), weight: 1.0.into() });
    let twice = Node::Blend { inputs: twice.into(), in_step: true };
    let message = refused(&graph("a", &[("a", twice), ("walk", Node::clip("walk"))]));
    assert!(message.starts_with("node \"walk\": it is used by \"a\" and \"a\""), "{message}");
    let space = |points| Node::BlendSpace { by: vec!["x".into()], points, in_step: true };
    let message = refused(&graph("a", &[("a", space(vec![]))]));
    assert_eq!(message, "node \"a\": expected at least one point, found none");
    let message = refused(&graph(
        "a",
        &[("a", space(vec![point(&[1.0, 2.0], "w")])), ("w", Node::clip("walk"))],
    ));
    assert_eq!(message, "node \"a\": point 0: expected 1 numbers, found 2");
    let mask = Node::Mask { input: "w".into(), parts: vec![MaskPart::new("tail")], other: None };
    let message = refused(&graph("a", &[("a", mask), ("w", Node::clip("walk"))]));
    assert_eq!(message, "node \"a\": there is no joint \"tail\" among the 5");
    let limb = Node::Ik {
        input: "w".into(),
        chain: Chain::TwoBone { end: "hips".into(), pole: None, softness: 0.0 },
        target: [0.0.into(), 0.0.into(), 0.0.into()],
        weight: 1.0.into(),
    };
    let message = refused(&graph("a", &[("a", limb), ("w", Node::clip("walk"))]));
    assert!(message.starts_with("node \"a\": expected two joints above \"hips\""), "{message}");
}

#[test]
fn a_transition_that_does_not_fit_is_named_too() {
    for (transition, message) in [
        (way("walk", "fly", "on", 0.1), "there is no state \"fly\""),
        (way("walk", "run", "", 0.1), "expected a condition or an exit time, found neither"),
        (way("walk", "run", "x", 0.1), "\"x\": expected <, <=, > or >= and a number"),
        (way("walk", "run", "x > y", 0.1), "\"x > y\": expected a number, found \"y\""),
        (way("walk", "run", "on > 1", 0.1), "\"on > 1\": expected a number, found a switch"),
        (way("walk", "run", "nobody", 0.1), "there is no parameter \"nobody\""),
        (way("walk", "run", "not go", 0.1), "a trigger can only be waited for"),
        (way("walk", "run", "on", f32::NAN), "expected seconds from zero up, found NaN"),
        (
            Transition { exit: Some(2.0), ..way("walk", "run", "on", 0.1) },
            "expected an exit from 0 to 1",
        ),
    ] {
        let found = refused(&states(vec![transition]));
        assert!(found.starts_with("node \"m\": transition ") && found.contains(message), "{found}");
    }
}

#[test]
fn a_deep_graph_is_refused_and_not_followed() {
    let name = |at: usize| format!("n{at:04}");
    let nodes = (0..4000).map(|at| (name(at), Node::Cache { input: name(at + 1) }));
    let graph = Graph { output: name(0), nodes: nodes.collect(), ..Graph::default() };
    assert!(refused(&graph).contains("more than 128 nodes deep"));
}

#[test]
fn empty_clips_and_poses_of_no_length_play() {
    for name in ["empty", "pose"] {
        let mut playback = play(&graph("a", &[("a", Node::clip(name))]));
        playback.advance(1.0);
        assert_sound(playback.pose());
    }
}

#[test]
fn many_may_play_one_plan() {
    let plan = Arc::new(
        CompiledGraph::new(&graph("a", &[("a", Node::clip("walk"))]), scene()).expect("ok"),
    );
    let (mut one, other) = (GraphPlayer::new(Arc::clone(&plan)), GraphPlayer::new(plan));
    one.advance(0.5);
    assert_eq!((z(&one), z(&other)), (0.5, 0.0));
}
