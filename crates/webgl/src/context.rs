//! The context of a canvas, and what is set in it: a call that would change nothing is not made.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use crate::gl::{self, Gl, Object};

/// Units of textures that bindings may have; every WebGL2 device has one more, for textures that are written.
const UNITS: usize = 31;
const POINTS: usize = 24;
const ATTRIBUTES: usize = 16;

/// A number that no other object has, and none will have: what is set is compared by it.
pub(crate) type Id = u32;

/// A context and what is set in it.
pub(crate) struct Context {
    pub(crate) gl: Gl,
    pub(crate) longest_side: u32,
    pub(crate) renderer: String,
    pub(crate) slants: bool,
    pub(crate) state: RefCell<State>,
    next: Cell<Id>,
    framebuffers: RefCell<Vec<Framebuffer>>,
    handler: RefCell<Option<Arc<dyn wgpu::UncapturedErrorHandler>>>,
    /// Lists that calls take, made once: colour, depth.
    attachments: [js_sys::Array; 2],
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Context")
    }
}

/// What is set. Numbers of 0 stand for nothing.
#[derive(Default)]
pub(crate) struct State {
    program: Id,
    active: u32,
    textures: [Id; UNITS + 1],
    samplers: [Id; UNITS],
    uniforms: [(Id, u32, u32); POINTS],
    attributes: [Option<Attribute>; ATTRIBUTES],
    enabled: u32,
    array: Id,
    elements: Id,
    viewport: [f32; 4],
    scissor: [u32; 4],
    fixed: Option<Fixed>,
    /// Bindings of textures in the order of their units, and of uniforms in the order of their points.
    units: Vec<(u32, u32)>,
    points: Vec<(u32, u32)>,
}

/// Where an attribute is read from.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Attribute {
    pub(crate) buffer: Id,
    pub(crate) offset: u32,
    pub(crate) stride: u32,
    pub(crate) count: u32,
    pub(crate) integer: bool,
    pub(crate) each_instance: bool,
}

/// What of a pipeline is not its program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fixed {
    /// Which depths pass, and whether they are written; 0 where there is none.
    pub(crate) depth: (u32, bool),
    pub(crate) bias: [f32; 2],
    /// Of the sides left out; 0 for none.
    pub(crate) cull: u32,
    pub(crate) front: u32,
    pub(crate) blend: bool,
}

/// What is drawn into: by the numbers of colour and depth.
struct Framebuffer {
    color: Id,
    depth: Id,
    object: Option<Object>,
}

/// Something to draw into.
#[derive(Clone, Debug)]
pub(crate) enum Attachment {
    Texture(Option<Object>, u32),
    Renderbuffer(Option<Object>),
    /// The canvas itself.
    Canvas,
}

impl Context {
    pub(crate) fn new(gl: Gl) -> Self {
        let number = |name| gl.parameter(name).as_f64().unwrap_or_default() as u32;
        let longest_side = number(gl::MAX_TEXTURE_SIZE).max(2048);
        let renderer = match gl.extension("WEBGL_debug_renderer_info") {
            Some(_) => gl.parameter(gl::UNMASKED_RENDERER).as_string().unwrap_or_default(),
            None => String::new(),
        };
        let slants = gl.extension("EXT_texture_filter_anisotropic").is_some();
        gl.pixel_store(gl::UNPACK_ALIGNMENT, 1);
        gl.enable(gl::SCISSOR_TEST);
        let attachments = [gl::COLOR_ATTACHMENT0, gl::DEPTH_ATTACHMENT]
            .map(|one| js_sys::Array::of1(&one.into()));
        Self {
            gl,
            longest_side,
            renderer,
            slants,
            state: RefCell::default(),
            next: Cell::new(1),
            framebuffers: RefCell::default(),
            handler: RefCell::default(),
            attachments,
        }
    }

    pub(crate) fn id(&self) -> Id {
        self.next.replace(self.next.get() + 1)
    }

    pub(crate) fn listen(&self, handler: Arc<dyn wgpu::UncapturedErrorHandler>) {
        *self.handler.borrow_mut() = Some(handler);
    }

    /// Tells whoever listens that something cannot be done.
    pub(crate) fn refuse(&self, why: impl Into<String>) {
        let handler = self.handler.borrow().clone();
        if let Some(handler) = handler {
            let description = why.into();
            let source = description.clone().into();
            handler(wgpu::Error::Validation { source, description });
        }
    }

    pub(crate) fn use_program(&self, id: Id, program: Option<&Object>) {
        let mut state = self.state.borrow_mut();
        if state.program != id {
            state.program = id;
            self.gl.use_program(program);
        }
    }

    /// The unit of a binding: the same in all programs, so that a change of program binds nothing anew.
    pub(crate) fn unit(&self, binding: (u32, u32)) -> Option<u32> {
        place(&mut self.state.borrow_mut().units, binding, UNITS)
    }

    /// The point of a uniform's binding, likewise.
    pub(crate) fn point(&self, binding: (u32, u32)) -> Option<u32> {
        place(&mut self.state.borrow_mut().points, binding, POINTS)
    }

    pub(crate) fn texture(&self, unit: u32, target: u32, id: Id, texture: Option<&Object>) {
        let mut state = self.state.borrow_mut();
        let known = &mut state.textures[unit as usize];
        if *known == id {
            return;
        }
        *known = id;
        if state.active != unit + 1 {
            state.active = unit + 1;
            self.gl.active_texture(gl::TEXTURE0 + unit);
        }
        self.gl.bind_texture(target, texture);
    }

    /// Binds a texture to be written; the unit is nobody else's.
    pub(crate) fn edit(&self, target: u32, id: Id, texture: Option<&Object>) {
        self.texture(UNITS as u32, target, id, texture);
        let mut state = self.state.borrow_mut();
        if state.active != UNITS as u32 + 1 {
            state.active = UNITS as u32 + 1;
            self.gl.active_texture(gl::TEXTURE0 + UNITS as u32);
        }
    }

    pub(crate) fn sampler(&self, unit: u32, id: Id, sampler: Option<&Object>) {
        let known = &mut self.state.borrow_mut().samplers[unit as usize];
        if *known != id {
            *known = id;
            self.gl.bind_sampler(unit, sampler);
        }
    }

    pub(crate) fn uniform(&self, point: u32, range: (Id, u32, u32), buffer: Option<&Object>) {
        let known = &mut self.state.borrow_mut().uniforms[point as usize];
        if *known != range {
            *known = range;
            self.gl.bind_buffer_range(gl::UNIFORM_BUFFER, point, buffer, range.1, range.2);
        }
    }

    pub(crate) fn attribute(&self, index: u32, wanted: Attribute, buffer: Option<&Object>) {
        let mut state = self.state.borrow_mut();
        let known = state.attributes[index as usize];
        if known == Some(wanted) {
            return;
        }
        state.attributes[index as usize] = Some(wanted);
        if state.array != wanted.buffer {
            state.array = wanted.buffer;
            self.gl.bind_buffer(gl::ARRAY_BUFFER, buffer);
        }
        let Attribute { offset, stride, count, integer, each_instance, .. } = wanted;
        match integer {
            true => self.gl.attribute_integers(index, count, gl::UNSIGNED_INT, stride, offset),
            false => self.gl.attribute_floats(index, count, gl::FLOAT, false, stride, offset),
        }
        if known.map(|known| known.each_instance) != Some(each_instance) {
            self.gl.attribute_divisor(index, u32::from(each_instance));
        }
    }

    /// Exactly these attributes are read from buffers, one bit each.
    pub(crate) fn enable_attributes(&self, wanted: u32) {
        let mut state = self.state.borrow_mut();
        let changed = state.enabled ^ wanted;
        state.enabled = wanted;
        for index in (0..ATTRIBUTES as u32).filter(|index| changed >> index & 1 == 1) {
            match wanted >> index & 1 {
                1 => self.gl.enable_attribute(index),
                _ => self.gl.disable_attribute(index),
            }
        }
    }

    pub(crate) fn elements(&self, id: Id, buffer: Option<&Object>) {
        let known = &mut self.state.borrow_mut().elements;
        if *known != id {
            *known = id;
            self.gl.bind_buffer(gl::ELEMENT_ARRAY_BUFFER, buffer);
        }
    }

    pub(crate) fn viewport(&self, wanted: [f32; 4]) {
        let known = &mut self.state.borrow_mut().viewport;
        if *known != wanted {
            *known = wanted;
            let [x, y, width, height] = wanted;
            self.gl.viewport(x, y, width, height);
        }
    }

    pub(crate) fn scissor(&self, wanted: [u32; 4]) {
        let known = &mut self.state.borrow_mut().scissor;
        if *known != wanted {
            *known = wanted;
            let [x, y, width, height] = wanted;
            self.gl.scissor(x, y, width, height);
        }
    }

    pub(crate) fn set_fixed(&self, wanted: Fixed) {
        let mut state = self.state.borrow_mut();
        let known = state.fixed.replace(wanted);
        if known == Some(wanted) {
            return;
        }
        let gl = &self.gl;
        let switch = |what: u32, on: bool| if on { gl.enable(what) } else { gl.disable(what) };
        if known.map(|known| known.depth) != Some(wanted.depth) {
            let (func, write) = wanted.depth;
            switch(gl::DEPTH_TEST, func != 0);
            gl.depth_func(if func == 0 { gl::NEVER } else { func });
            gl.depth_mask(write);
        }
        if known.map(|known| known.bias) != Some(wanted.bias) {
            switch(gl::POLYGON_OFFSET_FILL, wanted.bias != [0.0; 2]);
            gl.polygon_offset(wanted.bias[0], wanted.bias[1]);
        }
        if known.map(|known| (known.cull, known.front)) != Some((wanted.cull, wanted.front)) {
            switch(gl::CULL_FACE, wanted.cull != 0);
            if wanted.cull != 0 {
                gl.cull_face(wanted.cull);
            }
            gl.front_face(wanted.front);
        }
        if known.map(|known| known.blend) != Some(wanted.blend) {
            switch(gl::BLEND, wanted.blend);
            gl.blend_func(gl::ONE, gl::ONE_MINUS_SRC_ALPHA);
        }
    }

    /// Depth can be cleared only where it can be written.
    pub(crate) fn allow_depth(&self) {
        let mut state = self.state.borrow_mut();
        if state.fixed.is_none_or(|fixed| !fixed.depth.1) {
            self.gl.depth_mask(true);
            state.fixed = None;
        }
    }

    /// What draws into these; `None` for the canvas itself.
    pub(crate) fn framebuffer(
        &self,
        color: Option<(Id, &Attachment)>,
        depth: Option<(Id, &Attachment)>,
    ) -> Option<Object> {
        if let Some((_, Attachment::Canvas)) = color {
            return None;
        }
        let id = |one: Option<(Id, &Attachment)>| one.map_or(0, |(id, _)| id);
        let key = (id(color), id(depth));
        let mut all = self.framebuffers.borrow_mut();
        if let Some(known) = all.iter().find(|known| (known.color, known.depth) == key) {
            return known.object.clone();
        }
        let object = self.gl.create_framebuffer();
        self.gl.bind_framebuffer(gl::FRAMEBUFFER, object.as_ref());
        for (point, one) in [(gl::COLOR_ATTACHMENT0, color), (gl::DEPTH_ATTACHMENT, depth)] {
            match one.map(|(_, attachment)| attachment) {
                Some(Attachment::Texture(texture, level)) => self.gl.framebuffer_texture(
                    gl::FRAMEBUFFER,
                    point,
                    gl::TEXTURE_2D,
                    texture.as_ref(),
                    *level,
                ),
                Some(Attachment::Renderbuffer(buffer)) => self.gl.framebuffer_renderbuffer(
                    gl::FRAMEBUFFER,
                    point,
                    gl::RENDERBUFFER,
                    buffer.as_ref(),
                ),
                _ => {}
            }
        }
        all.push(Framebuffer { color: key.0, depth: key.1, object: object.clone() });
        object
    }

    /// Forgets what drew into something that is gone.
    pub(crate) fn forget(&self, id: Id) {
        self.framebuffers.borrow_mut().retain(|one| {
            let keep = one.color != id && one.depth != id;
            if !keep {
                self.gl.delete_framebuffer(one.object.as_ref());
            }
            keep
        });
    }

    /// Tells the driver that colour or depth of what is drawn into is not needed any more.
    pub(crate) fn discard(&self, target: u32, [color, depth]: [bool; 2]) {
        for (wanted, list) in [color, depth].into_iter().zip(&self.attachments) {
            if wanted {
                self.gl.invalidate_framebuffer(target, list);
            }
        }
    }
}

/// The place of a binding in a list, which it is added to when it is new.
fn place(list: &mut Vec<(u32, u32)>, binding: (u32, u32), most: usize) -> Option<u32> {
    if let Some(known) = list.iter().position(|known| *known == binding) {
        return Some(known as u32);
    }
    list.push(binding);
    (list.len() <= most).then(|| list.len() as u32 - 1)
}
