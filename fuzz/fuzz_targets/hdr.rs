//! An environment in Radiance's or OpenEXR's form: refused, or an image of finite light.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use sinew::import::hdr;
use sinew_fuzz::mutate;

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate(data, size, max_size, seed) });

fuzz_target!(|bytes: &[u8]| {
    if let Ok(image) = hdr::decode(bytes) {
        assert_eq!(image.rgb.len(), image.width as usize * image.height as usize * 3);
        assert!(image.rgb.iter().all(|value| value.is_finite() && *value >= 0.0));
    }
});
