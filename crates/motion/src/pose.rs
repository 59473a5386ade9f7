//! A pose: where every node of a scene stands at one moment.
//!
//! Plain arrays, made once for a scene and written over every frame: local transforms, morph
//! weights and driven values by [`sample`](crate::sample), then model matrices by [`Pose::to_model`].

use std::sync::Arc;

use sinew_scene::glam::{Affine3A, Quat};
use sinew_scene::{InstanceId, JointId, PropertyId, Scene, Skeleton, Transform};

use crate::lanes::{LANES, Lanes};
use crate::to_model::{to_model, to_model_range};

/// Where every node stands, and how far every morph target is on.
#[derive(Clone, Debug)]
pub struct Pose {
    pub(crate) rest: Arc<Rest>,
    pub(crate) locals: Vec<Lanes>,
    pub(crate) weights: Vec<f32>,
    pub(crate) properties: Vec<[f32; 4]>,
    model_from_joint: Vec<Affine3A>,
}

/// What a pose falls back to where a clip says nothing.
#[derive(Debug)]
pub(crate) struct Rest {
    pub(crate) locals: Vec<Lanes>,
    pub(crate) weights: Vec<f32>,
    /// Where each instance's weights begin, and where the last end.
    weight_starts: Vec<usize>,
    pub(crate) properties: Vec<[f32; 4]>,
    /// One past each node's last descendant.
    ends: Vec<u32>,
}

impl Pose {
    /// The rest pose of a scene, model matrices included.
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        let skeleton = scene.skeleton();
        let mut locals = vec![Lanes::IDENTITY; skeleton.len().div_ceil(LANES)];
        for (index, node) in skeleton.nodes().iter().enumerate() {
            locals[index / LANES].set(index % LANES, node.rest);
        }
        let weights: Vec<f32> =
            scene.instances.iter().flat_map(|instance| instance.weights.iter().copied()).collect();
        let mut weight_starts: Vec<usize> = (0..scene.instances.len())
            .map(|index| scene.weight_range(InstanceId::new(index)).start)
            .collect();
        weight_starts.push(weights.len());
        let properties: Vec<_> = scene.properties.iter().map(|entry| entry.rest).collect();
        let mut pose = Self {
            locals: locals.clone(),
            weights: weights.clone(),
            properties: properties.clone(),
            model_from_joint: vec![Affine3A::IDENTITY; skeleton.len()],
            rest: Arc::new(Rest {
                locals,
                weights,
                weight_starts,
                properties,
                ends: ends(skeleton),
            }),
        };
        pose.to_model(skeleton);
        pose
    }

    /// How many nodes the pose has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.model_from_joint.len()
    }

    /// Whether the pose has no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.model_from_joint.is_empty()
    }

    /// Puts every node, weight and value back to rest; the model matrices stay as they were.
    pub fn to_rest(&mut self) {
        self.locals.copy_from_slice(&self.rest.locals);
        self.weights.copy_from_slice(&self.rest.weights);
        self.properties.copy_from_slice(&self.rest.properties);
    }

    /// Takes over every local transform, weight and value of another pose of the same scene; the
    /// model matrices stay as they were.
    ///
    /// # Panics
    /// When the other is a pose of a scene with other nodes.
    pub fn copy_from(&mut self, other: &Pose) {
        self.locals.copy_from_slice(&other.locals);
        self.weights.copy_from_slice(&other.weights);
        self.properties.copy_from_slice(&other.properties);
    }

    /// Two poses can be mixed when they are of one scene.
    #[inline]
    pub(crate) fn check_fit(&self, other: &Pose) {
        let counts = |pose: &Pose| (pose.len(), pose.weights.len(), pose.properties.len());
        assert!(counts(self) == counts(other), "poses of one scene");
    }

    /// Where a node stands in its parent.
    #[must_use]
    pub fn local(&self, joint: JointId) -> Transform {
        self.check(joint);
        self.locals[joint.index() / LANES].get(joint.index() % LANES)
    }

    /// Puts a node elsewhere in its parent.
    pub fn set_local(&mut self, joint: JointId, parent_from_joint: Transform) {
        self.check(joint);
        self.locals[joint.index() / LANES].set(joint.index() % LANES, parent_from_joint);
    }

    fn check(&self, joint: JointId) {
        assert!(joint.index() < self.len(), "{joint:?} is not one of the {} nodes", self.len());
    }

    /// All local transforms, eight to a block.
    #[must_use]
    pub fn locals(&self) -> &[Lanes] {
        &self.locals
    }

    /// All local transforms, to write.
    pub fn locals_mut(&mut self) -> &mut [Lanes] {
        &mut self.locals
    }

    /// The morph weights of all mesh instances, in order.
    #[must_use]
    pub fn all_weights(&self) -> &[f32] {
        &self.weights
    }

    /// Everything that a sampler writes: local transforms, morph weights and driven values.
    pub fn parts_mut(&mut self) -> (&mut [Lanes], &mut [f32], &mut [[f32; 4]]) {
        (&mut self.locals, &mut self.weights, &mut self.properties)
    }

    /// The same, with weights and values at rest, and local transforms as they were; beside them those of
    /// the rest pose, for a sampler that writes over most of them.
    #[allow(clippy::type_complexity)]
    pub fn parts_and_rest(&mut self) -> (&mut [Lanes], &mut [f32], &mut [[f32; 4]], &[Lanes]) {
        self.weights.copy_from_slice(&self.rest.weights);
        self.properties.copy_from_slice(&self.rest.properties);
        (&mut self.locals, &mut self.weights, &mut self.properties, &self.rest.locals)
    }

    /// All driven values.
    #[must_use]
    pub fn properties(&self) -> &[[f32; 4]] {
        &self.properties
    }

    /// The morph weights of one mesh instance.
    #[must_use]
    pub fn weights(&self, instance: InstanceId) -> &[f32] {
        let starts = &self.rest.weight_starts;
        &self.weights[starts[instance.index()]..starts[instance.index() + 1]]
    }

    /// The morph weights of one mesh instance, to write.
    pub fn weights_mut(&mut self, instance: InstanceId) -> &mut [f32] {
        let starts = &self.rest.weight_starts;
        &mut self.weights[starts[instance.index()]..starts[instance.index() + 1]]
    }

    /// A driven value of a material, light or camera; as many numbers as the property is wide.
    #[must_use]
    pub fn property(&self, property: PropertyId) -> &[f32; 4] {
        &self.properties[property.index()]
    }

    /// A driven value, to write.
    pub fn property_mut(&mut self, property: PropertyId) -> &mut [f32; 4] {
        &mut self.properties[property.index()]
    }

    /// Works out where every node stands in the model, from where it stands in its parent.
    pub fn to_model(&mut self, skeleton: &Skeleton) {
        to_model(skeleton, &self.locals, &mut self.model_from_joint);
    }

    /// Brings the model matrices of a node and all below it up to date, after one of them moved in
    /// its parent. What is above `joint` must be up to date.
    ///
    /// ```
    /// # use sinew_motion::Pose;
    /// # use sinew_scene::{JointId, Node, Scene, SceneParts, Transform, glam::Vec3};
    /// # let nodes = vec![Node::new("a", None, Transform::IDENTITY), Node::new("b", Some(JointId::new(0)), Transform::IDENTITY)];
    /// # let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() })?;
    /// # let joint = JointId::new(1);
    /// let mut pose = Pose::new(&scene);
    /// pose.set_local(joint, Transform::from_translation(Vec3::X));
    /// pose.to_model_from(scene.skeleton(), joint);
    /// assert_eq!(pose.model_from_joint()[1].translation.x, 1.0);
    /// # Ok::<(), sinew_scene::SceneError>(())
    /// ```
    pub fn to_model_from(&mut self, skeleton: &Skeleton, joint: JointId) {
        self.check(joint);
        // Nodes of other branches may lie between: for them the same work gives the same matrix.
        let range = joint.index()..self.rest.ends[joint.index()] as usize;
        to_model_range(skeleton, &self.locals, &mut self.model_from_joint, range);
    }

    /// Brings the model matrices on the way down from `first` to `last` up to date, and no others.
    /// `last` must be `first` or below it.
    pub fn to_model_between(&mut self, skeleton: &Skeleton, first: JointId, last: JointId) {
        self.check(last);
        let parents = skeleton.parents();
        let mut path = [first; 32];
        let (mut count, mut joint) = (0, last);
        while joint > first && count < path.len() {
            path[count] = joint;
            count += 1;
            joint = parents[joint.index()].unwrap_or(first);
        }
        if joint > first {
            return self.to_model_from(skeleton, first);
        }
        for joint in std::iter::once(first).chain(path[..count].iter().rev().copied()) {
            let range = joint.index()..joint.index() + 1;
            to_model_range(skeleton, &self.locals, &mut self.model_from_joint, range);
        }
    }

    /// How a node is turned in its parent.
    #[must_use]
    #[inline]
    pub fn rotation(&self, joint: JointId) -> Quat {
        let (block, lane) = (joint.index() / LANES, joint.index() % LANES);
        let [x, y, z, w] = &self.locals[block].rotation;
        Quat::from_xyzw(x[lane], y[lane], z[lane], w[lane])
    }

    /// Turns a node in its parent.
    #[inline]
    pub fn set_rotation(&mut self, joint: JointId, rotation: Quat) {
        self.locals[joint.index() / LANES].set_rotation(joint.index() % LANES, rotation);
    }

    /// Where every node stands in the model, as of the last [`to_model`](Self::to_model).
    #[must_use]
    pub fn model_from_joint(&self) -> &[Affine3A] {
        &self.model_from_joint
    }
}

/// One past the last descendant of each node.
fn ends(skeleton: &Skeleton) -> Vec<u32> {
    let mut ends: Vec<u32> = (1..=skeleton.len() as u32).collect();
    for (index, parent) in skeleton.parents().iter().enumerate().rev() {
        if let Some(parent) = parent {
            ends[parent.index()] = ends[parent.index()].max(ends[index]);
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{Node, SceneParts};

    use super::*;

    /// A root with two arms of two joints each, listed level by level.
    fn scene() -> Scene {
        let node = |parent: Option<usize>| {
            Node::new("", parent.map(JointId::new), Transform::from_translation(Vec3::X))
        };
        let nodes = [None, Some(0), Some(0), Some(1), Some(2)].map(node).to_vec();
        Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("two arms")
    }

    #[test]
    fn only_what_is_below_a_moved_node_is_worked_out_again() {
        let scene = scene();
        let mut pose = Pose::new(&scene);
        pose.set_local(JointId::new(0), Transform::from_translation(Vec3::Y));
        pose.set_local(JointId::new(2), Transform::from_translation(Vec3::Z));
        pose.to_model_from(scene.skeleton(), JointId::new(2));
        let places: Vec<_> =
            pose.model_from_joint().iter().map(|matrix| Vec3::from(matrix.translation)).collect();
        let expected = [[1., 0., 0.], [2., 0., 0.], [1., 0., 1.], [3., 0., 0.], [2., 0., 1.]];
        assert_eq!(places, expected.map(Vec3::from));
    }

    #[test]
    fn the_way_between_two_nodes_leaves_the_rest_alone() {
        let scene = scene();
        let mut pose = Pose::new(&scene);
        for joint in [1, 2, 3, 4] {
            pose.set_local(JointId::new(joint), Transform::from_translation(Vec3::Z));
        }
        pose.to_model_between(scene.skeleton(), JointId::new(1), JointId::new(3));
        let places: Vec<_> =
            pose.model_from_joint().iter().map(|matrix| Vec3::from(matrix.translation)).collect();
        let expected = [[1., 0., 0.], [1., 0., 1.], [2., 0., 0.], [1., 0., 2.], [3., 0., 0.]];
        assert_eq!(places, expected.map(Vec3::from));
    }
}
