//! One number of a binary file changed, or one stretch of it moved; JSON inside of a GLB is changed as text.

use crate::{Chance, text};

const ODD: &[u32] = &[
    0, 1, 2, 3, 4, 7, 8, 15, 16, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000,
    0xFFFF_FFFF, 0x7F80_0000, 0x7FC0_0000, 0x3F80_0000, 0xBF80_0000,
];

pub(crate) fn mutate(file: &[u8], chance: &mut Chance) -> Vec<u8> {
    if file.starts_with(b"glTF") && chance.below(3) > 0 {
        return glb(file, chance);
    }
    let mut file = file.to_vec();
    if file.len() < 8 {
        return file;
    }
    match chance.below(5) {
        0 | 1 => number(&mut file, chance),
        2 => {
            // A stretch is copied over another.
            let length = 1 + chance.below(64.min(file.len() - 1));
            let from = chance.below(file.len() - length + 1);
            let to = chance.below(file.len() - length + 1);
            file.copy_within(from..from + length, to);
        }
        3 => {
            let length = 1 + chance.below(32.min(file.len() - 1));
            let from = chance.below(file.len() - length + 1);
            file.drain(from..from + length);
        }
        _ => {
            let length = 1 + chance.below(32.min(file.len() - 1));
            let from = chance.below(file.len() - length + 1);
            let stretch = file[from..from + length].to_vec();
            let at = chance.below(file.len());
            file.splice(at..at, stretch);
        }
    }
    file
}

fn number(file: &mut [u8], chance: &mut Chance) {
    let width = chance.of(&[1, 2, 4]);
    let at = chance.below(file.len() - width + 1);
    let mut bytes = [0; 4];
    bytes[..width].copy_from_slice(&file[at..at + width]);
    let old = u32::from_le_bytes(bytes);
    let new = match chance.below(3) {
        0 => chance.of(ODD),
        1 => old.wrapping_add(chance.below(9) as u32).wrapping_sub(4),
        _ => old ^ (1 << chance.below(8 * width)),
    };
    file[at..at + width].copy_from_slice(&new.to_le_bytes()[..width]);
}

/// The JSON of a GLB is changed and put back with lengths that are right.
fn glb(file: &[u8], chance: &mut Chance) -> Vec<u8> {
    let Some(length) = file.get(12..16).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes) else {
        return file.to_vec();
    };
    let end = 20_usize.saturating_add(length as usize).min(file.len());
    if end <= 20 {
        return file.to_vec();
    }
    let mut json = text::mutate(&file[20..end], chance);
    while !json.len().is_multiple_of(4) {
        json.push(b' ');
    }
    let mut out = file[..20].to_vec();
    out[12..16].copy_from_slice(&(json.len() as u32).to_le_bytes());
    out.extend(json);
    out.extend(&file[end..]);
    let whole = out.len() as u32;
    out[8..12].copy_from_slice(&whole.to_le_bytes());
    out
}
