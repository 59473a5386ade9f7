//! The finished image onto somebody else's target: a window, or a panel of one.

use crate::module::module;
use crate::shaders::{Shader, Vertices};
use crate::{Gpu, Target};

/// Puts images onto targets of one format. Where the format is not sRGB, as egui's is not, numbers are
/// encoded on the way.
#[derive(Debug)]
pub struct Blit {
    pipeline: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
    bound: Option<wgpu::BindGroup>,
}

impl Blit {
    /// For targets of this format, with one sample a pixel and no depth.
    #[must_use]
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let module = module(&gpu.device, (Shader::Blit, 0, 0, Vertices::AtRest));
        let encode = [("ENCODE", f64::from(u8::from(!format.is_srgb())))];
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("blit"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &encode,
                    ..Default::default()
                },
                targets: &[Some(wgpu::ColorTargetState {
                    format,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        });
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        });
        Self { pipeline, sampler, bound: None }
    }

    /// Takes the image of this target from now on; to be said again after a resize.
    pub fn take(&mut self, gpu: &Gpu, target: &Target) {
        self.bound = target.view().map(|view| {
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("blit"),
                layout: &self.pipeline.get_bind_group_layout(0),
                entries: &[
                    wgpu::BindGroupEntry {
                        binding: 0,
                        resource: wgpu::BindingResource::TextureView(view),
                    },
                    wgpu::BindGroupEntry {
                        binding: 1,
                        resource: wgpu::BindingResource::Sampler(&self.sampler),
                    },
                ],
            })
        });
    }

    /// Fills the pass's viewport with the image.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(bound) = &self.bound {
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, bound, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}
