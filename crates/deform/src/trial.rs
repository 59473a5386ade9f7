//! A made-up mesh under a made-up skin, for stopwatches.
//!
//! In:  how many vertices, how many influences on each, tangents or not.
//! Out: the same work as for a real character: neighbours are pulled by neighbouring joints.

use sinew_lanes::SimdLevel;
use sinew_scene::glam::{Affine3A, Vec3};
use sinew_scene::{Influence, Primitive, SkinMethod};

use crate::{Batch, Binding, Precision, SkinError, Skinner, Stores, Vertices, deform};

/// As many as a usual character has.
const JOINTS: usize = 67;

/// Something to skin.
///
/// ```
/// use sinew_deform::{SimdLevel, Precision, Trial};
/// let mut trial = Trial::new(1000, 4, false, Precision::Exact)?;
/// let begun = std::time::Instant::now();
/// trial.skin(SimdLevel::current());
/// println!("{} ns a vertex", begun.elapsed().as_nanos() / 1000);
/// # Ok::<(), sinew_deform::SkinError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trial {
    primitive: Primitive,
    palette: Vec<Affine3A>,
    skinner: Skinner,
    /// What the last call wrote.
    pub out: Vertices,
}

impl Trial {
    /// A mesh of so many vertices with normals, each pulled by `influences` joints (none to 67).
    ///
    /// # Errors
    /// None: any mesh made here can be skinned.
    pub fn new(
        vertices: usize,
        influences: usize,
        tangents: bool,
        precision: Precision,
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
        let skinner = Skinner::new(&primitive, JOINTS, precision)?;
        Ok(Self { primitive, palette: palette.collect(), skinner, out: Vertices::default() })
    }

    /// How vertices are written from now on.
    pub fn set_stores(&mut self, stores: Stores) {
        self.skinner.set_stores(stores);
    }

    /// Skins it once, eight vertices at a time.
    pub fn skin(&mut self, path: SimdLevel) {
        let without_influence = Affine3A::IDENTITY;
        let Self { primitive, palette, skinner, out } = self;
        skinner.skin_on(path, primitive, &[], palette, without_influence, out);
    }

    /// The same work, to be shared among threads.
    pub fn batch(&mut self, path: SimdLevel) -> Batch<'_> {
        let without_influence = Affine3A::IDENTITY;
        let Self { primitive, palette, skinner, out } = self;
        skinner.batch_on(path, primitive, &[], palette, without_influence, out)
    }

    /// Skins it once, in the way that defines the result.
    pub fn deform(&mut self) {
        let binding = Binding::Skinned {
            method: SkinMethod::Linear,
            model_from_mesh: &self.palette,
            without_influence: Affine3A::IDENTITY,
        };
        deform(&self.primitive, &[], binding, &mut self.out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_give_the_same_mesh() -> Result<(), SkinError> {
        let mut trial = Trial::new(100, 4, true, Precision::Exact)?;
        trial.deform();
        let expected = trial.out.clone();
        trial.skin(SimdLevel::current());
        for vertex in 0..100 {
            let (a, b) = (trial.out.positions[vertex], expected.positions[vertex]);
            assert!(a.abs_diff_eq(b, 1e-6), "vertex {vertex} is at {a}, not {b}");
            let (a, b) = (trial.out.tangents[vertex], expected.tangents[vertex]);
            assert!(a.abs_diff_eq(b, 1e-5), "tangent {vertex} is {a}, not {b}");
        }
        Ok(())
    }
}
