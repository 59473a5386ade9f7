//! From a clip and a time to joint matrices.
//!
//! In:  a [`Clip`](sinew_scene::Clip) of a [`Scene`](sinew_scene::Scene), and seconds.
//! Out: a [`Pose`]: the transform of every node in its parent, then in the model, and morph weights.
//!
//! Nothing here knows a clock or a file, and nothing allocates once a pose is made.
//!
//! ```
//! use sinew_motion::{Cursor, Pose, sample};
//! # use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform, glam::Vec3};
//! # let curve = Curve::new(vec![0.0, 2.0], vec![Vec3::ZERO, Vec3::X], Interpolation::Linear).unwrap();
//! # let clip = Clip { duration: 2.0, translations: vec![Track { joint: JointId::new(0), curve }], ..Clip::default() };
//! # let nodes = vec![Node::new("box", None, Transform::IDENTITY)];
//! # let scene = Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() })?;
//! let mut pose = Pose::new(&scene);
//! let mut cursor = Cursor::new();
//! sample(&scene.clips[0], 1.0, &mut cursor, &mut pose);
//! pose.to_model(scene.skeleton());
//! assert_eq!(pose.model_from_joint()[0].translation.x, 0.5);
//! # Ok::<(), sinew_scene::SceneError>(())
//! ```

mod additive;
mod blend;
mod cursor;
mod evenly;
mod fade;
mod feet;
pub mod graph;
mod hidden;
pub mod ik;
mod inertialization;
mod interpolate;
mod lanes;
mod mask;
mod mirror;
mod player;
mod pose;
mod rigid;
mod root;
mod rotations;
mod sample;
mod sampled;
mod sampler;
mod socket;
mod space;
mod spring;
mod step;
mod sync;
mod to_model;
mod triangulate;

pub use additive::add;
pub use blend::{Layer, blend, blend_locals};
pub use cursor::{Cursor, Span};
pub use evenly::evenly;
pub use fade::{Ease, Fade};
pub use feet::{Feet, Foot, Ground};
pub use hidden::Hidden;
pub use inertialization::Inertialization;
#[doc(hidden)]
pub use lanes::{LANES, Lanes};
pub use mask::{JointNotFoundError, Mask, MaskPart};
pub use mirror::{Mirror, MirrorError, Pairs, Plane};
pub use player::{LoopMode, Player, Progress};
pub use pose::Pose;
pub use root::{Root, RootMode, RootTracks, mean_root_motion, sum_root_motion, then};
pub use sample::sample;
pub use sampled::SampledClip;
#[doc(hidden)]
pub use sampled::{Eight, RotationScale, SampledJoint, Strip};
pub use sampler::Sampler;
pub use sinew_lanes::{SimdLevel, set_deterministic};
pub use socket::{Socket, SocketScale};
pub use space::{BlendSpace, BlendSpaceError};
pub use spring::{Collider, SpringChain};
pub use step::{Passed, Step};
pub use sync::{SyncError, SyncGroup, SyncMember};
pub use to_model::{to_model, to_model_on};
