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
mod influences;
mod kernel;
mod morphs;
mod shape;
mod space;
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

pub(crate) use self::surface::LEAST_SQUARE;

pub use self::batch::Batch;
pub use self::error::SkinError;

/// How many vertices are side by side in a block.
const EIGHT: usize = 8;

/// Skins one primitive over and over, without allocating once the output has its size.
///
/// ```
/// # use sinew_deform::{Skinner, Vertices};
/// # use sinew_scene::{Influence, Influences, Geometry, Primitive, glam::{Affine3A, Vec3}};
/// let mut influences = Influences::default();
/// influences.push([Influence { joint: 0, weight: 1.0 }]);
/// let primitive = Primitive::from(Geometry { positions: vec![Vec3::X], influences, ..Geometry::default() });
/// let palette = [Affine3A::from_translation(Vec3::Y)];
/// let skinner = Skinner::new(&primitive, palette.len())?;
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
}

impl Skinner {
    /// For a primitive under a skin of so many joints.
    ///
    /// # Errors
    /// When the primitive does not fit the skin, or has what only [`deform`](crate::deform) takes.
    pub fn new(primitive: &Primitive, joints: usize) -> Result<Self, SkinError> {
        error::check(primitive, joints)?;
        let vertices = primitive.positions.len();
        let influences = InfluenceBlocks::new(&primitive.influences, vertices)?;
        let shape = Shape::new(primitive);
        Ok(Self { vertices, joints, influences, shape })
    }

    /// Writes the primitive's vertices, morphed by `weights` and deformed by the palette, into `out`.
    /// A vertex that no joint influences is transformed by `without_influence`.
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

    /// The same on a given [`SimdLevel`]. [`SimdLevel::Fast`] strays from the others by less than 1e-6 of the
    /// size of the numbers.
    ///
    /// # Panics
    /// As [`skin`](Self::skin).
    pub fn skin_on(
        &self,
        level: SimdLevel,
        primitive: &Primitive,
        weights: &[f32],
        model_from_mesh: &[Affine3A],
        without_influence: Affine3A,
        out: &mut Vertices,
    ) {
        self.batch_on(level, primitive, weights, model_from_mesh, without_influence, out).skin();
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

    /// The same on a given [`SimdLevel`].
    ///
    /// # Panics
    /// As [`skin`](Self::skin).
    #[must_use]
    pub fn batch_on<'a>(
        &'a self,
        level: SimdLevel,
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
        Batch {
            level,
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
