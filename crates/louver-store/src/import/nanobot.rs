//! nanobot's session files, in all the forms they ever had.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use louver_context::message::Message;
use serde_json::{Map, Value};

use super::{Found, Line, What};
use crate::problem::Problem;

/// The conversation in the rows of a file. The key comes from the line about the session itself; the
/// file's name is only asked when there is none.
pub(super) fn read(path: &Path, rows: Vec<Value>) -> Found {
    let about = rows.iter().find(|row| row.get("_type").is_some_and(|kind| kind == "metadata"));
    let about = about.cloned().unwrap_or(Value::Null);
    let key = about.get("key").and_then(Value::as_str).map(str::to_owned);
    let mut meta = Map::new();
    meta.insert("nanobot".into(), about.clone());
    let mut found = Found {
        key: key.unwrap_or_else(|| key_of(path)),
        was: None,
        path: path.to_owned(),
        meta,
        created: about.get("created_at").and_then(Value::as_str).and_then(time),
        lines: Vec::new(),
        problems: Vec::new(),
    };
    let consolidated = about.get("last_consolidated").and_then(Value::as_u64).unwrap_or(0);
    let mut messages = 0;
    for row in rows.into_iter().filter(|row| *row != about) {
        found.take(row);
        messages +=
            u64::from(matches!(found.lines.last(), Some(Line { what: What::Message(..), .. })));
        if consolidated > 0 && messages == consolidated {
            found.lines.push(Line { time: None, what: What::Consolidated });
            messages += 1; // only once
        }
    }
    found
}

impl Found {
    fn take(&mut self, row: Value) {
        let time = row.get("timestamp").and_then(Value::as_str).and_then(time);
        let what = match Message::from_openai(&row) {
            _ if row.get("_type").is_some() => What::Other(row),
            Ok(message) => What::Message(Box::new(message), row),
            Err(error) => {
                let problem = format!("kept, but not understood: {error}");
                self.problems.push(Problem::warning(self.path.display().to_string(), problem));
                What::Other(row)
            }
        };
        self.lines.push(Line { time, what });
    }
}

/// The key in a file's name: base64 of it in newer versions, the key with its first colon as an
/// underscore in older ones.
fn key_of(path: &Path) -> String {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let decoded =
        URL_SAFE_NO_PAD.decode(&name).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    match decoded.filter(|key| key.contains(':') && !key.contains(char::is_control)) {
        Some(key) => key,
        None => name.replacen('_', ":", 1),
    }
}

/// A time as nanobot writes it: local and without a zone, or an instant.
fn time(text: &str) -> Option<Timestamp> {
    let local = || {
        let time = text.parse::<DateTime>().ok()?;
        Some(time.to_zoned(TimeZone::system()).ok()?.timestamp())
    };
    text.parse::<Timestamp>().ok().or_else(local)
}
