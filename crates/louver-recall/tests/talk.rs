//! What was asked and answered before, and messages that tell more than they ask.
#![allow(clippy::unwrap_used)]

use jiff::civil::date;
use louver_recall::choose::{Choice, WhyIn};
use louver_recall::index::Index;
use louver_recall::note::{Note, Voice};
use louver_recall::question::Question;
use louver_recall::recall::recall;

const TOLD: [&str; 24] = [
    "The boiler man came today, the pressure was at 0.4 bar and he topped it up.",
    "Our neighbours are renovating their kitchen and it is loud.",
    "I finished the book about the lighthouse, it was fine.",
    "My train was late again this morning.",
    "We moved to Lisbon last autumn because of Ana's job.",
    "The concert on Saturday was sold out.",
    "I bought a grey coat and two scarves.",
    "The dentist wants to see me again in March.",
    "Our cat has learned to open the pantry.",
    "Joana is getting married on 14 September.",
    "The quarterly report went out with a mistake in it.",
    "I drive a green Skoda Octavia.",
    "We had soup and bread at my mother's.",
    "The new printer at work does not print.",
    "I signed up for the half marathon.",
    "The plants on the balcony froze.",
    "My flight to Porto leaves at seven.",
    "The landlord's number is 555-0199.",
    "I am reading about the history of maps.",
    "The children want a tent for the garden.",
    "I take the bus when it rains.",
    "The museum was closed on Monday.",
    "My sister plays the cello in an orchestra.",
    "I changed the tyres before the winter.",
];

/// Notes of a person, and then a question to the agent with its answer.
fn index(question: &str, answer: &str) -> Index {
    let mut index = Index::new();
    let mut add = |text: String, voice: Voice, session: &str| {
        let who = if voice == Voice::Agent { "agent" } else { "user" }.into();
        let (id, session) = (index.len() as u64, session.into());
        // Two days lie between what is told, and nothing between a question and its answer.
        let at = date(2025, 1, 1).checked_add(jiff::Span::new().days(id as i64 / 2)).unwrap();
        index.add(Note { id, text, who, voice, session, at: Some(at.at(9, 0, 0, 0)) });
    };
    for (number, text) in TOLD.iter().cycle().take(240).enumerate() {
        let text = if number < TOLD.len() { (*text).into() } else { filler(number) };
        add(text, Voice::Person, &format!("told {number}"));
    }
    add(question.into(), Voice::Person, "talk");
    add(answer.into(), Voice::Agent, "talk");
    index
}

/// What has nothing to do with anything that is asked.
fn filler(number: usize) -> String {
    let who = ["Marta", "Rui", "Ines", "Paulo", "Clara", "Nuno", "Vera"][number % 7];
    let what = ["paid for lunch", "sent photos", "lost a glove", "called about the lease"];
    let place = ["the market", "the harbour", "the library", "the station", "the school"];
    format!("{who} {} near {}.", what[number % 4], place[number % 5])
}

fn chosen(index: &Index, text: &str) -> Choice {
    let now = Some(date(2025, 6, 2).at(12, 0, 0, 0));
    let count = |text: &str| text.len().div_ceil(4) as u32;
    recall(index, &Question { text: text.into(), now }, 2048, &count, &|_| true)
}

#[test]
fn what_was_answered_is_found_when_the_same_is_asked_again() {
    for (question, answer, again) in [
        (
            "How do I get red wine out of a wool carpet?",
            "Blot it, never rub. Cold water with a spoon of vinegar, then dab with a cloth.",
            "how do i get red wine out of the carpet",
        ),
        (
            "Which visa do I need for Kenya?",
            "None since 2024, but an eTA, at least three days before you fly.",
            "do i need a visa for kenya",
        ),
        (
            "What's a good way to descale a kettle?",
            "Half vinegar and half water, boil, leave it for an hour, rinse twice.",
            "descale kettle",
        ),
    ] {
        let choice = chosen(&index(question, answer), again);
        let texts: Vec<&str> = choice.notes.iter().map(|note| note.text.as_str()).collect();
        // The question comes along, for the answer does not say what it is about.
        assert_eq!(texts[..2], [question, answer], "{again}");
        assert!(matches!(choice.notes[0].why, WhyIn::Before(_)), "{again}");
        assert!(texts.len() <= 5, "{again}: {texts:?}");
    }
}

#[test]
fn what_was_told_since_an_answer_that_knew_nothing_comes_with_it() {
    let mut index =
        index("What is the code of my locker?", "I do not know the code of your locker.");
    let (id, at) = (index.len() as u64, Some(date(2025, 5, 30).at(9, 0, 0, 0)));
    let text = "My locker at the pool has the code 947 now.".to_owned();
    let session = "later".into();
    index.add(Note {
        id,
        text: text.clone(),
        who: "user".into(),
        voice: Voice::Person,
        session,
        at,
    });
    let choice = chosen(&index, "what's the code of my locker?");
    assert!(choice.notes.iter().any(|note| note.text == text), "{:?}", choice.notes);
}

/// Notes of a person, then a talk of three messages a minute apart.
fn talk(messages: [&str; 3]) -> Index {
    let mut index = index("Hello, are you there?", "Yes, what can I do for you?");
    for (minute, text) in (0..).zip(messages) {
        let voice = if minute == 1 { Voice::Agent } else { Voice::Person };
        let who = if minute == 1 { "agent" } else { "user" }.into();
        let at = Some(date(2025, 5, 30).at(9, minute, 0, 0));
        let (id, text) = (index.len() as u64, text.into());
        index.add(Note { id, text, who, voice, session: "later".into(), at });
    }
    index
}

#[test]
fn what_was_put_right_in_the_next_message_comes_with_it() {
    let (told, noted) = ("The optician is on Tuesday at nine.", "I have noted that.");
    for right in ["Sorry, actually it's Thursday.", "no wait, on Thursday", "I meant Thursday"] {
        let choice = chosen(&talk([told, noted, right]), "When do I have to go to the optician?");
        let texts: Vec<&str> = choice.notes.iter().map(|note| note.text.as_str()).collect();
        assert_eq!(texts[..2], [right, told], "{texts:?}");
        assert_eq!(choice.notes[1].newer, Some(choice.notes[0].id), "{right}");
    }
    // What was said in between is what is put right.
    let mut index = talk([told, noted, "I parked the car on level 3."]);
    let at = Some(date(2025, 5, 30).at(9, 3, 0, 0));
    let (id, text, who, session) =
        (index.len() as u64, "no wait, level 4".into(), "user".into(), "later".into());
    index.add(Note { id, text, who, voice: Voice::Person, session, at });
    let first = |question| {
        let choice = chosen(&index, question);
        (choice.notes[0].text.clone(), choice.notes.iter().any(|note| note.newer.is_some()))
    };
    assert_eq!(first("On which level is the car?"), ("no wait, level 4".to_owned(), true));
    assert_eq!(first("When do I have to go to the optician?").0, told);
    for besides in ["Sorry, gotta run", "Is it on Thursday?", "Actually, tell me a joke"] {
        let choice = chosen(&talk([told, noted, besides]), "When do I have to go to the optician?");
        assert_eq!(
            (choice.notes[0].text.as_str(), choice.notes[0].newer),
            (told, None),
            "{besides}"
        );
    }
}

#[test]
fn what_was_put_right_on_another_day_comes_with_it_for_three_days() {
    let (told, noted) = ("The optician is on Tuesday at nine.", "I have noted that.");
    let question = "When do I have to go to the optician?";
    let after = |hours: i64, right: &str| {
        let mut index = talk([told, noted, right]);
        let last = index.len() as u64 - 1;
        let mut note = index.get(last).unwrap().clone();
        note.at = note.at.unwrap().checked_add(jiff::Span::new().hours(hours)).ok();
        index.remove(last);
        index.add(note);
        let choice = chosen(&index, question);
        let first: Vec<String> =
            choice.notes.iter().take(2).map(|note| note.text.clone()).collect();
        first == [right, told] && choice.notes[1].newer == Some(choice.notes[0].id)
    };
    for right in ["Sorry, I meant Thursday.", "no wait, on Thursday", "oops, at ten, not nine"] {
        assert!(after(20, right) && after(70, right), "{right}");
        assert!(!after(80, right), "{right}");
    }
    // A day later one may begin so who goes on with something else.
    for besides in ["Actually, there is no milk.", "Sorry, it's me again.", "No, nothing new."] {
        assert!(!after(20, besides), "{besides}");
    }
}

#[test]
fn an_answer_to_another_question_is_not_taken_for_it() {
    let answer = "Half vinegar and half water, boil, leave it for an hour, rinse twice.";
    let index = index("What's a good way to descale a kettle?", answer);
    for other in ["what's a good way to get to Porto?", "where did we move to?"] {
        let choice = chosen(&index, other);
        assert!(choice.notes.first().is_none_or(|note| note.text != answer), "{other}");
    }
}

#[test]
fn what_a_message_tells_besides_takes_nothing_from_what_it_asks() {
    let index = index("Hello, are you there?", "Yes, what can I do for you?");
    let asks = "What did he say when somebody looked at the boiler pressure?";
    let tells = "Upstairs the radiators are lukewarm and it has been freezing since Thursday. \
        Everybody keeps complaining, and calling a technician at weekend rates is expensive. \
        Honestly I would rather wear jumpers than waste another afternoon haggling over invoices. \
        Perhaps an electric heater from some discount supermarket could bridge the worst nights.";
    let first = |text: &str| chosen(&index, text).notes.first().map(|note| note.text.clone());
    assert_eq!(first(asks).as_deref(), Some(TOLD[0]));
    assert_eq!(first(&format!("{tells} {asks}")).as_deref(), Some(TOLD[0]));
    // And what asks for nothing that is there still gets a note at the most.
    let elsewhere = "Black holes bend light a great deal. They say that nothing comes out of them. \
        Who was the first astronomer to observe one?";
    assert!(chosen(&index, elsewhere).tokens <= 100);
}

#[test]
fn a_question_before_or_after_what_was_pasted_finds_its_note() {
    let index = index("Hello, are you there?", "Yes, what can I do for you?");
    let pasted: String = (0..400)
        .map(|line| format!("2025-05-{:02} INFO worker {line} finished a batch\n", line % 28 + 1))
        .collect();
    assert!(pasted.len() > 15_000);
    let question = "What is the landlord's number?";
    for text in [format!("{question}\n{pasted}"), format!("My log says:\n{pasted}{question}")] {
        let choice = chosen(&index, &text);
        let first = choice.notes.first().map(|note| note.text.as_str());
        assert_eq!(first, Some("The landlord's number is 555-0199."));
    }
}

/// A diary of other things, and a few facts that somebody may ask for.
const DIARY: [&str; 24] = [
    "Hung the washing out in the morning and brought it in at noon because of the rain.",
    "The washing machine makes a grinding noise when it spins.",
    "Rain came through the skylight again, put a bucket under it.",
    "Our solicitor is Harriet Moss in Bridge Street.",
    "Cut the hedge and took the branches to the dump.",
    "Oskar lost a tooth.",
    "The library card is in the blue drawer.",
    "Our plumber is called Tobias Feld.",
    "Choir rehearsal is on Thursdays at seven.",
    "Planted beans in the garden, lovely weather.",
    "Took the train to Ghent and walked along the canals.",
    "Tried the new Korean restaurant, too loud.",
    "Cooked dumplings with Nadia.",
    "Emptied the rain barrel before the frost.",
    "The hen house needs a new latch.",
    "Paid the electricity bill.",
    "Had the chimney swept.",
    "The vet is Dr. Olsen, open until six.",
    "Nadia passed her driving test.",
    "Bought a ladder at the hardware shop.",
    "Ran along the river before work.",
    "The printer takes cartridge type 304.",
    "Finished the book about lighthouses.",
    "The new curtains are too short.",
];

fn diary() -> Index {
    let mut index = Index::new();
    for (id, text) in (0..).zip(DIARY) {
        let at = date(2025, 3, 1).checked_add(jiff::Span::new().days(id as i64)).unwrap();
        index.add(Note {
            id,
            text: text.into(),
            who: "diary".into(),
            voice: Voice::Other,
            session: format!("{at}.md"),
            at: Some(at.at(9, 0, 0, 0)),
        });
    }
    index
}

#[test]
fn what_a_message_asks_stands_before_what_it_tells() {
    let index = diary();
    for (text, wanted) in [
        ("I took the washing in because it rains. Which solicitor do we have?", "Our solicitor"),
        ("Oskar lost another tooth today and cried. where is the library card", "The library card"),
        (
            "The hedge is cut and the branches are at the dump. I am tired of all that now. Who is our plumber?",
            "Our plumber",
        ),
        (
            "Lovely weather for the garden, I planted beans. Can you tell me when the choir rehearses?",
            "Choir rehearsal",
        ),
        (
            "Just back from a run along the river. Which cartridge does the printer take?",
            "The printer",
        ),
    ] {
        let choice = chosen(&index, text);
        let first = choice.notes.first().map_or("", |note| note.text.as_str());
        assert!(first.starts_with(wanted), "{text}: {:#?}", choice.notes);
    }
}

#[test]
fn what_is_told_counts_where_the_question_is_about_it() {
    let index = diary();
    for (text, wanted) in [
        // It leans on it,
        (
            "Nadia is coming over on Saturday evening. What did we cook with her?",
            "Cooked dumplings",
        ),
        // asks for something to be done with it,
        ("Nadia and I want to cook something on Saturday. What could we make?", "Cooked dumplings"),
        // or is one question.
        ("Is that rain barrel in the garden of F. Moss or the one of the neighbours?", "Emptied"),
    ] {
        let choice = chosen(&index, text);
        let first = choice.notes.first().map_or("", |note| note.text.as_str());
        assert!(first.starts_with(wanted), "{text}: {:#?}", choice.notes);
    }
}

#[test]
fn what_was_asked_in_words_that_run_together_is_not_the_same_for_its_question_words() {
    let mut index = index("小雨现在在学什么?", "她在学游泳。");
    let asked = |index: &Index, text: &str| {
        let question = Question { text: text.into(), now: None };
        recall(index, &question, 512, &|text| text.len().div_ceil(4) as u32, &|_| true)
    };
    assert_eq!(asked(&index, "我领导叫什么?").notes, []);
    let learns = asked(&index, "小雨在学什么?");
    assert!(learns.notes.iter().any(|note| note.text == "她在学游泳。"), "{learns:#?}");
    index.add(Note { id: 99, text: "我的领导是陈立群。".into(), ..Note::default() });
    assert_eq!(asked(&index, "我领导叫什么?").notes[0].id, 99);
}
