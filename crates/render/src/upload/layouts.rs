//! What the shaders' four bind groups hold.
//!
//! 0 globals and the frame's texels, 1 the surroundings (shadow and environment), 2 the scene's texels, 3 the
//! material. No pipeline leaves one out between others: Mesa's software driver then reads the wrong one.

use crate::globals::Globals;

/// The layout of each bind group.
#[derive(Clone, Debug)]
pub(crate) struct Layouts {
    pub(crate) globals: wgpu::BindGroupLayout,
    pub(crate) mesh: wgpu::BindGroupLayout,
    pub(crate) material: wgpu::BindGroupLayout,
    pub(crate) surroundings: wgpu::BindGroupLayout,
}

fn entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BindingType,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

fn texture(
    kind: wgpu::TextureSampleType,
    dimension: wgpu::TextureViewDimension,
) -> wgpu::BindingType {
    wgpu::BindingType::Texture { sample_type: kind, view_dimension: dimension, multisampled: false }
}

fn uniform(size: usize) -> wgpu::BindingType {
    wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: std::num::NonZeroU64::new(size as u64),
    }
}

const FLAT: wgpu::TextureViewDimension = wgpu::TextureViewDimension::D2;
const NUMBERS: wgpu::TextureSampleType = wgpu::TextureSampleType::Float { filterable: false };
const COLORS: wgpu::TextureSampleType = wgpu::TextureSampleType::Float { filterable: true };

impl Layouts {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let (vertex, fragment) = (wgpu::ShaderStages::VERTEX, wgpu::ShaderStages::FRAGMENT);
        let layout = |label: &str, entries: &[wgpu::BindGroupLayoutEntry]| {
            let label = Some(label);
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries })
        };
        let filtering = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let comparing = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
        let values = size_of::<super::MaterialUniform>();
        let mut material = vec![entry(0, fragment, uniform(values))];
        for map in 0..5 {
            material.push(entry(1 + 2 * map, fragment, texture(COLORS, FLAT)));
            material.push(entry(2 + 2 * map, fragment, filtering));
        }
        let depth = texture(wgpu::TextureSampleType::Depth, FLAT);
        let cube = texture(COLORS, wgpu::TextureViewDimension::Cube);
        Self {
            globals: layout(
                "globals",
                &[
                    entry(0, vertex | fragment, uniform(size_of::<Globals>())),
                    entry(1, vertex, texture(NUMBERS, FLAT)),
                ],
            ),
            mesh: layout("mesh", &[entry(0, vertex, texture(NUMBERS, FLAT))]),
            material: layout("material", &material),
            surroundings: layout(
                "surroundings",
                &[
                    entry(0, fragment, depth),
                    entry(1, fragment, comparing),
                    entry(2, fragment, cube),
                    entry(3, fragment, filtering),
                ],
            ),
        }
    }

    pub(crate) fn bind_texels(
        &self,
        device: &wgpu::Device,
        view: &wgpu::TextureView,
    ) -> wgpu::BindGroup {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("mesh"),
            layout: &self.mesh,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(view),
            }],
        })
    }
}
