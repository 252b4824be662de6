//! `louver count`: the tokens of files or of stdin.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use louver_context::{Counter, Counting, Encoding, Tokens};
use serde_json::json;

use crate::cli::Shared;
use crate::error::{Failure, warn};
use crate::{config, screen, wiring};

/// Count the tokens of files or of stdin.
#[derive(Debug, Args)]
pub(crate) struct CountArgs {
    /// Files; `-` or none reads stdin
    files: Vec<PathBuf>,
    /// Count with this vocabulary instead of the model's (o200k_base, cl100k_base, qwen2, …)
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was counted of one file.
struct Counted {
    name: String,
    bytes: usize,
    tokens: Tokens,
}

pub(crate) fn run(shared: &Shared, args: &CountArgs) -> Result<ExitCode, Failure> {
    let counting = counting(shared, args)?;
    let counter = Counter::new(counting);
    let stdin = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files };
    let mut counted = Vec::new();
    let mut failed = false;
    for path in files {
        match read(path) {
            Ok(text) => counted.push(Counted {
                name: path.display().to_string(),
                bytes: text.len(),
                tokens: counter.count(&text),
            }),
            Err(error) => {
                failed = true;
                screen::message("error", &format!("{error:#}"), screen::Tone::Bad);
            }
        }
    }
    let text = if args.json { as_json(&counted, counting) } else { as_table(&counted) };
    screen::print(&text)?;
    Ok(if failed { crate::error::Code::Failed.into() } else { ExitCode::SUCCESS })
}

fn counting(shared: &Shared, args: &CountArgs) -> Result<Counting, Failure> {
    if let Some(name) = &args.encoding {
        let encoding = Encoding::from_name(name).ok_or_else(|| wiring::unknown_encoding(name))?;
        return Ok(Counting::Exact(encoding));
    }
    let mut problems = Vec::new();
    let own = config::own(&mut problems)?;
    let model = wiring::model(shared, &own, &mut problems)?;
    warn(&problems);
    Ok(model.counting)
}

fn read(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).context("stdin")?;
    } else {
        let shown = || path.display().to_string();
        let kind = std::fs::metadata(path).with_context(shown)?;
        anyhow::ensure!(!kind.is_dir(), "{}: it is a folder, not a file", path.display());
        File::open(path).with_context(shown)?.read_to_end(&mut bytes).with_context(shown)?;
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

fn as_table(counted: &[Counted]) -> String {
    let mut table = String::new();
    let mut row = |tokens: Tokens, name: &str| {
        table.push_str(&format!("{:>10}  {name}\n", screen::number(tokens.0)));
    };
    if let [one] = counted {
        return format!("{}\n", one.tokens);
    }
    counted.iter().for_each(|file| row(file.tokens, &file.name));
    row(counted.iter().map(|file| file.tokens).sum(), "in all");
    table
}

fn as_json(counted: &[Counted], counting: Counting) -> String {
    let (encoding, estimated) = match counting {
        Counting::Exact(encoding) => (encoding.name(), false),
        Counting::Estimate { by, .. } => (by.name(), true),
        Counting::Words => ("words", false),
    };
    let files: Vec<_> = counted
        .iter()
        .map(|file| json!({"file": file.name, "bytes": file.bytes, "tokens": file.tokens.0}))
        .collect();
    let tokens: u32 = counted.iter().map(|file| file.tokens.0).sum();
    json!({"encoding": encoding, "estimated": estimated, "tokens": tokens, "files": files})
        .to_string()
}
