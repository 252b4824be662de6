//! What turns took, in a line: the window, the cache, the money.

use louver_agent::run::Outcome;
use louver_agent::spent::Spent;

use crate::screen::number;

/// What a turn took, in a line: the window's use, the cached share, the cost.
pub(crate) fn status(model: &str, outcome: &Outcome) -> String {
    let mut parts = vec![model.to_owned()];
    if let Some(last) = outcome.last {
        let percent = f64::from(last.tokens) * 100.0 / f64::from(last.budget.max(1));
        let (tokens, budget) = (number(last.tokens), number(last.budget));
        parts.push(format!("{tokens} of {budget} tokens ({percent:.0} %)"));
    }
    let usage = &outcome.usage;
    if let Some(percent) = (usage.cached * 100).checked_div(usage.input) {
        parts.push(format!("{percent} % cached"));
    }
    // A turn that was stopped before its answer has no figures.
    if let Some(cost) = outcome.cost.filter(|_| usage.input > 0) {
        parts.push(dollars(cost));
    }
    parts.join(" · ")
}

/// A price people can read.
pub(crate) fn dollars(cost: f64) -> String {
    match cost {
        cost if cost >= 0.1 => format!("${cost:.2}"),
        cost => format!("${cost:.4}"),
    }
}

/// What was paid, in a line: all of it, and what of it was not for answers.
pub(crate) fn spent(spent: &Spent) -> String {
    let apart = [("memory", spent.memory), ("subagents", spent.subagents)];
    let apart = apart.iter().filter(|(_, cost)| *cost > 0.0);
    let apart: Vec<String> =
        apart.map(|(what, cost)| format!("{what} {}", dollars(*cost))).collect();
    let mut line = dollars(spent.total());
    if !apart.is_empty() {
        line += &format!(" ({})", apart.join(", "));
    }
    if spent.unpriced > 0 {
        line += &format!("; {} tokens more have no known price", number(spent.unpriced));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_prices_can_be_read() {
        assert_eq!([dollars(0.00042), dollars(1.5)], ["$0.0004", "$1.50"]);
    }

    #[test]
    fn what_was_not_paid_for_answers_is_named_apart() {
        let mut paid = Spent { turns: 0.25, ..Spent::default() };
        assert_eq!(spent(&paid), "$0.25");
        paid += Spent { memory: 0.01, subagents: 0.5, unpriced: 1200, ..Spent::default() };
        let line = "$0.76 (memory $0.0100, subagents $0.50); 1,200 tokens more have no known price";
        assert_eq!(spent(&paid), line);
    }
}
