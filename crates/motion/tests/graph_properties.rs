//! What holds of a playing graph for any frames and any parameters; and allocations, counted.

mod common;

use allocation_counter::measure;
use common::*;
use proptest::prelude::*;
use sinew_motion::graph::{
    Chain, Change, CompiledGraph, Graph, GraphMarker, GraphPlayer, Node, Parameter, Point,
    Reference, RootMotion, SnapshotError, Transition, Trigger,
};
use sinew_motion::{Ease, MaskPart, RootMode, then};
use sinew_scene::Transform;

/// Every kind of node: a gait in step and a turn, states by fade and inertialization, a layer, an addition,
/// a mask, a mirror, a cache, a limb and a look.
fn everything() -> Graph {
    let point = |at: f32, node: &str| Point { at: vec![at], node: node.into() };
    let gait = Node::BlendSpace {
        by: vec!["x".into()],
        points: vec![point(0.0, "walk"), point(1.0, "run")],
        in_step: true,
    };
    let way = |from: &str, to: &str, when: &str| Transition {
        from: from.into(),
        to: to.into(),
        when: vec![when.into()],
        seconds: 0.3,
        ..Transition::default()
    };
    let transitions = vec![
        Transition { interrupt: true, ..way("gait", "turn", "on") },
        way("turn", "gait", "not on"),
        Transition { kind: Change::Inertialization, ..way("*", "pose", "go") },
        Transition { when: vec![], exit: Some(1.0), ..way("pose", "gait", "") },
    ];
    let states = [("gait", "gait"), ("turn", "turn"), ("pose", "pose")];
    let machine = Node::States {
        start: "gait".into(),
        states: states.map(|(name, node)| (name.to_owned(), node.to_owned())).into(),
        transitions,
    };
    let mask = vec![MaskPart { feather: 1, ..MaskPart::new("spine") }];
    let nodes = [
        ("walk", Node::clip("walk")),
        ("run", Node::clip("run")),
        ("turn", Node::clip("turn")),
        ("pose", Node::clip("pose")),
        ("nod", Node::clip("pose")),
        ("gait", gait),
        ("states", machine),
        ("kept", Node::Cache { input: "states".into() }),
        ("mirror", Node::Mirror { input: "kept".into() }),
        (
            "upper",
            Node::Mask { input: "mirror".into(), parts: mask.clone(), other: Some("kept".into()) },
        ),
        (
            "over",
            Node::Layer { base: "upper".into(), over: "kept".into(), weight: "y".into(), mask },
        ),
        (
            "add",
            Node::Additive {
                base: "over".into(),
                add: "nod".into(),
                weight: "y".into(),
                reference: Reference::Clip { name: "walk".into(), at: 0.2 },
                mask: vec![],
            },
        ),
        (
            "reach",
            Node::Ik {
                input: "add".into(),
                chain: Chain::TwoBone { end: "head".into(), pole: None, softness: 0.05 },
                target: ["x".into(), 1.2.into(), "y".into()],
                weight: "y".into(),
            },
        ),
        (
            "look",
            Node::Ik {
                input: "reach".into(),
                chain: Chain::LookAt {
                    joints: vec!["spine".into(), "head".into()],
                    forward: [0.0, 0.0, 1.0],
                    up: [0.0, 1.0, 0.0],
                    half_life: 0.1,
                },
                target: ["x".into(), "y".into(), 3.0.into()],
                weight: 0.5.into(),
            },
        ),
    ];
    let parameters = [
        ("x", Parameter::Float(0.3)),
        ("y", Parameter::Float(0.5)),
        ("on", Parameter::Bool(false)),
        ("go", Parameter::Trigger(Trigger::Trigger)),
    ];
    let marker = |name: &str, time: f32| GraphMarker { name: name.into(), time };
    Graph {
        output: "look".into(),
        parameters: parameters.map(|(name, value)| (name.to_owned(), value)).into(),
        nodes: nodes.map(|(name, node)| (name.to_owned(), node)).into(),
        markers: [("walk".to_owned(), vec![marker("left", 0.0), marker("right", 0.5)])].into(),
        root: Some(RootMotion { joint: "root".into(), mode: RootMode::Floor }),
        ..Graph::default()
    }
}

fn play(graph: &Graph) -> GraphPlayer {
    GraphPlayer::new(CompiledGraph::new(graph, scene()).expect("a sound graph"))
}

type Frame = (f32, f32, f32, u8);

fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![6 => -1.0_f32..2.0, 1 => prop::num::f32::ANY]
}

fn frames() -> impl Strategy<Value = Vec<Frame>> {
    let seconds = prop_oneof![8 => 0.0_f32..0.2, 1 => 0.0_f32..5.0, 1 => prop::num::f32::ANY];
    prop::collection::vec((seconds, any_number(), any_number(), any::<u8>()), 1..40)
}

/// One frame with its parameters; its pose, way and events as bits.
fn frame(playback: &mut GraphPlayer, (seconds, x, y, switches): Frame) -> Vec<u32> {
    let [a, b] = [switches & 1, u8::from(switches & 0b1110 == 0b1110)].map(f32::from);
    for (name, value) in [("x", x), ("y", y), ("on", a), ("go", b)] {
        playback.set(name, value).expect("a parameter");
    }
    let update = playback.advance(seconds);
    let mut out: Vec<u32> = update.events().map(|event| event.weight.to_bits()).collect();
    let root = update.root;
    assert!(root.is_finite() && root.rotation.is_normalized(), "{root:?}");
    let numbers = root.translation.to_array().into_iter().chain(root.rotation.to_array());
    out.extend(numbers.map(f32::to_bits));
    for index in 0..playback.pose().len() {
        let local = playback.pose().local(joint(index));
        let numbers = local.translation.to_array().into_iter().chain(local.rotation.to_array());
        out.extend(numbers.chain(local.scale.to_array()).map(f32::to_bits));
    }
    out
}

proptest! {
    #[test]
    fn any_frames_and_parameters_give_sound_poses(frames in frames()) {
        let mut playback = play(&everything());
        for each in frames {
            frame(&mut playback, each);
            assert_sound(playback.pose());
        }
    }

    #[test]
    fn a_replay_from_a_snapshot_is_the_same_to_the_last_bit(before in frames(), after in frames()) {
        let graph = everything();
        let mut playback = play(&graph);
        for each in before {
            frame(&mut playback, each);
        }
        let mut block = Vec::new();
        playback.save(&mut block);
        let first: Vec<_> = after.iter().map(|each| frame(&mut playback, *each)).collect();
        // Into the one that played on, and into a fresh one.
        playback.restore(&block).expect("its own block");
        let again: Vec<_> = after.iter().map(|each| frame(&mut playback, *each)).collect();
        prop_assert_eq!(&first, &again);
        let mut other = play(&graph);
        other.restore(&block).expect("a block of the same graph");
        let other: Vec<_> = after.iter().map(|each| frame(&mut other, *each)).collect();
        prop_assert_eq!(&first, &other);
    }

    #[test]
    fn a_wrong_block_is_refused_and_changes_nothing(at in 0_usize..4096, bit in 0_u8..8, cut in any::<bool>()) {
        let mut playback = play(&everything());
        playback.advance(0.1);
        let mut block = Vec::new();
        playback.save(&mut block);
        let whole = block.clone();
        let at = at % block.len();
        if cut { block.truncate(at) } else { block[at] ^= 1 << bit }
        playback.advance(0.1);
        let mut kept = Vec::new();
        playback.save(&mut kept);
        prop_assert!(playback.restore(&block).is_err());
        let mut now = Vec::new();
        playback.save(&mut now);
        prop_assert_eq!(kept, now);
        prop_assert!(playback.restore(&whole).is_ok());
    }

    #[test]
    fn events_and_root_motion_do_not_depend_on_the_frames(
        cuts in prop::collection::vec(1_u32..60, 1..40), ease in 0_usize..3,
    ) {
        let ease = [Ease::Linear, Ease::Smooth, Ease::In][ease];
        let graph = relay(ease);
        let (mut cut, mut whole) = (play(&graph), play(&graph));
        let run = |playback: &mut GraphPlayer, seconds: f32, count: &mut usize, at: &mut Transform| {
            let update = playback.advance(seconds);
            *count += update.events().count();
            *at = then(*at, update.root);
        };
        let (mut count, mut at) = (0, Transform::IDENTITY);
        // In 128ths of a second, up to the end of the last fade.
        let mut left = 256_u32;
        for ticks in cuts.iter().cycle() {
            let ticks = (*ticks).min(left);
            run(&mut cut, ticks as f32 / 128.0, &mut count, &mut at);
            left -= ticks;
            if left == 0 { break }
        }
        let (mut all, mut end) = (0, Transform::IDENTITY);
        for _ in 0..1024 {
            run(&mut whole, 1.0 / 512.0, &mut all, &mut end);
        }
        prop_assert_eq!(count, all);
        // Within a millimetre of three metres.
        prop_assert!(at.translation.abs_diff_eq(end.translation, 0.001), "{} {}", at.translation, end.translation);
    }
}

/// A run that plays once and then fades to a walk.
fn relay(ease: Ease) -> Graph {
    let once =
        Node::Clip { name: "run".into(), speed: 1.0.into(), looped: false, sync: None, start: 0.0 };
    let states = ["run", "walk"].map(|name| (name.to_owned(), name.to_owned()));
    let leave = Transition {
        from: "run".into(),
        to: "walk".into(),
        exit: Some(0.5),
        seconds: 0.25,
        ease,
        ..Transition::default()
    };
    let machine =
        Node::States { start: "run".into(), states: states.into(), transitions: vec![leave] };
    let nodes = [("run", once), ("walk", Node::clip("walk")), ("m", machine)];
    let marker = |name: &str, time: f32| GraphMarker { name: name.into(), time };
    let markers = [
        ("run".to_owned(), vec![marker("a", 0.0), marker("b", 0.25)]),
        ("walk".to_owned(), vec![marker("left", 0.0), marker("right", 0.5)]),
    ];
    Graph {
        output: "m".into(),
        nodes: nodes.map(|(name, node)| (name.to_owned(), node)).into(),
        markers: markers.into(),
        root: Some(RootMotion { joint: "root".into(), mode: RootMode::Floor }),
        ..Graph::default()
    }
}

#[test]
fn a_block_of_another_graph_is_told_apart() {
    let (mut one, mut other) = (play(&everything()), play(&relay(Ease::Linear)));
    let mut block = Vec::new();
    one.save(&mut block);
    assert_eq!(other.restore(&block), Err(SnapshotError::OtherGraph));
    assert_eq!(other.restore(b"GIF89a"), Err(SnapshotError::NotOne));
    block[8] = 9;
    assert_eq!(one.restore(&block), Err(SnapshotError::Version(9)));
}

#[test]
fn after_a_restore_the_pose_is_that_of_then() {
    let mut playback = play(&relay(Ease::Smooth));
    playback.advance(0.3);
    let (mut block, then) = (Vec::new(), playback.pose().clone());
    playback.save(&mut block);
    playback.advance(0.3);
    playback.restore(&block).expect("its own block");
    assert_eq!(playback.pose().locals(), then.locals());
    assert_eq!(playback.pose().model_from_joint(), then.model_from_joint());
}

#[test]
fn a_frame_of_a_graph_allocates_nothing() {
    let mut playback = play(&everything());
    let mut block = Vec::new();
    playback.save(&mut block);
    let mut passed = 0;
    let counted = measure(|| {
        for step in 0..600 {
            playback.set_at(0, (step % 60) as f32);
            playback.set_at(1, f32::from(step % 97 == 0));
            playback.set("y", 0.5).expect("a parameter");
            playback.set("on", f32::from(step % 50 < 25)).expect("a switch");
            let update = playback.advance(0.017 * (step % 5) as f32);
            passed += update.events().count();
            playback.save(&mut block);
            playback.restore(&block).expect("its own block");
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
    assert!(passed > 5, "{passed} events");
}

#[cfg(feature = "serde")]
#[test]
fn a_graph_goes_to_text_and_back() {
    let graph = everything();
    let text = serde_json::to_string(&graph).expect("text");
    assert_eq!(serde_json::from_str::<Graph>(&text).expect("a graph"), graph);
    let short = r#"{
        "output": "gait",
        "parameters": { "speed": 1, "grounded": true, "jump": "trigger" },
        "nodes": {
            "walk": { "clip": { "name": "walk" } },
            "gait": { "blend_space": { "by": ["speed"], "points": [{ "at": [1.4], "node": "walk" }] } }
        }
    }"#;
    let graph: Graph = serde_json::from_str(short).expect("a graph");
    assert_eq!(graph.parameters["speed"], Parameter::Float(1.0));
    assert_eq!(graph.parameters["jump"], Parameter::Trigger(Trigger::Trigger));
    assert!(CompiledGraph::new(&graph, scene()).is_ok());
    let wrong = short.replace("\"by\"", "\"bye\"");
    assert!(serde_json::from_str::<Graph>(&wrong).expect_err("a typo").to_string().contains("bye"));
}
