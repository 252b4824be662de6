//! How well each candidate answers the question, part by part.
//!
//! Every part is brought to the scale of the candidates at hand (the best has 1), weighed, and added:
//! there is no threshold on a number that means one thing in one set of notes and another in the next.
//! The weights were fitted on six public sets at once, under the rule that no evidence may count
//! against a note, and checked on the halves they were not fitted on.

use jiff::civil::DateTime;

use crate::again::{again, puts_off};
use crate::echo::{self, Echo, echo};
use crate::embed::{Embeddings, Small, normalise};
use crate::fuse::{among, are_enough, capped, in_place_of, of_best, without_length};
use crate::kin::kin;
use crate::links::linked;
use crate::maps::Numbered;
use crate::matcher::{Matched, Matcher};
use crate::note::{Note, Voice};
pub use crate::parts::Parts;
use crate::question::{About, Asked, AskedTerm};
use crate::reading::Reading;
use crate::sides::{COVERS, LONG_MESSAGE, Sentence, answers, sides};
use crate::signs::{is_over, phrase, time, voice, wants};
use crate::when::is_month;
use crate::words::runs_together;
use std::collections::HashMap;

/// A note that could be it, and what finding it told.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// Its place on the shelf.
    pub place: u32,
    /// BM25 of its text and heading.
    pub words: f32,
    /// BM25 of its heading alone.
    pub heading: f32,
}

/// Where candidates are looked up.
pub trait Shelf {
    /// The note at a place. What it says may be left out: [`Shelf::text`] has it.
    fn note(&self, place: u32) -> Option<&Note>;
    /// What the note at a place says. Only asked for where it is needed.
    fn text(&self, place: u32) -> Option<&str>;
    /// The name of what it is part of: its session, unless that has another name for people.
    fn source(&self, place: u32) -> String {
        self.note(place).map_or_else(String::new, |note| note.session.clone())
    }
    /// Who says it: the same for all that the person says or keeps.
    fn speaker(&self, place: u32) -> &str {
        self.note(place).map_or("", |note| note.who.as_str())
    }
    /// When it was said, by one clock for all notes: who travels has another, and in autumn it is set back.
    fn moment(&self, place: u32) -> Option<DateTime> {
        self.note(place)?.at
    }
    /// What came before it and was said at the same time has a smaller number.
    fn arrival(&self, place: u32) -> u32 {
        place
    }
    /// Whether it is part of a page rather than of a talk.
    fn is_page(&self, _place: u32) -> bool {
        false
    }
    /// What it is about by the page it is on; empty for what people say ([`crate::topic`]).
    fn topic(&self, _place: u32) -> &str {
        ""
    }
    /// What was read from it.
    fn reading(&self, place: u32) -> Option<&Reading>;
    /// What it means. All that is asked for of most notes that stand beside a candidate.
    fn vector(&self, place: u32) -> Option<&Small> {
        self.reading(place).map(|reading| &reading.vector)
    }
    /// The notes before and after it in its talk.
    fn beside(&self, place: u32) -> [Option<u32>; 2];
    /// What the person said next in its session, perhaps after an answer, where a pause lies between. Only of the likeliest
    /// that is known.
    fn resumed(&self, _place: u32) -> Option<u32> {
        None
    }
    /// How many words there are: the numbers of those in readings are below it.
    fn words(&self) -> usize;
    /// The vector of a word.
    fn word(&self, word: u32) -> Option<&Small>;
    /// Whether it may change while all else stays.
    fn changes(&self, word: u32) -> Changes;
    /// The words that are forms of a term.
    fn forms(&self, term: &AskedTerm) -> Vec<u32>;
    /// How many notes there are, whether they are candidates or not.
    fn notes(&self) -> usize;
    /// How many words they have together, those that say nothing aside.
    fn length(&self) -> u64;
    /// How telling a term is among them, as [`question::rarity`](crate::question::rarity) has it.
    fn rarity(&self, term: &AskedTerm) -> f32;
    /// Whether the one who asks sees it already. It is ranked all the same: what is much less likely to answer
    /// need not be added to it.
    fn is_in_view(&self, _place: u32) -> bool {
        false
    }
    /// How near the note at a place is to the question by a sentence model, as a cosine, where there is
    /// a model that has read both. It takes the place of what the word pieces say of [`Parts::meaning`], and counts for more.
    fn sense(&self, _place: u32) -> Option<f32> {
        None
    }
}

/// What a word is to a fact that is told anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Changes {
    /// It is part of what is told.
    #[default]
    No,
    /// It is what changes: a number.
    Number,
    /// It tells one from another: a month.
    Month,
}

impl Changes {
    /// What a word is that is spelled so.
    pub fn of(spelling: &str) -> Changes {
        match spelling.contains(char::is_numeric) {
            true => Changes::Number,
            false if is_month(spelling) => Changes::Month,
            false => Changes::No,
        }
    }
}

/// A candidate with its score.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked {
    /// Its place on the shelf.
    pub place: u32,
    /// All parts, weighed and added.
    pub score: f32,
    /// What each part gave.
    pub parts: Parts,
    /// How much of the question it covers, by words and by meaning: 0 to 1, whatever the others do.
    pub cover: f32,
    /// The cosine between what it and what the question mean.
    pub cosine: f32,
    /// The same two for each sentence of a message that has several; of the best notes alone, unless it asks several questions.
    pub sides: Vec<(f32, f32)>,
    /// The place of the note whose kin it is ([`Parts::kin`]): the best before that counted.
    pub kin_of: Option<u32>,
}

impl Ranked {
    /// Whether it answers by something else than what it says: its day, its box, the page it is on, or that it is meant for
    /// every time.
    pub(crate) fn is_told_apart(&self) -> bool {
        self.parts.time > 0.0
            || self.parts.task > 0.0
            || self.parts.linked > 0.0
            || self.parts.kin > 0.3
            || self.parts.standing > 0.0
    }

    /// Whether what is asked for stands in it, above it or in what it answers.
    pub(crate) fn has_it(&self) -> bool {
        let Parts { passage, heading, before, again, .. } = self.parts;
        [passage, heading, before, again].into_iter().any(|part| part > 0.0)
    }

    /// Whether it rather answers a sentence that asks than what is told beside it.
    pub(crate) fn answers_what_asks(&self) -> bool {
        self.parts.asked > 0.5 * Parts::WEIGHTS.asked
    }
}

/// From some four hundred words on (their logarithm) a note is cut before it goes into a prompt, and
/// more of them cost no more.
const CUT: f32 = 6.0;

/// A talk begins with what it is about. From so many notes on it may be about anything.
const LATE: u32 = 10;

/// How late it came in its talk. What a page tells stands anywhere in it.
fn late(shelf: &impl Shelf, seen: &Seen<'_>) -> f32 {
    match shelf.is_page(seen.candidate.place) {
        true => 0.0,
        false => (seen.reading.spot.position.min(LATE) as f32 + 1.0).ln(),
    }
}

/// Who only asks tells so much less than one who ends with a question.
const ONLY_ASKS: f32 = 10.0;

/// What covers so much of a question may be the same question.
const ALIKE: f32 = 0.6;

/// What an answer answers counts so much more by how much of the question it covers than by its words.
const ANSWERED: f32 = 4.0;

/// A sentence model knows what a note means so much better than its word pieces do.
const SENSED: f32 = 6.0;

/// What the notes have beside each other, by their order.
struct Columns {
    /// The logarithms of their lengths.
    logs: Vec<f32>,
    words: Vec<f32>,
    heading: Vec<f32>,
    near: Vec<f32>,
    focus: Vec<f32>,
    meaning: Vec<f32>,
    /// What meaning counts, by whom it is known.
    sensed: f32,
    title: Vec<f32>,
    usual: Vec<f32>,
    around: Vec<f32>,
}

impl Columns {
    fn of(
        asked: &Asked,
        seen: &[Seen<'_>],
        matched: &[Matched],
        shelf: &impl Shelf,
        dims: usize,
    ) -> Columns {
        let asks: Vec<bool> = seen.iter().map(|seen| seen.echo != Echo::No).collect();
        let column = |of: &dyn Fn(usize) -> f32| capped((0..seen.len()).map(of).collect(), &asks);
        let logs = column(&|at| (seen[at].reading.length as f32 + 1.0).ln());
        let meaning = column(&|at| nearest(&asked.sentences, &seen[at].reading.vector));
        let senses: Vec<Option<f32>> =
            seen.iter().map(|seen| shelf.sense(seen.candidate.place)).collect();
        let titled = |at: usize| {
            let Reading { heading, vector, .. } = seen[at].reading;
            nearest(&asked.sentences, heading.as_ref().unwrap_or(vector))
        };
        Columns {
            words: of_best(column(&|at| seen[at].candidate.words)),
            heading: of_best(column(&|at| seen[at].candidate.heading)),
            near: among(without_length(column(&|at| matched[at].near), &logs)),
            focus: among(column(&|at| matched[at].focus)),
            sensed: if are_enough(&senses) { SENSED } else { 1.0 },
            meaning: among(in_place_of(meaning, &senses)),
            title: among(column(&titled)),
            usual: among(usual(seen, dims)),
            around: among(column(&|at| around(&asked.vector, &seen[at], shelf))),
            logs,
        }
    }
}

/// The notes that are ranked, and what each has beside the others.
struct Field<'a, S> {
    asked: &'a Asked,
    shelf: &'a S,
    seen: Vec<Seen<'a>>,
    matched: Vec<Matched>,
    columns: Columns,
    /// Where each stands, by its place on the shelf.
    places: Numbered<usize>,
    talks: Talks<'a>,
    /// How each fits every sentence of the question, where one of them asks beside others or there are several questions.
    sides: Vec<Vec<(f32, f32)>>,
}

impl<S: Shelf> Field<'_, S> {
    /// The note before one of them, if it is ranked too.
    fn before(&self, at: usize) -> Option<usize> {
        self.seen[at].before.and_then(|place| self.places.get(&place)).copied()
    }

    /// The question that an answer of the agent answers, as like this one as it is.
    fn answered(&self, at: usize) -> Option<(f32, f32)> {
        let before = self.before(at)?;
        let (answer, question) = (&self.seen[at], &self.seen[before]);
        let is_answer = answer.note.voice == Voice::Agent
            && question.note.voice == Voice::Person
            && question.reading.only_asks;
        let cosine = || self.asked.vector.dot(&question.reading.vector);
        is_answer.then(|| (self.matched[before].passage_near, cosine()))
    }

    /// Whether the question has a word that no note says and of which only the letters are known: no other asks the same.
    fn is_unheard(&self) -> bool {
        let unheard = |term: &AskedTerm| {
            term.says()
                && term.surface.starts_with(runs_together)
                && self.shelf.forms(term).is_empty()
        };
        self.asked.terms.iter().any(unheard)
    }

    /// How surely it is the answer to the same question.
    fn again(&self, at: usize) -> f32 {
        let again = self.answered(at).map_or(0.0, again);
        let says =
            || self.shelf.text(self.seen[at].candidate.place).is_some_and(|text| !puts_off(text));
        if again > 0.0 && !self.is_unheard() && says() { again } else { 0.0 }
    }

    /// What the note before one tells of it. Who asks for what the agent said is after its answer to something that was
    /// said or asked, and the answer need not name that.
    fn said_before(&self, at: usize, before: usize) -> f32 {
        let Field { asked, columns, seen, .. } = self;
        let answers = asked.about == About::You
            && seen[at].note.voice == Voice::Agent
            && seen[before].note.voice == Voice::Person;
        let like = self.matched[before].passage_near;
        columns.words[before] + if answers { ANSWERED * like } else { 0.0 }
    }

    /// Of several questions only what answers one need hold what that wants. Who asks when something is, and not when it was,
    /// is hardly after a day that is over.
    fn wants(&self, at: usize) -> f32 {
        let Field { asked, seen, sides, .. } = self;
        let reading = seen[at].reading;
        let over = is_over(asked, reading);
        if !asked.asks_several() {
            return wants(asked.wants, reading, over);
        }
        let each = asked.sentences.iter().zip(&sides[at]);
        let about = each.filter(|(_, (cover, _))| *cover >= COVERS);
        about.map(|(one, _)| wants(one.wants, reading, over)).fold(0.0, f32::max)
    }

    fn parts(&self, at: usize) -> Parts {
        let Field { asked, shelf, columns, .. } = self;
        let Seen { note, reading, candidate, .. } = self.seen[at];
        // Where nothing else is asked for, what else it may mean is guessed.
        let days = if asked.is_of_days_alone() { 4.0 } else { 1.0 };
        let tasks = if asked.is_of_task_alone() { 4.0 } else { 1.0 };
        let exact = if asked.is_exact_alone() { 4.0 } else { 1.0 };
        // What a word or two mean is guessed, too, beside a note that says them.
        let few = match asked.terms.iter().filter(|term| term.says()).count() {
            1 => 6.0,
            2 => 2.0,
            _ => 1.0,
        };
        Parts {
            words: columns.words[at],
            heading: columns.heading[at],
            passage: self.matched[at].cover * few,
            near: columns.near[at],
            focus: columns.focus[at],
            meaning: columns.meaning[at] * columns.sensed,
            title: if reading.heading.is_some() { columns.title[at] } else { 0.0 },
            around: columns.around[at],
            before: self.before(at).map_or(0.0, |before| self.said_before(at, before)),
            again: self.again(at),
            talk: self.talks.get(&talk(note, reading)).copied().unwrap_or(0.0),
            voice: voice(asked.about, note.voice),
            time: time(asked, note, &reading.spans) * days,
            wants: self.wants(at),
            phrase: phrase(asked, candidate.place, *shelf) * exact,
            standing: f32::from(u8::from(asked.requests && reading.standing)),
            task: reading.task.answers(asked.task) * tasks,
            asks: match self.seen[at].echo {
                Echo::Bare => ONLY_ASKS,
                _ => f32::from(u8::from(reading.asks)),
            },
            late: late(*shelf, &self.seen[at]),
            long: columns.logs[at].min(CUT),
            usual: columns.usual[at],
            linked: 0.0,
            kin: 0.0,
            asked: answers(asked, &self.sides[at]),
            course: 0.0,
        }
    }

    fn ranked(&self, at: usize) -> Ranked {
        let Seen { reading, candidate, echo, .. } = self.seen[at];
        let mut parts = self.parts(at);
        let score = parts.weigh(&Parts::WEIGHTS);
        let own = match echo {
            Echo::Bare => (0.0, 0.0),
            _ => (self.matched[at].passage_near, self.asked.vector.dot(&reading.vector)),
        };
        // What was answered to the same question covers it as that does.
        let other = self.answered(at).filter(|_| parts.again > 0.0).unwrap_or(own);
        let (cover, cosine) = (own.0.max(other.0), own.1.max(other.1));
        Ranked {
            place: candidate.place,
            score,
            parts,
            cover,
            cosine,
            sides: Vec::new(),
            kin_of: None,
        }
    }
}

/// Ranks candidates, best first.
pub fn rank(
    asked: &Asked,
    candidates: &[Candidate],
    shelf: &impl Shelf,
    table: &Embeddings<'_>,
) -> Vec<Ranked> {
    let mut seen: Vec<Seen<'_>> =
        candidates.iter().filter_map(|candidate| see(candidate, shelf)).collect();
    if seen.is_empty() {
        return Vec::new();
    }
    let mut matcher = Matcher::new(&asked.terms, seen.iter().map(|seen| seen.reading), shelf);
    let matched: Vec<Matched> =
        seen.iter().map(|seen| matcher.note(seen.reading, seen.candidate.heading)).collect();
    for (seen, matched) in seen.iter_mut().zip(&matched) {
        seen.echo = seen.asks(asked, matched, shelf);
    }
    let columns = Columns::of(asked, &seen, &matched, shelf, table.dims());
    let own = |at| (columns.words[at] + columns.meaning[at] + columns.near[at]) / 3.0;
    let talks = best_of_talk(&seen, &(0..seen.len()).map(own).collect::<Vec<f32>>());
    let asks_beside = asked.sentences.iter().any(|sentence| sentence.asks_beside);
    let by_sides = asks_beside || asked.asks_several();
    let mut of = |seen: &Seen<'_>| match by_sides {
        true => sides(asked, seen.said(), &mut matcher),
        false => Vec::new(),
    };
    let all_sides = seen.iter().map(&mut of).collect();
    let places = seen.iter().zip(0..).map(|(seen, at)| (seen.candidate.place, at)).collect();
    let field = Field { asked, shelf, seen, matched, columns, places, talks, sides: all_sides };
    let mut ranked: Vec<Ranked> = (0..field.seen.len()).map(|at| field.ranked(at)).collect();
    sort(&mut ranked);
    link(asked, &mut ranked, shelf);
    sort(&mut ranked);
    relate(asked, &mut ranked, shelf);
    sort(&mut ranked);
    let is_answered = ranked.first().is_some_and(Ranked::answers_what_asks);
    let looked_at = match asked.asks_several() {
        true => ranked.len(),
        false if is_answered || asked.sentences.len() >= LONG_MESSAGE => BEST,
        false => 0,
    };
    for one in ranked.iter_mut().take(looked_at).filter(|one| one.cover > 0.0) {
        if let Some(at) = field.places.get(&one.place) {
            one.sides = match by_sides {
                true => field.sides[*at].clone(),
                false => sides(asked, field.seen[*at].said(), &mut matcher),
            };
        }
    }
    ranked
}

/// So many of the best notes are compared with each sentence of a message.
pub(crate) const BEST: usize = 10;

/// What is on a page that one of the best names counts for more.
fn link(asked: &Asked, ranked: &mut [Ranked], shelf: &impl Shelf) {
    let linked = linked(asked, ranked, shelf);
    for (one, _) in ranked.iter_mut().zip(&linked).filter(|(_, linked)| **linked) {
        one.parts.linked = Parts::WEIGHTS.linked;
        one.score += one.parts.linked;
    }
}

/// What speaks of whom or what the best speaks of counts for more.
fn relate(asked: &Asked, ranked: &mut [Ranked], shelf: &impl Shelf) {
    let Some((best, kin)) = kin(asked, ranked, shelf) else { return };
    for (one, kin) in ranked.iter_mut().zip(kin).filter(|(_, kin)| *kin > 0.0) {
        one.kin_of = Some(best);
        one.parts.kin = Parts::WEIGHTS.kin * kin;
        one.score += one.parts.kin;
    }
}

/// Best first; of those that are as good, the latest.
pub(crate) fn sort(ranked: &mut [Ranked]) {
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.place.cmp(&a.place)));
}

/// How near each is to the mean of all.
fn usual(seen: &[Seen<'_>], dims: usize) -> Vec<f32> {
    let mut mean = vec![0f32; dims];
    for seen in seen {
        let Small { data, scale } = &seen.reading.vector;
        mean.iter_mut().zip(data).for_each(|(mean, step)| *mean += scale * f32::from(*step));
    }
    normalise(&mut mean);
    let mean = Small::from(&mean);
    seen.iter().map(|seen| mean.dot(&seen.reading.vector)).collect()
}

/// A candidate and everything that is looked up for it.
struct Seen<'a> {
    candidate: Candidate,
    note: &'a Note,
    reading: &'a Reading,
    before: Option<u32>,
    after: Option<u32>,
    /// Whether it asks what is asked.
    echo: Echo,
}

impl<'a> Seen<'a> {
    /// Whether it asks what is asked. The text is looked up where it may.
    fn asks(&self, asked: &Asked, matched: &Matched, shelf: &impl Shelf) -> Echo {
        let Seen { note, reading, candidate, .. } = self;
        let may = note.voice == Voice::Person
            && !reading.standing
            && reading.bytes <= echo::LONGEST
            && matched.passage_near >= ALIKE;
        match may {
            _ if reading.only_asks => Echo::Bare,
            true => echo(asked, shelf.text(candidate.place).unwrap_or_default()),
            false => Echo::No,
        }
    }

    fn said(&self) -> (&'a Reading, f32) {
        (self.reading, self.candidate.heading)
    }
}

fn see<'a>(candidate: &Candidate, shelf: &'a impl Shelf) -> Option<Seen<'a>> {
    let [before, after] = shelf.beside(candidate.place);
    Some(Seen {
        candidate: *candidate,
        note: shelf.note(candidate.place)?,
        reading: shelf.reading(candidate.place)?,
        before,
        after,
        echo: Echo::No,
    })
}

fn nearest(sentences: &[Sentence], vector: &Small) -> f32 {
    sentences.iter().map(|sentence| sentence.vector.dot(vector)).fold(0.0, f32::max)
}

/// How near a note is together with its neighbours, which count half, less what it is by itself.
fn around(asked: &Small, seen: &Seen<'_>, shelf: &impl Shelf) -> f32 {
    let own = &seen.reading.vector;
    let [before, after] = [seen.before, seen.after].map(|place| shelf.vector(place?));
    // The product of a sum is the sum of products, and so is the square of its length.
    let alone = own.dot(asked);
    let (mut together, mut square) = (alone, own.dot(own));
    for beside in [before, after].into_iter().flatten() {
        together += 0.5 * beside.dot(asked);
        square += own.dot(beside) + 0.25 * beside.dot(beside);
    }
    if let (Some(before), Some(after)) = (before, after) {
        square += 0.5 * before.dot(after);
    }
    let length = square.max(0.0).sqrt();
    if length > 0.0 { together / length - 0.6 * alone } else { 0.0 }
}

/// The best of each talk.
type Talks<'a> = HashMap<(&'a str, u32), f32, foldhash::fast::RandomState>;

fn best_of_talk<'a>(seen: &[Seen<'a>], own: &[f32]) -> Talks<'a> {
    let mut best = Talks::default();
    for (seen, own) in seen.iter().zip(own) {
        // A talk of one note says nothing that the note does not.
        if seen.before.is_some() || seen.after.is_some() {
            let entry = best.entry(talk(seen.note, seen.reading)).or_default();
            *entry = entry.max(*own);
        }
    }
    best
}

/// The talk a note is part of.
fn talk<'a>(note: &'a Note, reading: &Reading) -> (&'a str, u32) {
    (note.session.as_str(), reading.spot.talk)
}
