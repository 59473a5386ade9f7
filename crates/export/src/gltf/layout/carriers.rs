//! Nodes that carry meshes, lights and cameras.
//!
//! In:  any number of each under a node of the scene. Out: at most one of each under a node of the document.

use sinew_scene::{InstanceId, JointId, MeshId, Transform};

use super::{Builder, DocNode, Form, Layout};

impl Builder<'_> {
    pub(super) fn place_instance(&mut self, id: InstanceId, skinned_at_root: bool) {
        let instance = &self.scene[id];
        let (form, follower) = self.form(id);
        let mesh = self.mesh_numbers.get(&(instance.mesh, form)).copied();
        let skin = instance.skin.and_then(|skin| self.skin_numbers.get(&(skin, follower)).copied());
        let skin = skin.filter(|_| mesh.is_some() && form != Form::Rigid);
        let carrier = match skin {
            Some(_) if skinned_at_root => self.skinned_carrier(instance.joint, instance.mesh),
            _ => self.carrier(instance.joint, instance.mesh),
        };
        let node = &mut self.layout.nodes[carrier];
        (node.mesh, node.skin, node.weights) = (mesh, skin, instance.weights.clone());
        self.layout.carriers.push(carrier);
    }

    /// The joint's own node, or one under it when that has a mesh already.
    fn carrier(&mut self, joint: JointId, mesh: MeshId) -> usize {
        let node = self.inner[joint.index()];
        if self.layout.nodes[node].mesh.is_none() {
            return node;
        }
        let name = self.mesh_node_name(joint, mesh);
        self.add_under(node, name, Transform::IDENTITY)
    }

    /// A root at the identity: a skinned mesh goes where its joints go, and readers differ in what else they let move it.
    fn skinned_carrier(&mut self, joint: JointId, mesh: MeshId) -> usize {
        let at = joint.index();
        let above = self.scene.skeleton().node(joint).parent;
        let node = &mut self.layout.nodes[at];
        let calm = node.parent.is_none() && node.place == Transform::IDENTITY && !self.animated[at];
        let hidden_above = above.is_some_and(|above| self.switched[above.index()]);
        let alone = self.uses[at] == 1 && self.inner[at] == at && !self.animated[at];
        if node.mesh.is_none() && (calm || (alone && !hidden_above)) {
            node.parent = None;
            node.place = Transform::IDENTITY;
            return at;
        }
        if self.switched[at] {
            return self.carrier(joint, mesh);
        }
        let name = self.mesh_node_name(joint, mesh);
        self.add(DocNode { name, ..DocNode::default() })
    }

    fn mesh_node_name(&self, joint: JointId, mesh: MeshId) -> String {
        let own = &self.scene[joint].name;
        let name = &self.scene[mesh].name;
        if name.is_empty() || name == own { format!("{own} mesh") } else { name.clone() }
    }

    pub(super) fn place_lights_and_cameras(&mut self) {
        for (at, camera) in self.scene.cameras.iter().enumerate() {
            let mut node = self.inner[camera.joint.index()];
            if self.layout.nodes[node].camera.is_some() {
                node = self.add_under(node, camera.name.clone(), Transform::IDENTITY);
            }
            self.layout.nodes[node].camera = Some(at);
        }
        for (at, light) in self.scene.lights.iter().enumerate() {
            let mut node = self.inner[light.joint.index()];
            if self.layout.nodes[node].light.is_some() {
                node = self.add_under(node, light.name.clone(), Transform::IDENTITY);
            }
            self.layout.nodes[node].light = Some(at);
        }
    }

    /// Morph weights that all nodes of a mesh have are the mesh's.
    pub(super) fn share_weights(&mut self) {
        let Layout { nodes, meshes, .. } = &mut self.layout;
        let mut carriers: Vec<Vec<usize>> = vec![Vec::new(); meshes.len()];
        for (at, node) in nodes.iter_mut().enumerate() {
            match node.mesh {
                Some(mesh) => carriers[mesh].push(at),
                None => node.weights.clear(),
            }
        }
        for (mesh, carriers) in meshes.iter_mut().zip(carriers) {
            let Some((&first, others)) = carriers.split_first() else { continue };
            let weights = nodes[first].weights.clone();
            if others.iter().all(|&other| nodes[other].weights == weights) {
                carriers.iter().for_each(|&node| nodes[node].weights.clear());
                mesh.weights = if weights.iter().all(|&w| w == 0.0) { Vec::new() } else { weights };
            }
        }
    }
}
