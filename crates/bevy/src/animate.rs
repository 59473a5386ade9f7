//! Players write Bevy's transforms and morph weights.
//!
//! In:  seconds as they pass, and where entities are in the world.
//! Out: `Transform` and `MorphWeights` of what is driven; root motion in the `Transform` of the player's entity.
//!
//! As in `sinew-ecs`: players work out their poses first, many at once; then whoever is driven takes its element of
//! the pose.

use bevy_ecs::prelude::*;
use bevy_mesh::morph::MorphWeights;
use bevy_time::Time;
use bevy_transform::components::{GlobalTransform, Transform};
use sinew_ecs::{AnimationPlayer, Driven, SceneElement, Targets};

use crate::spawn::{sinew_transform, transform};

/// A player, where it is, and what it reaches for.
type Players<'w, 's> = Query<
    'w,
    's,
    (
        &'static mut AnimationPlayer,
        Option<&'static mut Transform>,
        Option<&'static GlobalTransform>,
        Option<&'static Targets>,
    ),
>;

/// Players let time pass; root motion moves their entities.
pub(crate) fn play(
    time: Res<'_, Time>,
    mut players: Players<'_, '_>,
    worlds: Query<'_, '_, &GlobalTransform>,
) {
    let seconds = time.delta_secs();
    players.par_iter_mut().for_each(|(mut player, local, world, targets)| {
        if let Some(world) = world {
            player.place(world.affine());
        }
        if let Some(targets) = targets {
            targets.apply(&mut player, |target| {
                worlds.get(target).ok().map(GlobalTransform::translation)
            });
        }
        player.advance(seconds);
        if let Some(mut local) = local
            && let Some(moved) = player.moved(sinew_transform(&local))
        {
            *local = transform(moved);
        }
    });
}

/// Whoever is driven takes its element of its player's pose.
pub(crate) fn write(
    players: Query<'_, '_, &AnimationPlayer>,
    mut nodes: Query<'_, '_, (&Driven, &mut Transform)>,
    mut weights: Query<'_, '_, (&Driven, &mut MorphWeights)>,
) {
    let writing = |driven: &Driven| players.get(driven.player).ok().filter(|p| p.writes());
    nodes.par_iter_mut().for_each(|(driven, mut node)| {
        let (SceneElement::Node(joint), Some(player)) = (driven.element, writing(driven)) else {
            return;
        };
        if joint.index() < player.pose().len() {
            node.set_if_neq(transform(player.pose().local(joint)));
        }
    });
    for (driven, mut weights) in &mut weights {
        let (SceneElement::Mesh(instance), Some(player)) = (driven.element, writing(driven)) else {
            continue;
        };
        if instance.index() >= player.scene().instances.len() {
            continue;
        }
        let now = player.pose().weights(instance);
        if weights.weights() != now && weights.weights().len() == now.len() {
            weights.weights_mut().copy_from_slice(now);
        }
    }
}
