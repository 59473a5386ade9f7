//! What fuzz targets share: mutation that knows the structure of files, and checks of what was read.
//!
//! Bytes changed at random break a file's syntax nearly always, and then only the first lines of a reader run. So half
//! of all mutations change one value, one reference or one length of a file that stays well-formed.

mod binary;
mod chance;
mod check;
mod text;

pub use chance::Chance;
pub use check::{import, play, whole_path};

/// Changes one thing of a file: as text where it is text, else as numbers in bytes. Gives the new length.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut chance = Chance::new(seed);
    if chance.below(2) == 0 {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    let max_size = max_size.min(data.len());
    let file = &data[..size.min(max_size)];
    let changed = match text::is_text(file) {
        true => text::mutate(file, &mut chance),
        false => binary::mutate(file, &mut chance),
    };
    let kept = changed.len().min(max_size);
    data[..kept].copy_from_slice(&changed[..kept]);
    kept
}
