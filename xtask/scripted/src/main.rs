//! The scripted model server as a program, for demonstrations and for tests of other programs.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it is a command line tool, and its address is its result"
)]

use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use louver_scripted::{Options, Script, Scripted};

const USAGE: &str = "usage: louver-scripted --script FILE [--port N] [--log FILE]";

/// What was asked for on the command line.
#[derive(Default)]
struct Words {
    script: PathBuf,
    port: u16,
    log: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let words = words(std::env::args().skip(1))?;
    let shown = words.script.display();
    let text = fs::read_to_string(&words.script).map_err(|error| format!("{shown}: {error}"))?;
    let script = Script::from_json(&text).map_err(|error| format!("{shown}: {error}"))?;
    let log = words.log.as_deref().map(|path| File::options().create(true).append(true).open(path));
    let options = Options { port: words.port, log: log.transpose()? };
    let server = Scripted::start_with(script, options)?;
    println!("{}", server.url());
    // Whoever started this holds the other end: it never outlives them.
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(())
}

fn words(mut given: impl Iterator<Item = String>) -> Result<Words, String> {
    let mut words = Words::default();
    while let Some(name) = given.next() {
        let value = given.next().ok_or(USAGE)?;
        match name.as_str() {
            "--script" => words.script = value.into(),
            "--port" => words.port = value.parse().map_err(|_| USAGE)?,
            "--log" => words.log = Some(value.into()),
            _ => return Err(USAGE.into()),
        }
    }
    if words.script.as_os_str().is_empty() { Err(USAGE.into()) } else { Ok(words) }
}
