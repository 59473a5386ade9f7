//! All vertices of a scene in one list: of every primitive of every mesh instance, in order.
//!
//! In:  a scene.
//! Out: which mesh and joint each number of that list belongs to.

use sinew_scene::{Instance, JointId, Primitive, Scene, Skin};

/// The vertices of a scene, numbered through.
#[derive(Debug)]
pub(crate) struct Surface<'a> {
    scene: &'a Scene,
    parts: Vec<Part>,
    vertices: usize,
}

/// One primitive of one mesh instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) instance: usize,
    pub(crate) primitive: usize,
    /// The number of its first vertex.
    pub(crate) first: usize,
}

impl<'a> Surface<'a> {
    pub(crate) fn new(scene: &'a Scene) -> Self {
        let (mut parts, mut first) = (Vec::new(), 0);
        for (instance, drawn) in scene.instances.iter().enumerate() {
            let primitives = &scene.meshes[drawn.mesh.index()].primitives;
            for (primitive, shape) in primitives.iter().enumerate() {
                parts.push(Part { instance, primitive, first });
                first += shape.positions.len();
            }
        }
        Self { scene, parts, vertices: first }
    }

    pub(crate) fn len(&self) -> usize {
        self.vertices
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub(crate) fn shape(&self, part: &Part) -> (&'a Instance, &'a Primitive) {
        let instance = &self.scene.instances[part.instance];
        (instance, &self.scene.meshes[instance.mesh.index()].primitives[part.primitive])
    }

    pub(crate) fn instance(&self, instance: usize) -> &'a Instance {
        &self.scene.instances[instance]
    }

    /// The skin of a mesh instance.
    pub(crate) fn skin(&self, instance: usize) -> Option<&'a Skin> {
        self.scene.instances[instance].skin.map(|skin| &self.scene.skins[skin.index()])
    }

    /// The parts of one mesh instance.
    pub(crate) fn parts_of(&self, instance: usize) -> &[Part] {
        let from = self.parts.partition_point(|part| part.instance < instance);
        let to = self.parts.partition_point(|part| part.instance <= instance);
        &self.parts[from..to]
    }

    /// Which part a vertex is of, and its number there.
    pub(crate) fn find(&self, vertex: usize) -> (Part, usize) {
        // Parts without vertices begin where the next one does: the last that begins there has it.
        let at = self.parts.partition_point(|part| part.first <= vertex);
        let part = self.parts[at - 1];
        (part, vertex - part.first)
    }

    /// The joint that influences a vertex most; the node of a mesh that no joint deforms.
    pub(crate) fn joint(&self, vertex: usize) -> JointId {
        let (part, vertex) = self.find(vertex);
        let (instance, primitive) = self.shape(&part);
        let skin = instance.skin.map(|skin| &self.scene.skins[skin.index()]);
        let influences =
            if vertex < primitive.influences.len() { primitive.influences.of(vertex) } else { &[] };
        let strongest = influences.iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
        skin.zip(strongest)
            .and_then(|(skin, influence)| skin.joints.get(influence.joint as usize))
            .copied()
            .unwrap_or(instance.joint)
    }

    /// How strongly joints influence a vertex: by node, in no order.
    pub(crate) fn weights(&self, vertex: usize) -> Vec<(JointId, f32)> {
        let (part, vertex) = self.find(vertex);
        let (instance, primitive) = self.shape(&part);
        match instance.skin {
            Some(skin) if vertex < primitive.influences.len() => {
                let joints = &self.scene.skins[skin.index()].joints;
                let influences = primitive.influences.of(vertex).iter();
                influences.map(|one| (joints[one.joint as usize], one.weight)).collect()
            }
            _ => vec![(instance.joint, 1.0)],
        }
    }

    /// What a mesh instance is called: by its mesh, else by its node.
    pub(crate) fn mesh_name(&self, instance: usize) -> &'a str {
        let drawn = &self.scene.instances[instance];
        let name = &self.scene.meshes[drawn.mesh.index()].name;
        if name.is_empty() { self.node_name(instance) } else { name }
    }

    /// What the node of a mesh instance is called.
    pub(crate) fn node_name(&self, instance: usize) -> &'a str {
        &self.scene.skeleton().node(self.scene.instances[instance].joint).name
    }
}
