//! Any bytes, read as a packed clip: refused, or sampled to finite poses with unit rotations.
//!
//! Length and checksum are mended first, or chance would never get past them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_motion::Pose;
use sinew_pack::{Packed, mend};
use sinew_scene::{Node, Scene, SceneParts, Transform};

fuzz_target!(|bytes: &[u8]| {
    let _ = Packed::read(bytes);
    let mut bytes = bytes.to_vec();
    mend(&mut bytes);
    let Ok(packed) = Packed::read(&bytes[..]) else { return };
    let (joints, weights, properties) = packed.counts();
    if joints > 4096 || weights > 0 || properties > 0 {
        return;
    }
    let node = || Node::new("", None, Transform::IDENTITY);
    let nodes = (0..joints).map(|_| node()).collect();
    let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("plain nodes");
    let mut pose = Pose::new(&scene);
    for time in [0.0, packed.duration() / 3.0, packed.duration(), f32::NAN, f32::INFINITY] {
        packed.sample(time, &mut pose);
        for joint in scene.skeleton().ids() {
            let local = pose.local(joint);
            assert!(local.translation.is_finite() && local.scale.is_finite());
            assert!((local.rotation.length() - 1.0).abs() < 1e-3);
        }
    }
});
