//! Memory that both processors see, through which texels travel: kept and used again.
//!
//! In:  the texels of a frame.
//! Out: one copy into a texture, at the start of the frame's commands.
//!
//! A queue's own `write_texture` takes fresh memory for every frame, and touching fresh memory costs more than
//! copying. Here a buffer is mapped again as soon as the GPU has read it; as many are kept as frames are under way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Buffers that are written in turns.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    slots: Vec<Slot>,
    /// Written for the frame being recorded.
    busy: Option<usize>,
}

#[derive(Debug)]
struct Slot {
    buffer: wgpu::Buffer,
    /// Whether it can be written now.
    is_mapped: Arc<AtomicBool>,
}

impl Staging {
    /// Copies `bytes`, whole rows of it, into `texture` when the commands are run.
    pub(crate) fn write(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        texture: &wgpu::Texture,
        bytes: &[u8],
    ) {
        // Of a frame that was given up half way.
        self.recall();
        let row = texture.width() * 16;
        let place = self.free(device, bytes.len() as u64);
        let slot = &self.slots[place];
        // What is mapped can be written, unless the device is lost; that is told at the frame's end.
        if let Ok(mut view) = slot.buffer.get_mapped_range_mut(..bytes.len() as u64) {
            view.copy_from_slice(bytes);
        }
        slot.buffer.unmap();
        slot.is_mapped.store(false, Ordering::Release);
        encoder.copy_buffer_to_texture(
            wgpu::TexelCopyBufferInfo {
                buffer: &slot.buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row),
                    rows_per_image: None,
                },
            },
            texture.as_image_copy(),
            wgpu::Extent3d {
                width: texture.width(),
                height: bytes.len() as u32 / row,
                depth_or_array_layers: 1,
            },
        );
        self.busy = Some(place);
    }

    /// After the commands were handed over: the buffer is wanted back.
    pub(crate) fn recall(&mut self) {
        let Some(slot) = self.busy.take().and_then(|place| self.slots.get(place)) else { return };
        let is_mapped = Arc::clone(&slot.is_mapped);
        slot.buffer.map_async(wgpu::MapMode::Write, .., move |done| {
            is_mapped.store(done.is_ok(), Ordering::Release);
        });
    }

    /// A buffer that can be written, of at least this size.
    fn free(&mut self, device: &wgpu::Device, size: u64) -> usize {
        // Callbacks of finished frames run here.
        let _ = device.poll(wgpu::PollType::Poll);
        let is_free = |slot: &Slot| slot.is_mapped.load(Ordering::Acquire);
        let fits = |slot: &Slot| is_free(slot) && slot.buffer.size() >= size;
        if let Some(place) = self.slots.iter().position(fits) {
            return place;
        }
        // Those that have become too small go.
        self.slots.retain(|slot| !is_free(slot));
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("texels on their way"),
            size: size.next_power_of_two(),
            usage: wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: true,
        });
        self.slots.push(Slot { buffer, is_mapped: Arc::new(AtomicBool::new(true)) });
        self.slots.len() - 1
    }
}
