//! A buffer that is written anew every frame and grows when it must: of vertices, and where there are any, of storage.

/// A growing buffer.
#[derive(Debug)]
pub(crate) struct Stream {
    buffer: wgpu::Buffer,
    usage: wgpu::BufferUsages,
}

impl Stream {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        Self::with(device, wgpu::BufferUsages::VERTEX)
    }

    pub(crate) fn with(device: &wgpu::Device, usage: wgpu::BufferUsages) -> Self {
        Self { buffer: buffer(device, 256, usage), usage }
    }

    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Writes all of `contents`; gives back how many bytes.
    pub(crate) fn write<T: bytemuck::NoUninit>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        contents: &[T],
    ) -> u64 {
        let bytes: &[u8] = bytemuck::cast_slice(contents);
        if bytes.is_empty() {
            return 0;
        }
        let size = bytes.len() as u64;
        if size > self.buffer.size() {
            self.buffer = buffer(device, size.next_power_of_two(), self.usage);
        }
        queue.write_buffer(&self.buffer, 0, bytes);
        size
    }

    /// From the element with this number on.
    pub(crate) fn from<T>(&self, first: u32) -> wgpu::BufferSlice<'_> {
        self.buffer.slice(u64::from(first) * size_of::<T>() as u64..)
    }
}

fn buffer(device: &wgpu::Device, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("stream"),
        size,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
