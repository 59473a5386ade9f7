//! How large the last cache is, where that is worth to know.
//!
//! In:  what the processor says of itself.
//! Out: bytes, for who chooses between plain stores and those [past](crate::past) the caches.
//!
//! The processor is asked once: on a virtual machine each question takes microseconds.

use std::sync::OnceLock;

/// Bytes of the last cache before memory, where to write [past](crate::past) it was measured to gain: on Intel's
/// processors with AVX-512. `None` on all others, which on AMD's is for a reason (`benches/README.md`).
///
/// On a processor with several such caches it is one of them: that of the cores around the one that asks.
#[must_use]
pub fn cache_to_pass() -> Option<usize> {
    static BYTES: OnceLock<Option<usize>> = OnceLock::new();
    *BYTES.get_or_init(ask)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[cold]
fn ask() -> Option<usize> {
    (is_intels() && crate::simd_level::registers() == 32).then(largest).filter(|&bytes| bytes > 0)
}

#[cfg(any(not(target_arch = "x86_64"), miri))]
fn ask() -> Option<usize> {
    None
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn is_intels() -> bool {
    let found = std::arch::x86_64::__cpuid(0);
    maker([found.ebx, found.edx, found.ecx]) == *b"GenuineIntel"
}

/// Twelve letters from three numbers, the least byte first.
#[cfg(any(test, all(target_arch = "x86_64", not(miri))))]
fn maker(words: [u32; 3]) -> [u8; 12] {
    let mut letters = [0; 12];
    for (to, word) in letters.as_chunks_mut().0.iter_mut().zip(words) {
        *to = word.to_le_bytes();
    }
    letters
}

/// Bytes of the largest cache that the processor tells of: Intel's leaf 4.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn largest() -> usize {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    const LEAF: u32 = 4;
    if __cpuid(0).eax < LEAF {
        return 0;
    }
    // Each answer is one cache; there are never as many as ten, and one of no kind ends them.
    let caches = (0..10).map(|cache| __cpuid_count(LEAF, cache));
    let caches = caches.take_while(|found| found.eax & 0x1f != 0);
    caches.map(|found| size(found.ebx, found.ecx)).max().unwrap_or(0)
}

/// Ways, partitions, bytes of a line, and sets, each less one.
#[cfg(any(test, all(target_arch = "x86_64", not(miri))))]
fn size(ebx: u32, ecx: u32) -> usize {
    let [ways, partitions, line] = [ebx >> 22, ebx >> 12 & 0x3ff, ebx & 0xfff];
    [ways, partitions, line, ecx].into_iter().map(|less| less as usize + 1).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_as_large_as_its_ways_lines_and_sets_say() {
        // 16 ways, one partition, lines of 64 bytes, 32768 sets: 32 MiB.
        assert_eq!(size(15 << 22 | 63, 32767), 32 << 20);
        // 12 ways, two partitions, lines of 64 bytes, 64 sets: 96 KiB.
        assert_eq!(size(11 << 22 | 1 << 12 | 63, 63), 96 << 10);
    }

    #[test]
    fn a_makers_name_is_spelt_from_the_least_byte_on() {
        assert_eq!(maker([0x756e_6547, 0x4965_6e69, 0x6c65_746e]), *b"GenuineIntel");
        assert_eq!(maker([0x6874_7541, 0x6974_6e65, 0x444d_4163]), *b"AuthenticAMD");
    }

    #[test]
    fn a_cache_to_pass_is_of_a_size_that_there_is_and_stays_so() {
        let found = cache_to_pass();
        assert!(found.is_none_or(|bytes| (256 << 10..4 << 30).contains(&bytes)), "{found:?}");
        assert_eq!(cache_to_pass(), found);
    }
}
