//! Bones in their tree: from the matrices of a file to transforms in each bone's parent.
//!
//! In:  parents, the T-pose, and frame after frame of matrices in file order.
//! Out: nodes, what undoes the T-pose, and keys.
//!
//! With T for the T-pose and O for a frame's matrix a bone is at `parent · T · O`, as the
//! course has it, also where its exporter filed T in the armature's space and not in the parent's.
//! Without a T-pose a frame's matrix is final: it takes the mesh straight to where it is drawn, and
//! no bone has a parent.
//!
//! A bone whose matrices are sheared in some frame hangs under a helper node, which has the translation, a
//! rotation and the scale; the bone itself has the other rotation (see [`Split`]). So shear is kept exactly.

use glam::{Affine3A, DAffine3, DQuat, Quat, Vec3};
use sinew_scene::{JointId, Node, Transform};

use super::file::{MATRIX, matrix};
use super::matrix::take_apart;
use crate::Place;
use crate::open::Context;
use crate::shear::Split;

/// The bones of a file, with what is needed from frame to frame.
pub(super) struct Bones {
    parents: Vec<Option<usize>>,
    /// Parents before children.
    order: Vec<usize>,
    t_pose: Vec<DAffine3>,
    rest: Vec<Placement>,
    /// Whether some matrix of the bone is sheared.
    sheared: Vec<bool>,
    unusable: usize,
}

/// Where a bone is in its parent.
#[derive(Clone, Copy)]
struct Placement {
    outer: Transform,
    /// Nothing, but for a sheared bone.
    inner: Quat,
}

impl Placement {
    const NOWHERE: Self = Self { outer: Transform::IDENTITY, inner: Quat::IDENTITY };

    fn to_affine(self) -> Affine3A {
        self.outer.to_affine() * Affine3A::from_quat(self.inner)
    }
}

/// The nodes of a bone: one and the same, but for a sheared bone.
#[derive(Clone, Copy)]
pub(super) struct NodesOf {
    /// Translation, rotation and scale.
    pub(super) outer: JointId,
    /// The other rotation, under the bone's name.
    pub(super) bone: JointId,
}

/// The share of a matrix that may be lost to rounding before it counts as sheared.
const SHEAR_NOISE: f64 = 1e-5;

/// The keys of one bone.
pub(super) struct Keys {
    pub(super) translations: Vec<Vec3>,
    pub(super) rotations: Vec<Quat>,
    pub(super) scales: Vec<Vec3>,
    pub(super) inner: Vec<Quat>,
}

/// The keys of every bone, in file order.
pub(super) struct Poses(Vec<Keys>);

impl Poses {
    pub(super) fn new(bones: usize, frames: usize) -> Self {
        let keys = |_| Keys {
            translations: Vec::with_capacity(frames),
            rotations: Vec::with_capacity(frames),
            scales: Vec::with_capacity(frames),
            inner: Vec::with_capacity(frames),
        };
        Self((0..bones).map(keys).collect())
    }

    pub(super) fn into_bones(self) -> impl Iterator<Item = Keys> {
        self.0.into_iter()
    }
}

impl Bones {
    /// `frames` is every matrix of every frame.
    pub(super) fn new(
        parents: Vec<Option<usize>>,
        order: Vec<usize>,
        t_pose: Option<&[u8]>,
        frames: &[u8],
    ) -> Self {
        let count = parents.len();
        let mut bones = Self {
            parents,
            order,
            t_pose: vec![DAffine3::IDENTITY; count],
            rest: vec![Placement::NOWHERE; count],
            sheared: vec![false; count],
            unusable: 0,
        };
        if let Some(t_pose) = t_pose {
            bones.t_pose = bones.read(t_pose);
        }
        bones.find_shear(frames);
        bones.rest = bones.placements(&bones.t_pose, None);
        bones
    }

    fn find_shear(&mut self, frames: &[u8]) {
        let is_sheared = |matrix: DAffine3| take_apart(matrix).1 > SHEAR_NOISE;
        for (sheared, &t_pose) in self.sheared.iter_mut().zip(&self.t_pose) {
            *sheared = is_sheared(t_pose);
        }
        for frame in frames.chunks_exact((self.t_pose.len() * MATRIX).max(1)) {
            for (bone, bytes) in frame.chunks_exact(MATRIX).enumerate() {
                let Some(offset) = matrix(bytes) else { continue };
                self.sheared[bone] |= is_sheared(self.t_pose[bone] * offset);
            }
        }
    }

    pub(super) fn nodes(&self, names: &[String]) -> (Vec<Node>, Vec<NodesOf>) {
        let mut nodes: Vec<Node> = Vec::with_capacity(names.len());
        let nowhere = NodesOf { outer: JointId::new(0), bone: JointId::new(0) };
        let mut of = vec![nowhere; names.len()];
        for &bone in &self.order {
            let parent = self.parents[bone].map(|parent| of[parent].bone);
            let placement = self.rest[bone];
            let outer = JointId::new(nodes.len());
            if self.sheared[bone] {
                let inner = Transform::from_rotation(placement.inner);
                nodes.push(Node::new(format!("{} (shear)", names[bone]), parent, placement.outer));
                nodes.push(Node::new(names[bone].clone(), Some(outer), inner));
            } else {
                nodes.push(Node::new(names[bone].clone(), parent, placement.outer));
            }
            of[bone] = NodesOf { outer, bone: JointId::new(nodes.len() - 1) };
        }
        (nodes, of)
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
        self.rest[bone].outer.scale
    }

    /// Adds a key to every bone.
    pub(super) fn add_frame(&mut self, frame: &[u8], poses: &mut Poses) {
        let offsets = self.read(frame);
        let locals: Vec<_> = self.t_pose.iter().zip(offsets).map(|(&t, o)| t * o).collect();
        let placements = self.placements(&locals, Some(poses));
        for (keys, placement) in poses.0.iter_mut().zip(placements) {
            keys.translations.push(placement.outer.translation);
            keys.rotations.push(placement.outer.rotation);
            keys.scales.push(placement.outer.scale);
            keys.inner.push(placement.inner);
        }
    }

    pub(super) fn report(&self, context: &mut Context<'_>) {
        let mut say = |count: usize, what: &str| {
            if count > 0 {
                context.notes.add(Place::Whole, format!("{count} {what}"));
            }
        };
        say(self.unusable, "matrices are not finite: nothing is done in their place");
        let sheared = self.sheared.iter().filter(|sheared| **sheared).count();
        say(sheared, "bones are sheared in some frame: each hangs under a helper node");
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

    /// Where each bone is in its parent. Each is taken against where its parent comes to be
    /// after rounding, so that a long chain far from the origin does not add its rounding up.
    /// A sheared bone goes on from its last key in `before`.
    fn placements(&self, parent_from_bone: &[DAffine3], before: Option<&Poses>) -> Vec<Placement> {
        let mut exact = vec![DAffine3::IDENTITY; parent_from_bone.len()];
        let mut rounded = vec![Affine3A::IDENTITY; parent_from_bone.len()];
        let mut placements = vec![Placement::NOWHERE; parent_from_bone.len()];
        for &bone in &self.order {
            let above = self.parents[bone];
            exact[bone] = above.map_or(DAffine3::IDENTITY, |p| exact[p]) * parent_from_bone[bone];
            let mended = above
                .and_then(|parent| invert(rounded[parent]))
                .map(|back| back * exact[bone])
                .filter(|local| local.is_finite())
                .unwrap_or(parent_from_bone[bone]);
            let last = before.and_then(|poses| poses.0[bone].inner.last().copied());
            placements[bone] = match self.sheared[bone] {
                true => stand_sheared(mended, last.unwrap_or(self.rest[bone].inner)),
                false => Placement { outer: take_apart(mended).0, inner: Quat::IDENTITY },
            };
            rounded[bone] = self.parent(&rounded, bone) * placements[bone].to_affine();
        }
        placements
    }
}

fn stand_sheared(matrix: DAffine3, near: Quat) -> Placement {
    let near = DQuat::from_xyzw(near.x.into(), near.y.into(), near.z.into(), near.w.into());
    let split = Split::new(matrix.matrix3, near);
    let outer = Transform {
        translation: matrix.translation.as_vec3(),
        rotation: split.outer.as_quat().normalize(),
        scale: split.scale.as_vec3(),
    };
    let inner = split.inner.as_quat().normalize();
    match outer.is_finite() && inner.is_finite() {
        true => Placement { outer, inner },
        false => Placement { outer: take_apart(matrix).0, inner: Quat::IDENTITY },
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
