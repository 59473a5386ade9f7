//! A packed clip is read with the same bits on every machine: one set of constants holds on all of them.
//!
//! Run on x86-64, 64-bit ARM and WebAssembly with and without vector instructions (`tools/paths_test`). The files were
//! packed once, by `write_the_files`; packing itself promises an error, not bits.

#[path = "../../../tests/bits/mod.rs"]
mod bits;

use bits::{Made, Sum};
use sinew_motion::{Path, Pose};
use sinew_pack::{Options, Packed, pack};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{
    Clip, Curve, Instance, InstanceId, Interpolation, JointId, Mesh, MeshId, MorphTarget, Node,
    Primitive, Rows, Scene, SceneParts, Track, Transform, WeightTrack,
};

const JOINTS: usize = 19;
const STRAIGHT: &[u8] = include_bytes!("files/straight.packed");
const SMOOTH: &[u8] = include_bytes!("files/smooth.packed");

/// A chain, and a face with two morph targets.
fn scene() -> Scene {
    let mut made = Made::new(31);
    let node = |at: usize| {
        let parent = at.checked_sub(1).map(JointId::new);
        let rest =
            Transform { translation: made.vector(0.2), rotation: made.turn(), scale: Vec3::ONE };
        Node::new("", parent, rest)
    };
    let nodes = (0..JOINTS).map(node).collect();
    let morphs = vec![MorphTarget::default(), MorphTarget::default()];
    let primitives = vec![Primitive { morphs, ..Primitive::default() }];
    let morph_names = vec!["a".into(), "b".into()];
    let (joint, mesh) = (JointId::new(0), MeshId::new(0));
    Scene::new(SceneParts {
        nodes,
        meshes: vec![Mesh { primitives, morph_names, ..Mesh::default() }],
        instances: vec![Instance { joint, mesh, skin: None, weights: vec![0.25, 0.5] }],
        ..SceneParts::default()
    })
    .expect("the parts fit")
}

/// Turns of all sizes, held and constant ones, moves, scales, morph weights: a key for `every` so many of 32 a second.
/// Where that is few, cubics go between them, which are packed best as few frames with cubics between.
fn clip(every: usize) -> Clip {
    let mut made = Made::new(32);
    let keys = 48 / every + 1;
    let smooth = every > 1;
    let kind = if smooth { Interpolation::Cubic } else { Interpolation::Linear };
    let times: std::sync::Arc<[f32]> = (0..keys).map(|key| (key * every) as f32 / 32.0).collect();
    let mut clip = Clip { name: "made up".into(), duration: 1.5, ..Clip::default() };
    for joint in 0..JOINTS {
        let kind = if joint == 7 { Interpolation::Step } else { kind };
        let (mut turn, size) = (made.turn(), [0.1, 0.02, 0.3, 0.0, 0.05][joint % 5]);
        let mut next = |at: usize| {
            // Cubics come to rest at every key.
            if kind == Interpolation::Cubic && at % 3 != 1 {
                return Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
            }
            turn = made.turn_near(turn, size);
            turn
        };
        let count = if kind == Interpolation::Cubic { 3 * keys } else { keys };
        let values = (0..count).map(&mut next).collect();
        let curve = Curve::new(times.clone(), values, kind).expect("keys");
        clip.rotations.push(Track { joint: JointId::new(joint), curve });
    }
    for joint in [0, 6, 12] {
        let mut vectors = |size: f32, middle: Vec3| {
            let key = |at: usize| middle + made.vector(size) * (at % 4) as f32;
            let (keys, mut out) = ((0..keys).map(key), Vec::new());
            for value in keys {
                match kind {
                    Interpolation::Cubic => out.extend([Vec3::ZERO, value, Vec3::ZERO]),
                    _ => out.push(value),
                }
            }
            out
        };
        let (places, sizes) = (vectors(0.1, Vec3::ZERO), vectors(0.05, Vec3::ONE));
        let curve = |values| Curve::new(times.clone(), values, kind).expect("keys");
        clip.translations.push(Track { joint: JointId::new(joint), curve: curve(places) });
        clip.scales.push(Track { joint: JointId::new(joint), curve: curve(sizes) });
    }
    let weights = (0..2 * keys).map(|_| made.number()).collect();
    let rows = Rows::new(times, weights, 2, Interpolation::Linear).expect("rows");
    clip.weights.push(WeightTrack { instance: InstanceId::new(0), rows });
    clip
}

#[test]
fn packed_clips_are_sampled_with_the_same_bits() {
    let scene = scene();
    for (bytes, smooth, expected) in
        [(STRAIGHT, false, 0x8701_4068_9456_59e8), (SMOOTH, true, 0xe92b_0eb3_16a6_1019)]
    {
        let packed = Packed::read(bytes).expect("a packed clip");
        assert_eq!(packed.smooth(), smooth);
        for path in [Path::Scalar, Path::Deterministic] {
            let (mut sum, mut pose) = (Sum::new(), Pose::new(&scene));
            for step in -2..220 {
                packed.sample_on(path, step as f32 / 128.0, &mut pose);
                for lanes in pose.locals() {
                    sum.add(lanes.translation.as_flattened());
                    sum.add(lanes.rotation.as_flattened());
                    sum.add(lanes.scale.as_flattened());
                }
                sum.add(pose.all_weights());
            }
            sum.check(&format!("smooth {smooth}, {path:?}"), expected);
        }
    }
}

/// `cargo test -p sinew-pack --test same_bits -- --ignored`, when the form of the bytes has changed; then the constants, too.
#[test]
#[ignore = "writes the files that the other test reads"]
fn write_the_files() {
    let scene = scene();
    for (name, every, error) in [("straight", 1, 0.000_5), ("smooth", 8, 0.02)] {
        let options = Options { error, shell: Some(0.1), rate: None };
        let (packed, report) = pack(&scene, &clip(every), &options, &|_| {}).expect("it packs");
        println!("{report:?}");
        let path = format!("{}/tests/files/{name}.packed", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, packed.bytes()).expect("written");
    }
}
