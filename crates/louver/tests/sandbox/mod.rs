//! A place to try the program in: a home of its own, no settings, no colour.
#![allow(dead_code, reason = "each test file uses its part")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a command did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A home folder that goes away with the test.
pub(crate) struct Sandbox {
    home: tempfile::TempDir,
    env: Vec<(String, String)>,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        // Which skills can be used must not depend on what this machine has installed.
        let bin = home.path().join("bin");
        fs::create_dir(&bin).unwrap();
        for program in ["curl", "tmux", "printf", "touch"] {
            let real = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(program));
            let real = real.into_iter().find(|path| path.exists()).unwrap_or("/bin/sh".into());
            std::os::unix::fs::symlink(real, bin.join(program)).unwrap();
        }
        Sandbox { home, env: Vec::new() }
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// The same with a variable in its environment.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Everything in its environment.
    pub(crate) fn env(&self) -> Vec<(String, String)> {
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        let own = [
            ("PATH".to_owned(), text(self.home().join("bin"))),
            ("HOME".to_owned(), text(self.home().to_owned())),
            ("TZ".to_owned(), "UTC".to_owned()),
        ];
        own.into_iter().chain(self.env.iter().cloned()).collect()
    }

    /// Makes a workspace of these files and says where.
    pub(crate) fn workspace(&self, files: &[(&str, &str)]) -> String {
        let folder = self.home().join("workspace");
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder.to_str().unwrap().to_owned()
    }

    /// Writes the person's own settings.
    pub(crate) fn config(&self, text: &str) {
        let folder = self.home().join(".config/louver");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.toml"), text).unwrap();
    }

    /// Runs the program.
    pub(crate) fn louver(&self, args: &[&str]) -> Ran {
        self.typed(args, "")
    }

    /// Runs the program in the repository's root.
    pub(crate) fn at_root(&self, args: &[&str]) -> Ran {
        self.run(args, "", &root())
    }

    /// Runs the program with something on its stdin.
    pub(crate) fn typed(&self, args: &[&str], stdin: &str) -> Ran {
        self.run(args, stdin, self.home())
    }

    /// Runs the program where no file can have more than so many bytes, as on a disk that fills.
    pub(crate) fn cramped(&self, args: &[&str], bytes: u32) -> Ran {
        let blocks = bytes / 512;
        self.limited(args, "", self.home(), &format!("trap '' XFSZ; ulimit -f {blocks}"))
    }

    /// Runs the program where nothing can be printed any more.
    pub(crate) fn to_full(&self, args: &[&str], stdin: &str) -> Ran {
        self.limited(args, stdin, self.home(), "exec >/dev/full")
    }

    /// Runs the program in a time zone.
    pub(crate) fn in_zone(&self, args: &[&str], zone: &str) -> Ran {
        self.limited(args, "", self.home(), &format!("export TZ={zone}"))
    }

    fn run(&self, args: &[&str], stdin: &str, folder: &Path) -> Ran {
        // With an end to memory: nothing a test does should need more.
        self.limited(args, stdin, folder, "ulimit -v 600000")
    }

    fn limited(&self, args: &[&str], stdin: &str, folder: &Path, limit: &str) -> Ran {
        let mut child = Command::new("/bin/sh")
            .args(["-c", &format!("{limit}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_louver")])
            .args(args)
            .current_dir(folder)
            .env_clear()
            .env("COLUMNS", "110")
            .envs(self.env())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that does not read its stdin may be gone already.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        let output = child.wait_with_output().unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// A file of the examples.
pub(crate) fn example(name: &str) -> String {
    root().join("examples").join(name).to_str().unwrap().to_owned()
}

/// Copies a folder and everything in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            // What a person left behind who tried the example is no part of it.
            true if entry.file_name() == ".louver" => {}
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}
