//! Word vectors that a person brings, in place of those in the binary.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use louver_recall::table::{BadTable, Table};

use super::packed::DIMS;

/// No table that could be used has more bytes: each of 65,534 pieces with its name.
const MOST: u64 = 128 << 20;

/// Why a file of word vectors cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum VectorsError {
    /// It cannot be read.
    #[error("the vectors {path} cannot be read: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is something else, or it is damaged.
    #[error("the vectors {path} cannot be used: {why}")]
    Bad {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: BadTable,
    },
    /// Its vectors are longer than the index keeps.
    #[error("the vectors {path} have {dims} numbers each, and the index keeps {DIMS}")]
    Long {
        /// The file.
        path: PathBuf,
        /// The numbers of a vector.
        dims: usize,
    },
}

impl VectorsError {
    /// What helps.
    pub fn hint(&self) -> &'static str {
        match self {
            VectorsError::Io { .. } => "mend `vectors` of `[recall]` in your settings",
            VectorsError::Bad { .. } => "`xtask/scripts/embeddings_pack.py` makes such a file",
            VectorsError::Long { .. } => "pack them again with `--dims 256`",
        }
    }
}

/// Reads a table of word vectors and checks it.
pub fn read_vectors(path: &Path) -> Result<Table, VectorsError> {
    let table = match bytes(path) {
        Ok(bytes) => Table::read(bytes),
        Err(source) => return Err(VectorsError::Io { path: path.to_owned(), source }),
    };
    let table = table.map_err(|why| VectorsError::Bad { path: path.to_owned(), why })?;
    match table.embeddings().dims() {
        dims if dims > DIMS => Err(VectorsError::Long { path: path.to_owned(), dims }),
        _ => Ok(table),
    }
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    // Before it is opened: a named pipe would wait for whoever writes to it.
    let found = std::fs::metadata(path)?;
    if !found.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    if found.len() > MOST {
        return Err(io::Error::other(format!("it has more than {MOST} bytes")));
    }
    let mut bytes = Vec::with_capacity(found.len() as usize);
    File::open(path)?.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}
