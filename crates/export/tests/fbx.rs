//! What is written as FBX is what ufbx reads again: the skin in every clip, the tree, surfaces, cameras and lights.

#[allow(dead_code)]
mod corners;
#[allow(dead_code)]
mod rigs;

use std::sync::Arc;

use corners::compare;
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec4};
use rigs::{joint, rig, scene, sway, twist, vectors};
use sinew_export::{Exported, FbxOptions, FbxTextures, FbxUnit, fbx};
use sinew_import::NoFiles;
use sinew_motion::Pose;
use sinew_scene::{
    AlphaMode, Camera, Clip, Curve, Geometry, Image, ImageData, ImageId, Instance, InstanceId,
    Interpolation, Light, LightKind, Material, MaterialId, Mesh, MeshId, Node, Primitive,
    Projection, Rows, Sampler, Scene, SceneParts, Skin, SkinId, SkinMethod, Texture, TextureId,
    TextureUse, Topology, Track, Transform, UvTransform, WeightTrack,
};

fn write(scene: &Scene) -> Exported {
    fbx(scene, &FbxOptions::default()).expect("it can be written")
}

fn read(file: &Exported) -> Scene {
    sinew_import::read(&file.bytes, &NoFiles).expect("a file that was just written").scene
}

/// Writes and reads a scene, and holds its skin to a ten-thousandth of its size in every clip.
fn same_skin(scene: &Scene) -> Scene {
    let back = read(&write(scene));
    let apart = compare(scene, &back, 23).expect("meshes and clips are there");
    assert!(apart.relative() < 1e-4, "{apart:?}");
    back
}

#[test]
fn ossi_comes_back_with_all_its_clips() {
    let ossi = sinew_ossi::ossi();
    let back = same_skin(&ossi);
    for (a, b) in ossi.clips.iter().zip(&back.clips) {
        assert_eq!((&a.name, a.duration), (&b.name, b.duration));
    }
    for node in ossi.skeleton().nodes() {
        let found = back.skeleton().find(&node.name).expect("its name");
        let parent = node.parent.map(|up| &ossi[up].name);
        assert_eq!(back[found].parent.map(|up| &back[up].name), parent, "{}", node.name);
    }
    assert_eq!(ossi.meshes[0].morph_names, back.meshes[0].morph_names);
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let ossi = sinew_ossi::ossi();
    assert_eq!(write(&ossi), write(&ossi));
}

#[test]
fn metres_without_packing_give_the_same_skin() {
    let scene = scene(SceneParts { clips: vec![twist()], ..rig() });
    let options = FbxOptions { unit: FbxUnit::Metres, compress: false, ..FbxOptions::default() };
    let file = fbx(&scene, &options).expect("it can be written");
    let apart = compare(&scene, &read(&file), 23).expect("meshes and clips are there");
    assert!(apart.relative() < 1e-4, "{apart:?}");
}

#[test]
fn rotations_go_the_way_of_the_clip_between_keys_too() {
    let scene = scene(SceneParts { clips: vec![twist()], ..rig() });
    let back = same_skin(&scene);
    assert_eq!(back.clips[0].start, 0.5);
}

#[test]
fn held_and_curved_keys_stay_what_they_are() {
    let cubic = [0.0, 1.0, 2.0].map(|time: f32| {
        let value = Vec3::new(time, (2.0 * time).sin(), 0.5);
        let slope = Vec3::new(0.5, 2.0, -1.0);
        [slope, value, slope]
    });
    let curve = Curve::new(vec![0.0, 0.7, 2.0], cubic.concat(), Interpolation::Cubic);
    let held = vectors(
        3,
        &[(0.0, Vec3::Y), (0.5, Vec3::new(0.2, 0.4, 0.1)), (1.25, Vec3::Y)],
        Interpolation::Step,
    );
    let scales = vectors(
        2,
        &[(0.0, Vec3::ONE), (1.0, Vec3::new(2.0, 0.5, -1.0)), (2.0, Vec3::ZERO)],
        Interpolation::Linear,
    );
    let rows = Rows::new(vec![0.0, 0.4, 2.0], vec![0.0, 1.5, -0.5], 1, Interpolation::Linear);
    let weights = WeightTrack { instance: InstanceId::new(0), rows: rows.expect("three rows") };
    let turn = |angle: f32| Quat::from_rotation_x(angle);
    let still = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let keys = vec![still, turn(0.3), Quat::from_xyzw(1.0, 0.5, 0.0, 0.0), still, turn(2.0), still];
    let bent = Curve::new(vec![0.0, 1.5], keys, Interpolation::Cubic).expect("two keys");
    let clip = Clip {
        duration: 2.0,
        translations: vec![Track { joint: joint(1), curve: curve.expect("three keys") }, held],
        rotations: vec![Track { joint: joint(3), curve: bent }],
        scales: vec![scales],
        weights: vec![weights],
        ..twist()
    };
    let clips = vec![Clip { rotations: vec![], ..clip.clone() }, clip];
    same_skin(&scene(SceneParts { clips, ..rig() }));
}

#[test]
fn a_value_that_is_held_from_the_end_on_is_there_at_the_end() {
    let held = vectors(1, &[(0.0, Vec3::X), (2.0, Vec3::Y)], Interpolation::Step);
    let clip = Clip { duration: 2.0, translations: vec![held], ..Clip::default() };
    same_skin(&scene(SceneParts { clips: vec![clip], ..rig() }));
}

#[test]
fn a_sheared_joint_keeps_its_shear() {
    let mut parts = rig();
    let shear = Mat3A::from_cols(
        Vec3::X.into(),
        Vec3::new(0.4, 1.2, 0.0).into(),
        Vec3::new(0.0, -0.3, 0.8).into(),
    );
    parts.nodes[2].shear = Some(shear);
    let file = write(&scene(SceneParts { clips: vec![twist()], ..parts.clone() }));
    assert_eq!(file.notes, ["1 sheared node has two helper nodes, which keep the shear"]);
    same_skin(&scene(SceneParts { clips: vec![twist()], ..parts }));
}

#[test]
fn skins_share_joints_and_meshes_hang_anywhere() {
    let mut parts = rig();
    // The same joints, bound elsewhere, for a mesh under a joint that moves; and one vertex that none pulls.
    let moved = Affine3A::from_translation(Vec3::new(1.0, 0.0, 0.0));
    let mut other: Skin = parts.skins[0].clone();
    other.joint_from_mesh.iter_mut().for_each(|matrix| *matrix *= moved);
    parts.skins.push(other);
    let mut tube = rigs::tube(5, 3);
    let mut influences = sinew_scene::Influences::default();
    for vertex in 0..tube.positions.len() {
        let own = tube.influences.of(vertex).to_vec();
        influences.push(if vertex == 7 { vec![] } else { own });
    }
    tube.influences = influences;
    parts.meshes.push(Mesh { primitives: vec![tube], ..Mesh::default() });
    let mut rigid = rigs::tube(3, 3);
    rigid.influences = sinew_scene::Influences::default();
    parts.meshes.push(Mesh { primitives: vec![rigid], ..Mesh::default() });
    let instance = |at: usize, mesh: usize, skin: Option<usize>| Instance {
        joint: joint(at),
        mesh: MeshId::new(mesh),
        skin: skin.map(SkinId::new),
        weights: vec![],
    };
    parts.instances.extend([
        instance(3, 1, Some(1)),
        instance(2, 2, None),
        instance(3, 2, None),
        instance(0, 2, None),
    ]);
    parts.instances.push(Instance { joint: joint(2), weights: vec![1.0], ..parts.instances[0] });
    same_skin(&scene(SceneParts { clips: vec![twist()], ..parts }));
}

#[test]
fn twelve_influences_and_dual_quaternions_stay() {
    for method in [SkinMethod::Linear, SkinMethod::DualQuaternion, SkinMethod::Blended] {
        let mut parts = rig();
        let own = parts.skins[0].clone();
        let skin = &mut parts.skins[0];
        for copy in 1..4 {
            skin.joints.extend(&own.joints);
            let shift = Affine3A::from_translation(Vec3::X * 0.01 * copy as f32);
            skin.joint_from_mesh.extend(own.joint_from_mesh.iter().map(|from| *from * shift));
        }
        skin.method = method;
        let mut tube = rigs::tube(9, 12);
        if method == SkinMethod::Blended {
            tube.dual_weights = tube.positions.iter().map(|at| at.y / 1.5).collect();
        }
        parts.meshes[0] = Mesh { primitives: vec![tube], ..Mesh::default() };
        parts.instances[0].weights.clear();
        let back = same_skin(&scene(SceneParts { clips: vec![sway()], ..parts }));
        assert_eq!(back.skins[0].method, method);
        assert_eq!(back.meshes[0].primitives[0].influences.most(), 12);
    }
}

#[test]
fn split_vertices_are_one_point_again_and_equal_triangles_stay_two() {
    let mut quad = Primitive::from(Geometry {
        positions: [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]]
            .map(|[x, y]: [u8; 2]| Vec3::new(f32::from(x), f32::from(y), 0.0))
            .to_vec(),
        indices: vec![0, 1, 2, 3, 4, 5, 2, 1, 0],
        ..Geometry::default()
    });
    quad.normals = vec![Vec3::Z; 6];
    quad.normals[3] = Vec3::Y;
    let mesh = Mesh { primitives: vec![quad], ..Mesh::default() };
    let parts = SceneParts {
        nodes: vec![Node::new("quad", None, Transform::IDENTITY)],
        meshes: vec![mesh],
        instances: vec![Instance {
            joint: joint(0),
            mesh: MeshId::new(0),
            skin: None,
            weights: vec![],
        }],
        ..SceneParts::default()
    };
    let scene = scene(parts);
    let options = FbxOptions { compress: false, ..FbxOptions::default() };
    let file = fbx(&scene, &options).expect("it can be written");
    let name = b"Vertices";
    let at = file.bytes.windows(8).position(|window| window == name).expect("it has points") + 9;
    let count = u32::from_le_bytes(file.bytes[at..at + 4].try_into().expect("four bytes"));
    assert_eq!(count, 3 * (4 + 3), "four corners, and three of the second triangle's own");
    same_skin(&scene);
}

#[test]
fn lines_points_and_several_materials_come_back() {
    let mut parts = rig();
    let part = |topology, count: usize, material: Option<usize>| {
        let mut tube = rigs::tube(9, 3);
        tube.topology = topology;
        tube.indices.truncate(count);
        tube.material = material.map(MaterialId::new);
        tube
    };
    let primitives = vec![
        part(Topology::Triangles, 30, Some(1)),
        part(Topology::Lines, 10, Some(0)),
        part(Topology::Triangles, 12, None),
        part(Topology::Points, 7, Some(0)),
        part(Topology::Triangles, 60, Some(1)),
    ];
    parts.meshes[0] = Mesh { primitives, ..Mesh::default() };
    parts.instances[0].weights.clear();
    let named = |name: &str| Material { name: name.into(), ..Material::default() };
    parts.materials = vec![named("a"), named("b")];
    let back = same_skin(&scene(SceneParts { clips: vec![twist()], ..parts }));
    let names: Vec<_> = back.meshes[0]
        .primitives
        .iter()
        .map(|part| part.material.map(|material| back[material].name.as_str()))
        .collect();
    assert_eq!(names, [Some("b"), Some("a"), Some("a"), Some("default")]);
}

/// A material with every texture, all of one image.
fn painted() -> SceneParts {
    let mut parts = rig();
    let used = Some(TextureUse {
        texture: TextureId::new(0),
        uv_set: 0,
        transform: UvTransform {
            offset: glam::Vec2::new(0.25, 0.5),
            rotation: 0.3,
            scale: glam::Vec2::splat(2.0),
        },
    });
    parts.images = vec![Image {
        name: "../skin:deep.jpeg".into(),
        data: ImageData::Pixels {
            width: 2,
            height: 1,
            rgba: Arc::from([1, 2, 3, 255, 9, 8, 7, 128]),
        },
    }];
    parts.textures = vec![Texture {
        name: "paint".into(),
        image: Some(ImageId::new(0)),
        sampler: Sampler::default(),
    }];
    parts.materials = vec![
        Material {
            name: "plain".into(),
            base_color: Vec4::new(0.2, 0.4, 0.6, 0.5),
            metallic: 0.3,
            roughness: 0.7,
            emissive: Vec3::new(0.1, 0.2, 0.3),
            emissive_strength: 2.0,
            alpha_mode: AlphaMode::Blend,
            ..Material::default()
        },
        Material {
            name: "painted".into(),
            base_color_texture: used,
            metallic_roughness_texture: used,
            normal_texture: used,
            occlusion_texture: used,
            emissive_texture: used,
            emissive: Vec3::ONE,
            ..Material::default()
        },
    ];
    let mut second = parts.meshes[0].primitives[0].clone();
    second.material = Some(MaterialId::new(1));
    parts.meshes[0].primitives[0].material = Some(MaterialId::new(0));
    parts.meshes[0].primitives.push(second);
    parts
}

#[test]
fn materials_keep_their_numbers_and_textures() {
    let scene = scene(painted());
    let back = read(&write(&scene));
    let plain = &back.materials[0];
    assert!(plain.base_color.abs_diff_eq(Vec4::new(0.2, 0.4, 0.6, 0.5), 1e-6), "{plain:?}");
    assert!((plain.metallic - 0.3).abs() < 1e-6 && (plain.roughness - 0.7).abs() < 1e-6);
    let glow = plain.emissive * plain.emissive_strength;
    assert!(glow.abs_diff_eq(Vec3::new(0.2, 0.4, 0.6), 1e-6), "{plain:?}");
    assert_eq!(plain.alpha_mode, AlphaMode::Blend);
    let painted = &back.materials[1];
    let used = painted.base_color_texture.expect("it is painted");
    let all = [
        painted.metallic_roughness_texture,
        painted.normal_texture,
        painted.occlusion_texture,
        painted.emissive_texture,
    ];
    assert_eq!(all, [Some(used); 4]);
    let uv = used.transform;
    assert!(uv.offset.abs_diff_eq(glam::Vec2::new(0.25, 0.5), 1e-5), "{uv:?}");
    assert!(uv.scale.abs_diff_eq(glam::Vec2::splat(2.0), 1e-5), "{uv:?}");
    assert!((uv.rotation - 0.3).abs() < 1e-5, "{uv:?}");
    let image = &back[back[used.texture].image.expect("it has an image")];
    assert_eq!(image.name, "skin_deep.png");
    assert!(
        matches!(&image.data, ImageData::Encoded { bytes, .. } if bytes.starts_with(b"\x89PNG"))
    );
}

#[test]
fn images_can_lie_beside_the_file() {
    let scene = scene(painted());
    let options = FbxOptions { textures: FbxTextures::External, ..FbxOptions::default() };
    let file = fbx(&scene, &options).expect("it can be written");
    assert_eq!(file.files.len(), 1);
    assert_eq!(file.files[0].name, "skin_deep.png");
    assert!(!file.bytes.windows(4).any(|four| four == b"IDAT"), "it is not in the file too");
}

#[test]
fn cameras_and_lights_look_the_same_way() {
    let mut parts = rig();
    let looking = Transform {
        translation: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_rotation_y(0.4) * Quat::from_rotation_x(-0.5),
        scale: Vec3::ONE,
    };
    parts.nodes.push(Node::new("eye", None, looking));
    parts.nodes.push(Node::new("lamp", Some(joint(5)), looking));
    let projection =
        Projection::Perspective { fov_y: 0.8, aspect: Some(1.5), near: 0.2, far: Some(50.0) };
    parts.cameras = vec![
        Camera { name: "film".into(), joint: joint(5), projection },
        // On a joint that moves.
        Camera { name: "head".into(), joint: joint(3), projection },
    ];
    let light = |at: usize, kind: LightKind| Light {
        name: "light".into(),
        joint: joint(at),
        kind,
        color: Vec3::new(1.0, 0.5, 0.25),
        intensity: 3.0,
        range: None,
    };
    let spot = LightKind::Spot { inner: 0.3, outer: 0.5 };
    parts.lights =
        vec![light(6, spot), light(6, LightKind::Directional), light(1, LightKind::Point)];
    let scene = scene(parts);
    let back = read(&write(&scene));
    let ahead = |scene: &Scene, at: sinew_scene::JointId| {
        let world = Pose::new(scene).model_from_joint()[at.index()];
        (Vec3::from(world.translation), world.transform_vector3(Vec3::NEG_Z).normalize())
    };
    for camera in &scene.cameras {
        let expected = ahead(&scene, camera.joint);
        let found = back.cameras.iter().find(|found| {
            let found = ahead(&back, found.joint);
            found.0.abs_diff_eq(expected.0, 1e-4) && found.1.abs_diff_eq(expected.1, 1e-4)
        });
        let found = found.expect("a camera that looks there");
        let Projection::Perspective { fov_y, aspect, near, far } = found.projection else {
            panic!("it has a perspective: {found:?}");
        };
        assert!((fov_y - 0.8).abs() < 1e-5 && (near - 0.2).abs() < 1e-5, "{found:?}");
        assert!((aspect.expect("an aspect") - 1.5).abs() < 1e-5, "{found:?}");
        assert!((far.expect("an end") - 50.0).abs() < 1e-3, "{found:?}");
    }
    for light in &scene.lights {
        let found = back.lights.iter().find(|found| {
            let same = std::mem::discriminant(&found.kind) == std::mem::discriminant(&light.kind);
            let (here, there) = (ahead(&scene, light.joint), ahead(&back, found.joint));
            same && here.0.abs_diff_eq(there.0, 1e-4) && here.1.abs_diff_eq(there.1, 1e-4)
        });
        let found = found.unwrap_or_else(|| panic!("{light:?} is not in {:?}", back.lights));
        assert!((found.intensity - 3.0).abs() < 1e-5 && found.color == light.color, "{found:?}");
    }
}

#[test]
fn odd_scenes_are_written_and_read() {
    let empty = read(&write(&Scene::default()));
    assert!(empty.skeleton().is_empty() && empty.clips.is_empty());

    let mut parts = rig();
    parts.nodes[1].name = "lo\0\u{1}w".into();
    parts.nodes[2].name = "twin".into();
    parts.nodes[3].name = "twin".into();
    parts.nodes[0].name.clear();
    parts.nodes[3].rest.scale = Vec3::ZERO;
    parts.meshes.push(Mesh::default());
    parts.meshes.push(Mesh { primitives: vec![Primitive::default()], ..Mesh::default() });
    for mesh in 1..=2 {
        parts.instances.push(Instance {
            joint: joint(2),
            mesh: MeshId::new(mesh),
            skin: None,
            weights: vec![],
        });
    }
    let held =
        Curve::new(vec![0.0, 0.0, 0.0], vec![Vec3::X, Vec3::Y, Vec3::Z], Interpolation::Linear);
    let pose = Track { joint: joint(1), curve: held.expect("three keys") };
    parts.clips = vec![
        Clip::default(),
        Clip { translations: vec![pose.clone(), pose], ..Clip::default() },
        Clip { start: -1e300, ..twist() },
        Clip { start: f64::MAX, duration: f32::MAX, ..Clip::default() },
    ];
    let scene = scene(parts);
    let file = write(&scene);
    let back = read(&file);
    assert_eq!(back.clips.len(), 4);
    assert!(back.skeleton().find("lo__w").is_some());
    assert!(file.notes.iter().any(|note| note == "a mesh that draws nothing is left out"));
}

#[test]
fn an_error_bound_below_zero_is_refused() {
    let options = FbxOptions { error: Some(-1.0), ..FbxOptions::default() };
    let error = fbx(&Scene::default(), &options).expect_err("it makes no sense");
    assert_eq!(error.to_string(), "expected an error bound above zero, found -1");
}
