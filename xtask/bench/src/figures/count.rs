//! Counting tokens: how fast on text as it is, and whether any text makes it slow.

use anyhow::Result;
use louver_context::Encoding;

use crate::clock::{timed, times};
use crate::figures::{Figure, Figures, Target};
use crate::generate::{Words, mixed};

/// What is promised on mixed text.
const MIXED: Target = Target::AtLeast(20.0);
/// Slower than this on hostile text would be a way to hang a turn: 1 MB in half a second.
const HOSTILE: Target = Target::AtLeast(2.0);

pub(super) fn measure(figures: &Figures) -> Result<Vec<Figure>> {
    let runs = figures.runs(30);
    let mut words = Words::new(5);
    let text = mixed(2_000_000, &mut words);
    let letters: String =
        (0..1_000_000).map(|_| char::from(b'a' + words.below(26) as u8)).collect();
    let speed = |what: &str, encoding: Encoding, text: &str, runs: usize| {
        let what = format!("counting {what}, {}", encoding.name());
        Figure::new(what, megabytes_per_second(encoding, text, runs), "MB/s")
    };
    let o200k = |what: &str, text: &str| speed(what, Encoding::O200k, text, runs);
    Ok(vec![
        o200k("2 MB of mixed text", &text).target(MIXED),
        speed("2 MB of mixed text", Encoding::Cl100k, &text, runs).target(MIXED),
        o200k("100 KB of one letter", &"a".repeat(100_000)).target(HOSTILE),
        o200k("1 MB of one letter", &"a".repeat(1_000_000)).target(HOSTILE),
        o200k("1 MB of letters without a space", &letters).target(HOSTILE),
        o200k("1 MB of spaces", &" ".repeat(1_000_000)).target(HOSTILE),
    ])
}

/// The median speed. Nothing is remembered from one call to the next.
pub(crate) fn megabytes_per_second(encoding: Encoding, text: &str, runs: usize) -> f64 {
    // The first call makes tables that a process makes once.
    encoding.count("warm up");
    let once = |_| timed(|| std::hint::black_box(encoding.count(text))).1;
    text.len() as f64 / 1e3 / times((0..runs).map(once).collect()).median
}
