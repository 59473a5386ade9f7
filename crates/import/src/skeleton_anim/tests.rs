//! Small files made by code, with hand-worked numbers.

use glam::{Affine3A, Mat4, Quat, Vec3};
use sinew_scene::{JointId, Scene};

use crate::testing::survives_damage;
use crate::{ErrorKind, Format, Imported, InMemory, NoFiles, Options, attach, read};

/// Writes what the course's programs write.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }
    fn number(self, number: u16) -> Self {
        self.bytes(&number.to_le_bytes())
    }
    fn name(self, name: &str) -> Self {
        self.number(name.len() as u16).bytes(name.as_bytes())
    }
    fn floats(self, floats: &[f32]) -> Self {
        floats.iter().fold(self, |file, float| file.bytes(&float.to_le_bytes()))
    }
    fn matrices(self, matrices: &[Mat4]) -> Self {
        matrices.iter().fold(self, |file, matrix| file.floats(&matrix.to_cols_array()))
    }
}

fn up(metres: f32) -> Mat4 {
    Mat4::from_translation(Vec3::new(0.0, metres, 0.0))
}

/// Rotated towards X, as the course's image has it.
fn rotated(degrees: f32) -> Mat4 {
    Mat4::from_rotation_z(-degrees.to_radians())
}

/// The course's own skeleton, a bone longer: each is two up in its parent. In the second of
/// three frames the first is rotated by 30 degrees and the second by 60 more.
fn layout_a() -> Vec<u8> {
    let still = [Mat4::IDENTITY; 3];
    let bent = [rotated(30.0), rotated(60.0), Mat4::IDENTITY];
    let file = Writer::default().bytes(b"skeleton_anim").number(3);
    let file = file.name("Bone").name("Bone.001").name("骨");
    let file = file.number(1).number(1).number(1).number(2).number(0);
    let file = file.matrices(&[Mat4::IDENTITY, up(2.0), up(2.0)]).number(3);
    file.matrices(&still).matrices(&bent).matrices(&still).0
}

/// Two bones of one name; in the second of two frames one lifts the mesh by 5, the other by 1.
fn layout_b(rate: u16) -> Vec<u8> {
    let file = Writer::default().bytes(b"skeleton_anim").name("Take 001");
    let file = file.number(2).number(rate).number(2).name("b").name("b");
    file.matrices(&[Mat4::IDENTITY; 2]).matrices(&[up(5.0), up(1.0)]).0
}

const CORNERS: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

fn mesh(head: &[u8]) -> Vec<u8> {
    let mut file = Writer::default().bytes(head).number(3).number(3);
    for corner in CORNERS {
        file = file.floats(&corner.to_array()).floats(&[1.0, 1.0, 1.0, 1.0, 0.25, 0.75]);
    }
    file.number(0).number(1).number(2).0
}

fn named_mesh() -> Vec<u8> {
    let mut head = b"Mesh".to_vec();
    head.extend(b"arm\0left over");
    head.resize(36, 0);
    mesh(&head)
}

/// One vertex on bone 0, one on bone 1, one half on each with a percent lost, as exporters lose it.
fn weights() -> Vec<u8> {
    let none = 255;
    let rows = [
        [0, none, none, none, 100, none, none, none],
        [1, none, none, none, 100, 0, 0, 0],
        [0, 1, none, none, 33, 66, 0, 0],
    ];
    [b"weight".to_vec(), rows.concat()].concat()
}

fn beside() -> InMemory {
    InMemory {
        files: [("arm.weight".to_owned(), weights())].into(),
        own_name: Some("arm.mesh".into()),
    }
}

fn good(bytes: &[u8]) -> Imported {
    read(bytes, &NoFiles).expect("a good file")
}

/// Where every node is at a key of the first clip.
fn at_key(scene: &Scene, key: usize) -> Vec<Affine3A> {
    let mut model: Vec<Affine3A> = Vec::new();
    for (id, node) in scene.skeleton().nodes().iter().enumerate() {
        let mut local = node.rest;
        let pick = |count: usize| key.min(count - 1);
        for track in scene.clips[0].translations.iter().filter(|t| t.joint.index() == id) {
            local.translation = track.curve.values()[pick(track.curve.values().len())];
        }
        for track in scene.clips[0].rotations.iter().filter(|t| t.joint.index() == id) {
            local.rotation = track.curve.values()[pick(track.curve.values().len())];
        }
        for track in scene.clips[0].scales.iter().filter(|t| t.joint.index() == id) {
            local.scale = track.curve.values()[pick(track.curve.values().len())];
        }
        let parent = node.parent.map_or(Affine3A::IDENTITY, |p| model[p.index()]);
        model.push(parent * local.to_affine());
    }
    model
}

fn near(found: Vec3, expected: Vec3) {
    assert!(found.abs_diff_eq(expected, 1e-6), "{found} is not {expected}");
}

/// Where a vertex of the first mesh is at a key.
fn skinned(scene: &Scene, vertex: usize, key: usize) -> Vec3 {
    let model = at_key(scene, key);
    let skin = &scene.skins[0];
    let primitive = &scene.meshes[0].primitives[0];
    let influences = primitive.influences.of(vertex).iter();
    influences
        .map(|influence| {
            let at = influence.joint as usize;
            let matrix = model[skin.joints[at].index()] * skin.joint_from_mesh[at];
            influence.weight * matrix.transform_point3(primitive.positions[vertex])
        })
        .sum()
}

#[test]
fn the_courses_twentieth_frame_comes_out_as_its_log_has_it() {
    let scene = good(&layout_a()).scene;
    let model = at_key(&scene, 1);
    let half_of_three = 0.866_025_4;
    near(model[0].transform_vector3(Vec3::X), Vec3::new(half_of_three, -0.5, 0.0));
    near(model[0].transform_vector3(Vec3::Y), Vec3::new(0.5, half_of_three, 0.0));
    near(model[1].translation.into(), Vec3::new(1.0, 1.732_050_8, 0.0));
    near(model[1].transform_vector3(Vec3::X), Vec3::NEG_Y);
}

#[test]
fn a_third_bone_stands_on_the_second_not_on_the_first() {
    let scene = good(&layout_a()).scene;
    // Bone.001 points along X by then, so its child is two along X from it.
    near(at_key(&scene, 1)[2].translation.into(), Vec3::new(3.0, 1.732_050_8, 0.0));
    let parents: Vec<_> = scene.skeleton().parents().to_vec();
    assert_eq!(parents, [None, Some(JointId::new(0)), Some(JointId::new(1))]);
    assert_eq!(scene.skeleton().nodes()[2].name, "骨");
    near(scene.skeleton().nodes()[2].rest.translation, Vec3::new(0.0, 2.0, 0.0));
}

#[test]
fn a_file_without_a_rate_plays_24_frames_a_second() {
    let imported = good(&layout_a());
    let clip = &imported.scene.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration), ("anim", 2.0 / 24.0));
    assert_eq!((clip.scales.len(), imported.notes.len()), (0, 0));
    assert_eq!(clip.translations[0].curve.values().len(), 1);
}

#[test]
fn finished_matrices_make_bones_without_parents() {
    let imported = good(&layout_b(30));
    let clip = &imported.scene.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration), ("Take 001", 1.0 / 30.0));
    assert_eq!(imported.scene.skeleton().parents(), [None, None]);
    near(at_key(&imported.scene, 1)[0].translation.into(), Vec3::new(0.0, 5.0, 0.0));
    let no_rate = good(&layout_b(0));
    assert_eq!((no_rate.scene.clips[0].duration, no_rate.notes.len()), (1.0 / 24.0, 1));
}

#[test]
fn a_mesh_stands_on_placeholders_until_it_gets_its_bones() {
    let imported = read(&named_mesh(), &beside()).expect("a good file");
    assert_eq!((imported.format, imported.notes.len()), (Format::SkeletonMesh, 0));
    let scene = &imported.scene;
    let names: Vec<_> = scene.skeleton().nodes().iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["bone 0", "bone 1", "arm"]);
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(
        (primitive.positions.as_slice(), &primitive.indices[..]),
        (&CORNERS[..], &[0, 1, 2][..])
    );
    assert_eq!(primitive.uvs[0][0].to_array(), [0.25, 0.25]);
    assert!(primitive.colors.is_empty());
    let weights: Vec<f32> =
        primitive.influences.of(2).iter().map(|influence| influence.weight).collect();
    assert!((weights[0] - 1.0 / 3.0).abs() < 1e-6 && (weights[1] - 2.0 / 3.0).abs() < 1e-6);
    assert_eq!(scene.instances[0].joint, JointId::new(2));
}

#[test]
fn a_mesh_without_weights_is_rigid() {
    let imported = good(&mesh(b"mesh"));
    assert_eq!((imported.scene.skins.len(), imported.scene.instances[0].skin), (0, None));
    assert_eq!(imported.scene.skeleton().len(), 1);
    assert_eq!(imported.scene.meshes[0].primitives[0].indices, [0, 1, 2]);
}

#[test]
fn a_mesh_that_is_inside_out_is_turned() {
    let outward = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    for inside_out in [false, true] {
        let mut file = Writer::default().bytes(b"mesh").number(4).number(12);
        for corner in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
            let far = corner + Vec3::splat(100.0);
            file = file.floats(&far.to_array()).floats(&[1.0; 6]);
        }
        for [a, b, c] in outward {
            let [b, c] = if inside_out { [c, b] } else { [b, c] };
            file = file.number(a).number(b).number(c);
        }
        let imported = good(&file.0);
        let primitive = &imported.scene.meshes[0].primitives[0];
        let [a, b, c] = [0, 1, 2].map(|at| primitive.positions[primitive.indices[at] as usize]);
        let normal = (b - a).cross(c - a);
        assert!(normal.z < 0.0, "the floor of the corner faces {normal}");
    }
}

#[test]
fn a_sheared_bone_keeps_its_matrix_to_the_last_child() {
    let shear = Mat4::from_cols_array(&[
        1.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ]);
    let file = Writer::default().bytes(b"skeleton_anim").number(2).name("a").name("b");
    let file = file.number(1).number(1).number(0).matrices(&[Mat4::IDENTITY, up(2.0)]).number(2);
    let file =
        file.matrices(&[Mat4::IDENTITY; 2]).matrices(&[shear * rotated(40.0), rotated(10.0)]);
    let imported = good(&file.0);
    let names: Vec<_> =
        imported.scene.skeleton().nodes().iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["a (shear)", "a", "b"]);
    let found = at_key(&imported.scene, 1);
    let expected = shear * rotated(40.0) * up(2.0) * rotated(10.0);
    assert!(Mat4::from(found[2]).abs_diff_eq(expected, 1e-5), "{} is not {expected}", found[2]);
    assert_eq!(imported.notes.len(), 1);
}

#[test]
fn finished_matrices_move_the_mesh_as_they_are() {
    let model = read(&named_mesh(), &beside()).expect("a good file");
    let joined = attach(model, good(&layout_b(30))).expect("they fit");
    for (vertex, lift) in [(0, 5.0), (1, 1.0), (2, 5.0 / 3.0 + 2.0 / 3.0)] {
        near(skinned(&joined.scene, vertex, 0), CORNERS[vertex]);
        near(skinned(&joined.scene, vertex, 1), CORNERS[vertex] + lift * Vec3::Y);
    }
    assert_eq!(joined.scene.clips[0].name, "Take 001");
    assert_eq!(joined.scene.skeleton().nodes()[2].name, "arm");
}

#[test]
fn chained_bones_leave_the_mesh_alone_in_the_t_pose_and_bend_it_after() {
    let model = read(&named_mesh(), &beside()).expect("a good file");
    let joined = attach(model, good(&layout_a())).expect("they fit");
    near(skinned(&joined.scene, 1, 0), Vec3::X);
    // (1, 0, 0) is (1, -2, 0) from Bone.001, whose X points to -Y and whose Y points to X.
    near(skinned(&joined.scene, 1, 1), Vec3::new(1.0 - 2.0, 1.732_050_8 - 1.0, 0.0));
    assert_eq!(joined.scene.skeleton().len(), 4);
    assert_eq!(joined.scene.instances[0].joint, JointId::new(3));
}

#[test]
fn a_second_clip_is_bound_to_the_bones_that_the_first_one_brought() {
    let model = read(&named_mesh(), &beside()).expect("a good file");
    let once = attach(model, good(&layout_a())).expect("they fit");
    let twice = attach(once, good(&layout_a())).expect("they fit again");
    assert_eq!((twice.scene.clips.len(), twice.scene.skeleton().len()), (2, 4));
    assert_eq!(twice.scene.clips[1].rotations.len(), 3);
}

#[test]
fn a_weight_on_a_bone_that_no_skeleton_has_stays_where_it_is() {
    let mut files = beside();
    let far = weights().into_iter().enumerate().map(|(at, b)| if at == 14 { 200 } else { b });
    files.files.insert("arm.weight".into(), far.collect());
    let model = read(&named_mesh(), &files).expect("a good file");
    assert_eq!(model.scene.skins[0].joints.len(), 201);
    let joined = attach(model, good(&layout_b(30))).expect("they fit");
    near(skinned(&joined.scene, 1, 1), Vec3::X);
    near(skinned(&joined.scene, 0, 1), 5.0 * Vec3::Y);
    assert!(joined.notes.iter().any(|note| note.text.starts_with("expected 201 bones, found 2")));
}

#[test]
fn a_short_weight_file_leaves_the_last_vertices_rigid() {
    let mut files = beside();
    files.files.insert("arm.weight".into(), weights()[..6 + 8].to_vec());
    let model = read(&named_mesh(), &files).expect("a good file");
    assert_eq!(model.notes[0].text, "expected weights for 3 vertices, found 1");
    assert!(model.scene.meshes[0].primitives[0].influences.of(2).is_empty());
}

#[test]
fn a_child_may_come_before_its_parent_in_the_file() {
    let file = Writer::default().bytes(b"skeleton_anim").number(2).name("hand").name("arm");
    let file = file.number(0).number(1).number(0);
    let file = file.matrices(&[up(2.0), up(1.0)]).number(1).matrices(&[Mat4::IDENTITY; 2]);
    let scene = good(&file.0).scene;
    assert_eq!(scene.skeleton().nodes()[0].name, "arm");
    assert_eq!(scene.skins[0].joints, [JointId::new(1), JointId::new(0)]);
    near(scene.skins[0].joint_from_mesh[0].translation.into(), Vec3::new(0.0, -3.0, 0.0));
}

#[test]
fn bones_in_a_circle_are_refused() {
    let file = Writer::default().bytes(b"skeleton_anim").number(2).name("a").name("b");
    let file = file.number(1).number(1).number(1).number(0);
    let file = file.matrices(&[Mat4::IDENTITY; 2]).number(0);
    let error = read(&file.0, &NoFiles).expect_err("a circle");
    assert_eq!(error.kind, ErrorKind::Malformed);
}

#[test]
fn bones_far_from_the_origin_do_not_add_their_rounding_up() {
    let count = 30;
    let rotation = Quat::from_euler(glam::EulerRot::XYZ, 0.3, 0.7, 1.1);
    let mut local = Mat4::from_rotation_translation(rotation, Vec3::new(300.0, -200.0, 100.0));
    // Matrices come out of other programs a little sheared.
    local.x_axis += 2e-6 * local.y_axis;
    let mut file = Writer::default().bytes(b"skeleton_anim").number(count);
    for bone in 0..count {
        file = file.name(&format!("b{bone}"));
    }
    for bone in 1..count {
        file = file.number(1).number(bone);
    }
    let file = file.number(0).matrices(&vec![local; usize::from(count)]).number(1);
    let scene = good(&file.matrices(&vec![Mat4::IDENTITY; usize::from(count)]).0).scene;
    let found = at_key(&scene, 0)[usize::from(count) - 1].translation;
    let exact = (0..count).fold(glam::DAffine3::IDENTITY, |chain, _| {
        chain * glam::DAffine3::from_mat4(local.as_dmat4())
    });
    let off = (glam::Vec3::from(found).as_dvec3() - exact.translation).length();
    // Two steps of single precision at this distance; adding up, it would be many.
    assert!(off < exact.translation.length() * 2.5e-7, "{off} of {}", exact.translation.length());
}

#[test]
fn files_that_fit_neither_layout_are_refused() {
    for mut bytes in [layout_a(), layout_b(30)] {
        bytes.push(0);
        let error = read(&bytes, &NoFiles).expect_err("a byte too many");
        assert_eq!(error.message, "expected the end of the file, found 1 more bytes");
        bytes.truncate(bytes.len() - 2);
        assert_eq!(read(&bytes, &NoFiles).expect_err("cut").kind, ErrorKind::Truncated);
    }
    let wrong = Options::default().read_as(Format::SkeletonMesh, b"mush\0\0\0\0", &NoFiles);
    assert_eq!(wrong.expect_err("no mesh").kind, ErrorKind::Malformed);
}

#[test]
fn matrices_that_are_not_finite_do_nothing() {
    let mut bytes = layout_b(30);
    let at = bytes.len() - 128 + 4 * 13;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let imported = good(&bytes);
    near(at_key(&imported.scene, 1)[0].translation.into(), Vec3::ZERO);
    assert_eq!(imported.notes.len(), 1);
}

#[test]
fn no_frames_and_no_bones_are_still_a_scene() {
    let file = Writer::default().bytes(b"skeleton_anim").number(0).number(0);
    let imported = good(&file.0);
    assert_eq!((imported.scene.skeleton().len(), imported.scene.clips.len()), (0, 1));
}

#[test]
fn damaged_files_are_survived() {
    survives_damage(Format::SkeletonAnim, &layout_a(), &NoFiles);
    survives_damage(Format::SkeletonAnim, &layout_b(30), &NoFiles);
    survives_damage(Format::SkeletonMesh, &named_mesh(), &beside());
    let mut files = beside();
    for at in 0..weights().len() {
        let mut damaged = weights();
        damaged[at] ^= 0xff;
        files.files.insert("arm.weight".into(), damaged);
        let _ = read(&named_mesh(), &files);
    }
}
