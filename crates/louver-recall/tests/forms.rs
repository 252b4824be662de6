//! One thing is written in many ways, and is found by each of them.
#![allow(clippy::unwrap_used)]

use louver_recall::index::Index;
use louver_recall::note::Note;
use louver_recall::question::Question;
use louver_recall::rank::Parts;
use louver_recall::recall::find;

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
