//! Recall: what a question costs over many notes, what adding one costs, how large the index is, and how
//! much memory it takes.
//!
//! The notes are made up to be like messages of a chat: a third are a line, half a few sentences, a few
//! are pages (mean 220 bytes), half of the words are those that any text is full of, the rest follow
//! Zipf's law over sixty thousand, with numbers and names between them; one message in twenty is code
//! and one in twenty Chinese. Questions draw their words by the same law, so most have common ones.

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;
use std::{fs, iter};

use anyhow::{Context as _, Result, ensure};
use jiff::civil::date;
use louver_context::Trust;
use louver_store::library::{Asking, Library, Recalled};
use louver_store::notes::{Held, Note, Source, SourceKind, Voice};

use crate::clock::{Times, timed, times};
use crate::figures::{Figure, Figures, Target};

/// The notes of one session.
const SESSION: u64 = 500;

pub(super) fn measure(figures: &Figures) -> Result<Vec<Figure>> {
    let mut rows = over(figures, 100_000, [3.0, 10.0])?;
    if !figures.quick {
        rows.extend(over(figures, 1_000_000, [10.0, 40.0])?);
    }
    Ok(rows)
}

fn over(figures: &Figures, notes: u64, [median, p99]: [f64; 2]) -> Result<Vec<Figure>> {
    let workspace = tempfile::tempdir()?;
    let mut writer = Writer::new(41);
    forget_peak();
    let mut bytes = 0;
    let started = Instant::now();
    let index = || -> Result<()> {
        let mut library = Library::open(workspace.path())?;
        let sources = (0..notes / SESSION).map(|session| {
            let (source, held) = writer.session(session);
            bytes += held.notes.iter().map(|note| note.text.len()).sum::<usize>();
            (source, held)
        });
        library.put_all(sources, &mut |_| ())?;
        Ok(())
    };
    let (indexed, cpu) = timed(index);
    indexed?;
    let rate = notes as f64 / started.elapsed().as_secs_f64();
    let indexing = peak()?;
    let size = size(&workspace.path().join(".louver"))? as f64 / bytes as f64;
    forget_peak();
    // A new one, which has read nothing yet.
    let mut library = Library::open(workspace.path())?;
    let (found, cold) = timed(|| ask(&mut library, &writer.question()));
    found?;
    let questions = figures.runs(1000);
    let warm = iter::repeat_with(|| timed(|| ask(&mut library, &writer.question())))
        .take(questions + 50)
        .skip(50);
    let warm = warm.map(|(found, took)| found.map(|_| took)).collect::<Result<Vec<f64>>>()?;
    let asking = peak()?;
    let added = add(&mut library, &mut writer, figures.runs(500))?;
    let warm = times(warm);
    let what = format!("recall over {notes} notes of {} bytes, warm", bytes as u64 / notes);
    Ok(vec![
        row(&what, warm, "ms").target(Target::AtMost(median)),
        Figure::new("… its 99th percentile", warm.p99, "ms").target(Target::AtMost(p99)),
        Figure::new("… the first question of a process", cold, "ms"),
        row("… one note more, until it can be found", added, "ms").target(Target::AtMost(1.0)),
        Figure::new("… notes indexed", rate, "a s, wall").target(Target::AtLeast(20_000.0)),
        Figure::new("… CPU time to index one, and to make it up", cpu * 1e3 / notes as f64, "µs"),
        Figure::new("… the index over the text", size, "×").target(Target::AtMost(1.5)),
        Figure::new("… peak memory while indexing", indexing, "MB"),
        Figure::new("… peak memory while asking", asking, "MB"),
    ])
}

fn row(what: &str, times: Times, unit: &'static str) -> Figure {
    Figure::new(what, times.median, unit).p99(times.p99)
}

fn ask(library: &mut Library, text: &str) -> Result<Recalled> {
    let in_view = HashSet::new();
    let asking = Asking {
        text,
        before: None,
        now: None,
        budget: 2048,
        session: "cli:direct",
        others: false,
        in_view: &in_view,
        shown: &[],
    };
    Ok(library.recall(&asking, &|text| text.len().div_ceil(4) as u32)?)
}

/// Adds notes one by one. The next question finds them.
fn add(library: &mut Library, writer: &mut Writer, count: usize) -> Result<Times> {
    let mut all = Vec::with_capacity(count);
    for number in 0..count as u64 {
        let mut note = writer.note("live", number);
        note.text.push_str(&format!(" unheard{number}"));
        let source = source("live", number);
        let held = Held { notes: vec![note], more: true };
        let (added, took) = timed(|| library.put(&source, held));
        added?;
        all.push(took);
    }
    let last = format!("What was unheard{}?", count - 1);
    let found = ask(library, &last)?;
    let name = format!("live#{}", count - 1);
    let is_taken = found.taken.iter().any(|taken| taken.place == name);
    let is_ranked = is_taken || found.left.iter().any(|left| left.place == name);
    ensure!(is_ranked, "what was added is not found");
    Ok(times(all))
}

fn size(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        sum += entry?.metadata()?.len();
    }
    Ok(sum)
}

/// The most memory this process has had since [`forget_peak`], in MB.
fn peak() -> Result<f64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: f64 = line
        .and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .context("the system does not say how much memory there was")?;
    Ok(kilobytes / 1e3)
}

fn forget_peak() {
    // Where it cannot be forgotten, more is shown than was taken.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

fn source(name: &str, stamp: u64) -> Source {
    let kind = SourceKind::Session(name.to_owned());
    Source { name: name.to_owned(), stamp: stamp.to_string(), kind, scope: String::new() }
}

/// Writes messages.
struct Writer {
    state: u64,
    words: Vec<String>,
    plain: Vec<&'static str>,
}

const PLAIN: &str = "the to and I you of a in is it that for we on with this have be was not are but my so \
    they at as can if what just or do from about there your would will me when all like no more some them";

impl Writer {
    fn new(seed: u64) -> Writer {
        let plain = PLAIN.split_whitespace().collect();
        let mut writer = Writer { state: seed, words: Vec::new(), plain };
        writer.words = (0..60_000).map(|number| writer.name(number)).collect();
        writer
    }

    fn roll(&mut self, sides: u64) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % sides
    }

    fn share(&mut self) -> f64 {
        self.roll(1 << 30) as f64 / f64::from(1 << 30)
    }

    fn name(&mut self, number: u64) -> String {
        const SYLLABLES: [&str; 32] = [
            "ka", "ren", "to", "mi", "sol", "ver", "an", "dri", "lo", "pe", "gus", "ta", "ne",
            "bor", "li", "shu", "ma", "ric", "fen", "do", "ya", "cor", "wil", "ze", "pra", "tion",
            "ing", "ed", "house", "work", "line", "day",
        ];
        const COMMON: [&str; 24] = [
            "project", "meeting", "dinner", "train", "garden", "doctor", "budget", "report",
            "holiday", "printer", "server", "kitchen", "window", "school", "letter", "coffee",
            "summer", "ticket", "camera", "guitar", "recipe", "invoice", "passport", "contract",
        ];
        if let Some(common) = COMMON.get(number as usize) {
            return (*common).into();
        }
        (0..2 + self.roll(3)).map(|_| SYLLABLES[self.roll(32) as usize]).collect()
    }

    /// A word that tells something, by the law of Zipf and Mandelbrot: the commonest is one in a hundred.
    fn telling(&mut self) -> &str {
        let rank = self.rank(self.words.len() as f64);
        &self.words[(rank as usize).min(self.words.len() - 1)]
    }

    fn rank(&mut self, most: f64) -> u64 {
        const FIRST: f64 = 10.0;
        (FIRST * ((most + FIRST) / FIRST).powf(self.share()) - FIRST) as u64
    }

    fn push_word(&mut self, text: &mut String) {
        match self.roll(40) {
            0 => text.push_str(&self.roll(2030).to_string()),
            1..21 => {
                // The first of them are the most frequent, too.
                let at = (self.plain.len() as f64).powf(self.share()) as usize - 1;
                text.push_str(self.plain[at.min(self.plain.len() - 1)]);
            }
            _ => text.push_str(self.telling()),
        }
    }

    /// Two words in one, the same ones again and again.
    fn identifier(&mut self) -> String {
        let rank = self.rank(20_000.0);
        let word = |at: u64| &self.words[at as usize % self.words.len()];
        format!("{}_{}", word(rank), word(rank * 7919 + 13))
    }

    /// A phrase of four to eight characters. A language is made of many, but nobody says all of them.
    fn push_chinese(&mut self, text: &mut String) {
        let phrase = self.rank(6_000.0);
        for part in 0..4 + phrase % 5 {
            let letter = (phrase * 7919 + part * part * 613) % 2500;
            text.push(char::from_u32(0x4E00 + letter as u32).unwrap_or('我'));
        }
    }

    fn push_sentence(&mut self, text: &mut String) {
        for _ in 0..5 + self.roll(12) {
            self.push_word(text);
            text.push(' ');
        }
        text.pop();
        text.push_str(if self.roll(6) == 0 { "? " } else { ". " });
    }

    fn text(&mut self) -> String {
        let kind = self.roll(20);
        let most = match self.roll(100) {
            0..35 => 10 + self.roll(60),
            35..82 => 70 + self.roll(170),
            82..97 => 240 + self.roll(400),
            _ => 640 + self.roll(1800),
        };
        let mut text = String::new();
        while (text.len() as u64) < most {
            match kind {
                0 => {
                    let (one, two) = (self.identifier(), self.identifier());
                    let number = self.roll(1000);
                    text.push_str(&format!("    let {one} = self.{two}({one}, {number});\n"));
                }
                1 => {
                    for _ in 0..1 + self.roll(4) {
                        self.push_chinese(&mut text);
                    }
                    text.push('。');
                }
                _ => self.push_sentence(&mut text),
            }
        }
        text.trim_end().to_owned()
    }

    fn note(&mut self, session: &str, number: u64) -> Note {
        let (who, voice, trust) = match number % 2 {
            0 => ("person", Voice::Person, Trust::Owner),
            _ => ("agent", Voice::Agent, Trust::Agent),
        };
        let start = date(2024, 3, 1).at(8, 0, 0, 0);
        let after = jiff::Span::new().seconds(number as i64 * 67);
        Note {
            place: format!("{session}#{number}"),
            text: self.text(),
            who: who.to_owned(),
            voice,
            time: start.checked_add(after).ok().map(Into::into),
            trust,
        }
    }

    fn session(&mut self, session: u64) -> (Source, Held) {
        let name = format!("cli:{session}");
        let notes = (0..SESSION).map(|at| self.note(&name, session * SESSION + at)).collect();
        (source(&name, 1), Held { notes, more: false })
    }

    fn question(&mut self) -> String {
        const FRAMES: [&str; 4] =
            ["What did I say about the", "When was the", "Do you remember my", "How much is the"];
        let frame = FRAMES[self.roll(4) as usize];
        let words: Vec<String> = (0..2 + self.roll(4)).map(|_| self.telling().to_owned()).collect();
        format!("{frame} {}?", words.join(" "))
    }
}
