//! Skins: joints in any order, any number of matrices, shared and of different lengths.

use glam::{Affine3A, Vec3};
use serde_json::json;
use sinew_scene::{Influence, JointId, MeshId};

use crate::ErrorKind;
use crate::gltf::testing::rigged;

#[test]
fn missing_inverse_bind_matrices_are_identity() {
    let mut b = rigged();
    b.json["skins"][0] = json!({"joints": [1, 2]});
    let imported = b.read();
    assert_eq!(imported.scene.skins[0].joint_from_mesh, [Affine3A::IDENTITY; 2]);
    assert!(imported.notes.is_empty());
}

#[test]
fn fewer_matrices_than_joints_are_filled_with_identity_and_reported() {
    let mut b = rigged();
    let binds = b.json["skins"][0]["inverseBindMatrices"].as_u64().expect("an index") as usize;
    b.json["accessors"][binds]["count"] = json!(1);
    let imported = b.read();
    assert_eq!(imported.scene.skins[0].joint_from_mesh[1], Affine3A::IDENTITY);
    assert!(imported.notes[0].text.contains("fewer inverse bind matrices"));
}

#[test]
fn joints_keep_the_skin_s_order_and_may_belong_to_several_skins() {
    let mut b = rigged();
    let binds = b.json["skins"][0]["inverseBindMatrices"].clone();
    b.push("skins", json!({"joints": [2, 1, 0], "inverseBindMatrices": binds}));
    // The children of a node may come before it in the file.
    b.json["nodes"] = json!([
        {"name": "body", "mesh": 0, "skin": 0},
        {"name": "upper", "translation": [0, 1, 0]},
        {"name": "lower", "children": [1]},
    ]);
    b.json["scenes"][0]["nodes"] = json!([0, 2]);
    b.json["animations"] = json!([]);
    let scene = b.read().scene;
    let name = |joint: &JointId| scene.skeleton().node(*joint).name.clone();
    let names: Vec<String> = scene.skins[1].joints.iter().map(name).collect();
    assert_eq!(names, ["lower", "upper", "body"]);
    assert_eq!(scene.skins[0].joints.len(), 2);
}

#[test]
fn influences_are_the_same_however_joints_and_weights_are_stored() {
    let mut b = rigged();
    let expected = b.read().scene.meshes[0].primitives[0].influences.clone();
    assert_eq!(expected.of(3), [0, 1].map(|joint| Influence { joint, weight: 0.5 }));
    let shorts: Vec<u8> = [0_u16, 1, 0, 0].repeat(6).iter().flat_map(|n| n.to_le_bytes()).collect();
    let words: Vec<u8> = [0_u32, 1, 0, 0].repeat(6).iter().flat_map(|n| n.to_le_bytes()).collect();
    let halves: Vec<u8> =
        (0..6_u8).flat_map(|at| [254 - 127 * (at / 2), 127 * (at / 2), 0, 0]).collect();
    for (name, bytes, code) in
        [("JOINTS_0", shorts, 5123), ("JOINTS_0", words, 5125), ("WEIGHTS_0", halves, 5121)]
    {
        let accessor = b.accessor(&bytes, code, "VEC4", 6);
        b.json["meshes"][0]["primitives"][0]["attributes"][name] = json!(accessor);
        assert_eq!(b.read().scene.meshes[0].primitives[0].influences, expected, "{name} {code}");
    }
}

#[test]
fn the_skeleton_property_changes_nothing() {
    let mut b = rigged();
    let plain = b.read().scene;
    b.json["skins"][0]["skeleton"] = json!(2);
    assert_eq!(b.read().scene, plain);
}

#[test]
fn a_mesh_under_skins_of_different_lengths_is_right_for_each() {
    let mut b = rigged();
    b.push("skins", json!({"joints": [1]}));
    let short = b.push("nodes", json!({"mesh": 0, "skin": 1}));
    let rigid = b.push("nodes", json!({"mesh": 0}));
    b.json["scenes"][0]["nodes"] = json!([0, 1, short, rigid]);
    let imported = b.read();
    let scene = &imported.scene;
    let influences = |instance: usize, vertex: usize| {
        let mesh = scene.instances[instance].mesh.index();
        scene.meshes[mesh].primitives[0].influences.of(vertex).to_vec()
    };
    let half = |joint| Influence { joint, weight: 0.5 };
    assert_eq!(influences(0, 2), [half(0), half(1)]);
    assert_eq!(influences(1, 2), [Influence { joint: 0, weight: 1.0 }]);
    assert_eq!(scene.instances[2].mesh, MeshId::new(0));
    assert!(imported.notes.iter().any(|note| note.text.contains("past the end of their skin")));
}

#[test]
fn a_joint_past_the_skin_s_list_with_zero_weight_is_nobody_s_trouble() {
    let mut b = rigged();
    let joints = b.accessor(&[0, 1, 200, 0].repeat(6), crate::gltf::testing::U8, "VEC4", 6);
    b.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    let imported = b.read();
    assert!(imported.notes.is_empty());
    assert_eq!(imported.scene.meshes.len(), 1);
}

#[test]
fn a_joint_or_skin_that_is_not_there_is_an_error() {
    let mut b = rigged();
    b.json["skins"][0]["joints"] = json!([1, 99]);
    assert_eq!(b.refused().kind, ErrorKind::OutOfRange);
    let mut b = rigged();
    b.json["nodes"][0]["skin"] = json!(4);
    assert!(b.refused().message.contains("below 1, found skin 4"));
}

#[test]
fn a_sheared_node_matrix_is_kept_exactly() {
    let mut b = rigged();
    let matrix = [1.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 4.0, 5.0, 6.0, 1.0];
    b.json["nodes"][2] = json!({"name": "upper", "matrix": matrix});
    b.json["animations"] = json!([]);
    let scene = b.read().scene;
    let node = scene.skeleton().node(JointId::new(2)).parent_from_node();
    assert_eq!(node.transform_point3(Vec3::Y), Vec3::new(4.5, 6.0, 6.0));
}
