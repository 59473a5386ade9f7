//! Bad input: an error with a line, or a note, never more.

use super::*;
use crate::testing::survives_damage;
use crate::{ErrorKind, Place};

/// A skin over a morph, with an animated skeleton and weights.
fn whole() -> String {
    let part = "<polylist count=\"1\"><input semantic=\"VERTEX\" source=\"#g-v\" offset=\"0\"/>\
        <vcount>4</vcount><p>0 1 2 3</p></polylist>";
    format!(
        "<library_geometries>{}{}</library_geometries><library_controllers>\
         <controller id=\"mo\"><morph source=\"#g\">{}{}<targets><input semantic=\"MORPH_TARGET\" \
         source=\"#mt\"/><input semantic=\"MORPH_WEIGHT\" source=\"#mw\"/></targets></morph></controller>\
         <controller id=\"sk\"><skin source=\"#mo\">{}{}{}<joints><input semantic=\"JOINT\" source=\"#j\"/>\
         <input semantic=\"INV_BIND_MATRIX\" source=\"#m\"/></joints><vertex_weights><input semantic=\"JOINT\" \
         source=\"#j\" offset=\"0\"/><input semantic=\"WEIGHT\" source=\"#w\" offset=\"1\"/><vcount>1 1 2 1\
         </vcount><v>0 0 0 0 0 1 1 1 1 0</v></vertex_weights></skin></controller></library_controllers>{}{}",
        geometry("g", "0 0 0 1 0 0 1 1 0 0 1 0", part),
        geometry("h", "0 0 0 2 0 0 2 2 0 0 2 0", ""),
        names("mt", "h"),
        floats("mw", 1, "0.5"),
        names("j", "a b"),
        floats("m", 16, "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"),
        floats("w", 1, "1 0.5"),
        shown(
            "<node id=\"ra\" sid=\"a\"><translate sid=\"t\">0 0 0</translate><rotate sid=\"r\">0 0 1 0</rotate>\
             <node id=\"rb\" sid=\"b\"><matrix sid=\"m\">1 0 0 0 0 1 0 1 0 0 1 0 0 0 0 1</matrix></node></node>\
             <node><instance_controller url=\"#sk\"><skeleton>#ra</skeleton></instance_controller></node>"
        ),
        animations(&[
            animation("x", "ra/t.X", "0 1 2", 1, "0 1 0", "LINEAR"),
            animation("y", "ra/r.ANGLE", "0 1", 1, "0 400", "LINEAR"),
            animation("z", "mw(0)", "0 1", 1, "0 1", "STEP"),
            animation("q", "rb/m(3)(1)", "0 2", 1, "1 2", "LINEAR"),
        ])
    )
}

#[test]
fn damage_is_an_error_or_a_scene() {
    let text = document(&whole());
    let scene = read(&text).expect("a good file").scene;
    assert_eq!((scene.skins.len(), scene.clips[0].track_count()), (1, 4));
    survives_damage(Format::Collada, text.as_bytes(), &NoFiles);
}

fn fails(body: &str) -> ImportError {
    read(&document(body)).expect_err("a bad file")
}

fn with_part(positions: &str, part: &str) -> String {
    let library = geometry("g", positions, part);
    format!(
        "<library_geometries>\n{library}</library_geometries>{}",
        shown("<node><instance_geometry url=\"#g\"/></node>")
    )
}

const VERTEX: &str = "<input semantic=\"VERTEX\" source=\"#g-v\" offset=\"0\"/>";

#[test]
fn errors_name_the_line() {
    let error =
        fails(&with_part("0 0 0", &format!("\n\n<triangles>{VERTEX}<p>0 0 7</p></triangles>")));
    assert_eq!((error.kind, &error.place), (ErrorKind::OutOfRange, &Place::Line(7)));
    assert!(error.message.contains("found 7"), "{error}");
    let part = format!("<triangles>{VERTEX}<p>0 0 0</p></triangles>");
    let error = fails(&with_part("0 zero 0", &part));
    assert_eq!(error.place, Place::Line(5));
    assert!(error.message.contains("zero"), "{error}");
}

#[test]
fn what_is_cut_short_says_so() {
    let error = read("<COLLADA><a>").expect_err("cut");
    assert_eq!(error.kind, ErrorKind::Truncated);
    let part = format!("<polylist>{VERTEX}<vcount>3 2000000000</vcount><p>0 0 0</p></polylist>");
    assert_eq!(fails(&with_part("0 0 0", &part)).kind, ErrorKind::Truncated);
    let part = format!("<polylist>{VERTEX}<vcount>-3</vcount><p>0 0 0</p></polylist>");
    assert_eq!(fails(&with_part("0 0 0", &part)).kind, ErrorKind::Malformed);
}

#[test]
fn entities_are_refused() {
    let bomb = "<!DOCTYPE c [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><COLLADA>&b;</COLLADA>";
    assert_eq!(read(bomb).expect_err("a bomb").kind, ErrorKind::Unsupported);
}

#[test]
fn another_document_is_not_collada() {
    let error = read("<html/>").expect_err("another document");
    assert!(error.message.contains("<html>"), "{error}");
}

#[test]
fn depth_is_no_danger() {
    let deep = format!("{}{}", "<node>".repeat(30_000), "</node>".repeat(30_000));
    assert_eq!(open(&shown(&deep)).scene.skeleton().len(), 30_000);
}

#[test]
fn instances_of_instances_do_not_fill_the_memory() {
    let mut library = String::from("<node id=\"n0\"/>");
    for level in 1..40 {
        let below = level - 1;
        library += &format!(
            "<node id=\"n{level}\"><instance_node url=\"#n{below}\"/><instance_node url=\"#n{below}\"/></node>"
        );
    }
    let nodes = shown("<node><instance_node url=\"#n39\"/></node>");
    let error = fails(&format!("<library_nodes>{library}</library_nodes>{nodes}"));
    assert_eq!(error.kind, ErrorKind::TooLarge);
}

#[test]
fn empty_elements_and_missing_references_are_no_errors() {
    let imported = open(&format!(
        "<library_geometries><geometry id=\"e\"/><geometry id=\"f\"><mesh><source id=\"s\"/><vertices id=\"v\"/>\
         <triangles/><polylist><input semantic=\"VERTEX\" source=\"#v\"/></polylist></mesh></geometry>\
         </library_geometries><library_controllers><controller id=\"c\"/><controller id=\"d\"><skin/></controller>\
         <controller id=\"m\"><morph source=\"#m\"/></controller></library_controllers><library_animations>\
         <animation><channel/><sampler/></animation></library_animations>{}",
        shown(
            "<node><matrix/><translate>1</translate><instance_geometry url=\"#e\"/><instance_geometry url=\"#f\"/>\
             <instance_geometry/><instance_controller url=\"#c\"/><instance_controller url=\"#d\"/>\
             <instance_controller url=\"#m\"/><instance_light url=\"#x\"/><instance_camera/></node>"
        )
    ));
    assert_eq!((imported.scene.skeleton().len(), imported.scene.meshes.len()), (1, 0));
    assert!(!imported.notes.is_empty());
}

#[test]
fn numbers_that_are_not_finite_are_zero_with_a_note() {
    let part = format!("<triangles>{VERTEX}<p>0 1 2</p></triangles>");
    let imported = open(&with_part("NaN 1 0  1 INF 0  0 0 1", &part));
    assert_eq!(imported.scene.meshes[0].primitives[0].positions[0], Vec3::Y);
    assert!(notes(&imported).contains("not finite"));
}

#[test]
fn the_first_of_two_equal_ids_counts_and_kinds_do_not_mix() {
    let part = format!("<triangles>{VERTEX}<p>0 1 2</p></triangles>");
    let twice = format!(
        "<library_geometries>{}<geometry id=\"g\"/></library_geometries>{}",
        geometry("g", "0 0 0 1 0 0 0 1 0", &part),
        shown("<node id=\"g\"><instance_geometry url=\"#g\"/></node>")
    );
    let imported = open(&twice);
    assert_eq!(imported.scene.meshes.len(), 1);
    assert!(notes(&imported).contains("\"g\" is used twice"));
}

#[test]
fn a_clip_without_length_and_a_single_key_hold_still() {
    let nodes = "<node id=\"n\" name=\"n\"><translate sid=\"t\">0 0 0</translate></node>";
    let clips = "<library_animation_clips><animation_clip name=\"c\" start=\"5\" end=\"2\">\
        <instance_animation url=\"#a\"/></animation_clip></library_animation_clips>";
    let all = animations(&[animation("a", "n/t.X", "1", 1, "3", "BEZIER")]);
    let imported = open(&(shown(nodes) + &all + clips));
    let clip = &imported.scene.clips[0];
    assert_eq!((clip.start, clip.duration), (5.0, 0.0));
    close(world(&imported.scene, Some((clip, 0.0)), "n"), translate(3.0, 0.0, 0.0), 1e-6);
}

#[test]
fn wild_angles_make_no_endless_keys() {
    let nodes = "<node id=\"n\"><rotate sid=\"r\">0 0 1 0</rotate></node>";
    let all = animations(&[animation("a", "n/r.ANGLE", "0 1 2", 1, "0 1e30 -1e30", "LINEAR")]);
    let clip = &open(&(shown(nodes) + &all)).scene.clips[0];
    assert!(clip.key_count() < 20_000, "{}", clip.key_count());
}

#[test]
fn what_an_older_and_longer_file_left_behind_the_end_is_left_out_with_a_note() {
    let part = format!("<triangles>{VERTEX}<p>0 1 2</p></triangles>");
    let library = geometry("g", "0 0 0 1 0 0 0 1 0", &part);
    let node = shown("<node><instance_geometry url=\"#g\"/></node>");
    let whole = document(&format!("<library_geometries>{library}</library_geometries>{node}"));
    let imported =
        read(&format!("{whole}\0\0\0ance_geometry/></node>\n</COLLADA>\n")).expect("a scene");
    assert_eq!(imported.scene.meshes.len(), 1);
    assert!(notes(&imported).contains("goes on after its outermost element"));
}
