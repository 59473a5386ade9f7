//! The first step: players move on, and whoever follows one takes its part of the pose.
//!
//! Three passes, each over many entities at once: graphs move on; players take over their graph's pose, or sample their
//! clips; then every driven entity reads its player's. Before that, the few who have goals meet them. No entity is
//! written by two, so nothing waits.

use std::sync::{Mutex, PoisonError};

use bevy_ecs::prelude::*;
use sinew::Transform;
use sinew::glam::Affine3A;
use sinew::scene::{Property, PropertyId};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::player::{AnimationPlayer, Driven, DrivenPart};
use crate::{
    Camera, Clock, Goals, GraphAnimator, Light, LocalTransform, MorphWeights, WorldTransform, graph,
};

/// Graphs move on, and carry whoever wants to be moved.
pub(crate) fn go(
    clock: Res<'_, Clock>,
    mut graphs: Query<'_, '_, (&mut GraphAnimator, Option<&mut LocalTransform>)>,
) {
    let seconds = clock.seconds;
    graphs.par_iter_mut().for_each(|(mut graph, place)| {
        graph.advance(seconds);
        let way = graph.root();
        if let Some(mut place) = place.filter(|_| graph.carries && way != Transform::IDENTITY) {
            place.0 = graph::carried(place.0, way);
        }
    });
}

/// Players move on, or follow their graphs, and meet their goals.
pub(crate) fn play(
    clock: Res<'_, Clock>,
    mut players: Query<'_, '_, (Entity, &mut AnimationPlayer, Option<&GraphAnimator>)>,
    mut goals: Query<'_, '_, (Entity, &mut Goals)>,
    worlds: Query<'_, '_, &WorldTransform>,
    mut diagnostics: ResMut<'_, Diagnostics>,
) {
    let seconds = clock.seconds;
    let strangers = Mutex::new(Vec::new());
    players.par_iter_mut().for_each(|(entity, mut player, graph)| {
        if !graph.is_some_and(|graph| player.follow(graph.pose())) {
            player.advance(seconds);
            if graph.is_some() {
                add(&strangers, Diagnostic::OtherGraph { player: entity });
            }
        }
    });
    diagnostics.animation = strangers.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (entity, goals) in &mut goals {
        if let Ok((_, player, _)) = players.get_mut(entity)
            && !goals.0.is_empty()
        {
            meet(entity, player, goals, &worlds, &mut diagnostics.animation);
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
    mut diagnostics: ResMut<'_, Diagnostics>,
) {
    let writing = |driven: &Driven| players.get(driven.player).ok().filter(|p| p.writes());
    let wrong = Mutex::new(Vec::new());
    let report = |entity, driven: &Driven| {
        add(&wrong, Diagnostic::NoSuchPart { entity, player: driven.player });
    };
    // Nodes of one character lie side by side: the player of the last is mostly that of the next.
    nodes.par_iter_mut().for_each_init(
        || None,
        |last: &mut Option<(Entity, Option<&AnimationPlayer>)>, (entity, driven, mut local)| {
            let DrivenPart::Node(joint) = driven.part else { return };
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
        let (DrivenPart::Mesh(instance), Some(player)) = (driven.part, writing(driven)) else {
            return;
        };
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
        let (DrivenPart::Light(own), Some(player)) = (driven.part, writing(driven)) else {
            continue;
        };
        take_over(light, player, |light, property, value| light.drive(own, property, value));
    }
    for (driven, camera) in &mut cameras {
        let (DrivenPart::Camera(own), Some(player)) = (driven.part, writing(driven)) else {
            continue;
        };
        take_over(camera, player, |camera, property, value| camera.drive(own, property, value));
    }
    diagnostics.animation.extend(wrong.into_inner().unwrap_or_else(PoisonError::into_inner));
}

fn add(diagnostics: &Mutex<Vec<Diagnostic>>, trouble: Diagnostic) {
    diagnostics.lock().unwrap_or_else(PoisonError::into_inner).push(trouble);
}

/// Bends and turns the pose towards its goals.
fn meet(
    entity: Entity,
    mut player: Mut<'_, AnimationPlayer>,
    mut goals: Mut<'_, Goals>,
    worlds: &Query<'_, '_, &WorldTransform>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (pose, scene) = player.pose_for_goals();
    let world_from_model = worlds.get(entity).map_or(Affine3A::IDENTITY, |world| world.0);
    let model_from_world = world_from_model.inverse();
    for (index, goal) in goals.0.iter_mut().enumerate() {
        let place = worlds.get(goal.target).ok().map(|world| world.0.translation);
        let target = place.map(|place| model_from_world.transform_point3a(place).into());
        let outcome = target.and_then(|target| goal.meet(pose, scene.skeleton(), target));
        if outcome.is_none() {
            diagnostics.push(Diagnostic::LostGoal { player: entity, goal: index });
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
