//! How much of a layer each joint takes.
//!
//! In:  joints by name, each alone or with all below it, with a weight that may grow over the
//! first few generations (feathering).
//! Out: one weight from zero to one per joint, per morph weight and per driven value.
//!
//! Morph weights follow the node that their mesh hangs under; values of lights and cameras theirs;
//! what hangs on no node (materials) has the weight of `elsewhere`.

use std::fmt;

use sinew_scene::{InstanceId, JointId, Property, Scene, Skeleton};

use crate::Pose;
use crate::lanes::LANES;

/// One stroke of a mask: a joint and what is below it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct MaskPart {
    /// The joint's name.
    pub joint: String,
    /// Its weight; 1 by default.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub weight: f32,
    /// Whether all joints below have it too; they do by default.
    #[cfg_attr(feature = "serde", serde(default = "yes"))]
    pub descendants: bool,
    /// Over how many generations the weight grows to its full: with 2, the joint has a third, its
    /// children two thirds, and all below the whole.
    #[cfg_attr(feature = "serde", serde(default))]
    pub feather: u32,
}

#[cfg(feature = "serde")]
fn one() -> f32 {
    1.0
}

#[cfg(feature = "serde")]
fn yes() -> bool {
    true
}

impl MaskPart {
    /// A joint with all below it, in full.
    #[must_use]
    pub fn new(joint: impl Into<String>) -> Self {
        Self { joint: joint.into(), weight: 1.0, descendants: true, feather: 0 }
    }
}

/// The skeleton has no joint of the name asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JointNotFoundError {
    /// What was asked for.
    pub name: String,
    /// How many joints there are.
    pub joints: usize,
}

impl fmt::Display for JointNotFoundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no joint \"{}\" among the {}", self.name, self.joints)
    }
}

impl std::error::Error for JointNotFoundError {}

/// The joint of this name, or why there is none.
pub(crate) fn find_joint(skeleton: &Skeleton, name: &str) -> Result<JointId, JointNotFoundError> {
    let missing = || JointNotFoundError { name: name.to_owned(), joints: skeleton.len() };
    skeleton.find(name).ok_or_else(missing)
}

/// A weight from zero to one for every joint of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    lanes: Vec<[f32; LANES]>,
    weights: Vec<f32>,
    properties: Vec<f32>,
    joints: usize,
}

impl Mask {
    /// From one weight per joint. Weights are held between zero and one; what is not a number is
    /// zero. `elsewhere` is for values that hang on no joint.
    ///
    /// # Panics
    /// When there are not as many weights as joints.
    #[must_use]
    pub fn from_weights(scene: &Scene, joints: &[f32], elsewhere: f32) -> Self {
        assert_eq!(joints.len(), scene.skeleton().len(), "one weight per joint");
        let at = |joint: JointId| part(joints[joint.index()]);
        let mut lanes = vec![[0.0; LANES]; joints.len().div_ceil(LANES)];
        for joint in scene.skeleton().ids() {
            lanes[joint.index() / LANES][joint.index() % LANES] = at(joint);
        }
        let weights = scene.instances.iter();
        let weights =
            weights.flat_map(|instance| instance.weights.iter().map(|_| at(instance.joint)));
        let property = |property: Property| match property {
            Property::Visible(joint) => at(joint),
            Property::LightColor(light)
            | Property::LightIntensity(light)
            | Property::LightRange(light)
            | Property::SpotInner(light)
            | Property::SpotOuter(light) => at(scene.lights[light.index()].joint),
            Property::FovY(camera)
            | Property::Aspect(camera)
            | Property::Near(camera)
            | Property::Far(camera)
            | Property::HalfWidth(camera)
            | Property::HalfHeight(camera) => at(scene.cameras[camera.index()].joint),
            _ => part(elsewhere),
        };
        Self {
            lanes,
            weights: weights.collect(),
            properties: scene.properties.iter().map(|entry| property(entry.property)).collect(),
            joints: joints.len(),
        }
    }

    /// The same weight everywhere.
    #[must_use]
    pub fn even(scene: &Scene, weight: f32) -> Self {
        Self::from_weights(scene, &vec![weight; scene.skeleton().len()], weight)
    }

    /// Painted stroke by stroke over nothing; where strokes meet, the later holds.
    ///
    /// ```
    /// use sinew_motion::{Mask, MaskPart};
    /// # use sinew_scene::{JointId, Node, Scene, SceneParts, Transform};
    /// # let below = |name, parent| Node::new(name, Some(JointId::new(parent)), Transform::IDENTITY);
    /// # let nodes = vec![Node::new("hips", None, Transform::IDENTITY), below("spine", 0), below("arm", 1)];
    /// # let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() })?;
    /// let upper = Mask::new(&scene, &[MaskPart { feather: 1, ..MaskPart::new("spine") }])?;
    /// assert_eq!([0, 1, 2].map(|joint| upper.joint(JointId::new(joint))), [0.0, 0.5, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the scene has no joint of a stroke's name.
    pub fn new(scene: &Scene, parts: &[MaskPart]) -> Result<Self, JointNotFoundError> {
        let skeleton = scene.skeleton();
        let mut weights = vec![0.0; skeleton.len()];
        for stroke in parts {
            paint(skeleton, stroke, &mut weights)?;
        }
        Ok(Self::from_weights(scene, &weights, 0.0))
    }

    /// One minus every weight.
    #[must_use]
    pub fn inverted(mut self) -> Self {
        for joint in 0..self.joints {
            let weight = &mut self.lanes[joint / LANES][joint % LANES];
            *weight = 1.0 - *weight;
        }
        for weight in self.weights.iter_mut().chain(&mut self.properties) {
            *weight = 1.0 - *weight;
        }
        self
    }

    /// The weight of a joint.
    #[must_use]
    pub fn joint(&self, joint: JointId) -> f32 {
        assert!(joint.index() < self.joints, "{joint:?} is not one of the {}", self.joints);
        self.lanes[joint.index() / LANES][joint.index() % LANES]
    }

    /// Gives the morph weights of an instance a weight of their own: a face that talks while only
    /// the head's joints are in the mask.
    pub fn set_morphs(&mut self, scene: &Scene, instance: InstanceId, weight: f32) {
        self.weights[scene.weight_range(instance)].fill(part(weight));
    }

    pub(crate) fn lanes(&self) -> &[[f32; LANES]] {
        &self.lanes
    }

    pub(crate) fn weights(&self) -> &[f32] {
        &self.weights
    }

    pub(crate) fn properties(&self) -> &[f32] {
        &self.properties
    }

    pub(crate) fn check_fit(&self, pose: &Pose) {
        assert_eq!(self.joints, pose.len(), "a mask of the pose's scene");
        assert_eq!(self.weights.len(), pose.weights.len(), "a mask of the pose's scene");
        assert_eq!(self.properties.len(), pose.properties.len(), "a mask of the pose's scene");
    }
}

/// Between zero and one.
pub(crate) fn part(weight: f32) -> f32 {
    if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) }
}

/// Parents come before children, so each joint's generation is one more than its parent's.
fn paint(
    skeleton: &Skeleton,
    stroke: &MaskPart,
    out: &mut [f32],
) -> Result<(), JointNotFoundError> {
    let top = find_joint(skeleton, &stroke.joint)?;
    let mut generations: Vec<Option<u32>> = vec![None; skeleton.len()];
    generations[top.index()] = Some(0);
    for joint in skeleton.ids().skip(top.index()) {
        if stroke.descendants
            && let Some(parent) = skeleton.parents()[joint.index()]
            && let Some(above) = generations[parent.index()]
        {
            generations[joint.index()] = Some(above + 1);
        }
        if let Some(generation) = generations[joint.index()] {
            let steps = stroke.feather as f32 + 1.0;
            let grown = ((generation as f32 + 1.0) / steps).min(1.0);
            out[joint.index()] = part(stroke.weight) * grown;
        }
    }
    Ok(())
}
