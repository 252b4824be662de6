//! The web, for a model to read: where it may go, what comes back, and how that becomes text.
//!
//! ```text
//! text ─ parse once ▶ Url ─ resolve once ▶ addresses ─ check all ▶ dial those ─▶ redirect? begin again
//!                                                                   └▶ bytes, bounded ─▶ text
//! ```

pub mod address;
pub mod engines;
pub mod fetch;
pub mod page;
pub mod readable;
mod tags;

use serde::Deserialize;

pub use address::{Allowed, Reach, Refused};
pub use engines::SearchSettings;
pub use fetch::{Fetched, Fetcher, Limits, Lookup};

/// The `[tools.web]` table. Only the person's own settings may have it: `allow` opens their network.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebSettings {
    /// Places that may be fetched although they are not public, such as `127.0.0.1:8080`,
    /// `wiki.lan` or `192.168.1.0/24`.
    pub allow: Vec<Allowed>,
    /// Seconds a fetch may take in all. Default: 30.
    pub timeout: Option<u32>,
    /// Bytes that are read of an answer at most, unpacked. Default: 2 MiB.
    pub size: Option<usize>,
}

/// What we call ourselves to servers.
pub(crate) const USER_AGENT: &str = concat!("louver/", env!("CARGO_PKG_VERSION"));

/// Chooses who does the cryptography, once for the process. Someone may have done so before.
pub(crate) fn prepare_tls() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// The start of a text that is not longer than `most` bytes and does not end inside a character.
pub(crate) fn start_of(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
