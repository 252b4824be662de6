//! Who asks how something went, or in which order, is after its course: what each day had to say of it.
//!
//! What comes up first on a day tells where things stand; what follows goes into it. So of the notes of a day that
//! fit best the second counts half as much as the first, the third a third.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::civil::Date;

use crate::cues::Cues;
use crate::question::Asked;
use crate::rank::{Ranked, Shelf, sort};
use crate::words::padded;

/// Ways to ask for the course of things: English, German, French, Spanish, Italian, Portuguese, Dutch; Chinese,
/// Japanese, Korean. Words that mean something else as often ("timeline", "résumé") are not here by themselves.
const COURSE: Cues = Cues {
    words: "summary of|summarize|summarise|sum up|overview of|recap|chronology|chronologically|chronological order\
        |order in which|in what order|in which order|what order|order of events|list in order|over time\
        |has progressed|have progressed|has developed|have developed|has evolved|have evolved|has unfolded\
        |zusammenfassung|zusammenfassen|fasse zusammen|fass zusammen|fasse mir|fass mir|uberblick uber|reihenfolge|im lauf der zeit|im laufe der zeit|verlauf\
        |resume moi|resumer|resume de|dans quel ordre|au fil du temps|chronologique\
        |resumen de|resumeme|resumir|en que orden|a lo largo del tiempo|cronologico\
        |riassunto|riassumi|riassumere|in che ordine|in quale ordine|nel tempo|cronologico\
        |resumo de|resuma|em que ordem|ao longo do tempo|cronologica\
        |samenvatting|vat samen|samenvatten|volgorde|in de loop der tijd|verloop",
    letters: "总结|總結|概括|回顾|回顧|先后顺序|先後順序|什么顺序|什麼順序|来龙去脉|來龍去脈\
        |まとめて|要約|経緯|どんな順|順番に|振り返\
        |요약|어떤 순서|순서대로|경과",
};

/// So many of the best notes are what a day has to say of it.
const FIT: usize = 50;

/// Whether a question asks for the course of something.
pub(crate) fn is_asked(folded: &str) -> bool {
    COURSE.are_in(&padded(folded))
}

/// Ranked notes, where the course of things is asked for with the first of each day before the others.
pub(crate) fn by_course<'a>(
    asked: &Asked,
    ranked: &'a [Ranked],
    shelf: &impl Shelf,
) -> Cow<'a, [Ranked]> {
    if !asked.course {
        return Cow::Borrowed(ranked);
    }
    let when = |one: &Ranked| {
        let at = shelf.note(one.place)?.at?;
        Some((at.date(), (shelf.moment(one.place), shelf.arrival(one.place))))
    };
    let mut days: BTreeMap<Date, Vec<_>> = BTreeMap::new();
    for (day, moment) in ranked.iter().take(FIT).filter_map(when) {
        days.entry(day).or_default().push(moment);
    }
    let mut ranked = ranked.to_vec();
    for one in &mut ranked {
        let Some((day, moment)) = when(one) else { continue };
        let before = days.get(&day).map_or(0, |day| day.iter().filter(|at| **at < moment).count());
        one.parts.course = -(before as f32).ln_1p();
        one.score += one.parts.course;
    }
    sort(&mut ranked);
    Cow::Owned(ranked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::fold;

    #[test]
    fn the_course_of_things_is_asked_for_in_ten_languages() {
        for text in [
            "Can you give me a summary of how the move went?",
            "Summarize what I learned about sourdough.",
            "In what order did I visit the flats?",
            "How has my French developed over time?",
            "Fasse mir zusammen, wie der Umzug lief.",
            "In welcher Reihenfolge habe ich die Wohnungen besichtigt?",
            "Dans quel ordre ai-je visité les appartements ?",
            "Hazme un resumen de la mudanza.",
            "Fammi un riassunto del trasloco.",
            "Em que ordem visitei os apartamentos?",
            "Geef me een samenvatting van de verhuizing.",
            "总结一下搬家的经过",
            "引っ越しの経緯を教えて",
            "이사 과정을 요약해 줘",
        ] {
            assert!(is_asked(&fold(text)), "{text}");
        }
        for text in [
            "What did I do in order to get the visa?",
            "How should I lay out my résumé?",
            "What is the order number of the lamp?",
            "Which overview map did Nora buy?",
            "When does my first sprint end?",
        ] {
            assert!(!is_asked(&fold(text)), "{text}");
        }
    }
}
