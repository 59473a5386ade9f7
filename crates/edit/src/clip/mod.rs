//! Clips: chosen, cut, split, trimmed, looped, put in place.

mod choice;
mod choose;
mod cut;
mod in_place;
mod looped;
mod root;
mod shift;
mod trim;

pub use choice::{ClipChoice, read_split};
pub use choose::choose;
pub use cut::cut;
pub use in_place::in_place;
pub use looped::{Closed, close_loop};
pub use root::root_joint;
pub use shift::shift_start;
pub use trim::trim;
