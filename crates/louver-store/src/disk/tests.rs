//! What confined reading promises, tried.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

fn folder() -> (TempDir, Folder) {
    let dir = TempDir::new().unwrap();
    let folder = Folder::open(dir.path()).unwrap();
    (dir, folder)
}

fn text(folder: &Folder, rel: &str) -> String {
    folder.read(rel, MAX_FILE).unwrap().text
}

fn refused(folder: &Folder, rel: &str) -> String {
    folder.read(rel, MAX_FILE).unwrap_err().to_string()
}

#[test]
fn a_file_is_read_with_its_stamp() {
    let (dir, folder) = folder();
    fs::write(dir.path().join("a.md"), "a <b> & 中文").unwrap();
    let read = folder.read("a.md", MAX_FILE).unwrap();
    let stamp = folder.stamp("a.md").unwrap();
    let wanted = Read { text: "a <b> & 中文".into(), stamp, cut: None, lossy: false };
    assert_eq!(read, wanted);
    fs::write(dir.path().join("a.md"), "longer than it was before").unwrap();
    assert_ne!(folder.stamp("a.md").unwrap(), stamp);
}

#[test]
fn nothing_outside_can_be_named() {
    let (dir, _) = folder();
    fs::create_dir(dir.path().join("in")).unwrap();
    fs::write(dir.path().join("secret"), "s").unwrap();
    fs::write(dir.path().join("in/a"), "a").unwrap();
    let folder = Folder::open(dir.path().join("in")).unwrap();
    let absolute = dir.path().join("secret").display().to_string();
    for rel in ["../secret", "./../secret", "a/../../secret", &absolute, "/etc/passwd", "/"] {
        let error = folder.read(rel, MAX_FILE).unwrap_err();
        // Through a file there is no way at all, which is as good a refusal.
        assert!(matches!(error, ReadError::Outside { .. } | ReadError::Missing { .. }), "{error}");
    }
    assert_eq!(refused(&folder, "../secret"), "../secret: it leads outside the workspace");
    assert!(matches!(folder.list(".."), Err(ReadError::Outside { .. })));
    // Not even an allowed root is reached by letters alone.
    let folder = folder.with_root(Folder::open(dir.path()).unwrap());
    assert!(matches!(folder.read("../secret", 9), Err(ReadError::Outside { .. })));
    assert!(matches!(folder.read(&absolute, 9), Err(ReadError::Outside { .. })));
}

#[test]
fn links_are_followed_inside_and_refused_outside() {
    let (dir, folder) = folder();
    let (other, outside) = self::folder();
    fs::write(other.path().join("a"), "outside").unwrap();
    fs::create_dir(dir.path().join("sub")).unwrap();
    fs::write(dir.path().join("a"), "inside").unwrap();
    symlink("../a", dir.path().join("sub/up")).unwrap();
    symlink(dir.path().join("a"), dir.path().join("absolute")).unwrap();
    symlink(other.path().join("a"), dir.path().join("out")).unwrap();
    symlink(other.path(), dir.path().join("out-dir")).unwrap();
    symlink("/proc/self/root/etc/passwd", dir.path().join("magic")).unwrap();
    assert_eq!(text(&folder, "sub/up"), "inside");
    assert_eq!(text(&folder, "absolute"), "inside");
    for rel in ["out", "out-dir/a", "magic"] {
        assert_eq!(refused(&folder, rel), format!("{rel}: it leads outside the workspace"));
    }
    assert!(matches!(folder.list("out-dir"), Err(ReadError::Outside { .. })));
    let folder = folder.with_root(outside);
    assert_eq!(text(&folder, "out"), "outside");
    assert_eq!(text(&folder, "out-dir/a"), "outside");
    assert_eq!(folder.list("out-dir").unwrap().entries.len(), 1);
    assert!(matches!(folder.read("magic", 9), Err(ReadError::Outside { .. })));
}

#[test]
fn a_root_whose_name_only_begins_the_same_is_another_folder() {
    let (dir, _) = folder();
    for name in ["in", "root", "root-2"] {
        fs::create_dir(dir.path().join(name)).unwrap();
    }
    fs::write(dir.path().join("root-2/a"), "a").unwrap();
    symlink("../root-2/a", dir.path().join("in/a")).unwrap();
    let root = Folder::open(dir.path().join("root")).unwrap();
    let folder = Folder::open(dir.path().join("in")).unwrap().with_root(root);
    assert!(matches!(folder.read("a", 9), Err(ReadError::Outside { .. })));
}

#[test]
fn links_to_nowhere_and_in_circles_say_so() {
    let (dir, folder) = folder();
    symlink("gone", dir.path().join("dangling")).unwrap();
    symlink("/gone/for/good", dir.path().join("far")).unwrap();
    symlink("b", dir.path().join("a")).unwrap();
    symlink("a", dir.path().join("b")).unwrap();
    assert_eq!(refused(&folder, "dangling"), "dangling: it does not exist");
    assert_eq!(refused(&folder, "far"), "far: it does not exist");
    assert_eq!(refused(&folder, "a"), "a: its links lead in a circle");
    assert!(matches!(folder.stamp("a"), Err(ReadError::Loop { .. })));
    assert_eq!(folder.kind("a").unwrap(), Kind::Link);
}

#[test]
fn what_is_not_a_file_is_named() {
    let (dir, folder) = folder();
    fs::create_dir(dir.path().join("sub")).unwrap();
    let here = fs::File::open(dir.path()).unwrap();
    rustix::fs::mknodat(&here, "pipe", FileType::Fifo, Mode::RWXU, 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
    assert_eq!(refused(&folder, "sub"), "sub: it is a folder, not a file");
    assert_eq!(refused(&folder, "pipe"), "pipe: it is a named pipe, not a file");
    assert_eq!(refused(&folder, "socket"), "socket: it is a socket, not a file");
    assert_eq!(refused(&folder, "gone"), "gone: it does not exist");
    assert!(matches!(folder.list("pipe"), Err(ReadError::NotAFolder { .. })));
    assert!(matches!(folder.read("a\0b", 9), Err(ReadError::Io { .. })));
    let opened = Folder::open(dir.path().join("pipe"));
    assert!(matches!(opened, Err(ReadError::NotAFolder { .. })));
    assert!(Folder::open(dir.path().join("gone")).unwrap_err().is_missing());
}

#[test]
fn a_file_we_may_not_read_is_denied() {
    if rustix::process::geteuid().is_root() {
        crate::skipped::skipped("root may read anything");
        return;
    }
    let (dir, folder) = folder();
    fs::write(dir.path().join("a"), "a").unwrap();
    fs::set_permissions(dir.path().join("a"), fs::Permissions::from_mode(0o000)).unwrap();
    assert_eq!(refused(&folder, "a"), "a: reading it is not permitted");
}

#[test]
fn a_huge_file_is_read_to_the_limit_only() {
    let (dir, folder) = folder();
    let size = 100 * 1024 * 1024;
    fs::File::create(dir.path().join("sparse")).unwrap().set_len(size).unwrap();
    let read = folder.read("sparse", MAX_FILE).unwrap();
    assert_eq!((read.text.len() as u64, read.cut, read.lossy), (MAX_FILE, Some(size), false));
    fs::write(dir.path().join("line"), "x".repeat(10_000_000)).unwrap();
    let read = folder.read("line", MAX_FILE).unwrap();
    assert_eq!((read.text.len() as u64, read.cut), (MAX_FILE, Some(10_000_000)));
    fs::write(dir.path().join("exact"), "12345").unwrap();
    assert_eq!(folder.read("exact", 5).unwrap().cut, None);
    assert_eq!(folder.read("exact", 4).unwrap().cut, Some(5));
}

#[test]
fn bytes_become_text() {
    let lf = |bytes: &[u8]| to_text(bytes.to_vec(), false);
    assert_eq!(lf(b"\xEF\xBB\xBFa\r\nb\rc\n"), ("a\nb\nc\n".into(), false));
    assert_eq!(lf(b"\xC3\xA4\xFFb\xC3"), ("\u{E4}\u{FFFD}b\u{FFFD}".into(), true));
    assert_eq!(lf(b"a\0b"), ("a\0b".into(), false));
    assert_eq!(lf(b"\xFF\xFEa\0\r\0\n\0-N"), ("a\n\u{4E2D}".into(), false));
    assert_eq!(lf(b"\xFE\xFF\0aN-"), ("a\u{4E2D}".into(), false));
    assert_eq!(lf(b"\xFF\xFE\0\xD8a\0"), ("\u{FFFD}a".into(), true));
    assert_eq!(lf(b"\xFF\xFEa\0b"), ("a".into(), true));
}

#[test]
fn a_listing_is_sorted_and_reports_what_it_cannot_name() {
    let (dir, folder) = folder();
    fs::create_dir(dir.path().join("b")).unwrap();
    fs::write(dir.path().join("a"), "").unwrap();
    symlink("a", dir.path().join("c")).unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"x\xFF");
    fs::write(dir.path().join(odd), "").unwrap();
    let entry = |name: &str, kind| Entry { name: name.into(), kind };
    let wanted = Listing {
        entries: vec![entry("a", Kind::File), entry("b", Kind::Folder), entry("c", Kind::Link)],
        unnameable: vec!["x\u{FFFD}".into()],
        cut: false,
    };
    assert_eq!(folder.list(".").unwrap(), wanted);
    assert!(folder.list("gone").unwrap_err().is_missing());
}

#[test]
fn without_openat2_the_walk_refuses_every_link_and_every_way_up() {
    let (dir, folder) = folder();
    fs::create_dir(dir.path().join("sub")).unwrap();
    fs::write(dir.path().join("sub/a"), "a").unwrap();
    symlink("sub", dir.path().join("link")).unwrap();
    symlink("a", dir.path().join("sub/b")).unwrap();
    let walk = |rel: &str| walk(folder.fd.as_fd(), Path::new(rel), OFlags::RDONLY, None);
    assert!(walk("sub/a").is_ok() && walk("./sub/./a").is_ok() && walk(".").is_ok());
    for rel in ["link/a", "sub/b", "..", "sub/../sub/a", "/etc/passwd"] {
        assert_eq!(walk(rel).unwrap_err(), Errno::XDEV, "{rel}");
    }
    assert_eq!(walk("sub/gone").unwrap_err(), Errno::NOENT);
    // The link is then opened by where it leads, again without following any.
    let opened = folder.open_elsewhere("link/b", OFlags::RDONLY).unwrap();
    assert_eq!(read_bounded(opened.into(), 1, 9).unwrap().0, b"a");
}

proptest! {
    #[test]
    fn a_cut_keeps_whole_characters(text in "\\PC{0,20}", limit in 0_usize..40) {
        let limit = limit.min(text.len());
        let (kept, lossy) = to_text(text.as_bytes()[..limit].to_vec(), true);
        prop_assert!(!lossy && text.starts_with(&kept) && limit - kept.len() < 4);
    }

    #[test]
    fn any_bytes_are_some_text(bytes in proptest::collection::vec(any::<u8>(), 0..40), cut: bool) {
        let (text, _) = to_text(bytes, cut);
        prop_assert!(!text.contains('\r'));
    }
}
