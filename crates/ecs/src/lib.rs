//! Four systems that move and draw characters, on bevy_ecs: animation → node → skinning → render.
//!
//! In:  models spawned as entities, and seconds as they pass.
//! Out: local transforms, world matrices, joint matrices, and (feature `render`) an image, in that order.
//!
//! | step | reads | writes |
//! |---|---|---|
//! | [`Step::Animation`] | [`AnimationPlayer`], [`Targets`] | [`LocalTransform`], [`MorphWeights`], [`Light`], [`Camera`] |
//! | [`Step::Node`] | [`LocalTransform`], [`Shear`], [`ChildOf`](bevy_ecs::hierarchy::ChildOf) | [`WorldTransform`], only where something moved |
//! | [`Step::Skinning`] | [`WorldTransform`] of joints | [`JointMatrices`] |
//! | [`Step::Render`] | [`Mesh`], [`JointMatrices`], [`MorphWeights`], [`Camera`], [`Light`] | the image of a `Screen` |
//!
//! Each step is a public system set, so that systems of your own run between any two: what you write to a
//! [`LocalTransform`] after the animation and before the nodes is seen in the same image.
//!
//! ```
//! use bevy_ecs::prelude::*;
//! use sinew_ecs::{AnimationPlayer, Character, LocalTransform, Model, Step};
//!
//! let mut world = World::new();
//! let mut schedule = Schedule::default();
//! sinew_ecs::install(&mut world, &mut schedule);
//!
//! let rig = Model::new(sinew::demo());
//! let arm = rig.spawn(&mut world);
//! world.get_mut::<AnimationPlayer>(arm).unwrap().play("wave")?;
//!
//! #[derive(Component)]
//! struct Stiff;
//! let wrist = world.get::<Character>(arm).unwrap().find("wrist").unwrap();
//! world.entity_mut(wrist).insert(Stiff);
//! let hold = |mut nodes: Query<&mut LocalTransform, With<Stiff>>| {
//!     nodes.iter_mut().for_each(|mut node| node.rotation = Default::default());
//! };
//! schedule.add_systems(hold.after(Step::Animation).before(Step::Node));
//!
//! sinew_ecs::run(&mut world, &mut schedule, 1.0 / 60.0);
//! assert!(world.resource::<sinew_ecs::Diagnostics>().is_empty());
//! world.despawn(arm);
//! # Ok::<(), sinew::ClipNotFoundError>(())
//! ```
//!
//! An [`AnimationPlayer`] is a [`sinew::Animator`] on an entity: clips, packed clips and graphs, fades and
//! inertialization between them, root motion, events and modifiers. [`Targets`] are entities that modifiers reach for
//! or look at.
//!
//! What goes wrong while it runs (a joint that was despawned, a hierarchy that became a cycle) is listed in
//! [`Diagnostics`]; everything else goes on.

mod animation;
mod diagnostic;
mod hierarchy;
mod mesh;
mod model;
mod node;
mod player;
#[cfg(feature = "render")]
mod render;
mod skin;
mod step;
mod targets;
mod view;

pub use bevy_ecs;
pub use diagnostic::{Diagnostic, Diagnostics};
pub use mesh::{Mesh, MorphWeights};
pub use model::{Character, Model};
pub use node::{LocalTransform, Shear, WorldTransform};
pub use player::{AnimationPlayer, Driven, SceneElement};
#[cfg(feature = "render")]
pub use render::Screen;
pub use sinew;
pub use skin::{JointMatrices, Skin};
pub use step::{Clock, Step, install, run};
pub use targets::Targets;
pub use view::{Camera, Light};
