//! Bytes into text: UTF-8, UTF-16 or what Windows wrote before them, line ends as `\n`, nothing that stops a turn.

/// Bytes as text, and whether they were neither UTF-8 nor UTF-16 throughout. `cut` says the last character may be torn.
pub(crate) fn to_text(mut bytes: Vec<u8>, cut: bool) -> (String, bool) {
    let (text, lossy) = match bytes.as_slice() {
        [0xFF, 0xFE, rest @ ..] => from_utf16(rest, u16::from_le_bytes, cut),
        [0xFE, 0xFF, rest @ ..] => from_utf16(rest, u16::from_be_bytes, cut),
        _ => {
            if bytes.starts_with(b"\xEF\xBB\xBF") {
                bytes.drain(..3);
            }
            from_utf8(bytes, cut)
        }
    };
    if !text.contains('\r') {
        return (text, lossy);
    }
    (text.replace("\r\n", "\n").replace('\r', "\n"), lossy)
}

fn from_utf8(mut bytes: Vec<u8>, cut: bool) -> (String, bool) {
    if cut {
        let tail = bytes.utf8_chunks().last().map_or(0, |chunk| torn(chunk.invalid()));
        bytes.truncate(bytes.len() - tail);
    }
    match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) if is_windows_1252(error.as_bytes()) => {
            (error.as_bytes().iter().copied().map(from_windows_1252).collect(), true)
        }
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
    }
}

/// Whether bytes that are not UTF-8 are what Windows wrote in western languages: no control characters, and
/// nothing beyond ASCII that is UTF-8.
fn is_windows_1252(bytes: &[u8]) -> bool {
    const UNUSED: [u8; 5] = [0x81, 0x8D, 0x8F, 0x90, 0x9D];
    let is_text = |byte: &u8| match byte {
        0x00..0x20 => byte.is_ascii_whitespace(),
        _ => *byte != 0x7F && !UNUSED.contains(byte),
    };
    bytes.iter().all(is_text) && bytes.utf8_chunks().all(|chunk| chunk.valid().is_ascii())
}

fn from_windows_1252(byte: u8) -> char {
    const FROM_0X80: &[char; 32] = &[
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž',
        '\u{8F}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..0xA0 => FROM_0X80[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// How many of these last bytes are the beginning of a character that was cut.
fn torn(tail: &[u8]) -> usize {
    match std::str::from_utf8(tail) {
        Err(error) if error.error_len().is_none() => tail.len(),
        _ => 0,
    }
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16, cut: bool) -> (String, bool) {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let mut units: Vec<u16> = pairs.iter().copied().map(unit).collect();
    if cut && units.last().is_some_and(|last| (0xD800..0xDC00).contains(last)) {
        units.pop();
    }
    let odd = !odd.is_empty() && !cut;
    match String::from_utf16(&units) {
        Ok(text) => (text, odd),
        Err(_) => (String::from_utf16_lossy(&units), true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_windows_wrote_is_read_and_what_is_no_text_is_marked() {
        let read = |bytes: &[u8]| to_text(bytes.to_vec(), false);
        let bakery = b"B\xE4ckerei M\xE4\xDFig \x96 ge\xF6ffnet, 3 \x80\r\n";
        assert_eq!(read(bakery), ("Bäckerei Mäßig – geöffnet, 3 €\n".to_owned(), true));
        // UTF-8 with a bad byte in it is UTF-8 still.
        assert_eq!(read("Bäcker \u{1}".as_bytes()), ("Bäcker \u{1}".to_owned(), false));
        assert_eq!(read(b"B\xC3\xA4cker \xE4"), ("Bäcker \u{FFFD}".to_owned(), true));
        assert!(read(b"\x89PNG\x0D\x0A\x1A\x0A\x00\x00").1);
    }
}
