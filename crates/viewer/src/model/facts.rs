//! What is known about a model's scene once it is open: names, what is below what, how much there is.
//!
//! In:  a scene.
//! Out: lists and totals, worked out once.

use sinew::glam::Affine3A;
use sinew::scene::Topology;
use sinew::{InstanceId, JointId, Scene};

use super::Model;
use crate::timeline::Timeline;

/// What is known about a scene.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// One for each clip.
    pub(crate) timelines: Vec<Timeline>,
    /// Which nodes are drawn as bones.
    pub(crate) bones: Vec<bool>,
    /// Of each node.
    pub(crate) children: Vec<Vec<JointId>>,
    /// The mesh instances at each node.
    pub(crate) meshes: Vec<Vec<InstanceId>>,
    pub(crate) totals: Totals,
}

/// What there is, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
    pub(crate) influences: usize,
    pub(crate) morphs: usize,
}

impl Facts {
    pub(super) fn of(scene: &Scene) -> Self {
        let count = scene.skeleton().len();
        let mut children = vec![Vec::new(); count];
        for joint in scene.skeleton().ids() {
            if let Some(parent) = scene.skeleton().parents()[joint.index()] {
                children[parent.index()].push(joint);
            }
        }
        let mut meshes = vec![Vec::new(); count];
        for (index, instance) in scene.instances.iter().enumerate() {
            meshes[instance.joint.index()].push(InstanceId::new(index));
        }
        Self {
            timelines: scene.clips.iter().map(Timeline::new).collect(),
            bones: sinew::stage::bones(scene),
            children,
            meshes,
            totals: totals(scene),
        }
    }
}

impl Model {
    /// Where a node is in the world.
    pub(crate) fn world_from_joint(&self, joint: JointId) -> Affine3A {
        self.actor.world_from_model() * self.actor.pose().model_from_joint()[joint.index()]
    }

    /// A node and everything under it.
    pub(crate) fn below(&self, joint: JointId) -> Vec<JointId> {
        let mut found = vec![joint];
        let mut next = 0;
        while next < found.len() {
            found.extend_from_slice(&self.facts.children[found[next].index()]);
            next += 1;
        }
        found
    }

    /// Whether anything in it can move.
    pub(crate) fn can_move(&self) -> bool {
        !self.scene().clips.is_empty() || !self.scene().skins.is_empty()
    }

    /// What people call a node.
    pub(crate) fn name_of(&self, joint: JointId) -> String {
        match &self.scene().skeleton().node(joint).name {
            name if name.is_empty() => format!("node {}", joint.index()),
            name => name.clone(),
        }
    }

    /// What people call the mesh of an instance.
    pub(crate) fn name_of_mesh(&self, instance: InstanceId) -> String {
        let mesh = self.scene().instances[instance.index()].mesh;
        match &self.scene().meshes[mesh.index()].name {
            name if name.is_empty() => format!("mesh {}", mesh.index()),
            name => name.clone(),
        }
    }

    /// How many vertices a joint influences, and its strongest influence.
    pub(crate) fn influence(&self, joint: JointId) -> (usize, f32) {
        let scene = self.scene();
        let mut vertices = 0;
        let mut strongest = 0.0_f32;
        for instance in &scene.instances {
            let Some(skin) = instance.skin else { continue };
            let skin = &scene.skins[skin.index()];
            let Some(place) = skin.joints.iter().position(|known| *known == joint) else {
                continue;
            };
            for primitive in &scene.meshes[instance.mesh.index()].primitives {
                for influence in primitive.influences.all() {
                    if influence.joint as usize == place {
                        vertices += 1;
                        strongest = strongest.max(influence.weight);
                    }
                }
            }
        }
        (vertices, strongest)
    }
}

fn totals(scene: &Scene) -> Totals {
    let mut totals = Totals::default();
    for instance in &scene.instances {
        let mesh = &scene.meshes[instance.mesh.index()];
        totals.morphs += mesh.morph_count();
        for primitive in &mesh.primitives {
            totals.vertices += primitive.positions.len();
            totals.influences = totals.influences.max(primitive.influences.most());
            if primitive.topology == Topology::Triangles {
                totals.triangles += primitive.indices.len() / 3;
            }
        }
    }
    totals
}
