//! How long the GPU took for each pass, where it can tell.

use crate::{Error, Gpu};

/// GPU time of each pass of a frame, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timings {
    /// The shadow map.
    pub shadow: f64,
    /// Everything else in the picture.
    pub main: f64,
    /// Lines and bones over everything.
    pub overlay: f64,
}

const PASSES: u32 = 3;

/// Asks the GPU for the time at the start and end of passes.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
}

impl Stopwatch {
    /// `None` where the device cannot tell.
    pub(crate) fn new(device: &wgpu::Device) -> Option<Self> {
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("times"),
                size: u64::from(PASSES) * 16,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        Some(Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("times"),
                ty: wgpu::QueryType::Timestamp,
                count: PASSES * 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            readable: buffer(wgpu::BufferUsages::MAP_READ),
        })
    }

    pub(crate) fn writes(&self, pass: u32) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(2 * pass),
            end_of_pass_write_index: Some(2 * pass + 1),
        }
    }

    /// After the passes; `done` says which were drawn.
    pub(crate) fn resolve(&self, encoder: &mut wgpu::CommandEncoder, done: [bool; 3]) {
        encoder.clear_buffer(&self.resolved, 0, None);
        for (pass, _) in done.iter().enumerate().filter(|(_, done)| **done) {
            let first = 2 * pass as u32;
            // A destination must begin at a multiple of 256, so all passes up to this one are resolved together.
            if done[..pass].iter().all(|done| *done) {
                encoder.resolve_query_set(&self.queries, 0..first + 2, &self.resolved, 0);
            }
        }
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readable, 0, self.readable.size());
    }

    /// Waits for the frame.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn read(&self, gpu: &Gpu) -> Result<Timings, Error> {
        let bytes = crate::readback::map(gpu, &self.readable)?;
        self.readable.unmap();
        let ticks: Vec<u64> = bytes
            .chunks_exact(8)
            .map(|tick| u64::from_le_bytes(std::array::from_fn(|index| tick[index])))
            .collect();
        let period = f64::from(gpu.queue.get_timestamp_period()) * 1e-6;
        let time =
            |pass: usize| ticks[2 * pass + 1].saturating_sub(ticks[2 * pass]) as f64 * period;
        Ok(Timings { shadow: time(0), main: time(1), overlay: time(2) })
    }
}
