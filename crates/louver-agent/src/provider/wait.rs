//! How long a server tells us to wait, in any of the ways that servers have; and how long we do.

use std::time::Duration;

use jiff::Timestamp;

use super::error::{Network, Trouble};

/// How long the headers and the body of an answer say to wait.
pub(crate) fn told<'a>(
    header: impl Fn(&str) -> Option<&'a str>,
    body: &str,
    now: Timestamp,
) -> Option<Duration> {
    let millis = header("retry-after-ms").and_then(|text| text.trim().parse().ok());
    millis
        .map(Duration::from_millis)
        .or_else(|| header("retry-after").and_then(|text| moment(text, now)))
        .or_else(|| spent(&header, now))
        .or_else(|| header("x-ratelimit-reset").and_then(|text| moment(text, now)))
        .or_else(|| in_words(body))
}

/// The reset of what is used up: requests or tokens, in OpenAI's headers and in Anthropic's.
fn spent<'a>(header: &impl Fn(&str) -> Option<&'a str>, now: Timestamp) -> Option<Duration> {
    let kinds = ["requests", "tokens", "input-tokens", "output-tokens"];
    let names = kinds.iter().flat_map(|kind| {
        [
            (format!("x-ratelimit-remaining-{kind}"), format!("x-ratelimit-reset-{kind}")),
            (
                format!("anthropic-ratelimit-{kind}-remaining"),
                format!("anthropic-ratelimit-{kind}-reset"),
            ),
        ]
    });
    let resets = names.filter_map(|(remaining, reset)| {
        let gone = header(&remaining)?.trim() == "0";
        gone.then(|| header(&reset).and_then(|text| moment(text, now))).flatten()
    });
    resets.max()
}

/// Seconds, a span such as `6m0s`, seconds or milliseconds since 1970, or a date.
fn moment(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        let since_1970 = now.as_millisecond() as f64 / 1000.0;
        let seconds = match number {
            millis if millis > 1e11 => millis / 1000.0 - since_1970,
            seconds if seconds > 1e9 => seconds - since_1970,
            seconds => seconds,
        };
        return Duration::try_from_secs_f64(seconds.max(0.0)).ok();
    }
    span(text).or_else(|| {
        let date = text.parse::<Timestamp>().ok();
        let date =
            date.or_else(|| jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok())?;
        Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
    })
}

/// A span such as `20ms`, `1.5s` or `6m0s`: the text must be nothing else.
fn span(text: &str) -> Option<Duration> {
    let (span, rest) = span_at_start(text)?;
    rest.is_empty().then_some(span)
}

fn span_at_start(text: &str) -> Option<(Duration, &str)> {
    let mut rest = text;
    let mut seconds = 0.0;
    while rest.starts_with(|char: char| char.is_ascii_digit()) {
        let end = rest.find(|char: char| !char.is_ascii_digit() && char != '.')?;
        let number: f64 = rest[..end].parse().ok()?;
        let unit = rest[end..].trim_start();
        let units = [
            ("ms", 0.001),
            ("milliseconds", 0.001),
            ("seconds", 1.0),
            ("s", 1.0),
            ("m", 60.0),
            ("h", 3600.0),
        ];
        let (name, factor) = units.iter().find(|(name, _)| unit.starts_with(name))?;
        seconds += number * factor;
        rest = &unit[name.len()..];
    }
    if rest.len() == text.len() {
        return None;
    }
    Some((Duration::try_from_secs_f64(seconds).ok()?, rest))
}

/// `try again in 1.5s`, as OpenAI's messages say, or Google's `"retryDelay": "23s"`.
fn in_words(body: &str) -> Option<Duration> {
    let after = |mark: &str| {
        body.split_once(mark).map(|(_, rest)| rest.trim_start_matches([' ', ':', '"']))
    };
    let rest = after("try again in").or_else(|| after("\"retryDelay\""))?;
    span_at_start(rest).map(|(span, _)| span)
}

/// How often and how long to try.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// The most requests.
    most: u32,
    /// Requests that were sent.
    sent: u32,
    /// Time spent waiting between them.
    waited: Duration,
    /// Answers that broke off, and connections that failed.
    broken: u32,
}

/// What to do after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Tell the person.
    GiveUp,
    /// Ask again after this time.
    Again(Duration),
}

/// The most requests for one ask, unless it says otherwise.
pub(super) const MOST_SENT: u32 = 5;
/// The most time to wait between them, in all.
const MOST_WAITED: Duration = Duration::from_secs(120);

impl Patience {
    pub(crate) fn new(most: u32) -> Patience {
        Patience { most, sent: 0, waited: Duration::ZERO, broken: 0 }
    }

    /// What to do after a failure. `jitter` is between 0 and 1: many who were refused at once must
    /// not come back at once. `heard` says whether part of the answer came.
    pub(crate) fn after(&mut self, trouble: &Trouble, heard: bool, jitter: f64) -> Next {
        self.sent += 1;
        let grows = Duration::from_millis(500) * 2u32.pow(self.sent.min(6));
        let wait = match trouble {
            // As told, and a little more. A server that says 0 means now.
            Trouble::RateLimit { wait: Some(told), .. }
            | Trouble::Overload { wait: Some(told), .. } => told.mul_f64(1.0 + jitter / 5.0),
            Trouble::RateLimit { wait: None, .. } | Trouble::Overload { wait: None, .. } => {
                grows.mul_f64(0.5 + jitter / 2.0)
            }
            // Where nothing listens, or nobody is trusted, trying again helps nobody.
            Trouble::Network { what: Network::Refused | Network::Tls, .. } => return Next::GiveUp,
            Trouble::Network { .. } if !heard && self.broken < 2 => {
                self.broken += 1;
                Duration::from_millis(250).mul_f64(0.5 + jitter)
            }
            Trouble::Cut { .. } if self.broken < 1 => {
                self.broken += 1;
                Duration::ZERO
            }
            _ => return Next::GiveUp,
        };
        if self.sent >= self.most || self.waited + wait > MOST_WAITED {
            return Next::GiveUp;
        }
        self.waited += wait;
        Next::Again(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-03-10T12:00:00Z".parse().unwrap()
    }

    fn told_by(headers: &[(&str, &'static str)], body: &str) -> Option<Duration> {
        let header =
            |name: &str| headers.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        told(header, body, now())
    }

    #[test]
    fn every_way_to_say_how_long_is_understood() {
        let seconds = |seconds| Some(Duration::from_millis(seconds));
        assert_eq!(told_by(&[("retry-after", "7")], ""), seconds(7_000));
        assert_eq!(told_by(&[("retry-after", "0")], ""), seconds(0));
        assert_eq!(
            told_by(&[("retry-after", "Tue, 10 Mar 2026 12:00:30 GMT")], ""),
            seconds(30_000)
        );
        assert_eq!(told_by(&[("retry-after", "Tue, 10 Mar 2026 11:00:00 GMT")], ""), seconds(0));
        assert_eq!(
            told_by(&[("retry-after-ms", "1500"), ("retry-after", "2")], ""),
            seconds(1_500)
        );
        let openai = [("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "6m0s")];
        assert_eq!(told_by(&openai, ""), seconds(360_000));
        let not_it = [("x-ratelimit-remaining-tokens", "9"), ("x-ratelimit-reset-tokens", "6m0s")];
        assert_eq!(told_by(&not_it, ""), None);
        let anthropic = [
            ("anthropic-ratelimit-requests-remaining", "0"),
            ("anthropic-ratelimit-requests-reset", "2026-03-10T12:00:05Z"),
        ];
        assert_eq!(told_by(&anthropic, ""), seconds(5_000));
        assert_eq!(told_by(&[("x-ratelimit-reset", "1773144020000")], ""), seconds(20_000));
        assert_eq!(
            told_by(&[], "Rate limit reached. Please try again in 1.5s. Visit"),
            seconds(1_500)
        );
        assert_eq!(told_by(&[], "{\"retryDelay\": \"23s\"}"), seconds(23_000));
        assert_eq!(told_by(&[("retry-after", "soon")], "no"), None);
    }

    #[test]
    fn patience_ends_after_five_requests_or_two_minutes() {
        let busy = |wait| Trouble::RateLimit { wait, said: String::new() };
        let mut patience = Patience::new(MOST_SENT);
        let waits: Vec<Next> = (0..5).map(|_| patience.after(&busy(None), false, 1.0)).collect();
        let millis = |millis| Next::Again(Duration::from_millis(millis));
        assert_eq!(waits, [millis(1000), millis(2000), millis(4000), millis(8000), Next::GiveUp]);
        let long = busy(Some(Duration::from_secs(121)));
        assert_eq!(Patience::new(MOST_SENT).after(&long, false, 0.0), Next::GiveUp);
        assert_eq!(Patience::new(1).after(&busy(None), false, 0.0), Next::GiveUp);
        let now = busy(Some(Duration::ZERO));
        assert_eq!(Patience::new(MOST_SENT).after(&now, true, 1.0), Next::Again(Duration::ZERO));
    }

    #[test]
    fn a_cut_answer_is_asked_for_once_more_a_lost_connection_twice_and_a_refused_one_never() {
        let cut = Trouble::Cut { said: String::new() };
        let mut patience = Patience::new(MOST_SENT);
        assert_eq!(patience.after(&cut, true, 0.5), Next::Again(Duration::ZERO));
        assert_eq!(patience.after(&cut, true, 0.5), Next::GiveUp);
        let network = |what| Trouble::Network { what, said: String::new() };
        let soon = Next::Again(Duration::from_millis(250));
        let mut patience = Patience::new(MOST_SENT);
        let tries = [(); 3].map(|()| patience.after(&network(Network::NoHost), false, 0.5));
        assert_eq!(tries, [soon, soon, Next::GiveUp]);
        let nobody = network(Network::Refused);
        assert_eq!(Patience::new(MOST_SENT).after(&nobody, false, 0.5), Next::GiveUp);
        let refused = Trouble::Refused { status: 400, said: String::new() };
        assert_eq!(Patience::new(MOST_SENT).after(&refused, false, 0.5), Next::GiveUp);
    }
}
