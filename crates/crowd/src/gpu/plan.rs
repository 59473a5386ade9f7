//! How the work is shared out: how many threads work on how many characters, in one step or three.
//!
//! In:  a skeleton's size and the device's limits.
//! Out: the numbers that the shaders are made with.

use bytemuck::{Pod, Zeroable};
use sinew_scene::glam::{Affine3A, Mat4};
use sinew_scene::{JointId, Scene, Skeleton, Skin};

use super::Error;
use super::chains::Chains;

/// What is written for each character: three rows of four numbers for each matrix.
#[derive(Clone, Copy, Debug)]
pub enum Output<'a> {
    /// Where each joint stands in the model.
    Joints,
    /// A skin's palette.
    Skin(&'a Skin),
    /// All that [`Frame::add_crowd`](sinew_render::Frame::add_crowd) draws: the palette of each
    /// skin, then the node of each instance.
    Scene(&'a Scene),
}

/// How the steps follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One dispatch for everything; what is between steps stays in a workgroup's memory.
    Fused,
    /// One dispatch for each step, for skeletons of any size.
    Staged,
}

/// How much of the work a group of threads takes on; what is `None` is chosen by the size of the skeleton.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tuning {
    /// One dispatch or three.
    pub way: Option<Way>,
    /// Threads of a workgroup.
    pub threads: Option<u32>,
    /// Characters of a workgroup.
    pub together: Option<u32>,
}

/// An inverse bind, or a shear. As in common.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Bind {
    pub(super) matrix: [[f32; 4]; 3],
    pub(super) slot: u32,
    pub(super) _pad: [u32; 3],
}

/// The three rows of a matrix.
pub(super) fn rows(matrix: Affine3A) -> [[f32; 4]; 3] {
    let [x, y, z, _] = Mat4::from(matrix).transpose().to_cols_array_2d();
    [x, y, z]
}

impl Output<'_> {
    /// Which joints are written, each times its matrix where it has one.
    fn list(self, skeleton: &Skeleton) -> Vec<(JointId, Option<Affine3A>)> {
        let skin = |skin: &Skin| -> Vec<_> {
            let binds = skin.joint_from_mesh.iter().copied().map(Some);
            skin.joints.iter().copied().zip(binds).collect()
        };
        match self {
            Self::Joints => skeleton.ids().map(|joint| (joint, None)).collect(),
            Self::Skin(of) => skin(of),
            Self::Scene(scene) => {
                let nodes = scene.instances.iter().map(|instance| (instance.joint, None));
                scene.skins.iter().flat_map(skin).chain(nodes).collect()
            }
        }
    }

    /// What is written, then the shears; and how many of the former, and whether any has a bind.
    pub(super) fn binds(
        self,
        skeleton: &Skeleton,
        chains: &Chains,
    ) -> Result<(Vec<Bind>, u32, bool), Error> {
        let list = self.list(skeleton);
        if list.is_empty() {
            return Err(Error::NoJoints);
        }
        let joints = chains.slots.len();
        let lost = list.iter().find(|(joint, _)| joint.index() >= joints);
        if let Some((joint, _)) = lost {
            return Err(Error::NoSuchJoint { joint: joint.index(), joints });
        }
        let bind = |joint: JointId, matrix: Affine3A| Bind {
            matrix: rows(matrix),
            slot: chains.slots[joint.index()],
            _pad: [0; 3],
        };
        let bound = list.iter().any(|(_, matrix)| matrix.is_some());
        let count = list.len() as u32;
        let written = list.iter().map(|(joint, matrix)| bind(*joint, matrix.unwrap_or_default()));
        let shears = skeleton
            .sheared()
            .iter()
            .map(|(joint, shear)| bind(*joint, Affine3A { matrix3: *shear, ..Affine3A::IDENTITY }));
        Ok((written.chain(shears).collect(), count, bound))
    }
}

/// Most bytes of a workgroup's memory that are taken: several groups are to fit where one works.
const ENOUGH: u32 = 40 << 10;
/// Of a character beside its rows: two times, in `playing`.
const PLAYING: u32 = 2 * 16;

/// The numbers that the shaders are made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) way: Way,
    pub(super) threads: u32,
    pub(super) together: u32,
    pub(super) stride: u32,
}

impl Plan {
    pub(super) fn new(slots: u32, limits: &wgpu::Limits, tuning: Tuning) -> Self {
        let most =
            limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
        let threads = tuning.threads.unwrap_or(256).clamp(1, most);
        let stride = slots | 1;
        let each = stride.saturating_mul(48).saturating_add(PLAYING);
        let fitting = limits.max_compute_workgroup_storage_size / each;
        let way = match tuning.way {
            Some(Way::Staged) => Way::Staged,
            _ if fitting == 0 => Way::Staged,
            _ => Way::Fused,
        };
        // Rows that lie in the device's memory have room for any number.
        let most = if way == Way::Fused { fitting } else { u32::MAX };
        let wanted = || usual(slots, threads).min(ENOUGH / each);
        let together = tuning.together.unwrap_or_else(wanted).clamp(1, most);
        Self { way, threads, together, stride }
    }
}

/// So many characters that there are a third more joints than threads: of 1 to 14 characters of 67 joints on 64 to 256
/// threads, that was the fastest on an NVIDIA H200 for crowds of a thousand to a million.
fn usual(slots: u32, threads: u32) -> u32 {
    let joints = u64::from(threads) * 4 / 3;
    (joints / u64::from(slots.max(1))).clamp(1, 256) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(slots: u32, memory: u32, tuning: Tuning) -> Plan {
        let limits = wgpu::Limits {
            max_compute_workgroup_storage_size: memory,
            max_compute_invocations_per_workgroup: 1024,
            max_compute_workgroup_size_x: 1024,
            ..wgpu::Limits::default()
        };
        Plan::new(slots, &limits, tuning)
    }

    #[test]
    fn so_many_work_together_that_joints_are_a_third_more_than_threads() {
        // 341 joints, of which five characters have 335.
        assert_eq!(plan(67, 49_152, Tuning::default()).together, 5);
        assert_eq!(plan(67, 10_000, Tuning::default()).together, 3);
        assert_eq!(plan(1, 32_768, Tuning::default()).together, 256);
        // Neighbours' slots begin in different banks.
        assert_eq!(plan(64, 32_768, Tuning::default()).stride, 65);
    }

    #[test]
    fn what_does_not_fit_is_staged_and_no_wish_goes_beyond_the_device() {
        let wish = |way, threads, together| Tuning {
            way: Some(way),
            threads: Some(threads),
            together: Some(together),
        };
        // 341 · 48 + 32 bytes are 16,400.
        assert_eq!(plan(341, 16_400, Tuning::default()).way, Way::Fused);
        assert_eq!(plan(341, 16_399, Tuning::default()).way, Way::Staged);
        assert_eq!(plan(341, 16_399, wish(Way::Fused, 64, 1)).way, Way::Staged);
        let found = plan(67, 32_768, wish(Way::Fused, 9000, 9000));
        assert_eq!((found.threads, found.together), (1024, 10));
        assert_eq!(plan(67, 32_768, wish(Way::Fused, 0, 0)).threads, 1);
        assert_eq!(plan(u32::MAX, 32_768, Tuning::default()).way, Way::Staged);
    }
}
