//! louver-recall finds the notes that answer a question and spends a token budget on them.
//!
//! A [`Note`](note::Note) is one message, paragraph, tool or skill. An [`Index`](index::Index) finds notes by their
//! words and by their meaning; [`rank`](rank::rank) says, part by part, how well each answers; [`choose`](choose::choose)
//! takes them by what they are worth per token, cuts long ones to the sentences that matter, and adds nothing when
//! nothing fits. Nothing here touches a file, a clock, the environment or the network: same notes, same
//! question, same choice.
//!
//! ```text
//! Question ▶ read ▶ Index::candidates ▶ rank ▶ choose ▶ Choice (what is in, what is out, why)
//! ```
//!
//! ```
//! use louver_recall::{index::Index, note::Note, question::Question, recall::recall};
//!
//! let mut index = Index::new();
//! index.add(Note { id: 1, text: "The spare key is under the third flowerpot.".into(), ..Note::default() });
//! index.add(Note { id: 2, text: "The meeting went on far too long.".into(), ..Note::default() });
//!
//! let question = Question { text: "Where is the spare key?".into(), now: None };
//! let count = |text: &str| text.len().div_ceil(4) as u32;
//! let choice = recall(&index, &question, 512, &count, &|_| true);
//! assert_eq!(choice.notes[0].id, 1);
//! assert!(choice.tokens <= 512);
//! ```
//!
//! A choice is paid for as [`choose::head`] and [`choose::line`] print it: one head for the notes of a source and a day, a
//! line for each note. An index in memory keeps the order in which notes were added, so one that takes the place of another
//! stands at the end of its session, and the room of what was removed is not used again: an index that changes for
//! months is made anew now and then.

pub mod again;
mod answer;
pub mod choose;
mod clauses;
pub mod compounds;
pub mod corrected;
mod course;
mod cues;
pub mod days;
mod echo;
pub mod embed;
mod floor;
pub mod fuse;
mod glue;
mod idle;
pub mod index;
mod kin;
pub mod languages;
pub mod lexicon;
mod links;
pub mod maps;
mod matcher;
mod news;
pub mod note;
mod numbers;
pub mod odds;
mod parts;
mod prose;
pub mod question;
pub mod rank;
mod rare;
pub mod reading;
pub mod recall;
mod replaced;
mod requests;
pub mod sentences;
mod shorten;
mod sides;
mod signs;
mod spelling;
mod subject;
pub mod table;
pub mod talk;
pub mod tasks;
mod tongue;
pub mod topic;
mod values;
pub mod when;
mod which;
pub mod wide;
mod wishes;
mod wording;
pub mod words;
mod written;
