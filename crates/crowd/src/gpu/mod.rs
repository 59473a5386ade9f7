//! Crowds on a GPU: the processor sends sixteen bytes a character, and palettes never leave the card.
//!
//! In:  a skeleton and its sampled clips, once; each frame a [`CharacterState`] for every character.
//! Out: palettes in buffers of the GPU, for [`Frame::add_crowd`](sinew_render::Frame::add_crowd) or shaders of one's own.
//!
//! Times are read on the GPU as [`SampledClip`] reads them, bits stay as they are, and poses are blended as
//! [`blend`](sinew_motion::blend) does. Numbers differ from the processor's by rounding alone: by less than 1e-6 of
//! the largest number in between, for each level of the tree and three more (sampling, blending and the bind).
//!
//! ```no_run
//! use sinew_crowd::{CharacterState, gpu};
//! use sinew_render::Gpu;
//! # let scene = sinew_scene::Scene::default();
//! # let sampled_clips: Vec<sinew_motion::SampledClip> = Vec::new();
//! let device = Gpu::headless()?;
//! let mut crowd = gpu::Crowd::new(&device, scene.skeleton(), gpu::Output::Joints, &sampled_clips)?;
//! crowd.write(&[CharacterState::new(0, 0.5); 1000])?;
//! crowd.run()?;
//! println!("{} matrices", crowd.read()?.len());
//! # Ok::<(), gpu::CrowdError>(())
//! ```

mod chains;
mod chunk;
mod error;
mod kernels;
mod output;
mod plan;
#[cfg(not(target_arch = "wasm32"))]
mod read;
mod sampled_clips;

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

pub use error::CrowdError;
pub use output::Output;
pub use plan::{BranchMemory, Tuning};

use sinew_motion::SampledClip;
use sinew_render::{Gpu, GpuPalettes};
use sinew_scene::Skeleton;
use sinew_scene::glam::Affine3A;
use wgpu::util::DeviceExt;

use crate::CharacterState;
use chains::Chains;
use chunk::{Chunk, Fixed, Widths};
use kernels::{Kernel, MAX_BUFFERS, folded};
use plan::{Sizes, WorkgroupPlan};

/// Many characters of one skeleton, on a GPU.
#[derive(Debug)]
pub struct Crowd {
    gpu: Gpu,
    plan: WorkgroupPlan,
    sizes: Sizes,
    widths: Widths,
    fixed: Fixed,
    fixed_bytes: u64,
    /// For characters without places, and for those with places when first needed.
    kernels: [Option<Kernel>; 2],
    placed: bool,
    /// How many characters a chunk has at most.
    max_characters: u32,
    chunks: Vec<Chunk>,
    count: usize,
}

impl Crowd {
    /// Nobody yet; uploads the sampled clips.
    ///
    /// # Errors
    /// When the device has no compute shaders, the parts do not fit each other, or sampled clips are too large for it.
    pub fn new(
        gpu: &Gpu,
        skeleton: &Skeleton,
        output: Output<'_>,
        sampled_clips: &[SampledClip],
    ) -> Result<Self, CrowdError> {
        Self::tuned(gpu, skeleton, output, sampled_clips, Tuning::default())
    }

    /// The same with workgroups tuned by hand.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn tuned(
        gpu: &Gpu,
        skeleton: &Skeleton,
        output: Output<'_>,
        sampled_clips: &[SampledClip],
        tuning: Tuning,
    ) -> Result<Self, CrowdError> {
        gpu.health().check()?;
        let limits = gpu.device.limits();
        let threads = limits.max_compute_invocations_per_workgroup;
        if threads == 0 || limits.max_storage_buffers_per_shader_stage < MAX_BUFFERS {
            return Err(CrowdError::NoCompute { device: gpu.name() });
        }
        let chains = Chains::new(skeleton);
        let binds = output.binds(skeleton, &chains)?;
        let all = sampled_clips::GpuClips::new(&chains, &binds, sampled_clips)?;
        let sizes = Sizes {
            slots: chains.joints.len() as u32,
            sampled_clips: all.heads.len() as u32,
            ranks: chains.ranks,
            widest: chains.widest(),
            matrices: binds.matrices,
            bound: binds.bound,
            branches: chains.branches.len() as u32,
            moves: all.movers > 0,
            holds: all.holds,
        };
        let plan = WorkgroupPlan::new(&sizes, &limits, tuning);
        let upload = |what: &'static str, bytes: &[u8]| {
            let (size, limit) = (bytes.len() as u64, limits.max_storage_buffer_binding_size);
            if size > limit {
                return Err(CrowdError::TooLarge { what, bytes: size, limit });
            }
            Ok(gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some(what),
                contents: bytes,
                usage: wgpu::BufferUsages::STORAGE,
            }))
        };
        // Bound where nobody has a place, too, which takes 48 bytes at least.
        let mut heads = all.heads.clone();
        heads.resize(heads.len().max(2), bytemuck::Zeroable::zeroed());
        let heads = upload("heads of sampled clips", bytemuck::cast_slice(&heads))?;
        let tracks = upload("tracks of sampled clips", bytemuck::cast_slice(&all.tracks))?;
        let frames = upload("frames of sampled clips", bytemuck::cast_slice(&all.frames))?;
        let list = upload("chains of joints", bytemuck::cast_slice(&chains.list))?;
        let own = || heads.clone();
        let fixed_bytes = [&heads, &tracks, &frames, &list].map(wgpu::Buffer::size);
        let widths = Widths {
            palette: u64::from(binds.matrices) * 48,
            branches: match plan.branch_memory {
                BranchMemory::Workgroup => 0,
                BranchMemory::Device => u64::from(sizes.branches.max(1)) * 48,
            },
        };
        let crowd = Self {
            gpu: gpu.clone(),
            plan,
            sizes,
            widths,
            fixed: [own(), heads.clone(), tracks, frames, list, own(), own(), own()],
            fixed_bytes: fixed_bytes.iter().sum(),
            kernels: [Some(Kernel::new(gpu, plan, &sizes, false)), None],
            placed: false,
            max_characters: max_characters(&limits, widths)?,
            chunks: Vec::new(),
            count: 0,
        };
        gpu.health().check()?;
        Ok(crowd)
    }

    /// How many characters there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many matrices are written for each character.
    #[must_use]
    pub fn matrices(&self) -> usize {
        self.sizes.matrices as usize
    }

    /// Where matrices on which several chains of joints hang are kept.
    #[must_use]
    pub fn branch_memory(&self) -> BranchMemory {
        self.plan.branch_memory
    }

    /// Threads of a workgroup, and the characters that it works on.
    #[must_use]
    pub fn workgroup_size(&self) -> (u32, u32) {
        (self.plan.threads, self.plan.together)
    }

    /// Bytes of the GPU's memory for sampled clips and skeleton, and for each character.
    #[must_use]
    pub fn bytes(&self) -> (u64, u64) {
        let place = if self.placed { 48 } else { 0 };
        (self.fixed_bytes, 16 + place + self.widths.palette + self.widths.branches)
    }

    /// Takes in what everyone plays. A crowd that has become larger or smaller is at the origin until it is
    /// placed again.
    ///
    /// # Errors
    /// When the device is lost or has no room.
    pub fn write(&mut self, states: &[CharacterState]) -> Result<(), CrowdError> {
        self.gpu.health().check()?;
        if states.len() != self.count {
            self.count = states.len();
            self.placed = false;
            self.chunks.iter_mut().for_each(Chunk::unplace);
        }
        let pieces = states.chunks(self.max_characters as usize);
        self.chunks.truncate(pieces.len());
        for (at, piece) in pieces.enumerate() {
            let count = piece.len() as u32;
            if !self.chunks.get(at).is_some_and(|chunk| chunk.fits(count)) {
                let chunk = Chunk::new(&self.gpu, count, self.widths);
                self.chunks.truncate(at);
                self.chunks.push(chunk);
            }
            self.chunks[at].write(&self.gpu, piece)?;
        }
        self.bind()
    }

    /// Puts everyone at a place in the world, until others are given. Palettes lead there then, instead of into the model.
    ///
    /// # Errors
    /// When the device is lost or has no room.
    ///
    /// # Panics
    /// When there is not one place for every character.
    pub fn place(&mut self, world_from_model: &[Affine3A]) -> Result<(), CrowdError> {
        assert_eq!(world_from_model.len(), self.count, "one place for each character");
        if self.kernels[1].is_none() {
            self.kernels[1] = Some(Kernel::new(&self.gpu, self.plan, &self.sizes, true));
        }
        self.placed = true;
        for (chunk, places) in
            self.chunks.iter_mut().zip(world_from_model.chunks(self.max_characters as usize))
        {
            chunk.place(&self.gpu, places)?;
        }
        self.bind()
    }

    fn bind(&mut self) -> Result<(), CrowdError> {
        if let Some(kernel) = &self.kernels[usize::from(self.placed)] {
            for chunk in &mut self.chunks {
                chunk.bind(&self.gpu, kernel, &self.fixed);
            }
        }
        Ok(self.gpu.health().check()?)
    }

    /// Records the work of a frame.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamps: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        let limit = self.gpu.device.limits().max_compute_workgroups_per_dimension;
        let kernel = self.kernels[usize::from(self.placed)].as_ref();
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("crowd"),
            timestamp_writes: timestamps,
        });
        for chunk in &self.chunks {
            let (wide, high) = folded(chunk.count.div_ceil(self.plan.together), limit);
            if let (Some(kernel), Some(group)) = (kernel, &chunk.group) {
                pass.set_pipeline(&kernel.pipeline);
                pass.set_bind_group(0, group, &[]);
                pass.dispatch_workgroups(wide, high, 1);
            }
        }
    }

    /// Does the work of a frame, in time for what is handed to the same queue after it.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn run(&self) -> Result<(), CrowdError> {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.encode(&mut encoder, None);
        self.gpu.queue.submit([encoder.finish()]);
        Ok(self.gpu.health().check()?)
    }

    /// Where the palettes are: see [`GpuPalettes`] for how they lie.
    #[must_use]
    pub fn palettes(&self) -> GpuPalettes {
        let buffers = self.chunks.iter().map(|chunk| (chunk.palettes.clone(), chunk.count));
        GpuPalettes { buffers: buffers.collect(), matrices: self.sizes.matrices }
    }
}

/// How many characters one binding can hold.
fn max_characters(limits: &wgpu::Limits, widths: Widths) -> Result<u32, CrowdError> {
    let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let each = widths.palette.max(widths.branches);
    // Eight lie side by side.
    match u32::try_from(limit / each / 8 * 8).unwrap_or(u32::MAX - 7) {
        0 => Err(CrowdError::TooLarge {
            what: "the matrices of eight characters",
            bytes: 8 * each,
            limit,
        }),
        count => Ok(count),
    }
}
