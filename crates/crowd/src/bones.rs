//! What the kernels need of a skeleton, in plain numbers.

use sinew_motion::LANES;
use sinew_scene::glam::{Affine3A, Mat3A};
use sinew_scene::{Skeleton, Transform};

/// No parent.
pub(crate) const NONE: u32 = u32::MAX;

/// Parents, rest transforms, shears.
#[derive(Clone, Debug)]
pub(crate) struct Bones {
    /// One for each joint, always of a joint before it.
    pub(crate) parents: Vec<u32>,
    /// Each joint's rest matrix in its parent, shear included.
    pub(crate) rest: Vec<Affine3A>,
    /// The same without the shear.
    pub(crate) locals: Vec<Transform>,
    /// Of each joint that has one.
    pub(crate) shears: Vec<Option<Mat3A>>,
    /// How far each joint's farthest descendant is from it at rest, along the bones.
    pub(crate) reach: Vec<f32>,
}

impl Bones {
    pub(crate) fn new(skeleton: &Skeleton) -> Self {
        let number =
            |parent: &Option<_>| parent.map_or(NONE, |id: sinew_scene::JointId| id.index() as u32);
        let parents: Vec<u32> = skeleton.parents().iter().map(number).collect();
        let mut shears = vec![None; parents.len()];
        for (joint, shear) in skeleton.sheared() {
            shears[joint.index()] = Some(*shear);
        }
        let rest: Vec<Affine3A> =
            skeleton.nodes().iter().map(|node| node.parent_from_node()).collect();
        let mut reach = vec![0.0_f32; parents.len()];
        for joint in (0..parents.len()).rev() {
            if parents[joint] != NONE {
                let far = reach[joint] + rest[joint].translation.length();
                let parent = &mut reach[parents[joint] as usize];
                *parent = parent.max(far);
            }
        }
        let locals = skeleton.nodes().iter().map(|node| node.rest).collect();
        Self { parents, rest, locals, shears, reach }
    }

    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(crate) fn blocks(&self) -> usize {
        self.len().div_ceil(LANES)
    }
}
