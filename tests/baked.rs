//! A baked clip, beside the character that it was baked from.

use std::sync::Arc;

use allocation_counter::measure;
use sinew::deform::{Binding, deform};
use sinew::glam::{Affine3A, Vec3};
use sinew::scene::{
    Geometry, Instance, Interpolation, Mesh, MeshId, MorphTarget, Node, Primitive, Rows,
    SceneParts, SkinMethod, WeightTrack,
};
use sinew::{
    Actor, BakeError, Baked, Between, Clip, InstanceId, JointId, Replay, Scene, Transform, Vertices,
};

fn baked(scene: &Arc<Scene>, clip: &str, fps: f32) -> Replay {
    Replay::new(Arc::new(Baked::new(Arc::clone(scene), clip, fps).expect("bakes")))
}

fn actor(scene: &Arc<Scene>, clip: &str) -> Actor {
    let mut actor = Actor::new(Arc::clone(scene));
    actor.play(clip).expect("the scene has it");
    actor
}

/// The largest distance between vertices of both, over the whole clip, at times between frames too.
fn gap(scene: &Arc<Scene>, clip: &str, fps: f32, between: Between) -> f32 {
    let (mut actor, mut replay) = (actor(scene, clip), baked(scene, clip, fps));
    replay.set_between(between);
    let place = Affine3A::from_rotation_y(1.0) * Affine3A::from_translation(Vec3::X);
    actor.place(place);
    replay.place(place);
    let (mut ours, mut theirs) = (Vertices::default(), Vertices::default());
    let mut widest = 0.0_f32;
    for step in 0..97 {
        let time = actor.duration() * step as f32 / 97.0;
        actor.seek(time);
        replay.seek(time);
        actor.skin(InstanceId::new(0), 0, &mut theirs);
        let binding = Binding::Skinned {
            method: SkinMethod::Linear,
            model_from_mesh: replay.palette(0),
            without_influence: place,
        };
        deform(&scene.meshes[0].primitives[0], replay.weights(), binding, &mut ours);
        let pairs = ours.positions.iter().zip(&theirs.positions);
        widest = pairs.map(|(a, b)| a.distance(*b)).fold(widest, f32::max);
        let (inner, outer) = (sinew::Bounds::of(&ours.positions), replay.bounds());
        let slack = Vec3::splat(1e-4);
        assert!(outer.min.cmple(inner.min + slack).all(), "{clip} at {time}: {outer:?} {inner:?}");
        assert!(outer.max.cmpge(inner.max - slack).all(), "{clip} at {time}: {outer:?} {inner:?}");
    }
    widest
}

#[test]
fn at_its_frames_a_replay_stands_as_the_actor_does() {
    let scene = Arc::new(sinew::ossi());
    for clip in scene.clips.iter().map(|clip| clip.name.as_str()) {
        let (mut actor, mut replay) = (actor(&scene, clip), baked(&scene, clip, 24.0));
        let (frames, duration) = (replay.baked().frames(), replay.baked().duration());
        assert_eq!(frames, (duration * 24.0).ceil() as usize + 1);
        let step = duration / (frames - 1) as f32;
        // Held, a frame lasts until the next one; mixed, it is met at its own time.
        for (between, after) in [(Between::Hold, 0.5), (Between::Mix, 0.0)] {
            replay.set_between(between);
            for frame in 0..frames {
                actor.seek(step * frame as f32);
                replay.seek(step * (frame as f32 + after));
                for (a, b) in actor.palette(0).iter().zip(replay.palette(0)) {
                    // A frame's time is exact to a millionth of the clip; a limb moves metres a second.
                    assert!(a.abs_diff_eq(*b, 1e-4), "{clip}, frame {frame}, {between:?}: {a} {b}");
                }
            }
        }
    }
}

#[test]
fn between_frames_a_mix_is_within_millimetres_and_better_than_holding() {
    let scene = Arc::new(sinew::ossi());
    for clip in ["walk", "run", "dance"] {
        let [mixed, held] = [Between::Mix, Between::Hold].map(|b| gap(&scene, clip, 60.0, b));
        // A sixtieth of a second of a hand at 5 m/s is 8 cm; its way bends by a small share of that.
        assert!(mixed < 0.004, "{clip}: {mixed} m mixed");
        assert!(held > 3.0 * mixed && held < 0.2, "{clip}: {held} m held, {mixed} m mixed");
        let coarse = gap(&scene, clip, 12.0, Between::Mix);
        assert!(coarse > mixed, "{clip}: {coarse} m at 12 frames a second");
    }
}

#[test]
fn memory_is_what_it_says() {
    let baked = Baked::new(sinew::demo(), "wave", 30.0).expect("bakes");
    let frames = (baked.duration() * 30.0).ceil() as usize + 1;
    assert_eq!(baked.frames(), frames);
    // Three joints and one mesh with one morph: four matrices of 48 bytes, a weight of 4, a flag, a box of 24.
    assert_eq!(baked.bytes(), frames * (4 * 48 + 4 + 1 + 24));
}

#[test]
fn morph_weights_and_meshes_on_nodes_are_baked_too() {
    let rows = Rows::new(vec![0.0, 2.0], vec![0.0, 1.0], 1, Interpolation::Linear);
    let track = WeightTrack { instance: InstanceId::new(0), rows: rows.expect("two rows") };
    let primitive = Primitive::from(Geometry {
        positions: vec![Vec3::ZERO; 3],
        morphs: vec![MorphTarget::default()],
        ..Geometry::default()
    });
    let scene = Scene::new(SceneParts {
        nodes: vec![Node::new("a", None, Transform::from_translation(Vec3::Y))],
        meshes: vec![Mesh {
            primitives: vec![primitive],
            morph_names: vec!["grow".into()],
            ..Mesh::default()
        }],
        instances: vec![Instance {
            joint: JointId::new(0),
            mesh: MeshId::new(0),
            skin: None,
            weights: vec![0.0],
        }],
        clips: vec![Clip {
            name: "grow".into(),
            duration: 2.0,
            weights: vec![track],
            ..Clip::default()
        }],
        ..SceneParts::default()
    });
    let mut replay = baked(&Arc::new(scene.expect("the parts fit")), "grow", 1.0);
    replay.seek(0.5);
    assert_eq!(replay.weights(), [0.25]);
    assert_eq!(replay.bounds().center(), Vec3::Y);
    replay.set_between(Between::Hold);
    assert_eq!(replay.weights(), [0.0]);
    replay.seek(2.0);
    assert_eq!(replay.weights(), [1.0], "the last frame is reached");
}

#[test]
fn what_cannot_be_baked_is_an_error_in_words() {
    let bad = |clip: &str, fps: f32| Baked::new(sinew::demo(), clip, fps).expect_err("refused");
    assert!(bad("moonwalk", 30.0).to_string().contains("there is no clip \"moonwalk\""));
    for fps in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(bad("wave", fps), BakeError::Rate(_)), "{fps}");
    }
    let error = bad("wave", 1e12);
    assert!(matches!(error, BakeError::TooLarge { bytes } if bytes > 1 << 30), "{error}");
}

#[test]
fn a_replayed_frame_allocates_nothing() {
    let mut replay = baked(&Arc::new(sinew::demo()), "wave", 30.0);
    let counted = measure(|| {
        for _ in 0..200 {
            replay.advance(0.017);
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}
