//! What a note must reach beside the others to be worth a token.

use crate::choose::{Lack, WhyOut};
use crate::note::Voice;
use crate::odds::{generous, has_of_days, has_of_task};
use crate::question::Asked;
use crate::rank::{Ranked, Shelf};

/// A note that is this far below the best (some thousand times less likely) is not worth a token.
const FAR: f32 = 8.0;
/// Scores are relative to the notes at hand, and the worst of a dozen stands nearer to the best than the
/// worst of many. So with fewer notes than these one must be nearer, by the logarithm of how many times
/// fewer, where the best covers the question or surely answers it; unless it is nearly as like the question by itself, or so many times
/// more may be spent than usual.
const MANY: f32 = 2000.0;
/// From this on the best begins to cover the question, and from this on it does.
const COVERS: [f32; 2] = [0.6, 0.9];
/// The odds, as a logarithm, from which on it begins to be sure that it answers the question though it does not have all of
/// its words ("go" of "When do I have to go to the optician?"), and from which on it is.
const SURELY: [f32; 2] = [1.5, 3.5];
const NEARLY_AS_LIKE: f32 = 0.6;
/// What covers less of a question than this, of several, answers none of them.
const COVERS_ONE: f32 = 0.6;
/// A question of so few words says too little for anything but what has them.
const SHORT: usize = 1;
/// Where it is as likely as not that there is anything, it must be nearer to the best, and where that is
/// unlikely nearer still: among a few notes one is always the best.
const FAR_IN_DOUBT: f32 = 6.0;
const NEAR: f32 = 3.0;

/// What covers so much of what the best in view covers of the question may be as good: who speaks of a place does not say
/// what was there.
const COVERS_AS_MUCH: f32 = 0.9;
/// So much of the room there is besides what is in view, however little else may be needed.
const LEAST_SHARE: f32 = 0.125;

/// What a note must reach beside the others.
pub(crate) struct Floor {
    /// How many times less likely the best that is not in view answers than the best that is, at most once.
    besides: f32,
    /// For one that covers less of the question than what is in view.
    seen: f32,
    seen_covers: f32,
    score: f32,
    /// For one that is much less like the question than the likest.
    unlike: f32,
    /// For one of the day that is asked about, with the box that is, or on a page that is named, which need not say
    /// what is asked.
    elsewhere: f32,
    /// For one that has nothing to do with the question.
    silent: f32,
    /// For one that covers so much of a question that was answered before: what was answered may be that nobody knows.
    covering: f32,
    covers: f32,
    cover: f32,
    cosine: f32,
    /// For one that covers so much of one of several questions: what answers another says nothing of it.
    sides: Vec<f32>,
    /// Whether nothing but days is asked for, and there is something of them.
    pub(crate) of_days_alone: bool,
    /// Whether nothing but what is open or done is asked for, and there is some of it.
    of_task_alone: bool,
    /// Whether nothing but what is written so is asked for, and the best has it.
    exact_alone: bool,
    /// Whether nothing but one word is asked for of which only the letters are known, and the best says it.
    strange_alone: bool,
}

impl Floor {
    pub(crate) fn new(
        asked: &Asked,
        strength: f32,
        ranked: &[Ranked],
        shelf: &impl Shelf,
        budget: u32,
    ) -> Floor {
        let largest = |of: fn(&Ranked) -> f32| ranked.iter().map(of).fold(0.0, f32::max);
        let (cover, cosine) = (largest(|one| one.cover), largest(|one| one.cosine));
        let covers = share(cover, COVERS).max(share(strength, SURELY));
        // A name or a number is said or it is not: what stands beside it means little.
        let telling = asked.terms.iter().filter(|term| !term.asks).count();
        let short = if telling <= SHORT { FAR - NEAR } else { 0.0 };
        let notes = shelf.notes().max(1) as f32 * generous(budget);
        let few = (MANY / notes).max(1.0).ln().max(short);
        // What goes with something that is named as it is written need not name it, nor does it answer what is asked
        // besides.
        let plain = |one: &Ranked| one.score - one.parts.phrase - one.parts.asked;
        let best = ranked.first().map_or(0.0, plain);
        // Who sees what answers already needs what may be as good, and no more.
        let seen = ranked.iter().find(|one| tells(one, shelf) && shelf.is_in_view(one.place));
        let seen_covers = seen.map_or(0.0, |seen| COVERS_AS_MUCH * seen.cover);
        let unseen = ranked.iter().find(|one| !shelf.is_in_view(one.place));
        let less = unseen.filter(|unseen| unseen.cover < seen_covers);
        let besides = seen.zip(less).map_or(0.0, |(seen, less)| less.score - seen.score);
        // Who asked the same before needs what was answered, and what may be as good.
        let again = ranked.first().map_or(0.0, |best| best.parts.again);
        let most = if again > 0.0 { NEAR } else { FAR };
        let far = (FAR_IN_DOUBT + 2.0 * strength).clamp(NEAR, most);
        Floor {
            besides: besides.min(0.0).exp(),
            seen: seen.map_or(f32::NEG_INFINITY, |seen| plain(seen) - NEAR),
            seen_covers,
            score: best - far,
            unlike: best - far.min(FAR - covers * few).max(NEAR),
            elsewhere: best - most,
            silent: best - NEAR,
            covering: best - again - FAR,
            covers: if again > 0.0 { COVERS_AS_MUCH * cover } else { f32::INFINITY },
            cover: NEARLY_AS_LIKE * cover,
            cosine: NEARLY_AS_LIKE * cosine,
            sides: sides(asked, ranked),
            of_days_alone: asked.is_of_days_alone() && has_of_days(ranked),
            of_task_alone: asked.is_of_task_alone() && has_of_task(ranked),
            exact_alone: (asked.is_exact_alone() || asked.is_likely_alone())
                && ranked.first().is_some_and(|best| best.parts.phrase > 0.0),
            strange_alone: asked.is_strange_alone()
                && ranked.first().is_some_and(|best| best.parts.passage > 0.0),
        }
    }

    /// What of the room is left for others than those in view. The score is the logarithm of how likely a note answers.
    pub(crate) fn room(&self, room: u32) -> u32 {
        (room as f32 * self.besides.max(LEAST_SHARE)) as u32
    }

    /// Whether a note reaches it, and if not, why.
    pub(crate) fn is_reached_by(&self, one: &Ranked) -> Result<(), WhyOut> {
        if self.of_days_alone && one.parts.time == 0.0 {
            return Err(WhyOut::Lacks(Lack::Day));
        }
        if self.of_task_alone && one.parts.task <= 0.0 {
            return Err(WhyOut::Lacks(Lack::Box));
        }
        if self.exact_alone && one.parts.phrase == 0.0 {
            return Err(WhyOut::Lacks(Lack::Phrase));
        }
        // What is spelt a little like it means nothing of the kind.
        if self.strange_alone && !one.has_it() {
            return Err(WhyOut::Lacks(Lack::Phrase));
        }
        let answers_one =
            || one.sides.iter().zip(&self.sides).any(|((cover, _), least)| cover >= least);
        let like = one.cover >= self.cover || one.cosine >= self.cosine || answers_one();
        // It says nothing that is asked, and what it means is not known or something else.
        let silent = one.cover <= 0.0 && one.cosine <= 0.0 && one.parts.before <= 0.0;
        let needs = match like {
            _ if one.cover >= self.covers => self.covering,
            _ if one.is_told_apart() => self.elsewhere,
            _ if silent => self.silent,
            true => self.score,
            false => self.unlike,
        };
        let needs = if one.cover < self.seen_covers { needs.max(self.seen) } else { needs };
        // What comes later in the course of a day fits as well as it did.
        let fits = one.score - one.parts.course;
        if fits >= needs { Ok(()) } else { Err(WhyOut::Floor(needs)) }
    }
}

/// What one must cover of each of several questions to answer it: nearly as much as any.
fn sides(asked: &Asked, ranked: &[Ranked]) -> Vec<f32> {
    let most = |number: usize| {
        let covers = ranked.iter().filter_map(|one| one.sides.get(number));
        covers.map(|(cover, _)| *cover).fold(COVERS_ONE, f32::max)
    };
    let of_several = asked.sentences.iter().enumerate();
    let least = of_several.map(|(number, sentence)| match sentence.of_several {
        true => NEARLY_AS_LIKE * most(number),
        false => f32::INFINITY,
    });
    least.collect()
}

/// How far a value is on the way between two, from 0 to 1.
fn share(value: f32, [from, to]: [f32; 2]) -> f32 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}

/// Whether it tells something, as who only asks for it or repeats it in an answer does not.
fn tells(one: &Ranked, shelf: &impl Shelf) -> bool {
    shelf.reading(one.place).is_some_and(|reading| !reading.asks)
        && shelf.note(one.place).is_some_and(|note| note.voice != Voice::Agent)
}
