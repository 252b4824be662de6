//! What is asked about, as notes speak of it.

use crate::news::{LOOKED_THROUGH, SHORT, Same};
use crate::question::{Asked, AskedTerm, is_name};
use crate::rank::Shelf;
use crate::replaced::Wanted;
use crate::sentences::sentences;
use crate::which;
use crate::wording::{Turn, says_change};
use crate::words::{self, Kind};

/// Notes that share so much of what is telling in a question speak of what is asked.
const ONE_THING: f32 = 0.33;

/// What is asked about: the terms that notes say, how telling they are, and the words that are their forms.
pub(crate) struct Subject<'a> {
    pub(crate) terms: Vec<(&'a AskedTerm, f32, Vec<u32>)>,
    pub(crate) wanted: Wanted,
}

impl<'a> Subject<'a> {
    pub(crate) fn of(asked: &'a Asked, shelf: &impl Shelf) -> Subject<'a> {
        // Where two words meet is no third one.
        let is_word = |term: &&AskedTerm| !(term.asks || term.loose && term.kind == Kind::Word);
        let telling = || asked.terms.iter().filter(is_word);
        // Who asks what is used instead does not ask about that word, nor who asks what has to be moved about moving.
        let is_of_change = |term: &&AskedTerm| {
            Turn::of(&term.surface) != Turn::No || term.forms.iter().any(|form| says_change(form))
        };
        let alone = telling().all(|term| is_of_change(&term));
        let terms = telling().filter(|term| alone || !is_of_change(term));
        let terms = terms.map(|term| (term, shelf.rarity(term), shelf.forms(term)));
        let terms = terms.filter(|(_, _, forms)| !forms.is_empty()).collect();
        let wanted = if asked.spans.is_empty() { asked.wanted } else { Wanted::default() };
        Subject { terms, wanted }
    }

    /// What a note says of it in few words: a short note as a whole, of a longer one the first sentence that names it.
    pub(crate) fn clause<'t>(&self, text: &'t str) -> Option<&'t str> {
        if text.len() <= SHORT {
            return Some(text);
        }
        let names = |said: &str| {
            let said = words::fold(said);
            self.terms.iter().flat_map(|(term, _, _)| &term.forms).any(|form| said.contains(form))
        };
        let head = words::head(text, LOOKED_THROUGH);
        let said = sentences(head).into_iter().map(|(from, to)| &head[from..to]);
        said.into_iter().find(|said| names(said)).filter(|said| said.len() <= SHORT)
    }

    /// How much of what the first of two notes says of it the second says, too, as far as it is telling.
    pub(crate) fn share(&self, one: &[usize], two: &[usize]) -> f32 {
        let worth = |said: &dyn Fn(&usize) -> bool| -> f32 {
            one.iter().filter(|term| said(term)).map(|term| self.terms[*term].1).sum()
        };
        worth(&|term| two.contains(term)) / worth(&|_| true).max(f32::MIN_POSITIVE)
    }

    /// Whether the question or a note that says this term writes it as a name.
    pub(crate) fn is_name(&self, term: usize, text: &str) -> bool {
        let (term, ..) = self.terms[term];
        let starts = text.char_indices().filter(|(_, letter)| letter.is_uppercase());
        let says = |at: usize| {
            let word = text[at..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            term.forms.iter().any(|form| words::fold(word).starts_with(form.as_str()))
        };
        term.name || starts.into_iter().any(|(at, _)| is_name(text, at) && says(at))
    }

    /// Whether a word, folded, is a form of what is asked for.
    pub(crate) fn asks_for(&self, word: &str) -> bool {
        let mut forms = self.terms.iter().flat_map(|(term, _, _)| &term.forms);
        forms.any(|form| word.starts_with(form.as_str()))
    }

    /// Whether two notes each speak of another of what is asked for.
    pub(crate) fn are_others(&self, texts: [&str; 2]) -> bool {
        which::are_others(texts, |word| self.asks_for(word))
    }

    /// Whether two notes that say these of its terms both say the most telling of them.
    pub(crate) fn is_of_most_telling(&self, one: &[usize], two: &[usize]) -> bool {
        let worth = |at: &usize| self.terms[*at].1;
        let most = (0..self.terms.len()).max_by(|a, b| worth(a).total_cmp(&worth(b)));
        most.is_some_and(|most| one.contains(&most) && two.contains(&most))
    }

    /// Whether two notes that say these of its terms speak of it: both say what is most telling. Surely so, if the
    /// second says the names, too.
    pub(crate) fn is_of_both(&self, one: &[usize], two: &[usize]) -> Option<Same> {
        let both = |at: usize| one.contains(&at) && two.contains(&at);
        let (mut shared, mut all, mut same) = (0.0, 0.0, Same::Surely);
        for (at, (term, worth, _)) in self.terms.iter().enumerate() {
            if term.name && one.contains(&at) && !both(at) {
                same = Same::Perhaps;
                continue;
            }
            shared += if both(at) { *worth } else { 0.0 };
            all += worth;
        }
        (shared > 0.0 && shared >= ONE_THING * all).then_some(same)
    }
}
