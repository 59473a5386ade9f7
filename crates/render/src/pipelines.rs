//! Pipelines, each made when a frame first needs it.
//!
//! A shader's variants are chosen by its override constants, so that a driver compiles only what is used.

use sinew_scene::Topology;

use crate::Tone;
use crate::frame::Row;
use crate::mirror::MIRROR_COLOR;
use crate::module::{Kind, module};
use crate::overlay::{Bone, Line};
use crate::pass::bones::Corner;
use crate::shaders::{Shader, Vertices};
use crate::target::{COLOR, DEPTH, ENCODED};
use crate::upload::{Layouts, Vertex};

/// What tells one pipeline from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) shader: Shader,
    pub(crate) samples: u32,
    pub(crate) dual: bool,
    pub(crate) heat: bool,
    pub(crate) mask: bool,
    pub(crate) blend: bool,
    /// The sides that are not drawn.
    pub(crate) cull: Cull,
    /// Triangles run the other way.
    pub(crate) mirrored: bool,
    /// Lines and bones: seen through what hides them.
    pub(crate) over: bool,
    /// Of the scene's materials, one bit each.
    pub(crate) maps: u32,
    /// Of the scene's materials, one bit each.
    pub(crate) layers: u32,
    pub(crate) topology: Corners,
    pub(crate) vertices: Vertices,
    /// The tone curve's number, where light is shown.
    pub(crate) tone: u8,
    pub(crate) fog: bool,
    /// Whether the target is shown as sRGB and is not told so.
    pub(crate) encoded: bool,
    /// Of a plain image: whether one light from afar is all there is.
    pub(crate) sun: bool,
}

/// Which sides are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cull {
    None,
    Back,
    Front,
}

/// What indices make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Corners {
    Triangles,
    Lines,
    Points,
}

impl From<Topology> for Corners {
    fn from(topology: Topology) -> Self {
        match topology {
            Topology::Triangles => Self::Triangles,
            Topology::Lines => Self::Lines,
            Topology::Points => Self::Points,
        }
    }
}

impl Key {
    pub(crate) fn new(shader: Shader, samples: u32) -> Self {
        Self {
            shader,
            samples,
            dual: false,
            heat: false,
            mask: false,
            blend: false,
            cull: Cull::None,
            mirrored: false,
            over: false,
            maps: 0,
            layers: 0,
            topology: Corners::Triangles,
            vertices: Vertices::AtRest,
            tone: Tone::default().number(),
            fog: false,
            encoded: false,
            sun: false,
        }
    }
}

/// All pipelines made so far.
#[derive(Debug)]
pub(crate) struct Pipelines {
    device: wgpu::Device,
    cache: Option<wgpu::PipelineCache>,
    // A frame has a dozen of them: looked through faster than hashed, and smaller on a page.
    modules: Vec<(Kind, wgpu::ShaderModule)>,
    made: Vec<(Key, wgpu::RenderPipeline)>,
}

impl Pipelines {
    pub(crate) fn new(device: &wgpu::Device, cache: Option<wgpu::PipelineCache>) -> Self {
        Self { device: device.clone(), cache, modules: Vec::new(), made: Vec::new() }
    }

    pub(crate) fn cache(&self) -> Option<&wgpu::PipelineCache> {
        self.cache.as_ref()
    }

    pub(crate) fn get(&mut self, layouts: &Layouts, key: Key) -> wgpu::RenderPipeline {
        if let Some((_, known)) = self.made.iter().find(|(known, _)| *known == key) {
            return known.clone();
        }
        let kind = (key.shader, key.maps, key.layers, key.vertices);
        let module = match self.modules.iter().find(|(known, _)| *known == kind) {
            Some((_, known)) => known.clone(),
            None => {
                let new = module(&self.device, kind);
                self.modules.push((kind, new.clone()));
                new
            }
        };
        let made = make(&self.device, self.cache.as_ref(), layouts, &module, key);
        self.made.push((key, made.clone()));
        made
    }
}

fn make(
    device: &wgpu::Device,
    cache: Option<&wgpu::PipelineCache>,
    layouts: &Layouts,
    module: &wgpu::ShaderModule,
    key: Key,
) -> wgpu::RenderPipeline {
    let material = layouts.material(device, key.maps);
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &groups(layouts, &material, key),
        immediate_size: 0,
    });
    let constants = constants(key);
    let options = wgpu::PipelineCompilationOptions {
        constants: &constants,
        zero_initialize_workgroup_memory: false,
    };
    let targets = [Some(wgpu::ColorTargetState {
        format: match key.shader {
            Shader::Mirror => MIRROR_COLOR,
            _ if key.encoded => ENCODED,
            _ => COLOR,
        },
        blend: is_blended(key).then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        write_mask: wgpu::ColorWrites::ALL,
    })];
    let depth_only = key.shader == Shader::Shadow;
    let fragment = (!depth_only || key.mask).then_some(wgpu::FragmentState {
        module,
        entry_point: Some("fragment"),
        compilation_options: options.clone(),
        targets: if depth_only { &[] } else { &targets },
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(if fragment.is_some() { "vertex" } else { "place" }),
            compilation_options: options,
            buffers: &buffers(key.shader),
        },
        primitive: primitive(key),
        depth_stencil: Some(depth(key)),
        multisample: wgpu::MultisampleState { count: key.samples, ..Default::default() },
        fragment,
        multiview_mask: None,
        cache,
    })
}

fn groups<'a>(
    layouts: &'a Layouts,
    material: &'a wgpu::BindGroupLayout,
    key: Key,
) -> Vec<Option<&'a wgpu::BindGroupLayout>> {
    let globals = Some(&layouts.globals);
    let mesh = match key.vertices {
        Vertices::AtRest => Some(&layouts.mesh),
        Vertices::Skinned => layouts.skinned.as_ref().map(|skinned| &skinned.vertices),
    };
    let around = Some(&layouts.surroundings);
    match key.shader {
        Shader::Mesh | Shader::Plain | Shader::Mirror => {
            vec![globals, around, mesh, Some(material)]
        }
        Shader::Shadow if key.mask => {
            vec![globals, Some(&layouts.map_view), mesh, Some(material)]
        }
        Shader::Shadow => vec![globals, Some(&layouts.map_view), mesh],
        Shader::Wire => vec![globals, around, mesh],
        Shader::Sky | Shader::Floor | Shader::FloorShadow => vec![globals, around],
        Shader::Backdrop => vec![globals],
        Shader::Reflection => vec![globals, around, Some(&layouts.mirrored)],
        Shader::Lines | Shader::Bones => vec![globals],
        Shader::Blit => vec![],
    }
}

/// Only those that the shader has; wgpu refuses others.
fn constants(key: Key) -> Vec<(&'static str, f64)> {
    let flag = f64::from;
    let dim = if key.over { 0.6 } else { 1.0 };
    let heat = [("HEAT", flag(u8::from(key.heat)))];
    let dual = [("DUAL", flag(u8::from(key.dual)))];
    let dual = if key.vertices == Vertices::AtRest { &dual[..] } else { &[] };
    let mask = [("MASK", flag(u8::from(key.mask)))];
    let air = [("TONE", flag(key.tone)), ("FOG", flag(u8::from(key.fog)))];
    match key.shader {
        Shader::Mesh | Shader::Mirror => [dual, &heat, &mask, &air].concat(),
        Shader::Plain => {
            let plain = [("ENCODE", flag(u8::from(key.encoded))), ("SUN", flag(u8::from(key.sun)))];
            [dual, &heat, &mask, &air, &plain].concat()
        }
        Shader::Shadow => [dual, &heat, &mask].concat(),
        Shader::Sky | Shader::Floor | Shader::FloorShadow => air.to_vec(),
        Shader::Wire => [dual, &heat].concat(),
        Shader::Lines | Shader::Bones => vec![("DIM", dim)],
        _ => vec![],
    }
}

fn is_blended(key: Key) -> bool {
    use Shader::{Bones, Floor, FloorShadow, Lines, Reflection, Wire};
    let always = [Wire, Floor, FloorShadow, Reflection, Lines, Bones];
    key.blend || always.contains(&key.shader)
}

fn buffers(shader: Shader) -> Vec<Option<wgpu::VertexBufferLayout<'static>>> {
    const ROW: [wgpu::VertexAttribute; 3] =
        wgpu::vertex_attr_array![6 => Uint32x4, 7 => Uint32x2, 8 => Uint32];
    let layout = |size: usize, step_mode, attributes| {
        Some(wgpu::VertexBufferLayout { array_stride: size as u64, step_mode, attributes })
    };
    let (each, per) = (wgpu::VertexStepMode::Vertex, wgpu::VertexStepMode::Instance);
    match shader {
        Shader::Mesh | Shader::Plain | Shader::Shadow | Shader::Mirror | Shader::Wire => vec![
            layout(size_of::<Vertex>(), each, &Vertex::ATTRIBUTES),
            layout(size_of::<Row>(), per, &ROW),
        ],
        Shader::Lines => vec![layout(size_of::<Line>(), per, &Line::ATTRIBUTES)],
        Shader::Bones => vec![
            layout(size_of::<Corner>(), each, &Corner::ATTRIBUTES),
            layout(size_of::<Bone>(), per, &Bone::ATTRIBUTES),
        ],
        _ => vec![],
    }
}

fn primitive(key: Key) -> wgpu::PrimitiveState {
    let topology = match (key.shader, key.topology) {
        (Shader::Floor | Shader::FloorShadow | Shader::Reflection | Shader::Lines, _) => {
            wgpu::PrimitiveTopology::TriangleStrip
        }
        (_, Corners::Triangles) => wgpu::PrimitiveTopology::TriangleList,
        (_, Corners::Lines) => wgpu::PrimitiveTopology::LineList,
        (_, Corners::Points) => wgpu::PrimitiveTopology::PointList,
    };
    let front_face = if key.mirrored { wgpu::FrontFace::Cw } else { wgpu::FrontFace::Ccw };
    let cull_mode = match key.cull {
        Cull::None => None,
        Cull::Back => Some(wgpu::Face::Back),
        Cull::Front => Some(wgpu::Face::Front),
    };
    wgpu::PrimitiveState { topology, front_face, cull_mode, ..Default::default() }
}

/// Depth runs from 1 near to 0 far; that of the shadow map the other way.
fn depth(key: Key) -> wgpu::DepthStencilState {
    use wgpu::CompareFunction::{GreaterEqual, LessEqual};
    let (write, compare) = match key.shader {
        Shader::Shadow => (true, LessEqual),
        Shader::Mesh | Shader::Plain => (!key.blend, GreaterEqual),
        Shader::Bones | Shader::Mirror => (true, GreaterEqual),
        _ => (false, GreaterEqual),
    };
    let bias = if key.shader == Shader::Shadow {
        wgpu::DepthBiasState { constant: 2, slope_scale: 1.5, clamp: 0.0 }
    } else {
        wgpu::DepthBiasState::default()
    };
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias,
    }
}
