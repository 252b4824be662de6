//! louver and nanobot, side by side: the same workspaces, the same history, one run.
//!
//! nanobot is measured by a script in its own Python, with Python's own CPU clock. What it builds
//! is less: no token counts, no account of what was left out.

mod table;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use clap::Args;
use louver_context::Encoding;
use serde_json::{Value, json};

use crate::child::{RUN, took};
use crate::figures::ask::Place;
use crate::figures::count::megabytes_per_second;
use crate::figures::session;
use crate::figures::turn::{WIDE, warm};
use crate::generate::{self, Words, mixed};
use table::{Row, Table};

const SCRIPT: &str = include_str!("nanobot.py");

/// Where both are, and how to show it.
#[derive(Debug, Args)]
pub(crate) struct Peers {
    /// louver as it ships.
    #[arg(long)]
    louver: PathBuf,
    /// A Python that has nanobot.
    #[arg(long)]
    python: PathBuf,
    /// Print JSON instead of a Markdown table.
    #[arg(long)]
    json: bool,
    /// Leave out what takes nanobot most of a minute.
    #[arg(long)]
    quick: bool,
}

impl Peers {
    pub(crate) fn run(&self) -> Result<()> {
        let mut rows = Vec::new();
        for (skills, runs) in [(100, 5), (1000, 1)] {
            if skills == 1000 && self.quick {
                continue;
            }
            rows.push(self.turn(skills, runs)?);
        }
        for messages in [5_000, 50_000] {
            rows.extend(self.session(messages)?);
        }
        rows.extend(self.start()?);
        rows.extend(self.one_shot()?);
        rows.push(self.count()?);
        rows.extend(self.size()?);
        let version = self.ask(&["version".into()])?;
        let nanobot = version["version"].as_str().unwrap_or("unknown").to_owned();
        let python = version["python"].as_str().unwrap_or("unknown").to_owned();
        let table = Table { louver: env!("CARGO_PKG_VERSION").to_owned(), nanobot, python, rows };
        if self.json {
            println!("{}", serde_json::to_string_pretty(&table)?);
        } else {
            println!("{table}");
        }
        Ok(())
    }

    /// The context of a warm turn.
    fn turn(&self, skills: usize, runs: usize) -> Result<Row> {
        let folder = tempfile::tempdir()?;
        let history = generate::messages(&generate::workspace(folder.path(), skills)?)?;
        let ours = warm(folder.path(), WIDE, &history, 100)?.median;
        let args = ["turn".into(), folder.path().into(), runs.to_string().into()];
        let theirs = self.ask(&args)?["median_ms"].as_f64();
        let what = format!("context of a warm turn, {skills} skills, 500 messages, CPU");
        Ok(Row::new(what, "ms", ours, theirs))
    }

    /// One more message in a session on the disk, and the session read again.
    fn session(&self, messages: usize) -> Result<Vec<Row>> {
        let folder = tempfile::tempdir()?;
        generate::workspace(folder.path(), 0)?;
        let args = ["session".into(), folder.path().into(), messages.to_string().into()];
        let theirs = self.ask(&args)?;
        let (save, open) = session::save_and_open(messages)?;
        let what = |doing: &str| format!("{doing} a session of {messages} messages, CPU");
        Ok(vec![
            Row::new(what("adding a message to"), "ms", save, theirs["save_ms"].as_f64()),
            Row::new(what("opening"), "ms", open, theirs["load_ms"].as_f64()),
        ])
    }

    /// Starting the program, doing next to nothing, ending.
    fn start(&self) -> Result<Vec<Row>> {
        let ours = took(10, &[self.louver.clone().into(), "--version".into()])?;
        let theirs = took(5, &[self.nanobot().into(), "--version".into()])?;
        Ok(vec![
            Row::new("`--version`, CPU", "ms", ours.cpu, Some(theirs.cpu)),
            Row::new("`--version`, peak memory", "MB", ours.memory, Some(theirs.memory)),
        ])
    }

    /// One question with the tools that each brings, to a server that answers at once.
    fn one_shot(&self) -> Result<Vec<Row>> {
        let place = Place::new(&self.louver)?;
        let ours = place.say_ok(10)?;
        let our_tokens = place.sent()?;
        let settings = json!({
            "agents": {"defaults": {
                "workspace": place.home.path().join("theirs"),
                "model": "gpt-4o",
                "provider": "custom",
            }},
            "providers": {"custom": {
                "apiKey": "any",
                "apiBase": format!("{}/v1", place.server.url()),
            }},
        });
        let folder = place.home.path().join(".nanobot");
        fs::create_dir(&folder)?;
        fs::write(folder.join("config.json"), settings.to_string())?;
        let words = |session: &str| ["agent", "-m", "say ok", "-s", session].map(OsString::from);
        // The first run makes the workspace.
        place.took_by(1, &self.nanobot(), &words("cli:first"))?;
        let theirs = place.took_by(5, &self.nanobot(), &words(&format!("cli:{RUN}")))?;
        let their_tokens = place.sent()?;
        let what = |of: &str| format!("one question answered on loopback, {of}");
        Ok(vec![
            Row::new(what("CPU"), "ms", ours.cpu, Some(theirs.cpu)),
            Row::new(what("peak memory"), "MB", ours.memory, Some(theirs.memory)),
            Row::new("tokens sent for \"say ok\"", "tokens", our_tokens, Some(their_tokens)),
        ])
    }

    /// Counting tokens. nanobot's vocabulary is downloaded when it is first used.
    fn count(&self) -> Result<Row> {
        let text = mixed(2_000_000, &mut Words::new(5));
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("mixed.txt");
        fs::write(&path, &text)?;
        let theirs = self.ask(&["count".into(), path.into()])?["mb_per_s"].as_f64();
        let ours = megabytes_per_second(Encoding::O200k, &text, 10);
        let row = Row::new("counting o200k tokens of mixed text", "MB/s", ours, theirs);
        Ok(Row { more_is_better: true, ..row })
    }

    /// What has to be on the disk, and what it takes to get it there.
    fn size(&self) -> Result<Vec<Row>> {
        let ours = fs::metadata(&self.louver)?.len() as f64 / 1e6;
        let site = self.ask(&["size".into()])?["mb"].as_f64();
        let mut rows = vec![Row::new("installed, without Python", "MB", ours, site)];
        if !self.quick {
            let (ours, theirs) = (self.build()?, self.install()?);
            rows.push(Row::new("installing it, CPU", "s", ours, Some(theirs)));
        }
        Ok(rows)
    }

    /// Building louver from nothing but downloaded sources, in CPU seconds.
    fn build(&self) -> Result<f64> {
        let folder = tempfile::tempdir()?;
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
        let words: [OsString; 10] = [
            cargo,
            "build".into(),
            "--quiet".into(),
            "--release".into(),
            "--locked".into(),
            "--package=louver".into(),
            "--manifest-path".into(),
            manifest.into(),
            "--target-dir".into(),
            folder.path().into(),
        ];
        Ok(took(1, &words)?.cpu / 1e3)
    }

    /// Installing nanobot into a new virtual environment, in CPU seconds.
    fn install(&self) -> Result<f64> {
        let folder = tempfile::tempdir()?;
        let python: OsString = self.python.clone().into();
        let words = |words: &[&str]| -> Vec<OsString> { words.iter().map(Into::into).collect() };
        let mut venv = vec![python];
        venv.extend(words(&["-m", "venv"]));
        venv.push(folder.path().into());
        let made = took(1, &venv)?;
        let mut pip = vec![folder.path().join("bin/python").into()];
        pip.extend(words(&["-m", "pip", "install", "--quiet", "nanobot-ai"]));
        Ok((made.cpu + took(1, &pip)?.cpu) / 1e3)
    }

    fn nanobot(&self) -> PathBuf {
        self.python.with_file_name("nanobot")
    }

    /// Has the script measure something, and gives what it found.
    fn ask(&self, args: &[OsString]) -> Result<Value> {
        let home = tempfile::tempdir()?;
        let output = Command::new(&self.python)
            .args(["-c", SCRIPT])
            .args(args)
            // Whatever it writes to its home is no part of anybody's.
            .env("HOME", home.path())
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("cannot start {}", self.python.display()))?;
        if !output.status.success() {
            bail!("nanobot could not be measured: {}", output.status);
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let last = text.lines().last().unwrap_or_default();
        serde_json::from_str(last).with_context(|| format!("the script said {last:?}"))
    }
}
