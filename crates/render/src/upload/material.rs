//! Materials: their values in one buffer, their images bound beside them.

use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};
use sinew_scene::{AlphaMode, Material, Scene, TextureUse};

use super::textures::{Neutral, Textures};
use super::{Layouts, Surface};
use crate::Gpu;

/// A material's values as material.wgsl reads them; a test compares the two.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct MaterialUniform {
    pub(crate) base_color: Vec4,
    pub(crate) emissive: Vec4,
    pub(crate) factors: Vec4,
    pub(crate) flags: [u32; 4],
    pub(crate) uv: [Vec4; 10],
}

/// The five maps, in the order of material.wgsl.
pub(super) fn maps(material: &Material) -> [Option<TextureUse>; 5] {
    [
        material.base_color_texture,
        material.metallic_roughness_texture,
        material.normal_texture,
        material.occlusion_texture,
        material.emissive_texture,
    ]
}

/// Which maps any material has, one bit each.
pub(super) fn maps_of(scene: &Scene) -> u32 {
    let mut bits = 0;
    for material in &scene.materials {
        for (map, used) in maps(material).iter().enumerate() {
            bits |= u32::from(used.is_some()) << map;
        }
    }
    bits
}

impl MaterialUniform {
    fn new(material: &Material) -> Self {
        let mut uv = [Vec4::ZERO; 10];
        for (map, used) in maps(material).iter().enumerate() {
            let (transform, set) = used.map_or_else(Default::default, |u| (u.transform, u.uv_set));
            // KHR_texture_transform: scaled, then turned, then moved.
            let (sin, cos) = transform.rotation.sin_cos();
            let scale = transform.scale;
            uv[2 * map] = Vec4::new(cos * scale.x, sin * scale.y, -sin * scale.x, cos * scale.y);
            uv[2 * map + 1] = transform.offset.extend(set as f32).extend(0.0);
        }
        let mode = match material.alpha_mode {
            AlphaMode::Opaque => 0,
            AlphaMode::Mask => 1,
            AlphaMode::Blend => 2,
        };
        // What is see-through casts a shadow where it is more there than not.
        let cutoff =
            if material.alpha_mode == AlphaMode::Mask { material.alpha_cutoff } else { 0.5 };
        let emissive: Vec3 = material.emissive * material.emissive_strength;
        Self {
            base_color: material.base_color,
            emissive: emissive.extend(cutoff),
            factors: Vec4::new(
                material.metallic,
                material.roughness,
                material.normal_scale,
                material.occlusion_strength,
            ),
            flags: [mode, u32::from(material.unlit), 0, 0],
            uv,
        }
    }
}

/// Between two materials' values: every device takes offsets in steps of 256.
fn stride() -> u64 {
    (size_of::<MaterialUniform>() as u64).next_multiple_of(256)
}

pub(super) fn write(gpu: &Gpu, buffer: &wgpu::Buffer, index: usize, material: &Material) {
    let values = MaterialUniform::new(material);
    gpu.queue.write_buffer(buffer, index as u64 * stride(), bytemuck::bytes_of(&values));
}

/// All materials, and a grey one last for primitives without.
pub(super) fn upload(
    gpu: &Gpu,
    layouts: &Layouts,
    scene: &Scene,
    textures: &mut Textures<'_>,
) -> (Vec<Surface>, wgpu::Buffer) {
    let plain = Material {
        base_color: Vec4::new(0.62, 0.62, 0.62, 1.0),
        metallic: 0.0,
        roughness: 0.6,
        double_sided: true,
        ..Material::default()
    };
    let all = || scene.materials.iter().chain([&plain]);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("materials"),
        size: stride() * all().count() as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let surface = |(index, material): (usize, &Material)| {
        write(gpu, &buffer, index, material);
        Surface {
            bind_group: bind(gpu, layouts, textures, (&buffer, index), material),
            alpha_mode: material.alpha_mode,
            double_sided: material.double_sided,
        }
    };
    let surfaces = all().enumerate().map(surface).collect();
    (surfaces, buffer)
}

/// What takes the place of a map that cannot be had: the material keeps its own colour, and does not begin to glow.
fn instead(map: usize, material: &Material) -> Neutral {
    let white = material.base_color.truncate().min_element() > 0.8;
    match map {
        0 if white => Neutral::Grey,
        2 => Neutral::Flat,
        4 => Neutral::Black,
        _ => Neutral::White,
    }
}

fn bind(
    gpu: &Gpu,
    layouts: &Layouts,
    textures: &mut Textures<'_>,
    (buffer, index): (&wgpu::Buffer, usize),
    material: &Material,
) -> wgpu::BindGroup {
    const KINDS: [(bool, Neutral); 5] = [
        (true, Neutral::White),
        (false, Neutral::White),
        (false, Neutral::Flat),
        (false, Neutral::White),
        (true, Neutral::White),
    ];
    let mut bound = Vec::with_capacity(5);
    for (used, (is_srgb, neutral)) in maps(material).iter().zip(KINDS) {
        bound.push(match used {
            Some(used) => textures.of(used.texture, is_srgb, instead(bound.len(), material)),
            None => textures.neutral(neutral),
        });
    }
    let values = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer,
        offset: index as u64 * stride(),
        size: std::num::NonZeroU64::new(size_of::<MaterialUniform>() as u64),
    });
    let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: values }];
    for (map, (view, sampler)) in bound.iter().enumerate() {
        let binding = 1 + 2 * map as u32;
        let image = wgpu::BindingResource::TextureView(view);
        entries.push(wgpu::BindGroupEntry { binding, resource: image });
        let sampler = wgpu::BindingResource::Sampler(sampler);
        entries.push(wgpu::BindGroupEntry { binding: binding + 1, resource: sampler });
    }
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("material"),
        layout: &layouts.material,
        entries: &entries,
    })
}
