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

#[cfg(test)]
mod tests {
    use super::*;

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
