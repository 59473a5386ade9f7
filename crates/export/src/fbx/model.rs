//! Nodes as models: transforms, kinds, and who is whose parent.
//!
//! In:  the scene's tree and what hangs in it.
//! Out: models in the file, and which of them stand for which node, mesh, camera and light.
//!
//! A model has one kind. A node that carries one thing and is no bone is a model of that kind; else what it carries gets a model of its own
//! below it. A sheared node is three models in a row: its tracks drive the first, its children hang under the last.

use glam::{DMat3, DQuat};
use sinew_scene::{CameraId, InstanceId, LightId, Node as SceneNode, Property, Scene, Transform};

use super::bind::Binds;
use super::document::{Document, Id};
use super::light;
use super::properties::Properties;
use super::shear::unshear;
use super::source::degrees_near;

/// Which models stand for what.
pub(super) struct Models {
    /// For each node the model that its tracks drive.
    pub(super) driven: Vec<Id>,
    /// For each node the model that is where the node is.
    pub(super) whole: Vec<Id>,
    /// For each instance the model of its mesh; `None` when the mesh has nothing to draw.
    pub(super) meshes: Vec<Option<Id>>,
}

/// What a node carries.
#[derive(Clone, Copy)]
enum Attached {
    Mesh(InstanceId),
    Camera(CameraId),
    Light(LightId),
}

struct Builder<'a> {
    scene: &'a Scene,
    binds: &'a Binds,
    per_metre: f64,
    document: &'a mut Document,
    models: Models,
    has_children: Vec<bool>,
}

pub(super) fn models(
    scene: &Scene,
    binds: &Binds,
    per_metre: f64,
    document: &mut Document,
) -> Models {
    let nodes = scene.skeleton().nodes();
    let mut attached = vec![Vec::new(); nodes.len()];
    for (number, instance) in scene.instances.iter().enumerate() {
        let drawn = scene[instance.mesh].primitives.iter().any(|part| !part.indices.is_empty());
        if drawn {
            attached[instance.joint.index()].push(Attached::Mesh(InstanceId::new(number)));
        }
    }
    for (number, camera) in scene.cameras.iter().enumerate() {
        attached[camera.joint.index()].push(Attached::Camera(CameraId::new(number)));
    }
    for (number, light) in scene.lights.iter().enumerate() {
        attached[light.joint.index()].push(Attached::Light(LightId::new(number)));
    }
    let mut has_children = vec![false; nodes.len()];
    nodes.iter().filter_map(|node| node.parent).for_each(|up| has_children[up.index()] = true);
    let models =
        Models { driven: vec![], whole: vec![], meshes: vec![None; scene.instances.len()] };
    let mut builder = Builder { scene, binds, per_metre, document, models, has_children };
    for (at, things) in attached.iter().enumerate() {
        builder.node(at, things);
    }
    builder.remark();
    builder.models
}

impl Builder<'_> {
    fn node(&mut self, at: usize, things: &[Attached]) {
        let node = &self.scene.skeleton().nodes()[at];
        let parent = node.parent.map_or(Id::ROOT, |parent| self.models.whole[parent.index()]);
        let own = things.first().copied().filter(|_| things.len() == 1 && self.is_plain(at));
        let quiet = !self.has_children[at] && !self.binds.driven[at];
        let name = name_or(&node.name, "node", at);
        if let Some(Attached::Mesh(instance)) = own {
            let moved = self.binds.moved[instance.index()];
            if moved.is_none() || quiet {
                let (rest, parent) = moved.map_or((node.rest, parent), |moved| (moved, Id::ROOT));
                let id = self.model(&name, "Mesh", rest, parent, self.is_visible(at));
                self.models.meshes[instance.index()] = Some(id);
                self.models.driven.push(id);
                self.models.whole.push(id);
                return;
            }
        } else if let Some(thing) = own.filter(|_| quiet) {
            let (kind, aim) = aim_of(thing);
            let rest = Transform { rotation: (node.rest.rotation * aim).normalize(), ..node.rest };
            let id = self.model(&name, kind, rest, parent, self.is_visible(at));
            self.attribute(thing, id);
            self.models.driven.push(id);
            self.models.whole.push(id);
            return;
        }
        let kind = if self.binds.limbs[at] { "LimbNode" } else { "Null" };
        let first = self.model(&name, kind, node.rest, parent, self.is_visible(at));
        self.plain_attribute(&name, kind, first);
        let whole = self.sheared(node, &name, kind, first);
        self.models.driven.push(first);
        self.models.whole.push(whole);
        for &thing in things {
            self.below(thing, &name, whole);
        }
    }

    /// Whether a node may itself be what it carries.
    fn is_plain(&self, at: usize) -> bool {
        !self.binds.limbs[at] && self.scene.skeleton().nodes()[at].shear.is_none()
    }

    /// Something that a node carries, as a model of its own.
    fn below(&mut self, thing: Attached, name: &str, under: Id) {
        match thing {
            Attached::Mesh(instance) => {
                let mesh = &self.scene[self.scene[instance].mesh].name;
                let name = if mesh.is_empty() { name } else { mesh };
                let moved = self.binds.moved[instance.index()];
                let (rest, under) =
                    moved.map_or((Transform::IDENTITY, under), |moved| (moved, Id::ROOT));
                let id = self.model(name, "Mesh", rest, under, true);
                self.models.meshes[instance.index()] = Some(id);
            }
            _ => {
                let (kind, aim) = aim_of(thing);
                let own = match thing {
                    Attached::Camera(camera) => &self.scene[camera].name,
                    Attached::Light(light) => &self.scene[light].name,
                    Attached::Mesh(_) => name,
                };
                let name = if own.is_empty() { name } else { own };
                let id = self.model(name, kind, Transform::from_rotation(aim), under, true);
                self.attribute(thing, id);
            }
        }
    }

    fn attribute(&mut self, thing: Attached, model: Id) {
        match thing {
            Attached::Camera(camera) => {
                light::camera(&self.scene[camera], model, self.per_metre, self.document);
            }
            Attached::Light(light) => {
                light::light(&self.scene[light], model, self.per_metre, self.document);
            }
            Attached::Mesh(_) => {}
        }
    }

    /// What makes a model a bone or an empty.
    fn plain_attribute(&mut self, name: &str, kind: &str, model: Id) {
        let (id, node) = self.document.start("NodeAttribute", name, "NodeAttribute", kind);
        let flags = if kind == "LimbNode" { "Skeleton" } else { "Null" };
        let size = Properties::default().number("Size", self.per_metre);
        self.document.add(node.child(size.node()).field("TypeFlags", flags));
        self.document.connect(id, model);
    }

    /// The last of the models that a sheared node takes; for any other node the one it has.
    fn sheared(&mut self, node: &SceneNode, name: &str, kind: &str, first: Id) -> Id {
        let Some(shear) = node.shear else { return first };
        let [x, y, z] = [shear.x_axis, shear.y_axis, shear.z_axis].map(|axis| axis.as_dvec3());
        let parts = unshear(DMat3::from_cols(x, y, z));
        let scaled = Transform {
            rotation: parts.outer.as_quat(),
            scale: parts.scale.as_vec3(),
            ..Transform::IDENTITY
        };
        let middle = self.model(&format!("{name}_shear"), kind, scaled, first, true);
        self.plain_attribute(name, kind, middle);
        let inner = Transform::from_rotation(parts.inner.as_quat());
        let last = self.model(&format!("{name}_unshear"), kind, inner, middle, true);
        self.plain_attribute(name, kind, last);
        last
    }

    fn model(&mut self, name: &str, kind: &str, rest: Transform, parent: Id, visible: bool) -> Id {
        let (id, node) = self.document.start("Model", name, "Model", kind);
        let translation = rest.translation.as_dvec3() * self.per_metre;
        let rotation: DQuat = rest.rotation.as_dquat().normalize();
        let properties = Properties::default()
            // The whole matrix of the parent, scale included.
            .choice("InheritType", 1)
            .vector("ScalingMax", [0.0; 3])
            .int("DefaultAttributeIndex", 0)
            .own("Lcl Translation", &translation.to_array())
            .own("Lcl Rotation", &degrees_near(rotation, [0.0; 3]))
            .own("Lcl Scaling", &rest.scale.as_dvec3().to_array())
            .own("Visibility", &[if visible { 1.0 } else { 0.0 }]);
        let node = node.field("Version", 232).child(properties.node());
        self.document.add(node.field("Shading", true).field("Culling", "CullingOff"));
        self.document.connect(id, parent);
        id
    }

    fn is_visible(&self, at: usize) -> bool {
        !self.scene.properties.iter().any(|entry| {
            matches!(entry.property, Property::Visible(joint) if joint.index() == at)
                && entry.rest[0] == 0.0
        })
    }

    fn remark(&mut self) {
        let sheared = self.scene.skeleton().sheared().len();
        if sheared > 0 {
            let text = crate::exported::counted(sheared, "sheared node has", "sheared nodes have");
            self.document.notes.push(format!("{text} two helper nodes, which keep the shear"));
        }
    }
}

fn aim_of(thing: Attached) -> (&'static str, sinew_scene::glam::Quat) {
    match thing {
        Attached::Camera(_) => ("Camera", light::camera_aim()),
        _ => ("Light", light::light_aim()),
    }
}

/// A name, or a number where there is none: other programs tell objects apart by their names.
pub(super) fn name_or(name: &str, what: &str, number: usize) -> String {
    if name.is_empty() { format!("{what}_{number}") } else { name.to_owned() }
}
