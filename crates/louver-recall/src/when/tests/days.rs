//! Days and spans by their usual words, and what is no day.

use super::*;

#[test]
fn dates_are_read_in_every_usual_form() {
    let seventh = days(date(2023, 5, 7), date(2023, 5, 7));
    for text in
        ["on 7 May 2023", "on 7th of May, 2023", "May 7th, 2023?", "at 2023-05-07", "2023/05/07"]
    {
        assert_eq!(seen(text), seventh, "{text}");
    }
    assert_eq!(seen("in March 2022"), days(date(2022, 3, 1), date(2022, 3, 31)));
    assert_eq!(seen("in 2022"), days(date(2022, 1, 1), date(2022, 12, 31)));
}

#[test]
fn days_are_counted_from_now() {
    assert_eq!(seen("yesterday"), days(date(2023, 5, 9), date(2023, 5, 9)));
    assert_eq!(seen("3 days ago"), days(date(2023, 5, 7), date(2023, 5, 7)));
    assert_eq!(seen("last Tuesday"), days(date(2023, 5, 9), date(2023, 5, 9)));
    assert_eq!(seen("last Wednesday"), days(date(2023, 5, 3), date(2023, 5, 3)));
    assert_eq!(seen("next Friday"), days(date(2023, 5, 12), date(2023, 5, 12)));
    assert_eq!(seen("last week"), days(date(2023, 5, 1), date(2023, 5, 7)));
    assert_eq!(seen("last month"), days(date(2023, 4, 1), date(2023, 4, 30)));
    assert_eq!(seen("in the past two weeks"), days(date(2023, 4, 26), date(2023, 5, 10)));
    assert_eq!(seen("two weeks ago"), days(date(2023, 4, 23), date(2023, 4, 29)));
    assert_eq!(seen("last June"), days(date(2022, 6, 1), date(2022, 6, 30)));
}

#[test]
fn a_month_without_a_year_is_that_of_every_year() {
    assert_eq!(seen("in March"), [Span::Yearly { month: 3, day: None }]);
    assert!(seen("in March")[0].meets(&Span::Days(date(2021, 3, 5), date(2021, 3, 5))));
    assert!(!seen("in March")[0].meets(&Span::Days(date(2021, 4, 5), date(2021, 4, 5))));
    assert!(seen("in March")[0].meets(&Span::Days(date(2020, 1, 1), date(2020, 6, 30))));
}

#[test]
fn what_cannot_be_resolved_is_skipped() {
    assert!(seen("two weeks before the move").is_empty());
    assert!(seen("in the last two weeks before the move").is_empty());
    assert!(seen("I may march there, last but not least").is_empty());
    assert!(spans("yesterday", None).is_empty());
    assert!(seen("99999999999999999999 days ago").is_empty());
}

#[test]
fn a_day_stays_one_where_before_or_after_something_follows() {
    assert_eq!(seen("3 days ago before lunch"), [THREE_DAYS_AGO]);
    wanted(&[
        ("What did I do yesterday after work?", YESTERDAY),
        ("What did I do yesterday before lunch?", YESTERDAY),
        ("What happened on 10 March before noon?", yearly(3, 10)),
        ("What did I pack last week before the trip?", LAST_WEEK),
        ("Where was I in 2022 after the move?", IN_2022),
    ]);
}

#[test]
fn the_past_week_goes_up_to_now() {
    let since = |month: i8, year: i16| Span::Days(date(year, month, 10), NOW);
    let week = Span::Days(date(2023, 5, 3), NOW);
    all(&[
        ("in the past week", week),
        ("this past week", week),
        ("the past month", since(4, 2023)),
        ("over the past year", since(5, 2022)),
        ("the last week", LAST_WEEK),
        ("past Tuesday", LAST_TUESDAY),
        ("the past weekend", LAST_WEEKEND),
        ("in der vergangenen Woche", LAST_WEEK),
        ("la semaine passée", LAST_WEEK),
        ("en la última semana", week),
        ("en el último año", since(5, 2022)),
        ("nell'ultimo mese", since(4, 2023)),
        ("no último mês", since(4, 2023)),
        ("de afgelopen maand", since(4, 2023)),
        ("het afgelopen jaar", since(5, 2022)),
        ("afgelopen week dinsdag", TUESDAY_OF_LAST_WEEK),
        ("过去一周", week),
        ("この一週間", week),
        ("지난 일주일", week),
    ]);
    none(&["l'ultima settimana di lavoro", "la última semana de clases"]);
}

#[test]
fn a_long_word_is_no_word_of_time() {
    assert!(!is_of_time(&"w".repeat(32)));
    assert!(!is_of_time("donaudampfschifffahrtsgesellschaften"));
}

#[test]
fn the_next_season_is_not_the_one_that_has_begun() {
    let season = |year: i16, first: i8, last: Date| Span::Days(date(year, first, 1), last);
    for (text, from, span) in [
        ("next summer", date(2023, 5, 10), season(2023, 6, date(2023, 8, 31))),
        ("next summer", date(2023, 7, 10), season(2024, 6, date(2024, 8, 31))),
        ("nächsten Sommer", date(2023, 6, 1), season(2024, 6, date(2024, 8, 31))),
        ("next spring", date(2023, 11, 10), season(2024, 3, date(2024, 5, 31))),
        ("next winter", date(2023, 10, 10), season(2023, 12, date(2024, 2, 29))),
        ("next winter", date(2023, 12, 10), season(2024, 12, date(2025, 2, 28))),
        ("next winter", date(2024, 1, 10), season(2024, 12, date(2025, 2, 28))),
        ("this summer", date(2023, 7, 10), season(2023, 6, date(2023, 8, 31))),
        ("last winter", date(2024, 1, 10), season(2022, 12, date(2023, 2, 28))),
    ] {
        assert_eq!(spans(text, Some(from)), [span], "{text}, seen from {from}");
    }
}

#[test]
fn a_span_goes_on_into_the_next_year() {
    for (text, start, end) in [
        ("between 20 December 2025 and 5 January", date(2025, 12, 20), date(2026, 1, 5)),
        ("from 28 December 2023 to 3 January", date(2023, 12, 28), date(2024, 1, 3)),
        ("28 December 2023 to 3 January", date(2023, 12, 28), date(2024, 1, 3)),
        ("from 28 December to 3 January 2021", date(2020, 12, 28), date(2021, 1, 3)),
        ("from 28 December to 3 January", date(2022, 12, 28), date(2023, 1, 3)),
        ("vom 28.12.2023 bis 3. Januar", date(2023, 12, 28), date(2024, 1, 3)),
        ("2023年12月28日到1月3日", date(2023, 12, 28), date(2024, 1, 3)),
    ] {
        assert_eq!(asked(text, Some(NOW)), [Span::Days(start, end)], "{text}");
    }
}

#[test]
fn a_note_names_the_days_of_which_a_question_asks_what_was_beside_them() {
    assert_eq!(seen("I am vegetarian since 3 May"), [yearly(5, 3)]);
    assert_eq!(seen("The form must be in before 3 May"), [yearly(5, 3)]);
    assert_eq!(seen("In Rom bis 3. Mai"), [yearly(5, 3)]);
    // What is due is looked for under its day.
    assert_eq!(asked("What must I do before 3 June?", Some(NOW)), [yearly(6, 3)]);
    // Who writes of August in May has it before them.
    let ahead = Span::Days(date(2023, 8, 5), date(2023, 8, 9));
    assert_eq!(seen("We are in Rome 5-9 August"), [ahead]);
    let behind = Span::Days(date(2022, 8, 5), date(2022, 8, 9));
    assert_eq!(asked("Where was I 5-9 August?", Some(NOW)), [behind]);
    assert_eq!(seen("every weekend"), []);
    assert_eq!(seen("We meet at the weekend"), []);
}

#[test]
fn people_who_are_named_after_a_month_are_no_month() {
    for text in [
        "What did April Okonkwo say?",
        "May Chen called",
        "August Becker has the key",
        "Ask Ms April or Dr. August",
        "since April Okonkwo left",
        "a letter by May Chen",
        "before June Carter sang",
        "May I ask something?",
        "Frau August kommt",
    ] {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
        assert_eq!(seen(text), [], "{text}");
    }
    assert_eq!(seen("In April Anna moved"), [each_year(4)]);
    assert_eq!(seen("April. Okonkwo came"), [each_year(4)]);
    assert_eq!(seen("April Monday mornings"), [each_year(4)]);
    assert_eq!(seen("in May"), [each_year(5)]);
    assert_eq!(seen("on 5 May Chen called"), [yearly(5, 5)]);
    assert_eq!(seen("April 5"), [yearly(4, 5)]);
}

#[test]
fn a_month_beside_a_year_is_of_that_year() {
    let month = |year: i16, month: i8| {
        let first = date(year, month, 1);
        Span::Days(first, first.last_of_month())
    };
    for (text, span) in [
        ("What did we do in December last year?", month(2022, 12)),
        ("what happened last year in March", month(2022, 3)),
        ("on 3 March last year", day(2022, 3, 3)),
        ("Was war im Dezember letzten Jahres?", month(2022, 12)),
        ("en diciembre del año pasado", month(2022, 12)),
        ("en décembre de l'année dernière", month(2022, 12)),
        ("去年十二月我们做了什么？", month(2022, 12)),
        ("去年12月に何をした？", month(2022, 12)),
        ("작년 12월에 뭐 했어?", month(2022, 12)),
    ] {
        assert_eq!(asked(text, Some(NOW)), [span], "{text}");
    }
    // Two things, each of its own time.
    assert_eq!(asked("in March, and what was last year?", Some(NOW)).len(), 2);
}
