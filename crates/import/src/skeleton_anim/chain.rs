//! Bones in their tree: from the matrices of a file to transforms in each bone's parent.
//!
//! In:  parents, the T-pose, and frame after frame of matrices in file order.
//! Out: nodes, what undoes the T-pose, and keys.
//!
//! With T for the T-pose and O for a frame's matrix a bone stands at `parent · T · O`, as the
//! course has it, also where its exporter filed T in the armature's space and not in the parent's.
//! Without a T-pose a frame's matrix is final: it takes the mesh straight to where it is drawn, and
//! no bone has a parent.

use glam::{Affine3A, DAffine3, Quat, Vec3};
use sinew_scene::{JointId, Node, Transform};

use super::file::{MATRIX, matrix};
use super::matrix::take_apart;
use crate::Place;
use crate::door::Context;

/// The bones of a file, with what is needed from frame to frame.
pub(super) struct Bones {
    parents: Vec<Option<usize>>,
    /// Parents before children.
    order: Vec<usize>,
    t_pose: Vec<DAffine3>,
    rest: Vec<Transform>,
    unusable: usize,
    sheared: usize,
}

/// The keys of one bone.
pub(super) struct Keys {
    pub(super) translations: Vec<Vec3>,
    pub(super) rotations: Vec<Quat>,
    pub(super) scales: Vec<Vec3>,
}

/// The keys of every bone, in file order.
pub(super) struct Poses(Vec<Keys>);

impl Poses {
    pub(super) fn new(bones: usize, frames: usize) -> Self {
        let keys = |_| Keys {
            translations: Vec::with_capacity(frames),
            rotations: Vec::with_capacity(frames),
            scales: Vec::with_capacity(frames),
        };
        Self((0..bones).map(keys).collect())
    }

    pub(super) fn into_bones(self) -> impl Iterator<Item = Keys> {
        self.0.into_iter()
    }
}

impl Bones {
    pub(super) fn new(
        parents: Vec<Option<usize>>,
        order: Vec<usize>,
        t_pose: Option<&[u8]>,
    ) -> Self {
        let count = parents.len();
        let mut bones = Self {
            parents,
            order,
            t_pose: vec![DAffine3::IDENTITY; count],
            rest: Vec::new(),
            unusable: 0,
            sheared: 0,
        };
        if let Some(t_pose) = t_pose {
            bones.t_pose = bones.read(t_pose);
        }
        bones.rest = bones.locals(&bones.t_pose.clone());
        bones
    }

    pub(super) fn nodes(&self, names: &[String]) -> (Vec<Node>, Vec<JointId>) {
        let mut node_of = vec![JointId::new(0); names.len()];
        for (node, &bone) in self.order.iter().enumerate() {
            node_of[bone] = JointId::new(node);
        }
        let node = |&bone: &usize| {
            let parent = self.parents[bone].map(|parent| node_of[parent]);
            Node::new(names[bone].clone(), parent, self.rest[bone])
        };
        (self.order.iter().map(node).collect(), node_of)
    }

    /// What takes a mesh in the T-pose to each bone, in file order.
    pub(super) fn joint_from_mesh(&self) -> Vec<Affine3A> {
        let mut model = vec![Affine3A::IDENTITY; self.rest.len()];
        for &bone in &self.order {
            model[bone] = self.parent(&model, bone) * self.rest[bone].to_affine();
        }
        let undo = |model: Affine3A| invert(model).map_or(Affine3A::IDENTITY, narrow);
        model.into_iter().map(undo).collect()
    }

    pub(super) fn rest_scale(&self, bone: usize) -> Vec3 {
        self.rest[bone].scale
    }

    /// Adds a key to every bone.
    pub(super) fn add_frame(&mut self, frame: &[u8], poses: &mut Poses) {
        let offsets = self.read(frame);
        let locals: Vec<_> = self.t_pose.iter().zip(offsets).map(|(&t, o)| t * o).collect();
        for (keys, transform) in poses.0.iter_mut().zip(self.locals(&locals)) {
            keys.translations.push(transform.translation);
            keys.rotations.push(transform.rotation);
            keys.scales.push(transform.scale);
        }
    }

    pub(super) fn tell(&self, context: &mut Context<'_>) {
        let mut say = |count: usize, what: &str| {
            if count > 0 {
                context.notes.add(Place::Whole, format!("{count} matrices {what}"));
            }
        };
        say(self.unusable, "are not finite: nothing is done in their place");
        say(self.sheared, "are sheared: the nearest move, turn and scale stand for them");
    }

    fn read(&mut self, bytes: &[u8]) -> Vec<DAffine3> {
        let each = bytes.chunks_exact(MATRIX).map(|bytes| {
            matrix(bytes).unwrap_or_else(|| {
                self.unusable += 1;
                DAffine3::IDENTITY
            })
        });
        each.collect()
    }

    fn parent(&self, model: &[Affine3A], bone: usize) -> Affine3A {
        self.parents[bone].map_or(Affine3A::IDENTITY, |parent| model[parent])
    }

    /// Transforms in each bone's parent. Each is taken against where its parent comes to stand
    /// after rounding, so that a long chain far from the origin does not add its rounding up.
    fn locals(&mut self, parent_from_bone: &[DAffine3]) -> Vec<Transform> {
        let mut exact = vec![DAffine3::IDENTITY; parent_from_bone.len()];
        let mut rounded = vec![Affine3A::IDENTITY; parent_from_bone.len()];
        let mut locals = vec![Transform::IDENTITY; parent_from_bone.len()];
        for at in 0..self.order.len() {
            let bone = self.order[at];
            let above = self.parents[bone];
            exact[bone] = above.map_or(DAffine3::IDENTITY, |p| exact[p]) * parent_from_bone[bone];
            let mended = above
                .and_then(|parent| invert(rounded[parent]))
                .map(|back| back * exact[bone])
                .filter(|local| local.is_finite())
                .unwrap_or(parent_from_bone[bone]);
            let (local, left_out) = take_apart(mended);
            self.sheared += usize::from(left_out > 1e-3);
            rounded[bone] = self.parent(&rounded, bone) * local.to_affine();
            locals[bone] = local;
        }
        locals
    }
}

fn invert(matrix: Affine3A) -> Option<DAffine3> {
    let wide = DAffine3 {
        matrix3: glam::Mat3::from(matrix.matrix3).as_dmat3(),
        translation: Vec3::from(matrix.translation).as_dvec3(),
    };
    let inverse = wide.inverse();
    inverse.is_finite().then_some(inverse)
}

fn narrow(matrix: DAffine3) -> Affine3A {
    Affine3A::from_mat3_translation(matrix.matrix3.as_mat3(), matrix.translation.as_vec3())
}
