//! Times as people write and read them: local, unless they say otherwise.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use crate::error::{Code, Failure};

/// A time as people write it: with a zone, as an instant, or plain local time.
pub(crate) fn parse(text: &str) -> Result<Zoned, Failure> {
    let local = || text.parse::<DateTime>().and_then(|time| time.to_zoned(TimeZone::system()));
    let instant = || text.parse::<Timestamp>().map(|time| time.to_zoned(TimeZone::system()));
    text.parse::<Zoned>().or_else(|_| instant()).or_else(|_| local()).map_err(|_| {
        Failure::new(Code::Usage, format!("`{text}` is not a time"))
            .hint("write it like 2026-03-10T09:15 or 2026-03-10T09:15[Europe/Lisbon]")
    })
}

/// A time in a list.
pub(crate) fn shown(time: Timestamp) -> String {
    time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}
