//! The GPU puts vertices where the processor puts them.
//!
//! A pass draws one point for each vertex, at a pixel of its own, and writes the bits of the vertex's position, normal
//! or tangent there, since GL draws no floats. They are compared with `sinew_deform::deform`, vertex by vertex.
//!
//! Tolerance: both compute in single precision, in another order and perhaps with fused products. Up to nine
//! influences and four morph changes make some 60 roundings of 6e-8 on numbers up to 10: 4e-5 at worst. A normal is divided by
//! its length, which here may be a quarter: four times that.

use glam::{Affine3A, Quat, Vec3, Vec4};
use sinew_deform::{Binding, Vertices, deform, palette};
use sinew_scene::{
    Geometry, Influence, Influences, Instance, JointId, Mesh, MeshId, MorphTarget, Node, Primitive,
    Scene, SceneParts, Skin, SkinId, SkinMethod, Transform,
};

use super::stage::gpu;
use crate::frame::{Batches, Row, Sight};
use crate::pass::Stream;
use crate::texels::Texels;
use crate::upload::Vertex;
use crate::{ActorView, Camera, Frame, Renderer};

/// So many that their palette needs a second row of texels.
const JOINTS: usize = 800;
const VERTICES: usize = 500;
const WIDE: u32 = 64;

/// Numbers from -1 to 1 that look like chance and are the same every time.
struct Chance(u32);

impl Chance {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.next() * 0.5 + 0.5) * end as f32) as usize % end
    }
}

fn primitive(chance: &mut Chance) -> Primitive {
    let mut primitive = Primitive::from(Geometry { indices: vec![0, 1, 2], ..Geometry::default() });
    let mut influences = Influences::default();
    for vertex in 0..VERTICES {
        let normal = (chance.vec3() + 2.0 * Vec3::Y).normalize();
        primitive.positions.push(chance.vec3() * 2.0);
        primitive.normals.push(normal);
        let side = if vertex % 2 == 0 { 1.0 } else { -1.0 };
        primitive.tangents.push(normal.any_orthonormal_vector().extend(side));
        primitive.dual_weights.push(chance.next() * 0.5 + 0.5);
        let of_vertex: Vec<_> = (0..vertex % 10)
            .map(|_| Influence { joint: chance.below(JOINTS) as u32, weight: chance.next() + 1.01 })
            .collect();
        influences.push(of_vertex);
    }
    primitive.influences = influences;
    primitive.morphs = (0..4)
        .map(|target| {
            let mut some =
                |size: f32| -> Vec<Vec3> {
                    (0..VERTICES)
                        .map(|vertex| {
                            if vertex % 3 == target % 3 { chance.vec3() * size } else { Vec3::ZERO }
                        })
                        .collect()
                };
            MorphTarget { positions: some(0.5), normals: some(0.2), tangents: some(0.1) }
        })
        .collect();
    primitive
}

/// Turns below a radian, so that no mix of them comes near zero; stretched, and one in seven mirrored.
fn joints(chance: &mut Chance) -> Vec<Affine3A> {
    (0..JOINTS)
        .map(|joint| {
            let turn = Quat::from_axis_angle(chance.vec3().normalize_or(Vec3::X), chance.next());
            let mut scale = Vec3::splat(1.0) + chance.vec3() * 0.4;
            if joint % 7 == 0 {
                scale.x = -scale.x;
            }
            Affine3A::from_scale_rotation_translation(scale, turn, chance.vec3())
        })
        .collect()
}

fn rig(chance: &mut Chance, method: SkinMethod, share: bool) -> Scene {
    let mut primitive = primitive(chance);
    if !share {
        primitive.dual_weights.clear();
    }
    let nodes = (0..JOINTS).map(|_| Node::new("", None, Transform::IDENTITY)).collect();
    let bind =
        |_| Affine3A::from_rotation_translation(Quat::from_rotation_y(0.3), chance.vec3() * 0.2);
    let joint_from_mesh = (0..JOINTS).map(bind).collect();
    Scene::new(SceneParts {
        nodes,
        instances: vec![Instance {
            joint: JointId::new(5),
            mesh: MeshId::new(0),
            skin: Some(SkinId::new(0)),
            weights: vec![0.0; 4],
        }],
        meshes: vec![Mesh {
            primitives: vec![primitive],
            morph_names: vec![String::new(); 4],
            ..Mesh::default()
        }],
        skins: vec![Skin {
            joints: (0..JOINTS).map(JointId::new).collect(),
            joint_from_mesh,
            method,
            ..Skin::default()
        }],
        ..SceneParts::default()
    })
    .expect("a good scene")
}

const POINTS: &str = "
override WHICH: u32 = 0u;
struct Out { @builtin(position) clip: vec4<f32>, @location(0) @interpolate(flat, either) value: vec4<f32> }
@vertex fn vertex(in: Vertex, @builtin(vertex_index) index: u32) -> Out {
    let posed = in_pose(in);
    let pixel = vec2(f32(index % 64u), f32(index / 64u)) + 0.5;
    let place = pixel / vec2(64.0, 8.0) * 2.0 - 1.0;
    var value = vec4(posed.position, 0.0);
    if WHICH == 1u { value = vec4(posed.normal, 0.0); }
    if WHICH == 2u { value = posed.tangent; }
    return Out(vec4(place.x, -place.y, 0.5, 1.0), value);
}
@fragment fn fragment(in: Out) -> @location(0) vec4<u32> { return bitcast<vec4<u32>>(in.value); }
";

/// Positions (0), normals (1) or tangents (2) of all vertices, as the shader has them.
fn on_gpu(scene: &Scene, posed: &ActorView<'_>, which: u32) -> Vec<Vec4> {
    let gpu = gpu();
    let device = &gpu.device;
    let renderer = Renderer::new(&gpu);
    let model = renderer.upload(scene).expect("uploads");
    let mut frame = Frame::new(Camera::look_at(5.0 * Vec3::Z, Vec3::ZERO, 1.0));
    frame.add(&model, posed);
    let mut batches = Batches::default();
    let mut sight = Sight::default();
    sight.look(&frame, (64, 64));
    sight.rank(&frame, None, &[]);
    batches.fill(&frame, &sight, 0);
    let mut rows = Stream::new(device);
    rows.write(device, &gpu.queue, &batches.rows);
    let mut texels = Texels::new(device, "test", 1);
    assert!(frame.texels.len() > crate::texels::WIDE, "the palette is to need a second row");
    texels.fit(device, &mut frame.texels, 0).expect("fits");
    texels.write(&gpu.queue, &frame.texels);

    let source = [
        include_str!("../texels.wgsl"),
        include_str!("../vertex.wgsl"),
        sinew_deform::WGSL,
        POINTS,
    ]
    .join("\n");
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    let dual = f64::from(u8::from(model.has_dual()));
    let constants = [("DUAL", dual), ("HEAT", 0.0), ("WHICH", f64::from(which))];
    let compilation_options =
        wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
    let format = wgpu::TextureFormat::Rgba32Uint;
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex"),
            compilation_options: compilation_options.clone(),
            buffers: &[
                Some(wgpu::VertexBufferLayout {
                    array_stride: size_of::<Vertex>() as u64,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &Vertex::ATTRIBUTES,
                }),
                Some(wgpu::VertexBufferLayout {
                    array_stride: size_of::<Row>() as u64,
                    step_mode: wgpu::VertexStepMode::Instance,
                    attributes: &wgpu::vertex_attr_array![6 => Uint32x4, 7 => Uint32x2],
                }),
            ],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::PointList,
            ..Default::default()
        },
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fragment"),
            compilation_options,
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    });
    let bind = |group: u32, binding: u32, view: &wgpu::TextureView| {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(group),
            entries: &[wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::TextureView(view),
            }],
        })
    };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: WIDE, height: 8, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let pose_group = bind(0, 1, &texels.view);
    let mesh_group = bind(2, 0, model.mesh_texels_view());
    let view = texture.create_view(&Default::default());
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations::default(),
            })],
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &pose_group, &[]);
        pass.set_bind_group(2, &mesh_group, &[]);
        pass.set_vertex_buffer(0, model.vertices().slice(..));
        pass.set_vertex_buffer(1, rows.from::<Row>(0));
        pass.draw(0..VERTICES as u32, 0..1);
    }
    gpu.queue.submit([encoder.finish()]);
    let bytes = crate::readback::read_texture(&gpu, &texture, 16).expect("reads");
    let floats: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&bytes);
    floats.into_iter().take(VERTICES).map(Vec4::from_array).collect()
}

fn compare(method: SkinMethod) {
    let mut chance = Chance(7);
    let scene = rig(&mut chance, method, method == SkinMethod::Blended);
    let model_from_joint = joints(&mut chance);
    let weights = [0.7, -0.4, 1.3, 0.0];
    let posed = ActorView {
        model_from_joint: &model_from_joint,
        world_from_model: Affine3A::from_translation(Vec3::new(0.5, 0.25, -0.5)),
        palettes: None,
        weights: &weights,
        bounds: None,
        hidden: &[],
        heat: None,
    };
    let mut matrices = vec![Affine3A::IDENTITY; JOINTS];
    palette(&scene.skins[0], &model_from_joint, &mut matrices);
    for matrix in &mut matrices {
        *matrix = posed.world_from_model * *matrix;
    }
    let binding = Binding::Skinned {
        method,
        model_from_mesh: &matrices,
        without_influence: posed.world_from_model * model_from_joint[5],
    };
    let mut expected = Vertices::default();
    deform(&scene.meshes[0].primitives[0], &weights, binding, &mut expected);
    let [positions, normals, tangents] = [0, 1, 2].map(|which| on_gpu(&scene, &posed, which));
    let far = expected.positions.iter().map(|p| p.length()).fold(0.0, f32::max);
    assert!(far > 2.0 && far < 10.0, "the pose is to be worth comparing: {far}");
    for vertex in 0..VERTICES {
        let gap = (positions[vertex].truncate() - expected.positions[vertex]).length();
        assert!(gap < 4e-5, "{method:?}, vertex {vertex}: position off by {gap}");
        let gap = (normals[vertex].truncate() - expected.normals[vertex]).length();
        assert!(gap < 2e-4, "{method:?}, vertex {vertex}: normal off by {gap}");
        let gap = (tangents[vertex] - expected.tangents[vertex]).length();
        assert!(gap < 4e-4, "{method:?}, vertex {vertex}: tangent off by {gap}");
    }
}

#[test]
fn linear_skins_are_the_same_on_both_processors() {
    compare(SkinMethod::Linear);
}

#[test]
fn dual_quaternion_skins_are_the_same_on_both_processors() {
    compare(SkinMethod::DualQuaternion);
}

#[test]
fn blended_skins_are_the_same_on_both_processors() {
    compare(SkinMethod::Blended);
}
