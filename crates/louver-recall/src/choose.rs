//! Spending a token budget on ranked notes.
//!
//! Notes are taken by what they are worth per token: the score is the logarithm of how likely a note
//! holds the answer, so the logarithm of its tokens is taken from it. Where all notes are short this
//! changes little; where some are ten times as long as others they must be ten times as likely.

use crate::course::by_course;
use crate::embed::Embeddings;
use crate::floor::Floor;
use crate::news::{Fact, newest_first};
use crate::note::{Note, Voice};
use crate::odds::{Fits, room, strength};
use crate::question::{About, Asked};
use crate::rank::{Parts, Ranked, Shelf};
use crate::replaced::Links;
use crate::shorten::Shortening;
use crate::subject::Subject;
use jiff::civil::DateTime;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

mod repeats;

use repeats::{Repeat, Said};

/// How much of a note's length counts against it: 0 not at all, 1 in full.
const PER_TOKEN: f32 = 1.0;
/// From so many tokens on a note's length counts for more: so much with each doubling of the budget, from the first of these
/// to the last.
///
/// Of what stands far down the next is hardly less likely than the one before, and a long note there is in the place of many
/// such. A small budget does not reach so far.
const LONG: f32 = 100.0;
const LONG_COUNTS: f32 = 0.3;
const LONG_BUDGETS: [f32; 2] = [512.0, 2048.0];
/// What the agent says is long whatever it says, and its voice counts already: of its notes that counts so much less.
const LONG_OF_AGENT: f32 = 0.25;
/// Fewer tokens than this hold no note.
const LEAST: u32 = 16;
/// Fewer tokens than this hold no part of a note that is worth reading.
const LEAST_PART: u32 = 48;
/// A token has seldom more bytes than this, so most of what does not fit need not be counted.
pub(crate) const LONGEST_TOKEN: u32 = 8;
/// A line has seldom more bytes for each token than this: what cannot be cut and has more need not be looked up.
const MOST_A_TOKEN: u32 = 6;
/// No more notes than this are looked at for one question.
pub(crate) const LOOKED_AT: usize = 400;

/// For so many notes it is looked whether there is something newer.
const TOLD_ANEW: usize = 5;

/// A note of so few telling words ("Yes, the blue one") is an answer to the one before it.
const SHORT_ANSWER: u32 = 3;
/// A question of more bytes than this is not worth adding for it.
const LONGEST_QUESTION: u32 = 240;
/// What advice was given for may take twice as many words: without it the advice is for nobody.
const LONGEST_REASON: u32 = 480;

/// What goes into the prompt, and what does not.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Choice {
    /// The notes, best first.
    pub notes: Vec<Chosen>,
    /// What was ranked but left out, best first.
    pub left_out: Vec<LeftOut>,
    /// The tokens of all lines.
    pub tokens: u32,
    /// How well anything fits the question.
    pub fits: Fits,
    /// What decides that: the logarithm of the odds that there is something to find.
    pub odds: f32,
    /// The tokens that may be spent, of the budget.
    pub room: u32,
}

/// A note that goes into the prompt.
#[derive(Clone, PartialEq, Debug)]
pub struct Chosen {
    /// The note's id.
    pub id: u64,
    /// Its place on the shelf.
    pub place: u32,
    /// What of its text is in.
    pub text: String,
    /// Whether that is all of it. If not, the rest can be had by its id.
    pub whole: bool,
    /// The tokens of its line.
    pub tokens: u32,
    /// Its rank by score, from 1.
    pub rank: usize,
    /// Its score.
    pub score: f32,
    /// What each part of the score gave.
    pub parts: Parts,
    /// Why it is in.
    pub why: WhyIn,
    /// A newer note says something very like it, perhaps otherwise.
    pub newer: Option<u64>,
}

/// Why a note is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhyIn {
    /// Worth its tokens.
    Worth,
    /// Needed to understand the note with this id, which answers it.
    Before(u64),
    /// Tells anew what the note with this id tells.
    Newer(u64),
}

/// A note that was ranked and is not in.
#[derive(Clone, PartialEq, Debug)]
pub struct LeftOut {
    /// The note's id.
    pub id: u64,
    /// Its rank by score, from 1.
    pub rank: usize,
    /// Its score.
    pub score: f32,
    /// What each part of the score gave.
    pub parts: Parts,
    /// Why it is out.
    pub why: WhyOut,
}

/// Why a note is out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum WhyOut {
    /// What may be spent was spent on notes worth more per token.
    Room,
    /// The note with this id says the same.
    Same(u64),
    /// The one who asks sees it already.
    InView,
    /// It does not fit the question well enough beside the others: it would need this score.
    Floor(f32),
    /// It does not have what nothing will do without.
    Lacks(Lack),
    /// Nothing fits.
    Nothing,
}

/// What a note must have where nothing else is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lack {
    /// To be of the days that are asked for.
    Day,
    /// The box: open, or done.
    Box,
    /// What is written so in the question.
    Phrase,
}

/// A day as it stands before a note: with its year only where that is not this year.
pub fn day(at: DateTime, now: Option<DateTime>) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = MONTHS[usize::from(at.month().unsigned_abs()) - 1];
    if now.is_some_and(|now| now.year() == at.year()) {
        format!("{} {month}", at.day())
    } else {
        format!("{} {month} {}", at.day(), at.year())
    }
}

/// How a note stands in the prompt, below its [`head`].
pub fn line(note: &Note, source: &str, text: &str) -> String {
    let (text, who) = (text.trim_end(), brief(&note.who));
    let said = who.is_empty() || who == source;
    if said { format!("{text}\n") } else { format!("{who}: {text}\n") }
}

/// Above a note of a file stand its headings. Where that is a long way, the first and the last say where it is.
pub fn brief(who: &str) -> Cow<'_, str> {
    let headings: Vec<&str> = who.split(HEADINGS).collect();
    match headings[..] {
        [first, .., last] if headings.len() > 2 && who.len() > LONG_WAY => {
            format!("{first}{HEADINGS}…{HEADINGS}{last}").into()
        }
        _ => who.into(),
    }
}

const HEADINGS: &str = " › ";
const LONG_WAY: usize = 60;

/// What stands above the notes of one source and day, as far as it is not known from another note.
pub fn head(note: &Note, source: Option<&str>, dated: bool, now: Option<DateTime>) -> String {
    let date = note.at.filter(|_| dated).map(|at| day(at, now));
    let parts: Vec<&str> = [date.as_deref(), source.filter(|source| !source.is_empty())]
        .into_iter()
        .flatten()
        .collect();
    if parts.is_empty() { String::new() } else { format!("[{}]\n", parts.join(" · ")) }
}

/// Chooses from ranked notes. The lines of what is chosen have at most `budget` tokens.
pub fn choose(
    asked: &Asked,
    ranked: &[Ranked],
    shelf: &impl Shelf,
    table: &Embeddings<'_>,
    budget: u32,
    count: &impl Fn(&str) -> u32,
) -> Choice {
    let strength = strength(asked, ranked, shelf);
    let (fits, room) = room(strength, budget);
    let floor = Floor::new(asked, strength, ranked, shelf, budget);
    let room = floor.room(room);
    let ranked = &*by_course(asked, ranked, shelf);
    let subject = Subject::of(asked, shelf);
    let links = Links::among(ranked, shelf);
    let mut purse = Purse {
        asked,
        shelf,
        table,
        count,
        left: room,
        choice: Choice { fits, odds: strength, room, ..Choice::default() },
        repeats: Vec::new(),
        said: RefCell::default(),
    };
    if let Some(best) = ranked.first().filter(|_| fits != Fits::No) {
        purse.offer_best(best);
    }
    let mut order = by_worth(looked_at(ranked, floor.of_days_alone), budget, shelf);
    if fits == Fits::Perhaps {
        wishes_first(&mut order, room, shelf);
    }
    for (at, one) in order {
        if purse.has(one.place) {
            continue;
        }
        let why = match fits {
            Fits::No => Err(WhyOut::Nothing),
            _ => floor.is_reached_by(one).and_then(|()| purse.offer(at + 1, one, WhyIn::Worth)),
        };
        // What was on a day is not told anew on another.
        if why.is_ok() && purse.choice.notes.len() <= TOLD_ANEW && !asked.is_of_days_alone() {
            purse.offer_newer(one.place, ranked, &subject, &links);
        }
        purse.leave_out(at + 1, one, why);
    }
    purse.offer_repeats();
    let of_before = |chosen: &Chosen| !matches!(chosen.why, WhyIn::Before(_));
    purse.choice.notes.sort_by_key(|chosen| (chosen.rank, of_before(chosen)));
    purse.renew();
    // What was left out may have come in since, as news of something else.
    let mut choice = purse.choice;
    choice.left_out.retain(|out| choice.notes.iter().all(|chosen| chosen.id != out.id));
    choice.left_out.sort_by_key(|out| out.rank);
    // Who asks for the course of something is after what was so before as well.
    if !asked.course {
        newest_first(asked, &subject, &links, &mut choice.notes, shelf);
    }
    choice.tokens = room - purse.left;
    choice
}

/// Those that are looked at, with their ranks by score. Where days alone are asked for, all of these days: however
/// far down they stand, nothing else will do.
fn looked_at(ranked: &[Ranked], of_days_alone: bool) -> Vec<(usize, &Ranked)> {
    let mut all: Vec<(usize, &Ranked)> = ranked.iter().enumerate().collect();
    if of_days_alone {
        all.sort_by_key(|(_, one)| one.parts.time == 0.0);
    }
    all.truncate(LOOKED_AT);
    all
}

/// The same by score per token.
fn by_worth<'a>(
    looked_at: Vec<(usize, &'a Ranked)>,
    budget: u32,
    shelf: &impl Shelf,
) -> Vec<(usize, &'a Ranked)> {
    let [first, last] = LONG_BUDGETS;
    let doublings = ((budget as f32).clamp(first, last) / first).log2();
    let worth = |ranked: &Ranked| {
        // Four bytes a token and a dozen tokens for who and when: near enough for an order.
        let tokens =
            shelf.reading(ranked.place).map_or(1.0, |reading| reading.bytes as f32 / 4.0 + 12.0);
        let of_agent = shelf.note(ranked.place).is_some_and(|note| note.voice == Voice::Agent);
        let long = if of_agent { LONG_OF_AGENT } else { 1.0 } * LONG_COUNTS * doublings;
        ranked.score - PER_TOKEN * tokens.ln() - long * (tokens / LONG).max(1.0).ln()
    };
    let mut order: Vec<(usize, &Ranked, f32)> =
        looked_at.into_iter().map(|(at, ranked)| (at, ranked, worth(ranked))).collect();
    order.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    order.into_iter().map(|(at, ranked, _)| (at, ranked)).collect()
}

/// Where little may be spent, what is to be kept to in all that is done comes before what may be asked for: of the best,
/// for among many wishes most have nothing to do with it, and of what is short beside the room.
fn wishes_first(order: &mut [(usize, &Ranked)], room: u32, shelf: &impl Shelf) {
    let is_short = |place| shelf.reading(place).is_some_and(|reading| reading.bytes <= 2 * room);
    let is_wish = |(at, one): &(usize, &Ranked)| {
        *at < WISHES && one.parts.standing > 0.0 && is_short(one.place)
    };
    order.sort_by_key(|one| !is_wish(one));
}

const WISHES: usize = 5;

/// The budget, what is left of it, and what it was spent on.
struct Purse<'a, S, C> {
    asked: &'a Asked,
    shelf: &'a S,
    table: &'a Embeddings<'a>,
    count: &'a C,
    left: u32,
    choice: Choice,
    /// What says the same as a note that is in.
    repeats: Vec<Repeat<'a>>,
    /// What the notes say that were compared.
    said: RefCell<HashMap<u32, Rc<Said>>>,
}

impl<'a, S: Shelf, C: Fn(&str) -> u32> Purse<'a, S, C> {
    fn has(&self, place: u32) -> bool {
        self.choice.notes.iter().any(|chosen| chosen.place == place)
    }

    /// A best note that is too long for the budget is in with what of it matters most, before its
    /// length counts against it. So is one for which there is just room where little may be spent: what would
    /// come in its place is worse, and may be nothing.
    fn offer_best(&mut self, best: &Ranked) {
        let bytes = self.shelf.reading(best.place).map_or(0, |reading| reading.bytes);
        let doubtful = self.choice.fits == Fits::Perhaps && bytes / 4 > self.left / 2;
        if doubtful || bytes / 4 > self.left {
            let part = (self.left / 3).max(LEAST_PART + LEAST);
            let aside = if doubtful { 0 } else { self.left.saturating_sub(part) };
            self.left -= aside;
            let _ = self.offer(1, best, WhyIn::Worth);
            self.left += aside;
        }
    }

    /// Who is given a fact is given what was said of it last, however far down that stands. Who asks for some
    /// days is not given what was said of it on others.
    fn offer_newer(&mut self, place: u32, ranked: &[Ranked], subject: &Subject<'_>, links: &Links) {
        let Some(note) = self.shelf.note(place) else { return };
        let of_then = |other: &Ranked| self.asked.spans.is_empty() || other.parts.time > 0.0;
        let fact = Fact::new(subject, links, self.shelf, place);
        let newer = ranked
            .iter()
            .enumerate()
            .filter(|(at, other)| of_then(other) && fact.is_told_by(other.place, *at));
        let when = |(_, other): &(usize, &Ranked)| self.shelf.moment(other.place);
        let newest = newer.max_by_key(when);
        // What is kin to the best may say what became of whom or what that one speaks of.
        let kin = ranked.iter().enumerate().filter(|(_, other)| other.kin_of == Some(place));
        let kin = kin.filter(|(_, other)| of_then(other) && fact.may_be_told_by(other.place));
        let kin = kin.max_by_key(when);
        for (at, other) in newest.into_iter().chain(kin) {
            if !self.has(other.place) {
                let _ = self.offer(at + 1, other, WhyIn::Newer(note.id));
            }
        }
    }

    /// Writes down why a note is out. What only says again what is in may come in yet.
    fn leave_out(&mut self, rank: usize, ranked: &'a Ranked, why: Result<(), WhyOut>) {
        match (why, self.shelf.note(ranked.place)) {
            (Err(WhyOut::Same(of)), Some(_)) => self.repeats.push(Repeat { rank, ranked, of }),
            (Err(why), Some(note)) => self.choice.left_out.push(left_out(note, rank, ranked, why)),
            _ => (),
        }
    }

    fn offer(&mut self, rank: usize, ranked: &Ranked, why: WhyIn) -> Result<(), WhyOut> {
        if self.left < LEAST {
            return Err(WhyOut::Room);
        }
        if self.shelf.is_in_view(ranked.place) {
            return Err(WhyOut::InView);
        }
        if self.left < LEAST_PART && self.is_too_long(ranked.place) {
            return Err(WhyOut::Room);
        }
        if let Some(same) = self.same(ranked.place) {
            return Err(WhyOut::Same(same));
        }
        self.take(rank, ranked, why)
    }

    /// Whether a note has more tokens than are left, by what is known of it before its text is looked up: that takes
    /// longer.
    fn is_too_long(&self, place: u32) -> bool {
        let (Some(reading), Some(note)) = (self.shelf.reading(place), self.shelf.note(place))
        else {
            return false;
        };
        let least = reading.bytes / MOST_A_TOKEN;
        least > self.left || least + self.cost(place, note, "") > self.left
    }

    fn take(&mut self, rank: usize, ranked: &Ranked, why: WhyIn) -> Result<(), WhyOut> {
        let note = self.shelf.note(ranked.place).ok_or(WhyOut::Room)?;
        let (text, whole, tokens) =
            self.fitting(ranked.place, note, self.text(ranked.place)).ok_or(WhyOut::Room)?;
        self.left -= tokens;
        self.choice.notes.push(Chosen {
            id: note.id,
            place: ranked.place,
            text,
            whole,
            tokens,
            rank,
            score: ranked.score,
            parts: ranked.parts,
            why,
            newer: None,
        });
        self.explain(rank, ranked, note.id);
        Ok(())
    }

    /// A short answer means nothing without the question before it, and one to the same question as this little; nor
    /// does advice without what it was given for.
    fn explain(&mut self, rank: usize, ranked: &Ranked, id: u64) {
        let question = match ranked.parts.again > 0.0 {
            true => self.question_before(ranked.place),
            false => self.answered(ranked.place),
        };
        let reason = || Some((self.advised(ranked.place)?, LONGEST_REASON));
        let Some((before, longest)) =
            question.map(|before| (before, LONGEST_QUESTION)).or_else(reason)
        else {
            return;
        };
        let (Some(reading), Some(note)) = (self.shelf.reading(before), self.shelf.note(before))
        else {
            return;
        };
        let taken = self.has(before) || self.shelf.is_in_view(before);
        if taken || reading.bytes > longest {
            return;
        }
        let text = self.text(before).to_owned();
        let tokens = self.cost(before, note, &text);
        if tokens <= self.left / 4 {
            self.left -= tokens;
            self.choice.notes.push(Chosen {
                id: note.id,
                place: before,
                text,
                whole: true,
                tokens,
                rank,
                score: 0.0,
                parts: Parts::default(),
                why: WhyIn::Before(id),
                newer: None,
            });
        }
    }

    /// The question before a note that only answers it.
    fn answered(&self, place: u32) -> Option<u32> {
        match self.shelf.reading(place)?.length <= SHORT_ANSWER {
            true => self.question_before(place),
            false => None,
        }
    }

    /// What the agent was told when it gave the advice that is asked for: advice is for somebody.
    fn advised(&self, place: u32) -> Option<u32> {
        let is_of = |place, voice| self.shelf.note(place).is_some_and(|note| note.voice == voice);
        if self.asked.about != About::You || !is_of(place, Voice::Agent) {
            return None;
        }
        let [before, _] = self.shelf.beside(place);
        before.filter(|before| is_of(*before, Voice::Person))
    }

    fn question_before(&self, place: u32) -> Option<u32> {
        let [before, _] = self.shelf.beside(place);
        before.filter(|before| self.shelf.reading(*before).is_some_and(|reading| reading.asks))
    }

    /// The tokens of a note's line, and of what says where it stands if no other says it.
    fn cost(&self, place: u32, note: &Note, text: &str) -> u32 {
        let source = self.shelf.source(place);
        let (mut known, mut dated, mut both) = (false, false, false);
        let day = |note: &Note| note.at.map(|at| at.date());
        for other in self.choice.notes.iter().filter_map(|other| self.shelf.note(other.place)) {
            let (same, same_day) = (other.session == note.session, day(other) == day(note));
            known |= same;
            dated |= same_day;
            both |= same && same_day;
        }
        let below = (self.count)(&line(note, &source, text));
        if both {
            return below;
        }
        let source = (!known).then_some(source.as_ref());
        below.saturating_add((self.count)(&head(note, source, !dated, self.asked.now)))
    }

    /// The whole note if there is room, else the sentences that matter.
    fn fitting(&self, place: u32, note: &Note, text: &str) -> Option<(String, bool, u32)> {
        if text.len() / LONGEST_TOKEN as usize <= self.left as usize {
            let tokens = self.cost(place, note, text);
            if tokens <= self.left {
                return Some((text.to_owned(), true, tokens));
            }
        }
        if self.left < LEAST_PART {
            return None;
        }
        let short = self.shorten(place, note, text)?;
        let tokens = self.cost(place, note, &short);
        (tokens <= self.left).then_some((short, false, tokens))
    }

    /// The sentences that matter most, as far as there is room.
    fn shorten(&self, place: u32, note: &Note, text: &str) -> Option<String> {
        let Purse { asked, table, count, .. } = *self;
        let room = self.left.saturating_sub(self.cost(place, note, "") + 4);
        let fits = |short: &str| self.cost(place, note, short) <= self.left;
        Shortening { asked, table, count }.within(room, text, fits)
    }

    fn text(&self, place: u32) -> &str {
        self.shelf.text(place).unwrap_or("")
    }
}

fn left_out(note: &Note, rank: usize, ranked: &Ranked, why: WhyOut) -> LeftOut {
    LeftOut { id: note.id, rank, score: ranked.score, parts: ranked.parts, why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;

    fn of(place: u32, score: f32) -> Ranked {
        Ranked {
            place,
            score,
            parts: Parts::default(),
            cover: 0.0,
            cosine: 0.0,
            sides: Vec::new(),
            kin_of: None,
        }
    }

    #[test]
    fn in_a_larger_budget_a_long_note_stands_further_back_and_one_of_the_agent_less_so() {
        let short = "Paid the dentist, 420 in all.";
        let long = "The roof window drips again, and the man who came was no help. ".repeat(12);
        let mut index = Index::new();
        let said = [(short, Voice::Person), (&long, Voice::Person), (&long, Voice::Agent)];
        for (id, (text, voice)) in (0..).zip(said) {
            index.add(Note { id, text: text.into(), voice, ..Note::default() });
        }
        let first = |place: u32, ahead: f32, budget: u32| {
            let ranked = [of(place, ahead), of(0, 0.0)];
            by_worth(looked_at(&ranked, false), budget, &index)[0].1.place
        };
        assert_eq!([512, 1024, 2048, 8192].map(|budget| first(1, 2.7, budget)), [1, 1, 0, 0]);
        assert_eq!([512, 1024, 2048, 8192].map(|budget| first(2, 2.7, budget)), [2, 2, 2, 2]);
    }

    #[test]
    fn what_is_of_the_days_that_are_asked_for_is_looked_at_however_far_down_it_stands() {
        let of_day = |time: f32| Ranked { parts: Parts { time, ..Parts::default() }, ..of(0, 0.0) };
        let mut ranked = vec![of_day(0.0); LOOKED_AT + 100];
        ranked.push(of_day(0.45));
        let first = |of_days_alone| looked_at(&ranked, of_days_alone)[0].0;
        assert_eq!((first(false), first(true)), (0, LOOKED_AT + 100));
    }
}
