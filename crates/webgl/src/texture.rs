//! Textures, what multisampled images are drawn into, the canvas, and samplers.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use wgpu::custom::{DispatchTextureView, SamplerInterface, TextureInterface, TextureViewInterface};

use crate::context::{Attachment, Context, Id};
use crate::gl::{self, Object};

/// A texture, or what stands for one.
#[derive(Clone, Debug)]
pub(crate) struct Texture(pub(crate) Rc<Image>);

/// Its pixels.
#[derive(Debug)]
pub(crate) struct Image {
    context: Rc<Context>,
    pub(crate) id: Id,
    pub(crate) target: u32,
    pub(crate) attachment: Attachment,
    pub(crate) size: [u32; 2],
    format: Format,
}

/// A view of all of a texture.
#[derive(Debug)]
pub(crate) struct View(pub(crate) Rc<Image>);

/// What is stored, what is handed over, and in how many bytes a pixel.
#[derive(Clone, Copy, Debug)]
struct Format {
    stored: u32,
    channels: u32,
    kind: u32,
    bytes: u32,
}

fn format(of: wgpu::TextureFormat) -> Option<Format> {
    use wgpu::TextureFormat as Of;
    let (stored, channels, kind, bytes) = match of {
        Of::Rgba8Unorm => (gl::RGBA8, gl::RGBA, gl::UNSIGNED_BYTE, 4),
        Of::Rgba8UnormSrgb => (gl::SRGB8_ALPHA8, gl::RGBA, gl::UNSIGNED_BYTE, 4),
        Of::Rgba16Float => (gl::RGBA16F, gl::RGBA, gl::HALF_FLOAT, 8),
        Of::Rgba32Float => (gl::RGBA32F, gl::RGBA, gl::FLOAT, 16),
        Of::Depth32Float => (gl::DEPTH_COMPONENT32F, gl::DEPTH_COMPONENT, gl::FLOAT, 4),
        _ => return None,
    };
    Some(Format { stored, channels, kind, bytes })
}

impl Texture {
    pub(crate) fn new(context: &Rc<Context>, descriptor: &wgpu::TextureDescriptor<'_>) -> Self {
        let size = [descriptor.size.width, descriptor.size.height];
        let format = format(descriptor.format).unwrap_or_else(|| {
            context.refuse("WebGL2: expected a texture of a format that is drawn, found another");
            Format { stored: gl::RGBA8, channels: gl::RGBA, kind: gl::UNSIGNED_BYTE, bytes: 4 }
        });
        let id = context.id();
        let target = match descriptor.size.depth_or_array_layers {
            6 => gl::TEXTURE_CUBE_MAP,
            _ => gl::TEXTURE_2D,
        };
        let gl = &context.gl;
        let [width, height] = size;
        let attachment = if descriptor.sample_count > 1 {
            let object = gl.create_renderbuffer();
            gl.bind_renderbuffer(gl::RENDERBUFFER, object.as_ref());
            let samples = descriptor.sample_count;
            gl.renderbuffer_storage(gl::RENDERBUFFER, samples, format.stored, width, height);
            Attachment::Renderbuffer(object)
        } else {
            let object = gl.create_texture();
            context.edit(target, id, object.as_ref());
            gl.tex_storage(target, descriptor.mip_level_count, format.stored, width, height);
            // Read without a sampler: else what cannot be filtered would read as nothing.
            gl.tex_parameter(target, gl::TEXTURE_MIN_FILTER, gl::NEAREST);
            gl.tex_parameter(target, gl::TEXTURE_MAG_FILTER, gl::NEAREST);
            Attachment::Texture(object, 0)
        };
        let context = Rc::clone(context);
        Self(Rc::new(Image { context, id, target, attachment, size, format }))
    }

    /// The canvas's own image.
    pub(crate) fn canvas(context: &Rc<Context>, size: [u32; 2]) -> Self {
        let (target, attachment) = (0, Attachment::Canvas);
        let format =
            Format { stored: gl::RGBA8, channels: gl::RGBA, kind: gl::UNSIGNED_BYTE, bytes: 4 };
        let context = Rc::clone(context);
        Self(Rc::new(Image { id: context.id(), context, target, attachment, size, format }))
    }
}

impl Image {
    pub(crate) fn object(&self) -> Option<&Object> {
        match &self.attachment {
            Attachment::Texture(object, _) => object.as_ref(),
            _ => None,
        }
    }

    pub(crate) fn attached(&self) -> (Id, &Attachment) {
        (self.id, &self.attachment)
    }

    pub(crate) fn is_canvas(&self) -> bool {
        matches!(self.attachment, Attachment::Canvas)
    }

    /// Writes rows of pixels, layer by layer.
    pub(crate) fn write(
        &self,
        to: (u32, wgpu::Origin3d),
        data: &[u8],
        layout: wgpu::TexelCopyBufferLayout,
        size: wgpu::Extent3d,
    ) {
        let (level, origin) = to;
        let gl = &self.context.gl;
        self.context.edit(self.target, self.id, self.object());
        let row = layout.bytes_per_row.unwrap_or(size.width * self.format.bytes);
        let rows = layout.rows_per_image.unwrap_or(size.height);
        let padded = row != size.width * self.format.bytes;
        if padded {
            gl.pixel_store(gl::UNPACK_ROW_LENGTH, (row / self.format.bytes) as i32);
        }
        let each = row as usize * rows as usize;
        let data = data.get(layout.offset as usize..).unwrap_or_default();
        for layer in 0..size.depth_or_array_layers {
            let start = (layer as usize * each).min(data.len());
            let own = &data[start..data.len().min(start + each)];
            let target = match self.target {
                gl::TEXTURE_CUBE_MAP => gl::TEXTURE_CUBE_MAP_POSITIVE_X + origin.z + layer,
                target => target,
            };
            gl.tex_sub_image(
                target,
                level,
                origin.x,
                origin.y,
                size.width,
                size.height,
                self.format.channels,
                self.format.kind,
                &numbers(own, self.format.kind),
            );
        }
        if padded {
            gl.pixel_store(gl::UNPACK_ROW_LENGTH, 0);
        }
    }

    /// Copies pixels of another texture of the same format.
    pub(crate) fn copy(&self, from: &Image, size: wgpu::Extent3d) {
        let gl = &self.context.gl;
        let framebuffer = self.context.framebuffer(Some(from.attached()), None);
        gl.bind_framebuffer(gl::READ_FRAMEBUFFER, framebuffer.as_ref());
        self.context.edit(self.target, self.id, self.object());
        gl.copy_tex_sub_image(self.target, 0, 0, 0, 0, 0, size.width, size.height);
    }
}

/// Bytes as the numbers that they are, in the memory where they lie.
fn numbers(bytes: &[u8], kind: u32) -> js_sys::Object {
    let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let buffer = memory.buffer();
    let (start, length) = (bytes.as_ptr() as u32, bytes.len() as u32);
    match kind {
        gl::FLOAT if start.is_multiple_of(4) => {
            js_sys::Float32Array::new_with_byte_offset_and_length(&buffer, start, length / 4).into()
        }
        gl::HALF_FLOAT if start.is_multiple_of(2) => {
            js_sys::Uint16Array::new_with_byte_offset_and_length(&buffer, start, length / 2).into()
        }
        gl::FLOAT => js_sys::Float32Array::new(&js_sys::Uint8Array::from(bytes).buffer()).into(),
        gl::HALF_FLOAT => {
            js_sys::Uint16Array::new(&js_sys::Uint8Array::from(bytes).buffer()).into()
        }
        _ => js_sys::Uint8Array::new_with_byte_offset_and_length(&buffer, start, length).into(),
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        self.context.forget(self.id);
        match &self.attachment {
            Attachment::Texture(object, _) => self.context.gl.delete_texture(object.as_ref()),
            Attachment::Renderbuffer(object) => {
                self.context.gl.delete_renderbuffer(object.as_ref());
            }
            Attachment::Canvas => {}
        }
    }
}

impl TextureInterface for Texture {
    fn create_view(&self, _: &wgpu::TextureViewDescriptor<'_>) -> DispatchTextureView {
        DispatchTextureView::custom(View(Rc::clone(&self.0)))
    }

    fn destroy(&self) {}
}

impl TextureViewInterface for View {}

/// A sampler.
#[derive(Clone, Debug)]
pub(crate) struct Sampler(pub(crate) Rc<Filter>);

/// How it reads.
#[derive(Debug)]
pub(crate) struct Filter {
    context: Rc<Context>,
    pub(crate) id: Id,
    pub(crate) object: Option<Object>,
}

impl Sampler {
    pub(crate) fn new(context: &Rc<Context>, descriptor: &wgpu::SamplerDescriptor<'_>) -> Self {
        let object = context.gl.create_sampler();
        if let Some(object) = &object {
            set_sampler(context, object, descriptor);
        }
        let context = Rc::clone(context);
        Self(Rc::new(Filter { id: context.id(), object, context }))
    }
}

fn set_sampler(context: &Context, sampler: &Object, wanted: &wgpu::SamplerDescriptor<'_>) {
    let is_linear = |mode: wgpu::FilterMode| mode == wgpu::FilterMode::Linear;
    let between = u32::from(wanted.mipmap_filter == wgpu::MipmapFilterMode::Linear);
    // The four with levels lie side by side: the pixels' filter counts one, the levels' two.
    let minify = gl::NEAREST_MIPMAP_NEAREST + u32::from(is_linear(wanted.min_filter)) + 2 * between;
    let magnify = if is_linear(wanted.mag_filter) { gl::LINEAR } else { gl::NEAREST };
    let wrap = |mode: wgpu::AddressMode| match mode {
        wgpu::AddressMode::Repeat => gl::REPEAT,
        wgpu::AddressMode::MirrorRepeat => gl::MIRRORED_REPEAT,
        _ => gl::CLAMP_TO_EDGE,
    };
    let all = [
        (gl::TEXTURE_MIN_FILTER, minify),
        (gl::TEXTURE_MAG_FILTER, magnify),
        (gl::TEXTURE_WRAP_S, wrap(wanted.address_mode_u)),
        (gl::TEXTURE_WRAP_T, wrap(wanted.address_mode_v)),
        (gl::TEXTURE_WRAP_R, wrap(wanted.address_mode_w)),
    ];
    for (name, value) in all {
        context.gl.sampler_parameter(sampler, name, value);
    }
    context.gl.sampler_parameter_f(sampler, gl::TEXTURE_MIN_LOD, wanted.lod_min_clamp);
    context.gl.sampler_parameter_f(sampler, gl::TEXTURE_MAX_LOD, wanted.lod_max_clamp);
    if wanted.anisotropy_clamp > 1 && context.slants {
        let slants = f32::from(wanted.anisotropy_clamp);
        context.gl.sampler_parameter_f(sampler, gl::TEXTURE_MAX_ANISOTROPY, slants);
    }
}

impl Drop for Filter {
    fn drop(&mut self) {
        self.context.gl.delete_sampler(self.object.as_ref());
    }
}

impl SamplerInterface for Sampler {}
