//! Meshes: a geometry's parts with the materials, influences and shapes that an instance gives them.
//!
//! In:  a joined geometry, and the skin and morph over it.
//! Out: a [`Mesh`], one primitive for each part, and what lies over each.
//!
//! Primitives share the parts' shapes. What lies over them is put there when nobody else asks for the shapes any more:
//! then those of one mesh alone, as nearly all are, need not be copied.

use std::sync::Arc;

use sinew_scene::{Influences, MaterialId, Mesh, MorphTarget, Primitive};

use super::geometry::Geometry;
use super::morph::MorphData;
use super::skin::{SkinData, Uneven};
use crate::open::Context;
use crate::{ImportError, NoteCode, Place};

/// What lies over a geometry.
pub(super) struct Layers<'b> {
    pub(super) skin: Option<&'b SkinData>,
    pub(super) morph: Option<&'b MorphData>,
}

/// What lies over one primitive.
#[derive(Default)]
pub(super) struct Over {
    influences: Influences,
    morphs: Vec<MorphTarget>,
}

impl Over {
    pub(super) fn put(self, primitive: &mut Primitive) {
        if !self.influences.is_empty() || !self.morphs.is_empty() {
            primitive.influences = self.influences;
            primitive.morphs = self.morphs;
        }
    }
}

impl Layers<'_> {
    /// The mesh, what lies over its primitives, and whether some vertex stays with the bind shape.
    pub(super) fn mesh(
        &self,
        geometry: &Geometry,
        materials: &[Option<MaterialId>],
        place: &dyn Fn() -> Place,
        context: &mut Context<'_>,
    ) -> Result<(Mesh, Vec<Over>, bool), ImportError> {
        let morphs = self.morph.map_or(0, |morph| morph.weights.len());
        let mut uses_bind_shape = false;
        let (mut primitives, mut overs) = (Vec::new(), Vec::new());
        for (number, (part, material)) in geometry.parts.iter().zip(materials).enumerate() {
            let each = 48 + 24 * morphs + 20 * part.shape.uvs.len();
            let taken = context.budget.take(part.shape.positions.len(), each, &Place::Whole);
            taken.map_err(|error| ImportError { place: place(), ..error })?;
            let mut over = Over::default();
            if let Some(skin) = self.skin {
                let bind_shape = skin.joints.words.len() as u32;
                let (influences, bind, uneven) = skin.influences(&part.rows, bind_shape);
                over.influences = influences;
                uses_bind_shape |= bind;
                if uneven.count > 0 {
                    let text = "the weights of some vertices did not sum to one";
                    context.notes.add_as(NoteCode::WeightSum, place(), text);
                    let Uneven { count, worst } = uneven;
                    context.notes.detail(NoteCode::WeightSum, place(), count, worst, text);
                }
            }
            if let Some(morph) = self.morph {
                over.morphs = morph.targets(part, number);
            }
            overs.push(over);
            let geometry = Arc::clone(&part.shape);
            primitives.push(Primitive { geometry, material: *material, ..Primitive::default() });
        }
        let morph_names = self.morph.map(MorphData::names).unwrap_or_default();
        let mesh = Mesh { name: geometry.name.clone(), primitives, morph_names };
        Ok((mesh, overs, uses_bind_shape))
    }
}
