//! Whole files of glTF 1.0, made by code and compared with the same in glTF 2.0.

mod look;
mod made;

use glam::{Mat4, Vec3};
use serde_json::{Value, json};

use crate::testing::survives_damage;
use crate::{ErrorKind, Format, NoFiles};
use made::{File, read, rigged, try_read};

/// Where the mesh was when it was bound: half as large and one up. Powers of two, so that every
/// product is exact.
fn bind_shape() -> Mat4 {
    Mat4::from_translation(Vec3::Y) * Mat4::from_scale(Vec3::splat(0.5))
}

fn binds() -> [Mat4; 2] {
    [Mat4::from_translation(Vec3::NEG_Y), Mat4::from_rotation_z(std::f32::consts::PI)]
}

fn columns(matrices: [Mat4; 2]) -> [[f32; 16]; 2] {
    matrices.map(|matrix| matrix.to_cols_array())
}

/// The rigged file in 1.0, with a bind shape.
fn old() -> File {
    let mut file = rigged(&columns(binds())).old();
    file.json["skins"]["skins_0"]["bindShapeMatrix"] = json!(bind_shape().to_cols_array());
    file
}

#[test]
fn a_file_of_version_1_is_the_same_scene_as_in_version_2() {
    let new = rigged(&columns(binds().map(|bind| bind * bind_shape())));
    let old_one = read(&old().text());
    assert_eq!(old_one.scene, read(&new.text()).scene);
    let text = "2 animations without names drive different nodes: they are 1 clip (animations)";
    assert_eq!(old_one.notes.iter().map(ToString::to_string).collect::<Vec<_>>(), [text]);
}

#[test]
fn the_bind_shape_is_applied_before_the_inverse_bind_matrix() {
    let scene = read(&old().text()).scene;
    // (2, 4, 0) is half as large (1, 2, 0), one up (1, 3, 0), and one down again in the first joint.
    let found = scene.skins[0].joint_from_mesh[0].transform_point3(Vec3::new(2.0, 4.0, 0.0));
    assert_eq!(found, Vec3::new(1.0, 2.0, 0.0));
}

#[test]
fn the_binary_container_of_version_1_gives_the_same_scene() {
    let file = old();
    let mut binary = file.clone();
    binary.json["extensionsUsed"] = json!(["KHR_binary_glTF"]);
    let imported = read(&binary.binary());
    assert_eq!(imported.scene, read(&file.text()).scene);
    assert_eq!(imported.extensions, ["KHR_binary_glTF"]);
}

#[test]
fn joints_filed_as_floats_are_whole_numbers() {
    let mut file = old();
    let start = file.bytes.len();
    for joint in [0.0_f32, 1.0, 0.0, 0.0].repeat(6) {
        file.bytes.extend_from_slice(&joint.to_le_bytes());
    }
    file.json["bufferViews"]["more"] =
        json!({"buffer": "buffers_0", "byteOffset": start, "byteLength": 96});
    file.json["accessors"]["more"] = json!({"bufferView": "more", "componentType": 5126,
        "count": 6, "type": "VEC4", "byteStride": 16});
    let primitive = &mut file.json["meshes"]["meshes_0"]["primitives"][0];
    primitive["attributes"]["JOINT"] = json!("more");
    assert_eq!(read(&file.text()).scene, read(&old().text()).scene);
}

#[test]
fn an_accessor_may_have_a_stride_of_its_own() {
    // Every second position of the view: the vertices on the left.
    let mut file = old();
    file.json["accessors"]["left"] = json!({"bufferView": "bufferViews_0", "componentType": 5126,
        "count": 3, "type": "VEC3", "byteStride": 24});
    file.json["meshes"]["meshes_0"]["primitives"] =
        json!([{"attributes": {"POSITION": "left"}, "mode": 0}]);
    let scene = read(&file.text()).scene;
    assert_eq!(scene.meshes[0].primitives[0].positions, [Vec3::ZERO, Vec3::Y, 2.0 * Vec3::Y]);
}

#[test]
fn quantized_attributes_are_what_their_matrix_makes_of_them() {
    let mut file = old();
    let start = file.bytes.len();
    for number in [0_u16, 0, 0, 65535, 0, 0, 0, 65535, 65535] {
        file.bytes.extend_from_slice(&number.to_le_bytes());
    }
    let part = 1.0 / 65535.0;
    file.json["extensionsUsed"] = json!(["WEB3D_quantized_attributes"]);
    file.json["bufferViews"]["more"] =
        json!({"buffer": "buffers_0", "byteOffset": start, "byteLength": 18});
    file.json["accessors"]["more"] = json!({"bufferView": "more", "componentType": 5123,
        "count": 3, "type": "VEC3", "extensions": {"WEB3D_quantized_attributes": {"decodeMatrix":
            [2.0 * part, 0, 0, 0, 0, 4.0 * part, 0, 0, 0, 0, 8.0 * part, 0, -1, -2, -4, 1]}}});
    file.json["meshes"]["meshes_0"]["primitives"] = json!([{"attributes": {"POSITION": "more"}}]);
    let imported = read(&file.text());
    let positions = &imported.scene.meshes[0].primitives[0].positions;
    let wanted =
        [Vec3::new(-1.0, -2.0, -4.0), Vec3::new(1.0, -2.0, -4.0), Vec3::new(-1.0, 2.0, 4.0)];
    assert!(positions.iter().zip(wanted).all(|(a, b)| a.abs_diff_eq(b, 1e-5)), "{positions:?}");
    assert!(imported.notes.iter().all(|note| !note.text.contains("extension")));
    let wrong = &mut file.json["accessors"]["more"]["extensions"]["WEB3D_quantized_attributes"];
    wrong["decodeMatrix"] = json!([1, 2, 3]);
    let error = try_read(&file.text()).expect_err("too few numbers");
    assert!(
        error.to_string().contains("expected a decodeMatrix of 16 numbers, found 3"),
        "{error}"
    );
}

#[test]
fn joints_of_the_same_name_are_those_below_the_nodes_skeletons() {
    let mut file = old();
    let (lower, upper) =
        (file.json["nodes"]["nodes_1"].clone(), file.json["nodes"]["nodes_2"].clone());
    file.json["nodes"]["twin"] = lower;
    file.json["nodes"]["twin"]["children"] = json!(["twin upper"]);
    file.json["nodes"]["twin upper"] = upper;
    file.json["nodes"]["twin body"] = json!({"meshes": ["meshes_0"],
        "instanceSkin": {"skin": "skins_0", "skeletons": ["twin"]}});
    let nodes = json!(["nodes_0", "nodes_1", "twin", "twin body"]);
    file.json["scenes"]["scenes_0"]["nodes"] = nodes;
    let scene = read(&file.text()).scene;
    let names: Vec<usize> =
        scene.skins.iter().flat_map(|skin| &skin.joints).map(|j| j.index()).collect();
    assert_eq!(scene.skins.len(), 2);
    assert!(names.iter().all(|joint| names.iter().filter(|other| *other == joint).count() == 1));
    assert_eq!(scene.skins[0].joint_from_mesh, scene.skins[1].joint_from_mesh);
    assert_eq!(scene.instances.len(), 2);
}

#[test]
fn a_joint_that_no_node_is_follows_the_mesh() {
    let mut file = old();
    file.json["skins"]["skins_0"]["jointNames"][1] = json!("nobody");
    let imported = read(&file.text());
    let body = imported.scene.instances[0].joint;
    assert_eq!(imported.scene.skins[0].joints[1], body);
    assert!(imported.notes.iter().any(|note| note.to_string().ends_with("(skins[\"skins_0\"])")));
}

#[test]
fn a_node_may_draw_several_meshes() {
    let mut file = old();
    file.json["nodes"]["nodes_0"]["meshes"] = json!(["meshes_0", "meshes_0"]);
    let scene = read(&file.text()).scene;
    assert_eq!((scene.meshes.len(), scene.meshes[0].primitives.len()), (1, 2));
}

#[test]
fn a_second_motion_of_the_same_joints_is_a_second_clip_and_names_are_kept() {
    let mut file = old();
    let first = file.json["animations"]["animations_0"].clone();
    file.json["animations"]["animations_2"] = first.clone();
    file.json["animations"]["animations_3"] = first;
    file.json["animations"]["animations_3"]["name"] = json!("wave");
    let scene = read(&file.text()).scene;
    let clips: Vec<_> =
        scene.clips.iter().map(|clip| (clip.name.as_str(), clip.track_count())).collect();
    assert_eq!(clips, [("animations_0", 2), ("animations_2", 1), ("wave", 1)]);
}

#[test]
fn errors_and_notes_speak_of_ids() {
    let mut file = old();
    file.json["accessors"]["accessors_0"]["count"] = json!(1_000_000);
    let error = try_read(&file.text()).expect_err("too many");
    assert_eq!(error.place, crate::Place::part("accessors[\"accessors_0\"]"));
    let mut file = old();
    file.json["nodes"]["nodes_1"]["children"] = json!(["nobody"]);
    let error = try_read(&file.text()).expect_err("no such node");
    assert_eq!(error.kind, ErrorKind::OutOfRange);
    assert!(error.message.contains("expected the id of a node, found \"nobody\""), "{error}");
    assert_eq!(error.place, crate::Place::part("nodes[\"nodes_1\"]"));
}

#[test]
fn a_draft_is_refused_and_a_file_without_a_version_is_taken_for_1_0() {
    let mut file = old();
    file.json["asset"] = Value::Null;
    assert_eq!(read(&file.text()).scene, read(&old().text()).scene);
    file.json["asset"] = json!({"version": 0.8});
    let error = try_read(&file.text()).expect_err("a draft");
    assert!(error.message.contains("expected glTF 1.0 or 2.0, found \"0.8\""), "{error}");
    let wrong = crate::read(br#"{"accessors": 3, "asset": {"version": "2.0"}}"#, &NoFiles);
    assert!(wrong.expect_err("no list").to_string().contains("expected a list, found a number"));
}

#[test]
fn every_prefix_and_damaged_copy_of_a_text_file_is_an_error_or_a_scene() {
    survives_damage(Format::Gltf, &old().text(), &NoFiles);
}

#[test]
fn every_prefix_and_damaged_copy_of_a_binary_file_is_an_error_or_a_scene() {
    survives_damage(Format::Gltf, &old().binary(), &NoFiles);
}

#[test]
fn long_chains_and_many_skeletons_are_bounded() {
    // Twenty thousand skins, each of which looks through the same chain of joints.
    let count = 20_000;
    let mut nodes = serde_json::Map::new();
    for at in 0..count {
        let child = if at + 1 < count { json!([format!("n{}", at + 1)]) } else { json!([]) };
        let node = json!({"children": child, "skin": "s", "skeletons": [format!("n{at}")]});
        nodes.insert(format!("n{at}"), node);
    }
    let file = json!({"asset": {"version": "1.0"}, "nodes": nodes, "skins": {"s": {}}});
    let error = try_read(file.to_string().as_bytes()).expect_err("too much");
    assert_eq!(error.kind, ErrorKind::TooLarge);
}
