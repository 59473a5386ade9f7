//! The canvas that a device draws on: a surface of WebGPU, or WebGL2's own.
//!
//! In:  a canvas that no page shows, and which back end. Out: a device, and an image to draw into for each frame.

use sinew::render::Gpu;
use sinew::render::wgpu;
use wasm_bindgen::prelude::*;

/// The canvas's pixels. No browser has an sRGB canvas; [`Blit`](sinew::render::Blit) encodes.
pub(crate) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A canvas with a device.
#[derive(Debug)]
pub(crate) enum Screen {
    /// With the size that it has.
    #[cfg(feature = "webgpu")]
    WebGpu(wgpu::Surface<'static>, (u32, u32)),
    #[cfg(feature = "webgl")]
    WebGl(sinew::render::Canvas),
}

/// The canvas's image for a frame.
#[derive(Debug)]
pub(crate) enum Shown {
    #[cfg(feature = "webgpu")]
    WebGpu(wgpu::SurfaceTexture),
    #[cfg(feature = "webgl")]
    WebGl(wgpu::Texture),
}

impl Screen {
    /// A device on a canvas: `webgpu` or `webgl`.
    pub(crate) async fn open(
        canvas: web_sys::OffscreenCanvas,
        backend: &str,
    ) -> Result<(Gpu, Self), JsError> {
        #[cfg(feature = "webgl")]
        if backend == "webgl" {
            let (gpu, canvas) = Gpu::open_webgl(canvas)?;
            return Ok((gpu, Self::WebGl(canvas)));
        }
        #[cfg(feature = "webgpu")]
        if backend == "webgpu" {
            let canvas = wgpu::SurfaceTarget::OffscreenCanvas(canvas);
            let backends = wgpu::Backends::BROWSER_WEBGPU;
            let (gpu, surface) = Gpu::open_on(canvas, backends).await?;
            return Ok((gpu, Self::WebGpu(surface, (0, 0))));
        }
        Err(JsError::new(&format!("this program does not draw with \"{backend}\"")))
    }

    pub(crate) fn backend(&self) -> &'static str {
        match self {
            #[cfg(feature = "webgpu")]
            Self::WebGpu(..) => "webgpu",
            #[cfg(feature = "webgl")]
            Self::WebGl(_) => "webgl",
        }
    }

    /// The image for the next frame, in this size.
    #[cfg_attr(not(feature = "webgpu"), allow(unused_variables))]
    pub(crate) fn next(&mut self, gpu: &Gpu, size: (u32, u32)) -> Result<Shown, JsError> {
        match self {
            #[cfg(feature = "webgpu")]
            Self::WebGpu(surface, known) => {
                if *known != size {
                    surface.configure(&gpu.device, &configuration(size));
                    *known = size;
                }
                match surface.get_current_texture() {
                    wgpu::CurrentSurfaceTexture::Success(shown)
                    | wgpu::CurrentSurfaceTexture::Suboptimal(shown) => Ok(Shown::WebGpu(shown)),
                    _ => Err(JsError::new("the canvas gives no image to draw on")),
                }
            }
            #[cfg(feature = "webgl")]
            Self::WebGl(canvas) => Ok(Shown::WebGl(canvas.texture(size.0, size.1))),
        }
    }
}

impl Shown {
    pub(crate) fn texture(&self) -> &wgpu::Texture {
        match self {
            #[cfg(feature = "webgpu")]
            Self::WebGpu(shown) => &shown.texture,
            #[cfg(feature = "webgl")]
            Self::WebGl(texture) => texture,
        }
    }

    /// Shows what was drawn; WebGL2 does so by itself.
    #[cfg_attr(not(feature = "webgpu"), allow(unused_variables))]
    pub(crate) fn present(self, gpu: &Gpu) {
        match self {
            #[cfg(feature = "webgpu")]
            Self::WebGpu(shown) => gpu.queue.present(shown),
            #[cfg(feature = "webgl")]
            Self::WebGl(_) => {}
        }
    }
}

#[cfg(feature = "webgpu")]
fn configuration((width, height): (u32, u32)) -> wgpu::SurfaceConfiguration {
    wgpu::SurfaceConfiguration {
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        format: FORMAT,
        color_space: Default::default(),
        width,
        height,
        present_mode: wgpu::PresentMode::Fifo,
        desired_maximum_frame_latency: 2,
        alpha_mode: wgpu::CompositeAlphaMode::PreMultiplied,
        view_formats: Vec::new(),
    }
}
