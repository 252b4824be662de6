//! When something was said: what the clock showed, and how far that clock was ahead of UTC.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

/// When something was said.
///
/// A log has instants, and whoever travels or sets the clock back in autumn still knows what came first. A file has what
/// some clock showed, often only a day, and does not tell where: it is taken as the clock of whoever reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    clock: DateTime,
    /// How many quarters of an hour that clock was ahead, where it is known. For fifty years none was set otherwise.
    ahead: Option<i8>,
}

/// A quarter of an hour.
const QUARTER: i32 = 15 * 60;

impl When {
    /// An instant, as clocks of a zone show it.
    pub fn at(time: Timestamp, zone: &TimeZone) -> When {
        let seconds = zone.to_offset(time).seconds();
        let ahead = (seconds + QUARTER / 2).div_euclid(QUARTER).clamp(-MOST, MOST) as i8;
        When { clock: offset(ahead).to_datetime(time), ahead: Some(ahead) }
    }

    /// The same, as it is kept: its seconds, and how far its clock was ahead.
    pub(crate) fn of(seconds: i64, ahead: Option<i8>) -> Option<When> {
        let time = Timestamp::from_second(seconds).ok()?;
        Some(When { clock: offset(ahead.unwrap_or(0)).to_datetime(time), ahead })
    }

    /// What the clock showed.
    pub fn clock(self) -> DateTime {
        self.clock
    }

    /// What clocks of a zone showed then. Where only a clock is known, that is it.
    pub fn here(self, zone: &TimeZone) -> When {
        self.instant().map_or(self, |time| When::at(time, zone))
    }

    /// The instant, where it is known.
    pub fn instant(self) -> Option<Timestamp> {
        offset(self.ahead?).to_timestamp(self.clock).ok()
    }

    /// What can be compared: the instant by the clock of UTC. Where only a clock is known, it is one of this zone.
    pub(crate) fn moment(self, zone: &TimeZone) -> DateTime {
        let time = self.instant().or_else(|| zone.to_timestamp(self.clock).ok());
        time.map_or(self.clock, |time| Offset::UTC.to_datetime(time))
    }

    /// The seconds of the instant, or of the clock where only that is known. They are the same in every zone.
    pub(crate) fn seconds(self) -> i64 {
        let clock = Offset::UTC.to_timestamp(self.clock).map_or(0, Timestamp::as_second);
        clock - i64::from(self.ahead.unwrap_or(0)) * i64::from(QUARTER)
    }

    /// How many quarters of an hour the clock was ahead, where that is known.
    pub(crate) fn ahead(self) -> Option<i8> {
        self.ahead
    }
}

impl From<DateTime> for When {
    fn from(clock: DateTime) -> When {
        When { clock, ahead: None }
    }
}

/// No clock is ahead or behind by more.
const MOST: i32 = 62;

fn offset(quarters: i8) -> Offset {
    Offset::from_seconds(i32::from(quarters) * QUARTER).unwrap_or(Offset::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn zone(hours: i8) -> TimeZone {
        TimeZone::fixed(jiff::tz::offset(hours))
    }

    #[test]
    fn an_instant_is_the_same_by_every_clock() {
        let time: Timestamp = "2026-03-01T23:30:00Z".parse().unwrap();
        let (tokyo, angeles) = (When::at(time, &zone(9)), When::at(time, &zone(-8)));
        assert_eq!(tokyo.clock(), date(2026, 3, 2).at(8, 30, 0, 0));
        assert_eq!(angeles.clock(), date(2026, 3, 1).at(15, 30, 0, 0));
        assert_eq!(tokyo.here(&zone(-8)), angeles);
        for when in [tokyo, angeles] {
            assert_eq!((when.seconds(), when.instant()), (time.as_second(), Some(time)));
            assert_eq!(When::of(when.seconds(), when.ahead()), Some(when));
            assert_eq!(when.moment(&zone(2)), date(2026, 3, 1).at(23, 30, 0, 0));
        }
    }

    #[test]
    fn a_clock_of_nowhere_shows_the_same_everywhere() {
        let noon = When::from(date(2026, 3, 1).at(12, 0, 0, 0));
        assert_eq!((noon.here(&zone(9)), noon.instant()), (noon, None));
        assert_eq!(noon.moment(&zone(9)), date(2026, 3, 1).at(3, 0, 0, 0));
        assert_eq!(When::of(noon.seconds(), noon.ahead()), Some(noon));
    }

    #[test]
    fn an_hour_that_comes_twice_is_two_hours() {
        let berlin = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let at = |time: &str| When::at(time.parse().unwrap(), &berlin);
        let [first, second] = ["2026-10-25T00:50:00Z", "2026-10-25T01:10:00Z"].map(at);
        assert!(first.clock() > second.clock());
        assert!(first.moment(&berlin) < second.moment(&berlin));
    }
}
