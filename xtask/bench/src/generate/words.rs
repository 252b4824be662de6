//! Words, sentences and paragraphs out of a small random number generator.

use std::path::Path;
use std::{fs, iter};

const NAMES: &[&str] = &["Anna", "Tomek", "Nadia", "Benoit", "Mara", "José", "Yuki", "Olu", "Ada"];
const VERBS: &[&str] = &[
    "ordered",
    "repaired",
    "moved",
    "checked",
    "sent",
    "prefers",
    "cancelled",
    "booked",
    "wrote",
    "compared",
    "remembers",
    "asked about",
    "measured",
    "is allergic to",
    "paid for",
];
const THINGS: &[&str] = &[
    "the invoice",
    "a rear wheel",
    "two train tickets",
    "the garden plan",
    "brake pads",
    "dinner",
    "the quarterly report",
    "a database migration",
    "her passport",
    "the deployment script",
    "oat milk",
    "the piano lesson",
    "a second opinion",
    "the release notes",
    "his blood results",
];
const ENDS: &[&str] = &[
    "on Tuesday",
    "before the move",
    "at half past nine",
    "in the old town",
    "for 48.20 euros",
    "without telling anyone",
    "because the first one broke",
    "as agreed in March",
    "twice a week",
    "and wants a reminder",
    "from the shop in Ghent",
    "with `--dry-run` first",
    "until 2027-01-31",
];
const SCRIPT: &[&str] = &[
    "今天的会议改到下午三点",
    "请把报告发给王医生",
    "东京行きの切符を二枚予約した",
    "明日の朝、薬を飲むこと",
    "회의는 목요일로 옮겼습니다",
    "он просил перезвонить вечером",
    "Το ραντεβού ακυρώθηκε",
];
const CODE: &[&str] = &[
    "    let total: u64 = items.iter().map(|item| item.price * item.count).sum();\n",
    "def fetch_rows(cursor, since=None):\n    return cursor.execute(QUERY, {\"since\": since})\n",
    "if (!response.ok) { throw new Error(`HTTP ${response.status} for ${url}`); }\n",
    "SELECT id, created_at FROM orders WHERE state <> 'closed' ORDER BY created_at DESC LIMIT 50;\n",
    "    0x7f3a9c10: 48 8b 05 e1 2f 00 00  mov rax, [rip+0x2fe1]\n",
];

/// Makes words: xorshift, so that every run and every machine makes the same ones.
pub(crate) struct Words(u64);

impl Words {
    /// The same seed gives the same words. The seed must not be zero.
    pub(crate) fn new(seed: u64) -> Self {
        Words(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len())]
    }

    /// A name with a number, as headings have.
    pub(crate) fn title(&mut self) -> String {
        let (thing, number) = (self.pick(THINGS), self.below(1000));
        format!("About {thing} {number}")
    }

    pub(crate) fn sentence(&mut self) -> String {
        if self.one_in(12) {
            return format!("{} ({}).", self.pick(SCRIPT), self.below(10_000));
        }
        let (name, verb, thing) = (self.pick(NAMES), self.pick(VERBS), self.pick(THINGS));
        format!("{name} {verb} {thing} {}, no. {}.", self.pick(ENDS), self.below(100_000))
    }

    /// A line of code, or a few words in a script that has no spaces.
    pub(crate) fn code(&mut self) -> String {
        let from = if self.one_in(3) { SCRIPT } else { CODE };
        format!("{}\"{}\"\n", self.pick(from), self.below(100))
    }

    /// Sentences in a row.
    pub(crate) fn paragraph(&mut self, sentences: usize) -> String {
        let sentences: Vec<String> = (0..sentences).map(|_| self.sentence()).collect();
        sentences.join(" ")
    }
}

/// Text of all kinds: the repository's Markdown, code, and scripts without spaces.
pub(crate) fn mixed(bytes: usize, words: &mut Words) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let found = markdown(&root);
    let mut ours = found.iter().cycle();
    let mut text = String::with_capacity(bytes + 4096);
    while text.len() < bytes {
        match words.below(8) {
            0 => text += words.pick(CODE),
            1 => text.extend(iter::repeat_with(|| words.pick(SCRIPT)).take(3)),
            2..5 => text += &words.paragraph(2),
            _ => text += ours.next().map_or("", String::as_str),
        }
        text.push('\n');
    }
    text
}

/// The paragraphs of the Markdown files of the repository, whatever can be read of them.
fn markdown(folder: &Path) -> Vec<String> {
    let mut paragraphs = Vec::new();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name != "target" && name != "fuzz" && !name.starts_with('.') {
            paragraphs.extend(markdown(&path));
        }
        if name.ends_with(".md") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            paragraphs.extend(text.split("\n\n").map(str::to_owned));
        }
    }
    paragraphs
}
