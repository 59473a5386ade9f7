//! The attribute codec, version 0: every byte of an element as its difference from the element before.
//!
//! In:  elements of a stride. Out: a header byte, blocks of at most 256 elements, a tail with the first element.
//!
//! In a block every byte position of the element is a plane of its own. Its differences, made positive by a zigzag, are packed in groups
//! of 16, in 0, 2, 4 or 8 bits each; one with all its bits set stands for a whole byte that follows its group.

const HEADER: u8 = 0xa0;
const GROUP: usize = 16;
const BLOCK_ELEMENTS: usize = 256;
const BLOCK_BYTES: usize = 8192;
/// Readers fetch whole groups, and must not run over the end.
const LEAST_TAIL: usize = 32;
/// Bits of a packed difference, by the number that stands for them in a group's head.
const BITS: [u32; 4] = [0, 2, 4, 8];

/// Packs elements; `stride` is a multiple of 4 up to 256, and divides the length.
pub(super) fn encode(stride: usize, bytes: &[u8]) -> Vec<u8> {
    let first = &bytes[..stride];
    let mut last = first.to_vec();
    let mut out = vec![HEADER];
    let block = ((BLOCK_BYTES / stride) & !(GROUP - 1)).min(BLOCK_ELEMENTS);
    for block in bytes.chunks(block * stride) {
        for (at, last) in last.iter_mut().enumerate() {
            let values = block.iter().skip(at).step_by(stride);
            let differences: Vec<u8> = values
                .map(|&value| zigzag(value.wrapping_sub(std::mem::replace(last, value))))
                .collect();
            plane(&differences, &mut out);
        }
    }
    out.resize(out.len() + LEAST_TAIL.saturating_sub(stride), 0);
    out.extend_from_slice(first);
    out
}

/// Small for what is near zero on either side.
fn zigzag(value: u8) -> u8 {
    (value << 1) ^ (value.cast_signed() >> 7).cast_unsigned()
}

/// The heads of all groups, two bits each, and then the groups.
fn plane(differences: &[u8], out: &mut Vec<u8>) {
    let groups = differences.len().div_ceil(GROUP);
    let heads = out.len();
    out.resize(heads + groups.div_ceil(4), 0);
    for (at, some) in differences.chunks(GROUP).enumerate() {
        let mut group = [0; GROUP];
        group[..some.len()].copy_from_slice(some);
        let best = (0..BITS.len()).min_by_key(|&choice| length(BITS[choice], &group)).unwrap_or(3);
        out[heads + at / 4] |= (best as u8) << (2 * (at % 4));
        pack(BITS[best], &group, out);
    }
}

/// The value that stands for a whole byte, where there are fewer bits.
fn sentinel(bits: u32) -> u8 {
    (1_u8 << bits) - 1
}

/// Bytes that a group takes; without bits, it must be of zeros.
fn length(bits: u32, group: &[u8; GROUP]) -> usize {
    let whole = |least: u8| group.iter().filter(|&&value| value >= least).count();
    match bits {
        0 if whole(1) == 0 => 0,
        0 => usize::MAX,
        8 => GROUP,
        bits => 2 * bits as usize + whole(sentinel(bits)),
    }
}

/// The first difference in the uppermost bits of a byte.
fn pack(bits: u32, group: &[u8; GROUP], out: &mut Vec<u8>) {
    if bits == 0 {
        return;
    }
    if bits == 8 {
        return out.extend_from_slice(group);
    }
    for some in group.chunks(8 / bits as usize) {
        let byte = some.iter().fold(0, |byte, &value| byte << bits | value.min(sentinel(bits)));
        out.push(byte);
    }
    out.extend(group.iter().filter(|&&value| value >= sentinel(bits)));
}
