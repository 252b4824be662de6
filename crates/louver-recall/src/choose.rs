//! Spending a token budget on ranked notes.
//!
//! Notes are taken by what they are worth per token: the score is the logarithm of how likely a note
//! holds the answer, so the logarithm of its tokens is taken from it. Where all notes are short this
//! changes little; where some are ten times as long as others they must be ten times as likely.

use crate::embed::{Embeddings, Small};
use crate::news::{is_news, newest_first};
use crate::note::Note;
use crate::odds::{Fits, has_of_days, room, strength};
use crate::question::Asked;
use crate::rank::{Parts, Ranked, Shelf};
use crate::reading::MOST_BYTES;
use crate::sentences::{parts, sentences};
use crate::words;
use jiff::civil::DateTime;
use std::collections::HashSet;

/// How much of a note's length counts against it: 0 not at all, 1 in full.
const PER_TOKEN: f32 = 0.9;
/// Fewer tokens than this hold no note.
const LEAST: u32 = 16;
/// Fewer tokens than this hold no part of a note that is worth reading.
const LEAST_PART: u32 = 48;
/// A note that is this far below the best (some thousand times less likely) is not worth a token.
const FAR: f32 = 8.0;
/// Scores are relative to the notes at hand, and the worst of a dozen stands nearer to the best than the
/// worst of many. So with fewer notes than these one must be nearer, by the logarithm of how many times
/// fewer, where the best covers the question; unless it is nearly as like the question by itself.
const MANY: f32 = 2000.0;
/// From this on the best begins to cover the question, and from this on it does.
const COVERS: [f32; 2] = [0.6, 0.9];
const NEARLY_AS_LIKE: f32 = 0.6;
/// A question of so few words says too little for anything but what has them.
const SHORT: usize = 1;
/// Where it is as likely as not that there is anything, it must be nearer to the best, and where that is
/// unlikely nearer still: among a few notes one is always the best.
const FAR_IN_DOUBT: f32 = 6.0;
const NEAR: f32 = 3.0;
/// A token has seldom more bytes than this, so most of what does not fit need not be counted.
const LONGEST_TOKEN: u32 = 8;
/// A sentence of more bytes than this is cut where it is too long for the room. For a shorter one there is little room,
/// which is better spent on a note that fits.
const LONG_SENTENCE: usize = 600;
/// It is cut into pieces of so many bytes, at least and at most. A token has seldom fewer bytes than two, so that some
/// of them fit.
const SHORTEST_PIECE: usize = 60;
const LONGEST_PIECE: usize = 240;
const BYTES_A_TOKEN: usize = 2;
/// Where the best sentence says this share of the question's words, one that says none of them and has less than this part
/// of its meaning does not matter. A question that no sentence covers may be answered by any of them.
const COVERED: f32 = 0.5;
const FAR_OFF: f32 = 0.5;
/// Unless it is so near to one that is worth this part of the best.
const BESIDES: usize = 1;
const MUCH: f32 = 0.7;
/// A shorter stem is part of too many words.
const SHORTEST_STEM: usize = 3;
/// How much a piece matters for what is beside it.
const BESIDE: f32 = 0.9;
/// No more notes than this are looked at for one question.
const LOOKED_AT: usize = 400;

/// For so many notes it is looked whether there is something newer.
const TOLD_ANEW: usize = 5;

/// A note of so few telling words ("Yes, the blue one") is an answer to the one before it.
const SHORT_ANSWER: u32 = 3;
/// A question of more bytes than this is not worth adding for it.
const LONGEST_QUESTION: u32 = 240;

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
    /// Tells anew what the note with this id tells, which is in.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhyOut {
    /// The budget was spent on notes worth more per token.
    Room,
    /// The note with this id says the same.
    Same(u64),
    /// The one who asks sees it already.
    InView,
    /// It does not fit the question well enough, or nothing does.
    Floor,
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
    let (text, who) = (text.trim_end(), note.who.as_str());
    let said = who.is_empty() || who == source;
    if said { format!("{text}\n") } else { format!("{who}: {text}\n") }
}

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
    let mut purse = Purse {
        asked,
        shelf,
        table,
        count,
        left: room,
        choice: Choice { fits, ..Choice::default() },
    };
    if let Some(best) = ranked.first().filter(|_| fits != Fits::No) {
        purse.offer_best(best);
    }
    let floor = Floor::new(asked, strength, ranked, shelf);
    for (at, one) in by_worth(looked_at(ranked, &floor), shelf) {
        if purse.has(one.place) {
            continue;
        }
        let why = match fits != Fits::No && floor.is_reached_by(one) {
            true => purse.offer(at + 1, one, WhyIn::Worth),
            false => Err(WhyOut::Floor),
        };
        // What was on a day is not told anew on another.
        if why.is_ok() && purse.choice.notes.len() <= TOLD_ANEW && !asked.is_of_days_alone() {
            purse.offer_newer(one.place, ranked);
        }
        if let (Err(why), Some(note)) = (why, shelf.note(one.place)) {
            let out =
                LeftOut { id: note.id, rank: at + 1, score: one.score, parts: one.parts, why };
            purse.choice.left_out.push(out);
        }
    }
    // What was left out may have come in since, as news of something else.
    let Purse { choice, .. } = &mut purse;
    choice.left_out.retain(|out| choice.notes.iter().all(|chosen| chosen.id != out.id));
    let mut choice = purse.choice;
    choice.notes.sort_by_key(|chosen| (chosen.rank, !matches!(chosen.why, WhyIn::Before(_))));
    choice.left_out.sort_by_key(|out| out.rank);
    newest_first(asked, &mut choice.notes, shelf);
    choice.tokens = room - purse.left;
    choice
}

/// What a note must reach beside the others.
struct Floor {
    score: f32,
    /// For one that is much less like the question than the likest.
    unlike: f32,
    /// For one of the day that is asked about, with the box that is, or on a page that is named, which need not say
    /// what is asked.
    elsewhere: f32,
    /// For one that has nothing to do with the question.
    silent: f32,
    cover: f32,
    cosine: f32,
    /// Whether nothing but days is asked for, and there is something of them.
    of_days_alone: bool,
    /// Whether nothing but what is written so is asked for, and the best has it.
    exact_alone: bool,
}

impl Floor {
    fn new(asked: &Asked, strength: f32, ranked: &[Ranked], shelf: &impl Shelf) -> Floor {
        let most = |of: fn(&Ranked) -> f32| ranked.iter().map(of).fold(0.0, f32::max);
        let (cover, cosine) = (most(|one| one.cover), most(|one| one.cosine));
        let covers = ((cover - COVERS[0]) / (COVERS[1] - COVERS[0])).clamp(0.0, 1.0);
        // A name or a number is said or it is not: what stands beside it means little.
        let telling = asked.terms.iter().filter(|term| !term.asks).count();
        let short = if telling <= SHORT { FAR - NEAR } else { 0.0 };
        let few = (MANY / shelf.notes().max(1) as f32).max(1.0).ln().max(short);
        // What goes with something that is named as it is written need not name it.
        let best = ranked.first().map_or(0.0, |best| best.score - best.parts.phrase);
        // Who sees the best note already needs what may be as good, and no more.
        let most = match ranked.first().is_some_and(|best| shelf.is_in_view(best.place)) {
            true => NEAR,
            false => FAR,
        };
        let far = (FAR_IN_DOUBT + 2.0 * strength).clamp(NEAR, most);
        Floor {
            score: best - far,
            unlike: best - far.min(FAR - covers * few).max(NEAR),
            elsewhere: best - most,
            silent: best - NEAR,
            cover: NEARLY_AS_LIKE * cover,
            cosine: NEARLY_AS_LIKE * cosine,
            of_days_alone: asked.is_of_days_alone() && has_of_days(ranked),
            exact_alone: asked.is_exact_alone()
                && ranked.first().is_some_and(|best| best.parts.phrase > 0.0),
        }
    }

    fn is_reached_by(&self, one: &Ranked) -> bool {
        let lacks_day = self.of_days_alone && one.parts.time == 0.0;
        let lacks_phrase = self.exact_alone && one.parts.phrase == 0.0;
        if lacks_day || lacks_phrase {
            return false;
        }
        let like = one.cover >= self.cover || one.cosine >= self.cosine;
        // It says nothing that is asked, and what it means is not known or something else.
        let silent = one.cover <= 0.0 && one.cosine <= 0.0 && one.parts.before <= 0.0;
        one.score
            >= match like {
                _ if one.is_told_apart() => self.elsewhere,
                _ if silent => self.silent,
                true => self.score,
                false => self.unlike,
            }
    }
}

/// Those that are looked at, with their ranks by score. Where days alone are asked for, all of these days: however
/// far down they stand, nothing else will do.
fn looked_at<'a>(ranked: &'a [Ranked], floor: &Floor) -> Vec<(usize, &'a Ranked)> {
    let mut all: Vec<(usize, &Ranked)> = ranked.iter().enumerate().collect();
    if floor.of_days_alone {
        all.sort_by_key(|(_, one)| one.parts.time == 0.0);
    }
    all.truncate(LOOKED_AT);
    all
}

/// The same by score per token.
fn by_worth<'a>(
    looked_at: Vec<(usize, &'a Ranked)>,
    shelf: &impl Shelf,
) -> Vec<(usize, &'a Ranked)> {
    let worth = |ranked: &Ranked| {
        // Four bytes a token and a dozen tokens for who and when: near enough for an order.
        let tokens =
            shelf.reading(ranked.place).map_or(1.0, |reading| reading.bytes as f32 / 4.0 + 12.0);
        ranked.score - PER_TOKEN * tokens.ln()
    };
    let mut order: Vec<(usize, &Ranked, f32)> =
        looked_at.into_iter().map(|(at, ranked)| (at, ranked, worth(ranked))).collect();
    order.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    order.into_iter().map(|(at, ranked, _)| (at, ranked)).collect()
}

/// The budget, what is left of it, and what it was spent on.
struct Purse<'a, S, C> {
    asked: &'a Asked,
    shelf: &'a S,
    table: &'a Embeddings<'a>,
    count: &'a C,
    left: u32,
    choice: Choice,
}

impl<S: Shelf, C: Fn(&str) -> u32> Purse<'_, S, C> {
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
    fn offer_newer(&mut self, place: u32, ranked: &[Ranked]) {
        let Some(note) = self.shelf.note(place) else { return };
        let of_then = |other: &Ranked| self.asked.spans.is_empty() || other.parts.time > 0.0;
        let newer = ranked.iter().take(LOOKED_AT).enumerate().filter(|(_, other)| {
            of_then(other) && is_news(self.asked, self.shelf, [place, other.place])
        });
        let newest = newer.max_by_key(|(_, other)| self.shelf.note(other.place).map(|one| one.at));
        if let Some((at, other)) = newest.filter(|(_, other)| !self.has(other.place)) {
            let _ = self.offer(at + 1, other, WhyIn::Newer(note.id));
        }
    }

    fn offer(&mut self, rank: usize, ranked: &Ranked, why: WhyIn) -> Result<(), WhyOut> {
        if self.left < LEAST {
            return Err(WhyOut::Room);
        }
        if self.shelf.is_in_view(ranked.place) {
            return Err(WhyOut::InView);
        }
        let note = self.shelf.note(ranked.place).ok_or(WhyOut::Room)?;
        // Looking a text up takes longer than knowing that it is too long.
        let bytes = self.shelf.reading(ranked.place).map_or(0, |reading| reading.bytes);
        if bytes / LONGEST_TOKEN > self.left && self.left < LEAST_PART {
            return Err(WhyOut::Room);
        }
        if let Some(same) = self.same(ranked.place) {
            return Err(WhyOut::Same(same));
        }
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
        self.explain(rank, ranked.place, note.id);
        Ok(())
    }

    /// A short answer means nothing without the question before it.
    fn explain(&mut self, rank: usize, place: u32, id: u64) {
        let [Some(before), _] = self.shelf.beside(place) else { return };
        let (Some(own), Some(reading), Some(note)) =
            (self.shelf.reading(place), self.shelf.reading(before), self.shelf.note(before))
        else {
            return;
        };
        let taken = self.has(before) || self.shelf.is_in_view(before);
        if own.length > SHORT_ANSWER || !reading.asks || taken || reading.bytes > LONGEST_QUESTION {
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
        below + (self.count)(&head(note, source, !dated, self.asked.now))
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

    /// The best sentences that fit, in their order, with marks where something is missing.
    fn shorten(&self, place: u32, note: &Note, text: &str) -> Option<String> {
        let text = words::head(text, MOST_BYTES);
        let mut room = self.left.saturating_sub(self.cost(place, note, "") + 4);
        let cuts = self.cuts(text, room);
        let mut kept = Vec::new();
        for at in self.order(text, &cuts) {
            let tokens = (self.count)(cuts[at].of(text)) + 1;
            if tokens <= room {
                room -= tokens;
                kept.push(at);
            } else if kept.len() > 2 {
                break;
            }
        }
        // Marks between them cost more than was thought where there are many pieces.
        while !kept.is_empty() {
            let mut in_order = kept.clone();
            in_order.sort_unstable();
            let short = joined(text, &cuts, &in_order);
            let is_whole = |at: &usize| !cuts[*at].is_piece;
            if self.cost(place, note, &short) <= self.left || kept.iter().all(is_whole) {
                return Some(short);
            }
            kept.pop();
        }
        None
    }

    /// The sentences of a text. A long one that would not fit by itself is cut where words end.
    fn cuts(&self, text: &str, room: u32) -> Vec<Cut> {
        let piece = (BYTES_A_TOKEN * room as usize).clamp(SHORTEST_PIECE, LONGEST_PIECE);
        let mut cuts = Vec::new();
        for (from, to) in sentences(text) {
            let sentence = &text[from..to];
            // A token has a byte at least.
            let fits = sentence.len() <= LONG_SENTENCE || sentence.len() < room as usize || {
                sentence.len() / LONGEST_TOKEN as usize <= room as usize
                    && (self.count)(sentence) < room
            };
            if fits {
                cuts.push(Cut { from, to, is_piece: false });
                continue;
            }
            let pieces = parts(sentence, piece).into_iter();
            cuts.extend(pieces.map(|(a, b)| Cut { from: from + a, to: from + b, is_piece: true }));
        }
        cuts
    }

    /// Which sentences are kept as long as there is room, the best first. What says the same as another is there once, and
    /// what does not matter beside the best not at all.
    fn order(&self, text: &str, cuts: &[Cut]) -> Vec<usize> {
        let own: Vec<Matter> = cuts.iter().map(|cut| self.matters(cut.of(text))).collect();
        let worth = |at: usize| {
            // What a sentence goes on with is part of what it says.
            let beside = |other: usize| match cuts.get(other) {
                Some(cut) if cut.is_piece && cuts[at].is_piece => BESIDE * own[other].worth(),
                _ => 0.0,
            };
            own[at].worth().max(beside(at + 1)).max(at.checked_sub(1).map_or(0.0, beside))
        };
        let mut order: Vec<(usize, f32)> = (0..cuts.len()).map(|at| (at, worth(at))).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let Some(best) = order.first().map(|(at, _)| own[*at]) else { return Vec::new() };
        let near_one = |at: usize| {
            own[at.saturating_sub(BESIDES)..(at + 1 + BESIDES).min(own.len())]
                .iter()
                .any(|other| other.says_much(&best))
        };
        let mut said = HashSet::new();
        let order = order.into_iter().map(|(at, _)| at);
        order
            .filter(|at| own[*at].counts_beside(&best) || near_one(*at))
            .filter(|at| said.insert(cuts[*at].of(text).trim()))
            .collect()
    }

    fn matters(&self, sentence: &str) -> Matter {
        let near = Small::from(&self.table.embed(sentence)).dot(&self.asked.vector);
        let folded = words::fold(sentence);
        let terms = &self.asked.terms;
        let said = terms.iter().filter(|term| folded.contains(term.surface.as_str())).count();
        // In another form it is said all the same.
        let has = |form: &String| form.len() >= SHORTEST_STEM && folded.contains(form.as_str());
        let says = said > 0 || terms.iter().flat_map(|term| &term.forms).any(has);
        Matter { near, said: said as f32 / terms.len().max(1) as f32, says }
    }

    fn text(&self, place: u32) -> &str {
        self.shelf.text(place).unwrap_or("")
    }

    /// A note that is in and says the same.
    fn same(&self, place: u32) -> Option<u64> {
        let own = self.shelf.reading(place)?;
        let note = self.shelf.note(place)?;
        let same = |chosen: &&Chosen| {
            let Some(other) = self.shelf.reading(chosen.place) else { return false };
            // "Yes" is not the same of another.
            let speaks_for_itself = own.length > SHORT_ANSWER;
            let same_who = |other: &Note| other.who == note.who;
            other.length.abs_diff(own.length) * 20 <= own.length
                && own.vector.dot(&other.vector) > 0.985
                && (speaks_for_itself || self.shelf.note(chosen.place).is_some_and(same_who))
                && bare(self.text(chosen.place)) == bare(self.text(place))
        };
        self.choice.notes.iter().find(same).map(|chosen| chosen.id)
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

/// How much a sentence matters to a question.
#[derive(Clone, Copy)]
struct Matter {
    /// How near it is by meaning.
    near: f32,
    /// The share of the question's words that it says.
    said: f32,
    /// Whether it says any of them, in whatever form.
    says: bool,
}

impl Matter {
    fn worth(&self) -> f32 {
        self.near + self.said
    }

    /// Whether it may matter where another is the best: unless that says most of what is asked for, and it says nothing
    /// of it and is far from it by meaning.
    fn counts_beside(&self, best: &Matter) -> bool {
        self.says || best.said < COVERED || self.near >= FAR_OFF * best.near
    }

    /// Whether what stands beside it is needed to understand it.
    fn says_much(&self, best: &Matter) -> bool {
        self.worth() >= MUCH * best.worth()
    }
}

/// A sentence of a text, or a piece of one.
struct Cut {
    from: usize,
    to: usize,
    /// Whether it is a piece of a sentence that is too long.
    is_piece: bool,
}

impl Cut {
    fn of<'t>(&self, text: &'t str) -> &'t str {
        &text[self.from..self.to]
    }
}

fn joined(text: &str, cuts: &[Cut], kept: &[usize]) -> String {
    let mut out = String::new();
    let mut next = 0;
    for at in kept {
        if *at != next {
            out.push_str(if out.is_empty() { "… " } else { " … " });
        }
        let sentence = cuts[*at].of(text);
        out.push_str(if *at == next && *at > 0 { sentence } else { sentence.trim_start() });
        next = at + 1;
        if kept.get(kept.iter().position(|k| k == at).unwrap_or(0) + 1) != Some(&next) {
            out.truncate(out.trim_end().len());
        }
    }
    if next < cuts.len() {
        out.push_str(" …");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_the_days_that_are_asked_for_is_looked_at_however_far_down_it_stands() {
        let of_day = |time: f32| Ranked {
            place: 0,
            score: 0.0,
            parts: Parts { time, ..Parts::default() },
            cover: 0.0,
            cosine: 0.0,
        };
        let mut ranked = vec![of_day(0.0); LOOKED_AT + 100];
        ranked.push(of_day(0.45));
        let floor = |of_days_alone: bool| Floor {
            score: 0.0,
            unlike: 0.0,
            elsewhere: 0.0,
            silent: 0.0,
            cover: 0.0,
            cosine: 0.0,
            of_days_alone,
            exact_alone: false,
        };
        let first = |of_days_alone| looked_at(&ranked, &floor(of_days_alone))[0].0;
        assert_eq!((first(false), first(true)), (0, LOOKED_AT + 100));
    }
}
