#![doc = include_str!("../README.md")]
//!
//! # The rooms
//!
//! | room | takes → gives |
//! |---|---|
//! | [`scene`] | parts → checked wholes |
//! | [`import`] | bytes → [`Scene`] and notes |
//! | [`motion`] | clip, time → joint matrices |
//! | [`retarget`] | clip of one skeleton → clip of another |
//! | [`deform`] | joint matrices → vertices |
//! | [`pack`] | clips → small clips |
//! | [`crowd`] | clips and times of many → all their joint matrices |
//! | [`export`] | clips → files of other programs |
//! | here | the rooms → one character: [`Actor`], or [`Replay`] of a [`Baked`] clip |

mod actor;
mod animator;
mod at_skin;
mod attach;
mod baked;
mod built_in;
pub mod graph;
mod model;
mod packed;
mod replay;
#[cfg(feature = "render")]
pub mod stage;

pub(crate) use actor::find_clip;
pub use actor::{Actor, ClipNotFoundError};
pub use animator::{
    Animator, GroundProbe, JointOverride, Modifier, ModifierId, Modifiers, Motion,
    RootMotionPolicy, Target, Transition,
};
pub use at_skin::off_at_skin;
pub use attach::{ClipFit, Fit};
pub use baked::{BakeError, Baked};
pub use built_in::built_in;
pub use glam;
pub use model::{ClipSource, Model};
use packed::attach_packed;
pub use packed::{is_packed, open_packed};
pub use replay::{Between, Replay};
pub use sinew_crowd as crowd;
pub use sinew_deform as deform;
pub use sinew_deform::{Bounds, Vertices};
pub use sinew_export as export;
#[cfg(feature = "film")]
pub use sinew_film as film;
pub use sinew_import as import;
pub use sinew_import::{Error, Imported, Note, Options, open, read};
pub use sinew_motion as motion;
pub use sinew_motion::graph::{CompiledGraph, Event, Graph, GraphPlayer};
pub use sinew_motion::{LoopMode, Mirror, Player, Pose, Progress, Socket, ik};
pub use sinew_ossi::{demo, ossi, ossi_place};
pub use sinew_pack as pack;
#[cfg(feature = "render")]
pub use sinew_render as render;
pub use sinew_retarget as retarget;
pub use sinew_scene as scene;
pub use sinew_scene::{Clip, ClipId, InstanceId, JointId, Scene, Skeleton, Transform};
#[cfg(feature = "render")]
pub use stage::Stage;
