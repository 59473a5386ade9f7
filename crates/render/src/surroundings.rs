//! What lies around every surface, ready to be bound: the shadow map, the environment's cube map, the maps of what hides it.
//!
//! Each is made when first needed, and anew only when it changes.

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};
use wgpu::util::DeviceExt;

use crate::environment::{CubeLevels, Environment, HARMONICS, harmonics};
use crate::occlusion::{self, MAX_DIRECTIONS, Occlusion, OcclusionUniform, Part};
use crate::target::{COLOR, DEPTH};
use crate::upload::Layouts;
use crate::{Frame, Gpu, dfg};

/// Between two matrices of maps: every device takes offsets in steps of 256.
const VIEW_STRIDE: usize = 256;

#[derive(Debug)]
pub(crate) struct Surroundings {
    pub(crate) bind_group: wgpu::BindGroup,
    pub(crate) shadow_map: wgpu::TextureView,
    /// One tile for each direction.
    pub(crate) occlusion_map: wgpu::TextureView,
    /// For the passes that draw maps; with the offset of a map's matrix.
    pub(crate) map_view: wgpu::BindGroup,
    pub(crate) harmonics: [Vec4; HARMONICS],
    /// The parts of the environment, one for each direction.
    pub(crate) parts: Vec<Part>,
    environment: Environment,
    /// Whether there is all that surfaces read, not only what a plain image does.
    is_whole: bool,
    levels: Arc<CubeLevels>,
    cube: wgpu::TextureView,
    table: wgpu::TextureView,
    /// What is behind glass: the image without anything see-through.
    behind: wgpu::Texture,
    sizes: Sizes,
    directions: u32,
    uniform: wgpu::Buffer,
    views: wgpu::Buffer,
    samplers: [wgpu::Sampler; 2],
}

/// Of the maps, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sizes {
    shadow: u32,
    occlusion: u32,
}

impl Sizes {
    fn of(occlusion: Occlusion, shadow: u32) -> Self {
        Self { shadow, occlusion: occlusion.atlas_size() }
    }
}

impl Surroundings {
    pub(crate) fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        frame: &Frame,
        (shadow_size, plain): (u32, bool),
    ) -> Self {
        let device = &gpu.device;
        let sizes = Sizes::of(frame.occlusion, shadow_size);
        let (levels, cube) = prepare(gpu, &frame.environment, plain);
        let harmonics = harmonics(&levels);
        let directions = frame.occlusion.count();
        let uniform = uniform_buffer(device, "occlusion", size_of::<OcclusionUniform>());
        let views = uniform_buffer(device, "views of maps", VIEW_STRIDE * (1 + MAX_DIRECTIONS));
        let shadow_map = depth_map(device, "shadow map", sizes.shadow);
        let occlusion_map = depth_map(device, "occlusion maps", sizes.occlusion);
        let table = table(gpu, plain);
        let samplers = samplers(device);
        let behind = behind(device, [1, 1]);
        let behind_view = behind.create_view(&Default::default());
        let images = [&shadow_map, &cube, &occlusion_map, &table, &behind_view];
        Self {
            bind_group: bind(device, layouts, images, &samplers, &uniform),
            map_view: bind_view(device, layouts, &views),
            parts: occlusion::split(&levels, &harmonics, directions as usize),
            environment: frame.environment.clone(),
            is_whole: !plain,
            shadow_map,
            occlusion_map,
            harmonics,
            levels,
            cube,
            table,
            behind,
            sizes,
            directions,
            uniform,
            views,
            samplers,
        }
    }

    /// Takes another environment or other sizes of maps, where they differ.
    pub(crate) fn update(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        frame: &Frame,
        (shadow_size, plain): (u32, bool),
    ) {
        let is_enough = self.is_whole || plain;
        let same_sky = self.environment == frame.environment && is_enough;
        let sizes = Sizes::of(frame.occlusion, shadow_size);
        let directions = frame.occlusion.count();
        if !same_sky {
            (self.levels, self.cube) = prepare(gpu, &frame.environment, plain);
            if !is_enough {
                self.table = table(gpu, plain);
            }
            self.is_whole = !plain;
            self.harmonics = harmonics(&self.levels);
            self.environment = frame.environment.clone();
        }
        if !same_sky || self.directions != directions {
            self.parts = occlusion::split(&self.levels, &self.harmonics, directions as usize);
            self.directions = directions;
        }
        if same_sky && self.sizes == sizes {
            return;
        }
        if self.sizes.shadow != sizes.shadow {
            self.shadow_map = depth_map(&gpu.device, "shadow map", sizes.shadow);
        }
        if self.sizes.occlusion != sizes.occlusion {
            self.occlusion_map = depth_map(&gpu.device, "occlusion maps", sizes.occlusion);
        }
        self.sizes = sizes;
        self.bind(gpu, layouts);
    }

    fn bind(&mut self, gpu: &Gpu, layouts: &Layouts) {
        let behind = self.behind.create_view(&Default::default());
        let images = [&self.shadow_map, &self.cube, &self.occlusion_map, &self.table, &behind];
        self.bind_group = bind(&gpu.device, layouts, images, &self.samplers, &self.uniform);
    }

    /// Makes room for what is behind glass in an image of this size.
    pub(crate) fn fit_behind(&mut self, gpu: &Gpu, layouts: &Layouts, size: [u32; 2]) {
        if [self.behind.width(), self.behind.height()] != size {
            self.behind = behind(&gpu.device, size);
            self.bind(gpu, layouts);
        }
    }

    /// Keeps an image as what is behind glass.
    pub(crate) fn keep_behind(&self, encoder: &mut wgpu::CommandEncoder, image: &wgpu::Texture) {
        let to = self.behind.as_image_copy();
        encoder.copy_texture_to_texture(image.as_image_copy(), to, self.behind.size());
    }

    /// Writes what shaders read of this frame's occlusion; nothing of it where there is none.
    pub(crate) fn write_occlusion(&self, queue: &wgpu::Queue, uniform: Option<&OcclusionUniform>) {
        match uniform {
            Some(uniform) => queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(uniform)),
            // No direction at all: what follows is not read.
            None => queue.write_buffer(&self.uniform, 0, &[0; 32]),
        }
    }

    /// Writes the matrices of all maps: that of the shadow first.
    pub(crate) fn write_views(&self, queue: &wgpu::Queue, shadow: Mat4, others: &[Mat4]) {
        let mut bytes = vec![0; VIEW_STRIDE * (1 + others.len())];
        for (slot, matrix) in
            bytes.chunks_exact_mut(VIEW_STRIDE).zip([&shadow].into_iter().chain(others))
        {
            slot[..64].copy_from_slice(bytemuck::bytes_of(matrix));
        }
        queue.write_buffer(&self.views, 0, &bytes);
    }
}

/// The offset of a map's matrix: 0 for the shadow, then the directions.
pub(crate) fn view_offset(map: usize) -> u32 {
    (map * VIEW_STRIDE) as u32
}

fn samplers(device: &wgpu::Device) -> [wgpu::Sampler; 2] {
    let linear = wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        ..wgpu::SamplerDescriptor::default()
    };
    let nearest = wgpu::SamplerDescriptor::default();
    [linear, nearest].map(|sampler| device.create_sampler(&sampler))
}

fn uniform_buffer(device: &wgpu::Device, label: &str, size: usize) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: size as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

fn behind(device: &wgpu::Device, [width, height]: [u32; 2]) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("behind glass"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: COLOR,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

fn depth_map(device: &wgpu::Device, label: &str, size: u32) -> wgpu::TextureView {
    let size = size.clamp(1, device.limits().max_texture_dimension_2d);
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
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

/// The environment; for a plain image, which reads its harmonics alone, without blurred levels.
fn prepare(
    gpu: &Gpu,
    environment: &Environment,
    plain: bool,
) -> (Arc<CubeLevels>, wgpu::TextureView) {
    let cube = if plain { environment.coarse_level() } else { environment.levels() };
    let extent = |side: u32| wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 6 };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("environment"),
        size: extent(cube.size),
        mip_level_count: cube.levels.len() as u32,
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
    (cube, view)
}

/// How much light surfaces send back, as a texture; a plain image does not read it.
fn table(gpu: &Gpu, plain: bool) -> wgpu::TextureView {
    let side = dfg::SIDE as u32;
    let descriptor = wgpu::TextureDescriptor {
        label: Some("light sent back"),
        size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba16Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    };
    let texels = if plain { vec![[0; 4]; dfg::SIDE * dfg::SIDE] } else { halves(dfg::table()) };
    let texture = gpu.device.create_texture_with_data(
        &gpu.queue,
        &descriptor,
        wgpu::util::TextureDataOrder::LayerMajor,
        bytemuck::cast_slice(&texels),
    );
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn halves(colors: &[Vec3]) -> Vec<[u16; 4]> {
    colors.iter().map(|color| [color.x, color.y, color.z, 1.0].map(half)).collect()
}

/// A half float, for numbers that are not negative: too small becomes zero, too large the largest.
pub(crate) fn half(value: f32) -> u16 {
    if value.is_nan() {
        return 0;
    }
    // Half a step more, so that what is cut off is rounded.
    let bits = value.clamp(0.0, 65504.0).to_bits() + 0x1000;
    let exponent = (bits >> 23) as i32 - 127 + 15;
    if exponent <= 0 {
        return 0;
    }
    ((((exponent as u32) << 10) + ((bits >> 13) & 0x3ff)) as u16).min(0x7bff)
}

/// What a half float of [`half`] stands for.
pub(crate) fn half_to_float(bits: u16) -> f32 {
    if bits < 0x400 {
        return 0.0;
    }
    f32::from_bits(((u32::from(bits) & 0x7fff) << 13) + ((127 - 15) << 23))
}

fn bind(
    device: &wgpu::Device,
    layouts: &Layouts,
    [shadow_map, cube, occlusion_map, table, behind]: [&wgpu::TextureView; 5],
    [filtering, nearest]: &[wgpu::Sampler; 2],
    uniform: &wgpu::Buffer,
) -> wgpu::BindGroup {
    use wgpu::BindingResource::{Sampler, TextureView};
    let resources = [
        TextureView(shadow_map),
        Sampler(nearest),
        TextureView(cube),
        Sampler(filtering),
        TextureView(occlusion_map),
        uniform.as_entire_binding(),
        TextureView(table),
        TextureView(behind),
    ];
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

fn bind_view(device: &wgpu::Device, layouts: &Layouts, views: &wgpu::Buffer) -> wgpu::BindGroup {
    let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer: views,
        offset: 0,
        size: std::num::NonZeroU64::new(64),
    });
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("map view"),
        layout: &layouts.map_view,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource }],
    })
}

#[cfg(test)]
mod tests {
    use super::{half, half_to_float};

    #[test]
    fn half_floats_have_the_bits_that_the_standard_gives_them() {
        assert_eq!([0.0, 1.0, 0.5, 2.5, 65504.0].map(half), [0, 0x3c00, 0x3800, 0x4100, 0x7bff]);
        assert_eq!(half(1e9), 0x7bff);
        assert_eq!(half(f32::NAN), 0);
        for number in [0.0, 1.0, 0.5, 2.5, 1e-3, 65504.0] {
            assert_eq!(half(half_to_float(half(number))), half(number), "{number}");
        }
    }
}
