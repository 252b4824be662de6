//! Recall: what a question costs over many notes, what adding one costs, and how large the index is.

use std::path::Path;
use std::time::Instant;
use std::{fs, iter};

use anyhow::{Result, ensure};
use louver_context::Trust;
use louver_recall::note::Voice;
use louver_recall::question::Question;
use louver_store::recall::{Change, Entry, Library, Locator, May};

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
    let mut bytes = 0;
    let started = Instant::now();
    let mut reading = 0.0;
    {
        let mut library = Library::open(workspace.path())?;
        let sources = (0..notes / SESSION).map(|session| {
            // Making them up is not what is measured.
            let making = Instant::now();
            let entries: Vec<Entry> =
                (0..SESSION).map(|at| writer.entry(session, session * SESSION + at)).collect();
            bytes += entries.iter().map(|entry| entry.text.len()).sum::<usize>();
            reading += making.elapsed().as_secs_f64();
            Change::Extend { source: format!("session {session}"), stamp: "1".into(), entries }
        });
        library.index(sources, &mut |_| ())?;
    }
    let rate = notes as f64 / (started.elapsed().as_secs_f64() - reading);
    let size = size(&workspace.path().join(".louver"))? as f64 / bytes as f64;
    // A new one, which has read nothing yet.
    let mut library = Library::open(workspace.path())?;
    let (found, cold) = timed(|| ask(&mut library, &mut writer));
    found?;
    let questions = figures.runs(500);
    let warm = iter::repeat_with(|| timed(|| ask(&mut library, &mut writer)))
        .take(questions + 50)
        .skip(50);
    let warm = warm.map(|(found, took)| found.map(|()| took)).collect::<Result<Vec<f64>>>()?;
    let added = add(&mut library, &mut writer, figures.runs(500))?;
    let warm = times(warm);
    let what = format!("recall over {notes} notes, warm");
    Ok(vec![
        row(&what, warm, "ms").target(Target::AtMost(median)),
        Figure::new("… its 99th percentile", warm.p99, "ms").target(Target::AtMost(p99)),
        Figure::new("… the first question of a process", cold, "ms"),
        row("… one note more, until it can be found", added, "ms").target(Target::AtMost(1.0)),
        Figure::new("… notes indexed", rate, "a s, wall").target(Target::AtLeast(20_000.0)),
        Figure::new("… the index over the text", size, "×").target(Target::AtMost(1.5)),
    ])
}

fn row(what: &str, times: Times, unit: &'static str) -> Figure {
    Figure::new(what, times.median, unit).p99(times.p99)
}

fn ask(library: &mut Library, writer: &mut Writer) -> Result<()> {
    let question = Question { text: writer.question(), now: None };
    let count = |text: &str| text.len().div_ceil(4) as u32;
    library.recall(&question, 2048, &count, &May::default())?;
    Ok(())
}

/// Adds notes one by one and looks each up. Only the first is measured.
fn add(library: &mut Library, writer: &mut Writer, count: usize) -> Result<Times> {
    let mut all = Vec::with_capacity(count);
    for number in 0..count as u64 {
        let mut entry = writer.entry(0, number);
        entry.text.push_str(&format!(" unheard{number}"));
        let (added, took) = timed(|| library.extend("live", &number.to_string(), vec![entry]));
        added?;
        all.push(took);
    }
    let last = Question { text: format!("unheard{}", count - 1), now: None };
    let found = library.find(&last, 1, &May::default())?;
    ensure!(found[0].kept.entry.text.ends_with(&last.text), "what was added is not found");
    Ok(times(all))
}

fn size(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        sum += entry?.metadata()?.len();
    }
    Ok(sum)
}

/// Writes messages whose words are as frequent as words are: the second half as often as the first.
struct Writer {
    state: u64,
    words: Vec<String>,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut writer = Writer { state: seed, words: Vec::new() };
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

    /// A word by Zipf's law.
    fn word(&mut self) -> String {
        let most = self.words.len() as f64;
        let share = self.roll(1 << 30) as f64 / f64::from(1 << 30);
        self.words[(most.powf(share) as usize - 1).min(self.words.len() - 1)].clone()
    }

    fn sentence(&mut self) -> String {
        const FRAMES: [&str; 4] = [
            "I think that the",
            "We should have the",
            "They said it was about",
            "Please remember the",
        ];
        let frame = FRAMES[self.roll(4) as usize];
        let words: Vec<String> = (0..6 + self.roll(9)).map(|_| self.word()).collect();
        format!("{frame} {}. ", words.join(" "))
    }

    /// About 500 bytes: prose, a tenth of it code and a tenth Chinese.
    fn text(&mut self) -> String {
        let kind = self.roll(10);
        let mut text = String::new();
        let most = 100 + self.roll(800) as usize;
        while text.len() < most {
            match kind {
                0 => {
                    let (one, two) = (self.word(), self.word());
                    text.push_str(&format!(
                        "    let {one}_{two} = self.{two}({one}, {});\n",
                        self.roll(1000)
                    ));
                }
                1 => {
                    let letter = |writer: &mut Writer| {
                        char::from_u32(0x4E00 + writer.roll(3000) as u32).unwrap_or('我')
                    };
                    text.extend((0..8 + self.roll(12)).map(|_| letter(self)));
                    text.push('。');
                }
                _ => text.push_str(&self.sentence()),
            }
        }
        text
    }

    fn entry(&mut self, session: u64, number: u64) -> Entry {
        let (who, voice, trust) = match number % 2 {
            0 => ("user", Voice::Person, Trust::Owner),
            _ => ("assistant", Voice::Agent, Trust::Agent),
        };
        Entry {
            text: self.text(),
            who: who.into(),
            voice,
            trust,
            session: format!("s{session}"),
            locator: Locator::Event { number, part: 0 },
            ..Entry::default()
        }
    }

    fn question(&mut self) -> String {
        let words: Vec<String> = (0..3 + self.roll(4)).map(|_| self.word()).collect();
        format!("What did I say about the {}?", words.join(" "))
    }
}
