//! Texts of every shape, and where they are cut.

use super::*;

#[test]
fn a_text_is_cut_under_its_headings() {
    let text = "# House\n\nThe key is\nat Ada's.\n\n## Garden\n- water it\n  daily\n- mow\n\n```\na\n\nb\n```\n";
    let cut: Vec<(u32, String, String)> = paragraphs(text)
        .into_iter()
        .map(|stretch| (stretch.line, stretch.under, stretch.text.to_owned()))
        .collect();
    let expected = [
        (3, "House", "The key is\nat Ada's."),
        (7, "House › Garden", "- water it\n  daily"),
        (9, "House › Garden", "- mow"),
        (11, "House › Garden", "```\na\n\nb\n```"),
    ];
    let expected: Vec<(u32, String, String)> = expected
        .into_iter()
        .map(|(line, under, text)| (line, under.to_owned(), text.to_owned()))
        .collect();
    assert_eq!(cut, expected);
}

fn cut(text: &str) -> Vec<(u32, String, &str)> {
    let cut = paragraphs(text).into_iter();
    cut.map(|stretch| (stretch.line, stretch.under, stretch.text)).collect()
}

#[test]
fn a_heading_with_nothing_below_it_says_something_itself() {
    let text = "# Plans\n## Dentist on 4 June\n\n## Garden\nmow\n## Vet\n### Cat\n# Done\n";
    let expected = [
        (2, "Plans".to_owned(), "Dentist on 4 June"),
        (5, "Plans › Garden".to_owned(), "mow"),
        (7, "Plans › Vet".to_owned(), "Cat"),
        (8, String::new(), "Done"),
    ];
    assert_eq!(cut(text), expected);
}

#[test]
fn a_fence_ends_where_one_like_it_does() {
    let text = "````md\n```\ncode\n\n~~~\n````\n\nAfter.\n\n~~~\n```\n\n~~~\n\nLast.\n";
    let texts: Vec<&str> = paragraphs(text).iter().map(|stretch| stretch.text).collect();
    let blocks = ["````md\n```\ncode\n\n~~~\n````", "~~~\n```\n\n~~~"];
    assert_eq!(texts, [blocks[0], "After.", blocks[1], "Last."]);
    // One that never ends does not keep the rest of a file together.
    let text = format!("```\n{}", "a paragraph of a long text\n\n".repeat(1_000));
    assert!(paragraphs(&text).iter().all(|stretch| stretch.text.len() < 8_100));
}

#[test]
fn the_rows_of_a_long_table_stand_under_the_names_of_its_columns() {
    let table = |rows: usize| -> String {
        let rows = (0..rows).map(|n| format!("| 2025-03-{n:02} | {n}1 | {n}2 |\n"));
        format!(
            "# Meter\n\n| Day | Gas | Sun |\n|---|--:|:-:|\n{}\nAfter.\n",
            rows.collect::<String>()
        )
    };
    let text = table(99);
    let long = cut(&text);
    assert_eq!(long.len(), 100);
    assert_eq!(long[41], (46, "Meter › Day | Gas | Sun".to_owned(), "| 2025-03-41 | 411 | 412 |"));
    assert_eq!(long[99], (105, "Meter".to_owned(), "After."));
    assert_eq!(cut(&table(9)).len(), 2);
    // A bar at its beginning makes no table.
    assert!(cut(&"| a line that is not of a table\n".repeat(40)).len() == 1);
}

#[test]
fn code_in_a_line_and_code_that_is_indented_begin_nothing() {
    let text = "```ls -la```\n\nRun it.\n\n    # install\n    make\n\n   # Use\nit\n";
    let expected = [
        (1, String::new(), "```ls -la```"),
        (3, String::new(), "Run it."),
        (5, String::new(), "    # install\n    make"),
        (9, "Use".to_owned(), "it"),
    ];
    assert_eq!(cut(text), expected);
}

#[test]
fn a_long_list_is_cut_where_its_items_begin() {
    let item = |n: usize| format!("- item {n} of a list that goes on\n  and has a second line\n");
    let text: String = (0..80).map(item).collect();
    let expected: Vec<String> = (0..80).map(|n| item(n).trim_end().to_owned()).collect();
    let texts: Vec<&str> = paragraphs(&text).iter().map(|stretch| stretch.text).collect();
    assert_eq!(texts, expected);
    // An item without an end is cut like a paragraph, and what follows is a list still.
    let text = format!("- a\n- b\n{}- c\n- d\n", "  and more of it\n".repeat(300));
    let cut = paragraphs(&text);
    assert!(cut.iter().all(|stretch| stretch.text.len() < 2_200), "{cut:?}");
    let ends = [cut[0].text, cut[cut.len() - 2].text, cut[cut.len() - 1].text];
    assert_eq!(ends, ["- a", "- c", "- d"]);
}

#[test]
fn the_items_of_a_list_stand_under_the_line_that_leads_to_them() {
    let text = "# Home\nShopping:\n- milk\n- eggs\n\nWe were late.\nWe bought:\n1. nails\n2. glue\n\n\
                No end\n- a\n- b\n";
    let expected = [
        (3, "Home › Shopping", "- milk"),
        (4, "Home › Shopping", "- eggs"),
        (6, "Home", "We were late.\nWe bought:"),
        (8, "Home › We bought", "1. nails"),
        (9, "Home › We bought", "2. glue"),
        (11, "Home", "No end"),
        (12, "Home", "- a"),
        (13, "Home", "- b"),
    ];
    let expected = expected.map(|(line, under, text)| (line, under.to_owned(), text));
    assert_eq!(cut(text), expected);
    let text = "Shopping:\n\n- milk\n\n- eggs\n\nAfter.\n\n**For the trip:**\n* tent\n* stove\n\nSo:\n\nThus.\n";
    let expected = [
        (3, "Shopping", "- milk"),
        (5, "Shopping", "- eggs"),
        (7, "", "After."),
        (10, "For the trip", "* tent"),
        (11, "For the trip", "* stove"),
        (13, "", "So:"),
        (15, "", "Thus."),
    ];
    assert_eq!(cut(text), expected.map(|(line, under, text)| (line, under.to_owned(), text)));
    // A number that a line was wrapped at begins no list, nor does what is in a block.
    for whole in
        ["They met in\n1945. In\n1946. they left.", "So:\n```yaml\n- a\n- b\n```", "Milk:\n- two"]
    {
        assert_eq!(cut(whole), [(1, String::new(), whole)]);
    }
}

#[test]
fn a_long_heading_is_not_copied_whole_for_each_item() {
    let long = "é".repeat(13_000);
    let columns = &long[..1_000];
    let text = format!("# {long}\n- a\n- b\n\n| {columns} |\n|---|\n| c |\n");
    let cut = cut(&text);
    let unders: Vec<usize> = cut.iter().map(|(_, under, _)| under.len()).collect();
    assert_eq!(unders, [0, 200, 200, 200 + " › ".len() + 200]);
    assert_eq!((cut[0].2, cut[3].2), (&*long, "| c |"));
}

#[test]
fn a_wall_of_lines_is_cut_all_the_same() {
    let text = "a line of a wall without an end\n".repeat(200);
    let cut = paragraphs(&text);
    assert!(cut.len() > 2 && cut.iter().all(|stretch| stretch.text.len() < 2_200));
    assert_eq!(cut[1].line, 64);
    assert!(paragraphs("").is_empty() && paragraphs("\n \n").is_empty());
}

fn cut_of(text: &str, format: Format) -> Vec<(u32, String, &str)> {
    let cut = paragraphs_of(text, format).into_iter();
    cut.map(|stretch| (stretch.line, stretch.under, stretch.text)).collect()
}

#[test]
fn a_line_with_a_line_below_it_is_a_heading() {
    let text = "House\n=====\n\nThe key is here.\n\nGarden\n---\n- mow\n- water\n\nIt rained.\n---\n\nDone\n----\n";
    let expected = [
        (4, "House", "The key is here."),
        (8, "House › Garden", "- mow"),
        (9, "House › Garden", "- water"),
        (11, "House › Garden", "It rained.\n---"),
        (14, "House", "Done"),
    ];
    assert_eq!(cut(text), expected.map(|(line, under, text)| (line, under.to_owned(), text)));
    // A ruler ends a paragraph, a table or an item, and is no heading of its own.
    for whole in ["two lines\nof text\n----", "- a\n---", "---\nIt rained all day.\n---\nAfter."] {
        assert_eq!(cut(whole), [(1, String::new(), whole)]);
    }
    // Whoever has such a line in memory may mean what it says.
    assert!(!paragraphs("gate code 1234\n---\n")[0].heading);
    assert!(paragraphs("Open\n====\n")[0].heading);
}

#[test]
fn org_has_stars_before_its_headings() {
    let text = "#+TITLE: Notes\n\n* House\nThe key is here.\n** Garden :green:\n- mow\n- water\n# a comment\n\n\
                #+BEGIN_SRC sh\n* no heading\n\nls\n#+END_SRC\n* Done\n";
    let expected = [
        (1, "", "#+TITLE: Notes"),
        (4, "House", "The key is here."),
        (6, "House › Garden :green:", "- mow"),
        (7, "House › Garden :green:", "- water\n# a comment"),
        (10, "House › Garden :green:", "#+BEGIN_SRC sh\n* no heading\n\nls\n#+END_SRC"),
        (15, "", "Done"),
    ];
    let expected = expected.map(|(line, under, text)| (line, under.to_owned(), text));
    assert_eq!(cut_of(text, Format::Org), expected);
    // In Markdown the same stars are items.
    assert_eq!(cut("* a\n* b\n").len(), 2);
}

#[test]
fn the_headings_of_rst_are_as_deep_as_they_come() {
    let text = "=====\nHouse\n=====\n\nThe key is here.\n\nGarden\n~~~~~~\n\nmow\n\nBeds\n^^^^\nroses\n\nGarage\n~~~~~~\ncar\n\n\
                Too short\n---\nno heading\n";
    let expected = [
        (5, "House", "The key is here."),
        (10, "House › Garden", "mow"),
        (14, "House › Garden › Beds", "roses"),
        (18, "House › Garage", "car"),
        (20, "House › Garage", "Too short\n---\nno heading"),
    ];
    let expected = expected.map(|(line, under, text)| (line, under.to_owned(), text));
    assert_eq!(cut_of(text, Format::Rst), expected);
}

#[test]
fn items_may_be_indented_and_have_a_tab() {
    let text = "Shopping:\n  - milk\n  - eggs\n    two dozen\n\n-\tone\n-\ttwo\n\nTools:\n\t* saw\n\t* axe\n";
    let expected = [
        (2, "Shopping", "- milk"),
        (3, "Shopping", "- eggs\n    two dozen"),
        (6, "Shopping", "-\tone"),
        (7, "Shopping", "-\ttwo"),
        (10, "Tools", "* saw"),
        (11, "Tools", "* axe"),
    ];
    assert_eq!(cut(text), expected.map(|(line, under, text)| (line, under.to_owned(), text)));
}

#[test]
fn the_items_of_a_long_item_stand_under_its_first_line() {
    let below = |n: usize| format!("  - thing {n} that we take along\n    and why\n");
    let things: String = (0..80).map(below).collect();
    let text = format!("# Trip\n- Packing:\n{things}\n  - thing 80\n- Rome\n  - short\n");
    let cut = cut(&text);
    assert_eq!(cut.len(), 82);
    let under = "Trip › Packing".to_owned();
    assert_eq!(cut[41], (85, under.clone(), "- thing 41 that we take along\n    and why"));
    assert_eq!(cut[80], (164, under, "- thing 80"));
    assert_eq!(cut[81], (165, "Trip".to_owned(), "- Rome\n  - short"));
    // What the item says itself is not lost, however deep it is.
    let deep = format!("- Packing list\n  for Rome\n  1. Bag\n{}", things.replace("  ", "     "));
    let cut = self::cut(&deep);
    assert_eq!(cut[0], (1, String::new(), "- Packing list\n  for Rome"));
    assert_eq!((cut[1].2, cut[2].1.as_str(), cut.len()), ("1. Bag", "Packing list › Bag", 82));
    let steps: String = (0..300).map(|n| format!("{}- {n} a step\n", "  ".repeat(n))).collect();
    assert!(paragraphs(&steps).iter().all(|stretch| stretch.under.len() < 200));
}

#[test]
fn a_paragraph_that_is_indented_below_an_item_is_part_of_it() {
    let text = "# Trip\n\n- Day one in Porto\n\n  We ate sardines.\n\n  ```\n  x\n\n  y\n  ```\n\n- Day two\n\nHome again.\n";
    let first = "- Day one in Porto\n\n  We ate sardines.\n\n  ```\n  x\n\n  y\n  ```";
    let trip = || "Trip".to_owned();
    assert_eq!(
        cut(text),
        [(3, trip(), first), (13, trip(), "- Day two"), (15, trip(), "Home again.")]
    );
    // In a long item each is its own, also where it is the only one.
    let long = format!("  {}\n\n", "We ate sardines at the quay. ".repeat(50).trim_end());
    for (rest, more) in [("", 0), ("- Day two\n", 1)] {
        let text = format!("# Trip\n- Day one:\n  at last\n\n{long}{long}{rest}");
        let cut = cut(&text);
        assert_eq!(cut.len(), 3 + more);
        assert_eq!(cut[0], (2, trip(), "- Day one:\n  at last"));
        assert_eq!(cut[1], (5, "Trip › Day one".to_owned(), long.trim_end()));
        assert_eq!(cut[2], (7, "Trip › Day one".to_owned(), long.trim_end()));
    }
}

#[test]
fn tasks_in_an_item_are_notes_of_their_own() {
    let text = "# Move\n\n- [x] Cancel the lease\n  - [ ] Send the keys back\n  - [x] Call\n- Van\n  - large\n";
    let move_done = "Move › [x] Cancel the lease";
    assert_eq!(
        cut(text),
        [
            (3, "Move".into(), "- [x] Cancel the lease"),
            (4, move_done.into(), "- [ ] Send the keys back"),
            (5, move_done.into(), "- [x] Call"),
            (6, "Move".into(), "- Van\n  - large"),
        ]
    );
    assert_eq!(cut("- [x] One\n  - [ ] Two\n").len(), 2);
}

#[test]
fn headings_of_org_that_are_tasks_are_notes_of_their_own() {
    let text = "* TODO Write the report\nTen pages.\n* DONE Order it\n** Ideas\nNone.\n";
    let found: Vec<_> = cut_of(text, Format::Org).into_iter().map(|(_, _, text)| text).collect();
    assert_eq!(found, ["TODO Write the report", "Ten pages.", "DONE Order it", "None."]);
}

#[test]
fn a_table_needs_no_bars_around_it() {
    let rows: String = (0..99).map(|n| format!("2025-03-{n:02} | {n}1\n")).collect();
    for (dashes, names) in [("--- | ---", "Day | Gas"), ("|---+---|", "| Day | Gas |")] {
        let text = format!("{names}\n{dashes}\n{rows}");
        let cut = cut(&text);
        assert_eq!(cut.len(), 99);
        assert_eq!(cut[41], (44, "Day | Gas".to_owned(), "2025-03-41 | 411"));
    }
}

/// A text as an editor wraps it.
fn wrapped(text: &str, column: usize) -> String {
    let (mut out, mut wide) = (String::new(), 0);
    for word in text.split(' ') {
        let long = word.chars().count();
        let fits = wide > 0 && wide + 1 + long <= column;
        out.push_str(if fits { " " } else { "\n" });
        out.push_str(word);
        wide = if fits { wide + 1 + long } else { long };
    }
    out.split_off(1)
}

#[test]
fn a_paragraph_is_one_wherever_it_is_wrapped() {
    let sentence = |n: usize| {
        format!(
            "Sentence {n} is of the ferry to Ærøskøbing, https://{}.dk/{n}, and 12.",
            "x".repeat(n)
        )
    };
    for sentences in [30, 120] {
        let text = (0..sentences).map(sentence).collect::<Vec<_>>().join(" ");
        for column in [40, 72, 100, 1_000] {
            let wrapped = wrapped(&text, column);
            let quoted = wrapped.replace('\n', "\n> ");
            let item = format!("- {}", wrapped.replace('\n', "\n  "));
            for paragraph in [wrapped, format!("> {quoted}"), item] {
                let text = format!("# Trip\n\n{paragraph}\n\nAfter.\n");
                let cut: Vec<&str> = paragraphs(&text).iter().map(|stretch| stretch.text).collect();
                assert_eq!(cut, [&*paragraph, "After."], "{column}");
            }
        }
    }
    // Lines that are each something of their own are cut.
    let log = |n: usize| format!("2026-03-10 {n:04} {}\n", "step ".repeat(n % 17));
    let poem = |n: usize| format!("{}\n", sentence(n));
    for text in [(0..300).map(log).collect::<String>(), (0..90).map(poem).collect()] {
        let cut = paragraphs(&text);
        assert!(cut.len() > 2 && cut.iter().all(|stretch| stretch.text.len() < 2_200), "{text}");
    }
}
