//! What WebGL2 has not, or the renderer does not ask for: said in a sentence by whoever is asked, and then nothing.

use std::ops::Range;

use wgpu::custom::{
    BlasCompactCallback, BlasInterface, ComputePassInterface, ComputePipelineInterface,
    DispatchBindGroup, DispatchBindGroupLayout, DispatchBuffer, DispatchComputePipeline,
    DispatchQuerySet, DispatchRenderBundle, DispatchRenderPipeline, DispatchTextureView,
    ExternalTextureInterface, PipelineCacheInterface, QuerySetInterface, QueueWriteBufferInterface,
    RenderBundleEncoderInterface, RenderBundleInterface, TlasInterface,
};
use wgpu::wgt;

use crate::bind::Layout;

/// Stands for it.
#[derive(Debug)]
pub(crate) struct Absent;

impl ExternalTextureInterface for Absent {
    fn destroy(&self) {}
}

impl BlasInterface for Absent {
    fn prepare_compact_async(&self, _: BlasCompactCallback) {}

    fn ready_for_compaction(&self) -> bool {
        false
    }
}

impl TlasInterface for Absent {}

impl QuerySetInterface for Absent {
    fn destroy(&self) {}
}

impl PipelineCacheInterface for Absent {
    fn get_data(&self) -> Option<Vec<u8>> {
        None
    }
}

impl ComputePipelineInterface for Absent {
    fn get_bind_group_layout(&self, _: u32) -> DispatchBindGroupLayout {
        DispatchBindGroupLayout::custom(Layout::default())
    }
}

impl QueueWriteBufferInterface for Absent {
    fn len(&self) -> usize {
        0
    }

    unsafe fn write_slice(&mut self) -> wgpu::WriteOnly<'_, [u8]> {
        wgpu::WriteOnly::from_mut(&mut [])
    }
}

impl Drop for Absent {
    fn drop(&mut self) {}
}

impl ComputePassInterface for Absent {
    fn set_pipeline(&mut self, _: &DispatchComputePipeline) {}

    fn set_bind_group(&mut self, _: u32, _: Option<&DispatchBindGroup>, _: &[u32]) {}

    fn set_immediates(&mut self, _: u32, _: &[u8]) {}

    fn insert_debug_marker(&mut self, _: &str) {}

    fn push_debug_group(&mut self, _: &str) {}

    fn pop_debug_group(&mut self) {}

    fn write_timestamp(&mut self, _: &DispatchQuerySet, _: u32) {}

    fn begin_pipeline_statistics_query(&mut self, _: &DispatchQuerySet, _: u32) {}

    fn end_pipeline_statistics_query(&mut self) {}

    fn dispatch_workgroups(&mut self, _: u32, _: u32, _: u32) {}

    fn dispatch_workgroups_indirect(&mut self, _: &DispatchBuffer, _: u64) {}

    fn transition_resources<'a>(
        &mut self,
        _: &mut dyn Iterator<Item = wgt::BufferTransition<&'a DispatchBuffer>>,
        _: &mut dyn Iterator<Item = wgt::TextureTransition<&'a DispatchTextureView>>,
    ) {
    }
}

impl RenderBundleInterface for Absent {}

impl RenderBundleEncoderInterface for Absent {
    fn set_pipeline(&mut self, _: &DispatchRenderPipeline) {}

    fn set_bind_group(&mut self, _: u32, _: Option<&DispatchBindGroup>, _: &[u32]) {}

    fn set_index_buffer(
        &mut self,
        _: &DispatchBuffer,
        _: wgpu::IndexFormat,
        _: u64,
        _: Option<wgpu::BufferSize>,
    ) {
    }

    fn set_vertex_buffer(
        &mut self,
        _: u32,
        _: Option<&DispatchBuffer>,
        _: u64,
        _: Option<wgpu::BufferSize>,
    ) {
    }

    fn set_immediates(&mut self, _: u32, _: &[u8]) {}

    fn draw(&mut self, _: Range<u32>, _: Range<u32>) {}

    fn draw_indexed(&mut self, _: Range<u32>, _: i32, _: Range<u32>) {}

    fn draw_indirect(&mut self, _: &DispatchBuffer, _: u64) {}

    fn draw_indexed_indirect(&mut self, _: &DispatchBuffer, _: u64) {}

    fn finish(self, _: &wgpu::RenderBundleDescriptor<'_>) -> DispatchRenderBundle {
        DispatchRenderBundle::custom(self)
    }

    fn finish_boxed(self: Box<Self>, _: &wgpu::RenderBundleDescriptor<'_>) -> DispatchRenderBundle {
        DispatchRenderBundle::custom(*self)
    }
}
