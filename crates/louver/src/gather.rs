//! Layers that a command prints: a branch's name, the state of a machine.
//!
//! The command is the person's own (a workspace cannot bring one). It still gets no stdin, little of the
//! environment and none of its keys, a time limit and an output limit, and is stopped with everything
//! it started.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use louver_agent::mcp::PASSED_ON;
use louver_context::Tokens;
use louver_context::snapshot::Extra;
use louver_context::source::Source;
use louver_store::Problem;

use crate::config::LayerConfig;

/// The most that is read of a command's output.
const MOST: u64 = 64 * 1024;
/// How long a command may take when nothing else is set.
const PATIENCE: f64 = 2.0;

/// The layers that commands print. One that fails or takes too long is a problem.
pub(crate) fn commands(
    layers: &[LayerConfig],
    workspace: &Path,
    problems: &mut Vec<Problem>,
) -> Vec<Extra> {
    let mut extras = Vec::new();
    for layer in layers {
        let Some(command) = &layer.command else { continue };
        let line = command.join(" ");
        match run(command, workspace, layer.timeout.unwrap_or(PATIENCE)) {
            Ok(text) => extras.extend(extra(layer, &line, text, problems)),
            Err(what) => problems.push(Problem::warning(format!("layer `{}`", layer.name), what)),
        }
    }
    extras
}

fn extra(
    layer: &LayerConfig,
    line: &str,
    text: String,
    problems: &mut Vec<Problem>,
) -> Option<Extra> {
    let (place, trust) = (layer.place(), layer.trust());
    let (Some(place), Some(trust)) = (place, trust) else {
        problems.push(crate::wiring::bad_layer(layer));
        return None;
    };
    Some(Extra {
        name: layer.name.clone(),
        place,
        trust,
        cap: layer.cap.map(Tokens),
        source: Source::Command { line: line.into() },
        text: text.into(),
    })
}

/// Runs a command and returns what it printed.
fn run(command: &[String], folder: &Path, seconds: f64) -> Result<String, String> {
    let (program, arguments) = command.split_first().ok_or("its `command` is empty")?;
    let limit = Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?;
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        // What it prints is sent to the model's server, and it is nobody's business what the key is.
        .env_clear()
        .envs(PASSED_ON.iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|error| format!("`{program}`: {error}"))?;
    let (sender, receiver) = mpsc::channel();
    let stdout = child.stdout.take();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stdout) = stdout {
            // What could be read is enough: the status says whether it went well.
            let _ = stdout.take(MOST).read_to_end(&mut bytes);
        }
        // The receiver is gone only when it stopped waiting.
        let _ = sender.send(bytes);
    });
    let printed = receiver.recv_timeout(limit);
    // One that closed its output has most often ended too; one that has too much to say is stopped in the middle.
    let whole = matches!(&printed, Ok(bytes) if (bytes.len() as u64) < MOST);
    let status =
        if whole { ended(&mut child, limit.saturating_sub(begun.elapsed())) } else { None };
    stop(&mut child);
    match (printed, status) {
        (Ok(_), Some(status)) if !status.success() => {
            Err(format!("`{program}` failed ({status}); what it printed is left out"))
        }
        (Ok(bytes), _) if !whole || status.is_some() => {
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
        _ => Err(format!("`{program}` took longer than {seconds} seconds and was stopped")),
    }
}

/// How it ended, when it does in time.
fn ended(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(None) if begun.elapsed() < limit => std::thread::sleep(Duration::from_millis(2)),
            Ok(status) => return status,
            Err(_) => return None,
        }
    }
}

/// Ends the command and everything it started.
fn stop(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // It may have ended by itself, which is as good.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, seconds: f64) -> Result<String, String> {
        run(&["sh".into(), "-c".into(), script.into()], Path::new("/"), seconds)
    }

    #[test]
    fn what_a_command_prints_comes_back() {
        assert_eq!(sh("printf main", 5.0), Ok("main".to_owned()));
    }

    #[test]
    fn what_a_command_prints_that_fails_is_left_out() {
        let error = sh("echo half; exit 3", 5.0).unwrap_err();
        assert!(error.contains("failed (exit status: 3)"), "{error}");
    }

    #[test]
    fn a_command_that_takes_too_long_is_stopped_with_its_children() {
        let error = sh("sleep 600 & sleep 600", 0.2).unwrap_err();
        assert!(error.contains("took longer than 0.2 seconds"), "{error}");
    }

    #[test]
    fn endless_output_is_cut() {
        assert_eq!(sh("yes", 20.0).map(|text| text.len()), Ok(MOST as usize));
    }
}
