//! How long the GPU took for each pass, where it can tell.

/// GPU time of each pass of a frame, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timings {
    /// Vertices put in their poses, where that is done once for all passes.
    pub skin: f64,
    /// The shadow map.
    pub shadow: f64,
    /// Depth as the environment's parts see it.
    pub occlusion: f64,
    /// What the floor mirrors.
    pub mirror: f64,
    /// Everything else in the image.
    pub main: f64,
    /// Lines and bones over everything.
    pub overlay: f64,
}

/// Which pass is timed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pass {
    Skin,
    Shadow,
    Occlusion,
    Mirror,
    Main,
    Overlay,
}

pub(crate) const PASSES: usize = 6;
/// Between two passes' times: where a query may be resolved to.
const STEP: u64 = wgpu::QUERY_RESOLVE_BUFFER_ALIGNMENT;

/// Asks the GPU for the time at the start and end of passes.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
}

impl Timings {
    /// All passes.
    #[must_use]
    pub fn all(&self) -> f64 {
        self.skin + self.shadow + self.occlusion + self.mirror + self.main + self.overlay
    }
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
                size: PASSES as u64 * STEP,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        Some(Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("times"),
                ty: wgpu::QueryType::Timestamp,
                count: PASSES as u32 * 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            readable: buffer(wgpu::BufferUsages::MAP_READ),
        })
    }

    pub(crate) fn writes(&self, pass: Pass) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(2 * pass as u32),
            end_of_pass_write_index: Some(2 * pass as u32 + 1),
        }
    }

    /// The same for a pass that is begun and ended apart.
    pub(crate) fn part_writes(
        &self,
        pass: Pass,
        [first, last]: [bool; 2],
    ) -> wgpu::RenderPassTimestampWrites<'_> {
        let whole = self.writes(pass);
        wgpu::RenderPassTimestampWrites {
            beginning_of_pass_write_index: whole.beginning_of_pass_write_index.filter(|_| first),
            end_of_pass_write_index: whole.end_of_pass_write_index.filter(|_| last),
            ..whole
        }
    }

    pub(crate) fn skin_writes(&self) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(2 * Pass::Skin as u32),
            end_of_pass_write_index: Some(2 * Pass::Skin as u32 + 1),
        }
    }

    /// After the passes; `done` says which were drawn.
    pub(crate) fn resolve(&self, encoder: &mut wgpu::CommandEncoder, done: [bool; PASSES]) {
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
        let time = |pass: Pass| {
            let place = pass as usize * STEP as usize;
            tick(place + 8).saturating_sub(tick(place)) as f64 * period
        };
        Ok(Timings {
            skin: time(Pass::Skin),
            shadow: time(Pass::Shadow),
            occlusion: time(Pass::Occlusion),
            mirror: time(Pass::Mirror),
            main: time(Pass::Main),
            overlay: time(Pass::Overlay),
        })
    }
}
