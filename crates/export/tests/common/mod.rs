//! A scene that has everything glTF can say, made by code.
#![allow(dead_code, reason = "each test uses its own part")]

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use sinew_scene::{
    AlphaMode, AnimatedProperty, AnisotropyLayer, Camera, CameraId, ClearcoatLayer, Clip, Curve,
    DiffuseTransmissionLayer, Filter, Geometry, Image, ImageData, ImageId, Influence, Influences,
    Instance, InstanceId, Interpolation, IridescenceLayer, JointId, Light, LightId, LightKind,
    Marker, Material, MaterialId, MaterialLayers, MaterialTexture, Mesh, MeshId, MorphTarget, Node,
    Primitive, Projection, Property, PropertyId, PropertyTrack, Rows, Sampler, Scene, SceneParts,
    SheenLayer, Skin, SkinId, SkinMethod, SpecularLayer, Texture, TextureId, TextureUse, Topology,
    Track, Transform, TransmissionLayer, UvTransform, VariantId, WeightTrack, Wrap,
};

/// A PNG of one red pixel.
pub(crate) const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0,
    1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 0x0c, b'I', b'D', b'A', b'T',
    0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0, 0, 3, 1, 1, 0, 0xc9, 0xfe, 0x92, 0xef, 0, 0, 0, 0, b'I',
    b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

pub(crate) const JOINTS: usize = 7;

pub(crate) fn joint(at: usize) -> JointId {
    JointId::new(at)
}

fn nodes() -> Vec<Node> {
    let mut nodes = vec![Node::new("rig", None, Transform::IDENTITY)];
    for at in 0..JOINTS {
        let parent = if at == 0 { 0 } else { at };
        let rest = Transform {
            translation: Vec3::new(0.1, 0.2 * at as f32, 0.0),
            rotation: Quat::from_rotation_z(0.3 * at as f32),
            scale: Vec3::new(1.0, 1.0 + 0.1 * at as f32, 1.0),
        };
        nodes.push(Node::new(format!("joint {at}"), Some(joint(parent)), rest));
    }
    nodes.push(Node::new("skinned", None, Transform::IDENTITY));
    nodes.push(Node::new("prop", Some(joint(3)), Transform::from_translation(Vec3::X)));
    nodes.push(Node::new("lamp", None, Transform::from_translation(Vec3::Y * 2.0)));
    nodes.push(Node::new("eye", None, Transform::from_rotation(Quat::from_rotation_y(0.5))));
    nodes
}

/// A ring of vertices, each with more influences than the one before.
fn skinned_primitive() -> Primitive {
    let count = 6;
    let angle = |at: usize| at as f32 * 1.1;
    let positions: Vec<Vec3> =
        (0..count).map(|at| Vec3::new(angle(at).cos(), angle(at).sin(), 0.1 * at as f32)).collect();
    let mut influences = Influences::default();
    for vertex in 0..count {
        // Largest first, as the writer orders vertices of more than four.
        let each = (0..=vertex)
            .map(|at| Influence { joint: (at % JOINTS) as u32, weight: (vertex + 1 - at) as f32 });
        influences.push(each);
    }
    let tangent = |position: &Vec3| position.normalize().any_orthonormal_vector().extend(-1.0);
    let moved = |by: f32| (0..count).map(|at| Vec3::splat(by * at as f32)).collect::<Vec<_>>();
    Primitive {
        material: Some(MaterialId::new(0)),
        variants: vec![(VariantId::new(1), MaterialId::new(1))],
        ..Primitive::from(Geometry {
            topology: Topology::Triangles,
            indices: vec![0, 1, 2, 2, 3, 4, 4, 5, 0],
            normals: positions.iter().map(|position| position.normalize()).collect(),
            tangents: positions.iter().map(tangent).collect(),
            uvs: vec![
                (0..count).map(|at| Vec2::new(0.17 * at as f32, 1.5)).collect(),
                (0..count).map(|at| Vec2::new(at as f32 / 255.0, 1.0)).collect(),
            ],
            colors: vec![
                (0..count).map(|at| Vec4::new(at as f32 / 255.0, 0.0, 1.0, 0.2)).collect(),
            ],
            influences,
            morphs: vec![
                MorphTarget { positions: moved(0.5), normals: moved(0.1), tangents: moved(0.2) },
                MorphTarget { positions: moved(-0.25), normals: moved(0.0), tangents: moved(0.3) },
            ],
            positions,
            ..Geometry::default()
        })
    }
}

fn rigid_primitive(topology: Topology) -> Primitive {
    Primitive {
        material: Some(MaterialId::new(1)),
        ..Primitive::from(Geometry {
            topology,
            indices: if topology == Topology::Triangles { vec![2, 1, 0] } else { vec![0, 1] },
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            ..Geometry::default()
        })
    }
}

fn textures() -> (Vec<Texture>, Vec<Image>) {
    let encoded = ImageData::Encoded { media_type: "image/png".into(), bytes: Arc::from(PNG) };
    let images = vec![Image { name: "red.png".into(), data: encoded }];
    let plain = Sampler { mipmap: Some(Filter::Linear), ..Sampler::default() };
    let odd = Sampler {
        wrap_u: Wrap::Mirror,
        wrap_v: Wrap::Clamp,
        magnify: Filter::Nearest,
        minify: Filter::Nearest,
        mipmap: None,
    };
    let texture =
        |name: &str, sampler| Texture { name: name.into(), image: Some(ImageId::new(0)), sampler };
    (vec![texture("plain", plain), texture("odd", odd)], images)
}

fn materials() -> Vec<Material> {
    let used = |texture: usize, uv_set: u32| {
        let transform = UvTransform::default();
        Some(TextureUse { texture: TextureId::new(texture), uv_set, transform })
    };
    let moved =
        UvTransform { offset: Vec2::new(0.25, 0.0), rotation: 0.5, scale: Vec2::splat(2.0) };
    let rich = Material {
        name: "rich".into(),
        base_color: Vec4::new(0.1, 0.2, 0.3, 0.4),
        base_color_texture: used(0, 1).map(|used| TextureUse { transform: moved, ..used }),
        metallic: 0.25,
        roughness: 0.75,
        metallic_roughness_texture: used(1, 0),
        normal_texture: used(0, 1),
        normal_scale: 0.5,
        occlusion_texture: used(1, 1),
        occlusion_strength: 0.125,
        emissive: Vec3::new(1.0, 0.5, 0.0),
        emissive_strength: 4.0,
        emissive_texture: used(0, 0),
        alpha_mode: AlphaMode::Mask,
        alpha_cutoff: 0.3,
        double_sided: false,
        unlit: false,
        layers: layers(used(1, 1)),
    };
    let unlit = Material {
        name: "unlit".into(),
        alpha_mode: AlphaMode::Blend,
        double_sided: true,
        unlit: true,
        ..Material::default()
    };
    vec![rich, unlit]
}

/// Every layer, every number other than its default and other than the others.
fn layers(used: Option<TextureUse>) -> MaterialLayers {
    MaterialLayers {
        ior: 1.25,
        dispersion: 0.5,
        specular: SpecularLayer {
            strength: 0.5,
            strength_texture: used,
            color: Vec3::new(0.5, 0.25, 0.125),
            color_texture: used,
        },
        clearcoat: ClearcoatLayer {
            strength: 0.75,
            strength_texture: used,
            roughness: 0.25,
            roughness_texture: used,
            normal_texture: used,
            normal_scale: 0.5,
        },
        sheen: SheenLayer {
            color: Vec3::new(0.25, 0.5, 1.0),
            color_texture: used,
            roughness: 0.5,
            roughness_texture: used,
        },
        transmission: TransmissionLayer {
            strength: 0.5,
            strength_texture: used,
            thickness: 0.25,
            thickness_texture: used,
            attenuation_distance: Some(2.0),
            attenuation_color: Vec3::new(0.5, 1.0, 0.25),
        },
        diffuse_transmission: DiffuseTransmissionLayer {
            strength: 0.25,
            strength_texture: used,
            color: Vec3::new(1.0, 0.5, 0.25),
            color_texture: used,
        },
        iridescence: IridescenceLayer {
            strength: 0.5,
            strength_texture: used,
            ior: 1.5,
            min_thickness: 200.0,
            max_thickness: 300.0,
            thickness_texture: used,
        },
        anisotropy: AnisotropyLayer { strength: 0.5, rotation: 0.25, texture: used },
    }
}

fn lights_and_cameras() -> (Vec<Light>, Vec<Camera>) {
    let lamp = joint(JOINTS + 3);
    let eye = joint(JOINTS + 4);
    let light = |name: &str, joint, kind| Light {
        name: name.into(),
        joint,
        kind,
        color: Vec3::new(1.0, 0.5, 0.25),
        intensity: 12.5,
        range: Some(30.0),
    };
    let lights = vec![
        light("point", joint(1), LightKind::Point),
        light("spot", lamp, LightKind::Spot { inner: 0.1, outer: 0.7 }),
        light("sun", eye, LightKind::Directional),
    ];
    let perspective =
        Projection::Perspective { fov_y: 0.8, aspect: Some(1.5), near: 0.1, far: Some(100.0) };
    let flat = Projection::Orthographic { half_width: 2.0, half_height: 1.0, near: 0.0, far: 10.0 };
    let cameras = vec![
        Camera { name: "wide".into(), joint: lamp, projection: perspective },
        Camera { name: "flat".into(), joint: eye, projection: flat },
    ];
    (lights, cameras)
}

fn properties() -> Vec<AnimatedProperty> {
    let all = [
        (Property::Visible(joint(JOINTS + 2)), [0.0; 4]),
        (Property::BaseColor(MaterialId::new(0)), [0.1, 0.2, 0.3, 0.4]),
        (Property::UvOffset(MaterialId::new(0), MaterialTexture::BaseColor), [0.25, 0.0, 0.0, 0.0]),
        (Property::EmissiveStrength(MaterialId::new(0)), [4.0, 0.0, 0.0, 0.0]),
        (Property::LightIntensity(LightId::new(1)), [12.5, 0.0, 0.0, 0.0]),
        (Property::FovY(CameraId::new(0)), [0.8, 0.0, 0.0, 0.0]),
    ];
    all.into_iter().map(|(property, rest)| AnimatedProperty { property, rest }).collect()
}

fn clips(properties: &[AnimatedProperty]) -> Vec<Clip> {
    let times: Arc<[f32]> = [0.0, 0.4, 1.0].into();
    let vectors = |joint, interpolation: Interpolation| {
        let count = 3 * interpolation.values_per_key();
        let values = (0..count).map(|at| Vec3::new(at as f32, 0.5, -1.0)).collect();
        Track { joint, curve: Curve::new(times.clone(), values, interpolation).expect("keys") }
    };
    let rotations = |joint, interpolation: Interpolation| {
        let count = 3 * interpolation.values_per_key();
        let values = (0..count).map(|at| Quat::from_rotation_x(0.3 * at as f32)).collect();
        Track { joint, curve: Curve::new(times.clone(), values, interpolation).expect("keys") }
    };
    let rows = |width: usize, interpolation: Interpolation| {
        let count = 3 * width * interpolation.values_per_key();
        let values = (0..count).map(|at| (at % 2) as f32).collect();
        Rows::new(times.clone(), values, width, interpolation).expect("rows")
    };
    let driven = properties.iter().enumerate().map(|(at, entry)| {
        let step = matches!(entry.property, Property::Visible(_));
        let kind = if step { Interpolation::Step } else { Interpolation::Linear };
        PropertyTrack { property: PropertyId::new(at), rows: rows(entry.property.width(), kind) }
    });
    let instance = InstanceId::new(0);
    let all = Clip {
        name: "all".into(),
        duration: 1.0,
        translations: vec![
            vectors(joint(2), Interpolation::Linear),
            vectors(joint(1), Interpolation::Cubic),
        ],
        rotations: vec![
            rotations(joint(3), Interpolation::Cubic),
            rotations(joint(4), Interpolation::Linear),
            rotations(joint(5), Interpolation::Step),
        ],
        scales: vec![vectors(joint(2), Interpolation::Step)],
        weights: vec![WeightTrack { instance, rows: rows(2, Interpolation::Cubic) }],
        properties: driven.collect(),
        markers: vec![Marker::new("left foot", 0.25), Marker::new("right foot", 0.75)],
        ..Clip::default()
    };
    let short = Clip {
        name: "short".into(),
        start: 2.125,
        duration: 0.5,
        translations: vec![vectors(joint(1), Interpolation::Linear)],
        ..Clip::default()
    };
    vec![all, short]
}

/// Everything, laid out so that it is read back as it is.
pub(crate) fn everything() -> SceneParts {
    let (textures, images) = textures();
    let (lights, cameras) = lights_and_cameras();
    let properties = properties();
    let skin = Skin {
        name: "skin".into(),
        joints: (1..=JOINTS).map(joint).collect(),
        joint_from_mesh: (0..JOINTS)
            .map(|at| Affine3A::from_translation(Vec3::new(0.0, -0.2 * at as f32, 0.5)))
            .collect(),
        method: SkinMethod::Linear,
    };
    let names = vec!["smile".into(), "frown".into()];
    let meshes = vec![
        Mesh { name: "body".into(), primitives: vec![skinned_primitive()], morph_names: names },
        Mesh {
            name: "prop".into(),
            primitives: vec![
                rigid_primitive(Topology::Triangles),
                rigid_primitive(Topology::Lines),
                rigid_primitive(Topology::Points),
            ],
            morph_names: Vec::new(),
        },
    ];
    let instance = |node: usize, mesh: usize, skin: Option<SkinId>, weights: Vec<f32>| Instance {
        joint: joint(node),
        mesh: MeshId::new(mesh),
        skin,
        weights,
    };
    SceneParts {
        nodes: nodes(),
        instances: vec![
            instance(JOINTS + 1, 0, Some(SkinId::new(0)), vec![0.5, 0.0]),
            instance(JOINTS + 2, 1, None, Vec::new()),
        ],
        meshes,
        skins: vec![skin],
        clips: clips(&properties),
        materials: materials(),
        variants: vec!["day".into(), "night".into()],
        textures,
        images,
        lights,
        cameras,
        properties,
        ..SceneParts::default()
    }
}

pub(crate) fn scene(parts: SceneParts) -> Scene {
    Scene::new(parts).expect("the parts fit")
}
