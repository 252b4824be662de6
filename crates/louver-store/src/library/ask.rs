//! A question and a budget in, the notes that go into the prompt out.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use jiff::civil::{Date, DateTime};
use louver_context::layers::recalled::lines;
use louver_context::snapshot;
use louver_recall::choose::{self, day};
use louver_recall::lexicon::widen;
use louver_recall::maps::Numbered;
use louver_recall::question::{self, Asked, Question};
use louver_recall::rank::{Parts, Ranked, Shelf as _, rank};
use louver_recall::recall::{days_of, found};
use louver_recall::tasks::Task;
use louver_recall::when::hanging;

pub use louver_recall::choose::Lack;
pub use louver_recall::odds::Fits;

use super::columns::Columns;
use super::facts::Facts;
use super::find::{self, Lists, Said, Search};
use super::known::{Known, Source, Sources};
use super::names::{as_handle, handle, trace};
use super::order::order;
use super::reminder::first_line;
use super::senses::{self, Sense};
use super::shelf::{Catalogue, Looked};
use super::{Library, LibraryError};
use crate::notes::Folders;

/// What is asked, and by whom.
pub struct Asking<'a> {
    /// The question.
    pub text: &'a str,
    /// What was said before, where the question goes on with that ([`Library::said_before`]).
    pub before: Option<&'a str>,
    /// When it is asked. Without it "yesterday" means nothing.
    pub now: Option<DateTime>,
    /// How many tokens may be spent.
    pub budget: u32,
    /// The session that asks. What belongs to another chat is not looked at.
    pub session: &'a str,
    /// Whether others read along, or it is not the owner who asks: then only what was said in this
    /// session, or belongs to it, is looked at.
    pub others: bool,
    /// Names, handles or first lines of notes that are in view already.
    pub in_view: &'a HashSet<String>,
    /// Sources that are in view as a whole.
    pub shown: &'a [String],
}

impl<'a> Asking<'a> {
    /// What the owner asks, alone and with nothing in view, without a day.
    pub fn new(text: &'a str, session: &'a str, budget: u32) -> Self {
        static NOTHING: LazyLock<HashSet<String>> = LazyLock::new(HashSet::new);
        Asking {
            text,
            before: None,
            now: None,
            budget,
            session,
            others: false,
            in_view: &NOTHING,
            shown: &[],
        }
    }

    /// The question with what it goes on with.
    fn whole(&self) -> Cow<'_, str> {
        match self.before {
            Some(before) => format!("{before}\n{}", self.text).into(),
            None => self.text.into(),
        }
    }
}

/// What was recalled.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recalled {
    /// The notes, best first.
    pub taken: Vec<Taken>,
    /// What was ranked but left out, best first.
    pub left: Vec<Left>,
    /// The tokens of all lines, as a prompt has them.
    pub tokens: u32,
    /// The tokens of what was chosen, before sources, days and handles are said with it: what is held against the room.
    pub chosen: u32,
    /// How well anything fits the question.
    pub fits: Fits,
    /// What decides that: the logarithm of the odds that there is something to find.
    pub odds: f32,
    /// The tokens that may be spent on what is chosen, of the budget.
    pub room: u32,
}

/// A note that is in.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// What it is called.
    pub place: String,
    /// A short name for it.
    pub handle: String,
    /// The session or file it is part of.
    pub source: String,
    /// Who said it, or the title of what it is part of.
    pub who: String,
    /// When it was said, if that is known.
    pub at: Option<DateTime>,
    /// The day of that.
    pub date: Option<Date>,
    /// The same, as it stands above the note.
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
    /// How near it is by the sentence model, where that was asked and has read it.
    pub sense: Option<f32>,
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
    /// It tells anew what the note of this name tells.
    Newer(String),
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
    /// How near it is by the sentence model, where that was asked and has read it.
    pub sense: Option<f32>,
    /// Why it is out.
    pub why: WhyOut,
}

/// Why a note is out.
#[derive(Debug, Clone, PartialEq)]
pub enum WhyOut {
    /// What may be spent was spent on notes that are worth more for each token.
    Room,
    /// The note of this name says the same.
    Same(String),
    /// It is in view already.
    InView,
    /// It does not fit the question well enough beside the others: it would need this score.
    Floor(f32),
    /// It does not have what nothing will do without.
    Lacks(Lack),
    /// Nothing fits.
    Nothing,
}

impl Library {
    /// Recalls what answers a question, within a budget that `count` counts.
    pub fn recall(
        &mut self,
        asking: &Asking<'_>,
        count: &dyn Fn(&str) -> u32,
    ) -> Result<Recalled, LibraryError> {
        self.recall_sensed(asking, None, count)
    }

    /// The same with what a sentence model makes of the question: notes that the model has read too are
    /// ranked by that in place of their word pieces.
    pub fn recall_sensed(
        &mut self,
        asking: &Asking<'_>,
        sense: Option<&Sense>,
        count: &dyn Fn(&str) -> u32,
    ) -> Result<Recalled, LibraryError> {
        let recalled = self.recall_all(asking, sense, &[asking.budget], count)?;
        Ok(recalled.into_iter().next().unwrap_or_default())
    }

    /// The same for several budgets, in their order, looked up once as for the largest.
    pub fn recall_each(
        &mut self,
        asking: &Asking<'_>,
        budgets: &[u32],
        count: &dyn Fn(&str) -> u32,
    ) -> Result<Vec<Recalled>, LibraryError> {
        self.recall_all(asking, None, budgets, count)
    }

    fn recall_all(
        &mut self,
        asking: &Asking<'_>,
        sense: Option<&Sense>,
        budgets: &[u32],
        count: &dyn Fn(&str) -> u32,
    ) -> Result<Vec<Recalled>, LibraryError> {
        let table = self.table.clone();
        let largest = budgets.iter().copied().max().unwrap_or_default();
        let asking = &Asking { budget: largest, ..*asking };
        let recalled = self.look(asking, sense, |asked, ranked, shelf| {
            let choose = |budget: u32| {
                let choice =
                    choose::choose(asked, ranked, shelf, &table.embeddings(), budget, &count);
                told(shelf, choice, asking.now)
            };
            budgets.iter().map(|budget| within(*budget, choose, count)).collect::<Vec<_>>()
        })?;
        let nothing = Recalled { odds: f32::NEG_INFINITY, ..Recalled::default() };
        Ok(recalled.unwrap_or_else(|| vec![nothing; budgets.len()]))
    }

    /// Finds and ranks what may answer a question, and hands over what was looked up; nothing when
    /// nothing can. A day that hangs on an event is found by looking for that first.
    fn look<T>(
        &mut self,
        asking: &Asking<'_>,
        sense: Option<&Sense>,
        then: impl FnOnce(&Asked, &[Ranked], &Looked<'_>) -> T,
    ) -> Result<Option<T>, LibraryError> {
        let Some(hanging) = hanging(&asking.whole()) else {
            return self.look_on(asking, |_| (), sense, then);
        };
        // It may well be in view, and is asked for its day alone.
        let (in_view, shown, budget) = (&HashSet::new(), &[], 0);
        let text = &hanging.event;
        let event = Asking { text, before: None, in_view, shown, budget, ..*asking };
        let days = self.look_on(
            &event,
            |_| (),
            None,
            |asked, ranked, shelf| days_of(asked, ranked, shelf),
        )?;
        let spans =
            days.unwrap_or_default().into_iter().filter_map(|day| hanging.from(day, asking.now));
        self.look_on(asking, |asked| asked.means(&hanging.said, spans), sense, then)
    }

    /// The same for a question of which more is known than it says.
    fn look_on<T>(
        &mut self,
        asking: &Asking<'_>,
        know: impl FnOnce(&mut Asked),
        sense: Option<&Sense>,
        then: impl FnOnce(&Asked, &[Ranked], &Looked<'_>) -> T,
    ) -> Result<Option<T>, LibraryError> {
        self.checked(|library| {
            let zone = library.zone();
            let Library { db, table, analysis, known, scores, folders, .. } = library;
            let table = &table.embeddings();
            // One view of the database from here on, whatever others write.
            let db = db.unchecked_transaction()?;
            let facts = Facts::read(&db)?;
            known.refresh(&db, facts, *analysis)?;
            let Known { columns, words, people, sources, .. } = known;
            if facts.notes == 0 {
                return Ok(None);
            }
            let question = Question { text: asking.whole().into_owned(), now: asking.now };
            let languages = find::languages(&db, &facts)?;
            let mut asked = question::read(&question, &languages, table);
            know(&mut asked);
            widen(&mut asked, &languages, &mut Said { db: &db, words })?;
            let lists = find::lists(&db, words, &facts, &asked.terms)?;
            if is_small_talk(&question.text, &asked, &lists) {
                return Ok(None);
            }
            columns.load(&db, facts.next_place)?;
            sources.load(&db, &facts)?;
            let (allowed, columns, sources) =
                (Allowed::new(sources, asking, folders.as_ref()), &*columns, &*sources);
            let goes_on = asking.before.is_some();
            let may = |place: u32| {
                allowed.has(columns, place as usize)
                    && !(goes_on && allowed.names(columns, place as usize))
            };
            let in_view = |trace: u16, text: &dyn Fn() -> Option<String>| {
                allowed.traces.contains(&trace)
                    && text().is_some_and(|text| asking.in_view.contains(first_line(&text)))
            };
            let most = found(words.waiting.without(&facts).notes as usize, asking.budget);
            let search = Search { db: &db, columns, facts: &facts, most, may: &may };
            let spotted = search.candidates(&asked, &lists, words, scores)?;
            let shown = |place: u32| allowed.shows(columns, place as usize);
            let catalogue = Catalogue {
                db: &db,
                columns,
                sources,
                zone: &zone,
                may: &may,
                in_view: &in_view,
                shown: &shown,
                goes_on,
                folders: folders.as_ref(),
            };
            let rows = catalogue.rows(people, &spotted)?;
            words.load(&db, table, &rows.words)?;
            let candidates = rows.candidates.clone();
            let senses = sense.map(|sense| senses::near(&db, sense, rows.places())).transpose()?;
            let mut shelf = rows.shelf(words, &facts, &asked.terms, &lists);
            shelf.senses = senses.unwrap_or_default();
            let ranked = rank(&asked, &candidates, &shelf, table);
            let done = then(&asked, &ranked, &shelf);
            shelf.fault()?;
            Ok(Some(done))
        })
    }
}

/// Which notes the one who asks may know, and which of them are in view.
struct Allowed {
    /// Whether a source may be known, by its number.
    sources: Vec<bool>,
    /// The numbers of those that are in view.
    shown: Vec<u32>,
    /// The handles of what is in view.
    handles: Numbered<()>,
    /// A few bits of each first line in view.
    traces: HashSet<u16>,
}

impl Allowed {
    fn new(sources: &Sources, asking: &Asking<'_>, folders: Option<&Folders>) -> Allowed {
        let may = |source: &Source| source.is_known_in(asking.session, asking.others, folders);
        let is_shown = |source: &Source| asking.shown.iter().any(|shown| **shown == *source.name);
        let shown = (0..).zip(sources.iter()).filter(|(_, source)| source.is_some_and(is_shown));
        let handles =
            asking.in_view.iter().map(|name| as_handle(name).unwrap_or_else(|| handle(name)));
        Allowed {
            sources: sources.iter().map(|source| source.is_some_and(may)).collect(),
            shown: shown.map(|(number, _)| number).collect(),
            handles: handles.map(|handle| (handle, ())).collect(),
            traces: asking.in_view.iter().map(|line| trace(line)).collect(),
        }
    }

    /// Whether a note is in view by its name or handle.
    fn names(&self, columns: &Columns, place: usize) -> bool {
        self.handles.contains_key(&columns.handles[place])
    }

    /// Whether a note is in view so, or part of a source that is.
    fn shows(&self, columns: &Columns, place: usize) -> bool {
        self.shown.contains(&columns.sources[place]) || self.names(columns, place)
    }

    #[inline]
    fn has(&self, columns: &Columns, place: usize) -> bool {
        self.sources.get(columns.sources[place] as usize).is_some_and(|may| *may)
    }
}

/// What is chosen within a budget, counted on the lines as a prompt has them: one that is cut has a
/// handle besides, and the first of a source says so.
fn within(budget: u32, choose: impl Fn(u32) -> Recalled, count: &dyn Fn(&str) -> u32) -> Recalled {
    let mut most = budget;
    loop {
        let mut recalled = choose(most);
        let order = order(&recalled.taken);
        for (at, line) in order.iter().zip(lines(&recalled.notes())) {
            recalled.taken[*at].tokens = count(&line);
        }
        recalled.tokens = recalled.taken.iter().map(|taken| taken.tokens).sum();
        if recalled.tokens <= budget || most == 0 {
            return recalled;
        }
        most = most.saturating_sub(recalled.tokens - budget);
    }
}

impl Recalled {
    /// The notes as a prompt has them.
    pub fn notes(&self) -> Vec<snapshot::Note> {
        order(&self.taken).into_iter().map(|at| self.taken[at].note()).collect()
    }
}

impl Taken {
    fn note(&self) -> snapshot::Note {
        let rest = if self.whole { String::new() } else { format!(" [… {}]", self.handle) };
        let newer = if self.newer.is_some() { NEWER } else { "" };
        snapshot::Note {
            id: self.place.as_str().into(),
            source: self.source.clone(),
            date: self.day.clone(),
            who: self.who.clone(),
            text: format!("{}{rest}{newer}", self.text.trim_end()).into(),
        }
    }
}

/// What is said of a note that a newer one may contradict.
pub const NEWER: &str = " (older)";

/// Whether a message is a word or two that no note has, and no question: a greeting asks for nothing.
fn is_small_talk(text: &str, asked: &Asked, lists: &[Lists]) -> bool {
    if question::is_small_talk(text) {
        return true;
    }
    if question::asks(text) && !asked.terms.is_empty() {
        return false;
    }
    let unknown = lists.iter().all(|list| list.notes() == 0);
    let nothing = asked.spans.is_empty() && asked.task == Task::Neither;
    asked.terms.len() <= 2 && nothing && unknown
}

/// The choice in the words of people: names in place of numbers.
fn told(shelf: &Looked<'_>, choice: choose::Choice, now: Option<DateTime>) -> Recalled {
    let name = |id: u64| shelf.name(u32::try_from(id).unwrap_or(u32::MAX));
    let taken = |chosen: choose::Chosen| {
        let note = shelf.note(chosen.place);
        Taken {
            place: shelf.name(chosen.place),
            handle: shelf.handle(chosen.place),
            source: shelf.source(chosen.place),
            who: note.map_or_else(String::new, |note| choose::brief(&note.who).into_owned()),
            at: note.and_then(|note| note.at),
            date: note.and_then(|note| note.at).map(|at| at.date()),
            day: note.and_then(|note| note.at).map_or_else(String::new, |at| day(at, now)),
            text: chosen.text,
            whole: chosen.whole,
            tokens: chosen.tokens,
            rank: chosen.rank,
            score: chosen.score,
            parts: chosen.parts,
            sense: shelf.sense(chosen.place),
            why: match chosen.why {
                choose::WhyIn::Worth => WhyIn::Worth,
                choose::WhyIn::Before(id) => WhyIn::Before(name(id)),
                choose::WhyIn::Newer(id) => WhyIn::Newer(name(id)),
            },
            newer: chosen.newer.map(name),
        }
    };
    let left = |out: choose::LeftOut| Left {
        place: name(out.id),
        rank: out.rank,
        score: out.score,
        parts: out.parts,
        sense: u32::try_from(out.id).ok().and_then(|place| shelf.sense(place)),
        why: match out.why {
            choose::WhyOut::Room => WhyOut::Room,
            choose::WhyOut::Same(id) => WhyOut::Same(name(id)),
            choose::WhyOut::InView => WhyOut::InView,
            choose::WhyOut::Floor(needs) => WhyOut::Floor(needs),
            choose::WhyOut::Lacks(what) => WhyOut::Lacks(what),
            choose::WhyOut::Nothing => WhyOut::Nothing,
        },
    };
    Recalled {
        taken: choice.notes.into_iter().map(taken).collect(),
        left: choice.left_out.into_iter().map(left).collect(),
        tokens: choice.tokens,
        chosen: choice.tokens,
        fits: choice.fits,
        odds: choice.odds,
        room: choice.room,
    }
}
