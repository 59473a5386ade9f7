//! The finished image back in memory, as files want it: rows from the top, alpha not premultiplied.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use crate::{Gpu, RenderError};

/// An image in memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Four bytes a pixel, sRGB with plain alpha, rows from the top.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image({} × {})", self.width, self.height)
    }
}

impl Image {
    /// Red, green, blue and alpha of one pixel, counted from the top left.
    ///
    /// # Panics
    /// When it is outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        assert!(x < self.width && y < self.height, "({x}, {y}) is outside of {self:?}");
        let start = (y as usize * self.width as usize + x as usize) * 4;
        std::array::from_fn(|channel| self.rgba[start + channel])
    }
}

/// Light from an sRGB number, both from 0 to 1.
pub(crate) fn linear_from_srgb(value: f32) -> f32 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// An sRGB number from light, both from 0 to 1.
pub(crate) fn srgb_from_linear(value: f32) -> f32 {
    if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
}

/// Copies an image from the GPU and waits for it.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn read(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Image, RenderError> {
    let (width, height) = (texture.width(), texture.height());
    let mut rgba = read_texture(gpu, texture, 4)?;
    unpremultiply(&mut rgba);
    Ok(Image { width, height, rgba })
}

/// A texture's bytes, rows without padding.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn read_texture(
    gpu: &Gpu,
    texture: &wgpu::Texture,
    bytes_a_pixel: u32,
) -> Result<Vec<u8>, RenderError> {
    gpu.health().check()?;
    let (buffer, padded) = copy(gpu, texture, bytes_a_pixel);
    Ok(tight(&map(gpu, &buffer)?, padded, texture.width() * bytes_a_pixel))
}

/// Rows without padding.
fn tight(rows: &[u8], padded: u32, wanted: u32) -> Vec<u8> {
    let wanted = wanted as usize;
    rows.chunks_exact(padded as usize).flat_map(|row| &row[..wanted]).copied().collect()
}

/// Copies a texture into a buffer that can be mapped; gives the length of a row in it.
fn copy(gpu: &Gpu, texture: &wgpu::Texture, bytes_a_pixel: u32) -> (wgpu::Buffer, u32) {
    let (width, height) = (texture.width(), texture.height());
    let padded = (width * bytes_a_pixel).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read back"),
        size: u64::from(padded) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded),
                rows_per_image: None,
            },
        },
        texture.size(),
    );
    gpu.queue.submit([encoder.finish()]);
    (buffer, padded)
}

/// An image on its way from the GPU, for those who cannot wait for it: a browser gives pixels back later.
#[derive(Debug)]
pub struct PendingImage {
    gpu: Gpu,
    buffer: wgpu::Buffer,
    width: u32,
    height: u32,
    /// Bytes of a row.
    padded: u32,
    mapped: Receiver<Result<(), wgpu::BufferAsyncError>>,
}

impl PendingImage {
    pub(crate) fn new(gpu: &Gpu, texture: &wgpu::Texture) -> Self {
        let (buffer, padded) = copy(gpu, texture, 4);
        let (sender, mapped) = channel();
        buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            let _ = sender.send(result);
        });
        let (width, height) = (texture.width(), texture.height());
        Self { gpu: gpu.clone(), buffer, width, height, padded, mapped }
    }

    /// The image, once it is there; given once. `None` while it is on its way.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn look(&self) -> Option<Result<Image, RenderError>> {
        let _ = self.gpu.device.poll(wgpu::PollType::Poll);
        let result = match self.mapped.try_recv() {
            Err(TryRecvError::Empty) => return self.gpu.health().check().err().map(Err),
            Ok(result) => result.map_err(|error| RenderError::DeviceLost(error.to_string())),
            Err(error) => Err(RenderError::DeviceLost(error.to_string())),
        };
        Some(result.and_then(|()| self.image()))
    }

    fn image(&self) -> Result<Image, RenderError> {
        let view = self.buffer.slice(..).get_mapped_range();
        let view = view.map_err(|error| RenderError::DeviceLost(error.to_string()))?;
        let mut rgba = tight(&view, self.padded, self.width * 4);
        unpremultiply(&mut rgba);
        Ok(Image { width: self.width, height: self.height, rgba })
    }
}

/// A buffer's bytes, once the GPU is done with it.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn map(gpu: &Gpu, buffer: &wgpu::Buffer) -> Result<Vec<u8>, RenderError> {
    let (sender, receiver) = std::sync::mpsc::channel();
    buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
        let _ = sender.send(result);
    });
    let lost = |why: String| RenderError::DeviceLost(why);
    gpu.device
        .poll(wgpu::PollType::wait_indefinitely())
        .map_err(|error| lost(error.to_string()))?;
    gpu.health().check()?;
    match receiver.recv() {
        Ok(Ok(())) => {
            let view =
                buffer.slice(..).get_mapped_range().map_err(|error| lost(error.to_string()))?;
            Ok(view.to_vec())
        }
        Ok(Err(error)) => Err(lost(error.to_string())),
        Err(error) => Err(lost(error.to_string())),
    }
}

/// Colours were multiplied with alpha as light; divides them as light.
fn unpremultiply(rgba: &mut [u8]) {
    for pixel in rgba.chunks_exact_mut(4) {
        let alpha = f32::from(pixel[3]) / 255.0;
        if pixel[3] == 255 || pixel[3] == 0 {
            continue;
        }
        for channel in &mut pixel[..3] {
            let light = linear_from_srgb(f32::from(*channel) / 255.0) / alpha;
            *channel = (srgb_from_linear(light.min(1.0)) * 255.0 + 0.5) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_seen_white_comes_back_white() {
        // Half the light of white is 188 in sRGB.
        let mut pixel = [188, 188, 0, 128, 10, 20, 30, 255, 0, 0, 0, 0];
        unpremultiply(&mut pixel);
        assert!(pixel[0] >= 254 && pixel[2] == 0, "{pixel:?}");
        assert_eq!(pixel[4..], [10, 20, 30, 255, 0, 0, 0, 0]);
    }
}
