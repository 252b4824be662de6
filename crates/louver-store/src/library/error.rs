//! What can go wrong with the library.

use std::io;
use std::path::PathBuf;

use rusqlite::{ErrorCode, ffi};

/// Why the library could not do something. It can always be deleted.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// SQLite refuses.
    #[error("the recall index could not be used: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// What it holds is not what was put in.
    #[error("the recall index is damaged: {0}")]
    Malformed(&'static str),
    /// Another version of this program has taken it over.
    #[error("another version of louver is using the recall index")]
    OtherVersion,
    /// Vectors were brought that cannot be those of the notes.
    #[error("the vectors were not kept: {0}")]
    Unlike(&'static str),
    /// Something beside the database failed.
    #[error("the recall index could not be used: {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl LibraryError {
    /// What helps.
    pub fn hint(&self) -> &'static str {
        if self.is_damage() {
            return "an empty one has taken its place, and fills again the next time it is asked";
        }
        match self {
            LibraryError::OtherVersion => "stop the other one, and start this one again",
            LibraryError::Unlike(_) => {
                "bring one for each of the texts, in their order, from the model that they were asked for"
            }
            LibraryError::Io { source, .. } if has_no_room(source.kind()) => FULL,
            LibraryError::Io { source, .. } if source.kind() == io::ErrorKind::InvalidData => {
                "it lists what is never recalled again: repair it, or delete it to recall that again"
            }
            LibraryError::Io { .. } => "the folder `.louver` in the workspace must be writable",
            LibraryError::Sqlite(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    "another process is writing; try again in a moment"
                }
                Some(ErrorCode::DiskFull) => FULL,
                Some(ErrorCode::SystemIoFailure) => not_done(error),
                Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => {
                    "the folder `.louver` in the workspace must be writable"
                }
                _ => DELETE,
            },
            LibraryError::Malformed(_) => DELETE,
        }
    }

    /// Whether it may not be written, or has no room. What was taken in before can still be read.
    pub(super) fn is_refused(&self) -> bool {
        use io::ErrorKind as Kind;
        match self {
            LibraryError::Io { source, .. } => {
                matches!(source.kind(), Kind::PermissionDenied | Kind::ReadOnlyFilesystem)
                    || has_no_room(source.kind())
            }
            LibraryError::Sqlite(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DiskFull | ErrorCode::ReadOnly | ErrorCode::CannotOpen) => true,
                Some(ErrorCode::SystemIoFailure) => not_done(error) != DELETE,
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the file itself is bad. Then it is set aside and an empty one takes its place: all
    /// that was in it can be read again.
    pub(super) fn is_damage(&self) -> bool {
        match self {
            LibraryError::Malformed(_) => true,
            LibraryError::Io { .. } | LibraryError::OtherVersion | LibraryError::Unlike(_) => false,
            LibraryError::Sqlite(error) => match error {
                rusqlite::Error::SqliteFailure(error, _) => {
                    matches!(error.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
                }
                // A table or a column that should be there is not, or holds something else.
                rusqlite::Error::SqlInputError { .. }
                | rusqlite::Error::Utf8Error(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::QueryReturnedNoRows => true,
                _ => false,
            },
        }
    }
}

fn has_no_room(kind: io::ErrorKind) -> bool {
    use io::ErrorKind as Kind;
    matches!(kind, Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge)
}

/// What helps when the disk did not do something. SQLite says that it is full only where a page of the database or
/// its log has no room: the few pages that processes share must be there first.
fn not_done(error: &rusqlite::Error) -> &'static str {
    let code = error.sqlite_error().map_or(0, |error| error.extended_code);
    match code {
        ffi::SQLITE_IOERR_SHMSIZE => FULL,
        ffi::SQLITE_IOERR_READ | ffi::SQLITE_IOERR_SHORT_READ => DELETE,
        _ => REFUSED,
    }
}

const REFUSED: &str =
    "the disk is full, over a quota, or failing; nothing was lost, make room and ask again";
const FULL: &str = "the disk is full; nothing was lost, make room and ask again";
const DELETE: &str =
    "`.louver/recall.db` holds nothing that is not elsewhere: delete it, and it is made again";
