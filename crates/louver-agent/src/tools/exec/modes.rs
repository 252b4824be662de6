//! What a command may not write, it may not shut either: its mode is put back afterwards.
//!
//! Landlock holds writing and does not know of `chmod`. A command could take AGENTS.md or memory out of the agent's sight
//! without a word being written. So modes are noted before it runs and put back when all of it is gone. Only those of files that
//! are the same as before: another one of that name is the person's.

use std::fs::{self, Metadata, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// How deep is looked into folders, and at how many entries in all: each command pays for the look.
const DEEP: usize = 3;
const MOST: usize = 1_000;

/// The modes of files and folders as they were.
#[derive(Debug, Default)]
pub(super) struct Modes {
    root: PathBuf,
    /// A folder comes before what is in it: it must be open again first.
    noted: Vec<Noted>,
}

#[derive(Debug)]
struct Noted {
    path: PathBuf,
    inode: u64,
    mode: u32,
}

impl Modes {
    /// Notes the modes of a folder, of these paths in it in whatever case, and of what is beneath them. What is a link, or
    /// not there, is passed over.
    pub(super) fn note<'a>(root: &Path, paths: impl Iterator<Item = &'a str>) -> Modes {
        let mut modes = Modes { root: root.to_owned(), noted: Vec::new() };
        modes.add(root.to_owned(), 0);
        modes.inside(root, &paths.collect::<Vec<&str>>());
        modes
    }

    fn inside(&mut self, folder: &Path, paths: &[&str]) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            if paths.iter().any(|path| path.to_lowercase() == name) {
                self.add(entry.path(), DEEP);
                continue;
            }
            let ways = paths.iter().filter_map(|path| path.split_once('/'));
            let ways = ways.filter(|(part, _)| part.to_lowercase() == name);
            let deeper: Vec<&str> = ways.map(|(_, rest)| rest).collect();
            if !deeper.is_empty() && itself(&entry.path()).is_some_and(|about| about.is_dir()) {
                // A folder on the way shuts it as well.
                self.add(entry.path(), 0);
                self.inside(&entry.path(), &deeper);
            }
        }
    }

    fn add(&mut self, path: PathBuf, deep: usize) {
        let Some(about) = itself(&path) else { return };
        if self.noted.len() >= MOST {
            return;
        }
        let (inode, mode) = (about.ino(), about.mode());
        self.noted.push(Noted { path: path.clone(), inode, mode });
        if about.is_dir() && deep > 0 {
            let inside = fs::read_dir(&path).into_iter().flatten().flatten();
            inside.for_each(|entry| self.add(entry.path(), deep - 1));
        }
    }

    /// Puts back what was changed, and says what that was.
    pub(super) fn put_back(&self) -> Vec<String> {
        let changed = |noted: &&Noted| {
            let about = itself(&noted.path);
            about.is_some_and(|now| now.ino() == noted.inode && now.mode() != noted.mode)
        };
        let mend = |noted: &Noted| {
            let mended = fs::set_permissions(&noted.path, Permissions::from_mode(noted.mode));
            let name = noted.path.strip_prefix(&self.root).unwrap_or(&noted.path);
            let name = if name == Path::new("") { Path::new(".") } else { name };
            mended.ok().map(|()| name.display().to_string())
        };
        self.noted.iter().filter(changed).filter_map(mend).collect()
    }
}

/// What is at a path, unless it is a link.
fn itself(path: &Path) -> Option<Metadata> {
    fs::symlink_metadata(path).ok().filter(|about| !about.is_symlink())
}
