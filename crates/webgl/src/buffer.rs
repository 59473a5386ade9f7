//! Buffers: of vertices, indices and uniforms.

use std::ops::Range;
use std::rc::Rc;

use wgpu::custom::{
    BufferInterface, BufferMapCallback, BufferMappedRangeInterface, DispatchBufferMappedRange,
};

use crate::context::{Context, Id};
use crate::gl::{self, Object};

/// A buffer.
#[derive(Clone, Debug)]
pub(crate) struct Buffer(pub(crate) Rc<Memory>);

/// Its memory.
#[derive(Debug)]
pub(crate) struct Memory {
    context: Rc<Context>,
    pub(crate) id: Id,
    pub(crate) object: Option<Object>,
    pub(crate) size: u32,
}

impl Buffer {
    pub(crate) fn new(context: &Rc<Context>, size: u64, usage: wgpu::BufferUsages) -> Self {
        let context = Rc::clone(context);
        let object = context.gl.create_buffer();
        let id = context.id();
        // WebGL keeps indices apart: what a buffer is bound as first is what it may hold.
        if usage.contains(wgpu::BufferUsages::INDEX) {
            context.elements(id, object.as_ref());
        }
        context.gl.bind_buffer(gl::COPY_WRITE_BUFFER, object.as_ref());
        let size = size as u32;
        context.gl.buffer_size(gl::COPY_WRITE_BUFFER, size, gl::DYNAMIC_DRAW);
        Self(Rc::new(Memory { id, object, size, context }))
    }

    pub(crate) fn write(&self, offset: u64, data: &[u8]) {
        self.0.write(offset, data);
    }
}

impl Memory {
    fn write(&self, offset: u64, data: &[u8]) {
        self.context.gl.bind_buffer(gl::COPY_WRITE_BUFFER, self.object.as_ref());
        self.context.gl.buffer_sub_data(gl::COPY_WRITE_BUFFER, offset as u32, data);
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.context.gl.delete_buffer(self.object.as_ref());
    }
}

impl BufferInterface for Buffer {
    fn map_async(&self, _: wgpu::MapMode, _: Range<u64>, callback: BufferMapCallback) {
        callback(Err(wgpu::BufferAsyncError));
    }

    /// Only to be written, when it is made.
    fn get_mapped_range(
        &self,
        range: Range<u64>,
    ) -> Result<DispatchBufferMappedRange, wgpu::MapRangeError> {
        let bytes = vec![0; (range.end - range.start) as usize];
        let mapped = Mapped { memory: Rc::clone(&self.0), offset: range.start, bytes };
        Ok(DispatchBufferMappedRange::custom(mapped))
    }

    fn unmap(&self) {}

    fn destroy(&self) {}
}

/// Bytes that are written to the buffer when this goes.
#[derive(Debug)]
struct Mapped {
    memory: Rc<Memory>,
    offset: u64,
    bytes: Vec<u8>,
}

impl BufferMappedRangeInterface for Mapped {
    fn len(&self) -> usize {
        self.bytes.len()
    }

    unsafe fn read_slice(&self) -> &[u8] {
        &self.bytes
    }

    unsafe fn write_slice(&mut self) -> wgpu::WriteOnly<'_, [u8]> {
        wgpu::WriteOnly::from_mut(&mut self.bytes)
    }

    #[cfg(feature = "webgpu")]
    fn as_uint8array(&self) -> &js_sys::Uint8Array {
        thread_local!(static EMPTY: &'static js_sys::Uint8Array =
            Box::leak(Box::new(js_sys::Uint8Array::new_with_length(0))));
        EMPTY.with(|empty| *empty)
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        self.memory.write(self.offset, &self.bytes);
    }
}
