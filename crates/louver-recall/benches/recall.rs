//! What a question costs over 100,000 generated notes, and what adding one costs.
#![allow(clippy::unwrap_used)]

use divan::{Bencher, black_box};
use louver_recall::embed::{Small, shipped};
use louver_recall::index::Index;
use louver_recall::note::{Note, Voice};
use louver_recall::question::Question;
use louver_recall::recall::{find, recall};
use louver_recall::when::spans;
use std::sync::LazyLock;

fn main() {
    divan::main();
}

/// Words as texts have them: few often, most seldom.
struct Writer(u64);

impl Writer {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn word(&mut self) -> String {
        const COMMON: &str = "project meeting dinner train garden doctor budget report holiday garage printer server kitchen window \
            school letter answer coffee summer ticket camera jacket museum guitar recipe invoice passport deadline weekend contract";
        let common: Vec<&str> = COMMON.split_whitespace().collect();
        let pick = self.next();
        if pick.is_multiple_of(3) {
            return common[(pick / 7) as usize % common.len()].to_owned();
        }
        const SYLLABLES: [&str; 24] = [
            "ka", "ren", "to", "mi", "sol", "ver", "an", "dri", "lo", "pe", "gus", "ta", "ne",
            "bor", "li", "shu", "ma", "ric", "fen", "do", "ya", "cor", "wil", "ze",
        ];
        // The square makes some names much more frequent than others.
        let name = ((pick % 1000) * (pick / 1000 % 1000)) / 40;
        [name % 24, name / 24 % 24, name / 576 % 24].map(|at| SYLLABLES[at as usize]).concat()
    }

    fn note(&mut self, id: u64) -> Note {
        let words: Vec<String> = (0..12 + self.next() % 30).map(|_| self.word()).collect();
        let voice = if id.is_multiple_of(2) { Voice::Person } else { Voice::Agent };
        let text = format!("I think the {} is about {}.", words[0], words.join(" "));
        Note { id, text, who: "user".into(), voice, session: format!("s{}", id / 20), at: None }
    }
}

static NOTES: LazyLock<Index> = LazyLock::new(|| {
    let mut writer = Writer(0x9E37_79B9_7F4A_7C15);
    let mut index = Index::new();
    (0..100_000).for_each(|id| index.add(writer.note(id)));
    index
});

fn questions() -> Vec<Question> {
    let mut writer = Writer(77);
    let text = |writer: &mut Writer| {
        format!(
            "When did I talk about the {} and the {} of {}?",
            writer.word(),
            writer.word(),
            writer.word()
        )
    };
    (0..64).map(|_| Question { text: text(&mut writer), now: None }).collect()
}

#[divan::bench(sample_count = 200)]
fn find_in_100k(bencher: Bencher) {
    let (index, questions) = (&*NOTES, questions());
    let mut at = 0;
    bencher.bench_local(|| {
        at += 1;
        black_box(find(index, &questions[at % questions.len()], &|_| true))
    });
}

#[divan::bench(sample_count = 200)]
fn recall_2048_in_100k(bencher: Bencher) {
    let (index, questions) = (&*NOTES, questions());
    let count = |text: &str| text.len().div_ceil(4) as u32;
    let mut at = 0;
    bencher.bench_local(|| {
        at += 1;
        black_box(recall(index, &questions[at % questions.len()], 2048, &count, &|_| true))
    });
}

#[divan::bench]
fn add_to_10k(bencher: Bencher) {
    let mut writer = Writer(5);
    let mut index = Index::new();
    (0..10_000).for_each(|id| index.add(writer.note(id)));
    let mut id = 10_000;
    bencher.bench_local(|| {
        id += 1;
        index.add(writer.note(id));
    });
}

#[divan::bench]
fn embed_a_question(bencher: Bencher) {
    bencher.bench(|| {
        Small::from(
            &shipped().embed(black_box("When did I last talk to the doctor about my knee?")),
        )
    });
}

/// Looking for days in 500 bytes: most notes name none, and every note is looked at.
#[divan::bench(args = ["no day", "a number", "a day", "Chinese"])]
fn days_of_a_note(bencher: Bencher, kind: &str) {
    let plain = "I think the garden needs a new fence, since the old one fell over in the storm and nobody is fond of it. ";
    let chinese = "我觉得花园需要一道新的篱笆，因为旧的在暴风雨中倒了，没有人喜欢它。";
    let text = match kind {
        "a number" => format!("{}It has 12 posts.", plain.repeat(5)),
        "a day" => format!("{}It fell last Tuesday.", plain.repeat(5)),
        "Chinese" => chinese.repeat(5),
        _ => plain.repeat(5),
    };
    let from = Some(jiff::civil::date(2024, 2, 29));
    bencher.bench_local(|| black_box(spans(black_box(&text), from)));
}
