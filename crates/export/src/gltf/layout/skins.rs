//! Meshes and skins in the forms that instances need them in.
//!
//! In:  instances with or without a skin, vertices with or without influences.
//! Out: a mesh for each form; skins of distinct joints, with one more for vertices that no joint influences; one root above the
//! joints of each skin.

use std::collections::HashMap;

use sinew_scene::{InstanceId, JointId, MeshId, SkinId, Transform};

use super::{Builder, DocMesh, DocNode, DocSkin, Form, is_drawn};
use crate::gltf::note::Notes;

impl Builder<'_> {
    /// How an instance uses its mesh, and the node that carries what no joint influences.
    pub(super) fn form(&self, instance: InstanceId) -> (Form, Option<JointId>) {
        let instance = &self.scene[instance];
        let Some(skin) = instance.skin.filter(|&skin| !self.scene[skin].joints.is_empty()) else {
            return (Form::Rigid, None);
        };
        let mut primitives = self.scene[instance.mesh].primitives.iter().filter(|p| is_drawn(p));
        let loose = primitives.any(|primitive| {
            let mut each = primitive.influences.iter();
            primitive.influences.is_empty() || each.any(|all| !all.iter().any(|i| i.weight > 0.0))
        });
        if !loose {
            return (Form::Skinned(None), None);
        }
        let last = u32::try_from(self.scene[skin].joints.len()).unwrap_or(u32::MAX);
        (Form::Skinned(Some(last)), Some(instance.joint))
    }

    /// Every mesh and skin, in the scene's order, in each form that an instance needs; once, when none does.
    pub(super) fn list_meshes(&mut self) {
        let scene = self.scene;
        let mut forms: Vec<Vec<Form>> = vec![Vec::new(); scene.meshes.len()];
        let mut followers: Vec<Vec<Option<JointId>>> = vec![Vec::new(); scene.skins.len()];
        for (at, instance) in scene.instances.iter().enumerate() {
            let (form, follower) = self.form(InstanceId::new(at));
            forms[instance.mesh.index()].push(form);
            if let Some(skin) = instance.skin {
                followers[skin.index()].push(follower);
            }
        }
        for (at, mut used) in forms.into_iter().enumerate() {
            let mesh = MeshId::new(at);
            if used.is_empty() {
                let skinned = scene[mesh].primitives.iter().all(|p| !p.influences.is_empty());
                used.push(if skinned { Form::Skinned(None) } else { Form::Rigid });
            }
            if !scene[mesh].primitives.iter().any(is_drawn) {
                continue;
            }
            for form in used {
                let next = self.layout.meshes.len();
                if *self.mesh_numbers.entry((mesh, form)).or_insert(next) == next {
                    self.layout.meshes.push(DocMesh { mesh, form, weights: Vec::new() });
                }
            }
        }
        for (at, mut used) in followers.into_iter().enumerate() {
            let skin = SkinId::new(at);
            if used.is_empty() {
                used.push(None);
            }
            for follower in used.into_iter().filter(|_| !scene[skin].joints.is_empty()) {
                self.list_skin(skin, follower);
            }
        }
    }

    fn list_skin(&mut self, skin: SkinId, follower: Option<JointId>) {
        let next = self.layout.skins.len();
        if *self.skin_numbers.entry((skin, follower)).or_insert(next) != next {
            return;
        }
        if let Some(joint) = follower {
            self.uses[joint.index()] += 1;
        }
        let mut seen: HashMap<JointId, usize> = HashMap::new();
        let all: Vec<JointId> = self.scene[skin].joints.iter().copied().chain(follower).collect();
        let joints = all.into_iter().map(|joint| {
            let times = seen.entry(joint).or_default();
            *times += 1;
            self.double(joint, *times)
        });
        let joints = joints.collect();
        self.layout.skins.push(DocSkin { skin, joints, follows: follower.is_some() });
    }

    /// The node for the first, second, … time that a skin names a joint.
    fn double(&mut self, joint: JointId, time: usize) -> usize {
        let node = self.inner[joint.index()];
        if time == 1 {
            return node;
        }
        if let Some(&known) = self.doubles.get(&(joint, time)) {
            return known;
        }
        let name = format!("{} {time}", self.layout.nodes[joint.index()].name);
        let made = self.add_under(node, name, Transform::IDENTITY);
        self.doubles.insert((joint, time), made);
        made
    }

    /// A node above those roots that a skin's joints are spread over: glTF wants a common one.
    pub(super) fn join_roots(&mut self, notes: &mut Notes) {
        let roots = root_of_each(&self.layout.nodes);
        let mut spread: Vec<usize> = Vec::new();
        for skin in &self.layout.skins {
            let mut own: Vec<usize> = skin.joints.iter().map(|&joint| roots[joint]).collect();
            own.sort_unstable();
            own.dedup();
            if own.len() > 1 {
                spread.extend(own);
            }
        }
        if spread.is_empty() {
            return;
        }
        notes.add("the joints of a skin have no common root: one is added above them");
        let root = self.add(DocNode { name: "root".into(), ..DocNode::default() });
        spread.into_iter().for_each(|node| self.layout.nodes[node].parent = Some(root));
    }
}

/// The root above each node.
fn root_of_each(nodes: &[DocNode]) -> Vec<usize> {
    let mut roots: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut path = Vec::new();
    for start in 0..nodes.len() {
        let mut at = start;
        let root = loop {
            path.push(at);
            match (roots[at], nodes[at].parent) {
                (Some(root), _) => break root,
                (None, Some(parent)) => at = parent,
                (None, None) => break at,
            }
        };
        path.drain(..).for_each(|node| roots[node] = Some(root));
    }
    roots.into_iter().map(|root| root.unwrap_or_default()).collect()
}
