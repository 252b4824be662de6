//! Who asks again: a message that asks what is asked now, and what it tells besides.
//!
//! "Guests are here, what's our wifi password" is no answer to "what's the wifi password", and is more like it than any
//! answer. Beside it what does answer would look unlike the question.

use crate::clauses::{self, CLAUSE_ENDS};
use crate::question::Asked;
use crate::tongue;
use crate::words::{self, Kind, Term};

/// What a message is to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Echo {
    /// It does not ask, or tells something of what is asked.
    #[default]
    No,
    /// It asks, and what it tells besides is of something else, as far as words show.
    Beside,
    /// It asks, and tells nothing that the question does not say, or hardly a word.
    Bare,
}

/// A message of more bytes than this tells something.
pub(crate) const LONGEST: u32 = 160;

/// What the person's message is to a question that it has most words of.
pub(crate) fn echo(asked: &Asked, text: &str) -> Echo {
    let (asking, telling): (Vec<&str>, Vec<&str>) =
        text.split_inclusive(CLAUSE_ENDS).partition(|clause| asks(clause));
    if asking.is_empty() {
        return Echo::No;
    }
    let language = tongue::language(text);
    let told = telling.iter().flat_map(|clause| words::terms(clause, language));
    let told: Vec<Term> =
        told.filter(|term| !matches!(term.kind, Kind::Stop | Kind::Joined)).collect();
    let is_asked = |term: &&Term| asked.terms.iter().any(|asked| asked.forms.contains(&term.text));
    let has_number = || told.iter().any(|term| term.text.contains(char::is_numeric));
    match told.iter().filter(is_asked).count() {
        said if said == told.len() => Echo::Bare,
        0 if told.len() <= HARDLY && !has_number() => Echo::Bare,
        0 => Echo::Beside,
        _ => Echo::No,
    }
}

/// In so few words of something else hardly anything is told, but for numbers.
const HARDLY: usize = 2;

fn asks(clause: &str) -> bool {
    let (clause, said) = (clause.trim(), clause.trim().trim_end_matches(CLAUSE_ENDS));
    let last = || words::fold(said.rsplit(char::is_whitespace).next().unwrap_or_default());
    clause.ends_with(['?', '？'])
        || clauses::only_asks(said)
        || words::is_among("please pls plz bitte", &last())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::shipped;
    use crate::index::Index;
    use crate::note::{Note, Voice};
    use crate::question::{Question, read};
    use crate::recall::find;

    fn to(question: &str, text: &str) -> Echo {
        let question = Question { text: question.into(), now: None };
        echo(&read(&question, &[], &shipped()), text)
    }

    #[test]
    fn who_asks_again_is_told_from_who_tells() {
        let again = "guests are here, what's our wifi password";
        assert_eq!(to(again, again), Echo::Bare);
        assert_eq!(to(again, "What's our wifi password? Guests are here."), Echo::Bare);
        assert_eq!(to("what's the wifi password", again), Echo::Bare);
        let more = "guests from Oslo are here at noon, what's our wifi password";
        assert_eq!(to("what's the wifi password", more), Echo::Beside);
        assert_eq!(to("what's the wifi password", "wifi password pls"), Echo::Bare);
        assert_eq!(
            to("When does my sister come?", "Where do we eat when my sister comes?"),
            Echo::Bare
        );
        for (question, text) in [
            ("When does my sister come?", "My sister comes on Friday, where could we eat?"),
            ("Where did I move to?", "I moved to Graz. What is there to see?"),
            ("Is the spare key under the pot?", "The spare key is under the pot"),
            ("what's our wifi password", "wifi password: tortoise-99"),
        ] {
            assert_eq!(to(question, text), Echo::No, "{question} {text}");
        }
        assert_eq!(
            to("what did my glasses cost?", "285 chf, is that much for glasses?"),
            Echo::Beside
        );
        assert_eq!(to("家里的密码是什么？", "客人来了，家里的密码是什么？"), Echo::Beside);
    }

    #[test]
    fn what_answers_stands_before_who_asked_the_same() {
        let question = "guests are here, what's our internet password";
        let mut index = Index::new();
        let said = [
            "changed our wifi bc of the neighbours kid: Clint+Yeastwood=bread4ever",
            "never lilies for mum, her cat would die",
            question,
            "the printer in the office has no paper again",
        ];
        for (id, text) in (0..).zip(said) {
            let (text, session, voice) = (text.into(), format!("s{id}"), Voice::Person);
            index.add(Note { id, text, session, voice, ..Note::default() });
        }
        let found = find(&index, &Question { text: question.into(), now: None }, &|_| true);
        assert_eq!(found.ranked[0].place, 0, "{:?}", found.ranked);
    }
}
