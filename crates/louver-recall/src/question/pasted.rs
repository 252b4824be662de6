//! What was pasted into a message: a log or a letter has many words, and is not what is asked.

use super::several::stands;
use crate::clauses::{asks_to_be_told, only_asks, without_and};
use crate::languages::Language;
use crate::words::{fold, head, runs_together};
use std::borrow::Cow;

/// A message of more bytes has something pasted into it.
const LONGEST: usize = 4_000;
/// Who pastes something says so near one of its ends what it is about and what is to be done with it.
const END: usize = 1_000;
/// So many bytes beside a line that asks by itself are no remark of the one who asks.
const REMARK: usize = 300;

/// A message without what was pasted into it. Where its first or last line asks and stands by itself, that is what is
/// asked. Of a long one those lines of its ends that ask are read, or all of its ends where these say nothing by
/// themselves ("What do you make of it?").
pub(crate) fn without_pasted(text: &str) -> Cow<'_, str> {
    if let Some(asking) = line_that_asks(text) {
        return Cow::Borrowed(asking);
    }
    if text.len() <= LONGEST {
        return Cow::Borrowed(text);
    }
    let head = head(text, END);
    let tail = &text[text.ceil_char_boundary(text.len() - END)..];
    // A word that is cut through says something else.
    let head = head.rfind(char::is_whitespace).map_or(head, |end| &head[..end]);
    let tail = tail.find(char::is_whitespace).map_or(tail, |start| &tail[start..]);
    let asking: Vec<&str> = head.lines().chain(tail.lines()).filter(|line| asks(line)).collect();
    let asking = asking.join("\n");
    match says_what(&asking) {
        true => asking.into(),
        false => format!("{head}\n\n{tail}").into(),
    }
}

/// The last line of a message, or else the first, if it asks by itself and stands beside much that does not.
fn line_that_asks(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.len() <= REMARK || !text.contains('\n') {
        return None;
    }
    let ends = [text.rsplit_once('\n').map(|(_, last)| last), text.lines().next()];
    let by_itself = |said: &str| asks(said) && stands(said);
    let alone = |line: &&str| {
        line.len() + REMARK <= text.len()
            && line.len() <= REMARK
            && line.split_inclusive(['.', '!', '?', ';', ':', '？', '。']).any(by_itself)
    };
    ends.into_iter().flatten().map(str::trim).find(alone)
}

/// Whether a question says what it is about.
fn says_what(asking: &str) -> bool {
    let folded = fold(asking);
    let words = folded.split(|c: char| !c.is_alphanumeric());
    let telling = words.filter(|word| word.len() >= LEAST_LETTERS);
    telling.filter(|word| !Language::ENGLISH.is_stop(word)).count() >= LEAST_WORDS
        || asking.chars().filter(|c| runs_together(*c)).count() >= LEAST_LETTERS
}

const LEAST_LETTERS: usize = 3;
const LEAST_WORDS: usize = 2;

fn asks(line: &str) -> bool {
    // "It failed again, and where's the spare one"
    let clause_asks = |clause: &str| {
        let clause = without_and(clause);
        only_asks(clause) || asks_to_be_told(clause)
    };
    // An address has one inside.
    line.split_whitespace().any(|word| word.ends_with('?'))
        || line.contains('？')
        || line.split([',', '.', ';', ':', '!']).any(clause_asks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_message_whole_words_of_both_ends_are_kept() {
        let short = "keyword ".repeat(LONGEST / 8);
        assert_eq!(without_pasted(&short), short);
        for word in ["keyword", "schlüssel", "鑰匙，"] {
            let long = format!("first {}last", format!("{word} ").repeat(LONGEST));
            let ends = without_pasted(&long);
            assert!(ends.len() <= 2 * END + 2 && ends.len() > 2 * END - 50, "{}", ends.len());
            let mut words = ends.split_whitespace();
            assert_eq!((words.next(), words.next_back()), (Some("first"), Some("last")));
            assert!(words.all(|one| one == word), "{word}");
        }
        let unbroken = "鑰匙".repeat(LONGEST);
        assert!(without_pasted(&unbroken).len() <= 2 * END + 2);
    }

    #[test]
    fn lines_that_ask_are_told_from_what_was_pasted() {
        let pasted = "12:01:17 GET /list?page=2: a worker has finished its batch\n".repeat(400);
        for question in [
            "The drive is full again. Where do we keep the old backups?",
            "where's the spare drive",
            "it failed again, and where's the spare drive",
            "备份在哪里？",
        ] {
            assert_eq!(without_pasted(&format!("{question}\n{pasted}")), question);
            assert_eq!(without_pasted(&format!("{pasted}\n{question}")), question);
            // Nobody asks in the middle of what they paste.
            let between = format!("{pasted}{question}\n{pasted}");
            assert!(!without_pasted(&between).contains(question));
        }
    }

    #[test]
    fn a_line_that_asks_by_itself_is_what_is_asked() {
        let letter = "Dear customer, our bank details have changed.\n".repeat(12);
        for question in [
            "where is my passport?",
            "anyway. what's the alarm code of the museum?",
            "tell me the alarm code of the museum please",
            "wo liegt mein Reisepass?",
        ] {
            for message in [format!("{letter}{question}"), format!("{question}\n{letter}")] {
                assert_eq!(without_pasted(&message), question);
            }
        }
        for line in
            ["What should I answer?", "Is that true?", "Write it to out.json.", "Thanks, Bo"]
        {
            let message = format!("{letter}{line}");
            assert_eq!(without_pasted(&message), message);
        }
    }

    #[test]
    fn a_question_that_says_nothing_by_itself_is_read_with_what_stands_beside_it() {
        let letter = "The council will close the footpath behind the mill from May.\n".repeat(80);
        for question in ["What do you make of it?", "Any ideas?"] {
            let ends = without_pasted(&format!("{letter}{question}")).into_owned();
            assert!(ends.contains(question) && ends.contains("footpath"), "{ends}");
        }
    }
}
