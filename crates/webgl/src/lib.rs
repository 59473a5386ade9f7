//! WebGL2 under wgpu's API: as much of it as Sinew's renderer asks for, and no more.
//!
//! In:  a canvas. Out: a device and a queue of wgpu, and the canvas as something to draw into.
//!
//! wgpu's own WebGL2 brings a translator of shaders and a layer of checks that weigh more than the rest of a page's program. Here shaders come as GLSL, translated when
//! the program was built (see `create_shader_module_passthrough`), and calls go to WebGL2 as they are made. What nobody asks for is refused in a sentence.
//!
//! Natively the crate is empty.

#![cfg(target_arch = "wasm32")]

mod absent;
mod bind;
mod buffer;
mod context;
mod device;
mod encoder;
mod gl;
mod pass;
mod pipeline;
mod shader;
mod texture;

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue};

use context::Context;
use device::Device;
use encoder::Queue;

/// A canvas, drawn into by its own device.
#[derive(Debug)]
pub struct Canvas {
    context: Rc<Context>,
    canvas: web_sys::OffscreenCanvas,
    texture: RefCell<Option<wgpu::Texture>>,
}

/// A device on a canvas that nobody has a context of yet.
///
/// # Errors
/// When the browser gives no WebGL2.
pub fn open(
    canvas: web_sys::OffscreenCanvas,
) -> Result<(wgpu::Device, wgpu::Queue, Canvas), String> {
    let options = js_sys::Object::new();
    for name in ["antialias", "depth"] {
        let _ = js_sys::Reflect::set(&options, &name.into(), &JsValue::FALSE);
    }
    let context = canvas.get_context_with_context_options("webgl2", &options);
    let Ok(Some(context)) = context else {
        return Err("the browser gives no WebGL2 for a canvas".to_owned());
    };
    let context = Rc::new(Context::new(context.unchecked_into()));
    Ok((
        wgpu::Device::from_custom(Device(Rc::clone(&context))),
        wgpu::Queue::from_custom(Queue),
        Canvas { context, canvas, texture: RefCell::default() },
    ))
}

/// Whether a device is one of this crate: shaders for it are GLSL.
#[must_use]
pub fn is_own(device: &wgpu::Device) -> bool {
    device.as_custom::<Device>().is_some()
}

impl Canvas {
    /// The canvas in this size, to be drawn into; it shows what was drawn when the page is next told of it.
    #[must_use]
    pub fn texture(&self, width: u32, height: u32) -> wgpu::Texture {
        let mut known = self.texture.borrow_mut();
        if let Some(texture) = &*known
            && (texture.width(), texture.height()) == (width, height)
        {
            return texture.clone();
        }
        self.canvas.set_width(width);
        self.canvas.set_height(height);
        let descriptor = wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        };
        let own = texture::Texture::canvas(&self.context, [width, height]);
        known.insert(wgpu::Texture::from_custom(own, &descriptor)).clone()
    }
}
