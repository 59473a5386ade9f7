//! A list of texels in a texture: the shader's only large array where there are no storage buffers.
//!
//! Texel `i` lies in column `i % 2048` of row `i / 2048`, so that there is no limit on joints but the
//! device's tallest texture. 2048 is what every WebGL2 device has.

use crate::Error;

/// Texels in a row.
pub(crate) const WIDE: usize = 2048;

/// A growable texture of four floats a texel.
#[derive(Debug)]
pub(crate) struct Texels {
    texture: wgpu::Texture,
    pub(crate) view: wgpu::TextureView,
    rows: u32,
    what: &'static str,
}

impl Texels {
    pub(crate) fn new(device: &wgpu::Device, what: &'static str, rows: u32) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some(what),
            size: wgpu::Extent3d { width: WIDE as u32, height: rows, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba32Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { texture, view, rows, what }
    }

    /// Pads the texels to whole rows and makes room for them. Gives back whether the texture had to be made anew,
    /// larger, so that whoever binds it must bind it again.
    pub(crate) fn fit(
        &mut self,
        device: &wgpu::Device,
        texels: &mut Vec<[f32; 4]>,
    ) -> Result<bool, Error> {
        let rows = texels.len().div_ceil(WIDE);
        let limit = device.limits().max_texture_dimension_2d;
        if rows > limit as usize {
            let limit = limit as usize * WIDE;
            return Err(Error::TooMuchData { what: self.what, texels: texels.len(), limit });
        }
        texels.resize(rows * WIDE, [0.0; 4]);
        let rows = rows as u32;
        let grown = rows > self.rows;
        if grown {
            *self = Self::new(device, self.what, rows.next_power_of_two().min(limit));
        }
        Ok(grown)
    }

    /// Writes whole rows in one go.
    pub(crate) fn write(&self, queue: &wgpu::Queue, texels: &[[f32; 4]]) {
        if texels.is_empty() {
            return;
        }
        queue.write_texture(
            self.texture.as_image_copy(),
            bytemuck::cast_slice(texels),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some((WIDE * 16) as u32),
                rows_per_image: None,
            },
            wgpu::Extent3d {
                width: WIDE as u32,
                height: (texels.len() / WIDE) as u32,
                depth_or_array_layers: 1,
            },
        );
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }
}
