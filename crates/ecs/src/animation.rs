//! The first step: players move on, and whoever follows one takes its part of the pose.
//!
//! Two passes, each over many entities at once: players sample their clips into their own poses; then every driven
//! entity reads its player's. Between them, the few who have goals meet them. No entity is written by two, so nothing waits.

use std::sync::Mutex;

use bevy_ecs::prelude::*;
use sinew::glam::Affine3A;
use sinew::scene::{Property, PropertyId};

use crate::player::{AnimationPlayer, Driven, Part};
use crate::trouble::{Trouble, Troubles};
use crate::{Camera, Clock, Goals, Light, LocalTransform, MorphWeights, WorldTransform};

/// Players move on, and meet their goals.
pub(crate) fn play(
    clock: Res<'_, Clock>,
    mut players: Query<'_, '_, &mut AnimationPlayer>,
    mut goals: Query<'_, '_, (Entity, &mut Goals)>,
    worlds: Query<'_, '_, &WorldTransform>,
    mut troubles: ResMut<'_, Troubles>,
) {
    let seconds = clock.seconds;
    players.par_iter_mut().for_each(|mut player| player.advance(seconds));
    troubles.animation.clear();
    for (entity, goals) in &mut goals {
        if let Ok(player) = players.get_mut(entity)
            && !goals.0.is_empty()
        {
            meet(entity, player, goals, &worlds, &mut troubles.animation);
        }
    }
}

/// Whoever is driven takes its part of its player's pose.
pub(crate) fn follow(
    players: Query<'_, '_, &AnimationPlayer>,
    mut nodes: Query<'_, '_, (Entity, &Driven, &mut LocalTransform)>,
    mut weights: Query<'_, '_, (Entity, &Driven, &mut MorphWeights)>,
    mut lights: Query<'_, '_, (&Driven, &mut Light)>,
    mut cameras: Query<'_, '_, (&Driven, &mut Camera)>,
    mut troubles: ResMut<'_, Troubles>,
) {
    let writing = |driven: &Driven| players.get(driven.player).ok().filter(|p| p.writes());
    let wrong = Mutex::new(Vec::new());
    let report = |entity, driven: &Driven| {
        let trouble = Trouble::NoSuchPart { entity, player: driven.player };
        wrong.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(trouble);
    };
    // Nodes of one character lie side by side: the player of the last is mostly that of the next.
    nodes.par_iter_mut().for_each_init(
        || None,
        |last: &mut Option<(Entity, Option<&AnimationPlayer>)>, (entity, driven, mut local)| {
            let Part::Node(joint) = driven.part else { return };
            let player = match *last {
                Some((known, player)) if known == driven.player => player,
                _ => last.insert((driven.player, writing(driven))).1,
            };
            let Some(pose) = player.map(AnimationPlayer::pose) else { return };
            if joint.index() >= pose.len() {
                return report(entity, driven);
            }
            let now = pose.local(joint);
            if local.0 != now {
                local.0 = now;
            }
        },
    );
    weights.par_iter_mut().for_each(|(entity, driven, mut weights)| {
        let (Part::Mesh(instance), Some(player)) = (driven.part, writing(driven)) else { return };
        if instance.index() >= player.scene().instances.len() {
            return report(entity, driven);
        }
        let now = player.pose().weights(instance);
        if weights.0 != now {
            weights.0.clear();
            weights.0.extend_from_slice(now);
        }
    });
    for (driven, light) in &mut lights {
        let (Part::Light(own), Some(player)) = (driven.part, writing(driven)) else { continue };
        take_over(light, player, |light, property, value| light.drive(own, property, value));
    }
    for (driven, camera) in &mut cameras {
        let (Part::Camera(own), Some(player)) = (driven.part, writing(driven)) else { continue };
        take_over(camera, player, |camera, property, value| camera.drive(own, property, value));
    }
    let wrong = wrong.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    troubles.animation.extend(wrong);
}

/// Bends and turns the pose towards its goals.
fn meet(
    entity: Entity,
    mut player: Mut<'_, AnimationPlayer>,
    mut goals: Mut<'_, Goals>,
    worlds: &Query<'_, '_, &WorldTransform>,
    troubles: &mut Vec<Trouble>,
) {
    let (pose, scene) = player.pose_for_goals();
    let world_from_model = worlds.get(entity).map_or(Affine3A::IDENTITY, |world| world.0);
    let model_from_world = world_from_model.inverse();
    for (index, goal) in goals.0.iter_mut().enumerate() {
        let place = worlds.get(goal.target).ok().map(|world| world.0.translation);
        let target = place.map(|place| model_from_world.transform_point3a(place).into());
        let outcome = target.and_then(|target| goal.meet(pose, scene.skeleton(), target));
        if outcome.is_none() {
            troubles.push(Trouble::LostGoal { player: entity, goal: index });
        }
        goal.outcome = outcome;
    }
}

/// Hands every driven value of a player to `drive`; what stays the same does not count as changed.
fn take_over<C: Component<Mutability = bevy_ecs::component::Mutable> + Copy + PartialEq>(
    mut component: Mut<'_, C>,
    player: &AnimationPlayer,
    drive: impl Fn(&mut C, Property, [f32; 4]),
) {
    let mut now = *component;
    for (index, entry) in player.scene().properties.iter().enumerate() {
        drive(&mut now, entry.property, *player.pose().property(PropertyId::new(index)));
    }
    component.set_if_neq(now);
}
