//! Graphs: blends in step, states that change, and all of it as bytes.

use std::hint::black_box;

use sinew::Scene;
use sinew::graph::{Change, CompiledGraph, Graph, GraphPlayer, Node, Parameter, Point, Transition};
use sinew::motion::MaskPart;

use super::{Bench, FRAME};

/// Two clips in step in a blend space, and a third over the upper body.
pub(super) fn graph(bench: &mut Bench, scene: &Scene) {
    let [walk, long] = [0, 1].map(|at| scene.clips[at].name.clone());
    let point = |at: f32, node: &str| Point { at: vec![at], node: node.into() };
    let gait = Node::BlendSpace {
        by: vec!["speed".into()],
        points: vec![point(0.0, "walk"), point(1.0, "other")],
        in_step: true,
    };
    let body = Node::Layer {
        base: "gait".into(),
        over: "over".into(),
        weight: 0.8.into(),
        mask: vec![MaskPart::new("spine2")],
    };
    let nodes = [
        ("walk", Node::clip(&walk)),
        ("other", Node::clip(&walk)),
        ("over", Node::clip(&long)),
        ("gait", gait),
        ("body", body),
    ];
    let graph = Graph {
        output: "body".into(),
        parameters: [("speed".to_owned(), Parameter::Float(0.5))].into(),
        nodes: nodes.map(|(name, node)| (name.to_owned(), node)).into(),
        ..Graph::default()
    };
    let Ok(plan) = CompiledGraph::new(&graph, scene.clone()) else { return };
    let mut playback = GraphPlayer::new(plan);
    bench.whole("graph", "character", || {
        playback.advance(black_box(FRAME));
    });
    let mut block = Vec::new();
    bench.whole("snapshot_save", "character", || black_box(&mut playback).save(&mut block));
    bench.whole("snapshot_restore", "character", || {
        // Its own block: it is never refused.
        black_box(playback.restore(black_box(&block)).is_ok());
    });
}

/// Two states that change all the time, by fades and by inertialization.
pub(super) fn states(bench: &mut Bench, scene: &Scene) {
    let names = [("graph_fade", Change::Fade), ("graph_inertia", Change::Inertialization)];
    for (name, kind) in names {
        // A clip of 1.33 s: a change every third of a second, under way most of the time.
        let change = |from: &str, to: &str| Transition {
            from: from.into(),
            to: to.into(),
            exit: Some(0.25),
            seconds: 0.3,
            kind,
            ..Transition::default()
        };
        let states = Node::States {
            start: "one".into(),
            states: [("one", "walk"), ("two", "other")].map(owned).into(),
            transitions: vec![change("one", "two"), change("two", "one")],
        };
        let clip = Node::clip(&scene.clips[0].name);
        let nodes = [("walk", clip.clone()), ("other", clip), ("states", states)];
        let graph = Graph {
            output: "states".into(),
            nodes: nodes.map(|(name, node)| (name.to_owned(), node)).into(),
            ..Graph::default()
        };
        let Ok(plan) = CompiledGraph::new(&graph, scene.clone()) else { return };
        let mut playback = GraphPlayer::new(plan);
        bench.whole(name, "character", || {
            playback.advance(black_box(FRAME));
        });
    }
}

fn owned((name, node): (&str, &str)) -> (String, String) {
    (name.to_owned(), node.to_owned())
}
