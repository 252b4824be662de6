//! What was said in a session and not taken back, word for word.
//!
//! The view has messages as they were sent, with what came along (the clock, reminders, changed files), and
//! only those that have room. Memory is made of the words themselves, and of all of them.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::Timestamp;
use louver_context::{Content, Message, Part, Picture, Role};

use super::event::{CallResult, Event, Reply, Said};
use super::stored::PictureRef;
use super::{Gone, Session, SessionError};

/// A message as it was said.
#[derive(Debug, Clone, PartialEq)]
pub struct Spoken {
    /// The number of its event.
    pub n: u64,
    /// Its id in the view: the number of the event that sent it first, or its own.
    pub id: u64,
    /// When.
    pub time: Timestamp,
    /// The words. Of a picture there is only that it was there; of a long result, its beginning.
    pub message: Message,
    /// Whether others read along, so that it may be anybody's words, or an answer to them.
    pub others: bool,
}

impl Session {
    /// What was said after an event, in order. What could not be sent is not among it: nobody
    /// answered it.
    pub fn spoken(&self, after: u64) -> Result<Vec<Spoken>, SessionError> {
        let mut spoken: Vec<Spoken> = Vec::new();
        let mut others = false;
        let gone = Gone::of(self);
        for record in self.events()?.after(after) {
            match &record.event {
                Event::Sent(sent) if sent.is_refusal() => {
                    spoken.retain(|spoken| !sent.said.contains(&spoken.n));
                }
                Event::Sent(sent) => {
                    // What is sent was said last, so this does not walk through the session.
                    for n in &sent.said {
                        let said = spoken.iter_mut().rev().find(|said| said.n <= *n);
                        if let Some(said) = said.filter(|said| said.n == *n && said.id == *n) {
                            said.id = record.n;
                        }
                    }
                }
                Event::Undo(undo) => {
                    spoken.retain(|spoken| spoken.n <= undo.to);
                    let unsent = spoken.iter_mut().filter(|spoken| spoken.id > undo.to);
                    unsent.for_each(|spoken| spoken.id = spoken.n);
                }
                event => {
                    if let Event::Said(said) = event {
                        others = said.is_in_company();
                    }
                    let (n, time) = (record.n, record.time);
                    let message = words(event).map(|message| gone.without(n, message));
                    let of = |message| Spoken { n, id: n, time, message, others };
                    spoken.extend(message.map(of));
                }
            }
        }
        Ok(spoken)
    }
}

/// The words of an event, when it is a message.
fn words(event: &Event) -> Option<Message> {
    match event {
        Event::Said(Said { message: Some(stored), .. }) => {
            let mut message = stored.light().ok()?;
            if let (Role::User, Content::Text(text)) = (message.role, &message.content) {
                let said = without_reminder(text);
                message.content = Content::Text(without_runtime(&said).into());
            }
            Some(message)
        }
        Event::Reply(Reply { message: stored, .. })
        | Event::Result(CallResult { message: Some(stored), .. }) => stored.light().ok(),
        Event::Said(Said { text, pictures, .. }) => Some(match pictures.as_slice() {
            [] => Message::text(Role::User, text.as_str()),
            pictures => {
                // That there is one is enough to know; its bytes are not read.
                let picture = |picture: &PictureRef| Picture {
                    url: "".into(),
                    size: picture.size,
                    detail: None,
                };
                let pictures = pictures.iter().map(picture).map(Arc::new);
                let mut parts: Vec<Part> = pictures.map(Part::Picture).collect();
                parts.push(Part::Text(text.as_str().into()));
                Message::new(Role::User, Content::Parts(parts))
            }
        }),
        Event::Result(CallResult { id, name, text, .. }) => {
            Some(Message::result(id.as_str(), name.as_str(), text.as_str()))
        }
        _ => None,
    }
}

/// A message as it was sent, without the notes that came with it.
pub(crate) fn without_reminder(text: &str) -> Cow<'_, str> {
    const OPENS: &str = "<recalled";
    let starts = text.starts_with(OPENS).then_some(0);
    let Some(start) = starts.or_else(|| Some(text.find(&format!("\n{OPENS}"))? + 1)) else {
        return Cow::Borrowed(text);
    };
    let Some((open, rest)) = text[start..].split_once(">\n") else { return Cow::Borrowed(text) };
    let close = format!("\n</{}>", open.trim_start_matches('<'));
    let Some((_, rest)) = rest.split_once(&close) else { return Cow::Borrowed(text) };
    Cow::Owned(format!("{}{}", &text[..start], rest.trim_start_matches('\n')))
}

/// What a person said, without what nanobot sent with it: the time and where it was said, up to an empty line.
pub(crate) fn without_runtime(text: &str) -> Cow<'_, str> {
    const BEGINS: &str = "[Runtime Context";
    let starts = text.starts_with(BEGINS).then_some(0);
    let Some(start) = starts.or_else(|| Some(text.find(&format!("\n{BEGINS}"))? + 1)) else {
        return Cow::Borrowed(text);
    };
    let rest = text[start..].split_once("\n\n").map_or("", |(_, rest)| rest);
    Cow::Owned(format!("{}{rest}", &text[..start]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_told_from_the_notes_that_came_with_it() {
        let sent = "<recalled-2>\n[1 May]\n</recalled> tea\n</recalled-2>\n\nWhat do I drink?";
        assert_eq!(without_reminder(sent), "What do I drink?");
        let later = "Now it is May.\n\n<recalled>\ntea\n</recalled>\n\nAnd?";
        assert_eq!(without_reminder(later), "Now it is May.\n\nAnd?");
        for whole in ["What is <recalled>?", "<recalled>\nno end", "<recalled", ""] {
            assert_eq!(without_reminder(whole), whole);
        }
    }
}
