//! How the work is shared out: how many threads work on how many characters, and where they share matrices.
//!
//! In:  a skeleton's sizes and the device's limits.
//! Out: the numbers that the shader is made with.

/// Where matrices on which several chains of joints hang are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchMemory {
    /// In a workgroup's memory.
    Workgroup,
    /// In the device's memory, for skeletons of any size.
    Device,
}

/// How much of the work a group of threads takes on; what is `None` is chosen by the size of the skeleton.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tuning {
    /// Where branches are kept.
    pub branch_memory: Option<BranchMemory>,
    /// Threads of a workgroup.
    pub threads: Option<u32>,
    /// Characters of a workgroup.
    pub together: Option<u32>,
}

/// How much there is of everything.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    /// Even.
    pub(super) slots: u32,
    pub(super) sampled_clips: u32,
    pub(super) ranks: u32,
    /// The most chains of a rank.
    pub(super) widest: u32,
    pub(super) matrices: u32,
    pub(super) bound: bool,
    pub(super) branches: u32,
    pub(super) moves: bool,
    pub(super) holds: bool,
}

/// Characters of a workgroup, where there is room; more would wait longer for each other. On an NVIDIA H200 a million
/// characters of 67 joints took 1.44 ms with 16, 1.53 with 8 and 1.60 with 32.
const USUAL_CHARACTERS: u32 = 16;
/// Bytes of a workgroup's memory that are taken at most by default: several groups are to fit where one works.
const USUAL_BYTES: u32 = 16 << 10;
/// Bytes of what a character plays.
const STATE_BYTES: u32 = 36;
/// Bytes of a branch.
const BRANCH_BYTES: u32 = 48;
/// Bytes of what is there though nobody needs it: lists have one at least.
const IDLE_BYTES: u32 = 16;

/// The numbers that the shader is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WorkgroupPlan {
    pub(super) branch_memory: BranchMemory,
    pub(super) threads: u32,
    pub(super) together: u32,
}

impl WorkgroupPlan {
    pub(super) fn new(sizes: &Sizes, limits: &wgpu::Limits, tuning: Tuning) -> Self {
        let most =
            limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
        let each = sizes.branches.saturating_mul(BRANCH_BYTES).saturating_add(STATE_BYTES);
        let fitting = |bytes: u32| bytes.saturating_sub(IDLE_BYTES) / each;
        let room = fitting(limits.max_compute_workgroup_storage_size);
        let branch_memory = match tuning.branch_memory {
            Some(BranchMemory::Device) => BranchMemory::Device,
            _ if room == 0 => BranchMemory::Device,
            _ => BranchMemory::Workgroup,
        };
        // What lies in the device's memory has room for any number.
        let (room, usual) = match branch_memory {
            BranchMemory::Workgroup => (room, USUAL_CHARACTERS.min(fitting(USUAL_BYTES)).min(room)),
            BranchMemory::Device => (u32::MAX, USUAL_CHARACTERS),
        };
        // A thread for each chain of the widest rank, and eight characters side by side.
        let usual = usual.min(most / sizes.widest.max(1)) / 8 * 8;
        let together = tuning.together.unwrap_or(usual.max(8)).clamp(1, room);
        let wanted = sizes.widest.saturating_mul(together).next_multiple_of(32);
        let threads = tuning.threads.unwrap_or(wanted).clamp(1, most);
        Self { branch_memory, threads, together }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(sizes: Sizes, memory: u32, tuning: Tuning) -> WorkgroupPlan {
        let limits = wgpu::Limits {
            max_compute_workgroup_storage_size: memory,
            max_compute_invocations_per_workgroup: 1024,
            max_compute_workgroup_size_x: 1024,
            ..wgpu::Limits::default()
        };
        WorkgroupPlan::new(&sizes, &limits, tuning)
    }

    /// A character takes 36 bytes and 48.
    const SMALL: Sizes = Sizes {
        slots: 10,
        sampled_clips: 1,
        ranks: 2,
        widest: 3,
        matrices: 10,
        bound: true,
        branches: 1,
        moves: false,
        holds: false,
    };

    #[test]
    fn there_is_a_thread_for_each_chain_of_the_widest_rank_of_16_characters() {
        let found = plan(SMALL, 49_152, Tuning::default());
        assert_eq!(
            (found.branch_memory, found.threads, found.together),
            (BranchMemory::Workgroup, 64, 16)
        );
        // 100 chains leave threads for 10 characters, of which 8 fill lines.
        let wide = plan(Sizes { widest: 100, ..SMALL }, 49_152, Tuning::default());
        assert_eq!((wide.threads, wide.together), (800, 8));
        // 16 idle bytes and 84 each: 11 in 940, of which 8 fill lines.
        let narrow = plan(SMALL, 940, Tuning::default());
        assert_eq!((narrow.branch_memory, narrow.together), (BranchMemory::Workgroup, 8));
    }

    #[test]
    fn what_does_not_fit_goes_to_the_devices_memory_and_no_tuning_goes_beyond_the_device() {
        let tuned = |memory, threads, together| Tuning {
            branch_memory: Some(memory),
            threads: Some(threads),
            together: Some(together),
        };
        // 16 bytes and 84.
        assert_eq!(plan(SMALL, 100, Tuning::default()).branch_memory, BranchMemory::Workgroup);
        assert_eq!(plan(SMALL, 99, Tuning::default()).branch_memory, BranchMemory::Device);
        assert_eq!(
            plan(SMALL, 99, tuned(BranchMemory::Workgroup, 64, 1)).branch_memory,
            BranchMemory::Device
        );
        let found = plan(SMALL, 940, tuned(BranchMemory::Workgroup, 9000, 9000));
        assert_eq!((found.threads, found.together), (1024, 11));
        assert_eq!(plan(SMALL, 940, tuned(BranchMemory::Workgroup, 0, 0)).threads, 1);
        let endless = Sizes { branches: u32::MAX, ..SMALL };
        assert_eq!(plan(endless, 32_768, Tuning::default()).branch_memory, BranchMemory::Device);
    }
}
