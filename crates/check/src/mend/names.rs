//! Names: one for each joint, and for each morph target.

use std::collections::HashSet;

use sinew_scene::SceneParts;

use crate::engine::Engine;
use crate::finding::counted;

/// Joints without a name get a number, and later ones of a name too.
pub(super) fn unique(parts: &mut SceneParts) -> Option<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut renamed = 0;
    for (at, node) in parts.nodes.iter_mut().enumerate() {
        let stem = if node.name.is_empty() { format!("joint_{at}") } else { node.name.clone() };
        let mut name = stem.clone();
        let mut number = 2;
        while taken.contains(&name) {
            name = format!("{stem}_{number}");
            number += 1;
        }
        renamed += usize::from(name != node.name);
        taken.insert(name.clone());
        node.name = name;
    }
    (renamed > 0)
        .then(|| format!("{} a name of its own", counted(renamed, "node has", "nodes have")))
}

/// Signs that engines give a meaning become `_`. Unreal's list is left to Unreal: it has the space in it.
pub(super) fn plain(parts: &mut SceneParts) -> Option<String> {
    let engines = [Engine::Three, Engine::Godot, Engine::Unity, Engine::Bevy];
    let reserved =
        |sign: char| engines.iter().any(|engine| engine.profile().reserved_signs.contains(sign));
    let mut renamed = 0;
    for node in parts.nodes.iter_mut().filter(|node| node.name.contains(reserved)) {
        node.name = node.name.replace(reserved, "_");
        renamed += 1;
    }
    if renamed > 0 {
        unique(parts);
    }
    (renamed > 0).then(|| {
        format!("{} without signs that engines change", counted(renamed, "name is", "names are"))
    })
}

/// Morph targets without a name are called by their number.
pub(super) fn of_morphs(parts: &mut SceneParts) -> Option<String> {
    let mut named = 0;
    for mesh in &mut parts.meshes {
        for (at, name) in
            mesh.morph_names.iter_mut().enumerate().filter(|(_, name)| name.is_empty())
        {
            *name = format!("target_{at}");
            named += 1;
        }
    }
    (named > 0).then(|| {
        format!("{} called by its number", counted(named, "morph target is", "morph targets are"))
    })
}
