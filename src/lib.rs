//! Skeletal animation: open a rigged character from a file of any common format, play it, change its pose, skin it.
//!
//! ```
//! use sinew::{Actor, Model};
//!
//! let hero = Model::open("ossi")?; // built in; or "hero.glb", "hero.fbx", "hero.dae", …
//! let mut actor = Actor::new(hero.scene);
//! actor.play("walk")?;
//! actor.advance(0.5);
//! actor.fade_to("run", 0.3)?;
//! actor.advance(1.0 / 60.0);
//! let palette = actor.palette(0); // one matrix per joint of skin 0, for a shader
//! assert!(palette.iter().all(|matrix| matrix.is_finite()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to start
//!
//! | you want to | look at |
//! |---|---|
//! | open a model, add clips of other files | [`Model`], [`open`]; [`Note`]s say what was repaired |
//! | play clips and graphs, fade, pause, seek | [`Actor`], or [`Animator`] without palettes and skin |
//! | blend by parameters, a state machine | [`graph`], [`Actor::start_graph`] |
//! | IK, look-at, feet on the ground, springs, mirrors | [`Modifiers`] |
//! | root motion, markers and events | [`Actor::set_root_motion`], [`Animator::events`] |
//! | skinned vertices, bounds | [`Actor::skin`], [`Actor::bounds`] |
//! | clips of another rig | [`Model::add_clips`], [`retarget`] |
//! | thousands of characters | [`crowd`] |
//! | small clips with a stated error | [`mod@pack`] |
//! | images without a window | `Stage` (feature `render`), `film::save_png` (feature `film`) |
//! | find what is wrong with a rig | [`check`] |
//! | write scenes and clips as files | [`export`] |
//! | measure two models against each other | [`mod@compare`] |
//! | take a whole folder through one task | `batch` (feature `batch`) |
//!
//! The guide in the repository (`docs/guide`) has one page for each of these, with images.
//!
//! # How it fits together
//!
//! `bytes → import → Scene → motion: sample → blend → to_model → deform: palette → skin`
//!
//! A [`Scene`] is plain, checked data: metres, seconds, radians, Y up, parents before children, every index in range. Whoever
//! has one need not check again. It is shared: many [`Actor`]s play over one `Arc<Scene>`. The modules below the surface
//! work on slices, allocate nothing per frame and can be used alone:
//!
//! | module | from → to |
//! |---|---|
//! | [`scene`] | parts → checked data: skeletons, clips, meshes, skins |
//! | [`import`] | bytes → [`Scene`] and notes |
//! | [`motion`] | clip, time → pose and joint matrices; blending, IK, graphs |
//! | [`retarget`] | clip of one skeleton → clip of another |
//! | [`deform`] | joint matrices → vertices |
//! | [`mod@pack`] | clips → packed clips |
//! | [`crowd`] | clips and times of many characters → all their matrices |
//! | [`edit`] | scenes → other scenes: clips cut, looped and thinned, data scaled and pruned |
//! | [`export`] | scenes and clips → files of other programs |
//! | [`mod@compare`] | two scenes → metres and degrees between them |
//! | [`check`] | a model → what is wrong with it |
//!
//! # Features
//!
//! - `gltf`, `fbx`, `collada`, `md5`, `bvh`, `obj`, `skeleton_anim`: one importer each, on by default. `fbx` needs a C compiler.
//! - `images`: decodes textures; `archive`: models in ZIP archives; both on by default.
//! - `render`: images with wgpu. `film`: images as PNG, APNG and GIF files. `mp4`: H.264; needs a C++ compiler.
//! - `toml`, `json`, `ron`: graphs from files.
//! - `complete`: on by default. A program for the web that only plays and fades clips may leave it out, to be smaller: graphs, packed clips, root
//!   motion, inertialization, modifiers and overlays then do nothing. Elsewhere it changes nothing.
//!
//! Bad files give an [`ImportError`] that says what, where, expected and found, never a panic. Without `fbx` and `mp4` everything
//! builds for `wasm32-unknown-unknown`.

/// Whether more is there than clips that play and fade: on the web, a program may spare itself the rest.
pub(crate) const COMPLETE: bool = cfg!(any(feature = "complete", not(target_arch = "wasm32")));

mod actor;
mod animator;
mod at_skin;
mod attach;
mod baked;
#[cfg(feature = "batch")]
pub mod batch;
mod built_in;
pub mod graph;
#[cfg(doctest)]
mod guide;
#[cfg(feature = "render")]
mod levels;
mod model;
mod packed;
mod replay;
#[cfg(feature = "render")]
pub mod stage;
mod stance;

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
#[cfg(feature = "render")]
pub use levels::levels;
pub use model::{ClipSource, Model};
use packed::attach_packed;
pub use packed::{is_packed, open_packed};
pub use replay::{Between, Replay};
pub use sinew_check as check;
pub use sinew_compare as compare;
pub use sinew_crowd as crowd;
pub use sinew_deform as deform;
pub use sinew_deform::{Bounds, Vertices};
pub use sinew_edit as edit;
pub use sinew_export as export;
#[cfg(feature = "film")]
pub use sinew_film as film;
pub use sinew_import as import;
pub use sinew_import::{ImportError, Imported, Note, Options, open, read};
#[cfg(feature = "render")]
pub use sinew_lod as lod;
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
