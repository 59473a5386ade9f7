//! A packed clip is read with the same bits on every machine: one set of constants holds on all of them.
//!
//! Run on x86-64, 64-bit ARM and WebAssembly with and without vector instructions (`tools/paths_test`). The files were
//! packed once, by `cargo run -p sinew-pack --example same_bits_files`; packing itself promises an error, not bits.

#[path = "../../../tests/bits/mod.rs"]
mod bits;
#[allow(dead_code, reason = "the clips are for who writes the files")]
mod made;

use bits::Sum;
use made::scene;
use sinew_motion::{Pose, SimdLevel};
use sinew_pack::Packed;

const UNIFORM: &[u8] = include_bytes!("files/uniform.packed");
const CURVES: &[u8] = include_bytes!("files/curves.packed");

#[test]
fn packed_clips_are_sampled_with_the_same_bits() {
    let scene = scene();
    for (bytes, uniform, expected) in
        [(UNIFORM, true, 0xf64b_7870_8afb_41e3), (CURVES, false, 0x106b_f784_6b37_5b62)]
    {
        let packed = Packed::read(bytes).expect("a packed clip");
        assert_eq!(packed.is_uniform(), uniform);
        for path in [SimdLevel::Scalar, SimdLevel::Deterministic] {
            let (mut sum, mut pose) = (Sum::new(), Pose::new(&scene));
            for step in -2..220 {
                packed.sample_on(path, step as f32 / 128.0, &mut pose);
                for lanes in pose.locals() {
                    sum.add(lanes.translation.as_flattened());
                    sum.add(lanes.rotation.as_flattened());
                    sum.add(lanes.scale.as_flattened());
                }
                sum.add(pose.all_weights());
            }
            sum.check(&format!("uniform {uniform}, {path:?}"), expected);
        }
    }
}
