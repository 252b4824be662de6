//! One event as one line: `{"v":1,"n":7,"m":3,"t":"…","e":"reply",…,"c":"…"}`.
//!
//! `n` numbers the events from one, so that lost lines are noticed and messages have ids that
//! stay. `m` counts the messages up to here, without those that were taken back, so that the last line
//! says how long a session is.
//! `c` is a hash of every byte before it: a line that was changed anywhere is known to be bad,
//! and only that line is.

use std::io::Write as _;
use std::str::FromStr as _;

use jiff::Timestamp;
use memchr::memmem;
use serde::de::Error as _;
use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_64;

use super::event::Event;

/// The longest line that is written or taken as one.
pub(super) const MAX_LINE: usize = 64 * 1024 * 1024;

/// The version of the format.
const VERSION: u32 = 1;

const MARK: &[u8] = b",\"c\":\"";
/// The mark, sixteen digits, a quote and a bracket.
pub(super) const SEAL: usize = MARK.len() + 16 + 2;

/// No time is shorter than `2026-03-01T10:00:00Z`.
const SHORTEST_TIME: usize = 20;

/// So many places in a bad line are tried as the end of a good one.
const TRIES: usize = 16;

/// Fields that belong to the line and not to the event in it.
const RESERVED: [&str; 5] = ["v", "n", "m", "t", "c"];

/// What a line begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head<'a> {
    pub(super) n: u64,
    pub(super) m: u64,
    pub(super) time: Time<'a>,
    pub(super) kind: &'a str,
    /// Where the event's own fields begin.
    fields: usize,
}

/// A time as it is written. Few are ever asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Time<'a>(pub(super) &'a [u8]);

impl<'a> Head<'a> {
    /// Reads what [`write`] has written. It is exact, not JSON in general: that is what makes
    /// passing over a line cheap, and the hash says that nobody else has had their hands in it.
    pub(super) fn parse(line: &'a [u8]) -> Option<Head<'a>> {
        let rest = line.strip_prefix(b"{\"v\":")?;
        let (version, rest) = number(rest)?;
        let (n, rest) = number(rest.strip_prefix(b",\"n\":")?)?;
        let (m, rest) = number(rest.strip_prefix(b",\"m\":")?)?;
        let (time, rest) = up_to_quote(rest.strip_prefix(b",\"t\":\"")?, SHORTEST_TIME)?;
        let (kind, rest) = up_to_quote(rest.strip_prefix(b",\"e\":\"")?, 0)?;
        let (time, kind) = (Time(time), known_kind(kind)?);
        let fields = line.len() - rest.len();
        (version == u64::from(VERSION)).then_some(Head { n, m, time, kind, fields })
    }

    /// The event's own fields in a sealed line, without brackets, kind and hash.
    pub(super) fn fields(&self, line: &'a [u8]) -> &'a [u8] {
        let fields = line.get(self.fields..line.len().saturating_sub(SEAL)).unwrap_or_default();
        fields.strip_prefix(b",").unwrap_or(fields)
    }
}

/// The digits that bytes begin with, and what comes after them.
pub(super) fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (mut number, mut digits) = (0_u64, 0);
    while let Some(digit @ b'0'..=b'9') = bytes.get(digits) {
        number = number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
        digits += 1;
    }
    (digits > 0).then_some((number, &bytes[digits..]))
}

/// What comes before the next quote, of which so much is not looked at, and what comes after it. It
/// is never far, so nothing is called to find it.
fn up_to_quote(bytes: &[u8], least: usize) -> Option<(&[u8], &[u8])> {
    let end = least + bytes.get(least..)?.iter().position(|byte| *byte == b'"')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// A kind as text. There is one in every line, and most are one of a few.
fn known_kind(kind: &[u8]) -> Option<&str> {
    match kind {
        b"said" => Some("said"),
        b"sent" => Some("sent"),
        b"reply" => Some("reply"),
        b"call" => Some("call"),
        b"result" => Some("result"),
        kind => std::str::from_utf8(kind).ok(),
    }
}

impl Time<'_> {
    /// The time, if it is one.
    pub(super) fn parse(self) -> Result<Timestamp, jiff::Error> {
        Timestamp::from_str(&String::from_utf8_lossy(self.0))
    }
}

/// Adds an event's line to `out`.
pub(super) fn write(
    out: &mut Vec<u8>,
    (n, m): (u64, u64),
    time: Timestamp,
    event: &Event,
) -> serde_json::Result<()> {
    let start = out.len();
    let time = time.round(jiff::Unit::Millisecond).unwrap_or(time);
    write!(out, r#"{{"v":{VERSION},"n":{n},"m":{m},"t":"{time}""#)
        .map_err(serde_json::Error::io)?;
    // The event's own brackets are taken off: its fields go on where the line's fields end.
    let fields = out.len();
    if event.extra().keys().any(|name| is_reserved(name)) {
        let mut event = event.clone();
        event.extra_mut().retain(|name, _| !is_reserved(name));
        serde_json::to_writer(&mut *out, &event)?;
    } else {
        serde_json::to_writer(&mut *out, event)?;
    }
    out[fields] = b',';
    out.pop();
    let hash = xxh3_64(&out[start..]);
    out.extend_from_slice(MARK);
    writeln!(out, "{hash:016x}\"}}").map_err(serde_json::Error::io)
}

fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name) || name == "e"
}

/// Whether a line, without its line end, is as it was written.
pub(super) fn is_sealed(line: &[u8]) -> bool {
    let Some(body) = line.len().checked_sub(SEAL) else { return false };
    let (body, seal) = line.split_at(body);
    let Some(hash) = seal.strip_prefix(MARK).and_then(|seal| seal.strip_suffix(b"\"}")) else {
        return false;
    };
    hash == hex(xxh3_64(body))
}

/// The sealed lines of which a bad line consists when nothing but its line ends was changed.
///
/// The hash of each goes over every byte from its beginning, and the next must begin one byte after
/// it, so that text which only looks like a line is not taken for one.
pub(super) fn unglue(mut line: &[u8]) -> Option<Vec<&[u8]>> {
    let mut found = Vec::new();
    loop {
        let ends = memmem::find_iter(line, MARK).map(|at| at + SEAL);
        let mut heads =
            ends.filter_map(|end| line.get(..end)).filter(|head| head.ends_with(b"\"}"));
        // Someone could make a line of nothing but seals, and each costs a hash of all before it.
        let head = heads.by_ref().take(TRIES).find(|head| is_sealed(head))?;
        found.push(head);
        match &line[head.len()..] {
            [] | [_] => return Some(found),
            [_, rest @ ..] => line = rest,
        }
    }
}

/// The event in a sealed line.
pub(super) fn read(line: &[u8]) -> serde_json::Result<Event> {
    let mut fields: Map<String, Value> = serde_json::from_slice(line)?;
    for name in RESERVED {
        // The order of what is left is part of what is kept.
        fields.shift_remove(name);
    }
    if !fields.get("e").is_some_and(Value::is_string) {
        return Err(serde_json::Error::custom("it has no kind"));
    }
    serde_json::from_value(Value::Object(fields))
}

/// Sixteen digits, without a way through the formatting machinery: this runs for every line.
fn hex(hash: u64) -> [u8; 16] {
    let mut digits = [0; 16];
    for (digit, byte) in digits.chunks_exact_mut(2).zip(hash.to_be_bytes()) {
        digit[0] = b"0123456789abcdef"[usize::from(byte >> 4)];
        digit[1] = b"0123456789abcdef"[usize::from(byte & 15)];
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::super::event::{Note, Unknown};
    use super::*;
    use serde_json::json;

    fn line(event: &Event) -> Vec<u8> {
        let mut out = Vec::new();
        write(&mut out, (7, 3), "2026-03-01T10:00:00.1239Z".parse().unwrap(), event).unwrap();
        out
    }

    fn note(text: &str) -> Event {
        Event::Note(Note { text: text.into(), ..Note::default() })
    }

    #[test]
    fn a_line_looks_like_this() {
        let line = line(&note("hi\n"));
        let wanted = r#"{"v":1,"n":7,"m":3,"t":"2026-03-01T10:00:00.124Z","e":"note","text":"hi\n","c":"0bb9f646000ad153"}"#;
        assert_eq!(String::from_utf8(line.clone()).unwrap(), format!("{wanted}\n"));
        let line = &line[..line.len() - 1];
        assert!(is_sealed(line));
        let head =
            Head { n: 7, m: 3, time: Time(b"2026-03-01T10:00:00.124Z"), kind: "note", fields: 60 };
        assert_eq!(Head::parse(line), Some(head));
        assert_eq!(read(line).unwrap(), note("hi\n"));
    }

    #[test]
    fn what_is_not_known_comes_back() {
        let fields = json!({"z": 1, "a": {"b": [null, 1.5, "x", u64::MAX, -3]}});
        let Value::Object(fields) = fields else { panic!() };
        let mut known = note("a");
        *known.extra_mut() = fields.clone();
        let unknown = Event::Unknown(Unknown { kind: "dreamt".into(), fields });
        // A kind we know in a form we do not is kept as well.
        let Value::Object(fields) = json!({"to": "the moon"}) else { panic!() };
        let odd = Event::Unknown(Unknown { kind: "undo".into(), fields });
        for event in [known, unknown, odd] {
            let line = line(&event);
            assert_eq!(read(&line[..line.len() - 1]).unwrap(), event);
        }
    }

    #[test]
    fn fields_of_the_line_cannot_be_forged_by_an_event() {
        let mut event = note("a");
        event.extra_mut().insert("n".into(), json!(99));
        event.extra_mut().insert("c".into(), json!("00"));
        let line = line(&event);
        assert_eq!(Head::parse(&line).unwrap().n, 7);
        assert_eq!(read(&line[..line.len() - 1]).unwrap(), note("a"));
    }

    #[test]
    fn lines_that_lost_only_their_line_end_are_told_apart() {
        let (one, two) = (line(&note("one")), line(&note("two, \"c\":\" and so on")));
        let mut glued = [one.clone(), two.clone()].concat();
        glued[one.len() - 1] = b'X';
        glued.pop();
        let (one, two) = (&one[..one.len() - 1], &two[..two.len() - 1]);
        assert!(!is_sealed(&glued));
        assert_eq!(unglue(&glued), Some(vec![one, two]));
        assert_eq!(unglue(&[one, b"X"].concat()), Some(vec![one]));
        assert_eq!(unglue(&[one, b"XY"].concat()), None);
        assert_eq!(unglue(&glued[1..]), None);
        assert_eq!(unglue(b""), None);
        assert_eq!(unglue(b"{"), None);
    }
}
