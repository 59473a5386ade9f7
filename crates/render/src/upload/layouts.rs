//! What the shaders' four bind groups hold.
//!
//! 0 globals and the frame's texels, 1 the surroundings (shadow, environment, occlusion), 2 the scene's texels, 3 the
//! material, with those images that any material of the scene has. No pipeline leaves one out between others: Mesa's software driver then reads the wrong one.

use std::sync::{Arc, Mutex, PoisonError};

use crate::globals::Globals;
use crate::maps;
use crate::occlusion::OcclusionUniform;

/// The layout of each bind group.
#[derive(Clone, Debug)]
pub(crate) struct Layouts {
    pub(crate) globals: wgpu::BindGroupLayout,
    pub(crate) mesh: wgpu::BindGroupLayout,
    pub(crate) surroundings: wgpu::BindGroupLayout,
    /// In the place of the surroundings where a map of depth is drawn: from the world to the map.
    pub(crate) map_view: wgpu::BindGroupLayout,
    /// In the place of the scene's texels where the floor's reflection is drawn: the image of the mirror.
    pub(crate) mirrored: wgpu::BindGroupLayout,
    /// Where vertices are put in their poses once for all passes.
    pub(crate) skinned: Option<SkinnedLayouts>,
    /// By the images that a scene's materials have.
    materials: Arc<Mutex<Vec<(u32, wgpu::BindGroupLayout)>>>,
}

/// For the compute shader that puts vertices in their poses, and for those that read them then.
#[derive(Clone, Debug)]
pub(crate) struct SkinnedLayouts {
    /// In the place of the scene's texels.
    pub(crate) vertices: wgpu::BindGroupLayout,
    pub(crate) frame: wgpu::BindGroupLayout,
    pub(crate) scene: wgpu::BindGroupLayout,
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

fn moving_uniform(size: u64) -> wgpu::BindingType {
    wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: true,
        min_binding_size: std::num::NonZeroU64::new(size),
    }
}

fn storage(read_only: bool) -> wgpu::BindingType {
    wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Storage { read_only },
        has_dynamic_offset: false,
        min_binding_size: None,
    }
}

const FLAT: wgpu::TextureViewDimension = wgpu::TextureViewDimension::D2;
const NUMBERS: wgpu::TextureSampleType = wgpu::TextureSampleType::Float { filterable: false };
const COLORS: wgpu::TextureSampleType = wgpu::TextureSampleType::Float { filterable: true };

impl Layouts {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let (vertex, fragment) = (wgpu::ShaderStages::VERTEX, wgpu::ShaderStages::FRAGMENT);
        let compute = wgpu::ShaderStages::COMPUTE;
        let skins_once = crate::skin::is_possible(device);
        let posing = if skins_once { vertex | compute } else { vertex };
        let layout = |label: &str, entries: &[wgpu::BindGroupLayoutEntry]| {
            let label = Some(label);
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries })
        };
        let filtering = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let plain = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering);
        let cube = texture(COLORS, wgpu::TextureViewDimension::Cube);
        Self {
            globals: layout(
                "globals",
                &[
                    entry(0, vertex | fragment, uniform(size_of::<Globals>())),
                    entry(1, vertex, texture(NUMBERS, FLAT)),
                ],
            ),
            mesh: layout("mesh", &[entry(0, posing, texture(NUMBERS, FLAT))]),
            surroundings: layout(
                "surroundings",
                &[
                    entry(0, fragment, texture(NUMBERS, FLAT)),
                    entry(1, fragment, plain),
                    entry(2, fragment, cube),
                    entry(3, fragment, filtering),
                    entry(4, fragment, texture(NUMBERS, FLAT)),
                    entry(5, fragment, uniform(size_of::<OcclusionUniform>())),
                    entry(6, fragment, texture(COLORS, FLAT)),
                    entry(7, fragment, texture(COLORS, FLAT)),
                ],
            ),
            map_view: layout("map view", &[entry(0, vertex, moving_uniform(64))]),
            mirrored: layout("mirrored", &[entry(0, fragment, texture(COLORS, FLAT))]),
            skinned: skins_once.then(|| SkinnedLayouts {
                vertices: layout(
                    "skinned vertices",
                    &[entry(0, vertex, storage(true)), entry(1, vertex, storage(true))],
                ),
                frame: layout(
                    "poses",
                    &[
                        entry(0, compute, moving_uniform(16)),
                        entry(1, compute, texture(NUMBERS, FLAT)),
                        entry(2, compute, storage(true)),
                        entry(3, compute, storage(false)),
                        entry(4, compute, storage(false)),
                    ],
                ),
                scene: layout("vertices", &[entry(0, compute, storage(true))]),
            }),
            materials: Arc::default(),
        }
    }

    /// For materials of a scene with these images.
    pub(crate) fn material(&self, device: &wgpu::Device, maps: u32) -> wgpu::BindGroupLayout {
        let mut known = self.materials.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || {
            let fragment = wgpu::ShaderStages::FRAGMENT;
            let filtering = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
            let mut entries =
                vec![entry(0, fragment, uniform(size_of::<super::MaterialUniform>()))];
            for slot in maps::slots(maps) {
                let binding = maps::binding(slot);
                entries.push(entry(binding, fragment, texture(COLORS, FLAT)));
                entries.push(entry(binding + 1, fragment, filtering));
            }
            let label = Some("material");
            let entries = &entries;
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries })
        };
        if let Some((_, known)) = known.iter().find(|(known, _)| *known == maps) {
            return known.clone();
        }
        known.push((maps, make()));
        known[known.len() - 1].1.clone()
    }

    /// A scene's vertices for the compute shader.
    pub(crate) fn bind_vertices(
        &self,
        device: &wgpu::Device,
        vertices: &wgpu::Buffer,
    ) -> Option<wgpu::BindGroup> {
        let limit = device.limits().max_storage_buffer_binding_size;
        let layouts = self.skinned.as_ref().filter(|_| vertices.size() <= limit)?;
        Some(device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("vertices"),
            layout: &layouts.scene,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: vertices.as_entire_binding() }],
        }))
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
