//! How far the skin reaches from each joint: what an error of its angle costs.
//!
//! In:  the scene at rest.
//! Out: for each node the tolerances of its translation, rotation and scale tracks.
//!
//! A rotation that is off by an angle moves a point by at most that angle times the distance, so the tolerance of an angle is that of the
//! skin by the farthest point that the node carries.

use glam::DVec3;
use sinew_motion::Pose;
use sinew_scene::{JointId, Scene};

/// The default bound, as a share of the scene's size.
const SHARE: f64 = 1e-5;

/// Tolerances of the tracks of a scene.
pub(super) struct Reach {
    /// At the skin, in metres.
    error: f64,
    /// The farthest point that each node carries, in metres.
    far: Vec<f64>,
    /// How much longer a length in each node's parent is in the world.
    scale: Vec<f64>,
}

impl Reach {
    pub(super) fn translation(&self, joint: JointId) -> f64 {
        self.error / self.scale[joint.index()]
    }

    /// In radians.
    pub(super) fn rotation(&self, joint: JointId) -> f64 {
        // Never coarser than a thousandth, for joints that carry nothing far.
        (self.error / self.far[joint.index()].max(self.error)).min(1e-3)
    }

    pub(super) fn scale(&self, joint: JointId) -> f64 {
        self.rotation(joint)
    }
}

pub(super) fn reach(scene: &Scene, error: Option<f32>) -> Reach {
    let nodes = scene.skeleton().nodes();
    let pose = Pose::new(scene);
    let world = pose.model_from_joint();
    // The box of all that moves with a node, in the world.
    let mut boxes = vec![Extent::EMPTY; nodes.len()];
    for (at, matrix) in world.iter().enumerate() {
        boxes[at].add(matrix.translation.as_dvec3());
    }
    for instance in &scene.instances {
        let skin = instance.skin.map(|skin| &scene[skin]);
        for primitive in &scene[instance.mesh].primitives {
            for (vertex, &position) in primitive.positions.iter().enumerate() {
                let influences = match skin {
                    Some(_) if !primitive.influences.is_empty() => primitive.influences.of(vertex),
                    _ => &[],
                };
                for influence in influences {
                    let Some(skin) = skin else { continue };
                    let joint = skin.joints[influence.joint as usize].index();
                    let bound = skin.joint_from_mesh[influence.joint as usize];
                    let point = world[joint].transform_point3(bound.transform_point3(position));
                    boxes[joint].add(point.as_dvec3());
                }
                if influences.is_empty() {
                    let node = instance.joint.index();
                    boxes[node].add(world[node].transform_point3(position).as_dvec3());
                }
            }
        }
    }
    let mut far = vec![0.0_f64; nodes.len()];
    let mut whole = Extent::EMPTY;
    for at in (0..nodes.len()).rev() {
        far[at] = boxes[at].farthest(world[at].translation.as_dvec3());
        let own = boxes[at];
        match nodes[at].parent {
            Some(parent) => boxes[parent.index()].join(own),
            None => whole.join(own),
        }
    }
    let size = (whole.high - whole.low).length();
    let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
    let scale = nodes.iter().map(|node| {
        let above = node.parent.map(|parent| world[parent.index()].matrix3);
        let longest = above.map_or(1.0, |matrix| {
            let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
            axes.map(|axis| f64::from(axis.length())).into_iter().fold(0.0, f64::max)
        });
        if longest > 1e-9 && longest.is_finite() { longest } else { 1.0 }
    });
    let scale = scale.collect();
    Reach { error: error.map_or(SHARE * size, f64::from), far, scale }
}

/// A box that may hold nothing.
#[derive(Clone, Copy)]
struct Extent {
    low: DVec3,
    high: DVec3,
}

impl Extent {
    const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    fn add(&mut self, point: DVec3) {
        if point.is_finite() {
            self.low = self.low.min(point);
            self.high = self.high.max(point);
        }
    }

    fn join(&mut self, other: Self) {
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
    }

    fn farthest(self, from: DVec3) -> f64 {
        let far = (self.low - from).abs().max((self.high - from).abs()).length();
        if far.is_finite() { far } else { 0.0 }
    }
}
