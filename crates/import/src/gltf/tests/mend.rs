//! Files that are not right but can be mended: each is opened, with a note.

use glam::{Quat, Vec3};
use serde_json::{Value, json};
use sinew_scene::{Interpolation, Projection, Topology};

use crate::gltf::testing::{Builder, U8, U16, U32, plain, rigged};
use crate::testing::survives_damage;
use crate::{ErrorKind, Format, InMemory, NoFiles};

fn noted(notes: &[String], words: &str) -> bool {
    notes.iter().any(|note| note.contains(words))
}

fn camera(camera: Value) -> (Projection, Vec<String>) {
    let mut b = Builder::new();
    b.push("cameras", camera);
    b.push("nodes", json!({"camera": 0}));
    b.push("scenes", json!({"nodes": [0]}));
    let projection = b.read().scene.cameras[0].projection;
    (projection, b.notes())
}

#[test]
fn a_camera_without_its_numbers_gets_usual_ones() {
    let (projection, notes) =
        camera(json!({"type": "perspective", "perspective": {"yfov": null, "znear": 0.5}}));
    let Projection::Perspective { fov_y, near, .. } = projection else { panic!("{projection:?}") };
    assert_eq!((fov_y, near), (std::f32::consts::FRAC_PI_4, 0.5));
    assert!(notes.len() == 1 && noted(&notes, "no yfov"), "{notes:?}");
    let (projection, notes) = camera(json!({"type": "orthographic", "orthographic": {"xmag": 3}}));
    let Projection::Orthographic { half_width, half_height, near, far } = projection else {
        panic!("{projection:?}")
    };
    assert_eq!((half_width, half_height, near, far), (3.0, 1.0, 0.1, 1000.0));
    assert_eq!(notes.len(), 3, "{notes:?}");
    let (projection, notes) = camera(json!({"type": "perspective"}));
    assert!(matches!(projection, Projection::Perspective { .. }), "{projection:?}");
    assert!(noted(&notes, "neither perspective nor orthographic"), "{notes:?}");
}

#[test]
fn an_interpolation_that_is_no_word_is_linear() {
    let mut b = rigged();
    b.json["animations"][0]["samplers"][2]["interpolation"] = json!(0);
    let clip = &b.read().scene.clips[0];
    assert_eq!(clip.scales[0].curve.interpolation(), Interpolation::Linear);
    let notes = b.notes();
    assert!(notes.len() == 1 && noted(&notes, "an interpolation is 0"), "{notes:?}");
    b.json["animations"][0]["samplers"][2]["interpolation"] = json!(null);
    assert_eq!(b.notes(), [""; 0]);
}

#[test]
fn a_node_with_two_parents_stays_under_the_first() {
    let mut b = Builder::new();
    b.push("nodes", json!({"name": "a", "translation": [1, 0, 0], "children": [2]}));
    b.push("nodes", json!({"name": "b", "translation": [2, 0, 0], "children": [2]}));
    b.push("nodes", json!({"name": "c"}));
    b.push("scenes", json!({"nodes": [0, 1]}));
    let imported = b.read();
    let skeleton = imported.scene.skeleton();
    let child = skeleton.nodes().iter().find(|node| node.name == "c").expect("the child");
    let parent = child.parent.expect("a parent");
    assert_eq!(skeleton.node(parent).name, "a");
    assert!(noted(&b.notes(), "more than one parent"), "{:?}", b.notes());
    b.json["nodes"][2] = json!({"children": [0]});
    assert!(b.refused().message.contains("own ancestors"));
}

/// Four vertices whose indices have a restart value between lines.
fn restarted(code: u32, mode: usize) -> Builder {
    let mut b = Builder::new();
    let positions = b.floats("VEC3", &[0.0; 12]);
    let bytes: Vec<u8> = match code {
        U8 => vec![0, 1, 0xff, 2, 3],
        U16 => [0, 1, u16::MAX, 2, 3].into_iter().flat_map(u16::to_le_bytes).collect(),
        _ => [0, 1, u32::MAX, 2, 3].into_iter().flat_map(u32::to_le_bytes).collect(),
    };
    let indices = b.accessor(&bytes, code, "SCALAR", 5);
    b.push(
        "meshes",
        json!({"primitives": [{"attributes": {"POSITION": positions}, "indices": indices, "mode": mode}]}),
    );
    b
}

#[test]
fn the_largest_index_begins_a_new_line_whatever_its_type() {
    for code in [U8, U16, U32] {
        for mode in [1, 3] {
            let mut b = restarted(code, mode);
            let scene = b.read().scene;
            let primitive = &scene.meshes[0].primitives[0];
            assert_eq!(
                (primitive.topology, &primitive.indices[..]),
                (Topology::Lines, &[0, 1, 2, 3][..])
            );
            assert!(noted(&b.notes(), "restart value"), "{:?}", b.notes());
            b.json["extensionsUsed"] = json!(["KHR_mesh_primitive_restart"]);
            b.json["extensionsRequired"] = json!(["KHR_mesh_primitive_restart"]);
            b.json["scenes"] = json!([{}]);
            assert_eq!(b.notes(), [""; 0]);
        }
    }
    survives_damage(Format::Gltf, &restarted(U8, 5).glb(), &NoFiles);
}

#[test]
fn joint_numbers_as_floats_are_rounded_and_what_is_none_has_no_weight() {
    let mut b = rigged();
    let joints = b.floats("VEC4", &[0.0, 1.0, -1.0, f32::NAN].repeat(6));
    b.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    let weights = b.floats("VEC4", &[0.25, 0.25, 0.25, 0.25].repeat(6));
    b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let scene = b.read().scene;
    let found = scene.meshes[0].primitives[0].influences.of(3);
    let found: Vec<(u32, f32)> = found.iter().map(|one| (one.joint, one.weight)).collect();
    assert_eq!(found, [(0, 0.5), (1, 0.5)]);
    assert!(noted(&b.notes(), "joint numbers are stored as F32"), "{:?}", b.notes());
}

#[cfg(feature = "draco")]
#[test]
fn a_draco_stream_has_the_last_word_on_the_number_of_vertices() {
    let mut b = Builder::new();
    b.triangle();
    let morph = b.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let stream = crate::gltf::draco::tests::grid();
    let view = b.view(&stream);
    b.json["accessors"][0]["bufferView"] = json!(null);
    b.json["accessors"][0]["count"] = json!(80);
    let normals = b.floats("VEC3", &[0.0, 0.0, 1.0].repeat(80));
    b.json["meshes"][0]["primitives"][0] = json!({
        "attributes": {"POSITION": 0, "NORMAL": normals}, "targets": [{"POSITION": morph}],
        "extensions": {"KHR_draco_mesh_compression":
            {"bufferView": view, "attributes": {"POSITION": 4}}}});
    let scene = b.read().scene;
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!((primitive.positions.len(), primitive.normals.len()), (81, 0));
    assert_eq!((primitive.morphs.len(), primitive.morphs[0].positions.len()), (1, 0));
    let notes = b.notes();
    assert!(noted(&notes, "as many vertices as its accessors say"), "{notes:?}");
    assert!(noted(&notes, "NORMAL is not in the Draco stream and has 80 entries"), "{notes:?}");
    assert!(noted(&notes, "POSITION is not in the Draco stream and has 3 entries"), "{notes:?}");
}

#[test]
fn what_needs_a_buffer_without_bytes_is_left_out() {
    let mut b = rigged();
    b.triangle();
    let buffer = 1;
    for list in ["bufferViews"] {
        for view in b.json[list].as_array_mut().expect("views").iter_mut() {
            view["buffer"] = json!(buffer);
        }
    }
    let triangle = b.json["bufferViews"].as_array().expect("views").len() - 1;
    b.json["bufferViews"][triangle]["buffer"] = json!(0);
    let mut file: Value = serde_json::from_slice(&b.gltf()).expect("JSON");
    let length = file["buffers"][0]["byteLength"].clone();
    file["buffers"].as_array_mut().expect("buffers").push(json!({"byteLength": length}));
    let imported = plain().read(file.to_string().as_bytes(), &NoFiles).expect("can be mended");
    let scene = imported.scene;
    assert_eq!(scene.meshes[0].primitives.len(), 0);
    assert_eq!(scene.meshes[1].primitives[0].positions[1], Vec3::X);
    assert_eq!(scene.clips[0].last_key(), 0.0);
    assert_eq!(scene.skins[0].joint_from_mesh.len(), 2);
    let notes: Vec<String> = imported.notes.iter().map(ToString::to_string).collect();
    assert!(noted(&notes, "primitives that need it are left out"), "{notes:?}");
    assert!(noted(&notes, "channels that need it are left out"), "{notes:?}");
    // A companion that is not there is another matter.
    file["buffers"][buffer]["uri"] = json!("gone.bin");
    let error = plain().read(file.to_string().as_bytes(), &NoFiles).expect_err("no companion");
    assert_eq!(error.kind, ErrorKind::Missing);
}

#[test]
fn a_required_extension_of_looks_and_avatars_costs_a_note() {
    for name in ["VRM", "VRMC_vrm", "VRMC_springBone", "XYZ_teapots"] {
        let mut b = rigged();
        b.json["extensionsRequired"] = json!([name]);
        b.json["extensions"] = json!({name: {"humanoid": {}}});
        b.json["materials"][0]["extensions"] = json!({name: {}});
        let notes = b.notes();
        let words = format!("the extension {name} is not read, though the file requires it");
        assert!(notes.len() == 1 && noted(&notes, &words), "{notes:?}");
    }
    for name in ["EXT_texture_avif", "KHR_texture_ktx", "KHR_techniques_webgl", "EXT_mesh_features"]
    {
        let mut b = rigged();
        b.json["extensionsRequired"] = json!([name]);
        b.json["meshes"][0]["primitives"][0]["extensions"] = json!({name: {}});
        assert_eq!(b.notes().len(), 1, "{name}");
    }
}

#[test]
fn a_required_extension_that_may_change_shapes_or_motion_is_refused_with_its_place() {
    for (list, inner) in [
        ("bufferViews", ""),
        ("accessors", ""),
        ("nodes", ""),
        ("skins", ""),
        ("meshes", "/primitives/0"),
        ("animations", "/channels/0/target"),
    ] {
        let mut b = rigged();
        b.json["extensionsRequired"] = json!(["XYZ_teapots"]);
        let at = format!("/{list}/0{inner}");
        b.json.pointer_mut(&at).expect("the part")["extensions"] = json!({"XYZ_teapots": {}});
        let error = b.refused();
        assert_eq!(error.kind, ErrorKind::Unsupported);
        assert!(error.message.contains("XYZ_teapots"), "{error}");
        assert_eq!(error.place.to_string(), format!("{list}[0]"));
    }
}

#[test]
fn an_avatar_is_gltf_whatever_its_extension() {
    let files = InMemory { own_name: Some("avatar.vrm".into()), ..InMemory::default() };
    let mut b = rigged();
    b.json["extensionsRequired"] = json!(["VRM"]);
    let imported = plain().read(&b.glb(), &files).expect("an avatar");
    assert_eq!((imported.format, imported.name.as_str()), (Format::Gltf, "avatar"));
    let rest = imported.scene.skeleton().nodes()[1].rest.rotation;
    assert_eq!(rest, Quat::IDENTITY);
}
