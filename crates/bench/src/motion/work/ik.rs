//! What changes a pose: limbs that reach, chains, springs, feet, the mirror.

use std::hint::black_box;

use sinew::glam::{Affine3A, Vec3};
use sinew::ik::{Aim, Ccd, Fabrik, LookAt, LookAtState, Pole, TwoBone};
use sinew::motion::{Feet, Ground, SpringChain};
use sinew::{Mirror, Scene, Socket, Transform};

use super::{Bench, FRAME, dice, joint, place, posed, targets};

pub(crate) fn limbs(bench: &mut Bench, scene: &Scene) {
    let skeleton = scene.skeleton();
    let mut pose = posed(scene);
    let (hand, head) = (joint(scene, "hand.L"), joint(scene, "head"));
    let Ok(arm) = TwoBone::new(skeleton, hand) else { return };
    let arm = TwoBone { pole: Pole::Toward(Vec3::new(0.0, -1.0, -0.3)), ..arm };
    let mut target = targets(place(&pose, joint(scene, "forearm.L")));
    bench.whole("two_bone_ik", "call", || {
        black_box(arm.solve(&pose, skeleton, black_box(target())));
    });
    let aim = Aim::new(head, Vec3::Z);
    let mut ahead = targets(place(&pose, head) + Vec3::Z);
    bench.whole("aim_ik", "call", || {
        black_box(aim.solve(&pose, skeleton, black_box(ahead())));
    });
    // With all that hangs below brought up to date: 24 joints of an arm, 2 of a head.
    bench.whole("two_bone_ik_applied", "call", || {
        black_box(arm.apply(&mut pose, skeleton, target()));
    });
    bench.whole("aim_ik_applied", "call", || {
        black_box(aim.apply(&mut pose, skeleton, ahead()));
    });
    let joints = ["spine4", "neck", "head"].map(|name| joint(scene, name));
    let Ok(look) = LookAt::new(&joints, Vec3::Z, Vec3::Y) else { return };
    let mut gaze = LookAtState::new();
    let before = posed(scene);
    bench.whole("look_at", "call", || {
        pose.locals_mut().copy_from_slice(before.locals());
        pose.to_model_from(skeleton, joints[0]);
        black_box(look.apply(&mut pose, skeleton, Some(ahead()), &mut gaze, FRAME));
    });
}

pub(super) fn chains(bench: &mut Bench, scene: &Scene) {
    let skeleton = scene.skeleton();
    let mut pose = posed(scene);
    let (first, end) = (joint(scene, "spine1"), joint(scene, "head"));
    let mut target = targets(place(&pose, end) - 0.1 * Vec3::Y);
    if let Ok(mut fabrik) = Fabrik::new(skeleton, first, end) {
        bench.whole("fabrik", "call", || {
            black_box(fabrik.apply(&mut pose, skeleton, target()));
        });
    }
    if let Ok(ccd) = Ccd::new(skeleton, first, end) {
        bench.whole("ccd", "call", || {
            black_box(ccd.apply(&mut pose, skeleton, target()));
        });
    }
    let (first, last) = (joint(scene, "finger00.R"), joint(scene, "finger03.R"));
    if let Ok(mut spring) = SpringChain::new(skeleton, first, last) {
        let before = posed(scene);
        let (mut pose, mut time) = (before.clone(), 0.0_f32);
        let springs = spring.joints().len() as f64;
        bench.part("spring", "joint", springs, || {
            time += FRAME;
            pose.locals_mut().copy_from_slice(before.locals());
            pose.to_model_from(skeleton, first);
            let world = Affine3A::from_translation(Vec3::X * 0.3 * (time % 1.0));
            spring.apply(&mut pose, skeleton, &world, &[], FRAME);
        });
    }
}

pub(super) fn bodies(bench: &mut Bench, scene: &Scene) {
    let skeleton = scene.skeleton();
    let before = posed(scene);
    let mut pose = before.clone();
    let ankles = ["foot.L", "foot.R"].map(|name| joint(scene, name));
    if let Ok(mut feet) = Feet::new(skeleton, joint(scene, "hips"), &ankles) {
        let mut roll = dice();
        bench.part("foot", "foot", 2.0, || {
            pose.locals_mut().copy_from_slice(before.locals());
            pose.to_model(skeleton);
            let slope = roll() - 0.5;
            feet.apply(&mut pose, skeleton, FRAME, |at| {
                Some(Ground { height: slope * at.x, normal: Vec3::new(-slope, 1.0, 0.0) })
            });
        });
    }
    let mirror = Mirror::new(skeleton);
    bench.per_joint("mirror", || mirror.apply_locals(black_box(&mut pose).locals_mut()));
    let socket = Socket::new(joint(scene, "hand.R"), Transform::from_translation(Vec3::Y));
    bench.whole("socket", "call", || {
        black_box(socket.model_from_socket(black_box(&pose)));
    });
}
