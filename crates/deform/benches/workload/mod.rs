//! A made-up mesh under a made-up skin, to be timed.
//!
//! In:  how many vertices, how many influences on each, tangents or not; `deform` and `scene` of the file above.
//! Out: the same work as for a real character: neighbours are influenced by neighbouring joints.

use super::deform::{Batch, SimdLevel, SkinError, Skinner, Vertices};
use super::scene::glam::{Affine3A, Vec3};
use super::scene::{Influence, Primitive};

/// As many as a usual character has.
const JOINTS: usize = 67;

/// Something to skin.
pub(super) struct Workload {
    pub(super) primitive: Primitive,
    pub(super) palette: Vec<Affine3A>,
    skinner: Skinner,
    /// What the last call wrote.
    pub(super) out: Vertices,
}

impl Workload {
    /// A mesh of so many vertices with normals, each influenced by `influences` joints (none to 67).
    pub(super) fn new(
        vertices: usize,
        influences: usize,
        tangents: bool,
    ) -> Result<Self, SkinError> {
        let mut primitive = Primitive::default();
        for vertex in 0..vertices {
            let at = vertex as f32;
            primitive.positions.push(Vec3::new(at.sin(), at.cos(), at * 1e-4));
            primitive.normals.push(Vec3::new(at.sin(), at.cos(), 0.3).normalize());
            if tangents {
                primitive.tangents.push(Vec3::new(at.cos(), -at.sin(), 0.0).extend(1.0));
            }
            let first = vertex * JOINTS / vertices;
            primitive.influences.push((0..influences.min(JOINTS)).map(|slot| Influence {
                joint: ((first + slot * (1 + vertex % 3)) % JOINTS) as u32,
                weight: 1.0 + slot as f32,
            }));
        }
        let palette = (0..JOINTS).map(|joint| {
            Affine3A::from_rotation_x(joint as f32 * 0.1) * Affine3A::from_translation(Vec3::X)
        });
        let skinner = Skinner::new(&primitive, JOINTS)?;
        Ok(Self { primitive, palette: palette.collect(), skinner, out: Vertices::default() })
    }

    /// The work of skinning it once.
    pub(super) fn batch(&mut self, level: SimdLevel) -> Batch<'_> {
        let Self { primitive, palette, skinner, out } = self;
        skinner.batch_on(level, primitive, &[], palette, Affine3A::IDENTITY, out)
    }
}
