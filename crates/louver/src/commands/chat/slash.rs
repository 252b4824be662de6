//! Commands inside a chat: one line each in [`COMMANDS`].

use std::future::Future;
use std::pin::Pin;

use jiff::Zoned;
use louver_agent::consolidation::{How, Memorised, NotMemorised};
use louver_agent::http::Sender;
use louver_context::Role;
use louver_store::memory::Memory;
use louver_store::session::Durability;
use louver_store::session::event::{Event, Note};
use louver_store::{Turn, TurnError};

use super::Chat;
use crate::cli::Shared;
use crate::commands::{self, recall::RecallArgs};
use crate::error::{meant, warn};
use crate::screen::{self, Tone};
use crate::{assistant, brain, remember, table, talk, took, wiring};

/// What comes after a command.
pub(super) enum Next {
    Go,
    Leave,
}

type Done<'a> = Pin<Box<dyn Future<Output = Next> + 'a>>;

/// A command.
pub(super) struct Command {
    pub(super) name: &'static str,
    /// What it takes, for `/help`.
    pub(super) takes: &'static str,
    pub(super) help: &'static str,
    run: for<'a> fn(&'a mut Chat<'_>, &'a str) -> Done<'a>,
}

/// All of them, in the order of `/help`.
pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "help",
        takes: "",
        help: "these commands",
        run: |chat, _| Box::pin(help(chat)),
    },
    Command {
        name: "new",
        takes: "[force]",
        help: "begin anew; memory is made of this conversation first",
        run: |chat, rest| Box::pin(new(chat, rest)),
    },
    Command {
        name: "stop",
        takes: "",
        help: "stop subagents (Ctrl-C stops a turn)",
        run: |chat, _| Box::pin(stop(chat)),
    },
    Command {
        name: "status",
        takes: "",
        help: "model, window, cost, servers",
        run: |chat, _| Box::pin(status(chat)),
    },
    Command {
        name: "context",
        takes: "[MESSAGE]",
        help: "what would be sent now, part by part",
        run: |chat, rest| Box::pin(context(chat, rest)),
    },
    Command {
        name: "recall",
        takes: "QUESTION",
        help: "what is found for it in all that was said, and why",
        run: |chat, rest| Box::pin(recall(chat, rest)),
    },
    Command {
        name: "compact",
        takes: "",
        help: "make memory of all but the last exchange now",
        run: |chat, _| Box::pin(compact(chat)),
    },
    Command {
        name: "model",
        takes: "[NAME]",
        help: "go on with another model, or list what the server has",
        run: |chat, rest| Box::pin(model(chat, rest)),
    },
    Command {
        name: "memory",
        takes: "",
        help: "what the agent remembers",
        run: |chat, _| Box::pin(memory(chat)),
    },
    Command {
        name: "skills",
        takes: "[NAME]",
        help: "list skills, or bring one in whole with your next message",
        run: |chat, rest| Box::pin(skills(chat, rest)),
    },
    Command {
        name: "undo",
        takes: "",
        help: "take the last exchange back",
        run: |chat, _| Box::pin(undo(chat)),
    },
    Command { name: "quit", takes: "", help: "leave", run: |_, _| Box::pin(async { Next::Leave }) },
];

/// A command as it was typed.
pub(super) enum Typed<'a> {
    Known(&'static Command, &'a str),
    Unknown(&'a str),
}

/// The command in a line, when it is one. A path such as `/etc/hosts is odd` is not.
pub(super) fn of(line: &str) -> Option<Typed<'_>> {
    let line = line.trim().strip_prefix('/')?;
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphabetic()) {
        return None;
    }
    let name = if name == "exit" { "quit" } else { name };
    Some(match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => Typed::Known(command, rest.trim()),
        None => Typed::Unknown(name),
    })
}

impl Typed<'_> {
    pub(super) async fn run(self, chat: &mut Chat<'_>) -> Next {
        match self {
            Typed::Known(command, rest) if command.takes.is_empty() && !rest.is_empty() => {
                bad(&format!("/{} takes nothing after it; nothing was done", command.name));
                Next::Go
            }
            Typed::Known(command, rest) => (command.run)(chat, rest).await,
            Typed::Unknown(name) => {
                let known = meant(name, COMMANDS.iter().map(|command| command.name));
                let hint = match (name, known) {
                    ("forget", _) => {
                        "`louver recall --forget NOTE` forgets one, and so may the agent".into()
                    }
                    (_, Some(known)) => format!("did you mean /{known}?"),
                    (_, None) => "/help lists all".into(),
                };
                bad(&format!("there is no command /{name}; {hint}"));
                Next::Go
            }
        }
    }
}

fn say(text: &str) {
    // When stdout is gone the next line ends the chat.
    let _ = screen::print(text);
}

fn note(text: &str) {
    screen::message("note", text, Tone::Quiet);
}

fn bad(text: &str) {
    screen::message("error", text, Tone::Bad);
}

async fn help(_: &mut Chat<'_>) -> Next {
    for Command { name, takes, help, .. } in COMMANDS {
        say(&format!("{:<20} {help}", format!("/{name} {takes}")));
    }
    say("Alt-Enter begins a new line, Tab completes, Ctrl-C stops the turn, Ctrl-D leaves.");
    Next::Go
}

async fn new(chat: &mut Chat<'_>, rest: &str) -> Next {
    match rest {
        "" => {}
        "force" => return clear(chat).await,
        _ => {
            bad("/new takes nothing but `force` after it; nothing was done");
            return Next::Go;
        }
    }
    match consolidate(chat, How::All).await {
        // What was said in company is in view, and no memory is made of it.
        Ok(None) => return clear(chat).await,
        Ok(Some(memorised)) => note(&remember::told(&memorised)),
        Err(error) => bad(&format!(
            "no memory could be made of this conversation, so it is kept: {error}; `/new force` begins anew all the same"
        )),
    }
    Next::Go
}

/// Makes memory because the person says so.
async fn consolidate(chat: &mut Chat<'_>, how: How) -> Result<Option<Memorised>, NotMemorised> {
    if chat.is_remembering() {
        note("memory is being made already; this waits for it");
    }
    // What became of it is told before what becomes of the rest.
    chat.remembered().await;
    let made = chat.hired.agent.consolidate(&chat.session, chat.args.agent.others, how);
    remember::patiently(made, "making memory of this conversation; Ctrl-C stops it").await
}

/// Begins anew without a word about what was.
async fn clear(chat: &mut Chat<'_>) -> Next {
    let agent = &chat.hired.agent;
    match agent.with_session(&chat.session, |conversation, _| conversation.clear()).await {
        Ok(Ok(0)) => note("this conversation is new"),
        Ok(Ok(messages)) => {
            note(&format!("{messages} messages left the view; they stay in the log"))
        }
        Ok(Err(error)) => bad(&error.to_string()),
        Err(error) => bad(&error.to_string()),
    }
    Next::Go
}

async fn stop(chat: &mut Chat<'_>) -> Next {
    match chat.hired.agent.subagents() {
        0 => note("nothing is running"),
        running => {
            chat.hired.agent.stop_subagents();
            note(&format!("stopping {}", screen::count(running, "subagent")));
        }
    }
    Next::Go
}

async fn status(chat: &mut Chat<'_>) -> Next {
    let agent = &chat.hired.agent;
    let brain = agent.brain();
    say(&format!("model      {} at {}", brain.model.name, brain.endpoint.place()));
    say(&format!("session    {}", chat.session));
    say(&format!("workspace  {}", chat.hired.path.display()));
    if let Some(status) = &chat.status {
        say(&format!("last turn  {status}"));
    }
    say(&format!("this chat  {}", took::spent(&agent.spent())));
    // It names other sessions.
    if !chat.is_in_company() {
        let path = &chat.hired.path;
        for line in remember::being_made(path).into_iter().chain(remember::waits(path)) {
            say(&format!("memory     {line}"));
        }
    }
    if agent.subagents() > 0 {
        say(&format!("subagents  {}", agent.subagents()));
    }
    for server in agent.servers().into_iter().flat_map(|servers| servers.status()) {
        let error = server.last_error.map_or_else(String::new, |error| format!(": {error}"));
        let tools = screen::count(server.tools.len() as u64, "tool");
        say(&format!("mcp        {} {}, {tools}{error}", server.name, server.state));
    }
    Next::Go
}

async fn context(chat: &mut Chat<'_>, rest: &str) -> Next {
    let (ears, _) = tokio::sync::mpsc::unbounded_channel();
    let tools = chat.hired.agent.tools(&ears).await.schemas();
    let (channel, direct) = chat.session.split_once(':').unwrap_or(("cli", &chat.session));
    let turn = Turn {
        message: rest.to_owned(),
        channel: Some(channel.to_owned()),
        chat: Some(direct.to_owned()),
        now: Some(Zoned::now()),
        skills: chat.skills.clone(),
        others: chat.is_in_company(),
        tools,
        ..Turn::default()
    };
    let previewed = chat
        .hired
        .agent
        .with_session(&chat.session, |conversation, builder| conversation.preview(builder, &turn));
    match previewed.await {
        Ok(Ok(ready)) => {
            warn(&ready.problems);
            let table = table::ledger(&ready.context.ledger, screen::width(), screen::colour());
            let _ = screen::print_toned(&table);
        }
        Ok(Err(TurnError::DoesNotFit(error))) => bad(&format!("{error}; {}", error.hint())),
        Ok(Err(error)) => bad(&error.to_string()),
        Err(error) => bad(&error.to_string()),
    }
    Next::Go
}

async fn recall(chat: &mut Chat<'_>, rest: &str) -> Next {
    if rest.is_empty() {
        bad("/recall takes a question after it");
        return Next::Go;
    }
    let args = RecallArgs::explained(rest, &chat.session, chat.is_in_company());
    let shared = chat.shared.clone();
    // It may wait for a sentence model, with a runtime of its own.
    let done = tokio::task::spawn_blocking(move || commands::recall::run(&shared, &args)).await;
    if let Ok(Err(failure)) = done {
        let _ = failure.report();
    }
    Next::Go
}

async fn compact(chat: &mut Chat<'_>) -> Next {
    match consolidate(chat, How::Now).await {
        Ok(None) => note("there is nothing to make memory of but the last exchange"),
        Ok(Some(memorised)) => note(&remember::told(&memorised)),
        Err(error) => bad(&format!("nothing changed: {error}")),
    }
    Next::Go
}

async fn model(chat: &mut Chat<'_>, rest: &str) -> Next {
    if rest.is_empty() {
        let brain = chat.hired.agent.brain();
        say(&format!("{} at {}", brain.model.name, brain.endpoint.place()));
        match Sender::new().models(&brain.endpoint).await {
            Ok(models) => models.iter().for_each(|model| say(&format!("  {model}"))),
            Err(error) => note(&format!("the server does not list its models: {error}")),
        }
        return Next::Go;
    }
    let shared = Shared { model: Some(rest.to_owned()), ..chat.shared.clone() };
    match other_model(chat, &shared) {
        Ok(text) => {
            chat.shared = shared;
            note(&text);
        }
        Err(failure) => drop(failure.report()),
    }
    Next::Go
}

fn other_model(chat: &Chat<'_>, shared: &Shared) -> Result<String, crate::error::Failure> {
    let mut problems = Vec::new();
    let config = &chat.hired.config;
    let model = wiring::model(shared, config, &mut problems)?;
    // A server that was named stays: what is said is not to go to another one because of a model's name.
    let now = chat.hired.agent.brain();
    let next = brain::another(&chat.args.agent.brain, config, &now, model)?;
    if next.endpoint.lacks_key() {
        return Err(assistant::no_key(&next));
    }
    let builder = assistant::builder(shared, config, &chat.hired.path, &next, &mut problems)?;
    warn(&problems);
    let text = format!("going on with {} at {}", next.model.name, next.endpoint.place());
    chat.hired.agent.think_with(next, builder);
    Ok(text)
}

async fn memory(chat: &mut Chat<'_>) -> Next {
    if chat.is_in_company() {
        bad(
            "what is remembered of you is not shown in company; `louver memory show` shows it to you alone",
        );
        return Next::Go;
    }
    match Memory::open(&chat.hired.path).and_then(|(memory, _)| memory.peek_shown()) {
        Ok(shown) => {
            match shown.text.trim().is_empty() {
                true => note("nothing is remembered yet"),
                false => say(&talk::plain(&shown.text)),
            }
            remember::withheld(&shown).iter().for_each(|withheld| note(withheld));
        }
        Err(error) => bad(&error.to_string()),
    }
    Next::Go
}

async fn skills(chat: &mut Chat<'_>, rest: &str) -> Next {
    let session = chat.session.clone();
    let found = chat.hired.agent.with_session(&session, |_, builder| builder.skills().0).await;
    let skills = match found {
        Ok(skills) => skills,
        Err(error) => {
            bad(&error.to_string());
            return Next::Go;
        }
    };
    if rest.is_empty() {
        let width = skills.iter().map(|skill| skill.name.chars().count()).max().unwrap_or(0);
        for skill in skills.iter() {
            let missing = match skill.available() {
                true => String::new(),
                false => format!(" (needs {})", skill.missing_text()),
            };
            let line = format!("{:<width$}  {}{missing}", skill.name, skill.description);
            say(&screen::clip(&talk::plain(&line), screen::width()));
        }
        return Next::Go;
    }
    match skills.iter().find(|skill| skill.name == rest) {
        Some(skill) => {
            chat.skills.push(skill.name.clone());
            note(&format!("`{rest}` comes with your next message"));
        }
        None => bad(&format!("there is no skill `{rest}`; /skills lists all")),
    }
    Next::Go
}

async fn undo(chat: &mut Chat<'_>) -> Next {
    let undone = chat.hired.agent.with_session(&chat.session, |conversation, _| {
        let spoken = conversation.session().spoken(0)?;
        let Some(to) = conversation.undo()? else { return Ok(None) };
        let note = Note { text: "the last exchange was taken back".into(), ..Note::default() };
        conversation.session().append(&Event::Note(note), Durability::Process)?;
        let asked = spoken.iter().find(|said| said.n > to && said.message.role == Role::User);
        let asked = asked.and_then(|asked| asked.message.texts().next());
        Ok::<_, TurnError>(Some(asked.map_or_else(String::new, |text| talk::plain_line(text))))
    });
    match undone.await {
        Ok(Ok(Some(asked))) => note(&format!(
            "the last exchange is taken back, from `{}` on; what tools did is not undone",
            screen::clip(&asked, 60)
        )),
        Ok(Ok(None)) => note("there is nothing to take back"),
        Ok(Err(error)) => bad(&error.to_string()),
        Err(error) => bad(&error.to_string()),
    }
    Next::Go
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_told_from_a_path() {
        assert!(
            matches!(of("/model gpt-4o"), Some(Typed::Known(command, "gpt-4o")) if command.name == "model")
        );
        assert!(matches!(of(" /exit"), Some(Typed::Known(command, "")) if command.name == "quit"));
        assert!(matches!(of("/hepl"), Some(Typed::Unknown("hepl"))));
        assert!(of("/etc/hosts is odd").is_none());
        assert!(of("hello /new").is_none());
    }
}
