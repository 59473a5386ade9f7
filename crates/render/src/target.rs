//! Where a frame is drawn: colour with four samples a pixel, depth, and the finished image.
//!
//! The colour is sRGB, so that blending and resolving mix light, not numbers. A target of no size is a target
//! too: a window that was folded away; nothing is drawn into it.

use crate::{Gpu, RenderError};

/// Of the image.
pub(crate) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Of an image that goes straight onto a canvas: its numbers are sRGB, but nobody is told.
pub(crate) const ENCODED: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Of depth, in the image and in the shadow map.
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Of each pixel, where edges are smooth.
pub(crate) const SAMPLES: u32 = 4;

/// An image to draw into.
#[derive(Debug)]
pub struct Target {
    width: u32,
    height: u32,
    samples: u32,
    /// `None` when there is not one pixel.
    textures: Option<Textures>,
}

#[derive(Debug)]
struct Textures {
    /// `None` with one sample a pixel: drawn straight into the image.
    many: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
    /// `None` where the image is somebody else's.
    image: Option<wgpu::Texture>,
    view: wgpu::TextureView,
}

impl Target {
    /// An image of this size, with four samples a pixel.
    ///
    /// # Errors
    /// When a side is longer than the device can draw.
    pub fn new(gpu: &Gpu, width: u32, height: u32) -> Result<Self, RenderError> {
        Self::with_samples(gpu, width, height, SAMPLES)
    }

    /// The same without smooth edges: faster where a processor draws.
    ///
    /// # Errors
    /// When a side is longer than the device can draw.
    pub fn plain(gpu: &Gpu, width: u32, height: u32) -> Result<Self, RenderError> {
        Self::with_samples(gpu, width, height, 1)
    }

    /// Somebody else's texture of `Rgba8Unorm`, such as a canvas's, with four samples a pixel: for frames that
    /// [`Renderer::fits_onto`](crate::Renderer::fits_onto) says yes to.
    ///
    /// # Errors
    /// When a side is longer than the device can draw.
    pub fn onto(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Self, RenderError> {
        let (width, height) = (texture.width(), texture.height());
        let textures = Textures::onto(gpu, texture);
        gpu.health().check()?;
        Ok(Self { width, height, samples: SAMPLES, textures: Some(textures) })
    }

    /// The same with another texture, such as a canvas's next; what is beside it is kept where it has the same size.
    ///
    /// # Errors
    /// When a side is longer than the device can draw.
    pub fn move_onto(&mut self, gpu: &Gpu, texture: &wgpu::Texture) -> Result<(), RenderError> {
        match &mut self.textures {
            Some(textures) if (self.width, self.height) == (texture.width(), texture.height()) => {
                textures.view = whole(texture);
                Ok(())
            }
            _ => Self::onto(gpu, texture).map(|new| *self = new),
        }
    }

    /// Whether its numbers are sRGB because shaders have made them so.
    pub(crate) fn is_encoded(&self) -> bool {
        self.textures.as_ref().is_some_and(|textures| textures.image.is_none())
    }

    fn with_samples(gpu: &Gpu, width: u32, height: u32, samples: u32) -> Result<Self, RenderError> {
        let limit = gpu.longest_side();
        if width.max(height) > limit {
            return Err(RenderError::TargetTooLarge { width, height, limit });
        }
        let textures =
            (width > 0 && height > 0).then(|| Textures::new(gpu, width, height, samples));
        gpu.health().check()?;
        Ok(Self { width, height, samples, textures })
    }

    /// Takes another size; what was drawn is lost where it differs.
    ///
    /// # Errors
    /// When a side is longer than the device can draw; the target stays as it was.
    pub fn resize(&mut self, gpu: &Gpu, width: u32, height: u32) -> Result<(), RenderError> {
        if (width, height) != (self.width, self.height) {
            *self = Self::with_samples(gpu, width, height, self.samples)?;
        }
        Ok(())
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Width over height; 1 when there is not one pixel.
    #[must_use]
    pub fn aspect(&self) -> f32 {
        if self.textures.is_some() { self.width as f32 / self.height as f32 } else { 1.0 }
    }

    /// The finished image, to be shown: sRGB, alpha premultiplied. `None` when there is not one pixel.
    #[must_use]
    pub fn view(&self) -> Option<&wgpu::TextureView> {
        self.textures.as_ref().map(|textures| &textures.view)
    }

    /// The finished image's texture. `None` when there is not one pixel.
    #[must_use]
    pub fn texture(&self) -> Option<&wgpu::Texture> {
        self.textures.as_ref()?.image.as_ref()
    }

    /// The finished image's pixels.
    ///
    /// # Errors
    /// When the device is lost.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read(&self, gpu: &Gpu) -> Result<crate::Image, RenderError> {
        match self.texture() {
            Some(image) => crate::readback::read(gpu, image),
            None => Ok(crate::Image { width: self.width, height: self.height, rgba: Vec::new() }),
        }
    }

    /// The finished image's pixels, without waiting for them: to be asked again, in a browser in a later frame. `None` when
    /// there is not one pixel.
    #[must_use]
    pub fn read_later(&self, gpu: &Gpu) -> Option<crate::PendingImage> {
        Some(crate::PendingImage::new(gpu, self.texture()?))
    }

    /// Samples of each pixel: 4 with smooth edges, 1 without.
    #[must_use]
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// What is drawn into, what it is resolved to, and depth.
    pub(crate) fn attachments(
        &self,
    ) -> Option<(&wgpu::TextureView, Option<&wgpu::TextureView>, &wgpu::TextureView)> {
        let textures = self.textures.as_ref()?;
        Some(match &textures.many {
            Some(many) => (many, Some(&textures.view), &textures.depth),
            None => (&textures.view, None, &textures.depth),
        })
    }
}

impl Textures {
    fn new(gpu: &Gpu, width: u32, height: u32, samples: u32) -> Self {
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let shown = drawn | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        let size = (width, height);
        let image = texture(gpu, size, (COLOR, 1), shown);
        Self {
            many: (samples > 1).then(|| whole(&texture(gpu, size, (COLOR, samples), drawn))),
            depth: whole(&texture(gpu, size, (DEPTH, samples), drawn)),
            view: whole(&image),
            image: Some(image),
        }
    }

    fn onto(gpu: &Gpu, image: &wgpu::Texture) -> Self {
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let size = (image.width(), image.height());
        Self {
            many: Some(whole(&texture(gpu, size, (ENCODED, SAMPLES), drawn))),
            depth: whole(&texture(gpu, size, (DEPTH, SAMPLES), drawn)),
            view: whole(image),
            image: None,
        }
    }
}

fn whole(texture: &wgpu::Texture) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn texture(
    gpu: &Gpu,
    (width, height): (u32, u32),
    (format, sample_count): (wgpu::TextureFormat, u32),
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}
