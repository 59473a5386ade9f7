//! OBJ and MTL: shapes that do not move, as every modelling program writes them.
//!
//! In:  the text of an `.obj`, and the `.mtl` libraries and images it names.
//! Out: a mesh and a node per object or group, a primitive per material. Y is up, the unit is
//! taken as a metre; texture coordinates are flipped, for they are filed from the bottom up.
//!
//! Statements are read once, from front to back; faces are put together when all is known, since
//! they may speak of vertices that come later.

mod build;
mod corner;
mod material;
mod mtl;
mod normals;
mod statements;
#[cfg(test)]
mod tests;

use crate::ImportError;
use crate::axes::WorldFromFile;
use crate::open::{Context, Raw};

pub(crate) fn read(bytes: &[u8], context: &mut Context<'_>) -> Result<Raw, ImportError> {
    let model = statements::read(bytes, context)?;
    let parts = build::scene(&model, bytes, context)?;
    Ok(Raw::new(parts, WorldFromFile::SAME))
}
