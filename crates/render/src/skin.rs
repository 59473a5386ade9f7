//! Vertices put in their poses once for all passes of a frame, by a compute shader.
//!
//! In:  the frame's batches; their rows, palettes and vertices on the GPU.
//! Out: for each character of those batches its vertices in the world, in one buffer that every pass reads.
//!
//! Memory is bounded: what does not fit in [`MAX_VERTICES`] is put in its pose by each pass for itself, as all is where there are no
//! compute shaders.

use bytemuck::{Pod, Zeroable};

use crate::frame::Batches;
use crate::upload::Layouts;
use crate::{Frame, Gpu, shaders};

/// 128 MiB of positions and normals, and a quarter of that of tangents.
const MAX_VERTICES: u64 = 8 << 20;
const POSITION_BYTES: u64 = 16;
const TANGENT_BYTES: u64 = 4;
/// Between two jobs in their buffer: where a uniform may begin.
const JOB_STRIDE: usize = 256;
const THREADS: u32 = 64;

/// Whether a device can do it. GL is left out: its storage buffers may be missing where vertices are read.
pub(crate) fn is_possible(device: &wgpu::Device) -> bool {
    let limits = device.limits();
    let is_gl = device.adapter_info().backend == wgpu::Backend::Gl;
    !is_gl
        && limits.max_compute_invocations_per_workgroup >= THREADS
        && limits.max_storage_buffers_per_shader_stage >= 4
}

/// One batch as skin.wgsl reads it.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Job {
    first_row: u32,
    rows: u32,
    first_vertex: u32,
    vertices: u32,
}

/// Puts vertices in their poses.
#[derive(Debug)]
pub(crate) struct Skinner {
    gpu: Gpu,
    /// For linear skins, and for those with dual quaternions.
    pipelines: [Option<wgpu::ComputePipeline>; 2],
    /// Of positions with normals, and of tangents.
    vertices: [wgpu::Buffer; 2],
    read_group: wgpu::BindGroup,
    jobs: wgpu::Buffer,
    job_bytes: Vec<u8>,
}

impl Skinner {
    /// `None` where the device cannot do it.
    pub(crate) fn new(gpu: &Gpu, layouts: &Layouts) -> Option<Self> {
        let skinned = layouts.skinned.as_ref()?;
        let vertices = buffers(gpu, 1);
        let read_group = bind(gpu, &skinned.vertices, &vertices);
        let jobs = job_buffer(gpu, 1);
        let gpu = gpu.clone();
        Some(Self {
            gpu,
            pipelines: [None, None],
            vertices,
            read_group,
            jobs,
            job_bytes: Vec::new(),
        })
    }

    /// How many vertices fit.
    pub(crate) fn room(&self) -> u32 {
        let limit = self.gpu.device.limits().max_storage_buffer_binding_size / POSITION_BYTES;
        MAX_VERTICES.min(limit) as u32
    }

    /// What passes bind in the place of a scene's texels.
    pub(crate) fn vertices(&self) -> &wgpu::BindGroup {
        &self.read_group
    }

    /// Makes the pipeline that most scenes need.
    pub(crate) fn warm_up(&mut self, layouts: &Layouts) {
        self.pipelines[0].get_or_insert_with(|| pipeline(&self.gpu.device, layouts, false));
    }

    /// Records the work of a frame; `rows` and `poses` hold what the frame has uploaded.
    pub(crate) fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        layouts: &Layouts,
        (frame, batches): (&Frame, &Batches),
        (rows, poses): (&wgpu::Buffer, &wgpu::TextureView),
        timestamp_writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        let Some(skinned) = &layouts.skinned else { return };
        self.plan(frame, batches);
        self.fit(&skinned.vertices, batches);
        let frame_group = self.bind_frame(&skinned.frame, rows, poses);
        let label = Some("skin");
        let mut pass =
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label, timestamp_writes });
        let most = self.gpu.device.limits().max_compute_workgroups_per_dimension;
        let all = batches.list.iter().filter(|batch| batch.skinned).enumerate();
        for (job, batch) in all {
            let scene = &frame.groups[batch.group].scene;
            let Some(vertices) = scene.skin_group() else { continue };
            let dual = usize::from(scene.has_dual());
            let pipeline = self.pipelines[dual]
                .get_or_insert_with(|| pipeline(&self.gpu.device, layouts, dual == 1));
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &frame_group, &[(job * JOB_STRIDE) as u32]);
            pass.set_bind_group(1, vertices, &[]);
            pass.set_bind_group(2, scene.mesh_texels(), &[]);
            let count = scene.details(batch.mesh)[batch.level].vertices.len() as u32;
            let wide = count.div_ceil(THREADS).min(most);
            pass.dispatch_workgroups(wide, (batch.end - batch.start).min(most), 1);
        }
    }

    /// Makes room for all vertices of the frame, and writes what is to be done.
    fn fit(&mut self, layout: &wgpu::BindGroupLayout, batches: &Batches) {
        let wanted = u64::from(batches.skinned_vertices).max(1);
        if wanted * POSITION_BYTES > self.vertices[0].size() {
            let room = wanted.next_power_of_two().min(u64::from(self.room()));
            self.vertices = buffers(&self.gpu, room);
            self.read_group = bind(&self.gpu, layout, &self.vertices);
        }
        let bytes = self.job_bytes.len() as u64;
        if bytes > self.jobs.size() {
            let jobs = bytes.div_ceil(JOB_STRIDE as u64).next_power_of_two();
            self.jobs = job_buffer(&self.gpu, jobs);
        }
        if bytes > 0 {
            self.gpu.queue.write_buffer(&self.jobs, 0, &self.job_bytes);
        }
    }

    /// What is to be done in this frame.
    fn plan(&mut self, frame: &Frame, batches: &Batches) {
        self.job_bytes.clear();
        for batch in batches.list.iter().filter(|batch| batch.skinned) {
            let details = frame.groups[batch.group].scene.details(batch.mesh);
            let vertices = &details[batch.level].vertices;
            let job = Job {
                first_row: batch.start,
                rows: batch.end - batch.start,
                first_vertex: vertices.start,
                vertices: vertices.len() as u32,
            };
            let start = self.job_bytes.len();
            self.job_bytes.resize(start + JOB_STRIDE, 0);
            self.job_bytes[start..start + size_of::<Job>()]
                .copy_from_slice(bytemuck::bytes_of(&job));
        }
    }

    fn bind_frame(
        &self,
        layout: &wgpu::BindGroupLayout,
        rows: &wgpu::Buffer,
        poses: &wgpu::TextureView,
    ) -> wgpu::BindGroup {
        let job = wgpu::BufferBinding {
            buffer: &self.jobs,
            offset: 0,
            size: wgpu::BufferSize::new(size_of::<Job>() as u64),
        };
        let resources = [
            wgpu::BindingResource::Buffer(job),
            wgpu::BindingResource::TextureView(poses),
            rows.as_entire_binding(),
            self.vertices[0].as_entire_binding(),
            self.vertices[1].as_entire_binding(),
        ];
        group(&self.gpu, layout, resources)
    }
}

fn group<const COUNT: usize>(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    resources: [wgpu::BindingResource<'_>; COUNT],
) -> wgpu::BindGroup {
    let mut binding = 0;
    let entries = resources.map(|resource| {
        binding += 1;
        wgpu::BindGroupEntry { binding: binding - 1, resource }
    });
    let label = Some("skin");
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label, layout, entries: &entries })
}

fn bind(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    vertices: &[wgpu::Buffer; 2],
) -> wgpu::BindGroup {
    group(gpu, layout, [vertices[0].as_entire_binding(), vertices[1].as_entire_binding()])
}

fn buffers(gpu: &Gpu, vertices: u64) -> [wgpu::Buffer; 2] {
    [POSITION_BYTES, TANGENT_BYTES].map(|each| {
        gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("vertices in their poses"),
            size: vertices * each,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        })
    })
}

fn job_buffer(gpu: &Gpu, jobs: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("jobs"),
        size: jobs * JOB_STRIDE as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

fn pipeline(device: &wgpu::Device, layouts: &Layouts, dual: bool) -> wgpu::ComputePipeline {
    let skinned = layouts.skinned.as_ref();
    let groups = [
        skinned.map(|skinned| &skinned.frame),
        skinned.map(|skinned| &skinned.scene),
        Some(&layouts.mesh),
    ];
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("skin"),
        bind_group_layouts: &groups,
        immediate_size: 0,
    });
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("skin"),
        source: wgpu::ShaderSource::Wgsl(shaders::skin_source().into()),
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("skin"),
        layout: Some(&layout),
        module: &module,
        entry_point: Some("skin"),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &[("DUAL", f64::from(u8::from(dual)))],
            zero_initialize_workgroup_memory: false,
        },
        cache: None,
    })
}
