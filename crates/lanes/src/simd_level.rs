//! Which instructions a kernel runs on: chosen when it is called, from what the machine has.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Wide, scalar};

/// Work on eight numbers at a time, written once for every machine.
///
/// `run` must be `#[inline(always)]`, and so must be everything that it hands a [`Wide`] to: only
/// what is inlined is compiled for the instructions of the level. Closures and `array::map` cannot
/// promise that; loops and plain functions can.
pub trait Kernel {
    /// What comes out.
    type Output;
    /// Whether to be compiled for 32 registers too, where they are: [`Wide::MANY`] is for those who ask.
    const MANY: bool = false;
    /// Does the work.
    fn run<W: Wide>(self) -> Self::Output;
}

/// Which instructions, and how freely they may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimdLevel {
    /// Plain numbers: the definition.
    Scalar,
    /// Vector instructions, with the very bits of [`SimdLevel::Scalar`].
    Deterministic,
    /// Vector instructions at their fastest.
    Fast,
}

static DETERMINISTIC: AtomicBool = AtomicBool::new(false);

/// Whether [`SimdLevel::current`] is to give the same bits on every machine, for the whole program from
/// now on. For lockstep games and for images that are compared; it costs a little speed.
///
/// It holds for sampling (keys, sampled clips, packed clips), making sampled clips, blending, adding, `to_model`,
/// crowds on the processor, palettes and skinning, given the same numbers: x86-64, 64-bit ARM and
/// WebAssembly are tested against one set of constants. Not for what needs sines or logarithms,
/// which each system rounds differently: IK, springs, inertialization, root motion; nor for importing and
/// packing, whose results are data to ship.
pub fn set_deterministic(on: bool) {
    DETERMINISTIC.store(on, Ordering::Relaxed);
}

impl SimdLevel {
    /// All of them, for tests that compare them.
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Deterministic, Self::Fast];

    /// What the library uses where nobody says otherwise: the fastest, unless
    /// [`set_deterministic`] was asked for.
    #[must_use]
    #[inline]
    pub fn current() -> Self {
        if DETERMINISTIC.load(Ordering::Relaxed) { Self::Deterministic } else { Self::Fast }
    }
}

/// Runs a kernel on a level; without vector instructions every level is [`SimdLevel::Scalar`].
#[inline]
pub fn run<K: Kernel>(level: SimdLevel, kernel: K) -> K::Output {
    match level {
        SimdLevel::Scalar => plain(kernel),
        SimdLevel::Deterministic => vector::<K, false>(kernel),
        SimdLevel::Fast => vector::<K, true>(kernel),
    }
}

/// Apart, so that it is compiled once for a kernel and does not crowd the others.
#[inline(never)]
fn plain<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<scalar::Floats>()
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn vector<K: Kernel, const JOIN: bool>(kernel: K) -> K::Output {
    use crate::avx2::Floats;

    #[target_feature(enable = "avx2,fma")]
    fn avx2<K: Kernel, const JOIN: bool>(kernel: K) -> K::Output {
        kernel.run::<Floats<JOIN, false>>()
    }
    #[target_feature(enable = "avx2,fma,avx512f,avx512vl")]
    fn avx512<K: Kernel, const JOIN: bool>(kernel: K) -> K::Output {
        kernel.run::<Floats<JOIN, true>>()
    }
    match registers() {
        // Safety: the machine has what the function is compiled for; it was asked.
        32 if K::MANY => unsafe { avx512::<K, JOIN>(kernel) },
        // Safety: as above.
        16 | 32 => unsafe { avx2::<K, JOIN>(kernel) },
        _ => plain(kernel),
    }
}

/// How many registers of eight numbers there are, with AVX2 and FMA to work on them: 16, 32 with AVX-512, or 1 for none.
#[cfg(target_arch = "x86_64")]
#[inline]
fn registers() -> u8 {
    use std::sync::atomic::AtomicU8;

    /// Zero until the machine was asked: kernels are short, and one question costs less than four.
    static REGISTERS: AtomicU8 = AtomicU8::new(0);

    #[cold]
    #[inline(never)]
    fn ask() -> u8 {
        let eight = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let many = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
        let found = match (eight, many) {
            (true, true) => 32,
            (true, false) => 16,
            _ => 1,
        };
        REGISTERS.store(found, Ordering::Relaxed);
        found
    }
    match REGISTERS.load(Ordering::Relaxed) {
        0 => ask(),
        known => known,
    }
}

#[cfg(target_arch = "aarch64")]
#[inline]
fn vector<K: Kernel, const JOIN: bool>(kernel: K) -> K::Output {
    // Every 64-bit ARM that Rust builds for has NEON.
    kernel.run::<crate::duo::Floats<crate::neon::Four<JOIN>>>()
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
fn vector<K: Kernel, const JOIN: bool>(kernel: K) -> K::Output {
    // A module that was built with simd128 does not load on a machine without it.
    kernel.run::<crate::duo::Floats<crate::wasm::Four>>()
}

#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
#[inline]
fn vector<K: Kernel, const JOIN: bool>(kernel: K) -> K::Output {
    plain(kernel)
}
