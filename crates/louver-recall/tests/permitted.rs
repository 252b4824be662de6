//! What may not be known is neither given nor named, however near it stands to what may.

use jiff::civil::date;
use louver_recall::choose::{Choice, WhyIn, WhyOut};
use louver_recall::index::Index;
use louver_recall::note::Note;
use louver_recall::question::Question;
use louver_recall::recall::recall;

const SAID: [&str; 8] = [
    "Which colour shall the kitchen be?",
    "Yes, the blue one.",
    "What does the roof cost?",
    "The roof costs 4,000 euros.",
    "The roof costs 5,200 euros now.",
    "The kitchen is to be blue, with a slate roof above it.",
    "Shall the door be green?",
    "Green, I think.",
];

/// So many notes of one session, one after the other.
fn index(notes: usize) -> Index {
    let mut index = Index::new();
    for (id, text) in (0..).zip(SAID.iter().cycle().take(notes)) {
        let at = Some(date(2026, 3, 1).at(9, id as i8, 0, 0));
        let (text, session) = ((*text).to_owned(), "s".to_owned());
        index.add(Note { id, text, session, at, ..Note::default() });
    }
    index
}

/// Every note that a choice speaks of.
fn named(choice: &Choice) -> Vec<u64> {
    let of_why = |why: &WhyIn| match why {
        WhyIn::Worth => None,
        WhyIn::Before(id) | WhyIn::Newer(id) => Some(*id),
    };
    let taken = choice.notes.iter().flat_map(|note| [Some(note.id), of_why(&note.why), note.newer]);
    let same = |why: WhyOut| if let WhyOut::Same(id) = why { Some(id) } else { None };
    let left = choice.left_out.iter().flat_map(|left| [Some(left.id), same(left.why)]);
    taken.chain(left).flatten().collect()
}

fn asked(index: &Index, question: &str, may: &dyn Fn(&Note) -> bool) -> Choice {
    let question = Question { text: question.to_owned(), now: None };
    recall(index, &question, 2_000, &|text| text.len().div_ceil(4) as u32, may)
}

#[test]
fn the_question_before_an_answer_is_not_given_to_whom_it_is_refused() {
    let choice = asked(&index(40), "Was it the blue one?", &|note| note.id % 2 == 1);
    assert!(!choice.notes.is_empty());
    assert!(named(&choice).iter().all(|id| id % 2 == 1), "{choice:?}");
}

#[test]
fn whatever_is_refused_is_neither_given_nor_named() {
    let index = index(SAID.len());
    for refused in 0..1u64 << SAID.len() {
        let may = |id: u64| refused >> id & 1 == 0;
        for question in SAID {
            let choice = asked(&index, question, &|note| may(note.id));
            assert!(named(&choice).into_iter().all(may), "{refused:b}, {question}: {choice:?}");
            assert!(refused > 0 || !choice.notes.is_empty(), "{question}");
        }
    }
}
