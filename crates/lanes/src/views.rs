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
