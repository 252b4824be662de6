//! `louver ask` as a person runs it, against a server on this machine that answers at once: what the
//! whole process takes, and what is sent.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, Result, ensure};
use louver_context::Encoding;
use louver_scripted::{Call, Rule, Script, Scripted, Step, When};
use serde_json::{Value, json};

use crate::child::{RUN, Took, took};
use crate::figures::{Figure, Figures, Target};

/// What is promised of one question.
const CPU: Target = Target::AtMost(40.0);
const MEMORY: Target = Target::AtMost(25.0);
/// And of all that is sent with it.
const TOKENS: Target = Target::AtMost(2000.0);

/// The tool steps of the long turn.
const STEPS: usize = 10;

/// The wires, and a model that speaks each.
const WIRES: [[&str; 2]; 2] = [["openai", "gpt-4o"], ["anthropic", "claude-sonnet-4-5"]];

pub(super) fn measure(figures: &Figures) -> Result<Vec<Figure>> {
    let place = Place::new(&figures.louver)?;
    let runs = figures.runs(30);
    let mut rows = Vec::new();
    let mut plain = None;
    for wire in WIRES {
        let took = place.took(runs, wire, "say ok", &[])?;
        let what = format!("one `louver ask`, {} streamed, whole process", wire[0]);
        rows.push(Figure::new(what, took.cpu, "ms").target(CPU));
        rows.push(Figure::new("… its peak memory", took.memory, "MB").target(MEMORY));
        plain.get_or_insert(took.cpu);
    }
    let whole = place.took(runs, WIRES[0], "say ok", &["--no-stream"])?;
    rows.push(Figure::new("… answered whole", whole.cpu, "ms").target(CPU));
    let long = place.took(runs, WIRES[0], "read the pages", &["--json"])?;
    let step = (long.cpu - plain.unwrap_or_default()) / STEPS as f64;
    rows.push(Figure::new("one more tool step of a turn, of ten", step, "ms"));
    rows.push(Figure::new("… the whole turn's peak memory", long.memory, "MB"));
    rows.extend(place.tokens()?);
    let violations = place.server.violations();
    ensure!(violations.is_empty(), "requests broke rules: {violations:?}");
    Ok(rows)
}

/// A home with workspaces, and the server.
pub(crate) struct Place<'a> {
    louver: &'a Path,
    pub(crate) home: tempfile::TempDir,
    pub(crate) server: Scripted,
}

impl Place<'_> {
    pub(crate) fn new(louver: &Path) -> Result<Place<'_>> {
        let home = tempfile::tempdir()?;
        fs::create_dir(home.path().join("empty"))?;
        let server = Scripted::start(script())?;
        let place = Place { louver, home, server };
        let init = place.command(&["init".into(), place.folder("fresh")])?;
        succeeded(&init)?;
        for page in 1..=STEPS {
            let path = place.home.path().join(format!("fresh/page{page}.md"));
            fs::write(path, format!("{}\nThis is page {page}.\n", "A line of text.\n".repeat(40)))?;
        }
        Ok(place)
    }

    fn folder(&self, name: &str) -> OsString {
        self.home.path().join(name).into()
    }

    /// What asking takes, each time in a session of its own.
    fn took(&self, runs: usize, wire: [&str; 2], said: &str, more: &[&str]) -> Result<Took> {
        // Sessions of one measurement must not be another's.
        let name = [wire[0], more.concat().trim_matches('-'), said].concat().replace(' ', "");
        let mut words = self.ask(wire, said, "fresh", &format!("cli:{name}-{RUN}"));
        words.extend(more.iter().map(Into::into));
        self.took_by(runs, self.louver, &words)
    }

    /// What a program takes in this home.
    pub(crate) fn took_by(&self, runs: usize, program: &Path, words: &[OsString]) -> Result<Took> {
        let mut all: Vec<OsString> = vec!["env".into(), "-i".into()];
        all.extend(self.environment());
        all.push(program.into());
        all.extend_from_slice(words);
        took(runs, &all)
    }

    /// What asking the simplest thing takes.
    pub(crate) fn say_ok(&self, runs: usize) -> Result<Took> {
        self.took(runs, WIRES[0], "say ok", &[])
    }

    fn ask(&self, wire: [&str; 2], said: &str, folder: &str, session: &str) -> Vec<OsString> {
        let mut words: Vec<OsString> =
            ["ask", said, "--session", session, "--url", &self.server.url()]
                .map(Into::into)
                .to_vec();
        words.extend(["--provider", wire[0], "--model", wire[1], "--workspace"].map(Into::into));
        words.push(self.folder(folder));
        words
    }

    /// Nobody's own settings have a part in this.
    fn environment(&self) -> Vec<OsString> {
        let path = std::env::var("PATH").unwrap_or_default();
        let home = self.home.path().display();
        let key = "ANTHROPIC_API_KEY=any".into();
        vec![format!("HOME={home}").into(), format!("PATH={path}").into(), key]
    }

    fn command(&self, words: &[OsString]) -> Result<Output> {
        let mut command = Command::new("env");
        command.arg("-i").args(self.environment()).arg(self.louver).args(words);
        command.stdin(Stdio::null()).output().context("louver cannot be started")
    }

    /// What is sent to have "say ok" answered.
    fn tokens(&self) -> Result<Vec<Figure>> {
        let cases = [
            (
                "\"say ok\", default tools, no skills, fresh workspace",
                "fresh",
                "--no-builtin-skills",
            ),
            ("… with the built-in skills", "fresh", ""),
            ("… in an empty workspace, no skills", "empty", "--no-builtin-skills"),
            ("… and without tools", "empty", "--no-builtin-skills --no-tools"),
        ];
        let mut rows = Vec::new();
        for (i, (what, folder, more)) in cases.into_iter().enumerate() {
            let mut words = self.ask(WIRES[0], "say ok", folder, &format!("cli:tokens-{i}"));
            words.extend(more.split_whitespace().map(Into::into));
            succeeded(&self.command(&words)?)?;
            let row = Figure::new(what, self.sent()?, "tokens");
            rows.push(if i < 2 { row.target(TOKENS) } else { row });
        }
        Ok(rows)
    }

    /// The tokens of the newest request.
    pub(crate) fn sent(&self) -> Result<f64> {
        let requests = self.server.requests();
        let newest = requests.last().context("nothing was asked")?;
        Ok(f64::from(tokens(&newest.body)))
    }
}

fn succeeded(output: &Output) -> Result<()> {
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "louver failed: {}", said.trim());
    Ok(())
}

/// The tokens of a request for a chat completion: o200k for every text, each tool as the JSON it is,
/// and four for each message around it.
fn tokens(body: &Value) -> u32 {
    let count = |text: &str| Encoding::O200k.count(text).0;
    let list = |key: &str| body[key].as_array().into_iter().flatten();
    let tools: u32 = list("tools").map(|tool| count(&tool["function"].to_string())).sum();
    let texts = |message: &Value| match &message["content"] {
        Value::String(text) => count(text),
        parts => {
            let texts = parts.as_array().into_iter().flatten();
            texts.filter_map(|part| part["text"].as_str()).map(count).sum()
        }
    };
    tools + list("messages").map(|message| texts(message) + 4).sum::<u32>()
}

/// Says ok; reads ten pages one after the other when it is asked to.
fn script() -> Script {
    let read = |page: usize| Step {
        calls: vec![Call {
            name: "read_file".into(),
            arguments: json!({"path": format!("page{page}.md")}),
            id: None,
        }],
        ..Step::default()
    };
    let pages = |tool: Option<String>, answer: Step| Rule {
        when: When { user: Some("read the pages".into()), tool, ..When::default() },
        times: None,
        answer,
    };
    let mut rules = vec![pages(None, read(1))];
    for page in 1..=STEPS {
        let answer = if page < STEPS { read(page + 1) } else { Step::says("All pages are read.") };
        rules.push(pages(Some(format!("This is page {page}.")), answer));
    }
    Script { rules, ..Script::default() }
}
