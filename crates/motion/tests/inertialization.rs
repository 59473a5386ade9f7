//! Dead blending: no jump at a change, the old velocity goes on, and the new motion takes over.

mod common;

use common::*;
use proptest::prelude::*;
use sinew_motion::{Ease, Inertialization, Pose};
use sinew_scene::Transform;
use sinew_scene::glam::Vec3;

fn at(x: f32, degrees: f32) -> Pose {
    let mut pose = Pose::new(&scene());
    let local = Transform { translation: Vec3::X * x, ..Transform::from_rotation(pitch(degrees)) };
    pose.set_local(HEAD, local);
    pose.weights_mut(FACE)[0] = x;
    pose
}

/// Moves at 1 m/s and 60°/s for a while, then changes to a pose that stands at 1 m.
fn changed(seconds: f32) -> Inertialization {
    let mut inertialization = Inertialization::new(&scene());
    for step in 0..10 {
        inertialization.apply(&mut at(step as f32 * 0.01, step as f32 * 0.6), 0.01);
    }
    inertialization.start(seconds, Ease::Linear);
    inertialization
}

#[test]
fn at_the_change_the_old_pose_and_its_velocity_go_on() {
    let mut inertialization = changed(1.0);
    let mut pose = at(1.0, 0.0);
    inertialization.apply(&mut pose, 0.0);
    assert!(close(pose.local(HEAD).translation.x, 0.09, 1e-6), "{:?}", pose.local(HEAD));
    let mut pose = at(1.0, 0.0);
    inertialization.apply(&mut pose, 0.01);
    // Coasting: 0.1 (1 - e^-0.1) = 9.516 mm further, of which 99 % shows, and 1 % of the new.
    let expected = 0.99 * (0.09 + 0.009_516) + 0.01 * 1.0;
    assert!(close(pose.local(HEAD).translation.x, expected, 1e-5), "{:?}", pose.local(HEAD));
    assert!(close(pose.weights(FACE)[0], expected, 1e-5));
    let turned = 0.99 * (5.4 + 0.571);
    assert!(
        same_rotation(pose.local(HEAD).rotation, pitch(turned), 0.02),
        "{:?}",
        pose.local(HEAD)
    );
}

#[test]
fn after_the_change_the_new_pose_is_all_there_is() {
    let mut inertialization = changed(0.2);
    for _ in 0..19 {
        let mut pose = at(1.0, 0.0);
        inertialization.apply(&mut pose, 0.01);
        assert!(inertialization.is_active() && pose.local(HEAD).translation.x < 1.0);
    }
    let mut pose = at(1.0, 0.0);
    inertialization.apply(&mut pose, 0.02);
    assert_eq!(pose.locals(), at(1.0, 0.0).locals());
    assert!(!inertialization.is_active());
}

#[test]
fn before_the_first_pose_there_is_nothing_to_fade_from() {
    let mut inertialization = Inertialization::new(&scene());
    inertialization.start(1.0, Ease::Smooth);
    let mut pose = at(1.0, 30.0);
    inertialization.apply(&mut pose, 0.1);
    assert_eq!(pose.locals(), at(1.0, 30.0).locals());
}

#[test]
fn a_jump_is_not_taken_for_a_motion() {
    let mut inertialization = Inertialization::new(&scene());
    inertialization.apply(&mut at(0.0, 0.0), 0.01);
    inertialization.apply(&mut at(100.0, 0.0), 0.01);
    inertialization.start(10.0, Ease::Linear);
    let mut pose = at(100.0, 0.0);
    inertialization.apply(&mut pose, 0.01);
    assert!(close(pose.local(HEAD).translation.x, 100.0, 1e-3), "{:?}", pose.local(HEAD));
}

#[test]
fn one_pose_alone_has_no_velocity() {
    let mut inertialization = Inertialization::new(&scene());
    // From the rest pose it would be a motion of 1 m/s along X.
    inertialization.apply(&mut at(0.1, 0.0), 0.1);
    inertialization.start(1.0, Ease::Linear);
    let mut pose = at(1.0, 0.0);
    inertialization.apply(&mut pose, 0.01);
    let found = pose.local(HEAD).translation.x;
    assert!(close(found, 0.99 * 0.1 + 0.01, 1e-6), "{found}");
}

#[test]
fn a_turn_coasts_about_the_parents_axis_and_a_size_at_its_own_rate() {
    let mut inertialization = Inertialization::new(&scene());
    let posed = |step: f32| {
        let mut pose = Pose::new(&scene());
        let scale = Vec3::splat(1.0 + 0.01 * step);
        let turned = Transform::from_rotation(yaw(0.6 * step) * pitch(90.0));
        pose.set_local(HEAD, Transform { scale, ..turned });
        pose
    };
    for step in 0..10 {
        inertialization.apply(&mut posed(step as f32), 0.01);
    }
    // So long that nothing of the new pose shows.
    inertialization.start(1e6, Ease::Linear);
    let mut pose = posed(0.0);
    inertialization.apply(&mut pose, 0.1);
    // 60°/s and 1/s for 0.1 (1 - 1/e) = 0.063212 s.
    let found = pose.local(HEAD);
    assert!(same_rotation(found.rotation, yaw(5.4 + 3.793) * pitch(90.0), 0.05), "{found:?}");
    assert!(close(found.scale.y, 1.09 + 0.063_212, 1e-4), "{found:?}");
}

#[test]
fn in_a_short_change_the_velocity_dies_sooner() {
    let mut inertialization = changed(0.15);
    let mut pose = at(1.0, 0.0);
    inertialization.apply(&mut pose, 0.05);
    // A third of 0.15 s: 0.05 (1 - 1/e) m further; a third of the new pose.
    let expected = (0.09 + 0.031_606) * 2.0 / 3.0 + 1.0 / 3.0;
    assert!(close(pose.local(HEAD).translation.x, expected, 1e-4), "{:?}", pose.local(HEAD));
}

#[test]
fn a_quaternion_and_its_negative_are_one_turn() {
    let negative = |mut pose: Pose| {
        let local = pose.local(HEAD);
        pose.set_local(HEAD, Transform { rotation: -local.rotation, ..local });
        pose
    };
    let mut inertialization = Inertialization::new(&scene());
    for step in 0..10 {
        let pose = at(0.0, step as f32 * 0.6);
        inertialization.apply(&mut if step % 2 == 0 { pose } else { negative(pose) }, 0.01);
    }
    inertialization.start(1.0, Ease::Linear);
    for new in [at(0.0, 0.0), negative(at(0.0, 0.0))] {
        let (mut inertialization, mut pose) = (inertialization.clone(), new);
        inertialization.apply(&mut pose, 0.01);
        let found = pose.local(HEAD).rotation;
        assert!(same_rotation(found, pitch(0.99 * (5.4 + 0.571)), 0.02), "{found}");
    }
}

#[test]
fn a_frame_of_no_length_does_not_take_the_velocity_away() {
    let mut inertialization = Inertialization::new(&scene());
    for (x, seconds) in [(0.0, 0.01), (0.01, 0.01), (0.01, 0.0)] {
        inertialization.apply(&mut at(x, 0.0), seconds);
    }
    inertialization.start(1e6, Ease::Linear);
    let mut pose = at(1.0, 0.0);
    inertialization.apply(&mut pose, 0.1);
    let found = pose.local(HEAD).translation.x;
    assert!(close(found, 0.01 + 0.063_212, 1e-4), "{found}");
}

#[test]
fn what_is_forgotten_is_not_faded_from() {
    let mut inertialization = changed(1.0);
    inertialization.forget();
    assert!(!inertialization.is_active());
    inertialization.start(1.0, Ease::Linear);
    let mut pose = at(1.0, 0.0);
    inertialization.apply(&mut pose, 0.01);
    assert_eq!(pose.locals(), at(1.0, 0.0).locals());
}

proptest! {
    #[test]
    fn whatever_the_steps_poses_are_sound_and_nothing_jumps(
        steps in prop::collection::vec(
            (prop_oneof![3 => 0.0_f32..0.1, 1 => prop::num::f32::ANY], -3.0_f32..3.0, -179.0_f32..179.0, any::<bool>()), 1..20),
    ) {
        let mut inertialization = Inertialization::new(&scene());
        let mut last: Option<Vec3> = None;
        for (seconds, x, degrees, change) in steps {
            if change {
                inertialization.start(0.5, Ease::Smooth);
                let mut pose = at(x, degrees);
                inertialization.apply(&mut pose, 0.0);
                assert_sound(&pose);
                let place = pose.local(HEAD).translation;
                if let Some(last) = last {
                    prop_assert!(place.abs_diff_eq(last, 1e-4), "{last} to {place}");
                }
            }
            let mut pose = at(x, degrees);
            inertialization.apply(&mut pose, seconds);
            assert_sound(&pose);
            last = Some(pose.local(HEAD).translation);
        }
    }
}
