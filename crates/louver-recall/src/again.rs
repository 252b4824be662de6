//! What was answered when the same was asked before.

use crate::words::{after, fold, padded, runs_together};

/// Whether an earlier question is the same, by how much of this one it covers and how near it is: 0 to 1.
pub(crate) fn again((cover, cosine): (f32, f32)) -> f32 {
    let [covers, near] = SAME_QUESTION.map(|[from, to]| (from, to - from));
    let share = |value: f32, (from, width): (f32, f32)| ((value - from) / width).clamp(0.0, 1.0);
    share(cover, covers) * share(cosine, near)
}

/// From the first number on a question begins to be the same as another, and from the second on it is: by what it
/// covers, and by what it means.
const SAME_QUESTION: [[f32; 2]; 2] = [[0.7, 1.0], [0.4, 0.7]];

/// Whether an answer only says that there will be one: "Let me see."
pub(crate) fn puts_off(answer: &str) -> bool {
    if answer.len() > LONGEST {
        return false;
    }
    let apart = padded(&fold(answer));
    let begins = |phrase: &str| match phrase.starts_with(runs_together) {
        true => apart.trim_start().starts_with(phrase),
        false => after(&apart, phrase).is_some(),
    };
    PUTS_OFF.split('|').any(begins)
}

/// A longer answer says something besides.
const LONGEST: usize = 48;
const PUTS_OFF: &str = "let me see|let me check|let me look|one moment|just a moment|a moment|one second|just a second|hold on|hang on|i ll check|i will check|i ll look|i ll see\
    |i am checking|i m checking|checking|looking|einen moment|moment|ich schaue|ich sehe nach|ich schau|un instant|un moment|je regarde|je verifie|laisse moi|un momento|dejame\
    |dame un|lo miro|ahora lo|fammi|lasciami|controllo|um momento|deixa me|deixe me|vou ver|een moment|even kijken|ik kijk|我看看|让我|讓我|稍等|等一下|少々お待ち|確認します|調べます|잠시|잠깐|확인해";

/// Which of the candidates ask what may be the same, with the credit of each for the question's words and whether it
/// only asks. What was answered to them may share no word with the question, and is looked at too.
pub fn asked_before(candidates: &[(f32, bool)]) -> impl Iterator<Item = usize> {
    let most = candidates.iter().map(|(words, _)| *words).fold(0.0, f32::max);
    let alike = move |(_, (words, asks)): &(usize, &(f32, bool))| {
        *asks && *words > 0.0 && *words >= ALIKE * most
    };
    candidates.iter().enumerate().filter(alike).map(|(at, _)| at)
}

const ALIKE: f32 = 0.8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_put_off_answers_nothing() {
        for text in [
            "Let me see.",
            "One moment, please",
            "Ich sehe nach.",
            "我看看",
            "少々お待ちください。",
        ] {
            assert!(puts_off(text), "{text}");
        }
        for text in [
            "Yes.",
            "On Thursday at nine.",
            "Let me see: the locker is 0925, the gate 4471, Ada has it",
        ] {
            assert!(!puts_off(text), "{text}");
        }
    }
}
