//! Sessions on the disk: appending, opening, listing, and what a turn writes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs};

use anyhow::{Result, bail, ensure};
use clap::Args;
use louver_context::render::openai::stored;
use louver_context::{Content, Message, Role, ToolCall};
use louver_store::Conversation;
use louver_store::session::{Durability, Event, Mode, Output, Reply, Session, Sessions, Usage};

use crate::clock::{Times, timed, times};
use crate::figures::turn::{WIDE, builder, turn};
use crate::figures::{Figure, Figures, Target};
use crate::generate::{self, Talk, Words};

const KEY: &str = "cli:direct";

/// The messages of a long session. Its log has 28 MB.
const LONG: usize = 50_000;

/// Opens a session in a new process.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The workspace.
    folder: PathBuf,
    /// How many messages must be seen.
    messages: usize,
}

impl Replay {
    /// Prints the CPU milliseconds until the view is there. Nothing was read or allocated before.
    pub(crate) fn run(&self) -> Result<()> {
        let (opened, took) = timed(|| {
            let (session, problems) = Session::open(&self.folder, KEY, Mode::Read)?;
            let (view, _) = session.view();
            anyhow::Ok((session, problems, view))
        });
        let (_session, problems, view) = opened?;
        ensure!(view.messages.len() == self.messages && problems.is_empty(), "it is not whole");
        println!("{took}");
        Ok(())
    }
}

pub(super) fn measure(figures: &Figures) -> Result<Vec<Figure>> {
    let long = tempfile::tempdir()?;
    generate::session(long.path(), KEY, LONG, Talk::Prose)?;
    let replay = replay(long.path(), LONG, figures.runs(30))?;
    let size = written(long.path())? as f64 / 1e6;
    let code = tempfile::tempdir()?;
    generate::session(code.path(), KEY, LONG, Talk::Code)?;
    let escaped = self::replay(code.path(), LONG, figures.runs(30))?;
    let (empty, count) = (tempfile::tempdir()?, figures.runs(5_000));
    let (at_end, at_start) = (append(long.path(), count)?, append(empty.path(), count)?);
    let ratio = at_end.median / at_start.median;
    let listed = list(figures.runs(30))?;
    let to_log = "one event appended, 50,000 messages, no fsync, wall";
    let opened = "open and replay 50,000 messages, new process";
    Ok(vec![
        row(to_log, at_end, "µs").target(Target::AtMost(50.0)),
        row("… to an empty session", at_start, "µs"),
        Figure::new("… the long one over the empty one", ratio, "×"),
        row(opened, replay, "ms").target(Target::AtMost(40.0)),
        Figure::new("… the log's size", size, "MB"),
        row("… with code and scripts in every message", escaped, "ms"),
        row("list 1,000 sessions", listed, "ms").target(Target::AtMost(20.0)),
    ])
}

fn row(what: &str, times: Times, unit: &'static str) -> Figure {
    Figure::new(what, times.median, unit).p99(times.p99)
}

/// An event of the usual size.
fn reply(session: &Session) -> Result<Event> {
    let message = session.keep(&answer(&mut Words::new(17)))?;
    Ok(Event::Reply(Reply { message, ..Reply::default() }))
}

fn append(workspace: &Path, runs: usize) -> Result<Times> {
    let (mut session, _) = Session::open(workspace, KEY, Mode::Write)?;
    let reply = reply(&session)?;
    let mut all = Vec::with_capacity(runs);
    for _ in 0..runs {
        let start = Instant::now();
        session.append(&reply, Durability::Process)?;
        all.push(start.elapsed().as_secs_f64() * 1e6);
    }
    Ok(times(all))
}

/// The CPU milliseconds of adding one message to a session of so many, and of opening it in a new
/// process.
pub(crate) fn save_and_open(messages: usize) -> Result<(f64, f64)> {
    let workspace = tempfile::tempdir()?;
    generate::session(workspace.path(), KEY, messages, Talk::Prose)?;
    let opened = replay(workspace.path(), messages, 10)?;
    let (mut session, _) = Session::open(workspace.path(), KEY, Mode::Write)?;
    let reply = reply(&session)?;
    let runs = 1_000;
    let append = |_| session.append(&reply, Durability::Process).map(drop);
    let (appended, took) = timed(|| (0..runs).try_for_each(append));
    appended?;
    Ok((took / f64::from(runs), opened.median))
}

fn replay(workspace: &Path, messages: usize, runs: usize) -> Result<Times> {
    let words: [OsString; 3] = ["replay".into(), workspace.into(), messages.to_string().into()];
    let mut all = Vec::with_capacity(runs);
    for _ in 0..runs {
        let mut child = Command::new(env::current_exe()?);
        let output = child.args(&words).stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            bail!("the session could not be opened");
        }
        all.push(String::from_utf8(output.stdout)?.trim().parse()?);
    }
    Ok(times(all))
}

fn list(runs: usize) -> Result<Times> {
    let workspace = tempfile::tempdir()?;
    for number in 0..1_000 {
        let key = format!("telegram:{number}");
        generate::session(workspace.path(), &key, 20 + number % 30, Talk::Prose)?;
    }
    let mut all = Vec::with_capacity(runs);
    for _ in 0..runs {
        let ((found, problems), took) = timed(|| Sessions::list(workspace.path()));
        ensure!((found.len(), problems.len()) == (1_000, 0), "not all sessions are listed");
        all.push(took);
    }
    Ok(times(all))
}

/// The tool steps of the turn that is weighed.
const STEPS: usize = 10;

pub(super) fn measure_turns(figures: &Figures) -> Result<Vec<Figure>> {
    let workspace = tempfile::tempdir()?;
    generate::workspace(workspace.path(), 100)?;
    generate::session(workspace.path(), KEY, 500, Talk::Prose)?;
    let mut builder = builder(workspace.path(), WIDE)?;
    let (mut conversation, _) = Conversation::open(workspace.path(), KEY)?;
    let mut words = Words::new(19);
    // The first turn begins an epoch: the prefix is written once, and is not this turn's.
    conversation.begin(&mut builder, &turn(&[], &mut words))?;
    conversation.replied(&answer(&mut words), None, None)?;

    let before = written(workspace.path())?;
    let next = turn(&[], &mut words);
    let ready = conversation.begin(&mut builder, &next)?;
    ensure!(!ready.begins_epoch(), "the turn should go on with the epoch");
    let prompt = &ready.context.prompt;
    let mut events = next.message.len();
    events += prompt.messages[prompt.history..].iter().map(|sent| weight(sent)).sum::<usize>();
    for step in 0..STEPS {
        let id = format!("call_{step:06}");
        let asks = asks(&id, &mut words);
        conversation.replied(&asks, None, None)?;
        let result = conversation.result(
            &id,
            "read_file",
            &Output { words: &words.paragraph(30), ..Output::default() },
        )?;
        events += weight(&asks) + weight(&result);
    }
    let answered = answer(&mut words);
    conversation.replied(&answered, None, None)?;
    conversation.end(Usage { model: "gpt-4o".into(), ..Usage::default() })?;
    events += weight(&answered);
    let grown = written(workspace.path())? - before;

    let mut all = Vec::new();
    for _ in 0..figures.runs(100) {
        let turn = turn(&[], &mut words);
        let (ready, took) = timed(|| conversation.begin(&mut builder, &turn));
        ready?;
        conversation.replied(&answer(&mut words), None, None)?;
        all.push(took);
    }
    let what = "written over events, a turn with 10 tool steps";
    let share = Figure::new(what, grown as f64 / events as f64, "×");
    Ok(vec![
        share.target(Target::AtMost(3.0)),
        Figure::new("… bytes written", grown as f64 / 1e3, "KB"),
        row("a turn begun in a session of 500 messages, warm", times(all), "ms"),
    ])
}

/// What a message weighs, as the JSON that a provider gets.
fn weight(message: &Message) -> usize {
    stored(message).to_string().len()
}

fn answer(words: &mut Words) -> Message {
    Message::text(Role::Assistant, words.paragraph(7))
}

fn asks(id: &str, words: &mut Words) -> Message {
    let mut message = Message::new(Role::Assistant, Content::Null);
    message.calls.push(ToolCall {
        id: id.into(),
        name: "read_file".into(),
        arguments: serde_json::json!({"path": words.sentence()}).to_string().into(),
        extra: Default::default(),
    });
    message
}

/// How many bytes a workspace's sessions have on the disk, blobs and all. Nothing there is ever
/// rewritten, so what it grows by is what was written.
fn written(workspace: &Path) -> Result<u64> {
    size(&workspace.join(".louver/sessions"))
}

fn size(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let data = entry.metadata()?;
        sum += if data.is_dir() { size(&entry.path())? } else { data.len() };
    }
    Ok(sum)
}
