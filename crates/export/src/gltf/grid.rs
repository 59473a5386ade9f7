//! Positions in 16 bits, by `KHR_mesh_quantization`: the grid of each mesh, and who undoes it.
//!
//! In:  the layout of a document. Out: a grid for each mesh; a node below the mesh's own, or the inverse bind matrices of its
//! skin, lead back from the grid.
//!
//! Meshes of one skin have one grid, so that the skin stays one.

use glam::{Affine3A, Vec3};
use sinew_scene::{Scene, Transform};

use super::layout::{DocNode, Form, Layout, is_drawn};

/// The steps from the middle of a grid to its side.
const STEPS: f32 = 32_767.0;

/// Positions are `middle + half * steps / 32767`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    middle: Vec3,
    half: f32,
}

impl Grid {
    fn around(least: Vec3, most: Vec3) -> Self {
        let half = ((most - least) * 0.5).max_element().max(f32::MIN_POSITIVE);
        Self { middle: (least + most) * 0.5, half }
    }

    /// As large as differences of morph targets need it, where that makes its steps no more than twice as wide.
    fn reaching(self, difference: f32) -> Self {
        let near = difference <= 2.0 * self.half;
        Self { half: if near { self.half.max(difference) } else { self.half }, ..self }
    }

    /// The nearest point of the grid.
    pub(super) fn steps(self, position: Vec3) -> [i16; 3] {
        let part = (position - self.middle) / self.half;
        part.to_array().map(|part| (part * STEPS).round().clamp(-STEPS, STEPS) as i16)
    }

    /// Differences in halves of the grid.
    pub(super) fn difference(self, difference: Vec3) -> Vec3 {
        difference / self.half
    }

    pub(super) fn mesh_from_grid(self) -> Transform {
        let scale = Vec3::splat(self.half);
        Transform { translation: self.middle, scale, ..Transform::IDENTITY }
    }

    pub(super) fn matrix(self) -> Affine3A {
        self.mesh_from_grid().to_affine()
    }
}

/// The grids of a document, by mesh and by skin.
#[derive(Debug, Default)]
pub(super) struct Grids {
    meshes: Vec<Option<Grid>>,
    skins: Vec<Option<Grid>>,
}

impl Grids {
    pub(super) fn of_mesh(&self, mesh: usize) -> Option<Grid> {
        self.meshes.get(mesh).copied().flatten()
    }

    pub(super) fn of_skin(&self, skin: usize) -> Option<Grid> {
        self.skins.get(skin).copied().flatten()
    }

    /// Grids for all meshes that are drawn; nodes that lead back from them are added to the layout.
    pub(super) fn new(scene: &Scene, layout: &mut Layout) -> Self {
        let groups = groups(layout);
        let mut bounds: Vec<(Vec3, Vec3)> = vec![EMPTY_BOUNDS; groups.len()];
        for (placed, group) in layout.meshes.iter().zip(&groups) {
            let drawn = scene[placed.mesh].primitives.iter().filter(|p| is_drawn(p));
            for &position in drawn.flat_map(|primitive| &primitive.positions) {
                let (least, most) = &mut bounds[*group];
                (*least, *most) = (least.min(position), most.max(position));
            }
        }
        let reaches = reaches(scene, layout, &groups);
        let grid = |group: &usize| {
            Grid::around(bounds[*group].0, bounds[*group].1).reaching(reaches[*group])
        };
        let mut grids = Self {
            meshes: groups.iter().map(|group| Some(grid(group))).collect(),
            skins: vec![None; layout.skins.len()],
        };
        let mut used = vec![false; layout.meshes.len()];
        for at in 0..layout.nodes.len() {
            let Some(mesh) = layout.nodes[at].mesh else { continue };
            used[mesh] = true;
            match layout.nodes[at].skin {
                Some(skin) => grids.skins[skin] = grids.meshes[mesh],
                None => grids.place(layout, at, mesh),
            }
        }
        // A mesh that no node carries has nobody to lead back.
        for (grid, used) in grids.meshes.iter_mut().zip(used) {
            *grid = grid.filter(|_| used);
        }
        grids
    }

    /// Moves a mesh to a node below its own.
    fn place(&self, layout: &mut Layout, at: usize, mesh: usize) {
        let Some(grid) = self.meshes[mesh] else { return };
        let below = layout.nodes.len();
        let node = &mut layout.nodes[at];
        let name = format!("{} mesh", node.name);
        let weights = std::mem::take(&mut node.weights);
        let place = grid.mesh_from_grid();
        let made = DocNode {
            name,
            parent: Some(at),
            place,
            mesh: node.mesh.take(),
            weights,
            ..DocNode::default()
        };
        layout.nodes.push(made);
        layout.carriers.iter_mut().filter(|carrier| **carrier == at).for_each(|c| *c = below);
    }
}

const EMPTY_BOUNDS: (Vec3, Vec3) = (Vec3::INFINITY, Vec3::NEG_INFINITY);

/// A number for each mesh, the same for meshes that share a skin, also by way of others.
fn groups(layout: &Layout) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..layout.meshes.len()).collect();
    let mut of_skin: Vec<Option<usize>> = vec![None; layout.skins.len()];
    for node in &layout.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else { continue };
        debug_assert!(layout.meshes[mesh].form != Form::Rigid);
        let Some(known) = of_skin[skin] else {
            of_skin[skin] = Some(mesh);
            continue;
        };
        let (from, to) = (groups[mesh], groups[known]);
        groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
    }
    groups
}

/// For each group, the farthest that a morph target moves a vertex along an axis.
fn reaches(scene: &Scene, layout: &Layout, groups: &[usize]) -> Vec<f32> {
    let mut reaches = vec![0.0_f32; groups.len()];
    for (placed, group) in layout.meshes.iter().zip(groups) {
        let primitives = scene[placed.mesh].primitives.iter().filter(|p| is_drawn(p));
        let morphs = primitives.flat_map(|primitive| &primitive.morphs);
        let far = morphs.flat_map(|morph| &morph.positions).map(|by| by.abs().max_element());
        reaches[*group] = far.fold(reaches[*group], f32::max);
    }
    reaches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_comes_back_within_half_a_step() {
        let grid = Grid::around(Vec3::new(-1.0, 0.0, 2.0), Vec3::new(1.0, 1.5, 2.5));
        for position in
            [Vec3::new(-1.0, 0.0, 2.0), Vec3::new(0.123, 1.5, 2.5), Vec3::new(1.0, 0.7, 2.2)]
        {
            let steps = Vec3::from(grid.steps(position).map(f32::from)) / STEPS;
            let back = grid.matrix().transform_point3(steps);
            assert!(back.abs_diff_eq(position, 0.51 / STEPS), "{position} came back as {back}");
        }
    }
}
