//! Small files written by hand, worked out by hand.

mod follow;
mod made;

use glam::{Quat, Vec3};
use sinew_scene::{Interpolation, JointId, Property, SkinMethod};

use crate::testing::survives_damage;
use crate::{ErrorKind, Format, Imported, InMemory, NoFiles, Options};

/// Two bones, a strip of four points that they bend, a rotation of the second bone and a shape.
/// Metres, Y up, three seconds; one second is 46186158000 ticks. The lower bone is rotated by
/// 90° about a pivot at (0, 1, 0); the upper one sits at (0, 1, 0) in it.
pub(super) const ARM: &str = include_str!("arm.fbx.txt");

pub(super) fn read(text: &str) -> Imported {
    Options::default().read_as(Format::Fbx, text.as_bytes(), &NoFiles).expect("a good file")
}

fn joint(imported: &Imported, name: &str) -> JointId {
    imported.scene.skeleton().find(name).expect(name)
}

#[test]
fn a_pivot_moves_the_bone_that_turns_about_it() {
    let imported = read(ARM);
    let lower = &imported.scene.skeleton().node(joint(&imported, "Lower")).rest;
    // (0,0,0) lies at (0,-1,0) from the pivot; a quarter circle takes that to (1,0,0).
    assert!(lower.translation.abs_diff_eq(Vec3::new(1.0, 1.0, 0.0), 1e-6), "{lower:?}");
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    assert!(lower.rotation.abs_diff_eq(quarter, 1e-6), "{lower:?}");
}

#[test]
fn a_polygon_becomes_triangles_and_its_texture_is_the_right_way_up() {
    let imported = read(ARM);
    let primitive = &imported.scene.meshes[0].primitives[0];
    assert_eq!(primitive.positions.len(), 4);
    assert_eq!(primitive.indices.len(), 6);
    let top = primitive.positions.iter().position(|at| at.y == 2.0).expect("a point at the top");
    assert_eq!(primitive.uvs[0][top].y, 0.0);
}

#[test]
fn a_point_without_a_bone_has_no_influences_and_half_a_weight_is_made_whole() {
    let imported = read(ARM);
    let primitive = &imported.scene.meshes[0].primitives[0];
    let at = |x: f32, y: f32| {
        let at = primitive.positions.iter().position(|&at| at == Vec3::new(x, y, 0.0));
        primitive.influences.of(at.expect("one of the four points"))
    };
    assert_eq!(at(0.0, 0.0)[0].joint, 0);
    assert_eq!((at(1.0, 2.0)[0].joint, at(1.0, 2.0)[0].weight), (1, 1.0));
    assert!(at(0.0, 2.0).is_empty());
    let skin = &imported.scene.skins[0];
    assert_eq!(skin.method, SkinMethod::Linear);
    // The upper bone was bound at (0, 1, 0).
    let bound = skin.joint_from_mesh[1].transform_point3(Vec3::new(1.0, 2.0, 0.0));
    assert!(bound.abs_diff_eq(Vec3::new(1.0, 1.0, 0.0), 1e-6), "{bound}");
}

#[test]
fn a_shape_keeps_its_difference_and_the_weight_it_was_saved_with() {
    let imported = read(ARM);
    let mesh = &imported.scene.meshes[0];
    assert_eq!(mesh.morph_names, ["Tall"]);
    assert_eq!(imported.scene.instances[0].weights, [0.25]);
    let moved: Vec<Vec3> = mesh.primitives[0].morphs[0].positions.clone();
    assert_eq!(moved.iter().filter(|&&by| by == 4.0 * Vec3::Y).count(), 1);
    assert_eq!(moved.iter().filter(|&&by| by == Vec3::ZERO).count(), 3);
}

#[test]
fn a_take_starts_where_the_file_says_and_two_turns_are_two_turns() {
    let imported = read(ARM);
    let clip = &imported.scene.clips[0];
    assert_eq!((&*clip.name, clip.start, clip.duration), ("Bend", 1.0, 2.0));
    let track = &clip.rotations[0];
    assert_eq!(track.joint, joint(&imported, "Upper"));
    // An even rotation about one axis needs a key for each part that is less than half a circle.
    assert_eq!(track.curve.interpolation(), Interpolation::Linear);
    assert!((7..=12).contains(&track.curve.times().len()), "{:?}", track.curve.times());
    let rotated: f32 =
        track.curve.values().windows(2).map(|pair| pair[0].angle_between(pair[1])).sum();
    assert!((rotated - 4.0 * std::f32::consts::PI).abs() < 1e-4, "rotated by {rotated}");
    let weights = &clip.weights[0].rows;
    assert_eq!(
        (weights.interpolation(), weights.values()),
        (Interpolation::Linear, &[0.0, 1.0][..])
    );
}

/// The same two seconds, four days into a take that begins at zero. In single precision a clock is
/// a thirtieth of a second coarse there.
#[test]
fn a_take_of_four_days_is_as_exact_as_its_two_seconds_of_motion() {
    let ticks = |seconds: u64| (seconds * 46_186_158_000).to_string();
    let text = ARM
        .replace(
            "\"LocalStart\", \"KTime\", \"Time\", \"\",46186158000",
            "\"LocalStart\", \"KTime\", \"Time\", \"\",0",
        )
        .replace("138558474000", &ticks(333_336))
        .replace("46186158000,", &format!("{},", ticks(333_334)));
    let imported = read(&text);
    let clip = &imported.scene.clips[0];
    assert_eq!((clip.start, clip.duration), (333_334.0, 2.0));
    let plain = &read(ARM).scene.clips[0];
    let (found, expected) = (&clip.rotations[0].curve, &plain.rotations[0].curve);
    assert_eq!(found.times().len(), expected.times().len());
    for (found, expected) in found.times().iter().zip(expected.times().iter()) {
        assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    }
    assert!(found.values().iter().zip(expected.values()).all(|(a, b)| a.abs_diff_eq(*b, 1e-6)));
    let note = "a take of 333336 s moves only from 333334.000 s to 333336.000 s; that is the clip";
    assert!(imported.notes.iter().any(|found| found.text == note), "{:?}", imported.notes);
}

/// A chain of nodes, each under the one before it.
fn nested(depth: usize, inherit: usize) -> String {
    let mut objects = String::new();
    let mut links = String::new();
    for node in 0..depth {
        objects += &format!(
            "Model: {}, \"Model::n\", \"LimbNode\" {{\nProperties70: {{\nP: \"InheritType\", \"enum\", \"\", \"\",{inherit}\nP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,1,0\n}}\n}}\n",
            1000 + node
        );
        let above = if node == 0 { 0 } else { 999 + node };
        links += &format!("C: \"OO\",{},{above}\n", 1000 + node);
    }
    format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {{\nFBXVersion: 7400\n}}\nObjects: {{\n{objects}}}\nConnections: {{\n{links}}}\n"
    )
}

#[test]
fn nodes_may_be_nested_ten_thousand_deep_and_not_without_end() {
    for inherit in [1, 2] {
        let imported = read(&nested(10_000, inherit));
        assert_eq!(imported.scene.skeleton().len(), 10_000);
    }
    let text = nested(20_010, 1);
    let error = Options::default().read_as(Format::Fbx, text.as_bytes(), &NoFiles);
    let error = error.expect_err("too deep");
    assert_eq!(error.to_string(), "its nodes are nested more than 20000 deep");
}

#[test]
fn what_stays_at_rest_has_no_track() {
    let imported = read(ARM);
    let clip = &imported.scene.clips[0];
    assert_eq!((clip.translations.len(), clip.rotations.len(), clip.scales.len()), (0, 1, 0));
}

#[test]
fn a_file_in_centimetres_with_z_up_comes_out_in_metres_with_y_up() {
    let text = ARM
        .replace(
            "\"UnitScaleFactor\", \"double\", \"Number\", \"\",100",
            "\"UnitScaleFactor\", \"double\", \"Number\", \"\",1",
        )
        .replace(
            "\"UpAxis\", \"int\", \"Integer\", \"\",1",
            "\"UpAxis\", \"int\", \"Integer\", \"\",2",
        )
        .replace(
            "\"FrontAxis\", \"int\", \"Integer\", \"\",2",
            "\"FrontAxis\", \"int\", \"Integer\", \"\",1",
        )
        .replace(
            "\"FrontAxisSign\", \"int\", \"Integer\", \"\",1",
            "\"FrontAxisSign\", \"int\", \"Integer\", \"\",-1",
        );
    let imported = read(&text);
    let positions = &imported.scene.meshes[0].primitives[0].positions;
    // (1, 2, 0) in centimetres: two to the back.
    let found = positions.iter().any(|at| at.abs_diff_eq(Vec3::new(0.01, 0.0, -0.02), 1e-7));
    assert!(found, "{positions:?}");
}

#[test]
fn a_cluster_without_a_node_is_left_out_with_a_note() {
    let imported = read(&ARM.replace("C: \"OO\",202,302", ""));
    assert_eq!(imported.scene.skins[0].joints.len(), 1);
    let reported = imported.notes.iter().any(|note| note.text.contains("a cluster has no node"));
    assert!(reported, "{:?}", imported.notes);
}

#[test]
fn a_geometric_transform_moves_the_mesh_and_not_the_node() {
    let text = ARM.replace(
        "Model: 200, \"Model::Strip\", \"Mesh\" {\n\t\tVersion: 232",
        "Model: 200, \"Model::Strip\", \"Mesh\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n\t\t\tP: \"GeometricTranslation\", \"Vector3D\", \"Vector\", \"\",5,0,0\n\t\t}",
    );
    let imported = read(&text);
    let skeleton = imported.scene.skeleton();
    assert_eq!(skeleton.node(joint(&imported, "Strip")).rest.translation, Vec3::ZERO);
    let holder = skeleton.node(imported.scene.instances[0].joint);
    assert_eq!((&*holder.name, holder.rest.translation), ("Strip (geometry)", 5.0 * Vec3::X));
    // The skin's matrix has the geometric transform in it: what the bone influences is moved too.
    let bound = imported.scene.skins[0].joint_from_mesh[0].transform_point3(Vec3::ZERO);
    assert!(bound.abs_diff_eq(5.0 * Vec3::X, 1e-6), "{bound}");
}

#[test]
fn a_hidden_node_is_listed_as_hidden() {
    let text = ARM.replace(
        "Model: 200, \"Model::Strip\", \"Mesh\" {\n\t\tVersion: 232",
        "Model: 200, \"Model::Strip\", \"Mesh\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n\t\t\tP: \"Visibility\", \"Visibility\", \"\", \"A\",0\n\t\t}",
    );
    let imported = read(&text);
    let property = Property::Visible(joint(&imported, "Strip"));
    let entry = imported.scene.properties.iter().find(|entry| entry.property == property);
    assert_eq!(entry.map(|entry| entry.rest[0]), Some(0.0));
}

/// The arm with more objects and connections.
fn with(objects: &str, links: &str) -> String {
    let text = ARM.replacen("Objects:  {\n", &format!("Objects:  {{\n{objects}"), 1);
    text.replacen("Connections:  {\n", &format!("Connections:  {{\n{links}"), 1)
}

#[test]
fn a_value_that_a_take_holds_has_a_track_only_where_it_is_not_the_rest() {
    let held = |y: f32| {
        let value = format!(
            "AnimationCurveNode: 410, \"AnimCurveNode::T\", \"\" {{\nProperties70: {{\nP: \"d|Y\", \"Number\", \"\", \"A\",{y}\n}}\n}}\n"
        );
        let links = "C: \"OO\",410,401\nC: \"OP\",410,202, \"Lcl Translation\"\n";
        read(&with(&value, links)).scene.clips[0].translations.clone()
    };
    assert_eq!(held(1.0), []);
    assert_eq!(held(3.0)[0].curve.values(), [Vec3::new(0.0, 3.0, 0.0)]);
}

#[test]
fn a_shape_in_between_rises_to_its_weight_and_falls_again() {
    let text = with(
        "Geometry: 102, \"Geometry::half\", \"Shape\" {\nIndexes: *1 {\na: 2\n}\nVertices: *3 {\na: 1,0,0\n}\n}\n",
        "C: \"OO\",102,304\n",
    );
    let text =
        text.replace("FullWeights: *1 {\n\t\t\ta: 100", "FullWeights: *2 {\n\t\t\ta: 40,100");
    let imported = read(&text);
    let mesh = &imported.scene.meshes[0];
    assert_eq!(mesh.morph_names, ["Tall (half)", "Tall (tall)"]);
    // Saved at 25 of 100: five eighths of the way to the shape at 40.
    assert_eq!(imported.scene.instances[0].weights, [0.625, 0.0]);
    let rows = &imported.scene.clips[0].weights[0].rows;
    assert_eq!(rows.interpolation(), Interpolation::Linear);
    let near = |found: &[f32], wanted: &[f32]| {
        found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5)
    };
    assert!(near(rows.times(), &[0.0, 0.8, 2.0]), "{:?}", rows.times());
    assert!(near(rows.values(), &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]), "{:?}", rows.values());
}

#[test]
fn a_node_that_is_hidden_half_way_is_hidden_from_there() {
    let text = with(
        "AnimationCurveNode: 410, \"AnimCurveNode::V\", \"\" {\nProperties70: {\nP: \"d|Visibility\", \"Number\", \"\", \"A\",1\n}\n}\nAnimationCurve: 411, \"AnimCurve::\", \"\" {\nKeyTime: *2 {\na: 46186158000,92372316000\n}\nKeyValueFloat: *2 {\na: 1,0\n}\nKeyAttrFlags: *1 {\na: 2\n}\nKeyAttrDataFloat: *4 {\na: 0,0,0,0\n}\nKeyAttrRefCount: *1 {\na: 2\n}\n}\n",
        "C: \"OO\",410,401\nC: \"OP\",410,200, \"Visibility\"\nC: \"OP\",411,410, \"d|Visibility\"\n",
    );
    let imported = read(&text);
    let track = &imported.scene.clips[0].properties[0];
    let driven = imported.scene.properties[track.property.index()];
    assert_eq!(driven.property, Property::Visible(joint(&imported, "Strip")));
    assert_eq!((driven.rest[0], track.rows.values()), (1.0, &[1.0, 0.0][..]));
    assert_eq!(&track.rows.times()[..], [0.0, 1.0]);
}

/// A material with a texture that names an image on somebody's disk.
fn painted() -> String {
    let objects = "Objects:  {\n\tMaterial: 500, \"Material::red\", \"\" {\n\t\tShadingModel: \"lambert\"\n\t\tProperties70:  {\n\t\t\tP: \"DiffuseColor\", \"Color\", \"\", \"A\",0.5,0.25,1\n\t\t\tP: \"DiffuseFactor\", \"Number\", \"\", \"A\",0.5\n\t\t}\n\t}\n\tTexture: 501, \"Texture::paint\", \"\" {\n\t\tType: \"TextureVideoClip\"\n\t\tFileName: \"C:\\\\Users\\\\me\\\\paint.png\"\n\t\tRelativeFilename: \"..\\\\..\\\\paint.png\"\n\t}\n";
    let text = ARM.replacen("Objects:  {\n", objects, 1);
    text.replace(
        "\tC: \"OO\",200,0",
        "\tC: \"OO\",500,200\n\tC: \"OP\",501,500, \"DiffuseColor\"\n\tC: \"OO\",200,0",
    )
}

#[test]
fn a_image_named_by_a_strange_path_is_found_beside_the_file() {
    let mut files = InMemory::default();
    files.files.insert("paint.png".into(), b"\x89PNG....".to_vec());
    let text = painted();
    let imported = Options::default().read_as(Format::Fbx, text.as_bytes(), &files).expect("good");
    let material = &imported.scene.materials[0];
    assert_eq!(material.base_color.x, 0.5, "the image replaces the colour, the factor stays");
    assert!(material.base_color_texture.is_some());
    assert!(material.double_sided, "backs are shown: no FBX file asks to leave them out");
    let found = matches!(
        &imported.scene.images[0].data,
        sinew_scene::ImageData::Encoded { media_type, .. } if media_type == "image/png"
    );
    assert!(found, "{:?}", imported.scene.images);
}

#[test]
fn an_image_that_is_not_there_is_a_note() {
    let imported = read(&painted());
    assert_eq!(imported.scene.images[0].data, sinew_scene::ImageData::Missing);
    let reported =
        imported.notes.iter().any(|note| note.text.starts_with("not found: \"paint.png\"; looked"));
    assert!(reported, "{:?}", imported.notes);
}

#[test]
fn any_prefix_and_any_damage_is_an_error_or_a_scene() {
    survives_damage(Format::Fbx, painted().as_bytes(), &NoFiles);
}

#[test]
fn a_file_that_is_none_is_refused_in_one_sentence() {
    let read = |bytes: &[u8]| Options::default().read_as(Format::Fbx, bytes, &NoFiles);
    let error = read(b"").expect_err("empty");
    assert_eq!(error.kind, ErrorKind::Truncated, "{error}");
    let mut binary = b"Kaydara FBX Binary  \x00\x1a\x00\xe8\x1c\x00\x00".to_vec();
    binary.extend_from_slice(&[0xff, 0xff, 0xff, 0x7f, 1, 0, 0, 0]);
    let error = read(&binary).expect_err("cut off");
    assert_eq!(error.kind, ErrorKind::Truncated, "{error}");
    assert!(error.to_string().starts_with("the file ends after 35 bytes"), "{error}");
}
