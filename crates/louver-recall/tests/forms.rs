//! One thing is written in many ways, and is found by each of them.
#![allow(clippy::unwrap_used)]

use louver_recall::index::Index;
use louver_recall::note::Note;
use louver_recall::question::Question;
use louver_recall::rank::Parts;
use louver_recall::recall::{find, recall};

/// How much of a question's words a note of these says outright, of one.
fn said(note: &str, question: &str) -> f32 {
    let others = ["The train leaves early.", "Dinner is in the oven.", "Anna paints the fence."];
    let mut index = Index::new();
    for (id, text) in (0..).zip(std::iter::once(note).chain(others)) {
        index.add(Note { id, text: text.into(), ..Note::default() });
    }
    let question = Question { text: question.into(), now: None };
    let found = find(&index, &question, &|_| true);
    let ranked = found.ranked.iter().find(|ranked| ranked.place == 0);
    ranked.map_or(0.0, |ranked| ranked.parts.passage / Parts::WEIGHTS.passage)
}

fn all_say(pairs: &[(&str, &str)]) {
    for (note, question) in pairs {
        assert!(said(note, question) > 0.99, "{note} | {question}: {}", said(note, question));
    }
}

fn none_says(pairs: &[(&str, &str)]) {
    for (note, question) in pairs {
        assert!(said(note, question) < 0.01, "{note} | {question}: {}", said(note, question));
    }
}

#[test]
fn words_that_people_write_for_one_another_are_one() {
    all_say(&[
        ("The WLAN is down", "wifi"),
        ("The wifi is down", "wlan"),
        ("The pw is heron-42", "password"),
        ("Das Passwort ist heron-42", "password"),
        ("Her bday is in May", "birthday"),
        ("Zahnarzt am 24. Februar um 8:20", "dentist"),
        ("The appts are on Fridays", "appointments"),
    ]);
    none_says(&[("The wifi is down", "mobile"), ("Dad is ill", "mum")]);
}

#[test]
fn joined_hyphenated_and_apart_are_one_word() {
    all_say(&[
        ("The Wi-Fi is down", "wifi"),
        ("The wifi is down", "Wi-Fi?"),
        ("The WiFi is down", "wi-fi"),
        ("The WiFi is down", "wifi"),
        ("Saw it on YouTube", "youtube"),
        ("Saw it on youtube", "YouTube"),
        ("Her e-mails are short", "email"),
        ("Her email is short", "the e-mails"),
        ("Our baby-sitter is ill", "babysitters"),
        ("Our babysitters are ill", "baby-sitter"),
        ("Our babysitter is ill", "baby sitters"),
        ("Our baby sitter is ill", "baby-sitter"),
        ("A new cooktop", "cook top"),
        ("A new cooktop", "cook-top"),
        ("A new cook-top", "cook top"),
        ("A new cook-top", "cooktop"),
        ("Forgot the login", "log in"),
        ("It is on my todo", "to-do"),
        ("Covid-19 again", "covid19"),
        ("Order UT-2026-0211-7731 shipped", "UT202602117731"),
        ("Order ut202602117731 shipped", "UT-2026-0211-7731"),
    ]);
    none_says(&[
        ("A new cooktop", "a laptop"),
        ("He stands apart", "a part"),
        ("It is 1020 metres", "10-20"),
        ("The rest is 20260305", "rooms 2026-03-05"),
    ]);
}

#[test]
fn letters_and_digits_that_were_set_apart_are_found_as_one() {
    all_say(&[
        ("The plate is QX41 BRN", "qx41brn"),
        ("The plate is QX41BRN", "qx41 brn"),
        ("Flight KL 1743 is late", "kl1743"),
    ]);
    none_says(&[("The plate is QX41", "qx41brn"), ("A brn and 3 others", "qx41brn")]);
}

#[test]
fn what_is_elided_is_no_part_of_a_word_in_whatever_language() {
    all_say(&[
        ("Il demande un acompte de 30 %", "l'acompte"),
        ("Il demande un acompte de 30 %", "combien d'acompte"),
        ("Il demande un acompte de 30 %", "d’acompte ?"),
        ("Mon écharpe verte est au gîte", "l'écharpe"),
        ("L'orologio è nel cassetto", "orologio"),
    ]);
}

#[test]
fn a_contraction_says_nothing_without_its_apostrophe_either() {
    all_say(&[
        ("The blue kayak was too heavy", "why didnt we have the kayak"),
        ("The blue kayak was too heavy", "whats a kayak"),
        ("The blue kayak was too heavy", "ive a kayak, wheres it"),
    ]);
}

#[test]
fn a_number_is_the_same_however_it_is_grouped() {
    all_say(&[
        ("The roof cost 1,865 euros", "1865"),
        ("The roof cost 1865 euros", "1,865"),
        ("The roof cost 1.865 euros", "1 865"),
        ("The roof cost 1 865 euros", "1.865"),
        ("He earns 64,000", "64000"),
        ("He earns 64000", "64,000"),
    ]);
    none_says(&[
        ("It takes 15 litres", "1.5"),
        ("The roof cost 1,865 euros", "18650"),
        ("Built in 1865", "1,866"),
    ]);
}

const SPELLINGS: [&str; 7] = [
    "06 55 10 93 82",
    "06-55109382",
    "+31 6 5510 9382",
    "+31655109382",
    "0655109382",
    "(06) 5510-9382",
    "06.55.10.93.82",
];

#[test]
fn a_telephone_number_is_the_same_however_it_is_grouped() {
    for note in SPELLINGS {
        let note = format!("Femke {note}");
        let pairs = SPELLINGS.map(|question| (note.as_str(), question));
        all_say(&pairs);
    }
    all_say(&[
        ("Pay to NL91 ABNA 0417 1643 00 please", "NL91ABNA0417164300"),
        ("Pay to NL91ABNA0417164300 please", "NL91 ABNA 0417 1643 00"),
    ]);
    none_says(&[
        ("Femke 0655109383", "0655109382"),
        ("Server 192.168.100.20", "19216810020"),
        ("Paid on 2026-03-05", "number 20260305"),
    ]);
}

#[test]
fn whose_number_it_is_is_found_among_many() {
    let mut notes: Vec<String> = (0..100u64)
        .map(|at| {
            let digits = 10_000_000 + (at * 7_654_321 + 1_234_567) % 89_999_999;
            let digits = digits.to_string();
            let (a, b, c, d) = (&digits[..2], &digits[2..4], &digits[4..6], &digits[6..]);
            match at % 4 {
                0 => format!("Contact number {at}: 06 {a} {b} {c} {d}"),
                1 => format!("Person{at} called me at 06-{digits} on Monday"),
                2 => format!("Who is at home? Neighbour {at}, +316{digits}"),
                _ => format!("The plumber's number is 06{digits}"),
            }
        })
        .collect();
    notes.push("Ingrid Solberg: 77 64 19 05".into());
    notes.push("Garage Bakker 06-24187735, closed on Mondays".into());
    notes.push("Femke de Wit: +31 6 5510 9382".into());
    let mut index = Index::new();
    for (id, text) in (0..).zip(&notes) {
        index.add(Note { id, text: text.clone(), ..Note::default() });
    }
    for (question, id) in [
        ("who is +4777641905", 100),
        ("whose number is 0624187735", 101),
        ("06 55 10 93 82 called me", 102),
    ] {
        let question = Question { text: question.into(), now: None };
        let count = |text: &str| text.len().div_ceil(4) as u32;
        let choice = recall(&index, &question, 512, &count, &|_| true);
        assert_eq!(choice.notes.first().map(|note| note.id), Some(id), "{}", question.text);
    }
}

#[test]
fn a_misspelt_word_that_no_note_says_is_the_nearest_that_one_does() {
    all_say(&[
        ("Ms Okonkwo is our teacher", "Okonkwoo"),
        ("Call Dr Raghunathan", "Raghunatan"),
        ("Call Dr Raghunathan", "ragunatan"),
        ("A hedgehog lives here", "hedghog"),
        ("A hedgehog lives here", "hdegehogs"),
        ("The dentist is nice", "dentits"),
    ]);
    none_says(&[
        // What is a word itself, what is too short, what begins otherwise, and what is too far.
        ("The house is cold", "horse"),
        ("Buy some milk", "mjlk"),
        ("Ms Okonkwo is our teacher", "Akonkwo"),
        ("The dentist is nice", "dnnits"),
    ]);
    // Whoever is said is not taken for another.
    let mut index = Index::new();
    index.add(Note { id: 0, text: "Ms Okonkwo is our teacher".into(), ..Note::default() });
    index.add(Note { id: 1, text: "Mr Okonkwoo is our plumber".into(), ..Note::default() });
    let question = Question { text: "Okonkwoo".into(), now: None };
    let found = find(&index, &question, &|_| true);
    let words = |place| found.ranked.iter().find(|one| one.place == place).unwrap().parts.words;
    assert!(words(0) == 0.0 && words(1) > 0.0);
}

#[test]
fn a_tag_is_its_word() {
    all_say(&[
        ("Booked the ferry #travel", "#travel"),
        ("Booked the ferry #travel", "travel"),
        ("Notes on travel by ferry", "#travel"),
        ("#travel Booked the ferry", "travel"),
        ("Booked the ferry #TravelPlans", "travelplans"),
        ("Booked the ferry #travel-plans", "#travelplans"),
        ("Booked the ferry #travel-plans", "travel plans"),
    ]);
    none_says(&[("Booked the ferry #travel", "#work")]);
}
