//! What is left when louver itself is killed: nothing that it started.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod sandbox;

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use louver_scripted::{Script, Scripted};
use sandbox::Sandbox;
use serde_json::json;

/// The processes that have this argument.
fn running(argument: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines
        .filter(|line| line.split(|byte| *byte == 0).any(|part| part == argument.as_bytes()))
        .count()
}

/// Waits until so many processes have this argument.
fn until(argument: &str, wanted: usize) {
    let given_up = Instant::now() + Duration::from_secs(60);
    while running(argument) != wanted {
        assert!(Instant::now() < given_up, "{} of {wanted} run", running(argument));
        std::thread::yield_now();
    }
}

#[test]
fn a_command_does_not_outlive_a_louver_that_is_killed() {
    // A fraction that tells these from all others.
    let nap = format!("1777.{}", std::process::id());
    let command =
        "NAP & /usr/bin/setsid NAP & /usr/bin/env -i /usr/bin/setsid NAP & (NAP; echo); NAP";
    let command = command.replace("NAP", &format!("/bin/sleep {nap}"));
    let call =
        json!({"calls": [{"name": "exec", "arguments": {"command": command, "timeout": 600}}]});
    let server =
        Scripted::start(Script::from_value(json!({"rules": [{"answer": call}]})).unwrap()).unwrap();
    let sandbox = Sandbox::new()
        .with("LOUVER_PROVIDER", "openai")
        .with("LOUVER_URL", &format!("{}/v1", server.url()));
    let workspace = sandbox.workspace(&[("AGENTS.md", "Be brief.")]);
    for confine in ["auto", "off"] {
        sandbox.config(&format!("[tools.exec]\nsandbox = \"{confine}\"\n"));
        let mut louver = Command::new(env!("CARGO_BIN_EXE_louver"))
            .args(["ask", "-w", &workspace, "--allow", "exec", "Sleep well."])
            .env_clear()
            .envs(sandbox.env())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Three in the background and the first of those it waits for.
        until(&nap, 4);
        louver.kill().unwrap();
        louver.wait().unwrap();
        until(&nap, 0);
    }
}
