//! Clips: exact keys, mended where they must be.

use glam::{Quat, Vec3};
use serde_json::json;
use sinew_scene::{InstanceId, Interpolation, JointId};

use crate::ErrorKind;
use crate::gltf::testing::{Builder, rigged};

/// One node and a clip of one channel.
fn clip(path: &str, kind: &str, times: &[f32], values: &[f32], how: &str) -> Builder {
    let mut b = Builder::new();
    b.push("nodes", json!({}));
    b.push("scenes", json!({"nodes": [0]}));
    let (input, output) = (b.floats("SCALAR", times), b.floats(kind, values));
    b.animation(json!({"node": 0, "path": path}), input, output, how);
    b
}

#[test]
fn a_clip_may_begin_after_zero_and_ends_with_its_last_key() {
    let b = clip("translation", "VEC3", &[1.5, 4.0], &[1.0; 6], "LINEAR");
    let scene = b.read().scene;
    assert_eq!((scene.clips[0].start, scene.clips[0].duration), (0.0, 4.0));
    assert_eq!(scene.clips[0].translations[0].curve.times()[..], [1.5, 4.0]);
}

#[test]
fn rotation_keys_are_made_units_and_their_tangents_stay() {
    let keys = [[0.1, 0.2, 0.3, 0.4], [0.0, 0.0, 3.0, 4.0], [0.5, 0.6, 0.7, 0.8]].concat();
    let b = clip("rotation", "VEC4", &[0.0], &keys, "CUBICSPLINE");
    let imported = b.read();
    let values = imported.scene.clips[0].rotations[0].curve.values().to_vec();
    assert_eq!(values[0], Quat::from_xyzw(0.1, 0.2, 0.3, 0.4));
    assert!(values[1].abs_diff_eq(Quat::from_xyzw(0.0, 0.0, 0.6, 0.8), 1e-6));
    assert_eq!(values[2], Quat::from_xyzw(0.5, 0.6, 0.7, 0.8));
    assert!(imported.notes[0].text.contains("not of unit length"));
}

#[test]
fn rotations_in_normalised_bytes_and_shorts_are_units() {
    let cases: [(u32, &[u8]); 2] =
        [(5120, &[0, 0, 90, 90]), (5122, &[0, 0, 0, 0, 0x82, 0x5a, 0x82, 0x5a])];
    for (code, bytes) in cases {
        let mut b = clip("rotation", "VEC4", &[0.0], &[0.0, 0.0, 0.0, 1.0], "LINEAR");
        let output = b.accessor(bytes, code, "VEC4", 1);
        b.json["accessors"][output]["normalized"] = json!(true);
        b.json["animations"][0]["samplers"][0]["output"] = json!(output);
        let imported = b.read();
        assert!(imported.notes.is_empty(), "{:?}", imported.notes);
        let found = imported.scene.clips[0].rotations[0].curve.values()[0];
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert!(found.abs_diff_eq(Quat::from_xyzw(0.0, 0.0, half, half), 1e-6), "{found}");
    }
}

#[test]
fn a_rotation_key_without_length_is_left_out() {
    let keys = [[0.0, 0.0, 0.0, 1.0], [0.0; 4]].concat();
    let b = clip("rotation", "VEC4", &[0.0, 1.0], &keys, "LINEAR");
    let scene = b.read().scene;
    assert_eq!(scene.clips[0].rotations[0].curve.times()[..], [0.0]);
    assert_eq!(b.notes().len(), 1);
}

#[test]
fn weights_have_a_value_for_each_target_at_each_key() {
    let mut b = rigged();
    let target = b.json["meshes"][0]["primitives"][0]["targets"][0].clone();
    b.json["meshes"][0]["primitives"][0]["targets"] = json!([target, target]);
    let input = b.floats("SCALAR", &[0.0, 1.0]);
    let output = b.floats("SCALAR", &[0.1, 0.2, 0.3, 0.4]);
    b.json["animations"] = json!([]);
    b.animation(json!({"node": 0, "path": "weights"}), input, output, "STEP");
    let scene = b.read().scene;
    let track = &scene.clips[0].weights[0];
    assert_eq!((track.instance, track.rows.row(1)), (InstanceId::new(0), &[0.3, 0.4][..]));
    assert_eq!(track.rows.interpolation(), Interpolation::Step);
}

#[test]
fn rows_of_another_length_than_the_mesh_has_targets_are_fitted_and_told() {
    let mut b = rigged();
    let input = b.floats("SCALAR", &[0.0, 1.0]);
    let output = b.floats("SCALAR", &[0.1, 0.2, 0.3, 0.4]);
    b.json["animations"] = json!([]);
    b.animation(json!({"node": 0, "path": "weights"}), input, output, "LINEAR");
    let imported = b.read();
    assert_eq!(imported.scene.clips[0].weights[0].rows.values(), [0.1, 0.3]);
    assert!(imported.notes[0].text.contains("not as many morph weights"));
}

#[test]
fn of_two_channels_that_drive_the_same_the_last_counts() {
    let mut b = clip("scale", "VEC3", &[0.0], &[1.0; 3], "LINEAR");
    let other = b.floats("VEC3", &[2.0; 3]);
    b.channel(json!({"node": 0, "path": "scale"}), 0, other);
    let imported = b.read();
    assert_eq!(imported.scene.clips[0].scales.len(), 1);
    assert_eq!(imported.scene.clips[0].scales[0].curve.values(), [Vec3::splat(2.0)]);
    assert!(imported.notes[0].text.contains("the last one counts"));
}

#[test]
fn channels_without_a_node_a_known_path_or_a_mesh_are_left_out_with_notes() {
    let mut b = clip("weights", "SCALAR", &[0.0], &[1.0], "LINEAR");
    b.json["animations"][0]["channels"] = json!([
        {"sampler": 0, "target": {"path": "translation"}},
        {"sampler": 0, "target": {"node": 0, "path": "colour"}},
        {"sampler": 0, "target": {"node": 0, "path": "weights"}},
    ]);
    assert_eq!(b.read().scene.clips[0].track_count(), 0);
    let notes = b.notes();
    assert!(notes[0].contains("names no node"), "{notes:?}");
    assert!(notes[1].contains("\"colour\""), "{notes:?}");
    assert!(notes[2].contains("draws no mesh"), "{notes:?}");
}

#[test]
fn a_node_or_sampler_that_is_not_there_is_an_error() {
    let mut b = clip("scale", "VEC3", &[0.0], &[1.0; 3], "LINEAR");
    b.json["animations"][0]["channels"][0]["sampler"] = json!(1);
    assert_eq!(b.refused().kind, ErrorKind::OutOfRange);
    let mut b = clip("scale", "VEC3", &[0.0], &[1.0; 3], "LINEAR");
    b.json["animations"][0]["channels"][0]["target"]["node"] = json!(1);
    assert_eq!(b.refused().kind, ErrorKind::OutOfRange);
}

#[test]
fn a_sparse_output_is_read_like_any_other() {
    let mut b = clip("translation", "VEC3", &[0.0, 1.0], &[0.0; 6], "LINEAR");
    let indices = b.view(&[1, 0]);
    let values = b.view(&crate::gltf::testing::bytes_of(&[1.0, 2.0, 3.0]));
    b.json["accessors"][1] = json!({"componentType": 5126, "type": "VEC3", "count": 2,
        "sparse": {"count": 1, "indices": {"bufferView": indices, "componentType": 5121},
            "values": {"bufferView": values}}});
    let scene = b.read().scene;
    let track = &scene.clips[0].translations[0];
    assert_eq!(track.joint, JointId::new(0));
    assert_eq!(track.curve.values(), [Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0)]);
}

#[test]
fn markers_of_extras_are_read_in_order_and_bad_ones_are_noted() {
    let mut b = clip("translation", "VEC3", &[0.0, 2.0], &[1.0; 6], "LINEAR");
    b.json["animations"][0]["extras"] = json!({"markers": [
        {"name": "hit", "time": 1.5},
        {"name": "step", "time": 0.5},
        {"name": "late", "time": 2.5},
        {"time": 1.0},
        "no marker",
    ]});
    let imported = b.read();
    let found: Vec<(&str, f32)> =
        imported.scene.clips[0].markers.iter().map(|m| (m.name.as_str(), m.time)).collect();
    assert_eq!(found, [("step", 0.5), ("hit", 1.5)]);
    assert_eq!(imported.notes.len(), 1, "{:?}", imported.notes);
    assert!(imported.notes[0].text.contains("no time within its clip"));
}

#[test]
fn extras_of_another_program_change_nothing() {
    let mut b = clip("translation", "VEC3", &[0.0, 2.0], &[1.0; 6], "LINEAR");
    let others = [json!("text"), json!({"markers": "none", "duration": 9, "sinew": [1]}), json!(3)];
    for extras in others {
        b.json["animations"][0]["extras"] = extras;
        let imported = b.read();
        assert!(imported.notes.is_empty(), "{:?}", imported.notes);
        let clip = &imported.scene.clips[0];
        assert_eq!((clip.duration, clip.start, clip.markers.len()), (2.0, 0.0, 0));
    }
}
