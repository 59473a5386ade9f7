//! A scene file: refused, or a stage that can be shown at any time.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use sinew::import::{NoFiles, Options};
use sinew::stage::Stage;
use sinew_fuzz::mutate;

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate(data, size, max_size, seed) });

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // The character takes long to make; its place in the file is taken by the small rig.
    let text = text.replace("ossi", "demo");
    if let Ok(mut stage) = Stage::read(&text, &NoFiles, &Options::default()) {
        for time in [0.0, 0.4, 100.0] {
            stage.seek(time);
        }
    }
});
