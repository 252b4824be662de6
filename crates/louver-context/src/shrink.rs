//! Making a layer smaller without leaving half a fact.
//!
//! Text is cut between units: a line, a list item with what is indented below it, a fenced block, a
//! sentence of a long line. What goes leaves a mark that says how much is missing and where to
//! read it. The original layer is never changed, so that the same target gives the same bytes.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::count::Counter;
use crate::layer::{Cut, Give, Layer, Piece};
use crate::ledger::{LeftOut, Reason};
use crate::snapshot::Fitting;
use crate::source::{Source, lines_in};
use crate::tokens::Tokens;
use crate::units::{Unit, units};

/// The layer in at most about `most` tokens, and what is no longer in it.
///
/// The result can be a little over when every unit that may go has gone; `fit` sees that on the
/// finished request.
pub fn shrink(
    layer: &Layer,
    most: Tokens,
    reason: &Reason,
    counter: &Counter,
) -> (Layer, Vec<LeftOut>) {
    let shrunk = match layer.give {
        Give::Never => (layer.clone(), Vec::new()),
        Give::Forms => match &layer.fitting {
            Some(fitting) => names_of_the_rest(layer, fitting, most, counter),
            None => shorter_forms(layer, most, counter),
        },
        Give::Pieces => fewer_pieces(layer, most, counter),
        Give::Oldest => newest_pieces(layer, most, counter),
        Give::Lines | Give::Sections => fewer_units(layer, most, counter),
    };
    let (layer, gone) = shrunk;
    let name = layer.name.clone();
    let left_out = |(source, tokens)| {
        let reason = reason.clone();
        LeftOut { layer: name.clone(), source, tokens, reason }
    };
    (layer, gone.into_iter().map(left_out).collect())
}

type Gone = Vec<(Source, Tokens)>;

/// Gives pieces their next shorter form, the most expensive one first, form by form.
fn shorter_forms(layer: &Layer, most: Tokens, counter: &Counter) -> (Layer, Gone) {
    let mut layer = layer.clone();
    let mut lost = vec![Tokens(0); layer.pieces.len()];
    let mut total: Tokens = layer.pieces.iter().map(|piece| counter.count(&piece.text)).sum();
    let forms = layer.pieces.iter().map(|piece| piece.shorter.len()).max().unwrap_or(0);
    for form in 0..forms {
        let mut order: Vec<(Reverse<Tokens>, usize)> = Vec::new();
        for (i, piece) in layer.pieces.iter().enumerate() {
            if piece.shorter.len() > form {
                order.push((Reverse(counter.count(&piece.text)), i));
            }
        }
        order.sort_unstable();
        for (Reverse(before), i) in order {
            if total <= most {
                break;
            }
            let piece = &mut layer.pieces[i];
            let text = piece.shorter[form].clone();
            let after = counter.count(&text);
            if after < before {
                lost[i] += before - after;
                total = total - before + after;
                piece.text = text;
            }
        }
    }
    let shorter = lost.into_iter().zip(&layer.pieces).filter(|(lost, _)| *lost > Tokens(0));
    let gone = shorter.map(|(lost, piece)| (piece.source.clone(), lost)).collect();
    (layer, gone)
}

/// Gives all pieces their shortest form, and then those that fit the conversation best the longest for which there is
/// room, one after the other: every name stays, and what is very long takes no room from what fits less.
fn names_of_the_rest(
    layer: &Layer,
    fitting: &Fitting,
    most: Tokens,
    counter: &Counter,
) -> (Layer, Gone) {
    let (mut layer, mut gone) = (layer.clone(), Gone::new());
    let mut total = names_alone(&layer, counter);
    let best_first: Vec<usize> = least_fitting_first(&layer, fitting).into_iter().rev().collect();
    for i in best_first {
        let piece = &mut layer.pieces[i];
        let (whole, least) = (counter.count(&piece.text), shortest(piece, counter));
        let has_room = |form: &Tokens| total - least + *form <= most;
        if least >= whole || has_room(&whole) {
            total = total - least + whole;
            continue;
        }
        let forms = piece.shorter.iter().map(|form| (counter.count(form), form));
        let form = forms.into_iter().find(|(tokens, _)| *tokens <= least || has_room(tokens));
        let Some((tokens, text)) = form.map(|(tokens, text)| (tokens, text.clone())) else {
            continue;
        };
        total = total - least + tokens;
        piece.text = text;
        gone.push((piece.source.clone(), whole - tokens));
    }
    (layer, gone)
}

/// The places of a layer's pieces, the one that fits the conversation least first.
fn least_fitting_first(layer: &Layer, fitting: &Fitting) -> Vec<usize> {
    let rank: HashMap<&str, usize> =
        fitting.skills.iter().enumerate().map(|(rank, name)| (&**name, rank)).collect();
    let rank = |piece: &Piece| match &piece.source {
        Source::Skill { name } => rank.get(&**name).copied(),
        _ => None,
    };
    let mut order: Vec<(usize, usize)> = (0..layer.pieces.len())
        .map(|i| (rank(&layer.pieces[i]).unwrap_or(usize::MAX), i))
        .collect();
    order.sort_unstable();
    order.into_iter().rev().map(|(_, i)| i).collect()
}

/// Leaves out the skills that fit least when the names of all would not fit into `most` tokens. Where they
/// stood, a mark says how many there are and how to see them.
pub(crate) fn fewer_names(layer: &mut Layer, fitting: &Fitting, most: Tokens, counter: &Counter) {
    let mut total = names_alone(layer, counter);
    if total <= most {
        return;
    }
    let order = least_fitting_first(layer, fitting);
    let is_skill = |i: &usize| matches!(layer.pieces[*i].source, Source::Skill { .. });
    let skills: Vec<usize> = order.into_iter().filter(is_skill).collect();
    total += counter.count(&more_skills(skills.len()));
    let mut unnamed = BTreeSet::new();
    for i in skills {
        if total <= most {
            break;
        }
        total = total - shortest(&layer.pieces[i], counter);
        unnamed.insert(i);
    }
    let Some(last) = layer.pieces.iter().rposition(|piece| !piece.shorter.is_empty()) else {
        return;
    };
    for (i, piece) in std::mem::take(&mut layer.pieces).into_iter().enumerate() {
        match unnamed.contains(&i) {
            true => layer.cut.push(Cut {
                source: piece.source,
                text: piece.text,
                reason: Reason::Cap(most),
            }),
            false => layer.pieces.push(piece),
        }
        if i == last {
            layer.add(Source::Marker, more_skills(unnamed.len()));
        }
    }
}

/// What a layer costs with every piece in its shortest form.
pub(crate) fn names_alone(layer: &Layer, counter: &Counter) -> Tokens {
    layer.pieces.iter().map(|piece| shortest(piece, counter)).sum()
}

fn shortest(piece: &Piece, counter: &Counter) -> Tokens {
    counter.count(piece.shorter.last().unwrap_or(&piece.text))
}

/// The mark for skills of which not even the names have room.
fn more_skills(count: usize) -> String {
    format!("\n[… {count} more skills have no room here: list the folder skills]")
}

/// Drops whole pieces from the end. Glue before the first and after the last piece stays while
/// any piece does.
fn fewer_pieces(layer: &Layer, most: Tokens, counter: &Counter) -> (Layer, Gone) {
    let mut layer = layer.clone();
    let mut gone = Gone::new();
    let mut total: Tokens = layer.pieces.iter().map(|piece| counter.count(&piece.text)).sum();
    while total > most {
        let last = layer.pieces.iter().rposition(is_own);
        let Some(last) = last else {
            layer.pieces.clear();
            break;
        };
        let piece = layer.pieces.remove(last);
        let tokens = counter.count(&piece.text);
        total = total - tokens;
        gone.push((piece.source, tokens));
    }
    if !layer.pieces.iter().any(is_own) {
        layer.pieces.clear();
    }
    gone.reverse();
    (layer, gone)
}

/// Drops whole pieces from the beginning, each with the glue after it, and says in one mark how many and where
/// to find them. The newest stays as long as any does.
fn newest_pieces(layer: &Layer, most: Tokens, counter: &Counter) -> (Layer, Gone) {
    let own: Vec<usize> = (0..layer.pieces.len()).filter(|i| is_own(&layer.pieces[*i])).collect();
    let whole = counter.count(&layer.text());
    let mut total = whole;
    let few = if whole > most { own.len() } else { 0 };
    for (count, i) in (1..=few).zip(&own) {
        total = total - counter.count(&layer.pieces[*i].text);
        let next = own.get(count).copied();
        // A draft is made only where it can be small enough.
        if total > most && next.is_some() {
            continue;
        }
        let (shrunk, gone) = without_oldest(layer, &own[..count], next, counter);
        let size = counter.count(&shrunk.text());
        if size < whole && (size <= most || next.is_none()) {
            return (shrunk, gone);
        }
    }
    (layer.clone(), Gone::new())
}

/// A layer without its oldest pieces. `next` is the first that stays.
fn without_oldest(
    layer: &Layer,
    oldest: &[usize],
    next: Option<usize>,
    counter: &Counter,
) -> (Layer, Gone) {
    let first = oldest.first().copied().unwrap_or(0);
    let texts = oldest.iter().map(|i| &layer.pieces[*i]);
    let tokens: Tokens = texts.clone().map(|piece| counter.count(&piece.text)).sum();
    let (count, s) = (oldest.len(), if oldest.len() == 1 { "y" } else { "ies" });
    let rest = layer.rest.as_deref().map_or(String::new(), |rest| format!(": {rest}"));
    let mark = format!("[… {count} older entr{s}, {tokens} tokens, left out here{rest}]");
    let mut shrunk = Layer { pieces: layer.pieces[..first].to_vec(), ..layer.clone() };
    shrunk.add(Source::Marker, mark);
    if let Some(next) = next {
        shrunk.glue("\n\n");
        shrunk.pieces.extend(layer.pieces[next..].iter().cloned());
    }
    let mut sources = texts.map(|piece| piece.source.clone());
    let source = match (sources.next(), sources.next_back()) {
        (Some(Source::Earlier { from, .. }), Some(Source::Earlier { to, .. })) => {
            Source::Earlier { from, to }
        }
        (first, _) => first.unwrap_or(Source::Glue),
    };
    (shrunk, vec![(source, tokens)])
}

/// Whether a piece is what the layer is about, and not what stands between and around that.
fn is_own(piece: &Piece) -> bool {
    !matches!(piece.source, Source::Glue | Source::Marker)
}

/// A piece that can lose units, and what is left of it.
struct Body {
    piece: usize,
    units: Vec<(Unit, Tokens)>,
    kept: Vec<bool>,
    tokens: Tokens,
    /// What a mark in it costs, near enough.
    mark: Tokens,
}

impl Body {
    fn new(index: usize, piece: &Piece, give: Give, counter: &Counter) -> Self {
        let units: Vec<(Unit, Tokens)> = units(&piece.text, give)
            .into_iter()
            .map(|unit| {
                let tokens = counter.count(&piece.text[unit.bytes.clone()]);
                (unit, tokens)
            })
            .collect();
        let tokens: Tokens = units.iter().map(|(_, tokens)| *tokens).sum();
        let kept = vec![true; units.len()];
        let mark = counter.count(&mark(&piece.source, tokens));
        Body { piece: index, units, kept, tokens, mark }
    }

    /// Drops the last unit that may go: text before headings. Says what that frees and by how much
    /// the number of gaps changes: each gap gets a mark, and gaps that meet share one.
    fn drop_last(&mut self) -> Option<(Tokens, i32)> {
        let live = |i: &usize| self.kept[*i];
        let text = (0..self.units.len()).rev().filter(live).find(|i| !self.units[*i].0.heading);
        let unit = text.or_else(|| (0..self.units.len()).rev().find(live))?;
        self.kept[unit] = false;
        self.tokens = self.tokens - self.units[unit].1;
        let gap = |i: Option<usize>| i.and_then(|i| self.kept.get(i)).is_some_and(|kept| !kept);
        let met = i32::from(gap(unit.checked_sub(1))) + i32::from(gap(Some(unit + 1)));
        Some((self.units[unit].1, 1 - met))
    }

    fn is_whole(&self) -> bool {
        self.kept.iter().all(|kept| *kept)
    }
}

/// Drops units from the end of whichever file is largest, until the layer is small enough.
fn fewer_units(layer: &Layer, most: Tokens, counter: &Counter) -> (Layer, Gone) {
    let mut total: Tokens = layer.pieces.iter().map(|piece| counter.count(&piece.text)).sum();
    let mut bodies: Vec<Body> = (0..)
        .zip(&layer.pieces)
        .filter(|(_, piece)| is_own(piece))
        .map(|(i, piece)| Body::new(i, piece, layer.give, counter))
        .collect();
    while total > most {
        let largest = bodies.iter_mut().max_by_key(|body| (body.tokens, Reverse(body.piece)));
        let Some(body) = largest.filter(|body| body.tokens > Tokens(0)) else { break };
        let Some((freed, gaps)) = body.drop_last() else { break };
        total = match gaps {
            1 => total + body.mark,
            gaps => total - Tokens(body.mark.0.saturating_mul(gaps.unsigned_abs())),
        } - freed;
    }
    rebuild(layer, &bodies, counter)
}

/// Puts the layer together again, with a mark for each stretch that went.
fn rebuild(layer: &Layer, bodies: &[Body], counter: &Counter) -> (Layer, Gone) {
    let mut shrunk = Layer { pieces: Vec::new(), ..layer.clone() };
    let mut gone = Gone::new();
    let mut bodies = bodies.iter().peekable();
    for (i, piece) in layer.pieces.iter().enumerate() {
        match bodies.next_if(|body| body.piece == i) {
            Some(body) if !body.is_whole() => {
                let (pieces, lost) = cut_piece(piece, body, counter);
                shrunk.pieces.extend(pieces);
                gone.extend(lost);
            }
            _ => shrunk.pieces.push(piece.clone()),
        }
    }
    (shrunk, gone)
}

/// What is left of a piece. A stretch stays where its mark would cost as much.
fn cut_piece(piece: &Piece, body: &Body, counter: &Counter) -> (Vec<Piece>, Gone) {
    let (mut left, mut gone) = (Vec::new(), Gone::new());
    let mut add = |source, text| left.push(Piece { text, source, shorter: Vec::new() });
    let mut units = &body.units[..];
    for run in body.kept.chunk_by(|a, b| a == b) {
        let (these, later) = units.split_at(run.len());
        units = later;
        let bytes = these[0].0.bytes.start..these[run.len() - 1].0.bytes.end;
        let source = lines_of(piece, &bytes);
        let tokens = these.iter().map(|(_, tokens)| *tokens).sum();
        let mark = mark(&source, tokens);
        if run[0] || tokens <= counter.count(&mark) {
            add(source, piece.text[bytes].to_owned().into());
        } else {
            add(Source::Marker, mark.into());
            gone.push((source, tokens));
        }
    }
    if gone.is_empty() {
        return (vec![piece.clone()], gone);
    }
    (left, gone)
}

/// The mark that stands where text went. It ends the line it is on.
fn mark(source: &Source, tokens: Tokens) -> String {
    match source {
        Source::File { path, from, to } if from == to => {
            format!("[… {tokens} tokens left out here: read {path}, line {from}]\n")
        }
        Source::File { path, from, to } => {
            format!("[… {tokens} tokens left out here: read {path}, lines {from} to {to}]\n")
        }
        source => format!("[… {tokens} tokens left out here: {source}]\n"),
    }
}

/// The source of some bytes of a piece: the lines they are on, when it came from a file.
fn lines_of(piece: &Piece, bytes: &Range<usize>) -> Source {
    match &piece.source {
        Source::File { path, from, .. } => {
            let first = from + newlines(&piece.text[..bytes.start]);
            let last = first + lines_in(&piece.text[bytes.clone()]).saturating_sub(1);
            Source::File { path: path.clone(), from: first, to: last }
        }
        source => source.clone(),
    }
}

fn newlines(text: &str) -> u32 {
    u32::try_from(text.bytes().filter(|byte| *byte == b'\n').count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::Counting;
    use crate::source::Place;

    #[test]
    fn skills_that_fit_the_conversation_keep_what_they_say() {
        let mut layer = Layer::new("skills", Place::Session, Give::Forms);
        for name in ["a", "b", "c"] {
            layer.pieces.push(Piece {
                text: format!("{name} says when to use it\n").into(),
                source: Source::Skill { name: name.into() },
                shorter: vec![format!("{name} in short\n").into(), format!("{name}\n").into()],
            });
        }
        let fitting = Fitting { skills: vec!["c".into(), "a".into()] };
        layer.fitting = Some(fitting.into());
        let counter = Counter::new(Counting::Words);
        let (shrunk, gone) = shrink(&layer, Tokens(13), &Reason::Room, &counter);
        let texts: Vec<&str> = shrunk.pieces.iter().map(|piece| &*piece.text).collect();
        assert_eq!(texts, ["a says when to use it\n", "b\n", "c says when to use it\n"]);
        assert_eq!(gone.len(), 1);
        let (shrunk, _) = shrink(&layer, Tokens(9), &Reason::Room, &counter);
        let texts: Vec<&str> = shrunk.pieces.iter().map(|piece| &*piece.text).collect();
        assert_eq!(texts, ["a\n", "b\n", "c says when to use it\n"]);
        let (shrunk, _) = shrink(&layer, Tokens(0), &Reason::Room, &counter);
        assert_eq!(shrunk.text(), "a\nb\nc\n");
        // What has no room whole is there in short, and takes none from what fits less.
        layer.pieces[2].text = "c says ".repeat(99).into();
        let (shrunk, _) = shrink(&layer, Tokens(10), &Reason::Room, &counter);
        let texts: Vec<&str> = shrunk.pieces.iter().map(|piece| &*piece.text).collect();
        assert_eq!(texts, ["a says when to use it\n", "b\n", "c in short\n"]);
    }

    #[test]
    fn skills_whose_names_have_no_room_are_counted() {
        let mut layer = Layer::new("skills", Place::Session, Give::Forms);
        layer.glue("Skills:");
        for name in 0..30 {
            layer.pieces.push(Piece {
                text: format!("\n{name} says when").into(),
                source: Source::Skill { name: name.to_string().into() },
                shorter: vec![format!("\n{name}").into()],
            });
        }
        layer.glue("\nthat is all");
        let fitting = Fitting { skills: vec!["25".into(), "7".into()] };
        let counter = Counter::new(Counting::Words);
        let mut all = layer.clone();
        fewer_names(&mut all, &fitting, Tokens(34), &counter);
        assert_eq!(all, layer, "every name has room");
        fewer_names(&mut layer, &fitting, Tokens(18), &counter);
        let mark = "[… 28 more skills have no room here: list the folder skills]";
        let wanted = format!("Skills:\n7 says when\n25 says when\n{mark}\nthat is all");
        assert_eq!(layer.text(), wanted);
        assert_eq!(layer.cut.len(), 28);
    }
}
