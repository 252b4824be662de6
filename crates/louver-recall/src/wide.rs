//! Doing one thing to many numbers at once, as many as the machine can.

use fearless_simd::{Level, Simd as _, dispatch};

/// Does work that is compiled once for each kind of machine, as this one does it fastest. Only what is
/// inlined into it gains, so `work` has to say `#[inline(always)]`. What comes out is the same everywhere, as
/// long as it adds whole numbers, or adds others in the order they stand in.
#[inline(always)]
pub fn wide<R>(work: impl FnOnce() -> R) -> R {
    dispatch!(Level::new(), simd => simd.vectorize(work))
}
