//! Facts that changed: the newest of them first, the older ones marked.

use crate::answer::Answer;
use crate::choose::{Chosen, LOOKED_AT};
use crate::corrected::is_put_right;
use crate::note::Voice;
use crate::question::{Asked, Wants, is_name};
use crate::rank::{Changes, Shelf};
use crate::reading::Reading;
use crate::replaced::{self, Gives, Links, replaces, share_a_word, share_letters};
use crate::subject::Subject;
use crate::topic;
use crate::which::turns_on;
use crate::wording::{
    Turn, happened, holds, is_new, only_hour, only_measure, says_new, were_counted,
};
use crate::words::{self, runs_together};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

/// How near notes must be in what they mean to tell the same fact, and how much of their words must agree.
const NEAR: f32 = 0.7;
const AGREE: f32 = 0.6;
/// So many words of them, too: "Ada likes tea" is no news of "Bo likes tea".
const TELLING: usize = 3;
/// Notes that agree so much tell the same fact, however few words that are, and need not be as near.
const ALL_THE_SAME: f32 = 0.9;
const NEAR_BESIDES: f32 = 0.6;
/// Short notes that both say so many of the words that are asked for tell one fact: "my favourite colour".
pub(crate) const ANSWERS: usize = 2;
/// Of so many notes the order is looked at, and what may be news.
const FIRST: usize = 10;
/// Notes of so few bytes say one thing.
pub(crate) const SHORT: usize = 160;
/// How near notes must be that stand far down, where many are looked at.
const SURELY_NEAR: f32 = 0.85;
/// How near a short note that says that something is over must be to what it surely ends, and to what it may end.
const TURNED: f32 = 0.55;
const MAY_TURN: f32 = 0.35;
/// How near a note that says that something changed must be to what it surely changes, and to what it may change.
const CHANGED: f32 = 0.45;
const MAY_CHANGE: f32 = 0.15;
/// Of notes that only answer alike the newest stands first if it may answer as well: if it is no further below.
const AS_WELL: f32 = 4.0;

/// Of notes that tell the same fact, the newest stands first, and the others are marked. Of those that may, it
/// stands first.
pub(crate) fn newest_first(
    asked: &Asked,
    subject: &Subject<'_>,
    links: &Links,
    notes: &mut [Chosen],
    shelf: &impl Shelf,
) {
    // What was on a day is not told anew on another.
    if asked.is_of_days_alone() {
        return;
    }
    let news = Compared::new(asked, subject, links, notes, shelf).news();
    mark(notes, &news);
    mark_echoes(notes, shelf);
    put_newest_first(notes, &news, shelf);
}

/// For each note, those that tell anew what it tells, by their places in the list.
type News = Vec<Vec<(usize, Same)>>;

fn mark(notes: &mut [Chosen], news: &News) {
    let ids: Vec<u64> = notes.iter().map(|note| note.id).collect();
    for (note, news) in notes.iter_mut().zip(news) {
        let surely = news.iter().find(|(_, same)| *same == Same::Surely);
        note.newer = surely.map(|(at, _)| ids[*at]);
    }
}

/// What the agent repeated of something that is marked is as old.
fn mark_echoes(notes: &mut [Chosen], shelf: &impl Shelf) {
    let said: HashMap<u32, (u64, String)> = notes
        .iter()
        .filter_map(|note| Some((note.place, (note.newer?, words::fold(&note.text)))))
        .collect();
    for note in notes.iter_mut().filter(|note| note.newer.is_none()) {
        let is_agent = shelf.note(note.place).is_some_and(|own| own.voice == Voice::Agent);
        let before = shelf.beside(note.place)[0].and_then(|before| said.get(&before));
        if let Some((newer, text)) = before.filter(|_| is_agent)
            && note.id != *newer
            && echoes(&words::fold(&note.text), text)
        {
            note.newer = Some(*newer);
        }
    }
}

/// Whether an answer has a number of what it answers, or several words that are not small.
fn echoes(answer: &str, said: &str) -> bool {
    let apart = |text: &str| -> HashSet<String> {
        text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect()
    };
    let (answer, said) = (apart(answer), apart(said));
    let both = || answer.intersection(&said);
    both().any(|word| word.contains(|c: char| c.is_ascii_digit()))
        || both().filter(|word| word.chars().count() >= NOT_SMALL).count() >= TELLING
}

/// So many letters have words that say something, as a rule.
const NOT_SMALL: usize = 4;

fn put_newest_first(notes: &mut [Chosen], news: &News, shelf: &impl Shelf) {
    let when: Vec<_> = notes.iter().map(|note| shelf.moment(note.place)).collect();
    let mut order: Vec<usize> = (0..notes.len()).collect();
    for at in 0..order.len() {
        // What comes up may have news of its own, each newer than the one before.
        for _ in at..order.len() {
            let is_news = |other: usize| news[order[at]].iter().any(|(news, _)| *news == other);
            let later = (at + 1..order.len()).filter(|place| is_news(order[*place]));
            let Some(newest) = later.max_by_key(|place| when[order[*place]]) else { break };
            order[at..=newest].rotate_right(1);
            notes[at..=newest].rotate_right(1);
        }
    }
}

/// Notes that are compared with each other.
struct Compared<'a, S> {
    asked: &'a Asked,
    subject: &'a Subject<'a>,
    links: &'a Links,
    notes: &'a [Chosen],
    shelf: &'a S,
    told: Vec<Told>,
    /// How they answer. Few are asked.
    answers: Vec<OnceCell<Option<Answer>>>,
}

impl<'a, S: Shelf> Compared<'a, S> {
    fn new(
        asked: &'a Asked,
        subject: &'a Subject<'a>,
        links: &'a Links,
        notes: &'a [Chosen],
        shelf: &'a S,
    ) -> Compared<'a, S> {
        let told = notes.iter().map(|note| Told::by(subject, shelf, note.place, &note.text));
        let answers = notes.iter().map(|_| OnceCell::new()).collect();
        Compared { asked, subject, links, notes, shelf, told: told.collect(), answers }
    }

    fn news(&self) -> News {
        let all = 0..self.notes.len();
        let later = |at| all.clone().filter_map(move |later| Some((later, self.newer(at, later)?)));
        all.clone().map(|at| later(at).collect()).collect()
    }

    /// Who says none of the words that are asked for answers nothing.
    fn answer(&self, at: usize) -> Option<&Answer> {
        let says = !self.told[at].asked.is_empty();
        let of = || Answer::of(self.asked, &self.notes[at].text).filter(|_| says);
        self.answers[at].get_or_init(of).as_ref()
    }

    /// Who asks for some days wants what was so then, and who names something as it is written just that.
    fn is_of_it(&self, note: &Chosen) -> (bool, bool) {
        (!self.asked.spans.is_empty() && note.parts.time > 0.0, note.parts.phrase > 0.0)
    }

    /// Whether the second tells what the first tells, and later.
    fn newer(&self, at: usize, later: usize) -> Option<Same> {
        let (one, two) = (&self.notes[at], &self.notes[later]);
        // What is only said again is no older for it.
        let differ = one.text != two.text && self.is_of_it(one) == self.is_of_it(two);
        if differ && is_put_right(self.shelf, one.place, two.place) {
            return Some(Same::Surely);
        }
        if !differ || !is_later(self.shelf, one.place, two.place) || only_hour(&one.text, &two.text)
        {
            return None;
        }
        let texts = [one.text.as_str(), two.text.as_str()];
        let near = || nearness(self.shelf, one.place, two.place);
        let same = self.told[at].is_same_fact(&self.told[later], near).then(|| {
            let once = were_counted(&one.text, &two.text) || texts.into_iter().all(happened);
            if once { Same::Perhaps } else { Same::Surely }
        });
        if same == Some(Same::Surely) {
            return same;
        }
        let otherwise = self.told_otherwise(at, later, same.is_some());
        otherwise.filter(|_| !self.subject.are_others(texts)).or(same)
    }

    /// The same where they do not agree in their words.
    fn told_otherwise(&self, at: usize, later: usize, may_be_same: bool) -> Option<Same> {
        let Compared { subject, links, shelf, .. } = *self;
        let (one, two) = (&self.notes[at], &self.notes[later]);
        let (own, other) = (&self.told[at], &self.told[later]);
        let near = || nearness(shelf, one.place, two.place);
        let texts = [one.text.as_str(), two.text.as_str()];
        let replaced = own.replaced_by(other, subject, links, texts, near);
        if may_be_same || replaced == Some(Same::Surely) {
            return replaced;
        }
        let as_well =
            one.score - two.score <= AS_WELL && !own.names_what(other, subject, &one.text);
        let turned = own.turned_by(other, texts, near);
        if turned == Some(Same::Surely) {
            return turned;
        }
        let measured = || subject.is_of_most_telling(&own.terms, &other.terms) && measure(texts);
        let changed = own.changed_by(other, subject, texts, near);
        if changed == Some(Same::Surely) {
            return changed;
        }
        // One that says more of what is asked, or less, answers otherwise. Where notes stand that follow the first ones
        // tells nobody anything.
        let counts = own.terms.len() >= ANSWERS || at < FIRST;
        let may = counts && own.terms == other.terms && own.months == other.months;
        let tells_when =
            |note: &Chosen| shelf.reading(note.place).map(|reading| reading.tells_when);
        let alike = || self.answer(at)?.is_as(self.answer(later)?);
        let alike = if may && tells_when(one) == tells_when(two) { alike() } else { None };
        let alike = alike.filter(|same| as_well || *same == Same::Surely);
        let perhaps = || measured() || at < FIRST && self.has_it_otherwise(at, later);
        let changed = changed.or_else(|| (as_well && perhaps()).then_some(Same::Perhaps));
        alike.or(turned).or(changed.filter(|_| as_well)).or(replaced.filter(|_| as_well))
    }

    /// Whether both have what is asked for of the same thing, a time or a number, and the second says that something is
    /// otherwise: "mugs are 32", "prices again: mugs 34 from today".
    fn has_it_otherwise(&self, at: usize, later: usize) -> bool {
        let [one, two] = [at, later].map(|at| self.shelf.reading(self.notes[at].place));
        let has = |reading: Option<&Reading>| match self.asked.wants {
            Wants::Time => reading.is_some_and(|reading| reading.tells_when),
            Wants::Number => reading.is_some_and(|reading| reading.digits),
            Wants::Anything => false,
        };
        has(one)
            && has(two)
            && self.subject.is_of_most_telling(&self.told[at].terms, &self.told[later].terms)
            && Turn::of(words::head(&self.notes[later].text, LOOKED_THROUGH)) != Turn::No
    }
}

/// Whether notes tell the same fact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Same {
    Surely,
    Perhaps,
}

/// A note, to be asked which others tell anew what it tells, or that it changed, wherever they stand.
pub(crate) struct Fact<'a, S> {
    subject: &'a Subject<'a>,
    links: &'a Links,
    shelf: &'a S,
    place: u32,
    told: OnceCell<Told>,
}

impl<'a, S: Shelf> Fact<'a, S> {
    pub(crate) fn new(
        subject: &'a Subject<'a>,
        links: &'a Links,
        shelf: &'a S,
        place: u32,
    ) -> Fact<'a, S> {
        Fact { subject, links, shelf, place, told: OnceCell::new() }
    }

    /// Whether another note tells it anew, which has this rank. Of those that stand far down, only what is near is looked at,
    /// and of the last ones only what puts it right, which need not be like anything.
    pub(crate) fn is_told_by(&self, other: u32, rank: usize) -> bool {
        let Fact { subject, links, shelf, place, .. } = *self;
        if is_put_right(shelf, place, other) {
            return true;
        }
        if rank >= LOOKED_AT {
            return false;
        }
        let near = nearness(shelf, place, other);
        let is_short = || shelf.reading(other).is_some_and(|read| read.bytes as usize <= SHORT);
        let least = if rank < FIRST { MAY_CHANGE } else { TURNED };
        let may = near >= SURELY_NEAR || near >= least && is_short();
        if !may || !is_later(shelf, place, other) {
            return false;
        }
        let texts = [place, other].map(|place| shelf.text(place).unwrap_or_default());
        if only_hour(texts[0], texts[1]) {
            return false;
        }
        let one = self.told.get_or_init(|| Told::by(subject, shelf, place, texts[0]));
        let two = Told::by(subject, shelf, other, texts[1]);
        let otherwise = || {
            one.turned_by(&two, texts, || near) == Some(Same::Surely)
                || one.changed_by(&two, subject, texts, || near).is_some()
                || one.replaced_by(&two, subject, links, texts, || near) == Some(Same::Surely)
        };
        near >= SURELY_NEAR && one.is_same_fact(&two, || near)
            || otherwise() && !subject.are_others(texts)
    }

    /// Whether another note, which speaks of whom or what this one speaks of, may say what became of that: it is short, and
    /// says that something is new, otherwise or over.
    pub(crate) fn may_be_told_by(&self, other: u32) -> bool {
        let Fact { shelf, place, .. } = *self;
        let is_short = shelf.reading(other).is_some_and(|read| read.bytes as usize <= SHORT);
        let turns = |text: &str| Turn::of(text) != Turn::No || says_new(text);
        is_short && is_later(shelf, place, other) && shelf.text(other).is_some_and(turns)
    }
}

/// A note that says so much of what another says of it speaks of the same.
const MOST_OF_IT: f32 = 0.7;

/// So much is enough where a rare word besides links the two.
const MUCH_OF_IT: f32 = 0.4;

/// So many bytes of a note are looked through for what it says.
pub(crate) const LOOKED_THROUGH: usize = 1000;

/// Whether the same one says the second after the first, of the same thing. Who only asks for a fact tells nothing new of it.
pub(crate) fn is_later(shelf: &impl Shelf, one: u32, two: u32) -> bool {
    let (Some(first), Some(second)) = (shelf.moment(one), shelf.moment(two)) else { return false };
    let asks = |place: u32| shelf.reading(place).is_some_and(|reading| reading.only_asks);
    second > first
        && shelf.speaker(one) == shelf.speaker(two)
        && !asks(one)
        && !asks(two)
        && !topic::differ(shelf.topic(one), shelf.topic(two))
}

/// Whether two short notes each measure something once, and by the same unit: "20 mg of it", "40 mg". Whom they name must agree.
fn measure(texts: [&str; 2]) -> bool {
    if texts.iter().any(|text| text.len() > SHORT) {
        return false;
    }
    let names = |text: &str| -> Vec<String> {
        let starts = text.match_indices(char::is_alphabetic).map(|(at, _)| at);
        let begins = |at: &usize| !text[..*at].ends_with(char::is_alphanumeric);
        let named = starts.filter(begins).filter(|at| is_name(text, *at));
        named
            .map(|at| text[at..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default())
            .filter(|name| *name != "I")
            .map(words::fold)
            .collect()
    };
    let [one, two] = texts.map(|text| only_measure(&words::fold(text)));
    matches!((one, two), (Some((one, unit)), Some((two, other))) if one != two && unit == other)
        && names(texts[0]) == names(texts[1])
}

fn nearness(shelf: &impl Shelf, one: u32, two: u32) -> f32 {
    shelf.vector(one).zip(shelf.vector(two)).map_or(0.0, |(one, two)| one.dot(two))
}

/// The words with which a note tells a fact, each once and in order. Numbers are not among them: they are
/// what changes.
struct Told {
    words: Vec<u32>,
    /// Those of all its words that are asked for. Of Anna's passport and Ben's only one answers for Anna.
    asked: Vec<u32>,
    /// What is told of March is no news of what is told of April.
    months: Vec<u32>,
    /// What it says of what was told before, if it is short.
    turn: Turn,
    /// The same of what is asked about, however long it is. Few are asked.
    change: OnceCell<Turn>,
    /// The terms of the question that it says, by their places.
    terms: Vec<usize>,
    /// What it gives of what is wanted. Few are asked.
    gives: OnceCell<Gives>,
}

impl Told {
    fn by(subject: &Subject<'_>, shelf: &impl Shelf, place: u32, text: &str) -> Told {
        let passages = shelf.reading(place).map_or(&[][..], |reading| &reading.passages);
        let mut words: Vec<u32> = passages.iter().flatten().copied().collect();
        words.sort_unstable();
        words.dedup();
        let some = |which: Changes| -> Vec<u32> {
            words.iter().copied().filter(|word| shelf.changes(*word) == which).collect()
        };
        let said = |word: &u32| words.binary_search(word).is_ok();
        let all = subject.terms.iter().flat_map(|(_, _, forms)| forms);
        let asked: Vec<u32> = all.copied().filter(said).collect();
        let terms: Vec<usize> =
            (0..subject.terms.len()).filter(|at| subject.terms[*at].2.iter().any(said)).collect();
        let turn = if text.len() <= SHORT { Turn::of(text) } else { Turn::No };
        let (words, months) = (some(Changes::No), some(Changes::Month));
        let (change, gives) = (OnceCell::new(), OnceCell::new());
        Told { words, asked, months, turn, change, terms, gives }
    }

    /// What it says of what is asked about: that it is over, otherwise, or new.
    fn change(&self, subject: &Subject<'_>, text: &str) -> Turn {
        let look = || {
            let clause = subject.clause(text).unwrap_or_default();
            let said = Turn::of(clause);
            let names: Vec<&str> =
                self.terms.iter().map(|at| subject.terms[*at].0.surface.as_str()).collect();
            match said {
                Turn::No | Turn::Otherwise if is_new(clause, &names) => Turn::Changed,
                said => said,
            }
        };
        *self.change.get_or_init(look)
    }

    /// Whether another note says of what is asked about that it changed, or is over, and this one, which is short, tells
    /// what was so. What happened once is not undone by it.
    fn changed_by(
        &self,
        other: &Told,
        subject: &Subject<'_>,
        [text, newer]: [&str; 2],
        nearness: impl FnOnce() -> f32,
    ) -> Option<Same> {
        let of_both = subject.is_of_both(&self.terms, &other.terms)?;
        if text.len() > SHORT {
            return None;
        }
        let near = nearness();
        if near < MAY_CHANGE {
            return None;
        }
        match other.change(subject, newer) {
            Turn::No => None,
            // It may be of another of that kind, which it does not name.
            Turn::Changed if of_both == Same::Perhaps && newer.len() <= SHORT => Some(of_both),
            _ if of_both == Same::Perhaps => None,
            _ if near >= CHANGED && holds(text) && self.terms == other.terms => Some(Same::Surely),
            Turn::Otherwise => None,
            _ => Some(Same::Perhaps),
        }
    }

    /// Whether another note, which is short, says that what this one tells is over or otherwise: "I quit Siemens" of "I work
    /// at Siemens". They have a word in common, and mean nearly the same. What was counted goes on being what it was.
    fn turned_by(
        &self,
        other: &Told,
        [one, two]: [&str; 2],
        nearness: impl FnOnce() -> f32,
    ) -> Option<Same> {
        let digits = |text: &str| text.contains(|c: char| c.is_ascii_digit());
        let common = |one: &[u32], two: &[u32]| two.iter().any(|word| one.contains(word));
        let turn = other.turn;
        // What is otherwise with something else is no news of what is asked about.
        let of_another = !self.asked.is_empty() && !common(&self.asked, &other.asked);
        if turn == Turn::No
            || turn != Turn::Over && of_another
            || !common(&self.words, &other.words)
            || turn != Turn::Over && !holds(one)
            || digits(one) && digits(two)
            || !turns_on(one, two)
        {
            return None;
        }
        match nearness() {
            near if near >= TURNED => Some(Same::Surely),
            near if near < MAY_TURN || turn != Turn::Over => None,
            _ => common(&self.asked, &other.asked).then_some(Same::Perhaps),
        }
    }

    /// Whether it names whom or what is asked about, and another note does not: what is so of Mia is no news of Ben.
    fn names_what(&self, other: &Told, subject: &Subject<'_>, text: &str) -> bool {
        let mut unsaid = self.terms.iter().filter(|term| !other.terms.contains(term));
        unsaid.any(|term| subject.is_name(*term, text))
    }

    /// Whether another note gives another value for what this one gives. What happened once goes on having been so.
    fn replaced_by(
        &self,
        other: &Told,
        subject: &Subject<'_>,
        links: &Links,
        [one, two]: [&str; 2],
        nearness: impl FnOnce() -> f32,
    ) -> Option<Same> {
        let wanted = subject.wanted;
        if wanted.is_none() {
            return None;
        }
        let gives = other.gives.get_or_init(|| Gives::of(two, wanted));
        let gave = || self.gives.get_or_init(|| Gives::of(one, wanted));
        let once = || [one, two].into_iter().all(happened);
        if !gives.news || gave().values.is_empty() || once() {
            return None;
        }
        // What most words mean that are written together is not known: there they must be those that are asked for.
        let together = one.contains(runs_together);
        let near = || together || nearness() >= replaced::NEAR;
        let linked = || links.link(&self.words, &other.words) && near();
        let unsaid = || self.terms.iter().filter(|term| !other.terms.contains(term));
        let of_another = self.names_what(other, subject, one);
        let share = |one: &Told, two: &Told| subject.share(&one.terms, &two.terms);
        let both = || share(self, other).min(share(other, self));
        let asked = || both() >= MOST_OF_IT;
        let all = || !together && !self.terms.is_empty() && unsaid().next().is_none();
        let most = || all() || both() >= MUCH_OF_IT;
        let besides = || share_a_word(one, two, |word| subject.asks_for(word));
        // "门禁换密码了" is no news of the WiFi.
        let of_another = of_another || together && !share_letters(one, two);
        let of_one = !of_another && (asked() || linked() && (most() || besides()));
        let replaced = of_one.then(|| replaces([one, two], [gave(), gives], wanted)).flatten();
        replaced.map(|surely| if surely { Same::Surely } else { Same::Perhaps })
    }

    /// Whether two notes tell the same fact, perhaps changed: most of their words agree, and so does what
    /// they mean. In a script that word pieces say little of, any two mean much the same or little: there
    /// the words must do.
    fn is_same_fact(&self, other: &Told, nearness: impl FnOnce() -> f32) -> bool {
        let (one, two) = (&self.words, &other.words);
        let (least, most) = (one.len().min(two.len()) as f32, one.len().max(two.len()) as f32);
        let differ = || self.asked != other.asked || self.months != other.months;
        if least < AGREE * most || most == 0.0 || differ() {
            return false;
        }
        let shared = || one.iter().filter(|word| two.binary_search(word).is_ok());
        let both = shared().count();
        // They agree in what is asked about alone, and each tells something else of it.
        if both < one.len().min(two.len()) && shared().all(|word| self.asked.contains(word)) {
            return false;
        }
        let agree = both as f32 / most;
        let as_one = agree >= ALL_THE_SAME;
        let near = if as_one { NEAR_BESIDES } else { NEAR };
        (both >= TELLING || as_one)
            && agree >= AGREE
            && (as_one && both >= TELLING || nearness() >= near)
    }
}
