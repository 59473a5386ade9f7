//! The calls of WebGL2 that are made, and the numbers that they take.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A context of WebGL2.
    #[derive(Clone, Debug)]
    pub(crate) type Gl;
    /// Anything that a context makes; gone with the context, then `None` is what making it gives.
    #[derive(Clone, Debug)]
    pub(crate) type Object;

    #[wasm_bindgen(method, js_name = getExtension)]
    pub(crate) fn extension(this: &Gl, name: &str) -> Option<Object>;
    #[wasm_bindgen(method, js_name = getParameter)]
    pub(crate) fn parameter(this: &Gl, name: u32) -> JsValue;
    #[wasm_bindgen(method)]
    pub(crate) fn enable(this: &Gl, what: u32);
    #[wasm_bindgen(method)]
    pub(crate) fn disable(this: &Gl, what: u32);
    #[wasm_bindgen(method, js_name = pixelStorei)]
    pub(crate) fn pixel_store(this: &Gl, name: u32, value: i32);

    #[wasm_bindgen(method, js_name = createBuffer)]
    pub(crate) fn create_buffer(this: &Gl) -> Option<Object>;
    #[wasm_bindgen(method, js_name = deleteBuffer)]
    pub(crate) fn delete_buffer(this: &Gl, buffer: Option<&Object>);
    #[wasm_bindgen(method, js_name = bindBuffer)]
    pub(crate) fn bind_buffer(this: &Gl, target: u32, buffer: Option<&Object>);
    #[wasm_bindgen(method, js_name = bindBufferRange)]
    pub(crate) fn bind_buffer_range(
        this: &Gl,
        target: u32,
        index: u32,
        buffer: Option<&Object>,
        offset: u32,
        size: u32,
    );
    #[wasm_bindgen(method, js_name = bufferData)]
    pub(crate) fn buffer_size(this: &Gl, target: u32, size: u32, usage: u32);
    #[wasm_bindgen(method, js_name = bufferSubData)]
    pub(crate) fn buffer_sub_data(this: &Gl, target: u32, offset: u32, data: &[u8]);

    #[wasm_bindgen(method, js_name = createTexture)]
    pub(crate) fn create_texture(this: &Gl) -> Option<Object>;
    #[wasm_bindgen(method, js_name = deleteTexture)]
    pub(crate) fn delete_texture(this: &Gl, texture: Option<&Object>);
    #[wasm_bindgen(method, js_name = activeTexture)]
    pub(crate) fn active_texture(this: &Gl, unit: u32);
    #[wasm_bindgen(method, js_name = bindTexture)]
    pub(crate) fn bind_texture(this: &Gl, target: u32, texture: Option<&Object>);
    #[wasm_bindgen(method, js_name = texParameteri)]
    pub(crate) fn tex_parameter(this: &Gl, target: u32, name: u32, value: u32);
    #[wasm_bindgen(method, js_name = texStorage2D)]
    pub(crate) fn tex_storage(this: &Gl, target: u32, levels: u32, kind: u32, w: u32, h: u32);
    #[wasm_bindgen(method, js_name = texSubImage2D)]
    pub(crate) fn tex_sub_image(
        this: &Gl,
        target: u32,
        level: u32,
        x: u32,
        y: u32,
        width: u32,
        height: u32,
        channels: u32,
        kind: u32,
        data: &js_sys::Object,
    );
    #[wasm_bindgen(method, js_name = copyTexSubImage2D)]
    pub(crate) fn copy_tex_sub_image(
        this: &Gl,
        target: u32,
        level: u32,
        to_x: u32,
        to_y: u32,
        x: u32,
        y: u32,
        width: u32,
        height: u32,
    );

    #[wasm_bindgen(method, js_name = createRenderbuffer)]
    pub(crate) fn create_renderbuffer(this: &Gl) -> Option<Object>;
    #[wasm_bindgen(method, js_name = deleteRenderbuffer)]
    pub(crate) fn delete_renderbuffer(this: &Gl, buffer: Option<&Object>);
    #[wasm_bindgen(method, js_name = bindRenderbuffer)]
    pub(crate) fn bind_renderbuffer(this: &Gl, target: u32, buffer: Option<&Object>);
    #[wasm_bindgen(method, js_name = renderbufferStorageMultisample)]
    pub(crate) fn renderbuffer_storage(
        this: &Gl,
        target: u32,
        samples: u32,
        kind: u32,
        width: u32,
        height: u32,
    );

    #[wasm_bindgen(method, js_name = createSampler)]
    pub(crate) fn create_sampler(this: &Gl) -> Option<Object>;
    #[wasm_bindgen(method, js_name = deleteSampler)]
    pub(crate) fn delete_sampler(this: &Gl, sampler: Option<&Object>);
    #[wasm_bindgen(method, js_name = bindSampler)]
    pub(crate) fn bind_sampler(this: &Gl, unit: u32, sampler: Option<&Object>);
    #[wasm_bindgen(method, js_name = samplerParameteri)]
    pub(crate) fn sampler_parameter(this: &Gl, sampler: &Object, name: u32, value: u32);
    #[wasm_bindgen(method, js_name = samplerParameterf)]
    pub(crate) fn sampler_parameter_f(this: &Gl, sampler: &Object, name: u32, value: f32);

    #[wasm_bindgen(method, js_name = createFramebuffer)]
    pub(crate) fn create_framebuffer(this: &Gl) -> Option<Object>;
    #[wasm_bindgen(method, js_name = deleteFramebuffer)]
    pub(crate) fn delete_framebuffer(this: &Gl, framebuffer: Option<&Object>);
    #[wasm_bindgen(method, js_name = bindFramebuffer)]
    pub(crate) fn bind_framebuffer(this: &Gl, target: u32, framebuffer: Option<&Object>);
    #[wasm_bindgen(method, js_name = framebufferTexture2D)]
    pub(crate) fn framebuffer_texture(
        this: &Gl,
        target: u32,
        attachment: u32,
        texture_target: u32,
        texture: Option<&Object>,
        level: u32,
    );
    #[wasm_bindgen(method, js_name = framebufferRenderbuffer)]
    pub(crate) fn framebuffer_renderbuffer(
        this: &Gl,
        target: u32,
        attachment: u32,
        buffer_target: u32,
        buffer: Option<&Object>,
    );
    #[wasm_bindgen(method, js_name = blitFramebuffer)]
    pub(crate) fn blit_framebuffer(
        this: &Gl,
        x0: u32,
        y0: u32,
        x1: u32,
        y1: u32,
        to_x0: u32,
        to_y0: u32,
        to_x1: u32,
        to_y1: u32,
        mask: u32,
        filter: u32,
    );
    #[wasm_bindgen(method, js_name = invalidateFramebuffer)]
    pub(crate) fn invalidate_framebuffer(this: &Gl, target: u32, attachments: &js_sys::Array);
    #[wasm_bindgen(method, js_name = clearBufferfv)]
    pub(crate) fn clear_buffer(this: &Gl, buffer: u32, index: u32, values: &[f32]);

    #[wasm_bindgen(method, js_name = createShader)]
    pub(crate) fn create_shader(this: &Gl, stage: u32) -> Option<Object>;
    #[wasm_bindgen(method, js_name = shaderSource)]
    pub(crate) fn shader_source(this: &Gl, shader: &Object, text: &str);
    #[wasm_bindgen(method, js_name = compileShader)]
    pub(crate) fn compile_shader(this: &Gl, shader: &Object);
    #[wasm_bindgen(method, js_name = deleteShader)]
    pub(crate) fn delete_shader(this: &Gl, shader: &Object);
    #[wasm_bindgen(method, js_name = getShaderInfoLog)]
    pub(crate) fn shader_log(this: &Gl, shader: &Object) -> Option<String>;
    #[wasm_bindgen(method, js_name = createProgram)]
    pub(crate) fn create_program(this: &Gl) -> Option<Object>;
    #[wasm_bindgen(method, js_name = attachShader)]
    pub(crate) fn attach_shader(this: &Gl, program: &Object, shader: &Object);
    #[wasm_bindgen(method, js_name = linkProgram)]
    pub(crate) fn link_program(this: &Gl, program: &Object);
    #[wasm_bindgen(method, js_name = getProgramParameter)]
    pub(crate) fn program_parameter(this: &Gl, program: &Object, name: u32) -> JsValue;
    #[wasm_bindgen(method, js_name = getProgramInfoLog)]
    pub(crate) fn program_log(this: &Gl, program: &Object) -> Option<String>;
    #[wasm_bindgen(method, js_name = deleteProgram)]
    pub(crate) fn delete_program(this: &Gl, program: Option<&Object>);
    #[wasm_bindgen(method, js_name = useProgram)]
    pub(crate) fn use_program(this: &Gl, program: Option<&Object>);
    #[wasm_bindgen(method, js_name = getUniformLocation)]
    pub(crate) fn uniform_location(this: &Gl, program: &Object, name: &str) -> Option<Object>;
    #[wasm_bindgen(method, js_name = uniform1i)]
    pub(crate) fn uniform_i(this: &Gl, location: Option<&Object>, value: u32);
    #[wasm_bindgen(method, js_name = uniform1f)]
    pub(crate) fn uniform_f(this: &Gl, location: Option<&Object>, value: f32);
    #[wasm_bindgen(method, js_name = getUniformBlockIndex)]
    pub(crate) fn block_index(this: &Gl, program: &Object, name: &str) -> u32;
    #[wasm_bindgen(method, js_name = uniformBlockBinding)]
    pub(crate) fn bind_block(this: &Gl, program: &Object, block: u32, point: u32);

    #[wasm_bindgen(method, js_name = enableVertexAttribArray)]
    pub(crate) fn enable_attribute(this: &Gl, index: u32);
    #[wasm_bindgen(method, js_name = disableVertexAttribArray)]
    pub(crate) fn disable_attribute(this: &Gl, index: u32);
    #[wasm_bindgen(method, js_name = vertexAttribPointer)]
    pub(crate) fn attribute_floats(
        this: &Gl,
        index: u32,
        count: u32,
        kind: u32,
        normalized: bool,
        stride: u32,
        offset: u32,
    );
    #[wasm_bindgen(method, js_name = vertexAttribIPointer)]
    pub(crate) fn attribute_integers(
        this: &Gl,
        index: u32,
        count: u32,
        kind: u32,
        stride: u32,
        offset: u32,
    );
    #[wasm_bindgen(method, js_name = vertexAttribDivisor)]
    pub(crate) fn attribute_divisor(this: &Gl, index: u32, divisor: u32);

    #[wasm_bindgen(method)]
    pub(crate) fn viewport(this: &Gl, x: f32, y: f32, width: f32, height: f32);
    #[wasm_bindgen(method)]
    pub(crate) fn scissor(this: &Gl, x: u32, y: u32, width: u32, height: u32);
    #[wasm_bindgen(method, js_name = depthFunc)]
    pub(crate) fn depth_func(this: &Gl, func: u32);
    #[wasm_bindgen(method, js_name = depthMask)]
    pub(crate) fn depth_mask(this: &Gl, write: bool);
    #[wasm_bindgen(method, js_name = cullFace)]
    pub(crate) fn cull_face(this: &Gl, face: u32);
    #[wasm_bindgen(method, js_name = frontFace)]
    pub(crate) fn front_face(this: &Gl, order: u32);
    #[wasm_bindgen(method, js_name = polygonOffset)]
    pub(crate) fn polygon_offset(this: &Gl, slope: f32, units: f32);
    #[wasm_bindgen(method, js_name = blendFunc)]
    pub(crate) fn blend_func(this: &Gl, source: u32, destination: u32);
    #[wasm_bindgen(method, js_name = drawArraysInstanced)]
    pub(crate) fn draw_arrays(this: &Gl, mode: u32, first: u32, count: u32, instances: u32);
    #[wasm_bindgen(method, js_name = drawElementsInstanced)]
    pub(crate) fn draw_elements(
        this: &Gl,
        mode: u32,
        count: u32,
        kind: u32,
        offset: u32,
        instances: u32,
    );
}

pub(crate) const MAX_TEXTURE_SIZE: u32 = 0x0D33;
pub(crate) const UNMASKED_RENDERER: u32 = 0x9246;
pub(crate) const UNPACK_ALIGNMENT: u32 = 0x0CF5;
pub(crate) const UNPACK_ROW_LENGTH: u32 = 0x0CF2;

pub(crate) const ARRAY_BUFFER: u32 = 0x8892;
pub(crate) const ELEMENT_ARRAY_BUFFER: u32 = 0x8893;
pub(crate) const UNIFORM_BUFFER: u32 = 0x8A11;
pub(crate) const COPY_WRITE_BUFFER: u32 = 0x8F37;
pub(crate) const DYNAMIC_DRAW: u32 = 0x88E8;

pub(crate) const TEXTURE0: u32 = 0x84C0;
pub(crate) const TEXTURE_2D: u32 = 0x0DE1;
pub(crate) const TEXTURE_CUBE_MAP: u32 = 0x8513;
pub(crate) const TEXTURE_CUBE_MAP_POSITIVE_X: u32 = 0x8515;
pub(crate) const TEXTURE_MAG_FILTER: u32 = 0x2800;
pub(crate) const TEXTURE_MIN_FILTER: u32 = 0x2801;
pub(crate) const TEXTURE_WRAP_S: u32 = 0x2802;
pub(crate) const TEXTURE_WRAP_T: u32 = 0x2803;
pub(crate) const TEXTURE_WRAP_R: u32 = 0x8072;
pub(crate) const TEXTURE_MIN_LOD: u32 = 0x813A;
pub(crate) const TEXTURE_MAX_LOD: u32 = 0x813B;
pub(crate) const TEXTURE_MAX_ANISOTROPY: u32 = 0x84FE;
pub(crate) const NEAREST: u32 = 0x2600;
pub(crate) const LINEAR: u32 = 0x2601;
pub(crate) const NEAREST_MIPMAP_NEAREST: u32 = 0x2700;
pub(crate) const REPEAT: u32 = 0x2901;
pub(crate) const CLAMP_TO_EDGE: u32 = 0x812F;
pub(crate) const MIRRORED_REPEAT: u32 = 0x8370;

pub(crate) const RGBA: u32 = 0x1908;
pub(crate) const RGBA8: u32 = 0x8058;
pub(crate) const SRGB8_ALPHA8: u32 = 0x8C43;
pub(crate) const RGBA16F: u32 = 0x881A;
pub(crate) const RGBA32F: u32 = 0x8814;
pub(crate) const DEPTH_COMPONENT: u32 = 0x1902;
pub(crate) const DEPTH_COMPONENT32F: u32 = 0x8CAC;
pub(crate) const UNSIGNED_BYTE: u32 = 0x1401;
pub(crate) const UNSIGNED_SHORT: u32 = 0x1403;
pub(crate) const UNSIGNED_INT: u32 = 0x1405;
pub(crate) const FLOAT: u32 = 0x1406;
pub(crate) const HALF_FLOAT: u32 = 0x140B;

pub(crate) const RENDERBUFFER: u32 = 0x8D41;
pub(crate) const FRAMEBUFFER: u32 = 0x8D40;
pub(crate) const READ_FRAMEBUFFER: u32 = 0x8CA8;
pub(crate) const DRAW_FRAMEBUFFER: u32 = 0x8CA9;
pub(crate) const COLOR_ATTACHMENT0: u32 = 0x8CE0;
pub(crate) const DEPTH_ATTACHMENT: u32 = 0x8D00;
pub(crate) const COLOR_BUFFER_BIT: u32 = 0x4000;
pub(crate) const COLOR: u32 = 0x1800;
pub(crate) const DEPTH: u32 = 0x1801;

pub(crate) const VERTEX_SHADER: u32 = 0x8B31;
pub(crate) const FRAGMENT_SHADER: u32 = 0x8B30;
pub(crate) const LINK_STATUS: u32 = 0x8B82;
pub(crate) const INVALID_INDEX: u32 = u32::MAX;

pub(crate) const BLEND: u32 = 0x0BE2;
pub(crate) const CULL_FACE: u32 = 0x0B44;
pub(crate) const DEPTH_TEST: u32 = 0x0B71;
pub(crate) const SCISSOR_TEST: u32 = 0x0C11;
pub(crate) const POLYGON_OFFSET_FILL: u32 = 0x8037;
pub(crate) const ONE: u32 = 1;
pub(crate) const ONE_MINUS_SRC_ALPHA: u32 = 0x0303;
pub(crate) const NEVER: u32 = 0x0200;
pub(crate) const FRONT: u32 = 0x0404;
pub(crate) const BACK: u32 = 0x0405;
pub(crate) const CW: u32 = 0x0900;
pub(crate) const CCW: u32 = 0x0901;
pub(crate) const POINTS: u32 = 0;
pub(crate) const LINES: u32 = 1;
pub(crate) const LINE_STRIP: u32 = 3;
pub(crate) const TRIANGLES: u32 = 4;
pub(crate) const TRIANGLE_STRIP: u32 = 5;
