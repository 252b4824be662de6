//! A log's bytes, line by line, through a buffer that stays small.
//!
//! Reading 28 MB at once would cost more in fresh memory than the parsing does.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use super::line::MAX_LINE;

/// Small enough for the second-level cache, large enough that calls to the kernel do not count.
/// The first read is smaller, because most sessions are.
const CHUNK: usize = 256 * 1024;
const FIRST: usize = 16 * 1024;

/// A place in a log, with what was read after it.
#[derive(Debug, Default)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// What is not yet handed out, within the buffer.
    start: usize,
    end: usize,
    /// Where `end` is in the file.
    at: u64,
}

/// A piece of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found<'a> {
    /// Where it begins.
    pub(super) at: u64,
    /// Its bytes, without the line end.
    pub(super) bytes: &'a [u8],
    /// What came after it.
    pub(super) stop: Stop,
}

/// What comes after a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// A line end.
    Newline,
    /// More of a line that is longer than any we write.
    More,
    /// Nothing.
    EndOfFile,
}

impl Found<'_> {
    /// Where the next piece begins.
    pub(super) fn end(&self) -> u64 {
        self.at + self.bytes.len() as u64 + u64::from(self.stop == Stop::Newline)
    }
}

impl Lines {
    /// Begins at this offset.
    pub(super) fn from(at: u64) -> Lines {
        Lines { at, ..Lines::default() }
    }

    /// The next line, or a piece of one.
    pub(super) fn next(&mut self, file: &File) -> io::Result<Option<Found<'_>>> {
        let mut seen = self.start;
        let (to, stop) = loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[seen..self.end]) {
                break (seen + at, Stop::Newline);
            }
            let waiting = self.end - self.start;
            if waiting > MAX_LINE {
                break (self.end, Stop::More);
            }
            if self.fill(file)? == 0 {
                break (self.end, Stop::EndOfFile);
            }
            seen = self.start + waiting;
        };
        let from = self.start;
        let at = self.at - (self.end - from) as u64;
        self.start = to + usize::from(stop == Stop::Newline);
        let found = Found { at, bytes: &self.buffer[from..to], stop };
        Ok((stop != Stop::EndOfFile || from < to).then_some(found))
    }

    /// Reads on. What is not yet handed out moves to the front.
    fn fill(&mut self, file: &File) -> io::Result<usize> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        let size = self.buffer.len();
        if size - self.end <= size / 4 {
            // By half again, so that a long line is not copied once for every chunk of it.
            let more = if size == 0 { FIRST } else { CHUNK.max(size + size / 2) };
            self.buffer.resize(more, 0);
        }
        loop {
            match file.read_at(&mut self.buffer[self.end..], self.at) {
                Ok(n) => {
                    self.end += n;
                    self.at += n as u64;
                    return Ok(n);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn read(content: &[u8], from: u64) -> Vec<(u64, Vec<u8>, bool)> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        let mut lines = Lines::from(from);
        let mut all = Vec::new();
        while let Some(found) = lines.next(&file).unwrap() {
            all.push((found.at, found.bytes.to_vec(), found.stop == Stop::Newline));
        }
        all
    }

    #[test]
    fn lines_come_with_their_place() {
        let line = |at, bytes: &str, whole| (at, bytes.as_bytes().to_vec(), whole);
        assert_eq!(read(b"", 0), []);
        assert_eq!(read(b"\n", 0), [line(0, "", true)]);
        assert_eq!(
            read(b"ab\n\nc", 0),
            [line(0, "ab", true), line(3, "", true), line(4, "c", false)]
        );
        assert_eq!(read(b"ab\n\nc\n", 4), [line(4, "c", true)]);
    }

    #[test]
    fn lines_longer_than_the_buffer_come_whole() {
        let long = vec![b'x'; 3 * CHUNK + 5];
        let content = [b"a\n", &long[..], b"\nb\n", &long[..]].concat();
        let all = read(&content, 0);
        let lengths: Vec<_> = all.iter().map(|(_, bytes, whole)| (bytes.len(), *whole)).collect();
        assert_eq!(lengths, [(1, true), (long.len(), true), (1, true), (long.len(), false)]);
        let at = long.len() as u64 + 5;
        assert_eq!(all[3].0, at);
    }
}
