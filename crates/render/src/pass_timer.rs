//! Milliseconds of work on the GPU, by its own clock where it has one.
//!
//! Neighbours and sleeping clocks make work slow, never fast: the fastest of many runs counts.

use std::time::{Duration, Instant};

use wgpu::{BufferUsages, CommandEncoder, ComputePassTimestampWrites};

use crate::{Gpu, RenderError};

/// Asks for the time at the start and the end of a pass.
#[derive(Debug)]
pub struct PassTimer {
    gpu: Gpu,
    /// `None` where the device has no clock.
    clock: Option<Clock>,
}

#[derive(Debug)]
struct Clock {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
}

/// How often work is repeated: for this many runs and this long, whichever takes longer.
#[derive(Clone, Copy, Debug)]
pub struct Repeat {
    /// At least so often.
    pub runs: usize,
    /// At least for so long.
    pub time: Duration,
}

impl PassTimer {
    /// A timer on a device.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Self {
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
    #[must_use]
    pub fn has_clock(&self) -> bool {
        self.clock.is_some()
    }

    /// The fastest run, in milliseconds. `work` records one pass with the times to take.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn best(
        &self,
        repeat: Repeat,
        work: impl Fn(&mut CommandEncoder, Option<ComputePassTimestampWrites<'_>>),
    ) -> Result<f64, RenderError> {
        let (start, mut best, mut runs) = (Instant::now(), f64::INFINITY, 0);
        while runs < repeat.runs || start.elapsed() < repeat.time {
            best = best.min(self.once(&work)?);
            runs += 1;
        }
        Ok(best)
    }

    fn once(
        &self,
        work: &impl Fn(&mut CommandEncoder, Option<ComputePassTimestampWrites<'_>>),
    ) -> Result<f64, RenderError> {
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
