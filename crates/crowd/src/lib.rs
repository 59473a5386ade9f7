//! Many characters of one skeleton at once, on all cores or on a GPU.
//!
//! In:  sampled clips, and for every character a [`CharacterState`]: two of the clips, their times, and how much of the second.
//! Out: every character's joint matrices and palettes.
//!
//! ```
//! use sinew_crowd::{Crowd, CharacterState};
//! use sinew_motion::SampledClip;
//! # use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform, glam::Vec3};
//! # let curve = Curve::new(vec![0.0, 2.0], vec![Vec3::ZERO, Vec3::X], Interpolation::Linear).unwrap();
//! # let clip = Clip { duration: 2.0, translations: vec![Track { joint: JointId::new(0), curve }], ..Clip::default() };
//! # let nodes = vec![Node::new("box", None, Transform::IDENTITY)];
//! # let scene = Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() })?;
//! let sampled_clips = scene.clips.iter().map(|clip| SampledClip::new(&scene, clip, 0.000_1)).collect();
//! let mut crowd = Crowd::new(scene.skeleton(), sampled_clips);
//! crowd.resize(1_000);
//! for (index, state) in crowd.states_mut().iter_mut().enumerate() {
//!     *state = CharacterState::new(0, index as f32 * 0.001);
//! }
//! crowd.advance(0.5);
//! crowd.pose();
//! assert!((crowd.model_from_joint(500, JointId::new(0)).translation.x - 0.5).abs() < 1e-3);
//! # Ok::<(), sinew_scene::SceneError>(())
//! ```

mod bones;
mod crowd;
mod detail;
mod eight;
mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
mod palettes;
mod state;

#[cfg(test)]
mod tests;

pub use crowd::{Crowd, Matrix};
pub use detail::Detail;
#[doc(hidden)]
pub use eight::{LocalsOfEight, ModelsOfEight, to_model_of_eight};
pub use state::CharacterState;
