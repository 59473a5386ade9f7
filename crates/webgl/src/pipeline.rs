//! Pipelines: programs with what is set beside them.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use wgpu::custom::{DispatchBindGroupLayout, PipelineLayoutInterface, RenderPipelineInterface};

use crate::bind::Layout;
use crate::context::{Context, Fixed, Id};
use crate::gl::{self, Object};
use crate::shader::{Module, Place};

/// The layout of a pipeline; bindings carry their places, so there is nothing in it.
#[derive(Debug)]
pub(crate) struct PipelineLayout;

impl PipelineLayoutInterface for PipelineLayout {}

/// A pipeline.
#[derive(Clone, Debug)]
pub(crate) struct Pipeline(pub(crate) Rc<Program>);

/// A program, and what is set beside it.
#[derive(Debug)]
pub(crate) struct Program {
    context: Rc<Context>,
    pub(crate) id: Id,
    object: Option<Object>,
    shaders: Vec<Object>,
    reads: Reads,
    linked: OnceCell<Linked>,
    /// 1 where rows run upwards, -1 where they run downwards; 0 before it was said.
    flip: Cell<f32>,
    pub(crate) fixed: Fixed,
    pub(crate) mode: u32,
    pub(crate) buffers: Vec<VertexBuffer>,
    /// Attributes that are read from buffers, one bit each.
    pub(crate) attributes: u32,
}

/// What a program's stages read.
#[derive(Debug, Default)]
struct Reads {
    uniforms: Vec<Place>,
    textures: Vec<(Place, Option<Place>)>,
}

/// Known once a program is linked: where it reads from.
#[derive(Debug, Default)]
pub(crate) struct Linked {
    /// With the point.
    pub(crate) uniforms: Vec<(Place, u32)>,
    /// With the unit.
    pub(crate) textures: Vec<(Place, Option<Place>, u32)>,
    flip: Option<Object>,
}

/// How vertices lie in a buffer.
#[derive(Debug)]
pub(crate) struct VertexBuffer {
    pub(crate) stride: u32,
    pub(crate) each_instance: bool,
    /// Location, offset, numbers, whether they are integers.
    pub(crate) attributes: Vec<(u32, u32, u32, bool)>,
}

impl Pipeline {
    pub(crate) fn new(
        context: &Rc<Context>,
        descriptor: &wgpu::RenderPipelineDescriptor<'_>,
    ) -> Self {
        let buffers = vertex_buffers(context, descriptor.vertex.buffers);
        let all = buffers.iter().flat_map(|buffer: &VertexBuffer| &buffer.attributes);
        let attributes = all.fold(0, |bits, (location, ..)| bits | 1 << location);
        let mut made = Program {
            context: Rc::clone(context),
            id: context.id(),
            object: context.gl.create_program(),
            shaders: Vec::new(),
            reads: Reads::default(),
            linked: OnceCell::new(),
            flip: Cell::new(0.0),
            fixed: fixed(context, descriptor),
            mode: mode(descriptor.primitive.topology),
            buffers,
            attributes,
        };
        let vertex = &descriptor.vertex;
        made.add(
            gl::VERTEX_SHADER,
            vertex.module,
            vertex.entry_point,
            vertex.compilation_options.constants,
        );
        match &descriptor.fragment {
            Some(fragment) => {
                let constants = fragment.compilation_options.constants;
                made.add(gl::FRAGMENT_SHADER, fragment.module, fragment.entry_point, constants);
            }
            // Depth alone; a program of WebGL2 has both stages.
            None => made.compile(gl::FRAGMENT_SHADER, "#version 300 es\nvoid main(){}"),
        }
        if let Some(object) = &made.object {
            context.gl.link_program(object);
        }
        Self(Rc::new(made))
    }
}

impl Pipeline {
    /// One that draws nothing.
    pub(crate) fn empty(context: &Rc<Context>) -> Self {
        let fixed =
            Fixed { depth: (0, false), bias: [0.0; 2], cull: 0, front: gl::CCW, blend: false };
        Self(Rc::new(Program {
            context: Rc::clone(context),
            id: context.id(),
            object: None,
            shaders: Vec::new(),
            reads: Reads::default(),
            linked: OnceCell::new(),
            flip: Cell::new(0.0),
            fixed,
            mode: gl::TRIANGLES,
            buffers: Vec::new(),
            attributes: 0,
        }))
    }
}

impl Program {
    fn add(
        &mut self,
        kind: u32,
        module: &wgpu::ShaderModule,
        entry: Option<&str>,
        constants: &[(&str, f64)],
    ) {
        let Some(module) = module.as_custom::<Module>() else { return };
        let Some(stage) = module.stage(entry) else {
            let entry = entry.unwrap_or_default();
            return self.context.refuse(format!("WebGL2: this shader has no stage \"{entry}\""));
        };
        for place in &stage.uniforms {
            if !self.reads.uniforms.contains(place) {
                self.reads.uniforms.push(*place);
            }
        }
        self.reads.textures.extend(&stage.textures);
        self.compile(kind, &module.text(stage, constants));
    }

    fn compile(&mut self, kind: u32, text: &str) {
        let gl = &self.context.gl;
        if let (Some(program), Some(shader)) = (&self.object, gl.create_shader(kind)) {
            gl.shader_source(&shader, text);
            gl.compile_shader(&shader);
            gl.attach_shader(program, &shader);
            self.shaders.push(shader);
        }
    }

    /// Takes it into use. The first time it waits for the driver, which has translated it meanwhile.
    pub(crate) fn take(&self, flip: f32) -> &Linked {
        let context = &self.context;
        context.use_program(self.id, self.object.as_ref());
        let linked = self.linked.get_or_init(|| self.link());
        if self.flip.replace(flip) != flip {
            context.gl.uniform_f(linked.flip.as_ref(), flip);
        }
        linked
    }

    fn link(&self) -> Linked {
        let (context, gl) = (&self.context, &self.context.gl);
        let Some(program) = &self.object else { return Linked::default() };
        if !gl.program_parameter(program, gl::LINK_STATUS).is_truthy() {
            let logs = self.shaders.iter().filter_map(|shader| gl.shader_log(shader));
            let why: String = gl.program_log(program).into_iter().chain(logs).collect();
            // A context that was lost says nothing, and is heard of elsewhere.
            if !why.is_empty() {
                context.refuse(format!("WebGL2 refuses a shader: {why}"));
            }
            return Linked::default();
        }
        self.shaders.iter().for_each(|shader| gl.delete_shader(shader));
        let mut linked =
            Linked { flip: gl.uniform_location(program, "flip_y"), ..Linked::default() };
        for place in &self.reads.uniforms {
            let (group, binding) = place;
            let block = gl.block_index(program, &format!("B{group}_{binding}"));
            if block == gl::INVALID_INDEX {
                continue;
            }
            match context.point(*place) {
                Some(point) => {
                    gl.bind_block(program, block, point);
                    linked.uniforms.push((*place, point));
                }
                None => context.refuse("WebGL2: expected fewer blocks of uniforms"),
            }
        }
        for (place, sampler) in &self.reads.textures {
            let (group, binding) = place;
            let Some(location) = gl.uniform_location(program, &format!("T{group}_{binding}"))
            else {
                continue;
            };
            match context.unit(*place) {
                Some(unit) => {
                    gl.uniform_i(Some(&location), unit);
                    linked.textures.push((*place, *sampler, unit));
                }
                None => context.refuse("WebGL2: expected fewer textures"),
            }
        }
        linked
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.context.gl.delete_program(self.object.as_ref());
    }
}

impl RenderPipelineInterface for Pipeline {
    fn get_bind_group_layout(&self, _: u32) -> DispatchBindGroupLayout {
        DispatchBindGroupLayout::custom(Layout::default())
    }
}

fn vertex_buffers(
    context: &Context,
    layouts: &[Option<wgpu::VertexBufferLayout<'_>>],
) -> Vec<VertexBuffer> {
    let buffer = |layout: &wgpu::VertexBufferLayout<'_>| VertexBuffer {
        stride: layout.array_stride as u32,
        each_instance: layout.step_mode == wgpu::VertexStepMode::Instance,
        attributes: layout
            .attributes
            .iter()
            .filter_map(|one| {
                use wgpu::VertexFormat as Of;
                let integer = match one.format {
                    Of::Float32 | Of::Float32x2 | Of::Float32x3 | Of::Float32x4 => false,
                    Of::Uint32 | Of::Uint32x2 | Of::Uint32x3 | Of::Uint32x4 => true,
                    _ => {
                        context.refuse("WebGL2: expected attributes of 32 bits");
                        return None;
                    }
                };
                let count = one.format.size() as u32 / 4;
                Some((one.shader_location, one.offset as u32, count, integer))
            })
            .collect(),
    };
    layouts.iter().flatten().map(buffer).collect()
}

fn mode(topology: wgpu::PrimitiveTopology) -> u32 {
    match topology {
        wgpu::PrimitiveTopology::PointList => gl::POINTS,
        wgpu::PrimitiveTopology::LineList => gl::LINES,
        wgpu::PrimitiveTopology::LineStrip => gl::LINE_STRIP,
        wgpu::PrimitiveTopology::TriangleList => gl::TRIANGLES,
        wgpu::PrimitiveTopology::TriangleStrip => gl::TRIANGLE_STRIP,
    }
}

fn fixed(context: &Context, descriptor: &wgpu::RenderPipelineDescriptor<'_>) -> Fixed {
    let depth = descriptor.depth_stencil.as_ref();
    let compare = depth.and_then(|depth| depth.depth_compare);
    let targets = descriptor.fragment.as_ref().map_or(&[][..], |fragment| fragment.targets);
    let blend = targets.iter().flatten().find_map(|target| target.blend);
    if blend.is_some_and(|blend| blend != wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING) {
        context.refuse("WebGL2: expected premultiplied alpha to be mixed");
    }
    Fixed {
        // In WebGL2 they count on from `NEVER` in the same order.
        depth: compare.map_or((0, false), |compare| {
            let write = depth.and_then(|depth| depth.depth_write_enabled).unwrap_or_default();
            (gl::NEVER + compare as u32 - wgpu::CompareFunction::Never as u32, write)
        }),
        bias: depth.map_or([0.0; 2], |depth| [depth.bias.slope_scale, depth.bias.constant as f32]),
        cull: match descriptor.primitive.cull_mode {
            None => 0,
            Some(wgpu::Face::Front) => gl::FRONT,
            Some(wgpu::Face::Back) => gl::BACK,
        },
        // Rows of textures run downwards, so triangles run the other way; a pass on the canvas turns it back.
        front: match descriptor.primitive.front_face {
            wgpu::FrontFace::Ccw => gl::CW,
            wgpu::FrontFace::Cw => gl::CCW,
        },
        blend: blend.is_some(),
    }
}
