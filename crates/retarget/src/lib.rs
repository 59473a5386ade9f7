//! A clip of one humanoid skeleton, made to drive another.
//!
//! In:  a [`Clip`](sinew_scene::Clip), the scene it is from, and a character.
//! Out: a clip of the character, and a [`Quality`] that says how good it is.
//!
//! The steps: names and shape → [`Body`] (`find`) → a pose that shows how it is built (`posture`) → a T-pose
//! (`stance`) → rotations from one to the other (`retarget`) → feet planted (`contact`, `plant`, `leg`).
//!
//! ```
//! use sinew_retarget::{JointMap, Options, retarget};
//! # let (from, to) = (sinew_ossi::ossi(), sinew_ossi::ossi());
//! let map = JointMap::find(&from, &to)?;
//! let walk = retarget(from.clip("walk").unwrap(), &from, &to, &map, &Options::default())?;
//! println!("{}\n{}", map.to_text(&from, &to), walk.quality);
//! # Ok::<(), sinew_retarget::RetargetError>(())
//! ```

mod between;
mod body;
mod contact;
mod drive;
mod error;
mod feet;
mod figure;
mod find;
mod leg;
mod link;
mod made;
mod map;
mod map_read;
mod map_text;
mod plant;
mod posture;
mod quality;
mod record;
mod retarget;
mod size;
mod slot;
mod stance;
mod steps;
mod tree;
mod vocabulary;
mod words;
mod work;

pub use body::{Body, Why};
pub use error::RetargetError;
pub use map::JointMap;
pub use quality::{Quality, Slide};
pub use retarget::{Options, Retargeted, retarget};
pub use slot::{BodyPart, Side, Slot};
pub use steps::foot_contacts;
