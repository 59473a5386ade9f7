//! Files whose views are compressed, and quantised ones.

use glam::Vec3;
use serde_json::json;

use crate::gltf::testing::{Builder, bytes_of};
use crate::testing::survives_damage;
use crate::{ErrorKind, Format, NoFiles};

const CORNERS: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// A triangle whose positions are compressed, with a fallback buffer that is not there.
fn packed(extension: &str) -> Builder {
    let mut b = Builder::new();
    let corners: Vec<[u8; 12]> = bytes_of(&CORNERS).as_chunks().0.to_vec();
    let packed = meshopt::encode_vertex_buffer(&corners).expect("an encoder");
    b.bytes = packed.clone();
    b.push(
        "bufferViews",
        json!({"buffer": 1, "byteLength": 36, "extensions": {extension: {"buffer": 0,
            "byteLength": packed.len(), "byteStride": 12, "count": 3, "mode": "ATTRIBUTES"}}}),
    );
    let view = json!({"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3});
    b.push("accessors", view);
    b.push("meshes", json!({"primitives": [{"attributes": {"POSITION": 0}}]}));
    b
}

#[test]
fn a_compressed_view_is_unpacked_and_its_fallback_is_not_missed() {
    for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        let scene = packed(extension).read().scene;
        let found = &scene.meshes[0].primitives[0].positions;
        assert_eq!(found[..], [Vec3::ZERO, Vec3::X, Vec3::Y]);
    }
}

#[test]
fn a_view_compressed_before_the_extension_was_agreed_on_has_numbers_for_words() {
    const NAME: &str = "MESHOPT_compression";
    let mut b = packed(NAME);
    b.json["extensionsRequired"] = json!([NAME]);
    b.json["bufferViews"][0]["extensions"][NAME]["mode"] = json!(0);
    b.json["bufferViews"][0]["extensions"][NAME]["filter"] = json!(0);
    let scene = b.read().scene;
    assert_eq!(scene.meshes[0].primitives[0].positions[..], [Vec3::ZERO, Vec3::X, Vec3::Y]);
}

#[test]
fn a_damaged_compressed_view_is_an_error_or_a_scene() {
    survives_damage(Format::Gltf, &packed("EXT_meshopt_compression").glb(), &NoFiles);
}

#[test]
fn a_compressed_view_that_unpacks_to_far_too_much_is_refused() {
    let mut b = packed("EXT_meshopt_compression");
    b.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["count"] =
        json!(1_000_000_000_u64);
    assert_eq!(b.refused().kind, ErrorKind::TooLarge);
}

#[test]
fn positions_and_morphs_may_be_whole_numbers() {
    let mut b = Builder::new();
    let shorts: Vec<u8> =
        [0_i16, 0, 0, 100, 0, 0, 0, -100, 0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let positions = b.accessor(&shorts, 5122, "VEC3", 3);
    let morph = b.accessor(&[127, 0, 0].repeat(3), 5120, "VEC3", 3);
    b.json["accessors"][morph]["normalized"] = json!(true);
    b.push(
        "meshes",
        json!({"primitives": [{"attributes": {"POSITION": positions},
        "targets": [{"POSITION": morph}]}]}),
    );
    let scene = b.read().scene;
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.positions[2], Vec3::new(0.0, -100.0, 0.0));
    assert_eq!(primitive.morphs[0].positions[0], Vec3::X);
}

#[cfg(feature = "draco")]
#[test]
fn a_draco_stream_that_is_none_is_an_error_with_its_place() {
    let mut b = Builder::new();
    b.triangle();
    b.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}});
    let error = b.refused();
    assert_eq!(error.kind, ErrorKind::Malformed);
    assert_eq!(error.place.to_string(), "meshes[0].primitives[0]");
}

#[cfg(feature = "draco")]
#[test]
fn a_draco_stream_holds_single_triangles_even_where_the_mode_says_strip() {
    let mut b = Builder::new();
    b.triangle();
    b.bytes = crate::gltf::draco::tests::grid();
    b.json["bufferViews"][0]["byteLength"] = json!(b.bytes.len());
    b.json["accessors"][0]["count"] = json!(81);
    b.json["accessors"][0]["bufferView"] = json!(null);
    b.json["meshes"][0]["primitives"][0] = json!({"mode": 5, "attributes": {"POSITION": 0},
        "extensions": {"KHR_draco_mesh_compression":
            {"bufferView": 0, "attributes": {"POSITION": 4}}}});
    let scene = b.read().scene;
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!((primitive.positions.len(), primitive.indices.len()), (81, 8 * 8 * 6));
    assert!(primitive.positions.contains(&Vec3::new(8.0, 8.0, 2.0)), "80 * 80 % 7 is 2");
    survives_damage(Format::Gltf, &b.glb(), &NoFiles);
}
