//! One group of the attribute codec: 16 deltas packed in 0, 1, 2, 4 or 8 bits each.
//!
//! In:  a window of 24 bytes, the longest a group can be, and the bits of each delta.
//! Out: 16 deltas of one byte, still zigzagged, and how many bytes they took.

/// Deltas in a group.
pub(super) const GROUP: usize = 16;
/// Sixteen deltas of four bits, all of them followed by a whole byte.
const LONGEST_GROUP: usize = 24;

/// Unpacks 16 deltas of `bits` bits and answers how many bytes they took.
///
/// A delta with all its bits set stands for a whole byte that follows the packed ones.
pub(super) fn unpack(bits: u8, window: &[u8; LONGEST_GROUP], deltas: &mut [u8; GROUP]) -> usize {
    match bits {
        0 => {
            *deltas = [0; GROUP];
            0
        }
        1 => {
            let [a, b, ..] = *window;
            let spread = [SPREAD_1[usize::from(a)], SPREAD_1[usize::from(b)]];
            deltas.copy_from_slice(spread.as_flattened());
            // Lowest bit first; reversed, so that all three widths count from the top.
            let sentinels = u16::from_le_bytes([a, b]).reverse_bits();
            fill_sentinels(u64::from(sentinels) << 48, 1, 2, window, deltas)
        }
        2 => {
            let [a, b, c, d, ..] = *window;
            let spread = [a, b, c, d].map(|byte| SPREAD_2[usize::from(byte)]);
            deltas.copy_from_slice(spread.as_flattened());
            let packed = u32::from_be_bytes([a, b, c, d]);
            let sentinels = packed & packed << 1 & 0xaaaa_aaaa;
            fill_sentinels(u64::from(sentinels) << 32, 2, 4, window, deltas)
        }
        4 => {
            let packed: [u8; 8] = *window.first_chunk().expect("a window has 24 bytes");
            for (pair, byte) in deltas.as_chunks_mut::<2>().0.iter_mut().zip(packed) {
                *pair = [byte >> 4, byte & 15];
            }
            let packed = u64::from_be_bytes(packed);
            let twos = packed & packed << 1;
            let sentinels = twos & twos << 2 & 0x8888_8888_8888_8888;
            fill_sentinels(sentinels, 4, 8, window, deltas)
        }
        _ => {
            *deltas = *window.first_chunk().expect("a window has 24 bytes");
            GROUP
        }
    }
}

/// Replaces each delta whose top bit is set in `sentinels` by the next byte from `at` on.
fn fill_sentinels(
    mut sentinels: u64,
    bits: u32,
    mut at: usize,
    window: &[u8; LONGEST_GROUP],
    deltas: &mut [u8; GROUP],
) -> usize {
    while sentinels != 0 {
        let first = sentinels.leading_zeros();
        deltas[(first / bits) as usize % GROUP] = window[at];
        sentinels &= !(1 << 63 >> first);
        at += 1;
    }
    at
}

static SPREAD_1: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    table
};

static SPREAD_2: [[u8; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut pair = 0;
        while pair < 4 {
            table[byte][pair] = (byte >> (6 - 2 * pair) & 3) as u8;
            pair += 1;
        }
        byte += 1;
    }
    table
};
