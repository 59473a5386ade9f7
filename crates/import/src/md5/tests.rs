//! Small files with hand-worked numbers. Sinew's space: file (x, y, z) is (x, z, -y).

use glam::{Affine3A, Quat, Vec3};
use sinew_scene::{ImageData, JointId};

use crate::testing::survives_damage;
use crate::{ErrorKind, Format, ImportError, Imported, InMemory, NoFiles, read};

/// An arm along the file's x: "upper" at the origin, "lower" two units on, rotated by a quarter
/// about z: imaginary parts (0, 0, -√½), real part -√½, which is the same rotation as (0, 0, √½, √½).
const MESH: &str = r#"MD5Version 10 // by hand
commandline "mesh "a" b"

numJoints 2
numMeshes 1
joints {
    "upper arm" -1 ( 0 0 0 ) ( 0 0 0 ) // no parent
    "lower.骨" 0 ( 2 0 0 ) ( 0 0 -0.70710678 ) // upper arm
}
mesh {
    /* meshes: arm */
    shader "models/arm"
    numverts 3
    vert 0 ( 0 0.25 ) 0 1
    vert 1 ( 1 0 ) 1 2
    vert 2 ( 0 1 ) 3 1
    numtris 1
    tri 0 0 1 2
    numweights 4
    weight 0 0 1.0 ( 1 0 0 )
    weight 1 0 0.25 ( 3 1 0 )
    weight 2 1 0.75 ( 1 -1 0 )
    weight 3 1 1 ( 0 0 0 )
}
"#;

/// The upper arm moves along y, the lower one rotates about z; the rest is the base pose.
const ANIM: &str = r#"MD5Version 10
commandline ""
numFrames 2
numJoints 2
frameRate 4
numAnimatedComponents 2
hierarchy {
    "upper arm" -1 2 0 //
    "lower.骨" 0 32 1 // upper arm
}
bounds { ( 0 0 0 ) ( 1 1 1 ) ( 0 0 0 ) ( 1 1 1 ) }
baseframe { ( 5 6 7 ) ( 0 0 0 ) ( 2 0 0 ) ( 0 0 0 ) }
frame 0 { 7 0 }
frame 1 { 8 -1 }
"#;

fn good(text: &str) -> Imported {
    read(text.as_bytes(), &NoFiles).expect("a good file")
}

fn bad(text: &str) -> ImportError {
    read(text.as_bytes(), &NoFiles).expect_err("a bad file")
}

fn near(found: Vec3, expected: Vec3) {
    assert!(found.abs_diff_eq(expected, 1e-6), "{found} is not {expected}");
}

#[test]
fn a_vertex_is_where_its_weights_put_it() {
    let imported = good(MESH);
    assert_eq!(imported.format, Format::Md5Mesh);
    let primitive = &imported.scene.meshes[0].primitives[0];
    near(primitive.positions[0], Vec3::new(1.0, 0.0, 0.0));
    // From the lower arm: (1, -1, 0) rotated a quarter about z is (1, 1, 0), and two on (3, 1, 0).
    near(primitive.positions[1], Vec3::new(3.0, 0.0, -1.0));
    near(primitive.positions[2], Vec3::new(2.0, 0.0, 0.0));
    let influences: Vec<_> = primitive
        .influences
        .of(1)
        .iter()
        .map(|influence| (influence.joint, influence.weight))
        .collect();
    assert_eq!(influences, [(0, 0.25), (1, 0.75)]);
    assert_eq!(primitive.indices, [0, 2, 1]);
    assert_eq!(primitive.uvs[0][0].y, 0.25);
}

#[test]
fn joints_are_relative_to_their_parents_and_their_binding_undoes_them() {
    let imported = good(MESH);
    let nodes = imported.scene.skeleton().nodes();
    assert_eq!((nodes[0].name.as_str(), nodes[1].name.as_str()), ("upper arm", "lower.骨"));
    near(nodes[1].rest.translation, Vec3::new(2.0, 0.0, 0.0));
    // The file's z is Sinew's y.
    let quarter = Quat::from_rotation_y(90_f32.to_radians());
    assert!(nodes[1].rest.rotation.dot(quarter).abs() > 1.0 - 1e-6, "{:?}", nodes[1].rest);
    let back = imported.scene.skins[0].joint_from_mesh[1];
    near(back.transform_point3(Vec3::new(2.0, 0.0, 0.0)), Vec3::ZERO);
    near(back.transform_point3(Vec3::new(3.0, 0.0, -1.0)), Vec3::new(1.0, 0.0, 1.0));
}

#[test]
fn a_motion_is_a_skeleton_and_a_clip() {
    let imported = good(ANIM);
    assert_eq!((imported.format, imported.notes.len()), (Format::Md5Anim, 0));
    let clip = &imported.scene.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration), ("anim", 0.25));
    near(imported.scene.skeleton().nodes()[0].rest.translation, Vec3::new(5.0, 7.0, -6.0));
    let translations = clip.translations[0].curve.values();
    near(translations[0], Vec3::new(5.0, 7.0, -7.0));
    near(translations[1], Vec3::new(5.0, 7.0, -8.0));
    assert_eq!(clip.translations[1].curve.values(), [Vec3::new(2.0, 0.0, 0.0)]);
    let rotations = clip.rotations[1].curve.values();
    assert_eq!((rotations.len(), clip.rotations[0].curve.values().len()), (2, 1));
    // Imaginary part -1 leaves no real part: half a circle.
    near(rotations[1] * Vec3::X, Vec3::NEG_X);
}

#[test]
fn a_motion_is_named_after_its_file() {
    let files = InMemory { own_name: Some("walk.cycle.md5anim".into()), ..InMemory::default() };
    let imported = read(ANIM.as_bytes(), &files).expect("a good file");
    assert_eq!(imported.scene.clips[0].name, "walk.cycle");
}

#[test]
fn a_parent_may_come_after_its_child() {
    let text = MESH
        .replace("\"upper arm\" -1 ( 0 0 0 )", "\"upper arm\" 1 ( 2 0 0 )")
        .replace("\"lower.骨\" 0 ( 2 0 0 )", "\"lower.骨\" -1 ( 0 0 0 )");
    let imported = good(&text);
    let nodes = imported.scene.skeleton().nodes();
    assert_eq!(nodes[0].name, "lower.骨");
    // Two along x, seen from a frame rotated a quarter about the file's z: two along its -y.
    near(nodes[1].rest.translation, Vec3::new(0.0, 0.0, 2.0));
    let skin = &imported.scene.skins[0];
    assert_eq!(skin.joints[..2], [JointId::new(1), JointId::new(0)]);
}

/// Where a vertex is when every node is where `world_from_node` says.
fn skinned(imported: &Imported, vertex: usize, world_from_node: &[Affine3A]) -> Vec3 {
    let primitive = &imported.scene.meshes[0].primitives[0];
    let skin = &imported.scene.skins[0];
    let terms = primitive.influences.of(vertex).iter().map(|influence| {
        let entry = influence.joint as usize;
        let world_from_mesh =
            world_from_node[skin.joints[entry].index()] * skin.joint_from_mesh[entry];
        world_from_mesh.transform_point3(primitive.positions[vertex]) * influence.weight
    });
    terms.sum()
}

fn said(imported: &Imported, text: &str) {
    let found = imported.notes.iter().any(|note| note.text == text);
    assert!(found, "{text:?} is not in {:?}", imported.notes);
}

/// The upper arm is four up. Half of (1, 4, 0), once and a half, and nothing of it; wherever the
/// whole model is.
#[test]
fn weights_that_do_not_sum_to_one_are_added_up_as_filed() {
    for (weight, expected) in [
        ("0.5", Vec3::new(0.5, 2.0, 0.0)),
        ("1.5", Vec3::new(1.5, 6.0, 0.0)),
        ("-1", Vec3::new(-1.0, -4.0, 0.0)),
        ("0", Vec3::ZERO),
    ] {
        let imported = good(&MESH.replace("weight 0 0 1.0", &format!("weight 0 0 {weight}")));
        assert_eq!(imported.scene.skeleton().nodes()[2].name, "model origin");
        let far = Affine3A::from_translation(Vec3::new(100.0, 0.0, 0.0));
        let raised = far * Affine3A::from_translation(4.0 * Vec3::Y);
        near(skinned(&imported, 0, &[raised, far, far]) - 100.0 * Vec3::X, expected);
        let influences = imported.scene.meshes[0].primitives[0].influences.of(0);
        let sum: f32 = influences.iter().map(|influence| influence.weight).sum();
        assert_eq!(sum, 1.0);
    }
    let imported = good(&MESH.replace("weight 0 0 1.0", "weight 0 0 0.5"));
    said(&imported, "1 vertex has weights that do not sum to one: they are added up as filed");
}

#[test]
fn a_vertex_without_weights_stays_at_the_origin() {
    let imported = good(&MESH.replace("vert 0 ( 0 0.25 ) 0 1", "vert 0 ( 0 0.25 ) 0 0"));
    let moved = Affine3A::from_translation(Vec3::ONE);
    assert_eq!(skinned(&imported, 0, &[moved, moved, Affine3A::IDENTITY]), Vec3::ZERO);
    assert_eq!(imported.scene.meshes[0].primitives[0].influences.of(0).len(), 1);
    said(&imported, "1 vertex has no weight: at the model's origin in every pose");
}

/// The lower arm's point is half a unit higher than the upper arm's. With the lower arm rotated by
/// half a circle about the file's z it goes to (1, 1, 0.5): a quarter of (3, 1, 0) and three of
/// these make (1.5, 1, 0.375).
#[test]
fn points_that_do_not_fall_together_are_each_kept() {
    let imported = good(&MESH.replace("0.75 ( 1 -1 0 )", "0.75 ( 1 -1 0.5 )"));
    let half = Quat::from_rotation_y(180_f32.to_radians());
    let lower = Affine3A::from_rotation_translation(half, 2.0 * Vec3::X);
    near(skinned(&imported, 1, &[Affine3A::IDENTITY, lower]), Vec3::new(1.5, 0.375, -1.0));
    said(&imported, "1 vertex has weights whose points do not fall together: each keeps its own");
    let skin = &imported.scene.skins[0];
    assert_eq!(skin.joints.iter().map(|joint| joint.index()).collect::<Vec<_>>(), [0, 1, 0]);
}

#[test]
fn points_and_sums_that_are_off_by_rounding_alone_need_nothing_more() {
    let text = MESH.replace("0.75 ( 1 -1 0 )", "0.750001 ( 1.000003 -1 0 )");
    let imported = good(&text);
    assert_eq!((imported.scene.skins[0].joints.len(), imported.notes.len()), (2, 1));
    near(imported.scene.meshes[0].primitives[0].positions[1], Vec3::new(3.0, 0.0, -1.000_002));
}

#[test]
fn what_follows_the_last_frame_or_mesh_is_left_out_with_a_note() {
    for tail in ["}\n", "end of file", "frame 2 { 7", "frame 2 { 1 2 3 }", "frame x"] {
        let imported = good(&format!("{ANIM}{tail}"));
        let whole = good(ANIM);
        assert_eq!(imported.scene.clips, whole.scene.clips, "{tail}");
        let note = &imported.notes[0].text;
        assert!(note.starts_with("the file goes on after the last frame, with "), "{note}");
    }
    let imported = good(&format!("{MESH} }}"));
    said(&imported, "the file goes on after the last mesh, with \"}\": that is left out");
    let error = bad(&ANIM.replace("frame 1 { 8 -1 }", "oops"));
    assert_eq!(
        error.to_string(),
        "expected hierarchy, baseframe or frame, found \"oops\" (line 14)"
    );
}

#[test]
fn a_image_is_found_by_the_shaders_base_name() {
    // One black pixel: no name, no palette, kind 2, twelve bytes on the size 1 x 1 and 24 bits.
    let tga = [&[0, 0, 2][..], &[0; 9], &[1, 0, 1, 0, 24, 0], &[0; 3]].concat();
    let mut files = InMemory::default();
    files.files.insert("arm_d.png".into(), b"\x89PNG".to_vec());
    files.files.insert("arm_local.tga".into(), tga);
    let imported = read(MESH.as_bytes(), &files).expect("a good file");
    let scene = &imported.scene;
    assert_eq!((scene.images.len(), imported.notes.len()), (2, 0));
    assert_eq!(scene.images[0].name, "arm_d.png");
    assert!(matches!(&scene.images[1].data,
        ImageData::Encoded { media_type, .. } if media_type == "image/x-tga"));
    assert!(scene.materials[0].normal_texture.is_some());
}

#[test]
fn an_image_that_is_not_there_is_reported() {
    let imported = good(MESH);
    assert_eq!(imported.scene.images[0].data, ImageData::Missing);
    assert!(imported.notes[0].text.starts_with("not found: \"models/arm\"; looked for in"));
}

#[test]
fn indices_out_of_range_are_refused_with_their_line() {
    for (from, to, message) in [
        ("weight 3 1 1", "weight 3 9 1", "expected a joint below 2, found 9 (mesh 0)"),
        (
            "weight 3 1",
            "weight 4294967295 1",
            "expected a weight number below 4, found 4294967295 (line 23)",
        ),
        (
            "tri 0 0 1 2",
            "tri 0 0 1 3",
            "expected a vertex of a triangle below 3, found 3 (line 18)",
        ),
        (
            "vert 2 ( 0 1 ) 3 1",
            "vert 2 ( 0 1 ) 3 2",
            "expected weights up to 4, found up to 5 (mesh 0)",
        ),
        ("tri 0 0", "tri -1 0", "expected a triangle number below 1, found -1 (line 18)"),
    ] {
        let error = bad(&MESH.replace(from, to));
        assert_eq!((error.kind, error.to_string().as_str()), (ErrorKind::OutOfRange, message));
    }
    let error = bad(&ANIM.replace("0 32 1 //", "0 32 2 //"));
    assert_eq!(error.to_string(), "expected numbers up to 2 in a frame, found 3 (joint lower.骨)");
    let error = bad(&MESH.replace("\"upper arm\" -1", "\"upper arm\" 1"));
    assert_eq!(error.kind, ErrorKind::OutOfRange);
}

#[test]
fn another_version_is_refused_by_number() {
    let error = bad(&MESH.replace("MD5Version 10", "MD5Version 6"));
    assert_eq!(error.to_string(), "expected MD5 version 10, found 6 (line 1)");
}

#[test]
fn a_file_that_states_no_version_is_read_with_a_note() {
    for (text, own_name) in [(MESH, "arm.md5mesh"), (ANIM, "arm.md5anim")] {
        let (_, rest) = text.split_once('\n').expect("a first line");
        let files = InMemory { own_name: Some(own_name.into()), ..InMemory::default() };
        let imported = read(rest.as_bytes(), &files).expect("a scene");
        let note = imported.notes[0].to_string();
        assert_eq!(note, "the file states no MD5 version: read as version 10 (line 1)");
    }
}

#[test]
fn frames_that_are_not_there_repeat_the_last_one() {
    let imported = good(&ANIM.replace("frame 1 {", "frame 2 {"));
    assert_eq!(imported.scene.clips[0].duration, 0.5);
    assert_eq!(imported.scene.clips[0].translations[0].curve.values()[1].z, -7.0);
    assert_eq!(imported.notes.len(), 2, "{:?}", imported.notes);
    let far = ANIM.replace("frame 1 {", "frame 99999999999 {");
    assert_eq!(bad(&far).kind, ErrorKind::TooLarge);
}

#[test]
fn no_frames_make_an_empty_clip() {
    let (head, _) = ANIM.split_once("frame 0").expect("frames");
    let imported = good(&head.replace("numFrames 2", "numFrames 0"));
    assert_eq!((imported.scene.clips.len(), imported.scene.clips[0].track_count()), (1, 0));
}

#[test]
fn a_count_that_no_file_could_hold_is_refused() {
    assert_eq!(bad(&MESH.replace("numverts 3", "numverts 3000000000")).kind, ErrorKind::Truncated);
}

#[test]
fn damaged_files_are_survived() {
    survives_damage(Format::Md5Mesh, MESH.as_bytes(), &NoFiles);
    survives_damage(Format::Md5Anim, ANIM.as_bytes(), &NoFiles);
}
