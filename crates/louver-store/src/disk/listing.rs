//! What is in a folder: names, and what each of them is.

use std::fmt;
use std::os::fd::OwnedFd;

use rustix::fs::{Dir, FileType};
use rustix::io::Errno;

/// The most entries that are listed of one folder, so that a runaway one costs milliseconds.
pub const MAX_ENTRIES: usize = 20_000;

/// What is in a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// The entries by name.
    pub entries: Vec<Entry>,
    /// Names that are not UTF-8, as well as they can be shown. They cannot be asked for.
    pub unnameable: Vec<String>,
    /// There was more than [`MAX_ENTRIES`].
    pub cut: bool,
}

/// One name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name, without the folder.
    pub name: String,
    /// What it is, as the folder itself says; links are not followed.
    pub kind: Kind,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device.
    Device,
    /// The file system does not say.
    Unknown,
}

impl Listing {
    /// What is in the folder that was opened.
    pub(super) fn of(fd: &OwnedFd) -> Result<Listing, Errno> {
        let mut dir = Dir::read_from(fd)?;
        let mut listing = Listing::default();
        while let Some(entry) = dir.read() {
            let entry = entry?;
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            if listing.entries.len() == MAX_ENTRIES {
                listing.cut = true;
                break;
            }
            match name.to_str() {
                Ok(name) => {
                    let kind = Kind::of(entry.file_type());
                    listing.entries.push(Entry { name: name.to_owned(), kind });
                }
                Err(_) => listing.unnameable.push(name.to_string_lossy().into_owned()),
            }
        }
        listing.entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        listing.unnameable.sort_unstable();
        Ok(listing)
    }
}

impl Kind {
    pub(super) fn of(kind: FileType) -> Kind {
        match kind {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            FileType::Fifo => Kind::Pipe,
            FileType::Socket => Kind::Socket,
            FileType::CharacterDevice | FileType::BlockDevice => Kind::Device,
            _ => Kind::Unknown,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::File => "a file",
            Kind::Folder => "a folder",
            Kind::Link => "a link",
            Kind::Pipe => "a named pipe",
            Kind::Socket => "a socket",
            Kind::Device => "a device",
            Kind::Unknown => "something unknown",
        })
    }
}
