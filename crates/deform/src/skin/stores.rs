//! Whether vertices are written into the caches or past them.
//!
//! In:  what was asked for, and how many bytes one call will write.
//! Out: one answer for all of the call, so that threads that share it do the same.

use sinew_lanes::cache_to_pass;

/// How a [`Skinner`](crate::Skinner) writes vertices. The numbers are the same, to the last bit.
///
/// A plain store reads its cache line from memory before it changes it. One that goes past the caches does not, which
/// saves a quarter of all that moves; but what is in a cache already is faster written there, and who reads the
/// vertices next finds them in no cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stores {
    /// Into the caches.
    Plain,
    /// Past the caches, on x86-64; elsewhere plainly. So are, everywhere, vertices that do not lie at a multiple of 16
    /// bytes (large lists do), the last few, which fill no block of eight, and parts with a normal of no length.
    Past,
    /// Past the caches where that was measured to be faster: on Intel's processors with AVX-512, when the vertices of
    /// one call, all threads' together, are larger than half of the last cache. On 16 cores of a Xeon 8,000,000 vertices
    /// take 4 to 15 % less time so, and 500,000 would take up to a fifth more. On AMD's processors it is plain: on a Zen
    /// 4 some runs past the caches took several times as long, and why is not known.
    #[default]
    Fitting,
}

impl Stores {
    /// Whether so many bytes are to go past the caches.
    pub(super) fn go_past(self, bytes: usize) -> bool {
        self.go_past_cache(bytes, cache_to_pass())
    }

    fn go_past_cache(self, bytes: usize, cache: Option<usize>) -> bool {
        match self {
            Self::Plain => false,
            Self::Past => true,
            Self::Fitting => cache.is_some_and(|cache| bytes > cache / 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_half_of_the_last_cache_is_written_there_and_so_is_all_where_nothing_is_known() {
        let (fitting, cache) = (Stores::default(), Some(2000));
        assert_eq!(
            [999, 1000, 1001].map(|bytes| fitting.go_past_cache(bytes, cache)),
            [false, false, true]
        );
        assert!(!fitting.go_past_cache(usize::MAX, None));
    }

    #[test]
    fn who_says_which_stores_gets_them() {
        for cache in [None, Some(1000)] {
            assert!(Stores::Past.go_past_cache(1, cache));
            assert!(!Stores::Plain.go_past_cache(usize::MAX, cache));
        }
    }
}
