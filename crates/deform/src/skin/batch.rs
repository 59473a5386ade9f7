//! Vertices to be skinned, on one thread or on many.
//!
//! In:  a skinner, a palette, morph weights, and memory for the vertices.
//! Out: halves, and halves of halves, each a thread's own; vertices when they are skinned.
//!
//! A batch is cut between parts, which have a table of their own and write to places of their own: what a thread
//! does depends on no other, and the vertices are the same however they are shared.

use std::cell::RefCell;

use sinew_lanes::{SimdLevel, run};
use sinew_scene::glam::Affine3A;

use super::EIGHT;
use super::influences::Kept;
use super::kernel::Skin;
use super::morphs::Morphs;
use super::shape::Shape;
use super::space::Space;
use super::table::Table;
use super::walk::Out;

thread_local! {
    /// Each thread's working memory. What is left in it from one call to the next is never read; to make it anew
    /// would take as long as to skin a hundred vertices.
    static ROOM: RefCell<Room> = const { RefCell::new((Table::new(), Space::new())) };
}

type Room = (Table, Space);

/// Some vertices of a primitive, to be skinned by whichever thread; made by [`Skinner::batch`](crate::Skinner::batch).
///
/// Any pool of threads will do. With rayon it is one line:
///
/// ```
/// # use sinew_deform::{Batch, Skinner, Vertices};
/// # use sinew_scene::{Influence, Influences, Geometry, Primitive, glam::{Affine3A, Vec3}};
/// # let mut influences = Influences::default();
/// # for _ in 0..100_000 {
/// #     influences.push([Influence { joint: 0, weight: 1.0 }]);
/// # }
/// # let primitive = Primitive::from(Geometry { positions: vec![Vec3::X; 100_000], influences, ..Geometry::default() });
/// # let palette = [Affine3A::from_translation(Vec3::Y)];
/// let skinner = Skinner::new(&primitive, palette.len())?;
/// let mut out = Vertices::default();
/// let batch = skinner.batch(&primitive, &[], &palette, Affine3A::IDENTITY, &mut out);
/// # use rayon::iter::ParallelIterator;
/// rayon::iter::split(batch, Batch::halves).for_each(Batch::skin);
/// assert_eq!(out.positions[99_999], Vec3::new(1.0, 1.0, 0.0));
/// # Ok::<(), sinew_deform::SkinError>(())
/// ```
#[derive(Debug)]
pub struct Batch<'a> {
    pub(super) level: SimdLevel,
    pub(super) parts: &'a [Kept],
    /// Which block of the shape is the first part's.
    pub(super) first: usize,
    pub(super) shape: &'a Shape,
    pub(super) morphs: Morphs<'a>,
    pub(super) model_from_mesh: &'a [Affine3A],
    pub(super) without_influence: Affine3A,
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
        let edge = usize::from(!self.is_whole());
        match (self.parts.len() - edge) / 2 {
            0 => (self, None),
            half => (self.front(half), Some(self)),
        }
    }

    /// Skins them.
    pub fn skin(mut self) {
        ROOM.with_borrow_mut(|room| {
            while !self.parts.is_empty() {
                self.front(1).skin_part(room);
            }
        });
    }

    /// Skins one part.
    fn skin_part(self, room: &mut Room) {
        if self.is_whole() {
            self.skin_blocks(room);
        } else {
            self.skin_edge(room);
        }
    }

    /// Skins one part of whole blocks.
    fn skin_blocks(self, (table, space): &mut Room) {
        let Batch { level, first, shape, morphs, .. } = self;
        let Some(part) = self.parts.first().map(Kept::part) else { return };
        let out = Out::new(self.positions, self.normals, self.tangents);
        table.fill(part.order, self.model_from_mesh, self.without_influence);
        run(level, Skin { part, first, shape, morphs, table, space, out });
    }

    /// Skins vertices that fill no block.
    fn skin_edge(self, room: &mut Room) {
        let mut positions = [[0.0; 3]; EIGHT];
        let mut normals = [[0.0; 3]; EIGHT];
        let mut tangents = [[0.0; 4]; EIGHT];
        let edge = Batch {
            positions: &mut positions,
            normals: if self.normals.is_empty() { &mut [] } else { &mut normals },
            tangents: if self.tangents.is_empty() { &mut [] } else { &mut tangents },
            ..self
        };
        edge.skin_blocks(room);
        self.positions.copy_from_slice(&positions[..self.positions.len()]);
        self.normals.copy_from_slice(&normals[..self.normals.len()]);
        self.tangents.copy_from_slice(&tangents[..self.tangents.len()]);
    }

    /// Whether every block is full.
    fn is_whole(&self) -> bool {
        self.len().is_multiple_of(EIGHT)
    }

    /// Takes the first parts off the front, as far as there are any.
    fn front(&mut self, parts: usize) -> Self {
        let (parts, others) = self.parts.split_at(parts.min(self.parts.len()));
        self.parts = others;
        let blocks = parts.iter().map(Kept::blocks).sum::<usize>();
        let first = self.first;
        self.first += blocks;
        Batch {
            parts,
            first,
            positions: front(&mut self.positions, blocks * EIGHT),
            normals: front(&mut self.normals, blocks * EIGHT),
            tangents: front(&mut self.tangents, blocks * EIGHT),
            ..*self
        }
    }
}

/// Takes the first `count` off the front, as far as there are any.
pub(super) fn front<'a, T>(left: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let all = std::mem::take(left);
    let (mine, rest) = all.split_at_mut(count.min(all.len()));
    *left = rest;
    mine
}
