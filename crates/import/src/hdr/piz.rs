//! PIZ, a compression of OpenEXR: wavelets of 16-bit numbers, packed by a Huffman code.
//!
//! In:  one block: which numbers occur, a table of code lengths, the code.
//! Out: the block's lines as they would be without compression.
//!
//! After "OpenEXR technical introduction" (Academy Software Foundation) and the paper on wavelets that it names. Every
//! count of the file is checked against what the header asks for before it is used.

use std::iter::repeat_n;

/// Longest code, in bits.
const LONGEST: usize = 58;
/// Codes of up to so many bits are looked up at once.
const TABLE_BITS: u32 = 12;
/// One more than the numbers of 16 bits: the last symbol of a block repeats the number before it.
const SYMBOLS: usize = (1 << 16) + 1;

/// The lines of a block of `width` × `lines` pixels, whose channels have these sizes in numbers of 16 bits.
pub(super) fn unpack(
    packed: &[u8],
    width: usize,
    lines: usize,
    channels: &[usize],
) -> Option<Vec<u8>> {
    let (numbers, packed) = occurring(packed)?;
    let (length, packed) = packed.split_first_chunk::<4>()?;
    let packed = packed.get(..usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
    let count = width * lines * channels.iter().sum::<usize>();
    let mut values = decode(packed, count)?;

    let largest = (numbers.len() - 1) as u16;
    let mut rest = &mut values[..];
    for &size in channels {
        let (own, after) = rest.split_at_mut(width * lines * size);
        for part in 0..size {
            unfold(&mut own[part..], [width, lines], [size, width * size], largest);
        }
        rest = after;
    }
    // A wavelet that is no sum of numbers that occur leads to zero.
    for value in &mut values {
        *value = numbers.get(usize::from(*value)).copied().unwrap_or(0);
    }

    let mut out = Vec::with_capacity(count * 2);
    for line in 0..lines {
        let mut start = 0;
        for &size in channels {
            let row = start + line * width * size;
            out.extend(
                values[row..row + width * size].iter().flat_map(|value| value.to_le_bytes()),
            );
            start += width * lines * size;
        }
    }
    Some(out)
}

/// The numbers that occur in a block, from a set of bits without its empty ends; zero always does.
fn occurring(packed: &[u8]) -> Option<(Vec<u16>, &[u8])> {
    let (ends, rest) = packed.split_first_chunk::<4>()?;
    let first = usize::from(u16::from_le_bytes([ends[0], ends[1]]));
    let last = usize::from(u16::from_le_bytes([ends[2], ends[3]]));
    let mut numbers = vec![0];
    if first > last {
        return Some((numbers, rest));
    }
    let (bits, rest) = rest.split_at_checked(last - first + 1)?;
    for (at, byte) in (first..).zip(bits) {
        let set = (0..8).filter(|bit| byte >> bit & 1 == 1).map(|bit| at * 8 + bit);
        numbers.extend(set.filter_map(|number| u16::try_from(number).ok()).filter(|n| *n != 0));
    }
    Some((numbers, rest))
}

/// Bits from the highest of each byte on.
struct Bits<'a> {
    bytes: &'a [u8],
    /// The next one.
    at: u64,
    end: u64,
}

impl<'a> Bits<'a> {
    fn new(bytes: &'a [u8], end: u64) -> Self {
        Self { bytes, at: 0, end: end.min(bytes.len() as u64 * 8) }
    }

    /// The next `count` of them, at most 25, with zeros after the last.
    fn peek(&self, count: u32) -> u32 {
        let first = (self.at / 8) as usize;
        let rest = self.bytes.get(first..).unwrap_or_default();
        let word = match rest.first_chunk::<4>() {
            Some(bytes) => u32::from_be_bytes(*bytes),
            None => {
                u32::from_be_bytes(std::array::from_fn(|at| rest.get(at).copied().unwrap_or(0)))
            }
        };
        word << (self.at % 8) >> (32 - count)
    }

    fn skip(&mut self, count: u32) -> Option<()> {
        self.at += u64::from(count);
        (self.at <= self.end).then_some(())
    }

    fn take(&mut self, count: u32) -> Option<u32> {
        let found = self.peek(count);
        self.skip(count)?;
        Some(found)
    }
}

/// Exactly `count` numbers out of a Huffman code.
fn decode(packed: &[u8], count: usize) -> Option<Vec<u16>> {
    let (head, rest) = packed.split_first_chunk::<20>()?;
    let (words, _) = head.as_chunks::<4>();
    let word = |at: usize| u32::from_le_bytes(words[at]) as usize;
    let [first, last] = [word(0), word(1)];
    if first >= SYMBOLS || last >= SYMBOLS {
        return None;
    }
    let mut table = Bits::new(rest, u64::MAX);
    let code = Code::new(&lengths(&mut table, first, last)?);
    let rest = rest.get(table.at.div_ceil(8) as usize..)?;
    let mut bits = Bits::new(rest, word(3) as u64);
    let mut values = Vec::with_capacity(count);
    while values.len() < count {
        let symbol = code.symbol(&mut bits)?;
        if symbol as usize == last {
            let before = *values.last()?;
            let times = bits.take(8)? as usize;
            if times > count - values.len() {
                return None;
            }
            values.extend(repeat_n(before, times));
        } else {
            values.push(u16::try_from(symbol).ok()?);
        }
    }
    Some(values)
}

/// The length of each symbol's code, zero where it has none: six bits each, with short forms for runs of zeros.
fn lengths(bits: &mut Bits<'_>, first: usize, last: usize) -> Option<Vec<u8>> {
    let mut lengths = vec![0; SYMBOLS];
    let mut at = first;
    while at <= last {
        match bits.take(6)? as usize {
            63 => at += bits.take(8)? as usize + 6,
            run @ 59..=62 => at += run - 59 + 2,
            length => {
                lengths[at] = length as u8;
                at += 1;
            }
        }
    }
    (at == last + 1).then_some(lengths)
}

/// A canonical Huffman code: of each length a range of codes, for symbols in their order. The longest begin at zero.
struct Code {
    /// The first code of each length, and where its symbols begin.
    first: [(u64, usize); LONGEST + 1],
    /// How many codes of each length there are.
    counts: [u64; LONGEST + 1],
    symbols: Vec<u32>,
    /// Symbol and length by the first bits; a length of zero where the code is longer.
    table: Vec<(u32, u8)>,
}

impl Code {
    fn new(lengths: &[u8]) -> Self {
        let mut counts = [0_u64; LONGEST + 1];
        for &length in lengths.iter().filter(|length| **length > 0) {
            counts[usize::from(length)] += 1;
        }
        let mut first = [(0, 0); LONGEST + 1];
        let mut code = 0;
        for length in (1..=LONGEST).rev() {
            first[length].0 = code;
            code = (code + counts[length]) >> 1;
        }
        let mut next = [0; LONGEST + 1];
        for length in 2..=LONGEST {
            next[length] = next[length - 1] + counts[length - 1] as usize;
            first[length].1 = next[length];
        }
        let mut symbols = vec![0; counts.iter().sum::<u64>() as usize];
        for (symbol, length) in (0..).zip(lengths).filter(|(_, length)| **length > 0) {
            let place = &mut next[usize::from(*length)];
            symbols[*place] = symbol;
            *place += 1;
        }
        let mut code = Self { first, counts, symbols, table: Vec::new() };
        code.table = (0..1_u64 << TABLE_BITS)
            .map(|bits| {
                let of = |length: u32| code.at(bits >> (TABLE_BITS - length), length as usize);
                (1..=TABLE_BITS)
                    .find_map(|length| Some((of(length)?, length as u8)))
                    .unwrap_or((0, 0))
            })
            .collect();
        code
    }

    /// The symbol of a code of this length, if it is one.
    fn at(&self, code: u64, length: usize) -> Option<u32> {
        let (first, start) = self.first[length];
        let at = code.checked_sub(first).filter(|at| *at < self.counts[length])?;
        self.symbols.get(start + at as usize).copied()
    }

    fn symbol(&self, bits: &mut Bits<'_>) -> Option<u32> {
        let start = bits.peek(TABLE_BITS);
        let (symbol, length) = self.table[start as usize];
        if length > 0 {
            bits.skip(u32::from(length))?;
            return Some(symbol);
        }
        bits.skip(TABLE_BITS)?;
        let mut code = u64::from(start);
        for length in TABLE_BITS as usize + 1..=LONGEST {
            code = code << 1 | u64::from(bits.take(1)?);
            if let Some(symbol) = self.at(code, length) {
                return Some(symbol);
            }
        }
        None
    }
}

/// Undoes the wavelets of one channel, from the coarsest on: each level has a sum and three differences of four numbers.
fn unfold(values: &mut [u16], size: [usize; 2], step: [usize; 2], largest: u16) {
    let join = if largest < 1 << 14 { join_14 } else { join_16 };
    let pair = |values: &mut [u16], a: usize, b: usize| {
        (values[a], values[b]) = join(values[a], values[b]);
    };
    let [width, height] = size;
    let shorter = width.min(height);
    if shorter == 0 {
        return;
    }
    let mut whole = 1 << shorter.ilog2();
    while whole > 1 {
        let half = whole / 2;
        let [right, down] = step.map(|step| step * half);
        let columns = width / whole;
        for row in 0..height / whole {
            let start = row * whole * step[1];
            for column in 0..columns {
                let at = start + column * whole * step[0];
                pair(values, at, at + down);
                pair(values, at + right, at + right + down);
                pair(values, at, at + right);
                pair(values, at + down, at + down + right);
            }
            if width & half != 0 {
                let at = start + columns * whole * step[0];
                pair(values, at, at + down);
            }
        }
        if height & half != 0 {
            let start = height / whole * whole * step[1];
            for column in 0..columns {
                let at = start + column * whole * step[0];
                pair(values, at, at + right);
            }
        }
        whole = half;
    }
}

/// Two numbers from their mean and difference, where both have 14 bits.
fn join_14(mean: u16, difference: u16) -> (u16, u16) {
    let mean = i32::from(mean.cast_signed());
    let difference = i32::from(difference.cast_signed());
    let first = mean + (difference & 1) + (difference >> 1);
    (first as u16, (first - difference) as u16)
}

/// The same where they have 16 bits, and all is counted round.
fn join_16(mean: u16, difference: u16) -> (u16, u16) {
    let second = mean.wrapping_sub(difference >> 1);
    (difference.wrapping_add(second).wrapping_sub(1 << 15), second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_and_a_difference_are_two_numbers() {
        // 5 and 2: the mean is rounded down to 3, the difference is 3.
        assert_eq!(join_14(3, 3), (5, 2));
        assert_eq!(join_14(3, 3_u16.wrapping_neg()), (2, 5));
        // With 16 bits the first is counted from the middle on, and all of it round: 27,232 and 59,996.
        assert_eq!(join_16(10_846, 32_772), (60_000, 59_996));
    }
}
