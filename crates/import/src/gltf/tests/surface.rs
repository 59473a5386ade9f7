//! Materials, textures and images.

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use serde_json::{Value, json};
use sinew_scene::{AlphaMode, Filter, ImageData, Wrap};

use crate::gltf::testing::{Builder, plain};
use crate::{Format, InMemory, NoFiles};

const PNG: &[u8] = &[0x89, b'P', b'N', b'G', 13, 10, 26, 10];

fn material(material: Value) -> Builder {
    let mut b = Builder::new();
    let view = b.view(PNG);
    b.push("images", json!({"bufferView": view}));
    b.push("textures", json!({"source": 0, "sampler": 0}));
    b.push("samplers", json!({"wrapS": 33071, "minFilter": 9728}));
    b.push("materials", material);
    b
}

#[test]
fn a_texture_transform_may_choose_another_set_of_coordinates() {
    let b = material(json!({"normalTexture": {"index": 0, "texCoord": 1, "scale": 0.5,
        "extensions": {"KHR_texture_transform":
            {"offset": [0.25, 0.5], "rotation": 1.5, "scale": [2, 3], "texCoord": 2}}}}));
    let scene = b.read().scene;
    let used = scene.materials[0].normal_texture.expect("a texture");
    assert_eq!(used.uv_set, 2);
    assert_eq!(used.transform.offset, Vec2::new(0.25, 0.5));
    assert_eq!((used.transform.rotation, used.transform.scale), (1.5, Vec2::new(2.0, 3.0)));
    assert_eq!(scene.materials[0].normal_scale, 0.5);
    let sampler = scene.textures[0].sampler;
    assert_eq!((sampler.wrap_u, sampler.wrap_v), (Wrap::Clamp, Wrap::Repeat));
    assert_eq!((sampler.minify, sampler.mipmap), (Filter::Nearest, None));
}

#[test]
fn a_material_without_anything_is_white_and_fully_metallic_as_gltf_has_it() {
    let scene = material(json!({})).read().scene;
    assert_eq!(scene.materials[0], sinew_scene::Material::default());
}

#[test]
fn extensions_of_materials_are_read() {
    let b = material(json!({"emissiveFactor": [1, 0, 0], "alphaMode": "MASK", "alphaCutoff": 0.75,
        "doubleSided": true, "extensions": {"KHR_materials_unlit": {},
            "KHR_materials_emissive_strength": {"emissiveStrength": 5}}}));
    let scene = b.read().scene;
    let found = &scene.materials[0];
    assert_eq!((found.emissive, found.emissive_strength), (Vec3::X, 5.0));
    assert_eq!((found.alpha_mode, found.alpha_cutoff), (AlphaMode::Mask, 0.75));
    assert!(found.unlit && found.double_sided);
}

#[test]
fn layers_of_materials_are_read_and_cut_to_their_range() {
    let b = material(json!({"extensions": {
        "KHR_materials_clearcoat": {"clearcoatFactor": 3.0,
            "clearcoatNormalTexture": {"index": 0, "scale": 0.5, "extensions":
                {"KHR_texture_transform": {"offset": [0.25, 0.5]}}}},
        "KHR_materials_sheen": {"sheenColorFactor": [0.5, 0.25, -1.0], "sheenRoughnessFactor": 0.5},
        "KHR_materials_ior": {"ior": 1.33},
        "KHR_materials_volume": {"attenuationDistance": 0.5, "attenuationColor": [0.5, 2.0, 1.0]},
        "KHR_materials_anisotropy": {"anisotropyRotation": 1.5}}}));
    let imported = b.read();
    let layers = &imported.scene.materials[0].layers;
    assert_eq!((layers.clearcoat.strength, layers.clearcoat.normal_scale), (1.0, 0.5));
    let normals = layers.clearcoat.normal_texture.expect("a texture");
    assert_eq!(normals.transform.offset, Vec2::new(0.25, 0.5));
    assert_eq!((layers.sheen.color, layers.sheen.roughness), (Vec3::new(0.5, 0.25, 0.0), 0.5));
    assert_eq!((layers.ior, layers.anisotropy.rotation), (1.33, 1.5));
    assert_eq!(layers.transmission.attenuation_distance, Some(0.5));
    assert_eq!(layers.transmission.attenuation_color, Vec3::new(0.5, 1.0, 1.0));
    assert!(imported.notes.is_empty(), "{:?}", imported.notes);
}

#[test]
fn specular_glossiness_is_approximated_with_a_note() {
    let b = material(json!({"extensions": {"KHR_materials_pbrSpecularGlossiness": {
        "diffuseFactor": [0, 0, 0, 1], "specularFactor": [0.9, 0.8, 0.7], "glossinessFactor": 0.75,
        "diffuseTexture": {"index": 0}}}}));
    let imported = b.read();
    let found = &imported.scene.materials[0];
    // All of the light is reflected and none scattered: a metal of the specular colour.
    assert!((found.metallic - 1.0).abs() < 1e-3, "{}", found.metallic);
    let color = found.base_color.truncate();
    assert!(color.abs_diff_eq(Vec3::new(0.9, 0.8, 0.7), 1e-2), "{color}");
    assert_eq!(found.roughness, 0.25);
    assert!(found.base_color_texture.is_some());
    assert!(imported.notes[0].text.contains("specular-glossiness"));
}

#[test]
fn images_stay_packed_and_their_type_is_seen() {
    let b = material(json!({}));
    let scene = b.read().scene;
    let ImageData::Encoded { media_type, bytes } = &scene.images[0].data else {
        panic!("still packed");
    };
    assert_eq!((media_type.as_str(), &bytes[..]), ("image/png", PNG));
}

#[test]
fn an_image_beside_the_file_is_fetched_and_a_missing_one_is_a_note() {
    let mut b = material(json!({}));
    b.json["images"][0] = json!({"uri": "my%20skin.png"});
    let imported = b.read();
    assert_eq!(imported.scene.images[0].data, ImageData::Missing);
    assert!(imported.notes[0].text.starts_with("not found: \"my skin.png\""));
    let files = HashMap::from([("my skin.png".to_owned(), PNG.to_vec())]);
    let files = InMemory { files, own_name: None };
    let imported = plain().read_as(Format::Gltf, &b.gltf(), &files).expect("a good file");
    assert!(matches!(imported.scene.images[0].data, ImageData::Encoded { .. }));
    assert!(imported.notes.is_empty());
}

#[test]
fn a_texture_in_a_newer_format_is_found_in_its_extension() {
    for extension in ["KHR_texture_basisu", "EXT_texture_webp"] {
        let mut b = material(json!({}));
        b.json["textures"][0] = json!({"extensions": {extension: {"source": 0}}});
        assert!(b.read().scene.textures[0].image.is_some(), "{extension}");
    }
}

#[test]
fn a_buffer_beside_the_file_is_fetched_once_by_name() {
    let mut b = Builder::new();
    b.triangle();
    let mut json = b.json.clone();
    json["buffers"] =
        json!([{"byteLength": 36, "uri": "a.bin"}, {"byteLength": 36, "uri": "a.bin"}]);
    json["bufferViews"][0]["buffer"] = json!(1);
    let files = InMemory { files: HashMap::from([("a.bin".to_owned(), b.bytes)]), own_name: None };
    let imported = plain().read_as(Format::Gltf, json.to_string().as_bytes(), &files);
    let scene = imported.expect("a good file").scene;
    assert_eq!(scene.meshes[0].primitives[0].positions[1], Vec3::X);
    json["buffers"][0]["uri"] = json!("../a.bin");
    json["bufferViews"][0]["buffer"] = json!(0);
    let refused = plain().read_as(Format::Gltf, json.to_string().as_bytes(), &NoFiles);
    assert_eq!(refused.expect_err("outside").kind, crate::ErrorKind::Refused);
}
