//! Modifiers: what changes a pose after the motion, set once and applied every frame in order.
//!
//! In:  the pose of the motion, where the model is in the world, and targets.
//! Out: the same pose, changed.

use std::fmt;
use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};
use sinew_motion::ik::{Aim, Ccd, Fabrik, LookAt, LookAtState, Outcome, Pole, TwoBone};
use sinew_motion::{Collider, Feet, Ground, Mirror, Pose, SpringChain};
use sinew_scene::{InstanceId, JointId, Scene, Skeleton, Transform};

/// Changes a pose after the motion.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Modifier {
    /// Left for right; root motion is mirrored too.
    Mirror(Mirror),
    /// Replaces or adds to the local transform of a joint.
    Joint(JointOverride),
    /// Sets a morph weight.
    MorphWeight {
        /// The mesh instance.
        instance: InstanceId,
        /// Which of its morph targets.
        morph_target: usize,
        /// The weight.
        weight: f32,
    },
    /// An arm or a leg that reaches for its target.
    TwoBone(TwoBone),
    /// A chain of joints that reaches for its target, by FABRIK.
    Fabrik(Fabrik),
    /// A chain of joints that reaches for its target, by cyclic coordinate descent.
    Ccd(Ccd),
    /// A joint that points at its target.
    Aim(Aim),
    /// A spine, neck and head that look at their target together.
    LookAt(LookAt),
    /// Feet on uneven ground.
    Feet(Feet, GroundProbe),
    /// A chain of joints that swings: hair, tails, straps. With what it collides.
    Spring(SpringChain, Vec<Collider>),
}

/// Finds the ground under a point of the world: its height and normal there.
#[derive(Clone)]
pub struct GroundProbe(Arc<dyn Fn(Vec3) -> Option<Ground> + Send + Sync>);

impl GroundProbe {
    /// Asks `find` with the position of an ankle, in the world.
    pub fn new(find: impl Fn(Vec3) -> Option<Ground> + Send + Sync + 'static) -> Self {
        Self(Arc::new(find))
    }
}

impl fmt::Debug for GroundProbe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GroundProbe")
    }
}

/// A change to one joint: first in the place of what the motion has, then on top of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointOverride {
    /// Which joint.
    pub joint: JointId,
    /// In the place of the motion's rotation.
    pub rotation: Option<Quat>,
    /// In the place of the motion's translation.
    pub translation: Option<Vec3>,
    /// In the place of the motion's scale.
    pub scale: Option<Vec3>,
    /// On top: about the joint's own axes.
    pub rotate: Quat,
    /// On top: along the parent's axes.
    pub offset: Vec3,
}

impl JointOverride {
    /// No change yet.
    #[must_use]
    pub fn new(joint: JointId) -> Self {
        Self {
            joint,
            rotation: None,
            translation: None,
            scale: None,
            rotate: Quat::IDENTITY,
            offset: Vec3::ZERO,
        }
    }

    /// The local transform with the change.
    #[must_use]
    pub fn apply(&self, local: Transform) -> Transform {
        let rotation = self.rotation.unwrap_or(local.rotation) * self.rotate;
        Transform {
            translation: self.translation.unwrap_or(local.translation) + self.offset,
            rotation: rotation.normalize(),
            scale: self.scale.unwrap_or(local.scale),
        }
    }
}

/// Where a modifier reaches or looks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// A point of the world.
    World(Vec3),
    /// A point of the model.
    Model(Vec3),
}

impl From<Vec3> for Target {
    fn from(point: Vec3) -> Self {
        Self::World(point)
    }
}

impl Target {
    fn in_model(self, model_from_world: &Affine3A) -> Vec3 {
        match self {
            Self::World(point) => model_from_world.transform_point3(point),
            Self::Model(point) => point,
        }
    }
}

/// Names one modifier of a stack, as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModifierId(u32);

/// The modifiers of one character, in the order in which they are applied.
///
/// ```
/// use sinew::{Animator, Modifier, glam::Vec3, motion::ik::TwoBone};
/// let mut animator = Animator::new(sinew::ossi());
/// let skeleton = animator.scene().skeleton();
/// let arm = TwoBone::new(skeleton, skeleton.find("hand.L").unwrap()).unwrap();
/// let arm = animator.modifiers_mut().add(Modifier::TwoBone(arm));
/// animator.modifiers_mut().set_target(arm, Vec3::new(0.3, 1.2, 0.3));
/// animator.advance(1.0 / 60.0);
/// assert!(animator.modifiers().outcome(arm).unwrap().reached());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Modifiers {
    entries: Vec<Entry>,
    next: u32,
    /// What applies an entry. Set when there is one, so that a program that adds none carries no code of IK and
    /// springs: it counts on web pages.
    apply: Option<ApplyEntry>,
}

type ApplyEntry = fn(&mut Entry, &mut Pose, &Scene, &Place<'_>);

#[derive(Clone, Debug)]
struct Entry {
    id: ModifierId,
    modifier: Modifier,
    enabled: bool,
    target: Option<Target>,
    /// A point of the world that the middle joint of a limb bends towards.
    pole: Option<Vec3>,
    look: LookAtState,
    outcome: Option<Outcome>,
}

impl Modifiers {
    /// Adds a modifier after all others.
    pub fn add(&mut self, modifier: Modifier) -> ModifierId {
        self.insert(self.entries.len(), modifier)
    }

    /// Adds a modifier before the one that is at `position`; past the last, after all.
    pub fn insert(&mut self, position: usize, modifier: Modifier) -> ModifierId {
        let id = ModifierId(self.next);
        self.next += 1;
        let entry = Entry {
            id,
            modifier,
            enabled: true,
            target: None,
            pole: None,
            look: LookAtState::new(),
            outcome: None,
        };
        self.entries.insert(position.min(self.entries.len()), entry);
        self.apply = Some(Entry::apply_where_it_fits);
        id
    }

    /// Takes a modifier out, if it is there.
    pub fn remove(&mut self, id: ModifierId) -> Option<Modifier> {
        let position = self.entries.iter().position(|entry| entry.id == id)?;
        Some(self.entries.remove(position).modifier)
    }

    /// Takes all modifiers out.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All of them, in the order in which they are applied.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ModifierId, &Modifier)> {
        self.entries.iter().map(|entry| (entry.id, &entry.modifier))
    }

    /// One modifier.
    #[must_use]
    pub fn get(&self, id: ModifierId) -> Option<&Modifier> {
        self.entry(id).map(|entry| &entry.modifier)
    }

    /// One modifier, to change its weight, limits and so on.
    pub fn get_mut(&mut self, id: ModifierId) -> Option<&mut Modifier> {
        self.entry_mut(id).map(|entry| &mut entry.modifier)
    }

    /// Where a modifier reaches or looks from the next frame on: a point, or `None` for nowhere.
    /// Modifiers that have no target ignore it.
    pub fn set_target<T: Into<Target>>(&mut self, id: ModifierId, target: impl Into<Option<T>>) {
        if let Some(entry) = self.entry_mut(id) {
            entry.target = target.into().map(Into::into);
        }
    }

    /// The point of the world that the elbow or knee of a [`Modifier::TwoBone`] bends towards;
    /// `None` is the limb's own [`Pole`].
    pub fn set_pole(&mut self, id: ModifierId, pole: Option<Vec3>) {
        if let Some(entry) = self.entry_mut(id) {
            entry.pole = pole;
        }
    }

    /// Switches a modifier off and on again; it keeps its place.
    pub fn set_enabled(&mut self, id: ModifierId, enabled: bool) {
        if let Some(entry) = self.entry_mut(id) {
            entry.enabled = enabled;
        }
    }

    /// How near the last frame came to a modifier's target; `None` for those without one.
    #[must_use]
    pub fn outcome(&self, id: ModifierId) -> Option<Outcome> {
        self.entry(id).and_then(|entry| entry.outcome)
    }

    fn entry(&self, id: ModifierId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    fn entry_mut(&mut self, id: ModifierId) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.id == id)
    }

    /// Forgets what swings and what was smoothed: after a jump to another place.
    pub(super) fn reset(&mut self) {
        for entry in &mut self.entries {
            entry.look = LookAtState::new();
            match &mut entry.modifier {
                Modifier::Feet(feet, _) => feet.reset(),
                Modifier::Spring(chain, _) => chain.reset(),
                _ => {}
            }
        }
    }

    /// Changes a pose whose model matrices are up to date, and leaves them so.
    pub(super) fn apply(
        &mut self,
        pose: &mut Pose,
        scene: &Scene,
        world_from_model: &Affine3A,
        seconds: f32,
    ) {
        let inverse = world_from_model.inverse();
        let model_from_world = if inverse.is_finite() { inverse } else { Affine3A::IDENTITY };
        let place = Place { world_from_model, model_from_world: &model_from_world, seconds };
        let Some(apply) = self.apply else { return };
        for entry in self.entries.iter_mut().filter(|entry| entry.enabled) {
            apply(entry, pose, scene, &place);
        }
    }

    /// Root motion as the mirrors among them show it.
    pub(super) fn mirrored(&self, root_motion: Transform) -> Transform {
        let enabled = self.entries.iter().filter(|entry| entry.enabled);
        enabled.fold(root_motion, |delta, entry| match &entry.modifier {
            Modifier::Mirror(mirror) => mirror.plane().mirrored(delta),
            _ => delta,
        })
    }
}

/// Where the model is, and how much time has passed.
struct Place<'a> {
    world_from_model: &'a Affine3A,
    model_from_world: &'a Affine3A,
    seconds: f32,
}

impl Entry {
    fn apply_where_it_fits(&mut self, pose: &mut Pose, scene: &Scene, place: &Place<'_>) {
        if self.modifier.fits(scene) {
            self.apply(pose, scene.skeleton(), place);
        } else {
            self.outcome = None;
        }
    }

    fn apply(&mut self, pose: &mut Pose, skeleton: &Skeleton, place: &Place<'_>) {
        let target = self.target.map(|target| target.in_model(place.model_from_world));
        self.outcome = match &mut self.modifier {
            Modifier::Mirror(mirror) => {
                mirror.apply(pose, skeleton);
                None
            }
            Modifier::Joint(change) => {
                pose.set_local(change.joint, change.apply(pose.local(change.joint)));
                pose.to_model_from(skeleton, change.joint);
                None
            }
            Modifier::MorphWeight { instance, morph_target, weight } => {
                if let Some(value) = pose.weights_mut(*instance).get_mut(*morph_target) {
                    *value = *weight;
                }
                None
            }
            Modifier::TwoBone(limb) => target.map(|target| {
                let pole = self.pole.map(|pole| place.model_from_world.transform_point3(pole));
                let limb = TwoBone { pole: pole.map_or(limb.pole, Pole::At), ..*limb };
                limb.apply(pose, skeleton, target)
            }),
            Modifier::Fabrik(chain) => target.map(|target| chain.apply(pose, skeleton, target)),
            Modifier::Ccd(chain) => target.map(|target| chain.apply(pose, skeleton, target)),
            Modifier::Aim(aim) => target.map(|target| aim.apply(pose, skeleton, target)),
            Modifier::LookAt(look) => {
                let found = look.apply(pose, skeleton, target, &mut self.look, place.seconds);
                target.map(|_| found)
            }
            Modifier::Feet(feet, GroundProbe(find)) => {
                feet.apply(pose, skeleton, place.seconds, |ankle| {
                    ground(find.as_ref(), ankle, place)
                });
                None
            }
            Modifier::Spring(chain, colliders) => {
                chain.apply(pose, skeleton, place.world_from_model, colliders, place.seconds);
                None
            }
        };
    }
}

/// The ground under an ankle, both in the model.
fn ground(
    find: &(dyn Fn(Vec3) -> Option<Ground> + Send + Sync),
    ankle: Vec3,
    place: &Place<'_>,
) -> Option<Ground> {
    let ankle = place.world_from_model.transform_point3(ankle);
    let found = find(ankle)?;
    let point = Vec3::new(ankle.x, found.height, ankle.z);
    Some(Ground {
        height: place.model_from_world.transform_point3(point).y,
        normal: place.model_from_world.transform_vector3(found.normal),
    })
}
