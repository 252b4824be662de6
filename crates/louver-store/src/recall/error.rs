//! What can go wrong with the library.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Why the library could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder `.louver` cannot be used.
    #[error("cannot use `{path}`: {source}")]
    Folder {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The database cannot be used, and a new one cannot be made.
    #[error("cannot open the index of notes `{path}`: {source}")]
    Database {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Fault,
    },
}

/// Why nothing could be indexed. What was committed before is kept.
#[derive(Debug, thiserror::Error)]
#[error("cannot index notes: {0}")]
pub struct IndexError(#[from] pub Fault);

/// Why nothing could be looked up.
#[derive(Debug, thiserror::Error)]
#[error("cannot look notes up: {0}")]
pub struct FindError(#[from] pub Fault);

/// Why a note could not be forgotten, or brought back.
#[derive(Debug, thiserror::Error)]
pub enum ForgetError {
    /// The list of what is forgotten cannot be written, so nothing was done.
    #[error("cannot write `{path}`, where forgotten notes are listed: {source}")]
    List {
        /// The list.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The index failed.
    #[error("cannot forget a note: {0}")]
    Index(#[from] Fault),
}

/// What is wrong with a database.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// SQLite refuses.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// What it holds is not what was put in.
    #[error("the index is damaged: {0}")]
    Malformed(&'static str),
    /// Another version of this program has taken it over.
    #[error("another version of louver is using the index")]
    OtherVersion,
    /// Something outside of the database failed.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Fault {
    /// Whether the file itself is bad. Then it is set aside and an empty one takes its place: all
    /// that was in it can be indexed again.
    pub fn is_damage(&self) -> bool {
        match self {
            Fault::Malformed(_) => true,
            Fault::Io { .. } | Fault::OtherVersion => false,
            Fault::Sqlite(error) => match error {
                rusqlite::Error::SqliteFailure(error, _) => {
                    matches!(error.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
                }
                // A table or a column that should be there is not, or holds something else.
                rusqlite::Error::SqlInputError { .. }
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::QueryReturnedNoRows => true,
                _ => false,
            },
        }
    }
}

impl FindError {
    /// A remedy, where there is one.
    pub fn hint(&self) -> Option<&'static str> {
        hint(&self.0)
    }
}

impl IndexError {
    /// A remedy, where there is one.
    pub fn hint(&self) -> Option<&'static str> {
        hint(&self.0)
    }
}

fn hint(fault: &Fault) -> Option<&'static str> {
    if fault.is_damage() {
        return Some("an empty index has taken its place; index the notes again");
    }
    if matches!(fault, Fault::OtherVersion) {
        return Some("stop the other one, and start this one again");
    }
    let Fault::Sqlite(rusqlite::Error::SqliteFailure(error, _)) = fault else { return None };
    match error.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            Some("another process is writing; try again in a moment")
        }
        ErrorCode::DiskFull => {
            Some("the disk is full; nothing was lost, the index can be made again")
        }
        ErrorCode::ReadOnly | ErrorCode::CannotOpen => {
            Some("the folder `.louver` in the workspace must be writable")
        }
        _ => None,
    }
}
