//! The notes that one question is about, in memory: the candidates and what stands beside them.

use std::collections::HashMap;

use louver_recall::embed::{Embeddings, Small};
use louver_recall::index::credit;
use louver_recall::note::Note;
use louver_recall::question::AskedTerm;
use louver_recall::rank::{Candidate, Shelf};
use louver_recall::reading::{self, Reading};

/// A note as it was fetched.
pub(super) struct Fetched {
    pub(super) note: Note,
    /// The name of the note, for people.
    pub(super) place: String,
    /// Where it is in its source.
    pub(super) pos: i64,
}

/// Some notes, read.
pub(super) struct Few {
    held: Vec<Held>,
    places: HashMap<(String, i64), u32>,
    lexicon: HashMap<String, u32>,
    vectors: Vec<Small>,
}

struct Held {
    fetched: Fetched,
    reading: Reading,
    counts: HashMap<u32, (u16, u16)>,
}

impl Few {
    /// Reads notes. They are ordered by time, so that of equals the newest comes first.
    pub(super) fn new(mut all: Vec<Fetched>, table: &Embeddings<'_>) -> Few {
        all.sort_by(|a, b| {
            let key =
                |fetched: &Fetched| (fetched.note.at, fetched.note.session.clone(), fetched.pos);
            key(a).cmp(&key(b))
        });
        let mut few = Few {
            held: Vec::with_capacity(all.len()),
            places: HashMap::new(),
            lexicon: HashMap::new(),
            vectors: Vec::new(),
        };
        for fetched in all {
            few.add(fetched, table);
        }
        few
    }

    fn add(&mut self, fetched: Fetched, table: &Embeddings<'_>) {
        let (lexicon, vectors) = (&mut self.lexicon, &mut self.vectors);
        let found = reading::read(&fetched.note, table, |term, surface| {
            if let Some(number) = lexicon.get(term) {
                return *number;
            }
            let number = u32::try_from(vectors.len()).unwrap_or(u32::MAX);
            lexicon.insert(term.to_owned(), number);
            vectors.push(Small::from(&table.embed(surface)));
            number
        });
        let mut reading = found.reading;
        let alone = fetched.note.session.is_empty();
        reading.position = if alone { 0 } else { u32::try_from(fetched.pos).unwrap_or(0) };
        let place = u32::try_from(self.held.len()).unwrap_or(u32::MAX);
        self.places.insert((fetched.note.session.clone(), fetched.pos), place);
        self.held.push(Held { fetched, reading, counts: found.counts.into_iter().collect() });
    }

    /// The candidates among them, with what their words give.
    pub(super) fn candidates(
        &self,
        terms: &[AskedTerm],
        rarities: &[f32],
        mean: f32,
        is: impl Fn(&Fetched) -> bool,
    ) -> Vec<Candidate> {
        let forms: Vec<Vec<u32>> = terms.iter().map(|term| self.forms(term)).collect();
        let mut found = Vec::new();
        for (place, held) in (0..).zip(&self.held).filter(|(_, held)| is(&held.fetched)) {
            let long = held.reading.length as f32 / mean.max(1.0);
            let (mut words, mut heading) = (0.0, 0.0);
            for ((term, rarity), forms) in terms.iter().zip(rarities).zip(&forms) {
                for count in forms.iter().filter_map(|form| held.counts.get(form)) {
                    let (all, head) = credit(term, *rarity, *count, long);
                    words += all;
                    heading += head;
                }
            }
            found.push(Candidate { place, words, heading });
        }
        found
    }

    /// The name of the note at a place, for people.
    pub(super) fn name(&self, place: u32) -> &str {
        self.held.get(place as usize).map_or("", |held| &held.fetched.place)
    }

    /// The name of the note with this number.
    pub(super) fn name_of(&self, id: u64) -> &str {
        let held = self.held.iter().find(|held| held.fetched.note.id == id);
        held.map_or("", |held| &held.fetched.place)
    }
}

impl Shelf for Few {
    fn note(&self, place: u32) -> Option<&Note> {
        self.held.get(place as usize).map(|held| &held.fetched.note)
    }

    fn text(&self, place: u32) -> Option<&str> {
        self.note(place).map(|note| note.text.as_str())
    }

    fn reading(&self, place: u32) -> Option<&Reading> {
        self.held.get(place as usize).map(|held| &held.reading)
    }

    fn beside(&self, place: u32) -> [Option<u32>; 2] {
        let Some(held) = self.held.get(place as usize) else { return [None; 2] };
        if held.fetched.note.session.is_empty() {
            return [None; 2];
        }
        let at = |pos: i64| self.places.get(&(held.fetched.note.session.clone(), pos)).copied();
        [at(held.fetched.pos - 1), at(held.fetched.pos + 1)]
    }

    fn word(&self, word: u32) -> Option<&Small> {
        self.vectors.get(word as usize)
    }

    fn forms(&self, term: &AskedTerm) -> Vec<u32> {
        term.forms.iter().filter_map(|form| self.lexicon.get(form.as_str()).copied()).collect()
    }
}
