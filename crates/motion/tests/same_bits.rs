//! The deterministic path has the same bits on every machine: one set of constants holds on all of them.
//!
//! Run on x86-64, 64-bit ARM and WebAssembly with and without vector instructions (`tools/paths_test`).

#[path = "../../../tests/bits/mod.rs"]
mod bits;

use std::sync::Arc;

use bits::{Made, Sum};
use sinew_motion::{
    Cursor, Lanes, Layer, Mask, Pose, SampledClip, SimdLevel, add, blend, sample,
    set_deterministic, to_model_on,
};
use sinew_scene::glam::{Affine3A, Mat3A, Quat, Vec3};
use sinew_scene::{
    Clip, Curve, Geometry, Instance, InstanceId, Interpolation, JointId, Mesh, MeshId, MorphTarget,
    Node, Primitive, Rows, Scene, SceneParts, Track, Transform, WeightTrack,
};

const JOINTS: usize = 67;
const KEYS: usize = 12;

/// A tree that forks, scaled here and there, one node sheared; two clips, and a face with two morph targets.
fn scene() -> Scene {
    set_deterministic(true);
    let mut made = Made::new(7);
    let nodes = (0..JOINTS).map(|at| node(&mut made, at)).collect();
    let mesh = Mesh {
        primitives: vec![Primitive::from(Geometry {
            morphs: vec![MorphTarget::default(), MorphTarget::default()],
            ..Geometry::default()
        })],
        morph_names: vec!["a".into(), "b".into()],
        ..Mesh::default()
    };
    let instance = Instance {
        joint: JointId::new(0),
        mesh: MeshId::new(0),
        skin: None,
        weights: vec![0.25, 0.5],
    };
    Scene::new(SceneParts {
        nodes,
        meshes: vec![mesh],
        instances: vec![instance],
        clips: vec![clip(&mut made, 0.05), clip(&mut made, 0.6)],
        ..SceneParts::default()
    })
    .expect("the parts fit")
}

fn node(made: &mut Made, at: usize) -> Node {
    let parent = at.checked_sub(1).map(|last| JointId::new(last - last % 3));
    let scale = if at % 9 == 4 { Vec3::ONE + made.vector(0.2) } else { Vec3::ONE };
    let rest = Transform { translation: made.vector(0.3), rotation: made.rotation(), scale };
    let shear = (at == 5).then(|| Mat3A::from_cols_array(&[1., 0., 0., 0.5, 1., 0., 0., 0., 1.]));
    Node { shear, ..Node::new("", parent, rest) }
}

/// Turns of all joints but a few, by keys that are `size` apart; half of them share their times. All kinds of keys.
fn clip(made: &mut Made, size: f32) -> Clip {
    let even: Arc<[f32]> = (0..KEYS).map(|key| key as f32 * 0.125).collect();
    let kind = |at: usize| match at % 11 {
        9 => Interpolation::Cubic,
        10 => Interpolation::Step,
        _ => Interpolation::Linear,
    };
    let mut clip = Clip { duration: 1.375, ..Clip::default() };
    for at in (0..JOINTS).filter(|at| at % 8 != 7) {
        let own: Arc<[f32]> = (0..KEYS).map(|key| key as f32 * (0.1 + 0.001 * at as f32)).collect();
        let times = if at < JOINTS / 2 { even.clone() } else { own };
        let mut rotation = made.rotation();
        let mut rotations = |made: &mut Made| {
            rotation = made.rotation_near(rotation, size);
            if made.whole(4) == 0 { -rotation } else { rotation }
        };
        let values = match kind(at) {
            // Tangents, which are of no length, around each key.
            Interpolation::Cubic => (0..3 * KEYS)
                .map(|at| if at % 3 == 1 { rotations(made) } else { rotations(made) * 0.5 })
                .collect(),
            _ => (0..KEYS).map(|_| rotations(made)).collect::<Vec<Quat>>(),
        };
        let curve = Curve::new(times, values, kind(at)).expect("keys");
        clip.rotations.push(Track { joint: JointId::new(at), curve });
    }
    for at in [0, 3, 9, 21, 32, 66] {
        let count = if kind(at) == Interpolation::Cubic { 3 * KEYS } else { KEYS };
        let mut vectors = |size: f32, middle: Vec3| -> Vec<Vec3> {
            (0..count).map(|_| middle + made.vector(size)).collect()
        };
        let (places, sizes) = (vectors(0.4, Vec3::ZERO), vectors(0.1, Vec3::ONE));
        let curve = |values| Curve::new(even.clone(), values, kind(at)).expect("keys");
        clip.translations.push(Track { joint: JointId::new(at), curve: curve(places) });
        clip.scales.push(Track { joint: JointId::new(at), curve: curve(sizes) });
    }
    let weights = (0..2 * KEYS).map(|_| made.number()).collect();
    let rows = Rows::new(even, weights, 2, Interpolation::Linear).expect("rows");
    clip.weights.push(WeightTrack { instance: InstanceId::new(0), rows });
    clip
}

/// Before the clip, in it, at keys, at its end and after.
fn times() -> impl Iterator<Item = f32> {
    (-2..50).map(|step| step as f32 / 32.0)
}

fn add_locals(sum: &mut Sum, locals: &[Lanes]) {
    for lanes in locals {
        sum.add(lanes.translation.as_flattened());
        sum.add(lanes.rotation.as_flattened());
        sum.add(lanes.scale.as_flattened());
    }
}

fn add_pose(sum: &mut Sum, pose: &Pose) {
    add_locals(sum, pose.locals());
    sum.add(pose.all_weights());
}

fn add_models(sum: &mut Sum, models: &[Affine3A]) {
    for model in models {
        sum.add(&model.to_cols_array());
    }
}

/// Poses of both clips, one with small turns and one with large.
fn poses(scene: &Scene) -> Vec<Pose> {
    let mut cursors = [Cursor::new(), Cursor::new()];
    let mut poses = Vec::new();
    for time in times() {
        for (clip, cursor) in scene.clips.iter().zip(&mut cursors) {
            let mut pose = Pose::new(scene);
            sample(clip, time, cursor, &mut pose);
            poses.push(pose);
        }
    }
    poses
}

#[test]
fn keys_are_sampled_with_the_same_bits() {
    let mut sum = Sum::new();
    for pose in poses(&scene()) {
        add_pose(&mut sum, &pose);
    }
    sum.check("exact", 0xca93_cd2d_d4c5_748b);
}

#[test]
fn sampled_clips_are_made_and_played_with_the_same_bits() {
    let scene = scene();
    let sampled_clips = [
        SampledClip::new(&scene, &scene.clips[0], 0.02),
        SampledClip::at_rate(&scene, &scene.clips[0], 24.0),
        SampledClip::at_rate(&scene, &scene.clips[1], 24.0),
    ];
    for path in [SimdLevel::Scalar, SimdLevel::Deterministic] {
        let mut sum = Sum::new();
        let mut pose = Pose::new(&scene);
        for (sampled, time) in
            sampled_clips.iter().flat_map(|sampled| times().map(move |time| (sampled, time)))
        {
            sampled.sample_on(path, time, &mut pose);
            add_pose(&mut sum, &pose);
        }
        sum.check("sampled", 0xf316_b4a9_3fa9_3397);
    }
}

#[test]
fn poses_are_blended_and_added_with_the_same_bits() {
    let scene = scene();
    let (poses, mut made) = (poses(&scene), Made::new(3));
    let (rest, mut out) = (Pose::new(&scene), Pose::new(&scene));
    let parts: Vec<f32> = (0..JOINTS).map(|joint| (joint % 7) as f32 / 6.0).collect();
    let mask = Mask::from_weights(&scene, &parts, 0.5);
    let [mut two, mut many, mut masked, mut added] = [0; 4].map(|_| Sum::new());
    for four in poses.chunks_exact(4) {
        let weights: [f32; 4] = std::array::from_fn(|_| made.number().abs());
        let layer = |at: usize| Layer::new(&four[at], weights[at]);
        blend([layer(0), layer(1)], &mut out);
        add_pose(&mut two, &out);
        blend([layer(0), layer(1), layer(2), layer(3)], &mut out);
        add_pose(&mut many, &out);
        blend([layer(0), layer(1).masked(&mask), layer(2)], &mut out);
        add_pose(&mut masked, &out);
        add(&mut out, &four[3], &rest, weights[0], Some(&mask));
        add_pose(&mut added, &out);
    }
    two.check("two", 0xbbc7_d0ea_3d67_a215);
    many.check("many", 0xcf7f_acc4_95df_168d);
    masked.check("masked", 0x2cd0_04fc_4fcc_485f);
    added.check("added", 0xc8df_3b45_4315_eb1c);
}

#[test]
fn joints_stand_in_the_model_with_the_same_bits() {
    let scene = scene();
    let (skeleton, poses) = (scene.skeleton(), poses(&scene));
    let mut models = vec![Affine3A::IDENTITY; JOINTS];
    for path in [SimdLevel::Scalar, SimdLevel::Deterministic] {
        let mut sum = Sum::new();
        for pose in &poses {
            to_model_on(path, skeleton, pose.locals(), &mut models);
            add_models(&mut sum, &models);
        }
        sum.check("to_model", 0x3bb1_2943_cc62_579c);
    }
    let mut sum = Sum::new();
    for mut pose in poses {
        pose.to_model(skeleton);
        pose.set_local(JointId::new(4), Transform::from_translation(Vec3::X));
        pose.to_model_from(skeleton, JointId::new(4));
        add_models(&mut sum, pose.model_from_joint());
    }
    sum.check("to_model_from", 0x39a1_bf8d_55eb_76b1);
}
