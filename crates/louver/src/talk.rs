//! A turn on the terminal: the answer as it comes, what tools do, who is asked.

use std::io::{self, IsTerminal, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use louver_agent::agent::{Agent, Inbound, Stop};
use louver_agent::happening::{Answer, Happening};
use louver_agent::reply::Delta;
use louver_agent::run::{Outcome, TurnFailed};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{QueueSelector, tcflush};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::error::{Code, Failure, warn};
use crate::screen::{self, Tone, clip, toned};
pub(crate) use crate::screen::{plain, plain_line};

/// How a turn is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// As it happens, on a terminal.
    Live,
    /// The answer alone, when it is there.
    Answer,
    /// A line of JSON for everything that happens.
    Json,
}

/// What a turn looks like so far.
pub(crate) struct Talk {
    shown: Shown,
    /// Whether there is somebody who can be asked.
    asks: bool,
    /// What is waited for, when something is.
    waiting: Option<String>,
    frame: usize,
    /// The cursor is not at the start of a line.
    mid_line: bool,
    /// An answer broke off, and nothing of the next has come yet.
    broke_off: bool,
    /// The words of the last answer, which are all there is of it when it cannot be written down.
    heard: String,
    /// Ctrl-C, from the turn's first moment to its last: none is missed while something is shown.
    interrupts: Option<Signal>,
    /// Why something was not printed. A reader that went away is no reason.
    unprinted: Option<anyhow::Error>,
}

const FRAMES: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇", "⠏", "⠹"];

/// One turn, shown as it happens. Ctrl-C stops the turn, not the program. An answer that cannot be printed is a
/// failure of its own: no later one could be.
pub(crate) async fn turn(
    agent: &Arc<Agent>,
    inbound: Inbound,
    shown: Shown,
) -> Result<Result<Outcome, TurnFailed>, Failure> {
    let (ears, heard) = unbounded_channel();
    let stop = Stop::default();
    let session = inbound.session.clone();
    let turn = async {
        let ears = ears;
        agent.turn(inbound, &ears, &stop).await
    };
    let asks = io::stdin().is_terminal() && io::stderr().is_terminal();
    let interrupts = signal(SignalKind::interrupt()).ok();
    let mut talk = Talk {
        shown,
        asks,
        waiting: None,
        frame: 0,
        mid_line: false,
        broke_off: false,
        heard: String::new(),
        interrupts,
        unprinted: None,
    };
    let (outcome, ()) = tokio::join!(turn, talk.listen(heard, &stop));
    talk.clear();
    let answer = match &outcome {
        Ok(outcome) => &outcome.text,
        // It is paid for, whether the disk has room for it or not.
        Err(TurnFailed::Store(_)) => &talk.heard,
        Err(TurnFailed::Ask(_)) => "",
    };
    if shown == Shown::Answer && (outcome.is_ok() || !answer.is_empty()) {
        talk.print(&plain(answer));
    }
    match talk.unprinted {
        Some(error) if outcome.is_ok() => Err(unprinted(&error, &session)),
        _ => Ok(outcome),
    }
}

/// The answer is kept, but nobody has seen it.
fn unprinted(error: &anyhow::Error, session: &str) -> Failure {
    let what = format!("the answer cannot be printed: {error}");
    let hint = format!("it is kept: `louver sessions show {session}`");
    Failure::new(Code::Failed, what).hint(hint)
}

impl Talk {
    /// Shows what is heard until there is nothing more to hear.
    async fn listen(&mut self, mut heard: UnboundedReceiver<Happening>, stop: &Stop) {
        let mut tick = tokio::time::interval(Duration::from_millis(120));
        loop {
            tokio::select! {
                biased;
                // First, so that a flood of words cannot drown it.
                () = interrupted(&mut self.interrupts) => {
                    // What the terminal shows of it stands in a line where nothing else is.
                    self.mid_line |= self.shown == Shown::Live && self.waiting.is_none();
                    stop.stop();
                }
                happening = heard.recv() => match happening {
                    Some(happening) => self.show(happening, stop).await,
                    None => break,
                },
                _ = tick.tick() => self.spin(),
            }
        }
        self.end_line();
    }

    async fn show(&mut self, happening: Happening, stop: &Stop) {
        if self.shown == Shown::Json {
            if let Some(line) = line(&happening) {
                self.print(&line.to_string());
            }
            return self.decide(happening, stop).await;
        }
        match happening {
            Happening::Sending(_) => {
                self.heard.clear();
                self.wait("thinking");
            }
            Happening::Delta(delta) => self.delta(delta),
            Happening::Replied { .. } => self.end_line(),
            Happening::Calls { name, arguments, .. } => {
                let hint = hint(&name, &arguments);
                self.tell(&format!("· {}", clip(&hint, screen::width().saturating_sub(4))));
                self.wait(&name);
            }
            Happening::Returned { summary, failed, .. } => {
                let (mark, tone) = if failed { ("✗", Tone::Odd) } else { ("→", Tone::Quiet) };
                let summary = clip(&plain(&summary), screen::width().saturating_sub(6));
                self.say(&format!("  {mark} {summary}"), tone);
                self.wait("thinking");
            }
            Happening::Says { text, .. } => {
                self.make_room();
                self.print(&plain(&text));
            }
            Happening::Problem(problem) => {
                self.make_room();
                warn(std::slice::from_ref(&problem));
            }
            Happening::Note(text) => {
                self.make_room();
                screen::message("note", &plain(&text), Tone::Quiet);
            }
            asks @ Happening::Asks { .. } => self.decide(asks, stop).await,
        }
    }

    fn delta(&mut self, delta: Delta) {
        match delta {
            Delta::Text(text) => {
                self.broke_off = false;
                match self.shown {
                    Shown::Live => self.stream(&text),
                    _ => self.heard.push_str(&text),
                }
            }
            Delta::Thinking(_) => {}
            Delta::Call(name) => self.wait(&name),
            // Where an answer broke off, why was said just before.
            Delta::Waiting { seconds, .. } if std::mem::take(&mut self.broke_off) => {
                self.say(&format!("trying again in {seconds} s"), Tone::Odd);
            }
            Delta::Waiting { seconds, why } => {
                self.say(&format!("{why}; trying again in {seconds} s"), Tone::Odd);
            }
            Delta::Again { why } => {
                self.heard.clear();
                self.end_line();
                self.say(&format!("{why}; the answer begins again"), Tone::Odd);
                self.broke_off = true;
            }
        }
    }

    /// Words of the answer, as they come.
    fn stream(&mut self, text: &str) {
        self.clear();
        let text = plain(text);
        let mut out = io::stdout().lock();
        // A reader that went away is no reason to stop the turn.
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        self.note(screen::unless_gone(written));
        if !text.is_empty() {
            self.mid_line = !text.ends_with('\n');
        }
    }

    /// Asks the person, where there is one.
    async fn decide(&mut self, happening: Happening, stop: &Stop) {
        let Happening::Asks { name, arguments, answer } = happening else { return };
        if stop.is_stopped() {
            return;
        }
        if !self.asks {
            // The turn may be over; then nobody waits for the answer.
            let _ = answer.send(Answer::Nobody);
            return;
        }
        self.make_room();
        // What was typed before the question is no answer to it.
        let _ = tcflush(io::stdin(), QueueSelector::IFlush);
        let what = question(&name, &arguments);
        let colour = io::stderr().is_terminal();
        let mut err = io::stderr().lock();
        let _ =
            writeln!(err, "{}", toned(&format!("louver wants to use {what}"), Tone::Odd, colour));
        drop(err);
        let said = loop {
            let mut err = io::stderr().lock();
            let _ = write!(err, "allow it? [y]es, [a]lways `{name}` in this chat, [n]o: ");
            let _ = err.flush();
            drop(err);
            let over = Arc::new(AtomicBool::new(false));
            let line = tokio::select! {
                line = typed(over.clone()) => line,
                () = interrupted(&mut self.interrupts) => {
                    over.store(true, Ordering::Release);
                    self.mid_line = true;
                    self.end_line();
                    stop.stop();
                    return;
                }
            };
            match line.trim().to_lowercase().as_str() {
                "y" | "yes" => break Answer::Yes,
                "a" | "always" => break Answer::Always,
                "n" | "no" => break Answer::No,
                // Where no line will come there is no yes.
                _ if !line.ends_with('\n') => break Answer::No,
                // A no cannot be taken back, and a slip is none.
                _ => {}
            }
        };
        let _ = answer.send(said);
        self.wait(&name);
    }

    fn wait(&mut self, what: &str) {
        self.waiting = Some(what.to_owned());
    }

    /// Turns the spinner, on a terminal.
    fn spin(&mut self) {
        let Some(waiting) = &self.waiting else { return };
        if self.shown != Shown::Live || !io::stderr().is_terminal() || self.mid_line {
            return;
        }
        self.frame = (self.frame + 1) % FRAMES.len();
        let mut err = io::stderr().lock();
        let _ = write!(err, "\r\x1b[K\x1b[2m{} {waiting}\x1b[0m", FRAMES[self.frame]);
        let _ = err.flush();
    }

    /// Takes the spinner away.
    fn clear(&mut self) {
        let shown = self.waiting.take().is_some();
        if shown && self.shown == Shown::Live && io::stderr().is_terminal() && !self.mid_line {
            let mut err = io::stderr().lock();
            let _ = write!(err, "\r\x1b[K");
            let _ = err.flush();
        }
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.mid_line) {
            self.print("\n");
        }
    }

    fn print(&mut self, text: &str) {
        self.note(screen::print(text));
    }

    /// Remembers the first thing that was not printed.
    fn note(&mut self, printed: anyhow::Result<()>) {
        self.unprinted = self.unprinted.take().or(printed.err());
    }

    /// A quiet line beside the answer.
    fn tell(&mut self, text: &str) {
        self.say(text, Tone::Quiet);
    }

    /// Makes sure that what is said next begins a line.
    fn make_room(&mut self) {
        self.clear();
        self.end_line();
    }

    fn say(&mut self, text: &str, tone: Tone) {
        self.make_room();
        let mut err = io::stderr().lock();
        let _ = writeln!(err, "{}", toned(text, tone, err.is_terminal()));
    }
}

/// Waits for Ctrl-C.
async fn interrupted(interrupts: &mut Option<Signal>) {
    match interrupts {
        Some(interrupts) => drop(interrupts.recv().await),
        None => std::future::pending().await,
    }
}

/// How often somebody who waits for a line looks whether it is still wanted.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// The line that a person types, or nothing when it is over before. A thread that is still reading
/// would take the next line from whoever it is meant for.
async fn typed(over: Arc<AtomicBool>) -> String {
    let read = move || {
        let stdin = io::stdin();
        loop {
            let ready = poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&LOOK));
            if over.load(Ordering::Acquire) {
                return String::new();
            }
            match ready {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                _ => {
                    let mut line = String::new();
                    // Where there is no line there is no yes.
                    let _ = stdin.read_line(&mut line);
                    return line;
                }
            }
        }
    };
    tokio::task::spawn_blocking(read).await.unwrap_or_default()
}

/// What a tool is about to do, in a line.
pub(crate) fn hint(name: &str, arguments: &Value) -> String {
    let first = arguments.as_object().and_then(|fields| fields.values().next());
    let first = match first {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    };
    plain(&format!("{name} {}", first.replace('\n', " "))).trim_end().to_owned()
}

/// The most that is shown of an argument.
const MOST_SHOWN: usize = 4_000;

/// What a tool would do, whole: a person must see what they allow.
fn question(name: &str, arguments: &Value) -> String {
    let mut text = format!("`{name}`");
    for (field, value) in arguments.as_object().into_iter().flatten() {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let value = escaped(&value);
        let more = value.chars().count().saturating_sub(MOST_SHOWN);
        let more = if more > 0 { format!(" [{more} characters more]") } else { String::new() };
        let value = clip(&value, MOST_SHOWN).replace('\n', "\n    ");
        text.push_str(&format!("\n  {field}: {value}{more}"));
    }
    text
}

/// Text with what cannot be seen written out: what is allowed is what is shown.
fn escaped(text: &str) -> String {
    let unseen = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match unseen(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

/// What happened, as a line of JSON.
fn line(happening: &Happening) -> Option<Value> {
    Some(match happening {
        Happening::Sending(sending) => json!({
            "event": "sending",
            "tokens": sending.tokens,
            "budget": sending.budget,
            "left_out": sending.left_out,
            "epoch": sending.epoch,
        }),
        Happening::Delta(Delta::Text(text)) => json!({"event": "text", "text": text}),
        Happening::Delta(Delta::Thinking(text)) => json!({"event": "thinking", "text": text}),
        Happening::Delta(Delta::Call(_)) => return None,
        Happening::Delta(Delta::Waiting { seconds, why }) => {
            json!({"event": "waiting", "seconds": seconds, "why": why})
        }
        Happening::Delta(Delta::Again { why }) => json!({"event": "again", "why": why}),
        Happening::Replied { usage } => json!({"event": "replied", "usage": usage}),
        Happening::Calls { id, name, arguments } => {
            json!({"event": "call", "id": id, "name": name, "arguments": arguments})
        }
        Happening::Returned { id, name, summary, failed } => json!({
            "event": "result", "id": id, "name": name, "summary": summary, "failed": failed,
        }),
        Happening::Asks { name, arguments, .. } => {
            json!({"event": "asks", "name": name, "arguments": arguments})
        }
        Happening::Says { channel, chat, text } => {
            json!({"event": "says", "channel": channel, "chat": chat, "text": text})
        }
        Happening::Problem(problem) => json!({
            "event": "problem", "text": problem.to_string(), "hint": problem.hint,
        }),
        Happening::Note(text) => json!({"event": "note", "text": text}),
    })
}

/// A turn that failed, for the person.
pub(crate) fn failure(failed: TurnFailed) -> Failure {
    use louver_store::TurnError;
    match failed {
        TurnFailed::Store(TurnError::DoesNotFit(error)) => error.into(),
        TurnFailed::Store(error) => Failure::new(Code::Failed, error),
        TurnFailed::Ask(error) => {
            let failure = Failure::new(Code::Failed, &error);
            match error.hint() {
                Some(hint) => failure.hint(hint),
                None => failure,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_about_is_shown_with_what_cannot_be_seen() {
        let asked =
            question("exec", &json!({"command": "ls\r\u{1b}[2K; rm \u{202e}x\n\tls\u{200b}"}));
        let shown = "`exec`\n  command: ls\\r\\u{1b}[2K; rm \\u{202e}x\n    \tls\\u{200b}";
        assert_eq!(asked, shown);
    }

    #[test]
    fn a_hint_is_one_line() {
        let hint = hint("exec", &json!({"command": "echo a\necho b"}));
        assert_eq!(hint, "exec echo a echo b");
    }
}
