//! Tests that need a device: a software driver will do. Images are small, and asked for what would be seen
//! to be wrong: this is red, that is darker. An image that fails is written to `target/images`.

mod around;
mod casts;
mod crowd;
mod faults;
mod furnace;
mod glsl;
mod layout;
mod light;
mod maps;
mod overlays;
mod plain;
mod posed;
mod reflection;
mod skinning;
mod stage;
mod surface;
mod translate;
mod variants;
