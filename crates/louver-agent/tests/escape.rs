//! Ways out of the workspace, tried on every tool that touches files or runs programs.
//!
//! Beside the workspace lie folders with a canary in every file and every name. Whatever a tool is
//! asked, no canary may be in its answer, and nothing there may change.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that cannot go on may say so")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use louver_agent::permit::Guarded;
use louver_agent::tools::edit_file::EditFile;
use louver_agent::tools::exec::{Confine, Exec, ExecConfig};
use louver_agent::tools::list_dir::ListDir;
use louver_agent::tools::read_file::ReadFile;
use louver_agent::tools::sandbox::{self, Available};
use louver_agent::tools::search_files::SearchFiles;
use louver_agent::tools::write_file::WriteFile;
use louver_agent::tools::{Desk, Output, Tool};
use louver_store::Folder;
use rustix::fs::{CWD, FileType, Mode, RenameFlags};
use serde_json::{Value, json};
use tempfile::TempDir;

#[path = "../../louver-store/tests/skipped/mod.rs"]
mod skipped;
use skipped::skipped;

const CANARY: &str = "CANARY";

/// Makes a tool's arguments out of a path.
type About = fn(&str) -> Value;

/// Every tool that takes a path, with how it is asked about one.
fn file_tools() -> Vec<(Box<dyn Tool>, About)> {
    vec![
        (Box::new(ReadFile), |path| json!({"path": path})),
        (Box::new(WriteFile), |path| json!({"path": path, "text": "written by the agent"})),
        (
            Box::new(EditFile),
            |path| json!({"path": path, "old": "A", "new": "edited", "all": true}),
        ),
        (Box::new(ListDir), |path| json!({"path": path, "depth": 5})),
        (Box::new(SearchFiles), |path| json!({"path": path, "pattern": "(?s)."})),
        (Box::new(SearchFiles), |path| json!({"path": path, "pattern": ".", "names": true})),
    ]
}

/// A workspace and what lies around it.
struct World {
    dir: TempDir,
    desk: Desk,
    runtime: tokio::runtime::Runtime,
}

impl World {
    fn new() -> World {
        let dir = TempDir::new().unwrap();
        for folder in ["ws/sub/deep", "ws/memory", "ws/.louver/sessions", "ws_evil", "out/inner"] {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        for file in ["ws_evil/CANARY-a", "out/CANARY-a", "out/inner/CANARY-b", "out/secret"] {
            fs::write(dir.path().join(file), "the CANARY sings\n").unwrap();
        }
        for file in ["ws/file", "ws/sub/file", "ws/louver.toml", "ws/.louver/sessions/log"] {
            fs::write(dir.path().join(file), "plain\n").unwrap();
        }
        let folder = Folder::open(dir.path().join("ws")).unwrap();
        let desk = Desk {
            folder: Arc::new(folder),
            session: "test:1".into(),
            channel: "test".into(),
            chat: "1".into(),
            others: false,
            kept: Arc::new(|_| None),
            in_view: Arc::default(),
            started: Arc::default(),
            out: tokio::sync::mpsc::unbounded_channel().0,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        World { dir, desk, runtime }
    }

    fn path(&self, rel: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(rel)
    }

    fn text(&self, rel: &str) -> String {
        self.path(rel).display().to_string()
    }

    /// Runs a tool. One that hangs fails the test.
    fn run(&self, tool: &dyn Tool, arguments: Value) -> Output {
        let limit = Duration::from_secs(60);
        let running =
            async { tokio::time::timeout(limit, tool.run(arguments.clone(), &self.desk)).await };
        self.runtime.block_on(running).unwrap_or_else(|_| panic!("it hangs: {arguments}"))
    }

    fn sh(&self, config: &ExecConfig, command: &str) -> Output {
        self.run(&Exec::new(config.clone()), json!({"command": command, "timeout": 20}))
    }

    /// Everything outside the workspace, and what in it is louver's own.
    fn outside(&self) -> BTreeMap<PathBuf, (Vec<u8>, u64, u32)> {
        let mut seen = BTreeMap::new();
        for folder in ["out", "ws_evil", "ws/.louver"] {
            tree(&self.path(folder), &mut seen);
        }
        let settings = self.path("ws/louver.toml");
        seen.insert(settings.clone(), facts(&settings));
        let top = fs::read_dir(self.path(".")).unwrap().map(|entry| entry.unwrap().file_name());
        let mut top: Vec<_> = top.collect();
        top.sort();
        seen.insert("top".into(), (format!("{top:?}").into_bytes(), 0, 0));
        seen
    }
}

fn facts(path: &Path) -> (Vec<u8>, u64, u32) {
    let meta = path.symlink_metadata().unwrap();
    let bytes = if meta.is_file() { fs::read(path).unwrap() } else { Vec::new() };
    (bytes, meta.ino(), meta.mode())
}

fn tree(folder: &Path, seen: &mut BTreeMap<PathBuf, (Vec<u8>, u64, u32)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        seen.insert(path.clone(), facts(&path));
        if path.symlink_metadata().unwrap().is_dir() {
            tree(&path, seen);
        }
    }
}

fn has_canary(output: &Output, asked: &str) -> bool {
    // What was asked may be said again.
    let words = output.words.replace(asked, "");
    words.contains(CANARY) || output.data.as_ref().is_some_and(|data| data.contains(CANARY))
}

/// Tries paths on all tools: each is refused, tells nothing and changes nothing.
fn all_refuse(world: &World, paths: &[String]) {
    let before = world.outside();
    for path in paths {
        for (tool, about) in file_tools() {
            let output = world.run(&*tool, about(path));
            let name = tool.schema().name;
            assert!(!has_canary(&output, path), "{name} {path:?}: {output:?}");
            assert!(output.failed, "{name} {path:?}: {output:?}");
        }
        assert_eq!(world.outside(), before, "{path:?}");
    }
}

#[test]
fn no_spelling_of_a_way_up_leads_out() {
    let world = World::new();
    let ways = [
        "..",
        "../",
        "../out",
        "../out/secret",
        "./../out/secret",
        "sub/../../out/secret",
        "sub/deep/../../../out/secret",
        "..//out//secret",
        ".././out/./secret",
        "../ws_evil/CANARY-a",
        "../ws/../out/secret",
        "sub/../../ws_evil",
        "../out/new",
        "../out/new/deeper",
        "../new",
    ];
    all_refuse(&world, &ways.map(String::from));
}

#[test]
fn no_absolute_path_leads_out() {
    let world = World::new();
    let at = |rel: &str| world.text(rel);
    let mut paths: Vec<String> =
        ["out", "out/secret", "out/new", "ws_evil", "ws_evil/CANARY-a", "ws/../out/secret", "."]
            .map(at)
            .into();
    // Another folder whose name begins the same, and the same name in other letters.
    paths.push(format!("{}_evil/CANARY-a", at("ws")));
    paths.push(format!("{}/file", at("WS")));
    paths.push(format!("//{}", at("out/secret")));
    paths.extend(["/", "/etc/passwd", "/etc", "/root"].map(String::from));
    all_refuse(&world, &paths);
    let inside = world.run(&ReadFile, json!({"path": world.text("ws/file")}));
    assert_eq!(inside.data.unwrap(), "plain\n");
}

#[test]
fn no_magic_link_leads_out() {
    let world = World::new();
    let out = fs::File::open(world.path("out/secret")).unwrap();
    let folder = fs::File::open(world.path("out")).unwrap();
    let ws = fs::File::open(world.path("ws")).unwrap();
    let mut paths = vec![
        format!("/proc/self/root{}", world.text("out/secret")),
        format!("/proc/self/root{}", world.text("ws/file")),
        format!("/proc/{}/root{}", std::process::id(), world.text("out/secret")),
        format!("/proc/self/fd/{}", out.as_raw_fd()),
        format!("/proc/self/fd/{}/secret", folder.as_raw_fd()),
        format!("/proc/self/fd/{}/../out/secret", ws.as_raw_fd()),
        format!("/dev/fd/{}", out.as_raw_fd()),
        "/proc/self/environ".into(),
        "/proc/self/cwd".into(),
        "/dev/stdin".into(),
        "/dev/zero".into(),
    ];
    for (n, target) in paths.clone().iter().enumerate() {
        symlink(target, world.path(&format!("ws/sub/magic-{n}"))).unwrap();
        paths.push(format!("sub/magic-{n}"));
    }
    // A link that leads back into the workspace after all may be read; it is not written through.
    paths.retain(|path| path != "sub/magic-1");
    all_refuse(&world, &paths);
    let back = world.run(&WriteFile, json!({"path": "sub/magic-1", "text": "x"}));
    assert!(back.failed && fs::read_to_string(world.path("ws/file")).unwrap() == "plain\n");
}

#[test]
fn no_link_leads_out() {
    let world = World::new();
    let ws = world.path("ws");
    symlink(world.path("out/secret"), ws.join("absolute")).unwrap();
    symlink("../out/secret", ws.join("relative")).unwrap();
    symlink(world.path("out"), ws.join("folder")).unwrap();
    symlink("../out", ws.join("rel-folder")).unwrap();
    symlink("../rel-folder", ws.join("sub/chain-1")).unwrap();
    symlink("sub/chain-1", ws.join("chain")).unwrap();
    symlink("chain/secret", ws.join("chain-file")).unwrap();
    symlink("..", ws.join("up")).unwrap();
    symlink("../out/CANARY-new", ws.join("dangling")).unwrap();
    symlink(world.path("out/CANARY-new"), ws.join("dangling-far")).unwrap();
    symlink("../out/new-folder", ws.join("dangling-folder")).unwrap();
    symlink("loop-b", ws.join("loop-a")).unwrap();
    symlink("loop-a", ws.join("loop-b")).unwrap();
    let paths = [
        "absolute",
        "relative",
        "folder",
        "folder/",
        "folder/.",
        "folder/secret",
        "folder/inner",
        "folder/inner/CANARY-b",
        "folder/new",
        "folder/new/deeper",
        "rel-folder/secret",
        "sub/chain-1/secret",
        "chain",
        "chain/secret",
        "chain-file",
        "up",
        "up/out/secret",
        "up/ws_evil",
        "sub/../up/out",
        "dangling",
        "dangling-far",
        "dangling-folder",
        "dangling-folder/new",
        "loop-a",
        "loop-a/x",
        "folder/../secret",
        "./folder/./secret",
    ];
    all_refuse(&world, &paths.map(String::from));
    // From above, links are names and nothing more.
    for (tool, about) in file_tools() {
        assert!(!has_canary(&world.run(&*tool, about(".")), "."), "{}", tool.schema().name);
    }
}

#[test]
fn odd_names_are_refused_and_hang_nothing() {
    let world = World::new();
    let here = fs::File::open(world.path("ws")).unwrap();
    rustix::fs::mknodat(&here, "pipe", FileType::Fifo, Mode::RWXU, 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(world.path("ws/socket")).unwrap();
    let mut paths: Vec<String> = [
        "",
        "~",
        "~/",
        "~root",
        "~/secret",
        "a\0b",
        "\0",
        "../out/secret\0",
        "file\0/../../out/secret",
        "new\nline",
        "\n",
        "pipe",
        "socket",
        "pipe/x",
        "file/x",
        "file/../../out/secret",
        "..\\out\\secret\n",
        "\u{202E}x\n",
    ]
    .map(String::from)
    .into();
    paths.push("x".repeat(300));
    paths.push(format!("{}file", "sub/../".repeat(2_000)));
    paths.push("d/".repeat(3_000));
    if rustix::fs::mknodat(
        &here,
        "zero",
        FileType::CharacterDevice,
        Mode::RWXU,
        rustix::fs::makedev(1, 5),
    )
    .is_ok()
    {
        paths.push("zero".into());
    }
    // What is a plain name to the kernel may be written, and stays inside.
    paths.retain(|path| path != "~root");
    let written = |path: &str| path.starts_with("sub/../") || path.starts_with("d/");
    let (long, paths): (Vec<String>, Vec<String>) =
        paths.into_iter().partition(|path| written(path));
    all_refuse(&world, &paths);
    let before = world.outside();
    for path in long {
        for (tool, about) in file_tools() {
            assert!(!has_canary(&world.run(&*tool, about(&path)), &path));
        }
    }
    assert_eq!(world.outside(), before);
}

#[test]
fn names_that_are_not_text_break_nothing() {
    let world = World::new();
    fs::write(world.path("ws").join(OsStr::from_bytes(b"bad\xFF")), "plain").unwrap();
    fs::create_dir(world.path("ws").join(OsStr::from_bytes(b"dir\xFE"))).unwrap();
    symlink(world.path("out"), world.path("ws").join(OsStr::from_bytes(b"link\xFE"))).unwrap();
    for (tool, about) in file_tools() {
        for path in [".", "bad\u{FFFD}", "dir\u{FFFD}/x", "link\u{FFFD}/secret"] {
            let output = world.run(&*tool, about(path));
            assert!(!has_canary(&output, path), "{output:?}");
        }
    }
    let listed = world.run(&ListDir, json!({}));
    assert!(listed.data.unwrap().contains("(3 names that cannot be read as text)"));
}

#[test]
fn what_is_louvers_own_is_written_by_no_tool() {
    let world = World::new();
    symlink(".louver", world.path("ws/alias")).unwrap();
    fs::hard_link(world.path("ws/louver.toml"), world.path("ws/other")).unwrap();
    let before = world.outside();
    let names = [
        ".louver/x",
        ".louver/sessions/log",
        ".louver",
        "./.louver/x",
        "sub/../.louver/x",
        ".LOUVER/x",
        ".Louver/sessions/log",
        "louver.toml",
        "LOUVER.TOML",
        "./louver.toml",
        "alias/x",
        "alias/sessions/log",
        "other",
    ];
    for name in names.map(String::from).into_iter().chain([world.text("ws/.louver/x")]) {
        for tool in [&WriteFile as &dyn Tool, &EditFile] {
            let given = json!({"path": name, "text": "evil", "old": "plain", "new": "evil"});
            assert!(world.run(tool, given).failed, "{name}");
        }
        assert_eq!(world.outside(), before, "{name}");
    }
}

#[test]
fn a_hard_link_is_replaced_and_not_written_through() {
    let world = World::new();
    fs::write(world.path("out/shared"), "shared A\n").unwrap();
    for name in ["ws/hard-write", "ws/hard-edit"] {
        fs::hard_link(world.path("out/shared"), world.path(name)).unwrap();
    }
    let before = world.outside();
    let written = world.run(&WriteFile, json!({"path": "hard-write", "text": "new"}));
    let edited = world.run(&EditFile, json!({"path": "hard-edit", "old": "A", "new": "B"}));
    assert!(!written.failed && !edited.failed);
    assert_eq!(fs::read_to_string(world.path("ws/hard-write")).unwrap(), "new");
    assert_eq!(fs::read_to_string(world.path("ws/hard-edit")).unwrap(), "shared B\n");
    assert_eq!(world.outside(), before);
}

/// Says that it is over when it goes.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Exchanges two names over and over while `tools` is at work, and at least `rounds` times.
fn while_swapping(world: &World, rounds: u64, names: &[(&str, &str)], tools: impl FnOnce()) {
    let (done, count) = (AtomicBool::new(false), AtomicU64::new(0));
    let names: Vec<_> = names.iter().map(|(a, b)| (world.path(a), world.path(b))).collect();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) || count.load(Ordering::Relaxed) < rounds {
                for (a, b) in &names {
                    rustix::fs::renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).unwrap();
                }
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
        // Also when a tool fails the test: the swapping would go on for ever.
        let _ends = Ends(&done);
        tools();
    });
    assert!(count.load(Ordering::Relaxed) >= rounds);
}

#[test]
fn a_link_that_is_swapped_in_leads_nobody_out() {
    let world = World::new();
    for folder in ["ws/swap", "ws/sub/swap"] {
        fs::create_dir(world.path(folder)).unwrap();
        fs::write(world.path(folder).join("secret"), "harmless\n").unwrap();
        symlink(world.path("out"), world.path(&format!("{folder}-link"))).unwrap();
    }
    fs::write(world.path("ws/f"), "harmless\n").unwrap();
    symlink(world.path("out/secret"), world.path("ws/f-link")).unwrap();
    let before = world.outside();
    let names =
        [("ws/swap", "ws/swap-link"), ("ws/sub/swap", "ws/sub/swap-link"), ("ws/f", "ws/f-link")];
    let (mut done, mut refused) = (0, 0);
    while_swapping(&world, 40_000, &names, || {
        let tools = file_tools();
        for round in 0..400 {
            for (tool, about) in &tools {
                for path in
                    ["swap/secret", "sub/swap", "f", &format!("swap/new/{}", round % 7), "."]
                {
                    let output = world.run(&**tool, about(path));
                    assert!(
                        !has_canary(&output, path),
                        "{} {path}: {output:?}",
                        tool.schema().name
                    );
                    if output.failed { refused += 1 } else { done += 1 }
                }
            }
        }
    });
    // Both happened, or nothing was tried.
    assert!(done > 100 && refused > 100, "{done} done, {refused} refused");
    assert_eq!(world.outside(), before);
}

#[test]
fn a_working_folder_leads_nowhere_else() {
    let world = World::new();
    symlink("../out", world.path("ws/link")).unwrap();
    symlink("/proc/self/root", world.path("ws/magic")).unwrap();
    let off = Exec::new(ExecConfig { sandbox: Confine::Off, ..ExecConfig::default() });
    let out = world.text("out");
    for cwd in [
        "..",
        "../out",
        &out,
        "/",
        "/etc",
        "link",
        "link/inner",
        "magic",
        "sub/../..",
        "~",
        "file",
        "a\0b",
    ] {
        let output = world.run(&off, json!({"command": "pwd; ls; cat secret", "cwd": cwd}));
        assert!(output.failed && !has_canary(&output, cwd), "{cwd}: {output:?}");
        assert_eq!(output.data, None, "{cwd}");
    }
}

#[test]
fn a_working_folder_that_is_swapped_leads_nowhere_else() {
    let world = World::new();
    fs::create_dir(world.path("ws/swap")).unwrap();
    fs::write(world.path("ws/swap/secret"), "harmless\n").unwrap();
    symlink(world.path("out"), world.path("ws/swap-link")).unwrap();
    let before = world.outside();
    // Without the sandbox, so that it is the descriptor alone that holds.
    let off = Exec::new(ExecConfig { sandbox: Confine::Off, ..ExecConfig::default() });
    let (mut done, mut refused) = (0, 0);
    while_swapping(&world, 20_000, &[("ws/swap", "ws/swap-link")], || {
        for _ in 0..20_000 {
            let command = json!({"command": "cat secret; echo agent > new", "cwd": "swap"});
            let output = world.run(&off, command);
            assert!(!has_canary(&output, ""), "{output:?}");
            if output.failed {
                refused += 1
            } else {
                done += 1
            }
            if done >= 60 && refused >= 60 {
                break;
            }
        }
    });
    // Both happened, or nothing was tried.
    assert!(refused > 0);
    assert!(done > 0);
    assert_eq!(world.outside(), before);
}

/// What the kernel can do, or nothing, which is then said.
fn landlock(wanted: i32) -> bool {
    match sandbox::available() {
        Available::Landlock { version } if version >= wanted => true,
        other => {
            skipped(&format!("it needs Landlock version {wanted}; here {other}"));
            false
        }
    }
}

#[test]
fn a_command_reads_nothing_outside() {
    if !landlock(1) {
        return;
    }
    let world = World::new();
    let (out, ws) = (world.text("out"), world.text("ws"));
    symlink("../out", world.path("ws/link")).unwrap();
    for command in [
        format!("cat {out}/secret"),
        "cat ../out/secret".into(),
        "cd .. && cat out/secret; ls; ls out".into(),
        "cat link/secret; ls link".into(),
        format!("ln -s {out} sub/mine; cat sub/mine/secret; ls sub/mine/"),
        format!("ln {out}/secret sub/hard && cat sub/hard"),
        format!("mv {out}/secret sub/moved; cat sub/moved"),
        format!("cp {out}/secret sub/copied; cat sub/copied"),
        format!("cat /proc/self/root{out}/secret; cat /proc/$PPID/root{out}/secret"),
        format!("cat /proc/$PPID/cwd/../out/secret; ls /proc/$PPID/fd; cd {out} && ls"),
        format!("sh -c 'exec cat <{out}/secret'; . {out}/secret; tar cf - {out}; grep -r . {out}"),
        format!("find {} -type f -exec cat {{}} +", world.text(".")),
        format!("cd {ws}/../out && cat secret"),
    ] {
        let output = world.sh(&ExecConfig::default(), &command);
        let sang = output.data.as_deref().unwrap_or_default().contains("CANARY sings");
        assert!(!sang, "{command}: {output:?}");
    }
    // The same command does read it where nothing holds it: the cases above are real.
    let off = ExecConfig { sandbox: Confine::Off, ..ExecConfig::default() };
    assert!(has_canary(&world.sh(&off, &format!("cat {out}/secret")), ""));
}

#[test]
fn a_command_changes_nothing_outside() {
    if !landlock(3) {
        return;
    }
    let world = World::new();
    let (out, ws) = (world.text("out"), world.text("ws"));
    fs::write(world.path("ws/memory/MEMORY.md"), "remembered\n").unwrap();
    fs::write(world.path("ws/memory/2026-01-01.md"), "a day\n").unwrap();
    fs::write(world.path("ws/AGENTS.md"), "be kind\n").unwrap();
    fs::create_dir(world.path("ws/skills")).unwrap();
    fs::write(world.path("ws/sub/movable"), "x\n").unwrap();
    fs::hard_link(world.path("out/secret"), world.path("ws/hard")).unwrap();
    let before = world.outside();
    for command in [
        format!("echo evil > {out}/secret; echo evil >> {out}/secret; : > {out}/secret"),
        format!("echo evil > {out}/new; mkdir {out}/dir; touch {out}/t; ln -s x {out}/l"),
        format!("rm -rf {out}; rm -f {out}/secret; rmdir {out}/inner; mv {out} {ws}/sub/x"),
        format!("mv sub/movable {out}/secret; mv -f {out}/secret {out}/other; truncate -s 0 {out}/secret"),
        format!("ln -s {out} sub/l; echo evil > sub/l/secret; echo evil > sub/l/new"),
        format!("dd if=/dev/zero of={out}/secret count=1; sed -i s/a/b/ {out}/secret"),
        "echo evil > .louver/sessions/log; echo evil > .louver/new; rm -rf .louver; mv .louver sub/x".into(),
        "echo evil > louver.toml; rm -f louver.toml; mv louver.toml sub/; mv sub/movable louver.toml".into(),
        "echo evil > memory/MEMORY.md; rm -rf memory; mv memory/MEMORY.md sub/; mv memory sub/".into(),
        "echo evil >> AGENTS.md; rm AGENTS.md; mv AGENTS.md sub/; mkdir skills/evil; mv skills sub/".into(),
        "cd sub && echo evil > ../.louver/sessions/log; ln ../.louver/sessions/log h && echo evil > h".into(),
        "mknod sub/disk b 254 0; mknod sub/zero c 1 5; cat sub/zero | head -c 1".into(),
        format!("echo evil > hard; echo evil >> {out}/secret; mv hard sub/ && echo evil > sub/hard"),
        "mount -t tmpfs none .louver; mount --bind sub .louver".into(),
        "unshare -rm sh -c 'mount --bind sub .louver; echo evil > .louver/x'".into(),
    ] {
        world.sh(&ExecConfig::default(), &command);
        assert_eq!(world.outside(), before, "{command}");
        assert_eq!(fs::read_to_string(world.path("ws/memory/MEMORY.md")).unwrap(), "remembered\n");
        assert_eq!(fs::read_to_string(world.path("ws/AGENTS.md")).unwrap(), "be kind\n");
        assert_eq!(fs::read_dir(world.path("ws/skills")).unwrap().count(), 0, "{command}");
    }
    let may = "echo a > sub/new && echo b >> file && echo c >> memory/2026-01-01.md && echo d > $TMPDIR/x \
               && echo e > ~/x && mkdir -p sub/n/m && rm -r sub/n";
    assert_eq!(world.sh(&ExecConfig::default(), may).words, "exit status 0; no output");
    let refused = world.sh(&ExecConfig::default(), "echo a > new");
    assert!(refused.failed && refused.words.contains("new names at its top: write_file"));
    let top = ExecConfig { new_at_top: true, ..ExecConfig::default() };
    assert!(!world.sh(&top, "echo a > new").failed);
}

#[test]
fn a_command_does_not_change_what_settings_name_as_instructions() {
    if !landlock(3) {
        return;
    }
    let world = World::new();
    fs::create_dir_all(world.path("ws/Docs/deep")).unwrap();
    for file in ["RULES.md", "Docs/rules.md", "Docs/deep/id.md", "Docs/plan.md", "Docs/deep/x"] {
        fs::write(world.path("ws").join(file), "be kind\n").unwrap();
    }
    let named = ["rules.md", "docs/Rules.md", "./Docs/x/../deep/id.md", "sub/deep/none.md"];
    let exec = Exec::new(ExecConfig::default()).guarding(Guarded::new(named));
    let sh = |command: &str| world.run(&exec, json!({"command": command, "timeout": 20}));
    for file in ["RULES.md", "Docs/rules.md", "Docs/deep/id.md"] {
        sh(&format!("echo evil > {file}; rm -f {file}; mv {file} sub/; mv -f sub/file {file}"));
        sh(&format!("ln {file} sub/h && echo evil > sub/h; mv Docs/deep sub/; mv Docs sub/"));
        assert_eq!(fs::read_to_string(world.path("ws").join(file)).unwrap(), "be kind\n");
    }
    sh("echo evil > sub/deep/none.md; mv sub/file sub/deep/none.md; rm -r sub/deep; mv sub/deep x");
    assert!(world.path("ws/sub/deep").is_dir() && !world.path("ws/sub/deep/none.md").exists());
    let may =
        "cat RULES.md Docs/rules.md > /dev/null && echo a >> Docs/plan.md && echo b > Docs/deep/x";
    assert_eq!(sh(may).words, "exit status 0; no output");
}

#[test]
fn a_command_does_not_change_what_a_link_among_instructions_leads_to() {
    if !landlock(3) {
        return;
    }
    let world = World::new();
    fs::create_dir_all(world.path("ws/docs")).unwrap();
    for file in ["docs/kind.md", "docs/rules.txt", "docs/plan.md"] {
        fs::write(world.path("ws").join(file), "be kind\n").unwrap();
    }
    for (link, target) in [
        ("AGENTS.md", "docs/kind.md"),
        ("Rules.md", "docs/rules.txt"),
        ("USER.md", "sub/deep/no.md"),
    ] {
        std::os::unix::fs::symlink(target, world.path("ws").join(link)).unwrap();
    }
    let exec = Exec::new(ExecConfig::default()).guarding(Guarded::new(["Rules.md"]));
    let sh = |command: &str| world.run(&exec, json!({"command": command, "timeout": 20}));
    for file in ["AGENTS.md", "docs/kind.md", "Rules.md", "docs/rules.txt"] {
        sh(&format!("echo evil > {file}; rm -f {file}; mv {file} sub/; mv docs sub/"));
        assert_eq!(fs::read_to_string(world.path("ws").join(file)).unwrap(), "be kind\n", "{file}");
    }
    sh("echo evil > USER.md; echo evil > sub/deep/no.md");
    assert!(!world.path("ws/sub/deep/no.md").exists());
    assert_eq!(
        sh("cat AGENTS.md > /dev/null && echo a >> docs/plan.md").words,
        "exit status 0; no output"
    );
}

#[test]
fn a_command_does_not_shut_what_it_may_not_write() {
    if !landlock(3) {
        return;
    }
    let world = World::new();
    let files =
        ["AGENTS.md", "louver.toml", "memory/MEMORY.md", "skills/a/SKILL.md", ".louver/own/log"];
    for file in files {
        let path = world.path("ws").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "be kind\n").unwrap();
    }
    let folders = [".", "memory", "skills", "skills/a", ".louver", ".louver/own"];
    let modes = || {
        let mode = |name: &&str| facts(&world.path("ws").join(name)).2;
        files.iter().chain(&folders).map(mode).collect::<Vec<u32>>()
    };
    let before = modes();
    let company = Desk { folder: Desk::folder_for(&world.desk.folder, true), ..world.desk.clone() };
    for desk in [&world.desk, &company] {
        let sh = |command: &str| {
            let arguments = json!({"command": command, "timeout": 20});
            world.runtime.block_on(Exec::default().run(arguments, desk))
        };
        let output =
            sh("chmod 0 AGENTS.md; chmod -R 0 memory skills louver.toml .louver; chmod 500 .");
        assert_eq!(modes(), before, "{output:?}");
        let told = "modes of what commands do not change were put back: ";
        assert!(output.words.contains(told) && output.words.contains("AGENTS.md"), "{output:?}");
        // What commands may write, they may shut.
        assert_eq!(sh("chmod 700 sub/file").words, "exit status 0; no output");
        assert_eq!(facts(&world.path("ws/sub/file")).2 & 0o777, 0o700);
    }
}

#[test]
fn roots_and_configured_paths_are_all_that_is_added() {
    if !landlock(3) {
        return;
    }
    let mut world = World::new();
    for name in ["read", "write", "more-read", "more-write"] {
        fs::create_dir(world.path(name)).unwrap();
        fs::write(world.path(name).join("a"), name).unwrap();
    }
    let open = |name: &str| Folder::open(world.path(name)).unwrap();
    let folder = open("ws").with_root(open("read")).with_writable_root(open("write"));
    world.desk.folder = Arc::new(folder);
    let config = ExecConfig {
        read: vec![world.path("more-read")],
        write: vec![world.path("more-write")],
        ..ExecConfig::default()
    };
    for (name, writable) in
        [("read", false), ("write", true), ("more-read", false), ("more-write", true)]
    {
        let path = world.text(name);
        assert_eq!(world.sh(&config, &format!("cat {path}/a")).data.unwrap(), name);
        assert_eq!(!world.sh(&config, &format!("echo x > {path}/b")).failed, writable, "{name}");
    }
    assert!(world.sh(&config, &format!("cat {}", world.text("out/secret"))).failed);
}

/// Runs this test again, alone, in a process whose environment has these variables; true in there.
fn with_environment(test: &str, variables: &[(&str, &str)]) -> bool {
    if std::env::var_os("LOUVER_TEST_INSIDE").is_some() {
        return true;
    }
    let again = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .envs(variables.iter().copied())
        .env("LOUVER_TEST_INSIDE", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&again.stderr);
    assert!(again.status.success(), "{said}");
    assert!(String::from_utf8_lossy(&again.stdout).contains("1 passed"));
    eprint!("{}", said.lines().filter(|line| line.starts_with("SKIPPED")).collect::<String>());
    false
}

#[test]
fn a_command_sees_no_key_of_ours() {
    let keys = [
        ("ANTHROPIC_API_KEY", "CANARY-1"),
        ("HARMLESS", "CANARY-2"),
        ("MY_TOKEN", "CANARY-3"),
        ("WANTED", "sk-CANARY"),
    ];
    if !with_environment("a_command_sees_no_key_of_ours", &keys) {
        return;
    }
    let world = World::new();
    let pass = ["ANTHROPIC_API_KEY", "MY_TOKEN", "WANTED"].map(String::from).to_vec();
    let config = ExecConfig { pass_env: pass, ..ExecConfig::default() };
    let print = "env; set; export -p; tr '\\0' '\\n' < /proc/self/environ";
    assert!(!has_canary(&world.sh(&config, print), ""));
    let off = ExecConfig { sandbox: Confine::Off, ..config.clone() };
    assert!(!has_canary(&world.sh(&off, print), ""));
    if landlock(1) {
        let ours = format!(
            "cat /proc/$PPID/environ /proc/{}/environ; cat /proc/*/environ",
            std::process::id()
        );
        let output = world.sh(&config, &ours);
        assert!(!has_canary(&output, ""), "{output:?}");
        let memory = "cat /proc/$PPID/maps; head -c 1 /proc/$PPID/mem; ls -l /proc/$PPID/fd";
        assert!(world.sh(&config, memory).failed);
    }
    let told = ExecConfig { pass_env: vec!["HARMLESS".into()], ..ExecConfig::default() };
    assert_eq!(world.sh(&told, "printf %s $HARMLESS").data.unwrap(), "CANARY-2");
}

#[test]
fn a_command_does_not_read_the_home_folder() {
    let home = TempDir::new().unwrap();
    fs::create_dir(home.path().join(".ssh")).unwrap();
    fs::create_dir(home.path().join("bin")).unwrap();
    fs::write(home.path().join(".ssh/id_rsa"), "the CANARY sings\n").unwrap();
    let path = format!("{0}:{0}/bin:/usr/bin:/bin", home.path().display());
    let variables = [("HOME", home.path().to_str().unwrap()), ("PATH", &path)];
    if !with_environment("a_command_does_not_read_the_home_folder", &variables) || !landlock(1) {
        return;
    }
    let world = World::new();
    let home = std::env::var("HOME").unwrap();
    assert!(fs::read_to_string(format!("{home}/.ssh/id_rsa")).unwrap().contains(CANARY));
    for own in [false, true] {
        let config = ExecConfig { home: own, ..ExecConfig::default() };
        let read =
            format!("cat ~/.ssh/id_rsa; cat {home}/.ssh/id_rsa; ls -a ~ {home}; cat $HOME/.ssh/*");
        let output = world.sh(&config, &read);
        assert!(
            !has_canary(&output, "") && !output.data.as_ref().unwrap().contains("bin"),
            "{output:?}"
        );
        assert!(output.failed);
    }
}

#[test]
fn a_command_has_no_network_unless_its_owner_says_so() {
    let has_bash = Path::new("/bin/bash").exists();
    if !has_bash {
        skipped("there is no bash to connect with");
    }
    if !landlock(4) || !has_bash {
        return;
    }
    let world = World::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let connect = format!("bash -c 'echo hi > /dev/tcp/127.0.0.1/{port}'");
    let output = world.sh(&ExecConfig::default(), &connect);
    assert!(output.failed && listener.accept().is_err(), "{output:?}");
    assert!(output.words.ends_with("commands have no network here: web_fetch gets pages"));
    let open = ExecConfig { network: true, ..ExecConfig::default() };
    assert!(!world.sh(&open, &connect).failed);
    assert!(listener.accept().is_ok());
}

#[test]
fn a_command_signals_nobody_outside() {
    if !landlock(6) {
        return;
    }
    let world = World::new();
    assert!(world.sh(&ExecConfig::default(), "kill -0 $PPID").failed);
    let off = ExecConfig { sandbox: Confine::Off, ..ExecConfig::default() };
    assert!(!world.sh(&off, "kill -0 $PPID").failed);
}

/// The processes that have this among their arguments.
fn running(argument: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let arguments = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let text = arguments.map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "));
    text.filter(|text| text.contains(argument)).collect()
}

/// Ways to leave something running. NAP is a sleep that nobody else has.
const LEFT_BEHIND: [&str; 10] = [
    "NAP",
    "NAP & NAP & wait",
    "(NAP &) ; (NAP &) ; NAP",
    "nohup NAP >/dev/null 2>&1 & NAP",
    "setsid NAP & NAP",
    "setsid sh -c 'NAP & NAP' >/dev/null 2>&1 & NAP",
    "env -i setsid NAP & NAP",
    "env -i setsid sh -c 'env -i setsid NAP & NAP' </dev/null >/dev/null 2>&1 & NAP",
    "trap '' TERM INT HUP; NAP & NAP; NAP",
    "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do NAP & done; exec >/dev/null 2>&1; NAP",
];

/// Names by which what is remembered might be reached.
fn ways_to_memory(world: &World) -> Vec<String> {
    let ws = world.path("ws");
    symlink("memory", ws.join("link")).unwrap();
    symlink("../memory/MEMORY.md", ws.join("sub/link")).unwrap();
    symlink(ws.join("memory"), ws.join("sub/whole")).unwrap();
    fs::hard_link(ws.join("memory/MEMORY.md"), ws.join("hard")).unwrap();
    let names = [
        "memory",
        "./memory",
        "memory/",
        "memory/MEMORY.md",
        "memory/HISTORY.md",
        "memory/2026-03-10.md",
        "memory/new.md",
        "sub/../memory/MEMORY.md",
        "memory/../memory/HISTORY.md",
        "link",
        "link/HISTORY.md",
        "sub/link",
        "sub/whole",
        "sub/whole/HISTORY.md",
        "hard",
        "MEMORY.md",
        ".",
    ];
    let absolute = names.iter().map(|name| ws.join(name).display().to_string());
    let round = names.iter().map(|name| world.text(&format!("out/../ws/{name}")));
    names.iter().map(|name| (*name).to_owned()).chain(absolute).chain(round).collect()
}

#[test]
fn in_company_nothing_that_is_remembered_is_reached() {
    let mut world = World::new();
    for file in ["memory/MEMORY.md", "memory/HISTORY.md", "memory/2026-03-10.md", "MEMORY.md"] {
        fs::write(world.path("ws").join(file), "A nightingale sings\n").unwrap();
    }
    let ways = ways_to_memory(&world);
    let owners = world.run(&ReadFile, json!({"path": "memory/MEMORY.md"}));
    assert_eq!(owners.data.as_deref(), Some("A nightingale sings\n"));
    let files = |world: &World| {
        let mut all: Vec<_> = fs::read_dir(world.path("ws/memory"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .chain([world.path("ws/MEMORY.md"), world.path("ws/hard")])
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        all.sort();
        all
    };
    let before = files(&world);
    // As it is, and with a root that holds the workspace, or is what it keeps to itself.
    let folder = |roots: &[&str]| {
        let open = |path: &str| Folder::open(world.path(path)).unwrap();
        let root = |folder: Folder, root: &&str| folder.with_writable_root(open(root));
        Arc::new(roots.iter().fold(open("ws"), root))
    };
    let folders = [folder(&[]), folder(&["."]), folder(&["ws/memory"])];
    for folder in folders {
        world.desk.others = true;
        world.desk.folder = Desk::folder_for(&folder, true);
        for (tool, about) in file_tools() {
            for way in &ways {
                let output = world.run(&*tool, about(way));
                let told = format!("{} {}", output.words, output.data.unwrap_or_default());
                assert!(!told.contains("nightingale"), "{way}: {told}");
                assert!(way.ends_with('.') || output.failed, "{way}: {told}");
            }
        }
        assert_eq!(files(&world), before);
        // What is not remembered is there as ever.
        let read = world.run(&ReadFile, json!({"path": "sub/../file"}));
        assert_eq!(read.data.as_deref(), Some("plain\n"));
        assert!(!world.run(&WriteFile, json!({"path": "sub/new", "text": "x"})).failed);
    }
    for (tool, about) in file_tools() {
        let refused = world.run(&*tool, about("memory/MEMORY.md")).words;
        let wanted = "memory/MEMORY.md: what is remembered of the owner ";
        assert!(refused.starts_with(wanted), "{refused}");
    }
}

#[test]
fn in_company_memory_that_is_not_there_is_not_begun() {
    let mut world = World::new();
    fs::remove_dir(world.path("ws/memory")).unwrap();
    world.desk.others = true;
    world.desk.folder = Desk::folder_for(&world.desk.folder, true);
    for path in ["memory/MEMORY.md", "MEMORY.md", "memory/2026-03-10.md", "Memory/x"] {
        let output = world.run(&WriteFile, json!({"path": path, "text": "Obey Eve."}));
        assert!(output.failed, "{path}: {output:?}");
        assert!(!world.path("ws").join(path).exists(), "{path}");
    }
}

#[test]
fn in_company_programs_do_not_read_what_is_remembered() {
    if !landlock(1) {
        return;
    }
    let mut world = World::new();
    for file in ["memory/MEMORY.md", "memory/HISTORY.md", "MEMORY.md", ".louver/sessions/log"] {
        fs::write(world.path("ws").join(file), "A nightingale sings\n").unwrap();
    }
    let _ = ways_to_memory(&world);
    let top = ExecConfig { new_at_top: true, ..ExecConfig::default() };
    let all = ExecConfig { read: vec![world.path("")], ..ExecConfig::default() };
    let peek = "cat memory/* MEMORY.md link/* sub/link sub/whole/* hard .louver/sessions/*; ls memory .louver";
    assert!(world.sh(&top, peek).data.unwrap().contains("nightingale"), "the owner may");
    world.desk.others = true;
    world.desk.folder = Desk::folder_for(&world.desk.folder, true);
    for config in [ExecConfig::default(), top, all] {
        let output = world.sh(&config, peek);
        let told = format!("{output:?}");
        assert!(!told.contains("nightingale") && !told.contains("HISTORY"), "{told}");
        world.sh(
            &config,
            "echo Obey >> memory/MEMORY.md; echo Obey > memory/new; echo x > MEMORY.md",
        );
        assert_eq!(
            fs::read_to_string(world.path("ws/memory/MEMORY.md")).unwrap(),
            "A nightingale sings\n"
        );
        assert_eq!(
            fs::read_to_string(world.path("ws/MEMORY.md")).unwrap(),
            "A nightingale sings\n"
        );
        assert!(!world.path("ws/memory/new").exists());
        let output = world.sh(&config, "cat file sub/file && echo new > sub/file && ls sub");
        assert!(!output.failed, "{output:?}");
        fs::write(world.path("ws/sub/file"), "plain\n").unwrap();
    }
}

/// A sleep of nearly half an hour whose fraction tells it from all others.
fn nap() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("sleep 1777.{}{n:03}", std::process::id())
}

#[test]
fn nothing_is_left_of_a_command_that_took_too_long() {
    let world = World::new();
    for sandbox in [Confine::Auto, Confine::Off] {
        let exec = Exec::new(ExecConfig { sandbox, ..ExecConfig::default() });
        for way in LEFT_BEHIND {
            let nap = nap();
            let command = way.replace("NAP", &nap);
            let output = world.run(&exec, json!({"command": command, "timeout": 1}));
            let wanted = "stopped after 1 s, with everything it started; `timeout` may be 600";
            assert!(output.failed && output.words.starts_with(wanted), "{way}: {output:?}");
            assert_eq!(running(&nap), Vec::<String>::new(), "{way}");
        }
    }
}

#[test]
fn nothing_is_left_of_a_command_that_ended() {
    let world = World::new();
    for way in
        ["NAP & echo done", "setsid NAP & echo done", "env -i setsid NAP >/dev/null & echo done"]
    {
        let nap = nap();
        let output = world.sh(&ExecConfig::default(), &way.replace("NAP", &nap));
        assert_eq!((output.failed, output.data.as_deref()), (false, Some("done\n")), "{output:?}");
        assert_eq!(output.words, "exit status 0; a process it left running was ended", "{way}");
        assert_eq!(running(&nap), Vec::<String>::new(), "{way}");
    }
}

#[test]
fn nothing_is_left_of_a_command_that_nobody_waits_for() {
    let world = World::new();
    let exec = Exec::default();
    for way in ["NAP", "NAP & setsid NAP & env -i setsid NAP & NAP"] {
        let nap = nap();
        let arguments = json!({"command": way.replace("NAP", &nap), "timeout": 600});
        world.runtime.block_on(async {
            let mut run = exec.run(arguments, &world.desk);
            // It is let go of only when all of it is there.
            loop {
                let wait = tokio::time::timeout(Duration::from_millis(20), &mut run).await;
                assert!(wait.is_err());
                if running(&nap).iter().filter(|line| line.starts_with("sleep")).count()
                    == way.matches("NAP").count()
                {
                    break;
                }
            }
        });
        let given_up = Instant::now() + Duration::from_secs(60);
        while !running(&nap).is_empty() {
            assert!(Instant::now() < given_up, "{way}: {:?}", running(&nap));
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_flood_of_output_is_bounded() {
    let world = World::new();
    let exec = Exec::new(ExecConfig { output: 3_000, ..ExecConfig::default() });
    for command in ["yes", "yes & exit 0", "yes >&2", "cat /dev/zero", "yes & yes & exec >&-; wait"]
    {
        let output = world.run(&exec, json!({"command": command, "timeout": 1}));
        let data = output.data.unwrap();
        assert!(data.contains("bytes left out …]"), "{command}: {}", output.words);
        // A byte that is no text takes three.
        assert!(data.len() < 3 * 3_000 + 100, "{command}: {}", data.len());
    }
}

#[test]
fn forks_are_limited() {
    if rustix::process::geteuid().is_root() {
        skipped("root may have any number of processes");
        return;
    }
    let world = World::new();
    let config = ExecConfig { processes: 20, ..ExecConfig::default() };
    let nap = nap();
    let many = "i=0; while [ $i -lt 20000 ]; do NAP & i=$((i+1)); done; wait".replace("NAP", &nap);
    let output = world.run(&Exec::new(config), json!({"command": many, "timeout": 20}));
    assert!(output.failed, "{output:?}");
    assert_eq!(running(&nap), Vec::<String>::new());
}
