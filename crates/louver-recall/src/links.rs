//! Pages that the best notes name.
//!
//! "What is the number of Nora's landlord?" is answered in two steps: one note says who that is, and the number is
//! on the page of that name, which may share no word with the question.

use crate::note::{Note, Voice};
use crate::question::{Asked, is_name};
use crate::rank::{Ranked, Shelf};
use crate::tongue;
use crate::words::{self, Term, padded, runs_together};
use std::collections::{HashMap, HashSet};

/// So many of the best notes are looked through for names, and so many bytes of each.
const BEST: usize = 3;
const LOOKED_THROUGH: usize = 4_000;

/// A title of fewer bytes is found in too many words.
const SHORTEST: usize = 4;

/// A title that one in so many candidates has is no page's: all that one person says is under their name.
const COMMON: usize = 8;

/// Whether each of some notes, best first, is on a page that one of the best names and the question does not.
pub(crate) fn linked(asked: &Asked, ranked: &[Ranked], shelf: &impl Shelf) -> Vec<bool> {
    let mut pages: HashMap<(&str, &str), Page> = HashMap::new();
    let key = |one: &Ranked| {
        let note = shelf.note(one.place).filter(|note| note.voice == Voice::Other)?;
        Some((note.session.as_str(), note.who.as_str()))
    };
    for one in ranked {
        if let (Some(key), Some(note)) = (key(one), shelf.note(one.place)) {
            let page = || Page::of(note, &shelf.source(one.place));
            pages.entry(key).or_insert_with(page).notes += 1;
        }
    }
    let mut shared: HashMap<&str, usize> = HashMap::new();
    for Page { titles, notes } in pages.values() {
        titles.iter().for_each(|title| *shared.entry(title).or_default() += notes);
    }
    let common = (ranked.len() / COMMON).max(COMMON);
    let best: Vec<Naming> = match pages.is_empty() {
        true => Vec::new(),
        false => ranked.iter().take(BEST).filter_map(|one| Naming::of(one, shelf)).collect(),
    };
    let names = |session: &str, title: &String| {
        shared[title.as_str()] <= common
            && best.iter().any(|note| note.session != session && note.names(title))
            && !is_asked(asked, title)
    };
    let linked: HashSet<(&str, &str)> = pages
        .iter()
        .filter(|(key, page)| page.titles.iter().any(|title| names(key.0, title)))
        .map(|(key, _)| *key)
        .collect();
    ranked.iter().map(|one| key(one).is_some_and(|key| linked.contains(&key))).collect()
}

/// What the notes of one page have in common.
struct Page {
    /// What it is called: by its headings, and by its file. In words with a blank between them, folded.
    titles: HashSet<String>,
    /// How many of its notes there are.
    notes: usize,
}

impl Page {
    fn of(note: &Note, source: &str) -> Page {
        let file = source.rsplit('/').next().unwrap_or_default();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let headings = note.who.split(" › ").flat_map(|heading| heading.split(" · "));
        // "Event Horizon (film)", "Richford, Vermont".
        let bare = |title: &str| {
            let end = title.find(['(', ',']).unwrap_or(title.len());
            padded(&words::fold(&title[..end])).trim().to_owned()
        };
        let is_long = |title: &String| title.len() >= SHORTEST;
        Page { titles: headings.chain([stem]).map(bare).filter(is_long).collect(), notes: 0 }
    }
}

/// One of the best notes, and what it names.
struct Naming<'a> {
    session: &'a str,
    /// Its words, each with a blank around it, folded.
    said: String,
    /// Those that are written like names, or as links.
    names: HashSet<String>,
}

impl<'a> Naming<'a> {
    fn of(one: &Ranked, shelf: &'a impl Shelf) -> Option<Naming<'a>> {
        let session = shelf.note(one.place)?.session.as_str();
        let text = words::head(shelf.text(one.place)?, LOOKED_THROUGH);
        let is_name = |term: &Term| is_name(text, term.start) || text[..term.start].ends_with("[[");
        let names = words::terms(text, tongue::language(text)).into_iter().filter(is_name);
        let names = names.map(|term| words::fold(&text[term.start..term.end])).collect();
        Some(Naming { session, said: padded(&words::fold(text)), names })
    }

    fn names(&self, title: &str) -> bool {
        if title.contains(runs_together) {
            return self.said.contains(title);
        }
        match title.contains(' ') {
            true => self.said.contains(&format!(" {title} ")),
            false => self.names.contains(title),
        }
    }
}

/// Whether the question says all of a title.
fn is_asked(asked: &Asked, title: &str) -> bool {
    title.split(' ').all(|word| asked.terms.iter().any(|term| term.surface == word))
}

#[cfg(test)]
mod tests {
    use crate::index::Index;
    use crate::note::Note;
    use crate::question::Question;
    use crate::recall::find;

    /// The texts of those that are linked, of some notes: session, title and text.
    fn linked<'a>(notes: &[(&str, &str, &'a str)], question: &str) -> Vec<&'a str> {
        let mut index = Index::new();
        for (id, (session, who, text)) in (0..).zip(notes) {
            let (text, who, session) = ((*text).into(), (*who).into(), (*session).into());
            index.add(Note { id, text, who, session, ..Note::default() });
        }
        let question = Question { text: question.into(), now: None };
        let found = find(&index, &question, &|_| true);
        let linked = found.ranked.iter().filter(|one| one.parts.linked > 0.0);
        linked.map(|one| notes[one.place as usize].2).collect()
    }

    #[test]
    fn a_page_that_the_best_note_names_is_linked() {
        let notes = [
            ("kb/flat.md", "Flat", "Nora rents from Ilse Baptista, who lives next door."),
            ("kb/people.md", "People › Ilse Baptista", "Her number is 555 0199."),
            ("kb/people.md", "People › Ada Winter", "Her number is 555 0100."),
            ("kb/Ilse Baptista.md", "Friends", "Sails on Sundays."),
        ];
        let question = "What is the number of the one whom Nora rents from?";
        assert_eq!(linked(&notes, question), [notes[1].2, notes[3].2]);
        // Who asks for the page by its name needs no link to it.
        assert!(linked(&notes, "What is the number of Ilse Baptista?").is_empty());
    }

    #[test]
    fn a_word_is_a_link_where_it_is_written_like_a_name() {
        let pages = |said: &'static str| {
            [("a.md", "Plans", said), ("b.md", "Garden", "Dig on Friday."), ("c.md", "x", "Rain.")]
        };
        let question = "What are we up to this summer?";
        let told = |said| linked(&pages(said), question).len();
        assert_eq!(told("This summer we are up to something in the garden."), 0);
        assert_eq!(told("This summer we are up to something in the [[garden]]."), 1);
        assert_eq!(told("This summer we are up to something at Garden Ltd."), 1);
        assert_eq!(told("这个夏天 we are up to something this summer."), 0);
        let notes = [
            ("a", "", "房东是王小伟，住在隔壁。"),
            ("b", "王小伟", "电话是 555。"),
            ("c", "李", "雨。"),
        ];
        assert_eq!(linked(&notes, "房东是谁？"), [notes[1].2]);
    }

    #[test]
    fn what_everybody_is_called_is_no_page() {
        let mut notes = vec![("talk", "Ada", "I met Ben Winter on the market in Ulm.")];
        notes.extend([("more", "Ben Winter", "Bread and cheese, as ever.")].repeat(20));
        assert!(linked(&notes, "Whom did Ada meet on the market in Ulm?").is_empty());
        notes.truncate(5);
        assert_eq!(linked(&notes, "Whom did Ada meet on the market in Ulm?").len(), 4);
    }
}
