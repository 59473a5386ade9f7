//! Clips write Bevy's transforms and morph weights.
//!
//! As in `sinew-ecs`: players sample first, many at once; then whoever is driven takes its part of the pose.

use bevy_ecs::prelude::*;
use bevy_mesh::morph::MorphWeights;
use bevy_time::Time;
use bevy_transform::components::Transform;
use sinew_ecs::{AnimationPlayer, Driven, DrivenPart};

use crate::spawn::transform;

pub(crate) fn animate(
    time: Res<'_, Time>,
    mut players: Query<'_, '_, &mut AnimationPlayer>,
    mut nodes: Query<'_, '_, (&Driven, &mut Transform)>,
    mut weights: Query<'_, '_, (&Driven, &mut MorphWeights)>,
) {
    let seconds = time.delta_secs();
    players.par_iter_mut().for_each(|mut player| player.advance(seconds));
    let players = players.as_readonly();
    let writing = |driven: &Driven| players.get(driven.player).ok().filter(|p| p.writes());
    nodes.par_iter_mut().for_each(|(driven, mut node)| {
        let (DrivenPart::Node(joint), Some(player)) = (driven.part, writing(driven)) else { return };
        if joint.index() < player.pose().len() {
            node.set_if_neq(transform(player.pose().local(joint)));
        }
    });
    for (driven, mut weights) in &mut weights {
        let (DrivenPart::Mesh(instance), Some(player)) = (driven.part, writing(driven)) else { continue };
        if instance.index() >= player.scene().instances.len() {
            continue;
        }
        let now = player.pose().weights(instance);
        if weights.weights() != now && weights.weights().len() == now.len() {
            weights.weights_mut().copy_from_slice(now);
        }
    }
}
