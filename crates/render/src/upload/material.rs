//! Materials: their values in one buffer, their images bound beside them.

use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};
use sinew_scene::{AlphaMode, MATERIAL_TEXTURES, Material, Scene};

use super::textures::{Neutral, Textures};
use super::{Layouts, Surface};
use crate::{Gpu, maps};

/// A material's values as material.wgsl reads them; a test compares the two.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct MaterialUniform {
    pub(crate) base_color: Vec4,
    pub(crate) emissive: Vec4,
    pub(crate) factors: Vec4,
    pub(crate) flags: [u32; 4],
    pub(crate) specular: Vec4,
    pub(crate) clearcoat: Vec4,
    pub(crate) sheen: Vec4,
    pub(crate) transmission: Vec4,
    pub(crate) absorption: Vec4,
    pub(crate) diffuse_transmission: Vec4,
    pub(crate) iridescence: Vec4,
    pub(crate) anisotropy: Vec4,
    pub(crate) uv: [Vec4; 2 * MATERIAL_TEXTURES],
}

/// Images beside those of materials that a shader reads: shadow, environment, occlusion, table, what is behind glass.
const OTHER_IMAGES: u32 = 5;

/// Which images any material has, one bit each; with a note for those that the device has no room for.
pub(crate) fn maps_of(gpu: &Gpu, scene: &Scene, notes: &mut Vec<String>) -> u32 {
    let mut bits = scene.materials.iter().map(maps::maps_of).fold(0, |all, own| all | own);
    let limits = gpu.device.limits();
    let most =
        limits.max_sampled_textures_per_shader_stage.min(limits.max_samplers_per_shader_stage);
    while bits.count_ones() + OTHER_IMAGES > most {
        // Those that change the least come last.
        let last = 31 - bits.leading_zeros();
        bits &= !(1 << last);
        let name = maps::name(last as usize);
        notes.push(format!(
            "the device reads at most {most} images at a time: those for {name} are not drawn"
        ));
    }
    bits
}

/// Which layers any material has, one bit each.
pub(crate) fn layers_of(scene: &Scene) -> u32 {
    scene.materials.iter().map(maps::layers_of).fold(0, |all, own| all | own)
}

impl MaterialUniform {
    fn new(material: &Material) -> Self {
        let mut uv = [Vec4::ZERO; 2 * MATERIAL_TEXTURES];
        for (map, used) in material.texture_slots().iter().enumerate() {
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
        let layers = &material.layers;
        let (sin, cos) = layers.anisotropy.rotation.sin_cos();
        // KHR_materials_ior: 0 stands for a surface that reflects everything.
        let index = if layers.ior < 1.0 { 1e6 } else { layers.ior };
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
            specular: layers.specular.color.extend(layers.specular.strength),
            clearcoat: Vec4::new(
                layers.clearcoat.strength,
                layers.clearcoat.roughness,
                layers.clearcoat.normal_scale,
                0.0,
            ),
            sheen: layers.sheen.color.extend(layers.sheen.roughness),
            transmission: Vec4::new(
                layers.transmission.strength,
                layers.transmission.thickness,
                layers.dispersion,
                index,
            ),
            absorption: absorption(material).extend(0.0),
            diffuse_transmission: layers
                .diffuse_transmission
                .color
                .extend(layers.diffuse_transmission.strength),
            iridescence: Vec4::new(
                layers.iridescence.strength,
                layers.iridescence.ior,
                layers.iridescence.min_thickness,
                layers.iridescence.max_thickness,
            ),
            anisotropy: Vec4::new(layers.anisotropy.strength, cos, sin, 0.0),
            uv,
        }
    }
}

/// What a metre of the material takes from light, as exponents; KHR_materials_volume.
fn absorption(material: &Material) -> Vec3 {
    let volume = &material.layers.transmission;
    volume.attenuation_distance.map_or(Vec3::ZERO, |distance| {
        let left = volume.attenuation_color.max(Vec3::splat(1e-4));
        -Vec3::new(left.x.ln(), left.y.ln(), left.z.ln()) / distance
    })
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
    maps: u32,
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
    let layout = layouts.material(&gpu.device, maps);
    let surface = |(index, material): (usize, &Material)| {
        write(gpu, &buffer, index, material);
        let is_glass = material.layers.transmission.strength > 0.0;
        Surface {
            bind_group: bind(gpu, (&layout, maps), textures, (&buffer, index), material),
            // What is behind glass is drawn first.
            alpha_mode: if is_glass { AlphaMode::Blend } else { material.alpha_mode },
            is_glass,
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
        slot if maps::is_normal(slot) => Neutral::Flat,
        4 => Neutral::Black,
        _ => Neutral::White,
    }
}

fn bind(
    gpu: &Gpu,
    (layout, maps): (&wgpu::BindGroupLayout, u32),
    textures: &mut Textures<'_>,
    (buffer, index): (&wgpu::Buffer, usize),
    material: &Material,
) -> wgpu::BindGroup {
    let used = material.texture_slots();
    let mut bound = Vec::with_capacity(MATERIAL_TEXTURES);
    for slot in maps::slots(maps) {
        let neutral = if maps::is_normal(slot) { Neutral::Flat } else { Neutral::White };
        let image = match used[slot] {
            Some(used) => textures.of(used.texture, maps::is_srgb(slot), instead(slot, material)),
            None => textures.neutral(neutral),
        };
        bound.push((maps::binding(slot), image));
    }
    let values = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer,
        offset: index as u64 * stride(),
        size: std::num::NonZeroU64::new(size_of::<MaterialUniform>() as u64),
    });
    let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: values }];
    for (binding, (view, sampler)) in &bound {
        let image = wgpu::BindingResource::TextureView(view);
        entries.push(wgpu::BindGroupEntry { binding: *binding, resource: image });
        let sampler = wgpu::BindingResource::Sampler(sampler);
        entries.push(wgpu::BindGroupEntry { binding: binding + 1, resource: sampler });
    }
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("material"),
        layout,
        entries: &entries,
    })
}
