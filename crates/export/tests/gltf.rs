//! What is written as glTF is read again as the same scene, field by field.

mod common;

use common::{everything, joint, scene};
use glam::{Mat3A, Quat, Vec3};
use sinew_export::{
    ExportError, ExportedFile, GltfCompression, GltfOptions, GltfPrecision, glb, gltf,
};
use sinew_import::{NoFiles, Normals, Options, Tangents};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{
    Clip, Curve, Geometry, ImageData, Influence, Influences, Instance, Interpolation, JointId,
    Mesh, MeshId, MorphTarget, Node, Primitive, Scene, SceneParts, SkinId, SkinMethod, Topology,
    Track, Transform,
};

fn in_place() -> GltfOptions {
    let mut options = GltfOptions::default();
    options.skinned_at_root = false;
    options
}

/// Nothing is made that the file does not have.
fn read_with(bytes: &[u8], files: &dyn sinew_import::Files) -> Scene {
    let options =
        Options { normals: Normals::Keep, tangents: Tangents::Keep, ..Options::default() };
    let imported = options.read(bytes, files).expect("a file that was just written");
    assert!(imported.notes.is_empty(), "{:?}", imported.notes);
    imported.scene
}

fn again(scene: &Scene, options: &GltfOptions) -> Scene {
    let written = glb(scene, options).expect("it can be written");
    read_with(&written.bytes, &NoFiles)
}

fn assert_same(found: Scene, expected: Scene) {
    let (found, expected) = (found.into_parts(), expected.into_parts());
    assert_eq!(found.nodes, expected.nodes);
    assert_eq!(found.instances, expected.instances);
    assert_eq!(found.skins, expected.skins);
    for (found, expected) in found.meshes.iter().zip(&expected.meshes) {
        assert_eq!(found.name, expected.name);
        assert_eq!(found.morph_names, expected.morph_names);
        for (found, expected) in found.primitives.iter().zip(&expected.primitives) {
            assert_eq!(found.influences.len(), expected.influences.len());
            for (found, expected) in found.influences.iter().zip(expected.influences.iter()) {
                assert_influences(found, expected);
            }
            // The last bit of a weight may be spent on a sum of one.
            let mut found = found.clone();
            found.influences = expected.influences.clone();
            assert_eq!(&found, expected);
        }
    }
    assert_eq!(found.meshes.len(), expected.meshes.len());
    assert_eq!(found.materials, expected.materials);
    assert_eq!(found.variants, expected.variants);
    assert_eq!(found.textures, expected.textures);
    assert_eq!(found.images, expected.images);
    assert_eq!(found.lights, expected.lights);
    assert_eq!(found.cameras, expected.cameras);
    assert_eq!(found.properties, expected.properties);
    for (found, expected) in found.clips.iter().zip(&expected.clips) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.clips.len(), expected.clips.len());
}

fn assert_influences(found: &[Influence], expected: &[Influence]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.joint, expected.joint);
        assert!((found.weight - expected.weight).abs() < 1e-6, "{found:?} for {expected:?}");
    }
}

#[test]
fn a_scene_with_everything_comes_back_as_it_was() {
    let mut parts = everything();
    // It ends before its last key, which other programs play to.
    parts.clips.truncate(1);
    let expected = scene(parts);
    let written = glb(&expected, &in_place()).expect("it can be written");
    assert_eq!(written.notes, Vec::<String>::new());
    assert_same(read_with(&written.bytes, &NoFiles), expected);
}

#[test]
fn a_clip_that_ends_before_its_last_key_comes_back_and_is_noted() {
    let expected = scene(everything());
    let written = glb(&expected, &in_place()).expect("it can be written");
    let note =
        "the clip \"short\" ends at 0.5 s and has keys up to 1 s: other programs play to the last";
    assert_eq!(written.notes, [note]);
    assert_same(read_with(&written.bytes, &NoFiles), expected);
}

#[test]
fn the_built_in_characters_come_back_as_they_were() {
    for expected in [sinew_ossi::ossi(), sinew_ossi::demo()] {
        let written = glb(&expected, &in_place()).expect("it can be written");
        assert_eq!(written.notes, Vec::<String>::new());
        // Its images are pixels, and a file has them as PNG.
        let options =
            Options { decode_images: true, tangents: Tangents::Keep, ..Options::default() };
        let back = options.read(&written.bytes, &NoFiles).expect("a file that was just written");
        assert_same(back.scene, expected);
    }
}

struct Beside(Vec<ExportedFile>);

impl sinew_import::Files for Beside {
    fn fetch(&self, name: &str) -> std::io::Result<Vec<u8>> {
        let found = self.0.iter().find(|file| file.name == name);
        found.map(|file| file.bytes.clone()).ok_or(std::io::ErrorKind::NotFound.into())
    }
}

#[test]
fn a_document_with_files_beside_it_is_the_same_scene() {
    let expected = scene(everything());
    let written = gltf(&expected, "all", &in_place()).expect("it can be written");
    let names: Vec<&str> = written.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["all.bin", "all_red.png"]);
    assert_eq!(written.files[1].bytes, common::PNG);
    assert_same(read_with(&written.bytes, &Beside(written.files)), expected);
}

#[test]
fn an_empty_scene_is_a_file_too() {
    let empty = scene(SceneParts::default());
    assert_eq!(again(&empty, &GltfOptions::default()), empty);
}

/// Where each joint stands in a clip at a time, by name.
fn stands(scene: &Scene, clip: usize, time: f32, name: &str) -> glam::Affine3A {
    let mut pose = Pose::new(scene);
    sample(&scene.clips[clip], time, &mut Cursor::new(), &mut pose);
    pose.to_model(scene.skeleton());
    let joint = scene.skeleton().find(name).expect("its name");
    pose.model_from_joint()[joint.index()]
}

#[test]
fn a_sheared_node_is_two_that_give_the_same_at_rest_and_in_motion() {
    let shear = Mat3A::from_cols_array(&[1.0, 0.0, 0.0, 0.7, 1.0, 0.0, 0.0, 0.3, 2.0]);
    let sheared = |name: &str| Node {
        shear: Some(shear),
        ..Node::new(name, None, Transform::from_translation(Vec3::X))
    };
    let under = |name: &str, parent| {
        Node::new(name, Some(JointId::new(parent)), Transform::from_translation(Vec3::Y))
    };
    let curve = Curve::new(
        vec![0.0, 1.0],
        vec![Quat::IDENTITY, Quat::from_rotation_y(1.0)],
        Interpolation::Linear,
    );
    let turn = Track { joint: joint(0), curve: curve.expect("two keys") };
    let expected = scene(SceneParts {
        nodes: vec![sheared("moving"), sheared("still"), under("a", 0), under("b", 1)],
        clips: vec![Clip { duration: 1.0, rotations: vec![turn], ..Clip::default() }],
        ..SceneParts::default()
    });
    let back = again(&expected, &GltfOptions::default());
    for (name, time) in [("a", 0.0), ("a", 0.5), ("a", 1.0), ("b", 0.5)] {
        let [found, wanted] = [&back, &expected].map(|scene| stands(scene, 0, time, name));
        assert!(found.abs_diff_eq(wanted, 1e-6), "{name} at {time}: {found} for {wanted}");
    }
}

#[test]
fn a_skinned_mesh_hangs_at_the_root_and_moves_as_before() {
    let mut parts = everything();
    parts.nodes[common::JOINTS + 1].parent = Some(joint(2));
    parts.nodes[common::JOINTS + 1].rest = Transform::from_translation(Vec3::ONE);
    // A second instance where the first one is: it gets a node of its own.
    parts.instances.push(parts.instances[0].clone());
    let back = again(&scene(parts), &GltfOptions::default());
    assert_eq!(back.instances.len(), 3);
    for instance in back.instances.iter().filter(|instance| instance.skin.is_some()) {
        let node = back.skeleton().node(instance.joint);
        assert_eq!((node.parent, node.rest), (None, Transform::IDENTITY), "{}", node.name);
        assert_eq!(instance.weights, [0.5, 0.0]);
    }
}

#[test]
fn vertices_without_influences_go_where_their_node_goes() {
    let mut parts = everything();
    let primitive = &mut parts.meshes[0].primitives[0];
    let mut influences = Influences::default();
    for vertex in 0..primitive.positions.len() {
        let one = Influence { joint: 1, weight: 1.0 };
        influences.push((vertex > 0).then_some(one));
    }
    primitive.influences = influences;
    let node = JointId::new(common::JOINTS + 1);
    let back = again(&scene(parts), &GltfOptions::default());
    let skinned = back.instances.iter().find(|instance| instance.skin.is_some()).expect("skinned");
    let skin = &back.skins[0];
    assert_eq!(skin.joints.len(), common::JOINTS + 1);
    let follower = *skin.joints.last().expect("joints");
    assert_eq!(back.skeleton().node(follower).name, scene(everything()).skeleton().node(node).name);
    assert_eq!(skin.joint_from_mesh.last(), Some(&glam::Affine3A::IDENTITY));
    let first = back.meshes[skinned.mesh.index()].primitives[0].influences.of(0);
    assert_eq!(first, [Influence { joint: common::JOINTS as u32, weight: 1.0 }]);
}

#[test]
fn a_joint_that_a_skin_names_twice_and_joints_without_a_common_root_are_written() {
    let mut parts = everything();
    let skin = &mut parts.skins[0];
    skin.joints[3] = skin.joints[2];
    skin.joints[4] = JointId::new(common::JOINTS + 3);
    let expected = scene(parts);
    let written = glb(&expected, &in_place()).expect("it can be written");
    assert!(
        written.notes.iter().any(|note| note.contains("no common root")),
        "{:?}",
        written.notes
    );
    let back = read_with(&written.bytes, &NoFiles);
    let mut joints = back.skins[0].joints.clone();
    joints.sort();
    joints.dedup();
    assert_eq!(joints.len(), common::JOINTS);
    let double = back.skeleton().node(back.skins[0].joints[3]);
    assert_eq!((double.name.as_str(), double.rest), ("joint 2 2", Transform::IDENTITY));
}

#[test]
fn several_meshes_and_lights_under_one_node_get_nodes_of_their_own() {
    let mut parts = everything();
    let prop = JointId::new(common::JOINTS + 2);
    let mesh = MeshId::new(1);
    parts.instances.push(Instance { joint: prop, mesh, skin: None, weights: Vec::new() });
    parts.lights[0].joint = parts.lights[1].joint;
    let back = again(&scene(parts), &in_place());
    assert_eq!((back.instances.len(), back.lights.len()), (3, 3));
    let node = back.skeleton().node(back.instances[2].joint);
    assert_eq!((node.parent, node.rest), (Some(prop), Transform::IDENTITY));
}

#[test]
fn a_clip_longer_than_its_keys_is_held_and_one_without_tracks_is_kept() {
    let mut parts = everything();
    parts.clips[1].duration = 3.0;
    let empty = Clip { name: "wait".into(), duration: 2.0, ..Clip::default() };
    parts.clips.push(empty);
    let back = again(&scene(parts), &in_place());
    let held = &back.clips[1];
    assert_eq!((held.duration, held.last_key(), held.start), (3.0, 3.0, 2.125));
    let values = held.translations[0].curve.values();
    assert_eq!(values[2], values[3]);
    assert_eq!((back.clips[2].name.as_str(), back.clips[2].duration), ("wait", 2.0));
}

#[test]
fn dual_quaternion_skins_come_back_and_are_noted() {
    let mut parts = everything();
    parts.skins[0].method = SkinMethod::Blended;
    let primitive = &mut parts.meshes[0].primitives[0];
    primitive.dual_weights = (0..primitive.positions.len()).map(|at| at as f32 / 8.0).collect();
    parts.clips.truncate(1);
    let expected = scene(parts);
    let written = glb(&expected, &in_place()).expect("it can be written");
    assert_eq!(written.notes.len(), 1, "{:?}", written.notes);
    assert_same(read_with(&written.bytes, &NoFiles), expected);
}

#[test]
fn pixels_become_a_png_and_a_missing_image_is_noted() {
    let mut parts = everything();
    let rgba: Vec<u8> = (0..4 * 3 * 2).collect();
    parts.images[0].data = ImageData::Pixels { width: 3, height: 2, rgba: rgba.clone().into() };
    parts.images.push(sinew_scene::Image { name: "gone".into(), data: ImageData::Missing });
    parts.textures[1].image = Some(sinew_scene::ImageId::new(1));
    let written = glb(&scene(parts), &in_place()).expect("it can be written");
    assert!(written.notes.contains(&"the image \"gone\" is left out: it is missing".to_owned()));
    let options = Options { decode_images: true, ..Options::default() };
    let back = options.read(&written.bytes, &NoFiles).expect("a file").scene;
    let ImageData::Pixels { rgba: found, .. } = &back.images[0].data else { panic!("pixels") };
    assert_eq!(found[..], rgba[..]);
    assert_eq!(back.textures[1].image, None);
}

#[test]
fn what_is_equal_is_written_once() {
    let once = everything();
    let mut twice = everything();
    twice.meshes.push(twice.meshes[0].clone());
    twice.clips.push(twice.clips[0].clone());
    let bin = |parts| {
        let written = gltf(&scene(parts), "x", &in_place()).expect("it can be written");
        written.files[0].bytes.len()
    };
    assert_eq!(bin(once), bin(twice));
}

#[test]
fn a_skin_of_too_many_joints_is_an_error() {
    let mut parts = everything();
    let many = 70_000;
    let skin = &mut parts.skins[0];
    skin.joints.resize(many, joint(1));
    skin.joint_from_mesh.resize(many, glam::Affine3A::IDENTITY);
    let primitive = &mut parts.meshes[0].primitives[0];
    let mut influences = Influences::default();
    for _ in 0..primitive.positions.len() {
        influences.push([Influence { joint: many as u32 - 1, weight: 1.0 }]);
    }
    primitive.influences = influences;
    parts.instances[0].skin = Some(SkinId::new(0));
    let error = glb(&scene(parts), &in_place()).expect_err("too many");
    let expected = ExportError::TooMany { what: "joints in a skin", most: 65_536, found: many };
    assert_eq!(error, expected);
}

/// The positions of an instance's first primitive in the world, at a time of a clip.
fn skinned(scene: &Scene, instance: usize, time: f32) -> Vec<Vec3> {
    let mut pose = Pose::new(scene);
    sample(&scene.clips[0], time, &mut Cursor::new(), &mut pose);
    pose.to_model(scene.skeleton());
    let instance = &scene.instances[instance];
    let primitive = &scene[instance.mesh].primitives[0];
    let place = |(vertex, &position): (usize, &Vec3)| match instance.skin {
        None => pose.model_from_joint()[instance.joint.index()].transform_point3(position),
        Some(skin) => {
            let skin = &scene[skin];
            let each = primitive.influences.of(vertex).iter().map(|one| {
                let joint = one.joint as usize;
                let model_from_joint = pose.model_from_joint()[skin.joints[joint].index()];
                let model_from_mesh = model_from_joint * skin.joint_from_mesh[joint];
                model_from_mesh.transform_point3(position) * one.weight
            });
            each.sum()
        }
    };
    primitive.positions.iter().enumerate().map(place).collect()
}

#[test]
fn fewer_bits_are_as_near_as_they_say() {
    let mut parts = everything();
    parts.clips.truncate(1);
    let expected = scene(parts);
    for (precision, bound) in [(GltfPrecision::Rounded, 6e-4), (GltfPrecision::Quantized, 8e-4)] {
        let mut options = in_place();
        options.precision = precision;
        let back = again(&expected, &options);
        for instance in 0..2 {
            let (found, wanted) =
                (skinned(&back, instance, 0.6), skinned(&expected, instance, 0.6));
            assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(&wanted) {
                let off = found.distance(*wanted) / wanted.length().max(1.0);
                assert!(off < bound, "{precision:?}, instance {instance}: {found} for {wanted}");
            }
        }
    }
}

/// A sheet of vertices with a target that moves all of them, one that moves a few, and one that moves none.
fn morphing(reach: f32) -> Scene {
    let at = |vertex: usize| Vec3::new((vertex % 40) as f32, (vertex / 40) as f32, 0.0) / 40.0;
    let all: Vec<usize> = (0..1600).collect();
    let wave = |vertex: &usize| Vec3::new(0.0, 0.01, 0.3 * (*vertex as f32 * 0.1).sin());
    let few = |vertex: &usize| if vertex % 40 == 7 { Vec3::Z * reach } else { Vec3::ZERO };
    let target = |of: &dyn Fn(&usize) -> Vec3| MorphTarget {
        positions: all.iter().map(of).collect(),
        normals: all.iter().map(of).collect(),
        ..MorphTarget::default()
    };
    let primitive = Primitive::from(Geometry {
        indices: (0..1599_u32).flat_map(|at| [at, at + 1, (at + 40) % 1600]).collect(),
        positions: all.iter().map(|vertex| at(*vertex)).collect(),
        normals: vec![Vec3::Z; all.len()],
        morphs: vec![target(&wave), target(&few), target(&|_| Vec3::ZERO)],
        ..Geometry::default()
    });
    let names = ["wave", "few", "none"].map(String::from).to_vec();
    let mesh = Mesh { name: "sheet".into(), primitives: vec![primitive], morph_names: names };
    let (joint, mesh_id) = (JointId::new(0), MeshId::new(0));
    scene(SceneParts {
        nodes: vec![Node::new("sheet", None, Transform::IDENTITY)],
        meshes: vec![mesh],
        instances: vec![Instance { joint, mesh: mesh_id, skin: None, weights: vec![0.0; 3] }],
        ..SceneParts::default()
    })
}

#[test]
fn morph_targets_are_quantised_to_the_grid_of_their_mesh() {
    // The farthest difference is within the grid, needs a larger one, or is too far for any.
    for (reach, half, smaller) in [(0.2, 0.4875, true), (0.8, 0.8, true), (5.0, 0.4875, false)] {
        let expected = morphing(reach);
        let mut options = in_place();
        options.precision = GltfPrecision::Quantized;
        let small = glb(&expected, &options).expect("it can be written").bytes.len();
        let found = again(&expected, &options);
        options.exact_morph_targets = true;
        let large = glb(&expected, &options).expect("it can be written").bytes.len();
        // 1,600 rows of 24 bytes become rows of 12, and 40 rows of 26 become rows of 11.
        let saved = 1600 * 12 + 40 * 15;
        assert_eq!(
            large > small + saved - 600 && large < small + saved + 600,
            smaller,
            "{reach}: {large} {small}"
        );
        let [found, wanted] =
            [&found, &expected].map(|scene| &scene.meshes[0].primitives[0].morphs);
        // The node that leads back from the grid has its scale; here it is in the differences.
        for (found, wanted) in found.iter().zip(wanted) {
            assert_eq!(found.positions.len(), wanted.positions.len());
            for (found, wanted) in found.positions.iter().zip(&wanted.positions) {
                let off = (*found * half).distance(*wanted);
                assert!(off < 2e-5, "{reach}: {found} for {wanted}");
            }
            for (found, wanted) in found.normals.iter().zip(&wanted.normals) {
                assert!(found.distance(*wanted) < 0.008, "{reach}: {found} for {wanted}");
            }
        }
    }
}

#[test]
fn what_meshopt_compresses_comes_back_to_the_last_bit() {
    let mut odd = sinew_ossi::ossi().into_parts();
    let triangles_of_odd = &mut odd.meshes[0].primitives[0].indices;
    triangles_of_odd.truncate(triangles_of_odd.len() / 6 * 6 - 3);
    let all =
        [("ossi", sinew_ossi::ossi()), ("everything", scene(everything())), ("odd", scene(odd))];
    for (name, expected) in all {
        for precision in [GltfPrecision::Exact, GltfPrecision::Quantized] {
            let mut options = in_place();
            options.precision = precision;
            let plain = glb(&expected, &options).expect("it can be written").bytes.len();
            let wanted = again(&expected, &options);
            options.compression = GltfCompression::Meshopt;
            let small = glb(&expected, &options).expect("it can be written").bytes.len();
            let found = again(&expected, &options);
            assert!(name != "ossi" || 4 * small < 3 * plain, "{small} of {plain} bytes");
            assert_eq!(format!("{:?}", found.clips), format!("{:?}", wanted.clips));
            for (found, wanted) in primitives(&found).zip(primitives(&wanted)) {
                assert_eq!(triangles(found), triangles(wanted));
                let rest = |primitive: &Primitive| {
                    let mut primitive = primitive.clone();
                    primitive.indices.clear();
                    format!("{primitive:?}")
                };
                assert_eq!(rest(found), rest(wanted));
            }
        }
    }
}

#[test]
fn what_draco_compresses_is_as_near_as_it_says_and_keeps_its_order() {
    let expected = scene(everything());
    let mut options = in_place();
    options.compression = GltfCompression::Draco;
    let found = again(&expected, &options);
    for (found, wanted) in primitives(&found).zip(primitives(&expected)) {
        assert_eq!((found.topology, &found.indices), (wanted.topology, &wanted.indices));
        let size = wanted.positions.iter().map(|at| at.length()).fold(0.0, f32::max);
        for (found, wanted) in found.positions.iter().zip(&wanted.positions) {
            assert!(found.distance(*wanted) <= 2.0 * size / 65_536.0, "{found} for {wanted}");
        }
        assert_eq!(found.morphs.len(), wanted.morphs.len());
    }
}

fn primitives(scene: &Scene) -> impl Iterator<Item = &Primitive> {
    scene.meshes.iter().flat_map(|mesh| &mesh.primitives)
}

/// Each from its lowest corner on, the way round that it has.
fn triangles(primitive: &Primitive) -> Vec<Vec<u32>> {
    let mut each: Vec<Vec<u32>> = primitive.indices.chunks(3).map(<[u32]>::to_vec).collect();
    if primitive.topology == Topology::Triangles {
        for corners in &mut each {
            let lowest = (0..3).min_by_key(|&at| corners[at]).unwrap_or(0);
            corners.rotate_left(lowest);
        }
    }
    each
}

#[test]
fn a_half_turn_goes_the_same_way_in_fewer_bits() {
    let keys = vec![Quat::IDENTITY, Quat::from_xyzw(1.0, 0.0, 0.0, -4e-8)];
    let curve = Curve::new(vec![0.0, 1.0], keys, Interpolation::Linear).expect("two keys");
    let turn = Track { joint: joint(0), curve };
    let expected = scene(SceneParts {
        nodes: vec![Node::new("a", None, Transform::IDENTITY)],
        clips: vec![Clip { duration: 1.0, rotations: vec![turn], ..Clip::default() }],
        ..SceneParts::default()
    });
    let mut options = GltfOptions::default();
    options.precision = GltfPrecision::Rounded;
    let back = again(&expected, &options);
    let [found, wanted] = [&back, &expected].map(|scene| stands(scene, 0, 0.5, "a"));
    assert!(found.abs_diff_eq(wanted, 1e-3), "{found} for {wanted}");
}

/// Ossi's first skinned mesh with weights that need all bits, and the same with the second half of its vertices on one joint.
fn two_weightings() -> (Scene, Influences) {
    let scene = sinew_ossi::ossi();
    let mut others = Influences::default();
    let primitive = &scene.meshes[0].primitives[0];
    for (vertex, of_vertex) in primitive.influences.iter().enumerate() {
        match vertex < primitive.positions.len() / 2 {
            true => others.push_exact(of_vertex.iter().copied()),
            false => others.push_exact([Influence { joint: 3, weight: 1.0 }]),
        }
    }
    (scene, others)
}

#[test]
fn influences_in_place_of_others_are_written_as_if_the_mesh_had_them() {
    let (scene, others) = two_weightings();
    let mut parts = scene.clone().into_parts();
    parts.meshes[0].primitives[0].influences = others.clone();
    let expected = glb(&Scene::new(parts).expect("other weights"), &GltfOptions::default());
    let mut options = GltfOptions::default();
    options.influences = vec![(0, 0, others)];
    let found = glb(&scene, &options).expect("it can be written");
    assert!(found.bytes == expected.expect("it can be written").bytes);
    // As many as there are vertices, or it is an error.
    options.influences[0].2.push_exact([]);
    assert!(matches!(glb(&scene, &options), Err(ExportError::Invalid(_))));
}

#[test]
fn rounded_weights_are_65535ths_and_everything_else_stays() {
    let scene = sinew_ossi::ossi();
    let mut options = GltfOptions::default();
    options.rounded_weights = true;
    let found = again(&scene, &options);
    let is_short = |weight: f32| (weight * 65_535.0).round() / 65_535.0 == weight;
    for (found, expected) in primitives(&found).zip(primitives(&scene)) {
        assert_eq!(found.positions, expected.positions);
        assert_eq!(found.normals, expected.normals);
        assert_eq!(found.uvs, expected.uvs);
        assert_eq!(found.indices, expected.indices);
        assert!(found.influences.all().iter().all(|one| is_short(one.weight)));
        for (found, expected) in found.influences.iter().zip(expected.influences.iter()) {
            for one in expected {
                let same = found.iter().find(|found| found.joint == one.joint);
                let weight = same.map_or(0.0, |same| same.weight);
                assert!((weight - one.weight).abs() < 4e-5, "{found:?} {expected:?}");
            }
        }
    }
}
