//! A long note, cut to the sentences that matter.

use crate::choose::LONGEST_TOKEN;
use crate::embed::{Embeddings, Small};
use crate::question::Asked;
use crate::reading::MOST_BYTES;
use crate::sentences::{parts, sentences};
use crate::words;
use std::collections::HashSet;

/// A sentence of more bytes than this is cut where it is too long for the room. For a shorter one there is little room,
/// which is better spent on a note that fits.
const LONG_SENTENCE: usize = 600;
/// It is cut into pieces of so many bytes, at least and at most. A token has seldom fewer bytes than two, so that some
/// of them fit.
const SHORTEST_PIECE: usize = 60;
const LONGEST_PIECE: usize = 240;
const BYTES_A_TOKEN: usize = 2;
/// Where the best sentence says this share of the question's words, one that says none of them and has less than this part
/// of its meaning does not matter. A question that no sentence covers may be answered by any of them.
const COVERED: f32 = 0.5;
const FAR_OFF: f32 = 0.5;
/// Unless it is so near to one that is worth this part of the best.
const BESIDES: usize = 1;
const MUCH: f32 = 0.7;
/// A shorter stem is part of too many words.
const SHORTEST_STEM: usize = 3;
/// How much a piece matters for what is beside it.
const BESIDE: f32 = 0.9;

/// Whom a text is shortened for.
pub(crate) struct Shortening<'a, C> {
    pub(crate) asked: &'a Asked,
    pub(crate) table: &'a Embeddings<'a>,
    pub(crate) count: &'a C,
}

impl<C: Fn(&str) -> u32> Shortening<'_, C> {
    /// The best sentences for which there is room, in their order, with marks where something is missing.
    pub(crate) fn within(
        &self,
        mut room: u32,
        text: &str,
        fits: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let text = words::head(text, MOST_BYTES);
        let cuts = self.cuts(text, room);
        let mut kept = Vec::new();
        for at in self.order(text, &cuts) {
            let tokens = (self.count)(cuts[at].of(text)) + 1;
            if tokens <= room {
                room -= tokens;
                kept.push(at);
            } else if kept.len() > 2 {
                break;
            }
        }
        // Marks between them cost more than was thought where there are many pieces.
        while !kept.is_empty() {
            let mut in_order = kept.clone();
            in_order.sort_unstable();
            let short = joined(text, &cuts, &in_order);
            let is_whole = |at: &usize| !cuts[*at].is_piece;
            if fits(&short) || kept.iter().all(is_whole) {
                return Some(short);
            }
            kept.pop();
        }
        None
    }

    /// The sentences of a text. A long one that would not fit by itself is cut where words end.
    fn cuts(&self, text: &str, room: u32) -> Vec<Cut> {
        let piece = (BYTES_A_TOKEN * room as usize).clamp(SHORTEST_PIECE, LONGEST_PIECE);
        let mut cuts = Vec::new();
        for (from, to) in sentences(text) {
            let sentence = &text[from..to];
            // A token has a byte at least.
            let fits = sentence.len() <= LONG_SENTENCE || sentence.len() < room as usize || {
                sentence.len() / LONGEST_TOKEN as usize <= room as usize
                    && (self.count)(sentence) < room
            };
            if fits {
                cuts.push(Cut { from, to, is_piece: false });
                continue;
            }
            let pieces = parts(sentence, piece).into_iter();
            cuts.extend(pieces.map(|(a, b)| Cut { from: from + a, to: from + b, is_piece: true }));
        }
        cuts
    }

    /// Which sentences are kept as long as there is room, the best first. What says the same as another is there once, and
    /// what does not matter beside the best not at all.
    fn order(&self, text: &str, cuts: &[Cut]) -> Vec<usize> {
        let own: Vec<Matter> = cuts.iter().map(|cut| self.matters(cut.of(text))).collect();
        let worth = |at: usize| {
            // What a sentence goes on with is part of what it says.
            let beside = |other: usize| match cuts.get(other) {
                Some(cut) if cut.is_piece && cuts[at].is_piece => BESIDE * own[other].worth(),
                _ => 0.0,
            };
            own[at].worth().max(beside(at + 1)).max(at.checked_sub(1).map_or(0.0, beside))
        };
        let mut order: Vec<(usize, f32)> = (0..cuts.len()).map(|at| (at, worth(at))).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let Some(best) = order.first().map(|(at, _)| own[*at]) else { return Vec::new() };
        let near_one = |at: usize| {
            own[at.saturating_sub(BESIDES)..(at + 1 + BESIDES).min(own.len())]
                .iter()
                .any(|other| other.says_much(&best))
        };
        let mut said = HashSet::new();
        let order = order.into_iter().map(|(at, _)| at);
        order
            .filter(|at| own[*at].counts_beside(&best) || near_one(*at))
            .filter(|at| said.insert(cuts[*at].of(text).trim()))
            .collect()
    }

    fn matters(&self, sentence: &str) -> Matter {
        let near = Small::from(&self.table.embed(sentence)).dot(&self.asked.vector);
        let folded = words::fold(sentence);
        let terms = &self.asked.terms;
        let said = terms.iter().filter(|term| folded.contains(term.surface.as_str())).count();
        // In another form it is said all the same.
        let has = |form: &String| form.len() >= SHORTEST_STEM && folded.contains(form.as_str());
        let says = said > 0 || terms.iter().flat_map(|term| &term.forms).any(has);
        Matter { near, said: said as f32 / terms.len().max(1) as f32, says }
    }
}

/// How much a sentence matters to a question.
#[derive(Clone, Copy)]
struct Matter {
    /// How near it is by meaning.
    near: f32,
    /// The share of the question's words that it says.
    said: f32,
    /// Whether it says any of them, in whatever form.
    says: bool,
}

impl Matter {
    fn worth(&self) -> f32 {
        self.near + self.said
    }

    /// Whether it may matter where another is the best: unless that says most of what is asked for, and it says nothing
    /// of it and is far from it by meaning.
    fn counts_beside(&self, best: &Matter) -> bool {
        self.says || best.said < COVERED || self.near >= FAR_OFF * best.near
    }

    /// Whether what stands beside it is needed to understand it.
    fn says_much(&self, best: &Matter) -> bool {
        self.worth() >= MUCH * best.worth()
    }
}

/// A sentence of a text, or a piece of one.
struct Cut {
    from: usize,
    to: usize,
    /// Whether it is a piece of a sentence that is too long.
    is_piece: bool,
}

impl Cut {
    fn of<'t>(&self, text: &'t str) -> &'t str {
        &text[self.from..self.to]
    }
}

fn joined(text: &str, cuts: &[Cut], kept: &[usize]) -> String {
    let mut out = String::new();
    let mut next = 0;
    for at in kept {
        if *at != next {
            out.push_str(if out.is_empty() { "… " } else { " … " });
        }
        let sentence = cuts[*at].of(text);
        out.push_str(if *at == next && *at > 0 { sentence } else { sentence.trim_start() });
        next = at + 1;
        if kept.get(kept.iter().position(|k| k == at).unwrap_or(0) + 1) != Some(&next) {
            out.truncate(out.trim_end().len());
        }
    }
    if next < cuts.len() {
        out.push_str(" …");
    }
    out
}
