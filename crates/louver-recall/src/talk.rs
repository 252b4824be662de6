//! Talks: the stretches of a session in which one thing leads to another.
//!
//! A session may go on for years. What was said in another hour has as little to do with a note as what
//! was said elsewhere, so neighbours, beginnings and the best note around are looked for in its talk.

use jiff::SignedDuration;
use jiff::civil::DateTime;

/// After a pause of this the next note begins another talk.
const PAUSE: SignedDuration = SignedDuration::from_hours(1);

/// Where a note stands in its session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spot {
    /// In which of its talks, from 0.
    pub talk: u32,
    /// How many notes of that talk came before it.
    pub position: u32,
}

/// How far a session has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Talks {
    /// The spot of the next note, unless it comes after a pause.
    pub next: Spot,
    /// When the last note was said, where that is known.
    pub last: Option<DateTime>,
}

impl Talks {
    /// The spot of a note that was said then.
    pub fn spot(&mut self, at: Option<DateTime>) -> Spot {
        let pause = at.zip(self.last).map(|(at, last)| at.duration_since(last).abs());
        if pause.is_some_and(|pause| pause > PAUSE) {
            self.end();
        }
        self.last = at.or(self.last);
        let spot = self.next;
        self.next.position += 1;
        spot
    }

    /// Whatever comes next begins another talk.
    pub fn end(&mut self) {
        if self.next.position > 0 {
            self.next = Spot { talk: self.next.talk + 1, position: 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_pause_ends_a_talk_and_a_note_without_a_time_does_not() {
        let at = |hour, minute| Some(date(2026, 3, 1).at(hour, minute, 0, 0));
        let mut talks = Talks::default();
        let mut spot = |at| {
            let Spot { talk, position } = talks.spot(at);
            (talk, position)
        };
        assert_eq!(spot(None), (0, 0));
        assert_eq!(spot(at(9, 0)), (0, 1));
        assert_eq!(spot(at(10, 0)), (0, 2));
        assert_eq!(spot(None), (0, 3));
        assert_eq!(spot(at(11, 1)), (1, 0));
        // Whoever sets the clock back is talking of something else too.
        assert_eq!(spot(at(8, 0)), (2, 0));
        assert_eq!(spot(at(8, 5)), (2, 1));
    }

    #[test]
    fn ending_twice_is_ending_once() {
        let mut talks = Talks::default();
        talks.end();
        assert_eq!(talks.spot(None), Spot::default());
        talks.end();
        talks.end();
        assert_eq!(talks.spot(None), Spot { talk: 1, position: 0 });
    }
}
