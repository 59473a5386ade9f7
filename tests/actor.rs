//! What a user sees of a playing character, on the built-in rig.

use std::sync::Arc;

use sinew::glam::{Affine3A, Quat, Vec3};
use sinew::scene::{
    AnimatedProperty, Geometry, Instance, Interpolation, Mesh, MeshId, Node, Primitive, Property,
    PropertyId, PropertyTrack, Rows, SceneParts,
};
use sinew::{Actor, Clip, ClipId, InstanceId, JointId, Scene, Transform, Transition, Vertices};

fn fingertips(actor: &Actor) -> Vec3 {
    let mut vertices = Vertices::default();
    actor.skin(InstanceId::new(0), 0, &mut vertices);
    *vertices.positions.last().expect("the arm has vertices")
}

#[test]
fn at_rest_the_arm_stands_upright() {
    let actor = Actor::new(sinew::demo());
    assert!(fingertips(&actor).abs_diff_eq(Vec3::Y * 1.5, 1e-5), "{}", fingertips(&actor));
}

#[test]
fn a_bent_elbow_carries_the_hand() {
    // The elbow is at 0.6 m; 115° about X takes the 0.9 m above it to (0, cos, sin) · 0.9.
    let mut actor = Actor::new(sinew::demo());
    actor.play("flex").expect("the rig has it");
    actor.advance(0.7);
    let (sin, cos) = 115_f32.to_radians().sin_cos();
    let expected = Vec3::new(0.0, 0.6 + 0.9 * cos, 0.9 * sin);
    assert!(fingertips(&actor).abs_diff_eq(expected, 1e-4), "{}", fingertips(&actor));
}

#[test]
fn actors_share_a_scene_and_keep_their_own_time_and_place() {
    let scene = Arc::new(sinew::demo());
    let (mut first, mut second) = (Actor::new(scene.clone()), Actor::new(scene.clone()));
    first.play("wave").expect("the rig has it");
    first.advance(0.5);
    second.place(Affine3A::from_translation(Vec3::X * 3.0));
    assert!(fingertips(&second).abs_diff_eq(Vec3::new(3.0, 1.5, 0.0), 1e-5));
    assert!(!fingertips(&first).abs_diff_eq(Vec3::Y * 1.5, 0.1));
    assert!(second.bounds().min.x > 2.8, "{:?}", second.bounds());
    assert_eq!(Arc::strong_count(&scene), 3);
}

#[test]
fn an_unknown_clip_is_an_error_that_names_the_known_ones() {
    let mut actor = Actor::new(sinew::demo());
    actor.play("wave").expect("the rig has it");
    let error = actor.play("moonwalk").expect_err("the rig has no such clip");
    assert_eq!(error.to_string(), "there is no clip \"moonwalk\": there are [\"wave\", \"flex\"]");
    assert_eq!(actor.clip().map(|clip| clip.name.as_str()), Some("wave"));
}

#[test]
fn a_pose_changed_by_hand_moves_what_hangs_below() {
    let mut actor = Actor::new(sinew::demo());
    let shoulder = actor.scene().skeleton().find("shoulder").expect("the rig has one");
    actor.modify(|pose, skeleton| {
        let rotation = Quat::from_rotation_z(90_f32.to_radians());
        pose.set_local(shoulder, Transform::from_rotation(rotation));
        pose.to_model_from(skeleton, shoulder);
    });
    assert!(fingertips(&actor).abs_diff_eq(Vec3::X * -1.5, 1e-5), "{}", fingertips(&actor));
}

#[test]
fn a_rigid_mesh_goes_with_its_node_and_its_actor() {
    let mut parts = sinew::demo().into_parts();
    let wrist = parts.nodes.iter().position(|node| node.name == "wrist").expect("the rig has one");
    parts.instances[0].skin = None;
    parts.instances[0].joint = sinew::JointId::new(wrist);
    let scene = sinew::Scene::new(parts).expect("still a scene");
    let mut actor = Actor::new(scene);
    actor.place(Affine3A::from_translation(Vec3::Z));
    assert!(
        fingertips(&actor).abs_diff_eq(Vec3::new(0.0, 2.7, 1.0), 1e-5),
        "{}",
        fingertips(&actor)
    );
    assert!((actor.bounds().max.y - 2.7).abs() < 1e-4, "{:?}", actor.bounds());
}

#[test]
fn the_vertices_stay_within_the_bounds_of_the_pose() {
    let mut actor = Actor::new(sinew::demo());
    let mut vertices = Vertices::default();
    for clip in 0..2 {
        actor.start(ClipId::new(clip), Transition::Cut);
        for _ in 0..40 {
            actor.advance(0.05);
            actor.skin(InstanceId::new(0), 0, &mut vertices);
            let bounds = actor.bounds();
            for point in &vertices.positions {
                let low = point.cmpge(bounds.min - 1e-5).all();
                assert!(low && point.cmple(bounds.max + 1e-5).all(), "{point} leaves {bounds:?}");
            }
        }
    }
}

#[test]
fn what_a_clip_hides_is_not_in_the_bounds() {
    let rows = Rows::new(vec![0.0, 1.0], vec![1.0, 0.0], 1, Interpolation::Step);
    let track = PropertyTrack { property: PropertyId::new(0), rows: rows.expect("two rows") };
    let instance = |joint: usize| Instance {
        joint: JointId::new(joint),
        mesh: MeshId::new(0),
        skin: None,
        weights: Vec::new(),
    };
    let point = Primitive::from(Geometry { positions: vec![Vec3::ZERO], ..Geometry::default() });
    let node = |x: f32| Node::new("", None, Transform::from_translation(Vec3::X * x));
    let scene = Scene::new(SceneParts {
        nodes: vec![node(0.0), node(5.0)],
        meshes: vec![Mesh { primitives: vec![point], ..Mesh::default() }],
        instances: vec![instance(0), instance(1)],
        properties: vec![AnimatedProperty {
            property: Property::Visible(JointId::new(1)),
            rest: [1.0, 0.0, 0.0, 0.0],
        }],
        clips: vec![Clip { duration: 2.0, properties: vec![track], ..Clip::default() }],
        ..SceneParts::default()
    });
    let mut actor = Actor::new(scene.expect("the parts fit"));
    actor.start(ClipId::new(0), Transition::Cut);
    assert_eq!(actor.bounds().max.x, 5.0);
    actor.seek(1.5);
    assert!(actor.hides(InstanceId::new(1)) && !actor.hides(InstanceId::new(0)));
    assert_eq!(actor.bounds().max.x, 0.0);
    actor.stop();
    assert_eq!(actor.bounds().max.x, 5.0, "at rest it is shown again");
}

#[test]
fn all_cores_give_the_vertices_that_one_gives() {
    let mut parts = sinew::demo().into_parts();
    let primitive = &mut parts.meshes[0].primitives[0];
    primitive.uvs.clear();
    primitive.colors.clear();
    let arm = primitive.clone();
    // As often as it takes to be shared.
    while primitive.positions.len() < 40_000 {
        primitive.positions.extend(&arm.positions);
        primitive.normals.extend(&arm.normals);
        primitive.tangents.extend(&arm.tangents);
        for influences in arm.influences.iter() {
            primitive.influences.push(influences.iter().copied());
        }
        for (morph, of_arm) in primitive.morphs.iter_mut().zip(&arm.morphs) {
            morph.positions.extend(&of_arm.positions);
            morph.normals.extend(&of_arm.normals);
            morph.tangents.extend(&of_arm.tangents);
        }
    }
    let large = Scene::new(parts).expect("it is as good as before");
    for scene in [large, sinew::demo()] {
        let mut actor = Actor::new(scene);
        actor.play("flex").expect("the rig has it");
        actor.advance(0.7);
        let (mut alone, mut together) = (Vertices::default(), Vertices::default());
        actor.skin(InstanceId::new(0), 0, &mut alone);
        actor.skin_on_all_cores(InstanceId::new(0), 0, &mut together);
        assert_eq!(*together.positions.last().expect("it has vertices"), fingertips(&actor));
        assert!(alone == together, "{} vertices", alone.positions.len());
    }
}
