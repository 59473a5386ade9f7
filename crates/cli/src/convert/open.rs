//! Opens what is to be converted: a model, or all of a scene file.
//!
//! In:  a file. Out: a model as it is filed, with nothing made up that a reader makes up itself.

use std::path::Path;

use sinew::import::{Format, Normals};
use sinew::stage::{self, Stage};
use sinew::{Model, Options, Scene, edit};

use crate::fault::Fault;
use crate::model;

/// Opens a model with what is derived from it left out; formats other than glTF mean smooth normals where they have none.
pub(super) fn open_whole(file: &Path, options: &Options) -> Result<Model, Fault> {
    if stage::is_scene_file(file) {
        return open_stage(file, options);
    }
    let opened = model::open_one(file, options)?;
    let bare = |scene: &Scene| {
        let mut primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        primitives.any(|it| it.normals.is_empty() && !it.positions.is_empty())
    };
    if opened.format == Format::Gltf || !bare(&opened.scene) || file == Path::new("-") {
        return Ok(opened);
    }
    model::open_one(file, &Options { normals: Normals::Usual, ..options.clone() })
}

/// All members of a scene file as one model.
fn open_stage(file: &Path, options: &Options) -> Result<Model, Fault> {
    let stage = Stage::open_with(file, &Options { normals: Normals::Usual, ..options.clone() })?;
    let members = stage.members.iter().filter(|member| member.shown).map(|member| edit::Placed {
        name: member.name.clone(),
        place: member.actor.world_from_model(),
        scene: Scene::clone(member.actor.scene()),
    });
    let joined = edit::join_scenes(members).map_err(|error| Fault::Work(error.to_string()))?;
    Ok(joined.into())
}
