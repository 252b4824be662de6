//! Bytes into text: UTF-8 or UTF-16, line ends as `\n`, nothing that stops a turn.

/// Bytes as text, and whether some were not text. `cut` says the last character may be torn.
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
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
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
