//! The texts of all versions, each in a file that is named by the hash of its bytes.
//!
//! A file gets its name only when it is on the disk, and is never changed after that. What was
//! damaged is noticed when it is read and mended when it is stored again.

use std::io;
use std::path::PathBuf;

use xxhash_rust::xxh3::xxh3_128;

use super::disk::{Disk, read};

/// The largest text that is kept.
const LIMIT: u64 = 2 * crate::disk::MAX_FILE;

/// The folder that holds them.
#[derive(Debug)]
pub(super) struct Objects {
    pub(super) folder: PathBuf,
}

/// The hash of a text's bytes, as it is written down.
pub(super) fn hash(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

impl Objects {
    /// Stores bytes under their hash, which it gives back.
    pub(super) fn put(&self, disk: &Disk, bytes: &[u8]) -> io::Result<String> {
        let hash = hash(bytes);
        match self.get(&hash)? {
            // It may come from a process that died before the name was on the disk.
            Some(found) if found == bytes => disk.sync(&self.folder)?,
            // The hash has 128 bits: someone tried hard, and does not get to replace the other.
            Some(_) => return Err(io::Error::other("another text has the same hash")),
            None => {
                disk.make_folder(&self.folder)?;
                let new = self.folder.join("new");
                disk.create(&new, bytes, None)?;
                disk.rename(&new, &self.folder.join(&hash))?;
                disk.sync(&self.folder)?;
            }
        }
        Ok(hash)
    }

    /// The bytes with this hash, when they are there and are what they were. A disk that cannot be
    /// read just now is an error: what it holds is not lost.
    pub(super) fn get(&self, hash: &str) -> io::Result<Option<Vec<u8>>> {
        // The hash may come from a file that somebody wrote by hand.
        if hash.len() != 32 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(None);
        }
        let bytes = match read(&self.folder.join(hash), LIMIT) {
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => None,
            bytes => bytes?,
        };
        Ok(bytes.filter(|bytes| self::hash(bytes) == hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_by_its_hash_and_damage_is_noticed_and_mended() {
        let dir = tempfile::TempDir::new().unwrap();
        let objects = Objects { folder: dir.path().join("a/objects") };
        let disk = Disk::default();
        let name = objects.put(&disk, b"tea").unwrap();
        assert_eq!(
            (objects.get(&name).unwrap(), objects.put(&disk, b"tea").unwrap()),
            (Some(b"tea".to_vec()), name.clone())
        );
        std::fs::write(objects.folder.join(&name), "tee").unwrap();
        assert_eq!(objects.get(&name).unwrap(), None);
        objects.put(&disk, b"tea").unwrap();
        assert_eq!(objects.get(&name).unwrap(), Some(b"tea".to_vec()));
        assert_eq!(objects.get("../../../etc/passwd").unwrap(), None);
        assert_eq!(std::fs::read_dir(&objects.folder).unwrap().count(), 1);
    }
}
