//! What is drawn along a model: its path over the floor, and the normals of its vertices.

use sinew::glam::Vec3;
use sinew::stage::Trail;
use sinew::{InstanceId, JointId};

use super::Stage;
use crate::model::Model;

impl Stage {
    /// The path of a joint, or of the root, over the floor.
    pub(super) fn path(&mut self, model: &Model, joint: Option<JointId>) {
        if model.graph.is_some() {
            return self.root_path(model);
        }
        let Some(clip) = model.clip() else { return };
        let wanted = (model.id, clip, joint);
        if !self.paths.iter().any(|(known, ..)| *known == wanted) {
            // The root is found by a look at many joints: once is enough.
            let found = joint.or_else(|| sinew::stage::walker(model.scene(), clip.index()));
            let Some(found) = found else { return };
            let trail = Trail::of_clip(model.scene(), clip.index(), found);
            self.paths.push((wanted, found, trail));
        }
        let found = self.paths.iter().find(|(known, ..)| *known == wanted);
        let Some((_, joint, path)) = found else { return };
        let world = model.actor.world_from_model();
        let now = Vec3::from(self.joints[joint.index()].translation);
        let size = model.bounds.size().length();
        path.draw(world, model.bounds.min.y, size, Some(now), &mut self.frame.overlay);
    }

    /// Where a graph's root motion has led: behind the model, for it stays where it is.
    fn root_path(&mut self, model: &Model) {
        let world = model.actor.world_from_model();
        let now = world.transform_point3(model.root_position());
        let size = model.bounds.size().length();
        let floor = model.bounds.min.y;
        model.root_path.trail().draw(world, floor, size, Some(now), &mut self.frame.overlay);
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
