//! One mesh at a time, for callers that keep no whole characters: a palette first, then who goes by it.
//!
//! In:  matrices of a skin's joints; a mesh, its node, its morph weights.
//! Out: the same rows and texels that [`Frame::add`] makes.

use glam::Affine3A;
use sinew_deform::Bounds;
use sinew_scene::{MeshId, SkinMethod};

use super::{Frame, Placed, Row, longest_axis, mode, push_dual, push_matrix};
use crate::GpuScene;

/// A palette in a frame; any number of meshes may go by it until the frame is cleared.
#[derive(Clone, Copy, Debug)]
pub struct FramePalette {
    matrices: u32,
    dual: u32,
    method: SkinMethod,
    first: Option<Affine3A>,
    joints: u32,
    /// How often the frame had been cleared.
    fill: u64,
}

/// A mesh as it stands now.
#[derive(Clone, Copy, Debug)]
pub struct MeshInstance<'a> {
    /// Which of the scene's meshes.
    pub mesh: MeshId,
    /// Where its node stands: carries a rigid mesh, and vertices that no joint influences.
    pub world_from_node: Affine3A,
    /// What bends it.
    pub palette: Option<FramePalette>,
    /// One weight for each morph target of the mesh.
    pub weights: &'a [f32],
    /// A box around it in the world; `None` is never left out of the image.
    pub bounds: Option<Bounds>,
}

impl FramePalette {
    /// How many joints it has.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joints as usize
    }
}

impl Frame {
    /// Writes a palette: `world_from_mesh` of each joint of a skin.
    pub fn add_palette(
        &mut self,
        method: SkinMethod,
        world_from_mesh: impl Iterator<Item = Affine3A> + Clone,
    ) -> FramePalette {
        let matrices = self.texels.len() as u32;
        let first = world_from_mesh.clone().next();
        world_from_mesh.clone().for_each(|matrix| push_matrix(&mut self.texels, matrix));
        let dual = self.texels.len() as u32;
        if method != SkinMethod::Linear {
            world_from_mesh.for_each(|matrix| push_dual(&mut self.texels, matrix));
        }
        let joints = (dual - matrices) / 3;
        FramePalette { matrices, dual, method, first, joints, fill: self.fill }
    }

    /// Adds one mesh of an uploaded scene.
    ///
    /// # Panics
    /// When the scene has no such mesh, or the palette was added before the frame was last cleared.
    pub fn add_mesh(&mut self, scene: &GpuScene, posed: &MeshInstance<'_>) {
        let stale = posed.palette.is_some_and(|palette| palette.fill != self.fill);
        assert!(!stale, "a palette lasts until the frame is cleared");
        let character = self.characters.len() as u32;
        self.characters.push(posed.bounds);
        let weights = self.texels.len() as u32 * 4;
        self.push_weights(posed.weights);
        let node = self.texels.len() as u32;
        push_matrix(&mut self.texels, posed.world_from_node);
        let first = posed.palette.and_then(|palette| palette.first);
        let carrier = first.unwrap_or(posed.world_from_node);
        let (palette, dual, method) = match posed.palette {
            Some(palette) => (palette.matrices, palette.dual, palette.method),
            None => (node, node, SkinMethod::Linear),
        };
        let place = self.group(scene);
        let group = &mut self.groups[place];
        group.used = true;
        group.placed[posed.mesh.index()].push(Placed {
            row: Row {
                pose: [node, palette, dual, weights],
                modes: [mode(method, 1), 0],
                skinned: 0,
            },
            character,
            mirrored: carrier.matrix3.determinant() < 0.0,
            carrier,
            scale: longest_axis(&carrier),
            borrowed: false,
        });
    }
}
