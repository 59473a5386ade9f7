//! Clips to poses, and poses to one.

use std::hint::black_box;

use sinew::Scene;
use sinew::motion::{
    Cursor, Ease, Inertialization, Layer, Mask, MaskPart, Pose, add, blend, sample,
};

use super::{Bench, FRAME, dice, posed};

pub(super) fn sampling(bench: &mut Bench, scene: &Scene) {
    let (walk, long) = (&scene.clips[0], &scene.clips[1]);
    let (mut pose, mut cursor, mut time) = (Pose::new(scene), Cursor::new(), 0.0);
    bench.per_joint("sample", || {
        time = (time + FRAME) % walk.duration;
        sample(walk, black_box(time), &mut cursor, &mut pose);
    });
    let mut roll = dice();
    bench.per_joint("seek", || {
        sample(walk, black_box(roll() * walk.duration), &mut cursor, &mut pose);
    });
    let mut roll = dice();
    bench.per_joint("seek_15_s", || {
        sample(long, black_box(roll() * long.duration), &mut cursor, &mut pose);
    });
    bench.per_joint("to_model", || black_box(&mut pose).to_model(scene.skeleton()));
}

pub(super) fn blending(bench: &mut Bench, scene: &Scene) {
    let (walk, skeleton) = (&scene.clips[0], scene.skeleton());
    let (one, mut other, mut out) = (posed(scene), Pose::new(scene), Pose::new(scene));
    sample(walk, 1.0, &mut Cursor::new(), &mut other);
    bench.per_joint("blend", || {
        blend([Layer::new(&one, 0.3), Layer::new(&other, black_box(0.7))], &mut out);
    });
    let Ok(mask) = Mask::new(scene, &[MaskPart::new("spine2")]) else { return };
    bench.per_joint("blend_masked", || {
        let above = Layer { mask: Some(&mask), ..Layer::new(&other, black_box(0.7)) };
        blend([Layer::new(&one, 0.3), above], &mut out);
    });
    let reference = Pose::new(scene);
    bench.per_joint("add", || {
        out.locals_mut().copy_from_slice(one.locals());
        add(&mut out, &other, &reference, black_box(0.5), None);
    });
    let (mut first, mut second, mut time) = (Cursor::new(), Cursor::new(), 0.0);
    let mut one = one;
    // Two clips that play, mixed, and where every joint stands then.
    bench.whole("character", "character", || {
        time = (time + FRAME) % walk.duration;
        sample(walk, black_box(time), &mut first, &mut one);
        sample(walk, black_box(walk.duration - time), &mut second, &mut other);
        blend([Layer::new(&one, 0.3), Layer::new(&other, 0.7)], &mut out);
        out.to_model(skeleton);
    });
    // A change that never ends, so that every frame has its share of the old motion.
    let mut inertialization = Inertialization::new(scene);
    for pose in [&one, &other] {
        out.copy_from(pose);
        inertialization.apply(&mut out, FRAME);
    }
    inertialization.start(f32::MAX, Ease::Smooth);
    bench.per_joint("inertialization", || {
        out.locals_mut().copy_from_slice(one.locals());
        inertialization.apply(&mut out, black_box(FRAME));
    });
}
