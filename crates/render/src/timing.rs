//! How long the GPU took for each pass, where it can tell.

/// GPU time of each pass of a frame, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timings {
    /// The shadow map.
    pub shadow: f64,
    /// Everything else in the image.
    pub main: f64,
    /// Lines and bones over everything.
    pub overlay: f64,
}

const PASSES: u32 = 3;
/// Between two passes' times: where a query may be resolved to.
const STEP: u64 = wgpu::QUERY_RESOLVE_BUFFER_ALIGNMENT;

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
                size: u64::from(PASSES) * STEP,
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
        // One by one: what was never asked for must not be waited for.
        for (pass, _) in done.iter().enumerate().filter(|(_, done)| **done) {
            let (first, place) = (2 * pass as u32, pass as u64 * STEP);
            encoder.resolve_query_set(&self.queries, first..first + 2, &self.resolved, place);
        }
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readable, 0, self.readable.size());
    }

    /// Waits for the frame.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn read(&self, gpu: &crate::Gpu) -> Result<Timings, crate::RenderError> {
        let bytes = crate::readback::map(gpu, &self.readable)?;
        self.readable.unmap();
        let tick = |place: usize| {
            let found = bytes[place..].first_chunk().copied();
            found.map_or(0, u64::from_le_bytes)
        };
        let period = f64::from(gpu.queue.get_timestamp_period()) * 1e-6;
        let time = |pass: usize| {
            let place = pass * STEP as usize;
            tick(place + 8).saturating_sub(tick(place)) as f64 * period
        };
        Ok(Timings { shadow: time(0), main: time(1), overlay: time(2) })
    }
}
