//! Root motion: how far a clip moves its character.
//!
//! In:  the root joint, a clip, and a step of its playhead.
//! Out: how far the step moved and turned the character, as a change from where it stood; and
//! poses that stay in place.
//!
//! The delta is the difference of two places in the clip, and differences that follow each other
//! add up to the difference of their ends. So the sum of all steps is the same however time is cut;
//! loops put whole passes in between.

use sinew_scene::glam::{Affine3A, DQuat, Quat, Vec3};
use sinew_scene::{Clip, JointId, Scene, Track, Transform};

use crate::Pose;
use crate::cursor::find;
use crate::interpolate;
use crate::rigid::{Rigid, Screw};
use crate::step::Step;

/// Which part of the joint's motion is root motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum RootMode {
    /// Its translation over the floor (X and Z) and its rotation about Y; height and lean stay in the pose.
    #[default]
    Floor,
    /// All of its motion.
    All,
}

/// The joint of a scene that root motion comes from.
#[derive(Clone, Debug)]
#[doc(alias = "root motion")]
pub struct Root {
    mode: RootMode,
    /// From the top of the tree to the joint.
    chain: Vec<JointId>,
    rests: Vec<Transform>,
    /// Where the joint stands at rest.
    rest: Rigid,
}

/// Which tracks of a clip move the joints from the top of the tree to the root joint.
#[derive(Clone, Debug)]
pub struct RootTracks {
    links: Vec<Link>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    translation: Option<usize>,
    rotation: Option<usize>,
    scale: Option<usize>,
}

impl Root {
    /// The root motion of this joint.
    ///
    /// # Panics
    /// When the scene has no such joint.
    #[must_use]
    pub fn new(scene: &Scene, joint: JointId, mode: RootMode) -> Self {
        let skeleton = scene.skeleton();
        let mut chain = vec![joint];
        while let Some(parent) = chain.last().and_then(|last| skeleton.parents()[last.index()]) {
            chain.push(parent);
        }
        chain.reverse();
        let rests: Vec<_> = chain.iter().map(|joint| skeleton.node(*joint).rest).collect();
        let mut root = Self { mode, chain, rests, rest: Rigid::IDENTITY };
        root.rest = root.model_from_joint(root.rests.iter().copied());
        root
    }

    /// The joint that root motion comes from.
    #[must_use]
    pub fn joint(&self) -> JointId {
        self.chain[self.chain.len() - 1]
    }

    /// Finds what moves the joint in a clip, once.
    #[must_use]
    pub fn tracks(&self, clip: &Clip) -> RootTracks {
        fn of<V>(tracks: &[Track<V>], joint: JointId) -> Option<usize> {
            tracks.iter().rposition(|track| track.joint == joint)
        }
        let link = |joint: &JointId| Link {
            translation: of(&clip.translations, *joint),
            rotation: of(&clip.rotations, *joint),
            scale: of(&clip.scales, *joint),
        };
        RootTracks { links: self.chain.iter().map(link).collect() }
    }

    /// How far a step moved the character: seen from where it stood, with a scale of one.
    #[must_use]
    pub fn delta(&self, clip: &Clip, tracks: &RootTracks, step: &Step) -> Transform {
        self.rigid_delta(clip, tracks, step).to_transform()
    }

    /// The same for a motion that is known by its poses alone: `sample` writes the pose at a time
    /// into `scratch`.
    pub fn delta_by(
        &self,
        step: &Step,
        scratch: &mut Pose,
        mut sample: impl FnMut(f32, &mut Pose),
    ) -> Transform {
        let at = |time: f64| {
            sample(time as f32, scratch);
            let locals = self.chain.iter().map(|joint| scratch.local(*joint));
            self.root_motion(self.model_from_joint(locals))
        };
        over_step(step, at).to_transform()
    }

    pub(crate) fn rigid_delta(&self, clip: &Clip, tracks: &RootTracks, step: &Step) -> Rigid {
        over_step(step, |time| self.at(clip, tracks, time as f32))
    }

    /// Where the clip has moved the character at a time, from where it stands at rest.
    fn at(&self, clip: &Clip, tracks: &RootTracks, time: f32) -> Rigid {
        let locals = tracks.links.iter().zip(&self.rests).map(|(link, rest)| Transform {
            translation: link.translation.map_or(rest.translation, |track| {
                let curve = &clip.translations[track].curve;
                interpolate::vector(curve, find(curve.times(), time))
            }),
            rotation: link.rotation.map_or(rest.rotation, |track| {
                let curve = &clip.rotations[track].curve;
                interpolate::rotation(curve, find(curve.times(), time))
            }),
            scale: link.scale.map_or(rest.scale, |track| {
                let curve = &clip.scales[track].curve;
                interpolate::vector(curve, find(curve.times(), time))
            }),
        });
        self.root_motion(self.model_from_joint(locals))
    }

    /// Takes the root motion out of a pose: the joint stays over its place at rest, and what is
    /// below comes with it.
    ///
    /// # Panics
    /// When the pose is of another scene.
    pub fn hold(&self, pose: &mut Pose) {
        let (joint, parents) = (self.joint(), &self.chain[..self.chain.len() - 1]);
        let local = pose.local(joint);
        let mut model_from_parent = Affine3A::IDENTITY;
        let mut turned = Quat::IDENTITY;
        for parent in parents {
            let parent = pose.local(*parent);
            model_from_parent *= parent.to_affine();
            turned *= parent.rotation;
        }
        let locals = self.chain.iter().map(|joint| pose.local(*joint));
        let back = self.root_motion(self.model_from_joint(locals)).inverse();
        let place = model_from_parent.transform_point3(local.translation).as_dvec3();
        let place = (back.translation + back.rotation * place).as_vec3();
        let translation = model_from_parent.inverse().transform_point3(place);
        let rotation = turned.conjugate() * back.rotation.as_quat() * turned * local.rotation;
        // Under a parent that is scaled to nothing, no place is nearer than another.
        if translation.is_finite() && rotation.is_finite() {
            let rotation = rotation.normalize();
            pose.set_local(joint, Transform { translation, rotation, ..local });
        }
    }

    /// Scales move places but leave turns alone.
    fn model_from_joint(&self, locals: impl Iterator<Item = Transform>) -> Rigid {
        let (mut matrix, mut rotation) = (Affine3A::IDENTITY, DQuat::IDENTITY);
        for local in locals {
            matrix *= local.to_affine();
            rotation *= local.rotation.as_dquat();
        }
        let translation = Vec3::from(matrix.translation);
        let translation = if translation.is_finite() { translation } else { Vec3::ZERO };
        Rigid { translation: translation.as_dvec3(), rotation: rotation.normalize() }
    }

    /// From where a joint stands in the model to how far it moves the character away from its
    /// place at rest: that which makes the joint at rest stand there.
    fn root_motion(&self, model_from_joint: Rigid) -> Rigid {
        let turned = model_from_joint.rotation * self.rest.rotation.conjugate();
        let (place, home) = (model_from_joint.translation, self.rest.translation);
        match self.mode {
            RootMode::All => {
                let rotation = turned.normalize();
                Rigid { translation: place - rotation * home, rotation }
            }
            RootMode::Floor => {
                let rotation = about_y(turned);
                let mut translation = place - rotation * home;
                translation.y = 0.0;
                Rigid { translation, rotation }
            }
        }
    }
}

/// What a step moves, by where the motion is at each time.
fn over_step(step: &Step, mut at: impl FnMut(f64) -> Rigid) -> Rigid {
    if !step.moved {
        return Rigid::IDENTITY;
    }
    let mut over = |leg: u32| {
        let stretch = step.stretch(leg);
        at(stretch.from).inverse().then(at(stretch.to))
    };
    if step.loops == 0 {
        return over(0);
    }
    let between = step.loops - 1;
    // There and back is nowhere: of the whole stretches of a ping-pong at most one is left.
    let passes = if step.bounce { between % 2 } else { between };
    let whole = if passes > 0 { over(1).repeat(passes) } else { Rigid::IDENTITY };
    over(0).then(whole).then(over(step.loops))
}

/// The part of a rotation that rotates about Y (swing and twist); none for one that turns Y over.
fn about_y(rotation: DQuat) -> DQuat {
    let twist = DQuat::from_xyzw(0.0, rotation.y, 0.0, rotation.w);
    let length = twist.length();
    if length > 1e-9 { twist * (1.0 / length) } else { DQuat::IDENTITY }
}

/// Puts a delta after another: where a character stands that has made both.
///
/// ```
/// use sinew_motion::then;
/// use sinew_scene::{Transform, glam::{Quat, Vec3}};
/// let turn = Transform::from_rotation(Quat::from_rotation_y(90_f32.to_radians()));
/// let ahead = Transform::from_translation(Vec3::Z);
/// assert!(then(turn, ahead).translation.abs_diff_eq(Vec3::X, 1e-6));
/// ```
#[must_use]
pub fn then(first: Transform, next: Transform) -> Transform {
    let rigid = |at: Transform| Rigid::new(at.translation, at.rotation);
    rigid(first).then(rigid(next)).to_transform()
}

/// The sum of several root motions of one frame, each with its share of the time or of the blend: shares of one moment
/// sum to one, and what was seen for a part of the frame has its mean share over that part.
#[must_use]
pub fn sum_root_motion(parts: impl IntoIterator<Item = (Transform, f32)>) -> Transform {
    let mut sum = Screw::default();
    for (delta, weight) in parts {
        let weight = crate::blend::weight(weight);
        sum.add(Rigid::new(delta.translation, delta.rotation).log(), weight);
    }
    sum.exp().to_transform()
}

/// The mean of several root-motion deltas of the same time, each with its weight; nowhere when the
/// weights sum to nothing. Half of a curve is the curve at half speed, not half of its chord.
#[must_use]
#[doc(alias = "root motion delta")]
pub fn mean_root_motion(deltas: impl IntoIterator<Item = (Transform, f32)>) -> Transform {
    let (mut sum, mut total) = (Screw::default(), 0.0);
    for (delta, weight) in deltas {
        let weight = crate::blend::weight(weight);
        sum.add(Rigid::new(delta.translation, delta.rotation).log(), weight);
        total += weight;
    }
    let mut mean = Screw::default();
    mean.add(sum, if total > 1e-6 { 1.0 / total } else { 0.0 });
    mean.exp().to_transform()
}
