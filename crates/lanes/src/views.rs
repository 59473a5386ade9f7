//! Slices of vectors seen as slices of arrays of the same numbers.
#![allow(unsafe_code)]

use glam::{Vec3, Vec4};

macro_rules! view {
    ($(#[$doc:meta])* $name:ident, $name_mut:ident, $vector:ty, $array:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $name(vectors: &[$vector]) -> &[$array] {
            const { assert!(size_of::<$vector>() == size_of::<$array>()) };
            const { assert!(align_of::<$vector>() >= align_of::<$array>()) };
            // Safety: glam says that its vectors are laid out as arrays of their numbers (they
            // turn into such references one by one); size and alignment were just compared.
            unsafe { std::slice::from_raw_parts(vectors.as_ptr().cast(), vectors.len()) }
        }

        $(#[$doc])*
        #[must_use]
        pub fn $name_mut(vectors: &mut [$vector]) -> &mut [$array] {
            const { assert!(size_of::<$vector>() == size_of::<$array>()) };
            const { assert!(align_of::<$vector>() >= align_of::<$array>()) };
            // Safety: as above; every array of numbers is a vector.
            unsafe { std::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), vectors.len()) }
        }
    };
}

view!(
    /// The same vectors as arrays of x, y, z.
    triples, triples_mut, Vec3, [f32; 3]
);
view!(
    /// The same vectors as arrays of x, y, z, w.
    quads, quads_mut, Vec4, [f32; 4]
);

/// Bytes of which many are read at once, wherever one asks: past the end, the last ones.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a> {
    bytes: &'a [u8],
    /// The last place from which 16 can be read.
    last: usize,
}

impl<'a> Bytes<'a> {
    /// `None` when there are fewer than 16.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        bytes.len().checked_sub(16).map(|last| Self { bytes, last })
    }

    /// Several places, to read as many bytes beyond each.
    #[must_use]
    #[inline(always)]
    pub fn places<const COUNT: usize>(self, at: [usize; COUNT]) -> Places<'a, COUNT> {
        let mut places = Places { bytes: self.bytes, at, room: self.last };
        for at in &mut places.at {
            *at = (*at).min(self.last);
            places.room = places.room.min(self.last - *at);
        }
        places
    }
}

/// Several places in the same bytes, asked once how much there is beyond them.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a, const COUNT: usize> {
    bytes: &'a [u8],
    at: [usize; COUNT],
    /// So far beyond each of them 16 bytes can be read.
    room: usize,
}

impl<'a, const COUNT: usize> Places<'a, COUNT> {
    /// Each place by itself.
    #[must_use]
    #[inline(always)]
    pub fn apart(&self) -> [Places<'a, 1>; COUNT] {
        let Self { bytes, at, .. } = *self;
        let mut apart = [Places { bytes, at: [0], room: 0 }; COUNT];
        for (place, at) in apart.iter_mut().zip(at) {
            // There is at least one place, so there are 16 bytes.
            *place = Places { bytes, at: [at], room: bytes.len() - 16 - at };
        }
        apart
    }

    /// Sixteen bytes so far beyond every place; where one of them has too few, from less far beyond all.
    #[must_use]
    #[inline(always)]
    pub fn sixteen(&self, beyond: usize) -> [&'a [u8; 16]; COUNT] {
        let beyond = beyond.min(self.room);
        let mut found = [&[0; 16]; COUNT];
        for (found, at) in found.iter_mut().zip(self.at) {
            // Safety: `at + room` is at most the last place from which 16 bytes can be read, and no more
            // are; bytes ask for no alignment, and the reference lives as long as they do.
            *found = unsafe { &*self.bytes.as_ptr().add(at + beyond).cast() };
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_far_beyond_as_all_of_them_reach() {
        assert!(Bytes::new(&[0; 15]).is_none());
        let bytes: Vec<u8> = (0..100).collect();
        let bytes = Bytes::new(&bytes).expect("there are 16");
        let places = bytes.places([10, 76]);
        assert_eq!(places.sixteen(5).map(|found| found[0]), [15, 81]);
        // From 84 on 16 can be read: that is 8 beyond the second.
        assert_eq!(places.sixteen(9).map(|found| found[0]), [18, 84]);
        let [first, second] = places.apart();
        assert_eq!(first.sixteen(9).map(|found| found[15]), [34]);
        assert_eq!(first.sixteen(usize::MAX).map(|found| found[15]), [99]);
        assert_eq!(second.sixteen(9).map(|found| found[15]), [99]);
        // Places past the end are the last.
        assert_eq!(bytes.places([usize::MAX, 3]).sixteen(1).map(|found| found[0]), [84, 3]);
    }
}
