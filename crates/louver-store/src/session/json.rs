//! Just enough JSON to walk through a line without building anything from it.
//!
//! It takes what our own writer writes and is lenient with the rest: a line's hash has already said
//! that nobody else wrote it. What it does not understand is `None`, and `serde_json` has the last
//! word. It is here because a fresh buffer for every text with an escape in it, which is what a
//! general parser must have, was half of the time it takes to open a session.

use simdutf8::basic::from_utf8;

use super::line::number;

/// A place in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0 }
    }

    /// The next byte that is not white space.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            if !byte.is_ascii_whitespace() {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Passes over this byte, if it is next.
    #[inline]
    pub(super) fn eat(&mut self, byte: u8) -> Option<()> {
        // We write no white space, so nearly always it is the very next byte.
        let found = self.bytes.get(self.at) == Some(&byte) || self.peek()? == byte;
        self.at += usize::from(found);
        found.then_some(())
    }

    /// Walks through an object: `visit` gets each name, as it is written, and must pass over the
    /// value.
    pub(super) fn object(
        &mut self,
        visit: impl FnMut(&'a [u8], &mut Self) -> Option<()>,
    ) -> Option<()> {
        self.eat(b'{')?;
        if self.eat(b'}').is_some() {
            return Some(());
        }
        self.fields(visit)?;
        self.eat(b'}')
    }

    /// Walks through the fields of an object, up to what comes after the last one.
    pub(super) fn fields(
        &mut self,
        mut visit: impl FnMut(&'a [u8], &mut Self) -> Option<()>,
    ) -> Option<()> {
        loop {
            self.eat(b'"')?;
            let name = self.written()?;
            self.eat(b':')?;
            visit(name, self)?;
            if self.eat(b',').is_none() {
                return Some(());
            }
        }
    }

    /// Walks through a list: `visit` must pass over each element.
    pub(super) fn list(&mut self, mut visit: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.eat(b'[')?;
        if self.eat(b']').is_some() {
            return Some(());
        }
        loop {
            visit(self)?;
            match self.eat(b',') {
                Some(()) => {}
                None => return self.eat(b']'),
            }
        }
    }

    /// What is written up to the next quote, escapes and all.
    fn written(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..)?;
        let mut len = 0;
        while let Some(chunk) = rest.get(len..).and_then(<[u8]>::first_chunk) {
            let stops = stops(chunk);
            if stops != 0 {
                len += stops.trailing_zeros() as usize / 8;
                break;
            }
            len += STEP;
        }
        len += rest[len..].iter().position(|byte| *byte == b'"')?;
        self.at += len + 1;
        Some(&rest[..len])
    }

    /// Passes over a text when it is one of these, and says which.
    pub(super) fn one_of<'k>(&mut self, mut known: impl Iterator<Item = &'k str>) -> Option<usize> {
        let mut ahead = *self;
        ahead.eat(b'"')?;
        let written = ahead.written()?;
        let found = known.position(|known| known.as_bytes() == written)?;
        // With an escape in it, it is not what it looks like.
        if written.contains(&b'\\') {
            return None;
        }
        *self = ahead;
        Some(found)
    }

    /// A text without its escapes. `scratch` is where it is put together if it has any.
    pub(super) fn string<'s>(&mut self, scratch: &'s mut Vec<u8>) -> Option<&'s str>
    where
        'a: 's,
    {
        self.eat(b'"')?;
        let rest = self.bytes.get(self.at..)?;
        let plain = quote_or_escape(rest)?;
        self.at += plain;
        if rest[plain] == b'"' {
            self.at += 1;
            return from_utf8(&rest[..plain]).ok();
        }
        let len = self.unescape(plain, scratch)?;
        from_utf8(&scratch[..len]).ok()
    }

    /// Puts a text together of which `plain` bytes have been passed, and says how long it is.
    ///
    /// From one escape to the next it is seldom far in the output of tools, so finding and copying
    /// are one loop and no call: a step is copied whole, and what was too much is written over.
    fn unescape(&mut self, plain: usize, scratch: &mut Vec<u8>) -> Option<usize> {
        // It is never longer than it is written, and the last step may go beyond it.
        let most = self.bytes.len() - self.at + plain + STEP;
        if scratch.len() < most {
            scratch.resize(most.next_power_of_two(), 0);
        }
        let mut len = plain;
        scratch[..plain].copy_from_slice(&self.bytes[self.at - plain..self.at]);
        loop {
            match *self.bytes.get(self.at)? {
                b'"' => {
                    self.at += 1;
                    return Some(len);
                }
                b'\\' => len += self.escape(scratch.get_mut(len..)?)?,
                _ => {}
            }
            while let Some(chunk) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk) {
                *scratch.get_mut(len..)?.first_chunk_mut()? = *chunk;
                let stops = stops(chunk);
                // A step of known length, so that the next need not wait for this one.
                let plain = if stops == 0 { STEP } else { stops.trailing_zeros() as usize / 8 };
                len += plain;
                self.at += plain;
                if stops != 0 {
                    break;
                }
            }
            // Near the end it goes byte by byte.
            if self.bytes.len() - self.at < STEP {
                let byte = *self.bytes.get(self.at)?;
                if !is_stop(byte) {
                    *scratch.get_mut(len)? = byte;
                    len += 1;
                    self.at += 1;
                }
            }
        }
    }

    /// Writes what an escape means to the front of `out`, and says how long it is.
    fn escape(&mut self, out: &mut [u8]) -> Option<usize> {
        let letter = match self.bytes.get(self.at + 1)? {
            b'n' => b'\n',
            b'"' => b'"',
            b'\\' => b'\\',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            b'/' => b'/',
            b'u' => {
                let digits = std::str::from_utf8(self.bytes.get(self.at + 2..self.at + 6)?).ok()?;
                // Half of a pair is no letter, and is left to the general parser.
                let letter = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                self.at += 6;
                return Some(letter.encode_utf8(out).len());
            }
            _ => return None,
        };
        *out.first_mut()? = letter;
        self.at += 2;
        Some(1)
    }

    /// A number without sign, fraction or exponent.
    pub(super) fn number(&mut self) -> Option<u64> {
        self.peek()?;
        let (number, rest) = number(self.bytes.get(self.at..)?)?;
        self.at = self.bytes.len() - rest.len();
        // `12.5` and `1e3` are numbers too, but not these.
        (!matches!(rest.first(), Some(b'.' | b'e' | b'E'))).then_some(number)
    }

    /// Passes over a value and gives back how it is written.
    pub(super) fn raw(&mut self) -> Option<&'a [u8]> {
        let first = self.peek()?;
        let start = self.at;
        let mut depth = 0_u32;
        loop {
            match self.bytes.get(self.at)? {
                b'"' => self.pass_string()?,
                b'{' | b'[' => (depth, self.at) = (depth + 1, self.at + 1),
                b'}' | b']' => (depth, self.at) = (depth.checked_sub(1)?, self.at + 1),
                b',' | b':' if depth == 0 => return None,
                _ if depth > 0 => self.at += 1,
                _ => self.pass_word()?,
            }
            if depth == 0 {
                let written = self.bytes.get(start..self.at)?;
                return (!matches!(first, b'}' | b']')).then_some(written);
            }
        }
    }

    fn pass_string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            let rest = self.bytes.get(self.at..)?;
            let stop = quote_or_escape(rest)?;
            if rest[stop] == b'"' {
                self.at += stop + 1;
                return Some(());
            }
            self.at += stop + 2;
        }
    }

    /// A number, `true`, `false` or `null`.
    fn pass_word(&mut self) -> Option<()> {
        let rest = self.bytes.get(self.at..)?;
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let len = rest.iter().take_while(|byte| is_part(byte)).count();
        self.at += len;
        (len > 0).then_some(())
    }
}

/// So many bytes are looked at together.
const STEP: usize = 8;

fn is_stop(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\')
}

/// A bit in each byte that is a quote or a backslash: the lowest one marks the first such byte, and
/// higher ones may err.
fn stops(chunk: &[u8; STEP]) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & (ONES << 7);
    let word = u64::from_le_bytes(*chunk);
    zeros(word ^ (ONES * u64::from(b'"'))) | zeros(word ^ (ONES * u64::from(b'\\')))
}

/// Where the next quote or backslash is. Texts are short or long: a short one ends before the wide
/// search would have begun.
fn quote_or_escape(bytes: &[u8]) -> Option<usize> {
    if let Some(chunk) = bytes.first_chunk() {
        let stops = stops(chunk);
        if stops != 0 {
            return Some(stops.trailing_zeros() as usize / 8);
        }
    }
    memchr::memchr2(b'"', b'\\', bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_object_is_walked_through() {
        let text = r#" {"a" : 1,"b":[true,{"c":"]}\"\\"},[]], "d":"e\nf","g":{}} "#;
        let mut found = Vec::new();
        let mut cursor = Cursor::new(text.as_bytes());
        cursor
            .object(|name, cursor| {
                let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
                found.push((text(name), text(cursor.raw()?)));
                Some(())
            })
            .unwrap();
        let list = r#"[true,{"c":"]}\"\\"},[]]"#;
        let wanted = [("a", "1"), ("b", list), ("d", r#""e\nf""#), ("g", "{}")];
        assert_eq!(found, wanted.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(cursor.peek(), None);
    }

    #[test]
    fn broken_json_is_none_and_ends() {
        for text in
            ["", "{", "{\"a\"", "{\"a\":", "{\"a\":}", "{\"a\":1", "{\"a\":1,}", "[", "}", "{a:1}"]
        {
            let walked = Cursor::new(text.as_bytes()).object(|_, cursor| cursor.raw().map(|_| ()));
            assert_eq!(walked, None, "{text}");
        }
        for text in ["\"", "\"\\", "\"\\u12", "\"\\ud800\"", "\"\\x\"", "1"] {
            assert_eq!(Cursor::new(text.as_bytes()).string(&mut Vec::new()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_first_quote_or_escape_is_found(bytes in proptest::collection::vec(
            prop_oneof![any::<u8>(), Just(b'"'), Just(b'#'), Just(b'!'), Just(b'\\'), Just(b']')], 0..40)) {
            let found = bytes.iter().position(|byte| matches!(byte, b'"' | b'\\'));
            prop_assert_eq!(quote_or_escape(&bytes), found);
        }

        #[test]
        fn texts_come_out_as_they_went_in(text in any::<String>(), more in "[\\n\\t\"\\\\\\x00-\\x1f€🦀a]{0,20}") {
            for text in [text, more] {
                let json = serde_json::to_string(&text).unwrap();
                let mut scratch = Vec::new();
                prop_assert_eq!(Cursor::new(json.as_bytes()).string(&mut scratch), Some(&*text));
                prop_assert_eq!(Cursor::new(json.as_bytes()).raw(), Some(json.as_bytes()));
            }
        }
    }
}
