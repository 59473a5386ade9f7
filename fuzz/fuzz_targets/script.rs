//! A script: an error with its line, or some frames of it, within its limits.
#![no_main]

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use sinew_fuzz::mutate;
use sinew_lua::{Limits, Options, Script};

/// Each process has a file of its own.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("sinew-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the script");
    folder.join("script.lua")
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate(data, size, max_size, seed) });

fuzz_target!(|bytes: &[u8]| {
    // The character takes long to make; the small rig takes its place.
    let text = String::from_utf8_lossy(bytes).replace("ossi", "demo");
    std::fs::write(&*FILE, text).expect("the script is written");
    let limits = Limits { instructions: 100_000, ..Limits::default() };
    let options = Options { limits, log: false, say: Some(Rc::new(|_| {})) };
    let Ok(mut script) = Script::open(&*FILE, &options) else { return };
    if script.awake().is_ok() {
        for _ in 0..3 {
            if script.update(0.1).is_err() {
                break;
            }
        }
    }
});
