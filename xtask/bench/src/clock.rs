//! CPU time, and what many measurements of it come to.

use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;

/// The CPU time of this process so far, in milliseconds.
fn cpu() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 * 1e3 + now.tv_nsec as f64 / 1e6
}

/// What a piece of work gives, and the CPU milliseconds it took. Dropping the result is not
/// measured: whoever keeps a context does not pay for it.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = cpu();
    let result = work();
    (result, cpu() - start)
}

/// Many measurements.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Times {
    pub(crate) median: f64,
    pub(crate) p99: f64,
}

/// The median and the 99th percentile.
pub(crate) fn times(mut all: Vec<f64>) -> Times {
    all.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (all.len() as f64 * share) as usize;
        all.get(index.min(all.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    };
    Times { median: at(0.5), p99: at(0.99) }
}
