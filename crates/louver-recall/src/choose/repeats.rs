//! What was said again: given once, as it was said last, unless each day's is a fact of its own.

use super::{Chosen, LeftOut, Purse, SHORT_ANSWER, WhyIn, WhyOut, head, left_out};
use crate::news::is_later;
use crate::question::Wants;
use crate::rank::{Ranked, Shelf};
use crate::topic;
use crate::words;

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
            other.length.abs_diff(own.length) * 20 <= own.length
                && own.vector.dot(&other.vector) > 0.985
                && !topic::differ(self.shelf.topic(place), self.shelf.topic(chosen.place))
                && (own.length > SHORT_ANSWER || self.speaks_as(place, chosen.place))
                && bare(self.text(chosen.place)) == bare(self.text(place))
        };
        self.choice.notes.iter().find(same).map(|chosen| chosen.id)
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
            let when = |repeat: &&Repeat<'_>| self.shelf.note(repeat.ranked.place).map(|it| it.at);
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
        let head = (self.count)(&head(note, Some(&source), true, self.asked.now));
        if head > self.left || self.text(ranked.place) != self.choice.notes[at].text {
            return *of;
        }
        self.left -= head;
        let chosen = &mut self.choice.notes[at];
        let Chosen { id, rank: was, score, parts, .. } = *chosen;
        let out = LeftOut { id, rank: was, score, parts, why: WhyOut::Same(note.id) };
        self.choice.left_out.push(out);
        let Ranked { place, score, parts, .. } = **ranked;
        (chosen.id, chosen.place, chosen.rank) = (note.id, place, *rank);
        (chosen.score, chosen.parts, chosen.why) = (score, parts, WhyIn::Newer(*of));
        chosen.tokens += head;
        note.id
    }
}

/// What a text says, whatever stands around its words. A minus stays.
fn bare(text: &str) -> String {
    let around = |c: char| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '"' | '(' | ')' | '…');
    let words = text.split_whitespace().map(|word| word.trim_matches(around));
    // Nor does a bullet before them say anything.
    let words = words.skip_while(|word| matches!(*word, "-" | "*" | "+"));
    words.filter(|word| !word.is_empty()).map(words::fold).collect::<Vec<_>>().join(" ")
}
