//! Which nodes of a scene are bones worth drawing.

use sinew_scene::Scene;

/// One for each node: those that skins use and what lies between them. Where no skin uses any, all of the large
/// trees: cameras, lights and their targets usually stand in small ones.
#[must_use]
pub fn bones(scene: &Scene) -> Vec<bool> {
    let parents: Vec<Option<usize>> =
        scene.skeleton().parents().iter().map(|parent| parent.map(|id| id.index())).collect();
    let mut shown = vec![false; parents.len()];
    for joint in scene.skins.iter().flat_map(|skin| &skin.joints) {
        shown[joint.index()] = true;
    }
    if shown.contains(&true) {
        fill_gaps(&parents, &mut shown);
        return shown;
    }
    large_trees(&parents, &mut shown);
    for joint in scene.cameras.iter().map(|c| c.joint).chain(scene.lights.iter().map(|l| l.joint)) {
        shown[joint.index()] = false;
    }
    shown
}

/// Shows every tree of nodes that has at least a quarter as many as the largest.
fn large_trees(parents: &[Option<usize>], shown: &mut [bool]) {
    let mut roots: Vec<usize> = Vec::with_capacity(parents.len());
    let mut sizes = vec![0; parents.len()];
    for (node, parent) in parents.iter().enumerate() {
        let root = parent.map_or(node, |parent| roots[parent]);
        roots.push(root);
        sizes[root] += 1;
    }
    let largest = sizes.iter().copied().max().unwrap_or(0);
    for (shown, root) in shown.iter_mut().zip(roots) {
        *shown = sizes[root] * 4 >= largest;
    }
}

/// Shows what lies between a bone and the next bone above it.
fn fill_gaps(parents: &[Option<usize>], shown: &mut [bool]) {
    // A parent comes before its child, so one pass finds each node's nearest bone above.
    let mut above: Vec<Option<usize>> = Vec::with_capacity(parents.len());
    for parent in parents {
        above.push(
            parent.and_then(|parent| if shown[parent] { Some(parent) } else { above[parent] }),
        );
    }
    for joint in (0..parents.len()).rev().filter(|joint| above[*joint].is_some()) {
        if let Some(parent) = parents[joint].filter(|_| shown[joint]) {
            shown[parent] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_between_two_bones_is_shown_but_not_what_is_above_or_below() {
        // 0 ← 1 (bone) ← 2 ← 3 (bone) ← 4
        let mut shown = [false, true, false, true, false];
        fill_gaps(&[None, Some(0), Some(1), Some(2), Some(3)], &mut shown);
        assert_eq!(shown, [false, true, true, true, false]);
    }

    #[test]
    fn small_trees_beside_a_large_one_are_left_out() {
        let parents = [None, None, Some(1), Some(2), Some(3), Some(4)];
        let mut shown = [false; 6];
        large_trees(&parents, &mut shown);
        assert_eq!(shown, [false, true, true, true, true, true]);
    }
}
