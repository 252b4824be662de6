//! Days that have names, weeks that are counted back to a weekday, and weekends by a day in them.

use super::*;

const CHRISTMAS: Span = Span::Days(date(2022, 12, 24), date(2022, 12, 26));
const EASTER: Span = Span::Days(date(2023, 4, 7), date(2023, 4, 10));
const FIRST_QUARTER: Span = Span::Days(date(2023, 1, 1), date(2023, 3, 31));
const MONDAY: Span = day(2023, 4, 24);
const WEEKEND: Span = Span::Days(date(2023, 4, 14), date(2023, 4, 16));

#[test]
fn feasts_are_known_by_their_names() {
    wanted(&[
        ("What did I do at Christmas?", CHRISTMAS),
        ("What did we do over Christmas last year?", CHRISTMAS),
        ("last Christmas", CHRISTMAS),
        ("Christmas 2022", CHRISTMAS),
        ("Christmas of 2021", Span::Days(date(2021, 12, 24), date(2021, 12, 26))),
        ("Where was I on Christmas Eve?", day(2022, 12, 24)),
        ("on Christmas Day", day(2022, 12, 25)),
        ("on Boxing Day last year", day(2022, 12, 26)),
        ("What happened on New Year's Eve?", day(2022, 12, 31)),
        ("on New Year’s Day", day(2023, 1, 1)),
        ("What did I do at New Year's?", Span::Days(date(2022, 12, 31), date(2023, 1, 1))),
        ("at Easter", EASTER),
        ("Easter 2024", Span::Days(date(2024, 3, 29), date(2024, 4, 1))),
        ("next Easter", Span::Days(date(2024, 3, 29), date(2024, 4, 1))),
        ("What will we do at Easter?", Span::Days(date(2024, 3, 29), date(2024, 4, 1))),
        ("on Good Friday", day(2023, 4, 7)),
        ("on Easter Monday", day(2023, 4, 10)),
        ("since Easter", Span::Days(date(2023, 4, 7), NOW)),
        ("Was habe ich an Weihnachten gemacht?", CHRISTMAS),
        ("Weihnachten letztes Jahr", CHRISTMAS),
        ("letzte Weihnachten", CHRISTMAS),
        ("an Heiligabend", day(2022, 12, 24)),
        ("am ersten Weihnachtsfeiertag", day(2022, 12, 25)),
        ("zu Silvester", day(2022, 12, 31)),
        ("Was war an Ostern?", EASTER),
        ("an Karfreitag", day(2023, 4, 7)),
        ("am Ostermontag", day(2023, 4, 10)),
        ("Qu'est-ce que j'ai fait à Noël ?", CHRISTMAS),
        ("à Noël dernier", CHRISTMAS),
        ("la veille de Noël", day(2022, 12, 24)),
        ("à la Saint-Sylvestre", day(2022, 12, 31)),
        ("au jour de l'an", day(2023, 1, 1)),
        ("à Pâques", EASTER),
        ("le lundi de Pâques", day(2023, 4, 10)),
        ("¿Qué hice en Navidad?", CHRISTMAS),
        ("la Navidad pasada", CHRISTMAS),
        ("en Nochebuena", day(2022, 12, 24)),
        ("en Nochevieja", day(2022, 12, 31)),
        ("el Viernes Santo", day(2023, 4, 7)),
        ("en Semana Santa", Span::Days(date(2023, 4, 2), date(2023, 4, 9))),
        ("Cosa ho fatto a Natale?", CHRISTMAS),
        ("a Pasqua", EASTER),
        ("O que fiz no Natal?", CHRISTMAS),
        ("na Páscoa", EASTER),
        ("met Kerstmis", CHRISTMAS),
        ("op tweede kerstdag", day(2022, 12, 26)),
        ("met Pasen", EASTER),
    ]);
}

#[test]
fn the_coming_feast_is_meant_besides_where_it_is_near() {
    let from = Some(date(2023, 12, 1));
    let coming = Span::Days(date(2023, 12, 24), date(2023, 12, 26));
    assert_eq!(asked("What about Christmas?", from), [CHRISTMAS, coming]);
    assert_eq!(asked("What did we do at Christmas?", from), [CHRISTMAS]);
    assert_eq!(spans("Presents for Christmas", from), [coming]);
    assert_eq!(spans("Presents for Christmas", None), []);
}

#[test]
fn names_of_feasts_that_are_something_else_are_none() {
    none(&["Noel called about the roof.", "a natal chart", "the new years ahead", "good fries"]);
}

#[test]
fn quarters_are_read() {
    wanted(&[
        ("What did I do in Q1?", FIRST_QUARTER),
        ("Q1 2023", FIRST_QUARTER),
        ("the first quarter of 2023", FIRST_QUARTER),
        ("the 1st quarter", FIRST_QUARTER),
        ("last quarter", FIRST_QUARTER),
        ("Q4 last year", Span::Days(date(2022, 10, 1), date(2022, 12, 31))),
        ("im ersten Quartal 2023", FIRST_QUARTER),
        ("im 1. Quartal", FIRST_QUARTER),
        ("letztes Quartal", FIRST_QUARTER),
        ("au premier trimestre 2023", FIRST_QUARTER),
        ("en el primer trimestre de 2023", FIRST_QUARTER),
        ("nel primo trimestre del 2023", FIRST_QUARTER),
        ("no primeiro trimestre", FIRST_QUARTER),
        ("in het eerste kwartaal van 2023", FIRST_QUARTER),
    ]);
    none(&["a quarter of an hour", "the quarter note", "1 quarter"]);
}

#[test]
fn a_weekday_some_weeks_ago_is_one_day() {
    wanted(&[
        ("What did I do on Monday two weeks ago?", MONDAY),
        ("two weeks ago on Monday", MONDAY),
        ("Monday a fortnight ago", MONDAY),
        ("a fortnight ago", TWO_WEEKS_AGO),
        ("Was war Montag vor zwei Wochen?", MONDAY),
        ("vor zwei Wochen am Montag", MONDAY),
        ("lundi il y a deux semaines", MONDAY),
        ("el lunes de hace dos semanas", MONDAY),
        ("lunedì di due settimane fa", MONDAY),
        ("maandag twee weken geleden", MONDAY),
    ]);
}

#[test]
fn a_weekend_is_known_by_a_day_in_it() {
    wanted(&[
        ("What did I do on the weekend of the 15th?", WEEKEND),
        ("the weekend of April 15", WEEKEND),
        ("the weekend of 16 April 2023", WEEKEND),
        ("am Wochenende vom 15. April", WEEKEND),
        ("am Wochenende vom 15.", WEEKEND),
        ("le week-end du 15 avril", WEEKEND),
        ("el fin de semana del 15 de abril", WEEKEND),
        ("il fine settimana del 15 aprile", WEEKEND),
        ("no fim de semana de 15 de abril", WEEKEND),
        ("het weekend van 15 april", WEEKEND),
    ]);
}

#[test]
fn who_counts_weeks_means_that_day_first() {
    let [one] = &super::super::asked("What did I do two weeks ago?", Some(NOW))[..] else {
        panic!("one span")
    };
    assert_eq!(one.span, Span::About(date(2023, 4, 26), 3));
    assert_eq!(spans("We met two weeks ago.", Some(NOW)), [TWO_WEEKS_AGO]);
}
