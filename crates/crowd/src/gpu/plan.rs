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
        let most = match way {
            Way::Fused => fitting,
            Way::Staged => u32::MAX,
        };
        let wanted = tuning.together.unwrap_or_else(|| busiest(slots, threads, ENOUGH / each));
        Self { way, threads, together: wanted.clamp(1, most), stride }
    }
}

/// So many characters that the fewest threads have nothing to do when all sample; of equals the fewest.
fn busiest(slots: u32, threads: u32, most: u32) -> u32 {
    let idle = |together: u32| {
        let items = u64::from(together) * u64::from(slots);
        let rounds = items.div_ceil(u64::from(threads));
        // Of a thousand.
        1000 - items * 1000 / (rounds * u64::from(threads))
    };
    (1..=most.clamp(1, 256)).min_by_key(|together| (idle(*together), *together)).unwrap_or(1)
}
