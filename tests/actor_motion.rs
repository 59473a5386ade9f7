//! An actor that fades, glides, is moved, tells what it passes, and follows a graph.

use allocation_counter::measure;
use sinew::glam::{Quat, Vec3};
use sinew::motion::RootMode;
use sinew::{Actor, ClipId, CompiledGraph, GraphPlayer, JointId, RootMotionPolicy, Transition};

/// How far the elbow is bent, in degrees.
fn bend(actor: &Actor) -> f32 {
    let q = actor.pose().local(JointId::new(2)).rotation;
    (2.0 * f32::atan2(q.xyz().length(), q.w.abs())).to_degrees()
}

#[test]
fn a_fade_begins_where_the_old_clip_is_and_ends_in_the_new() {
    let mut actor = Actor::new(sinew::demo());
    actor.play("flex").expect("a clip");
    actor.advance(0.7);
    let before = actor.pose().clone();
    actor.fade_to("wave", 0.4).expect("a clip");
    assert_eq!(actor.pose().locals(), before.locals(), "nothing jumps");
    actor.advance(0.2);
    let half = actor.pose().clone();
    // Half of either: the mean of what each would show now.
    let shown = |clip: &str, time: f32| {
        let mut other = Actor::new(sinew::demo());
        other.play(clip).expect("a clip");
        other.seek(time);
        other.pose().clone()
    };
    for joint in 0..half.len() {
        let joint = JointId::new(joint);
        let [a, b] =
            [shown("flex", 0.9), shown("wave", 0.2)].map(|pose| pose.local(joint).rotation);
        let b = if a.dot(b) < 0.0 { -b } else { b };
        let expected: Quat = (a + b).normalize();
        let found = half.local(joint).rotation;
        assert!(found.dot(expected).abs() > 1.0 - 1e-5, "{joint:?}: {found} is not {expected}");
    }
    actor.advance(0.2);
    assert_eq!(actor.pose().locals(), shown("wave", 0.4).locals());
    assert!(actor.fade_to("fly", 1.0).is_err());
}

#[test]
fn a_fade_may_be_interrupted_again_and_again_without_a_jump() {
    let mut actor = Actor::new(sinew::demo());
    actor.play("flex").expect("a clip");
    actor.advance(0.5);
    for (step, clip) in ["wave", "flex"].iter().cycle().take(20).enumerate() {
        let before = bend(&actor);
        actor.fade_to(clip, 0.5).expect("a clip");
        assert!((bend(&actor) - before).abs() < 1.0, "{step}: {before} to {}", bend(&actor));
        actor.advance(0.08);
    }
}

#[test]
fn a_glide_keeps_the_pose_and_the_speed_of_the_old_clip() {
    let mut actor = Actor::new(sinew::demo());
    actor.play("flex").expect("a clip");
    actor.advance(0.3);
    let (before, speed) = {
        let then = bend(&actor);
        actor.advance(0.01);
        (bend(&actor), (bend(&actor) - then) / 0.01)
    };
    actor.inertialize_to("wave", 0.5).expect("a clip");
    assert!((bend(&actor) - before).abs() < 0.5, "{before} to {}", bend(&actor));
    actor.advance(0.01);
    let after = (bend(&actor) - before) / 0.01;
    assert!(speed > 50.0 && after > 0.6 * speed, "{speed}°/s before, {after}°/s after");
    actor.advance(1.0);
    let mut other = Actor::new(sinew::demo());
    other.play("wave").expect("a clip");
    other.seek(1.01);
    assert_eq!(actor.pose().locals(), other.pose().locals());
}

#[test]
fn ossi_is_carried_and_its_feet_are_heard() {
    let mut actor = Actor::new(sinew::ossi());
    actor.set_root_motion(
        actor.scene().skeleton().find("root"),
        RootMode::Floor,
        RootMotionPolicy::Remove,
    );
    actor.play("walk").expect("a clip");
    let mut heard = Vec::new();
    for _ in 0..100 {
        actor.advance(0.025);
        heard.extend(actor.events().map(|event| event.name.to_owned()));
        actor.place(actor.world_from_model() * actor.root_motion().to_affine());
    }
    // 2.5 s at 1.4 m/s, a step every half second from the start on.
    let z = actor.world_from_model().translation.z;
    assert!((z - 3.5).abs() < 1e-3, "{z}");
    assert_eq!(heard, ["left foot", "right foot"].repeat(3));
}

fn ossi() -> sinew::Graph {
    sinew::graph::read(include_str!("../examples/graphs/ossi.toml"), sinew::graph::Format::Toml)
        .expect("a graph")
}

#[test]
fn three_formats_give_one_graph() {
    use sinew::graph::{Format, read};
    let json = read(include_str!("../examples/graphs/ossi.json"), Format::Json);
    let ron = read(include_str!("../examples/graphs/ossi.ron"), Format::Ron);
    assert_eq!(json.expect("JSON"), ossi());
    assert_eq!(ron.expect("RON"), ossi());
    let wrong = include_str!("../examples/graphs/ossi.toml").replace("weight =", "wait =");
    let message = read(&wrong, Format::Toml).expect_err("a typo");
    assert!(message.contains("wait") && message.contains("line"), "{message}");
    assert_eq!(Format::of("a/b.RON"), Some(Format::Ron));
    assert_eq!(Format::of("ossi"), None);
}

#[test]
fn a_graph_walks_ossi_at_the_speed_it_is_told() {
    let scene = std::sync::Arc::new(sinew::ossi());
    let plan = CompiledGraph::new(&ossi(), std::sync::Arc::clone(&scene)).expect("it fits Ossi");
    for (speed, expected) in [(1.4, 1.4), (3.2, 3.2), (2.3, 2.3)] {
        let mut actor = Actor::new(std::sync::Arc::clone(&scene));
        let graph = CompiledGraph::new(&ossi(), std::sync::Arc::clone(&scene)).expect("ok");
        actor.start(GraphPlayer::new(graph), Transition::Cut);
        actor.graph_mut().expect("a graph").set("speed", speed).expect("a parameter");
        actor.advance(0.5);
        assert_eq!(actor.graph().expect("a graph").state("legs"), Some("go"));
        let mut way = 0.0;
        for _ in 0..60 {
            actor.advance(1.0 / 60.0);
            way += actor.root_motion().translation.z;
        }
        // In step, the mean stride over the mean time: not quite the mean of the speeds.
        assert!((way - expected).abs() < 0.16, "{speed} m/s: {way} m");
        assert!(actor.pose().local(JointId::new(0)).translation.abs_diff_eq(Vec3::ZERO, 1e-5));
    }
    assert_eq!(plan.parameters().count(), 3);
}

#[test]
fn a_frame_of_a_fade_or_a_graph_allocates_nothing() {
    let mut actor = Actor::new(sinew::ossi());
    actor.set_root_motion(
        actor.scene().skeleton().find("root"),
        RootMode::Floor,
        RootMotionPolicy::Remove,
    );
    actor.play("walk").expect("a clip");
    for clip in ["run", "idle", "walk", "run", "dance"] {
        actor.fade_to(clip, 0.2).expect("a clip");
    }
    actor.inertialize_to("idle", 0.2).expect("a clip");
    actor.advance(0.1);
    let mut count = 0;
    let counted = measure(|| {
        for step in 0..60 {
            if step % 7 == 0 {
                actor.start(ClipId::new(step % 4), Transition::fade(0.2));
            }
            actor.advance(0.016);
            count += actor.events().count();
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
    let plan = CompiledGraph::new(&ossi(), std::sync::Arc::clone(actor.scene())).expect("it fits");
    actor.start(GraphPlayer::new(plan), Transition::Cut);
    let counted = measure(|| {
        for step in 0..60 {
            let graph = actor.graph_mut().expect("a graph");
            graph.set("speed", step as f32 * 0.1).expect("a parameter");
            graph.set("jump", f32::from(step == 30)).expect("a parameter");
            actor.advance(0.05);
            count += actor.events().count();
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
    assert!(count > 3, "{count}");
}
