//! A scene at one moment, in double precision: joint matrices and skinned vertices.
//!
//! In:  a clip and a time, or the rest pose.
//! Out: where every node and every vertex is in the model.
//!
//! Keys are single precision, and sampling them is what every player does. From there on rounding would add up along the
//! tree and over influences, and what is measured are differences of micrometres: so matrices and linear skinning are
//! double here. Dual quaternions are left to `sinew-deform`, in single precision.

use sinew_deform::{Binding, Vertices, deform};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::glam::{Affine3A, DAffine3, DMat3, DVec3, Mat3A, Vec3};
use sinew_scene::{Clip, InstanceId, JointId, Primitive, Scene, SkinMethod, Transform};

use crate::surface::{Part, Surface};

/// A scene at one moment; made once, written over for the next.
#[derive(Debug)]
pub(crate) struct Posed<'a> {
    scene: &'a Scene,
    pose: Pose,
    cursor: Cursor,
    model_from_joint: Vec<DAffine3>,
    palette: Vec<DAffine3>,
    positions: Vec<DVec3>,
    single: Vertices,
}

impl<'a> Posed<'a> {
    /// At rest, with its vertices not skinned yet.
    pub(crate) fn new(scene: &'a Scene) -> Self {
        let mut posed = Self {
            scene,
            pose: Pose::new(scene),
            cursor: Cursor::new(),
            model_from_joint: vec![DAffine3::IDENTITY; scene.skeleton().len()],
            palette: Vec::new(),
            positions: Vec::new(),
            single: Vertices::default(),
        };
        posed.update_joints();
        posed
    }

    /// Takes the pose of a clip at a time; of no clip, the rest pose.
    pub(crate) fn set(&mut self, clip: Option<&Clip>, time: f32) {
        match clip {
            Some(clip) => sample(clip, time, &mut self.cursor, &mut self.pose),
            None => self.pose.to_rest(),
        }
        self.update_joints();
    }

    /// Moves the whole.
    pub(crate) fn move_by(&mut self, matrix: DAffine3) {
        if matrix != DAffine3::IDENTITY {
            self.model_from_joint.iter_mut().for_each(|joint| *joint = matrix * *joint);
        }
    }

    /// Where every node is in the model.
    pub(crate) fn joints(&self) -> &[DAffine3] {
        &self.model_from_joint
    }

    /// Where every vertex is in the model, as of the last [`skin`](Self::skin).
    pub(crate) fn vertices(&self) -> &[DVec3] {
        &self.positions
    }

    fn update_joints(&mut self) {
        let skeleton = self.scene.skeleton();
        for (node, matrix) in self.model_from_joint.iter_mut().enumerate() {
            *matrix = affine(&self.pose.local(JointId::new(node)));
        }
        for (node, shear) in skeleton.sheared() {
            let shear = DAffine3 { matrix3: shear.as_dmat3(), translation: DVec3::ZERO };
            self.model_from_joint[node.index()] *= shear;
        }
        for (node, parent) in skeleton.parents().iter().enumerate() {
            if let Some(parent) = parent {
                self.model_from_joint[node] =
                    self.model_from_joint[parent.index()] * self.model_from_joint[node];
            }
        }
    }

    /// Works out where every vertex is.
    pub(crate) fn skin(&mut self, surface: &Surface<'_>) {
        self.positions.resize(surface.len(), DVec3::ZERO);
        let mut instance = usize::MAX;
        for part in surface.parts() {
            if part.instance != instance {
                instance = part.instance;
                self.fill_palette(instance);
            }
            self.skin_part(surface, part);
        }
    }

    /// Where one vertex is, without the others; of linear skins and rigid meshes to the same bits as by [`skin`](Self::skin).
    pub(crate) fn vertex(&self, surface: &Surface<'_>, number: usize) -> DVec3 {
        let (part, vertex) = surface.find(number);
        let (instance, primitive) = surface.shape(&part);
        let weights = self.pose.weights(InstanceId::new(part.instance));
        let at = morphed(primitive, weights, vertex);
        let skin = instance.skin.map(|skin| &self.scene.skins[skin.index()]);
        let skin = skin.filter(|_| !primitive.influences.is_empty());
        match skin.map(|skin| (skin, primitive.influences.of(vertex))) {
            None | Some((_, [])) => {
                self.model_from_joint[instance.joint.index()].transform_point3(at)
            }
            Some((skin, influences)) => influences.iter().fold(DVec3::ZERO, |sum, one| {
                let joint = one.joint as usize;
                let model_from_joint = self.model_from_joint[skin.joints[joint].index()];
                let matrix = model_from_joint * double(&skin.joint_from_mesh[joint]);
                sum + matrix.transform_point3(at) * f64::from(one.weight)
            }),
        }
    }

    fn fill_palette(&mut self, instance: usize) {
        self.palette.clear();
        if let Some(skin) = self.scene.instances[instance].skin {
            let skin = &self.scene.skins[skin.index()];
            let pairs = skin.joints.iter().zip(&skin.joint_from_mesh);
            self.palette.extend(pairs.map(|(joint, joint_from_mesh)| {
                self.model_from_joint[joint.index()] * double(joint_from_mesh)
            }));
        }
    }

    fn skin_part(&mut self, surface: &Surface<'_>, part: &Part) {
        let (instance, primitive) = surface.shape(part);
        let weights = self.pose.weights(InstanceId::new(part.instance));
        let out = &mut self.positions[part.first..][..primitive.positions.len()];
        let node = self.model_from_joint[instance.joint.index()];
        let method = instance.skin.map(|skin| self.scene.skins[skin.index()].method);
        match method {
            Some(SkinMethod::DualQuaternion | SkinMethod::Blended) => {
                let palette: Vec<Affine3A> = self.palette.iter().map(single).collect();
                let binding = Binding::Skinned {
                    method: method.unwrap_or_default(),
                    model_from_mesh: &palette,
                    without_influence: single(&node),
                };
                deform(primitive, weights, binding, &mut self.single);
                let found = out.iter_mut().zip(&self.single.positions);
                found.for_each(|(out, position)| *out = position.as_dvec3());
            }
            Some(SkinMethod::Linear) if !primitive.influences.is_empty() => {
                let plain = weights.iter().all(|weight| *weight == 0.0);
                let vertices = primitive.influences.iter().zip(&primitive.positions).enumerate();
                for (out, (vertex, (influences, place))) in out.iter_mut().zip(vertices) {
                    let at = match plain {
                        true => place.as_dvec3(),
                        false => morphed(primitive, weights, vertex),
                    };
                    *out = match influences {
                        [] => node.transform_point3(at),
                        _ => influences.iter().fold(DVec3::ZERO, |sum, one| {
                            let matrix = &self.palette[one.joint as usize];
                            sum + matrix.transform_point3(at) * f64::from(one.weight)
                        }),
                    };
                }
            }
            _ => {
                for (vertex, out) in out.iter_mut().enumerate() {
                    *out = node.transform_point3(morphed(primitive, weights, vertex));
                }
            }
        }
    }
}

/// A vertex in mesh space with its morph targets on.
fn morphed(primitive: &Primitive, weights: &[f32], vertex: usize) -> DVec3 {
    let mut at = primitive.positions[vertex].as_dvec3();
    for (target, weight) in primitive.morphs.iter().zip(weights) {
        if *weight != 0.0 {
            let change = target.positions.get(vertex).copied().unwrap_or(Vec3::ZERO);
            at += change.as_dvec3() * f64::from(*weight);
        }
    }
    at
}

fn affine(local: &Transform) -> DAffine3 {
    let rotation = DMat3::from_quat(local.rotation.as_dquat().normalize());
    let scale = local.scale.as_dvec3();
    let matrix3 = DMat3::from_cols(
        rotation.x_axis * scale.x,
        rotation.y_axis * scale.y,
        rotation.z_axis * scale.z,
    );
    DAffine3 { matrix3, translation: local.translation.as_dvec3() }
}

pub(crate) fn double(matrix: &Affine3A) -> DAffine3 {
    let translation = Vec3::from(matrix.translation).as_dvec3();
    DAffine3 { matrix3: matrix.matrix3.as_dmat3(), translation }
}

pub(crate) fn single(matrix: &DAffine3) -> Affine3A {
    let axes = &matrix.matrix3;
    Affine3A {
        matrix3: Mat3A::from_cols(
            axes.x_axis.as_vec3a(),
            axes.y_axis.as_vec3a(),
            axes.z_axis.as_vec3a(),
        ),
        translation: matrix.translation.as_vec3a(),
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::Geometry;
    use sinew_scene::glam::Quat;
    use sinew_scene::{
        Influence, Influences, Instance, Mesh, MeshId, MorphTarget, Node, SceneParts, Skin, SkinId,
    };

    use super::*;

    /// An arm along X, bent by 90° at its second joint, with a vertex that both influence and one that none does.
    fn arm(method: SkinMethod) -> Scene {
        let mut influences = Influences::default();
        let [near, far] = [(0, 0.25), (1, 0.75)].map(|(joint, weight)| Influence { joint, weight });
        influences.push([near, far]);
        influences.push([]);
        let morph = MorphTarget { positions: vec![Vec3::Y, Vec3::ZERO], ..MorphTarget::default() };
        let primitive = Primitive::from(Geometry {
            positions: vec![2.0 * Vec3::X, Vec3::Z],
            influences,
            morphs: vec![morph],
            ..Geometry::default()
        });
        let bent = Transform {
            translation: Vec3::X,
            rotation: Quat::from_rotation_z(90_f32.to_radians()),
            scale: Vec3::ONE,
        };
        let skin = Skin {
            joints: vec![JointId::new(0), JointId::new(1)],
            joint_from_mesh: vec![Affine3A::IDENTITY, Affine3A::from_translation(Vec3::NEG_X)],
            method,
            ..Skin::default()
        };
        Scene::new(SceneParts {
            nodes: vec![
                Node::new("upper", None, Transform::IDENTITY),
                Node::new("lower", Some(JointId::new(0)), bent),
                Node::new("mesh", None, Transform::from_translation(Vec3::Y)),
            ],
            meshes: vec![Mesh {
                primitives: vec![primitive],
                morph_names: vec!["bump".into()],
                ..Mesh::default()
            }],
            instances: vec![Instance {
                joint: JointId::new(2),
                mesh: MeshId::new(0),
                skin: Some(SkinId::new(0)),
                weights: vec![0.5],
            }],
            skins: vec![skin],
            ..SceneParts::default()
        })
        .expect("the parts fit")
    }

    #[test]
    fn a_vertex_is_the_weighted_mean_of_where_its_joints_take_it() {
        let scene = arm(SkinMethod::Linear);
        let surface = Surface::new(&scene);
        let mut posed = Posed::new(&scene);
        posed.skin(&surface);
        // (2, ½, 0) stays for a quarter; the rest goes by the lower arm to (1 - ½, 1, 0).
        let expected = DVec3::new(0.25 * 2.0 + 0.75 * 0.5, 0.25 * 0.5 + 0.75, 0.0);
        assert!(posed.vertices()[0].abs_diff_eq(expected, 1e-7), "{}", posed.vertices()[0]);
        assert_eq!(posed.vertices()[1], DVec3::new(0.0, 1.0, 1.0));
    }

    #[test]
    fn dual_quaternions_are_skinned_as_everywhere() {
        let scene = arm(SkinMethod::DualQuaternion);
        let surface = Surface::new(&scene);
        let mut posed = Posed::new(&scene);
        posed.move_by(DAffine3::from_translation(DVec3::Z));
        posed.skin(&surface);
        let palette = [
            Affine3A::from_translation(Vec3::Z),
            Affine3A::from_translation(Vec3::Z + Vec3::X)
                * Affine3A::from_rotation_z(90_f32.to_radians())
                * Affine3A::from_translation(Vec3::NEG_X),
        ];
        let binding = Binding::Skinned {
            method: SkinMethod::DualQuaternion,
            model_from_mesh: &palette,
            without_influence: Affine3A::from_translation(Vec3::Y + Vec3::Z),
        };
        let mut expected = Vertices::default();
        deform(&scene.meshes[0].primitives[0], &[0.5], binding, &mut expected);
        for (found, expected) in posed.vertices().iter().zip(&expected.positions) {
            assert!(found.abs_diff_eq(expected.as_dvec3(), 1e-6), "{found} {expected}");
        }
    }
}
