//! FBX, text and binary, versions 5000 to 7700, through ufbx.
//!
//! In:  the bytes of the file; images beside it.
//! Out: parts in the file's own axes and unit.
//!
//! ufbx is asked for the scene as filed, without any conversion, and for the value of every
//! animated property; all else is here. Geometry stays in geometry space, so a cluster's matrix
//! is used as ufbx gives it.

mod bake;
mod channel;
mod clip;
mod compose;
mod light;
mod load;
mod material;
mod mesh;
mod morph;
mod node;
mod number;
mod repeats;
mod scenery;
mod skin;
mod source;
#[cfg(test)]
mod tests;
mod texture;
mod trigonometry;
mod weights;

use sinew_scene::SceneParts;

use crate::ImportError;
use crate::open::{Context, Raw};

pub(crate) fn read(bytes: &[u8], context: &mut Context<'_>) -> Result<Raw, ImportError> {
    let scene = load::load(bytes, context)?;
    let world_from_file = load::world_from_file(&scene, context);
    let mut tree = node::tree(&scene, context);
    let mut images = texture::Images::default();
    let materials = material::materials(&scene, &mut images, context);
    let mut scenery = scenery::scenery(&scene, &mut tree, context)?;
    let size = scenery::size(&scene);
    let clips = clip::clips(&scene, &tree, &mut scenery, size, context)?;
    let parts = SceneParts {
        nodes: tree.nodes,
        instances: scenery.instances,
        meshes: scenery.meshes,
        skins: scenery.skins,
        clips,
        materials,
        textures: images.textures,
        images: images.images,
        lights: scenery.lights,
        cameras: scenery.cameras,
        properties: scenery.properties,
        ..SceneParts::default()
    };
    Ok(Raw::new(parts, world_from_file))
}
