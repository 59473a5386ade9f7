//! Graphs from a builder are the data that files hold, and they play.

use sinew_motion::RootMode;
use sinew_motion::graph::{
    Change, CompiledGraph, Graph, GraphBuilder, GraphMarker, Node, Parameter, RootMotion,
    Transition, Value,
};
use sinew_scene::{Clip, Scene, SceneParts};

fn built() -> Graph {
    let mut graph = GraphBuilder::new();
    let speed = graph.float("speed", 0.5);
    let grounded = graph.bool("grounded", true);
    let jump = graph.trigger("jump");
    graph.clip("idle", "stand");
    graph.node("walk", Node::clip("walk").speed(&speed).in_sync_group("feet").starting_at(0.25));
    graph.node("leap", Node::clip("leap").once());
    graph.states("legs", |states| {
        states.state("still", "idle").state("go", "walk").state("air", "leap");
        states.transition("still", "go").when(speed.above(0.5)).fade(0.2).interruptible();
        let leap = states.transition_from_any("air");
        leap.when(jump.fired()).when(grounded.is_on()).inertialize(0.15);
        states.transition("air", "still").at_exit(0.9);
    });
    graph.sync_group("feet", ["left", "right"]).root_motion("hips", RootMode::Floor);
    graph.marker("walk", "left", 0.0).marker("walk", "right", 0.5);
    graph.build()
}

#[test]
fn a_builder_makes_the_data_that_would_be_written_by_hand() {
    let graph = built();
    assert_eq!(graph.output, "legs");
    assert_eq!(graph.parameters["speed"], Parameter::Float(0.5));
    assert_eq!(graph.parameters["grounded"], Parameter::Bool(true));
    assert_eq!(graph.parameters["jump"], Parameter::trigger());
    assert_eq!(
        graph.nodes["walk"],
        Node::Clip {
            name: "walk".into(),
            speed: Value::Parameter("speed".into()),
            looped: true,
            sync: Some("feet".into()),
            start: 0.25,
        }
    );
    assert!(matches!(&graph.nodes["leap"], Node::Clip { looped: false, .. }));
    assert_eq!(graph.sync["feet"], ["left", "right"]);
    let marker = |name: &str, time| GraphMarker { name: name.into(), time };
    assert_eq!(graph.markers["walk"], [marker("left", 0.0), marker("right", 0.5)]);
    assert_eq!(graph.root, Some(RootMotion { joint: "hips".into(), mode: RootMode::Floor }));
    let Node::States { start, transitions, .. } = &graph.nodes["legs"] else {
        panic!("expected states, found {:?}", graph.nodes["legs"]);
    };
    assert_eq!(start, "still");
    let between = |from: &str, to: &str| Transition {
        from: from.into(),
        to: to.into(),
        ..Transition::default()
    };
    let wanted = [
        Transition {
            when: vec!["speed > 0.5".into()],
            seconds: 0.2,
            interrupt: true,
            ..between("still", "go")
        },
        Transition {
            when: vec!["jump".into(), "grounded".into()],
            seconds: 0.15,
            kind: Change::Inertialization,
            ..between("*", "air")
        },
        Transition { exit: Some(0.9), ..between("air", "still") },
    ];
    assert_eq!(transitions[..], wanted);
}

#[test]
fn an_output_that_is_named_stays() {
    let mut graph = GraphBuilder::new();
    graph.clip("a", "walk").clip("b", "run").output("a");
    assert_eq!(graph.build().output, "a");
}

#[test]
fn a_transition_that_is_refused_is_named_by_its_states() {
    let clip = Clip { name: "walk".into(), duration: 1.0, ..Clip::default() };
    let scene = Scene::new(SceneParts { clips: vec![clip], ..SceneParts::default() });
    let scene = std::sync::Arc::new(scene.expect("a scene of one clip"));
    let refused = |from: &str, to: &str| {
        let mut graph = GraphBuilder::new();
        graph.clip("walk", "walk").states("legs", |states| {
            states.state("go", "walk").transition(from, to);
        });
        CompiledGraph::new(&graph.build(), scene.clone()).expect_err("no condition").to_string()
    };
    let why = "expected a condition or an exit time, found neither";
    assert_eq!(refused("go", "go"), format!("node \"legs\": transition go → go: {why}"));
    assert_eq!(refused("*", "go"), format!("node \"legs\": transition * → go: {why}"));
}

#[cfg(feature = "serde")]
#[test]
fn older_keys_of_graph_files_are_read() {
    let text = r#"{
        "output": "m",
        "marks": { "walk": [{ "name": "left", "time": 0.5 }] },
        "nodes": {
            "walk": { "clip": { "name": "walk" } },
            "m": { "states": {
                "start": "go",
                "states": { "go": "walk" },
                "transitions": [{ "from": "*", "to": "go", "exit": 1.0, "kind": "inertia" }]
            } }
        }
    }"#;
    let graph: Graph = serde_json::from_str(text).expect("an older file");
    assert_eq!(graph.markers["walk"][0].time, 0.5);
    let Node::States { transitions, .. } = &graph.nodes["m"] else { panic!("expected states") };
    assert_eq!(transitions[0].kind, Change::Inertialization);
}
