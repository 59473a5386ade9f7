//! Accessors of every kind.

use glam::{Vec2, Vec3};
use serde_json::json;

use crate::ErrorKind;
use crate::gltf::testing::{Builder, F32, U8, U16, bytes_of};

/// Positions that the file gives by this accessor.
fn positions(b: &mut Builder, accessor: usize) -> Vec<Vec3> {
    b.push("meshes", json!({"primitives": [{"attributes": {"POSITION": accessor}, "mode": 0}]}));
    b.push("nodes", json!({"mesh": 0}));
    b.read().scene.meshes[0].primitives[0].positions.clone()
}

#[test]
fn an_accessor_without_a_view_is_all_zero() {
    let mut b = Builder::new();
    let accessor = b.push("accessors", json!({"componentType": F32, "type": "VEC3", "count": 2}));
    assert_eq!(positions(&mut b, accessor), [Vec3::ZERO; 2]);
}

#[test]
fn a_count_that_no_file_of_this_size_holds_is_an_error_before_memory_is_taken() {
    let mut b = Builder::new();
    let huge = json!({"componentType": F32, "type": "VEC3", "count": 4_000_000_000_000_u64});
    let accessor = b.push("accessors", huge);
    b.push("meshes", json!({"primitives": [{"attributes": {"POSITION": accessor}}]}));
    assert_eq!(b.refused().kind, ErrorKind::TooLarge);
}

#[test]
fn sparse_values_replace_those_of_the_view_or_zeros() {
    for base in [true, false] {
        let mut b = Builder::new();
        let filled = b.floats("VEC3", &[1.0; 9]);
        let indices = b.view(&[2, 0]);
        let values = b.view(&bytes_of(&[7.0, 8.0, 9.0]));
        let sparse = json!({"count": 1, "indices": {"bufferView": indices, "componentType": U8},
            "values": {"bufferView": values}});
        if base {
            b.json["accessors"][filled]["sparse"] = sparse;
        } else {
            b.json["accessors"][filled] =
                json!({"componentType": F32, "type": "VEC3", "count": 3, "sparse": sparse});
        }
        let rest = if base { Vec3::ONE } else { Vec3::ZERO };
        assert_eq!(positions(&mut b, filled), [rest, rest, Vec3::new(7.0, 8.0, 9.0)]);
    }
}

#[test]
fn a_sparse_index_past_the_end_is_an_error() {
    let mut b = Builder::new();
    let filled = b.floats("VEC3", &[1.0; 9]);
    let indices = b.view(&[3, 0]);
    let values = b.view(&bytes_of(&[7.0, 8.0, 9.0]));
    b.json["accessors"][filled]["sparse"] = json!({"count": 1,
        "indices": {"bufferView": indices, "componentType": U8}, "values": {"bufferView": values}});
    b.push("meshes", json!({"primitives": [{"attributes": {"POSITION": filled}}]}));
    let error = b.refused();
    assert_eq!(error.kind, ErrorKind::OutOfRange);
    assert!(error.message.contains("sparse index below 3, found 3"), "{error}");
}

#[test]
fn interleaved_attributes_are_found_by_stride_and_offset() {
    let mut b = Builder::new();
    // Position, then texture coordinates in two shorts, vertex after vertex: 16 bytes each.
    let mut bytes = Vec::new();
    for vertex in 0..3_u16 {
        bytes.extend(bytes_of(&[f32::from(vertex), 1.0, 2.0]));
        bytes.extend([0, vertex * 32767].iter().flat_map(|short| short.to_le_bytes()));
    }
    let view = b.view(&bytes);
    b.json["bufferViews"][view]["byteStride"] = json!(16);
    b.push("accessors", json!({"bufferView": 0, "componentType": F32, "type": "VEC3", "count": 3}));
    b.push(
        "accessors",
        json!({"bufferView": 0, "byteOffset": 12, "componentType": U16,
        "normalized": true, "type": "VEC2", "count": 3}),
    );
    b.push("meshes", json!({"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}}]}));
    let scene = b.read().scene;
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.positions[2], Vec3::new(2.0, 1.0, 2.0));
    assert_eq!(primitive.uvs[0][2], Vec2::new(0.0, 65534.0 / 65535.0));
}

#[test]
fn normalised_integers_reach_one_and_the_most_negative_is_minus_one_too() {
    let cases: [(u32, bool, &[u8], [f32; 3]); 6] = [
        (5120, true, &[0x80, 0x81, 0x7f], [-1.0, -1.0, 1.0]),
        (5120, false, &[0x80, 0x81, 0x7f], [-128.0, -127.0, 127.0]),
        (5121, true, &[0, 51, 255], [0.0, 0.2, 1.0]),
        (5122, true, &[0x00, 0x80, 0x01, 0x80, 0xff, 0x7f], [-1.0, -1.0, 1.0]),
        (5122, false, &[0x00, 0x80, 0, 0, 0xff, 0x7f], [-32768.0, 0.0, 32767.0]),
        (5123, true, &[0, 0, 0x33, 0x33, 0xff, 0xff], [0.0, 0.2, 1.0]),
    ];
    for (code, normalized, bytes, expected) in cases {
        let mut b = Builder::new();
        let accessor = b.accessor(bytes, code, "VEC3", 1);
        b.json["accessors"][accessor]["normalized"] = json!(normalized);
        let found = positions(&mut b, accessor)[0];
        assert!(found.abs_diff_eq(Vec3::from(expected), 1e-7), "{code}: {found}");
    }
}

#[test]
fn columns_of_a_small_matrix_begin_at_multiples_of_four() {
    use crate::budget::Budget;
    use crate::gltf::accessor::Source;
    use crate::gltf::buffer::{Buffers, Views};
    let text = r#"{"buffers": [{"byteLength": 24, "uri":
        "data:;base64,AQAAAAIAAAADAAAABAAAAAUAAAAGAAAA"}],
        "bufferViews": [{"buffer": 0, "byteLength": 24}],
        "accessors": [{"bufferView": 0, "componentType": 5121, "type": "MAT3", "count": 2}]}"#;
    let document = crate::json::parse(text).expect("a document");
    let options = crate::Options::default();
    let mut context = crate::open::Context {
        files: &crate::NoFiles,
        options: &options,
        notes: Default::default(),
        budget: Budget::for_file(0),
        extensions: Vec::new(),
        missing: Default::default(),
    };
    let buffers = Buffers::load(&document, None, &mut context);
    let views = Views::new(&document, &buffers, &mut context.budget);
    let source = Source { document: &document, views };
    let elements = source.elements(0, &crate::Place::Whole).expect("an accessor");
    let found: Vec<[f32; 9]> = elements.floats(&mut context.budget, |v| v).expect("numbers");
    assert_eq!(found[1], [4.0, 0.0, 0.0, 5.0, 0.0, 0.0, 6.0, 0.0, 0.0]);
}

#[test]
fn what_reaches_past_its_view_or_names_what_is_not_there_is_an_error() {
    let changes: [(&str, serde_json::Value, ErrorKind); 6] = [
        ("count", json!(4), ErrorKind::OutOfRange),
        ("byteOffset", json!(1), ErrorKind::OutOfRange),
        ("byteOffset", json!(u64::MAX), ErrorKind::OutOfRange),
        ("bufferView", json!(9), ErrorKind::OutOfRange),
        ("componentType", json!(1), ErrorKind::Malformed),
        ("type", json!("VEC9"), ErrorKind::Malformed),
    ];
    for (member, value, kind) in changes {
        let mut b = Builder::new();
        b.triangle();
        b.json["accessors"][0][member] = value.clone();
        assert_eq!(b.refused().kind, kind, "{member} {value}");
    }
}

#[test]
fn a_buffer_cut_short_is_an_error_only_where_the_rest_is_needed() {
    let mut b = Builder::new();
    b.triangle();
    b.floats("VEC3", &[1.0; 3]);
    b.bytes.truncate(40);
    b.json["bufferViews"][1]["byteLength"] = json!(12);
    assert!(b.try_read().is_ok(), "nothing needs the second view");
    b.bytes.truncate(30);
    assert_eq!(b.refused().kind, ErrorKind::Truncated);
}

#[test]
fn a_missing_buffer_is_an_error_only_when_something_is_in_it() {
    let mut b = Builder::new();
    b.triangle();
    let mut json = b.json.clone();
    json["buffers"] = json!([{"byteLength": 36, "uri": "not there.bin"}]);
    let read = |json: &serde_json::Value| {
        let text = json.to_string();
        crate::Options::default().read_as(crate::Format::Gltf, text.as_bytes(), &crate::NoFiles)
    };
    assert_eq!(read(&json).expect_err("missing").kind, ErrorKind::Missing);
    json["meshes"] = json!([]);
    json["nodes"] = json!([]);
    assert!(read(&json).is_ok());
}
