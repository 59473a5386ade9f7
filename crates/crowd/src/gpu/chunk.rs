//! As many characters as one binding can hold, with the buffers that are theirs.

use bytemuck::{AnyBitPattern, NoUninit};
use sinew_render::{Gpu, RenderError};
use sinew_scene::glam::Affine3A;
use wgpu::BufferUsages;

use super::kernels::Kernel;
use super::output::rows;
use crate::CharacterState;

/// Bytes of a character's state and of its place.
const STATE_BYTES: u64 = 16;
const PLACE_BYTES: u64 = 48;

/// What all chunks bind, by number; those that each has for itself are placeholders.
pub(super) type Fixed = [wgpu::Buffer; 8];

/// Bytes for each character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widths {
    pub(super) palette: u64,
    /// Branches; zero where they stay in workgroups' memory.
    pub(super) branches: u64,
}

/// Some characters of a crowd.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) count: u32,
    room: u32,
    widths: Widths,
    states: wgpu::Buffer,
    pub(super) palettes: wgpu::Buffer,
    branches: Option<wgpu::Buffer>,
    places: Option<wgpu::Buffer>,
    pub(super) group: Option<wgpu::BindGroup>,
}

fn buffer(gpu: &Gpu, label: &'static str, size: u64, usage: BufferUsages) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: size.max(PLACE_BYTES),
        usage: usage | BufferUsages::STORAGE,
        mapped_at_creation: false,
    })
}

impl Chunk {
    pub(super) fn new(gpu: &Gpu, room: u32, widths: Widths) -> Self {
        let all = u64::from(room);
        let (read, write) = (BufferUsages::COPY_SRC, BufferUsages::COPY_DST);
        let branches = (widths.branches > 0).then(|| {
            buffer(gpu, "branches of a crowd", all * widths.branches, BufferUsages::empty())
        });
        Self {
            count: 0,
            room,
            widths,
            states: buffer(gpu, "states of a crowd", all * STATE_BYTES, write),
            palettes: buffer(gpu, "palettes of a crowd", eights(room) * widths.palette, read),
            branches,
            places: None,
            group: None,
        }
    }

    /// Whether so many fit, and not far fewer.
    pub(super) fn fits(&self, count: u32) -> bool {
        count <= self.room && count >= self.room / 2
    }

    /// Takes in what everyone plays; for other numbers of characters it must be bound anew.
    pub(super) fn write(
        &mut self,
        gpu: &Gpu,
        states: &[CharacterState],
    ) -> Result<(), RenderError> {
        if self.count as usize != states.len() {
            self.count = states.len() as u32;
            self.group = None;
        }
        send::<_, _, 16>(gpu, &self.states, states, |state| {
            let [first, second] = state.times.map(seconds);
            [
                u32::from(state.clips[0]) | u32::from(state.clips[1]) << 16,
                first,
                second,
                state.clamped_weight().to_bits(),
            ]
        })
    }

    pub(super) fn place(&mut self, gpu: &Gpu, places: &[Affine3A]) -> Result<(), RenderError> {
        let size = u64::from(self.room) * PLACE_BYTES;
        if self.places.is_none() {
            self.group = None;
        }
        let to = self
            .places
            .get_or_insert_with(|| buffer(gpu, "places of a crowd", size, BufferUsages::COPY_DST));
        send::<_, _, 48>(gpu, to, places, |place| rows(*place))
    }

    pub(super) fn unplace(&mut self) {
        self.places = None;
        self.group = None;
    }

    /// Makes what is bound, unless it is there.
    pub(super) fn bind(&mut self, gpu: &Gpu, kernel: &Kernel, fixed: &Fixed) {
        if self.group.is_none() {
            self.group = Some(self.bound(gpu, kernel, fixed));
        }
    }

    fn bound(&self, gpu: &Gpu, kernel: &Kernel, fixed: &Fixed) -> wgpu::BindGroup {
        let entry = |&binding: &u32| {
            // A shader sees by its length how many there are.
            let own = |buffer, each: u64| (buffer, u64::from(self.count) * each);
            let (buffer, size) = match (binding, &self.branches, &self.places) {
                (0, _, _) => own(&self.states, STATE_BYTES),
                (5, _, _) => (&self.palettes, eights(self.count) * self.widths.palette),
                (6, Some(branches), _) => own(branches, self.widths.branches),
                (7, _, Some(places)) => own(places, PLACE_BYTES),
                _ => fixed.get(binding as usize).map(|buffer| (buffer, buffer.size()))?,
            };
            let size = wgpu::BufferSize::new(size);
            let buffer = wgpu::BufferBinding { buffer, offset: 0, size };
            Some(wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::Buffer(buffer) })
        };
        let entries: Vec<_> = kernel.bindings.iter().filter_map(entry).collect();
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("crowd"),
            layout: &kernel.pipeline.get_bind_group_layout(0),
            entries: &entries,
        })
    }
}

/// Characters with those who fill up the last eight.
fn eights(count: u32) -> u64 {
    u64::from(count).next_multiple_of(8)
}

/// A time that a shader can bear: never below zero, never more than there is, and a number.
fn seconds(time: f32) -> u32 {
    let time = if time > 0.0 { time.min(f32::MAX) } else { 0.0 };
    time.to_bits()
}

/// Writes straight into the memory from which the GPU fetches.
fn send<T, U: NoUninit, const BYTES: usize>(
    gpu: &Gpu,
    to: &wgpu::Buffer,
    from: &[T],
    each: impl Fn(&T) -> U,
) -> Result<(), RenderError>
where
    [u8; BYTES]: AnyBitPattern,
{
    let Some(size) = wgpu::BufferSize::new((from.len() * BYTES) as u64) else { return Ok(()) };
    match gpu.queue.write_buffer_with(to, 0, size) {
        Some(mut view) => {
            let (rooms, _) = view.slice(..).into_chunks::<BYTES>();
            rooms.write_iter(from.iter().map(|one| bytemuck::cast(each(one))));
            Ok(())
        }
        None => {
            gpu.health().check()?;
            Err(RenderError::Refused(format!("{size} bytes for a crowd")))
        }
    }
}
