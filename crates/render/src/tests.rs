//! Tests that need a device: a software driver will do. Pictures are small, and asked for what would be seen
//! to be wrong: this is red, that is darker. A picture that fails is written to `target/pictures`.

mod around;
mod casts;
mod crowd;
mod faults;
mod layout;
mod light;
mod maps;
mod overlays;
mod posed;
mod skinning;
mod stage;
mod surface;
mod translate;
