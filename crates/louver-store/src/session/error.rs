//! Why a session could not be opened, read or written.

use std::io;
use std::path::{Path, PathBuf};

use crate::append::AppendError;

/// Why a session could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each field is what its name says")]
pub enum SessionError {
    /// Nobody has written to this session yet.
    #[error("there is no session `{}`", short(key))]
    Missing { key: String },
    /// A list could not show it, and nobody could name it.
    #[error("`{}` cannot be a session's key: {}", key.escape_debug(), why(key))]
    BadKey { key: String },
    /// Another process writes to it.
    #[error("session `{}` is being written by {}", short(key), holder(*pid))]
    Busy { key: String, pid: Option<u32> },
    /// It was opened for reading, or its lock was given back.
    #[error("session `{}` is open for reading only", short(key))]
    ReadOnly { key: String },
    /// An event was not acknowledged.
    #[error("{}: {source}", path.display())]
    Append { path: PathBuf, source: AppendError },
    /// The disk failed in another way.
    #[error("{}: {doing}: {source}", path.display())]
    Disk { path: PathBuf, doing: &'static str, source: io::Error },
    /// It is not known what of it must not be shown.
    #[error("the list of what was forgotten cannot be read: {}: {source}", path.display())]
    Forgotten { path: PathBuf, source: io::Error },
    /// The event would make a line that could not be read again.
    #[error("an event of {bytes} bytes is too large for a session's log, which takes {limit}")]
    TooLarge { bytes: usize, limit: usize },
    /// The event could not be put into words.
    #[error("the event cannot be written as JSON: {0}")]
    NotJson(serde_json::Error),
    /// No such picture or result is kept here.
    #[error("nothing is kept as `{}` in this session", short(handle))]
    NoBlob { handle: String },
    /// What should be the end of a copy was undone.
    #[error("what is at {at} in session `{}` was taken back", short(key))]
    TakenBack { key: String, at: u64, last: u64 },
    /// A copy would be added to what is there.
    #[error("there is a conversation `{}` already", short(key))]
    Taken { key: String },
    /// No message has such a number.
    #[error("session `{}` has no message at {at}", short(key))]
    NoMessage { key: String, at: u64, all: Option<[u64; 2]> },
    /// It is kept, but no longer what it was.
    #[error("what was kept as `{handle}` is damaged")]
    BadBlob { handle: String },
}

impl SessionError {
    /// What would mend it.
    pub fn hint(&self) -> Option<String> {
        use io::ErrorKind as Kind;
        Some(match self {
            SessionError::BadKey { .. } => {
                "a key is a channel and a chat, such as `cli:direct`".into()
            }
            SessionError::Missing { .. } => "`louver sessions list` shows all".into(),
            SessionError::Busy { pid: Some(pid), .. } if *pid != std::process::id() => {
                format!("wait for it, or end it with `kill {pid}`; reading is always possible")
            }
            SessionError::Busy { .. } => "wait for it; reading is always possible".into(),
            SessionError::Append {
                source: AppendError::Write(e) | AppendError::Sync(e), ..
            }
            | SessionError::Disk { source: e, .. } => match e.kind() {
                Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => {
                    "make room on the disk; nothing that was acknowledged is lost".into()
                }
                Kind::PermissionDenied | Kind::ReadOnlyFilesystem => {
                    "the folder `.louver` in the workspace must be writable".into()
                }
                _ => return None,
            },
            SessionError::TakenBack { last: 0, .. } => "nothing before it was kept".into(),
            SessionError::TakenBack { last, .. } => {
                format!("the last message before it that was kept is {last}: `--at {last}`")
            }
            SessionError::Taken { .. } => "choose a key that no conversation has".into(),
            SessionError::NoMessage { all: None, .. } => "nothing was said in it".into(),
            SessionError::NoMessage { all: Some([first, last]), .. } => {
                format!(
                    "its first message is {first}, its last {last}; without `--at` all are taken"
                )
            }
            SessionError::Forgotten { .. } => {
                "restore or mend it; without it, what was forgotten would be shown and sent again"
                    .into()
            }
            SessionError::BadBlob { .. } => "restore the file from a backup".into(),
            _ => return None,
        })
    }

    pub(crate) fn disk(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> SessionError {
        move |source| SessionError::Disk { path: path.to_owned(), doing, source }
    }
}

/// A key as it is shown: keys may be longer than a screen.
fn short(key: &str) -> String {
    match key.char_indices().nth(80) {
        Some((at, _)) => format!("{}…", key[..at].escape_debug()),
        None => key.escape_debug().to_string(),
    }
}

fn why(key: &str) -> &'static str {
    if key.trim().is_empty() { "it is empty" } else { "it has characters that cannot be seen" }
}

fn holder(pid: Option<u32>) -> String {
    match pid {
        Some(pid) if pid == std::process::id() => "another part of this program".into(),
        Some(pid) => format!("process {pid}"),
        None => "another process".into(),
    }
}
