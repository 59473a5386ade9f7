//! Entities as targets of modifiers: what a character reaches for and looks at.
//!
//! In:  the world transforms of entities, as of the frame before.
//! Out: targets of the modifiers of the [`AnimationPlayer`](crate::AnimationPlayer) on the same entity.

use bevy_ecs::prelude::*;
use sinew::glam::Vec3;
use sinew::{Animator, ModifierId, Target};

/// Which entity each modifier of the [`AnimationPlayer`](crate::AnimationPlayer) on the same entity reaches for or looks at.
///
/// While the target is gone, the modifier has none. A modifier that is taken off this list keeps its
/// last target; [`Modifiers::set_target`](sinew::Modifiers::set_target) gives it another, or none.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use sinew::{Modifier, Transform, glam::Vec3, motion::ik::TwoBone};
/// use sinew_ecs::{AnimationPlayer, LocalTransform, Model, Targets};
/// # let mut world = World::new();
/// # let mut schedule = Schedule::default();
/// # sinew_ecs::install(&mut world, &mut schedule);
/// let ossi = Model::new(sinew::ossi()).spawn(&mut world);
/// let cup = Transform::from_translation(Vec3::new(0.3, 1.2, 0.3));
/// let cup = world.spawn(LocalTransform(cup)).id();
///
/// let mut player = world.get_mut::<AnimationPlayer>(ossi).unwrap();
/// let skeleton = player.scene().skeleton();
/// let arm = TwoBone::new(skeleton, skeleton.find("hand.L").unwrap()).unwrap();
/// let arm = player.modifiers_mut().add(Modifier::TwoBone(arm));
/// world.entity_mut(ossi).insert(Targets::default().with(arm, cup));
/// // The cup is where it was in the frame before, so the first frame only puts it there.
/// sinew_ecs::run(&mut world, &mut schedule, 0.0);
/// sinew_ecs::run(&mut world, &mut schedule, 1.0 / 60.0);
///
/// let player = world.get::<AnimationPlayer>(ossi).unwrap();
/// assert!(player.modifiers().outcome(arm).unwrap().reached());
/// ```
#[derive(Clone, Component, Debug, Default, PartialEq, Eq)]
pub struct Targets(Vec<(ModifierId, Entity)>);

impl Targets {
    /// The same with one more.
    #[must_use]
    pub fn with(mut self, modifier: ModifierId, target: Entity) -> Self {
        self.set(modifier, target);
        self
    }

    /// Gives a modifier a target: an entity with a [`WorldTransform`](crate::WorldTransform).
    pub fn set(&mut self, modifier: ModifierId, target: Entity) {
        self.remove(modifier);
        self.0.push((modifier, target));
    }

    /// Takes a modifier off the list; gives its target, if it was on it.
    pub fn remove(&mut self, modifier: ModifierId) -> Option<Entity> {
        let position = self.0.iter().position(|(known, _)| *known == modifier)?;
        Some(self.0.remove(position).1)
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ModifierId, Entity)> {
        self.0.iter().copied()
    }

    /// Gives the modifiers their targets: `place` says where an entity is in the world, if it is there.
    /// [`Step::Animation`](crate::Step::Animation) does it; call it where other systems than these let time pass.
    pub fn apply(&self, animator: &mut Animator, place: impl Fn(Entity) -> Option<Vec3>) {
        for (modifier, target) in self.iter() {
            animator
                .modifiers_mut()
                .set_target::<Target>(modifier, place(target).map(Target::World));
        }
    }
}
