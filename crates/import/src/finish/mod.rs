//! The steps every format's parts go through on their way to a scene.
//!
//! In:  parts in the file's own space, as an importer found them.
//! Out: a checked scene in Sinew's space.
//!
//! A step that is not asked for, or has nothing to do, costs nothing. Normals come before tangents,
//! which need them; joining comes after both, when vertices carry all they will; baking copies, so
//! it comes after joining.

mod bake;
mod bridge;
mod hash;
mod images;
mod join;
mod mend;
mod normals;
mod tangents;
pub(crate) mod triangulate;
mod vertices;
mod weights;

use sinew_scene::Scene;

use crate::Error;
use crate::axes;
use crate::door::{Context, Raw};

pub(crate) fn finish(raw: Raw, context: &mut Context<'_>) -> Result<Scene, Error> {
    let Context { options, notes, budget, .. } = context;
    let mut parts = raw.parts;
    mend::mend(&mut parts, notes);
    axes::to_world(&mut parts, raw.world_from_file);
    if let Some(angle) = options.crease_angle {
        parts.meshes.iter_mut().for_each(|mesh| normals::make(mesh, angle));
    }
    tangents::make_all(&mut parts, options.tangents, notes);
    if let Some(most) = options.max_influences {
        weights::limit(&mut parts, most, notes);
    }
    if options.join_vertices {
        parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives).for_each(join::join);
    }
    if options.bake_static {
        bake::bake(&mut parts, budget, notes);
    }
    if options.decode_images {
        images::decode_all(&mut parts, notes);
    }
    Ok(Scene::new(parts)?)
}
