//! Which node of the document carries what.
//!
//! In:  a scene, in which a node may carry any number of meshes, lights and cameras, and a skin may name a joint twice.
//! Out: nodes with at most one of each, skins with distinct joints under one root, and a mesh for each form it is used in.
//!
//! The nodes of the scene come first and keep their numbers; nodes that glTF needs besides come after them.

use std::collections::HashMap;

use sinew_scene::{InstanceId, JointId, MeshId, Property, Scene, SkinId, Transform};

use super::note::Notes;
use super::split::split;

/// A node of the document.
#[derive(Clone, Debug, Default)]
pub(super) struct DocNode {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) place: Transform,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    /// Morph weights, where the mesh's own do not do.
    pub(super) weights: Vec<f32>,
    pub(super) camera: Option<usize>,
    pub(super) light: Option<usize>,
    /// Whether it is seen at rest, where the scene speaks of that.
    pub(super) visible: Option<bool>,
}

/// A skin of the document.
#[derive(Clone, Debug)]
pub(super) struct DocSkin {
    pub(super) skin: SkinId,
    /// Nodes of the document, each once.
    pub(super) joints: Vec<usize>,
    /// Whether a last joint carries the vertices that no joint influences.
    pub(super) follows: bool,
}

/// A mesh of the document.
#[derive(Clone, Debug)]
pub(super) struct DocMesh {
    pub(super) mesh: MeshId,
    pub(super) form: Form,
    /// Morph weights at rest, where all its nodes have the same.
    pub(super) weights: Vec<f32>,
}

/// How a mesh is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// Without a skin.
    Rigid,
    /// With a skin. The number of the joint that carries vertices without influences, where there are any.
    Skinned(Option<u32>),
}

/// What is where.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) nodes: Vec<DocNode>,
    pub(super) skins: Vec<DocSkin>,
    pub(super) meshes: Vec<DocMesh>,
    /// By instance.
    pub(super) carriers: Vec<usize>,
}

impl Layout {
    pub(super) fn new(scene: &Scene, skinned_at_root: bool, notes: &mut Notes) -> Self {
        let mut builder = Builder::new(scene);
        builder.place_nodes(notes);
        builder.set_visibility();
        builder.list_meshes();
        for instance in 0..scene.instances.len() {
            builder.place_instance(InstanceId::new(instance), skinned_at_root);
        }
        builder.place_lights_and_cameras();
        builder.share_weights();
        builder.join_roots(notes);
        builder.layout
    }

    pub(super) fn roots(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&node| self.nodes[node].parent.is_none()).collect()
    }
}

/// Whether a primitive draws anything.
pub(super) fn is_drawn(primitive: &sinew_scene::Primitive) -> bool {
    !primitive.positions.is_empty() && !primitive.indices.is_empty()
}

struct Builder<'a> {
    scene: &'a Scene,
    layout: Layout,
    /// By joint: the node that its children, joints and meshes hang under.
    inner: Vec<usize>,
    animated: Vec<bool>,
    /// By joint: how much refers to it: children, skins, instances, lights, cameras.
    uses: Vec<usize>,
    /// By joint: whether a clip or the file hides it or something above it.
    switched: Vec<bool>,
    mesh_numbers: HashMap<(MeshId, Form), usize>,
    skin_numbers: HashMap<(SkinId, Option<JointId>), usize>,
    /// Nodes that stand for a joint which a skin names more than once.
    doubles: HashMap<(JointId, usize), usize>,
}

impl<'a> Builder<'a> {
    fn new(scene: &'a Scene) -> Self {
        let count = scene.skeleton().len();
        let mut builder = Self {
            scene,
            layout: Layout {
                nodes: Vec::new(),
                skins: Vec::new(),
                meshes: Vec::new(),
                carriers: Vec::new(),
            },
            inner: vec![0; count],
            animated: vec![false; count],
            uses: vec![0; count],
            switched: vec![false; count],
            mesh_numbers: HashMap::new(),
            skin_numbers: HashMap::new(),
            doubles: HashMap::new(),
        };
        builder.count_uses();
        builder
    }

    fn count_uses(&mut self) {
        let scene = self.scene;
        for clip in &scene.clips {
            let vectors = clip.translations.iter().chain(&clip.scales).map(|track| track.joint);
            for joint in vectors.chain(clip.rotations.iter().map(|track| track.joint)) {
                self.animated[joint.index()] = true;
            }
        }
        let parents = scene.skeleton().parents().iter().flatten().copied();
        let joints = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied());
        let instances = scene.instances.iter().map(|instance| instance.joint);
        let lights = scene.lights.iter().map(|light| light.joint);
        let cameras = scene.cameras.iter().map(|camera| camera.joint);
        for joint in parents.chain(joints).chain(instances).chain(lights).chain(cameras) {
            self.uses[joint.index()] += 1;
        }
    }

    fn place_nodes(&mut self, notes: &mut Notes) {
        let scene = self.scene;
        let nodes = scene.skeleton().nodes();
        self.layout.nodes = nodes
            .iter()
            .map(|node| DocNode { name: node.name.clone(), place: node.rest, ..DocNode::default() })
            .collect();
        for (at, node) in nodes.iter().enumerate() {
            self.layout.nodes[at].parent = node.parent.map(|parent| self.inner[parent.index()]);
            self.inner[at] = at;
            let Some(shear) = node.shear else { continue };
            notes.add("a node is sheared: it is written as two, which give the same");
            if self.animated[at] {
                let (outer, inner) = split(shear);
                let outer = self.add_under(at, format!("{} shear", node.name), outer);
                self.inner[at] = self.add_under(outer, format!("{} inner", node.name), inner);
            } else {
                let (outer, inner) = split(node.parent_from_node().matrix3);
                self.layout.nodes[at].place =
                    Transform { translation: node.rest.translation, ..outer };
                self.inner[at] = self.add_under(at, format!("{} inner", node.name), inner);
            }
        }
    }

    fn add(&mut self, node: DocNode) -> usize {
        self.layout.nodes.push(node);
        self.layout.nodes.len() - 1
    }

    fn add_under(&mut self, parent: usize, name: String, place: Transform) -> usize {
        self.add(DocNode { name, parent: Some(parent), place, ..DocNode::default() })
    }

    fn set_visibility(&mut self) {
        for driven in &self.scene.properties {
            if let Property::Visible(joint) = driven.property {
                self.switched[joint.index()] = true;
                self.layout.nodes[joint.index()].visible = Some(driven.rest[0] > 0.0);
            }
        }
        for (at, parent) in self.scene.skeleton().parents().iter().enumerate() {
            self.switched[at] |= parent.is_some_and(|parent| self.switched[parent.index()]);
        }
    }

    /// How an instance uses its mesh, and the node that carries what no joint influences.
    fn form(&self, instance: InstanceId) -> (Form, Option<JointId>) {
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
    fn list_meshes(&mut self) {
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

    fn place_instance(&mut self, id: InstanceId, skinned_at_root: bool) {
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

    fn place_lights_and_cameras(&mut self) {
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
    fn share_weights(&mut self) {
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

    /// A node above those roots that a skin's joints are spread over: glTF wants a common one.
    fn join_roots(&mut self, notes: &mut Notes) {
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
