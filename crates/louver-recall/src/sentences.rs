//! Where a long text falls into sentences: what is compared and what is kept when it must be cut.

/// Fewer bytes than this are no sentence of their own ("e.g.", "1.", "Yes!").
const SHORT: usize = 24;

/// The byte ranges of the sentences, lines and list items of a text, in order. Together they
/// cover it.
pub fn sentences(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut ended = false;
    for (place, letter) in text.char_indices() {
        let cut = match letter {
            '\n' => true,
            '。' | '！' | '？' => true,
            _ => ended && letter.is_whitespace(),
        };
        let after = place + letter.len_utf8();
        if cut && text[start..after].trim().len() >= SHORT {
            found.push((start, after));
            start = after;
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
    fn a_short_stretch_is_not_a_sentence() {
        assert_eq!(sentences("Yes. No. 1. e.g. that").len(), 1);
        assert!(sentences("").is_empty());
    }
}
