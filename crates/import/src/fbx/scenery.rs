//! What hangs under the nodes: meshes with their skins and shapes, lights, cameras.
//!
//! A mesh that several nodes share with the same materials is made once.

use std::collections::HashMap;

use glam::DVec3;
use sinew_scene::{
    AnimatedProperty, Camera, Instance, InstanceId, Light, MaterialId, Mesh, MeshId, Property,
    Skin, SkinId,
};

use super::morph::Blend;
use super::node::{self, Seat, Tree};
use super::number::dvec3;
use super::{light, mesh, skin};
use crate::open::Context;
use crate::{ImportError, Place};

/// What hangs on the nodes.
#[derive(Default)]
pub(super) struct Scenery<'a> {
    pub(super) instances: Vec<Instance>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) skins: Vec<Skin>,
    pub(super) lights: Vec<Light>,
    pub(super) cameras: Vec<Camera>,
    pub(super) properties: Vec<AnimatedProperty>,
    /// The instances whose weights a take may drive.
    pub(super) blends: Vec<(InstanceId, Blend<'a>)>,
    known_meshes: HashMap<(u32, Vec<Option<u32>>), MeshId>,
    known_skins: HashMap<u32, SkinId>,
}

pub(super) fn scenery<'a>(
    scene: &'a ufbx::Scene,
    tree: &mut Tree,
    context: &mut Context<'_>,
) -> Result<Scenery<'a>, ImportError> {
    let mut scenery = Scenery::default();
    for node in &scene.nodes {
        let Some(seat) = tree.seat(node) else { continue };
        if !node::is_visible(node) {
            let property = Property::Visible(seat.whole);
            scenery.properties.push(AnimatedProperty { property, rest: [0.0; 4] });
        }
        for element in &node.all_attribs {
            scenery.hang(node, element, seat, tree, context)?;
        }
    }
    skin::remark(scene, context);
    remark(scene, context);
    Ok(scenery)
}

impl<'a> Scenery<'a> {
    fn hang(
        &mut self,
        node: &'a ufbx::Node,
        element: &'a ufbx::Element,
        seat: Seat,
        tree: &mut Tree,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let name = &*node.element.name;
        if let Some(mesh) = ufbx::as_mesh(element) {
            self.mesh(node, mesh, seat, tree, context)?;
        } else if let Some(found) = ufbx::as_light(element) {
            self.lights.push(light::light(found, name, seat.geometry, &mut tree.nodes, context));
        } else if let Some(found) = ufbx::as_camera(element) {
            self.cameras.push(light::camera(found, name, seat.geometry, &mut tree.nodes));
        } else if let Some(found) = ufbx::as_line_curve(element) {
            let part = mesh::line(found, context)?;
            if !part.primitive.indices.is_empty() {
                let primitives = vec![part.primitive];
                self.meshes.push(Mesh { name: name.to_owned(), primitives, ..Mesh::default() });
                self.place(seat, MeshId::new(self.meshes.len() - 1), None, Vec::new());
            }
        }
        Ok(())
    }

    fn mesh(
        &mut self,
        node: &'a ufbx::Node,
        mesh: &'a ufbx::Mesh,
        seat: Seat,
        tree: &Tree,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let deformer = mesh.skin_deformers.iter().next().map(|deformer| &**deformer);
        let bent = deformer.filter(|deformer| !deformer.clusters.is_empty());
        let first = mesh.element.instances.iter().next();
        if bent.is_some()
            && first.is_some_and(|first| first.element.typed_id != node.element.typed_id)
        {
            let text =
                "a skinned mesh hangs under several nodes; it is drawn once, where its joints are";
            context.notes.add(Place::part(node.element.name.to_string()), text);
            return Ok(());
        }
        let blend = Blend::of(mesh);
        let materials: Vec<Option<u32>> = (0..mesh.material_parts.len())
            .map(|slot| node.materials.get(slot).map(|material| material.element.typed_id))
            .collect();
        let key = (mesh.element.typed_id, materials);
        let known = self.known_meshes.get(&key).copied();
        let id = match known {
            Some(id) => id,
            None => {
                let made = self.make(mesh, &key.1, bent, blend.as_ref(), context)?;
                self.meshes.push(made);
                let id = MeshId::new(self.meshes.len() - 1);
                self.known_meshes.insert(key, id);
                id
            }
        };
        if self.meshes[id.index()].primitives.is_empty() {
            return Ok(());
        }
        let skin = bent.map(|deformer| self.skin(deformer, tree, context));
        let weights = blend.as_ref().map_or_else(Vec::new, Blend::rest);
        let instance = self.place(seat, id, skin, weights);
        self.blends.extend(blend.map(|blend| (instance, blend)));
        Ok(())
    }

    fn make(
        &self,
        mesh: &ufbx::Mesh,
        materials: &[Option<u32>],
        bent: Option<&ufbx::SkinDeformer>,
        blend: Option<&Blend<'_>>,
        context: &mut Context<'_>,
    ) -> Result<Mesh, ImportError> {
        let mut made = Mesh { name: mesh::name_of(mesh).to_owned(), ..Mesh::default() };
        made.morph_names = blend.map_or_else(Vec::new, Blend::names);
        for mut part in mesh::parts(mesh, context)? {
            if let Some(deformer) = bent {
                skin::bind(deformer, &mut part, context);
            }
            if let Some(blend) = blend {
                blend.bind(&mut part, mesh.num_vertices, context)?;
            }
            let material = materials.get(part.slot).copied().flatten();
            part.primitive.material = material.map(|number| MaterialId::new(number as usize));
            made.primitives.push(part.primitive);
        }
        Ok(made)
    }

    fn skin(
        &mut self,
        deformer: &ufbx::SkinDeformer,
        tree: &Tree,
        context: &mut Context<'_>,
    ) -> SkinId {
        if let Some(&known) = self.known_skins.get(&deformer.element.typed_id) {
            return known;
        }
        self.skins.push(skin::skin(deformer, tree, context));
        let id = SkinId::new(self.skins.len() - 1);
        self.known_skins.insert(deformer.element.typed_id, id);
        id
    }

    fn place(
        &mut self,
        seat: Seat,
        mesh: MeshId,
        skin: Option<SkinId>,
        weights: Vec<f32>,
    ) -> InstanceId {
        self.instances.push(Instance { joint: seat.geometry, mesh, skin, weights });
        InstanceId::new(self.instances.len() - 1)
    }
}

fn remark(scene: &ufbx::Scene, context: &mut Context<'_>) {
    let left_out = [
        (scene.nurbs_curves.len(), "a NURBS curve is left out"),
        (
            scene.nurbs_surfaces.len() + scene.nurbs_trim_surfaces.len(),
            "a NURBS surface is left out",
        ),
        (scene.procedural_geometries.len(), "a procedural geometry is left out"),
        (scene.constraints.len(), "a constraint is left out; what it did to the takes is kept"),
    ];
    for (count, text) in left_out {
        for _ in 0..count.min(1000) {
            context.notes.add(Place::Whole, text);
        }
    }
    if !scene.lod_groups.is_empty() {
        context.notes.add(Place::Whole, "all levels of detail are drawn");
    }
}

/// The diagonal of the model at rest, in the file's units: what errors are measured by.
pub(super) fn size(scene: &ufbx::Scene) -> f64 {
    let mut low = DVec3::INFINITY;
    let mut high = DVec3::NEG_INFINITY;
    let mut add = |point: DVec3| {
        if point.is_finite() {
            (low, high) = (low.min(point), high.max(point));
        }
    };
    for mesh in &scene.meshes {
        let skin = mesh.skin_deformers.iter().next().and_then(|skin| skin.clusters.iter().next());
        for node in &mesh.element.instances {
            let world = skin.map_or(&node.geometry_to_world, |cluster| &cluster.geometry_to_world);
            // A few hundred points give the size well enough.
            let step = (mesh.vertices.len() / 256).max(1);
            for &point in mesh.vertices.iter().step_by(step) {
                add(dvec3(ufbx::transform_position(world, point)));
            }
        }
    }
    let has_mesh = !scene.meshes.is_empty();
    for node in scene.nodes.iter().filter(|node| !has_mesh || node.bone.is_some()) {
        if node.camera.is_none() && node.light.is_none() && !node.is_root {
            let world = &node.node_to_world;
            add(DVec3::new(world.m03, world.m13, world.m23));
        }
    }
    let size = (high - low).length();
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}
