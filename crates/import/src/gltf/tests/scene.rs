//! Scenes, extensions, and what hangs under nodes.

use glam::Vec3;
use serde_json::json;
use sinew_scene::{JointId, LightKind, Projection};

use crate::gltf::testing::{Builder, plain, rigged};
use crate::{ErrorKind, Format, NoFiles, Options};

fn two_scenes() -> Builder {
    let mut b = Builder::new();
    b.triangle();
    b.triangle();
    b.push("scenes", json!({"nodes": [0]}));
    b.push("scenes", json!({"name": "other", "nodes": [1]}));
    b.json["scene"] = json!(1);
    b
}

#[test]
fn the_file_s_own_scene_is_drawn_and_the_others_are_reported() {
    let imported = two_scenes().read();
    assert_eq!(imported.scene.instances.len(), 1);
    assert_eq!(imported.scene.instances[0].joint, JointId::new(1));
    assert_eq!(imported.scene.skeleton().len(), 2);
    assert!(imported.notes[0].text.contains("scene 1 is drawn; there are 1 others: 0"));
}

#[test]
fn a_person_may_choose_the_scene() {
    let read = |scene| {
        let options = Options { scene: Some(scene), ..plain() };
        options.read_as(Format::Gltf, &two_scenes().gltf(), &NoFiles)
    };
    assert_eq!(read(0).expect("a scene").scene.instances[0].joint, JointId::new(0));
    assert_eq!(read(2).expect_err("no such scene").kind, ErrorKind::OutOfRange);
}

#[test]
fn a_file_without_scenes_is_drawn_whole_with_a_note() {
    let mut b = Builder::new();
    b.triangle();
    let imported = b.read();
    assert_eq!(imported.scene.instances.len(), 1);
    assert!(imported.notes[0].text.contains("has no scene"));
}

#[test]
fn lights_and_cameras_hang_under_their_nodes() {
    let mut b = Builder::new();
    b.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [
        {"type": "spot", "color": [1, 0.5, 0], "intensity": 3, "range": 9,
            "spot": {"innerConeAngle": 0.25}}, {"type": "directional"}]}});
    b.push(
        "cameras",
        json!({"type": "orthographic",
        "orthographic": {"xmag": 2, "ymag": 1, "znear": 0, "zfar": 10}}),
    );
    b.push("nodes", json!({"extensions": {"KHR_lights_punctual": {"light": 0}}, "camera": 0}));
    b.push("scenes", json!({"nodes": [0]}));
    let scene = b.read().scene;
    let light = &scene.lights[0];
    let outer = std::f32::consts::FRAC_PI_4;
    assert_eq!(light.kind, LightKind::Spot { inner: 0.25, outer });
    assert_eq!((light.color, light.range), (Vec3::new(1.0, 0.5, 0.0), Some(9.0)));
    let expected =
        Projection::Orthographic { half_width: 2.0, half_height: 1.0, near: 0.0, far: 10.0 };
    assert_eq!(scene.cameras[0].projection, expected);
}

#[test]
fn instancing_puts_a_node_and_an_instance_for_each_copy() {
    let mut b = Builder::new();
    b.triangle();
    b.push("scenes", json!({"nodes": [0]}));
    let places = b.floats("VEC3", &[1.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    b.json["nodes"][0]["extensions"] =
        json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places}}});
    let scene = b.read().scene;
    assert_eq!(scene.instances.len(), 2);
    let node = scene.skeleton().node(scene.instances[1].joint);
    assert_eq!((node.parent, node.rest.translation), (Some(JointId::new(0)), 2.0 * Vec3::Y));
}

#[test]
fn an_optional_extension_is_a_note_and_a_look_is_simplified_even_when_required() {
    let mut b = rigged();
    b.json["extensionsUsed"] =
        json!(["XYZ_teapots", "KHR_materials_subsurface", "KHR_mesh_quantization"]);
    b.json["extensionsRequired"] = json!(["KHR_materials_subsurface"]);
    let imported = b.read();
    assert_eq!(imported.extensions.len(), 3);
    let notes: Vec<&str> = imported.notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("KHR_materials_subsurface is not drawn"));
    assert!(notes[1].contains("XYZ_teapots is not read"));
}

#[test]
fn nodes_without_names_and_with_the_same_name_are_fine() {
    let mut b = rigged();
    b.json["nodes"][1]["name"] = json!("body");
    b.json["nodes"][2] = json!({"translation": [0, 1, 0]});
    assert!(b.read().notes.is_empty());
}

#[test]
fn names_in_another_encoding_are_mended() {
    let mut file = rigged().gltf();
    let at = file.windows(4).position(|four| four == b"wave").expect("the clip's name");
    file[at] = 0xe9;
    let imported = plain().read_as(Format::Gltf, &file, &NoFiles).expect("can be mended");
    assert_eq!(imported.scene.clips[0].name, "\u{fffd}ave");
    assert!(imported.notes[0].text.contains("not all UTF-8"));
}
