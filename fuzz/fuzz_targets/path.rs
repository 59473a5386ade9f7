//! The whole path, whatever the format: import, sample, skin, export, import again. Archives too.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use sinew_fuzz::{mutate, whole_path};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate(data, size, max_size, seed) });

fuzz_target!(|bytes: &[u8]| whole_path(bytes));
