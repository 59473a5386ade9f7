//! The compute pipelines of a crowd.
//!
//! In:  a [`Plan`] and the sizes of a skeleton.
//! Out: one pipeline or three, each with the numbers of the bindings that it reads or writes.

use sinew_render::Gpu;

use super::plan::{Plan, Way};

const COMMON: &str = include_str!("common.wgsl");
const SAMPLE: &str = include_str!("sample.wgsl");
const WALK: &str = include_str!("walk.wgsl");
const FUSED: &str = include_str!("fused.wgsl");
const STAGED: &str = include_str!("staged.wgsl");

/// The most buffers that one step binds.
pub(super) const BUFFERS: u32 = 8;

impl Way {
    pub(super) fn source(self) -> String {
        let own = match self {
            Self::Fused => FUSED,
            Self::Staged => STAGED,
        };
        [COMMON, SAMPLE, WALK, own].join("\n")
    }

    /// Entry points in order, with the bindings of each.
    pub(super) fn steps(self) -> &'static [(&'static str, &'static [u32])] {
        match self {
            Self::Fused => &[("all", &[0, 1, 2, 3, 4, 5, 6, 8])],
            Self::Staged => &[
                ("sample_all", &[0, 1, 2, 3, 7]),
                ("walk_all", &[0, 4, 5, 7, 8]),
                ("write_all", &[0, 5, 6, 7]),
            ],
        }
    }
}

/// How much there is of everything; the rest of the numbers that the shaders are made with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) slots: u32,
    pub(super) reels: u32,
    pub(super) ranks: u32,
    pub(super) matrices: u32,
    pub(super) bound: bool,
    pub(super) shears: u32,
}

/// One step.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) bindings: &'static [u32],
}

/// All steps of a crowd, in order.
pub(super) fn steps(gpu: &Gpu, plan: Plan, sizes: Sizes, placed: bool) -> Vec<Step> {
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("crowd"),
        source: wgpu::ShaderSource::Wgsl(plan.way.source().into()),
    });
    let constants = [
        ("THREADS", plan.threads),
        ("TOGETHER", plan.together),
        ("SLOTS", sizes.slots),
        ("STRIDE", plan.stride),
        ("REELS", sizes.reels),
        ("RANKS", sizes.ranks),
        ("MATRICES", sizes.matrices),
        ("BOUND", u32::from(sizes.bound)),
        ("SHEARS", sizes.shears),
        ("PLACED", u32::from(placed)),
    ]
    .map(|(name, number)| (name, f64::from(number)));
    let step = |&(entry, bindings): &(&'static str, &'static [u32])| Step {
        pipeline: gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: None,
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                // Everything is written before it is read.
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        }),
        bindings,
    };
    plan.way.steps().iter().map(step).collect()
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
