//! Packed lists of numbers that a file has many times, unpacked once.
//!
//! In:  a binary FBX file. Out: the same with every repeated list as plain numbers, where that pays.
//!
//! Curves that were sampled together have the same key times: each has a copy of them, packed alike, and unpacking
//! is most of the work of reading such a file. What is not as expected is left to ufbx, which says what is wrong.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use crate::finish::hash::Seed;

/// Nodes of FBX files are nested a few levels deep.
const DEPTH: usize = 32;
/// Copying the file must cost less than unpacking would: the share of it that is repeated lists.
const LEAST_SHARE: usize = 6;

/// More than this many times its length is no honest file's growth.
const MOST_GROWTH: usize = 4;

/// The file with its repeated lists unpacked; `None` where it has few.
pub(super) fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    const START: &[u8] = b"Kaydara FBX Binary  \0\x1a\0";
    let version = u32_at(bytes.strip_prefix(START)?, 0)?;
    let mut walk = Walk {
        bytes,
        wide: version >= 7500,
        at: START.len() + 4,
        known: HashMap::default(),
        lists: Vec::new(),
        nodes: Vec::new(),
    };
    walk.nodes(bytes.len(), DEPTH)?;
    let repeated = walk.lists.iter().filter(|list| walk.is_repeated(list));
    let packed: usize = repeated.map(|list| list.packed.len()).sum();
    if packed * LEAST_SHARE < bytes.len() { None } else { walk.write() }
}

/// A packed list.
struct List {
    /// Where its encoding is filed, with the packed length and the packed numbers behind it.
    head: usize,
    packed: Range<usize>,
    /// The length of its numbers, in bytes.
    plain: usize,
    /// The first list that is the same.
    first: usize,
    /// Of a first list, how many are the same, it among them.
    count: usize,
}

/// A node, and how many lists are before it, before the end of its values, and before its own end.
struct Node {
    start: usize,
    end: usize,
    lists: [u32; 3],
}

struct Walk<'a> {
    bytes: &'a [u8],
    /// Whether lengths have eight bytes, not four.
    wide: bool,
    at: usize,
    /// The first list of each kind, by its lengths and its last bytes, which are a sum of its numbers.
    known: HashMap<(usize, usize, u32), usize, Seed>,
    lists: Vec<List>,
    nodes: Vec<Node>,
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn length_at(bytes: &[u8], at: usize, wide: bool) -> Option<usize> {
    if wide {
        let eight = bytes.get(at..)?.first_chunk()?;
        return usize::try_from(u64::from_le_bytes(*eight)).ok();
    }
    u32_at(bytes, at).map(|length| length as usize)
}

fn set_length(bytes: &mut [u8], at: usize, length: usize, wide: bool) -> Option<()> {
    if wide {
        *bytes.get_mut(at..)?.first_chunk_mut()? = (length as u64).to_le_bytes();
    } else {
        *bytes.get_mut(at..)?.first_chunk_mut()? = u32::try_from(length).ok()?.to_le_bytes();
    }
    Some(())
}

impl Walk<'_> {
    fn length(&self, at: usize) -> Option<usize> {
        length_at(self.bytes, at, self.wide)
    }

    /// Nodes one after the other, up to the empty one or the end.
    fn nodes(&mut self, end: usize, depth: usize) -> Option<()> {
        let width = if self.wide { 8 } else { 4 };
        while self.at < end {
            let start = self.at;
            let node_end = self.length(start)?;
            let name = usize::from(*self.bytes.get(start + 3 * width)?);
            self.at = start + 3 * width + 1 + name;
            if node_end == 0 {
                return (name == 0).then_some(());
            }
            let count = self.length(start + width)?;
            let values_end = self.at.checked_add(self.length(start + 2 * width)?)?;
            if node_end > end || values_end > node_end {
                return None;
            }
            let before = self.lists.len() as u32;
            for _ in 0..count {
                self.value()?;
            }
            let values = self.lists.len() as u32;
            if self.at != values_end {
                return None;
            }
            if self.at < node_end {
                self.nodes(node_end, depth.checked_sub(1)?)?;
            }
            if self.at != node_end {
                return None;
            }
            let lists = [before, values, self.lists.len() as u32];
            self.nodes.push(Node { start, end: node_end, lists });
        }
        Some(())
    }

    fn value(&mut self) -> Option<()> {
        let kind = *self.bytes.get(self.at)?;
        self.at += 1;
        let size = match kind {
            b'C' | b'B' => 1,
            b'Y' => 2,
            b'I' | b'F' => 4,
            b'D' | b'L' => 8,
            b'S' | b'R' => (u32_at(self.bytes, self.at)? as usize).checked_add(4)?,
            b'c' | b'b' => return self.list(1),
            b'i' | b'f' => return self.list(4),
            b'l' | b'd' => return self.list(8),
            _ => return None,
        };
        self.at = self.at.checked_add(size)?;
        Some(())
    }

    /// A list of numbers of this size.
    fn list(&mut self, size: usize) -> Option<()> {
        let plain = (u32_at(self.bytes, self.at)? as usize).checked_mul(size)?;
        let encoding = u32_at(self.bytes, self.at + 4)?;
        let length = u32_at(self.bytes, self.at + 8)? as usize;
        let head = self.at + 4;
        let packed = self.at + 12..(self.at + 12).checked_add(length)?;
        self.at = packed.end;
        if encoding == 0 || plain <= length {
            return Some(());
        }
        let own = self.bytes.get(packed.clone())?;
        let sum = u32::from_le_bytes(*own.last_chunk()?);
        let next = self.lists.len();
        let known = *self.known.entry((length, plain, sum)).or_insert(next);
        let is_same = |first: &List| self.bytes.get(first.packed.clone()) == Some(own);
        let first = if self.lists.get(known).is_some_and(is_same) { known } else { next };
        self.lists.push(List { head, packed, plain, first, count: 0 });
        self.lists[first].count += 1;
        Some(())
    }

    fn is_repeated(&self, list: &List) -> bool {
        self.lists[list.first].count > 1
    }

    /// By how much a list grows.
    fn growth(&self, list: &List) -> usize {
        if self.is_repeated(list) { list.plain - list.packed.len() } else { 0 }
    }

    fn write(&self) -> Option<Vec<u8>> {
        // By how much all before each list grows, and last all of them.
        let mut grown = vec![0];
        grown.extend(self.lists.iter().scan(0, |sum, list| {
            *sum += self.growth(list);
            Some(*sum)
        }));
        let whole = *grown.last()?;
        if whole > self.bytes.len().saturating_mul(MOST_GROWTH) {
            return None;
        }
        let mut out = Vec::with_capacity(self.bytes.len() + whole);
        let mut numbers: HashMap<usize, Vec<u8>, Seed> = HashMap::default();
        let mut copied = 0;
        for list in self.lists.iter().filter(|list| self.is_repeated(list)) {
            let numbers = match numbers.entry(list.first) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let packed = self.bytes.get(list.packed.clone())?;
                    let unpack = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
                    place.insert(unpack(packed, list.plain).ok()?)
                }
            };
            if numbers.len() != list.plain {
                return None;
            }
            out.extend_from_slice(self.bytes.get(copied..list.head)?);
            out.extend_from_slice(&0_u32.to_le_bytes());
            out.extend_from_slice(&u32::try_from(list.plain).ok()?.to_le_bytes());
            out.extend_from_slice(numbers);
            copied = list.packed.end;
        }
        out.extend_from_slice(self.bytes.get(copied..)?);
        for node in &self.nodes {
            let [before, values, all] = node.lists.map(|lists| grown[lists as usize]);
            let start = node.start + before;
            set_length(&mut out, start, node.end + all, self.wide)?;
            if values > before {
                let at = start + if self.wide { 16 } else { 8 };
                let length = length_at(&out, at, self.wide)? + values - before;
                set_length(&mut out, at, length, self.wide)?;
            }
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Filed<'a> {
        wide: bool,
        /// How many lists have the same numbers, and whether they are packed.
        copies: usize,
        packs: bool,
        times: &'a [i64],
    }

    impl Filed<'_> {
        fn length(&self, length: usize) -> Vec<u8> {
            if self.wide {
                (length as u64).to_le_bytes().to_vec()
            } else {
                (length as u32).to_le_bytes().to_vec()
            }
        }

        fn node(
            &self,
            out: &mut Vec<u8>,
            name: &str,
            values: &[u8],
            inside: &dyn Fn(&mut Vec<u8>),
        ) {
            let start = out.len();
            out.extend(self.length(0));
            out.extend(self.length(usize::from(!values.is_empty())));
            out.extend(self.length(values.len()));
            out.push(name.len() as u8);
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(values);
            inside(out);
            let end = self.length(out.len());
            out[start..start + end.len()].copy_from_slice(&end);
        }

        fn end(&self, out: &mut Vec<u8>) {
            out.extend(vec![0; if self.wide { 25 } else { 13 }]);
        }

        fn list(&self, times: &[i64], packs: bool) -> Vec<u8> {
            let plain: Vec<u8> = times.iter().flat_map(|time| time.to_le_bytes()).collect();
            let data = match packs {
                true => miniz_oxide::deflate::compress_to_vec_zlib(&plain, 6),
                false => plain,
            };
            let numbers = [times.len(), usize::from(packs), data.len()];
            let head = numbers.into_iter().flat_map(|number| (number as u32).to_le_bytes());
            std::iter::once(b'l').chain(head).chain(data).collect()
        }

        fn bytes(&self) -> Vec<u8> {
            let mut out = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
            out.extend(if self.wide { 7500_u32 } else { 7400 }.to_le_bytes());
            let nothing = |_: &mut Vec<u8>| {};
            self.node(&mut out, "Before", b"I\x01\0\0\0", &nothing);
            self.node(&mut out, "Objects", &[], &|out| {
                for _ in 0..self.copies {
                    self.node(out, "AnimationCurve", b"S\x02\0\0\0ab", &|out| {
                        self.node(out, "KeyTime", &self.list(self.times, self.packs), &nothing);
                        self.end(out);
                    });
                }
                let others: Vec<i64> = self.times.iter().map(|time| time / 3).collect();
                self.node(out, "KeyTime", &self.list(&others, true), &nothing);
                self.end(out);
            });
            self.end(&mut out);
            out.extend_from_slice(b"what follows");
            out
        }
    }

    #[test]
    fn a_list_that_comes_again_is_plain() {
        let times: Vec<i64> = (0..500).map(|key: i64| key * key * 77 % 100_000).collect();
        for wide in [false, true] {
            let bytes = |copies, packs| Filed { wide, copies, packs, times: &times }.bytes();
            for copies in [2, 5] {
                assert!(bytes(copies, true).len() < bytes(copies, false).len());
                assert!(unpacked(&bytes(copies, true)) == Some(bytes(copies, false)));
            }
            assert_eq!(unpacked(&bytes(1, true)), None, "none is repeated");
            assert_eq!(unpacked(&bytes(2, false)), None, "none of those repeated is packed");
        }
    }

    #[test]
    fn a_file_that_is_cut_or_has_a_wrong_length_is_left_alone() {
        let times: Vec<i64> = (0..200).map(|key: i64| key * key * 77 % 100_000).collect();
        let bytes = Filed { wide: false, copies: 3, packs: true, times: &times }.bytes();
        for end in 0..bytes.len() - 13 - b"what follows".len() {
            assert_eq!(unpacked(&bytes[..end]), None, "{end}");
        }
        let whole = unpacked(&bytes).expect("a repeated list");
        let mut changed = 0;
        for at in 27..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0xff;
            changed += usize::from(unpacked(&bytes).is_some_and(|found| found != whole));
        }
        // Names, plain values and the bytes behind the nodes go through as they are.
        assert!(changed > 0);
    }
}
