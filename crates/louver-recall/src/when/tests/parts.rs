//! Weeks, weekends and halves of a month, and seasons.

use super::*;

const fn in_2023(month: i8, from: i8, to: i8) -> Span {
    Span::Days(date(2023, month, from), date(2023, month, to))
}

const LAST_OF_APRIL: Span = in_2023(4, 24, 30);
const FIRST_OF_MARCH: Span = in_2023(3, 1, 7);
const SECOND_HALF_OF_MARCH: Span = in_2023(3, 16, 31);
const WEEK_OF_17_APRIL: Span = in_2023(4, 17, 23);
const WEEKEND_OF_15_APRIL: Span = in_2023(4, 14, 16);
const THIS_SPRING: Span = Span::Days(date(2023, 3, 1), date(2023, 5, 31));
const THIS_WINTER: Span = Span::Days(date(2022, 12, 1), date(2023, 2, 28));

#[test]
fn weeks_and_halves_of_a_month_are_read() {
    wanted(&[
        ("what happened in the last week of april", LAST_OF_APRIL),
        ("the last week of April 2023", LAST_OF_APRIL),
        ("what happened in the last week of last month", LAST_OF_APRIL),
        ("in the first week of March", FIRST_OF_MARCH),
        ("the first week in March", FIRST_OF_MARCH),
        ("1st week of march", FIRST_OF_MARCH),
        ("the second week of march", in_2023(3, 8, 14)),
        ("in the second half of March", SECOND_HALF_OF_MARCH),
        ("the first half of 2022", Span::Days(date(2022, 1, 1), date(2022, 6, 30))),
        ("the last day of april", day(2023, 4, 30)),
        ("on the last weekend of april", in_2023(4, 28, 30)),
        ("the first weekend in march", in_2023(3, 3, 5)),
        ("in the week of 17 april", WEEK_OF_17_APRIL),
        ("the week of April 19th", WEEK_OF_17_APRIL),
        ("on the weekend of 15 and 16 april", WEEKEND_OF_15_APRIL),
        ("the weekend of 15-16 April", WEEKEND_OF_15_APRIL),
        ("what happened on 15 and 16 april", in_2023(4, 15, 16)),
        ("Was war in der letzten Aprilwoche?", LAST_OF_APRIL),
        ("in der letzten Woche im April", LAST_OF_APRIL),
        ("erste Märzwoche", FIRST_OF_MARCH),
        ("Was war in der ersten Maerzwoche?", FIRST_OF_MARCH),
        ("die 1. Märzwoche 2023", FIRST_OF_MARCH),
        ("in der zweiten Märzhälfte", SECOND_HALF_OF_MARCH),
        ("in der zweiten Hälfte des März", SECOND_HALF_OF_MARCH),
        ("in der Woche vom 17. April", WEEK_OF_17_APRIL),
        ("am Wochenende vom 15. und 16. April", WEEKEND_OF_15_APRIL),
        ("am letzten Aprilwochenende", in_2023(4, 28, 30)),
        ("la dernière semaine d'avril", LAST_OF_APRIL),
        ("la première semaine de mars", FIRST_OF_MARCH),
        ("la deuxième moitié de mars", SECOND_HALF_OF_MARCH),
        ("la semaine du 17 avril", WEEK_OF_17_APRIL),
        ("la última semana de abril", LAST_OF_APRIL),
        ("en la primera semana de marzo", FIRST_OF_MARCH),
        ("la segunda quincena de marzo", SECOND_HALF_OF_MARCH),
        ("la semana del 17 de abril", WEEK_OF_17_APRIL),
        ("l'ultima settimana di aprile", LAST_OF_APRIL),
        ("nella prima settimana di marzo", FIRST_OF_MARCH),
        ("nella seconda metà di marzo", SECOND_HALF_OF_MARCH),
        ("la settimana del 17 aprile", WEEK_OF_17_APRIL),
        ("na última semana de abril", LAST_OF_APRIL),
        ("na primeira semana de março", FIRST_OF_MARCH),
        ("na segunda metade de março", SECOND_HALF_OF_MARCH),
        ("de laatste week van april", LAST_OF_APRIL),
        ("eerste week maart", FIRST_OF_MARCH),
        ("de tweede helft van maart", SECOND_HALF_OF_MARCH),
        ("de week van 17 april", WEEK_OF_17_APRIL),
        ("4月最后一周我做了什么？", LAST_OF_APRIL),
        ("3月第一周", FIRST_OF_MARCH),
        ("3月下半月", SECOND_HALF_OF_MARCH),
        ("4月の最終週", LAST_OF_APRIL),
        ("3月の第1週", FIRST_OF_MARCH),
        ("3月後半", SECOND_HALF_OF_MARCH),
        ("4월 마지막 주", LAST_OF_APRIL),
        ("3월 첫째 주", FIRST_OF_MARCH),
        ("3월 후반", SECOND_HALF_OF_MARCH),
    ]);
    // Who does not ask for what was may mean what is near ahead.
    wanted(&[
        ("what happens in the first week of june", in_2023(6, 1, 7)),
        ("what happened in the first week of june", Span::Days(date(2022, 6, 1), date(2022, 6, 7))),
        ("what is on in the week of 12 june", in_2023(6, 12, 18)),
    ]);
    for text in ["the first half of the match", "the last week of school", "second half"] {
        assert!(asked(text, Some(NOW)).iter().all(|span| *span == LAST_WEEK), "{text}");
    }
}

#[test]
fn a_day_is_read_without_its_apostrophe() {
    wanted(&[("yesterdays news", YESTERDAY), ("todays plan", TODAY), ("tomorrows list", TOMORROW)]);
}

#[test]
fn a_season_alone_is_the_latest_that_has_begun() {
    wanted(&[
        ("what did we do in summer", LAST_SUMMER),
        ("what happened over the summer", LAST_SUMMER),
        ("where were we during the winter", THIS_WINTER),
        ("what did I plant in spring", THIS_SPRING),
        ("Was haben wir im Sommer gemacht?", LAST_SUMMER),
        ("Qu'est-ce qu'on a fait en été ?", LAST_SUMMER),
        ("¿Qué hicimos en verano?", LAST_SUMMER),
        ("Cosa è successo in estate?", LAST_SUMMER),
        ("O que fizemos no verão?", LAST_SUMMER),
        ("Wat deden we in de zomer?", LAST_SUMMER),
        ("what will we do in summer", Span::Days(date(2023, 6, 1), date(2023, 8, 31))),
    ]);
    for text in ["summer camp for Ada", "no winter tyres", "Où as-tu été ?", "der Sommer war schön"]
    {
        assert_eq!(asked(text, Some(NOW)), [], "{text}");
    }
    assert_eq!(spans("We were there in summer.", Some(NOW)), []);
}

#[test]
fn a_day_of_any_year_is_not_found_by_a_whole_year() {
    let year = Span::Days(date(2022, 1, 1), date(2022, 12, 31));
    assert!(!year.meets(&yearly(10, 3)) && !year.meets(&each_year(10)));
    assert!(LAST_SUMMER.meets(&yearly(7, 3)));
}
