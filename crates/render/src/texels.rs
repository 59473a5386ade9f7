//! A list of texels in a texture: the shader's only large array where there are no storage buffers.
//!
//! Texel `i` lies in column `i % 2048` of row `i / 2048`, so that there is no limit on joints but the
//! device's tallest texture. 2048 is what every WebGL2 device has.

use crate::RenderError;
use crate::frame::Borrowed;

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

    /// Pads the texels to whole rows and makes room for them, and for `more` rows after them. Gives back whether the texture had to be made anew,
    /// larger, so that whoever binds it must bind it again.
    pub(crate) fn fit(
        &mut self,
        device: &wgpu::Device,
        texels: &mut Vec<[f32; 4]>,
        more: usize,
    ) -> Result<bool, RenderError> {
        let own = texels.len().div_ceil(WIDE);
        let rows = own + more;
        let limit = device.limits().max_texture_dimension_2d;
        if rows > limit as usize {
            let limit = limit as usize * WIDE;
            return Err(RenderError::TooMuchData { what: self.what, texels: rows * WIDE, limit });
        }
        texels.resize(own * WIDE, [0.0; 4]);
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

    /// Copies texels that the GPU has in buffers, each from the next row on, `row` being the first.
    pub(crate) fn borrow(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        borrowed: &[Borrowed],
        mut row: usize,
    ) {
        for from in borrowed {
            let whole = from.texels / WIDE;
            let rest = from.texels % WIDE;
            for (at, width, height) in [(0, WIDE, whole), (whole, rest, 1)] {
                if width > 0 && height > 0 {
                    self.copy(encoder, (&from.buffer, at), row + at, (width, height));
                }
            }
            row += from.rows();
        }
    }

    fn copy(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        (buffer, from): (&wgpu::Buffer, usize),
        to: usize,
        (width, height): (usize, usize),
    ) {
        let layout = wgpu::TexelCopyBufferLayout {
            offset: (from * WIDE * 16) as u64,
            bytes_per_row: Some((WIDE * 16) as u32),
            rows_per_image: None,
        };
        let mut place = self.texture.as_image_copy();
        place.origin.y = to as u32;
        let size =
            wgpu::Extent3d { width: width as u32, height: height as u32, depth_or_array_layers: 1 };
        encoder.copy_buffer_to_texture(wgpu::TexelCopyBufferInfo { buffer, layout }, place, size);
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }
}
