//! What of a session is not shown any more, because a note in it was forgotten.
//!
//! The log is never rewritten and still has it. The list of what was forgotten says where: a message itself or
//! a part of a long one, a reminder that came with one, a result of a tool, the arguments of a call. Whoever looks at
//! the session through a view does not see it, and sees it again when it is no longer forgotten.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use louver_context::message::{Content, Message, Part};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::event::{Event, Reply, Said, Sent};
use super::replay::View;
use super::spoken::without_reminder;
use super::stored::Stored;
use super::{Entry, Session, SessionError};

/// The list of what was forgotten, beside the sessions.
const LIST: &str = "forgotten.json";

/// Stands for a message that was forgotten.
const FORGOTTEN: &str = "[this message was forgotten]";
/// Stands for a result that has a note which was forgotten.
const RESULT: &str = "[left out: it has a note that was forgotten]";
/// Stands for a part of a long message.
const PART: &str = "[this part of the message was forgotten]";
/// The arguments of a call that have such a note. They are an object still, as providers want them.
const ARGUMENTS: &str = r#"{"left_out":"it has a note that was forgotten"}"#;

/// A place in a session that has a note which was forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Withheld {
    /// The session's key.
    pub(crate) session: String,
    /// The number of the event: what was said, answered or returned.
    pub(crate) n: u64,
    /// What of it is withheld.
    pub(crate) what: What,
}

/// What of an event is withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum What {
    /// The message itself.
    Message,
    /// What came with it to remind the model.
    Reminder,
    /// What a tool returned.
    Result,
    /// These bytes of the message's words.
    Part(usize, usize),
    /// The arguments of the call that has this place in the message.
    Call(usize),
    /// These bytes of what stood above all messages.
    System(usize, usize),
}

/// The words of what was said, answered or sent, as its event has them.
pub(crate) fn words(event: &Event) -> Option<Cow<'_, str>> {
    match event {
        Event::Sent(Sent { messages, .. }) => {
            let texts: Vec<String> = messages.iter().filter_map(Stored::text).collect();
            (!texts.is_empty()).then(|| texts.join("\n").into())
        }
        Event::Said(Said { message: None, text, .. }) => Some(text.into()),
        Event::Said(Said { message: Some(message), .. }) | Event::Reply(Reply { message, .. }) => {
            message.text().map(Cow::Owned)
        }
        _ => None,
    }
}

/// What is withheld of a session, ready to be taken out of its messages.
pub(crate) struct Gone {
    all: Vec<(Withheld, String)>,
}

impl Gone {
    /// What a part says is known by the log alone, which is read again if there is one.
    pub(crate) fn of(session: &Session) -> Gone {
        // Who opened the session has checked the list.
        let all = of_key(&session.folder, &session.key).unwrap_or_default();
        let parts = || all.iter().filter(|one| matches!(one.what, What::Part(..)));
        let mut long: HashMap<u64, String> = HashMap::new();
        if let Some(last) = parts().map(|one| one.n).max() {
            let events = session.events().into_iter().flatten();
            for record in events.take_while(|record| record.n <= last) {
                if parts().any(|one| one.n == record.n) {
                    long.extend(words(&record.event).map(|said| (record.n, said.into_owned())));
                }
            }
        }
        let part = |one: &Withheld| match one.what {
            What::Part(from, to) => long.get(&one.n).and_then(|said| said.get(from..to)),
            _ => None,
        };
        let all = all.iter().map(|one| (one.clone(), part(one).unwrap_or_default().to_owned()));
        Gone { all: all.collect() }
    }

    /// Whether all that an event says is left out.
    pub(crate) fn has_all(&self, n: u64) -> bool {
        let says = |what| matches!(what, What::Message | What::Result);
        self.all.iter().any(|(one, _)| one.n == n && says(one.what))
    }

    /// Whether something of what an event says is left out.
    pub(crate) fn has_some(&self, n: u64) -> bool {
        self.all.iter().any(|(one, _)| one.n == n)
    }

    /// The message of an event without what was forgotten.
    pub(crate) fn without(&self, n: u64, message: Message) -> Message {
        let of_it = self.all.iter().filter(|(one, _)| one.n == n);
        of_it.fold(message, |message, (one, words)| without(&message, one.what, words))
    }

    /// What stood above all messages by this event, with signs in the place of what was forgotten: what it was made of
    /// is known by its bytes.
    pub(crate) fn above(&self, n: u64, system: &str) -> String {
        let mut bytes = system.as_bytes().to_vec();
        for (one, _) in self.all.iter().filter(|(one, _)| one.n == n) {
            if let What::System(from, to) = one.what
                && let Some(gone) = system.get(from..to)
            {
                bytes[from..to].copy_from_slice("*".repeat(gone.len()).as_bytes());
            }
        }
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Takes it out of a view.
    pub(super) fn leave(&self, view: &mut View) {
        let of_view = |one: &&Withheld| !matches!(one.what, What::System(..));
        let all: Vec<&Withheld> = self.all.iter().map(|(one, _)| one).filter(of_view).collect();
        if all.is_empty() {
            return;
        }
        view.withheld = xxh3_64(format!("{all:?}").as_bytes());
        for entry in &mut view.messages {
            for (withheld, words) in &self.all {
                if is_in(entry, withheld) {
                    entry.message = Arc::new(without(&entry.message, withheld.what, words));
                }
            }
        }
    }
}

/// What is withheld of a session, by its folder and key.
pub(super) fn of_key(folder: &Path, key: &str) -> io::Result<Vec<Withheld>> {
    let mut all = list(folder).map_or_else(|| Ok(Vec::new()), |list| read(&list))?;
    all.retain(|withheld| withheld.session == key);
    Ok(all)
}

/// The numbers of the events whose words are withheld, or some of them.
pub(super) fn texts(folder: &Path, key: &str) -> io::Result<Vec<u64>> {
    let words = |one: &Withheld| matches!(one.what, What::Message | What::Part(..));
    Ok(of_key(folder, key)?.into_iter().filter(words).map(|one| one.n).collect())
}

/// The list of what was forgotten, as far as sessions need it.
#[derive(Deserialize)]
struct Forgotten {
    #[serde(default)]
    withheld: Vec<Withheld>,
}

fn read(list: &Path) -> io::Result<Vec<Withheld>> {
    let bytes = match std::fs::read(list) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        bytes => bytes?,
    };
    let all: Vec<Forgotten> = serde_json::from_slice(&bytes)?;
    Ok(all.into_iter().flat_map(|forgotten| forgotten.withheld).collect())
}

/// Without the list nobody knows what must not be shown, so no session is shown or sent.
pub(super) fn check(folder: &Path) -> Result<(), SessionError> {
    let Some(list) = list(folder) else { return Ok(()) };
    match read(&list) {
        Ok(_) => Ok(()),
        Err(source) => Err(SessionError::Forgotten { path: list, source }),
    }
}

fn list(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().nth(2).map(|folder| folder.join(LIST))
}

/// Whether a message is of an event, or was sent for it.
fn is_in(entry: &Entry, Withheld { n, what, .. }: &Withheld) -> bool {
    if matches!(what, What::System(..)) {
        return false;
    }
    let said = entry.said.filter(|_| !matches!(what, What::Result | What::Call(_)));
    entry.id == *n || said.is_some_and(|[first, last]| (first..=last).contains(n))
}

/// A message without what was forgotten, which is `words` where it is a part.
fn without(message: &Message, what: What, words: &str) -> Message {
    let text = match what {
        What::Message => FORGOTTEN.to_owned(),
        What::Result => RESULT.to_owned(),
        What::Reminder => {
            let texts: Vec<_> = message.texts().map(|text| without_reminder(text)).collect();
            // What was said has none until it is sent, and keeps its pictures.
            if texts.iter().all(|text| matches!(text, Cow::Borrowed(_))) {
                return message.clone();
            }
            texts.join("\n")
        }
        What::Part(..) => return without_part(message, words),
        What::System(..) => return message.clone(),
        What::Call(at) => {
            let mut message = message.clone();
            message
                .calls
                .get_mut(at)
                .into_iter()
                .for_each(|call| call.arguments = ARGUMENTS.into());
            return message;
        }
    };
    Message { content: Content::Text(text.into()), ..message.clone() }
}

/// A message in which a mark stands for a part of it. If the log has lost the part, for all of it.
fn without_part(message: &Message, words: &str) -> Message {
    if words.is_empty() {
        return without(message, What::Message, words);
    }
    let text = |text: &str| -> Arc<str> { text.replace(words, PART).into() };
    let content = match &message.content {
        Content::Null => Content::Null,
        Content::Text(whole) => Content::Text(text(whole)),
        Content::Parts(parts) => Content::Parts(
            parts
                .iter()
                .map(|part| match part {
                    Part::Text(whole) => Part::Text(text(whole)),
                    other => other.clone(),
                })
                .collect(),
        ),
    };
    Message { content, ..message.clone() }
}

impl Session {
    /// Whether what an event says was forgotten, or is a result that has what was.
    pub fn is_forgotten(&self) -> impl Fn(u64) -> bool {
        let gone = Gone::of(self);
        move |n| gone.has_all(n)
    }
}

#[cfg(test)]
mod tests {
    use louver_context::{Picture, Role};

    use super::*;

    #[test]
    fn what_was_said_keeps_its_picture_when_a_reminder_goes() {
        let picture = Arc::new(Picture { url: "".into(), size: None, detail: None });
        let parts = |text: &str| {
            let parts = vec![Part::Picture(picture.clone()), Part::Text(text.into())];
            Message::new(Role::User, Content::Parts(parts))
        };
        let said = parts("Whose is it?");
        assert_eq!(without(&said, What::Reminder, ""), said);
        let sent = parts("<recalled>\ntea\n</recalled>\n\nWhose is it?");
        let left = without(&sent, What::Reminder, "");
        assert_eq!(left.texts().map(|text| &**text).collect::<String>(), "Whose is it?");
        assert_eq!(
            without(&parts("One. Two."), What::Part(0, 4), "One."),
            parts(&format!("{PART} Two."))
        );
    }
}
