//! Who is drawn together: everyone with the same mesh, in one draw.
//!
//! In:  the frame's characters, and which of them are in the image.
//! Out: rows for an instance buffer, batch after batch; in each, who is seen comes before who only casts a shadow.

use bytemuck::{Pod, Zeroable};
use glam::Affine3A;
use sinew_scene::{AlphaMode, SkinMethod};

use super::Frame;
use crate::Frustum;

/// Where a character's own values begin among the frame's texels; per-instance input of vertex.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Row {
    /// Node, palette, dual part, first morph weight.
    pub(crate) pose: [u32; 4],
    /// A [`mode`]; the joint whose heat is shown, plus one.
    pub(crate) modes: [u32; 2],
}

/// How a skin bends, and how many texels there are from a row of a matrix to the next.
pub(crate) fn mode(method: SkinMethod, apart: usize) -> u32 {
    (apart as u32) << 2 | method as u32
}

/// Everyone with one mesh and one side out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    pub(crate) group: usize,
    pub(crate) mesh: usize,
    pub(crate) mirrored: bool,
    pub(crate) heat: bool,
    pub(crate) start: u32,
    pub(crate) seen_end: u32,
    pub(crate) end: u32,
}

/// One see-through primitive of one character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blended {
    pub(crate) batch: usize,
    pub(crate) primitive: usize,
    pub(crate) row: u32,
    distance: f32,
}

/// All batches of a frame; kept, so that nothing is allocated.
#[derive(Debug, Default)]
pub(crate) struct Batches {
    pub(crate) rows: Vec<Row>,
    pub(crate) list: Vec<Batch>,
    /// From far to near.
    pub(crate) blended: Vec<Blended>,
    /// Of each character.
    pub(crate) seen: Vec<bool>,
}

impl Batches {
    pub(crate) fn fill(&mut self, frame: &Frame, frustum: &Frustum) {
        let seen = frame.characters.iter().map(|bounds| bounds.is_none_or(|b| frustum.sees(b)));
        self.seen.clear();
        self.seen.extend(seen);
        self.rows.clear();
        self.list.clear();
        self.blended.clear();
        for (group, all) in frame.groups.iter().enumerate() {
            for (mesh, placed) in all.placed.iter().enumerate() {
                if placed.is_empty() {
                    continue;
                }
                for mirrored in [false, true] {
                    self.batch(frame, [group, mesh], mirrored);
                }
            }
        }
        self.blended.sort_unstable_by(|a, b| b.distance.total_cmp(&a.distance));
    }

    fn batch(&mut self, frame: &Frame, [group, mesh]: [usize; 2], mirrored: bool) {
        let all = &frame.groups[group];
        let own_texels = frame.own_texels();
        let start = self.rows.len() as u32;
        let mut seen_end = start;
        let mut heat = false;
        for wanted in [true, false] {
            for placed in &all.placed[mesh] {
                if placed.mirrored == mirrored && self.seen[placed.character as usize] == wanted {
                    heat |= placed.row.modes[1] != 0;
                    if wanted {
                        self.blend(frame, [group, mesh], placed.carrier);
                    }
                    self.rows.push(placed.row_after(own_texels));
                }
            }
            if wanted {
                seen_end = self.rows.len() as u32;
            }
        }
        let end = self.rows.len() as u32;
        if end > start {
            self.list.push(Batch { group, mesh, mirrored, heat, start, seen_end, end });
        }
    }

    /// Notes the see-through primitives of the character whose row comes next.
    fn blend(&mut self, frame: &Frame, [group, mesh]: [usize; 2], carrier: Affine3A) {
        let scene = &frame.groups[group].scene;
        let (batch, row) = (self.list.len(), self.rows.len() as u32);
        for (primitive, part) in scene.primitives(mesh).iter().enumerate() {
            if scene.material(part.material).alpha_mode == AlphaMode::Blend {
                let away = carrier.transform_point3(part.middle) - frame.camera.eye;
                let distance = away.dot(frame.camera.forward());
                self.blended.push(Blended { batch, primitive, row, distance });
            }
        }
    }
}
