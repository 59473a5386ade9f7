//! `.skeleton_anim`, with `.mesh` and `.weight`: the format of an open course on game engines.
//!
//! In:  a `.skeleton_anim` in either of its two layouts, or a `.mesh` with the `.weight` of the
//! same stem beside it.
//! Out: a skeleton with one clip; or a model on placeholder joints, which [`attach::join`] gives
//! the bones of a `.skeleton_anim`.
//!
//! Bones have no names in a `.weight`, only numbers. So a `.skeleton_anim` becomes a scene with a
//! skin that no mesh wears: it has the bones in file order and their binding.

mod anim;
pub(crate) mod attach;
mod chain;
mod file;
mod matrix;
mod mesh;
#[cfg(test)]
mod tests;
mod weight;

use sinew_scene::SceneParts;

use crate::ImportError;
use crate::axes::WorldFromFile;
use crate::open::{Context, Raw};

pub(crate) fn read_anim(bytes: &[u8], context: &mut Context<'_>) -> Result<Raw, ImportError> {
    anim::read(bytes, context).map(raw)
}

pub(crate) fn read_mesh(bytes: &[u8], context: &mut Context<'_>) -> Result<Raw, ImportError> {
    mesh::read(bytes, context).map(raw)
}

/// The course's programs draw what is filed as it is, Y up.
fn raw(parts: SceneParts) -> Raw {
    Raw::new(parts, WorldFromFile::SAME)
}
