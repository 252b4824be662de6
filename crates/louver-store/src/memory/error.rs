//! Why memory could not be read or changed.

use std::io;
use std::path::{Path, PathBuf};

/// Why memory could not be read or changed. What was there before is there still.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each field is what its name says")]
pub enum MemoryError {
    /// A link leads out of the workspace.
    #[error("{}: it leads outside the workspace", path.display())]
    Outside { path: PathBuf },
    /// Another process has been changing memory for too long.
    #[error("memory is being changed by {}", holder(*pid))]
    Busy { pid: Option<u32> },
    /// Somebody saves the file again and again while we try to.
    #[error("{}: it is being changed all the time", path.display())]
    Unsteady { path: PathBuf },
    /// There is more text than memory can be.
    #[error("{}: memory may have {limit} bytes, and this is {bytes}", path.display())]
    TooLarge { path: PathBuf, bytes: u64, limit: u64 },
    /// No version has this number.
    #[error("memory has no version {n}; the newest is {newest}")]
    NoVersion { n: u64, newest: u64 },
    /// The text of a version is gone or is no longer what it was.
    #[error("what memory held as version {n} is damaged")]
    Damaged { n: u64 },
    /// No open proposal has this number.
    #[error("there is no open proposal {id}")]
    NoProposal { id: u64 },
    /// The disk failed.
    #[error("{}: {doing}: {source}", path.display())]
    Disk { path: PathBuf, doing: &'static str, source: io::Error },
}

/// Why a text was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Someone else changed the same lines. Their version stays in the file, and the text that was
    /// to be written is kept as a proposal.
    #[error(
        "memory was changed in the same lines meanwhile; the change is kept as proposal {proposal}"
    )]
    Conflict {
        /// The proposal.
        proposal: u64,
        /// The version that is in the file.
        theirs: u64,
    },
    /// Memory could not be read or changed.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl MemoryError {
    /// What would mend it.
    pub fn hint(&self) -> Option<String> {
        use io::ErrorKind as Kind;
        Some(match self {
            MemoryError::Outside { .. } => {
                "put the file into the workspace, or link to one that is in it".into()
            }
            MemoryError::Busy { .. } => "try again; reading is always possible".into(),
            MemoryError::TooLarge { .. } => {
                "move what is seldom needed to daily notes or skills".into()
            }
            MemoryError::NoVersion { .. } => "`louver memory log` shows all".into(),
            MemoryError::NoProposal { .. } => "`louver memory proposals` shows all".into(),
            MemoryError::Disk { source, .. } => match source.kind() {
                Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => {
                    "make room on the disk; nothing that was acknowledged is lost".into()
                }
                Kind::PermissionDenied | Kind::ReadOnlyFilesystem => {
                    "the folders `memory` and `.louver` in the workspace must be writable".into()
                }
                _ => return None,
            },
            MemoryError::Damaged { .. } => {
                "restore the folder `.louver/memory` from a backup".into()
            }
            MemoryError::Unsteady { .. } => "try again".into(),
        })
    }

    /// What the disk said about a file while something was done to it.
    pub(super) fn disk(
        path: &Path,
        doing: &'static str,
    ) -> impl FnOnce(io::Error) -> MemoryError + use<> {
        let path = path.to_owned();
        move |source| MemoryError::Disk { path, doing, source }
    }
}

impl WriteError {
    /// What would mend it.
    pub fn hint(&self) -> Option<String> {
        match self {
            WriteError::Conflict { proposal, .. } => Some(format!(
                "`louver memory proposals` shows it; accept or reject proposal {proposal} there"
            )),
            WriteError::Memory(error) => error.hint(),
        }
    }
}

fn holder(pid: Option<u32>) -> String {
    match pid {
        Some(pid) if pid == std::process::id() => "another part of this program".into(),
        Some(pid) => format!("process {pid}"),
        None => "another process".into(),
    }
}
