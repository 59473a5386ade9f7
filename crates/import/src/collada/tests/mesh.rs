//! Primitives, inputs and instances.

use glam::{Vec2, Vec3, Vec4};
use sinew_scene::{Primitive, Topology};

use super::*;

const SQUARE: &str = "0 0 0  1 0 0  1 1 0  0 1 0";

/// The primitives of a square with this inside its mesh, shown by a node.
fn square(inside: &str) -> Vec<Primitive> {
    let library = geometry("g", SQUARE, inside);
    let node = shown("<node name=\"n\"><instance_geometry url=\"#g\"/></node>");
    let imported = open(&format!("<library_geometries>{library}</library_geometries>{node}"));
    imported.scene.meshes.first().map(|mesh| mesh.primitives.clone()).unwrap_or_default()
}

const VERTEX: &str = "<input semantic=\"VERTEX\" source=\"#g-v\" offset=\"0\"/>";

fn indices_of(kind: &str, lists: &str) -> Vec<u32> {
    let all = square(&format!("<{kind} count=\"1\">{VERTEX}{lists}</{kind}>"));
    assert_eq!(all.len(), 1, "{kind}");
    // By position, since vertices are numbered as they are met.
    let rows = |index: &u32| {
        let at = all[0].positions[*index as usize];
        [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y].iter().position(|p| *p == at)
    };
    all[0].indices.iter().map(|index| rows(index).expect("a corner") as u32).collect()
}

#[test]
fn every_kind_of_primitive_gives_its_triangles() {
    assert_eq!(indices_of("triangles", "<p>0 1 2 0 2 3</p>"), [0, 1, 2, 0, 2, 3]);
    assert_eq!(indices_of("polylist", "<vcount>4</vcount><p>0 1 2 3</p>"), [0, 1, 2, 0, 2, 3]);
    assert_eq!(
        indices_of("polylist", "<vcount>3 3</vcount><p>0 1 2 0 2 3</p>"),
        [0, 1, 2, 0, 2, 3]
    );
    assert_eq!(indices_of("polygons", "<p>0 1 2</p><p>0 1 2 3</p>"), [0, 1, 2, 0, 1, 2, 0, 2, 3]);
    assert_eq!(indices_of("tristrips", "<p>0 1 3 2</p><p>0 1 2</p>"), [0, 1, 3, 3, 1, 2, 0, 1, 2]);
    assert_eq!(indices_of("trifans", "<p>0 1 2 3</p>"), [0, 1, 2, 0, 2, 3]);
}

#[test]
fn lines_are_lines() {
    assert_eq!(indices_of("lines", "<p>0 1 2 3</p>"), [0, 1, 2, 3]);
    assert_eq!(indices_of("linestrips", "<p>0 1 2</p>"), [0, 1, 1, 2]);
    let all = square(&format!("<lines>{VERTEX}<p>0 1</p></lines>"));
    assert_eq!(all[0].topology, Topology::Lines);
}

#[test]
fn a_polygon_with_a_hole_leaves_it_open() {
    let positions = "0 0 0  4 0 0  4 4 0  0 4 0  1 1 0  1 3 0  3 3 0  3 1 0";
    let inside = format!("<polygons>{VERTEX}<ph><p>0 1 2 3</p><h>4 5 6 7</h></ph></polygons>");
    let library = geometry("g", positions, &inside);
    let node = shown("<node><instance_geometry url=\"#g\"/></node>");
    let imported = open(&format!("<library_geometries>{library}</library_geometries>{node}"));
    let primitive = &imported.scene.meshes[0].primitives[0];
    let area: f32 = primitive
        .indices
        .chunks_exact(3)
        .map(|t| [t[0], t[1], t[2]].map(|index| primitive.positions[index as usize]))
        .map(|[a, b, c]| (b - a).cross(c - a).z / 2.0)
        .sum();
    assert!((area - 12.0).abs() < 1e-5, "{area}");
}

#[test]
fn corners_are_split_where_any_index_differs_and_shared_where_none_does() {
    let inside = format!(
        "{}{}{}<triangles count=\"2\">{VERTEX}\
         <input semantic=\"NORMAL\" source=\"#n\" offset=\"1\"/>\
         <input semantic=\"TEXCOORD\" source=\"#t\" offset=\"1\" set=\"1\"/>\
         <input semantic=\"TEXCOORD\" source=\"#t0\" offset=\"0\" set=\"0\"/>\
         <p>0 0 1 0 2 0  0 0 2 0 3 1</p></triangles>",
        floats("n", 3, "0 0 2  0 5 0"),
        floats("t", 2, "0.25 0.25  0.5 1"),
        floats("t0", 2, "0 0 1 0 1 1 0 1"),
    );
    let primitive = &square(&inside)[0];
    assert_eq!(primitive.positions.len(), 4);
    assert_eq!(primitive.indices, [0, 1, 2, 0, 2, 3]);
    assert_eq!(primitive.normals, [Vec3::Z, Vec3::Z, Vec3::Z, Vec3::Y]);
    // Sets in the order of their numbers; v runs down.
    assert_eq!(primitive.uvs[0][2], Vec2::new(1.0, 0.0));
    assert_eq!(primitive.uvs[1][3], Vec2::new(0.5, 0.0));
}

#[test]
fn what_lies_inside_vertices_shares_their_index() {
    let library = format!(
        "<geometry id=\"g\"><mesh>{}{}{}<vertices id=\"v\">\
         <input semantic=\"POSITION\" source=\"#p\"/><input semantic=\"NORMAL\" source=\"#n\"/>\
         <input semantic=\"COLOR\" source=\"#c\"/></vertices>\
         <triangles><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>2 1 0</p></triangles>\
         </mesh></geometry>",
        floats("p", 3, "0 0 0 1 0 0 0 1 0"),
        floats("n", 3, "1 0 0 0 1 0 0 0 1"),
        floats("c", 3, "0 0 0 1 1 1 0.5 0.5 0.5"),
    );
    let node = shown("<node><instance_geometry url=\"#g\"/></node>");
    let imported = open(&format!("<library_geometries>{library}</library_geometries>{node}"));
    let primitive = &imported.scene.meshes[0].primitives[0];
    assert_eq!(primitive.normals, [Vec3::Z, Vec3::Y, Vec3::X]);
    assert!(primitive.colors[0][0].abs_diff_eq(Vec4::new(0.214, 0.214, 0.214, 1.0), 1e-3));
}

#[test]
fn unnamed_parameters_are_skipped_where_others_have_names() {
    let library = "<geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"12\">\
        9 0 0 0  9 1 0 0  9 0 1 0</float_array><technique_common>\
        <accessor source=\"#a\" count=\"3\" stride=\"4\"><param type=\"float\"/><param name=\"X\"/>\
        <param name=\"Y\"/><param name=\"Z\"/></accessor></technique_common></source>\
        <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\
        <triangles><input semantic=\"VERTEX\" source=\"#v\"/><p>0 1 2</p></triangles></mesh></geometry>";
    let node = shown("<node><instance_geometry url=\"#g\"/></node>");
    let imported = open(&format!("<library_geometries>{library}</library_geometries>{node}"));
    assert_eq!(imported.scene.meshes[0].primitives[0].positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
}

#[test]
fn parameters_without_a_stride_are_a_row() {
    let library =
        geometry("g", "0 0 0 1 0 0 0 1 0", &format!("<triangles>{VERTEX}<p>0 1 2</p></triangles>"));
    let library = library.replace(
        " stride=\"3\"/>",
        "><param name=\"X\"/><param name=\"Y\"/><param name=\"Z\"/></accessor>",
    );
    let node = shown("<node><instance_geometry url=\"#g\"/></node>");
    let imported = open(&format!("<library_geometries>{library}</library_geometries>{node}"));
    assert_eq!(imported.scene.meshes[0].primitives[0].positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
}

#[test]
fn a_file_in_centimetres_and_z_up_stands_up_in_metres() {
    let library = geometry(
        "g",
        "0 0 100  100 0 0  0 100 0",
        &format!("<triangles>{VERTEX}<p>0 1 2</p></triangles>"),
    );
    let text = document(&format!(
        "<library_geometries>{library}</library_geometries>{}",
        shown("<node><instance_geometry url=\"#g\"/></node>")
    ));
    let text = text.replace("meter=\"1\"", "meter=\"0.01\"").replace("Y_UP", "Z_UP");
    let scene = read(&text).expect("a good file").scene;
    let positions = &scene.meshes[0].primitives[0].positions;
    assert!(positions[0].abs_diff_eq(Vec3::Y, 1e-6) && positions[2].abs_diff_eq(Vec3::NEG_Z, 1e-6));
    let x_up = read(&text.replace("Z_UP", "X_UP")).expect("a good file").scene;
    assert!(x_up.meshes[0].primitives[0].positions[1].abs_diff_eq(Vec3::Y, 1e-6));
}

#[test]
fn nodes_are_instanced_with_their_own_transforms_and_not_into_themselves() {
    let imported = open(&format!(
        "<library_nodes><node id=\"lib\" name=\"inner\"><translate>0 2 0</translate>\
         <instance_node url=\"#lib\"/></node></library_nodes>{}",
        shown(
            "<node name=\"one\"><translate>1 0 0</translate><instance_node url=\"#lib\"/></node>\
             <node name=\"two\"><translate>5 0 0</translate><instance_node url=\"#lib\"/>\
             <instance_node url=\"#gone\"/></node>"
        )
    ));
    close(world(&imported.scene, None, "inner"), translate(1.0, 2.0, 0.0), 1e-6);
    assert_eq!(imported.scene.skeleton().len(), 4);
    assert!(notes(&imported).contains("holds itself") && notes(&imported).contains("#gone"));
}

#[test]
fn meshes_that_number_their_sources_alike_have_their_own() {
    let part = |last: usize| format!("<triangles>{VERTEX}<p>0 1 {last}</p></triangles>");
    let small = geometry("g", "0 0 0 1 0 0 0 1 0", &part(2));
    let large = geometry("g", "0 0 5 1 0 5 0 1 5 7 7 5", &part(3));
    let large = large.replace("<geometry id=\"g\"", "<geometry id=\"h\"");
    let node = |url: &str| format!("<node><instance_geometry url=\"#{url}\"/></node>");
    let imported = open(&format!(
        "<library_geometries>{small}{large}</library_geometries>{}",
        shown(&(node("g") + &node("h")))
    ));
    let last = |mesh: usize| imported.scene.meshes[mesh].primitives[0].positions[2];
    assert_eq!((last(0), last(1)), (Vec3::Y, Vec3::new(7.0, 7.0, 5.0)));
    assert!(notes(&imported).contains("\"g-p\" is used twice; the nearer or the first counts"));
}
