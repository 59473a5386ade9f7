//! The first step: players let time pass, and whoever is driven by one takes its element of the pose.
//!
//! Two passes, each over many entities at once: players work out their poses; then every driven entity reads its
//! player's. No entity is written by two, so nothing waits.

use std::sync::{Mutex, PoisonError};

use bevy_ecs::prelude::*;
use sinew::scene::{Property, PropertyId};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::player::{AnimationPlayer, Driven, SceneElement};
use crate::{Camera, Clock, Light, LocalTransform, MorphWeights, Targets, WorldTransform};

/// A player, where it is, and what it reaches for.
type Players<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static mut AnimationPlayer,
        Option<&'static mut LocalTransform>,
        Option<&'static ChildOf>,
        Option<&'static Targets>,
    ),
>;

/// Players let time pass; root motion moves their entities.
pub(crate) fn play(
    clock: Res<'_, Clock>,
    mut players: Players<'_, '_>,
    worlds: Query<'_, '_, &WorldTransform>,
    mut diagnostics: ResMut<'_, Diagnostics>,
) {
    let seconds = clock.seconds;
    let found = Mutex::new(Vec::new());
    let report = |diagnostic| add(&found, diagnostic);
    players.par_iter_mut().for_each(|(entity, mut player, local, parent, targets)| {
        if let Some(local) = &local {
            let parent = parent.and_then(|parent| worlds.get(parent.parent()).ok());
            let parent_from_model = local.0.to_affine();
            player.place(parent.map_or(parent_from_model, |world| world.0 * parent_from_model));
        }
        if let Some(targets) = targets {
            targets.apply(&mut player, |target| {
                let place = worlds.get(target).ok().map(|world| world.0.translation.into());
                if place.is_none() {
                    report(Diagnostic::LostTarget { player: entity, target });
                }
                place
            });
        }
        for (index, (_, modifier)) in player.modifiers().iter().enumerate() {
            if !modifier.fits(player.scene()) {
                report(Diagnostic::WrongModifier { player: entity, index });
            }
        }
        player.advance(seconds);
        if let Some(mut local) = local
            && let Some(moved) = player.moved(local.0)
        {
            local.0 = moved;
        }
    });
    diagnostics.animation = found.into_inner().unwrap_or_else(PoisonError::into_inner);
}

/// Whoever is driven takes its element of its player's pose.
pub(crate) fn write(
    players: Query<'_, '_, &AnimationPlayer>,
    mut nodes: Query<'_, '_, (Entity, &Driven, &mut LocalTransform)>,
    mut weights: Query<'_, '_, (Entity, &Driven, &mut MorphWeights)>,
    mut lights: Query<'_, '_, (&Driven, &mut Light)>,
    mut cameras: Query<'_, '_, (&Driven, &mut Camera)>,
    mut diagnostics: ResMut<'_, Diagnostics>,
) {
    let writing = |driven: &Driven| players.get(driven.player).ok().filter(|p| p.writes());
    let found = Mutex::new(Vec::new());
    let report = |entity, driven: &Driven| {
        add(&found, Diagnostic::MissingElement { entity, player: driven.player });
    };
    // Nodes of one character lie side by side: the player of the last is mostly that of the next.
    nodes.par_iter_mut().for_each_init(
        || None,
        |last: &mut Option<(Entity, Option<&AnimationPlayer>)>, (entity, driven, mut local)| {
            let SceneElement::Node(joint) = driven.element else { return };
            let player = match *last {
                Some((known, player)) if known == driven.player => player,
                _ => last.insert((driven.player, writing(driven))).1,
            };
            let Some(pose) = player.map(|player| player.pose()) else { return };
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
        let (SceneElement::Mesh(instance), Some(player)) = (driven.element, writing(driven)) else {
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
        let (SceneElement::Light(own), Some(player)) = (driven.element, writing(driven)) else {
            continue;
        };
        take_over(light, player, |light, property, value| light.drive(own, property, value));
    }
    for (driven, camera) in &mut cameras {
        let (SceneElement::Camera(own), Some(player)) = (driven.element, writing(driven)) else {
            continue;
        };
        take_over(camera, player, |camera, property, value| camera.drive(own, property, value));
    }
    diagnostics.animation.extend(found.into_inner().unwrap_or_else(PoisonError::into_inner));
}

fn add(diagnostics: &Mutex<Vec<Diagnostic>>, diagnostic: Diagnostic) {
    diagnostics.lock().unwrap_or_else(PoisonError::into_inner).push(diagnostic);
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
