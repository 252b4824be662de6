//! The items of a JSON file one by one: of an array, of lines, or one alone.
//!
//! The sets come in all three forms, and the largest have gigabytes. An item is read when it is
//! asked for, and nothing of it is kept.

use serde::de::DeserializeOwned;
use std::io::BufRead;
use std::marker::PhantomData;

/// What is read, item by item. After an error there is nothing more.
pub(crate) struct Items<T> {
    input: Box<dyn BufRead>,
    over: bool,
    item: PhantomData<T>,
}

impl<T> Items<T> {
    pub(crate) fn new(input: Box<dyn BufRead>) -> Self {
        Items { input, over: false, item: PhantomData }
    }
}

impl<T: DeserializeOwned> Iterator for Items<T> {
    type Item = Result<T, serde_json::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let read = match at_next(&mut *self.input) {
            Ok(true) => {
                // An object says itself where it ends, so nothing after it is consumed.
                T::deserialize(&mut serde_json::Deserializer::from_reader(&mut *self.input))
            }
            Ok(false) => {
                self.over = true;
                return None;
            }
            Err(error) => Err(serde_json::Error::io(error)),
        };
        self.over = read.is_err();
        Some(read)
    }
}

/// Passes what stands between items. False at the end.
fn at_next(input: &mut dyn BufRead) -> std::io::Result<bool> {
    loop {
        let ahead = input.fill_buf()?;
        let between = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'[' | b',' | b']');
        let passed = ahead.iter().take_while(|byte| between(byte)).count();
        let (more, over) = (passed < ahead.len(), ahead.is_empty());
        input.consume(passed);
        if more || over {
            return Ok(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::io::{BufReader, Cursor};

    #[derive(Deserialize, PartialEq, Debug)]
    struct Note {
        text: String,
    }

    /// Read through a window of three bytes, so that every seam is met.
    fn texts(json: &'static str) -> Vec<Result<String, String>> {
        let input = Box::new(BufReader::with_capacity(3, Cursor::new(json)));
        Items::<Note>::new(input)
            .map(|note| note.map(|note| note.text).map_err(|error| error.to_string()))
            .collect()
    }

    #[test]
    fn an_array_lines_and_a_single_item_are_read_alike() {
        let both = [Ok("a".to_owned()), Ok("b]".to_owned())];
        assert_eq!(texts(r#" [ {"text": "a"}, {"text": "b]", "more": [1]} ] "#), both);
        assert_eq!(texts("{\"text\": \"a\"}\n\n{\"text\": \"b]\"}\n"), both);
        assert_eq!(texts(r#"{"text": "a"}"#), [Ok("a".to_owned())]);
        assert!(texts("").is_empty() && texts("[]\n").is_empty());
    }

    #[test]
    fn reading_ends_at_the_first_item_that_is_broken() {
        let read = texts(r#"[{"text": "a"}, {"text": 7}, {"text": "c"}]"#);
        assert_eq!(read.len(), 2);
        assert!(read[1].as_ref().is_err_and(|error| error.contains("expected a string")));
        let cut = texts(r#"[{"text": "a"}, {"te"#);
        assert!(cut[1].as_ref().is_err_and(|error| error.contains("EOF")), "{cut:?}");
    }
}
