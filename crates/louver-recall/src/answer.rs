//! How a short note answers, and whether another answers alike: "the key is under the pot", "the key is in the shed".

use crate::news::{ANSWERS, SHORT, Same};
use crate::question::{Asked, AskedTerm};
use crate::tongue;
use crate::words::{self, Kind, Term};

/// What a short note says of what is asked for, and how.
pub(crate) struct Answer {
    /// Which of the terms that are asked for it says.
    asked: Vec<usize>,
    /// What else it says before the last of them: whom it is about.
    about: Vec<String>,
    /// The small words or the colon between that and what it answers: "is", "is on", "has".
    joins: Vec<String>,
    /// Whether it says something else after that.
    goes_on: bool,
    /// Whether it has a number. Where those change, all else must agree.
    has_number: bool,
}

/// They make no other fact of it: "the cat is a tabby", "the cat is now the queen of the house".
const SAME_JOINT: &str = "a an the now again ein eine einen der die das den jetzt nun wieder un une le la les maintenant una el los las ahora \
    il lo i gli adesso ora um uma o os as agora een de het nu";
/// One stands for the other: "the key is under the pot", "the key is in the shed".
const WHERE: &str = "in on at under with by behind near above below inside outside from to between beside next \
    auf unter bei beim mit hinter neben uber im am an zu zum zur dans sur sous chez avec derriere au aux du des sobre bajo con detras cerca \
    sotto nel nella sul sulla da dal dalla presso em no na sob com atras op onder met achter naast bij";

impl Answer {
    /// Of a note that says any of it.
    pub(crate) fn of(asked: &Asked, text: &str) -> Option<Answer> {
        if text.len() > SHORT {
            return None;
        }
        let telling: Vec<&AskedTerm> = asked.terms.iter().filter(|term| !term.asks).collect();
        let is_asked =
            |word: &Term| telling.iter().position(|term| term.forms.contains(&word.text));
        let all = words::terms(text, tongue::language(text)).into_iter();
        let said = all.filter(|term| matches!(term.kind, Kind::Word | Kind::Part | Kind::Stop));
        let said: Vec<Term> = said.collect();
        let tells = |word: &&Term| word.kind != Kind::Stop;
        let last = said.iter().rposition(|word| tells(&word) && is_asked(word).is_some())?;
        let mut found: Vec<usize> = said.iter().filter(tells).filter_map(is_asked).collect();
        found.sort_unstable();
        found.dedup();
        let (before, after) = (&said[..last], &said[last + 1..]);
        let colon = text[said[last].end..].trim_start().starts_with([':', '：']).then_some(":");
        let spelled = |word: &Term| words::fold(&text[word.start..word.end]);
        let is_where = |word: &Term| words::is_among(WHERE, &spelled(word));
        let small = after.iter().take_while(|word| !tells(word) || is_where(word));
        let small = small.map(|word| if is_where(word) { "in".to_owned() } else { spelled(word) });
        let small = small.filter(|word| !words::is_among(SAME_JOINT, word));
        let about = before.iter().filter(tells).filter(|word| is_asked(word).is_none());
        Some(Answer {
            asked: found,
            about: about.map(|word| word.text.clone()).collect(),
            joins: colon.map(str::to_owned).into_iter().chain(small).collect(),
            goes_on: after.iter().any(|word| tells(&word)),
            has_number: text.contains(|c: char| c.is_ascii_digit()),
        })
    }

    /// Whether two answer alike: both say what is asked, and then something else in the same way. "Ada likes tea" and
    /// "Bo likes tea" are about two, and "the choir is on Mondays" and "the choir is in the school" tell of two things.
    pub(crate) fn is_as(&self, other: &Answer) -> Option<Same> {
        let about_two = !self.about.is_empty() && !other.about.is_empty();
        let is_one = self.about == other.about;
        let unlike = self.asked != other.asked || self.joins != other.joins;
        if unlike || !self.goes_on || !other.goes_on || about_two && !is_one {
            return None;
        }
        let sure = self.asked.len() >= ANSWERS && is_one && !self.joins.is_empty();
        match self.has_number || other.has_number {
            true => sure.then_some(Same::Perhaps),
            false => Some(if sure { Same::Surely } else { Same::Perhaps }),
        }
    }
}
