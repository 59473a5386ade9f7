//! Many characters of one skeleton at once, on all cores or on a GPU.
//!
//! In:  reels, and for every character a [`Part`]: two of them, their times, and how much of the second.
//! Out: where every joint of every character stands in its model.

#[cfg(feature = "gpu")]
pub mod gpu;
mod part;

pub use part::Part;
