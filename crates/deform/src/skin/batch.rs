//! Vertices to be skinned, on one thread or on many.
//!
//! In:  a skinner, a palette, morph weights, and room for the vertices.
//! Out: halves, and halves of halves, each a thread's own; vertices when they are skinned.
//!
//! A batch is cut between parts, which have a table of their own and write to places of their own: what a thread
//! does depends on no other, and the vertices are the same however they are shared.

use std::cell::RefCell;

use sinew_lanes::{Path, run};
use sinew_scene::glam::Affine3A;

use super::EIGHT;
use super::kernel::Skin;
use super::morphs::Morphs;
use super::pulls::Kept;
use super::shape::Shape;
use super::space::Space;
use super::table::Table;
use super::walk::Out;

thread_local! {
    /// Where each thread works. What is left in it from one call to the next is never looked at; to make it anew
    /// would take as long as to skin a hundred vertices.
    static ROOM: RefCell<(Table, Space)> = const { RefCell::new((Table::new(), Space::new())) };
}

/// Some vertices of a primitive, to be skinned by whichever thread; made by [`Skinner::batch`](crate::Skinner::batch).
///
/// Any pool of threads will do. With rayon it is one line:
///
/// ```
/// # use sinew_deform::{Batch, Precision, Skinner, Vertices};
/// # use sinew_scene::{Influence, Influences, Primitive, glam::{Affine3A, Vec3}};
/// # let mut influences = Influences::default();
/// # for _ in 0..100_000 {
/// #     influences.push([Influence { joint: 0, weight: 1.0 }]);
/// # }
/// # let primitive = Primitive { positions: vec![Vec3::X; 100_000], influences, ..Primitive::default() };
/// # let palette = [Affine3A::from_translation(Vec3::Y)];
/// let skinner = Skinner::new(&primitive, palette.len(), Precision::Exact)?;
/// let mut out = Vertices::default();
/// let batch = skinner.batch(&primitive, &[], &palette, Affine3A::IDENTITY, &mut out);
/// # use rayon::iter::ParallelIterator;
/// rayon::iter::split(batch, Batch::halves).for_each(Batch::skin);
/// assert_eq!(out.positions[99_999], Vec3::new(1.0, 1.0, 0.0));
/// # Ok::<(), sinew_deform::SkinError>(())
/// ```
#[derive(Debug)]
pub struct Batch<'a> {
    pub(super) path: Path,
    pub(super) parts: &'a [Kept],
    /// Which block of the shape is the first part's.
    pub(super) first: usize,
    pub(super) shape: &'a Shape,
    pub(super) morphs: Morphs<'a>,
    pub(super) model_from_mesh: &'a [Affine3A],
    pub(super) without_pull: Affine3A,
    pub(super) positions: &'a mut [[f32; 3]],
    /// As many as positions, or none; so are tangents.
    pub(super) normals: &'a mut [[f32; 3]],
    pub(super) tangents: &'a mut [[f32; 4]],
}

impl<'a> Batch<'a> {
    /// How many vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Two batches of about half the vertices each, or the whole where there are few.
    #[must_use]
    pub fn halves(mut self) -> (Self, Option<Self>) {
        // Vertices at the end that fill no block are a part, but no work for a thread.
        let edge = usize::from(!self.len().is_multiple_of(EIGHT));
        let (parts, others) = self.parts.split_at((self.parts.len() - edge) / 2);
        if parts.is_empty() {
            return (self, None);
        }
        let blocks: usize = parts.iter().map(Kept::blocks).sum();
        self.parts = others;
        let front = Batch {
            parts,
            positions: front(&mut self.positions, blocks * EIGHT),
            normals: front(&mut self.normals, blocks * EIGHT),
            tangents: front(&mut self.tangents, blocks * EIGHT),
            ..self
        };
        self.first += blocks;
        (front, Some(self))
    }

    /// Skins them.
    pub fn skin(mut self) {
        ROOM.with_borrow_mut(|(table, space)| {
            for kept in self.parts {
                table.fill(kept.part().order, self.model_from_mesh, self.without_pull);
                self.skin_front(kept, table, space);
                self.first += kept.blocks();
            }
        });
    }

    /// Skins the first part's vertices, and takes them off the front.
    fn skin_front(&mut self, kept: &Kept, table: &Table, space: &mut Space) {
        let vertices = kept.blocks() * EIGHT;
        let positions = front(&mut self.positions, vertices);
        let normals = front(&mut self.normals, vertices);
        let tangents = front(&mut self.tangents, vertices);
        let (part, first, shape, morphs) = (kept.part(), self.first, self.shape, self.morphs);
        let whole = positions.len() == vertices;
        let edge = &mut Edge::default();
        let out = match whole {
            true => Out {
                positions: positions.as_chunks_mut().0,
                normals: normals.as_chunks_mut().0,
                tangents: tangents.as_chunks_mut().0,
            },
            false => edge.out(!normals.is_empty(), !tangents.is_empty()),
        };
        run(self.path, Skin { part, first, shape, morphs, table, space, out });
        if !whole {
            edge.copy_to(positions, normals, tangents);
        }
    }
}

/// Room for one block: for the vertices at a mesh's end that fill none.
#[derive(Default)]
struct Edge {
    positions: [[[f32; 3]; EIGHT]; 1],
    normals: [[[f32; 3]; EIGHT]; 1],
    tangents: [[[f32; 4]; EIGHT]; 1],
}

impl Edge {
    fn out(&mut self, normals: bool, tangents: bool) -> Out<'_> {
        Out {
            positions: &mut self.positions,
            normals: &mut self.normals[..usize::from(normals)],
            tangents: &mut self.tangents[..usize::from(tangents)],
        }
    }

    fn copy_to(
        &self,
        positions: &mut [[f32; 3]],
        normals: &mut [[f32; 3]],
        tangents: &mut [[f32; 4]],
    ) {
        positions.copy_from_slice(&self.positions[0][..positions.len()]);
        normals.copy_from_slice(&self.normals[0][..normals.len()]);
        tangents.copy_from_slice(&self.tangents[0][..tangents.len()]);
    }
}

/// Takes the first `count` off the front, as far as there are any.
pub(super) fn front<'a, T>(left: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let all = std::mem::take(left);
    let (mine, rest) = all.split_at_mut(count.min(all.len()));
    *left = rest;
    mine
}
