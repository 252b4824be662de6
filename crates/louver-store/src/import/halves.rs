//! Halves of characters in JSON: programs cut strings between the two escapes of an emoji, and no reader takes the half.

/// JSON in which each half of a character is U+FFFD.
pub(super) fn out_of(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let length = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push('\u{FFFD}');
                rest = &escape[6..];
                continue;
            }
            // What follows a backslash begins no escape itself.
            _ => escape.char_indices().nth(2).map_or(escape.len(), |(end, _)| end),
        };
        out.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    out + rest
}

/// The number in the escape that a text begins with.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_replaced_and_all_else_stays() {
        for (json, mended) in [
            (r"x \ud83d cut", "x \u{FFFD} cut"),
            (r"x \ude00\ud83d", "x \u{FFFD}\u{FFFD}"),
            (r"\ud83d\ud83d\ude00", "\u{FFFD}\\ud83d\\ude00"),
        ] {
            assert_eq!(out_of(json), mended);
        }
        for whole in [r"\uD83D\uDE00", r"C:\\ud83d", r"\n\u00e9 \", r"\u12", r"\ü\u+123", "none"] {
            assert_eq!(out_of(whole), whole);
        }
    }
}
