//! A session's log: turns in which something is said, a tool is called and an answer comes.

use std::path::Path;

use anyhow::Result;
use louver_context::{Content, Message, Role, ToolCall};
use louver_store::session::{
    Call, Durability, Event, Mode, Reply, Said, Sent, Session, SessionError,
};
use serde_json::json;

use crate::generate::words::Words;

/// The messages of one turn.
pub(crate) const IN_A_TURN: usize = 4;

/// What is said in a session.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Talk {
    /// Sentences, with a few letters that are not ASCII.
    Prose,
    /// Code with quotes and line ends, and scripts without spaces: every text has escapes.
    Code,
}

impl Talk {
    /// About so many bytes.
    fn text(self, bytes: usize, words: &mut Words) -> String {
        let mut text = String::with_capacity(bytes + 120);
        while text.len() < bytes {
            match self {
                Talk::Prose => text += &words.sentence(),
                Talk::Code => text += &words.code(),
            }
            text.push(' ');
        }
        text
    }
}

/// Writes so many messages into the session of this key.
pub(crate) fn session(workspace: &Path, key: &str, messages: usize, talk: Talk) -> Result<()> {
    let (mut session, _) = Session::open(workspace, key, Mode::Write)?;
    let mut words = Words::new(3);
    let mut events = Vec::new();
    for number in 0..messages / IN_A_TURN {
        let next = session.last() + events.len() as u64 + 1;
        events.extend(turn(&session, (number, next), talk, &mut words)?);
        if events.len() > 500 {
            session.append_all(&events, Durability::Process)?;
            events.clear();
        }
    }
    session.append_all(&events, Durability::Process)?;
    Ok(())
}

/// The events of one turn, the first of which will have this number in the log.
fn turn(
    session: &Session,
    (number, first): (usize, u64),
    talk: Talk,
    words: &mut Words,
) -> Result<Vec<Event>, SessionError> {
    let text = talk.text(160, words);
    let said = Said {
        channel: "cli".into(),
        chat: "direct".into(),
        text: text.clone(),
        ..Said::default()
    };
    let sent = Message::text(Role::User, format!("[2026-03-01 10:00 (Sunday)]\n\n{text}"));
    let sent = Sent {
        said: vec![first],
        messages: vec![session.keep(&sent)?],
        epoch: 1,
        profile: "louver".into(),
        model: "gpt-4o".into(),
        tokens: 1000,
        ..Sent::default()
    };
    let (id, name) = (format!("call_{number:024}"), "read_file");
    let arguments = json!({"path": talk.text(60, words)}).to_string();
    let mut asks = Message::new(Role::Assistant, Content::Null);
    asks.calls.push(ToolCall {
        id: id.as_str().into(),
        name: name.into(),
        arguments: arguments.as_str().into(),
        extra: Default::default(),
    });
    let result = session.keep_result(&id, name, &talk.text(240, words))?;
    let answer = Message::text(Role::Assistant, talk.text(240, words));
    Ok(vec![
        Event::Said(said),
        Event::Sent(sent),
        Event::Reply(Reply { message: session.keep(&asks)?, ..Reply::default() }),
        Event::Call(Call { id, name: name.into(), arguments, ..Call::default() }),
        Event::Result(result),
        Event::Reply(Reply { message: session.keep(&answer)?, ..Reply::default() }),
    ])
}
