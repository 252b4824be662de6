//! What notes are called: a name for people, a handle for prompts, a mark for what is forgotten.
//!
//! A name begins with that of the source, so only the rest is kept with the note: a number, nearly always.

use std::sync::Arc;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::analyse::Read;
use super::bytes::{Bytes, put};
use super::error::LibraryError;
use super::folded::{bare, folded, items};
use super::parts::parts;
use super::rows::seconds;
use crate::notes::Note;

/// What of a note's name follows its source's. Of something long the second number says which part it is, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Label {
    /// An event of a log that only grows (`cli:direct#412`): its number names it for good.
    Event(u64, u32),
    /// A line of a file (`memory/HISTORY.md:57`). Lines move when something is written above them.
    Line(u64, u32),
    /// A name that does not begin with its source's.
    Other(String),
}

/// Two bits of a number say what it is.
const LARGEST: u64 = 1 << 62;

/// The number of the first part, and of what has no others.
const FIRST: u32 = 1;

impl Label {
    pub(super) fn of(source: &str, place: &str) -> Label {
        let rest = place.strip_prefix(source).unwrap_or_default();
        let number = |digits: &str| {
            let number: u64 = digits.parse().ok()?;
            // `#007` and `#+7` are names of their own.
            (number < LARGEST && number.to_string() == digits).then_some(number)
        };
        let numbers = |mark: char| {
            let digits = rest.strip_prefix(mark)?;
            let Some((digits, part)) = digits.split_once('.') else {
                return Some((number(digits)?, FIRST));
            };
            let part = u32::try_from(number(part)?).ok().filter(|part| *part > FIRST)?;
            Some((number(digits)?, part))
        };
        let event = numbers('#').map(|(number, part)| Label::Event(number, part));
        let line = || numbers(':').map(|(number, part)| Label::Line(number, part));
        event.or_else(line).unwrap_or_else(|| Label::Other(place.to_owned()))
    }

    /// The same for another part of it.
    fn part(&self, part: u32) -> Label {
        match self {
            Label::Event(number, _) => Label::Event(*number, part),
            Label::Line(number, _) => Label::Line(*number, part),
            Label::Other(place) => Label::Other(place.clone()),
        }
    }

    /// Whether another part of the same stands later in it.
    pub(super) fn goes_on_with(&self, other: &Label) -> bool {
        match (self, other) {
            (Label::Event(one, part), Label::Event(other, later))
            | (Label::Line(one, part), Label::Line(other, later)) => one == other && part < later,
            _ => false,
        }
    }

    /// Whether its name is that of all parts.
    pub(super) fn names_all(&self) -> bool {
        matches!(self, Label::Event(_, FIRST) | Label::Line(_, FIRST))
    }

    /// The whole name.
    pub(super) fn place(&self, source: &str) -> String {
        match self {
            Label::Event(number, FIRST) => format!("{source}#{number}"),
            Label::Event(number, part) => format!("{source}#{number}.{part}"),
            Label::Line(number, FIRST) => format!("{source}:{number}"),
            Label::Line(number, part) => format!("{source}:{number}.{part}"),
            Label::Other(place) => place.clone(),
        }
    }

    /// What a line is known by in whatever file, however it is written. Where a message was said is part of it.
    pub(super) fn words(&self, text: &str) -> Option<u64> {
        let is_line = matches!(self, Label::Line(..));
        is_line.then(|| folded(text).unwrap_or_else(|| xxh3_64(text.as_bytes())))
    }

    /// All that a line may be forgotten by: its words, those of the items in it, and what earlier versions knew it by.
    pub(super) fn all_words(&self, text: &str) -> Vec<u64> {
        let Label::Line(..) = self else { return Vec::new() };
        let whole = [self.plain(text), text];
        let bytes = whole.map(|text| xxh3_64(text.as_bytes()));
        let items = items(text).into_iter().filter_map(folded);
        bytes.into_iter().chain(self.words(text)).chain(items).collect()
    }

    /// What a message is known by whatever its session: a fork has what was said before it, with its time.
    pub(super) fn said(&self, note: &Note) -> Option<u64> {
        self.all_said(note, &note.text).next()
    }

    /// All that a message with these words may be forgotten by: earlier versions went by what the clock showed, which
    /// is another time in another zone.
    pub(super) fn all_said(&self, note: &Note, text: &str) -> impl Iterator<Item = u64> {
        let at = note.time.filter(|_| matches!(self, Label::Event(..)));
        let both = at.map(|at| [at.seconds(), seconds(at.clock())]);
        both.into_iter().flatten().map(move |seconds| {
            let mut hash = Xxh3::new();
            hash.update(&seconds.to_le_bytes());
            hash.update(text.as_bytes());
            hash.digest()
        })
    }

    /// What of a note's text it is known by when it is forgotten: lists get other marks, boxes are ticked, and lines
    /// move in and out.
    pub(super) fn plain<'t>(&self, text: &'t str) -> &'t str {
        match self {
            Label::Line(..) => bare(text),
            _ => text,
        }
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        match self {
            Label::Event(number, FIRST) => put(out, number << 2),
            Label::Line(number, FIRST) => put(out, number << 2 | 1),
            Label::Event(number, part) => {
                put(out, number << 2 | 3);
                put(out, u64::from(*part) << 1);
            }
            Label::Line(number, part) => {
                put(out, number << 2 | 3);
                put(out, u64::from(*part) << 1 | 1);
            }
            Label::Other(place) => {
                put(out, (place.len() as u64) << 2 | 2);
                out.extend_from_slice(place.as_bytes());
            }
        }
    }

    pub(super) fn read(bytes: &mut Bytes<'_>) -> Result<Label, LibraryError> {
        let number = bytes.number()?;
        match number & 3 {
            0 => Ok(Label::Event(number >> 2, FIRST)),
            1 => Ok(Label::Line(number >> 2, FIRST)),
            3 => {
                let part = bytes.number()?;
                let is_line = part & 1 == 1;
                let part = u32::try_from(part >> 1).unwrap_or(u32::MAX);
                let label = if is_line { Label::Line } else { Label::Event };
                Ok(label(number >> 2, part))
            }
            _ => {
                let length = usize::try_from(number >> 2).unwrap_or(usize::MAX);
                let name = String::from_utf8(bytes.take(length)?.to_vec());
                name.map(Label::Other).map_err(|_| LibraryError::Malformed("a name is not text"))
            }
        }
    }
}

/// A note that is to be put in, with what names it.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) label: Label,
    pub(super) handle: u32,
    /// What it is known by when it is forgotten, and was by earlier versions.
    pub(super) marks: [u64; 2],
    /// What all of it is known by, where it is a part.
    pub(super) whole: Option<Arc<Whole>>,
    pub(super) note: Note,
    /// What it comes to, once it is read.
    pub(super) read: Option<Read>,
}

impl Named {
    pub(super) fn new(source: &str, note: Note) -> Named {
        let label = Label::of(source, &note.place);
        let whole = mark(source, &label, &note.text);
        let plain = label.plain(&note.text);
        let own = if plain == note.text { whole } else { mark(source, &label, plain) };
        let handle = match label {
            Label::Line(..) => below(whole),
            _ => handle(&note.place),
        };
        Named { label, handle, marks: [own, whole], whole: None, note, read: None }
    }

    /// A note, or the parts of a long one. What is named by whoever puts it in is theirs to cut.
    pub(super) fn push_all(source: &str, note: Note, all: &mut Vec<Named>) {
        let label = Label::of(source, &note.place);
        let cut = if label.names_all() { parts(&note.text) } else { Vec::new() };
        if cut.len() < 2 {
            return all.push(Named::new(source, note));
        }
        let whole = Arc::new(Whole::of(source, &label, &note));
        for (number, text) in cut {
            let (place, text) = (label.part(number).place(source), text.to_owned());
            let Note { voice, time, trust, .. } = note;
            let who = note.who.clone();
            let mut named = Named::new(source, Note { place, text, who, voice, time, trust });
            named.whole = Some(whole.clone());
            all.push(named);
        }
    }
}

/// What something that has parts is known by whole. Earlier versions did not cut it, and what was forgotten then stays so.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) marks: Vec<u64>,
    pub(super) said: Vec<u64>,
    pub(super) words: Vec<u64>,
}

/// Of a message they took so many bytes.
const TAKEN: usize = 256 * 1024;

impl Whole {
    fn of(source: &str, label: &Label, note: &Note) -> Whole {
        let taken = &note.text[..note.text.floor_char_boundary(TAKEN)];
        let texts = match label {
            Label::Line(..) => [&note.text, label.plain(&note.text)],
            _ => [&note.text, taken],
        };
        Whole {
            marks: texts.map(|text| mark(source, label, text)).to_vec(),
            said: texts.iter().flat_map(|text| label.all_said(note, text)).collect(),
            words: label.all_words(&note.text),
        }
    }
}

/// A short name of a note: nine digits are three tokens. A line of a file has one by what it says.
pub(super) fn handle(place: &str) -> u32 {
    below(xxh3_64(place.as_bytes()) >> 1)
}

fn below(hash: u64) -> u32 {
    (hash % HANDLES) as u32
}

const HANDLES: u64 = 1_000_000_000;

/// A handle as a prompt has it.
pub(super) fn written(handle: u32) -> String {
    format!("{handle:09}")
}

/// The handle that is written so.
pub(super) fn as_handle(text: &str) -> Option<u32> {
    (text.len() == 9 && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

/// What a forgotten note is known by. A line that moves is the same note still.
pub(super) fn mark(source: &str, label: &Label, text: &str) -> u64 {
    let place = match label {
        Label::Line(..) => String::new(),
        named => named.place(source),
    };
    let mut hash = Xxh3::new();
    for part in [source, &place, text] {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.digest()
}

/// A few bits of a note's first line, by which most can be told from what is in view without reading them.
pub(super) fn trace(first_line: &str) -> u16 {
    xxh3_64(first_line.as_bytes()) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_is_kept_as_what_follows_its_source() {
        assert_eq!(Label::of("cli:direct", "cli:direct#412"), Label::Event(412, 1));
        assert_eq!(Label::of("cli:direct", "cli:direct#412.3"), Label::Event(412, 3));
        assert_eq!(Label::of("memory/HISTORY.md", "memory/HISTORY.md:57"), Label::Line(57, 1));
        assert_eq!(Label::of("memory/HISTORY.md", "memory/HISTORY.md:57.2"), Label::Line(57, 2));
        for odd in ["other#412", "cli:direct#0412", "cli:direct#+4", "cli:direct#", "cli:direct"] {
            assert_eq!(Label::of("cli:direct", odd), Label::Other(odd.into()));
        }
        for odd in ["a#4.", "a#4.1", "a#4.0", "a#4.02", "a#4.2.3", "a#.2", "a#4.9999999999"] {
            assert_eq!(Label::of("a", odd), Label::Other(odd.into()));
        }
    }

    #[test]
    fn a_line_that_moves_has_the_same_mark_and_an_event_has_its_own() {
        assert_eq!(mark("a", &Label::Line(1, 1), "x"), mark("a", &Label::Line(2, 1), "x"));
        assert_ne!(mark("a", &Label::Line(1, 1), "x"), mark("b", &Label::Line(1, 1), "x"));
        assert_ne!(mark("a", &Label::Event(1, 1), "x"), mark("a", &Label::Event(2, 1), "x"));
    }

    #[test]
    fn a_line_is_plain_without_the_mark_of_its_list() {
        let line = |text| Label::Line(1, 1).plain(text);
        for text in [
            "- tea, black",
            "* tea, black",
            "  12. tea, black \n",
            "tea, black",
            "- [ ] tea, black",
            "* [x] tea, black",
        ] {
            assert_eq!(line(text), "tea, black");
        }
        assert_eq!((line("-5 degrees"), line("1.5 litres")), ("-5 degrees", "1.5 litres"));
        assert_eq!(Label::Event(1, 1).plain("- tea"), "- tea");
    }

    proptest! {
        #[test]
        fn names_come_back(source: String, number: u64, part: u32, other: String) {
            let numbered = ["#", ":"].map(|mark| format!("{source}{mark}{number}"));
            let parts = numbered.clone().map(|name| format!("{name}.{part}"));
            for place in numbered.into_iter().chain(parts).chain([other]) {
                let label = Label::of(&source, &place);
                let mut out = Vec::new();
                label.put(&mut out);
                let mut bytes = Bytes(&out);
                prop_assert_eq!(Label::read(&mut bytes).unwrap().place(&source), place);
                prop_assert!(bytes.is_empty());
            }
        }
    }
}
