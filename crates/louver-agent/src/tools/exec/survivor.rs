//! A shell that outlives us by a moment: it ends a program when we are killed and cannot.
//!
//! It waits at a pipe whose other end only this process has, so the kernel tells it that we are gone, however that came
//! about. A parent's death signal would not do: children do not inherit it, so it would end the shell of a
//! command and leave whatever that had started.
//!
//! It is started before the sandbox binds the thread. Where the kernel holds signals back, the program cannot end it.

use std::io::{PipeWriter, Write as _};
use std::process::{Child, Command, Stdio};

use rustix::process::Pid;

use super::child::{Mark, VARIABLE};

/// Reads the number of the group, and then waits for a line that says it is over, or for the end of the pipe, which says that
/// we are gone. Who left the group is known by the same marks as in [`Mark`]; a few rounds, because what is being
/// ended may be starting others.
const WATCH: &str = r#"
read -r group && [ "$group" ] || exit 0
read -r over && exit 0
for round in 1 2 3; do
    kill -s KILL -- "-$group"
    for file in $(
        grep -lsFe "$1" /proc/[0-9]*/environ
        grep -lse "^Max file size .*[^0-9]$2[^0-9]" /proc/[0-9]*/limits
    ); do
        process=${file#/proc/}
        kill -s KILL "${process%/*}"
    done
done
"#;

/// The shell, while the program runs.
#[derive(Debug)]
pub(super) struct Survivor {
    shell: Child,
    line: PipeWriter,
}

impl Survivor {
    /// Starts it for a program with these marks.
    pub(super) fn start(mark: &Mark) -> std::io::Result<Survivor> {
        let (watched, line) = std::io::pipe()?;
        let mut command = Command::new("/bin/sh");
        let variable = format!("{VARIABLE}={}", mark.variable);
        command.args(["-c", WATCH, "sh", &variable, &mark.file.to_string()]);
        command.env_clear().env("PATH", "/usr/bin:/bin").current_dir("/");
        command.stdin(watched).stdout(Stdio::null()).stderr(Stdio::null());
        // Ctrl-C is for everybody in our group.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(Survivor { shell: command.spawn()?, line })
    }

    /// Tells it what to end.
    pub(super) fn watch(&mut self, group: Pid) -> std::io::Result<()> {
        writeln!(self.line, "{}", group.as_raw_pid())
    }
}

impl Drop for Survivor {
    fn drop(&mut self) {
        // Before the pipe is closed, or it would take us for dead. Not by a signal: this thread is bound, and the
        // sandbox may keep it from that.
        let _ = writeln!(self.line);
        let _ = self.shell.wait();
    }
}
