//! The four steps in their order, and the clock that drives them.

use bevy_ecs::prelude::*;
use bevy_tasks::{ComputeTaskPool, TaskPool};

use crate::hierarchy::{self, Hierarchy};
use crate::{Diagnostics, animation, skin};

/// The steps of a frame, one after the other; order your own systems before or after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, SystemSet)]
pub enum Step {
    /// Players write local transforms, morph weights, lights and cameras.
    Animation,
    /// Local transforms become world matrices, down the tree, where something moved.
    Node,
    /// World matrices of joints become joint matrices of skins.
    Skinning,
    /// Joint matrices go to the GPU, and the image is drawn. Without the feature `render`, or without a
    /// `Screen` in the world, nothing happens here.
    Render,
}

/// How many seconds pass with the next run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Resource)]
pub struct Clock {
    /// What every player advances by, times its own speed.
    pub seconds: f32,
}

/// Adds the four systems to a schedule, and what they need to the world.
pub fn install(world: &mut World, schedule: &mut Schedule) {
    ComputeTaskPool::get_or_init(TaskPool::default);
    world.init_resource::<Clock>();
    world.init_resource::<Diagnostics>();
    world.init_resource::<Hierarchy>();
    let order = (Step::Animation, Step::Node, Step::Skinning, Step::Render);
    schedule.configure_sets(order.chain());
    schedule.add_systems((
        (animation::play, animation::write).chain().in_set(Step::Animation),
        (hierarchy::rebuild, hierarchy::propagate).chain().in_set(Step::Node),
        skin::skin.in_set(Step::Skinning),
    ));
    #[cfg(feature = "render")]
    schedule.add_systems(crate::render::draw.in_set(Step::Render));
}

/// One frame: sets the clock, runs the schedule, and forgets what was removed before, as bevy_ecs wants it once a frame.
pub fn run(world: &mut World, schedule: &mut Schedule, seconds: f32) {
    world.insert_resource(Clock { seconds });
    schedule.run(world);
    world.clear_trackers();
}
