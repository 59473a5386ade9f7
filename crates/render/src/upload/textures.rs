//! Images on the GPU, each once for colours and once for numbers, as materials ask for them.
//!
//! An image that cannot be had is drawn as a plain surface or a checker; one that is too large is made smaller. Both are
//! notes.

use std::borrow::Cow;

use sinew_scene::{Filter, ImageData, Sampler, Scene, TextureId, Wrap};

use super::{MissingImages, UploadOptions, mips};
use crate::Gpu;

/// An image for a material that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Neutral {
    White,
    /// A normal map without bumps.
    Flat,
    /// For an image of base colours that cannot be had.
    Grey,
    /// For light that cannot be had.
    Black,
    /// The same, loud.
    Checker,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Neutral(Neutral),
    Image(usize, bool),
}

pub(super) struct Textures<'a> {
    gpu: &'a Gpu,
    scene: &'a Scene,
    options: UploadOptions<'a>,
    views: Vec<(Key, wgpu::TextureView)>,
    samplers: Vec<(Sampler, wgpu::Sampler)>,
    notes: Vec<String>,
}

impl<'a> Textures<'a> {
    pub(super) fn new(gpu: &'a Gpu, scene: &'a Scene, options: UploadOptions<'a>) -> Self {
        Self { gpu, scene, options, views: Vec::new(), samplers: Vec::new(), notes: Vec::new() }
    }

    pub(super) fn into_notes(self) -> Vec<String> {
        self.notes
    }

    fn known(&self, key: Key) -> Option<wgpu::TextureView> {
        let known = self.views.iter().find(|(known, _)| *known == key);
        known.map(|(_, view)| view.clone())
    }

    pub(super) fn neutral(&mut self, neutral: Neutral) -> (wgpu::TextureView, wgpu::Sampler) {
        let gpu = self.gpu;
        let make = || match neutral {
            Neutral::White => upload(gpu, 1, 1, &[255; 4], false),
            // Linear: a quiet middle grey.
            Neutral::Grey => upload(gpu, 1, 1, &[92, 92, 92, 255], false),
            Neutral::Black => upload(gpu, 1, 1, &[0, 0, 0, 255], false),
            Neutral::Flat => upload(gpu, 1, 1, &[128, 128, 255, 255], false),
            Neutral::Checker => {
                let (side, rgba) = checker();
                upload(gpu, side, side, &rgba, true)
            }
        };
        let key = Key::Neutral(neutral);
        let view = match self.known(key) {
            Some(view) => view,
            None => {
                let new = make();
                self.views.push((key, new.clone()));
                new
            }
        };
        (view, self.sampler(Sampler::default()))
    }

    /// A texture; `missing` is what is drawn where its image cannot be had.
    pub(super) fn of(
        &mut self,
        id: TextureId,
        srgb: bool,
        missing: Neutral,
    ) -> (wgpu::TextureView, wgpu::Sampler) {
        let texture = &self.scene.textures[id.index()];
        let sampler = self.sampler(texture.sampler);
        let loud = srgb && self.options.missing == MissingImages::Checker;
        let missing = if loud { Neutral::Checker } else { missing };
        let Some(image) = texture.image.map(|image| image.index()) else {
            return (self.neutral(missing).0, sampler);
        };
        if let Some(view) = self.known(Key::Image(image, srgb)) {
            return (view, sampler);
        }
        match self.image(image, srgb) {
            Some(view) => {
                self.views.push((Key::Image(image, srgb), view.clone()));
                (view, sampler)
            }
            None => (self.neutral(missing).0, sampler),
        }
    }

    fn image(&mut self, index: usize, srgb: bool) -> Option<wgpu::TextureView> {
        let image = &self.scene.images[index];
        let name =
            if image.name.is_empty() { format!("number {index}") } else { image.name.clone() };
        let (width, height, rgba) = match &image.data {
            ImageData::Pixels { width, height, rgba } => {
                (*width, *height, Cow::Borrowed(&rgba[..]))
            }
            ImageData::Missing => {
                self.note(format!("image {name} is missing; drawn without it"));
                return None;
            }
            ImageData::Encoded { bytes, .. } => {
                let unpacked = match self.options.decode {
                    Some(decode) => decode(bytes),
                    None => Err("it is still packed, and nobody here unpacks it".to_owned()),
                };
                match unpacked {
                    Ok((width, height, rgba)) => (width, height, Cow::Owned(rgba)),
                    Err(why) => {
                        self.note(format!("image {name} is left out: {why}"));
                        return None;
                    }
                }
            }
        };
        if width == 0 || height == 0 || rgba.len() != width as usize * height as usize * 4 {
            self.note(format!(
                "image {name} is left out: it is {width} × {height} pixels \
                 in {} bytes",
                rgba.len()
            ));
            return None;
        }
        let device = self.gpu.longest_side();
        let limit = match self.options.longest_side {
            0 => device,
            asked => asked.min(device),
        };
        let (mut size, mut pixels) = ((width, height), rgba);
        while size.0.max(size.1) > limit {
            let (smaller, next) = mips::half(size, &pixels, srgb);
            (size, pixels) = (smaller, Cow::Owned(next));
        }
        if size != (width, height) {
            self.note(format!(
                "image {name} of {width} × {height} pixels is drawn with {} × {}: \
                 the limit is {limit}",
                size.0, size.1
            ));
        }
        Some(upload(self.gpu, size.0, size.1, &pixels, srgb))
    }

    fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    fn sampler(&mut self, wanted: Sampler) -> wgpu::Sampler {
        if let Some((_, known)) = self.samplers.iter().find(|(known, _)| *known == wanted) {
            return known.clone();
        }
        let made = self.gpu.device.create_sampler(&sampler(wanted, slants(self.gpu)));
        self.samplers.push((wanted, made.clone()));
        made
    }
}

/// How many samples are taken along slanted surfaces. Mesa's software driver takes some of them elsewhere along the edges of
/// triangles, which shows as dots: one for what draws without a graphics card.
fn slants(gpu: &Gpu) -> u16 {
    let software = gpu.device.adapter_info().device_type == wgpu::DeviceType::Cpu;
    if software { 1 } else { 8 }
}

fn sampler(wanted: Sampler, slants: u16) -> wgpu::SamplerDescriptor<'static> {
    let wrap = |wrap: Wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    };
    let magnify = match wanted.magnify {
        Filter::Nearest => wgpu::FilterMode::Nearest,
        Filter::Linear => wgpu::FilterMode::Linear,
    };
    // Nearest from near is a wish for hard pixels. From afar a pixel of the image is the mean of what it covers,
    // whatever the file asks for: one texel alone would flicker.
    let smooth = wanted.magnify == Filter::Linear;
    wgpu::SamplerDescriptor {
        label: None,
        address_mode_u: wrap(wanted.wrap_u),
        address_mode_v: wrap(wanted.wrap_v),
        mag_filter: magnify,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        anisotropy_clamp: if smooth { slants } else { 1 },
        ..wgpu::SamplerDescriptor::default()
    }
}

/// Magenta and black.
fn checker() -> (u32, Vec<u8>) {
    let side = 16;
    let pixel = |index: u32| {
        let odd = (index % side / 2 + index / side / 2) % 2 == 1;
        if odd { [255, 0, 220, 255] } else { [16, 16, 16, 255] }
    };
    (side, (0..side * side).flat_map(pixel).collect())
}

fn upload(gpu: &Gpu, width: u32, height: u32, rgba: &[u8], srgb: bool) -> wgpu::TextureView {
    let levels = 32 - width.max(height).leading_zeros();
    let format =
        if srgb { wgpu::TextureFormat::Rgba8UnormSrgb } else { wgpu::TextureFormat::Rgba8Unorm };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let (mut size, mut pixels) = ((width, height), Cow::Borrowed(rgba));
    for level in 0..levels {
        let mip_level = level;
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
            &pixels,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(size.0 * 4),
                rows_per_image: None,
            },
            wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 },
        );
        if level + 1 < levels {
            let (smaller, next) = mips::half(size, &pixels, srgb);
            (size, pixels) = (smaller, Cow::Owned(next));
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
