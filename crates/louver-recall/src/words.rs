//! Text becomes terms: what a note is found by, and what a question asks for.
//!
//! A word counts by its stem, without accents. Where words are not set apart (Chinese, Japanese,
//! Korean, Thai) every two neighbouring characters are a term: it needs no dictionary, and a
//! known note is found as well as with one. Whatever is written as one thing, such as `foo_bar`,
//! `src/main.rs`, `v1.2.3` or an address, is a term as a whole and in its parts. What some write as one
//! word and others with hyphens or capitals ("wi-fi", "WiFi") is that word and its parts.

use crate::languages::Language;
use crate::numbers::numbers;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The longest term in bytes. What is longer (a key, a blob) is found by its head.
const LONGEST: usize = 48;

/// What a term is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A word, by its stem.
    Word,
    /// A word that says nothing by itself. Notes are not found by it.
    Stop,
    /// Something written as one thing: an identifier, a path, an address, a version, a date.
    Whole,
    /// A part of something written as one thing.
    Part,
    /// What others write as one word, by the stem of that: "wi-fi", "YouTube", "1,865".
    Joined,
}

/// One term and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// What is compared: the stem, in lower case, without accents.
    pub text: String,
    /// What it is made of.
    pub kind: Kind,
    /// The first byte of it in the text.
    pub start: usize,
    /// The first byte after it.
    pub end: usize,
}

/// The terms of a text in this language, in reading order.
pub fn terms(text: &str, language: Language) -> Vec<Term> {
    let mut found = Vec::with_capacity(text.len() / 6);
    let mut numbers = numbers(text).into_iter().peekable();
    for (start, end) in chunks(text) {
        while let Some(number) = numbers.next_if(|number| number.start < end) {
            push(&mut found, number.text, Kind::Joined, number.start, number.end);
        }
        push_terms(text, start, end, language, &mut found);
    }
    found
}

/// The first `most` bytes of a text, less what would split a character.
pub(crate) fn head(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Lower case, one form for each character, no accents: two spellings of one word become equal.
pub fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let lower: String = word.nfkc().flat_map(char::to_lowercase).collect();
    let mut folded = String::with_capacity(lower.len());
    for letter in lower.chars() {
        match letter {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' => folded.push('d'),
            'ı' => folded.push('i'),
            _ if is_inner(letter) => (),
            // The dots and rings of Japanese and the signs of Indic scripts are letters, not accents.
            _ if letter < '\u{600}' => {
                folded.extend(std::iter::once(letter).nfd().filter(|c| !is_combining_mark(*c)));
            }
            _ => folded.push(letter),
        }
    }
    folded
}

/// The spelling that stands for a term rather than another one, if this is it: the shorter, then the
/// first in the alphabet. It must not matter which of them was read first.
pub fn plainer(spelling: &str, than: &str) -> Option<String> {
    // Folding keeps the length of plain letters, so most need not be folded to know.
    if spelling.is_ascii() && (spelling.len() > than.len() || spelling == than) {
        return None;
    }
    let spelling = fold(spelling);
    ((spelling.len(), spelling.as_str()) < (than.len(), than)).then_some(spelling)
}

/// Whether a word is one of a list, which has blanks between them.
pub(crate) fn is_among(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// The words with a blank around each.
pub(crate) fn padded(folded: &str) -> String {
    let mut text = String::with_capacity(folded.len() + 2);
    text.push(' ');
    for word in folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        text.push_str(word);
        text.push(' ');
    }
    text
}

/// What follows these words where a text begins with them, its words with a blank around each.
pub(crate) fn after<'a>(apart: &'a str, with: &str) -> Option<&'a str> {
    let rest = apart.strip_prefix(' ')?.strip_prefix(with)?;
    rest.starts_with(' ').then_some(rest)
}

/// Whether a script writes words without setting them apart.
pub fn runs_together(letter: char) -> bool {
    matches!(letter,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' // Thai, Lao, Myanmar, Khmer
        | '\u{1100}'..='\u{11FF}' | '\u{3040}'..='\u{30FF}' | '\u{3130}'..='\u{318F}'
        | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}'
        | '\u{20000}'..='\u{3134F}')
}

/// Whether a squeezed text has a squeezed phrase, and not as a part of longer words.
pub(crate) fn holds(text: &str, phrase: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() && !runs_together(c);
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        let goes_on = before.ends_with(inside) && phrase.starts_with(inside)
            || after.starts_with(inside) && phrase.ends_with(inside);
        !goes_on
    })
}

/// Folded, every stretch of white space one space.
pub fn squeeze(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(&fold(word));
    }
    squeezed
}

/// Stretches that are not white space or brackets, less the punctuation around them. A mark on the last letter, as many
/// words of Tamil have it, is part of it.
pub(crate) fn chunks(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let base = text.as_ptr() as usize;
    text.split(apart).filter_map(move |chunk| {
        let begun = chunk.trim_start_matches(|c: char| !c.is_alphanumeric());
        let inner = begun.trim_end_matches(|c: char| !c.is_alphanumeric());
        let marks = begun[inner.len()..].chars().take_while(|c| is_combining_mark(*c));
        let long = inner.len() + marks.map(char::len_utf8).sum::<usize>();
        let start = inner.as_ptr() as usize - base;
        let end = start + long;
        (!inner.is_empty()).then(|| (start, end + signed(inner, &text[end..])))
    })
}

/// How much of what follows a letter belongs to it: a programming language may be called "C++" or "C#".
fn signed(inner: &str, after: &str) -> usize {
    let sign = ["++", "#"].into_iter().find(|sign| after.starts_with(sign)).unwrap_or_default();
    let ends = !after[sign.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '+');
    if inner.len() == 1 && ends { sign.len() } else { 0 }
}

/// What never belongs to a word, a path or an address.
fn apart(letter: char) -> bool {
    match letter {
        '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '"' | ',' | ';' | '!' | '?' | '|' | '`'
        | '*' => true,
        '“' | '”' | '«' | '»' | '„' => true,
        _ => letter.is_whitespace() || letter.is_control(),
    }
}

/// The terms of one such stretch.
pub(crate) fn chunk_terms(chunk: &str, language: Language) -> Vec<Term> {
    let mut found = Vec::new();
    push_terms(chunk, 0, chunk.len(), language, &mut found);
    found
}

fn push_terms(text: &str, start: usize, end: usize, language: Language, out: &mut Vec<Term>) {
    let chunk = &text[start..end];
    let words: Vec<(usize, usize)> = plain_words(chunk).collect();
    let single = words.len() == 1 && words[0] == (0, chunk.len());
    let parts: Vec<(usize, usize)> = words
        .iter()
        .flat_map(|&(from, to)| {
            humps(&chunk[from..to]).into_iter().map(move |(a, b)| (from + a, from + b))
        })
        .collect();
    let split = parts.len() > 1;
    if split && !chunk.chars().any(runs_together) {
        match joined(chunk, &words, parts.len()) {
            Some(word) => word_term(&word, Kind::Joined, start, end, language, out),
            None if chunk.chars().count() <= 4 * LONGEST => {
                push(out, fold(chunk), Kind::Whole, start, end);
            }
            None => (),
        }
    }
    if chunk.ends_with(['+', '#']) {
        push(out, fold(chunk), Kind::Whole, start, end);
    }
    for (from, to) in parts {
        let (start, end) = (start + from, start + to);
        let word = &text[start..end];
        if word.chars().any(runs_together) {
            pairs(word, start, out);
        } else if split && !single {
            word_term(word, Kind::Part, start, end, language, out);
        } else {
            word_term(word, if split { Kind::Part } else { Kind::Word }, start, end, language, out);
        }
    }
}

/// What is joined has at most so many parts and letters. "State-of-the-art" nobody writes as one word.
const JOINED: (usize, usize) = (3, 20);
/// An order number has more of both.
const JOINED_CODE: (usize, usize) = (6, 34);
/// With more capitals it is an identifier, which is written as it is.
const CAPITALS: usize = 2;

/// Words with hyphens, capitals or what holds letters of Persian apart between them, as one word. What begins with digits is none: that is a date, a
/// range or so much of something.
fn joined(chunk: &str, words: &[(usize, usize)], parts: usize) -> Option<String> {
    let is_code = chunk.contains(|c: char| c.is_ascii_digit());
    let (most_parts, most_letters) = if is_code { JOINED_CODE } else { JOINED };
    let hyphens = words.windows(2).all(|two| {
        matches!(&chunk[two[0].1..two[1].0], "-" | "\u{2010}" | "\u{2011}" | "\u{200C}")
    });
    let most_parts = if words.len() == 1 { CAPITALS } else { most_parts };
    if parts > most_parts || !hyphens || chunk.starts_with(|c: char| c.is_numeric()) {
        return None;
    }
    let word: String = words.iter().map(|&(from, to)| &chunk[from..to]).collect();
    (word.chars().count() <= most_letters).then_some(word)
}

/// Letters and digits in a row; an apostrophe between letters belongs to the word.
fn plain_words(chunk: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut start = None;
    let mut found = Vec::new();
    let mut before = ' ';
    for (place, letter) in chunk.char_indices() {
        let mark = is_combining_mark(letter) || is_inner(letter);
        let apostrophe = matches!(letter, '\'' | '’') && before.is_alphabetic() && {
            let after = chunk[place + letter.len_utf8()..].chars().next();
            after.is_some_and(char::is_alphabetic)
        };
        if letter.is_alphanumeric() || mark || apostrophe {
            start.get_or_insert(place);
        } else if let Some(from) = start.take() {
            found.push((from, place));
        }
        before = letter;
    }
    if let Some(from) = start {
        found.push((from, chunk.len()));
    }
    found.into_iter()
}

/// Where a word written like `camelCase` or `HTTPServer` falls apart.
pub(crate) fn humps(word: &str) -> Vec<(usize, usize)> {
    let mut cuts = vec![0];
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    for window in 1..letters.len() {
        let (before, here) = (letters[window - 1].1, letters[window].1);
        let after = letters.get(window + 1).map(|next| next.1);
        let up = before.is_lowercase() && here.is_uppercase();
        let down = before.is_uppercase()
            && here.is_uppercase()
            && after.is_some_and(|c| c.is_lowercase())
            && letters.len() > 3;
        let script = runs_together(before) != runs_together(here);
        if up || down || script {
            cuts.push(letters[window].0);
        }
    }
    cuts.push(word.len());
    cuts.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

fn word_term(
    word: &str,
    kind: Kind,
    start: usize,
    end: usize,
    language: Language,
    out: &mut Vec<Term>,
) {
    let lower = lower(word);
    let bare = bare(&lower, language);
    if language.is_stop(bare) || language.is_stop(&lower) {
        push(out, fold(bare), Kind::Stop, start, end);
        return;
    }
    let stem = if bare.chars().any(|c| c.is_ascii_digit()) {
        bare.to_owned()
    } else {
        language.stem(bare)
    };
    push(out, fold(&stem), kind, start, end);
}

/// What is written together with the word after it, in whatever text: a few words do not tell that they are French.
const ELIDED: &str = "l d j qu n s c m t";
/// And where it is known that they are French, Italian, Catalan or Irish.
const ELIDED_THERE: &str = "jusqu lorsqu puisqu quoiqu un dell all nell sull dall quell v";

/// A word in lower case without the one that is written together with it, and without its "'s": "l'appartement" is an
/// apartment.
pub(crate) fn bare(word: &str, language: Language) -> &str {
    let there = matches!(language.code(), "fr" | "it" | "ca" | "ga");
    let is_elided = |begin: &str| is_among(ELIDED, begin) || there && is_among(ELIDED_THERE, begin);
    let parts = word.split_once('\'').filter(|(begin, _)| is_elided(begin));
    let word = parts.map_or(word, |(_, rest)| rest);
    word.strip_suffix("'s").unwrap_or(word)
}

/// In lower case, as lists and stemmers have words.
pub(crate) fn lower(word: &str) -> String {
    if word.is_ascii() { word.to_ascii_lowercase() } else { lowered(word.nfc()) }
}

pub(crate) fn lowered(letters: impl Iterator<Item = char>) -> String {
    let plain = |letter: char| if letter == '’' { '\'' } else { letter };
    letters.flat_map(char::to_lowercase).filter(|letter| !is_inner(*letter)).map(plain).collect()
}

/// Signs in the middle of a word that are no part of it: Armenian asks with one ("որտե՞ղ"), and the dot of a
/// Turkish "İ" is left when it becomes small.
fn is_inner(letter: char) -> bool {
    matches!(letter, '\u{307}' | '\u{55B}'..='\u{55E}')
}

/// Every two neighbouring characters; one alone stands for itself.
fn pairs(word: &str, base: usize, out: &mut Vec<Term>) {
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    if let [(_, _)] = letters[..] {
        push(out, fold(word), Kind::Word, base, base + word.len());
    }
    for pair in letters.windows(2) {
        let (from, to) = (pair[0].0, pair[1].0 + pair[1].1.len_utf8());
        push(out, fold(&word[from..to]), Kind::Word, base + from, base + to);
    }
}

fn push(out: &mut Vec<Term>, text: String, kind: Kind, start: usize, end: usize) {
    let text = if text.len() > LONGEST { head(&text, LONGEST).to_owned() } else { text };
    if !text.is_empty() {
        out.push(Term { text, kind, start, end });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tongue::language;

    fn words(text: &str) -> Vec<String> {
        let language = language(text);
        terms(text, language).into_iter().filter(|t| t.kind != Kind::Stop).map(|t| t.text).collect()
    }

    #[test]
    fn words_are_found_by_their_stems() {
        assert_eq!(words("She was running to the libraries"), ["run", "librari"]);
        assert_eq!(words("Caroline's dogs"), ["carolin", "dog"]);
    }

    #[test]
    fn what_is_written_together_with_a_word_is_no_part_of_it() {
        let words = |text: &str| -> Vec<String> {
            let french = Language::from_code("fr").unwrap();
            let terms = terms(text, french).into_iter().filter(|term| term.kind != Kind::Stop);
            terms.map(|term| term.text).collect()
        };
        assert_eq!(words("le code de l’appartement"), words("code appartement"));
        assert!(words("j'ai qu'est aujourd'hui").iter().all(|word| word.starts_with("aujourd")));
        let english = |text| terms(text, Language::ENGLISH).into_iter().map(|term| term.text);
        assert!(english("l'acompte d’acompte").all(|word| word == "acompt"));
        assert!(english("O'Brien can't").eq(["o'brien", "can't"]));
    }

    #[test]
    fn a_word_is_found_in_another_form_in_languages_that_fewer_people_write() {
        for (code, one, other, stem) in [
            ("hy", "Բանալիները տանը են և սեղանի մեջ", "Որտեղ է իմ բանալի", "բան"),
            ("eu", "Etxeak oso zaharrak dira eta garestiak", "Non dago etxe hori?", "etxe"),
            ("ca", "Els dentistes són aquí amb nosaltres", "Qui és el meu dentista?", "dent"),
            ("eo", "La ŝlosiloj estas en la domo kaj ne tie", "Kie estas mia ŝlosilo?", "slosil"),
            ("et", "Minu raamatud olid laual ja seal", "Kus mu raamatu siis oli?", "raama"),
            (
                "ga",
                "Tá na dochtúirí anseo agus bhí siad ann",
                "Cá bhfuil mo dochtúirí agus cathain?",
                "dochtuiri",
            ),
            ("lt", "Raktai yra ant stalo ir jau ne mano", "Kur yra mano raktas?", "rakt"),
            ("ne", "मेरो किताबहरू घरमा छन् र", "किताबको मूल्य के हो र कहाँ छ", "किताब"),
            ("fa", "کلیدها را در خانه گذاشتم و این است", "کلید من کجا است", "کلید"),
            ("sr", "Knjige su već ovde na stolu", "Gde je moja knjiga?", "knjig"),
            ("sr", "Књиге су већ овде на столу", "Где је моја књига?", "knjig"),
            ("ta", "நான் ஒரு புத்தகத்தை வாங்கினேன்", "என் புத்தகம் எங்கே", "புத்தகம்"),
            ("yi", "די שליסלען איז אין מיין הויז", "וואו איז מיין שליסל", "שליס"),
        ] {
            for text in [one, other] {
                assert_eq!(language(text).code(), code, "{text}");
                assert!(words(text).iter().any(|word| word == stem), "{:?}", words(text));
            }
        }
    }

    #[test]
    fn a_word_in_other_letters_has_the_endings_of_its_own_language() {
        assert_eq!(words("We spoke about the машины"), ["spoke", "машин"]);
        assert_eq!(words("We spoke about the καρέκλες"), words("We spoke about the καρέκλα"));
    }

    #[test]
    fn signs_within_a_word_are_no_part_of_it() {
        assert_eq!(words("Որտե՞ղ է բանալին"), words("որտեղ է բանալի"));
        assert_eq!(words("İki kitabı da verdim"), words("iki kitabı da verdim"));
        assert_eq!(words("ILIK ve ılık")[0], "ilik");
        assert_eq!(words("کتاب‌ها را دادم")[..2], ["کتاب", "کتاب"]);
    }

    #[test]
    fn accents_do_not_matter() {
        assert_eq!(words("Café Zürich"), words("cafe zurich"));
        assert_eq!(fold("Straße"), "strasse");
    }

    #[test]
    fn what_is_written_as_one_thing_is_found_whole_and_in_parts() {
        assert_eq!(
            words("see getUserNameById()"),
            ["see", "getusernamebyid", "user", "name", "id"]
        );
        assert_eq!(words("src/main.rs"), ["src/main.rs", "src", "main", "rs"]);
        assert_eq!(words("v0.6.2"), ["v0.6.2", "v0", "6", "2"]);
        assert_eq!(words("max_retry_count"), ["max_retry_count", "max", "retri", "count"]);
        assert!(
            words("at https://example.org/a?b=1.").contains(&"https://example.org/a".to_owned())
        );
    }

    #[test]
    fn what_others_write_as_one_word_is_that_word_and_its_parts() {
        assert_eq!(words("Wi-Fi"), ["wifi", "wi", "fi"]);
        assert_eq!(words("WiFi"), words("wi\u{2011}fi"));
        assert_eq!(words("baby-sitters"), ["babysitt", "babi", "sitter"]);
        assert_eq!(words("YouTube"), ["youtub", "tube"]);
        assert_eq!(words("to-do"), ["todo"]);
        assert_eq!(words("UT-2026-0211-7731")[0], "ut202602117731");
        // Dates, ranges and whole sentences are none.
        assert_eq!(words("2026-03-05")[0], "2026-03-05");
        assert_eq!(words("10-20")[0], "10-20");
        assert_eq!(words("20-minute")[0], "20-minute");
        assert_eq!(words("middle-of-nowhere-town")[0], "middle-of-nowhere-town");
    }

    #[test]
    fn scripts_without_spaces_become_pairs() {
        assert_eq!(words("我喜欢猫"), ["我喜", "喜欢", "欢猫"]);
        assert_eq!(words("猫"), ["猫"]);
        assert_eq!(words("GPT模型"), ["gpt", "模型"]);
    }

    #[test]
    fn a_phrase_is_no_part_of_longer_words() {
        assert!(holds("he said good night.", "good night"));
        assert!(holds("in (conf.d)", "conf.d") && holds("我喜欢猫", "喜欢"));
        assert!(!holds("in conf.data", "conf.d") && !holds("goodnight", "night"));
    }

    #[test]
    fn every_term_says_where_it_stands() {
        let text = "Ünïcode wörds, getUserName und 我喜欢猫!";
        let terms = terms(text, Language::ENGLISH);
        assert_eq!(terms.len(), 10, "{terms:?}");
        for term in terms {
            assert!(text.is_char_boundary(term.start) && text.is_char_boundary(term.end));
            assert!(term.start < term.end);
        }
    }
}
