//! Words that are spelled wrong: "hedghog" is a "hedgehog" where notes have one.
//!
//! Only for words that no note says and that the vectors do not know: "horse" is no misspelt "house".

use crate::lexicon::Lexicon;
use crate::question::AskedTerm;
use crate::words::Kind;

/// Shorter words are too near to too many others.
pub(crate) const SHORTEST: usize = 5;
/// From so many letters on two of them may be wrong.
const LONG: usize = 9;
/// For so many of a question's words. What has more that no note says is no question.
const CORRECTED: usize = 4;
/// So many words are taken for one, where they are equally near.
const MOST: usize = 3;
/// Who begins a word right gets its first letters right, and few words begin alike.
const BEGINNING: usize = 2;
/// A word that was corrected counts so much of one that was not.
const WORTH: f32 = 0.7;

/// Gives terms that may be misspelt and that no note says the words of notes that are nearest to them.
pub(crate) fn correct<L: Lexicon>(
    terms: &mut [AskedTerm],
    lexicon: &mut L,
) -> Result<(), L::Error> {
    let mut corrected = 0;
    for term in terms.iter_mut().filter(|term| term.kind == Kind::Word && term.strange) {
        let mut said = false;
        for form in &term.forms {
            said |= lexicon.says(form)?;
        }
        if said || corrected == CORRECTED {
            continue;
        }
        corrected += 1;
        let found = nearest(&term.forms[0], lexicon)?;
        if !found.is_empty() {
            term.times *= WORTH;
            term.forms.extend(found);
        }
    }
    Ok(())
}

/// The words of notes that are nearest to one, if any is near enough.
fn nearest<L: Lexicon>(word: &str, lexicon: &mut L) -> Result<Vec<String>, L::Error> {
    let letters: Vec<char> = word.chars().collect();
    let mut most = if letters.len() >= LONG { 2 } else { 1 };
    let mut found = Vec::new();
    for beginning in beginnings(&letters) {
        lexicon.beginning(&beginning, &mut |other| {
            let far = other.len().abs_diff(word.len()) > 4 * most;
            let Some(apart) = (!far).then(|| apart(&letters, other, most)).flatten() else {
                return;
            };
            if apart < most {
                found.clear();
                most = apart;
            }
            found.push(other.to_owned());
        })?;
    }
    found.sort_unstable();
    found.truncate(MOST);
    Ok(found)
}

/// How a word may begin whose second letter is right, or was swapped with the third, or was one too many.
fn beginnings(letters: &[char]) -> Vec<String> {
    let mut found = vec![letters.iter().take(BEGINNING).collect::<String>()];
    if let [first, second, third, ..] = letters
        && second != third
    {
        found.push([first, third].into_iter().collect());
    }
    found
}

/// How many letters must be added, left out, changed or swapped with the next to make one word of the other,
/// if it is no more than `most`.
pub(crate) fn apart(word: &[char], other: &str, most: usize) -> Option<usize> {
    const LONGEST: usize = 48;
    let mut letters = ['\0'; LONGEST];
    let mut count = 0;
    for letter in other.chars() {
        if !letter.is_alphabetic() || count == LONGEST {
            return None;
        }
        letters[count] = letter;
        count += 1;
    }
    if count.abs_diff(word.len()) > most || word.len() > LONGEST {
        return None;
    }
    // What begins alike need not be compared.
    let other = &letters[..count];
    let alike = word.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (word, other) = (&word[alike..], &other[alike..]);
    let mut rows = [[usize::MAX / 2; LONGEST + 1]; 3];
    for (at, cell) in rows[1].iter_mut().enumerate().take(other.len() + 1) {
        *cell = at;
    }
    for (at, letter) in word.iter().enumerate() {
        let [older, old, new] = &mut rows;
        new[0] = at + 1;
        let mut least = new[0];
        for (to, theirs) in other.iter().enumerate() {
            let mut cost = old[to] + usize::from(letter != theirs);
            cost = cost.min(old[to + 1] + 1).min(new[to] + 1);
            if at > 0 && to > 0 && word[at - 1] == *theirs && other[to - 1] == *letter {
                cost = cost.min(older[to - 1] + 1);
            }
            new[to + 1] = cost;
            least = least.min(cost);
        }
        // A swap may still bring it down from the row before.
        if least > most && old.iter().take(other.len() + 1).all(|cost| *cost >= most) {
            return None;
        }
        rows.rotate_left(1);
    }
    let cost = rows[1][other.len()];
    (cost <= most).then_some(cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_added_left_out_changed_or_swapped() {
        for (word, other, expected) in [
            ("okonkwoo", "okonkwo", Some(1)),
            ("hedghog", "hedgehog", Some(1)),
            ("dentits", "dentist", Some(1)),
            ("hdegehog", "hedgehog", Some(1)),
            ("raghunatan", "raghunathan", Some(1)),
            ("ragunatan", "raghunathan", Some(2)),
            ("same", "same", Some(0)),
            ("muller", "mueller", Some(1)),
            ("абвгд", "абвг", Some(1)),
            ("kitchen", "chicken", None),
            ("okonkwoo", "okonkwo2", None),
            ("okon", "okonkwo", None),
        ] {
            let letters: Vec<char> = word.chars().collect();
            assert_eq!(apart(&letters, other, 2), expected, "{word} {other}");
        }
    }
}
