//! Scenes made into other scenes.
//!
//! In:  a [`Scene`](sinew_scene::Scene) or its parts.
//! Out: another, and what was lost on the way, in millimetres or in sentences.
//!
//! One file per operation; none knows another, and each can be used alone.
//!
//! | operation | what it does |
//! |---|---|
//! | [`choose`], [`cut`], [`read_split`] | chooses, renames, cuts and splits clips |
//! | [`trim`], [`close_loop`], [`in_place`], [`shift_start`] | takes off still ends, closes loops, takes out root motion, begins at the first key |
//! | [`reduce()`], [`reduce_all`] | fewer keys within a bound at the skin |
//! | [`round_weights`], [`byte_weights`] | influences that fit in two bytes each, or in one |
//! | [`scale()`], [`turn_up`] | everything larger or smaller, or with another axis up |
//! | [`limit_influences`] | fewer influences per vertex, and what that loses |
//! | `shrink_images` (feature `images`) | smaller images |
//! | [`renumber_nodes`] | nodes under other numbers |
//! | [`weld_vertices`] | vertices that are the same, once |
//! | [`join_scenes`] | several scenes as one |
//! | [`prune()`] | without what nothing uses, and what is there twice once |
//!
//! ```
//! use sinew_edit::{ReduceOptions, SkinPoints, cut, reduce};
//! let ossi = sinew_ossi::ossi();
//! let points = SkinPoints::new(&ossi);
//! let step = cut(ossi.clip("walk").unwrap(), 0.0, 0.5)?;
//! let small = reduce(&ossi, &points, &step, &ReduceOptions::default());
//! println!("{} of {} keys, {} mm off", small.clip.key_count(), step.key_count(), 1000.0 * small.error);
//! # Ok::<(), sinew_edit::EditError>(())
//! ```

mod bytes;
mod clip;
mod error;
mod farthest;
#[cfg(feature = "images")]
mod images;
mod influences;
mod join;
mod keys;
mod prune;
mod reduce;
mod renumber;
mod round;
mod scale;
mod segment;
mod skin;
mod up;
mod weld;

pub use bytes::{ByteWeights, byte_weights, find_byte_weights};
pub use clip::{
    ClipChoice, Closed, choose, close_loop, cut, in_place, read_split, root_joint, shift_start,
    trim,
};
pub use error::EditError;
#[cfg(feature = "images")]
pub use images::{Decode, Resized, shrink_images};
pub use influences::{InfluenceLoss, limit_influences};
pub use join::{Placed, join_scenes};
pub use prune::{Keep, prune, prune_attributes};
pub use reduce::{ReduceOptions, Reduced, keep_at_rest, reduce, reduce_all, reduce_all_at};
pub use renumber::renumber_nodes;
pub use round::round_weights;
pub use scale::scale;
pub use skin::SkinPoints;
pub use up::{Up, turn, turn_up};
pub use weld::weld_vertices;
