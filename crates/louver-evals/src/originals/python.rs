//! Values as Python writes them (`{'a': [1, None]}`): a column of one data set is kept so.

use serde_json::{Map, Number, Value};
use std::iter::Peekable;
use std::str::Chars;

/// Text that is not a value of numbers, strings, lists, tuples and dicts.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum NotAValue {
    #[error("`{0}` stands where something else is wanted")]
    Unexpected(char),
    #[error("the text ends inside of a value")]
    Cut,
    #[error("`{0}` is no value")]
    Word(String),
    #[error("lists are nested deeper than {DEEPEST}")]
    Deep,
}

/// Deeper than any real one, and not so deep that the stack ends.
const DEEPEST: u32 = 64;

/// The value a text stands for. Tuples become lists.
pub(crate) fn literal(text: &str) -> Result<Value, NotAValue> {
    let mut reader = Reader { rest: text.chars().peekable(), depth: 0 };
    let value = reader.value()?;
    reader.gap();
    reader.rest.next().map_or(Ok(value), |c| Err(NotAValue::Unexpected(c)))
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    depth: u32,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Value, NotAValue> {
        self.gap();
        match self.rest.peek().copied().ok_or(NotAValue::Cut)? {
            '{' => self.nested(Self::dict),
            '[' => self.nested(|reader| reader.list(']')),
            '(' => self.nested(|reader| reader.list(')')),
            '\'' | '"' => self.string().map(Value::String),
            _ => self.word(),
        }
    }

    fn nested(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Result<Value, NotAValue>,
    ) -> Result<Value, NotAValue> {
        if self.depth == DEEPEST {
            return Err(NotAValue::Deep);
        }
        self.depth += 1;
        self.rest.next();
        let value = inside(self);
        self.depth -= 1;
        value
    }

    fn list(&mut self, end: char) -> Result<Value, NotAValue> {
        let mut values = Vec::new();
        while !self.ends(end)? {
            values.push(self.value()?);
            self.comma(end)?;
        }
        Ok(Value::Array(values))
    }

    fn dict(&mut self) -> Result<Value, NotAValue> {
        let mut values = Map::new();
        while !self.ends('}')? {
            let key = match self.value()? {
                Value::String(key) => key,
                other => other.to_string(),
            };
            self.gap();
            match self.rest.next().ok_or(NotAValue::Cut)? {
                ':' => _ = values.insert(key, self.value()?),
                other => return Err(NotAValue::Unexpected(other)),
            }
            self.comma('}')?;
        }
        Ok(Value::Object(values))
    }

    /// Passes the bracket that ends a list, if it is next.
    fn ends(&mut self, end: char) -> Result<bool, NotAValue> {
        self.gap();
        let next = *self.rest.peek().ok_or(NotAValue::Cut)?;
        Ok(next == end && self.rest.next().is_some())
    }

    /// Passes the comma after a value. The last one needs none.
    fn comma(&mut self, end: char) -> Result<(), NotAValue> {
        self.gap();
        match self.rest.peek().copied().ok_or(NotAValue::Cut)? {
            ',' => _ = self.rest.next(),
            next if next == end => (),
            other => return Err(NotAValue::Unexpected(other)),
        }
        Ok(())
    }

    fn gap(&mut self) {
        while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn word(&mut self) -> Result<Value, NotAValue> {
        let mut word = String::new();
        while let Some(c) = self.rest.next_if(|c| c.is_alphanumeric() || "+-._".contains(*c)) {
            word.push(c);
        }
        match word.as_str() {
            "None" | "null" => return Ok(Value::Null),
            "True" | "true" => return Ok(Value::Bool(true)),
            "False" | "false" => return Ok(Value::Bool(false)),
            "" => return Err(self.rest.next().map_or(NotAValue::Cut, NotAValue::Unexpected)),
            _ => (),
        }
        let whole = word.parse::<i64>().ok().map(Number::from);
        let number = whole.or_else(|| Number::from_f64(word.parse().ok()?));
        number.map(Value::Number).ok_or(NotAValue::Word(word))
    }

    fn string(&mut self) -> Result<String, NotAValue> {
        let quote = self.rest.next().ok_or(NotAValue::Cut)?;
        let mut text = String::new();
        loop {
            match self.rest.next().ok_or(NotAValue::Cut)? {
                c if c == quote => return Ok(text),
                '\\' => self.escaped(&mut text)?,
                c => text.push(c),
            }
        }
    }

    fn escaped(&mut self, text: &mut String) -> Result<(), NotAValue> {
        match self.rest.next().ok_or(NotAValue::Cut)? {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'x' => text.push(self.code(2)?),
            'u' => text.push(self.code(4)?),
            'U' => text.push(self.code(8)?),
            '\n' => (),
            c @ ('\\' | '\'' | '"') => text.push(c),
            // Python keeps the backslash of what it does not know.
            c => text.extend(['\\', c]),
        }
        Ok(())
    }

    fn code(&mut self, digits: u32) -> Result<char, NotAValue> {
        let mut code = 0;
        for _ in 0..digits {
            let c = self.rest.next().ok_or(NotAValue::Cut)?;
            code = code * 16 + c.to_digit(16).ok_or(NotAValue::Unexpected(c))?;
        }
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_python_writes_is_read() {
        let text = r#"{'a': [1, -2.5, None, True], "it's": 'say "so"\n\\ \x41\u00e9', 'c': (3,), 'd': {}, 4: []}"#;
        let wanted = json!({"a": [1, -2.5, null, true], "it's": "say \"so\"\n\\ Aé", "c": [3], "d": {}, "4": []});
        assert_eq!(literal(text), Ok(wanted));
    }

    #[test]
    fn what_is_no_value_is_refused() {
        assert_eq!(literal("{'a': [1, 2"), Err(NotAValue::Cut));
        assert_eq!(literal("{'a' 1}"), Err(NotAValue::Unexpected('1')));
        assert_eq!(literal("[1] x"), Err(NotAValue::Unexpected('x')));
        assert_eq!(literal("[open]"), Err(NotAValue::Word("open".into())));
        assert_eq!(literal(&"[".repeat(100_000)), Err(NotAValue::Deep));
        assert_eq!(literal("'abc"), Err(NotAValue::Cut));
    }
}
