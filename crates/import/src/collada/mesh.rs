//! Meshes: a geometry's parts with the materials, influences and shapes that an instance gives them.
//!
//! In:  a joined geometry, and the skin and morph over it.
//! Out: a [`Mesh`], one primitive for each part.

use sinew_scene::{MaterialId, Mesh, Primitive};

use super::geometry::{Geometry, Part};
use super::morph::MorphData;
use super::skin::{SkinData, Uneven};
use crate::open::Context;
use crate::{ImportError, NoteCode, Place};

/// What lies over a geometry.
pub(super) struct Layers<'b> {
    pub(super) skin: Option<&'b SkinData>,
    pub(super) morph: Option<&'b MorphData>,
}

impl Layers<'_> {
    /// The mesh, and whether some vertex stays with the bind shape.
    pub(super) fn mesh(
        &self,
        geometry: &Geometry,
        materials: &[Option<MaterialId>],
        place: &dyn Fn() -> Place,
        context: &mut Context<'_>,
    ) -> Result<(Mesh, bool), ImportError> {
        let morphs = self.morph.map_or(0, |morph| morph.weights.len());
        let mut uses_bind_shape = false;
        let mut primitives = Vec::new();
        for (number, (part, material)) in geometry.parts.iter().zip(materials).enumerate() {
            let each = 48 + 24 * morphs + 20 * part.uvs.len();
            let taken = context.budget.take(part.positions.len(), each, &Place::Whole);
            taken.map_err(|error| ImportError { place: place(), ..error })?;
            let mut primitive = primitive(part, *material);
            if let Some(skin) = self.skin {
                let bind_shape = skin.joints.words.len() as u32;
                let (influences, bind, uneven) = skin.influences(&part.rows, bind_shape);
                primitive.influences = influences;
                uses_bind_shape |= bind;
                if uneven.count > 0 {
                    let text = "the weights of some vertices did not sum to one";
                    context.notes.add_as(NoteCode::WeightSum, place(), text);
                    let Uneven { count, worst } = uneven;
                    context.notes.detail(NoteCode::WeightSum, place(), count, worst, text);
                }
            }
            if let Some(morph) = self.morph {
                primitive.morphs = morph.targets(part, number);
            }
            primitives.push(primitive);
        }
        let morph_names = self.morph.map(MorphData::names).unwrap_or_default();
        Ok((Mesh { name: geometry.name.clone(), primitives, morph_names }, uses_bind_shape))
    }
}

fn primitive(part: &Part, material: Option<MaterialId>) -> Primitive {
    Primitive {
        material,
        ..Primitive::from(sinew_scene::Geometry {
            topology: part.topology,
            indices: part.indices.clone(),
            positions: part.positions.clone(),
            normals: part.normals.clone(),
            uvs: part.uvs.clone(),
            colors: part.colors.clone(),
            ..sinew_scene::Geometry::default()
        })
    }
}
