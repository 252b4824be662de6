//! The order in which notes stand in a prompt.
//!
//! What is said once for several notes, where they are from and of which day, is cheapest when it is said of
//! as many as can be: a few days of many sessions stand day by day, a few sources of many days source by
//! source. The group with the best note comes first, and one that says something newer before the other.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::ask::Taken;

/// The places of the notes in the order they stand in.
pub(super) fn order(taken: &[Taken]) -> Vec<usize> {
    let days: HashSet<_> = taken.iter().map(|taken| taken.date).collect();
    let sources: HashSet<_> = taken.iter().map(|taken| &taken.source).collect();
    let mut order: Vec<usize> = (0..taken.len()).collect();
    if days.len() < sources.len() {
        let day = groups(taken, |taken| taken.date);
        let both = groups(taken, |taken| (taken.date, &taken.source));
        order.sort_by_key(|at| (day[*at], both[*at], *at));
    } else {
        let source = groups(taken, |taken| &taken.source);
        order.sort_by_key(|at| (source[*at], Reverse(taken[*at].date), *at));
    }
    order
}

/// Where the group of each note stands: before which note, and which it begins with.
fn groups<'a, K: Hash + Eq>(
    taken: &'a [Taken],
    key: impl Fn(&'a Taken) -> K,
) -> Vec<(usize, Reverse<usize>)> {
    let mut groups: HashMap<K, (usize, Reverse<usize>)> = HashMap::new();
    for (at, taken) in taken.iter().enumerate() {
        groups.entry(key(taken)).or_insert((at, Reverse(at)));
    }
    let named: HashMap<&str, &Taken> =
        taken.iter().map(|taken| (taken.place.as_str(), taken)).collect();
    for older in taken {
        let newer = older.newer.as_ref().and_then(|newer| named.get(newer.as_str()));
        if let Some(newer) = newer.map(|newer| key(newer)).filter(|newer| *newer != key(older)) {
            let (before, _) = groups[&key(older)];
            groups.entry(newer).and_modify(|(at, _)| *at = (*at).min(before));
        }
    }
    taken.iter().map(|taken| groups[&key(taken)]).collect()
}
