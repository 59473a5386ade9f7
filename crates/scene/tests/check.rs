//! Everything that a scene refuses, one row each: what is broken, where the error says it is, and why.
//!
//! Nobody checks again after this, so each row breaks one thing of a scene that is good.

use std::sync::Arc;

use sinew_scene::glam::{Affine3A, Mat3A, Quat, Vec2, Vec3, Vec4};
use sinew_scene::*;

const NAN: f32 = f32::NAN;

fn curve<V: Clone>(values: Vec<V>) -> Curve<V> {
    let times: Vec<f32> = (0..values.len()).map(|key| key as f32).collect();
    Curve::new(times, values, Interpolation::Linear).expect("a good curve")
}

fn rows(width: usize, value: f32) -> Rows {
    Rows::new(vec![0.0, 1.0], vec![value; 2 * width], width, Interpolation::Linear)
        .expect("good rows")
}

fn triangle() -> Primitive {
    let mut influences = Influences::default();
    for _ in 0..3 {
        influences.push([Influence { joint: 1, weight: 1.0 }]);
    }
    let morph = MorphTarget {
        positions: vec![Vec3::X; 3],
        normals: vec![Vec3::X; 3],
        tangents: vec![Vec3::X; 3],
    };
    Primitive {
        material: Some(MaterialId::new(0)),
        ..Primitive::from(Geometry {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            tangents: vec![Vec4::X; 3],
            uvs: vec![vec![Vec2::ZERO; 3]],
            colors: vec![vec![Vec4::ONE; 3]],
            influences,
            dual_weights: vec![0.5; 3],
            morphs: vec![morph],
            indices: vec![0, 1, 2],
            ..Geometry::default()
        })
    }
}

/// A scene with one of everything.
fn good() -> SceneParts {
    let joint = JointId::new(1);
    let used =
        TextureUse { texture: TextureId::new(0), uv_set: 0, transform: UvTransform::default() };
    let perspective =
        Projection::Perspective { fov_y: 1.0, aspect: Some(1.5), near: 0.1, far: Some(9.0) };
    let flat = Projection::Orthographic { half_width: 1.0, half_height: 1.0, near: 0.1, far: 9.0 };
    let spot = LightKind::Spot { inner: 0.1, outer: 0.2 };
    let mut bent = Node::new("bent", Some(JointId::new(0)), Transform::IDENTITY);
    bent.shear = Some(Mat3A::IDENTITY);
    SceneParts {
        nodes: vec![Node::new("root", None, Transform::IDENTITY), bent],
        instances: vec![Instance {
            joint,
            mesh: MeshId::new(0),
            skin: Some(SkinId::new(0)),
            weights: vec![0.0],
        }],
        meshes: vec![Mesh {
            name: String::new(),
            primitives: vec![triangle()],
            morph_names: vec!["smile".into()],
        }],
        skins: vec![Skin {
            name: String::new(),
            joints: vec![JointId::new(0), joint],
            joint_from_mesh: vec![Affine3A::IDENTITY; 2],
            method: SkinMethod::Linear,
        }],
        clips: vec![Clip {
            duration: 1.0,
            translations: vec![Track { joint, curve: curve(vec![Vec3::ZERO, Vec3::X]) }],
            rotations: vec![Track { joint, curve: curve(vec![Quat::IDENTITY; 2]) }],
            scales: vec![Track { joint, curve: curve(vec![Vec3::ONE; 2]) }],
            weights: vec![WeightTrack { instance: InstanceId::new(0), rows: rows(1, 0.5) }],
            properties: vec![PropertyTrack { property: PropertyId::new(0), rows: rows(1, 0.5) }],
            markers: vec![Marker::new("a", 0.2), Marker::new("b", 0.8)],
            ..Clip::default()
        }],
        variants: Vec::new(),
        materials: vec![Material { base_color_texture: Some(used), ..Material::default() }],
        textures: vec![Texture {
            name: String::new(),
            image: Some(ImageId::new(0)),
            sampler: Sampler::default(),
        }],
        images: vec![Image {
            name: String::new(),
            data: ImageData::Pixels { width: 1, height: 2, rgba: Arc::from([0; 8]) },
        }],
        lights: vec![Light {
            name: String::new(),
            joint,
            kind: spot,
            color: Vec3::ONE,
            intensity: 1.0,
            range: Some(3.0),
        }],
        cameras: vec![
            Camera { name: String::new(), joint, projection: perspective },
            Camera { name: String::new(), joint, projection: flat },
        ],
        properties: vec![AnimatedProperty {
            property: Property::Metallic(MaterialId::new(0)),
            rest: [0.0; 4],
        }],
        file_from_world: Affine3A::IDENTITY,
    }
}

type Break = fn(&mut SceneParts);

fn primitive(parts: &mut SceneParts) -> &mut Primitive {
    &mut parts.meshes[0].primitives[0]
}

fn clip(parts: &mut SceneParts) -> &mut Clip {
    &mut parts.clips[0]
}

#[test]
fn a_good_scene_is_taken() {
    assert_eq!(Scene::new(good()).map(|_| ()), Ok(()));
}

/// What is broken, where that is, and what the message says.
const FAULTS: &[(Break, &str, &str)] = &[
    (|p| p.nodes[1].parent = Some(JointId::new(1)), "nodes[1]", "a parent before the node"),
    (|p| p.nodes[0].rest.translation.x = NAN, "nodes[0]", "finite"),
    (|p| p.nodes[0].rest.scale.z = f32::INFINITY, "nodes[0]", "finite"),
    (
        |p| p.nodes[1].shear = Some(Mat3A::from_diagonal(Vec3::new(1.0, NAN, 1.0))),
        "nodes[1]",
        "finite",
    ),
    (
        |p| p.nodes[0].rest.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 2.0),
        "nodes[0]",
        "a unit rotation",
    ),
    (|p| primitive(p).morphs.clear(), "meshes[0].primitives[0].morphs", "expected 1 entries"),
    (
        |p| primitive(p).material = Some(MaterialId::new(1)),
        "meshes[0].primitives[0].material",
        "below 1",
    ),
    (|p| primitive(p).indices = vec![0, 1], "meshes[0].primitives[0].indices", "a multiple of 3"),
    (|p| primitive(p).indices[2] = 3, "meshes[0].primitives[0].indices[2]", "below 3, found 3"),
    (|p| _ = primitive(p).normals.pop(), "meshes[0].primitives[0].normals", "expected 3 entries"),
    (|p| _ = primitive(p).tangents.pop(), "meshes[0].primitives[0].tangents", "expected 3 entries"),
    (
        |p| _ = primitive(p).influences.push([]),
        "meshes[0].primitives[0].influences",
        "expected 3 entries",
    ),
    (
        |p| _ = primitive(p).dual_weights.pop(),
        "meshes[0].primitives[0].dual_weights",
        "expected 3 entries",
    ),
    (|p| _ = primitive(p).uvs[0].pop(), "meshes[0].primitives[0].uvs[0]", "expected 3 entries"),
    (|p| primitive(p).uvs[0][1].x = NAN, "meshes[0].primitives[0].uvs[0]", "finite"),
    (
        |p| _ = primitive(p).colors[0].pop(),
        "meshes[0].primitives[0].colors[0]",
        "expected 3 entries",
    ),
    (|p| primitive(p).colors[0][1].w = NAN, "meshes[0].primitives[0].colors[0]", "finite"),
    (
        |p| _ = primitive(p).morphs[0].positions.pop(),
        "meshes[0].primitives[0].morphs[0].positions",
        "3",
    ),
    (
        |p| _ = primitive(p).morphs[0].normals.pop(),
        "meshes[0].primitives[0].morphs[0].normals",
        "3",
    ),
    (
        |p| _ = primitive(p).morphs[0].tangents.pop(),
        "meshes[0].primitives[0].morphs[0].tangents",
        "3",
    ),
    (
        |p| primitive(p).morphs[0].positions[0].y = NAN,
        "meshes[0].primitives[0].morphs[0]",
        "finite",
    ),
    (|p| primitive(p).morphs[0].normals[0].y = NAN, "meshes[0].primitives[0].morphs[0]", "finite"),
    (|p| primitive(p).morphs[0].tangents[0].y = NAN, "meshes[0].primitives[0].morphs[0]", "finite"),
    (|p| primitive(p).positions[2].z = NAN, "meshes[0].primitives[0].positions", "finite"),
    (|p| primitive(p).normals[2].z = NAN, "meshes[0].primitives[0].normals", "finite"),
    (|p| primitive(p).tangents[2].w = NAN, "meshes[0].primitives[0].tangents", "finite"),
    (|p| primitive(p).dual_weights[2] = NAN, "meshes[0].primitives[0].dual_weights", "finite"),
    (
        |p| primitive(p).variants.push((VariantId::new(0), MaterialId::new(0))),
        "meshes[0].primitives[0].variants",
        "below 0",
    ),
    (
        |p| {
            p.variants.push("night".into());
            primitive(p).variants.push((VariantId::new(0), MaterialId::new(1)));
        },
        "meshes[0].primitives[0].variants",
        "below 1, found 1",
    ),
    (|p| _ = p.skins[0].joint_from_mesh.pop(), "skins[0].joint_from_mesh", "expected 2 entries"),
    (|p| p.skins[0].joints[1] = JointId::new(2), "skins[0].joints[1]", "below 2"),
    (
        |p| p.skins[0].joint_from_mesh[1].translation.x = NAN,
        "skins[0].joint_from_mesh[1]",
        "finite",
    ),
    (|p| p.instances[0].joint = JointId::new(7), "instances[0].joint", "below 2"),
    (|p| p.instances[0].mesh = MeshId::new(1), "instances[0].mesh", "below 1"),
    (|p| p.instances[0].weights.clear(), "instances[0].weights", "expected 1 entries"),
    (|p| p.instances[0].weights[0] = NAN, "instances[0].weights", "finite"),
    (|p| p.instances[0].skin = Some(SkinId::new(1)), "instances[0].skin", "below 1"),
    (
        |p| {
            let skin = &mut p.skins[0];
            skin.joints.pop();
            skin.joint_from_mesh.pop();
        },
        "instances[0]: influence of its mesh",
        "below 1, found 1",
    ),
    (|p| p.textures.clear(), "materials[0]", "below 0"),
    (|p| offset(p).x = NAN, "materials[0]", "finite"),
    (|p| p.materials[0].base_color.x = NAN, "materials[0]", "finite"),
    (|p| p.materials[0].emissive.x = NAN, "materials[0]", "finite"),
    (|p| p.materials[0].metallic = NAN, "materials[0]", "finite"),
    (|p| p.materials[0].roughness = NAN, "materials[0]", "finite"),
    (|p| p.materials[0].normal_scale = NAN, "materials[0]", "finite"),
    (|p| p.materials[0].occlusion_strength = NAN, "materials[0]", "finite"),
    (|p| p.materials[0].emissive_strength = NAN, "materials[0]", "finite"),
    (|p| p.materials[0].alpha_cutoff = NAN, "materials[0]", "finite"),
    (|p| p.textures[0].image = Some(ImageId::new(1)), "textures[0].image", "below 1"),
    (|p| p.images[0].data = pixels(3), "images[0].rgba", "expected 12 entries, found 8"),
    (|p| p.lights[0].joint = JointId::new(2), "lights[0].joint", "below 2"),
    (|p| p.lights[0].color.y = NAN, "lights[0]", "finite"),
    (|p| p.lights[0].intensity = NAN, "lights[0]", "finite"),
    (|p| p.lights[0].range = Some(NAN), "lights[0]", "finite"),
    (|p| p.lights[0].kind = LightKind::Spot { inner: NAN, outer: 0.2 }, "lights[0].kind", "finite"),
    (|p| p.lights[0].kind = LightKind::Spot { inner: 0.1, outer: NAN }, "lights[0].kind", "finite"),
    (|p| p.cameras[0].joint = JointId::new(2), "cameras[0].joint", "below 2"),
    (|p| *perspective(p).0 = NAN, "cameras[0].projection", "finite"),
    (|p| *perspective(p).1 = Some(NAN), "cameras[0].projection", "finite"),
    (|p| *perspective(p).2 = NAN, "cameras[0].projection", "finite"),
    (|p| *perspective(p).3 = Some(NAN), "cameras[0].projection", "finite"),
    (|p| *orthographic(p)[0] = NAN, "cameras[1].projection", "finite"),
    (|p| *orthographic(p)[1] = NAN, "cameras[1].projection", "finite"),
    (|p| *orthographic(p)[2] = NAN, "cameras[1].projection", "finite"),
    (|p| *orthographic(p)[3] = NAN, "cameras[1].projection", "finite"),
    (
        |p| p.properties[0].property = Property::Metallic(MaterialId::new(1)),
        "properties[0]",
        "below 1",
    ),
    (
        |p| p.properties[0].property = Property::LightRange(LightId::new(1)),
        "properties[0]",
        "below 1",
    ),
    (|p| p.properties[0].property = Property::FovY(CameraId::new(2)), "properties[0]", "below 2"),
    (|p| p.properties[0].property = Property::Visible(JointId::new(2)), "properties[0]", "below 2"),
    (|p| p.properties[0].rest[1] = NAN, "properties[0]", "finite"),
    (|p| clip(p).duration = -1.0, "clips[0]", "a length from zero up, found -1"),
    (|p| clip(p).duration = f32::INFINITY, "clips[0]", "a length from zero up"),
    (|p| clip(p).start = f64::NAN, "clips[0]", "a length from zero up"),
    (|p| clip(p).markers[1].time = 0.1, "clips[0].markers[1]", "from 0.2 to 1 s, found 0.1"),
    (|p| clip(p).markers[1].time = 1.1, "clips[0].markers[1]", "from 0.2 to 1 s, found 1.1"),
    (|p| clip(p).markers[0].time = NAN, "clips[0].markers[0]", "found NaN"),
    (|p| clip(p).translations[0].joint = JointId::new(2), "clips[0].translations[0]", "below 2"),
    (
        |p| clip(p).translations[0].curve = curve(vec![Vec3::NAN]),
        "clips[0].translations[0]",
        "finite",
    ),
    (|p| clip(p).scales[0].joint = JointId::new(2), "clips[0].scales[0]", "below 2"),
    (|p| clip(p).scales[0].curve = curve(vec![Vec3::NAN]), "clips[0].scales[0]", "finite"),
    (|p| clip(p).rotations[0].joint = JointId::new(2), "clips[0].rotations[0]", "below 2"),
    (|p| clip(p).rotations[0].curve = curve(vec![Quat::NAN]), "clips[0].rotations[0]", "finite"),
    (
        |p| clip(p).rotations[0].curve = curve(vec![Quat::IDENTITY * 0.5]),
        "clips[0].rotations[0]",
        "unit rotations",
    ),
    (|p| clip(p).weights[0].instance = InstanceId::new(1), "clips[0].weights[0]", "below 1"),
    (
        |p| clip(p).weights[0].rows = rows(2, 0.5),
        "clips[0].weights[0]",
        "expected 1 entries, found 2",
    ),
    (|p| clip(p).weights[0].rows = rows(1, NAN), "clips[0].weights[0]", "finite"),
    (|p| clip(p).properties[0].property = PropertyId::new(1), "clips[0].properties[0]", "below 1"),
    (|p| clip(p).properties[0].rows = rows(3, 0.5), "clips[0].properties[0]", "expected 1 entries"),
    (|p| clip(p).properties[0].rows = rows(1, NAN), "clips[0].properties[0]", "finite"),
    (|p| p.file_from_world.translation.x = NAN, "file_from_world", "finite"),
];

fn offset(parts: &mut SceneParts) -> &mut Vec2 {
    let used = parts.materials[0].base_color_texture.as_mut().expect("a texture");
    &mut used.transform.offset
}

fn pixels(height: u32) -> ImageData {
    ImageData::Pixels { width: 1, height, rgba: Arc::from([0; 8]) }
}

fn perspective(parts: &mut SceneParts) -> (&mut f32, &mut Option<f32>, &mut f32, &mut Option<f32>) {
    match &mut parts.cameras[0].projection {
        Projection::Perspective { fov_y, aspect, near, far } => (fov_y, aspect, near, far),
        Projection::Orthographic { .. } => unreachable!("the first camera has perspective"),
    }
}

fn orthographic(parts: &mut SceneParts) -> [&mut f32; 4] {
    match &mut parts.cameras[1].projection {
        Projection::Orthographic { half_width, half_height, near, far } => {
            [half_width, half_height, near, far]
        }
        Projection::Perspective { .. } => unreachable!("the second camera has none"),
    }
}

#[test]
fn each_fault_is_refused_with_its_place_and_reason() {
    for (row, (damage, place, reason)) in FAULTS.iter().enumerate() {
        let mut parts = good();
        damage(&mut parts);
        let error = Scene::new(parts).map(|_| ()).expect_err(&format!("row {row}, {place}"));
        assert_eq!(&error.place, place, "row {row}: {error}");
        assert!(error.message.contains(reason), "row {row}: {error}");
    }
}

/// A shared geometry is looked at once; one that an edit made its own is looked at again.
#[test]
fn an_edit_leaves_those_that_shared_the_geometry_as_they_were() {
    let mut parts = good();
    let shared = parts.meshes[0].primitives[0].clone();
    parts.meshes[0].primitives.push(shared);
    let [one, other] = &parts.meshes[0].primitives[..] else { panic!("two primitives") };
    assert!(Arc::ptr_eq(&one.geometry, &other.geometry));
    assert!(Scene::new(parts.clone()).is_ok());
    parts.meshes[0].primitives[1].positions[0].x = NAN;
    assert_eq!(parts.meshes[0].primitives[0].positions[0], Vec3::ZERO);
    let error = Scene::new(parts).expect_err("a number that is not finite");
    assert_eq!(error.place, "meshes[0].primitives[1].positions");
}

#[test]
fn of_an_edited_scene_what_was_changed_is_checked_again() {
    let scene = Scene::new(good()).expect("a good scene");
    let same = Scene::from_edited(scene.clone().into_parts(), &scene).expect("nothing new");
    assert_eq!(same, scene);
    let mut parts = scene.clone().into_parts();
    parts.meshes[0].primitives[0].positions[1] = Vec3::splat(NAN);
    let error = Scene::from_edited(parts, &scene).expect_err("a place that is none");
    assert_eq!(error.place, "meshes[0].primitives[0].positions");
}
