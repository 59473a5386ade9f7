//! What is drawn along a model: its way over the floor, and the normals of its vertices.

use sinew::glam::Vec3;
use sinew::stage::Trail;
use sinew::{InstanceId, JointId};

use super::Stage;
use crate::model::Model;

impl Stage {
    /// The way of a joint, or of the root, over the floor.
    pub(super) fn path(&mut self, model: &Model, joint: Option<JointId>) {
        if model.graph.is_some() {
            return self.walk(model);
        }
        let Some(clip) = model.clip else { return };
        let wanted = (model.id, clip, joint);
        if !self.paths.iter().any(|(known, ..)| *known == wanted) {
            // Who walks is found by a look at many joints: once is enough.
            let found = joint.or_else(|| sinew::stage::walker(model.scene(), clip));
            let Some(found) = found else { return };
            let trail = Trail::of_clip(model.scene(), clip, found);
            self.paths.push((wanted, found, trail));
        }
        let found = self.paths.iter().find(|(known, ..)| *known == wanted);
        let Some((_, joint, path)) = found else { return };
        let world = model.actor.world_from_model();
        let now = Vec3::from(self.joints[joint.index()].translation);
        let size = model.bounds.size().length();
        path.draw(world, model.bounds.min.y, size, Some(now), &mut self.frame.overlay);
    }

    /// The way that a graph has moved a model: behind it, for it stays where it is.
    fn walk(&mut self, model: &Model) {
        let world = model.actor.world_from_model();
        let now = world.transform_point3(model.carrier(model.actor.pose()));
        let (size, floor) = (model.bounds.size().length(), model.bounds.min.y);
        model.walk.trail().draw(world, floor, size, Some(now), &mut self.frame.overlay);
    }

    pub(super) fn normals(&mut self, model: &Model, length: f32) {
        for (index, instance) in model.scene().instances.iter().enumerate() {
            let mesh = &model.scene().meshes[instance.mesh.index()];
            for primitive in 0..mesh.primitives.len() {
                model.actor.skin(InstanceId::new(index), primitive, &mut self.vertices);
                self.frame.overlay.normals(&self.vertices, length);
            }
        }
    }
}
