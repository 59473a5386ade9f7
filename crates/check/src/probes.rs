//! A few hundred points of the skin, to see what a motion does where it is seen.
//!
//! In:  a scene, once; then every node's matrix, pose after pose.
//! Out: where each point is.
//!
//! A point keeps where it is in the space of each of its joints, so a pose costs one product for each influence. A
//! scene without meshes is measured at its nodes.

use glam::{Affine3A, Vec3A};
use sinew_scene::{Instance, InstanceId, JointId, Scene};

/// About so many points are taken in all; meshes share them by their numbers of vertices.
const POINTS: usize = 320;
/// Each mesh has at least so many.
const LEAST: usize = 8;
/// And no more than so many meshes are looked at.
const MESHES: usize = 64;

/// A point on the skin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// `None` for a point that is a node itself.
    pub(crate) instance: Option<InstanceId>,
    /// Counted over the primitives of the mesh.
    pub(crate) vertex: usize,
    /// The joint that influences it most.
    pub(crate) joint: JointId,
    from: usize,
    to: usize,
}

/// How a joint carries a point.
#[derive(Clone, Copy, Debug)]
struct Bind {
    joint: JointId,
    weight: f32,
    in_joint: Vec3A,
}

/// Points of a scene.
#[derive(Debug, Default)]
pub(crate) struct Probes {
    pub(crate) all: Vec<Probe>,
    binds: Vec<Bind>,
}

impl Probes {
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut probes = Self::default();
        let vertices = |instance: &Instance| -> usize {
            scene[instance.mesh].primitives.iter().map(|one| one.positions.len()).sum()
        };
        let total: usize = scene.instances.iter().map(vertices).sum();
        for (at, instance) in scene.instances.iter().enumerate().take(MESHES) {
            let count = vertices(instance);
            let share = (POINTS * count / total.max(1)).max(LEAST).min(count);
            probes.add_mesh(scene, InstanceId::new(at), share, count);
        }
        if probes.all.is_empty() {
            let step = scene.skeleton().len().div_ceil(POINTS).max(1);
            scene.skeleton().ids().step_by(step).for_each(|joint| probes.add_node(joint));
        }
        probes
    }

    fn add_mesh(&mut self, scene: &Scene, id: InstanceId, share: usize, count: usize) {
        if share == 0 {
            return;
        }
        let instance = &scene[id];
        let mut wanted = (0..share).map(|at| at * count / share).peekable();
        let mut first = 0;
        for primitive in &scene[instance.mesh].primitives {
            let end = first + primitive.positions.len();
            while let Some(vertex) = wanted.next_if(|&vertex| vertex < end) {
                let point = Vec3A::from(primitive.positions[vertex - first]);
                let from = self.binds.len();
                let influences = match instance.skin {
                    Some(_) if !primitive.influences.is_empty() => {
                        primitive.influences.of(vertex - first)
                    }
                    _ => &[],
                };
                if let Some(skin) = instance.skin.map(|skin| &scene[skin]) {
                    self.binds.extend(influences.iter().map(|one| Bind {
                        joint: skin.joints[one.joint as usize],
                        weight: one.weight,
                        in_joint: skin.joint_from_mesh[one.joint as usize].transform_point3a(point),
                    }));
                }
                if self.binds.len() == from {
                    self.binds.push(Bind { joint: instance.joint, weight: 1.0, in_joint: point });
                }
                self.push(Some(id), vertex, from);
            }
            first = end;
        }
    }

    fn add_node(&mut self, joint: JointId) {
        let from = self.binds.len();
        self.binds.push(Bind { joint, weight: 1.0, in_joint: Vec3A::ZERO });
        self.push(None, 0, from);
    }

    fn push(&mut self, instance: Option<InstanceId>, vertex: usize, from: usize) {
        let to = self.binds.len();
        let most = self.binds[from..to].iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
        let joint = most.map_or(JointId::new(0), |bind| bind.joint);
        self.all.push(Probe { instance, vertex, joint, from, to });
    }

    /// Adds where each point is to `out`.
    pub(crate) fn place(&self, model_from_joint: &[Affine3A], out: &mut Vec<Vec3A>) {
        out.extend(self.all.iter().map(|probe| {
            self.binds[probe.from..probe.to].iter().fold(Vec3A::ZERO, |sum, bind| {
                let placed = model_from_joint[bind.joint.index()].transform_point3a(bind.in_joint);
                sum + placed * bind.weight
            })
        }));
    }

    /// The size of the scene at rest, corner to corner.
    pub(crate) fn size(&self, scene: &Scene) -> f32 {
        let mut points = Vec::new();
        self.place(sinew_motion::Pose::new(scene).model_from_joint(), &mut points);
        let mut bounds = sinew_deform::Bounds::EMPTY;
        points.iter().for_each(|&point| bounds.add(point.into()));
        if bounds.is_empty() { 0.0 } else { bounds.size().length() }
    }

    /// For each node, how far the points that it or a node below it carries are from it at most.
    pub(crate) fn reach(
        &self,
        parents: &[Option<JointId>],
        model_from_joint: &[Affine3A],
    ) -> Vec<f32> {
        let mut points = Vec::new();
        self.place(model_from_joint, &mut points);
        let mut reach = vec![0.0_f32; parents.len()];
        for (probe, &point) in self.all.iter().zip(&points) {
            for bind in &self.binds[probe.from..probe.to] {
                let mut next = Some(bind.joint);
                while let Some(joint) = next {
                    let far = point.distance(model_from_joint[joint.index()].translation);
                    reach[joint.index()] = reach[joint.index()].max(far);
                    next = parents[joint.index()];
                }
            }
        }
        reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_motion::Pose;

    #[test]
    fn points_are_where_skinning_puts_them() {
        let scene = sinew_ossi::ossi();
        let pose = Pose::new(&scene);
        let probes = Probes::new(&scene);
        let mut found = Vec::new();
        probes.place(pose.model_from_joint(), &mut found);
        assert!(found.len() > 100, "{}", found.len());
        let mut out = sinew_deform::Vertices::default();
        for (probe, point) in probes.all.iter().zip(found) {
            let instance = &scene[probe.instance.expect("a mesh")];
            let skin = &scene[instance.skin.expect("a skin")];
            let mut palette = vec![Affine3A::IDENTITY; skin.joints.len()];
            sinew_deform::palette(skin, pose.model_from_joint(), &mut palette);
            let mut all = Vec::new();
            for primitive in &scene[instance.mesh].primitives {
                let binding = sinew_deform::Binding::Skinned {
                    method: sinew_scene::SkinMethod::Linear,
                    model_from_mesh: &palette,
                    without_influence: Affine3A::IDENTITY,
                };
                sinew_deform::deform(primitive, &instance.weights, binding, &mut out);
                all.extend_from_slice(&out.positions);
            }
            assert!(Vec3A::from(all[probe.vertex]).distance(point) < 1e-5);
        }
    }
}
