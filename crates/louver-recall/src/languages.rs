//! The languages whose word endings are known, and what tells them apart.

mod table;

use snowball_stemmers_rs::Stemmer;
use std::collections::HashMap;
use std::sync::LazyLock;
use table::TABLE;
use unicode_normalization::char::is_combining_mark;

/// A language, as far as finding needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Language(u8);

impl Language {
    /// What a text in Latin letters is taken for when nothing else is known.
    pub const ENGLISH: Language = Language(0);

    /// How many there are.
    pub(crate) const COUNT: usize = TABLE.len();

    /// Every language of the table.
    pub fn all() -> impl Iterator<Item = Language> {
        (0..TABLE.len()).map(|place| Language(place as u8))
    }

    /// Its two letters, as ISO 639-1 has them.
    pub fn code(self) -> &'static str {
        TABLE[usize::from(self.0)].code
    }

    /// The language with these two letters.
    pub fn from_code(code: &str) -> Option<Self> {
        Language::all().find(|language| language.code() == code)
    }

    /// Whether this word, in lower case, says nothing by itself.
    pub fn is_stop(self, word: &str) -> bool {
        let known = known(word);
        known.stop.has(self) || known.contracted && self == Language::ENGLISH
    }

    /// The word without its ending. It must be in lower case. What is written in letters that the language does not
    /// have is a word of one that has them: a name in Cyrillic in an English note has its own endings.
    pub fn stem(self, word: &str) -> String {
        let mut language = self;
        if is_of_another_script(word) {
            let writing = Languages::writing(word);
            language = if writing.has(self) { self } else { writing.first().unwrap_or(self) };
        }
        Stemmer::create(TABLE[usize::from(language.0)].stemmer).stem(word).into_owned()
    }
}

/// Some of the languages, one bit each, in the order of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Languages(u64);

impl Languages {
    /// Those in which a word, in lower case, is one of the most usual.
    pub(crate) fn speaking(word: &str) -> Self {
        let Known { stop, common, .. } = known(word);
        Languages(stop.0 | common.0)
    }

    /// Those that have all letters of a word, in lower case, where it has any beyond those of English.
    pub(crate) fn writing(word: &str) -> Self {
        let mut all = u64::MAX;
        for letter in word.chars().filter(|letter| !letter.is_ascii()) {
            match LETTERS.get(letter as usize).copied().unwrap_or(0) {
                // Vowels of Indic scripts and accents that stand by themselves are in many.
                0 if !letter.is_alphabetic() || is_combining_mark(letter) => (),
                some => all &= some,
            }
        }
        match all {
            u64::MAX => Languages::default(),
            _ if NEPALI.iter().any(|ending| word.ends_with(ending)) => Languages::of("ne"),
            _ => Languages(all),
        }
    }

    /// Each of them, by its place in the table.
    pub(crate) fn places(self) -> impl Iterator<Item = usize> {
        let next = |left: &u64| Some(left & (left - 1)).filter(|left| *left != 0);
        let first = Some(self.0).filter(|left| *left != 0);
        std::iter::successors(first, next).map(|left| left.trailing_zeros() as usize)
    }

    fn of(code: &str) -> Self {
        Languages(Language::from_code(code).map_or(0, |language| 1 << language.0))
    }

    fn has(self, language: Language) -> bool {
        self.0 >> language.0 & 1 == 1
    }

    fn first(self) -> Option<Language> {
        self.places().next().map(|place| Language(place as u8))
    }
}

/// What Nepali has at the end of words, and Hindi, which has the same letters, has not.
const NEPALI: [&str; 6] = ["हरू", "हरु", "बाट", "सँग", "छन्", "न्छ"];

/// Whether a word begins with a letter that is not Latin.
pub(crate) fn is_of_another_script(word: &str) -> bool {
    word.starts_with(|letter: char| letter >= '\u{370}')
}

/// In which languages a word is one of the most usual.
#[derive(Clone, Copy, Default)]
struct Known {
    stop: Languages,
    common: Languages,
    /// See [`CONTRACTED`].
    contracted: bool,
}

/// Words of English that say nothing, as those write them who leave the apostrophe out. They do not tell that a text is in
/// English: "im" and "dont" are words elsewhere. Those that say something there ("ill", "well") are not here.
const CONTRACTED: &str = "im ive youre youve youll youd hes shes weve theyre theyve theyll thats theres heres whats whatre whatd \
    whos wheres whens whys hows lets dont doesnt didnt isnt arent wasnt werent wont wouldnt couldnt shouldnt cant hasnt havent \
    hadnt";

fn known(word: &str) -> Known {
    KNOWN.get(word).copied().unwrap_or_default()
}

/// The lists turned around, because every word of every note is looked up in them.
static KNOWN: LazyLock<HashMap<&str, Known>> = LazyLock::new(|| {
    let mut found: HashMap<&str, Known> = HashMap::new();
    for (place, row) in TABLE.iter().enumerate() {
        for word in row.stop.split_whitespace() {
            found.entry(word).or_default().stop.0 |= 1 << place;
        }
        for word in row.common.split_whitespace() {
            found.entry(word).or_default().common.0 |= 1 << place;
        }
    }
    for word in CONTRACTED.split_whitespace() {
        found.entry(word).or_default().contracted = true;
    }
    found
});

/// Which languages have a letter, by its number: there are few enough that none is searched for.
static LETTERS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let letters = TABLE.iter().flat_map(|row| row.letters.chars());
    let mut found = vec![0; letters.max().map_or(0, |last| last as usize + 1)];
    for (place, row) in TABLE.iter().enumerate() {
        row.letters.chars().for_each(|letter| found[letter as usize] |= 1 << place);
    }
    found
});
