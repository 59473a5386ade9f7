//! Skins and morphs.

use glam::Vec3;
use sinew_scene::JointId;

use super::*;

const TRIANGLE: &str = "0 0 0  1 0 0  0 1 0";

fn triangle(id: &str) -> String {
    let part = format!(
        "<triangles><input semantic=\"VERTEX\" source=\"#{id}-v\"/><p>0 1 2</p></triangles>"
    );
    geometry(id, TRIANGLE, &part)
}

/// A skin over `source` with two joints, `a` and `b`, and these counts and pairs.
fn skin(source: &str, joints: &str, counts: &str, pairs: &str) -> String {
    format!(
        "<controller id=\"skin\"><skin source=\"#{source}\">\
         <bind_shape_matrix>1 0 0 10 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>{joints}{}{}\
         <joints><input semantic=\"JOINT\" source=\"#j\"/><input semantic=\"INV_BIND_MATRIX\" source=\"#m\"/></joints>\
         <vertex_weights count=\"3\"><input semantic=\"JOINT\" source=\"#j\" offset=\"0\"/>\
         <input semantic=\"WEIGHT\" source=\"#w\" offset=\"1\"/><vcount>{counts}</vcount><v>{pairs}</v>\
         </vertex_weights></skin></controller>",
        floats("m", 16, "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1  1 0 0 0 0 1 0 -5 0 0 1 0 0 0 0 1"),
        floats("w", 1, "1 0.25 0.5"),
    )
}

const NODES: &str = "<node name=\"rig\"><node id=\"left\" name=\"ja\" sid=\"a\"><node name=\"jb\" sid=\"b\"/></node></node>\
    <node id=\"right\" name=\"ka\" sid=\"a\"><node name=\"kb\" sid=\"b\"/></node>\
    <node name=\"body\"><instance_controller url=\"#skin\"><skeleton>#right</skeleton></instance_controller></node>";

fn file(controllers: &str, nodes: &str) -> String {
    format!(
        "<library_geometries>{}{}</library_geometries><library_controllers>{controllers}\
         </library_controllers>{}",
        triangle("g"),
        geometry("fat", "0 0 0  3 0 0  0 3 0", ""),
        shown(nodes)
    )
}

fn joint_names(imported: &Imported) -> Vec<&str> {
    let skeleton = imported.scene.skeleton();
    imported.scene.skins[0].joints.iter().map(|joint| skeleton.node(*joint).name.as_str()).collect()
}

#[test]
fn joints_are_found_by_scoped_id_below_the_skeletons_root() {
    let imported = open(&file(&skin("g", &names("j", "a b"), "1 2 1", "0 0 0 1 1 2 1 0"), NODES));
    assert_eq!(joint_names(&imported), ["ka", "kb"]);
    let skin = &imported.scene.skins[0];
    close(skin.joint_from_mesh[1], translate(10.0, -5.0, 0.0), 1e-6);
    let influences = &imported.scene.meshes[0].primitives[0].influences;
    assert_eq!(influences.of(0).len(), 1);
    let weights: Vec<f32> = influences.of(1).iter().map(|influence| influence.weight).collect();
    assert!((weights[0] - 1.0 / 3.0).abs() < 1e-6 && (weights[1] - 2.0 / 3.0).abs() < 1e-6);
    assert!(notes(&imported).contains("did not sum to one"));
    assert_eq!(imported.scene.instances[0].skin.map(|skin| skin.index()), Some(0));
}

#[test]
fn without_a_root_joints_are_found_anywhere_by_scoped_id_id_or_name() {
    let nodes = NODES.replace("<skeleton>#right</skeleton>", "");
    let joints = names("j", "left kb");
    let imported = open(&file(&skin("g", &joints, "1 1 1", "0 0 1 0 1 0"), &nodes));
    assert_eq!(joint_names(&imported), ["ja", "kb"]);
}

#[test]
fn joints_may_be_ids() {
    let joints = names("j", "left right").replace("Name_array", "IDREF_array");
    let imported = open(&file(&skin("g", &joints, "1 1 1", "0 0 1 0 1 0"), NODES));
    assert_eq!(joint_names(&imported), ["ja", "ka"]);
}

#[test]
fn a_name_with_a_space_is_one_joint() {
    let nodes = NODES.replace("sid=\"b\"", "sid=\"b c\"");
    let joints = names("j", "a b c").replace("count=\"3\"", "count=\"2\"");
    let imported = open(&file(&skin("g", &joints, "1 1 1", "0 0 1 0 1 0"), &nodes));
    assert_eq!(joint_names(&imported)[..2], ["ka", "kb"]);
}

#[test]
fn joint_minus_one_and_vertices_without_weights_stay_with_the_node() {
    let imported = open(&file(&skin("g", &names("j", "a b"), "1 0 1", "-1 0 0 0"), NODES));
    assert_eq!(joint_names(&imported), ["ka", "kb", "body"]);
    let influences = &imported.scene.meshes[0].primitives[0].influences;
    let joints: Vec<u32> = influences.iter().map(|of_vertex| of_vertex[0].joint).collect();
    assert_eq!(joints, [2, 2, 0]);
    close(imported.scene.skins[0].joint_from_mesh[2], translate(10.0, 0.0, 0.0), 1e-6);
}

#[test]
fn a_joint_that_is_not_there_is_a_note() {
    let imported = open(&file(&skin("g", &names("j", "a gone"), "1 1 1", "0 0 1 0 7 0"), NODES));
    assert_eq!(joint_names(&imported)[..2], ["ka", "body"]);
    assert!(notes(&imported).contains("\"gone\" is not in the scene"));
    assert!(notes(&imported).contains("1 weight of joints that are not there"));
}

fn morph(method: &str, source: &str) -> String {
    format!(
        "<controller id=\"morph\"><morph method=\"{method}\" source=\"#{source}\">{}{}<targets>\
         <input semantic=\"MORPH_TARGET\" source=\"#mt\"/><input semantic=\"MORPH_WEIGHT\" source=\"#mw\"/>\
         </targets></morph></controller>",
        names("mt", "fat gone").replace("Name_array", "IDREF_array"),
        floats("mw", 1, "0.5 0"),
    )
}

#[test]
fn a_normalized_target_is_a_shape_and_a_relative_one_a_difference() {
    for (method, expected) in [("NORMALIZED", 2.0), ("RELATIVE", 3.0)] {
        let nodes = NODES.replace("#skin", "#morph");
        let imported = open(&file(&morph(method, "g"), &nodes));
        let mesh = &imported.scene.meshes[0];
        assert_eq!(mesh.morph_names, ["fat", "gone"]);
        assert_eq!(mesh.primitives[0].morphs[0].positions[1], Vec3::X * expected);
        assert_eq!(imported.scene.instances[0].weights, [0.5, 0.0]);
    }
}

#[test]
fn a_skin_may_lie_over_a_morph_and_a_morph_over_a_skin() {
    let over =
        skin("morph", &names("j", "a b"), "1 1 1", "0 0 0 0 1 0") + &morph("NORMALIZED", "g");
    let under =
        skin("g", &names("j", "a b"), "1 1 1", "0 0 0 0 1 0") + &morph("NORMALIZED", "skin");
    for (controllers, top) in [(over, "#skin"), (under, "#morph")] {
        let imported = open(&file(&controllers, &NODES.replace("#skin", top)));
        let primitive = &imported.scene.meshes[0].primitives[0];
        assert_eq!((primitive.influences.len(), primitive.morphs.len()), (3, 2));
        assert_eq!(imported.scene.skins[0].joints[0], JointId::new(3));
    }
}

#[test]
fn morph_weights_are_driven_through_their_source_or_its_array() {
    for target in ["mw(0)", "mw-array(0)"] {
        let clip = animation("w", target, "0 2", 1, "0 1", "LINEAR");
        let nodes = NODES.replace("#skin", "#morph");
        let imported = open(&(file(&morph("NORMALIZED", "g"), &nodes) + &animations(&[clip])));
        let track = &imported.scene.clips[0].weights[0];
        assert_eq!((track.rows.width(), track.rows.row(1)), (2, &[1.0, 0.0][..]));
    }
}

#[test]
fn one_controller_with_two_skeletons_is_one_mesh_with_two_skins() {
    let second = "<node name=\"other\"><instance_controller url=\"#skin\"><skeleton>#left</skeleton>\
        </instance_controller></node>";
    let nodes = format!("{NODES}{second}");
    let imported = open(&file(&skin("g", &names("j", "a b"), "1 1 1", "0 0 0 0 1 0"), &nodes));
    let scene = &imported.scene;
    assert_eq!((scene.meshes.len(), scene.skins.len(), scene.instances.len()), (1, 2, 2));
}
