//! What nothing uses, taken out; what is there twice, once.
//!
//! In:  the parts of a scene, and what is to be kept.
//! Out: fewer parts that draw and move the same, and a sentence for everything with a name that is gone.
//!
//! Nodes with names stay: programs look for them, to attach things. Joints of skins stay as well.

mod attributes;
mod nodes;
mod same;
mod tracks;
mod unused;

use sinew_scene::SceneParts;

/// What stays although nothing uses it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// Nodes without names, too.
    pub joints: bool,
    /// Materials, textures, images, meshes and skins.
    pub names: bool,
    /// Texture coordinates and tangents.
    pub attributes: bool,
}

/// Takes out what nothing uses, and has once what is there twice. Gives back a sentence for each thing with a name that is gone.
///
/// ```
/// use sinew_edit::{Keep, prune};
/// use sinew_scene::{Material, SceneParts};
/// let gold = Material { name: "gold".into(), ..Material::default() };
/// let mut parts = SceneParts { materials: vec![gold], ..SceneParts::default() };
/// let said = prune(&mut parts, Keep::default());
/// assert_eq!(said, ["material \"gold\" is left out: nothing uses it"]);
/// ```
pub fn prune(parts: &mut SceneParts, keep: Keep) -> Vec<String> {
    let mut said = Vec::new();
    tracks::one_per_target(parts, &mut said);
    same::images(parts, &mut said);
    same::textures(parts);
    same::materials(parts);
    same::meshes(parts);
    same::skins(parts);
    if !keep.names {
        unused::meshes(parts, &mut said);
        unused::skins(parts, &mut said);
        unused::materials(parts, &mut said);
        unused::textures(parts, &mut said);
        unused::images(parts, &mut said);
    }
    if !keep.attributes {
        attributes::unused(parts, &mut said);
    }
    if !keep.joints {
        nodes::nameless(parts);
    }
    said
}

/// Leaves out texture coordinates and tangents that no texture needs; what else is left out by [`prune`] stays. Gives a sentence for
/// each mesh. Vertices that differed in these alone can be joined then: [`weld_vertices`](crate::weld_vertices).
pub fn prune_attributes(parts: &mut SceneParts) -> Vec<String> {
    let mut said = Vec::new();
    attributes::unused(parts, &mut said);
    said
}

/// Where each of a list goes when some of it is left out.
fn places(kept: &[bool]) -> Vec<usize> {
    let mut next = 0;
    let place = |kept: &bool| {
        let place = next;
        next += usize::from(*kept);
        place
    };
    kept.iter().map(place).collect()
}

/// Leaves out all that is not kept.
fn retain<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    list.retain(|_| kept.next().copied().unwrap_or(true));
}
