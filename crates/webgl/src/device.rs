//! The device: makes things on a context.

use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use wgpu::custom::{
    BoxDeviceLostCallback, DeviceInterface, DispatchBindGroup, DispatchBindGroupLayout,
    DispatchBlas, DispatchBuffer, DispatchCommandEncoder, DispatchComputePipeline,
    DispatchExternalTexture, DispatchPipelineCache, DispatchPipelineLayout, DispatchQuerySet,
    DispatchRenderBundleEncoder, DispatchRenderPipeline, DispatchSampler, DispatchShaderModule,
    DispatchTexture, DispatchTlas, PopErrorScopeFuture,
};
use wgpu::wgt;

use crate::absent::Absent;
use crate::bind::{Group, Layout};
use crate::buffer::Buffer;
use crate::context::Context;
use crate::encoder::Encoder;
use crate::pipeline::{Pipeline, PipelineLayout};
use crate::shader::Module;
use crate::texture::{Sampler, Texture};

/// Names of drivers that draw with the processor.
const SOFTWARE: [&str; 3] = ["swiftshader", "llvmpipe", "mesa offscreen"];

/// A device.
#[derive(Debug)]
pub(crate) struct Device(pub(crate) Rc<Context>);

impl Device {
    fn absent(&self, what: &str) {
        self.0.refuse(format!("WebGL2: there is no {what} here"));
    }
}

impl DeviceInterface for Device {
    fn features(&self) -> wgpu::Features {
        wgpu::Features::empty()
    }

    fn limits(&self) -> wgpu::Limits {
        wgpu::Limits {
            max_texture_dimension_2d: self.0.longest_side,
            ..wgpu::Limits::downlevel_webgl2_defaults()
        }
    }

    fn adapter_info(&self) -> wgpu::AdapterInfo {
        let name = self.0.renderer.to_ascii_lowercase();
        let kind = match SOFTWARE.iter().any(|known| name.contains(known)) {
            true => wgpu::DeviceType::Cpu,
            false => wgpu::DeviceType::Other,
        };
        let name = self.0.renderer.clone();
        wgpu::AdapterInfo { name, ..wgpu::AdapterInfo::new(kind, wgpu::Backend::Gl) }
    }

    fn create_shader_module(
        &self,
        _: wgpu::ShaderModuleDescriptor<'_>,
        _: wgpu::ShaderRuntimeChecks,
    ) -> DispatchShaderModule {
        self.absent("translator: expected a shader in GLSL");
        DispatchShaderModule::custom(Module::new(""))
    }

    unsafe fn create_shader_module_passthrough(
        &self,
        descriptor: &wgpu::ShaderModuleDescriptorPassthrough<'_>,
    ) -> DispatchShaderModule {
        DispatchShaderModule::custom(Module::new(descriptor.glsl.as_deref().unwrap_or_default()))
    }

    fn create_bind_group_layout(
        &self,
        descriptor: &wgpu::BindGroupLayoutDescriptor<'_>,
    ) -> DispatchBindGroupLayout {
        DispatchBindGroupLayout::custom(Layout::new(descriptor))
    }

    fn create_bind_group(&self, descriptor: &wgpu::BindGroupDescriptor<'_>) -> DispatchBindGroup {
        DispatchBindGroup::custom(Group::new(&self.0, descriptor))
    }

    fn create_pipeline_layout(
        &self,
        _: &wgpu::PipelineLayoutDescriptor<'_>,
    ) -> DispatchPipelineLayout {
        DispatchPipelineLayout::custom(PipelineLayout)
    }

    fn create_render_pipeline(
        &self,
        descriptor: &wgpu::RenderPipelineDescriptor<'_>,
    ) -> DispatchRenderPipeline {
        DispatchRenderPipeline::custom(Pipeline::new(&self.0, descriptor))
    }

    fn create_buffer(&self, descriptor: &wgpu::BufferDescriptor<'_>) -> DispatchBuffer {
        DispatchBuffer::custom(Buffer::new(&self.0, descriptor.size, descriptor.usage))
    }

    fn create_texture(&self, descriptor: &wgpu::TextureDescriptor<'_>) -> DispatchTexture {
        DispatchTexture::custom(Texture::new(&self.0, descriptor))
    }

    fn create_sampler(&self, descriptor: &wgpu::SamplerDescriptor<'_>) -> DispatchSampler {
        DispatchSampler::custom(Sampler::new(&self.0, descriptor))
    }

    fn create_command_encoder(
        &self,
        _: &wgpu::CommandEncoderDescriptor<'_>,
    ) -> DispatchCommandEncoder {
        DispatchCommandEncoder::custom(Encoder(Rc::clone(&self.0)))
    }

    fn on_uncaptured_error(&self, handler: Arc<dyn wgpu::UncapturedErrorHandler>) {
        self.0.listen(handler);
    }

    /// Not called: the page hears it from the canvas.
    fn set_device_lost_callback(&self, _: BoxDeviceLostCallback) {}

    fn create_mesh_pipeline(&self, _: &wgpu::MeshPipelineDescriptor<'_>) -> DispatchRenderPipeline {
        self.absent("mesh shader");
        DispatchRenderPipeline::custom(Pipeline::empty(&self.0))
    }

    fn create_compute_pipeline(
        &self,
        _: &wgpu::ComputePipelineDescriptor<'_>,
    ) -> DispatchComputePipeline {
        self.absent("compute shader");
        DispatchComputePipeline::custom(Absent)
    }

    unsafe fn create_pipeline_cache(
        &self,
        _: &wgpu::PipelineCacheDescriptor<'_>,
    ) -> DispatchPipelineCache {
        DispatchPipelineCache::custom(Absent)
    }

    fn create_external_texture(
        &self,
        _: &wgpu::ExternalTextureDescriptor<'_>,
        _: &[&wgpu::TextureView],
    ) -> DispatchExternalTexture {
        self.absent("texture of films");
        DispatchExternalTexture::custom(Absent)
    }

    fn create_blas(
        &self,
        _: &wgpu::CreateBlasDescriptor<'_>,
        _: wgpu::BlasGeometrySizeDescriptors,
    ) -> (Option<u64>, DispatchBlas) {
        self.absent("ray tracing");
        (None, DispatchBlas::custom(Absent))
    }

    fn create_tlas(&self, _: &wgpu::CreateTlasDescriptor<'_>) -> DispatchTlas {
        self.absent("ray tracing");
        DispatchTlas::custom(Absent)
    }

    fn create_query_set(&self, _: &wgpu::QuerySetDescriptor<'_>) -> DispatchQuerySet {
        self.absent("query");
        DispatchQuerySet::custom(Absent)
    }

    fn create_render_bundle_encoder(
        &self,
        _: &wgpu::RenderBundleEncoderDescriptor<'_>,
    ) -> DispatchRenderBundleEncoder {
        self.absent("bundle");
        DispatchRenderBundleEncoder::custom(Absent)
    }

    fn push_error_scope(&self, _: wgpu::ErrorFilter) -> u32 {
        0
    }

    fn pop_error_scope(&self, _: u32) -> Pin<Box<dyn PopErrorScopeFuture>> {
        Box::pin(std::future::ready(None))
    }

    unsafe fn start_graphics_debugger_capture(&self) {}

    unsafe fn stop_graphics_debugger_capture(&self) {}

    fn poll(&self, _: wgt::PollType<u64>) -> Result<wgpu::PollStatus, wgpu::PollError> {
        Ok(wgpu::PollStatus::QueueEmpty)
    }

    fn get_internal_counters(&self) -> wgpu::InternalCounters {
        wgpu::InternalCounters::default()
    }

    fn generate_allocator_report(&self) -> Option<wgpu::AllocatorReport> {
        None
    }

    fn destroy(&self) {}
}
