//! Any bytes, read as Gltf: a scene or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_import::{Format, NoFiles, Options};

fuzz_target!(|bytes: &[u8]| {
    let _ = Options::default().read_as(Format::Gltf, bytes, &NoFiles);
});
