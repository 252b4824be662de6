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
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Sandbox { home: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
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

    /// Runs the program with something on its stdin.
    pub(crate) fn typed(&self, args: &[&str], stdin: &str) -> Ran {
        // With an end to memory: nothing a test does should need more.
        let mut child = Command::new("sh")
            .args(["-c", "ulimit -v 600000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_louver")])
            .args(args)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.home())
            .env("COLUMNS", "110")
            .env("TZ", "UTC")
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

/// A file of the examples.
pub(crate) fn example(name: &str) -> String {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned();
    root.join("examples").join(name).to_str().unwrap().to_owned()
}
