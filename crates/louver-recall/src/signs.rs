//! What a note has that an answer would have: the voice that is asked for, a day, a number, what is quoted.

use crate::note::{Note, Voice};
use crate::question::{About, Asked, Wants};
use crate::rank::Shelf;
use crate::reading::Reading;
use crate::when::Span;
use crate::words;
use crate::written;

/// People ask their agent mostly about what they told it. Its own long answers hold the evidence
/// when the question says so.
pub(crate) fn voice(about: About, voice: Voice) -> f32 {
    match (voice, about) {
        (Voice::Agent, About::You) => 5.0,
        (Voice::Agent, About::Me) => -2.65,
        (Voice::Agent, About::Anyone) => -3.15,
        _ => 0.0,
    }
}

const MONTH: i32 = 31;

/// Whether it was said on a day that is asked for, or tells of one.
pub(crate) fn time(
    Asked { spans: asked, past, now, .. }: &Asked,
    note: &Note,
    spans: &[Span],
) -> f32 {
    // What tells of a whole year does not tell of a day in it.
    let meets = |span: &Span| {
        asked.iter().any(|asked| asked.meets(span) && span.days() <= asked.days().max(MONTH))
    };
    let said = note.at.is_some_and(|at| meets(&Span::Days(at.date(), at.date())));
    let told = spans.iter().any(meets);
    let day = note.at.map(|at| at.date());
    let just =
        asked.iter().any(|asked| matches!(asked, Span::About(about, _) if Some(*about) == day));
    let worth = |holds: bool, worth: f32| if holds { worth } else { 0.0 };
    let (said, just) = (worth(said, 2.8), worth(just, 0.7));
    // What is to be was told before.
    let today = now.map(|now| now.date());
    let ahead = !past && asked.iter().any(|asked| asked.is_ahead_of(today));
    just + if ahead { said.max(worth(told, 2.8)) } else { said + worth(told, 0.45) }
}

/// Whether all days that a note names are over, and nothing is asked of what was.
pub(crate) fn is_over(asked: &Asked, Reading { spans, .. }: &Reading) -> bool {
    let today = asked.now.map(|now| now.date());
    !asked.past && !spans.is_empty() && !spans.iter().any(|span| span.is_ahead_of(today))
}

/// Whether it holds what is wanted.
pub(crate) fn wants(wants: Wants, reading: &Reading, over: bool) -> f32 {
    match wants {
        Wants::Time if reading.tells_when && over => 1.5,
        Wants::Time if reading.tells_when => 2.5,
        Wants::Number if reading.digits => 1.1,
        _ => 0.0,
    }
}

/// The share of what is written so in the question that it has.
pub(crate) fn phrase(Asked { phrases, likely, .. }: &Asked, place: u32, shelf: &impl Shelf) -> f32 {
    if phrases.is_empty() && likely.is_empty() {
        return 0.0;
    }
    let text = words::squeeze(shelf.text(place).unwrap_or(""));
    let share = |all: &[String], text: &str| {
        let held = all.iter().filter(|phrase| words::holds(text, phrase)).count();
        held as f32 / all.len().max(1) as f32
    };
    share(phrases, &text).max(share(likely, &written::plain(&text)))
}
