//! Pictures and long tool results, beside the log and not in it.
//!
//! Each is a file of its own, named by the hash of its bytes: what was stored once is not stored
//! again, and what was damaged is noticed. A file gets its name only when it is on the disk, and
//! is never changed after that.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use xxhash_rust::xxh3::xxh3_64;

use super::error::SessionError;
use crate::append::{open_plain, replace, sync_folder};

/// The name of the folder, beside the log.
pub(super) const BLOBS: &str = "blobs";

/// A tool result of more bytes than this is kept beside the log.
pub const LONG_RESULT: usize = 16 * 1024;

/// How many characters of a long result the model sees.
const PREVIEW: usize = 1_200;

/// The folder that holds them.
#[derive(Debug)]
pub(super) struct Blobs {
    folder: PathBuf,
    /// A name was added since the folder was last synced.
    added: AtomicBool,
    /// The folder itself was made since its own name was last synced.
    made: AtomicBool,
}

impl Blobs {
    pub(super) fn new(folder: PathBuf) -> Blobs {
        Blobs { folder, added: AtomicBool::new(false), made: AtomicBool::new(false) }
    }

    pub(super) fn folder(&self) -> &std::path::Path {
        &self.folder
    }

    /// Stores bytes and gives back their handle.
    pub(super) fn put(&self, bytes: &[u8]) -> Result<String, SessionError> {
        let hash = handle_of(bytes);
        let names = std::iter::once(hash.clone()).chain((1_u32..).map(|n| format!("{hash}-{n}")));
        for handle in names {
            match self.read(&handle) {
                Ok(found) if found == bytes => {
                    // It may come from a process that died before it could sync the folder.
                    self.added.store(true, Ordering::Relaxed);
                    return Ok(handle);
                }
                // Other bytes with the same hash: someone made them so, and gets another name.
                Ok(_) => {}
                // A damaged one is mended by this.
                Err(_) => return self.write(&handle, bytes).map(|()| handle),
            }
        }
        Err(SessionError::NoBlob { handle: hash })
    }

    /// What was stored under a handle. The handle may come from a model.
    pub(super) fn read(&self, handle: &str) -> Result<Vec<u8>, SessionError> {
        let no_blob = || SessionError::NoBlob { handle: handle.to_owned() };
        let hash = hash_in(handle).ok_or_else(no_blob)?;
        let path = self.folder.join(handle);
        let mut bytes = Vec::new();
        let read = open_plain(OpenOptions::new().read(true), &path)
            .and_then(|mut file| file.read_to_end(&mut bytes));
        match read {
            Ok(_) if xxh3_64(&bytes) == hash => Ok(bytes),
            Ok(_) => Err(SessionError::BadBlob { handle: handle.to_owned() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(no_blob()),
            Err(error) => Err(SessionError::disk(&path, "it could not be read")(error)),
        }
    }

    /// Makes the names of what was stored survive power loss; the bytes already do.
    pub(super) fn sync(&self) -> io::Result<()> {
        if self.added.load(Ordering::Relaxed) {
            sync_folder(&self.folder)?;
            self.added.store(false, Ordering::Relaxed);
        }
        if self.made.load(Ordering::Relaxed) {
            sync_folder(self.folder.parent().unwrap_or(&self.folder))?;
            self.made.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    fn write(&self, handle: &str, bytes: &[u8]) -> Result<(), SessionError> {
        let path = self.folder.join(handle);
        let mut write = replace(&path, bytes);
        if write.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            write = DirBuilder::new().mode(0o700).recursive(true).create(&self.folder);
            self.made.store(true, Ordering::Relaxed);
            write = write.and_then(|()| replace(&path, bytes));
        }
        self.added.store(true, Ordering::Relaxed);
        write.map_err(SessionError::disk(&path, "it could not be written"))
    }
}

/// The handle that bytes get, unless others have the same hash.
pub(super) fn handle_of(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}

/// The hash in a handle: sixteen digits, and a number when two had the same.
fn hash_in(handle: &str) -> Option<u64> {
    let (hash, number) = handle.split_once('-').unwrap_or((handle, "1"));
    let digits = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let counted = (1..=9).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    (hash.len() == 16 && digits(hash) && counted)
        .then(|| u64::from_str_radix(hash, 16).ok())
        .flatten()
}

/// The first lines of a long text, and what is to be said of the rest.
pub(super) fn preview<'a>(text: &'a str, handle: &str) -> (&'a str, String) {
    let mut end = text.char_indices().nth(PREVIEW).map_or(text.len(), |(at, _)| at);
    if let Some(line) = text[..end].rfind('\n') {
        end = line + 1;
    }
    let (rest, total) = (text.len() - end, text.len());
    let mark = format!("[… {rest} of {total} bytes left out; the whole result is `{handle}`]");
    (&text[..end], mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blobs() -> (tempfile::TempDir, Blobs) {
        let dir = tempfile::TempDir::new().unwrap();
        let blobs = Blobs::new(dir.path().join("blobs"));
        (dir, blobs)
    }

    #[test]
    fn the_same_bytes_are_stored_once_and_come_back() {
        let (dir, blobs) = blobs();
        let handle = blobs.put(b"abc").unwrap();
        assert_eq!(blobs.put(b"abc").unwrap(), handle);
        assert_ne!(blobs.put(b"abd").unwrap(), handle);
        assert_eq!(blobs.read(&handle).unwrap(), b"abc");
        assert_eq!(std::fs::read_dir(dir.path().join("blobs")).unwrap().count(), 2);
        blobs.sync().unwrap();
    }

    #[test]
    fn a_damaged_one_is_noticed_and_mended_when_it_is_stored_again() {
        let (dir, blobs) = blobs();
        let handle = blobs.put(b"abc").unwrap();
        std::fs::write(dir.path().join("blobs").join(&handle), "abx").unwrap();
        assert!(matches!(blobs.read(&handle), Err(SessionError::BadBlob { .. })));
        assert_eq!(blobs.put(b"abc").unwrap(), handle);
        assert_eq!(blobs.read(&handle).unwrap(), b"abc");
    }

    #[test]
    fn a_handle_leads_nowhere_else() {
        let (dir, blobs) = blobs();
        blobs.put(b"abc").unwrap();
        std::fs::write(dir.path().join("log.jsonl"), "secret").unwrap();
        let zeros = "0".repeat(16);
        let dashed = format!("{zeros}-");
        let up = format!("{zeros}-/../../log.jsonl");
        for handle in ["", "../log.jsonl", "abc", &zeros, &dashed, &up, "/etc/passwd"] {
            assert!(matches!(blobs.read(handle), Err(SessionError::NoBlob { .. })), "{handle}");
        }
    }

    #[test]
    fn a_preview_ends_with_a_line() {
        let text = "a line of a long result\n".repeat(1_000);
        let head = "a line of a long result\n".repeat(50);
        let mark = "[… 22800 of 24000 bytes left out; the whole result is `h`]";
        assert_eq!(preview(&text, "h"), (&*head, mark.to_owned()));
        let wide = "中".repeat(20_000);
        assert_eq!(preview(&wide, "h").0, "中".repeat(1_200));
    }
}
