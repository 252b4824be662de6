//! Dates in numbers, and numbers that are none.

use super::*;

#[test]
fn a_number_is_read_whole_or_not_at_all() {
    let days_ago = |back: i32| calendar::ago(Unit::Day, back, NOW).unwrap();
    let years_ago = |back: i32| calendar::ago(Unit::Year, back, NOW).unwrap();
    for (text, span) in [
        ("twenty-five years ago", years_ago(25)),
        ("It was twenty five years ago", years_ago(25)),
        ("a hundred years ago", years_ago(100)),
        ("twenty-one days ago", days_ago(21)),
        ("nineteen days ago", days_ago(19)),
        ("I was twenty. Five years ago I left", years_ago(5)),
        ("That one two days ago", days_ago(2)),
        ("the payment due two days ago", days_ago(2)),
        ("in the last twenty-five days", Span::Days(date(2023, 4, 15), NOW)),
        ("vor zwanzig Jahren", years_ago(20)),
        ("vor dreißig Jahren", years_ago(30)),
        ("il y a vingt-cinq ans", years_ago(25)),
        ("il y a vingt et un jours", days_ago(21)),
        ("les vingt-cinq derniers jours", Span::Days(date(2023, 4, 15), NOW)),
        ("treinta y dos días atrás", days_ago(32)),
        ("hace treinta y dos días", days_ago(32)),
        ("venti giorni fa", days_ago(20)),
        ("vinte e cinco dias atrás", days_ago(25)),
        ("vinte e cinco de maio de 2022", day(2022, 5, 25)),
        ("twintig jaar geleden", years_ago(20)),
        ("一百二十天前", days_ago(120)),
        ("一百零五天前", days_ago(105)),
        ("百年前", years_ago(100)),
        ("三十五年前", years_ago(35)),
        ("二三天前", days_ago(3)),
        ("스물다섯 달 전", calendar::ago(Unit::Month, 25, NOW).unwrap()),
        ("열두 달 전에", calendar::ago(Unit::Month, 12, NOW).unwrap()),
    ] {
        assert_eq!(seen(text), [span.plain()], "{text}");
    }
    none(&[
        "1.5 years ago",
        "1,000 days ago",
        "the last 1.5 years",
        "two hundred years ago",
        "a hundred and five days ago",
        "one hundred twenty-one days ago",
        "1,5 jaar geleden",
        "vor 1,5 Jahren",
        "hace 1,5 años",
        "1,5 anos atrás",
        "les quatre-vingt derniers jours",
        "ciento treinta y dos días atrás",
        "honderd vijf dagen geleden",
        "1.5年前",
        "1.5개월 전",
        "三千二百二十五天前",
        "几十年前",
        "十几年前",
        "one point five years ago",
        "数百年前",
    ]);
    let list = [day(2026, 3, 5), day(2026, 3, 6)];
    assert_eq!(seen("2026-03-05,2026-03-06"), list);
    assert_eq!(seen("05.03.2026,06.03.2026"), list);
}

#[test]
fn days_are_read_from_numbers() {
    for text in [
        "5-9 March",
        "5–9 March",
        "5 – 9 March",
        "5th-9th March",
        "5 to 9 March 2023",
        "March 5-9",
        "March 5–9, 2023",
        "2023-03-05 to 2023-03-09",
        "2023-03-05 – 2023-03-09",
        "5.–9. März",
        "5. bis 9. März",
        "5.3.2023 - 9.3.2023",
        "05/03/2023 to 09/03/2023, der Urlaub und die Reise",
    ] {
        assert_eq!(asked(text, Some(NOW)), [FROM_5_TO_9_MARCH], "{text}");
        assert_eq!(seen(text), [FROM_5_TO_9_MARCH], "{text}");
    }
    let twelfth = day(2026, 3, 12);
    for text in [
        "12.3.2026",
        "2026/03/12",
        "2026-03-12",
        "Der Termin ist am 12/03/2026 beim Arzt",
        "le rendez-vous est le 12/03/2026",
        "la cita es el 12/03/2026",
        "de afspraak is op 12-03-2026",
        "2026年3月12日",
        "2026년 3월 12일",
    ] {
        assert_eq!(seen(text), [twelfth], "{text}");
    }
    assert_eq!(seen("3月12日"), [yearly(3, 12)]);
    assert_eq!(seen("3월 12일"), [yearly(3, 12)]);
    assert_eq!(seen("le 12 mars"), [yearly(3, 12)]);
    // One number above twelve tells.
    assert_eq!(seen("the invoice of 25/03/2026"), [day(2026, 3, 25)]);
    assert_eq!(seen("the invoice of 03/25/2026"), [day(2026, 3, 25)]);
    // In English it may be either, unless another date of the text tells.
    assert_eq!(seen("the invoice of 12/03/2026"), [day(2026, 12, 3), twelfth]);
    assert_eq!(seen("the invoice of 03/03/2026"), [day(2026, 3, 3)]);
    assert_eq!(seen("due 25/03/2026, sent 12/03/2026"), [day(2026, 3, 25), twelfth]);
}

#[test]
fn years_are_read_from_two_digits_and_after_a_month() {
    all(&[
        ("Abgabe ist am 24.12.25", day(2025, 12, 24)),
        ("Die Rechnung ist vom 03.05.24 und bezahlt", day(2024, 5, 3)),
        ("the invoice of 24/12/25", day(2025, 12, 24)),
        ("the invoice of 24.12.25", day(2025, 12, 24)),
        ("Where was I on 24.12.25?", day(2025, 12, 24)),
        ("What did we agree on 03.05.24 in the call?", day(2024, 5, 3)),
        ("24.12.25 party at the office", day(2025, 12, 24)),
        ("la cita es el 12/03/26", day(2026, 3, 12)),
        ("valid until 12/2025", Span::Days(date(2025, 12, 1), date(2025, 12, 31))),
    ]);
    none(&[
        "the version is 10.12.25 now",
        "the version is 24.12.25 now",
        "we went from 10.12.25 to 11.01.03 of the library",
        "We are on 1.2.3 and then on 24.1.5, not on 24.13.25",
        "Die Version 10.12.25 ist da und läuft",
        "Python 3.10.12 ist auf dem Rechner",
        "a 1/2000 chance, 13/2025, 12/20255",
        "24-12-25",
        "24/12/99",
    ]);
}

#[test]
fn a_date_may_be_written_on_to_something() {
    let fifth = day(2026, 3, 5);
    all(&[
        ("at 2026-03-05T14:30:00Z", fifth),
        ("2026-03-05T14:30:00.123+02:00", fifth),
        ("2026-03-05-standup.md", fifth),
        ("2026-03-05下午三点在办公室开了一个很长很长的会议", fifth),
        ("会议在2026-03-05举行", fifth),
        ("2026-03-05에 만났다", fifth),
        ("2026/03/05の会議", fifth),
        ("5.3.2026에", fifth),
    ]);
    assert_eq!(asked("What happened at 2026-03-05T14:30?", Some(NOW)), [fifth]);
    none(&["2026-03-05-12-77", "2026-13-05T10:00", "v2026-03-05", "10.0.0.12a"]);
}

#[test]
fn numbers_that_are_no_days_are_left_alone() {
    none(&[
        "version 12.3.1 and 12.3",
        "We are on release 12.3.",
        "see section 12.3.1 and then 4.5.",
        "it costs 12.30 or 12,30 €",
        "about 3/4 of it, 1/2 cup, 5/7",
        "call 030/1234567 or 555-1234 or 12-34-56",
        "at 12:30 or 9.30 or 17:45:12",
        "10.0.0.12 and 192.168.1.1",
        "5-9 people, 3-4 days ago, 24-7",
        "score 3-2, pages 5–9, 5 to 9 euros",
        "I am 12.3. That is all.",
        "from 5 to 9 may be enough",
        "32/13/2026 and 99/99/2026",
        "im Kapitel 12.3. steht es",
        "1/2/20233",
    ]);
    for text in ["What is on page 12?", "Welche Version war 12.3?", "le 12 % de TVA", "am 12. Mann"]
    {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
}
