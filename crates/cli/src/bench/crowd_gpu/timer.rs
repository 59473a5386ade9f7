//! Milliseconds of work on the GPU, by its own clock where it has one.
//!
//! Neighbours and sleeping clocks make work slow, never fast: the fastest of many runs counts.

use std::time::{Duration, Instant};

use sinew::render::wgpu::{self, BufferUsages, CommandEncoder, ComputePassTimestampWrites};
use sinew::render::{Error, Gpu};

/// Asks for the time at the start and the end of a pass.
pub(crate) struct Timer {
    gpu: Gpu,
    /// `None` where the device has no clock.
    clock: Option<Clock>,
}

struct Clock {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
}

/// How long to go on: so many runs at least, and so long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    pub(crate) runs: usize,
    pub(crate) time: Duration,
}

impl Timer {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        let buffer = |usage| {
            let descriptor = wgpu::BufferDescriptor {
                label: Some("times"),
                size: 16,
                usage: usage | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            };
            device.create_buffer(&descriptor)
        };
        let has_clock = device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let clock = has_clock.then(|| Clock {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("times"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC),
            readable: buffer(BufferUsages::MAP_READ),
        });
        Self { gpu: gpu.clone(), clock }
    }

    /// Whether times are the device's own.
    pub(crate) fn has_clock(&self) -> bool {
        self.clock.is_some()
    }

    /// The fastest run, in milliseconds. `work` records one pass with the times to take.
    pub(crate) fn best(
        &self,
        patience: Patience,
        work: impl Fn(&mut CommandEncoder, Option<ComputePassTimestampWrites<'_>>),
    ) -> Result<f64, Error> {
        let (start, mut best, mut runs) = (Instant::now(), f64::INFINITY, 0);
        while runs < patience.runs || start.elapsed() < patience.time {
            best = best.min(self.once(&work)?);
            runs += 1;
        }
        Ok(best)
    }

    fn once(
        &self,
        work: &impl Fn(&mut CommandEncoder, Option<ComputePassTimestampWrites<'_>>),
    ) -> Result<f64, Error> {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let writes = self.clock.as_ref().map(|clock| ComputePassTimestampWrites {
            query_set: &clock.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        });
        work(&mut encoder, writes);
        if let Some(clock) = &self.clock {
            encoder.resolve_query_set(&clock.queries, 0..2, &clock.resolved, 0);
            encoder.copy_buffer_to_buffer(&clock.resolved, 0, &clock.readable, 0, 16);
        }
        let start = Instant::now();
        self.gpu.queue.submit([encoder.finish()]);
        let Some(clock) = &self.clock else {
            self.gpu.wait()?;
            return Ok(start.elapsed().as_secs_f64() * 1e3);
        };
        let bytes = self.gpu.read_buffer(&clock.readable)?;
        let tick =
            |at: usize| bytes[at..].first_chunk().map_or(0, |tick| u64::from_le_bytes(*tick));
        let period = f64::from(self.gpu.queue.get_timestamp_period());
        Ok(tick(8).saturating_sub(tick(0)) as f64 * period * 1e-6)
    }
}
