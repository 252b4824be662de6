//! What a turn is reminded of: notes that answer what was said and are not in view.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use jiff::Zoned;
use louver_context::snapshot::Note;
use louver_context::{Message, Recipe, Role};
use louver_recall::question::leans;

use super::ask::NEWER;
use super::parts::most_parts;
use super::{Asking, Library, LibraryError, Progress, Recalled, Sense, Table};
use crate::notes::Places;
use crate::problem::Problem;
use crate::session::{Entry, forks};
use crate::workspace::{MEMORY, daily, days_in_prompt};

/// A memory of more tokens than this part of the budget may be shortened in the prompt; then its lines
/// can be recalled too.
const LARGE_MEMORY: u32 = 4;

/// No more than so many things said are sent as one message, whatever a log says.
const TOGETHER: usize = 1_000;

/// Reminds turns of what was said before.
pub struct Reminder {
    path: PathBuf,
    places: Places,
    library: Option<Library>,
    budget: Option<u32>,
    table: Table,
}

/// What was just said, and where.
#[derive(Debug, Clone)]
pub struct Just<'a> {
    /// The words.
    pub text: &'a str,
    /// When.
    pub now: Option<&'a Zoned>,
    /// The session.
    pub session: &'a str,
    /// Whether others read along.
    pub others: bool,
    /// What a sentence model makes of it, where there is one.
    pub sense: Option<&'a Sense>,
}

impl Reminder {
    /// Reminds from these places, with so many tokens a turn at the most.
    pub fn new(workspace: &Path, places: Places, budget: Option<u32>) -> Reminder {
        Reminder {
            path: workspace.to_owned(),
            places,
            library: None,
            budget,
            table: Table::shipped(),
        }
    }

    /// The same with these word vectors in place of those in the binary.
    #[must_use]
    pub fn with_vectors(mut self, table: Table) -> Reminder {
        self.table = table;
        self
    }

    /// The library, with everything in it that there is now.
    pub fn library(
        &mut self,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(&mut Library, Vec<Problem>), LibraryError> {
        let mut library = self.take_library()?;
        let synced = match library.sync(&self.places, progress) {
            // What was damaged is empty now, and fills again.
            Err(error) if error.is_damage() => library.sync(&self.places, progress),
            synced => synced,
        };
        let problems = match synced {
            Ok((_, problems)) => problems,
            // What was taken in before is found all the same.
            Err(error) if error.is_refused() => {
                let what = format!("{error}; what is new was not read");
                vec![Problem::warning("recall", what).hint(error.hint())]
            }
            Err(error) => return Err(error),
        };
        Ok((self.library.insert(library), problems))
    }

    /// The library as it is, without looking whether something changed.
    pub fn as_it_is(&mut self) -> Result<&mut Library, LibraryError> {
        let library = self.take_library()?;
        Ok(self.library.insert(library))
    }

    fn take_library(&mut self) -> Result<Library, LibraryError> {
        if let Some(library) = self.library.take() {
            return Ok(library);
        }
        let mut library = Library::open_with(&self.path, self.table.clone())?;
        library.name(&self.places);
        Ok(library)
    }

    /// Where notes are looked for.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The session whose notes may be known in one, and whether only those may: [`crate::Owner::known_in`].
    pub fn known_in<'a>(&self, session: &'a str, others: bool) -> (&'a str, bool) {
        self.places.owner.known_in(session, others)
    }

    /// What is recalled of the library as it is. One that turns out to be damaged is filled again and asked once more,
    /// which is told.
    pub fn recall(
        &mut self,
        asking: &Asking<'_>,
        sense: Option<&Sense>,
        count: &dyn Fn(&str) -> u32,
    ) -> Result<(Recalled, Option<Problem>), LibraryError> {
        match self.as_it_is()?.recall_sensed(asking, sense, &|text| count(text)) {
            Err(error) if error.is_damage() => {
                let (library, _) = self.library(&mut |_| {})?;
                let recalled = library.recall_sensed(asking, sense, &|text| count(text))?;
                let what = format!("{error}; it was made again");
                Ok((recalled, Some(Problem::warning("recall", what))))
            }
            recalled => Ok((recalled?, None)),
        }
    }

    /// The notes that answer what was said, within what the turn has for them.
    pub fn remind(
        &mut self,
        just: &Just<'_>,
        view: &[Entry],
        recipe: &Recipe<'_>,
    ) -> Result<Vec<Note>, LibraryError> {
        let budget = self.budget.unwrap_or(recipe.turn_reserve().0 / 2);
        let shown = self.shown(just, recipe);
        let (session, others) = self.known_in(just.session, just.others);
        let in_view = in_view(&self.path, just.session, view);
        let (library, _) = self.library(&mut |_| {})?;
        let before = library.said_before(just.session, view, just.text)?;
        let asking = Asking {
            text: just.text,
            before: before.as_deref(),
            now: just.now.map(Zoned::datetime),
            budget,
            session,
            others,
            in_view: &in_view,
            shown: &shown,
        };
        let counter = recipe.counter;
        let count = |text: &str| counter.count(text).0;
        let (recalled, _) = self.recall(&asking, just.sense, &count)?;
        Ok(recalled.notes())
    }

    /// The files whose text is in the prompt already.
    fn shown(&self, just: &Just<'_>, recipe: &Recipe<'_>) -> Vec<String> {
        let mut shown = Vec::new();
        let read = |name: &str| self.places.folder.read(name, 1024 * 1024).ok();
        if let Some((name, memory)) = MEMORY.iter().find_map(|name| Some((name, read(name)?))) {
            let most = recipe.model.budget().0 / LARGE_MEMORY;
            if recipe.counter.count(&memory.text).0 <= most {
                shown.push((*name).to_owned());
            }
        }
        if let Some(now) = just.now {
            shown.extend(days_in_prompt(recipe.profile, now.date()).into_iter().map(daily));
        }
        shown
    }
}

/// So many bytes of what was said before are enough to know what is spoken of.
const BEFORE: usize = 400;

impl Library {
    /// What the person said last in a session in which these messages are in view, where a question goes on with that.
    pub fn said_before(
        &mut self,
        session: &str,
        view: &[Entry],
        question: &str,
    ) -> Result<Option<String>, LibraryError> {
        if !leans(question) {
            return Ok(None);
        }
        let last = view.iter().rfind(|entry| entry.message.role == Role::User);
        let Some(entry) = last else { return Ok(None) };
        // What came in without a turn, by an import or by hand, was never sent for anything.
        let number = entry.said.map_or(entry.id, |[_, last]| last);
        let note = self.get(&format!("{session}#{number}"))?;
        Ok(note.map(|note| note.text[..note.text.floor_char_boundary(BEFORE)].to_owned()))
    }
}

/// The names of the notes of messages that a model sees, also those that they have in forks.
pub fn notes_in_view(workspace: &Path, session: &str, view: &[Entry]) -> HashSet<String> {
    let mut names = names_in(session, view, Some);
    for copy in forks::copies(workspace, session) {
        names.extend(names_in(&copy.key, view, |number| copy.number(number)));
    }
    names
}

/// The names in a session where messages have these numbers.
fn names_in(session: &str, view: &[Entry], number: impl Fn(u64) -> Option<u64>) -> HashSet<String> {
    let name = |n: u64| Some(format!("{session}#{}", number(n)?));
    let mut names: HashSet<String> = view.iter().filter_map(|entry| name(entry.id)).collect();
    // A note of what a person says has the number of that, and not of how it was sent.
    let said = view.iter().filter_map(|entry| entry.said);
    names.extend(said.flat_map(|[first, last]| (first..=last).take(TOGETHER)).filter_map(name));
    for entry in view {
        // Of a long message the parts are in view too. That there are fewer costs nothing.
        let bytes = entry.message.texts().map(|text| text.len()).sum();
        let [first, last] = entry.said.unwrap_or([entry.id; 2]);
        let parts = (first..=last)
            .filter_map(&name)
            .flat_map(|name| (2..=most_parts(bytes)).map(move |part| format!("{name}.{part}")));
        names.extend(parts.take(PARTS_IN_VIEW));
    }
    names
}

/// So many parts of one message are known to be in view: as many as 16 MB have.
const PARTS_IN_VIEW: usize = 16 * 1024;

/// The same, and what notes that came with them say.
fn in_view(workspace: &Path, session: &str, view: &[Entry]) -> HashSet<String> {
    let mut names = notes_in_view(workspace, session, view);
    for entry in view.iter().filter(|entry| entry.message.role == Role::User) {
        names.extend(recalled_before(&entry.message));
    }
    names
}

/// What the notes say that a message brought with it, and the handles of those that were cut.
fn recalled_before(message: &Message) -> Vec<String> {
    let mut found = Vec::new();
    for text in message.texts().filter(|text| text.contains("<recalled")) {
        for line in text.lines() {
            // Whoever said it stands before it, unless nobody did.
            let said = line.split_once(": ").map(|(_, said)| said);
            found.extend(said.into_iter().chain([line]).map(|line| first_line(line).to_owned()));
            let cut = line.trim_end_matches(NEWER).strip_suffix(']');
            found.extend(cut.and_then(|cut| Some(cut.rsplit_once(" [… ")?.1.to_owned())));
        }
    }
    found
}

/// The first line of a note, by which it is known again.
pub(super) fn first_line(text: &str) -> &str {
    let line = text.trim_start().lines().next().unwrap_or_default();
    line.trim_end().trim_end_matches(NEWER)
}
