//! Sinew's importers and players inside Bevy 0.20.
//!
//! In:  a [`SinewModel`] with the handle of a file in any format that Sinew reads.
//! Out: Bevy's own entities below it: `Transform`, `Mesh3d`, `SkinnedMesh`, `MorphWeights`, moved by an
//! [`AnimationPlayer`] on the model.
//!
//! An [`AnimationPlayer`] is a `sinew::Animator`: clips, packed clips and graphs, fades and inertialization, root
//! motion, events and modifiers; [`Targets`] are entities that modifiers reach for or look at. Bevy works out world
//! transforms, skins and images as it does for all entities. What Bevy has no place for is reported in
//! [`SinewScene::notes`]: sheared nodes, more than four influences on a vertex, dual quaternions.
//!
//! ```no_run
//! use bevy_app::prelude::*;
//! use bevy_asset::AssetServer;
//! use bevy_ecs::prelude::*;
//! use sinew_bevy::{AnimationPlayer, SinewModel, SinewPlugin};
//!
//! fn set_up(mut commands: Commands, files: Res<AssetServer>) {
//!     commands.spawn(SinewModel(files.load("hero.fbx")));
//! }
//!
//! fn walk(mut arrived: Query<&mut AnimationPlayer, Added<AnimationPlayer>>) {
//!     for mut player in &mut arrived {
//!         let _ = player.play("walk");
//!     }
//! }
//!
//! App::new().add_plugins(SinewPlugin).add_systems(Startup, set_up).add_systems(Update, walk).run();
//! ```

mod animate;
mod load;
mod shape;
mod spawn;

use bevy_app::{App, Plugin, PostUpdate, Update};
use bevy_asset::AssetApp;
use bevy_ecs::prelude::*;
use bevy_transform::TransformSystems;

pub use load::{SinewLoader, SinewScene};
pub use sinew;
pub use sinew_ecs::{AnimationPlayer, Driven, SceneElement, Targets};
pub use spawn::{SinewModel, SinewNodes, Surface};

/// When Sinew's systems run, for systems of your own before or after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, SystemSet)]
pub enum SinewSystems {
    /// Loaded models become entities; in `Update`.
    Spawn,
    /// Players write `Transform` and morph weights; in `PostUpdate`, before Bevy's transforms propagate.
    Animate,
}

/// Loads, spawns and plays. Needs Bevy's asset, mesh, time and transform plugins, all of them among `DefaultPlugins`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SinewPlugin;

impl Plugin for SinewPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<SinewScene>()
            .init_asset_loader::<SinewLoader>()
            .configure_sets(PostUpdate, SinewSystems::Animate.before(TransformSystems::Propagate))
            .add_systems(Update, spawn::spawn.in_set(SinewSystems::Spawn))
            .add_systems(
                PostUpdate,
                (animate::play, animate::write).chain().in_set(SinewSystems::Animate),
            );
    }
}
