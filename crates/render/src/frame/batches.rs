//! Who is drawn together: everyone with the same mesh at the same level of detail, in one draw.
//!
//! In:  the frame's characters; which of them are in the image, in the shadow map, in any map of the environment.
//! Out: rows for an instance buffer, batch after batch. In each, who is seen without casting a shadow comes first, then who does
//!      both, who only casts, and who only hides the environment; so what each pass draws lies together.

use bytemuck::{Pod, Zeroable};
use glam::Affine3A;
use sinew_lod::MAX_LEVELS;
use sinew_scene::{AlphaMode, SkinMethod};

use super::sight::{RANKS, Sight};
use super::{Frame, Placed};
use crate::upload::Detail;

/// Where a character's own values begin among the frame's texels; per-instance input of vertex.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Row {
    /// Node, palette, dual part, first morph weight.
    pub(crate) pose: [u32; 4],
    /// A [`mode`]; the joint whose heat is shown, plus one.
    pub(crate) modes: [u32; 2],
    /// What leads from a vertex of the scene to this character's own, where those are put in their poses once; wraps.
    pub(crate) skinned: u32,
}

/// How a skin bends, and how many texels there are from a row of a matrix to the next.
pub(crate) fn mode(method: SkinMethod, apart: usize) -> u32 {
    (apart as u32) << 2 | method as u32
}

/// Everyone with one mesh, one level of detail and one side out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    pub(crate) group: usize,
    pub(crate) mesh: usize,
    /// 0 for the whole mesh.
    pub(crate) level: usize,
    pub(crate) mirrored: bool,
    pub(crate) heat: bool,
    /// Whether its vertices are put in their poses once for all passes.
    pub(crate) skinned: bool,
    pub(crate) start: u32,
    pub(crate) casts_start: u32,
    pub(crate) seen_end: u32,
    pub(crate) casts_end: u32,
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
    /// Whether any of them is glass.
    pub(crate) has_glass: bool,
    /// Vertices that are put in their poses once.
    pub(crate) skinned_vertices: u32,
    /// Of each character with the mesh at hand: its [`slot`], or none.
    slots: Vec<Option<u8>>,
}

/// The whole mesh and its levels, on either side.
const SLOTS: usize = 2 * (MAX_LEVELS + 1);

/// Counts of one mesh by level and side.
#[derive(Clone, Copy, Default)]
struct Counts {
    by_rank: [u32; RANKS],
    heat: bool,
    batch: usize,
}

impl Batches {
    /// Everyone in `sight`; at most `room` vertices are put in their poses once for all passes.
    pub(crate) fn fill(&mut self, frame: &Frame, sight: &Sight, room: u32) {
        self.rows.clear();
        self.list.clear();
        self.blended.clear();
        self.has_glass = false;
        self.skinned_vertices = 0;
        for (group, all) in frame.groups.iter().enumerate() {
            for (mesh, placed) in all.placed.iter().enumerate() {
                if !placed.is_empty() {
                    self.add(frame, sight, [group, mesh], room);
                }
            }
        }
        self.blended.sort_unstable_by(|a, b| b.distance.total_cmp(&a.distance));
    }

    /// Counts who is where, then puts everyone there.
    fn add(&mut self, frame: &Frame, sight: &Sight, [group, mesh]: [usize; 2], room: u32) {
        let all = &frame.groups[group];
        let details = all.scene.details(mesh);
        let mut counts = [Counts::default(); SLOTS];
        self.slots.clear();
        for placed in &all.placed[mesh] {
            let rank = sight.ranks[placed.character as usize];
            self.slots.push(rank.map(|rank| {
                let at = slot(frame, sight, placed, details);
                counts[at].by_rank[rank as usize] += 1;
                counts[at].heat |= placed.row.modes[1] != 0;
                at as u8
            }));
        }
        for (at, counts) in counts.iter_mut().enumerate() {
            if counts.by_rank.iter().any(|count| *count > 0) {
                let can_skin = all.scene.skin_group().is_some();
                let room = if can_skin { room - self.skinned_vertices } else { 0 };
                self.begin(counts, [group, mesh], at, details, room);
            }
        }
        let own_texels = frame.own_texels();
        for (placed, at) in all.placed[mesh].iter().zip(0..) {
            let Some(slot) = self.slots[at] else { continue };
            let Some(rank) = sight.ranks[placed.character as usize] else { continue };
            let next = &mut counts[slot as usize];
            let row = next.by_rank[rank as usize];
            next.by_rank[rank as usize] += 1;
            if sight.seen[placed.character as usize] {
                self.blend(frame, next.batch, row, placed.carrier);
            }
            let skinned = self.rows[row as usize].skinned;
            self.rows[row as usize] = Row { skinned, ..placed.row_after(own_texels) };
        }
    }

    /// A batch with room for its rows; `counts` then says where each rank begins.
    fn begin(
        &mut self,
        counts: &mut Counts,
        [group, mesh]: [usize; 2],
        slot: usize,
        details: &[Detail],
        room: u32,
    ) {
        let level = slot / 2;
        let mut ends = [self.rows.len() as u32; RANKS + 1];
        for rank in 0..RANKS {
            ends[rank + 1] = ends[rank] + counts.by_rank[rank];
            counts.by_rank[rank] = ends[rank];
        }
        counts.batch = self.list.len();
        let [start, casts_start, seen_end, casts_end, end] = ends;
        let vertices = &details[level].vertices;
        let wanted = u64::from(end - start) * vertices.len() as u64;
        let skinned = !counts.heat && wanted > 0 && wanted <= u64::from(room);
        for own in 0..end - start {
            let first =
                self.skinned_vertices + own * if skinned { vertices.len() as u32 } else { 0 };
            self.rows.push(Row { skinned: first.wrapping_sub(vertices.start), ..Row::zeroed() });
        }
        if skinned {
            self.skinned_vertices += wanted as u32;
        }
        self.list.push(Batch {
            group,
            mesh,
            level,
            mirrored: slot % 2 == 1,
            heat: counts.heat,
            skinned,
            start,
            casts_start,
            seen_end,
            casts_end,
            end,
        });
    }

    /// Notes the see-through primitives of the character with this row.
    fn blend(&mut self, frame: &Frame, batch: usize, row: u32, carrier: Affine3A) {
        let Batch { group, mesh, level, .. } = self.list[batch];
        let scene = &frame.groups[group].scene;
        for (primitive, part) in scene.details(mesh)[level].parts.iter().enumerate() {
            let material = scene.material(part.material);
            if material.alpha_mode == AlphaMode::Blend {
                self.has_glass |= material.is_glass;
                let away = carrier.transform_point3(part.middle) - frame.camera.position;
                let distance = away.dot(frame.camera.forward());
                self.blended.push(Blended { batch, primitive, row, distance });
            }
        }
    }
}

/// Twice the level of detail, plus one for who is mirrored.
fn slot(frame: &Frame, sight: &Sight, placed: &Placed, details: &[Detail]) -> usize {
    // Edges are drawn of whole meshes.
    let allowed = if frame.wireframe { 0.0 } else { frame.pixel_error };
    let pixels = sight.pixels_per_metre[placed.character as usize] * placed.scale;
    let levels = &details[..details.len().min(MAX_LEVELS + 1)];
    let level = levels.iter().rposition(|detail| detail.error * pixels <= allowed);
    2 * level.unwrap_or(0) + usize::from(placed.mirrored)
}
