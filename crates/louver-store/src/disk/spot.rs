//! Where a path leads that a person or a model wrote: which folder, and what beneath it.
//!
//! An absolute path may name something in the workspace or in one of its roots. Its letters only
//! choose which of these folders to try; what is opened there is confined by the kernel as ever.

use std::path::{Path, PathBuf};

use super::{Folder, Inside, Kind, Opened, Read, ReadError, Stamp};

/// A place on the disk that may be tried. Nothing was opened yet, and nothing is known to be there.
#[derive(Debug, Clone)]
pub struct Spot<'a> {
    /// The workspace, which knows what is protected.
    pub(super) whole: &'a Folder,
    /// The folder it is beneath: the workspace or one of its roots.
    pub(super) home: &'a Folder,
    /// The way from there.
    pub(super) rel: String,
    /// As it was written.
    pub(super) path: String,
}

impl Folder {
    /// Where a path leads, beneath this folder or one of its roots.
    pub fn spot(&self, path: &str) -> Result<Spot<'_>, ReadError> {
        let outside = || ReadError::Outside { path: path.to_owned() };
        let (home, rel) = match Path::new(path).is_absolute() {
            false => (self, PathBuf::from(path)),
            true => self.home_of(Path::new(path)).ok_or_else(outside)?,
        };
        let rel = match rel.to_str() {
            Some("") => ".",
            Some(rel) => rel,
            None => return Err(outside()),
        };
        Ok(Spot { whole: self, home, rel: rel.to_owned(), path: path.to_owned() })
    }

    /// The innermost folder that an absolute path begins with, and the way from there.
    fn home_of(&self, path: &Path) -> Option<(&Folder, PathBuf)> {
        let beneath = |home: &Folder| {
            let rest = path.strip_prefix(&home.path);
            rest.or_else(|_| path.strip_prefix(&home.spelled)).ok().map(Path::to_owned)
        };
        self.homes()
            .filter_map(|home| Some((home, beneath(home)?)))
            .min_by_key(|(_, rest)| rest.components().count())
    }
}

impl Spot<'_> {
    /// As it was written.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The way to it in the workspace, when it is there and not in a root.
    pub fn in_workspace(&self) -> Option<&str> {
        std::ptr::eq(self.whole, self.home).then_some(self.rel.as_str())
    }

    /// [`Folder::read`] of it.
    pub fn read(&self, limit: u64) -> Result<Read, ReadError> {
        self.named(self.home.read(&self.rel, limit))
    }

    /// The beginning of a file as it is on the disk, and its full size when that is not all of it.
    pub fn read_bytes(&self, limit: u64) -> Result<(Vec<u8>, Stamp, Option<u64>), ReadError> {
        self.named(self.home.read_bytes(&self.rel, limit))
    }

    /// [`Folder::open_file`] of it.
    pub fn open_file(&self) -> Result<Opened, ReadError> {
        self.named(self.home.open_file(&self.rel))
    }

    /// [`Folder::enter`] of it.
    pub fn enter(&self) -> Result<Inside, ReadError> {
        self.named(self.home.enter(&self.rel))
            .map(|inside| Inside { path: self.path.clone(), ..inside })
    }

    /// The folder it is in, or would be.
    pub fn beside(&self) -> Option<Inside> {
        let folder =
            self.rel.trim_end_matches('/').rsplit_once('/').map_or(".", |(folder, _)| folder);
        self.home.enter(folder).ok()
    }

    /// What lies there once links are followed, as far as they lead inside.
    pub fn kind(&self) -> Result<Kind, ReadError> {
        match self.open_file() {
            Ok(_) => Ok(Kind::File),
            Err(ReadError::NotAFile { kind, .. }) => Ok(kind),
            Err(error) => Err(error),
        }
    }

    /// An error says the path as it was asked for.
    fn named<T>(&self, got: Result<T, ReadError>) -> Result<T, ReadError> {
        got.map_err(|error| error.at(&self.path))
    }
}
