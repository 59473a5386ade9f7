//! An encoder and a queue. Commands are not kept: each goes to WebGL2 when it is recorded, so whoever records a pass has written what it reads before.

use std::rc::Rc;

use wgpu::custom::{
    BoxSubmittedWorkDoneCallback, CommandBufferInterface, CommandEncoderInterface, DispatchBlas,
    DispatchBuffer, DispatchCommandBuffer, DispatchComputePass, DispatchQuerySet,
    DispatchQueueWriteBuffer, DispatchRenderPass, DispatchSurfaceOutputDetail, DispatchTexture,
    QueueInterface,
};
use wgpu::wgt;

use crate::absent::Absent;
use crate::buffer::Buffer;
use crate::context::Context;
use crate::pass::Pass;
use crate::texture::Texture;

/// An encoder.
#[derive(Debug)]
pub(crate) struct Encoder(pub(crate) Rc<Context>);

impl Encoder {
    fn absent(&self, what: &str) {
        self.0.refuse(format!("WebGL2: there is no {what} here"));
    }
}

/// What an encoder gives: everything is done already.
#[derive(Debug)]
struct Done;

impl CommandBufferInterface for Done {}

impl CommandEncoderInterface for Encoder {
    fn copy_texture_to_texture(
        &self,
        source: wgpu::TexelCopyTextureInfo<'_>,
        destination: wgpu::TexelCopyTextureInfo<'_>,
        copy_size: wgpu::Extent3d,
    ) {
        let own = |texture: &wgpu::Texture| texture.as_custom::<Texture>().cloned();
        if let (Some(from), Some(to)) = (own(source.texture), own(destination.texture)) {
            to.0.copy(&from.0, copy_size);
        }
    }

    fn begin_render_pass(&self, wanted: &wgpu::RenderPassDescriptor<'_>) -> DispatchRenderPass {
        DispatchRenderPass::custom(Pass::new(&self.0, wanted))
    }

    fn finish(&mut self) -> DispatchCommandBuffer {
        DispatchCommandBuffer::custom(Done)
    }

    fn copy_buffer_to_buffer(
        &self,
        _: &DispatchBuffer,
        _: u64,
        _: &DispatchBuffer,
        _: u64,
        _: Option<u64>,
    ) {
        self.absent("copy of buffers");
    }

    fn copy_buffer_to_texture(
        &self,
        _: wgpu::TexelCopyBufferInfo<'_>,
        _: wgpu::TexelCopyTextureInfo<'_>,
        _: wgpu::Extent3d,
    ) {
        self.absent("copy of buffers");
    }

    fn copy_texture_to_buffer(
        &self,
        _: wgpu::TexelCopyTextureInfo<'_>,
        _: wgpu::TexelCopyBufferInfo<'_>,
        _: wgpu::Extent3d,
    ) {
        self.absent("reading back; the canvas gives its pixels");
    }

    fn begin_compute_pass(&self, _: &wgpu::ComputePassDescriptor<'_>) -> DispatchComputePass {
        self.absent("compute shader");
        DispatchComputePass::custom(Absent)
    }

    fn clear_texture(&self, _: &DispatchTexture, _: &wgpu::ImageSubresourceRange) {
        self.absent("clearing outside of passes");
    }

    fn clear_buffer(&self, _: &DispatchBuffer, _: u64, _: Option<u64>) {
        self.absent("clearing outside of passes");
    }

    fn insert_debug_marker(&self, _: &str) {}

    fn push_debug_group(&self, _: &str) {}

    fn pop_debug_group(&self) {}

    fn write_timestamp(&self, _: &DispatchQuerySet, _: u32) {
        self.absent("clock");
    }

    fn resolve_query_set(&self, _: &DispatchQuerySet, _: u32, _: u32, _: &DispatchBuffer, _: u64) {
        self.absent("query");
    }

    fn mark_acceleration_structures_built<'a>(
        &self,
        _: &mut dyn Iterator<Item = &'a wgpu::Blas>,
        _: &mut dyn Iterator<Item = &'a wgpu::Tlas>,
    ) {
    }

    fn build_acceleration_structures<'a>(
        &self,
        _: &mut dyn Iterator<Item = &'a wgpu::BlasBuildEntry<'a>>,
        _: &mut dyn Iterator<Item = &'a wgpu::Tlas>,
    ) {
        self.absent("ray tracing");
    }

    fn transition_resources<'a>(
        &mut self,
        _: &mut dyn Iterator<Item = wgt::BufferTransition<&'a DispatchBuffer>>,
        _: &mut dyn Iterator<Item = wgt::TextureTransition<&'a DispatchTexture>>,
    ) {
    }
}

/// A queue. Buffers and textures know their contexts themselves.
#[derive(Debug)]
pub(crate) struct Queue;

impl QueueInterface for Queue {
    fn write_buffer(&self, buffer: &DispatchBuffer, offset: u64, data: &[u8]) {
        if let Some(buffer) = buffer.as_custom::<Buffer>() {
            buffer.write(offset, data);
        }
    }

    fn write_texture(
        &self,
        to: wgpu::TexelCopyTextureInfo<'_>,
        data: &[u8],
        layout: wgpu::TexelCopyBufferLayout,
        size: wgpu::Extent3d,
    ) {
        if let Some(texture) = to.texture.as_custom::<Texture>() {
            texture.0.write((to.mip_level, to.origin), data, layout, size);
        }
    }

    #[cfg(feature = "webgpu")]
    fn copy_external_image_to_texture(
        &self,
        _: &wgpu::CopyExternalImageSourceInfo,
        _: wgpu::CopyExternalImageDestInfo<&wgpu::Texture>,
        _: wgpu::Extent3d,
    ) {
    }

    fn submit(&self, buffers: &mut dyn Iterator<Item = DispatchCommandBuffer>) -> u64 {
        buffers.for_each(drop);
        0
    }

    fn create_staging_buffer(&self, _: wgpu::BufferSize) -> Option<DispatchQueueWriteBuffer> {
        None
    }

    fn validate_write_buffer(&self, _: &DispatchBuffer, _: u64, _: wgpu::BufferSize) -> Option<()> {
        None
    }

    fn write_staging_buffer(&self, _: &DispatchBuffer, _: u64, _: &DispatchQueueWriteBuffer) {}

    fn get_timestamp_period(&self) -> f32 {
        0.0
    }

    fn on_submitted_work_done(&self, callback: BoxSubmittedWorkDoneCallback) {
        callback();
    }

    fn compact_blas(&self, _: &DispatchBlas) -> (Option<u64>, DispatchBlas) {
        (None, DispatchBlas::custom(Absent))
    }

    fn present(&self, _: &DispatchSurfaceOutputDetail) {}
}
