//! The animation diff: how far apart two models are, clip by clip, where and when.
//!
//! In:  two [`Scene`](sinew_scene::Scene)s, A the reference and B the one that is compared with it.
//! Out: a [`Comparison`]: metres at the skin, metres and degrees at the joints, drift of the root, error of speed, and
//! what one of them has and the other has not.
//!
//! Clips and joints are paired by name, vertices by index or by place. Both models are sampled at the same times: every
//! key of both, and an even rate in between. Poses are composed and skinned in double precision, so that a clip compared
//! with itself gives exactly 0, and a model far from the origin is measured as well as one at it.
//!
//! ```
//! use sinew_compare::{CompareOptions, compare};
//! # use sinew_scene::{Clip, Curve, JointId, Node, Scene, SceneParts, Track, Transform, glam::Vec3};
//! # let scene = |x: f32| {
//! #     let track = Track { joint: JointId::new(0), curve: Curve::constant(Vec3::X * x) };
//! #     let clip = Clip { name: "walk".into(), duration: 1.0, translations: vec![track], ..Clip::default() };
//! #     let nodes = vec![Node::new("hips", None, Transform::IDENTITY)];
//! #     Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).unwrap()
//! # };
//! # let before = scene(0.0);
//! # let after = scene(0.25);
//! let found = compare(&before, &after, &CompareOptions::default())?;
//! let walk = &found.clips[0];
//! let worst = walk.measure.joints.worst.as_ref().unwrap();
//! assert_eq!((worst.joint.as_str(), worst.metres), ("hips", 0.25));
//! assert!(found.structure.is_empty());
//! # Ok::<(), sinew_compare::CompareError>(())
//! ```

mod accumulate;
mod align;
mod bound;
mod cluster_runs;
mod clusters;
mod compare;
mod describe;
mod distribution;
mod error;
mod kd_tree;
mod measure;
mod options;
mod pairs;
mod posed;
mod report;
mod root;
mod structure;
mod surface;
mod terms;
mod times;

pub use compare::{Comparer, MomentDistances, compare};
pub use error::CompareError;
pub use options::{Alignment, CompareOptions, Placement};
pub use report::{
    AnglePlace, ClipComparison, ClipMatch, Comparison, JointDifference, JointMatch, JointMeasure,
    JointPlace, Measure, MeshMatch, MeshPair, RootDrift, SkinMeasure, SkinPlace, SpeedPlace,
};
pub use structure::{Counts, OnlyIn, Reparented, Structure};
