//! Points that stand for a scene's skin: where the error of a pose is measured.
//!
//! In:  a scene; then two of its poses.
//! Out: how far apart they put the skin.
//!
//! Joints move vertices by affine maps, and how far apart two such maps put a point is convex in the point. So of all vertices
//! that a joint moves, those farthest out in many directions tell how far apart any of them is. A linearly skinned
//! vertex is a mean of where its joints take it, so it is off by no more.

use std::ops::Range;

use sinew_motion::Pose;
use sinew_scene::glam::{Affine3A, Vec3A};
use sinew_scene::{InstanceId, Scene};

use crate::farthest::farthest;

/// Metres around a joint that moves no vertex: something may be attached to it.
const DEFAULT_REACH: f32 = 0.1;
/// Points of a scene's skin, and how far its morph weights move vertices.
///
/// ```
/// use sinew_edit::SkinPoints;
/// use sinew_motion::{Cursor, Pose, sample};
/// let ossi = sinew_ossi::ossi();
/// let points = SkinPoints::new(&ossi);
/// let rest = Pose::new(&ossi);
/// let mut walk = Pose::new(&ossi);
/// sample(ossi.clip("walk").unwrap(), 0.25, &mut Cursor::new(), &mut walk);
/// walk.to_model(ossi.skeleton());
/// assert!(points.apart(&rest, &walk) > 0.1); // metres
/// ```
#[derive(Clone, Debug)]
pub struct SkinPoints {
    /// Where the points of each node end.
    ends: Vec<u32>,
    /// In the space of their node.
    points: Vec<Vec3A>,
    /// How far the farthest point of each node is from it.
    radii: Vec<f32>,
    /// How far each morph weight moves its farthest vertex, in metres.
    morph_reaches: Vec<f32>,
    /// The morph weights of each mesh instance.
    instances: Vec<Range<usize>>,
}

impl SkinPoints {
    /// The points of a scene.
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        let rest = Pose::new(scene);
        let farthest = farthest(scene);
        let mut made = Self {
            ends: Vec::with_capacity(farthest.len()),
            points: Vec::new(),
            radii: Vec::with_capacity(farthest.len()),
            morph_reaches: morph_reaches(scene, &rest),
            instances: (0..scene.instances.len())
                .map(|at| scene.weight_range(InstanceId::new(at)))
                .collect(),
        };
        for (node, farthest) in farthest.iter().enumerate() {
            let first = made.points.len();
            match farthest {
                Some(farthest) => {
                    for point in farthest.points() {
                        if !made.points[first..].contains(point) {
                            made.points.push(*point);
                        }
                    }
                }
                None => {
                    let size = stretch(&rest.model_from_joint()[node]).max(1e-6);
                    let axes = [Vec3A::X, Vec3A::Y, Vec3A::Z];
                    made.points.extend(axes.map(|axis| axis * (DEFAULT_REACH / size)));
                }
            }
            made.ends.push(u32::try_from(made.points.len()).unwrap_or(u32::MAX));
            let lengths = made.points[first..].iter().map(|point| point.length());
            made.radii.push(lengths.fold(0.0, f32::max));
        }
        made
    }

    /// The points of a node, in its own space.
    #[must_use]
    pub fn of(&self, node: usize) -> &[Vec3A] {
        let from = if node == 0 { 0 } else { self.ends[node - 1] as usize };
        &self.points[from..self.ends[node] as usize]
    }

    /// How far each morph weight moves its farthest vertex with the scene at rest, in metres.
    #[must_use]
    pub fn morph_reaches(&self) -> &[f32] {
        &self.morph_reaches
    }

    /// How large the scene is in a pose, in metres: the diagonal of a box around all points.
    ///
    /// # Panics
    /// When the pose is of another scene.
    #[must_use]
    pub fn extent(&self, pose: &Pose) -> f32 {
        let [mut low, mut high] = [Vec3A::INFINITY, Vec3A::NEG_INFINITY];
        for (node, model) in pose.model_from_joint().iter().enumerate() {
            for point in self.of(node) {
                let place = model.transform_point3a(*point);
                low = low.min(place);
                high = high.max(place);
            }
        }
        let extent = (high - low).length();
        if extent.is_finite() { extent } else { 0.0 }
    }

    /// How far apart two poses put the skin, in metres; both with their model matrices made.
    ///
    /// # Panics
    /// When the poses are of another scene.
    #[must_use]
    pub fn apart(&self, a: &Pose, b: &Pose) -> f32 {
        self.apart_beyond(a, b, 0.0)
    }

    /// The same where that is more than what is known, and at most that where it is not: nodes that cannot be farther are passed over.
    pub(crate) fn apart_beyond(&self, a: &Pose, b: &Pose, known: f32) -> f32 {
        let morphs = self.morphs_apart(a.all_weights(), b.all_weights());
        let least = (known - morphs).max(0.0);
        let pairs = a.model_from_joint().iter().zip(b.model_from_joint()).enumerate();
        let far = |most: f32, (node, (a, b))| self.node_apart(node, a, b, most);
        pairs.fold(least * least, far).sqrt() + morphs
    }

    /// The square of how far apart two matrices of a node put its points, or `most` where that is more.
    fn node_apart(&self, node: usize, a: &Affine3A, b: &Affine3A, most: f32) -> f32 {
        let matrix = a.matrix3 - b.matrix3;
        let moved = a.translation - b.translation;
        // No point of the node can be farther: the matrix lengthens nothing by more than the root of its squares.
        let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3A::length_squared);
        let farthest = (x + y + z).sqrt() * self.radii[node] + moved.length();
        if 1.001 * farthest * farthest <= most {
            return most;
        }
        let off = |point: &Vec3A| (matrix * *point + moved).length_squared();
        self.of(node).iter().map(off).fold(moved.length_squared().max(most), f32::max)
    }

    fn morphs_apart(&self, a: &[f32], b: &[f32]) -> f32 {
        let of = |range: &Range<usize>| {
            range.clone().map(|at| (a[at] - b[at]).abs() * self.morph_reaches[at]).sum()
        };
        self.instances.iter().map(of).fold(0.0, f32::max)
    }
}

fn morph_reaches(scene: &Scene, rest: &Pose) -> Vec<f32> {
    let mut reaches = vec![0.0; scene.weight_count()];
    for (at, instance) in scene.instances.iter().enumerate() {
        let range = scene.weight_range(InstanceId::new(at));
        let model = rest.model_from_joint();
        let size = match instance.skin.map(|skin| &scene[skin]) {
            None => stretch(&model[instance.joint.index()]),
            Some(skin) => {
                let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
                joints
                    .map(|(joint, bind)| stretch(&(model[joint.index()] * *bind)))
                    .fold(0.0, f32::max)
            }
        };
        for primitive in &scene[instance.mesh].primitives {
            for (reach, morph) in reaches[range.clone()].iter_mut().zip(&primitive.morphs) {
                let longest = morph.positions.iter().map(|change| change.length());
                *reach = longest.map(|length| length * size).fold(*reach, f32::max);
            }
        }
    }
    reaches
}

/// No less than the most that a matrix lengthens anything, and no more than √3 times as much.
pub(crate) fn stretch(matrix: &Affine3A) -> f32 {
    let axes = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
    let [x, y, z] = axes.map(Vec3A::length_squared);
    let square = |a: Vec3A, b: Vec3A| a.dot(b).abs() < 1e-4 * a.length() * b.length();
    let [a, b, c] = axes;
    if square(a, b) && square(a, c) && square(b, c) {
        return x.max(y).max(z).sqrt();
    }
    (x + y + z).sqrt()
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::{Quat, Vec3};
    use sinew_scene::{
        Geometry, Influence, Influences, Instance, JointId, Mesh, MeshId, Node, Primitive,
        SceneParts, Skin, SkinId, Transform,
    };

    use super::*;

    /// Vertices at 1 m and 2 m along x, moved by a joint at 0.5 m.
    fn arm() -> Scene {
        let mut influences = Influences::default();
        influences.push([Influence { joint: 0, weight: 1.0 }]);
        influences.push([Influence { joint: 0, weight: 1.0 }]);
        let positions = vec![Vec3::X, 2.0 * Vec3::X];
        let primitive = Primitive::from(Geometry { positions, influences, ..Geometry::default() });
        let place = Transform::from_translation(0.5 * Vec3::X);
        Scene::new(SceneParts {
            nodes: vec![Node::new("arm", None, place)],
            meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
            instances: vec![Instance {
                joint: JointId::new(0),
                mesh: MeshId::new(0),
                skin: Some(SkinId::new(0)),
                weights: Vec::new(),
            }],
            skins: vec![Skin {
                joints: vec![JointId::new(0)],
                joint_from_mesh: vec![Affine3A::from_translation(-0.5 * Vec3::X)],
                ..Skin::default()
            }],
            ..SceneParts::default()
        })
        .expect("the parts fit")
    }

    #[test]
    fn a_rotation_is_seen_at_the_farthest_vertex() {
        let scene = arm();
        let points = SkinPoints::new(&scene);
        let rest = Pose::new(&scene);
        let mut moved = Pose::new(&scene);
        // 60° move a point at 1.5 m by its chord of 1.5 m.
        moved.set_rotation(JointId::new(0), Quat::from_rotation_z(60_f32.to_radians()));
        moved.to_model(scene.skeleton());
        let apart = points.apart(&rest, &moved);
        assert!((apart - 1.5).abs() < 1e-5, "{apart}");
        assert_eq!(points.apart(&rest, &rest), 0.0);
        // From 1 m to 2 m.
        assert!((points.extent(&rest) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_joint_without_vertices_stands_for_what_may_be_attached() {
        let nodes = vec![Node::new("socket", None, Transform::IDENTITY)];
        let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a node");
        let points = SkinPoints::new(&scene);
        let rest = Pose::new(&scene);
        let mut moved = Pose::new(&scene);
        moved.set_rotation(JointId::new(0), Quat::from_rotation_z(60_f32.to_radians()));
        moved.to_model(scene.skeleton());
        assert!((points.apart(&rest, &moved) - 0.1).abs() < 1e-6);
    }
}
