//! What the GPU's memory lets through, measured: a copy, and a fill.

use std::time::Duration;

use sinew::render::wgpu::{self, BufferUsages};
use sinew::render::{Gpu, RenderError};

use sinew::render::{PassTimer, Repeat};

/// In GB/s, bytes read and bytes written both counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roof {
    pub(super) copy: f64,
    pub(super) fill: f64,
}

/// Far more than any cache holds; a processor that plays GPU gets less, for it is slow.
fn size(gpu: &Gpu) -> u64 {
    let limits = gpu.device.limits();
    let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let wanted = match gpu.device.adapter_info().device_type {
        wgpu::DeviceType::Cpu => 32 << 20,
        _ => 1 << 30,
    };
    wanted.min(most) / 4096 * 4096
}

impl Roof {
    pub(super) fn measure(gpu: &Gpu, timer: &PassTimer) -> Result<Self, RenderError> {
        let size = size(gpu);
        let device = &gpu.device;
        let buffer = |label| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage: BufferUsages::STORAGE,
                mapped_at_creation: false,
            })
        };
        let (source, copied) = (buffer("source"), buffer("copied"));
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("copy"),
            source: wgpu::ShaderSource::Wgsl(include_str!("copy.wgsl").into()),
        });
        // Long enough for a sleeping GPU to wake.
        let repeat = Repeat { runs: 5, time: Duration::from_millis(400) };
        let groups = (size / 16).div_ceil(256) as u32;
        let high = groups.div_ceil(65_535);
        let time = |entry: &str, buffers: &[(u32, &wgpu::Buffer)]| {
            let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry),
                layout: None,
                module: &module,
                entry_point: Some(entry),
                compilation_options: Default::default(),
                cache: None,
            });
            let entries: Vec<_> = buffers
                .iter()
                .map(|(binding, buffer)| wgpu::BindGroupEntry {
                    binding: *binding,
                    resource: buffer.as_entire_binding(),
                })
                .collect();
            let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &pipeline.get_bind_group_layout(0),
                entries: &entries,
            });
            timer.best(repeat, |encoder, timestamp_writes| {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                    label: Some(entry),
                    timestamp_writes,
                });
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &group, &[]);
                pass.dispatch_workgroups(groups.div_ceil(high), high, 1);
            })
        };
        // Milliseconds to GB/s.
        let speed = |bytes: u64, ms: f64| bytes as f64 * 1e-6 / ms;
        let copy = speed(2 * size, time("copy", &[(0, &source), (1, &copied)])?);
        let fill = speed(size, time("fill", &[(1, &copied)])?);
        gpu.health().check()?;
        Ok(Self { copy, fill })
    }
}
