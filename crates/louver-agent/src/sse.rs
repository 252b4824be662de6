//! Bytes → events, as `text/event-stream` defines them.
//!
//! Bytes come in pieces of any size: a line, a line's end and even a letter can be split between
//! two. So lines are gathered as bytes and become text when they are whole. Everything is bounded.

/// One event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Event {
    /// Its name, or nothing.
    pub name: String,
    /// Its data: the lines, with line breaks between them.
    pub data: String,
}

/// An event that is larger than a reader will hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream is larger than {0} bytes")]
pub struct TooLarge(pub usize);

/// What has been read of a stream so far.
#[derive(Debug, Clone)]
pub struct Events {
    line: Vec<u8>,
    event: Event,
    has_data: bool,
    after_cr: bool,
    at_start: bool,
    most: usize,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Events {
    /// A reader that holds at most so many bytes of one event.
    pub fn new(most: usize) -> Events {
        Events {
            line: Vec::new(),
            event: Event::default(),
            has_data: false,
            after_cr: false,
            at_start: true,
            most,
        }
    }

    /// Takes the next bytes and gives the events that they complete.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<Event>, TooLarge> {
        let mut events = Vec::new();
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.gather(&bytes[..end])?;
            events.extend(self.end_line());
            let cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            if cr {
                self.after_cr = bytes.is_empty();
                bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            }
        }
        self.gather(bytes)?;
        Ok(events)
    }

    /// The last event, if the stream ended without the empty line that would have closed it.
    pub fn finish(mut self) -> Option<Event> {
        let closed = if self.line.is_empty() { None } else { self.end_line() };
        closed.or_else(|| self.dispatch())
    }

    fn gather(&mut self, bytes: &[u8]) -> Result<(), TooLarge> {
        if self.line.len() + self.event.data.len() + bytes.len() > self.most {
            return Err(TooLarge(self.most));
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let mut bytes = line.as_slice();
        if std::mem::take(&mut self.at_start) {
            bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        }
        if bytes.is_empty() {
            return self.dispatch();
        }
        let text = String::from_utf8_lossy(bytes);
        let (field, value) = text.split_once(':').unwrap_or((&text, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
                self.has_data = true;
            }
            "event" => self.event.name = value.to_owned(),
            // A comment (nothing before the colon), an id, a retry time: nothing we need.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let event = std::mem::take(&mut self.event);
        std::mem::take(&mut self.has_data).then_some(event)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn event(name: &str, data: &str) -> Event {
        Event { name: name.into(), data: data.into() }
    }

    fn read(pieces: &[&[u8]]) -> Vec<Event> {
        let mut events = Events::new(1 << 20);
        let mut read: Vec<Event> =
            pieces.iter().flat_map(|piece| events.push(piece).unwrap()).collect();
        read.extend(events.finish());
        read
    }

    #[test]
    fn fields_comments_and_line_ends_are_read() {
        let stream = "\u{feff}: hello\nevent: a\ndata: 1\ndata:2\nid: 7\n\ndata\r\rdata: x: y\r\n\r\n:\n\nevent: lost\n\ndata: end";
        assert_eq!(
            read(&[stream.as_bytes()]),
            [event("a", "1\n2"), event("", ""), event("", "x: y"), event("", "end")]
        );
    }

    #[test]
    fn an_event_that_never_ends_is_refused() {
        let mut events = Events::new(10);
        assert_eq!(events.push(b"data: 12345"), Err(TooLarge(10)));
        let mut events = Events::new(10);
        let lines = (0..9).try_for_each(|_| events.push(b"data: 1\n").map(drop));
        assert_eq!(lines, Err(TooLarge(10)));
    }

    fn line() -> impl Strategy<Value = String> {
        "(data|event|id|retry|)?(:| |)[a-zé漢𝄞:]{0,6}(\n|\r|\r\n|\n\n|\r\r|\r\n\r\n)"
    }

    proptest! {
        #[test]
        fn how_the_bytes_are_split_does_not_matter(
            lines in prop::collection::vec(line(), 0..12),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let stream = lines.concat();
            let bytes = stream.as_bytes();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
            prop_assert_eq!(read(&pieces), read(&[bytes]));
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            prop_assert_eq!(read(&single), read(&[bytes]));
        }
    }
}
