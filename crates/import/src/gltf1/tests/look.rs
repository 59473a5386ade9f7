//! Materials, images, lights and cameras of glTF 1.0.

use glam::{Vec3, Vec4};
use serde_json::{Value, json};
use sinew_scene::{AlphaMode, ImageData, LightKind, Material, Projection};

use super::made::{File, read};
use super::old;

/// The rigged file with one material.
fn with(material: Value) -> File {
    let mut file = old();
    file.json["materials"] = json!({"m": material});
    file.json["meshes"]["meshes_0"]["primitives"][0]["material"] = json!("m");
    file.json["techniques"] = json!({"t": {
        "states": {"enable": [2929, 2884]},
        "parameters": {"diffuse": {"type": 35666, "value": [1, 1, 1, 1]}, "shininess": {"value": 6},
            "position": {"semantic": "POSITION"}}}});
    file.json["images"] = json!({"i": {"uri": "data:image/png;base64,iVBORw0KGgo="}});
    file.json["samplers"] = json!({"s": {"wrapS": 33071}});
    file.json["textures"] = json!({"x": {"source": "i", "sampler": "s", "target": 3553}});
    file
}

fn material(filed: Value) -> Material {
    read(&with(filed).text()).scene.materials[0].clone()
}

#[test]
fn the_values_of_a_technique_become_the_nearest_surface() {
    let found = material(json!({"name": "skin", "technique": "t",
        "values": {"diffuse": [0.5, 0, 1, 1], "emission": [1, 0, 0, 1]}}));
    assert!(found.base_color.abs_diff_eq(Vec4::new(0.214_04, 0.0, 1.0, 1.0), 1e-4));
    assert_eq!((found.name.as_str(), found.metallic, found.double_sided), ("skin", 0.0, false));
    assert_eq!((found.emissive, found.alpha_mode), (Vec3::X, AlphaMode::Opaque));
    // By default of the technique: sqrt(2 / (6 + 2)).
    assert!((found.roughness - 0.5).abs() < 1e-6, "{}", found.roughness);
}

#[test]
fn a_texture_of_diffuse_light_is_the_base_colour() {
    let file = with(json!({"technique": "t", "values": {"diffuse": "x", "transparency": 0.5}}));
    let scene = read(&file.text()).scene;
    let material = &scene.materials[0];
    let texture = material.base_color_texture.expect("a texture").texture;
    assert_eq!(scene.textures[texture.index()].sampler.wrap_u, sinew_scene::Wrap::Clamp);
    assert_eq!(material.base_color, Vec4::new(1.0, 1.0, 1.0, 0.5));
    assert_eq!(material.alpha_mode, AlphaMode::Blend);
    assert!(matches!(&scene.images[0].data, ImageData::Encoded { .. }));
}

#[test]
fn blending_counts_where_the_image_can_be_seen_through() {
    let mut file = with(json!({"technique": "t", "values": {"diffuse": ["x"]}}));
    file.json["techniques"]["t"]["states"]["enable"] = json!([3042]);
    let of = |file: &File| read(&file.text()).scene.materials[0].clone();
    assert_eq!((of(&file).alpha_mode, of(&file).double_sided), (AlphaMode::Blend, true));
    file.json["images"]["i"]["uri"] = json!("data:image/jpeg;base64,/9j/");
    assert_eq!(of(&file).alpha_mode, AlphaMode::Opaque);
}

#[test]
fn common_materials_are_read_and_constant_ones_are_not_shaded() {
    let common = |words: Value| material(json!({"extensions": {"KHR_materials_common": words}}));
    let found = common(json!({"technique": "PHONG", "doubleSided": true,
        "values": {"diffuse": [0, 1, 0, 0.5], "shininess": 6, "specular": [0, 0, 0, 1]}}));
    assert_eq!(found.base_color, Vec4::new(0.0, 1.0, 0.0, 0.5));
    assert_eq!((found.double_sided, found.roughness, found.unlit), (true, 1.0, false));
    let found = common(json!({"technique": "CONSTANT", "values": {"emission": [0, 0, 1, 1]}}));
    assert_eq!((found.base_color, found.unlit), (Vec4::new(0.0, 0.0, 1.0, 1.0), true));
    assert_eq!(found.emissive, Vec3::ZERO);
}

#[test]
fn a_texture_that_is_not_there_is_noted() {
    let file = with(json!({"technique": "t", "values": {"diffuse": "nothing"}}));
    let imported = read(&file.text());
    assert!(imported.notes.iter().any(|note| note.text.contains("a texture that is not there")));
    assert_eq!(imported.scene.materials[0].base_color_texture, None);
}

#[test]
fn vertex_colours_count_only_where_the_technique_reads_them() {
    let mut file = with(json!({"technique": "t"}));
    let primitive = &mut file.json["meshes"]["meshes_0"]["primitives"][0];
    primitive["attributes"]["COLOR"] = json!("accessors_1");
    assert!(read(&file.text()).scene.meshes[0].primitives[0].colors.is_empty());
    file.json["techniques"]["t"]["parameters"]["color"] = json!({"semantic": "COLOR"});
    assert_eq!(read(&file.text()).scene.meshes[0].primitives[0].colors.len(), 1);
}

#[test]
fn an_image_inside_a_binary_file_is_found() {
    let mut file = with(json!({"technique": "t", "values": {"diffuse": "x"}}));
    let start = file.bytes.len();
    file.bytes.extend_from_slice(b"\x89PNG and more");
    file.json["bufferViews"]["v"] =
        json!({"buffer": "buffers_0", "byteOffset": start, "byteLength": 13});
    file.json["images"]["i"] = json!({"uri": "data:,", "extensions": {"KHR_binary_glTF":
        {"bufferView": "v", "mimeType": "image/png", "width": 1, "height": 1}}});
    let scene = read(&file.binary()).scene;
    let ImageData::Encoded { media_type, bytes } = &scene.images[0].data else { panic!("packed") };
    assert_eq!((media_type.as_str(), &bytes[..]), ("image/png", &b"\x89PNG and more"[..]));
}

#[test]
fn lights_and_cameras_stand_at_their_nodes() {
    let mut file = old();
    file.json["cameras"] = json!({"c": {"type": "perspective", "perspective":
        {"aspectRatio": 1.0, "xfov": 1.0, "znear": 0.1, "zfar": 10.0}}, "broken": {}});
    file.json["extensions"] = json!({"KHR_materials_common": {"lights": {
        "around": {"type": "ambient", "ambient": {"color": [1, 1, 1]}},
        "sun": {"type": "directional", "directional": {"color": [1, 0, 0]}}}}});
    file.json["nodes"]["nodes_1"]["camera"] = json!("c");
    file.json["nodes"]["nodes_2"]["extensions"] = json!({"KHR_materials_common": {"light": "sun"}});
    let scene = read(&file.text()).scene;
    let Projection::Perspective { fov_y, .. } = scene.cameras[0].projection else {
        panic!("a lens")
    };
    assert!((fov_y - 1.0).abs() < 1e-6);
    assert_eq!((scene.lights.len(), scene.lights[0].kind), (1, LightKind::Directional));
    assert_eq!(scene.lights[0].color, Vec3::X);
}
