//! Crowds whose palettes the GPU made: they are drawn without ever having been in this processor's memory.
//!
//! In:  buffers of palettes, and where each character stands.
//! Out: the same rows that [`Frame::add`] makes; their numbers count from where the frame's own texels end.

use glam::Affine3A;
use sinew_deform::Bounds;
use sinew_scene::SkinMethod;

use super::{Frame, Placed, Row, longest_axis, mode};
use crate::GpuScene;
use crate::texels::WIDE;

/// Palettes of many characters of one scene, in buffers of the GPU that can be copied from.
///
/// For each character: `world_from_mesh` of each joint of each skin, then `world_from_node` of each
/// instance. Each matrix is three rows of four numbers. Eight characters lie side by side (as the threads of a GPU that write
/// them do): row `r` of matrix `m` of a buffer's character `c` is at `((c / 8 * matrices + m) * 3 + r) * 8 + c % 8`, and the last eight
/// are filled up.
#[derive(Clone, Debug, Default)]
pub struct GpuPalettes {
    /// Each with its number of characters.
    pub buffers: Vec<(wgpu::Buffer, u32)>,
    /// Of each character.
    pub matrices: u32,
}

/// How many characters lie side by side.
const EIGHT: usize = 8;

/// One character of a crowd, as far as this processor knows it.
#[derive(Clone, Copy, Debug, Default)]
pub struct CrowdInstance {
    /// Where the model stands in the world; its palette leads there already.
    pub world_from_model: Affine3A,
    /// A box around it in the world; `None` is never left out of the image, and always drawn whole.
    pub bounds: Option<Bounds>,
}

/// Texels that come from a buffer, from the beginning of a row on.
#[derive(Clone, Debug)]
pub(crate) struct Borrowed {
    pub(crate) buffer: wgpu::Buffer,
    pub(crate) texels: usize,
}

impl Borrowed {
    /// How many rows of the texture it takes.
    pub(crate) fn rows(&self) -> usize {
        self.texels.div_ceil(WIDE)
    }
}

impl Frame {
    /// Adds a crowd of one scene whose palettes are on the GPU. Morph weights are those of the rest pose, and
    /// skins are added up linearly, whatever their method. What is written into the buffers before the frame
    /// is drawn counts.
    ///
    /// # Panics
    /// When the palettes are not of this scene, or there is not one place for each character.
    pub fn add_crowd(&mut self, scene: &GpuScene, palettes: &GpuPalettes, crowd: &[CrowdInstance]) {
        let joints: usize = scene.skins().iter().map(|skin| skin.joints.len()).sum();
        let matrices = joints + scene.instances().len();
        assert_eq!(
            palettes.matrices as usize, matrices,
            "a matrix per joint of a skin and per instance"
        );
        let count: usize = palettes.buffers.iter().map(|(_, count)| *count as usize).sum();
        assert_eq!(crowd.len(), count, "one place for each character");
        let weights = self.texels.len() as u32 * 4;
        self.push_weights(scene.rest_weights());
        let mut standing = crowd.iter();
        for (buffer, count) in &palettes.buffers {
            let first = self.borrowed.iter().map(Borrowed::rows).sum::<usize>() * WIDE;
            let texels = 3 * matrices * (*count as usize).next_multiple_of(EIGHT);
            self.borrowed.push(Borrowed { buffer: buffer.clone(), texels });
            for (at, one) in standing.by_ref().take(*count as usize).enumerate() {
                let first = first + 3 * matrices * (at / EIGHT * EIGHT) + at % EIGHT;
                self.add_standing(scene, one, first as u32, weights);
            }
        }
    }

    /// One character, whose matrices begin at a borrowed texel.
    fn add_standing(&mut self, scene: &GpuScene, one: &CrowdInstance, first: u32, weights: u32) {
        let character = self.characters.len() as u32;
        self.characters.push(one.bounds);
        let place = self.group(scene);
        let group = &mut self.groups[place];
        group.used = true;
        group.palettes.clear();
        let mut next = first;
        let scale = longest_axis(&one.world_from_model);
        let matrices = |count: usize| (3 * EIGHT * count) as u32;
        for skin in scene.skins() {
            group.palettes.push((next, next));
            next += matrices(skin.joints.len());
        }
        for (index, instance) in scene.instances().iter().enumerate() {
            let node = next + matrices(index);
            let palette = instance.skin.map_or(node, |skin| group.palettes[skin.index()].0);
            let weights = weights + instance.weights.start as u32;
            group.placed[instance.mesh.index()].push(Placed {
                row: Row {
                    pose: [node, palette, palette, weights],
                    modes: [mode(SkinMethod::Linear, EIGHT), 0],
                    skinned: 0,
                },
                character,
                mirrored: one.world_from_model.matrix3.determinant() < 0.0,
                carrier: one.world_from_model,
                scale,
                borrowed: true,
            });
        }
    }

    /// Where borrowed texels begin: at the row after the frame's own.
    pub(crate) fn own_texels(&self) -> u32 {
        self.texels.len().next_multiple_of(WIDE) as u32
    }
}

impl Placed {
    /// The row with numbers of texels as they are in the texture.
    pub(crate) fn row_after(&self, own_texels: u32) -> Row {
        let mut row = self.row;
        if self.borrowed {
            row.pose[..3].iter_mut().for_each(|texel| *texel += own_texels);
        }
        row
    }
}
