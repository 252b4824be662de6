//! What is put into the library: something that was said or written, and where it stands.

use jiff::civil::DateTime;
use louver_context::Trust;
use louver_recall::note::{Note, Voice};
use xxhash_rust::xxh3::Xxh3;

/// Something that can be recalled.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// What it says.
    pub text: String,
    /// Who said it, or the title of what it is part of. May be empty.
    pub who: String,
    /// Whose voice it is.
    pub voice: Voice,
    /// The conversation or document it belongs to, within its source. Entries of one session are
    /// neighbours in the order in which they are given. Empty: it stands alone.
    pub session: String,
    /// When it was said, in local time, to the second.
    pub at: Option<DateTime>,
    /// Whose it is, such as the key of a chat. Empty: everyone's.
    pub scope: String,
    /// Who wrote it, for the fence it is put into.
    pub trust: Trust,
    /// Where in its source it stands.
    pub locator: Locator,
}

impl Default for Entry {
    fn default() -> Self {
        Entry {
            text: String::new(),
            who: String::new(),
            voice: Voice::default(),
            session: String::new(),
            at: None,
            scope: String::new(),
            trust: Trust::ThirdParty,
            locator: Locator::Line(0),
        }
    }
}

/// Where in its source an entry stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Locator {
    /// In a file, at this line. Lines move when something is written above them, so the entry is
    /// named by what it says: it keeps its id wherever it goes.
    Line(u32),
    /// In a log that only grows, at this event: its number names it.
    Event {
        /// The number of the event.
        number: u64,
        /// Which part of it, for an event that is cut into several entries.
        part: u32,
    },
}

/// An entry that the library has.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    /// Its name, which stays the same when the library is deleted and made again.
    pub id: u64,
    /// The source it came from.
    pub source: String,
    /// What was put in.
    pub entry: Entry,
}

/// An entry with what names it.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) id: u64,
    /// Changes when anything but its place changes.
    pub(super) print: u32,
    /// What a forgotten text is known by.
    pub(super) mark: u64,
    pub(super) entry: Entry,
}

/// Names the entries of a source, in their order.
pub(super) fn name_all(source: &str, entries: Vec<Entry>) -> Vec<Named> {
    let mut same = std::collections::HashMap::new();
    let named = entries.into_iter().map(|entry| {
        let mark = mark(source, &entry.text);
        let id = match entry.locator {
            Locator::Event { number, part } => {
                hash(&[b"event", source.as_bytes(), &number.to_le_bytes(), &part.to_le_bytes()])
            }
            Locator::Line(_) => {
                let nth: &mut u32 = same.entry(mark).or_default();
                *nth += 1;
                hash(&[b"line", source.as_bytes(), &mark.to_le_bytes(), &nth.to_le_bytes()])
            }
        };
        Named { id, print: print(&entry), mark, entry }
    });
    named.collect()
}

/// What a forgotten text of a source is known by.
pub(super) fn mark(source: &str, text: &str) -> u64 {
    hash(&[b"text", source.as_bytes(), text.as_bytes()])
}

fn print(entry: &Entry) -> u32 {
    let at = entry.at.map(|at| at.to_string()).unwrap_or_default();
    let kinds = [entry.voice as u8, entry.trust as u8];
    let parts =
        [&entry.text, &entry.who, &entry.session, &entry.scope, &at].map(|part| part.as_bytes());
    (hash(&[&parts[..], &[&kinds[..]]].concat()) >> 32) as u32
}

/// A hash over parts, none of which can be taken for another.
fn hash(parts: &[&[u8]]) -> u64 {
    let mut hash = Xxh3::new();
    for part in parts {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.digest()
}

/// The entry as what ranks knows it.
pub(super) fn note(named: &Named) -> Note {
    let Entry { text, who, voice, session, at, .. } = &named.entry;
    Note {
        id: named.id,
        text: text.clone(),
        who: who.clone(),
        voice: *voice,
        session: session.clone(),
        at: *at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, line: u32) -> Entry {
        Entry { text: text.into(), locator: Locator::Line(line), ..Entry::default() }
    }

    #[test]
    fn what_stands_in_a_file_keeps_its_name_when_it_moves() {
        let before = name_all("a.md", vec![line("one", 1), line("two", 2)]);
        let after = name_all("a.md", vec![line("new", 1), line("one", 2), line("two", 3)]);
        assert_eq!((before[0].id, before[1].id), (after[1].id, after[2].id));
        assert_eq!(before[0].print, after[1].print);
    }

    #[test]
    fn the_same_words_twice_have_two_names() {
        let named = name_all("a.md", vec![line("one", 1), line("one", 2)]);
        assert_ne!(named[0].id, named[1].id);
        assert_ne!(named[0].id, name_all("b.md", vec![line("one", 1)])[0].id);
    }

    #[test]
    fn an_event_is_named_by_its_number() {
        let event = |text: &str, number| Entry {
            locator: Locator::Event { number, part: 0 },
            ..line(text, 0)
        };
        let (one, two) =
            (name_all("s", vec![event("one", 7)]), name_all("s", vec![event("other", 7)]));
        assert_eq!(one[0].id, two[0].id);
        assert_ne!(one[0].print, two[0].print);
        assert_ne!(one[0].id, name_all("s", vec![event("one", 8)])[0].id);
    }
}
