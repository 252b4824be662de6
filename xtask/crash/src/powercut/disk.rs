//! A disk as the trace says it is, and the images that a power cut may leave of it.
//!
//! Bytes are on the disk when their file was synced after them. A name is there when its folder was
//! synced after it, and nothing else: POSIX promises no more, though common file systems do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use xxhash_rust::xxh3::xxh3_64;

use super::trace::Op;
use crate::dice::Dice;

/// What a name leads to: a file by its number, or a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    File(usize),
    Folder,
}

#[derive(Debug, Clone, Default)]
struct Content {
    now: Vec<u8>,
    synced: Vec<u8>,
}

/// The disk.
#[derive(Debug)]
pub(super) struct Disk {
    root: PathBuf,
    files: Vec<Content>,
    /// The names as processes see them, and those that a power cut leaves.
    now: BTreeMap<PathBuf, Node>,
    synced: BTreeMap<PathBuf, Node>,
}

/// What a power cut may leave: files and folders by their paths below the root.
pub(super) struct Image {
    pub(super) name: &'static str,
    files: BTreeMap<PathBuf, Vec<u8>>,
    folders: BTreeSet<PathBuf>,
}

impl Disk {
    /// The disk with what is in a folder, all of it synced.
    pub(super) fn of(root: &Path) -> Result<Disk> {
        let mut disk = Disk {
            root: root.to_owned(),
            files: Vec::new(),
            now: BTreeMap::new(),
            synced: BTreeMap::new(),
        };
        disk.gather(root).context("cannot read the workspace")?;
        disk.synced = disk.now.clone();
        Ok(disk)
    }

    fn gather(&mut self, folder: &Path) -> std::io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                self.now.insert(path.clone(), Node::Folder);
                self.gather(&path)?;
            } else {
                let bytes = std::fs::read(&path)?;
                let file = self.file(Content { now: bytes.clone(), synced: bytes });
                self.now.insert(path, file);
            }
        }
        Ok(())
    }

    fn file(&mut self, content: Content) -> Node {
        self.files.push(content);
        Node::File(self.files.len() - 1)
    }

    /// Does what a process did.
    pub(super) fn take(&mut self, op: &Op) {
        match op {
            Op::Open { path, truncates } => {
                if !self.now.contains_key(path) {
                    let file = self.file(Content::default());
                    self.now.insert(path.clone(), file);
                }
                if *truncates {
                    self.content(path, |content| content.now.clear());
                }
            }
            Op::Write { path, at: None, bytes } => {
                // Logs are appended to, and what is replaced is written from its beginning.
                self.content(path, |content| content.now.extend_from_slice(bytes));
            }
            Op::Write { path, at: Some(at), bytes } => self.content(path, |content| {
                let at = *at as usize;
                let end = at + bytes.len();
                content.now.resize(content.now.len().max(end), 0);
                content.now[at..end].copy_from_slice(bytes);
            }),
            Op::Cut { path, len } => {
                self.content(path, |content| content.now.resize(*len as usize, 0));
            }
            Op::Sync { path } if self.is_folder(path) => self.sync_names(path),
            Op::Sync { path } => self.content(path, |content| content.synced = content.now.clone()),
            Op::Rename { from, to } => {
                if let Some(node) = self.now.remove(from) {
                    self.now.insert(to.clone(), node);
                }
            }
            Op::Remove { path } => drop(self.now.remove(path)),
            Op::Folder { path } => drop(self.now.insert(path.clone(), Node::Folder)),
            Op::Said(_) => {}
        }
    }

    fn is_folder(&self, path: &Path) -> bool {
        path == self.root || self.now.get(path) == Some(&Node::Folder)
    }

    fn content(&mut self, path: &Path, change: impl FnOnce(&mut Content)) {
        if let Some(Node::File(file)) = self.now.get(path) {
            change(&mut self.files[*file]);
        }
    }

    fn sync_names(&mut self, folder: &Path) {
        let within = |path: &PathBuf| path.parent() == Some(folder);
        self.synced.retain(|path, _| !within(path));
        let names = self.now.iter().filter(|(path, _)| within(path));
        self.synced.extend(names.map(|(path, node)| (path.clone(), *node)));
    }

    /// The images that a cut may leave now.
    pub(super) fn images(&self, dice: &mut Dice) -> Vec<Image> {
        let synced = |content: &Content| content.synced.clone();
        vec![
            self.image("only what was synced", &self.synced, synced),
            self.image("all names, only synced bytes", &self.now, synced),
            self.image("unsynced bytes torn", &self.now, |content| torn(content, dice)),
        ]
    }

    fn image(
        &self,
        name: &'static str,
        names: &BTreeMap<PathBuf, Node>,
        mut bytes: impl FnMut(&Content) -> Vec<u8>,
    ) -> Image {
        let mut image = Image { name, files: BTreeMap::new(), folders: BTreeSet::new() };
        for (path, node) in names {
            let Ok(below) = path.strip_prefix(&self.root) else { continue };
            // A name in a folder that is not there is not there either. Folders come first.
            let parent = below.parent().unwrap_or(below);
            if !parent.as_os_str().is_empty() && !image.folders.contains(parent) {
                continue;
            }
            match node {
                Node::Folder => drop(image.folders.insert(below.to_owned())),
                Node::File(file) => {
                    drop(image.files.insert(below.to_owned(), bytes(&self.files[*file])));
                }
            }
        }
        image
    }
}

/// Cuts what was not synced at a random place. What follows is gone, or zeros.
fn torn(content: &Content, dice: &mut Dice) -> Vec<u8> {
    let Content { now, synced } = content;
    let same = now.iter().zip(synced).take_while(|(now, synced)| now == synced).count();
    let kept = same + dice.below(now.len() - same + 1);
    let mut bytes = now[..kept].to_vec();
    if dice.one_in(2) {
        bytes.resize(now.len(), 0);
    }
    bytes
}

impl Image {
    /// The same for the same image.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hashes = String::new();
        for (path, bytes) in &self.files {
            hashes.push_str(&format!("{} {:x}\n", path.display(), xxh3_64(bytes)));
        }
        xxh3_64(hashes.as_bytes())
    }

    /// Writes the image into a folder.
    pub(super) fn make(&self, folder: &Path) -> Result<()> {
        let make = || {
            std::fs::create_dir_all(folder)?;
            self.folders.iter().try_for_each(|path| std::fs::create_dir(folder.join(path)))?;
            self.files.iter().try_for_each(|(path, bytes)| std::fs::write(folder.join(path), bytes))
        };
        make().context("cannot make an image of a disk")
    }
}
