//! Which nodes of a scene are bones worth drawing.

use sinew_scene::Scene;

/// One for each node: those that skins use and what lies between them; all, where no skin uses any.
#[must_use]
pub fn bones(scene: &Scene) -> Vec<bool> {
    let parents = scene.skeleton().parents();
    let mut shown = vec![false; parents.len()];
    for joint in scene.skins.iter().flat_map(|skin| &skin.joints) {
        shown[joint.index()] = true;
    }
    if !shown.contains(&true) {
        return vec![true; parents.len()];
    }
    // A parent comes before its child, so one pass finds each node's nearest bone above.
    let mut above: Vec<Option<usize>> = Vec::with_capacity(parents.len());
    for parent in parents.iter().map(|parent| parent.map(|parent| parent.index())) {
        above.push(
            parent.and_then(|parent| if shown[parent] { Some(parent) } else { above[parent] }),
        );
    }
    for joint in (0..parents.len()).rev().filter(|joint| above[*joint].is_some()) {
        let between = parents[joint].map(|parent| parent.index()).filter(|_| shown[joint]);
        if let Some(parent) = between {
            shown[parent] = true;
        }
    }
    shown
}
