//! Servers that silently leave out what does not fit into a smaller window than they say.
//!
//! Ollama, for one, loads a model with a few thousand tokens unless it is told otherwise, and drops the
//! beginning of what is longer. All that shows it is how much it says it has read.

use louver_store::Problem;

/// Windows that servers fall back to.
const WINDOWS: [u64; 6] = [2_048, 4_096, 8_192, 16_384, 32_768, 65_536];

/// What is wrong when a server that was sent so many tokens says that it read this many.
///
/// Counts differ between here and there, by a third where they are estimates, and some servers leave out
/// what they had in a cache. So it is told only where a window was filled, and half as much again was sent.
pub(crate) fn cut(server: &str, sent: u32, read: u64) -> Option<Problem> {
    let window = WINDOWS.iter().find(|window| read <= **window && read * 20 > **window * 19)?;
    (u64::from(sent) * 2 > read * 3).then(|| {
        Problem::warning(
            server,
            format!(
                "it read {read} of about {sent} tokens: its window seems to be {window}, and the rest was left out. \
                 Give it a larger one (Ollama: OLLAMA_CONTEXT_LENGTH), or set `window = {window}`"
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_filled_a_smaller_window_has_cut_the_request() {
        for (sent, read) in [(9_000, 4_096), (9_000, 4_000), (3_200, 2_040), (80_000, 32_768)] {
            assert!(cut("ollama", sent, read).is_some(), "{sent}, {read}");
        }
    }

    #[test]
    fn counts_that_differ_or_leave_a_cache_out_say_nothing() {
        for (sent, read) in [
            (4_500, 4_096),
            (2_566, 1_968),
            (9_000, 0),
            (9_000, 300),
            (9_000, 3_000),
            (4_000, 5_000),
            (0, 0),
        ] {
            assert!(cut("ollama", sent, read).is_none(), "{sent}, {read}");
        }
    }
}
