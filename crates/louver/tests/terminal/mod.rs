//! A terminal with a person before it: a pseudo-terminal, what its screen shows, and fingers.
#![allow(dead_code, reason = "each test file uses its part")]

mod screen;

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use screen::Screen;

/// How wide and how high it is.
const COLUMNS: u16 = 110;
const ROWS: u16 = 50;

/// After so long what is waited for will not come.
const LIMIT: Duration = Duration::from_secs(60);

/// The prompt of a chat.
pub(crate) const PROMPT: &str = "you›";

/// What Ctrl-C, Ctrl-D, Ctrl-U, Tab and the up arrow send.
pub(crate) const CTRL_C: &str = "\x03";
pub(crate) const CTRL_D: &str = "\x04";
pub(crate) const CTRL_U: &str = "\x15";
pub(crate) const TAB: &str = "\t";
pub(crate) const UP: &str = "\x1b[A";

/// A terminal in which a program runs.
pub(crate) struct Terminal {
    keyboard: File,
    program: Child,
    screen: Screen,
}

impl Terminal {
    /// Runs a program in a terminal of its own, which controls it: Ctrl-C reaches it.
    pub(crate) fn run(args: &[&str], folder: &Path, env: &[(String, String)]) -> Terminal {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let size = Winsize { ws_row: ROWS, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&ours, size).unwrap();
        let path = ptsname(&ours, Vec::new()).unwrap();
        let no_ctty = i32::try_from(OpenptFlags::NOCTTY.bits()).unwrap();
        let theirs = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(no_ctty)
            .open(path.to_str().unwrap())
            .unwrap();
        let program = Command::new("/usr/bin/setsid")
            .args(["--ctty", "--wait", env!("CARGO_BIN_EXE_louver")])
            .args(args)
            .current_dir(folder)
            .env_clear()
            .env("TERM", "xterm-256color")
            .envs(env.iter().map(|(name, value)| (name, value)))
            .stdin(theirs.try_clone().unwrap())
            .stdout(theirs.try_clone().unwrap())
            .stderr(theirs)
            .spawn()
            .expect("setsid, of util-linux");
        let screen = Screen::new(COLUMNS.into(), ROWS.into());
        Terminal { keyboard: File::from(ours), program, screen }
    }

    /// Everything that was on the screen, from its first line to its last.
    pub(crate) fn text(&self) -> String {
        self.screen.text()
    }

    /// The line in which the cursor is.
    pub(crate) fn line(&self) -> String {
        self.screen.line()
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the prompt, types a line, sees it there, and enters it.
    pub(crate) fn say(&mut self, line: &str) {
        self.prompt();
        self.press(line);
        self.until("what was typed", |screen| screen.line() == format!("{PROMPT} {line}"));
        self.press("\r");
        self.until("the line is taken", |screen| screen.line() != format!("{PROMPT} {line}"));
    }

    /// Waits until there is an empty prompt.
    pub(crate) fn prompt(&mut self) {
        self.until("the prompt", |screen| screen.line() == PROMPT);
    }

    /// Waits until the screen shows this text.
    pub(crate) fn shows(&mut self, text: &str) {
        self.until(text, |screen| screen.text().contains(text));
    }

    /// Waits until the screen shows this text so many times.
    pub(crate) fn shows_times(&mut self, text: &str, times: usize) {
        self.until(text, |screen| screen.text().matches(text).count() >= times);
    }

    /// Waits until the cursor is in a line that ends so.
    pub(crate) fn asks(&mut self, end: &str) {
        self.until(end, |screen| screen.line().ends_with(end));
    }

    /// Waits until something is the case.
    pub(crate) fn until(&mut self, what: &str, is: impl Fn(&Screen) -> bool) {
        let begun = Instant::now();
        while !is(&self.screen) {
            assert!(begun.elapsed() < LIMIT, "{what:?} never came:\n{}", self.screen.text());
            if !self.listen() && !is(&self.screen) {
                panic!("the program ended before {what:?}:\n{}", self.screen.text());
            }
        }
    }

    /// Waits for the end of the program, and gives its exit code and what was on the screen.
    pub(crate) fn end(mut self) -> (i32, String) {
        let begun = Instant::now();
        while self.listen() {
            assert!(begun.elapsed() < LIMIT, "it does not end:\n{}", self.screen.text());
        }
        (self.program.wait().unwrap().code().unwrap_or(-1), self.screen.text())
    }

    /// Takes in what the program writes, and answers what it asks. Says whether there may be more.
    fn listen(&mut self) -> bool {
        let wait = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
        let ready = poll(&mut [PollFd::new(&self.keyboard, PollFlags::IN)], Some(&wait));
        if ready.is_ok_and(|ready| ready == 0) {
            return true;
        }
        let mut bytes = [0; 4096];
        match self.keyboard.read(&mut bytes) {
            // When the other end is closed, Linux says that there was an error.
            Ok(0) | Err(_) => false,
            Ok(read) => {
                let answers = self.screen.take(&bytes[..read]);
                if !answers.is_empty() {
                    self.press(&answers);
                }
                true
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A test that failed must not leave a program behind that waits for a key.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
