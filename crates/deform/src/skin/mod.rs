//! Linear skinning, eight vertices at a time.
//!
//! In:  a primitive, once; then a palette and morph weights, over and over.
//! Out: the very vertices that [`deform`](crate::deform) gives for a linear skin, within rounding.
//!
//! A [`Skinner`] keeps what a frame does not change, in the order in which it is read: pulls in
//! `pulls.rs`, the rest shape in `shape.rs`. `kernel.rs` walks over both, eight vertices to a block.

mod ahead;
mod blend;
mod error;
mod kernel;
mod morphs;
mod packed;
mod pulls;
mod shape;
mod space;
mod surface;
mod table;
mod walk;

use std::cell::RefCell;

use sinew_lanes::{Path, quads_mut, run, triples_mut};
use sinew_scene::Primitive;
use sinew_scene::glam::{Affine3A, Vec3, Vec4};

use self::kernel::Skin;
use self::morphs::Morphs;
use self::pulls::Pulls;
use self::shape::Shape;
use self::space::Space;
use self::table::Table;
use self::walk::Out;
use crate::Vertices;

pub use self::error::SkinError;

/// How many vertices stand side by side in a block.
const EIGHT: usize = 8;

thread_local! {
    /// Where each thread works. What is left in it from one call to the next is never looked at; to make it anew
    /// would take as long as to skin a hundred vertices.
    static ROOM: RefCell<(Table, Space)> = const { RefCell::new((Table::new(), Space::new())) };
}

/// How a [`Skinner`] keeps weights, normals and tangents. Positions are always exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// As they are: four bytes a number.
    #[default]
    Exact,
    /// Two bytes a number. The weights of a vertex, in 65535 parts, still add up to the whole, and
    /// each is off by less than one part (1.6e-5); directions are off by less than 2.7e-5 radians.
    /// Vertices with more than eight pulls keep exact weights.
    Packed,
}

/// Skins one primitive over and over, without allocating once the output has its size.
///
/// ```
/// # use sinew_deform::{Precision, Skinner, Vertices};
/// # use sinew_scene::{Influence, Influences, Primitive, glam::{Affine3A, Vec3}};
/// let mut influences = Influences::default();
/// influences.push([Influence { joint: 0, weight: 1.0 }]);
/// let primitive = Primitive { positions: vec![Vec3::X], influences, ..Primitive::default() };
/// let palette = [Affine3A::from_translation(Vec3::Y)];
/// let skinner = Skinner::new(&primitive, palette.len(), Precision::Exact)?;
/// let mut out = Vertices::default();
/// skinner.skin(&primitive, &[], &palette, Affine3A::IDENTITY, &mut out);
/// assert_eq!(out.positions, [Vec3::new(1.0, 1.0, 0.0)]);
/// # Ok::<(), sinew_deform::SkinError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Skinner {
    vertices: usize,
    joints: usize,
    pulls: Pulls,
    shape: Shape,
}

impl Skinner {
    /// For a primitive under a skin of so many joints.
    ///
    /// # Errors
    /// When the primitive does not fit the skin, or has what only [`deform`](crate::deform) takes.
    pub fn new(
        primitive: &Primitive,
        joints: usize,
        precision: Precision,
    ) -> Result<Self, SkinError> {
        error::check(primitive, joints)?;
        let vertices = primitive.positions.len();
        let packed = precision == Precision::Packed;
        let pulls = Pulls::new(&primitive.influences, vertices, packed)?;
        Ok(Self { vertices, joints, pulls, shape: Shape::new(primitive, packed) })
    }

    /// Writes the primitive's vertices, morphed by `weights` and bent by the palette, into `out`.
    /// A vertex that no joint pulls goes by `without_pull`.
    ///
    /// # Panics
    /// When the primitive is not the one the skinner was made for, or there is not one weight per
    /// morph target and one matrix per joint.
    pub fn skin(
        &self,
        primitive: &Primitive,
        weights: &[f32],
        model_from_mesh: &[Affine3A],
        without_pull: Affine3A,
        out: &mut Vertices,
    ) {
        self.skin_on(Path::current(), primitive, weights, model_from_mesh, without_pull, out);
    }

    /// The same on a given path. [`Path::Fast`] strays from the others by less than 1e-6 of the
    /// size of the numbers.
    ///
    /// # Panics
    /// As [`skin`](Self::skin).
    pub fn skin_on(
        &self,
        path: Path,
        primitive: &Primitive,
        weights: &[f32],
        model_from_mesh: &[Affine3A],
        without_pull: Affine3A,
        out: &mut Vertices,
    ) {
        assert_eq!(primitive.positions.len(), self.vertices, "the primitive it was made for");
        assert_eq!(model_from_mesh.len(), self.joints, "one matrix per joint of the skin");
        assert_eq!(weights.len(), primitive.morphs.len(), "one weight per morph target");
        // Whole blocks are written; what is behind the last vertex is cut off again.
        let whole = self.vertices.next_multiple_of(EIGHT);
        out.positions.resize(whole, Vec3::ZERO);
        out.normals.resize(if primitive.normals.is_empty() { 0 } else { whole }, Vec3::ZERO);
        out.tangents.resize(if primitive.tangents.is_empty() { 0 } else { whole }, Vec4::ZERO);
        self.skin_blocks(path, Morphs::new(primitive, weights), model_from_mesh, without_pull, out);
        out.positions.truncate(self.vertices);
        out.normals.truncate(self.vertices);
        out.tangents.truncate(self.vertices);
    }

    fn skin_blocks(
        &self,
        path: Path,
        morphs: Morphs<'_>,
        model_from_mesh: &[Affine3A],
        without_pull: Affine3A,
        out: &mut Vertices,
    ) {
        let (positions, _) = triples_mut(&mut out.positions).as_chunks_mut();
        let (normals, _) = triples_mut(&mut out.normals).as_chunks_mut();
        let (tangents, _) = quads_mut(&mut out.tangents).as_chunks_mut();
        let mut left = Out { positions, normals, tangents };
        let mut first = 0;
        ROOM.with_borrow_mut(|(table, space)| {
            for part in self.pulls.parts() {
                table.fill(part.order, model_from_mesh, without_pull);
                let blocks = part.runs.iter().map(|run| run.blocks).sum();
                let out = left.front(blocks);
                let (shape, table, space) = (&self.shape, &*table, &mut *space);
                run(path, Skin { part, first, shape, morphs, table, space, out });
                first += blocks;
            }
        });
    }
}
