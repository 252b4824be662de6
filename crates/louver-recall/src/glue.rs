//! What holds words together in scripts that do not set them apart.
//!
//! Such a text is found by its pairs of characters. In a question many of them are no words but particles,
//! endings and the words one asks with, or where one of those meets a word: notes hardly ever have the same.

use crate::lexicon::Lexicon;
use crate::question::AskedTerm;
use crate::words::{is_among, runs_together};

/// How much of a pair of characters holds words together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Glue {
    /// None of it, as far as can be told.
    None,
    /// One of the two: it is where words meet.
    Part,
    /// Both: it says nothing.
    All,
}

/// Characters that say nothing themselves in most Chinese words, and two Japanese ones that ask.
const CHINESE: &str = "的了吗呢吧啊呀嘛么着过们我你您他她它咱这那哪谁什怎几多少是在有和与跟及或但就都也还又很太再不没别要会能可\
    把被给从到向为因所以之其此每各些个只啦哦嗯請请何誰嗎這個們過還沒對对候";

/// Korean particles and endings. They come last.
const KOREAN: &str = "은는이가을를에의로와과도만서께요까니나죠지다야여고며면든";

/// Pairs that only help to ask or to tell, in Japanese and Korean.
const ASKING: &str = "です ます まし した ませ せん でし して いる ある ない どこ どの どれ どん いつ なに なん だれ から まで では には とは この その あの \
    こと もの ため よう など くだ ださ さい すか かな りま いま って った てい たい いく くら つも だっ たっ っけ いい いの んだ けど 现在 現在 时候 時候 知道 뭐 뭐야 뭐지 어디 디야 디서 언제 누구 무엇 얼마 어떤 어느 나요 니까 습니 어요 예요 에요 인가 했어 했지 합니 입니 있어 있나";

/// What was done, said or happened: who asks so on a day asks for all of it.
const ANYTHING: &str = "做干幹弄忙发發生事情说說讲講聊谈談得样樣告诉訴私僕俺";

/// Whether one of the two says something by itself: the "买" of "我买" and "买了".
pub(crate) fn tells(pair: &str) -> bool {
    let ideograph =
        |letter: char| matches!(letter, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}');
    pair.chars()
        .any(|letter| ideograph(letter) && !CHINESE.contains(letter) && !ANYTHING.contains(letter))
}

/// How much of a pair holds words together; none of what is written with blanks between words.
pub(crate) fn glue(pair: &str) -> Glue {
    let letters: Vec<char> = pair.chars().collect();
    if !letters.iter().all(|letter| runs_together(*letter)) {
        return Glue::None;
    }
    if is_among(ASKING, pair) {
        return Glue::All;
    }
    let kana = |letter: char| matches!(letter, '\u{3041}'..='\u{309F}');
    let (glued, korean) = (
        letters.iter().filter(|letter| kana(**letter) || CHINESE.contains(**letter)).count(),
        letters.last().is_some_and(|letter| KOREAN.contains(*letter)),
    );
    match glued {
        // A word may be written in kana alone.
        2 if letters.iter().all(|letter| kana(*letter)) => Glue::Part,
        _ if glued == letters.len() => Glue::All,
        0 if !korean => Glue::None,
        _ => Glue::Part,
    }
}

/// A pair that no note says, beside one that notes say or that holds words together, is where a word meets another:
/// the "候交" of "什么时候交". That no note says it tells nothing.
pub(crate) fn loosen<L: Lexicon>(terms: &mut [AskedTerm], lexicon: &mut L) -> Result<(), L::Error> {
    if !terms.iter().any(is_pair) {
        return Ok(());
    }
    let mut said = Vec::with_capacity(terms.len());
    for term in terms.iter() {
        said.push(term.loose || term.asks || lexicon.says(&term.forms[0])?);
    }
    let beside = |one: &AskedTerm, other: &AskedTerm| {
        is_pair(one) && is_pair(other) && one.surface.chars().last() == other.surface.chars().next()
    };
    for at in 0..terms.len() {
        let after = at > 0 && said[at - 1] && beside(&terms[at - 1], &terms[at]);
        let before = said.get(at + 1) == Some(&true) && beside(&terms[at], &terms[at + 1]);
        terms[at].loose |= !said[at] && (after || before);
    }
    Ok(())
}

fn is_pair(term: &AskedTerm) -> bool {
    term.surface.chars().count() == 2 && term.surface.chars().all(runs_together)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::shipped;
    use crate::question::{Question, read};

    struct Said(&'static str);

    impl Lexicon for Said {
        type Error = std::convert::Infallible;
        fn says(&mut self, word: &str) -> Result<bool, Self::Error> {
            Ok(is_among(self.0, word))
        }
        fn around(&mut self, _: &[&str]) -> Result<Vec<(usize, String)>, Self::Error> {
            Ok(Vec::new())
        }
        fn beginning(&mut self, _: &str, _: &mut dyn FnMut(&str)) -> Result<(), Self::Error> {
            Ok(())
        }
    }

    #[test]
    fn where_a_word_meets_another_is_told_from_a_word_that_no_note_says() {
        let missed = |text: &str| -> Vec<String> {
            let mut asked = read(&Question { text: text.into(), now: None }, &[], &shipped());
            let mut notes = Said("房租 每月 工作");
            let Ok(()) = loosen(&mut asked.terms, &mut notes);
            let said = |term: &AskedTerm| is_among(notes.0, &term.surface);
            let missed = asked.terms.iter().filter(|term| !term.asks && !term.loose && !said(term));
            missed.map(|term| term.surface.clone()).collect()
        };
        assert!(missed("房租什么时候交").is_empty(), "{:?}", missed("房租什么时候交"));
        assert!(missed("妹妹在哪里工作").iter().all(|pair| pair != "里工"));
        assert_eq!(missed("量子力学是什么"), ["量子", "子力"]);
    }

    #[test]
    fn particles_and_what_they_meet_are_told_from_words() {
        for (pair, expected) in [
            ("东京", Glue::None),
            ("什么", Glue::All),
            ("我的", Glue::All),
            ("的狗", Glue::Part),
            ("京で", Glue::Part),
            ("どこ", Glue::All),
            ("りん", Glue::Part),
            ("여권", Glue::None),
            ("권은", Glue::Part),
            ("어디", Glue::All),
            ("ok", Glue::None),
        ] {
            assert_eq!(glue(pair), expected, "{pair}");
        }
    }
}
