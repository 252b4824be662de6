//! Where a long text falls into sentences: what is compared and what is kept when it must be cut.

/// Fewer bytes than this are no sentence of their own ("e.g.", "1.", "Yes!").
const SHORT: usize = 24;

/// The byte ranges of the sentences, lines and list items of a text, in order. Together they
/// cover it.
pub fn sentences(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut ended = false;
    // What is said since `start`, less the white space around it. Looked for anew at each line, it would
    // take a minute for a text of empty lines.
    let mut said: Option<(usize, usize)> = None;
    for (place, letter) in text.char_indices() {
        let cut = match letter {
            '\n' => true,
            '。' | '！' | '？' => true,
            _ => ended && letter.is_whitespace(),
        };
        let after = place + letter.len_utf8();
        if !letter.is_whitespace() {
            said = Some((said.map_or(place, |(from, _)| from), after));
        }
        if cut && said.is_some_and(|(from, to)| to - from >= SHORT) {
            found.push((start, after));
            (start, said) = (after, None);
        }
        ended = matches!(letter, '.' | '!' | '?')
            || (ended && matches!(letter, '"' | '\'' | ')' | '”' | '’' | '*'));
    }
    if start < text.len() {
        found.push((start, text.len()));
    }
    found
}

/// The byte ranges of parts of a text that have about `most` bytes each at the most, white space at their ends aside: cut
/// where a paragraph ends, else a line, a sentence or a word, and where nothing does at a character. Together they
/// cover it, and none has fewer than a quarter of `most` unless all of it has.
pub fn parts(text: &str, most: usize) -> Vec<(usize, usize)> {
    let (mut found, mut start) = (Vec::new(), 0);
    while text.len() - start > most {
        let rest = &text[start..];
        // Two halves say more than a whole and a crumb.
        let size = if rest.len() < 2 * most { rest.len().div_ceil(2) } else { most };
        let window = &rest[..rest.ceil_char_boundary(size)];
        let end = last_end(window);
        let blank = rest[end..].len() - rest[end..].trim_start().len();
        found.push((start, start + end + blank));
        start += end + blank;
    }
    if start < text.len() {
        found.push((start, text.len()));
    }
    found
}

/// Where the best end in the second half of a stretch is.
fn last_end(window: &str) -> usize {
    let half = window.len() / 2;
    let after = |end: Option<usize>| end.filter(|end| *end >= half);
    let blank_line = || window.rfind("\n\n").max(window.rfind("\n\r\n"));
    let sentence = || {
        let mut from = window.char_indices().rev().take_while(|(at, _)| *at >= half);
        let mut next = None;
        from.find_map(|(at, letter)| {
            let after = next.replace(letter);
            let ends = match letter {
                '。' | '！' | '？' => true,
                '.' | '!' | '?' => after.is_some_and(char::is_whitespace),
                _ => false,
            };
            ends.then_some(at + letter.len_utf8())
        })
    };
    after(blank_line())
        .or_else(|| after(window.rfind('\n')))
        .or_else(|| after(sentence()))
        .or_else(|| after(window.rfind(char::is_whitespace)))
        .unwrap_or(window.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, most: usize) -> Vec<&str> {
        parts(text, most).into_iter().map(|(from, to)| &text[from..to]).collect()
    }

    #[test]
    fn parts_end_where_structure_says() {
        assert_eq!(
            cut("one two\n\nthree. four five six", 20),
            ["one two\n\n", "three. four five six"]
        );
        assert_eq!(cut("one two\nthree. four five six", 20), ["one two\n", "three. four five six"]);
        assert_eq!(cut("One, two. Three four five", 20), ["One, two. ", "Three four five"]);
        assert_eq!(cut("one two three four five", 12), ["one two ", "three ", "four five"]);
        assert_eq!(cut("一二三四五六七八", 9), ["一二三", "四五六", "七八"]);
        assert_eq!(cut("short", 5), ["short"]);
        assert!(cut("", 5).is_empty());
    }

    #[test]
    fn parts_cover_a_text_and_none_is_long_or_a_crumb() {
        let texts = [
            "z".repeat(9_999),
            "word ".repeat(3_000),
            "é。".repeat(2_001),
            "Yes. No? ".repeat(999),
        ];
        for text in &texts {
            let cut = cut(text, 400);
            assert_eq!(cut.concat(), *text);
            assert!(cut.iter().all(|part| (100..=404).contains(&part.len())), "{:?}", cut);
        }
        // What is empty makes no part of its own.
        let text = format!("a{}b{}", " ".repeat(5_000), "c".repeat(500));
        assert_eq!(parts(&text, 400).len(), 3);
    }

    #[test]
    fn sentences_cover_the_text() {
        let text = "This is the first of them. And here is the second one!\n- a list item of some length\nTail";
        let cuts = sentences(text);
        assert_eq!(cuts.len(), 4, "{cuts:?}");
        assert_eq!(cuts.iter().map(|(a, b)| &text[*a..*b]).collect::<String>(), text);
    }

    #[test]
    fn a_text_of_empty_lines_is_one_stretch() {
        assert_eq!(sentences(&"\n".repeat(2_000_000)).len(), 1);
    }

    #[test]
    fn a_short_stretch_is_not_a_sentence() {
        assert_eq!(sentences("Yes. No. 1. e.g. that").len(), 1);
        assert!(sentences("").is_empty());
    }
}
