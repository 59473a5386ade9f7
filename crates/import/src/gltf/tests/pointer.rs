//! `KHR_animation_pointer`: everything the scene holds can be driven.

use serde_json::{Value, json};
use sinew_scene::{
    CameraId, JointId, LightId, MaterialId, MaterialTexture, Property, PropertyTrack,
};

use crate::gltf::testing::{Builder, rigged};

fn pointer(path: &str) -> Value {
    json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": path}}})
}

/// A material with a texture, two nodes with the same light, and a camera.
fn stage() -> Builder {
    let mut b = Builder::new();
    b.push("images", json!({"uri": "data:image/png;base64,iVBORw=="}));
    b.push("textures", json!({"source": 0}));
    b.push(
        "materials",
        json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.5}}),
    );
    b.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [
        {"type": "spot", "intensity": 7, "spot": {"outerConeAngle": 0.5}}]}});
    b.push("cameras", json!({"type": "perspective", "perspective": {"yfov": 0.9, "znear": 0.1}}));
    let light = json!({"KHR_lights_punctual": {"light": 0}});
    b.push("nodes", json!({"extensions": light, "camera": 0}));
    b.push("nodes", json!({"extensions": light}));
    b.push("scenes", json!({"nodes": [0, 1]}));
    b
}

fn driven(path: &str, width: usize) -> (Vec<(Property, [f32; 4])>, Vec<PropertyTrack>) {
    let mut b = stage();
    let kind = ["", "SCALAR", "VEC2", "VEC3", "VEC4"][width];
    let input = b.floats("SCALAR", &[0.0, 2.0]);
    let output = b.floats(kind, &[0.25, 0.5].repeat(width));
    b.animation(pointer(path), input, output, "LINEAR");
    let imported = b.read();
    assert!(imported.notes.is_empty(), "{path}: {:?}", imported.notes);
    let properties = imported.scene.properties.iter().map(|p| (p.property, p.rest)).collect();
    (properties, imported.scene.clips[0].properties.clone())
}

#[test]
fn each_pointer_drives_its_value_and_knows_the_rest() {
    let m = MaterialId::new(0);
    let base = MaterialTexture::BaseColor;
    let uv = "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform";
    let strength = "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength";
    let cases = [
        ("/materials/0/pbrMetallicRoughness/baseColorFactor", Property::BaseColor(m), [1.0; 4]),
        (
            "/materials/0/pbrMetallicRoughness/metallicFactor",
            Property::Metallic(m),
            [0.5, 0.0, 0.0, 0.0],
        ),
        ("/materials/0/emissiveFactor", Property::Emissive(m), [0.0; 4]),
        (strength, Property::EmissiveStrength(m), [1.0, 0.0, 0.0, 0.0]),
        ("/materials/0/alphaCutoff", Property::AlphaCutoff(m), [0.5, 0.0, 0.0, 0.0]),
        (&format!("{uv}/offset"), Property::UvOffset(m, base), [0.0; 4]),
        (&format!("{uv}/rotation"), Property::UvRotation(m, base), [0.0; 4]),
        (&format!("{uv}/scale"), Property::UvScale(m, base), [1.0, 1.0, 0.0, 0.0]),
        ("/cameras/0/perspective/yfov", Property::FovY(CameraId::new(0)), [0.9, 0.0, 0.0, 0.0]),
        (
            "/nodes/1/extensions/KHR_node_visibility/visible",
            Property::Visible(JointId::new(1)),
            [1.0, 0.0, 0.0, 0.0],
        ),
    ];
    for (path, property, rest) in cases {
        let (properties, tracks) = driven(path, property.width());
        assert_eq!(properties, [(property, rest)], "{path}");
        assert_eq!(tracks[0].rows.values().len(), 2 * property.width(), "{path}");
    }
}

#[test]
fn a_light_under_two_nodes_is_driven_twice() {
    let (properties, tracks) = driven("/extensions/KHR_lights_punctual/lights/0/intensity", 1);
    let rest = [7.0, 0.0, 0.0, 0.0];
    let light = |at| (Property::LightIntensity(LightId::new(at)), rest);
    assert_eq!(properties, [light(0), light(1)]);
    assert_eq!(tracks.len(), 2);
}

#[test]
fn pointers_to_nodes_are_as_good_as_paths() {
    let mut b = stage();
    let input = b.floats("SCALAR", &[0.0]);
    let output = b.floats("VEC4", &[0.0, 0.0, 0.0, 1.0]);
    b.animation(pointer("/nodes/1/rotation"), input, output, "LINEAR");
    assert_eq!(b.read().scene.clips[0].rotations[0].joint, JointId::new(1));
}

#[test]
fn pointers_to_nothing_that_is_kept_are_notes() {
    for path in ["/nodes/9/translation", "/materials/7/alphaCutoff", "/x", "", "nodes/0/scale"] {
        let mut b = stage();
        let input = b.floats("SCALAR", &[0.0]);
        b.animation(pointer(path), input, input, "LINEAR");
        let notes = b.notes();
        assert!(notes[0].contains("which is not kept"), "{path}: {notes:?}");
    }
    let mut b = stage();
    let input = b.floats("SCALAR", &[0.0]);
    b.animation(
        pointer("/materials/0/normalTexture/extensions/KHR_texture_transform/rotation"),
        input,
        input,
        "LINEAR",
    );
    assert!(b.notes()[0].contains("a value that the scene does not have"));
}

#[test]
fn single_weights_are_joined_to_rows_and_the_others_stay_at_rest() {
    let mut b = rigged();
    let target = b.json["meshes"][0]["primitives"][0]["targets"][0].clone();
    b.json["meshes"][0]["primitives"][0]["targets"] = json!([target, target, target]);
    b.json["meshes"][0]["weights"] = json!([0.25, 0.0, 0.125]);
    b.json["animations"] = json!([]);
    let (input, late) = (b.floats("SCALAR", &[0.0, 2.0]), b.floats("SCALAR", &[0.0, 1.0]));
    let output = b.floats("SCALAR", &[0.0, 1.0]);
    b.animation(pointer("/nodes/0/weights/0"), input, output, "LINEAR");
    b.channel(pointer("/nodes/0/weights/1"), input, output);
    let scene = b.read().scene;
    let rows = &scene.clips[0].weights[0].rows;
    assert_eq!(rows.values(), [0.0, 0.0, 0.125, 1.0, 1.0, 0.125]);
    // With other keys, both follow the keys of both: the first is half way at one second.
    b.json["animations"][0]["samplers"][1]["input"] = json!(late);
    let scene = b.read().scene;
    let rows = &scene.clips[0].weights[0].rows;
    assert_eq!(rows.times()[..], [0.0, 1.0, 2.0]);
    assert_eq!(rows.row(1), [0.5, 1.0, 0.125]);
    assert_eq!(rows.row(2), [1.0, 1.0, 0.125]);
}

#[test]
fn a_node_that_the_file_hides_is_listed_as_hidden() {
    let mut b = stage();
    b.json["nodes"][1]["extensions"]["KHR_node_visibility"] = json!({"visible": false});
    let scene = b.read().scene;
    assert_eq!(scene.properties[0].property, Property::Visible(JointId::new(1)));
    assert_eq!(scene.properties[0].rest[0], 0.0);
}
