//! How the work is shared out: how many threads work on how many characters, and where they leave things for each other.
//!
//! In:  a skeleton's sizes and the device's limits.
//! Out: the numbers that the shader is made with.

/// Where chains of joints leave what others need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedMemory {
    /// In a workgroup's memory.
    Near,
    /// In the device's memory, for skeletons of any size.
    Far,
}

/// How much of the work a group of threads takes on; what is `None` is chosen by the size of the skeleton.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tuning {
    /// Where things are left.
    pub way: Option<SharedMemory>,
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
const USUAL: u32 = 16;
/// Most bytes of a workgroup's memory that are taken unasked: several groups are to fit where one works.
const ENOUGH: u32 = 16 << 10;
/// Bytes of what a character plays.
const PLAYING: u32 = 36;
/// Bytes of a branch.
const BRANCH: u32 = 48;
/// Bytes of what is there though nobody needs it: lists have one at least.
const IDLE: u32 = 16;

/// The numbers that the shader is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dispatch {
    pub(super) way: SharedMemory,
    pub(super) threads: u32,
    pub(super) together: u32,
}

impl Dispatch {
    pub(super) fn new(sizes: &Sizes, limits: &wgpu::Limits, tuning: Tuning) -> Self {
        let most =
            limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
        let each = sizes.branches.saturating_mul(BRANCH).saturating_add(PLAYING);
        let fitting = |bytes: u32| bytes.saturating_sub(IDLE) / each;
        let room = fitting(limits.max_compute_workgroup_storage_size);
        let way = match tuning.way {
            Some(SharedMemory::Far) => SharedMemory::Far,
            _ if room == 0 => SharedMemory::Far,
            _ => SharedMemory::Near,
        };
        // What lies in the device's memory has room for any number.
        let (room, usual) = match way {
            SharedMemory::Near => (room, USUAL.min(fitting(ENOUGH)).min(room)),
            SharedMemory::Far => (u32::MAX, USUAL),
        };
        // A thread for each chain of the widest rank, and eight characters side by side.
        let usual = usual.min(most / sizes.widest.max(1)) / 8 * 8;
        let together = tuning.together.unwrap_or(usual.max(8)).clamp(1, room);
        let wanted = sizes.widest.saturating_mul(together).next_multiple_of(32);
        let threads = tuning.threads.unwrap_or(wanted).clamp(1, most);
        Self { way, threads, together }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(sizes: Sizes, memory: u32, tuning: Tuning) -> Dispatch {
        let limits = wgpu::Limits {
            max_compute_workgroup_storage_size: memory,
            max_compute_invocations_per_workgroup: 1024,
            max_compute_workgroup_size_x: 1024,
            ..wgpu::Limits::default()
        };
        Dispatch::new(&sizes, &limits, tuning)
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
        assert_eq!((found.way, found.threads, found.together), (SharedMemory::Near, 64, 16));
        // 100 chains leave threads for 10 characters, of which 8 fill lines.
        let wide = plan(Sizes { widest: 100, ..SMALL }, 49_152, Tuning::default());
        assert_eq!((wide.threads, wide.together), (800, 8));
        // 16 idle bytes and 84 each: 11 in 940, of which 8 fill lines.
        let narrow = plan(SMALL, 940, Tuning::default());
        assert_eq!((narrow.way, narrow.together), (SharedMemory::Near, 8));
    }

    #[test]
    fn what_does_not_fit_is_left_far_away_and_no_wish_goes_beyond_the_device() {
        let wish = |way, threads, together| Tuning {
            way: Some(way),
            threads: Some(threads),
            together: Some(together),
        };
        // 16 bytes and 84.
        assert_eq!(plan(SMALL, 100, Tuning::default()).way, SharedMemory::Near);
        assert_eq!(plan(SMALL, 99, Tuning::default()).way, SharedMemory::Far);
        assert_eq!(plan(SMALL, 99, wish(SharedMemory::Near, 64, 1)).way, SharedMemory::Far);
        let found = plan(SMALL, 940, wish(SharedMemory::Near, 9000, 9000));
        assert_eq!((found.threads, found.together), (1024, 11));
        assert_eq!(plan(SMALL, 940, wish(SharedMemory::Near, 0, 0)).threads, 1);
        let endless = Sizes { branches: u32::MAX, ..SMALL };
        assert_eq!(plan(endless, 32_768, Tuning::default()).way, SharedMemory::Far);
    }
}
