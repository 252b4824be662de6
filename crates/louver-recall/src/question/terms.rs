//! The words of a question, and what each of them counts.

use super::asking::{
    asks_how_it_works, asks_what_is, asks_what_was, is_asking, is_beside_days, says,
};
use super::{About, AskedTerm};
use crate::cues;
use crate::embed::{Embeddings, Small};
use crate::glue::{Glue, glue};
use crate::languages::Language;
use crate::spelling;
use crate::when::{self, By, Named};
use crate::words::{self, Kind, Term};

/// What a word counts with which people ask.
pub(super) const ASKING_WORTH: f32 = 0.05;

/// A question that was cut into its terms.
pub(super) struct Said<'a> {
    /// Its text.
    pub(super) text: &'a str,
    /// All of its terms, in its own language.
    pub(super) terms: &'a [Term],
    /// Where its sentences start and end.
    pub(super) sentences: &'a [(usize, usize)],
    /// Its own language, and those of the notes after it.
    pub(super) languages: &'a [Language],
    /// The days it names.
    pub(super) named: &'a [Named],
    /// Whether it is in another language than English.
    pub(super) foreign: bool,
    /// Whose words it is after.
    pub(super) about: About,
}

impl Said<'_> {
    /// The bit of the sentence that a byte is in; none for those after the first.
    fn sentence(&self, at: usize) -> u64 {
        let number = self.sentences.iter().position(|(_, end)| at < *end);
        number.and_then(|number| 1u64.checked_shl(number as u32)).unwrap_or(0)
    }

    /// The sentence that a byte is in.
    fn around(&self, at: usize) -> &str {
        let sentence = self.sentences.iter().find(|(_, end)| at < *end);
        sentence.map_or(self.text, |(start, end)| &self.text[*start..*end])
    }
}

/// The words of a question that say something. Those of a date count little where it was understood.
pub(super) fn asked(said: &Said<'_>, table: &Embeddings<'_>) -> Vec<AskedTerm> {
    let Said { text, terms: all, languages, named, .. } = *said;
    let mut found: Vec<AskedTerm> = Vec::new();
    let mut time = 0;
    let dated = !named.is_empty();
    let foreign = dated && said.foreign;
    let joints = joints(text, all, languages);
    let mut passed = 0;
    for (at, term) in all.iter().enumerate() {
        if term.kind == Kind::Stop || term.kind == Kind::Joined && !stands_alone(&all[at..]) {
            continue;
        }
        while joints.get(passed).is_some_and(|joint| joint.end <= term.start) {
            passed += 1;
        }
        let around = joints[passed..].iter().take_while(|joint| joint.start <= term.start);
        let joined = around.filter(|joint| joint.end >= term.end).flat_map(|joint| &joint.forms);
        let word = words::lower(&text[term.start..term.end]);
        let surface = words::fold(words::bare(&word, languages[0]));
        let glue = glue(&surface);
        let in_place = |named: &Named| named.place.start < term.end && term.start < named.place.end;
        let here = named.iter().find(|named| in_place(named));
        let of_days = here.is_some_and(|named| named.by == By::Name);
        let is_of_time = match here {
            Some(named) => named.by == By::Date,
            None if !dated => false,
            None => {
                when::is_of_time(&surface)
                    || is_beside_days(&surface)
                    || cues::is_time_of_day(text, term.start..term.end, &surface)
            }
        };
        // In scripts that run together what follows a day overlaps with it.
        let asks = is_asking(&surface)
            || glue == Glue::All
            || is_of_time
            || term.start < time
            || dated && asks_what_is(&surface)
            || said.about == About::You && says(&surface)
            || asks_how_it_works(said.around(term.start), &surface)
            || foreign && asks_what_was(&surface);
        if is_of_time {
            time = term.end;
        }
        let in_sentence = said.sentence(term.start);
        let times = if asks { ASKING_WORTH } else { 1.0 };
        if let Some(known) = found.iter_mut().find(|known| known.forms[0] == term.text) {
            known.times += times;
            known.sentences |= in_sentence;
            joined.for_each(|form| add(&mut known.forms, form.clone()));
            continue;
        }
        let mut forms = vec![term.text.clone()];
        if !matches!(term.kind, Kind::Whole | Kind::Joined) {
            stems(words::bare(&word, languages[0]), &languages[1..])
                .for_each(|form| add(&mut forms, form));
        }
        joined.for_each(|form| add(&mut forms, form.clone()));
        if term.kind == Kind::Word {
            let others = written_otherwise(&surface);
            others.flat_map(|other| stems(other, languages)).for_each(|form| add(&mut forms, form));
        }
        let vector = vector(&surface, languages[0], table);
        let name = is_name(text, term.start);
        // "To-do" may be a word, and "est-ce" says nothing.
        let loose = glue == Glue::Part || term.kind == Kind::Joined;
        let kind = term.kind;
        let strange = !asks && is_strange(&surface, &term.text, languages[0], table);
        found.push(AskedTerm {
            forms,
            surface,
            kind,
            name,
            times,
            asks,
            loose,
            strange,
            of_days,
            sentences: in_sentence,
            vector,
        });
    }
    found
}

/// Words that people write for one another, in whatever language they write: short forms, and names that differ.
const ONE_WORD: &str = "wifi wlan|password passwort kennwort pw pwd passwd|birthday bday|appointment appt|address addr|telephone phone tel|tv telly television\
    |vacation holiday|cellphone handy|fridge refrigerator|movie film|cinema kino|pharmacy apotheke chemist|dentist zahnarzt|physio physiotherapist\
    |gym fitnessstudio|mum mom mother|dad father|kindergarten kita daycare|pants trousers|petrol benzin|miete mieterhohung";

/// What else is written for a word, folded.
fn written_otherwise(word: &str) -> impl Iterator<Item = &'static str> {
    let one = word.strip_suffix('s').filter(|one| one.len() > 2).unwrap_or(word).to_owned();
    let has = |group: &&str| words::is_among(group, word) || words::is_among(group, &one);
    let group = ONE_WORD.split('|').find(has);
    group.into_iter().flat_map(str::split_whitespace).filter(move |other| *other != one)
}

/// In another language than English the vectors mostly know how a word is spelt. What is near by that counts less
/// than the word itself.
const SPELT_ALIKE: f32 = 0.8;

fn vector(word: &str, language: Language, table: &Embeddings<'_>) -> Small {
    let mut vector = Small::from(&table.embed(word));
    if language != Language::ENGLISH && table.pieces(word).len() > 1 {
        vector.scale *= SPELT_ALIKE;
    }
    vector
}

fn add(forms: &mut Vec<String>, form: String) {
    if !forms.contains(&form) {
        forms.push(form);
    }
}

fn stems(word: &str, languages: &[Language]) -> impl Iterator<Item = String> {
    languages.iter().map(move |language| words::fold(&language.stem(word)))
}

/// Words that others write as one, and where they stand.
struct Joint {
    start: usize,
    end: usize,
    /// The one word, in each language.
    forms: Vec<String>,
}

/// What words of a question are when they are written as one: those with hyphens between them, and every
/// two with a blank. Whoever has only the one word must not seem to lack its parts, so it becomes a form
/// of each and not a term beside them.
fn joints(text: &str, terms: &[Term], languages: &[Language]) -> Vec<Joint> {
    let mut found = Vec::new();
    for (at, term) in terms.iter().enumerate() {
        let (start, mut end) = (term.start, term.end);
        let mut forms = Vec::new();
        if term.kind == Kind::Joined {
            forms.push(term.text.clone());
        } else if let Some(next) = terms.get(at + 1).filter(|next| can_join(text, term, next)) {
            end = next.end;
        } else {
            continue;
        }
        let word = words::lower(&text[start..end]);
        let word: String = word.chars().filter(|letter| letter.is_alphanumeric()).collect();
        match word.contains(|letter: char| letter.is_ascii_digit()) {
            true => add(&mut forms, words::fold(&word)),
            false => stems(&word, languages).for_each(|form| add(&mut forms, form)),
        }
        found.push(Joint { start, end, forms });
    }
    found
}

/// Two words that are longer together are hardly ever one.
const LONGEST_JOINT: usize = 20;

/// Whether two words could be one that was taken apart: "cook top", "log in".
fn can_join(text: &str, one: &Term, other: &Term) -> bool {
    let between = text.get(one.end..other.start).unwrap_or_default();
    let is_plain = |term: &Term| text[term.start..term.end].chars().all(char::is_alphanumeric);
    let has_letter = |term: &Term| text[term.start..term.end].contains(char::is_alphabetic);
    // "A part" is not "apart", and one "is" is in every question.
    let says = one.kind == Kind::Word
        && (other.kind == Kind::Word || other.kind == Kind::Stop && other.end - other.start > 1);
    says && between == " "
        && other.end - one.start <= LONGEST_JOINT
        && (has_letter(one) || has_letter(other))
        && is_plain(one)
        && is_plain(other)
}

/// Whether what could be one word has no part that says something: "to-do".
fn stands_alone(terms: &[Term]) -> bool {
    let parts = terms[1..].iter().take_while(|part| part.start < terms[0].end);
    parts.filter(|part| part.kind != Kind::Joined).all(|part| part.kind == Kind::Stop)
}

/// The vectors know English. In other languages many words are near to others that they do not know.
const STRANGE_ELSEWHERE: usize = 7;

fn is_strange(word: &str, stem: &str, language: Language, table: &Embeddings<'_>) -> bool {
    let english = language == Language::ENGLISH && word.is_ascii();
    let shortest = if english { spelling::SHORTEST } else { STRANGE_ELSEWHERE };
    let is_known = |word: &str| table.pieces(word).len() == 1;
    word.chars().count() >= shortest
        && word.chars().all(char::is_alphabetic)
        && !is_known(word)
        && !is_known(stem)
}

/// Whether what begins there is written like a name: with a capital, and not at the start of a sentence.
pub(crate) fn is_name(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', '"', '\'', '“']);
    text[start..].starts_with(char::is_uppercase)
        && !before.is_empty()
        && !before.ends_with(['.', '?', '!', ':', '\n'])
}
