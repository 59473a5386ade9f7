//! The steps every format's parts go through on their way to a scene.
//!
//! In:  parts in the file's own space, as an importer found them.
//! Out: a checked scene in Sinew's space.

mod bridge;
pub(crate) mod triangulate;

use sinew_scene::Scene;

use crate::Error;
use crate::axes;
use crate::door::{Context, Raw};

pub(crate) fn finish(raw: Raw, context: &mut Context<'_>) -> Result<Scene, Error> {
    let mut parts = raw.parts;
    axes::to_world(&mut parts, raw.world_from_file);
    let _ = context;
    Ok(Scene::new(parts)?)
}
