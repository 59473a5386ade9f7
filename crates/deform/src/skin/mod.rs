//! Linear skinning, eight vertices at a time.
//!
//! In:  a primitive, once; then a palette and morph weights, over and over.
//! Out: the very vertices that [`deform`](crate::deform) gives for a linear skin, within rounding.
//!
//! A [`Skinner`] keeps what a frame does not change, in the order in which it is read: influences in
//! `influences.rs`, the rest shape in `shape.rs`. `kernel.rs` walks over both, eight vertices to a block.

mod ahead;
mod batch;
mod blend;
mod error;
mod far;
mod influences;
mod kernel;
mod morphs;
mod packed;
mod shape;
mod space;
mod stores;
mod surface;
mod table;
mod walk;

use sinew_lanes::{SimdLevel, quads_mut, triples_mut};
use sinew_scene::Primitive;
use sinew_scene::glam::{Affine3A, Vec3, Vec4};

use self::influences::InfluenceBlocks;
use self::morphs::Morphs;
use self::shape::Shape;
use crate::Vertices;

pub use self::batch::Batch;
pub use self::error::SkinError;
pub use self::stores::Stores;

/// How many vertices stand side by side in a block.
const EIGHT: usize = 8;

/// How a [`Skinner`] keeps weights, normals and tangents. Positions are always exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// As they are: four bytes a number.
    #[default]
    Exact,
    /// Two bytes a number. The weights of a vertex, in 65535 parts, still add up to the whole, and
    /// each is off by less than one part (1.6e-5); directions are off by less than 2.7e-5 radians.
    /// Vertices with more than eight influences keep exact weights.
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
    influences: InfluenceBlocks,
    shape: Shape,
    stores: Stores,
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
        let influences = InfluenceBlocks::new(&primitive.influences, vertices, packed)?;
        let (shape, stores) = (Shape::new(primitive, packed), Stores::default());
        Ok(Self { vertices, joints, influences, shape, stores })
    }

    /// How vertices are written from now on; [`Stores::Fitting`] at first.
    ///
    /// ```
    /// # use sinew_deform::{Precision, Skinner, Stores, Vertices};
    /// # use sinew_scene::{Primitive, glam::{Affine3A, Vec3}};
    /// # let primitive = Primitive { positions: vec![Vec3::X; 100], ..Primitive::default() };
    /// let mut skinner = Skinner::new(&primitive, 0, Precision::Exact)?;
    /// // They go to a file next, not to anyone who would find them in a cache.
    /// skinner.set_stores(Stores::Past);
    /// let mut out = Vertices::default();
    /// skinner.skin(&primitive, &[], &[], Affine3A::from_scale(Vec3::splat(2.0)), &mut out);
    /// assert_eq!(out.positions, [2.0 * Vec3::X; 100]);
    /// # Ok::<(), sinew_deform::SkinError>(())
    /// ```
    pub fn set_stores(&mut self, stores: Stores) {
        self.stores = stores;
    }

    /// Writes the primitive's vertices, morphed by `weights` and bent by the palette, into `out`.
    /// A vertex that no joint influences goes by `without_influence`.
    ///
    /// # Panics
    /// When the primitive is not the one the skinner was made for, or there is not one weight per
    /// morph target and one matrix per joint.
    pub fn skin(
        &self,
        primitive: &Primitive,
        weights: &[f32],
        model_from_mesh: &[Affine3A],
        without_influence: Affine3A,
        out: &mut Vertices,
    ) {
        self.skin_on(
            SimdLevel::current(),
            primitive,
            weights,
            model_from_mesh,
            without_influence,
            out,
        );
    }

    /// The same on a given path. [`SimdLevel::Fast`] strays from the others by less than 1e-6 of the
    /// size of the numbers.
    ///
    /// # Panics
    /// As [`skin`](Self::skin).
    pub fn skin_on(
        &self,
        path: SimdLevel,
        primitive: &Primitive,
        weights: &[f32],
        model_from_mesh: &[Affine3A],
        without_influence: Affine3A,
        out: &mut Vertices,
    ) {
        self.batch_on(path, primitive, weights, model_from_mesh, without_influence, out).skin();
    }

    /// The same work, to be shared among threads.
    ///
    /// # Panics
    /// As [`skin`](Self::skin).
    #[must_use]
    pub fn batch<'a>(
        &'a self,
        primitive: &'a Primitive,
        weights: &'a [f32],
        model_from_mesh: &'a [Affine3A],
        without_influence: Affine3A,
        out: &'a mut Vertices,
    ) -> Batch<'a> {
        self.batch_on(
            SimdLevel::current(),
            primitive,
            weights,
            model_from_mesh,
            without_influence,
            out,
        )
    }

    /// The same on a given path.
    ///
    /// # Panics
    /// As [`skin`](Self::skin).
    #[must_use]
    pub fn batch_on<'a>(
        &'a self,
        path: SimdLevel,
        primitive: &'a Primitive,
        weights: &'a [f32],
        model_from_mesh: &'a [Affine3A],
        without_influence: Affine3A,
        out: &'a mut Vertices,
    ) -> Batch<'a> {
        assert_eq!(primitive.positions.len(), self.vertices, "the primitive it was made for");
        assert_eq!(model_from_mesh.len(), self.joints, "one matrix per joint of the skin");
        assert_eq!(weights.len(), primitive.morphs.len(), "one weight per morph target");
        let of = |empty: bool| if empty { 0 } else { self.vertices };
        out.positions.resize(self.vertices, Vec3::ZERO);
        out.normals.resize(of(primitive.normals.is_empty()), Vec3::ZERO);
        out.tangents.resize(of(primitive.tangents.is_empty()), Vec4::ZERO);
        let bytes = size_of_val(&out.positions[..])
            + size_of_val(&out.normals[..])
            + size_of_val(&out.tangents[..]);
        Batch {
            path,
            past: self.stores.go_past(bytes),
            parts: self.influences.parts(),
            first: 0,
            shape: &self.shape,
            morphs: Morphs::new(primitive, weights),
            model_from_mesh,
            without_influence,
            positions: triples_mut(&mut out.positions),
            normals: triples_mut(&mut out.normals),
            tangents: quads_mut(&mut out.tangents),
        }
    }
}
