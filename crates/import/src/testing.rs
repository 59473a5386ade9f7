//! What every importer's tests share.

use crate::{Files, Format, Options};

/// Reads every prefix of a good file, and many copies with a few bytes changed: each must give a
/// scene or an error. A panic or a hang is what this looks for.
pub(crate) fn survives_damage(format: Format, bytes: &[u8], files: &dyn Files) {
    let read = |bytes: &[u8]| Options::default().read_as(format, bytes, files).map(drop);
    read(bytes).expect("the file itself is good");
    damaged_copies(bytes, |bytes| drop(read(bytes)));
}

/// Hands every prefix of a file, and many copies with a few bytes changed, to `read`.
pub(crate) fn damaged_copies(bytes: &[u8], read: impl Fn(&[u8])) {
    let step = (bytes.len() / 1500).max(1);
    for end in (0..bytes.len()).step_by(step) {
        read(&bytes[..end]);
    }
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below.max(1) as u64) as usize
    };
    for _ in 0..1500 {
        let mut damaged = bytes.to_vec();
        for _ in 0..=random(4) {
            let at = random(damaged.len());
            damaged[at] = match random(4) {
                0 => 0,
                1 => 0xff,
                2 => b'0' + random(10) as u8,
                _ => random(256) as u8,
            };
        }
        read(&damaged);
    }
}
