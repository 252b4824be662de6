//! A question, and what can be read from it before any note is looked at.

use crate::course;
use crate::embed::{Embeddings, Small};
use crate::glue::tells;
use crate::languages::Language;
use crate::lexicon::Lexicon;
use crate::replaced::Wanted;
use crate::sentences::sentences;
use crate::sides::{Sentence, asking};
use crate::tasks::{self, Task};
use crate::tongue;
use crate::when::{self, Span};
use crate::words::{self, Kind};
use crate::written;
use crate::{clauses, cues, idle, requests};
use jiff::civil::DateTime;

mod asking;
mod pasted;
mod several;
mod slips;
mod terms;

use asking::{is_asking, told};
pub(crate) use pasted::without_pasted;
pub(crate) use terms::is_name;
use terms::{ASKING_WORTH, Said};

/// What is asked, and from where.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Question {
    /// The words of it.
    pub text: String,
    /// When it is asked. Without it "yesterday" means nothing.
    pub now: Option<DateTime>,
}

/// A question, read.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What notes are searched for.
    pub terms: Vec<AskedTerm>,
    /// What it means.
    pub vector: Small,
    /// Its sentences: a task may ask for several things.
    pub(crate) sentences: Vec<Sentence>,
    /// What must be found as written.
    pub phrases: Vec<String>,
    /// What is likely to be.
    pub(crate) likely: Vec<String>,
    /// The days it names.
    pub spans: Vec<Span>,
    /// Whether it asks for what was.
    pub(crate) past: bool,
    /// Whose words it is after.
    pub about: About,
    /// What an answer would hold.
    pub wants: Wants,
    /// Values of which kinds it is after.
    pub(crate) wanted: Wanted,
    /// Whether it asks for what is open, or for what is done.
    pub task: Task,
    /// What it says besides that.
    pub(crate) besides_task: String,
    /// Whether it asks for the course of something.
    pub(crate) course: bool,
    /// Whether it asks for something to be done, and not for what was: then standing wishes matter.
    pub requests: bool,
    /// Whether it is in another language than English, which is all that the vectors know.
    pub(crate) foreign: bool,
    /// When it is asked.
    pub now: Option<DateTime>,
}

impl Asked {
    /// Whether it says nothing but when.
    pub fn is_of_days_alone(&self) -> bool {
        !self.spans.is_empty() && !self.terms.iter().any(AskedTerm::says)
    }

    /// Whether it is several questions, each of which stands by itself.
    pub(crate) fn asks_several(&self) -> bool {
        self.sentences.iter().any(|sentence| sentence.of_several)
    }

    /// Where days are asked for in words that no note says and no vector knows, the days must do: "Was habe ich letzten
    /// Dienstag gekocht?" over notes in English.
    pub(crate) fn leave_to_days<L: Lexicon>(&mut self, lexicon: &mut L) -> Result<(), L::Error> {
        if self.spans.is_empty() || !self.foreign {
            return Ok(());
        }
        for form in self.terms.iter().filter(|term| term.says()).flat_map(|term| &term.forms) {
            if lexicon.says(form)? {
                return Ok(());
            }
        }
        for term in self.terms.iter_mut().filter(|term| term.says()) {
            (term.asks, term.times) = (true, ASKING_WORTH);
        }
        Ok(())
    }

    /// Whether it says nothing but that it is after what is open, or done.
    pub fn is_of_task_alone(&self) -> bool {
        let says = |term: &AskedTerm| {
            term.says() && !tasks::is_of_asking(&term.surface, &self.besides_task)
        };
        self.task != Task::Neither && !self.terms.iter().any(says)
    }

    /// Whether it says nothing but what must be found as written.
    pub fn is_exact_alone(&self) -> bool {
        self.says_only(&self.phrases)
    }

    /// Whether it says nothing but what is mostly written so.
    pub(crate) fn is_likely_alone(&self) -> bool {
        self.says_only(&self.likely)
    }

    /// Whether it says nothing but one word, of which the vectors know no more than how it is spelt.
    pub(crate) fn is_strange_alone(&self) -> bool {
        let mut says = self.terms.iter().filter(|term| term.says());
        says.next().is_some_and(|term| term.strange) && says.next().is_none()
    }

    fn says_only(&self, written: &[String]) -> bool {
        let is_in = |term: &AskedTerm| written.iter().any(|said| said.contains(&*term.surface));
        !written.is_empty() && self.terms.iter().all(|term| term.asks || is_in(term))
    }

    /// It means these days with what it says there: "two weeks before the move". Then these words count as
    /// little as those of a date, for what was said on the days need not speak of the move.
    pub fn means(&mut self, said: &str, spans: impl IntoIterator<Item = Span>) {
        let known = self.spans.len();
        self.spans.extend(spans);
        if self.spans.len() == known {
            return;
        }
        let said = words::fold(said);
        let has = |surface: &str| match surface.is_ascii() {
            true => said.split(|c: char| !c.is_alphanumeric()).any(|word| word == surface),
            false => said.contains(surface),
        };
        for term in self.terms.iter_mut().filter(|term| !term.asks && has(&term.surface)) {
            (term.asks, term.times) = (true, ASKING_WORTH);
        }
    }
}

/// One word of a question.
#[derive(Clone, PartialEq, Debug)]
pub struct AskedTerm {
    /// Its stems, one for each language it could be in, and those of what it makes with the word beside
    /// it: "cook top" is a "cooktop" where notes have one.
    pub forms: Vec<String>,
    /// As it was written, in lower case.
    pub surface: String,
    /// What it is made of.
    pub kind: Kind,
    /// Whether it is written like a name: with a capital, and not at the start of a sentence.
    pub name: bool,
    /// How often the question says it.
    pub times: f32,
    /// Whether it is one of the words with which people ask. It counts little.
    pub asks: bool,
    /// Whether it is rather where two words meet, or something of words that say nothing, than a word. That
    /// no note says it tells nothing.
    pub loose: bool,
    /// Whether it is no word that the vectors know. If no note says it, it may be misspelt.
    pub strange: bool,
    /// Whether it is the name of days that are asked for: "Christmas". What was then need not say it.
    pub of_days: bool,
    /// Which sentences of the question say it, a bit for each of the first.
    sentences: u64,
    /// Its vector.
    pub vector: Small,
}

impl AskedTerm {
    /// Whether the sentence of that number says it.
    pub(crate) fn is_in(&self, sentence: usize) -> bool {
        self.sentences.checked_shr(sentence as u32).is_some_and(|rest| rest & 1 == 1)
    }

    /// Whether it says what is asked for. What is written as one thing says what its parts say.
    pub(crate) fn says(&self) -> bool {
        !self.asks
            && !self.of_days
            && self.kind != Kind::Whole
            && (!self.loose || tells(&self.surface))
    }
}

/// Whose words a question is after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// What the person who asks said or did: "my", "I".
    Me,
    /// What the agent said: "you suggested", "remind me what you".
    You,
    /// Neither, or both.
    Anyone,
}

/// What an answer would hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wants {
    /// A day or a span.
    Time,
    /// A number.
    Number,
    /// Anything.
    Anything,
}

/// Reads a question. `languages` are those of the notes; the question's own is always among them.
pub fn read(question: &Question, languages: &[Language], table: &Embeddings<'_>) -> Asked {
    let text = without_pasted(&question.text);
    let text = slips::right(&text, table);
    let text = &*text;
    let own = tongue::language(text);
    let mut all = vec![own];
    all.extend(languages.iter().copied().filter(|language| *language != own));
    let foreign = !tongue::is_english(text);
    let lower = words::fold(text);
    let named = when::asked(text, question.now.map(DateTime::date));
    let mut cut = words::terms(text, own);
    let (parts, of_several) = several::several(text, sentences(text));
    let about = cues::about(&lower);
    let said = Said {
        text,
        terms: &cut,
        sentences: &parts,
        languages: &all,
        named: &named,
        foreign,
        about,
    };
    let terms = terms::asked(&said, table);
    let apart: Vec<&str> = parts.iter().map(|(from, to)| &text[*from..*to]).collect();
    let asks_beside = asking(&apart);
    // What an answer would hold is said by what asks.
    let asking: String =
        apart.iter().zip(&asks_beside).filter(|(_, asks)| **asks).map(|(said, _)| *said).collect();
    let asking = if asking.is_empty() { lower.clone() } else { words::fold(&asking) };
    let wants = cues::wants(&asking);
    let sentence = |((said, asks_beside), of_several): ((&&str, bool), bool)| Sentence {
        vector: Small::from(&table.embed(&told(said, about))),
        asks_beside,
        of_several,
        wants: cues::wants(&words::fold(clauses::without_and(said))),
    };
    // A date is not found as written: it can be written otherwise.
    cut.retain(|term| {
        !named.iter().any(|named| named.place.start < term.end && term.start < named.place.end)
    });
    let mut phrases = written::phrases(text);
    phrases.extend(written::exact(text, &cut));
    let wanted = Wanted::by(&asking, foreign);
    Asked {
        terms,
        vector: Small::from(&table.embed(&told(text, about))),
        sentences: apart.iter().zip(asks_beside).zip(of_several).map(sentence).collect(),
        phrases,
        likely: written::likely(text, &cut),
        spans: named.into_iter().map(|named| named.span).collect(),
        about,
        wants,
        wanted,
        task: Task::asked(&lower),
        besides_task: tasks::besides(&lower),
        past: when::says_was(&lower, own.code()),
        course: course::is_asked(&lower),
        // Who is after a number, a day or a code asks for no more.
        requests: wants == Wants::Anything && !wanted.code && requests::requests(&lower),
        foreign,
        now: question.now,
    }
}

/// A question with more words that say something stands by itself, whatever else is in it.
const LEANING: usize = 3;

/// Whether a question says too little by itself: it has few words, and speaks of what was named before it.
pub fn leans(text: &str) -> bool {
    let text = words::head(text, 2_000);
    let says = |term: &words::Term| {
        !matches!(term.kind, Kind::Stop | Kind::Joined)
            && !is_asking(&words::fold(&text[term.start..term.end]))
    };
    let folded = words::fold(text);
    // What time it is goes on with nothing.
    cues::leans(&folded)
        && !idle::is_clock(&folded)
        && words::terms(text, tongue::language(text)).iter().filter(|term| says(term)).count()
            <= LEANING
}

/// Whether a message asks, with or without a question mark: it has a word with which people ask, or asks about
/// who writes it ("my car").
pub fn asks(text: &str) -> bool {
    let text = words::head(text, 2_000);
    text.contains(['?', '？']) || clauses::asks(&words::fold(text))
}

/// Whether a message neither asks nor tells anything that could be noted: "ok", "thanks", "17 * 23", "What time is it?"
pub fn is_small_talk(text: &str) -> bool {
    let text = words::head(text, 200);
    // A name may be written like such a word: "How is Nice?"
    let named =
        text.split_whitespace().zip(text.split_whitespace().skip(1)).any(|(before, word)| {
            word.starts_with(char::is_uppercase) && !before.ends_with(['.', '!', '?', ','])
        });
    let folded = words::fold(text);
    !named && idle::is_small_talk(&folded) || idle::is_sum(&folded) || idle::is_clock(&folded)
}

/// How telling a term is that `with` of so many notes say: the rarer, the more.
pub fn rarity(term: &AskedTerm, with: u64, notes: usize) -> f32 {
    if term.loose && with == 0 {
        return 0.0;
    }
    let all = notes as f32;
    let with = (with as f32).min(all);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln() * term.times.sqrt()
}

#[cfg(test)]
mod tests;
