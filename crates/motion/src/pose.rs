//! A pose: where every node of a scene stands at one moment.
//!
//! Plain arrays, made once for a scene and written over every frame: local transforms, morph
//! weights and driven values by [`sample`](crate::sample), then model matrices by [`Pose::to_model`].

use std::sync::Arc;

use sinew_scene::glam::Affine3A;
use sinew_scene::{InstanceId, JointId, PropertyId, Scene, Skeleton, Transform};

use crate::lanes::{LANES, Lanes};
use crate::to_model::to_model;

/// Where every node stands, and how far every morph target is on.
#[derive(Clone, Debug)]
pub struct Pose {
    rest: Arc<Rest>,
    locals: Vec<Lanes>,
    weights: Vec<f32>,
    properties: Vec<[f32; 4]>,
    model_from_joint: Vec<Affine3A>,
}

/// What a pose falls back to where a clip says nothing.
#[derive(Debug)]
struct Rest {
    locals: Vec<Lanes>,
    weights: Vec<f32>,
    /// Where each instance's weights begin, and where the last end.
    weight_starts: Vec<usize>,
    properties: Vec<[f32; 4]>,
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
            rest: Arc::new(Rest { locals, weights, weight_starts, properties }),
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

    /// Where every node stands in the model, as of the last [`to_model`](Self::to_model).
    #[must_use]
    pub fn model_from_joint(&self) -> &[Affine3A] {
        &self.model_from_joint
    }
}
