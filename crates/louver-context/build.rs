//! Makes the tables that let the crate count tokens without loading anything.
//!
//! A vocabulary that has to be unpacked costs every process tens of milliseconds and tens of
//! megabytes before the first token is counted. So the two common ones are laid out here, once,
//! in the very form in which they are searched, and the crate embeds the files as they are. The
//! character classes are made here as well, out of the tables of the regex engine itself, so that
//! the hand-written scanner cannot disagree with the patterns it stands for.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use regex_syntax::hir::{Class, HirKind};

#[path = "src/tokens/layout.rs"]
mod layout;

use layout::{BLOCK, LETTER, LOWER, NEWLINE, NO_RANK, NUMBER, POSITION_BITS, SLACK, SPACE, UPPER};

/// Home slots for so many tokens. With three slots for two tokens a search ends in the cache line
/// in which it began; more slots are no faster, because more of the table has to be paged in.
const SLOTS: usize = 3;
/// See [`SLOTS`].
const TOKENS: usize = 2;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tokens/layout.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    write_vocabulary(&out, "o200k_base");
    write_vocabulary(&out, "cl100k_base");
    write_classes(&out);
}

/// Writes one vocabulary as three files: the token bytes, the slots and the pairs.
fn write_vocabulary(out: &Path, name: &str) {
    let tokens = tokens_in_rank_order(name);
    let mut bytes = vec![0];
    let mut slots = vec![0; tokens.len() * SLOTS / TOKENS + SLACK];
    let mut pairs = vec![NO_RANK; 1 << 16];
    for token in &tokens {
        let position = u32::try_from(bytes.len()).expect("a vocabulary is small");
        assert!(position < 1 << POSITION_BITS, "{name} does not fit its slots");
        bytes.push(u8::try_from(token.len()).expect("no token is longer than 255 bytes"));
        bytes.extend_from_slice(token);
        match token[..] {
            [first, second] => pairs[usize::from(first) << 8 | usize::from(second)] = position,
            _ => insert(&mut slots, token, position),
        }
    }
    assert_eq!(slots.last(), Some(&0), "the last slot has to stay empty to end every probe");
    write(out, &format!("{name}.tokens"), &bytes);
    write(out, &format!("{name}.slots"), &little_endian(&slots));
    write(out, &format!("{name}.pairs"), &little_endian(&pairs));
}

/// The ordinary tokens of a vocabulary; special tokens have ids above them and are left out.
fn tokens_in_rank_order(name: &str) -> Vec<Vec<u8>> {
    let core = tiktoken::get_encoding(name).expect("the vocabulary is a feature of tiktoken");
    let size = u32::try_from(core.vocab_size()).expect("a vocabulary is small");
    let tokens: Vec<_> = (0..size).map(|id| core.decode(&[id])).collect();
    assert!(tokens.iter().all(|token| !token.is_empty()), "{name} has a gap in its ids");
    tokens
}

fn insert(slots: &mut [u32], token: &[u8], position: u32) {
    let hash = layout::hash(token);
    let home = layout::home(hash, slots.len() - SLACK);
    let free = slots[home..].iter().position(|slot| *slot == 0).expect("the table has room");
    slots[home + free] = layout::tag(hash) | position;
}

/// Writes the class of every character as an index of blocks and the distinct blocks.
fn write_classes(out: &Path) {
    let classes = classes_of_all_characters();
    let mut blocks: Vec<&[u8]> = Vec::new();
    let mut index = Vec::new();
    for block in classes.chunks(BLOCK) {
        let known = blocks.iter().position(|seen| *seen == block);
        let number = known.unwrap_or_else(|| {
            blocks.push(block);
            blocks.len() - 1
        });
        index.push(u8::try_from(number).expect("there are fewer than 256 distinct blocks"));
    }
    write(out, "classes.index", &index);
    write(out, "classes.blocks", &blocks.concat());
}

fn classes_of_all_characters() -> Vec<u8> {
    let mut classes = vec![0; 0x11_0000];
    for (pattern, flags) in [
        (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", UPPER),
        (r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]", LOWER),
        (r"\p{L}", LETTER),
        (r"\p{N}", NUMBER),
        (r"\s", SPACE),
        (r"[\r\n]", NEWLINE),
    ] {
        let hir = regex_syntax::parse(pattern).expect("the pattern is one class");
        let HirKind::Class(Class::Unicode(class)) = hir.kind() else {
            panic!("{pattern} is not a class of characters");
        };
        for range in class.ranges() {
            for class in &mut classes[range.start() as usize..=range.end() as usize] {
                *class |= flags;
            }
        }
    }
    classes
}

fn little_endian(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn write(out: &Path, name: &str, bytes: &[u8]) {
    fs::write(out.join(name), bytes).expect("OUT_DIR is writable");
}
