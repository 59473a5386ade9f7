//! placeholder

#[cfg(feature = "gltf")]
#[allow(dead_code, reason = "the glTF reader that calls them is not here yet")]
mod gltf {
    mod draco;
    mod meshopt;
}

pub mod picture;
