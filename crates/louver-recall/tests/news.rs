//! Facts that changed, what is asked for as it is written, and what is said in scripts without blanks.
#![allow(clippy::unwrap_used)]

use jiff::civil::{Date, date};
use louver_recall::choose::{Choice, Chosen, WhyIn, WhyOut};
use louver_recall::index::Index;
use louver_recall::note::{Note, Voice};
use louver_recall::odds::Fits;
use louver_recall::question::Question;
use louver_recall::recall::recall;

const FIRST: Date = date(2025, 1, 6);

/// Each said a week after the one before it, in a session of its own.
fn weekly<'a>(texts: impl IntoIterator<Item = &'a str>) -> Index {
    let mut index = Index::new();
    for (text, week) in texts.into_iter().zip(0..) {
        let day = FIRST.checked_add(jiff::Span::new().weeks(week)).unwrap();
        index.add(Note {
            id: week as u64,
            text: text.into(),
            who: "user".into(),
            voice: Voice::Person,
            session: format!("s{week}"),
            at: Some(day.at(9, 0, 0, 0)),
        });
    }
    index
}

fn ask(index: &Index, text: &str, budget: u32) -> Choice {
    let now = Some(date(2026, 6, 2).at(12, 0, 0, 0));
    let count = |text: &str| text.len().div_ceil(4) as u32;
    recall(index, &Question { text: text.into(), now }, budget, &count, &|_| true)
}

fn texts(choice: &Choice) -> Vec<&str> {
    choice.notes.iter().map(|note| note.text.as_str()).collect()
}

#[test]
fn of_facts_of_few_words_the_newest_stands_first() {
    let index = weekly([
        "My favourite colour is green.",
        "I live in Hamburg.",
        "The team meeting is on Mondays.",
        "My favourite colour is orange.",
        "I moved, I live in Leipzig now.",
        "The team meeting is on Thursdays.",
    ]);
    for (question, newest, is_marked) in [
        ("What is my favourite colour?", "My favourite colour is orange.", true),
        ("Where do I live?", "I moved, I live in Leipzig now.", false),
        ("When is the team meeting?", "The team meeting is on Thursdays.", true),
    ] {
        let choice = ask(&index, question, 512);
        assert_eq!(texts(&choice)[0], newest, "{question}");
        assert_eq!(choice.notes[1].newer == Some(choice.notes[0].id), is_marked, "{question}");
    }
}

#[test]
fn what_ends_a_fact_stands_before_it_and_the_fact_is_marked() {
    let index = weekly([
        "I work at Siemens as an engineer.",
        "Anna is vegetarian.",
        "My sister lives in Graz.",
        "Bo is vegetarian.",
        "The lamp in the hall is broken.",
        "We watched a film about whales.",
        "I quit Siemens.",
        "Anna eats meat again.",
        "My sister moved to Linz.",
        "Anna is back in town again.",
    ]);
    for (question, newest, is_marked) in [
        ("Where do I work?", "I quit Siemens.", true),
        ("Is Anna vegetarian?", "Anna eats meat again.", true),
        ("Where does my sister live?", "My sister moved to Linz.", false),
    ] {
        let choice = ask(&index, question, 512);
        assert_eq!(texts(&choice)[0], newest, "{question}");
        assert_eq!(choice.notes[1].newer == Some(choice.notes[0].id), is_marked, "{question}");
    }
    let choice = ask(&index, "Is Bo vegetarian?", 512);
    assert_eq!((texts(&choice)[0], choice.notes[0].newer), ("Bo is vegetarian.", None));
}

#[test]
fn what_was_counted_on_a_day_is_no_older_for_what_was_on_another() {
    let index = weekly([
        "Ran 5 km along the river.",
        "My weight is 80 kg.",
        "Spent 42 euros on groceries.",
        "Ran 7 km along the river.",
        "Spent 38 euros on groceries.",
        "My weight is 78 kg.",
    ]);
    for question in [
        "How far did I run along the river?",
        "What did I spend on groceries?",
        "What is my weight?",
    ] {
        let choice = ask(&index, question, 512);
        let older = choice.notes.iter().filter(|note| note.newer.is_some());
        assert!(older.clone().all(|note| note.text == "My weight is 80 kg."), "{question}");
        assert!(older.count() == 1 || !question.contains("weight"), "{question}");
    }
}

#[test]
fn what_is_true_of_two_people_is_no_news() {
    let index = weekly(["Ada likes green tea.", "Bo likes black tea.", "The lamp is broken."]);
    let choice = ask(&index, "Who likes tea?", 512);
    assert_eq!(choice.notes.len(), 2);
    assert!(choice.notes.iter().all(|note| note.newer.is_none()), "{:?}", texts(&choice));
}

#[test]
fn what_is_true_of_two_things_is_no_news_wherever_they_are_named() {
    let index = weekly([
        "My son Leo is four years old.",
        "My son Max is six years old.",
        "The locker code of Petra is 4711.",
        "The locker code of Igor is 8812.",
        "The server alpha has the address 10.0.0.1.",
        "The server beta has the address 10.0.0.2.",
    ]);
    for question in ["How old are my sons?", "What are the locker codes?", "server addresses"] {
        let choice = ask(&index, question, 512);
        assert!(choice.notes.len() >= 2, "{question}: {choice:#?}");
        let marked = choice.notes.iter().filter(|note| note.newer.is_some());
        assert_eq!(marked.count(), 0, "{question}: {choice:#?}");
    }
}

#[test]
fn the_last_of_many_versions_is_in_however_small_the_budget() {
    let versions: Vec<String> =
        (1..=50).map(|week| format!("The budget for the roof is {week}00 euros.")).collect();
    let index = weekly(versions.iter().map(String::as_str));
    let choice = ask(&index, "What is the roof budget now?", 60);
    assert_eq!(texts(&choice)[0], "The budget for the roof is 5000 euros.");
}

#[test]
fn who_asks_for_a_time_is_not_given_what_was_so_at_another() {
    let index = weekly(
        ["The rent of the flat is 900 euros."]
            .into_iter()
            .chain(["We visited the glass museum."; 60])
            .chain(["The rent of the flat is 980 euros."]),
    );
    let choice = ask(&index, "What was the rent of the flat in January 2025?", 60);
    assert_eq!(texts(&choice)[0], "The rent of the flat is 900 euros.");
    let choice = ask(&index, "What did we do from 13 to 26 January 2025?", 512);
    assert_eq!(texts(&choice), ["We visited the glass museum."; 2]);
    assert!(choice.notes.iter().all(|note| note.newer.is_none()));
}

#[test]
fn what_two_people_say_word_for_word_is_given_once() {
    let mut index = weekly(["I take my coffee with oat milk and no sugar.", "It rained."]);
    for (id, who, text) in [
        (40, "assistant", "I take my coffee with oat milk and no sugar."),
        (41, "habits.md", "- I take my coffee with oat milk and no sugar"),
    ] {
        index.add(Note {
            id,
            text: text.into(),
            who: who.into(),
            voice: Voice::Other,
            session: who.into(),
            at: None,
        });
    }
    assert_eq!(ask(&index, "How do I take my coffee?", 512).notes.len(), 1);
}

#[test]
fn what_says_that_a_fact_changed_stands_before_it_whatever_else_differs() {
    let index = weekly([
        "The choir practice is on Mondays at 7.",
        "My locker number is 4410.",
        "Ida's recital is on 5 December.",
        "The window cleaner comes on Tuesday at 9.",
        "Our dentist is Dr Lund.",
        "The lamp in the hall is broken.",
        "We watched a film about whales.",
        "Choir practice has moved to Wednesdays at 8.",
        "I've got a new locker number, 7723.",
        "Ida's recital had to be put off to 12 December.",
        "Window cleaner cancelled, he comes on Friday at 11 instead. Told Bo, who will be in the house on that day and can \
         let him in, and asked for the bill to be sent by post as it was last time.",
        "The new dentist is Dr Holm.",
    ]);
    for (question, newest, is_marked) in [
        ("when is choir practice", "Choir practice has moved", true),
        ("What's my locker number?", "I've got a new locker number", true),
        ("when is ida's recital", "Ida's recital had to be put off", true),
        ("When does the window cleaner come?", "Window cleaner cancelled", true),
        ("who is our dentist", "The new dentist is Dr Holm.", true),
    ] {
        let choice = ask(&index, question, 512);
        let (first, second) = (&choice.notes[0], &choice.notes[1]);
        assert!(first.text.starts_with(newest), "{question}: {:?}", texts(&choice));
        assert_eq!(second.newer == Some(first.id), is_marked, "{question}: {:?}", texts(&choice));
        assert!(choice.notes[2..].iter().all(|note| note.newer.is_none()), "{question}");
    }
}

#[test]
fn what_changed_for_one_is_no_news_of_another_and_what_happened_is_not_undone() {
    let index = weekly([
        "Leo's teacher is Mrs Berg.",
        "Ran 5 km along the river.",
        "Max has a new teacher, Mr Falk.",
        "Ran 7 km along the river, now with the dog.",
    ]);
    for question in ["Who is Leo's teacher?", "How far did I run along the river?"] {
        let choice = ask(&index, question, 512);
        assert!(choice.notes.len() >= 2, "{question}: {choice:#?}");
        assert!(choice.notes.iter().all(|note| note.newer.is_none()), "{question}: {choice:#?}");
    }
    assert_eq!(texts(&ask(&index, "Who is Leo's teacher?", 512))[0], "Leo's teacher is Mrs Berg.");
}

#[test]
fn what_is_said_in_nearly_the_same_words_is_given_once_and_as_it_was_said_last() {
    let index = weekly([
        "Ada's birthday is on 3 May.",
        "We watched a film about whales.",
        "Ada's birthday: 3 May",
        "The lamp in the hall is broken.",
        "ada has her birthday on May 3",
        "Bo's birthday is on 3 May.",
        "Ran along the river.",
    ]);
    let choice = ask(&index, "Ada's birthday", 512);
    let ada = choice.notes.iter().filter(|note| note.text.to_lowercase().starts_with("ada"));
    assert_eq!(ada.map(|note| note.id).collect::<Vec<_>>(), [4], "{:?}", texts(&choice));
    let same = choice.left_out.iter().filter(|out| out.why == WhyOut::Same(4));
    assert_eq!(same.count(), 2, "{:#?}", choice.left_out);
    // Who asks when is given all of them.
    let choice = ask(&index, "When is Ada's birthday?", 512);
    assert!(texts(&choice).iter().filter(|text| text.contains("da")).count() >= 3, "{choice:#?}");
}

#[test]
fn notes_that_differ_in_a_number_a_name_or_a_not_are_not_the_same() {
    for (question, [one, two]) in [
        ("gate code", ["The gate code is 4412.", "Gate code: 4413"]),
        ("gate code", ["The gate code is 4412.", "The gate code is not 4412."]),
        ("who owes euros", ["Bo owes Ada 20 euros.", "Ada owes Bo 20 euros."]),
        ("locker", ["My locker is at the door.", "Her locker is at the door."]),
        ("keys", ["The car keys are in the drawer.", "The car keys are on the drawer."]),
    ] {
        let index = weekly([one, "We watched a film about whales.", two, "The lamp is broken."]);
        let choice = ask(&index, question, 512);
        for text in [one, two] {
            assert!(texts(&choice).contains(&text), "{text}: {:?}", texts(&choice));
        }
    }
}

#[test]
fn of_what_is_measured_alike_the_last_stands_first_and_nobody_elses() {
    let index = weekly([
        "I take 20 mg of lisinopril in the morning.",
        "We watched a film about whales.",
        "Oskar takes 5 mg of cetirizine.",
        "the doctor put me on 40 mg lisinopril",
        "Today Nadia was put on 10 mg cetirizine.",
        "I take the bus when it rains.",
        "The train takes an hour to the coast.",
        "The lamp in the hall is broken.",
    ]);
    for (question, first) in [
        ("what dose of lisinopril do I take", "the doctor put me on 40 mg lisinopril"),
        ("how much cetirizine does Oskar take", "Oskar takes 5 mg of cetirizine."),
    ] {
        let choice = ask(&index, question, 512);
        assert_eq!(texts(&choice)[0], first, "{question}: {:?}", texts(&choice));
    }
}

/// A diary: each day under a heading of its own, as its file has it.
fn diary<'a>(texts: impl IntoIterator<Item = &'a str>) -> Index {
    let mut index = Index::new();
    for (text, day) in texts.into_iter().zip(0..) {
        let at = FIRST.checked_add(jiff::Span::new().days(day)).unwrap();
        index.add(Note {
            id: day as u64,
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
fn what_a_diary_says_every_day_is_given_once_and_as_of_the_last() {
    let index = diary(
        ["Watered the roses.", "Bread for the roses stall sold out.", "The roses have mildew."]
            .into_iter()
            .chain(["Watered the roses.", "Long walk by the river."].repeat(12)),
    );
    let choice = ask(&index, "roses", 512);
    let watered = choice.notes.iter().filter(|note| note.text == "Watered the roses.");
    assert_eq!(watered.map(|note| note.id).collect::<Vec<_>>(), [25], "{:?}", texts(&choice));
    assert!(choice.notes.iter().all(|note| note.newer.is_none()));
    let same = choice.left_out.iter().filter(|out| out.why == WhyOut::Same(25));
    assert_eq!(same.count(), 12);
}

#[test]
fn who_asks_when_or_how_often_is_given_each_day_of_it_after_all_else() {
    let mut said = vec!["Watered the roses."; 12];
    said.extend(["The roses get water from the butt.", "Water for the roses is low."]);
    let index = diary(said);
    for question in ["How often did I water the roses?", "When did I water the roses?"] {
        let choice = ask(&index, question, 2048);
        assert_eq!(choice.notes.len(), 14, "{question}: {:?}", texts(&choice));
        let watered = choice.notes.iter().filter(|note| note.text == "Watered the roses.");
        assert!(watered.into_iter().all(|note| note.newer.is_none()), "{question}");
        let choice = ask(&index, question, 60);
        let other = choice.notes.iter().filter(|note| note.text != "Watered the roses.");
        assert_eq!(other.count(), 2, "{question}: {:?}", texts(&choice));
    }
}

#[test]
fn an_identifier_a_path_or_a_phrase_is_found_as_it_is_written() {
    let index = weekly([
        "fooBaz::bar_qux is owned by Bo.",
        "fooBar::baz_qux is owned by Ada.",
        "The foo bar baz qux are metasyntactic words.",
        "The log of Cy is at /srv/save/load/open.log now.",
        "The log of Dee is at /srv/load/save/open.log now.",
        "The worm was caught early by a bird, the catch of the day.",
        "He said the early bird catches the worm.",
        "C++ is her language.",
        "C# is his language.",
        "C is their language.",
    ]);
    for (asked, wanted) in [
        ("fooBar::baz_qux", "fooBar::baz_qux is owned by Ada."),
        ("who owns fooBaz::bar_qux?", "fooBaz::bar_qux is owned by Bo."),
        ("/srv/load/save/open.log", "The log of Dee is at /srv/load/save/open.log now."),
        (
            "whose log is /srv/save/load/open.log?",
            "The log of Cy is at /srv/save/load/open.log now.",
        ),
        ("\"the early bird catches the worm\"", "He said the early bird catches the worm."),
        ("C++", "C++ is her language."),
        ("whose language is C#?", "C# is his language."),
    ] {
        let choice = ask(&index, asked, 512);
        assert_eq!(texts(&choice).first(), Some(&wanted), "{asked}: {:?}", texts(&choice));
        if !asked.contains('?') {
            assert_eq!(choice.notes.len(), 1, "{asked}: {:?}", texts(&choice));
        }
    }
}

#[test]
fn a_short_identifier_and_a_word_with_its_number_stand_before_their_parts() {
    let index = weekly([
        "We renamed fooBar to parseLine in the importer.",
        "foo is a word, bar is another, foo bar foo bar.",
        "The foo of the bar is rusty, said the foo bar man.",
        "Ticket #812 was closed by Mara.",
        "The ticket for the 812 bus costs 3 euros, ticket ticket.",
        "812 people came to the ticket office.",
        "Ticket 813 needs a test.",
    ]);
    for (question, first) in [
        ("fooBar", "We renamed fooBar to parseLine in the importer."),
        ("where is fooBar?", "We renamed fooBar to parseLine in the importer."),
        ("ticket 812", "Ticket #812 was closed by Mara."),
        ("What about ticket 812?", "Ticket #812 was closed by Mara."),
    ] {
        assert_eq!(texts(&ask(&index, question, 512))[0], first, "{question}");
    }
}

#[test]
fn who_asks_what_is_open_is_given_all_of_it() {
    let errands = [
        "Book the van",
        "Cancel the lease",
        "Paint the shed",
        "Call the notary",
        "Order curtains",
        "Renew the passport",
        "Fix the gutter",
        "Send the parcel",
        "Water the olive tree",
        "Return the library books",
        "Buy a new kettle",
        "Write to Ada",
        "Pay the dentist",
        "Sharpen the knives",
        "Sort the photos",
    ];
    let mut index = Index::new();
    for (id, errand) in (0..).zip(errands) {
        for (id, mark) in [(id, ' '), (id + 100, 'x')] {
            let text = format!("- [{mark}] {errand}{}", if mark == 'x' { " again" } else { "" });
            let (who, session) = ("todo.md".into(), "todo.md".into());
            index.add(Note { id, text, who, voice: Voice::Other, session, at: None });
        }
    }
    for (question, first) in [("What is still open?", 0), ("What is finished?", 100)] {
        let mut ids: Vec<u64> =
            ask(&index, question, 2048).notes.iter().map(|note| note.id).collect();
        ids.sort_unstable();
        assert_eq!(ids, (first..first + 15).collect::<Vec<u64>>(), "{question}");
    }
}

#[test]
fn a_question_without_blanks_finds_its_note_and_not_all_others() {
    let mut notes = vec![
        "仓库的钥匙在邻居王阿姨那里。",
        "房租每月五号交给李先生。",
        "我爸爸下周三做眼睛手术。",
    ];
    notes.extend(
        ["小明喜欢在公园散步。", "老赵买了一辆新电动车。", "孙姐正在学弹吉他。"].repeat(60),
    );
    let index = weekly(notes.iter().copied());
    for (question, wanted) in [("钥匙在哪里", 0), ("房租什么时候交", 1), ("爸爸什么时候做手术", 2)]
    {
        let choice = ask(&index, question, 2048);
        assert_eq!(choice.notes.first().map(|note| note.id), Some(wanted), "{question}");
        assert!(choice.notes.len() < 5, "{question}: {}", choice.notes.len());
    }
    assert_eq!(ask(&index, "量子力学是什么", 2048).fits, Fits::No);
}

#[test]
fn what_is_otherwise_with_another_thing_or_at_another_hour_is_no_news() {
    let index = weekly([
        "The bike in the attic is broken again.",
        "The tap in the garage is broken again.",
    ]);
    let choice = ask(&index, "What is wrong with the bike?", 400);
    assert!(choice.notes[0].text.contains("bike"), "{:?}", texts(&choice));
    assert_eq!(choice.notes[0].newer, None);
    let index = weekly([
        "Omar's piano lesson is in the red house.",
        "Omar's piano lesson moved to 17:15.",
        "Omar likes football.",
    ]);
    let choice = ask(&index, "Where is Omar's piano lesson?", 400);
    assert!(choice.notes[0].text.contains("red house"), "{:?}", texts(&choice));
    assert_eq!(choice.notes[0].newer, None);
}

#[test]
fn who_asks_what_the_agent_said_does_not_ask_for_saying() {
    let mut index = weekly(["How do I say 'knee' in Italian?", "My knee hurts when I run."]);
    let mut say = |id: u64, text: &str| {
        let week = id - 10;
        let day = FIRST.checked_add(jiff::Span::new().weeks(week as i64)).unwrap();
        let (at, who, session) = (Some(day.at(9, 5, 0, 0)), "assistant".into(), format!("s{week}"));
        index.add(Note { id, text: text.into(), who, voice: Voice::Agent, session, at });
    };
    say(10, "You say 'ginocchio'.");
    say(11, "Rest it for a week and put ice on the knee.");
    for question in ["What did you say about the knee?", "What was your advice about the knee?"] {
        let choice = ask(&index, question, 400);
        let worth = choice.notes.iter().find(|note| note.why == WhyIn::Worth).unwrap();
        assert!(worth.text.contains("ice"), "{question}: {:?}", texts(&choice));
    }
}

#[test]
fn advice_comes_with_what_it_was_given_for() {
    let mut index = weekly(["I leave for Oslo on the ninth.", "The shed needs paint."]);
    let at = FIRST.at(9, 5, 0, 0);
    let text = "Book the early train, pack wool, and change the money beforehand.";
    let (who, session) = ("assistant".into(), "s0".into());
    index.add(Note { id: 10, text: text.into(), who, voice: Voice::Agent, session, at: Some(at) });
    let of = |question: &str| ask(&index, question, 400);
    let advised = of("What did you recommend about the train and the money?");
    let [told, advice] = [0, 1].map(|at| &advised.notes[at]);
    assert_eq!(
        (told.text.as_str(), advice.text.as_str()),
        ("I leave for Oslo on the ninth.", text)
    );
    assert_eq!((told.why, advice.why), (WhyIn::Before(10), WhyIn::Worth));
    // Who does not ask for what the agent said gets no more than what answers.
    let plain = of("When is the early train?");
    assert!(plain.notes.iter().all(|note| note.why == WhyIn::Worth), "{:?}", texts(&plain));
}

#[test]
fn a_fact_does_not_come_without_what_may_be_its_news() {
    for (older, newer, question) in [
        ("Nadia is my boss at Orbis.", "My new boss is Erik Holm.", "Who is my boss at Orbis?"),
        (
            "We picked the bathroom tiles, sage green from the shop in Graz.",
            "We changed our minds about the tiles, it will be the white ones.",
            "Which tiles did we take for the bathroom?",
        ),
    ] {
        let lamp = "The lamp in the hall is broken.";
        let choice = ask(&weekly([older, lamp, newer]), question, 2048);
        assert!(texts(&choice).contains(&newer), "{question}: {:?}", texts(&choice));
    }
    // It is not taken for the news of somebody else's.
    let index = weekly(["Nadia is the boss of Anna.", "My new boss is Erik Holm."]);
    let choice = ask(&index, "Who is the boss of Anna?", 2048);
    assert!(texts(&choice)[0].contains("Nadia") && choice.notes[0].newer.is_none());
}

#[test]
fn what_is_said_of_one_thing_in_the_same_way_is_news_wherever_it_is_or_whenever() {
    for (older, newer, question) in [
        (
            "The spare key is under the flower pot.",
            "The spare key is with the neighbours.",
            "where is the spare key?",
        ),
        ("Bins go out on Tuesdays.", "Bins go out on Fridays.", "when do the bins go out"),
        (
            "Anna's birthday party is at Luigi's.",
            "Anna's birthday party is at Marco's.",
            "where is Anna's birthday party?",
        ),
        (
            "Der Ersatzschlüssel liegt unter der Matte.",
            "Der Ersatzschlüssel liegt beim Nachbarn.",
            "Wo liegt der Ersatzschlüssel?",
        ),
        ("我的医生是王医生。", "我的医生是李医生。", "我的医生是谁？"),
    ] {
        let choice = ask(&weekly([older, newer]), question, 400);
        assert_eq!(texts(&choice), [newer, older], "{question}");
        assert_eq!(choice.notes[1].newer, Some(choice.notes[0].id), "{question}");
    }
}

#[test]
fn what_became_of_whom_the_best_note_names_comes_with_it() {
    let mut notes =
        vec!["babysitter: Lieke, 17, daughter of the couple upstairs. 18 francs an hour"];
    let other: Vec<String> = (0..60)
        .map(|n| {
            format!(
                "day {n}: paid {n} francs for the {} an hour ago",
                ["bread", "tram", "tea"][n % 3]
            )
        })
        .collect();
    notes.extend(other.iter().map(String::as_str));
    notes.push("lieke is back after summer but wants 22 now. fair, she survived emil");
    notes.push("lieke likes the blue cups");
    let choice = ask(&weekly(notes.clone()), "What's the hourly pay for the babysitter?", 300);
    let news = choice.notes.iter().find(|note| note.text.contains("22 now")).unwrap();
    assert_eq!(news.why, WhyIn::Newer(0), "{:?}", texts(&choice));
}

#[test]
fn two_things_that_are_true_of_one_are_no_news_of_each_other() {
    for (one, two, question) in [
        (
            "Choir practice is on Mondays.",
            "Choir practice is in the old school.",
            "Tell me about choir practice",
        ),
        (
            "Choir practice is on Mondays.",
            "For choir practice bring the blue folder.",
            "What do I bring to choir practice?",
        ),
        (
            "Anna's birthday party is at Luigi's.",
            "Anna's birthday party starts at noon.",
            "What about Anna's birthday party?",
        ),
        ("Leo's school is on Park Road.", "Leo's school has no pool.", "Where is Leo's school?"),
        (
            "Grandma's cake needs six eggs.",
            "Grandma's cake was a hit.",
            "What goes into grandma's cake?",
        ),
        (
            "The garden shed has a new lock.",
            "The garden shed needs paint.",
            "What's up with the garden shed?",
        ),
    ] {
        for notes in [[one, two], [two, one]] {
            let choice = ask(&weekly(notes), question, 400);
            assert_eq!(choice.notes.len(), 2, "{question}");
            assert!(choice.notes.iter().all(|note| note.newer.is_none()), "{question}: {notes:?}");
        }
    }
}

#[test]
fn who_asks_what_has_to_be_moved_does_not_ask_about_moving() {
    let index = weekly([
        "The boiler in the hall is a Vaillant.",
        "Jonas called: he moves to Leipzig in January, so the tyres have to leave his garage.",
        "Dentist appointment moved from Thursday to next Monday at 8:40.",
    ]);
    let choice = ask(&index, "Where are my winter wheels and do I need to move them?", 400);
    assert!(texts(&choice)[0].starts_with("Jonas"), "{:?}", texts(&choice));
    let is_news = |note: &Chosen| matches!(note.why, WhyIn::Newer(_));
    assert!(!choice.notes.iter().any(is_news), "{:?}", texts(&choice));
    let index = weekly(["We moved to Graz.", "We moved to Linz."]);
    assert_eq!(texts(&ask(&index, "Where did we move?", 400))[0], "We moved to Linz.");
}

#[test]
fn an_hour_or_a_weekday_tells_when_as_a_date_does() {
    let index = weekly([
        "The pharmacy moved in on 5 May 2025.",
        "Pharmacy at the town hall: 9:00 to 18:30.",
        "The bins go out on Tuesdays.",
        "Bought new bins on 3 March 2025.",
        "The lamp in the hall is broken.",
    ]);
    for (question, first) in [
        ("When is the pharmacy at the town hall open?", "Pharmacy at the town hall"),
        ("When do the bins go out?", "The bins go out"),
        ("When did we buy the bins?", "Bought new bins"),
    ] {
        let choice = ask(&index, question, 400);
        assert!(texts(&choice)[0].starts_with(first), "{question}: {:?}", texts(&choice));
        assert!(choice.notes[0].parts.wants > 0.0, "{question}");
    }
}

#[test]
fn among_few_notes_a_sure_answer_brings_little_else_though_it_does_not_have_all_words() {
    let told = "The optician is on Tuesday at nine.";
    let index = weekly([
        told,
        "I prefer answers as short lists.",
        "My sister Ada moved to Graz.",
        "The login fails when two people register at once.",
        "I parked the car on level 3.",
        "Our cat sleeps in the pantry.",
        "The bread needs ten more minutes.",
    ]);
    assert_eq!(texts(&ask(&index, "When do I have to go to the optician?", 2048)), [told]);
}

#[test]
fn where_a_number_is_asked_for_the_last_that_says_it_is_otherwise_stands_first() {
    let index = weekly([
        "Prices up by 8 percent as of today. Mug 32 now.",
        "The kiln was repaired on Tuesday.",
        "Orla starts at the new school.",
        "Prices again: mugs 34 from today, dinner plates 36, small bowls 22.",
    ]);
    let choice = ask(&index, "How much is a mug at the moment?", 512);
    let at = |begin: &str| texts(&choice).iter().position(|text| text.starts_with(begin));
    assert!(at("Prices again").unwrap() < at("Prices up").unwrap(), "{:?}", texts(&choice));
}

#[test]
fn another_of_its_kind_is_no_news_of_a_thing() {
    let (gym, reset) =
        ("gym locker code 4471", "locker code was reset after the break in, now 0925");
    let (office, alarm) = ("alarm code of the office is 2718#", "new alarm code from today: 3142#");
    let index = weekly([gym, "the kiln was repaired", reset, office, "rain all day", alarm]);
    let marked = |question: &str| {
        let choice = ask(&index, question, 512);
        let newer = |note: &Chosen| {
            let newer = choice.notes.iter().find(|other| Some(other.id) == note.newer);
            newer.map(|newer| (note.text.clone(), newer.text.clone()))
        };
        choice.notes.iter().filter_map(newer).collect::<Vec<_>>()
    };
    let pair = |older: &str, newer: &str| (older.to_owned(), newer.to_owned());
    assert_eq!(marked("gym locker code?"), [pair(gym, reset)]);
    let mut codes = marked("which codes do I have?");
    codes.sort();
    assert_eq!(codes, [pair(office, alarm), pair(gym, reset)]);
}

#[test]
fn what_is_over_is_so_of_what_its_sentence_names() {
    let index = weekly([
        "we got a cat!!! momo, 2 years, from the shelter",
        "tom moved out. it's over. he takes the sofa and i keep momo",
        "the kiln was repaired",
    ]);
    let choice = ask(&index, "does momo come from the shelter?", 512);
    assert!(choice.notes.iter().all(|note| note.newer.is_none()), "{choice:?}");
}

#[test]
fn what_the_agent_repeated_of_an_older_fact_is_as_old() {
    let mut index = Index::new();
    let texts = [
        (Voice::Person, "s1", "The team meeting is on Mondays."),
        (Voice::Agent, "s1", "Fine, I leave Mondays to the meeting with the team."),
        (Voice::Person, "s2", "The team meeting is on Thursdays."),
        (Voice::Agent, "s2", "No clash there."),
        (Voice::Person, "s3", "The roof leaks again."),
        (Voice::Agent, "s3", "Have it looked at before winter."),
    ];
    for ((voice, session, text), hour) in texts.into_iter().zip(0..) {
        let at = Some(FIRST.at(9 + hour, 0, 0, 0));
        let who = if voice == Voice::Agent { "agent" } else { "user" }.into();
        let (text, session) = (text.into(), session.into());
        index.add(Note { id: hour as u64, text, who, voice, session, at });
    }
    let choice = ask(&index, "When is the team meeting?", 512);
    let newer = |id: u64| choice.notes.iter().find(|note| note.id == id).map(|note| note.newer);
    assert_eq!(newer(0), Some(Some(2)), "{choice:#?}");
    assert_eq!(newer(1), Some(Some(2)), "{choice:#?}");
}

#[test]
fn another_value_takes_the_place_of_the_first_however_it_is_worded() {
    let index = weekly([
        "babysitter: Lieke, 17, daughter of the couple upstairs. 18 chf/h, cant do sundays",
        "key safe at mum's flat is 4417, need that somewhere that isn't the back of my hand",
        "Started the Welsh again, Tuesdays 6.30 on zoom with Rhodri. My aim is to talk in Bala",
        "We watched a film about whales with Lieke upstairs.",
        "mila's passport: X4471902, valid til 14 aug 2027",
        "The plumber was here about the tap in the flat.",
        "had to change the key safe bc the old carers had it, 2093 now",
        "lieke from upstairs is back after summer but wants 22/h now. fair, she survived emil",
        "Rhodri's changed the Welsh to Thursdays 7pm this term, cause he's got a baby now",
        "emils new passport arrived: X6630947, good until 27 may 2031",
    ]);
    for (question, newest) in [
        ("What's the hourly pay for the babysitter?", "lieke from"),
        ("locked out, what's the key safe code", "had to change"),
        ("what day and time's my Welsh class?", "Rhodri's changed"),
    ] {
        let choice = ask(&index, question, 512);
        assert!(texts(&choice)[0].starts_with(newest), "{question} {:#?}", texts(&choice));
        let older: Vec<_> = choice.notes.iter().filter(|note| note.newer.is_some()).collect();
        assert_eq!(older.len(), 1, "{question}");
        assert_eq!(older[0].newer, Some(choice.notes[0].id), "{question}");
    }
    // What was so is no older for what is so now, and one passport no older for another.
    for question in ["What did we pay the babysitter?", "Mila's passport number?"] {
        let choice = ask(&index, question, 512);
        assert!(choice.notes.iter().all(|note| note.newer.is_none()), "{question}");
    }
}

#[test]
fn another_value_of_somebody_else_is_no_news() {
    let index = weekly([
        "Ben is on 20 mg ritalin",
        "the garage in Linz is 90 euros a month",
        "swim class for Mia is mondays 17:00",
        "the train to Graz leaves at 7:12",
        "ran 5 km along the river on monday",
        "Mia now takes 10 mg ritalin too",
        "the garage in Wels costs 70 euros a month now",
        "swim class for Ben is now on tuesdays 16:00",
        "the train to Vienna leaves at 8:40 now",
        "ran 7 km along the river again on friday",
    ]);
    for (question, first) in [
        ("How much ritalin does Ben take?", "Ben is on"),
        ("What does the garage in Linz cost?", "the garage in Linz"),
        ("when is mia's swim class?", "swim class for Mia"),
        ("when does the train to Graz leave?", "the train to Graz"),
        ("How many km do I run along the river?", "ran 7 km"),
    ] {
        let choice = ask(&index, question, 512);
        assert!(texts(&choice)[0].starts_with(first), "{question} {:#?}", texts(&choice));
        assert!(choice.notes.iter().all(|note| note.newer.is_none()), "{question}");
    }
}

#[test]
fn two_questions_in_one_message_are_no_news_either() {
    let index = weekly([
        "alarm code of the cabin: 7719",
        "changed the cabin alarm code, 3302 from today",
        "what's the alarm code of the cabin now, and when do I fly?",
        "The lamp in the hall is broken.",
    ]);
    let choice = ask(&index, "What's the alarm code of the cabin?", 512);
    let given = ["changed the cabin alarm code, 3302 from today", "alarm code of the cabin: 7719"];
    assert_eq!(texts(&choice), given);
    assert_eq!(choice.notes[1].newer, Some(choice.notes[0].id));
}
