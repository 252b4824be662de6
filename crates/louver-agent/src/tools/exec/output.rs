//! What a program printed: its beginning and its end, however much there was.

use std::collections::VecDeque;

/// The beginning and the end of what came, within a limit.
#[derive(Debug)]
pub(super) struct Printed {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    most_head: usize,
    most_tail: usize,
    all: u64,
    /// Everything, while it is not too much to be kept.
    whole: Vec<u8>,
}

/// So many bytes are kept whole, for whoever asks for the middle.
const KEPT: u64 = 1024 * 1024;

impl Printed {
    /// Keeps at most so many bytes: a third from the beginning, the rest from the end, where
    /// programs say what went wrong.
    pub(super) fn new(most: usize) -> Printed {
        let most_head = most / 3;
        let most_tail = most - most_head;
        let (head, tail, whole) = (Vec::new(), VecDeque::new(), Vec::new());
        Printed { head, tail, most_head, most_tail, all: 0, whole }
    }

    /// Takes what came next.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.all += bytes.len() as u64;
        match self.all <= KEPT {
            true => self.whole.extend(bytes),
            false => self.whole = Vec::new(),
        }
        let first = bytes.len().min(self.most_head - self.head.len());
        self.head.extend(&bytes[..first]);
        let rest = &bytes[first..];
        let rest = &rest[rest.len().saturating_sub(self.most_tail)..];
        let over = (self.tail.len() + rest.len()).saturating_sub(self.most_tail);
        self.tail.drain(..over);
        self.tail.extend(rest);
    }

    /// How many bytes came.
    pub(super) fn all(&self) -> u64 {
        self.all
    }

    /// How many of them are not kept.
    pub(super) fn left_out(&self) -> u64 {
        self.all - (self.head.len() + self.tail.len()) as u64
    }

    /// All of it as text, where something is left out and it was not too much.
    pub(super) fn whole(&self) -> Option<String> {
        let has_more = self.left_out() > 0 && self.all <= KEPT;
        has_more.then(|| readable(&self.whole))
    }

    /// As text, with a mark where something is left out.
    pub(super) fn text(self) -> String {
        let left_out = self.left_out();
        let (mut bytes, tail) = (self.head, Vec::from(self.tail));
        if left_out == 0 {
            bytes.extend(tail);
            return readable(&bytes);
        }
        let (head, tail) = (readable(whole_start(&bytes)), readable(whole_end(&tail)));
        format!("{head}\n[… {left_out} bytes left out …]\n{tail}")
    }
}

/// Without the pieces of a character that was cut at the end.
fn whole_start(bytes: &[u8]) -> &[u8] {
    match bytes.utf8_chunks().last() {
        Some(last) if last.invalid().len() < 4 => &bytes[..bytes.len() - last.invalid().len()],
        _ => bytes,
    }
}

/// Without the pieces of a character that was cut at the beginning.
fn whole_end(bytes: &[u8]) -> &[u8] {
    let torn = bytes.iter().take(3).take_while(|byte| (0x80..0xC0).contains(*byte)).count();
    &bytes[torn..]
}

/// Text without what moves a cursor: `\r\n` and lone `\r` as line ends, no escapes, no NUL.
fn readable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    text.replace(['\0', '\u{1B}', '\u{8}'], "\u{FFFD}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn little_is_kept_whole_and_much_in_part() {
        let mut printed = Printed::new(30);
        printed.push(b"0123456789");
        printed.push(b"0123456789");
        assert_eq!((printed.left_out(), printed.all()), (0, 20));
        for _ in 0..1_000 {
            printed.push(b"abcdefghij");
        }
        assert_eq!(printed.left_out(), 10_020 - 30);
        assert_eq!(printed.whole().unwrap().len(), 10_020);
        let wanted = "0123456789\n[… 9990 bytes left out …]\nabcdefghijabcdefghij";
        assert_eq!(printed.text(), wanted);
    }

    #[test]
    fn a_cut_keeps_whole_characters() {
        let mut printed = Printed::new(16);
        printed.push("中".repeat(10).as_bytes());
        assert_eq!(printed.text(), "中\n[… 14 bytes left out …]\n中中中");
    }

    proptest! {
        #[test]
        fn no_more_is_kept_than_allowed(
            pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..50), 0..20),
            most in 0_usize..100,
        ) {
            let mut printed = Printed::new(most);
            let all = pieces.concat();
            pieces.iter().for_each(|piece| printed.push(piece));
            prop_assert_eq!(printed.all(), all.len() as u64);
            let (head, tail) = (printed.head.clone(), Vec::from(printed.tail.clone()));
            prop_assert!(head.len() + tail.len() <= most);
            prop_assert!(all.starts_with(&head) && all.ends_with(&tail));
            prop_assert!(printed.left_out() > 0 || [head, tail].concat() == all);
        }
    }
}
