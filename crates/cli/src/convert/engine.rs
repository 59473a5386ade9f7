//! What an engine takes, where a result is meant for one.

use sinew::Scene;
use sinew::check::{Engine, EngineProfile};

use super::shape::counted;
use crate::fault::Fault;

/// The engine of this name.
pub(super) fn named(name: &str) -> Result<&'static EngineProfile, Fault> {
    Engine::named(name).map(Engine::profile).ok_or_else(|| {
        let known: Vec<&str> = Engine::ALL.into_iter().map(Engine::name).collect();
        Fault::Usage(format!("--for {name:?}: expected one of {}", known.join(", ")))
    })
}

/// Says what the engine cannot take and converting does not change.
pub(super) fn say(profile: &EngineProfile, scene: &Scene, said: &mut Vec<String>) {
    let title = profile.title;
    for skin in &scene.skins {
        if let Some(most) = profile.joints.filter(|most| skin.joints.len() > *most) {
            let found = counted(skin.joints.len(), "joint", "joints");
            said.push(format!("skin {:?} has {found}; {title} takes {most}", skin.name));
        }
    }
    for mesh in &scene.meshes {
        if let Some(most) = profile.morphs.filter(|most| mesh.morph_count() > *most) {
            let found = counted(mesh.morph_count(), "morph target", "morph targets");
            said.push(format!("mesh {:?} has {found}; {title} takes {most}", mesh.name));
        }
    }
    for image in &scene.images {
        if let sinew::scene::ImageData::Encoded { bytes, .. } = &image.data
            && let Some(kind) = sinew::import::image::media_type(bytes)
            && !profile.images.contains(&kind)
        {
            said.push(format!("image {:?} is {kind}, which {title} does not read", image.name));
        }
    }
}
