//! What lies around every surface, ready to be bound: the shadow map and the environment's cube map.
//!
//! Each is made when first needed, and anew only when it changes.

use glam::{Vec3, Vec4};

use crate::Gpu;
use crate::environment::{CubeLevels, Environment, LEVELS_BELOW, harmonics};
use crate::target::DEPTH;
use crate::upload::Layouts;

#[derive(Debug)]
pub(crate) struct Surroundings {
    pub(crate) bind_group: wgpu::BindGroup,
    /// For the pass that draws the shadow map, which cannot read it.
    pub(crate) without_shadow: wgpu::BindGroup,
    pub(crate) shadow_map: wgpu::TextureView,
    pub(crate) harmonics: [Vec4; 9],
    pub(crate) level_32: u32,
    environment: Environment,
    cube: wgpu::TextureView,
    map_size: u32,
    comparing: wgpu::Sampler,
    filtering: wgpu::Sampler,
}

impl Surroundings {
    pub(crate) fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        environment: &Environment,
        map_size: u32,
    ) -> Self {
        let linear = wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        };
        let compare = Some(wgpu::CompareFunction::LessEqual);
        let mipmap_filter = wgpu::MipmapFilterMode::Nearest;
        let comparing = wgpu::SamplerDescriptor { compare, mipmap_filter, ..linear.clone() };
        let comparing = gpu.device.create_sampler(&comparing);
        let filtering = gpu.device.create_sampler(&linear);
        let shadow_map = shadow_map(&gpu.device, map_size);
        let (cube, harmonics, level_32) = prepare(gpu, environment);
        let bind_group = bind(&gpu.device, layouts, [&shadow_map, &cube], [&comparing, &filtering]);
        let nothing = self::shadow_map(&gpu.device, 1);
        let without_shadow =
            bind(&gpu.device, layouts, [&nothing, &cube], [&comparing, &filtering]);
        let environment = environment.clone();
        Self {
            bind_group,
            without_shadow,
            shadow_map,
            harmonics,
            level_32,
            environment,
            cube,
            map_size,
            comparing,
            filtering,
        }
    }

    /// Takes another environment or size of map, where they differ.
    pub(crate) fn update(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        environment: &Environment,
        map_size: u32,
    ) {
        let same_sky = self.environment == *environment;
        if same_sky && self.map_size == map_size {
            return;
        }
        if !same_sky {
            (self.cube, self.harmonics, self.level_32) = prepare(gpu, environment);
            self.environment = environment.clone();
        }
        if self.map_size != map_size {
            self.shadow_map = shadow_map(&gpu.device, map_size);
            self.map_size = map_size;
        }
        let views = [&self.shadow_map, &self.cube];
        self.bind_group = bind(&gpu.device, layouts, views, [&self.comparing, &self.filtering]);
    }
}

fn shadow_map(device: &wgpu::Device, size: u32) -> wgpu::TextureView {
    let size = size.clamp(1, device.limits().max_texture_dimension_2d);
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("shadow map"),
        size: wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: DEPTH,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn prepare(gpu: &Gpu, environment: &Environment) -> (wgpu::TextureView, [Vec4; 9], u32) {
    let cube = CubeLevels::of(environment);
    let levels = cube.level_32() + 1 + LEVELS_BELOW;
    let extent = |side: u32| wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 6 };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("environment"),
        size: extent(cube.size),
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba16Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (level, colors) in cube.levels.iter().enumerate() {
        let side = cube.size >> level;
        let mip_level = level as u32;
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
            bytemuck::cast_slice(&halves(colors)),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(side * 8),
                rows_per_image: Some(side),
            },
            extent(side),
        );
    }
    let view = texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::Cube),
        ..wgpu::TextureViewDescriptor::default()
    });
    (view, harmonics(&cube), cube.level_32())
}

fn halves(colors: &[Vec3]) -> Vec<[u16; 4]> {
    colors.iter().map(|color| [color.x, color.y, color.z, 1.0].map(half)).collect()
}

/// A half float, for numbers that are not negative: too small becomes zero, too large the largest.
fn half(value: f32) -> u16 {
    let bits = value.max(0.0).min(65504.0).to_bits();
    let exponent = (bits >> 23) as i32 - 127 + 15;
    if exponent <= 0 {
        return 0;
    }
    (((exponent as u32) << 10) + ((bits >> 13) & 0x3ff)) as u16
}

fn bind(
    device: &wgpu::Device,
    layouts: &Layouts,
    [shadow_map, cube]: [&wgpu::TextureView; 2],
    [comparing, filtering]: [&wgpu::Sampler; 2],
) -> wgpu::BindGroup {
    use wgpu::BindingResource::{Sampler, TextureView};
    let resources =
        [TextureView(shadow_map), Sampler(comparing), TextureView(cube), Sampler(filtering)];
    let entries: Vec<_> = resources
        .into_iter()
        .enumerate()
        .map(|(index, resource)| wgpu::BindGroupEntry { binding: index as u32, resource })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("surroundings"),
        layout: &layouts.surroundings,
        entries: &entries,
    })
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn half_floats_have_the_bits_that_the_standard_gives_them() {
        assert_eq!([0.0, 1.0, 0.5, 2.5, 65504.0].map(half), [0, 0x3c00, 0x3800, 0x4100, 0x7bff]);
        assert_eq!(half(1e9), 0x7bff);
        assert_eq!(half(f32::NAN), 0);
    }
}
