//! Which mesh instances a pose hides.
//!
//! In:  a pose, with the visibility of nodes that its clip drives.
//! Out: one flag for each instance of the scene.
//!
//! A node that is hidden hides what hangs under it, so an instance is seen when every node above it is. Which
//! values those are is found once for a scene; where no file speaks of visibility there is nothing to do.

use std::collections::HashMap;
use std::sync::Arc;

use sinew_scene::{JointId, Property, PropertyId, Scene};

use crate::Pose;

/// Which instances are hidden now.
#[derive(Clone, Debug)]
pub struct Hidden {
    /// The values that each instance depends on; empty where nothing in the scene is ever hidden.
    switches: Arc<[Vec<PropertyId>]>,
    now: Vec<bool>,
}

impl Hidden {
    /// Nothing is hidden until the first [`update`](Self::update).
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        let mut of_node: HashMap<JointId, Vec<PropertyId>> = HashMap::new();
        for (index, driven) in scene.properties.iter().enumerate() {
            if let Property::Visible(node) = driven.property {
                of_node.entry(node).or_default().push(PropertyId::new(index));
            }
        }
        if of_node.is_empty() {
            return Self { switches: Arc::new([]), now: Vec::new() };
        }
        let parents = scene.skeleton().parents();
        let above =
            |joint: JointId| std::iter::successors(Some(joint), |node| parents[node.index()]);
        let switches = scene.instances.iter().map(|instance| {
            above(instance.joint).filter_map(|node| of_node.get(&node)).flatten().copied().collect()
        });
        Self { switches: switches.collect(), now: vec![false; scene.instances.len()] }
    }

    /// Takes over what the pose says.
    pub fn update(&mut self, pose: &Pose) {
        for (hidden, switches) in self.now.iter_mut().zip(&*self.switches) {
            // Between shown and hidden, as in a blend of two clips, is shown.
            *hidden = switches.iter().any(|switch| pose.property(*switch)[0] <= 0.0);
        }
    }

    /// One flag for each instance; none at all where nothing in the scene is ever hidden.
    #[must_use]
    pub fn flags(&self) -> &[bool] {
        &self.now
    }

    /// Whether this instance is hidden.
    #[must_use]
    pub fn hides(&self, instance: usize) -> bool {
        self.now.get(instance).is_some_and(|hidden| *hidden)
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::{
        AnimatedProperty, Clip, Instance, Interpolation, Mesh, MeshId, Node, PropertyTrack, Rows,
        SceneParts, Transform,
    };

    use super::*;
    use crate::{Cursor, sample};

    /// A tree 0 ← 1 ← 2 and a node 3 apart; each carries a mesh. Node 1 is hidden from one second on.
    fn scene() -> Scene {
        let node =
            |parent: Option<usize>| Node::new("", parent.map(JointId::new), Transform::IDENTITY);
        let instance = |joint: usize| Instance {
            joint: JointId::new(joint),
            mesh: MeshId::new(0),
            skin: None,
            weights: Vec::new(),
        };
        let rows = Rows::new(vec![0.0, 1.0], vec![1.0, 0.0], 1, Interpolation::Step);
        let track = PropertyTrack { property: PropertyId::new(0), rows: rows.expect("two rows") };
        Scene::new(SceneParts {
            nodes: vec![node(None), node(Some(0)), node(Some(1)), node(None)],
            meshes: vec![Mesh::default()],
            instances: (0..4).map(instance).collect(),
            properties: vec![AnimatedProperty {
                property: Property::Visible(JointId::new(1)),
                rest: [1.0, 0.0, 0.0, 0.0],
            }],
            clips: vec![Clip { duration: 2.0, properties: vec![track], ..Clip::default() }],
            ..SceneParts::default()
        })
        .expect("the parts fit")
    }

    #[test]
    fn a_hidden_node_hides_what_hangs_under_it_and_nothing_else() {
        let scene = scene();
        let (mut pose, mut hidden) = (Pose::new(&scene), Hidden::new(&scene));
        hidden.update(&pose);
        assert_eq!(hidden.flags(), [false; 4], "at rest");
        sample(&scene.clips[0], 0.9, &mut Cursor::new(), &mut pose);
        hidden.update(&pose);
        assert_eq!(hidden.flags(), [false; 4], "before the key");
        sample(&scene.clips[0], 1.0, &mut Cursor::new(), &mut pose);
        hidden.update(&pose);
        assert_eq!(hidden.flags(), [false, true, true, false]);
        assert!(hidden.hides(2) && !hidden.hides(3));
    }

    #[test]
    fn a_scene_that_hides_nothing_keeps_no_flags() {
        let mut parts = scene().into_parts();
        parts.properties.clear();
        parts.clips.clear();
        let scene = Scene::new(parts).expect("the parts fit");
        let mut hidden = Hidden::new(&scene);
        hidden.update(&Pose::new(&scene));
        assert!(hidden.flags().is_empty() && !hidden.hides(0));
    }
}
