//! Clips made small: packed against a skeleton, with a stated error at the skin.
//!
//! In:  a [`Clip`](sinew_scene::Clip) of a scene, and a bound in metres.
//! Out: a [`Packed`] clip, a few bytes a frame, that is read where it lies: from a file, a
//! buffer or a map of memory.
//!
//! Samples are even in time, so that any moment costs the same: forward, backward or at random, and
//! nothing is remembered between two. Eight tracks are decoded at a time. `docs/pack.md` has the
//! bytes.
//!
//! ```
//! use sinew_pack::{Options, Packed, pack};
//! # use sinew_motion::Pose;
//! # use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform, glam::Quat};
//! # let turn = |step: u32| Quat::from_rotation_z(step as f32 * 0.1);
//! # let times: Vec<f32> = (0..30).map(|step| step as f32 / 30.0).collect();
//! # let curve = Curve::new(times, (0..30).map(turn).collect(), Interpolation::Linear).unwrap();
//! # let clip = Clip { duration: 29.0 / 30.0, rotations: vec![Track { joint: JointId::new(0), curve }], ..Clip::default() };
//! # let nodes = vec![Node::new("arm", None, Transform::IDENTITY)];
//! # let scene = Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).unwrap();
//! let options = Options { error: 0.000_1, ..Options::default() };
//! let (packed, report) = pack(&scene, &scene.clips[0], &options, &|_| {}).unwrap();
//! assert!(report.error <= 0.000_1);
//!
//! let bytes: &[u8] = packed.bytes();
//! let packed = Packed::read(bytes).unwrap();
//! let mut pose = Pose::new(&scene);
//! packed.sample(0.5, &mut pose);
//! # assert!((pose.local(JointId::new(0)).rotation.to_axis_angle().1 - 1.5).abs() < 1e-3);
//! ```

mod decode;
mod encode;
mod error;
mod format;

pub use decode::{Packed, fingerprint};
pub use encode::{DEFAULT_SHELL, Options, Report, even_shells, pack, shells};
pub use error::{PackError, ReadError};
pub use format::header::mend;
