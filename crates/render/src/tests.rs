//! Tests that need a device: a software driver will do. Pictures are small, and asked for what would be seen
//! to be wrong: this is red, that is darker. A picture that fails is written to `target/pictures`.

mod crowd;
mod faults;
mod layout;
mod light;
mod overlays;
mod skinning;
mod stage;
mod surface;
mod translate;
