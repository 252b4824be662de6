//! A question and a budget in, the notes that go into the prompt out.

use std::collections::{HashMap, HashSet};

use jiff::civil::DateTime;
use louver_recall::choose::{self, day};
use louver_recall::embed::shipped;
use louver_recall::index::{apart, rarity};
use louver_recall::languages::Language;
use louver_recall::note::{self, Voice as Said};
use louver_recall::question::{self, Asked, Question};
use louver_recall::rank::{Parts, Ranked, rank};
use rusqlite::{OptionalExtension as _, params_from_iter};

pub use louver_recall::choose::Fits;

use super::reminder::first_line;
use super::shelf::{Fetched, Few};
use super::sync::{handle_of, id_of, token};
use super::{Library, LibraryError};

/// So many notes are found by words, and so many by meaning, before anything is compared closely.
const FOUND: usize = 300;
/// Over so many notes, what stands far down is hardly ever it, and time counts.
const MANY: u64 = 20_000;
const FOUND_OF_MANY: usize = 100;

/// What is asked, and by whom.
pub struct Asking<'a> {
    /// The question.
    pub text: &'a str,
    /// When it is asked. Without it "yesterday" means nothing.
    pub now: Option<DateTime>,
    /// How many tokens may be spent.
    pub budget: u32,
    /// The session that asks. What belongs to another chat is not looked at.
    pub session: &'a str,
    /// Whether others read along, or it is not the owner who asks: then only what was said in this
    /// session is looked at.
    pub others: bool,
    /// Names, handles or first lines of notes that are in view already.
    pub in_view: &'a HashSet<String>,
    /// Sources that are in view as a whole.
    pub shown: &'a [String],
}

/// What was recalled.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recalled {
    /// The notes, best first.
    pub taken: Vec<Taken>,
    /// What was ranked but left out, best first.
    pub left: Vec<Left>,
    /// The tokens of all lines.
    pub tokens: u32,
    /// How well anything fits the question.
    pub fits: Fits,
}

/// A note that is in.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// What it is called.
    pub place: String,
    /// A short name for it.
    pub handle: String,
    /// Who said it, or the title of what it is part of.
    pub who: String,
    /// When, as it stands before the note; empty when that is not known.
    pub day: String,
    /// What of its text is in.
    pub text: String,
    /// Whether that is all of it.
    pub whole: bool,
    /// The tokens of its line.
    pub tokens: u32,
    /// Its rank by score, from one.
    pub rank: usize,
    /// Its score.
    pub score: f32,
    /// What each part of the score gave.
    pub parts: Parts,
    /// Why it is in.
    pub why: WhyIn,
    /// A newer note that says something very like it, perhaps otherwise.
    pub newer: Option<String>,
}

/// Why a note is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyIn {
    /// It is worth its tokens.
    Worth,
    /// It is needed to understand the note of this name.
    Before(String),
}

/// A note that is out.
#[derive(Debug, Clone, PartialEq)]
pub struct Left {
    /// What it is called.
    pub place: String,
    /// Its rank by score, from one.
    pub rank: usize,
    /// Its score.
    pub score: f32,
    /// What each part of the score gave.
    pub parts: Parts,
    /// Why it is out.
    pub why: WhyOut,
}

/// Why a note is out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyOut {
    /// The budget was spent on notes that are worth more for each token.
    Room,
    /// The note of this name says the same.
    Same(String),
    /// Nothing fits the question well enough.
    Floor,
}

/// What was found for a question, best first.
struct Looked {
    asked: Asked,
    ranked: Vec<Ranked>,
    few: Few,
}

/// One bit for each number of every note's vector.
pub(super) struct Sketches {
    /// What SQLite said of the state of the file when they were read.
    version: i64,
    ids: Vec<i64>,
    sketches: Vec<[u64; 4]>,
}

impl Library {
    /// Recalls what answers a question, within a budget that `count` counts.
    pub fn recall(
        &self,
        asking: &Asking<'_>,
        count: &dyn Fn(&str) -> u32,
    ) -> Result<Recalled, LibraryError> {
        let recalled = self.recall_each(asking, &[asking.budget], count)?;
        Ok(recalled.into_iter().next().unwrap_or_default())
    }

    /// The same for several budgets, in their order, looked up once.
    pub fn recall_each(
        &self,
        asking: &Asking<'_>,
        budgets: &[u32],
        count: &dyn Fn(&str) -> u32,
    ) -> Result<Vec<Recalled>, LibraryError> {
        let Some(Looked { asked, ranked, few }) = self.look(asking)? else {
            return Ok(vec![Recalled::default(); budgets.len()]);
        };
        let table = shipped();
        let choose = |budget: u32| {
            let choice = choose::choose(&asked, &ranked, &few, &table, budget, &count);
            told(&few, choice, asking.now)
        };
        Ok(budgets.iter().map(|budget| within(*budget, choose, count)).collect())
    }

    /// Finds and ranks what may answer a question; nothing when nothing can.
    fn look(&self, asking: &Asking<'_>) -> Result<Option<Looked>, LibraryError> {
        let all = self.len()?;
        if all == 0 {
            return Ok(None);
        }
        let table = shipped();
        let question = Question { text: asking.text.to_owned(), now: asking.now };
        let asked = question::read(&question, &self.languages(all)?, &table);
        let rarities = self.rarities(&asked, all)?;
        if is_small_talk(&asked, &rarities, all) {
            return Ok(None);
        }
        let most = if all > MANY { FOUND_OF_MANY } else { FOUND };
        let scopes = self.scopes(asking)?;
        let mut wanted: HashSet<i64> =
            self.by_words(&asked, &rarities, most)?.into_iter().collect();
        wanted.extend(self.by_meaning(&asked, most)?);
        let found = self.fetch(&wanted, asking, &scopes)?;
        let ids: HashSet<u64> = found.iter().map(|fetched| fetched.note.id).collect();
        let beside = self.beside(&found, &ids)?;
        let few = Few::new(found.into_iter().chain(beside).collect(), &table);
        let mean = self.mean(all)?;
        let is = |fetched: &Fetched| ids.contains(&fetched.note.id);
        let candidates = few.candidates(&asked.terms, &rarities, mean, is);
        let ranked = rank(&asked, &rarities, &candidates, &few, &table);
        Ok(Some(Looked { asked, ranked, few }))
    }

    /// The languages that one note in fifty is in.
    fn languages(&self, all: u64) -> Result<Vec<Language>, LibraryError> {
        let sql = "SELECT language FROM notes GROUP BY language HAVING count(*) * 50 >= ?1 ORDER BY language";
        let mut found = self.db.prepare_cached(sql)?;
        let numbers = found.query_map([all.cast_signed()], |row| row.get::<_, u32>(0))?;
        let numbers: Vec<u32> = numbers.collect::<Result<_, _>>()?;
        let known: Vec<Language> = Language::all().collect();
        Ok(numbers.into_iter().filter_map(|number| known.get(number as usize).copied()).collect())
    }

    /// How telling each term of a question is.
    fn rarities(&self, asked: &Asked, all: u64) -> Result<Vec<f32>, LibraryError> {
        let mut found = self.db.prepare_cached("SELECT doc FROM vocabulary WHERE term = ?1")?;
        let mut rarities = Vec::with_capacity(asked.terms.len());
        for term in &asked.terms {
            let mut with = 0_i64;
            for form in &term.forms {
                let notes: Option<i64> =
                    found.query_row([token(form)], |row| row.get(0)).optional()?;
                with += notes.unwrap_or(0);
            }
            rarities.push(rarity(term, with as f32, all as f32));
        }
        Ok(rarities)
    }

    /// The mean length of a note, in words.
    fn mean(&self, all: u64) -> Result<f32, LibraryError> {
        let sql = "SELECT value FROM facts WHERE name = 'length'";
        let total: Option<i64> = self.db.query_row(sql, [], |row| row.get(0)).optional()?;
        Ok(total.unwrap_or(0) as f32 / all.max(1) as f32)
    }

    /// The numbers of the sources that the one who asks may know.
    fn scopes(&self, asking: &Asking<'_>) -> Result<HashSet<i64>, LibraryError> {
        let sql = match asking.others {
            // Private memory never enters a chat with others in it.
            true => "SELECT id, name FROM sources WHERE name = ?1",
            false => "SELECT id, name FROM sources WHERE scope = '' OR name = ?1",
        };
        let mut found = self.db.prepare_cached(sql)?;
        let rows = found.query_map([asking.session], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
        })?;
        let mut ids = HashSet::new();
        for row in rows {
            let (id, name) = row?;
            if !asking.shown.contains(&name) {
                ids.insert(id);
            }
        }
        Ok(ids)
    }

    /// The notes that share telling words with a question. A word that a third of the notes have tells
    /// nothing as long as there is another.
    fn by_words(
        &self,
        asked: &Asked,
        rarities: &[f32],
        most: usize,
    ) -> Result<Vec<i64>, LibraryError> {
        const LITTLE: f32 = 1.1;
        let telling = rarities.iter().any(|rarity| *rarity > LITTLE);
        let terms = asked.terms.iter().zip(rarities);
        let used = terms.filter(|(_, rarity)| !telling || **rarity > LITTLE);
        let forms: HashSet<String> =
            used.flat_map(|(term, _)| &term.forms).map(|form| token(form)).collect();
        if forms.is_empty() {
            return Ok(Vec::new());
        }
        let mut forms: Vec<String> = forms.into_iter().collect();
        forms.sort_unstable();
        let query = forms.join(" OR ");
        let sql = "SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rank LIMIT ?2";
        let mut found = self.db.prepare_cached(sql)?;
        let ids = found.query_map(rusqlite::params![query, most as i64], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// The notes whose vectors are nearest, one bit for each number.
    fn by_meaning(&self, asked: &Asked, most: usize) -> Result<Vec<i64>, LibraryError> {
        let mut held = self.sketches.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let version: i64 = self.db.query_row("PRAGMA data_version", [], |row| row.get(0))?;
        if held.as_ref().is_none_or(|held| held.version != version) {
            *held = Some(self.load(version)?);
        }
        let Some(held) = held.as_ref() else { return Ok(Vec::new()) };
        let mine = asked.vector.sketch();
        let mut near: Vec<(u16, i64)> = held
            .sketches
            .iter()
            .zip(&held.ids)
            .map(|(sketch, id)| (apart(sketch, &mine), *id))
            .collect();
        if near.len() > most {
            near.select_nth_unstable(most);
            near.truncate(most);
        }
        Ok(near.into_iter().map(|(_, id)| id).collect())
    }

    fn load(&self, version: i64) -> Result<Sketches, LibraryError> {
        let mut held = Sketches { version, ids: Vec::new(), sketches: Vec::new() };
        let mut found = self.db.prepare("SELECT id, sketch FROM sketches")?;
        let mut rows = found.query([])?;
        while let Some(row) = rows.next()? {
            let bytes = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            let mut sketch = [0_u64; 4];
            for (part, bytes) in sketch.iter_mut().zip(bytes.chunks_exact(8)) {
                *part = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            }
            held.ids.push(row.get(0)?);
            held.sketches.push(sketch);
        }
        Ok(held)
    }

    /// The notes with these numbers, as far as the one who asks may know them and does not see them.
    fn fetch(
        &self,
        ids: &HashSet<i64>,
        asking: &Asking<'_>,
        scopes: &HashSet<i64>,
    ) -> Result<Vec<Fetched>, LibraryError> {
        let mut found = Vec::with_capacity(ids.len());
        let ids: Vec<i64> = ids.iter().copied().collect();
        for some in ids.chunks(400) {
            let marks = vec!["?"; some.len()].join(",");
            let sql = format!("{FETCH} WHERE notes.id IN ({marks})");
            let mut query = self.db.prepare_cached(&sql)?;
            let rows = query.query_map(params_from_iter(some), fetched)?;
            for row in rows {
                let (source, fetched) = row?;
                let seen = |name: &str| asking.in_view.contains(name);
                let handle = handle_of(fetched.note.id.cast_signed());
                let first = first_line(&fetched.note.text);
                let known = seen(&fetched.place) || seen(&handle) || seen(first);
                if scopes.contains(&source) && !known {
                    found.push(fetched);
                }
            }
        }
        Ok(found)
    }

    /// The notes before and after these that are not among them.
    fn beside(&self, found: &[Fetched], ids: &HashSet<u64>) -> Result<Vec<Fetched>, LibraryError> {
        let sql = format!("{FETCH} WHERE sources.name = ?1 AND pos BETWEEN ?2 - 1 AND ?2 + 1");
        let mut query = self.db.prepare_cached(&sql)?;
        let mut beside: HashMap<u64, Fetched> = HashMap::new();
        for one in found.iter().filter(|one| !one.note.session.is_empty()) {
            let rows = query.query_map(rusqlite::params![one.note.session, one.pos], fetched)?;
            for row in rows {
                let (_, fetched) = row?;
                if !ids.contains(&fetched.note.id) {
                    beside.insert(fetched.note.id, fetched);
                }
            }
        }
        Ok(beside.into_values().collect())
    }
}

/// What is chosen within a budget, counted on the lines as a prompt has them: one that is cut has a
/// handle and a mark besides.
fn within(budget: u32, choose: impl Fn(u32) -> Recalled, count: &dyn Fn(&str) -> u32) -> Recalled {
    let mut most = budget;
    loop {
        let mut recalled = choose(most);
        for taken in &mut recalled.taken {
            taken.tokens = count(&taken.line());
        }
        recalled.tokens = recalled.taken.iter().map(|taken| taken.tokens).sum();
        if recalled.tokens <= budget || most == 0 {
            return recalled;
        }
        most = most.saturating_sub(recalled.tokens - budget);
    }
}

impl Taken {
    /// Where it stands, as a prompt has it: who said it, and before that a handle when there is more.
    pub fn from(&self) -> String {
        match self.whole {
            true => self.who.clone(),
            false => format!("{} {}", self.handle, self.who).trim_end().to_owned(),
        }
    }

    /// Its text as a prompt has it.
    pub fn said(&self) -> String {
        let rest = if self.whole { "" } else { " […]" };
        let newer = if self.newer.is_some() { NEWER } else { "" };
        format!("{}{rest}{newer}", self.text.trim_end())
    }

    /// Its line as a prompt has it.
    pub fn line(&self) -> String {
        let from = self.from();
        let parts = [self.day.as_str(), from.as_str()];
        let head: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        match head.is_empty() {
            true => format!("{}\n", self.said()),
            false => format!("[{}] {}\n", head.join(" · "), self.said()),
        }
    }
}

/// What is said of a note that a newer one may contradict.
pub(super) const NEWER: &str = " (older)";

/// Whether a message is a word or two that no note has: a greeting asks for nothing.
fn is_small_talk(asked: &Asked, rarities: &[f32], all: u64) -> bool {
    let unknown = asked
        .terms
        .iter()
        .zip(rarities)
        .all(|(term, found)| *found >= rarity(term, 0.0, all as f32));
    asked.terms.len() <= 2 && asked.spans.is_empty() && unknown
}

const FETCH: &str = "SELECT notes.source, notes.place, notes.text, notes.who, notes.voice, notes.time, \
                     sources.name, notes.pos FROM notes JOIN sources ON notes.source = sources.id";

fn fetched(row: &rusqlite::Row<'_>) -> rusqlite::Result<(i64, Fetched)> {
    let place: String = row.get(1)?;
    let time: Option<String> = row.get(5)?;
    let note = note::Note {
        id: id_of(&place).cast_unsigned(),
        text: row.get(2)?,
        who: row.get(3)?,
        voice: match row.get::<_, u8>(4)? {
            0 => Said::Person,
            1 => Said::Agent,
            _ => Said::Other,
        },
        session: row.get(6)?,
        at: time.and_then(|time| time.parse().ok()),
    };
    Ok((row.get(0)?, Fetched { note, place, pos: row.get(7)? }))
}

/// The choice in the words of people: names in place of numbers.
fn told(few: &Few, choice: choose::Choice, now: Option<DateTime>) -> Recalled {
    use louver_recall::rank::Shelf as _;
    let taken = |chosen: choose::Chosen| {
        let note = few.note(chosen.place);
        Taken {
            place: few.name(chosen.place).to_owned(),
            handle: handle_of(chosen.id.cast_signed()),
            who: note.map_or_else(String::new, |note| note.who.clone()),
            day: note.and_then(|note| note.at).map_or_else(String::new, |at| day(at, now)),
            text: chosen.text,
            whole: chosen.whole,
            tokens: chosen.tokens,
            rank: chosen.rank,
            score: chosen.score,
            parts: chosen.parts,
            why: match chosen.why {
                choose::WhyIn::Worth => WhyIn::Worth,
                choose::WhyIn::Before(id) => WhyIn::Before(few.name_of(id).to_owned()),
            },
            newer: chosen.newer.map(|id| few.name_of(id).to_owned()),
        }
    };
    let left = |out: choose::LeftOut| Left {
        place: few.name_of(out.id).to_owned(),
        rank: out.rank,
        score: out.score,
        parts: out.parts,
        why: match out.why {
            choose::WhyOut::Room => WhyOut::Room,
            choose::WhyOut::Same(id) => WhyOut::Same(few.name_of(id).to_owned()),
            choose::WhyOut::Floor => WhyOut::Floor,
        },
    };
    Recalled {
        taken: choice.notes.into_iter().map(taken).collect(),
        left: choice.left_out.into_iter().map(left).collect(),
        tokens: choice.tokens,
        fits: choice.fits,
    }
}
