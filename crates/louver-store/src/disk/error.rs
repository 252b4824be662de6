//! Why something could not be read or written.

use std::io;

use rustix::io::Errno;

use super::Kind;
use super::hidden::HIDDEN;
use crate::problem::Problem;

/// Why something could not be read. Each says the path first.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each field is what its name says")]
pub enum ReadError {
    /// Nothing has this name, or a link's target is gone.
    #[error("{path}: it does not exist")]
    Missing { path: String },
    /// The name or a link leads out of the folder and its roots.
    #[error("{path}: it leads outside the workspace")]
    Outside { path: String },
    /// It is remembered of the person, and this is not their conversation alone.
    #[error("{path}: what is remembered of the owner stays out of this conversation")]
    Private { path: String },
    /// Links lead in a circle, or through one of the kernel's magic links.
    #[error("{path}: its links lead in a circle")]
    Loop { path: String },
    /// A file was asked for.
    #[error("{path}: it is {kind}, not a file")]
    NotAFile { path: String, kind: Kind },
    /// A folder was asked for.
    #[error("{path}: it is not a folder")]
    NotAFolder { path: String },
    /// We may not read it.
    #[error("{path}: reading it is not permitted")]
    Denied { path: String },
    /// The disk failed in another way.
    #[error("{path}: {source}")]
    Io { path: String, source: io::Error },
}

impl ReadError {
    pub(super) fn new(path: &str, errno: Errno) -> ReadError {
        let path = path.to_owned();
        match errno {
            Errno::NOENT | Errno::NOTDIR => ReadError::Missing { path },
            Errno::XDEV => ReadError::Outside { path },
            HIDDEN => ReadError::Private { path },
            Errno::LOOP => ReadError::Loop { path },
            Errno::ACCESS | Errno::PERM => ReadError::Denied { path },
            errno => ReadError::Io { path, source: errno.into() },
        }
    }

    pub(super) fn not_a_file(path: &str, kind: Kind) -> ReadError {
        ReadError::NotAFile { path: path.to_owned(), kind }
    }

    /// The path that was asked for.
    pub fn path(&self) -> &str {
        match self {
            ReadError::Missing { path }
            | ReadError::Outside { path }
            | ReadError::Private { path }
            | ReadError::Loop { path }
            | ReadError::NotAFile { path, .. }
            | ReadError::NotAFolder { path }
            | ReadError::Denied { path }
            | ReadError::Io { path, .. } => path,
        }
    }

    /// Nothing is there, which is often no problem at all.
    pub fn is_missing(&self) -> bool {
        matches!(self, ReadError::Missing { .. })
    }

    /// The same of the path as it was asked for.
    pub(super) fn at(mut self, asked: &str) -> ReadError {
        match &mut self {
            ReadError::Missing { path }
            | ReadError::Outside { path }
            | ReadError::Private { path }
            | ReadError::Loop { path }
            | ReadError::NotAFile { path, .. }
            | ReadError::NotAFolder { path }
            | ReadError::Denied { path }
            | ReadError::Io { path, .. } => asked.clone_into(path),
        }
        self
    }
}

impl From<&ReadError> for Problem {
    fn from(error: &ReadError) -> Problem {
        // Both say the path first, so it is taken off here.
        let said = error.to_string();
        let what = said.get(error.path().len() + 2..).unwrap_or(&said);
        Problem::error(error.path(), what)
    }
}

/// Why something could not be written. Each says the path first; what was there is there still.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each field is what its name says")]
pub enum WriteError {
    /// The name leads out of the folder and its roots.
    #[error("{path}: it leads outside the workspace")]
    Outside { path: String },
    /// The file or a folder on the way to it is a link.
    #[error("{path}: `{link}` is a link, and nothing is written through one")]
    Link { path: String, link: String },
    /// There is something else of this name.
    #[error("{path}: it is {kind}, not a file")]
    NotAFile { path: String, kind: Kind },
    /// A part of the way is not a folder.
    #[error("{path}: `{part}` is not a folder")]
    NotAFolder { path: String, part: String },
    /// Nothing has this name.
    #[error("{path}: it does not exist")]
    Missing { path: String },
    /// The root it is in may only be read.
    #[error("{path}: it is in a folder that may only be read")]
    ReadOnly { path: String },
    /// It is remembered of the person, and this is not their conversation alone.
    #[error("{path}: what is remembered of the owner is not written from this conversation")]
    Private { path: String },
    /// It is louver's own.
    #[error("{path}: it is louver's own and not written by tools")]
    Protected { path: String },
    /// It is long-term memory, which has a way of its own.
    #[error("{path}: it is long-term memory, which is written as versions")]
    Memory { path: String },
    /// The name cannot be one.
    #[error("{path:?}: it is not a name for a file: {why}")]
    Name { path: String, why: &'static str },
    /// Someone else wrote it since it was read.
    #[error("{path}: it was changed since it was read")]
    Changed { path: String },
    /// We may not write it.
    #[error("{path}: writing it is not permitted")]
    Denied { path: String },
    /// The disk failed in another way.
    #[error("{path}: {source}")]
    Io { path: String, source: io::Error },
}

impl WriteError {
    /// What to do instead.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            WriteError::Outside { .. } => "name a file in the workspace",
            WriteError::Link { .. } => "name the file that the link leads to",
            WriteError::NotAFolder { .. } => "choose another folder, or another name for it",
            WriteError::Protected { .. } => "only its owner changes it",
            WriteError::ReadOnly { .. } => "write in the workspace instead",
            WriteError::Changed { .. } => "read it again, then change what is there now",
            _ => return None,
        })
    }
}
