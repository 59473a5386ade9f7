//! Feet on uneven ground: worked out by hand, smooth, and sound whatever the ground.

mod rigs;

use proptest::prelude::*;
use rigs::*;
use sinew_motion::{Feet, Ground, Pose};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Node, Scene, SceneParts, Transform};

/// Hips at 0.9 m, two bent legs, ankles 0.1 m above the floor at x = ±0.1, toes to the front.
fn legs() -> (Scene, Feet) {
    let at = |x: f32, y: f32, z: f32| Transform::from_translation(Vec3::new(x, y, z));
    let mut nodes = vec![Node::new("hips", None, at(0.0, 0.9, 0.0))];
    for x in [0.1, -0.1] {
        let first = nodes.len();
        nodes.push(Node::new("thigh", Some(id(0)), at(x, 0.0, 0.0)));
        nodes.push(Node::new("shin", Some(id(first)), at(0.0, -0.4, 0.1)));
        nodes.push(Node::new("foot", Some(id(first + 1)), at(0.0, -0.4, -0.1)));
        nodes.push(Node::new("toes", Some(id(first + 2)), at(0.0, -0.08, 0.15)));
    }
    let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("legs");
    let feet = Feet::new(scene.skeleton(), id(0), &[id(3), id(7)]).expect("two legs");
    (scene, feet)
}

fn level(height: f32) -> Option<Ground> {
    Some(Ground { height, normal: Vec3::Y })
}

fn stand(ground: impl Fn(Vec3) -> Option<Ground>) -> Pose {
    let (scene, mut feet) = legs();
    let mut pose = Pose::new(&scene);
    feet.apply(&mut pose, scene.skeleton(), 0.016, ground);
    pose
}

fn near(found: Vec3, expected: [f32; 3]) {
    assert!(found.abs_diff_eq(Vec3::from(expected), 2e-3), "{found} is not {expected:?}");
}

#[test]
fn on_the_floor_nothing_changes() {
    let pose = stand(|_| level(0.0));
    near(place(&pose, 0), [0.0, 0.9, 0.0]);
    near(place(&pose, 2), [0.1, 0.5, 0.1]);
    near(place(&pose, 3), [0.1, 0.1, 0.0]);
    near(place(&pose, 8), [-0.1, 0.02, 0.15]);
}

#[test]
fn a_foot_on_a_step_is_raised_and_the_hips_stay() {
    let pose = stand(|ankle| level(if ankle.x > 0.0 { 0.2 } else { 0.0 }));
    near(place(&pose, 0), [0.0, 0.9, 0.0]);
    near(place(&pose, 3), [0.1, 0.3, 0.0]);
    near(place(&pose, 7), [-0.1, 0.1, 0.0]);
    assert!(place(&pose, 2).z > 0.15, "the knee went forward: {}", place(&pose, 2));
}

#[test]
fn a_hole_under_one_foot_lowers_the_hips() {
    let pose = stand(|ankle| level(if ankle.x > 0.0 { -0.15 } else { 0.0 }));
    near(place(&pose, 0), [0.0, 0.75, 0.0]);
    near(place(&pose, 3), [0.1, -0.05, 0.0]);
    near(place(&pose, 7), [-0.1, 0.1, 0.0]);
}

#[test]
fn higher_ground_lifts_everything() {
    let pose = stand(|_| level(0.3));
    near(place(&pose, 0), [0.0, 1.2, 0.0]);
    near(place(&pose, 3), [0.1, 0.4, 0.0]);
}

#[test]
fn feet_lie_along_the_slope() {
    // Rising to the front by 20°.
    let (sin, cos) = 20_f32.to_radians().sin_cos();
    let slope =
        |at: Vec3| Some(Ground { height: at.z * sin / cos, normal: Vec3::new(0.0, cos, -sin) });
    let pose = stand(slope);
    let turned = Quat::from_mat3a(&pose.model_from_joint()[3].matrix3);
    let expected = Quat::from_rotation_x(-20_f32.to_radians());
    assert!(turned.dot(expected).abs() > 1.0 - 1e-5, "{turned} is not {expected}");
    // The sole stays under the ankle: 0.1 m along the normal.
    near(place(&pose, 3), [0.1, 0.1 * cos, -0.1 * sin]);
}

#[test]
fn where_there_is_no_ground_a_foot_stays() {
    for ground in [None, level(f32::NAN), level(f32::INFINITY)] {
        near(place(&stand(|_| ground), 3), [0.1, 0.1, 0.0]);
    }
    let odd = |_: Vec3| Some(Ground { height: 0.0, normal: Vec3::ZERO });
    near(place(&stand(odd), 3), [0.1, 0.1, 0.0]);
}

#[test]
fn a_change_is_followed_alike_at_30_and_240_frames_a_second() {
    let after = |rate: usize| {
        let (scene, mut feet) = legs();
        feet.half_life = 0.1;
        let mut pose = Pose::new(&scene);
        let mut last = 0.9;
        for frame in 0..=rate / 10 {
            pose.to_rest();
            pose.to_model(scene.skeleton());
            let height = if frame == 0 { 0.0 } else { -0.2 };
            feet.apply(&mut pose, scene.skeleton(), 1.0 / rate as f32, |_| level(height));
            // Never more than the way there, at any moment.
            let hips = place(&pose, 0).y;
            assert!(hips <= last + 1e-5 && hips >= 0.7 - 1e-5, "{last} → {hips}");
            last = hips;
        }
        last
    };
    let (slow, fast) = (after(30), after(240));
    // The ground's change and then the hips' are each half done.
    assert!((slow - fast).abs() < 0.02, "{slow} is not {fast}");
    assert!(fast > 0.71 && fast < 0.89, "{fast}");
}

#[test]
fn however_slow_a_foot_does_not_sink_in() {
    let (scene, mut feet) = legs();
    feet.half_life = 10.0;
    let mut pose = Pose::new(&scene);
    for height in [0.0, 0.2] {
        pose.to_rest();
        pose.to_model(scene.skeleton());
        feet.apply(&mut pose, scene.skeleton(), 0.016, |ankle| {
            level(if ankle.x > 0.0 { height } else { 0.0 })
        });
    }
    near(place(&pose, 3), [0.1, 0.3, 0.0]);
}

#[test]
fn a_saved_state_goes_on_as_it_was() {
    let (scene, mut feet) = legs();
    let mut pose = Pose::new(&scene);
    let mut heights = [0.0, 0.3].into_iter();
    for height in heights.by_ref() {
        pose.to_rest();
        pose.to_model(scene.skeleton());
        feet.apply(&mut pose, scene.skeleton(), 0.016, |_| level(height));
    }
    let mut state = vec![0.0; feet.state_len()];
    feet.save(&mut state);
    let (_, mut other) = legs();
    other.load(&state);
    assert_eq!(other, feet);
    state[0] = f32::NAN;
    other.load(&state);
    let mut fresh = Pose::new(&scene);
    other.apply(&mut fresh, scene.skeleton(), 0.016, |_| level(0.3));
    near(place(&fresh, 0), [0.0, 1.2, 0.0]);
}

proptest! {
    #[test]
    fn any_ground_leaves_a_sound_pose(
        scene in any_scene(),
        heights in prop::collection::vec(any_number(), 6),
        normals in prop::collection::vec(any_place(), 6),
        numbers in prop::array::uniform6(any_number()),
    ) {
        let skeleton = scene.skeleton();
        let last = id(skeleton.len() - 1);
        let mut feet = Feet::new(skeleton, id(0), &[last]).unwrap();
        let [down, up, tilt, half_life, weight, seconds] = numbers;
        (feet.most, feet.most_tilt, feet.half_life, feet.weight) = ([down, up], tilt, half_life, weight);
        for (height, normal) in heights.into_iter().zip(normals) {
            let mut pose = Pose::new(&scene);
            feet.apply(&mut pose, skeleton, seconds, |_| Some(Ground { height, normal }));
            check_sound(&scene, &pose)?;
        }
    }
}
