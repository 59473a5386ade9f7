//! Any bytes, read as a packed clip: refused, or sampled to finite poses with unit rotations.
//!
//! Length and checksum are mended first, or chance would never get past them.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use sinew::glam::Vec3;
use sinew::motion::{Pose, SimdLevel};
use sinew::pack::{Packed, mend};
use sinew::scene::{
    AnimatedProperty, Instance, JointId, Material, MaterialId, Mesh, MeshId, MorphTarget, Node,
    Geometry, Primitive, Property, Scene, SceneParts, Transform,
};
use sinew_fuzz::mutate;

/// A scene of plain nodes that a clip of these counts can be sampled into.
fn scene(joints: usize, weights: usize, properties: usize) -> Option<Scene> {
    let node = || Node::new("", None, Transform::IDENTITY);
    let primitive = Primitive::from(Geometry {
        positions: vec![Vec3::ZERO],
        morphs: vec![MorphTarget::default(); weights], ..Geometry::default() });
    let mesh = Mesh {
        primitives: vec![primitive],
        morph_names: vec![String::new(); weights],
        ..Mesh::default()
    };
    let instance = Instance {
        joint: JointId::new(0),
        mesh: MeshId::new(0),
        skin: None,
        weights: vec![0.0; weights],
    };
    let value = |at: usize| AnimatedProperty {
        property: Property::BaseColor(MaterialId::new(at)),
        rest: [1.0; 4],
    };
    let parts = SceneParts {
        nodes: (0..joints).map(|_| node()).collect(),
        meshes: vec![mesh],
        instances: if joints > 0 { vec![instance] } else { Vec::new() },
        materials: vec![Material::default(); properties],
        properties: (0..properties).map(value).collect(),
        ..SceneParts::default()
    };
    Scene::new(parts).ok()
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate(data, size, max_size, seed) });

fuzz_target!(|bytes: &[u8]| {
    let _ = Packed::read(bytes);
    let mut bytes = bytes.to_vec();
    mend(&mut bytes);
    let Ok(packed) = Packed::read(&bytes[..]) else { return };
    assert!(packed.size_beside() <= 44 * bytes.len(), "{} bytes beside", packed.size_beside());
    let (joints, weights, properties) = packed.counts();
    if joints > 4096 || weights > 256 || properties > 64 || (joints == 0 && weights > 0) {
        return;
    }
    let scene = scene(joints, weights, properties).expect("plain parts fit");
    let mut pose = Pose::new(&scene);
    for time in [0.0, packed.duration() / 3.0, packed.duration(), f32::NAN, f32::INFINITY] {
        for path in SimdLevel::ALL {
            packed.sample_on(path, time, &mut pose);
            for joint in scene.skeleton().ids() {
                let local = pose.local(joint);
                assert!(local.translation.is_finite() && local.scale.is_finite());
                assert!((local.rotation.length() - 1.0).abs() < 1e-3);
            }
            assert!(pose.all_weights().iter().all(|weight| weight.is_finite()));
            assert!(pose.properties().as_flattened().iter().all(|value| value.is_finite()));
        }
    }
});
