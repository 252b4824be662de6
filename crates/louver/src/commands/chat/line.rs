//! What the person types: an editor with history and completion, or plain lines from a pipe.
//!
//! While a line is being typed other things may happen: a subagent reports, memory was made. The
//! editor is then left, what happened is shown, and the line goes on as it was.

use std::borrow::Cow;
use std::fs::{OpenOptions, Permissions};
use std::io::{self, BufRead as _, IsTerminal};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use louver_agent::agent::{Agent, Inbound};
use louver_store::library::typed;
use reedline::{
    ColumnarMenu, Completer, CompletionResult, EditCommand, Emacs, FileBackedHistory, HistoryItem,
    KeyCode, KeyModifiers, MenuBuilder as _, Prompt, PromptEditMode, PromptHistorySearch,
    PromptHistorySearchStatus, Reedline, ReedlineEvent, ReedlineMenu, Signal, Span, Suggestion,
    default_emacs_keybindings,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::task::JoinHandle;

use super::slash::COMMANDS;

/// How many lines are remembered.
const REMEMBERED: usize = 1_000;

/// What was heard.
pub(super) enum Heard {
    /// A line.
    Said(String),
    /// A subagent is done.
    Report(Box<Inbound>),
    /// Something that the person should know.
    Note(String),
    /// Ctrl-C at the prompt.
    Interrupted,
    /// There will be no more lines.
    End,
}

/// Where lines come from.
pub(super) struct Lines {
    editor: Option<Box<Reedline>>,
    leave: Arc<AtomicBool>,
    /// What was typed when the editor was left.
    typed: String,
}

impl Lines {
    /// Lines of a terminal, whose history is the workspace's, or of a pipe. In company it has none but its own: the
    /// arrow would bring up what the person typed when they were alone.
    pub(super) fn open(workspace: &Path, company: bool) -> Lines {
        let leave = Arc::new(AtomicBool::new(false));
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let editor = terminal.then(|| Box::new(editor(workspace, company, leave.clone())));
        Lines { editor, leave, typed: String::new() }
    }

    /// The next line, or what happens before it is there.
    pub(super) async fn next(
        &mut self,
        agent: &Arc<Agent>,
        memory: &mut Option<JoinHandle<String>>,
    ) -> Heard {
        let editor = self.editor.take();
        let typed = std::mem::take(&mut self.typed);
        let piped = editor.is_none();
        if piped && agent.subagents() > 0 {
            // A pipe cannot be left in the middle: what is to come comes first.
            if let Some(report) = agent.report().await {
                return Heard::Report(Box::new(report));
            }
        }
        let mut reading = tokio::task::spawn_blocking(move || read(editor, &typed));
        let mut happened = None;
        let (editor, read) = loop {
            tokio::select! {
                done = &mut reading => match done {
                    Ok(done) => break done,
                    Err(_) => return Heard::End,
                },
                report = report(agent), if happened.is_none() && !piped => {
                    happened = Some(Heard::Report(Box::new(report)));
                    self.leave.store(true, Ordering::Release);
                }
                told = told(memory), if happened.is_none() => {
                    *memory = None;
                    if told.is_empty() {
                        continue;
                    }
                    if piped {
                        crate::screen::message("note", &told, crate::screen::Tone::Quiet);
                        continue;
                    }
                    happened = Some(Heard::Note(told));
                    self.leave.store(true, Ordering::Release);
                }
            }
        };
        self.editor = editor;
        self.leave.store(false, Ordering::Release);
        match (read, happened) {
            (Read::Left(typed), Some(happened)) => {
                self.typed = typed;
                happened
            }
            // The line was finished in the same moment: what happened is told with it.
            (Read::Line(line), Some(Heard::Note(note))) => {
                crate::screen::message("note", &note, crate::screen::Tone::Quiet);
                Heard::Said(line)
            }
            (Read::Line(line), Some(happened)) => {
                self.typed = line;
                happened
            }
            (Read::Line(line), None) => Heard::Said(line),
            (Read::Left(typed), None) => {
                self.typed = typed;
                Heard::Said(String::new())
            }
            (Read::Interrupted, _) => Heard::Interrupted,
            (Read::End, _) => Heard::End,
        }
    }
}

/// The next report, when there is one to come.
async fn report(agent: &Arc<Agent>) -> Inbound {
    match agent.report().await {
        Some(report) => report,
        None => std::future::pending().await,
    }
}

/// What became of memory that is being made.
async fn told(memory: &mut Option<JoinHandle<String>>) -> String {
    match memory {
        Some(memory) => memory.await.unwrap_or_default(),
        None => std::future::pending().await,
    }
}

enum Read {
    Line(String),
    Left(String),
    Interrupted,
    End,
}

/// Reads one line, on a thread that may wait.
fn read(editor: Option<Box<Reedline>>, typed: &str) -> (Option<Box<Reedline>>, Read) {
    let Some(mut editor) = editor else {
        let mut line = String::new();
        return match io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => (None, Read::End),
            Ok(_) => (None, Read::Line(line.trim_end_matches(['\n', '\r']).to_owned())),
        };
    };
    if typed.is_empty()
        && let Some(read) = waiting()
    {
        if let Read::Line(line) = &read {
            // As the editor would have shown and kept it. Without a history of lines it is still said.
            let _ = crate::screen::print(&format!("you{INDICATOR}{line}\n"));
            let _ = editor.history_mut().save(HistoryItem::from_command_line(line));
            let _ = editor.sync_history();
        }
        return (Some(editor), read);
    }
    if !typed.is_empty() {
        editor.run_edit_commands(&[EditCommand::InsertString(typed.to_owned())]);
    }
    let read = editor.read_line(&Ready);
    // At once, for whom the program is killed. A chat without a history of lines is still a chat.
    let _ = editor.sync_history();
    let read = match read {
        Ok(Signal::Success(line)) => Read::Line(line),
        Ok(Signal::ExternalBreak(typed)) => Read::Left(typed),
        Ok(Signal::CtrlC) => Read::Interrupted,
        Ok(Signal::CtrlD) | Err(_) => Read::End,
        Ok(_) => Read::Line(String::new()),
    };
    (Some(editor), read)
}

/// A line that was typed while nobody listened. The editor would take all of them and keep the first;
/// a terminal that nobody edits gives them one by one.
fn waiting() -> Option<Read> {
    let stdin = io::stdin();
    let ready = poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&Timespec::default()));
    if !matches!(ready, Ok(1)) {
        return None;
    }
    let mut line = String::new();
    Some(match stdin.lock().read_line(&mut line) {
        Ok(0) | Err(_) => Read::End,
        Ok(_) => Read::Line(line.trim_end_matches(['\n', '\r']).to_owned()),
    })
}

fn editor(workspace: &Path, company: bool, leave: Arc<AtomicBool>) -> Reedline {
    let mut keys = default_emacs_keybindings();
    let complete = ReedlineEvent::UntilFound(vec![
        ReedlineEvent::Menu(MENU.to_owned()),
        ReedlineEvent::MenuNext,
    ]);
    keys.add_binding(KeyModifiers::NONE, KeyCode::Tab, complete);
    let new_line = ReedlineEvent::Edit(vec![EditCommand::InsertNewline]);
    keys.add_binding(KeyModifiers::ALT, KeyCode::Enter, new_line);
    let menu = ColumnarMenu::default().with_name(MENU).with_marker(INDICATOR);
    let editor = Reedline::create()
        .with_completer(Box::new(Words))
        .with_menu(ReedlineMenu::EngineCompleter(Box::new(menu)))
        // The only one there is needs no menu.
        .with_quick_completions(true)
        .with_partial_completions(true)
        .with_edit_mode(Box::new(Emacs::new(keys)))
        .with_ansi_colors(std::env::var_os("NO_COLOR").is_none())
        .use_bracketed_paste(true)
        .with_break_signal(leave);
    if company {
        return editor.with_history(Box::new(FileBackedHistory::default()));
    }
    let history = typed(workspace);
    // The editor would let others read it.
    let _ = OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(&history)
        .and_then(|file| file.set_permissions(Permissions::from_mode(0o600)));
    match FileBackedHistory::with_file(REMEMBERED, history) {
        Ok(history) => editor.with_history(Box::new(history)),
        // A chat without a history of lines is still a chat.
        Err(_) => editor,
    }
}

const MENU: &str = "commands";

/// What stands between `you` and the words, also while completions are shown.
const INDICATOR: &str = "› ";

/// Completes commands.
struct Words;

impl Completer for Words {
    fn complete(&mut self, line: &str, at: usize) -> CompletionResult {
        let typed = line.get(..at).unwrap_or_default();
        let found = COMMANDS.iter().filter(|command| {
            typed.starts_with('/') && format!("/{}", command.name).starts_with(typed)
        });
        let suggestion = |command: &super::slash::Command| Suggestion {
            value: format!("/{}", command.name),
            description: Some(command.help.to_owned()),
            span: Span::new(0, at),
            append_whitespace: !command.takes.is_empty(),
            ..Suggestion::default()
        };
        let mut found: Vec<Suggestion> = found.map(suggestion).collect();
        if found.is_empty() {
            // The word itself, which changes nothing: of an empty list the editor would print that it is.
            let (value, span) = (typed.to_owned(), Span::new(0, at));
            found.push(Suggestion { value, span, ..Suggestion::default() });
        }
        CompletionResult::fresh(found)
    }
}

/// The prompt.
struct Ready;

impl Prompt for Ready {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        "you".into()
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        "".into()
    }

    fn render_prompt_indicator(&self, _: PromptEditMode) -> Cow<'_, str> {
        INDICATOR.into()
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        "     ".into()
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        let found = match search.status {
            PromptHistorySearchStatus::Passing => "",
            PromptHistorySearchStatus::Failing => "nothing ",
        };
        format!("({found}found: {}) ", search.term).into()
    }
}
