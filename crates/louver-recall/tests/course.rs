//! Who asks how something went is told what each day had to say of it.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use jiff::civil::date;
use louver_recall::choose::Choice;
use louver_recall::index::Index;
use louver_recall::note::{Note, Voice};
use louver_recall::question::Question;
use louver_recall::recall::recall;

/// What was said of the bathroom, day by day: where things stand first, then the details. The last day has the most
/// to say.
const DAYS: [&[&str]; 4] = [
    &[
        "We decided to renovate the bathroom and asked two builders for offers.",
        "Which lamp goes with the bathroom mirror, the brass one?",
    ],
    &[
        "The old tiles of the bathroom are out, and the plumber found a leak in the wall.",
        "Does the leak in the bathroom go on the insurance?",
    ],
    &[
        "The leak is sealed and the new pipes for the bathroom are in.",
        "What grout suits a bathroom floor?",
    ],
    &[
        "The bathroom is tiled, only the shower screen is missing.",
        "I compared three shower screens for the bathroom, all of them too wide.",
        "The bathroom cabinet came with a broken door and goes back.",
        "I painted the bathroom ceiling twice.",
        "The silicone in the bathroom must dry for a day.",
        "The bathroom mirror hangs a bit too low for me.",
    ],
];

fn diary() -> Index {
    let mut index = Index::new();
    let mut id = 0;
    for (day, texts) in DAYS.iter().enumerate() {
        for (hour, text) in texts.iter().enumerate() {
            index.add(Note {
                id,
                text: (*text).into(),
                who: "user".into(),
                voice: Voice::Person,
                session: "cli:direct".into(),
                at: Some(date(2025, 5, 1 + 7 * day as i8).at(8 + 2 * hour as i8, 0, 0, 0)),
            });
            id += 1;
        }
    }
    index
}

fn ask(text: &str, budget: u32) -> Choice {
    let now = Some(date(2025, 6, 2).at(12, 0, 0, 0));
    let count = |text: &str| text.len().div_ceil(4) as u32;
    recall(&diary(), &Question { text: text.into(), now }, budget, &count, &|_| true)
}

/// Of how many days there is something among so many that count most.
fn days(choice: &Choice, most: usize) -> usize {
    let first = |day: usize| DAYS[..day].iter().map(|texts| texts.len() as u64).sum::<u64>();
    let day = |id: u64| (0..DAYS.len()).rfind(|day| first(*day) <= id);
    let best = choice.notes.iter().filter(|note| note.rank <= most);
    best.map(|note| day(note.id)).collect::<BTreeSet<_>>().len()
}

#[test]
fn the_course_of_something_has_all_its_days() {
    assert_eq!(days(&ask("Give me a summary of how my bathroom renovation went.", 400), 7), 4);
    assert_eq!(days(&ask("In what order did things happen in my bathroom renovation?", 400), 7), 4);
    assert!(days(&ask("What about my bathroom renovation?", 400), 5) < 4);
}

#[test]
fn who_asks_for_one_thing_is_given_that_however_late_it_came_up() {
    let choice = ask("How long must the silicone in the bathroom dry?", 400);
    assert!(choice.notes[0].text.contains("silicone"), "{:?}", choice.notes[0].text);
    assert!(choice.notes.iter().all(|note| note.parts.course == 0.0));
}
