//! Stores that go past the caches, for what is too large to stay in them.
//!
//! In:  work that writes large arrays, each number once.
//! Out: the same numbers, in memory and in no cache.
//!
//! A plain store reads its cache line from memory first; one that goes past the caches does not. Such stores are not
//! in order with others: before anybody looks there must be a fence. So they are made inside of [`past`] alone, which
//! ends with one, and what they write is borrowed until then. x86-64 has them; other machines write plainly.
#![allow(unsafe_code)]

use std::marker::PhantomData;

/// Leave to write past the caches; given by [`past`].
#[derive(Debug)]
pub struct Past<'scope, 'env: 'scope> {
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
    /// A fence is for the stores of its own thread, so the leave stays there.
    stays: PhantomData<*const ()>,
}

/// Eight vectors at a place from which they can be written past the caches: a multiple of 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(16))]
pub struct Aligned<const N: usize>(pub [[f32; N]; 8]);

impl<const N: usize> Aligned<N> {
    /// The same vectors where they are; `None` where they begin elsewhere.
    #[must_use]
    pub fn of(eights: &mut [[[f32; N]; 8]]) -> Option<&mut [Self]> {
        const { assert!(size_of::<Self>() == size_of::<[[f32; N]; 8]>()) };
        // The count first: to ask the slice for it later would end what its pointer may do.
        let (count, first) = (eights.len(), eights.as_mut_ptr().cast::<Self>());
        if count == 0 {
            return Some(&mut []);
        }
        // Safety: an `Aligned` is laid out as the array it holds and has its size; the alignment is asked for. The
        // slice is not used again.
        first.is_aligned().then(|| unsafe { std::slice::from_raw_parts_mut(first, count) })
    }
}

/// Does work that may write past the caches; afterwards everyone sees what it wrote.
///
/// ```
/// use sinew_lanes::{Aligned, past};
/// let mut vectors = vec![Aligned([[0.0; 3]; 8]); 100];
/// past(|past| {
///     for eight in &mut vectors {
///         past.write(&[[1.0, 2.0, 3.0]; 8], eight);
///     }
/// });
/// assert_eq!(vectors, vec![Aligned([[1.0, 2.0, 3.0]; 8]); 100]);
/// ```
///
/// What is written cannot be looked at before the end:
///
/// ```compile_fail,E0502
/// # use sinew_lanes::{Aligned, past};
/// # let mut vector = Aligned([[0.0; 3]; 8]);
/// past(|past| {
///     past.write(&[[1.0, 2.0, 3.0]; 8], &mut vector);
///     println!("{vector:?}");
/// });
/// ```
pub fn past<'env, R>(work: impl for<'scope> FnOnce(&'scope Past<'scope, 'env>) -> R) -> R {
    // Also when `work` panics.
    let _fence = Fence;
    work(&Past { scope: PhantomData, env: PhantomData, stays: PhantomData })
}

impl<'scope> Past<'scope, '_> {
    /// Writes eight vectors, past the caches on machines that can. It pays where neighbours follow each other soon, so
    /// that whole cache lines come together.
    #[inline(always)]
    pub fn write<const N: usize>(&'scope self, from: &[[f32; N]; 8], to: &'scope mut Aligned<N>) {
        write(from, to);
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn write<const N: usize>(from: &[[f32; N]; 8], to: &mut Aligned<N>) {
    use std::arch::x86_64::{_mm_loadu_ps, _mm_stream_ps};

    let (from, to) = (from.as_flattened().as_ptr(), to.0.as_flattened_mut().as_mut_ptr());
    for four in 0..2 * N {
        // Safety: every x86-64 has the instructions. Both arrays have 8 N numbers, 2 N times four; `to` begins at a
        // multiple of 16 bytes, and so does each four of it. The fence that must come before anybody looks is made by
        // who gave the `Past`; until then `to` is borrowed.
        unsafe { _mm_stream_ps(to.add(4 * four), _mm_loadu_ps(from.add(4 * four))) };
    }
}

/// Miri does not know the instructions.
#[cfg(any(not(target_arch = "x86_64"), miri))]
#[inline(always)]
fn write<const N: usize>(from: &[[f32; N]; 8], to: &mut Aligned<N>) {
    to.0 = *from;
}

struct Fence;

impl Drop for Fence {
    #[inline]
    fn drop(&mut self) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // Safety: every x86-64 has the instruction.
        unsafe {
            std::arch::x86_64::_mm_sfence();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_past_the_caches_is_there_afterwards() {
        let number = |at: usize| at as f32 * 0.5;
        let mut threes = vec![Aligned([[-1.0; 3]; 8]); 5];
        let mut fours = vec![Aligned([[-1.0; 4]; 8]); 5];
        past(|past| {
            for (at, (three, four)) in threes.iter_mut().zip(&mut fours).enumerate().skip(1) {
                let eight = |axis: usize, lane: usize| number(100 * at + 10 * lane + axis);
                let from =
                    std::array::from_fn(|lane| std::array::from_fn(|axis| eight(axis, lane)));
                past.write(&from, three);
                let from =
                    std::array::from_fn(|lane| std::array::from_fn(|axis| eight(axis, lane)));
                past.write(&from, four);
            }
        });
        assert_eq!((threes[0].0, fours[0].0), ([[-1.0; 3]; 8], [[-1.0; 4]; 8]));
        // Eight 4, vector 7, z: half of 472.
        assert_eq!((threes[4].0[7][2], fours[4].0[7][2]), (236.0, 236.0));
        assert_eq!((threes[1].0[0], threes[2].0[5]), ([50.0, 50.5, 51.0], [125.0, 125.5, 126.0]));
        assert_eq!(fours[3].0[6], [180.0, 180.5, 181.0, 181.5]);
    }

    #[test]
    fn a_view_is_for_places_at_multiples_of_16_bytes_alone() {
        let mut room = Aligned([[0.0; 16]; 8]);
        let numbers = room.0.as_flattened_mut();
        for offset in 0..9 {
            let threes = numbers[offset..offset + 72].as_chunks_mut::<3>().0.as_chunks_mut::<8>().0;
            let view = Aligned::of(threes);
            assert_eq!(view.map(|view| view.len()), (offset % 4 == 0).then_some(3), "{offset}");
        }
        assert_eq!(Aligned::<3>::of(&mut []), Some(&mut [][..]));
    }

    #[cfg(panic = "unwind")]
    #[test]
    fn work_that_panics_is_fenced_too_and_passes_its_panic_on() {
        let mut vector = Aligned([[0.0; 3]; 8]);
        let work = std::panic::AssertUnwindSafe(|| {
            past(|past| {
                past.write(&[[2.0; 3]; 8], &mut vector);
                std::panic::resume_unwind(Box::new(7));
            });
        });
        assert!(std::panic::catch_unwind(work).is_err());
        assert_eq!(vector.0, [[2.0; 3]; 8]);
    }
}
