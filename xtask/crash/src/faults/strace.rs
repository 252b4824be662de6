//! strace, which watches system calls and lets them fail.

use std::path::Path;
use std::process::{Command, Stdio};

/// Why nothing can be traced here, if it cannot.
pub(crate) fn cannot() -> Option<String> {
    let mut command = Command::new("strace");
    let quiet = command.args(["-qq", "-o", "/dev/null", "true"]);
    let quiet = quiet.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match quiet.status() {
        Ok(status) if status.success() => None,
        Ok(_) => Some("strace may not trace here".into()),
        Err(_) => Some("strace is not installed; `apt-get install strace` has it on Debian".into()),
    }
}

/// As an option: the process that is started is the one that is traced, so killing it ends both.
pub(crate) const BESIDE: &str = "-D";

/// A command under strace, which writes what it saw into `log`.
pub(crate) fn over(command: &Command, log: &Path, options: &[&str]) -> Command {
    let mut strace = Command::new("strace");
    strace.arg("-qq").args(options).arg("-o").arg(log).arg("--");
    strace.arg(command.get_program()).args(command.get_args());
    strace
}
