//! Everything that memory changes on the disk, one step at a time.
//!
//! Each step is a place where a process may die or a disk may fail. All of them go through here, so
//! that tests can let that happen at every single one.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use crate::append::{AppendError, Appender, Durability, open_plain, sync_folder};

/// The way to the disk.
#[derive(Debug, Default)]
pub(super) struct Disk {
    #[cfg(test)]
    pub(super) fault: std::sync::Mutex<Option<super::test_fault::Fault>>,
}

/// Whether two names could be exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exchanged {
    Yes,
    /// The other name was not as it had to be, or this disk cannot do it.
    No,
    Unsupported,
}

impl Disk {
    /// Makes a folder that is private, and the folders above it.
    pub(super) fn make_folder(&self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            return Ok(());
        }
        let above = path.parent().ok_or(io::ErrorKind::NotFound)?;
        self.make_folder(above)?;
        self.step()?;
        match DirBuilder::new().mode(0o700).create(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => self.sync(above),
        }
    }

    /// Appends bytes with one write and waits for the disk.
    pub(super) fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step()?;
        #[cfg(test)]
        self.tear(|| append_raw(path, &bytes[..bytes.len() / 2]))?;
        let is_new = !path.exists();
        let mut appender = Appender::open(path)?;
        let written = appender.append(bytes, Durability::Disk);
        written.map_err(|(AppendError::Write(error) | AppendError::Sync(error))| error)?;
        self.step()?;
        match path.parent() {
            Some(folder) if is_new => self.sync(folder),
            _ => Ok(()),
        }
    }

    /// Writes a whole file under a name that nobody else uses, and waits for the disk.
    pub(super) fn create(&self, path: &Path, bytes: &[u8], like: Option<&Path>) -> io::Result<()> {
        self.step()?;
        let options = &mut OpenOptions::new();
        let mut file = open_plain(options.write(true).create(true).truncate(true), path)?;
        #[cfg(test)]
        self.tear(|| fs::write(path, &bytes[..bytes.len() / 2]))?;
        file.write_all(bytes)?;
        if let Some(permissions) = like.and_then(|like| fs::metadata(like).ok()) {
            file.set_permissions(permissions.permissions())?;
        }
        self.step()?;
        file.sync_all()
    }

    /// Gives a file another name, whatever had that name before.
    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        fs::rename(from, to)
    }

    /// Exchanges two files in one step, so that neither is ever gone.
    pub(super) fn exchange(&self, one: &Path, other: &Path) -> io::Result<Exchanged> {
        self.step()?;
        rename_with(one, other, Flag::Exchange)
    }

    /// Gives a file a name that is free.
    pub(super) fn rename_new(&self, from: &Path, to: &Path) -> io::Result<Exchanged> {
        self.step()?;
        rename_with(from, to, Flag::NoReplace)
    }

    /// Removes a file that may be there.
    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Cuts a file off.
    pub(super) fn cut(&self, path: &Path, len: u64) -> io::Result<()> {
        self.step()?;
        let file = open_plain(OpenOptions::new().write(true), path)?;
        file.set_len(len)?;
        file.sync_all()
    }

    /// Makes the names in a folder survive power loss.
    pub(super) fn sync(&self, folder: &Path) -> io::Result<()> {
        self.step()?;
        sync_folder(folder)
    }

    /// A place where a process may die or a disk may fail.
    #[cfg(not(test))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "it has more to do in tests")]
    fn step(&self) -> io::Result<()> {
        Ok(())
    }
}

/// A whole file, or nothing when there is none. One larger than `limit` is an error.
pub(super) fn read(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let file = match open_plain(OpenOptions::new().read(true), path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    read_all(file, limit).map(Some)
}

fn read_all(file: File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(io::ErrorKind::FileTooLarge.into()),
        false => Ok(bytes),
    }
}

#[derive(Debug, Clone, Copy)]
enum Flag {
    Exchange,
    NoReplace,
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn rename_with(from: &Path, to: &Path, flag: Flag) -> io::Result<Exchanged> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    let flags = match flag {
        Flag::Exchange => RenameFlags::EXCHANGE,
        Flag::NoReplace => RenameFlags::NOREPLACE,
    };
    match (renameat_with(CWD, from, CWD, to, flags), flag) {
        (Ok(()), _) => Ok(Exchanged::Yes),
        // One of the two is not there, or is there already.
        (Err(Errno::NOENT), Flag::Exchange) | (Err(Errno::EXIST), Flag::NoReplace) => {
            Ok(Exchanged::No)
        }
        (Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP), _) => Ok(Exchanged::Unsupported),
        (Err(errno), _) => Err(errno.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn rename_with(_: &Path, _: &Path, _: Flag) -> io::Result<Exchanged> {
    Ok(Exchanged::Unsupported)
}

#[cfg(test)]
fn append_raw(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().append(true).create(true).open(path)?.write_all(bytes)
}
