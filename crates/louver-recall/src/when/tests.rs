//! What is said in ten languages, and the days it means.

use super::*;
use jiff::civil::date;

/// A Wednesday.
const NOW: Date = date(2023, 5, 10);

fn seen(text: &str) -> Vec<Span> {
    spans(text, Some(NOW))
}

fn days(from: Date, to: Date) -> Vec<Span> {
    vec![Span::Days(from, to)]
}

#[test]
fn parts_of_months_and_what_lies_between_are_read() {
    let day = |month, day| date(2023, month, day);
    for (text, from, to) in [
        ("What did I do between 5 and 9 March?", day(3, 5), day(3, 9)),
        ("between March 28 and 2 April", day(3, 28), day(4, 2)),
        ("What happened after 3 May?", day(5, 4), NOW),
        ("since May 3rd", day(5, 3), NOW),
        ("in early March", day(3, 1), day(3, 10)),
        ("at the end of February", day(2, 21), day(2, 28)),
        ("in late June", date(2022, 6, 21), date(2022, 6, 30)),
        ("mid January 2021", date(2021, 1, 11), date(2021, 1, 20)),
        ("What did I do on Tuesday last week?", day(5, 2), day(5, 2)),
        ("the weekend before last", day(4, 28), day(4, 30)),
        ("the week before last", day(4, 24), day(4, 30)),
    ] {
        assert_eq!(seen(text), days(from, to), "{text}");
    }
    for text in [
        "the end of the month of plenty",
        "between you and me",
        "after 5 of them",
        "Tuesday is fine",
    ] {
        assert!(seen(text).is_empty(), "{text}: {:?}", seen(text));
    }
}

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
    assert!(seen("in March")[0].meets(&Span::Days(date(2020, 1, 1), date(2020, 12, 31))));
}

#[test]
fn what_cannot_be_resolved_is_skipped() {
    assert!(seen("two weeks before the move").is_empty());
    assert!(seen("3 days ago before lunch").is_empty());
    assert!(seen("I may march there, last but not least").is_empty());
    assert!(spans("yesterday", None).is_empty());
    assert!(seen("99999999999999999999 days ago").is_empty());
}

/// The tables that every language must pass: what is said, and the days it means.
fn all(cases: &[(&str, Span)]) {
    for (text, span) in cases {
        assert_eq!(seen(text), [*span], "{text}");
    }
}

fn none(texts: &[&str]) {
    for text in texts {
        assert_eq!(seen(text), [], "{text}");
    }
}

const fn day(year: i16, month: i8, day: i8) -> Span {
    Span::Days(date(year, month, day), date(year, month, day))
}

const fn yearly(month: i8, day: i8) -> Span {
    Span::Yearly { month, day: Some(day) }
}

const fn each_year(month: i8) -> Span {
    Span::Yearly { month, day: None }
}

const BEFORE_YESTERDAY: Span = day(2023, 5, 8);
const YESTERDAY: Span = day(2023, 5, 9);
const TODAY: Span = day(2023, 5, 10);
const TOMORROW: Span = day(2023, 5, 11);
const AFTER_TOMORROW: Span = day(2023, 5, 12);
const LAST_TUESDAY: Span = day(2023, 5, 9);
const NEXT_FRIDAY: Span = day(2023, 5, 12);
const TWO_WEEKS_AGO: Span = Span::Days(date(2023, 4, 23), date(2023, 4, 29));
const THREE_DAYS_AGO: Span = day(2023, 5, 7);
const A_YEAR_AGO: Span = Span::Days(date(2021, 11, 11), date(2022, 11, 6));
const LAST_WEEK: Span = Span::Days(date(2023, 5, 1), date(2023, 5, 7));
const LAST_MONTH: Span = Span::Days(date(2023, 4, 1), date(2023, 4, 30));
const THIS_YEAR: Span = Span::Days(date(2023, 1, 1), date(2023, 12, 31));
const NEXT_WEEK: Span = Span::Days(date(2023, 5, 15), date(2023, 5, 21));
const NEXT_MONTH: Span = Span::Days(date(2023, 6, 1), date(2023, 6, 30));
const LAST_YEAR: Span = Span::Days(date(2022, 1, 1), date(2022, 12, 31));
const LAST_THREE_MONTHS: Span = Span::Days(date(2023, 2, 10), date(2023, 5, 10));
const LAST_JUNE: Span = Span::Days(date(2022, 6, 1), date(2022, 6, 30));
const MARCH_2024: Span = Span::Days(date(2024, 3, 1), date(2024, 3, 31));
const IN_2022: Span = LAST_YEAR;

#[test]
fn german_is_understood() {
    all(&[
        ("Vorgestern war ich krank", BEFORE_YESTERDAY),
        ("Was habe ich gestern gesagt?", YESTERDAY),
        ("heute", TODAY),
        ("Was steht morgen an?", TOMORROW),
        ("übermorgen", AFTER_TOMORROW),
        ("letzten Dienstag", LAST_TUESDAY),
        ("nächsten Freitag", NEXT_FRIDAY),
        ("am 3. März 2024", day(2024, 3, 3)),
        ("am 3.5.2024 um zehn", day(2024, 5, 3)),
        ("Termin: 3. Mai", yearly(5, 3)),
        ("im März", each_year(3)),
        ("im März 2024", MARCH_2024),
        ("Wo war ich im Jahr 2022?", IN_2022),
        ("vor zwei Wochen", TWO_WEEKS_AGO),
        ("vor 3 Tagen", THREE_DAYS_AGO),
        ("vor einem Jahr", A_YEAR_AGO),
        ("letzte Woche", LAST_WEEK),
        ("vergangenen Monat", LAST_MONTH),
        ("dieses Jahr", THIS_YEAR),
        ("nächste Woche", NEXT_WEEK),
        ("letzten Juni", LAST_JUNE),
        ("in den letzten drei Monaten", LAST_THREE_MONTHS),
    ]);
    none(&[
        "Guten Morgen!",
        "hier ist der Schlüssel",
        "zwei Wochen vor dem Umzug",
        "der letzte Mann",
    ]);
    assert_eq!(seen("heute Morgen"), [TODAY]);
}

#[test]
fn french_is_understood() {
    all(&[
        ("avant-hier", BEFORE_YESTERDAY),
        ("Qu'est-ce que j'ai mangé hier ?", YESTERDAY),
        ("aujourd'hui", TODAY),
        ("demain", TOMORROW),
        ("après-demain", AFTER_TOMORROW),
        ("mardi dernier", LAST_TUESDAY),
        ("vendredi prochain", NEXT_FRIDAY),
        ("le 3 mars 2024", day(2024, 3, 3)),
        ("le 1er août", yearly(8, 1)),
        ("le 3 mars", yearly(3, 3)),
        ("en février", each_year(2)),
        ("en mars 2024", MARCH_2024),
        ("Où étais-je en 2022 ?", IN_2022),
        ("il y a deux semaines", TWO_WEEKS_AGO),
        ("il y a 3 jours", THREE_DAYS_AGO),
        ("il y a un an", A_YEAR_AGO),
        ("la semaine dernière", LAST_WEEK),
        ("le mois dernier", LAST_MONTH),
        ("cette année", THIS_YEAR),
        ("la semaine prochaine", NEXT_WEEK),
        ("l'an dernier", LAST_YEAR),
        ("les trois derniers mois", LAST_THREE_MONTHS),
    ]);
    none(&["la planète Mars est rouge", "il y a deux chats", "le dernier jour"]);
}

#[test]
fn spanish_is_understood() {
    all(&[
        ("anteayer", BEFORE_YESTERDAY),
        ("¿Qué dije ayer?", YESTERDAY),
        ("hoy", TODAY),
        ("mañana", TOMORROW),
        ("pasado mañana", AFTER_TOMORROW),
        ("el martes pasado", LAST_TUESDAY),
        ("el próximo viernes", NEXT_FRIDAY),
        ("el 3 de marzo de 2024", day(2024, 3, 3)),
        ("el 3 de mayo", yearly(5, 3)),
        ("en marzo", each_year(3)),
        ("marzo de 2024", MARCH_2024),
        ("¿Dónde estaba en 2022?", IN_2022),
        ("hace dos semanas", TWO_WEEKS_AGO),
        ("hace tres días", THREE_DAYS_AGO),
        ("hace un año", A_YEAR_AGO),
        ("la semana pasada", LAST_WEEK),
        ("el mes pasado", LAST_MONTH),
        ("este año", THIS_YEAR),
        ("la semana que viene", NEXT_WEEK),
        ("el año pasado", LAST_YEAR),
        ("los últimos tres meses", LAST_THREE_MONTHS),
    ]);
    none(&["por la mañana", "el sol y el mar", "esta casa", "hace frío"]);
}

#[test]
fn italian_is_understood() {
    all(&[
        ("l'altro ieri", BEFORE_YESTERDAY),
        ("Che cosa ho detto ieri?", YESTERDAY),
        ("oggi", TODAY),
        ("domani", TOMORROW),
        ("dopodomani", AFTER_TOMORROW),
        ("martedì scorso", LAST_TUESDAY),
        ("venerdì prossimo", NEXT_FRIDAY),
        ("il 3 marzo 2024", day(2024, 3, 3)),
        ("il 3 maggio", yearly(5, 3)),
        ("a maggio", each_year(5)),
        ("marzo 2024", MARCH_2024),
        ("Dov'ero nel 2022?", IN_2022),
        ("due settimane fa", TWO_WEEKS_AGO),
        ("tre giorni fa", THREE_DAYS_AGO),
        ("un anno fa", A_YEAR_AGO),
        ("la settimana scorsa", LAST_WEEK),
        ("il mese scorso", LAST_MONTH),
        ("quest'anno", THIS_YEAR),
        ("la prossima settimana", NEXT_WEEK),
        ("l'anno scorso", LAST_YEAR),
        ("gli ultimi tre mesi", LAST_THREE_MONTHS),
    ]);
    none(&["non ho mai visto il mare", "che cosa fa", "una settimana"]);
}

#[test]
fn portuguese_is_understood() {
    all(&[
        ("anteontem", BEFORE_YESTERDAY),
        ("O que eu disse ontem?", YESTERDAY),
        ("hoje", TODAY),
        ("amanhã", TOMORROW),
        ("depois de amanhã", AFTER_TOMORROW),
        ("terça-feira passada", LAST_TUESDAY),
        ("na próxima sexta-feira", NEXT_FRIDAY),
        ("3 de março de 2024", day(2024, 3, 3)),
        ("1º de maio", yearly(5, 1)),
        ("em maio", each_year(5)),
        ("março de 2024", MARCH_2024),
        ("Onde eu estava em 2022?", IN_2022),
        ("há duas semanas", TWO_WEEKS_AGO),
        ("três dias atrás", THREE_DAYS_AGO),
        ("há um ano", A_YEAR_AGO),
        ("na semana passada", LAST_WEEK),
        ("no mês passado", LAST_MONTH),
        ("este ano", THIS_YEAR),
        ("a semana que vem", NEXT_WEEK),
        ("o ano passado", LAST_YEAR),
        ("os últimos três meses", LAST_THREE_MONTHS),
    ]);
    none(&["bom dia", "de manhã", "na segunda vez"]);
}

#[test]
fn dutch_is_understood() {
    all(&[
        ("eergisteren", BEFORE_YESTERDAY),
        ("Wat heb ik gisteren gezegd?", YESTERDAY),
        ("vandaag", TODAY),
        ("morgen", TOMORROW),
        ("overmorgen", AFTER_TOMORROW),
        ("afgelopen dinsdag", LAST_TUESDAY),
        ("volgende vrijdag", NEXT_FRIDAY),
        ("op 3 maart 2024", day(2024, 3, 3)),
        ("op 3 mei is het feest", yearly(5, 3)),
        ("begin maart", each_year(3)),
        ("in maart 2024", MARCH_2024),
        ("in het jaar 2022", IN_2022),
        ("twee weken geleden", TWO_WEEKS_AGO),
        ("drie dagen geleden", THREE_DAYS_AGO),
        ("een jaar geleden", A_YEAR_AGO),
        ("vorige week", LAST_WEEK),
        ("vorige maand", LAST_MONTH),
        ("dit jaar", THIS_YEAR),
        ("volgende week", NEXT_WEEK),
        ("vorig jaar", LAST_YEAR),
        ("de afgelopen drie maanden", LAST_THREE_MONTHS),
    ]);
    none(&["goede morgen", "hier ligt de sleutel", "de laatste man"]);
}

#[test]
fn chinese_is_understood() {
    all(&[
        ("我前天去了医院", BEFORE_YESTERDAY),
        ("昨天说了什么？", YESTERDAY),
        ("今天", TODAY),
        ("我们明天见", TOMORROW),
        ("后天", AFTER_TOMORROW),
        ("上周二的会议", day(2023, 5, 2)),
        ("下周五", day(2023, 5, 19)),
        ("在2024年3月5日见面", day(2024, 3, 5)),
        ("三月五号", yearly(3, 5)),
        ("12月", each_year(12)),
        ("2024年3月", MARCH_2024),
        ("2022年", IN_2022),
        ("两周前", TWO_WEEKS_AGO),
        ("三天前", THREE_DAYS_AGO),
        ("一年前", A_YEAR_AGO),
        ("上周", LAST_WEEK),
        ("上个月", LAST_MONTH),
        ("今年", THIS_YEAR),
        ("下个星期", NEXT_WEEK),
        ("下个月", NEXT_MONTH),
        ("去年", LAST_YEAR),
        ("去年六月", LAST_JUNE),
    ]);
    none(&["以前天气很好", "登上月球", "三个月", "我有两只猫"]);
    assert_eq!(seen("上周日本队赢了"), [LAST_WEEK]);
}

#[test]
fn japanese_is_understood() {
    all(&[
        ("一昨日は雨でした", BEFORE_YESTERDAY),
        ("昨日何を食べましたか", YESTERDAY),
        ("今日", TODAY),
        ("明日の会議", TOMORROW),
        ("明後日", AFTER_TOMORROW),
        ("先週の火曜日", day(2023, 5, 2)),
        ("来週の金曜", day(2023, 5, 19)),
        ("2024年3月5日に会う", day(2024, 3, 5)),
        ("３月５日", yearly(3, 5)),
        ("3月", each_year(3)),
        ("2024年3月", MARCH_2024),
        ("2022年", IN_2022),
        ("二週間前", TWO_WEEKS_AGO),
        ("3日前", THREE_DAYS_AGO),
        ("一年前", A_YEAR_AGO),
        ("先週", LAST_WEEK),
        ("先月", LAST_MONTH),
        ("今年", THIS_YEAR),
        ("来週", NEXT_WEEK),
        ("昨年", LAST_YEAR),
    ]);
    none(&["三ヶ月", "2年前期", "駅前"]);
    let two_months_ago = Span::Days(date(2023, 2, 23), date(2023, 3, 25));
    assert_eq!(seen("2ヶ月前"), [two_months_ago]);
}

#[test]
fn korean_is_understood() {
    all(&[
        ("그저께", BEFORE_YESTERDAY),
        ("어제는 무엇을 먹었지?", YESTERDAY),
        ("오늘", TODAY),
        ("내일 만나요", TOMORROW),
        ("모레", AFTER_TOMORROW),
        ("지난 화요일", LAST_TUESDAY),
        ("다음 금요일에", NEXT_FRIDAY),
        ("지난주 화요일", day(2023, 5, 2)),
        ("2024년 3월 5일에", day(2024, 3, 5)),
        ("3월 5일", yearly(3, 5)),
        ("3월에", each_year(3)),
        ("2024년 3월", MARCH_2024),
        ("2022년에", IN_2022),
        ("2주 전", TWO_WEEKS_AGO),
        ("3일 전에", THREE_DAYS_AGO),
        ("1년 전", A_YEAR_AGO),
        ("지난 주에", LAST_WEEK),
        ("지난달", LAST_MONTH),
        ("올해", THIS_YEAR),
        ("다음 주", NEXT_WEEK),
        ("작년", LAST_YEAR),
    ]);
    none(&["다음에 봐요", "고양이 두 마리", "3개월"]);
    let a_month_ago = Span::Days(date(2023, 3, 26), date(2023, 4, 25));
    assert_eq!(seen("한 달 전"), [a_month_ago]);
}

#[test]
fn words_of_other_languages_are_no_dates_in_english() {
    none(&[
        "a mayo sandwich with 2 mayo packets",
        "six Mars bars and the Mars 2020 rover",
        "5 lug nuts, 3 set pieces, 2 out of 3",
        "a 2023 report that I ate 2000 calories for",
        "Mei told me in Mei's room that Julio left",
        "the sun set, he sat by the sea",
        "no 2024 model, half 2022 stock",
        "an era of die casting in the des Moines plant",
    ]);
}
