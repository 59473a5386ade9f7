//! Meshes: what is read, mended and refused.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use serde_json::json;
use sinew_scene::{Influence, Topology};

use crate::gltf::testing::{Builder, U8, U16, U32, plain, rigged};
use crate::{ErrorKind, NoFiles, Options};

fn primitive(b: &mut Builder) -> &mut serde_json::Value {
    &mut b.json["meshes"][0]["primitives"][0]
}

#[test]
fn indices_of_every_size_are_read_and_without_any_vertices_are_taken_in_order() {
    let cases: [(u32, &[u8]); 3] = [
        (U8, &[2, 1, 0]),
        (U16, &[2, 0, 1, 0, 0, 0]),
        (U32, &[2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
    ];
    for (code, bytes) in cases {
        let mut b = Builder::new();
        b.triangle();
        assert_eq!(b.read().scene.meshes[0].primitives[0].indices, [0, 1, 2]);
        let indices = b.accessor(bytes, code, "SCALAR", 3);
        primitive(&mut b)["indices"] = json!(indices);
        assert_eq!(b.read().scene.meshes[0].primitives[0].indices, [2, 1, 0]);
    }
}

#[test]
fn variants_are_read_and_mappings_that_point_nowhere_are_noted() {
    let mut b = Builder::new();
    b.triangle();
    b.json["materials"] = json!([{ "name": "day" }, { "name": "night" }]);
    b.json["extensionsUsed"] = json!(["KHR_materials_variants"]);
    b.json["extensions"] =
        json!({ "KHR_materials_variants": { "variants": [{ "name": "dark" }, {}] } });
    primitive(&mut b)["material"] = json!(0);
    let mappings = json!([
        { "material": 1, "variants": [0] },
        { "material": 0, "variants": [0, 1] },
        { "material": 7, "variants": [1] },
        { "material": 1, "variants": [2] },
    ]);
    primitive(&mut b)["extensions"] = json!({ "KHR_materials_variants": { "mappings": mappings } });
    let read = b.read();
    assert_eq!(read.scene.variants, ["dark", "variant 1"]);
    let found = &read.scene.meshes[0].primitives[0];
    let material =
        |name: &str| found.material_in(read.scene.find_variant(name)).map(|id| id.index());
    assert_eq!(found.material_in(None).map(|id| id.index()), Some(0));
    assert_eq!([material("dark"), material("variant 1")], [Some(1), Some(0)]);
    let notes: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes.iter().filter(|note| note.contains("variant")).count(), 3, "{notes:?}");
}

#[test]
fn an_index_past_the_vertices_is_an_error() {
    for index in [3, 0xfe] {
        let mut b = Builder::new();
        b.triangle();
        let indices = b.accessor(&[0, 1, index], U8, "SCALAR", 3);
        primitive(&mut b)["indices"] = json!(indices);
        let error = b.refused();
        assert_eq!(error.kind, ErrorKind::OutOfRange);
        assert!(error.message.contains(&format!("found {index} at entry 2")), "{error}");
    }
}

#[test]
fn every_mode_becomes_points_lines_or_triangles() {
    use Topology::{Lines, Points, Triangles};
    let expected: [(Topology, &[u32]); 7] = [
        (Points, &[0, 1, 2]),
        (Lines, &[0, 1]),
        (Lines, &[0, 1, 1, 2, 2, 0]),
        (Lines, &[0, 1, 1, 2]),
        (Triangles, &[0, 1, 2]),
        (Triangles, &[0, 1, 2]),
        (Triangles, &[1, 2, 0]),
    ];
    for (mode, (topology, indices)) in expected.into_iter().enumerate() {
        let mut b = Builder::new();
        b.triangle();
        primitive(&mut b)["mode"] = json!(mode);
        let scene = b.read().scene;
        let found = &scene.meshes[0].primitives[0];
        assert_eq!((found.topology, &found.indices[..]), (topology, indices), "mode {mode}");
    }
    let mut b = Builder::new();
    b.triangle();
    primitive(&mut b)["mode"] = json!(7);
    assert_eq!(b.refused().kind, ErrorKind::Malformed);
}

#[test]
fn attributes_whose_counts_disagree_are_an_error() {
    for name in ["NORMAL", "TEXCOORD_0", "COLOR_0"] {
        let mut b = Builder::new();
        b.triangle();
        let short = b.floats(if name == "TEXCOORD_0" { "VEC2" } else { "VEC3" }, &[0.0; 6]);
        primitive(&mut b)["attributes"][name] = json!(short);
        let count = b.json["accessors"][short]["count"].clone();
        if count == 3 {
            b.json["accessors"][short]["count"] = json!(2);
        }
        let error = b.refused();
        assert!(error.message.contains("expected 3 entries of"), "{error}");
    }
}

#[test]
fn a_primitive_without_positions_is_left_out_with_a_note() {
    let mut b = Builder::new();
    b.triangle();
    primitive(&mut b)["attributes"] = json!({});
    let imported = b.read();
    assert!(imported.scene.meshes[0].primitives.is_empty());
    assert!(imported.notes.iter().any(|note| note.text.contains("no positions")));
}

#[test]
fn a_position_that_is_no_number_is_an_error_with_its_entry() {
    let mut b = Builder::new();
    b.triangle();
    b.bytes[16..20].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let error = b.refused();
    assert!(error.message.contains("at entry 1"), "{error}");
    assert_eq!(error.place.to_string(), "accessors[0]");
}

#[test]
fn long_normals_are_made_units_and_texture_coordinates_that_are_no_numbers_are_replaced() {
    let mut b = Builder::new();
    b.triangle();
    let normals = b.floats("VEC3", &[0.0, 2.0, 0.0].repeat(3));
    let uvs = b.floats("VEC2", &[0.5, f32::NAN, 0.5, 0.5, 0.5, 0.5]);
    primitive(&mut b)["attributes"]["NORMAL"] = json!(normals);
    primitive(&mut b)["attributes"]["TEXCOORD_0"] = json!(uvs);
    let imported = b.read();
    let primitive = &imported.scene.meshes[0].primitives[0];
    assert_eq!(primitive.normals, [Vec3::Y; 3]);
    assert_eq!(primitive.uvs[0][..2], [Vec2::ZERO, Vec2::splat(0.5)]);
    assert!(imported.notes.iter().any(|note| note.text.contains("they are replaced")));
}

#[test]
fn colours_with_three_parts_are_opaque_and_whole_numbers_are_parts_of_one() {
    let mut b = Builder::new();
    b.triangle();
    let colors = b.accessor(&[255, 0, 51, 0].repeat(3), U8, "VEC3", 3);
    b.json["bufferViews"][1]["byteStride"] = json!(4);
    primitive(&mut b)["attributes"]["COLOR_0"] = json!(colors);
    let imported = b.read();
    let found = imported.scene.meshes[0].primitives[0].colors[0][0];
    assert!(found.abs_diff_eq(Vec4::new(1.0, 0.0, 0.2, 1.0), 1e-6), "{found}");
    assert!(imported.notes.iter().any(|note| note.text.contains("not marked as normalised")));
}

#[test]
fn a_gap_between_sets_of_texture_coordinates_stays_empty_and_unknown_attributes_are_ignored() {
    let mut b = Builder::new();
    b.triangle();
    let uvs = b.floats("VEC2", &[0.5; 6]);
    primitive(&mut b)["attributes"]["TEXCOORD_1"] = json!(uvs);
    primitive(&mut b)["attributes"]["TEXCOORD_99999999"] = json!(uvs);
    primitive(&mut b)["attributes"]["_CUSTOM"] = json!(12345);
    let imported = b.read();
    let found = &imported.scene.meshes[0].primitives[0].uvs;
    assert_eq!(found[..], [vec![], vec![Vec2::splat(0.5); 3]]);
    assert_eq!(imported.notes.iter().filter(|note| note.text.contains("sets of")).count(), 1);
}

#[test]
fn a_primitive_with_fewer_morph_targets_than_its_sisters_gets_ones_that_move_nothing() {
    let mut b = rigged();
    let first = b.json["meshes"][0]["primitives"][0].clone();
    let mut second = first.clone();
    second["targets"] = json!([]);
    b.json["meshes"][0]["primitives"] = json!([first, second]);
    let imported = b.read();
    assert!(imported.scene.meshes[0].primitives[1].morphs[0].positions.is_empty());
    assert!(imported.notes.iter().any(|note| note.text.contains("different numbers of morph")));
}

#[test]
fn a_node_s_own_morph_weights_come_before_the_mesh_s() {
    let mut b = rigged();
    b.json["nodes"][0]["weights"] = json!([0.75]);
    assert_eq!(b.read().scene.instances[0].weights, [0.75]);
    b.json["nodes"][0]["weights"] = json!([0.75, 1.0]);
    assert_eq!(b.read().scene.instances[0].weights, [0.75]);
    assert!(b.notes()[0].contains("not as many morph weights"));
}

#[test]
fn weights_beyond_four_and_in_whole_numbers_all_count() {
    let mut b = rigged();
    let joints = b.accessor(&[1, 0, 0, 0].repeat(6), U8, "VEC4", 6);
    // 0x3333 is a fifth of 0xffff; the first vertex has all of joint 0 in its first set.
    let weights = b.shorts("VEC4", &[0x3333, 0, 0, 0].repeat(6));
    b.json["accessors"][weights]["normalized"] = json!(true);
    primitive(&mut b)["attributes"]["JOINTS_1"] = json!(joints);
    primitive(&mut b)["attributes"]["WEIGHTS_1"] = json!(weights);
    let imported = b.read();
    let influences = imported.scene.meshes[0].primitives[0].influences.of(0).to_vec();
    let expected = [(0, 1.0 / 1.2), (1, 0.2 / 1.2)];
    for (found, (joint, weight)) in influences.iter().zip(expected) {
        assert_eq!(found.joint, joint);
        assert!((found.weight - weight).abs() < 1e-6, "{found:?}");
    }
    assert!(imported.notes.iter().any(|note| note.text.contains("do not sum to one")));
}

#[test]
fn weights_in_bytes_that_are_not_marked_as_normalised_mean_the_same() {
    for normalized in [true, false] {
        let mut b = rigged();
        let weights = b.accessor(&[51, 204, 0, 0].repeat(6), U8, "VEC4", 6);
        b.json["accessors"][weights]["normalized"] = json!(normalized);
        primitive(&mut b)["attributes"]["WEIGHTS_0"] = json!(weights);
        let imported = b.read();
        assert!(imported.notes.is_empty());
        let influences = imported.scene.meshes[0].primitives[0].influences.of(0).to_vec();
        assert_eq!(influences[0], Influence { joint: 0, weight: 0.2 });
    }
}

#[test]
fn a_vertex_whose_weights_are_all_zero_has_no_influences_and_is_reported() {
    let mut b = rigged();
    let weights = b.floats("VEC4", &[0.0; 24]);
    primitive(&mut b)["attributes"]["WEIGHTS_0"] = json!(weights);
    let imported = b.read();
    let influences = &imported.scene.meshes[0].primitives[0].influences;
    assert_eq!((influences.len(), influences.all().len()), (6, 0));
    assert!(imported.notes.iter().any(|note| note.text.contains("have no weights")));
}

/// Many meshes over one set of accessors, whose vertices take no bytes of the file.
fn sharing(meshes: usize, vertices: usize) -> Builder {
    let mut b = Builder::new();
    let zeros = json!({"componentType": 5126, "type": "VEC3", "count": vertices});
    let positions = b.push("accessors", zeros);
    for at in 0..meshes {
        b.push("materials", json!({}));
        b.push(
            "meshes",
            json!({"primitives": [{"attributes": {"POSITION": positions}, "material": at}]}),
        );
    }
    b
}

#[test]
fn meshes_that_share_accessors_are_charged_for_them_once() {
    // 16 bytes a vertex with its index: 58 MB in all, where a file of this size may take 32.
    let scene = sharing(60, 60_000).read().scene;
    let last = &scene.meshes[59].primitives[0];
    assert_eq!((last.positions.len(), last.indices.len()), (60_000, 60_000));
    assert_eq!(last.material.map(|id| id.index()), Some(59));
    // Copies are bounded too: 24 MB a mesh.
    assert_eq!(sharing(60, 1_500_000).refused().kind, ErrorKind::TooLarge);
}

#[test]
fn meshes_over_the_same_accessors_share_one_geometry() {
    let scene = sharing(3, 300).read().scene;
    let geometry = |mesh: usize| &scene.meshes[mesh].primitives[0].geometry;
    assert!((1..3).all(|mesh| Arc::ptr_eq(geometry(0), geometry(mesh))));
    assert_eq!(Arc::strong_count(geometry(0)), 3);
}

#[test]
fn a_shape_in_two_meshes_keeps_the_morph_targets_that_each_has() {
    let mut b = Builder::new();
    b.triangle();
    let shared = primitive(&mut b).clone();
    let mut morphed = shared.clone();
    morphed["targets"] = json!([{"POSITION": 0}]);
    b.json["meshes"][0]["primitives"] = json!([shared, morphed]);
    b.push("meshes", json!({"primitives": [shared]}));
    let scene = b.read().scene;
    let counts = |mesh: usize| -> Vec<usize> {
        scene.meshes[mesh].primitives.iter().map(|primitive| primitive.morphs.len()).collect()
    };
    assert_eq!((counts(0), counts(1)), (vec![1, 1], vec![0]));
}

#[test]
fn without_surfaces_what_moves_is_the_same_and_what_is_drawn_is_only_looked_for() {
    let file = rigged();
    let options = Options { surfaces: false, ..plain() };
    let bare = options.read(&file.gltf(), &NoFiles).expect("a good file").scene;
    let whole = file.read().scene;
    let [found, expected] = [&bare, &whole].map(|scene| &scene.meshes[0].primitives[0]);
    assert_eq!(found.positions, expected.positions);
    assert_eq!(found.influences, expected.influences);
    assert_eq!(found.morphs[0].positions, expected.morphs[0].positions);
    assert_eq!((bare.clips.len(), &bare.clips), (1, &whole.clips));
    assert!(!expected.indices.is_empty() && found.indices.is_empty());
    // A list that is too short is an error all the same.
    let mut broken = rigged();
    let short = broken.floats("VEC3", &[0.0, 0.0, 1.0]);
    broken.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = short.into();
    let error = options.read(&broken.gltf(), &NoFiles).map(|_| ()).expect_err("too few normals");
    assert!(error.to_string().contains("NORMAL"), "{error}");
}

#[test]
fn weights_of_many_vertices_are_read_piece_by_piece() {
    const COUNT: usize = 5_000;
    let mut b = rigged();
    let positions = b.floats("VEC3", &[0.0; 3 * COUNT]);
    let joints: Vec<u8> =
        (0..COUNT).flat_map(|at| [(at % 2) as u8, (1 - at % 2) as u8, 0, 0]).collect();
    let joints = b.accessor(&joints, U8, "VEC4", COUNT);
    let share = |at: usize| (at % 97) as u8;
    let weights: Vec<u8> = (0..COUNT).flat_map(|at| [255 - share(at), share(at), 0, 0]).collect();
    let weights = b.accessor(&weights, U8, "VEC4", COUNT);
    *primitive(&mut b) = json!({"attributes":
        {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights}});
    b.json["meshes"][0]["weights"] = json!([]);
    b.json["animations"] = json!([]);
    let scene = b.read().scene;
    let influences = &scene.meshes[0].primitives[0].influences;
    assert_eq!(influences.len(), COUNT);
    for at in [0, 1, 2_047, 2_048, 2_049, 4_095, 4_096, 4_999] {
        let [own, other] = [255 - share(at), share(at)].map(|byte| f32::from(byte) / 255.0);
        let expected = [((at % 2) as u32, own), ((1 - at % 2) as u32, other)];
        let found = influences.of(at);
        assert_eq!(found.len(), if share(at) > 0 { 2 } else { 1 }, "{at}");
        for (found, (joint, weight)) in found.iter().zip(expected) {
            assert!(
                found.joint == joint && (found.weight - weight).abs() < 1e-6,
                "{at}: {found:?}"
            );
        }
    }
}
