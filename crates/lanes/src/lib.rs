//! Eight numbers at a time, on whatever vector instructions there are.
//!
//! In:  a [`Kernel`], written once over [`Wide`], and a [`SimdLevel`].
//! Out: what the kernel gives, run on AVX2 with FMA, NEON, wasm simd128 or plain numbers.
//!
//! The plain numbers are the definition. [`SimdLevel::Deterministic`] gives the same bits on every
//! machine: every operation is one that IEEE 754 rounds to one result only, and none are joined.
//! [`SimdLevel::Fast`] joins multiplications with additions and takes shortcuts for roots; how far it
//! may stray is said at each operation. Nobody outside can name a back end, so nobody can run one
//! on a machine that lacks it.
//!
//! ```
//! use sinew_lanes::{Kernel, SimdLevel, Wide, run};
//! struct Scale<'a>(&'a mut [[f32; 8]], f32);
//! impl Kernel for Scale<'_> {
//!     type Output = ();
//!     #[inline(always)]
//!     fn run<W: Wide>(self) {
//!         let by = W::splat(self.1);
//!         for eight in self.0 {
//!             (W::load(eight) * by).store(eight);
//!         }
//!     }
//! }
//! let mut numbers = [[1.5; 8]; 2];
//! run(SimdLevel::current(), Scale(&mut numbers, 2.0));
//! assert_eq!(numbers, [[3.0; 8]; 2]);
//! ```

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(any(test, target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod duo;
#[cfg(target_arch = "aarch64")]
mod neon;
pub mod one;
mod scalar;
mod simd_level;
mod views;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
mod wide;

#[cfg(test)]
mod tests;

pub use simd_level::{Kernel, SimdLevel, run, set_deterministic};
pub use views::{quads, quads_mut, triples, triples_mut};
pub use wide::{Ints, Wide};
