//! A file read as Gltf: refused, or a scene that plays and skins.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use sinew::import::Format;
use sinew_fuzz::{import, mutate, play};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate(data, size, max_size, seed) });

fuzz_target!(|bytes: &[u8]| {
    if let Some(scene) = import(Format::Gltf, bytes) {
        play(scene);
    }
});
