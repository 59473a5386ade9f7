//! What is written for each character, and times what.
//!
//! In:  a skeleton, and what is wanted of it.
//! Out: for each slot its matrices, each with its inverse bind and its place among those of a character.

use sinew_scene::glam::{Affine3A, Mat4, Vec3};
use sinew_scene::{JointId, Scene, Skeleton, Skin};

use super::CrowdError;
use super::chains::Chains;
use super::sampled_clips::with;

/// What is written for each character: three rows of four numbers for each matrix.
#[derive(Clone, Copy, Debug)]
pub enum Output<'a> {
    /// Each joint's matrix in the model.
    Joints,
    /// A skin's palette.
    Skin(&'a Skin),
    /// All that [`Frame::add_crowd`](sinew_render::Frame::add_crowd) draws: the palette of each
    /// skin, then the node of each instance.
    Scene(&'a Scene),
}

/// An inverse bind and the number of what it makes, or a shear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bind {
    matrix: [[f32; 4]; 3],
    to: u32,
}

impl Bind {
    /// As `bind_at` of common.wgsl reads it.
    pub(super) fn words(&self) -> [[u32; 4]; 4] {
        let [x, y, z] = self.matrix.map(|row| row.map(f32::to_bits));
        [x, y, z, [self.to, 0, 0, 0]]
    }
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

    /// What is written and what is sheared.
    pub(super) fn binds(self, skeleton: &Skeleton, chains: &Chains) -> Result<Binds, CrowdError> {
        let list = self.list(skeleton);
        if list.is_empty() {
            return Err(CrowdError::NoJoints);
        }
        let joints = chains.slots.len();
        let slots = chains.joints.len();
        let lost = list.iter().find(|(joint, _)| joint.index() >= joints);
        if let Some((joint, _)) = lost {
            return Err(CrowdError::JointNotFound { joint: joint.index(), joints });
        }
        let slot = |joint: JointId| chains.slots[joint.index()];
        let mut binds = Binds {
            list: Vec::new(),
            written: vec![[0; 2]; slots],
            shears: vec![0; slots],
            matrices: list.len() as u32,
            bound: list.iter().any(|(_, matrix)| matrix.is_some()),
        };
        for (joint, shear) in skeleton.sheared() {
            let matrix = rows(Affine3A { matrix3: *shear, ..Affine3A::IDENTITY });
            binds.list.push(Bind { matrix, to: 0 });
            binds.shears[slot(*joint) as usize] = binds.list.len() as u32;
        }
        let mut order: Vec<_> = list.iter().enumerate().collect();
        order.sort_by_key(|(_, (joint, _))| slot(*joint));
        for (to, (joint, matrix)) in order {
            let matrix = rows(matrix.unwrap_or_default());
            let at = binds.list.len() as u32;
            binds.list.push(Bind { matrix, to: to as u32 });
            let [first, end] = &mut binds.written[slot(*joint) as usize];
            if first == end {
                *first = at;
            }
            *end = at + 1;
        }
        Ok(binds)
    }
}

/// What is written of a character.
#[derive(Debug)]
pub(super) struct Binds {
    /// Shears, then what is written, slot after slot.
    pub(super) list: Vec<Bind>,
    /// For each slot from which to before which of them.
    pub(super) written: Vec<[u32; 2]>,
    /// For each slot its shear, from one on.
    pub(super) shears: Vec<u32>,
    pub(super) matrices: u32,
    /// Whether any has an inverse bind.
    pub(super) bound: bool,
}

// As in common.wgsl.
const WRITTEN: u32 = 1;
const SPECIAL: u32 = 2;

impl Binds {
    /// What is known of a slot: its translation, what is written, and what is special about it.
    pub(super) fn of(&self, slot: usize, place: Vec3, [mover, branch]: [u32; 2]) -> [[u32; 4]; 6] {
        let [first, end] = self.written[slot];
        // The first is written at once, the others are special.
        let more = end.min(first + 1);
        let shear = self.shears[slot];
        let written = (first < end).then(|| &self.list[first as usize]);
        let special = mover > 0 || branch > 0 || shear > 0 || more < end;
        let what = written.map_or(0, |bind| bind.to << 2 | WRITTEN);
        let what = what | if special { SPECIAL } else { 0 };
        let [x, y, z, _] = written.map_or([[0; 4]; 4], Bind::words);
        [with(place, what), x, y, z, [mover, branch, shear, 0], [more, end, 0, 0]]
    }
}
