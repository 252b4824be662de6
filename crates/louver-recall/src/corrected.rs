//! What somebody put right in the next breath, or the next day: "sorry, it's on Thursday" says nothing of the dentist,
//! and is all that is true of him.

use crate::note::Voice;
use crate::rank::Shelf;
use crate::when::is_of_time;
use crate::wording::holds;
use crate::words::{after, fold, is_among, padded};
use jiff::SignedDuration;
use jiff::civil::DateTime;

/// What is put right is put right in few words.
const SHORT: u32 = 160;
/// The agent may have answered in between.
const NEXT: u32 = 2;

/// How one begins who puts something right: English, German, French, Spanish, Italian, Portuguese, Dutch.
const SURELY: &str = "correction|i meant|i mean|scratch that|my mistake|my bad|i misspoke|that was wrong|i was wrong|korrektur|ich meinte|ich meine\
    |je voulais dire|je me suis trompe|je me suis trompee|quise decir|queria decir|mejor dicho|me equivoque|volevo dire|mi sono sbagliato\
    |mi sono sbagliata|correzione|quis dizer|enganei me|me enganei|correcao|correctie|ik bedoelde|ik bedoel";
/// And one who may: it must go on with something that is so, or when.
const PERHAPS: &str = "sorry|actually|wait|no wait|no|nope|oops|ah no|oh no|hang on|quatsch|nein|moment|entschuldigung|eigentlich|doch nicht\
    |pardon|en fait|non|desole|desolee|perdon|perdona|en realidad|scusa|scusami|anzi|in realta|desculpa|na verdade|nao|eigenlijk|nee|wacht";
/// How one goes on after a "no" without a comma.
const GOES_ON: &str = "it its that this the he she they we i my at on in not wait sorry actually es das der die er sie wir ich am um erst doch c ce le la il elle on \
    el ella los las lo a e o os as ele ela het de ik hij zij op om is was";
/// In Chinese, Japanese, Korean.
const IN_LETTERS: &str = "更正|不对|不對|说错了|說錯了|我是说|我是說|搞错了|搞錯了|訂正|間違え|間違いました|すみません、|いや、|정정|아니다|아니,|잘못 말";

/// How surely a message begins like one that puts right what was said before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Begins {
    Otherwise,
    /// As one may who goes on, too.
    Perhaps,
    Surely,
}

fn begins(text: &str) -> Begins {
    let folded = fold(text);
    if IN_LETTERS.split('|').any(|letters| folded.trim_start().starts_with(letters)) {
        return Begins::Surely;
    }
    let apart = padded(&folded);
    let begins = |with: &str| with.split('|').find_map(|with| after(&apart, with));
    // "Sorry, I meant …"
    let rest = begins(PERHAPS);
    let surely = |apart: &str| SURELY.split('|').any(|with| after(apart, with).is_some());
    if surely(&apart) || rest.is_some_and(surely) {
        return Begins::Surely;
    }
    if denies_a_thing(&folded) {
        return Begins::Otherwise;
    }
    let says = |word: &str| is_of_when(word) || is_among("s its isn was were not nicht ce c", word);
    match rest.is_some_and(|rest| holds(rest) || rest.split_whitespace().any(says)) {
        true => Begins::Perhaps,
        false => Begins::Otherwise,
    }
}

/// Whether a word is part of a date, an hour or a number.
fn is_of_when(word: &str) -> bool {
    is_of_time(word) || word.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether one who puts something right says it of this: both tell when or how much, or it takes back a word of it ("it's
/// Roth, not Rath").
fn is_of(by: &str, said: &str) -> bool {
    let [by, said] = [by, said].map(|text| padded(&fold(text)));
    let tells_when = |text: &str| text.split_whitespace().any(is_of_when);
    let mut words = by.split_whitespace().zip(by.split_whitespace().skip(1));
    let takes_back = |(not, word): (&str, &str)| {
        is_among("not nicht pas non no nao niet", not) && said.contains(&format!(" {word} "))
    };
    words.any(takes_back) || tells_when(&by) && tells_when(&said)
}

/// Whether the person put right with one note what they said with the other.
pub(crate) fn is_put_right(shelf: &impl Shelf, said: u32, by: u32) -> bool {
    let (Some(read), Some(reading)) = (shelf.reading(said), shelf.reading(by)) else {
        return false;
    };
    // Of all that are compared hardly one passes this.
    let steps = reading.spot.position.wrapping_sub(read.spot.position);
    let next = (1..=NEXT).contains(&steps) && read.spot.talk == reading.spot.talk;
    let later = !next && shelf.resumed(said) == Some(by);
    if !next && !later || reading.bytes > SHORT || reading.asks {
        return false;
    }
    // What the person said in between is what is put right.
    let [_, beside] = shelf.beside(said);
    let answered = next && steps == NEXT;
    let answer = beside.filter(|_| answered);
    if answered && answer.and_then(|at| shelf.note(at)).map(|note| note.voice) != Some(Voice::Agent)
    {
        return false;
    }
    let (Some(first), Some(note)) = (shelf.note(said), shelf.note(by)) else { return false };
    if first.voice != Voice::Person
        || note.voice != Voice::Person
        || first.session != note.session
        || later && !soon(first.at, note.at)
    {
        return false;
    }
    let (Some(first), Some(note)) = (shelf.text(said), shelf.text(by)) else { return false };
    match begins(note) {
        Begins::Otherwise => false,
        // "Shall I look for flights?" "No, by train."
        Begins::Perhaps
            if no(&fold(note)).is_some() && answer.is_some_and(|at| asks(shelf, at)) =>
        {
            note.len() <= FEW_WORDS && is_of(note, first)
        }
        Begins::Perhaps => next || is_of(note, first),
        Begins::Surely => true,
    }
}

/// Who says no to a question and puts something right says no more than that.
const FEW_WORDS: usize = 60;

/// What comes after a "no" with which something begins.
fn no(folded: &str) -> Option<&str> {
    let said = folded.trim_start();
    let end = said.find(|c: char| !c.is_alphanumeric())?;
    is_among("no nope nein non nao nee", &said[..end]).then(|| &said[end..])
}

/// Whether its "no" is one to what follows, and not to what was said: "no planes".
fn denies_a_thing(folded: &str) -> bool {
    let Some(rest) = no(folded).filter(|rest| rest.starts_with(' ')) else { return false };
    let next = rest.trim_start().split(|c: char| !c.is_alphanumeric()).next();
    next.is_some_and(|next| !is_among(GOES_ON, next) && !is_of_when(next))
}

fn asks(shelf: &impl Shelf, place: u32) -> bool {
    shelf.text(place).is_some_and(|text| text.trim_end().ends_with('?'))
}

/// Whether one still has in mind what was said then.
fn soon(said: Option<DateTime>, by: Option<DateTime>) -> bool {
    said.zip(by).is_some_and(|(said, by)| by.duration_since(said) <= SOON)
}

/// Over a weekend.
const SOON: SignedDuration = SignedDuration::from_hours(72);

/// So many candidates are looked after.
const LIKELIEST: usize = 5;

/// The likeliest of the candidates, with the credit of each for the question's words and whether the person said it. What
/// they said next may put it right and share no word with the question, so it is looked at too.
pub fn may_be_put_right(candidates: &[(f32, bool)]) -> Vec<usize> {
    let mut said: Vec<usize> =
        (0..candidates.len()).filter(|at| candidates[*at].1 && candidates[*at].0 > 0.0).collect();
    said.sort_by(|one, two| candidates[*two].0.total_cmp(&candidates[*one].0).then(one.cmp(two)));
    said.truncate(LIKELIEST);
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_puts_something_right_is_told_from_who_goes_on() {
        for text in [
            "Sorry, actually it's on Thursday.",
            "Correction: the code is 4411",
            "no wait, Friday",
            "I meant the blue one",
            "oops, that was 950",
            "no it's Thursday",
            "no 950",
            "Actually it is my cousin who comes.",
            "Nein, doch am Donnerstag",
            "Ich meinte den Blauen.",
            "Pardon, c'est jeudi.",
            "Perdón, es el jueves.",
            "Anzi, è giovedì.",
            "Na verdade é quinta-feira.",
            "Nee, het is donderdag.",
            "不对，是星期四",
            "訂正：木曜日です",
            "정정: 목요일이야",
        ] {
            assert!(begins(text) != Begins::Otherwise, "{text}");
        }
        for text in [
            "Sorry, gotta run",
            "No, thanks",
            "Actually, tell me a joke",
            "Thanks, that helps",
            "The dentist is on Tuesday.",
            "Wait for me",
            "Meanwhile it rains",
            "no planes, not ever: I get there by rail or not at all",
            "No sugar for me, it is bad for the teeth",
            "好的，谢谢",
        ] {
            assert_eq!(begins(text), Begins::Otherwise, "{text}");
        }
    }

    #[test]
    fn the_likeliest_that_the_person_said_are_looked_after() {
        let candidates = [(0.0, true), (2.0, true), (3.0, false), (4.0, true), (2.0, true)];
        assert_eq!(may_be_put_right(&candidates), [3, 1, 4]);
        assert_eq!(may_be_put_right(&[(1.0, true); 9]).len(), LIKELIEST);
    }
}
