//! louver-recall finds the notes that answer a question and spends a token budget on them.
pub mod choose;
pub mod embed;
pub mod fuse;
pub mod index;
pub mod languages;
pub mod note;
pub mod question;
pub mod rank;
pub mod reading;
pub mod recall;
pub mod sentences;
pub mod when;
pub mod words;
