//! What the terminal can do: colour, bars, numbers people can read.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use louver_context::fence::is_unseen;
use louver_store::library::{Doing, Progress};

/// How a text is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// An error.
    Bad,
    /// A warning, something shortened.
    Odd,
    /// All is well.
    Good,
    /// Beside the point.
    Quiet,
}

/// What ends a tone.
const END: &str = "\x1b[0m";

impl Tone {
    const ALL: [Tone; 4] = [Tone::Bad, Tone::Odd, Tone::Good, Tone::Quiet];

    fn code(self) -> &'static str {
        match self {
            Tone::Bad => "\x1b[31m",
            Tone::Odd => "\x1b[33m",
            Tone::Good => "\x1b[32m",
            Tone::Quiet => "\x1b[2m",
        }
    }
}

/// Text with its tone, where the stream shows colour. Without colour the words say the same.
pub(crate) fn toned(text: &str, tone: Tone, colour: bool) -> String {
    if colour { format!("{}{text}{END}", tone.code()) } else { text.to_owned() }
}

/// Whether stdout shows colour.
pub(crate) fn colour() -> bool {
    wanted() && io::stdout().is_terminal()
}

fn wanted() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Prints a message to stderr, its further lines set in below the first.
pub(crate) fn message(kind: &str, text: &str, tone: Tone) {
    let terminal = io::stderr().is_terminal();
    let colour = wanted() && terminal;
    let indent = " ".repeat(kind.len() + 2);
    let text = if terminal { plain(text) } else { text.to_owned() };
    let text = text.replace('\n', &format!("\n{indent}"));
    let mut stderr = io::stderr().lock();
    // Nobody is left to tell when stderr is gone.
    let _ = writeln!(stderr, "{}: {text}", toned(kind, tone, colour));
}

/// Prints data to stdout, with a line's end where there is any: exactly, but to a terminal without what would
/// steer it. A reader that went away (`| head`) is no error.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    write(text, plain)
}

/// The same where the text has tones of [`toned`]. What was kept must have come through [`plain`] before.
pub(crate) fn print_toned(text: &str) -> anyhow::Result<()> {
    write(text, toned_alone)
}

/// Like [`print()`], with lines that are too long for a terminal broken between words.
pub(crate) fn print_wrapped(text: &str) -> anyhow::Result<()> {
    write(text, |text| wrapped(&plain(text), width()))
}

fn write(text: &str, for_terminal: fn(&str) -> String) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    let text = if stdout.is_terminal() { &for_terminal(text) } else { text };
    let written = stdout.write_all(text.as_bytes()).and_then(|()| {
        if text.is_empty() || text.ends_with('\n') { Ok(()) } else { stdout.write_all(b"\n") }
    });
    unless_gone(written.and_then(|()| stdout.flush()))
}

/// What became of writing, where a reader that went away is no error.
pub(crate) fn unless_gone(written: io::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Text without what would move the cursor, change the terminal, or turn the order of letters
/// round, so that a command looks like another.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|c| !is_unseen(*c)).collect()
}

/// The same on one line: a name, beside which something else is said.
pub(crate) fn plain_line(name: &str) -> String {
    plain(&name.replace(['\n', '\t'], " "))
}

/// The same with the tones that [`toned`] gives.
fn toned_alone(text: &str) -> String {
    let tones = || Tone::ALL.into_iter().map(Tone::code).chain([END]);
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let tone = tones().find(|tone| rest.starts_with(tone));
        let (piece, after) = rest.split_at(tone.map_or(c.len_utf8(), str::len));
        if tone.is_some() || !is_unseen(c) {
            shown.push_str(piece);
        }
        rest = after;
    }
    shown
}

/// A path as it can be pasted into a shell.
pub(crate) fn pasted(path: &Path) -> String {
    let path = path.display().to_string();
    let bare = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    match !path.is_empty() && path.chars().all(bare) {
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// Shows on a terminal how far long work is; nothing elsewhere.
pub(crate) fn progress(what: &str, done: usize, of: usize) {
    const EVERY: usize = 25;
    if !io::stderr().is_terminal() || (done < of && !done.is_multiple_of(EVERY)) {
        return;
    }
    let mut stderr = io::stderr().lock();
    let _ = match done < of {
        true => write!(stderr, "\r\x1b[K{what} {done} of {of}"),
        false => write!(stderr, "\r\x1b[K"),
    };
    let _ = stderr.flush();
}

/// Shows on a terminal how far taking notes in has come, when it takes longer than a moment.
pub(crate) fn reading() -> impl FnMut(Progress) {
    const MOMENT: Duration = Duration::from_millis(150);
    let (mut last, mut shown) = (Instant::now(), false);
    move |at| {
        let mut stderr = io::stderr().lock();
        if at.sources >= at.of && shown {
            let _ = write!(stderr, "\r\x1b[K");
        } else if at.sources < at.of && last.elapsed() >= MOMENT && io::stderr().is_terminal() {
            let (sources, of, notes) = (at.sources, at.of, number(at.notes));
            let doing = match at.doing {
                Doing::Reading => format!("reading {sources} of {of}, {notes} notes"),
                Doing::Removing => format!("taking out {sources} of {of}, {notes} notes"),
                Doing::Packing => "making the index smaller".to_owned(),
            };
            let _ = write!(stderr, "\r\x1b[K{doing}");
            (last, shown) = (Instant::now(), true);
        }
        let _ = stderr.flush();
    }
}

/// A number with its thousands set apart.
pub(crate) fn number(n: impl Into<u64>) -> String {
    let digits = n.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How many of something, as a person says it.
pub(crate) fn count(n: impl Into<u64>, one: &str) -> String {
    match n.into() {
        1 => format!("1 {one}"),
        n => format!("{} {one}s", number(n)),
    }
}

/// A bar of at most `width` cells for `part` of `whole`, in eighths of a cell.
pub(crate) fn bar(part: u64, whole: u64, width: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if whole == 0 || part == 0 {
        return String::new();
    }
    let cells = (part.min(whole) * width * 8).div_ceil(whole);
    let full = usize::try_from(cells / 8).unwrap_or(0);
    format!("{}{}", "█".repeat(full), EIGHTHS[(cells % 8) as usize])
}

/// A text cut to `width` characters, with a mark where it was cut.
pub(crate) fn clip(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_owned(),
        Some(_) => {
            let end = text.char_indices().nth(width.saturating_sub(1)).map_or(0, |(at, _)| at);
            format!("{}…", text[..end].trim_end())
        }
    }
}

/// The same lines, those with more characters than `width` broken between words and moved in where they go on.
fn wrapped(text: &str, width: usize) -> String {
    text.split_inclusive('\n').map(|line| wrapped_line(line, width)).collect()
}

fn wrapped_line(line: &str, width: usize) -> String {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let (mut wrapped, mut used) = (String::with_capacity(line.len()), 0);
    for word in line[indent..].split_inclusive(' ') {
        let long = word.trim_end().chars().count();
        if used > indent && used + long > width {
            wrapped.truncate(wrapped.trim_end().len());
            wrapped.push('\n');
            used = 0;
        }
        if used == 0 {
            let begun = !wrapped.is_empty();
            used = indent + if begun { GOES_ON } else { 0 };
            wrapped.extend(std::iter::repeat_n(' ', used));
        }
        wrapped.push_str(word);
        used += word.chars().count();
    }
    wrapped
}

/// A line that goes on is moved in by so much.
const GOES_ON: usize = 2;

/// How wide the terminal is; a hundred columns when there is none.
pub(crate) fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.unwrap_or_else(|| match rustix::termios::tcgetwinsize(io::stdout()) {
        Ok(size) if size.ws_col > 0 => size.ws_col.into(),
        _ => 100,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_cannot_move_the_cursor() {
        assert_eq!(plain("a\x1b[2Jb\rc\u{9b}d\n\te"), "a[2Jbcd\n\te");
        assert_eq!(plain("rm \u{202e}txt.x"), "rm txt.x");
        assert_eq!(plain_line("a\x1b[2J\n\tb.md"), "a[2J  b.md");
    }

    #[test]
    fn of_what_steers_a_terminal_only_tones_are_left() {
        let text = format!("{}\x1b[2J\x1b]0;t\x07\x1b[1m", toned("+ a", Tone::Good, true));
        assert_eq!(toned_alone(&text), "\x1b[32m+ a\x1b[0m[2J]0;t[1m");
    }

    #[test]
    fn long_lines_are_broken_between_words_and_moved_in() {
        let text = "[3 May] a note that goes on\n    rank 1, score 2.50\n\nshort\n";
        let expected =
            "[3 May] a note\n  that goes on\n    rank 1,\n      score\n      2.50\n\nshort\n";
        assert_eq!(wrapped(text, 14), expected);
        assert_eq!(wrapped(text, 80), text);
        // What has no blanks is left to the terminal.
        assert_eq!(wrapped("wordswithoutend and", 8), "wordswithoutend\n  and");
        assert_eq!(wrapped("", 8), "");
    }

    #[test]
    fn a_path_can_be_pasted() {
        let pasted = |path: &str| pasted(Path::new(path));
        assert_eq!(pasted("/home/a-b/ws_1.x"), "/home/a-b/ws_1.x");
        assert_eq!([pasted("my ws"), pasted("it's")], ["'my ws'", r"'it'\''s'"]);
    }

    #[test]
    fn numbers_are_set_in_thousands() {
        assert_eq!(
            ["0", "999", "1,000", "1,234,567"],
            [0u32, 999, 1000, 1_234_567].map(number)[..]
        );
    }

    #[test]
    fn anything_at_all_shows_in_a_bar() {
        assert_eq!(bar(1, 1_000_000, 20), "▏");
        assert_eq!(bar(5, 10, 4), "██");
        assert_eq!(bar(0, 10, 4), "");
    }
}
