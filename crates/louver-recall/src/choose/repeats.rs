//! What was said again: given once, as it was said last, unless each day's is a fact of its own.

use super::{Chosen, LeftOut, Purse, SHORT_ANSWER, WhyIn, WhyOut, head, left_out, line};
use crate::news::is_later;
use crate::question::Wants;
use crate::rank::{Ranked, Shelf};
use crate::tongue;
use crate::topic;
use crate::words::{self, Kind};
use std::rc::Rc;

/// A note that says the same as the one with this id, which is in.
pub(super) struct Repeat<'a> {
    pub(super) rank: usize,
    pub(super) ranked: &'a Ranked,
    pub(super) of: u64,
}

impl<S: Shelf, C: Fn(&str) -> u32> Purse<'_, S, C> {
    /// A note that is in and says the same.
    pub(super) fn same(&self, place: u32) -> Option<u64> {
        let own = self.shelf.reading(place)?;
        let same = |chosen: &&Chosen| {
            let Some(other) = self.shelf.reading(chosen.place) else { return false };
            let apart = other.length.abs_diff(own.length) > 1.max(own.length / 20);
            let near = || own.vector.dot(&other.vector) >= NEARLY;
            let of_two = || topic::differ(self.shelf.topic(place), self.shelf.topic(chosen.place));
            if apart || !near() || of_two() {
                return false;
            }
            let [one, two] = [chosen.place, place].map(|place| self.said(place));
            if one.bare == two.bare {
                return own.length > SHORT_ANSWER || self.speaks_as(place, chosen.place);
            }
            let alike = one.told.as_ref().zip(two.told.as_ref());
            self.speaks_as(place, chosen.place)
                && alike.is_some_and(|(one, two)| one.is_told_as(two))
        };
        self.choice.notes.iter().find(same).map(|chosen| chosen.id)
    }

    /// What a note says: read once, for it is compared with many.
    fn said(&self, place: u32) -> Rc<Said> {
        let read = || Rc::new(Said::by(self.text(place)));
        Rc::clone(self.said.borrow_mut().entry(place).or_insert_with(read))
    }

    /// Whether the same one says both, and neither only answers: "Yes" is not the same of another, nor to another
    /// question.
    fn speaks_as(&self, one: u32, two: u32) -> bool {
        self.shelf.speaker(one) == self.shelf.speaker(two)
            && [one, two].iter().all(|place| self.answered(*place).is_none())
    }

    /// Who asks when, how often or for days is given what was said again too: each day's is a fact of its own. It comes
    /// after all else that fits, so that nothing goes without room for it.
    pub(super) fn offer_repeats(&mut self) {
        if self.asked.spans.is_empty() && self.asked.wants == Wants::Anything {
            return;
        }
        for Repeat { rank, ranked, of } in std::mem::take(&mut self.repeats) {
            if !self.has(ranked.place) && self.take(rank, ranked, WhyIn::Worth).is_err() {
                self.repeats.push(Repeat { rank, ranked, of });
            }
        }
    }

    /// Of what the same one says again and again the last is in, where the best stood: so long it was so. Who asks for
    /// some days keeps what was said then.
    pub(super) fn renew(&mut self) {
        let mut repeats = std::mem::take(&mut self.repeats);
        for at in 0..self.choice.notes.len() {
            let Chosen { id, place, .. } = self.choice.notes[at];
            let when = |repeat: &&Repeat<'_>| self.shelf.moment(repeat.ranked.place);
            let may = |repeat: &&Repeat<'_>| {
                let other = repeat.ranked.place;
                repeat.of == id && !self.has(other) && is_later(self.shelf, place, other)
            };
            let newest = repeats.iter().filter(may).max_by_key(when);
            if let Some(newest) = newest.filter(|_| self.asked.spans.is_empty()) {
                let now = self.put(at, newest);
                repeats.iter_mut().filter(|repeat| repeat.of == id).for_each(|it| it.of = now);
            }
        }
        for Repeat { rank, ranked, of } in repeats {
            if let Some(note) = self.shelf.note(ranked.place) {
                self.choice.left_out.push(left_out(note, rank, ranked, WhyOut::Same(of)));
            }
        }
    }

    /// Puts a note in the place of one that says the same, and says which is in then. Where it stands is paid for once more: others may stand below
    /// what was said of the one that was there.
    fn put(&mut self, at: usize, Repeat { rank, ranked, of }: &Repeat<'_>) -> u64 {
        let Some(note) = self.shelf.note(ranked.place) else { return *of };
        let source = self.shelf.source(ranked.place);
        let text = self.text(ranked.place).to_owned();
        let head = (self.count)(&head(note, Some(&source), true, self.asked.now));
        let chosen = &self.choice.notes[at];
        let before = self.shelf.note(chosen.place).unwrap_or(note);
        let was = (self.count)(&line(before, &self.shelf.source(chosen.place), &chosen.text));
        let more = head + (self.count)(&line(note, &source, &text)).saturating_sub(was);
        if more > self.left || !self.choice.notes[at].whole {
            return *of;
        }
        self.left -= more;
        let chosen = &mut self.choice.notes[at];
        let Chosen { id, rank: was, score, parts, .. } = *chosen;
        let out = LeftOut { id, rank: was, score, parts, why: WhyOut::Same(note.id) };
        self.choice.left_out.push(out);
        let Ranked { place, score, parts, .. } = **ranked;
        (chosen.id, chosen.place, chosen.rank) = (note.id, place, *rank);
        (chosen.score, chosen.parts, chosen.why) = (score, parts, WhyIn::Newer(*of));
        chosen.text = text;
        chosen.tokens += more;
        for other in &mut self.choice.notes {
            if let WhyIn::Before(of) | WhyIn::Newer(of) = &mut other.why
                && *of == id
                && other.id != note.id
            {
                *of = note.id;
            }
        }
        note.id
    }
}

/// What means the same is at least so near.
const NEARLY: f32 = 0.8;

/// Notes of so few bytes say one thing.
const SHORT: usize = 160;

/// What a note says, whatever stands around its words.
pub(super) struct Said {
    bare: String,
    /// Its words, if it is short.
    told: Option<Told>,
}

impl Said {
    fn by(text: &str) -> Said {
        Said { bare: bare(text), told: (text.len() <= SHORT).then(|| Told::by(text)) }
    }
}

/// The words of a text by what they do.
#[derive(Default)]
struct Told {
    words: Vec<String>,
    numbers: Vec<String>,
    /// Those that say nothing by themselves.
    small: Vec<String>,
}

impl Told {
    fn by(text: &str) -> Told {
        let mut told = Told::default();
        for term in words::terms(text, tongue::language(text)) {
            let small = words::fold(&text[term.start..term.end]);
            match term.kind {
                Kind::Whole | Kind::Joined => (),
                _ if term.text.contains(char::is_numeric) => {
                    let sign = if text[..term.start].ends_with('-') { "-" } else { "" };
                    told.numbers.push(format!("{sign}{}", term.text));
                }
                Kind::Stop if words::is_among(EMPTY, &small) => (),
                Kind::Stop => told.small.push(small),
                Kind::Word | Kind::Part => told.words.push(term.text),
            }
        }
        told
    }

    /// Whether two have the same words that tell something, in one order, and the same numbers, and what they have
    /// besides says nothing: "Ada's birthday is on 3 May", "Ada's birthday: 3 May". A "not" or a "my" says something.
    fn is_told_as(&self, other: &Told) -> bool {
        if self.words != other.words || self.words.is_empty() || self.numbers != other.numbers {
            return false;
        }
        let lacks = |one: &Told, two: &Told| -> Vec<String> {
            one.small.iter().filter(|word| !two.small.contains(word)).cloned().collect()
        };
        let (more, less) = (lacks(self, other), lacks(other, self));
        let says_nothing = |word: &String| words::is_among(MAY_LACK, word);
        (more.is_empty() || less.is_empty()) && more.iter().chain(&less).all(says_nothing)
    }
}

/// Small words that say nothing,
const EMPTY: &str = "a an the is are has have s der die das den dem ein eine einen ist sind hat haben le la les l un une est sont \
    el los las una es esta son tiene il lo gli e ha o os as um uma tem de het een zijn heeft";
/// and those that one of two may have beside the other, but not each another.
const MAY_LACK: &str =
    "on at in of her his its their it that this there am im an von du des d en del di da do op van";

/// What a text says, whatever stands around its words. A minus stays.
fn bare(text: &str) -> String {
    let around = |c: char| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '"' | '(' | ')' | '…');
    let words = text.split_whitespace().map(|word| word.trim_matches(around));
    // Nor does a bullet before them say anything.
    let words = words.skip_while(|word| matches!(*word, "-" | "*" | "+"));
    words.filter(|word| !word.is_empty()).map(words::fold).collect::<Vec<_>>().join(" ")
}
