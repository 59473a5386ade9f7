//! Which node of the document carries what.
//!
//! In:  a scene, in which a node may carry any number of meshes, lights and cameras, and a skin may name a joint twice.
//! Out: nodes with at most one of each, skins with distinct joints under one root, and a mesh for each form it is used in.
//!
//! The nodes of the scene come first and keep their numbers; nodes that glTF needs besides come after them.

mod carriers;
mod skins;

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
}
