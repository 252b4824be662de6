//! Which one a note speaks of: a "locker code" is no "alarm code", and who moved out is not the cat.

use crate::languages::Language;
use crate::wording::Turn;
use crate::words::{fold, head, is_among, padded};

/// So many bytes of a note are looked through.
const LOOKED_THROUGH: usize = 400;

/// Whether two notes each name another of a kind that is asked for: what stands right before its name differs.
pub(crate) fn are_others([one, two]: [&str; 2], is_of: impl Fn(&str) -> bool) -> bool {
    let named = |text: &str| -> Vec<[String; 2]> {
        let folded = fold(head(text, LOOKED_THROUGH));
        let words: Vec<&str> = folded.split_whitespace().collect();
        // Nothing but blanks stands between the two.
        let bare = |word: &'_ str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        let pairs = words.windows(2).filter(|pair| pair[0].ends_with(char::is_alphanumeric));
        let pairs = pairs.map(|pair| [bare(pair[0]), bare(pair[1])]);
        let pairs = pairs.filter(|[which, kind]| is_of(kind) && names(which));
        pairs.map(|pair| pair.map(|word| singular(&word).to_owned())).collect()
    };
    let one = named(one);
    if one.is_empty() {
        return false;
    }
    let two = named(two);
    let of_kind = |[_, kind]: &&[String; 2]| two.iter().any(|[_, other]| other == kind);
    let mut both = one.iter().filter(of_kind).peekable();
    both.peek().is_some() && !both.any(|which| two.contains(which))
}

/// Whether a word before the name of a kind says which one it is. That it is new, or where it is, does not.
fn names(word: &str) -> bool {
    word.len() >= 3
        && word.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !Language::ENGLISH.is_stop(word)
        && !is_among(NO_NAMES, word)
}

const NO_NAMES: &str = "again now today new old current next last first second another other same whole full real actual current usual only \
    changed moved reset got get has have had was were set use used using need needs ask asked call called gave give \
    neue neuer neues neuen alte alter altes der die das den dem mein meine meinen unser unsere les des mon mes nouveau nouvelle \
    nuevo nueva los las mis nuovo nuova del della novo nova mijn onze het een nieuwe";

fn singular(word: &str) -> &str {
    word.strip_suffix('s').filter(|one| one.len() > 2).unwrap_or(word)
}

/// Whether a newer note, where it says that something is over or otherwise, speaks of what an older one does: "Tom moved
/// out. I keep Momo" says nothing new of Momo.
pub(crate) fn turns_on(older: &str, newer: &str) -> bool {
    let older = padded(&fold(older));
    let said = || newer.split(['.', '!', '?', ';', '\n']).filter(|said| !said.trim().is_empty());
    if said().count() < 2 {
        return true;
    }
    let speaks_of_it = |said: &str| {
        let apart = padded(&fold(said));
        let mut words = apart.split_whitespace();
        let refers = words.clone().next().is_some_and(|first| is_among(REFERS, first));
        let shared = |word: &str| {
            !Language::ENGLISH.is_stop(word) && older.contains(&format!(" {}", singular(word)))
        };
        refers || words.any(shared)
    };
    said().filter(|said| Turn::of(said) != Turn::No).any(speaks_of_it)
}

/// With these one goes on with what was named before.
const REFERS: &str = "he she they it that this er sie es das elle ils elles ella ellos esto lui lei loro ele ela eles hij zij dat i ich je yo io eu ik";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_the_name_of_a_kind_tells_which_it_is() {
        let others = |one: &str, two: &str| {
            are_others([one, two], |word| ["code", "codes", "doctor"].contains(&word))
        };
        for (one, two) in [
            ("locker code was reset, now 0925", "new alarm code from today: 3142#"),
            ("her eye doctor is Lund", "the heart doctor is Vega"),
        ] {
            assert!(others(one, two) && others(two, one), "{one}");
        }
        for (one, two) in [
            ("gym locker code 4471", "locker code was reset, now 0925"),
            ("the code is 4471", "new alarm code: 3142#"),
            ("locker code 4471", "changed the code to 0925"),
            ("alarm codes are with Bo", "got a new alarm code"),
            ("rain", "rain"),
        ] {
            assert!(!others(one, two) && !others(two, one), "{one}");
        }
    }

    #[test]
    fn what_is_over_is_so_of_what_is_named_beside_it() {
        let cat = "we got a cat!!! momo, 2 years, from the shelter";
        assert!(!turns_on(cat, "tom moved out. it's cold. he takes the sofa and i keep momo"));
        assert!(turns_on(cat, "Momo moved to my sister's. Sad day"));
        assert!(turns_on("Anna works at Siemens", "Anna called. She quit."));
        assert!(turns_on("I work at Siemens", "I quit Siemens"));
    }
}
