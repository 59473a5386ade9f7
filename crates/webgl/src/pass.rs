//! A pass: what is drawn into, and draws; each is handed to WebGL2 at once.

use std::ops::Range;
use std::rc::Rc;

use wgpu::custom::{
    DispatchBindGroup, DispatchBuffer, DispatchQuerySet, DispatchRenderBundle,
    DispatchRenderPipeline, RenderPassInterface,
};

use crate::bind::{Bound, Group, Resource};
use crate::buffer::{Buffer, Memory};
use crate::context::{Attribute, Context, Fixed};
use crate::gl::{self, Object};
use crate::pipeline::{Pipeline, Program};
use crate::shader::Place;
use crate::texture::{Image, View};

const GROUPS: usize = 4;
const BUFFERS: usize = 4;
const ALL: u32 = (1 << GROUPS) - 1;

/// A pass.
#[derive(Debug)]
pub(crate) struct Pass {
    context: Rc<Context>,
    size: [u32; 2],
    /// Whether it ends on the canvas: its rows run upwards.
    is_canvas: bool,
    program: Option<Rc<Program>>,
    groups: [Option<(Rc<Bound>, Vec<u32>)>; GROUPS],
    /// Groups that were bound since the last draw, one bit each.
    changed: u32,
    vertices: [Option<(Rc<Memory>, u32)>; BUFFERS],
    /// With the bytes of an index.
    indices: Option<(Rc<Memory>, u32, u32)>,
    framebuffer: Option<Object>,
    /// What samples are resolved to.
    resolved: Option<Rc<Image>>,
    /// Whether colour and depth are not needed after the pass.
    discards: [bool; 2],
}

impl Pass {
    pub(crate) fn new(context: &Rc<Context>, wanted: &wgpu::RenderPassDescriptor<'_>) -> Self {
        let image =
            |view: &wgpu::TextureView| view.as_custom::<View>().map(|view| Rc::clone(&view.0));
        let color = wanted.color_attachments.first().and_then(Option::as_ref);
        let depth = wanted.depth_stencil_attachment.as_ref();
        let color_image = color.and_then(|color| image(color.view));
        let depth_image = depth.and_then(|depth| image(depth.view));
        let attached = |image: &Option<Rc<Image>>| image.clone();
        let (first, second) = (attached(&color_image), attached(&depth_image));
        let framebuffer = context.framebuffer(
            first.as_deref().map(Image::attached),
            second.as_deref().map(Image::attached),
        );
        let gl = &context.gl;
        gl.bind_framebuffer(gl::FRAMEBUFFER, framebuffer.as_ref());
        let size = color_image.as_ref().or(depth_image.as_ref()).map_or([1, 1], |image| image.size);
        context.scissor([0, 0, size[0], size[1]]);
        context.viewport([0.0, 0.0, size[0] as f32, size[1] as f32]);
        let resolved = color.and_then(|color| color.resolve_target).and_then(image);
        let is_canvas =
            |image: &Option<Rc<Image>>| image.as_ref().is_some_and(|one| one.is_canvas());
        let is_canvas = is_canvas(&color_image) || is_canvas(&resolved);
        let mut discards = [false; 2];
        if let Some(color) = color {
            if let wgpu::LoadOp::Clear(to) = color.ops.load {
                gl.clear_buffer(gl::COLOR, 0, &[to.r, to.g, to.b, to.a].map(|one| one as f32));
            }
            discards[0] = color.ops.store == wgpu::StoreOp::Discard;
        }
        if let Some(ops) = depth.and_then(|depth| depth.depth_ops) {
            if let wgpu::LoadOp::Clear(to) = ops.load {
                context.allow_depth();
                gl.clear_buffer(gl::DEPTH, 0, &[to]);
            }
            discards[1] = ops.store == wgpu::StoreOp::Discard;
        }
        Self {
            context: Rc::clone(context),
            size,
            is_canvas,
            program: None,
            groups: Default::default(),
            changed: ALL,
            vertices: Default::default(),
            indices: None,
            framebuffer,
            resolved,
            discards,
        }
    }

    /// Everything for a draw, as far as it is not set already.
    fn prepare(&mut self, first_instance: u32) -> Option<Rc<Program>> {
        let program = Rc::clone(self.program.as_ref()?);
        let context = &self.context;
        let linked = program.take(if self.is_canvas { 1.0 } else { -1.0 });
        let turned = if program.fixed.front == gl::CW { gl::CCW } else { gl::CW };
        let front = if self.is_canvas { turned } else { program.fixed.front };
        context.set_fixed(Fixed { front, ..program.fixed });
        if self.changed != 0 {
            let changed = |place: Place| self.changed >> place.0 & 1 == 1;
            for (place, point) in &linked.uniforms {
                if changed(*place) {
                    self.bind_uniform(*place, *point);
                }
            }
            for (place, sampler, unit) in &linked.textures {
                if changed(*place) || sampler.is_some_and(changed) {
                    self.bind_texture(*place, *sampler, *unit);
                }
            }
            self.changed = 0;
        }
        self.set_attributes(&program, first_instance);
        Some(program)
    }

    fn resource(&self, (group, binding): Place) -> Option<(&Resource, u32)> {
        let (bound, offsets) = self.groups.get(group as usize)?.as_ref()?;
        Some((bound.get(binding)?, bound.offset(binding, offsets)))
    }

    fn bind_uniform(&self, place: Place, point: u32) {
        if let Some((Resource::Buffer(memory, offset, size), more)) = self.resource(place) {
            let range = (memory.id, offset + more, *size);
            self.context.uniform(point, range, memory.object.as_ref());
        }
    }

    fn bind_texture(&self, place: Place, sampler: Option<Place>, unit: u32) {
        let Some((Resource::Texture(image), _)) = self.resource(place) else { return };
        self.context.texture(unit, image.target, image.id, image.object());
        match sampler.and_then(|place| self.resource(place)) {
            Some((Resource::Sampler(filter), _)) => {
                self.context.sampler(unit, filter.id, filter.object.as_ref());
            }
            _ => self.context.sampler(unit, 0, None),
        }
    }

    fn set_attributes(&self, program: &Program, first_instance: u32) {
        self.context.enable_attributes(program.attributes);
        for (layout, bound) in program.buffers.iter().zip(&self.vertices) {
            let Some((memory, start)) = bound else { continue };
            let skipped = if layout.each_instance { first_instance * layout.stride } else { 0 };
            for (location, offset, count, integer) in &layout.attributes {
                let wanted = Attribute {
                    buffer: memory.id,
                    offset: start + skipped + offset,
                    stride: layout.stride,
                    count: *count,
                    integer: *integer,
                    each_instance: layout.each_instance,
                };
                self.context.attribute(*location, wanted, memory.object.as_ref());
            }
        }
    }

    /// The lowest row of something that begins at a row from the top: the canvas counts from below.
    fn row<T: std::ops::Sub<Output = T>>(&self, y: T, height: T, all: T) -> T {
        if self.is_canvas { all - y - height } else { y }
    }

    fn absent(&self, what: &str) {
        self.context.refuse(format!("WebGL2: there is no {what} here"));
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let context = &self.context;
        let gl = &context.gl;
        if let Some(to) = &self.resolved {
            let [width, height] = self.size;
            let target = context.framebuffer(Some(to.attached()), None);
            gl.bind_framebuffer(gl::READ_FRAMEBUFFER, self.framebuffer.as_ref());
            gl.bind_framebuffer(gl::DRAW_FRAMEBUFFER, target.as_ref());
            context.scissor([0, 0, width, height]);
            let (mask, filter) = (gl::COLOR_BUFFER_BIT, gl::NEAREST);
            gl.blit_framebuffer(0, 0, width, height, 0, 0, width, height, mask, filter);
            context.discard(gl::READ_FRAMEBUFFER, self.discards);
        } else if !self.is_canvas {
            context.discard(gl::FRAMEBUFFER, self.discards);
        }
    }
}

impl RenderPassInterface for Pass {
    fn set_pipeline(&mut self, pipeline: &DispatchRenderPipeline) {
        let Some(pipeline) = pipeline.as_custom::<Pipeline>() else { return };
        let is_same = self.program.as_ref().is_some_and(|known| known.id == pipeline.0.id);
        if !is_same {
            self.program = Some(Rc::clone(&pipeline.0));
            self.changed = ALL;
        }
    }

    fn set_bind_group(&mut self, index: u32, group: Option<&DispatchBindGroup>, offsets: &[u32]) {
        let Some(slot) = self.groups.get_mut(index as usize) else { return };
        let Some(group) = group.and_then(|group| group.as_custom::<Group>()) else { return };
        match slot {
            Some((known, at)) if Rc::ptr_eq(known, &group.0) && at == offsets => return,
            _ => *slot = Some((Rc::clone(&group.0), offsets.to_vec())),
        }
        self.changed |= 1 << index;
    }

    fn set_index_buffer(
        &mut self,
        buffer: &DispatchBuffer,
        format: wgpu::IndexFormat,
        offset: u64,
        _: Option<wgpu::BufferSize>,
    ) {
        let bytes = if format == wgpu::IndexFormat::Uint32 { 4 } else { 2 };
        let memory = buffer.as_custom::<Buffer>().map(|buffer| Rc::clone(&buffer.0));
        self.indices = memory.map(|memory| (memory, offset as u32, bytes));
    }

    fn set_vertex_buffer(
        &mut self,
        slot: u32,
        buffer: Option<&DispatchBuffer>,
        offset: u64,
        _: Option<wgpu::BufferSize>,
    ) {
        let memory = buffer.and_then(|buffer| buffer.as_custom::<Buffer>());
        if let Some(slot) = self.vertices.get_mut(slot as usize) {
            *slot = memory.map(|buffer| (Rc::clone(&buffer.0), offset as u32));
        }
    }

    fn set_scissor_rect(&mut self, x: u32, y: u32, width: u32, height: u32) {
        self.context.scissor([x, self.row(y, height, self.size[1]), width, height]);
    }

    fn set_viewport(&mut self, x: f32, y: f32, width: f32, height: f32, _: f32, _: f32) {
        self.context.viewport([x, self.row(y, height, self.size[1] as f32), width, height]);
    }

    fn draw(&mut self, vertices: Range<u32>, instances: Range<u32>) {
        if let Some(program) = self.prepare(instances.start) {
            let count = instances.end - instances.start;
            let length = vertices.end - vertices.start;
            self.context.gl.draw_arrays(program.mode, vertices.start, length, count);
        }
    }

    fn draw_indexed(&mut self, indices: Range<u32>, base_vertex: i32, instances: Range<u32>) {
        if base_vertex != 0 {
            return self.absent("base of vertices");
        }
        let Some(program) = self.prepare(instances.start) else { return };
        let Some((memory, offset, bytes)) = &self.indices else { return };
        self.context.elements(memory.id, memory.object.as_ref());
        let kind = if *bytes == 4 { gl::UNSIGNED_INT } else { gl::UNSIGNED_SHORT };
        let (start, length) = (offset + indices.start * bytes, indices.end - indices.start);
        let count = instances.end - instances.start;
        self.context.gl.draw_elements(program.mode, length, kind, start, count);
    }

    fn set_immediates(&mut self, _: u32, _: &[u8]) {
        self.absent("immediate data");
    }

    fn set_blend_constant(&mut self, _: wgpu::Color) {
        self.absent("colour to mix with");
    }

    fn set_stencil_reference(&mut self, _: u32) {
        self.absent("stencil");
    }

    fn draw_mesh_tasks(&mut self, _: u32, _: u32, _: u32) {
        self.absent("mesh shader");
    }

    fn draw_indirect(&mut self, _: &DispatchBuffer, _: u64) {
        self.absent("indirect draw");
    }

    fn draw_indexed_indirect(&mut self, _: &DispatchBuffer, _: u64) {
        self.absent("indirect draw");
    }

    fn draw_mesh_tasks_indirect(&mut self, _: &DispatchBuffer, _: u64) {
        self.absent("mesh shader");
    }

    fn multi_draw_indirect(&mut self, _: &DispatchBuffer, _: u64, _: u32) {
        self.absent("indirect draw");
    }

    fn multi_draw_indexed_indirect(&mut self, _: &DispatchBuffer, _: u64, _: u32) {
        self.absent("indirect draw");
    }

    fn multi_draw_indirect_count(
        &mut self,
        _: &DispatchBuffer,
        _: u64,
        _: &DispatchBuffer,
        _: u64,
        _: u32,
    ) {
        self.absent("indirect draw");
    }

    fn multi_draw_mesh_tasks_indirect(&mut self, _: &DispatchBuffer, _: u64, _: u32) {
        self.absent("mesh shader");
    }

    fn multi_draw_indexed_indirect_count(
        &mut self,
        _: &DispatchBuffer,
        _: u64,
        _: &DispatchBuffer,
        _: u64,
        _: u32,
    ) {
        self.absent("indirect draw");
    }

    fn multi_draw_mesh_tasks_indirect_count(
        &mut self,
        _: &DispatchBuffer,
        _: u64,
        _: &DispatchBuffer,
        _: u64,
        _: u32,
    ) {
        self.absent("mesh shader");
    }

    fn insert_debug_marker(&mut self, _: &str) {}

    fn push_debug_group(&mut self, _: &str) {}

    fn pop_debug_group(&mut self) {}

    fn write_timestamp(&mut self, _: &DispatchQuerySet, _: u32) {
        self.absent("clock");
    }

    fn begin_occlusion_query(&mut self, _: u32) {
        self.absent("query");
    }

    fn end_occlusion_query(&mut self) {}

    fn begin_pipeline_statistics_query(&mut self, _: &DispatchQuerySet, _: u32) {
        self.absent("query");
    }

    fn end_pipeline_statistics_query(&mut self) {}

    fn execute_bundles(&mut self, _: &mut dyn Iterator<Item = &DispatchRenderBundle>) {
        self.absent("bundle");
    }
}
