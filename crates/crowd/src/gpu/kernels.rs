//! The compute pipeline of a crowd.
//!
//! In:  a [`WorkgroupPlan`] and the [`Sizes`] of a skeleton.
//! Out: a pipeline, and the numbers of the bindings that it reads or writes.

use sinew_render::Gpu;

use super::plan::{BranchMemory, Sizes, WorkgroupPlan};

const COMMON: &str = include_str!("common.wgsl");
const SAMPLE: &str = include_str!("sample.wgsl");
const WALK: &str = include_str!("walk.wgsl");
const NEAR: &str = include_str!("near.wgsl");
const FAR: &str = include_str!("far.wgsl");

/// How many buffers are bound at most.
pub(super) const MAX_BUFFERS: u32 = 8;

impl BranchMemory {
    pub(super) fn source(self) -> String {
        let own = match self {
            Self::Workgroup => NEAR,
            Self::Device => FAR,
        };
        [COMMON, SAMPLE, WALK, own].join("\n")
    }

    /// What is bound.
    pub(super) fn bindings(self) -> &'static [u32] {
        match self {
            Self::Workgroup => &[0, 1, 2, 3, 4, 5, 7],
            Self::Device => &[0, 1, 2, 3, 4, 5, 6, 7],
        }
    }
}

/// What runs.
#[derive(Debug)]
pub(super) struct Kernel {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) bindings: &'static [u32],
}

impl Kernel {
    pub(super) fn new(gpu: &Gpu, plan: WorkgroupPlan, sizes: &Sizes, placed: bool) -> Self {
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("crowd"),
            source: wgpu::ShaderSource::Wgsl(plan.branch_memory.source().into()),
        });
        let constants = [
            ("THREADS", plan.threads),
            ("TOGETHER", plan.together),
            ("SLOTS", sizes.slots),
            ("CLIPS", sizes.sampled_clips),
            ("RANKS", sizes.ranks),
            ("MATRICES", sizes.matrices),
            ("BOUND", u32::from(sizes.bound)),
            ("BRANCHES", sizes.branches),
            ("MOVES", u32::from(sizes.moves)),
            ("HOLDS", u32::from(sizes.holds)),
            ("PLACED", u32::from(placed)),
        ]
        .map(|(name, number)| (name, f64::from(number)));
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("crowd"),
            layout: None,
            module: &module,
            entry_point: Some("all"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                // Everything is written before it is read.
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        });
        Self { pipeline, bindings: plan.branch_memory.bindings() }
    }
}

/// So many workgroups, folded so that neither side is above the limit.
pub(super) fn folded(groups: u32, limit: u32) -> (u32, u32) {
    let high = groups.div_ceil(limit.max(1)).max(1);
    (groups.div_ceil(high), high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_groups_are_folded_with_hardly_any_too_many() {
        assert_eq!(folded(1, 65_535), (1, 1));
        assert_eq!(folded(65_535, 65_535), (65_535, 1));
        assert_eq!(folded(65_536, 65_535), (32_768, 2));
        assert_eq!(folded(1_000_001, 65_535), (62_501, 16));
        assert_eq!(folded(0, 65_535), (0, 1));
    }
}
