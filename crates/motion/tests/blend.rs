//! Blending, masks and additive layers, in numbers worked out by hand and for any weights.

mod common;

use common::*;
use proptest::prelude::*;
use sinew_motion::{Layer, Mask, MaskPart, Pose, add, blend};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Scene, Transform};

/// A pose that differs from rest in everything.
fn bent(scene: &Scene, x: f32, degrees: f32) -> Pose {
    let mut pose = Pose::new(scene);
    for index in 0..pose.len() {
        let local = Transform {
            translation: Vec3::X * x,
            rotation: pitch(degrees),
            scale: Vec3::splat(1.0 + x),
        };
        pose.set_local(joint(index), local);
    }
    pose.weights_mut(FACE).copy_from_slice(&[x, 2.0 * x]);
    pose.property_mut(SHINE)[0] = x;
    pose
}

#[test]
fn a_mean_is_worked_out_joint_by_joint() {
    let scene = scene();
    let (a, b, mut out) = (bent(&scene, 1.0, 20.0), bent(&scene, 5.0, 60.0), Pose::new(&scene));
    blend([Layer::new(&a, 1.0), Layer::new(&b, 3.0)], &mut out);
    let local = out.local(SPINE);
    // (1 + 3·5) / 4, and half-angles 10° and 30°: tan = (sin 10 + 3 sin 30) / (cos 10 + 3 cos 30).
    assert!(close(local.translation.x, 4.0, 1e-6), "{local:?}");
    assert!(close(local.scale.y, 5.0, 1e-6), "{local:?}");
    let (sum_sin, sum_cos) = (0.173_648_18 + 1.5, 0.984_807_8 + 2.598_076_3);
    let expected = Quat::from_rotation_x(2.0 * f32::atan2(sum_sin, sum_cos));
    assert!(local.rotation.abs_diff_eq(expected, 1e-6), "{local:?}");
    assert_eq!(out.weights(FACE), [4.0, 8.0]);
    assert_eq!(out.property(SHINE)[0], 4.0);
    blend([Layer::new(&a, 0.5), Layer::new(&b, 0.5)], &mut out);
    assert!(same_rotation(out.local(HEAD).rotation, pitch(40.0), 1e-3));
}

#[test]
fn the_sign_of_a_quaternion_does_not_matter() {
    let scene = scene();
    let (a, mut b, mut out) = (bent(&scene, 1.0, 20.0), bent(&scene, 1.0, 60.0), Pose::new(&scene));
    for index in 0..b.len() {
        let local = b.local(joint(index));
        b.set_local(joint(index), Transform { rotation: -local.rotation, ..local });
    }
    blend([Layer::new(&a, 1.0), Layer::new(&b, 1.0)], &mut out);
    assert!(same_rotation(out.local(LEG).rotation, pitch(40.0), 1e-3), "{:?}", out.local(LEG));
    // Three layers, and a mask that weighs the same everywhere, go other ways to the same.
    blend([Layer::new(&a, 1.0), Layer::new(&b, 1.0), Layer::new(&b, 2.0)], &mut out);
    assert!(same_rotation(out.local(LEG).rotation, pitch(50.0), 0.2), "{:?}", out.local(LEG));
    let everywhere = Mask::even(&scene, 1.0);
    blend([Layer::new(&a, 1.0), Layer::new(&b, 1.0).masked(&everywhere)], &mut out);
    assert!(same_rotation(out.local(LEG).rotation, pitch(40.0), 1e-3), "{:?}", out.local(LEG));
}

#[test]
fn weights_that_sum_to_nothing_give_the_rest_pose() {
    let scene = scene();
    let (a, rest) = (bent(&scene, 1.0, 20.0), Pose::new(&scene));
    for weight in [0.0, -1.0, f32::NAN, f32::NEG_INFINITY, f32::INFINITY] {
        let mut out = bent(&scene, 9.0, 9.0);
        blend([Layer::new(&a, weight), Layer::new(&a, 0.0)], &mut out);
        assert_eq!(out.locals(), rest.locals(), "{weight}");
        assert_eq!(out.all_weights(), rest.all_weights(), "{weight}");
        assert_eq!(out.property(SHINE), rest.property(SHINE), "{weight}");
    }
    let mut out = bent(&scene, 9.0, 9.0);
    blend([], &mut out);
    assert_eq!(out.locals(), rest.locals());
}

#[test]
fn one_layer_is_itself_to_the_last_bit() {
    let scene = scene();
    // A length that single precision can only round to just below or just above one.
    let key = Quat::from_xyzw(0.544_642_03, -0.516_683_8, -0.419_422_98, 0.510_379_5);
    let (mut a, mut out) = (bent(&scene, 0.1, 77.7), Pose::new(&scene));
    a.set_local(LEG, Transform::from_rotation(key));
    blend([Layer::new(&a, 0.3), Layer::new(&out.clone(), 0.0)], &mut out);
    assert_eq!(out.locals(), a.locals());
}

#[test]
fn a_mask_is_painted_by_name_with_all_below_and_grows_over_generations() {
    let scene = scene();
    let weights = |parts: &[MaskPart]| {
        let mask = Mask::new(&scene, parts).expect("known joints");
        [ROOT, HIPS, SPINE, HEAD, LEG].map(|joint| mask.joint(joint))
    };
    assert_eq!(weights(&[MaskPart::new("spine")]), [0.0, 0.0, 1.0, 1.0, 0.0]);
    let alone = MaskPart { descendants: false, ..MaskPart::new("hips") };
    assert_eq!(weights(&[alone]), [0.0, 1.0, 0.0, 0.0, 0.0]);
    let soft = MaskPart { feather: 2, weight: 0.75, ..MaskPart::new("hips") };
    assert_eq!(weights(&[soft]), [0.0, 0.25, 0.5, 0.75, 0.5]);
    let without = MaskPart { weight: 0.0, ..MaskPart::new("leg") };
    assert_eq!(weights(&[MaskPart::new("root"), without]), [1.0, 1.0, 1.0, 1.0, 0.0]);
    let error = Mask::new(&scene, &[MaskPart::new("tail")]).expect_err("nobody has a tail");
    assert_eq!(error.to_string(), "there is no joint \"tail\" among the 5");
}

#[test]
fn outside_its_mask_a_layer_leaves_nothing_and_morphs_follow_their_node() {
    let scene = scene();
    let (a, b, mut out) = (bent(&scene, 1.0, 20.0), bent(&scene, 5.0, 60.0), Pose::new(&scene));
    let upper = Mask::new(&scene, &[MaskPart::new("spine")]).expect("a spine");
    let lower = upper.clone().inverted();
    blend([Layer::new(&a, 1.0).masked(&lower), Layer::new(&b, 1.0).masked(&upper)], &mut out);
    assert_eq!(out.local(LEG).translation.x, 1.0);
    assert_eq!(out.local(HEAD).translation.x, 5.0);
    assert_eq!(out.weights(FACE), [5.0, 10.0]);
    assert_eq!(out.property(SHINE)[0], 1.0);
    // Alone, a masked layer leaves the rest pose around it.
    blend([Layer::new(&b, 1.0).masked(&upper)], &mut out);
    assert_eq!(out.local(LEG), nodes()[4].rest);
    assert_eq!(out.local(HEAD).translation.x, 5.0);
}

#[test]
fn on_top_of_its_own_reference_an_addition_is_the_pose() {
    let scene = scene();
    let (mut reference, pose) = (bent(&scene, 1.0, 20.0), bent(&scene, 5.0, 60.0));
    // About another axis than the pose, so that the order of the product shows.
    let local = reference.local(HEAD);
    reference.set_local(HEAD, Transform { rotation: yaw(70.0), ..local });
    let mut base = reference.clone();
    add(&mut base, &pose, &reference, 1.0, None);
    let (found, expected) = (base.local(HEAD), pose.local(HEAD));
    assert!(found.rotation.abs_diff_eq(expected.rotation, 1e-6), "{found:?}");
    assert!(found.translation.abs_diff_eq(expected.translation, 1e-6), "{found:?}");
    assert!(found.scale.abs_diff_eq(expected.scale, 1e-5), "{found:?}");
    assert_eq!(base.weights(FACE), [5.0, 10.0]);
    assert_eq!(base.property(SHINE)[0], 5.0);
}

#[test]
fn an_added_turn_is_about_the_joints_own_axis() {
    // The base turns the head by 90° about Y; a nod of 30° about X is added on top. Own axes: first
    // the nod, then the base, so a point ahead of the face (Z) goes to Y by the nod, to X by the base.
    let scene = scene();
    let (reference, mut pose, mut base) = (Pose::new(&scene), Pose::new(&scene), Pose::new(&scene));
    pose.set_local(HEAD, Transform::from_rotation(pitch(-30.0)));
    base.set_local(HEAD, Transform::from_rotation(yaw(90.0)));
    add(&mut base, &pose, &reference, 1.0, None);
    let ahead = base.local(HEAD).rotation * Vec3::Z;
    let expected = Vec3::new(30_f32.to_radians().cos(), 0.5, 0.0);
    assert!(ahead.abs_diff_eq(expected, 1e-6), "{ahead}");
}

#[test]
fn half_an_addition_is_half_the_turn_and_nothing_outside_its_mask() {
    let scene = scene();
    let (reference, mut pose) = (Pose::new(&scene), Pose::new(&scene));
    pose.set_local(
        HEAD,
        Transform { scale: Vec3::splat(3.0), ..Transform::from_rotation(yaw(80.0)) },
    );
    pose.set_local(LEG, Transform::from_rotation(yaw(80.0)));
    let mask = Mask::new(&scene, &[MaskPart::new("spine")]).expect("a spine");
    let mut base = Pose::new(&scene);
    add(&mut base, &pose, &reference, 0.5, Some(&mask));
    assert!(same_rotation(base.local(HEAD).rotation, yaw(40.0), 1e-3), "{:?}", base.local(HEAD));
    assert_eq!(base.local(HEAD).scale, Vec3::splat(2.0));
    assert_eq!(base.local(HEAD).translation, Vec3::Y * 0.25);
    assert_eq!(base.local(LEG), nodes()[4].rest);
}

fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -10.0_f32..10.0,
        1 => prop::num::f32::ANY,
        1 => Just(0.0),
    ]
}

fn any_pose() -> impl Strategy<Value = Vec<(Vec3, Quat, Vec3)>> {
    let finite = || prop_oneof![6 => -10.0_f32..10.0, 1 => prop::num::f32::NORMAL];
    let vector = move || (finite(), finite(), finite()).prop_map(|(x, y, z)| Vec3::new(x, y, z));
    let rotation =
        (-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0).prop_map(|(x, y, z, w)| {
            let q = Quat::from_xyzw(x, y, z, w);
            if q.length() > 1e-3 { q.normalize() } else { Quat::IDENTITY }
        });
    prop::collection::vec((vector(), rotation, vector()), 5)
}

fn pose_of(scene: &Scene, locals: &[(Vec3, Quat, Vec3)]) -> Pose {
    let mut pose = Pose::new(scene);
    for (index, &(translation, rotation, scale)) in locals.iter().enumerate() {
        pose.set_local(joint(index), Transform { translation, rotation, scale });
    }
    pose
}

proptest! {
    #[test]
    fn any_weights_and_masks_give_a_sound_pose_within_the_range_of_the_layers(
        poses in prop::collection::vec((any_pose(), any_number(), prop::collection::vec(any_number(), 5), any::<bool>()), 0..5),
    ) {
        let scene = scene();
        let made: Vec<_> = poses.iter().map(|(locals, weight, mask, masked)| {
            (pose_of(&scene, locals), *weight, Mask::from_weights(&scene, mask, 0.5), *masked)
        }).collect();
        let layers: Vec<_> = made.iter().map(|(pose, weight, mask, masked)| {
            Layer { pose, weight: *weight, mask: masked.then_some(mask) }
        }).collect();
        let mut out = Pose::new(&scene);
        blend(layers.iter().copied(), &mut out);
        assert_sound(&out);
        for index in 0..5 {
            let own = nodes()[index].rest.translation.x;
            let all = made.iter().map(|made| made.0.local(joint(index)).translation.x);
            let (least, most) = all.fold((own, own), |(a, b), x| (a.min(x), b.max(x)));
            let found = out.local(joint(index)).translation.x;
            let slack = 1e-5 * (1.0 + least.abs().max(most.abs()));
            prop_assert!(found >= least - slack && found <= most + slack, "{found} {least} {most}");
        }
    }

    #[test]
    fn the_scale_of_all_weights_does_not_matter(
        a in any_pose(), b in any_pose(), share in 0.01_f32..0.99, scale in 0.001_f32..1000.0,
    ) {
        let scene = scene();
        let (a, b) = (pose_of(&scene, &a), pose_of(&scene, &b));
        let (mut one, mut other) = (Pose::new(&scene), Pose::new(&scene));
        blend([Layer::new(&a, share), Layer::new(&b, 1.0 - share)], &mut one);
        blend([Layer::new(&a, share * scale), Layer::new(&b, (1.0 - share) * scale)], &mut other);
        for index in 0..5 {
            let (one, other) = (one.local(joint(index)), other.local(joint(index)));
            let size = 1e-5 * (1.0 + one.translation.abs().max_element());
            prop_assert!(one.translation.abs_diff_eq(other.translation, size), "{one:?} {other:?}");
            prop_assert!(one.rotation.abs_diff_eq(other.rotation, 1e-4), "{one:?} {other:?}");
        }
    }

    #[test]
    fn any_addition_gives_a_sound_pose(
        base in any_pose(), pose in any_pose(), reference in any_pose(), weight in any_number(),
    ) {
        let scene = scene();
        let mut base = pose_of(&scene, &base);
        add(&mut base, &pose_of(&scene, &pose), &pose_of(&scene, &reference), weight, None);
        assert_sound(&base);
    }
}
