//! Epochs: stretches of a session during which the prefix never changes a byte.
//!
//! A new epoch begins only for one of a short list of reasons, and the log and the ledger name it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::tokens::Tokens;

/// An epoch of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Epoch {
    /// Its number, counted from one.
    pub number: u32,
    /// Why it began.
    pub reason: Why,
}

/// Why an epoch begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// It is the first turn of the session.
    First,
    /// Earlier messages were summed up, or the conversation went back.
    Summary,
    /// The model, its provider's rules or the profile changed.
    Model,
    /// The tools on offer changed.
    Tools,
    /// What changed in files since it began grew past its share of the window.
    Changes,
    /// History passed its high-water mark.
    Room,
    /// There are more rounds of history than are kept.
    Rounds,
    /// Files changed, and the provider has forgotten the prefix anyway.
    Cold,
    /// The person asked for it.
    Asked,
    /// The provider named a window that is smaller than was known.
    Window,
    /// The provider refused a longer request. Such an epoch ends with its turn.
    Refused,
    /// The one before was made shorter than the model asks for.
    Whole,
    /// Others came into the conversation or left it: what is remembered of the person must go, or may come.
    Company,
    /// Something was forgotten that it has, or is forgotten no longer.
    Forgotten,
}

/// What is known when a turn begins in a session that has an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Whether messages were summed up or taken back since it began.
    pub summed_up: bool,
    /// Whether the model, the rules and the profile are those of its beginning.
    pub same_model: bool,
    /// Whether the tools are.
    pub same_tools: bool,
    /// Whether files changed that the model has not been told of.
    pub files_changed: bool,
    /// What it would cost to tell of all changes since its beginning.
    pub changes: Tokens,
    /// How long ago the last request went out, in seconds.
    pub idle: u64,
    /// How long the provider remembers a prefix, in seconds.
    pub remembers: u64,
    /// Whether it was made shorter because the provider refused a request, and the model asks for no less.
    pub refused: bool,
    /// Whether the person asked for a new one.
    pub asked: bool,
    /// Whether the prefix was made for company and there is none, or the other way round.
    pub company: bool,
    /// Whether something in it was forgotten since, or something that it lacks for that no longer is.
    pub forgotten: bool,
}

/// The share of the budget, in hundredths, that changes may take before the prefix is made anew.
pub const CHANGES_SHARE: u32 = 5;
/// History is reduced when the request passes this share of the budget, in hundredths…
pub const HIGH_WATER: u32 = 85;
/// …down to this one, at once, so that epochs are rare.
pub const LOW_WATER: u32 = 50;

/// Whether a new epoch begins before the turn is built, and why.
pub fn begins(standing: &Standing, budget: Tokens) -> Option<Why> {
    let share = share(budget, CHANGES_SHARE);
    let reasons = [
        (standing.company, Why::Company),
        (standing.forgotten, Why::Forgotten),
        (standing.asked, Why::Asked),
        (!standing.same_model, Why::Model),
        (!standing.same_tools, Why::Tools),
        (standing.summed_up, Why::Summary),
        (standing.refused, Why::Whole),
        (standing.files_changed && standing.idle >= standing.remembers, Why::Cold),
        (standing.files_changed && standing.changes > share, Why::Changes),
    ];
    reasons.into_iter().find(|(holds, _)| *holds).map(|(_, why)| why)
}

/// Whether a finished request says that history must be reduced.
pub fn is_full(total: Tokens, budget: Tokens) -> bool {
    total > share(budget, HIGH_WATER)
}

/// What a request may have after history was reduced.
pub fn low_water(budget: Tokens) -> Tokens {
    share(budget, LOW_WATER)
}

fn share(budget: Tokens, percent: u32) -> Tokens {
    Tokens((u64::from(budget.0) * u64::from(percent) / 100) as u32)
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::First => "the first turn",
            Why::Forgotten => "something was forgotten, or no longer is",
            Why::Summary => "earlier messages were summed up, changed or taken back",
            Why::Model => "the model or the profile changed",
            Why::Tools => "the tools changed",
            Why::Changes => "changes to files grew past their share",
            Why::Room => "history passed its high-water mark",
            Why::Rounds => "there were more rounds than are kept",
            Why::Window => "the provider named a smaller window",
            Why::Refused => "the provider refused a longer request",
            Why::Whole => "the request before it was made shorter for the provider",
            Why::Cold => "files changed and the provider's cache was cold",
            Why::Asked => "the person asked",
            Why::Company => "others came into the conversation, or left it",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STANDING: Standing = Standing {
        summed_up: false,
        forgotten: false,
        same_model: true,
        same_tools: true,
        files_changed: false,
        changes: Tokens(0),
        idle: 10,
        remembers: 300,
        refused: false,
        asked: false,
        company: false,
    };

    fn why(standing: Standing) -> Option<Why> {
        begins(&standing, Tokens(1000))
    }

    #[test]
    fn nothing_new_goes_on_with_the_epoch() {
        assert_eq!(why(STANDING), None);
        assert_eq!(why(Standing { idle: 9999, ..STANDING }), None, "cold, but nothing to gain");
    }

    #[test]
    fn changes_are_told_until_they_grow_or_the_cache_is_cold() {
        let changed = Standing { files_changed: true, changes: Tokens(50), ..STANDING };
        assert_eq!(why(changed), None);
        assert_eq!(why(Standing { changes: Tokens(51), ..changed }), Some(Why::Changes));
        assert_eq!(why(Standing { idle: 301, ..changed }), Some(Why::Cold));
    }

    #[test]
    fn each_reason_is_named() {
        assert_eq!(why(Standing { asked: true, ..STANDING }), Some(Why::Asked));
        assert_eq!(why(Standing { company: true, ..STANDING }), Some(Why::Company));
        assert_eq!(why(Standing { same_model: false, ..STANDING }), Some(Why::Model));
        assert_eq!(why(Standing { same_tools: false, ..STANDING }), Some(Why::Tools));
        assert_eq!(why(Standing { summed_up: true, ..STANDING }), Some(Why::Summary));
        assert_eq!(why(Standing { forgotten: true, ..STANDING }), Some(Why::Forgotten));
        assert_eq!(why(Standing { refused: true, ..STANDING }), Some(Why::Whole));
    }
}
