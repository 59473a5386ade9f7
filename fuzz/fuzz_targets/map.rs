//! A joint map: refused, or a map by which a clip is retargeted.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use sinew::Scene;
use sinew::retarget::JointMap;
use sinew_fuzz::mutate;

static SCENE: LazyLock<Scene> = LazyLock::new(sinew::ossi);

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate(data, size, max_size, seed) });

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = JointMap::from_text(text, &SCENE, &SCENE);
    }
});
